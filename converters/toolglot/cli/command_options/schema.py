"""`toolglot schema`."""

from __future__ import annotations

from toolglot.cli import options
from toolglot.cli.command_effects import effects
from toolglot.cli.option_types import SchemaName


@effects()
@options.command("schema", options.GroupedCommand)
@options.argument("name", "The name of a schema; all names are listed without it.", required=False, type=SchemaName())
@options.option(
    "--base-url",
    "Where the schemas are published: `$id` becomes an address below it. Without it `$id` has no host.",
    "URL",
    envvar="TOOLGLOT_BASE_URL",
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
@options.done_by("print_schema")
def schema() -> None:
    """Print the canonical JSON Schema called NAME, such as `report/1`; without NAME, list the names."""
