"""The canonical schemas as somebody publishes them: their addresses, whole documents, and the lines for editors.

The schemas in the package have an `$id` without a host, because where they are published is not theirs to say.
"""

from __future__ import annotations

from typing import Any

from toolglot.errors import UsageError
from toolglot.schema import canonical

DOCUMENT = ".document"


def publish(schema: dict[str, Any], base_url: str | None) -> dict[str, Any]:
    """A schema whose `$id` lies below an address; as it is without one.

    >>> publish({"$id": "/schemas/a/1.schema.json"}, "https://docs.example/toolglot/")
    {'$id': 'https://docs.example/toolglot/schemas/a/1.schema.json'}
    """
    if base_url is None:
        return schema
    return schema | {"$id": base_url.rstrip("/") + schema["$id"]}


def schema_of_document(name: str) -> dict[str, Any]:
    """The schema of a document of several records: an array of them, an object with `tools`, or one by itself.

    It asks what the document looks like, rather than offering three alternatives, so that an editor names the fault in
    a record and not three ways in which the document might have been meant.

    >>> schema_of_document("atdf/0.2")["$id"]
    '/schemas/atdf/0.2.document.schema.json'
    """
    schema = canonical.load(name)
    file = schema["$id"].rpartition("/")[2]
    record = {"$ref": file}
    records = {"type": "array", "items": record}
    return {
        "$schema": schema["$schema"],
        "$id": schema["$id"].replace(".schema.json", f"{DOCUMENT}.schema.json"),
        "title": f"{schema.get('title', name)}: one, or several",
        "if": {"type": "array"},
        "then": records,
        "else": {"if": {"required": ["tools"]}, "then": {"properties": {"tools": records}}, "else": record},
    }


def modelines(schema: dict[str, Any]) -> str:
    """The first lines of a YAML file that tell editors its schema: the YAML language server, then IntelliJ.

    Raises:
        UsageError: the schema has no address; code `"base-url-needed"`.
    """
    address = schema["$id"]
    if "://" not in address:
        raise UsageError(
            "an editor needs the whole address of a schema; say with --base-url where the schemas are published",
            code="base-url-needed",
        )
    return f"# yaml-language-server: $schema={address}\n# $schema: {address}\n"
