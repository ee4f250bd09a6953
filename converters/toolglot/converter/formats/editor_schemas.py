"""Schemas for editors: their published addresses, and which files have which schema.

The `$id` of a schema in the package has no host, because the package does not know where somebody publishes it. The
catalog has the form of SchemaStore's catalog, which editors read.
"""

from __future__ import annotations

from typing import Any

from toolglot.converter.formats import registry
from toolglot.converter.formats.contract import Format
from toolglot.converter.hub.model import Tool
from toolglot.converter.schema import canonical
from toolglot.errors import UsageError

_CHECKED_ENDINGS = (".json", ".yaml", ".yml")  # of files that editors check; they check no JSON Lines and no Markdown


def publish(schema: dict[str, Any], base_url: str | None) -> dict[str, Any]:
    """The schema with an `$id` below `base_url`; unchanged without a `base_url`.

    >>> publish({"$id": "/schemas/a/1.schema.json"}, "https://docs.example/toolglot/")
    {'$id': 'https://docs.example/toolglot/schemas/a/1.schema.json'}
    """
    if base_url is None:
        return schema
    return schema | {"$id": base_url.rstrip("/") + schema["$id"]}


def schema_of_document(name: str) -> dict[str, Any]:
    """The schema of a document of records: an array of them, an object with `tools`, or one record.

    `if` chooses among the three. With `anyOf` an editor would report why each of them does not fit, and not the fault
    in a record.

    >>> schema_of_document("atdf/0.2")["$id"]
    '/schemas/atdf/0.2.document.schema.json'
    """
    schema = canonical.load(name)
    file = schema["$id"].rpartition("/")[2]
    record = {"$ref": file}
    records = {"type": "array", "items": record}
    return {
        "$schema": schema["$schema"],
        "$id": schema["$id"].replace(".schema.json", ".document.schema.json"),
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


def catalog(base_url: str) -> dict[str, Any]:
    """The catalog: one entry for each format whose files an editor can check, sorted by title.

    >>> [entry["fileMatch"] for entry in catalog("https://docs.example")["schemas"]][:2]
    [['*.atdf.json', '*.atdf.yaml'], ['*.atip.json']]
    """
    entries = []
    for listed_format in registry.every():
        patterns = listed_format.marks.patterns
        file_names = [name for name in patterns if name.startswith("*.") and name.endswith(_CHECKED_ENDINGS)]
        if not file_names or not _has_plain_documents(listed_format):
            continue
        addresses: dict[str, str] = {}
        for version in listed_format.versions:
            schema = schema_of_files(listed_format, listed_format.described_by(version))
            addresses[version] = publish(schema, base_url)["$id"]
        entries.append({
            "name": listed_format.title,
            "description": f"{listed_format.title}, a format of descriptions of agent tools",
            "fileMatch": file_names,
            "url": addresses[(listed_format.writes or listed_format.versions)[-1]],
            "versions": addresses,
        })  # fmt: skip
    return {"version": 1, "schemas": sorted(entries, key=lambda entry: str(entry["name"]).lower())}


def _has_plain_documents(listed_format: Format) -> bool:
    """Whether `schema_of_document` describes the documents of a format; it describes no deeper container."""
    if listed_format.one_per_file:
        return True
    if not listed_format.is_written:
        return False  # its own project publishes a schema for editors
    records = [listed_format.write(Tool(id="a", description="A tool."), None).data] * 2
    document = listed_format.wrap(records)
    return document == records or (isinstance(document, dict) and document.get("tools") == records)


def schema_of_files(listed_format: Format, version: str) -> dict[str, Any]:
    """The schema of a file of a format: of one record, or of a document of records."""
    name = f"{listed_format.name}/{version}"
    if listed_format.one_per_file:
        schema: dict[str, Any] = canonical.load(name)
        return schema
    return schema_of_document(name)
