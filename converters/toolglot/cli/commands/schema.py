"""`toolglot schema`: what the folder of the schemas holds, and how editors are told of it."""

from __future__ import annotations

import click

from toolglot import agent
from toolglot.cli import options
from toolglot.cli.command_effects import effects
from toolglot.cli.option_types import SchemaName
from toolglot.cli.terminal import print_result
from toolglot.converter.schema import canonical


@effects()
@agent.arguments(name="The name of a schema; all names are listed without it.")
@options.command("schema", options.GroupedCommand)
@click.argument("name", required=False, type=SchemaName())
@click.option(
    "--base-url",
    metavar="URL",
    envvar="TOOLGLOT_BASE_URL",
    help="Where the schemas are published: `$id` becomes an address below it. Without it `$id` has no host.",
)
@options.flag(
    "--document", 'The schema of a document of several records: one by itself, an array, or {"tools": [...]}.'
)
@options.flag("--modeline", "Print the first lines of a YAML file that tell editors its schema.")
@options.flag("--catalog", "Print which files have which schema, as SchemaStore takes it.")
@options.together(
    ("--catalog", "excludes", "name", "--document", "--modeline"),
    ("--catalog", "needs", "--base-url"),
    ("--document", "needs", "name"),
    ("--modeline", "needs", "name"),
)
def schema(name: str | None, base_url: str | None, document: bool, modeline: bool, catalog: bool) -> None:
    """Print the canonical JSON Schema called NAME, such as `report/1`; without NAME, list the names."""
    from toolglot.converter.formats import editor_schemas  # with what follows what `--help` need not wait for
    from toolglot.converter.text.serialization import dump_json

    if catalog and base_url:
        print_result(dump_json(editor_schemas.catalog(base_url)))
        return
    if name is None:
        print_result("".join(f"{schema_name}\n" for schema_name in canonical.names()))
        return
    if document:
        json_schema = editor_schemas.schema_of_document(name)
    else:
        json_schema = canonical.load(name)
    public_schema = editor_schemas.publish(json_schema, base_url)
    if modeline:
        print_result(editor_schemas.modelines(public_schema))
    else:
        print_result(dump_json(public_schema))
