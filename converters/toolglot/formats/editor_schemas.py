"""Which schema belongs to which file names: the entries that SchemaStore takes, and editors with such a catalogue."""

from __future__ import annotations

from typing import Any

from toolglot.formats import registry
from toolglot.formats.contract import Format
from toolglot.hub.model import Tool
from toolglot.schema import canonical, publication

_ENDINGS = (".json", ".yaml", ".yml")  # of what an editor holds to a schema; lines and Markdown it does not


def catalog(base_url: str) -> dict[str, Any]:
    """The entries of the formats whose files an editor can hold to a schema, in the order of their names.

    >>> [entry["fileMatch"] for entry in catalog("https://docs.example")["schemas"]][:2]
    [['*.atdf.json', '*.atdf.yaml'], ['*.atip.json']]
    """
    plain_formats = [listed_format for listed_format in map(registry.get, registry.names()) if _is_plain(listed_format)]
    entries = [
        _entry_of_format(listed_format, base_url) for listed_format in plain_formats if _file_names(listed_format)
    ]
    return {"version": 1, "schemas": sorted(entries, key=lambda entry: str(entry["name"]).lower())}


def _is_plain(listed_format: Format) -> bool:
    """Whether its documents are what `publication.schema_of_document` describes; a deeper container is not."""
    if listed_format.one_per_file:
        return True
    if not listed_format.is_written:
        return False  # whoever writes it has told editors already
    records = [listed_format.write(Tool(id="a", description="A tool."), None).data] * 2
    document = listed_format.wrap(records)
    return document == records or (isinstance(document, dict) and document.get("tools") == records)


def _file_names(listed_format: Format) -> list[str]:
    return [name for name in listed_format.marks.patterns if name.startswith("*.") and name.endswith(_ENDINGS)]


def schema_of_files(listed_format: Format, version: str) -> dict[str, Any]:
    """The schema of what stands in one file of a format."""
    name = f"{listed_format.name}/{version}"
    if listed_format.one_per_file:
        schema: dict[str, Any] = canonical.load(name)
        return schema
    return publication.schema_of_document(name)


def _entry_of_format(listed_format: Format, base_url: str) -> dict[str, Any]:
    addresses: dict[str, str] = {}
    for version in listed_format.versions:
        described_version = listed_format.described_by(version)
        addresses[version] = publication.publish(schema_of_files(listed_format, described_version), base_url)["$id"]
    return {
        "name": listed_format.title,
        "description": f"{listed_format.title}, a format of descriptions of agent tools",
        "fileMatch": _file_names(listed_format),
        "url": addresses[(listed_format.writes or listed_format.versions)[-1]],
        "versions": addresses,
    }
