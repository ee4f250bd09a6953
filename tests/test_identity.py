"""Documents that read and write unchanged (law 1), and documents that a practical reader accepts with diagnostics.

`fixtures/identity/<format>/` holds valid documents, one idea a file. `fixtures/tolerated/<format>/` holds what real
files look like, each beside `<name>.diagnostics`: one `code pointer` a line.
"""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

import toolglot
from golden import FIXTURES, same_file
from rows import for_each, sample
from toolglot.converter import formats, safety
from toolglot.converter.conversion import pipeline, reading, sources
from toolglot.converter.formats import Format
from toolglot.converter.hub.model import Leaf
from toolglot.converter.safety.inheritance import leaves_of
from toolglot.converter.schema import canonical
from toolglot.converter.schema.document_problems import find_problems
from toolglot.converter.text import document_reader, serialization


def documents(folder: str) -> list[Path]:
    found = (path for path in (FIXTURES / folder).rglob("*") if path.is_file() and path.suffix != ".diagnostics")
    return sorted(found)


def label(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


def dump(document: document_reader.Document, target: Format) -> str:
    """The document as its format writes it."""
    if target.syntax == "front-matter":
        return serialization.dump_front_matter(document.data, document.body or "")
    return (
        serialization.dump_yaml(document.data) if document.syntax == "yaml" else serialization.dump_json(document.data)
    )


@pytest.mark.parametrize("folder", ["identity", "tolerated"])
def test_every_format_has_documents(folder: str) -> None:
    least = {"identity": 10, "tolerated": 2}[folder]
    counts = {name: len(list((FIXTURES / folder / name).glob("*"))) for name in formats.targets() if name != "hub"}
    assert min(counts.values()) >= least, counts


@for_each("path", documents("identity"), ids=label)
def test_reads_and_writes_unchanged(path: Path) -> None:
    source = formats.get(path.parent.name)
    document = document_reader.load(path.read_bytes())
    before = copy.deepcopy(document.data)
    for record in source.records(document.data):
        record = msgspec.structs.replace(record, body=document.body)
        name = f"{source.name}/{source.version_of(record.data)}"
        assert canonical.is_valid(record.data, name), list(find_problems(record.data, name))
        back = source.write(source.read(record), None)
        assert back.data == record.data
        assert (back.body or "") == (record.body or "")
    assert document.data == before, "reading modified its argument"
    if source.marks.is_searched:  # the others have to be named
        assert toolglot.detect(path.read_bytes()) == source.name


@for_each("path", documents("identity"), ids=label)
def test_a_text_that_was_written_is_written_again_byte_for_byte(path: Path) -> None:
    source = formats.get(path.parent.name)
    written = dump(document_reader.load(path.read_bytes()), source)
    again = document_reader.load(written)
    assert dump(again, source) == written
    assert again.data == document_reader.load(path.read_bytes()).data


# What is read as the dangerous side, and is an error all the same.
ERRORS_THAT_ARE_READ = {
    "auto-mutates",
    "contradicting-hints",
    "unknown-type",
    "unclear-safety",
    "misspelt-key",
    "misplaced-key",
}


@pytest.mark.golden
@for_each("path", documents("tolerated"), ids=label)
def test_tolerated_with_these_diagnostics(path: Path) -> None:
    found = toolglot.check(path, path.parent.name)
    errors = {diagnostic.code for diagnostic in found if diagnostic.severity == "error"}
    assert errors <= ERRORS_THAT_ARE_READ, [str(diagnostic) for diagnostic in found]
    assert found
    lines = sorted(f"{diagnostic.code} {diagnostic.pointer}\n" for diagnostic in found)
    same_file(path.with_suffix(".diagnostics"), "".join(lines))
    assert {diagnostic.severity for diagnostic in toolglot.check(path, path.parent.name, warnings_as_errors=True)} == {
        "error"
    }


def is_written_as_it_is(name: str) -> bool:
    """Whether a format is written, and not as a provider accepts it."""
    return name in formats.targets() and not formats.get(name).provider.profiles


@for_each("path", [path for path in documents("tolerated") if is_written_as_it_is(path.parent.name)], ids=label)
def test_what_is_said_to_be_kept_comes_back(path: Path) -> None:
    """A document that breaks its format is not written again as it was, and then nothing says that it would be."""
    origin = path.parent.name
    there = toolglot.convert(path, "mcp", format=origin, lossless=True)
    back = toolglot.convert(there.text, origin, format="mcp", restore=True)
    carried = {change.path for change in there.report.changes if change.is_carried}
    assert carried.isdisjoint(change.path for change in back.report.losses)


@for_each(
    ("path", "target"),
    [
        (path, target)
        for number, path in enumerate(documents("tolerated"))
        for target in sample(formats.targets(), 3, number)
    ],
    ids=lambda value: label(value) if isinstance(value, Path) else value,
)
def test_tolerated_converts_to_every_format(path: Path, target: str) -> None:
    document = sources.open_document(path)
    before = copy.deepcopy(document.data)
    tools = sources.read_document(document, path.parent.name).tools
    result = toolglot.convert(path, target, format=path.parent.name)
    before_leaves = [leaf for tool in tools for leaf in leaves_of(tool)]
    after_leaves: list[Leaf] = []
    for _, content in result.files:
        for tool in toolglot.read(content, target):
            after_leaves += leaves_of(tool)
    for was, now in zip(before_leaves, after_leaves, strict=True):
        assert not safety.breached_facets(safety.caution(was.tool), safety.caution(now.tool)), was.path
    assert document.data == before


@for_each("path", documents("identity"), ids=label)
def test_an_unknown_key_changes_nothing_else_in_its_own_format(path: Path) -> None:
    """A record that does not obey a closed schema is no stranger: only the key goes, and the report says so."""
    source = formats.get(path.parent.name)
    document = document_reader.load(path.read_bytes())
    for record in source.records(document.data):
        stranger = msgspec.structs.replace(record, data={**record.data, "unheard-of": {"a": [1]}}, body=document.body)
        name = f"{source.name}/{source.version_of(stranger.data)}"
        if not canonical.is_valid(stranger.data, f"{source.name}/{canonical.READING}"):
            continue  # a reader may refuse what it does not know
        tool = source.tool_of(stranger)
        found = reading.Reading(source, document_reader.from_data({}), [stranger], [tool], {})
        report = pipeline.convert_readings([found], source.name).report
        kept = [] if canonical.is_valid(stranger.data, name) else [f"/extensions/{source.name}/unheard-of"]
        assert [change.path for change in report.changes] == kept
        assert len(report.losses) == len(kept)


def test_an_unknown_key_that_may_state_a_danger_is_not_only_taken_away() -> None:
    head = (
        "id: x-y.z\nname: Tidy\ndescription: Tidy up.\nversion: 1.0.0\nmutates: []\ninputs: {type: object}\noutputs: {}"
    )
    source = f"---\n{head}\nrequires: {{NETWORK: [api.example.invalid]}}\n---\n"
    (tool,) = toolglot.read(toolglot.convert(source, "aip14").text)
    assert safety.caution(tool)["network"] == safety.UNSAFE


def test_what_a_version_demands_changes_nothing_else() -> None:
    """A description that the version asks for stands in, and the effects of each command stay its own."""
    commands = {
        "a": {
            "description": "Does the first thing.",
            "effects": {"reversible": True},
            "options": [{"name": "x", "flags": ["-x"], "type": "string"}],
        },
        "b": {"description": "Does the second thing."},
    }
    effects = {"network": True, "reversible": False}
    about: dict[str, Any] = {"atip": "0.1", "name": "t", "version": "1", "description": "A tool."}
    program = {**about, "effects": effects, "commands": commands}
    written = json.loads(toolglot.convert(program, "atip@0.3").text)["commands"]
    assert written["a"]["options"][0]["description"] == "X"
    assert [command.get("effects") for command in written.values()] == [{"reversible": True}, None]


@for_each(
    ("format_name", "source", "facet"),
    [
        ("mcp", '{"tools": [{"name": "t1", "annotations": {"openWorldHint": []}}]}', "network"),
        ("atip", '{"atip": "0.3", "name": "gh", "effects": {"network": {}}}', "network"),
        ("aip14", "---\nid: notes.append\ndescription: Appends.\nversion: 1.0.0\nidempotent: 1\n---\n", "unrepeatable"),
    ],
)
def test_what_nobody_can_read_is_no_safer_where_the_version_refuses_it(
    format_name: str, source: str, facet: str
) -> None:
    """Something stands in for what is missing; an effect that was stated unreadably does not become unstated."""
    texts = (source, toolglot.convert(source, format_name, format=format_name).text)
    before, after = (next(leaves_of(toolglot.read(text, format_name)[0])).tool for text in texts)
    assert before.unclear
    assert safety.caution(before)[facet] == safety.caution(after)[facet] == safety.UNSAFE
