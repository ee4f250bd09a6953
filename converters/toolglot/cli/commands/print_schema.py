"""`schema`: what the folder of the schemas holds, and how editors are told of it."""

from __future__ import annotations

from toolglot.cli.exit_codes import Exit
from toolglot.cli.terminal import print_result
from toolglot.converter.formats import editor_schemas
from toolglot.converter.schema import canonical
from toolglot.converter.text.serialization import dump_json


def print_schema(name: str | None, base_url: str | None, document: bool, modeline: bool, catalog: bool) -> int:
    """Print a schema, the names of all, or which files have which; the exit code."""
    if catalog and base_url:
        print_result(dump_json(editor_schemas.catalog(base_url)))
        return Exit.DONE
    if name is None:
        print_result("".join(f"{schema_name}\n" for schema_name in canonical.names()))
        return Exit.DONE
    if document:
        json_schema = editor_schemas.schema_of_document(name)
    else:
        json_schema = canonical.load(name)
    public_schema = editor_schemas.publish(json_schema, base_url)
    if modeline:
        print_result(editor_schemas.modelines(public_schema))
    else:
        print_result(dump_json(public_schema))
    return Exit.DONE
