"""The schemas as somebody publishes them, and how editors are told which files have which of them.

The schemas in the package have an `$id` without a host, because where they are published is not theirs to say. The
catalog is what SchemaStore takes, and editors that hold a list like it.
"""

from __future__ import annotations

from typing import Any

from toolglot.converter.formats import registry
from toolglot.converter.formats.contract import Format
from toolglot.converter.hub.model import Tool
from toolglot.converter.schema import canonical
from toolglot.errors import UsageError

_ENDINGS = (".json", ".yaml", ".yml")  # of what an editor holds to a schema; lines and Markdown it does not


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
    """The entries of the formats whose files an editor can hold to a schema, in the order of their names.

    >>> [entry["fileMatch"] for entry in catalog("https://docs.example")["schemas"]][:2]
    [['*.atdf.json', '*.atdf.yaml'], ['*.atip.json']]
    """
    entries = []
    for listed_format in registry.every():
        patterns = listed_format.marks.patterns
        file_names = [name for name in patterns if name.startswith("*.") and name.endswith(_ENDINGS)]
        if not file_names or not _is_plain(listed_format):
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


def _is_plain(listed_format: Format) -> bool:
    """Whether its documents are what `schema_of_document` describes; a deeper container is not."""
    if listed_format.one_per_file:
        return True
    if not listed_format.is_written:
        return False  # whoever writes it has told editors already
    records = [listed_format.write(Tool(id="a", description="A tool."), None).data] * 2
    document = listed_format.wrap(records)
    return document == records or (isinstance(document, dict) and document.get("tools") == records)


def schema_of_files(listed_format: Format, version: str) -> dict[str, Any]:
    """The schema of what stands in one file of a format."""
    name = f"{listed_format.name}/{version}"
    if listed_format.one_per_file:
        schema: dict[str, Any] = canonical.load(name)
        return schema
    return schema_of_document(name)
