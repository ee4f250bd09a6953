"""`toolglot schema`: what the folder of the schemas holds."""

from __future__ import annotations

import click

from toolglot.cli.option_types import SchemaName
from toolglot.cli.terminal import print_result


@click.command(short_help="Print a JSON Schema, or list them.")
@click.argument("name", required=False, type=SchemaName())
def schema(name: str | None) -> None:
    """Print the canonical JSON Schema called NAME, such as `report/1`; without NAME, list the names."""
    from toolglot.schema import canonical
    from toolglot.text.serialization import dump_json

    if name is None:
        print_result("".join(f"{schema_name}\n" for schema_name in canonical.names()))
    else:
        print_result(dump_json(canonical.load(name)))
