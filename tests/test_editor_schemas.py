"""What editors are told: every document of ours obeys the schema that its file name stands for, and damage is found."""

from __future__ import annotations

from fnmatch import fnmatch
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from golden import FIXTURES
from rows import for_each
from toolglot.converter import formats
from toolglot.converter.formats import editor_schemas
from toolglot.converter.schema import canonical
from toolglot.converter.text import document_reader
from toolglot.errors import UsageError

BASE = "https://docs.example/toolglot"
ENTRIES = {entry["name"]: entry for entry in editor_schemas.catalog(BASE)["schemas"]}
NAMES = [name for name in formats.names() if formats.get(name).title in ENTRIES]


def published(name: str) -> Draft202012Validator:
    """What an editor holds the files of a format to, with what can be fetched from the address."""
    found = formats.get(name)
    schema = editor_schemas.schema_of_files(found, found.described_by((found.writes or found.versions)[-1]))
    own = [editor_schemas.publish(canonical.load(other), BASE) for other in canonical.names(name)]
    resources = [(other["$id"], Resource.from_contents(other)) for other in own]
    return Draft202012Validator(editor_schemas.publish(schema, BASE), registry=Registry().with_resources(resources))


@for_each("name", NAMES)
def test_documents_obey_the_schema_of_their_files(name: str) -> None:
    paths = [*FIXTURES.glob(f"cases/*/{name}.json"), *FIXTURES.glob(f"cases/*/{name}/*.json")]
    paths += FIXTURES.glob(f"sources/{name}/*{formats.get(name).suffix}")
    documents = [document_reader.load(path.read_bytes()).data for path in paths]
    assert documents
    validator = published(name)
    assert [error.message for document in documents for error in validator.iter_errors(document)] == []
    [first, *_] = documents
    damaged: list[Any] = [{}, {"tools": [{}]}, [{}]] if "tools" in first else [{}]
    assert [document for document in damaged if validator.is_valid(document)] == []


@for_each("name", NAMES)
def test_an_entry_has_an_address_for_every_version(name: str) -> None:
    found = formats.get(name)
    entry = ENTRIES[found.title]
    assert tuple(entry["versions"]) == found.versions
    assert entry["url"] in entry["versions"].values()
    assert all(address.startswith(f"{BASE}/schemas/{name}/") for address in entry["versions"].values())
    assert any(fnmatch(f"a{pattern[1:]}", pattern) for pattern in entry["fileMatch"])


def test_no_address_is_made_up() -> None:
    schemas = [canonical.load(name) for name in canonical.names()]
    assert [schema["$id"] for schema in schemas if not schema["$id"].startswith("/schemas/")] == []
    with pytest.raises(UsageError, match="base-url"):
        editor_schemas.modelines(canonical.load("atdf/0.2"))
