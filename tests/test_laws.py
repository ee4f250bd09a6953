"""The laws of conversion, one to five, for every registered format and every ordered pair of formats.

`make laws N=20000` runs the same tests with as many examples.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from typing import Any, Unpack

import msgspec
import pytest
from hypothesis import given, note, reject, settings
from hypothesis import strategies as st
from hypothesis.errors import UnsatisfiedAssumption

import strategies
from rows import THOROUGH, for_each
from toolglot.converter import formats, safety
from toolglot.converter.conversion import extension_slots, pipeline, reading, sources
from toolglot.converter.conversion.leaf_comparison import compare_leaves, find_weaker_tools, pair_leaves
from toolglot.converter.conversion.options import ConvertOptions
from toolglot.converter.conversion.report import Change, change_of
from toolglot.converter.conversion.result import Conversion
from toolglot.converter.formats import Format, Record
from toolglot.converter.hub import model, trees
from toolglot.converter.hub.model import Tool
from toolglot.converter.safety.inheritance import leaves_of
from toolglot.converter.schema import canonical
from toolglot.converter.schema.document_problems import find_problems
from toolglot.converter.text import document_reader
from toolglot.converter.text.pointers import value_at, without_keys
from toolglot.errors import WriteError

ALL = formats.targets()
WRITTEN = [name for name in ALL if name in strategies.RECORDS]
every_source = pytest.mark.parametrize("source", ALL)
# Drawing a record takes longer than a conversion, so each goes to many targets: to all where the run is thorough.
TARGETS = [ALL] if THOROUGH else [ALL[start::3] for start in range(3)]
few = settings() if THOROUGH else settings(max_examples=2)


@cache
def records(name: str) -> st.SearchStrategy[Record]:
    """Records of a format; the hub's are its own and those of all the others, read."""
    if name in strategies.RECORDS:
        return strategies.RECORDS[name]
    return st.one_of([strategies.HUB, *(strategies.RECORDS[other].map(_hub_of(other)) for other in WRITTEN)])


def _hub_of(name: str) -> Callable[[Record], Record]:
    return lambda record: Record(model.to_json(formats.get(name).tool_of(record)))


def read(record: Record, source: Format) -> Tool:
    document = document_reader.from_data(source.wrap([record.data]))
    document.body = record.body
    (tool,) = sources.read_document(document, source.name).tools
    return tool


def valid(record: Record, source: Format) -> bool:
    return canonical.is_valid(record.data, f"{source.name}/{source.version_of(record.data)}")


def written_back(files: list[tuple[str, str]], target: Format, restore: bool = False) -> list[Tool]:
    return trees.merge([tool for _, content in files for tool in sources.read(content, target.name, restore=restore)])


def test_every_format_has_a_strategy() -> None:
    missing = [name for name in ALL if name not in strategies.RECORDS and name != "hub"]
    assert not missing, f"tests/strategies.py has no records of {missing}"


@every_source
@given(data=st.data())
def test_law_1_faithful_reading(source: str, data: st.DataObject) -> None:
    origin = formats.get(source)
    record = data.draw(records(source))
    assert valid(record, origin), list(find_problems(record.data, f"{source}/{origin.version_of(record.data)}"))
    before = json.dumps(record.data)
    tool = origin.tool_of(record)
    back = origin.write(tool, None)
    assert back.data == record.data
    assert (back.body or "") == (record.body or "")
    assert json.dumps(record.data) == before, "the argument was modified"


def test_every_pair_of_formats_is_tried() -> None:
    assert sorted(target for targets in TARGETS for target in targets) == ALL


@every_source
@for_each("targets", TARGETS)
@few
@given(data=st.data())
def test_laws_2_3_5_nothing_silent_nothing_weaker_nothing_invalid(
    source: str, targets: Sequence[str], data: st.DataObject
) -> None:
    tool = read(data.draw(records(source)), formats.get(source))
    for target in targets:
        note(f"to {target}")
        with suppress(UnsatisfiedAssumption):  # `convert` rejects what this one target cannot hold
            laws_2_3_5_hold(tool, source, target)


def laws_2_3_5_hold(tool: Tool, source: str, target: str) -> None:
    origin, to = formats.get(source), formats.get(target)
    result = convert(tool, origin, target)
    back = written_back(result.files, to)
    left_out = {change.path.removesuffix("/id") for change in result.report.changes if change.action == "excluded"}
    before = [leaf for leaf in leaves_of(tool) if not (leaf.hidden and leaf.pointer in left_out)]
    after = [leaf for item in back for leaf in leaves_of(item)]
    pairs = pair_leaves(before, after)
    changes = compare_leaves(pairs)
    assert not find_weaker_tools(pairs)  # law 3
    if not to.provider.is_api:  # what has room for words says every danger, not only those that nobody may leave out
        for was, now in zip(before, after, strict=True):
            assert not safety.weaker_facets(safety.caution(was.tool), safety.caution(now.tool))
    assert all(change.direction != "riskier" for change in result.report.changes)
    reported = {(change.path, repr(change.before)) for change in result.report.changes}
    silent = [change for change in changes if (change.path, repr(change.before)) not in reported]
    assert not silent, silent  # law 2
    assert not forgotten(before, after, result.report.changes)
    assert canonical.is_valid(result.report.to_json(), "report/1")
    for _, content in result.files:  # law 5
        document = document_reader.load(content)
        for record in to.records(document.data):
            assert valid(record, to), list(find_problems(record.data, f"{target}/{to.version_of(record.data)}"))


@for_each("target", ALL)
def test_laws_2_3_5_hold_where_a_description_keeps_its_lines(target: str) -> None:
    data = {
        "tool_id": "list",
        "description": "Lists.",
        "when_to_use": "Now.\n\nSafety: deletes files; uses the network.",
        "how_to_use": {"inputs": [], "outputs": {"success": "list", "failure": []}},
    }
    laws_2_3_5_hold(read(Record(data), formats.get("atdf")), "atdf", target)


@for_each("description", ["When to use: never", "Use this when\nill.\n\nDo not use it for long.", "Returns a page."])
@for_each("target", ALL)
def test_laws_2_3_5_hold_where_a_description_is_quoted(target: str, description: str) -> None:
    data = {"name": "ls", "description": description, "inputSchema": {"type": "object"}}
    laws_2_3_5_hold(read(Record(data), formats.get("mcp")), "mcp", target)


def forgotten(before: list[model.Leaf], after: list[model.Leaf], changes: tuple[Change, ...]) -> list[str]:
    """Fields that differ and that no entry names: law 2 once more, without the code that makes the report."""
    named = {change.path.split("/children/")[-1].strip("/") for change in changes}
    fields = {part for path in named for part in path.split("/")[:2]}
    # own: what is left of the facts without `inherits`, so nothing is said there that no other field says
    fields |= {"assumed", "id", "origin", "children", "own", "inputs", "outputs", "context", "global_inputs"}
    unnamed = [name for name in Tool.__struct_fields__ if name not in fields]
    found: list[str] = []
    for old, new in zip(before, after, strict=True):
        was, now = _without_what_is_made_up(old.tool), _without_what_is_made_up(new.tool)
        now = _without_given_texts(now, changes)
        found += [name for name in unnamed if getattr(was, name) != getattr(now, name)]
        made_up = {*(new.tool.assumed or ())} - {*(old.tool.assumed or ())} - fields
        found += [name for name in made_up if not _is_quoted(_marked_value(new.tool, name), old)]
    return found


def _without_given_texts(tool: Tool, changes: tuple[Change, ...]) -> Tool:
    """The tool without the texts that its record spells in its own way, if an entry gives the very same text."""
    if not tool.extensions or tool.origin not in tool.extensions:
        return tool
    rest = dict(tool.extensions[tool.origin])
    for change in changes:
        key = formats.get(tool.origin).places.fields.get(change.path.rpartition("/")[2], "").removeprefix("/")
        if change.action == "assumed" and isinstance(change.after, str) and rest.get(key) == change.after:
            del rest[key]
    extensions = {**tool.extensions, tool.origin: rest} if rest else without_keys(tool.extensions, tool.origin)
    return msgspec.structs.replace(tool, extensions=extensions or None)


def test_a_text_is_forgotten_if_an_entry_gives_another() -> None:
    kept = {"tool-descriptor": {"description": "Lists.\n\nSafety: deletes files."}}
    before = [*leaves_of(Tool(id="a", origin="atdf", description="Lists."))]
    after = [*leaves_of(Tool(id="a", origin="tool-descriptor", description="Lists.", extensions=kept))]
    entry = change_of("assumed", "a", "", "description", None, "Lists.\n\nSafety: deletes files.")
    assert forgotten(before, after, (entry,)) == []
    assert forgotten(before, after, (msgspec.structs.replace(entry, after="Lists."),)) == ["extensions"]
    assert forgotten(before, after, ()) == ["extensions"]


def _marked_value(tool: Tool, name: str) -> Any:
    """What a document holds where its mark says that it was made up."""
    origin = formats.get(tool.origin or "")
    return value_at(tool.extension(origin.name), origin.places.fields.get(name, ""))


def _is_quoted(value: Any, leaf: model.Leaf) -> bool:
    """Whether a marked text repeats what the source's description says: nothing is new to a reader of the report."""
    said = " ".join((leaf.tool.description or leaf.tool.summary or "").split())
    return isinstance(value, str) and all(" ".join(line.split()) in said for line in value.split("\n"))


def _without_what_is_made_up(tool: Tool) -> Tool:
    """The tool without the marked values that its extensions keep, and without the mark; keys are called as fields."""
    if tool.assumed is None:
        return tool
    extensions = {name: dict(rest) for name, rest in (tool.extensions or {}).items()}
    for name, rest in extensions.items():
        for key in tool.assumed:
            rest.pop(key, None)
        *holders, last = formats.get(name).slot.path
        node = rest
        for key in holders:
            node[key] = dict(node[key])
            node = node[key]
        ours = {key: value for key, value in node.pop(last, {}).items() if key != "assumed"}
        if ours:
            node[last] = ours
        for key in holders:
            if rest.get(key) == {}:
                del rest[key]
    kept = {name: rest for name, rest in extensions.items() if rest}
    return msgspec.structs.replace(tool, assumed=None, extensions=kept or None)


@for_each("target", [f"{name}@{version}" for name in ALL for version in formats.get(name).writes])
@given(data=st.data())
def test_laws_2_3_5_hold_for_every_version_that_is_written(target: str, data: st.DataObject) -> None:
    to, version = formats.parse_target(target)
    source = data.draw(st.sampled_from(WRITTEN))
    tool = read(data.draw(records(source)), formats.get(source))
    for lossless in (False, True):
        try:
            result = convert(tool, formats.get(source), target, lossless=lossless)
        except WriteError:
            if lossless:  # a version without a place for the slot says so
                continue
            raise
        assert all(change.direction != "riskier" for change in result.report.changes)
        for _, content in result.files:
            for record in to.records(_beside(document_reader.load(content).data)):
                assert canonical.is_valid(record.data, f"{to.name}/{version}")


@every_source
@for_each("targets", TARGETS)
@few
@given(data=st.data())
def test_law_4_lossless_on_request(source: str, targets: Sequence[str], data: st.DataObject) -> None:
    tool = read(data.draw(records(source)), formats.get(source))
    for target in targets:
        note(f"to {target}")
        with suppress(UnsatisfiedAssumption):  # `convert` rejects what this one target cannot hold
            law_4_holds(tool, source, target)


def law_4_holds(tool: Tool, source: str, target: str) -> None:
    origin, to = formats.get(source), formats.get(target)
    result = convert(tool, origin, target, lossless=True)
    back = written_back(result.files, to, restore=True)
    assert back == [tool]
    again = convert(back[0], to, source)
    assert written_back(again.files, origin) == [tool]


@given(data=st.data(), chain=st.lists(st.sampled_from(ALL), min_size=2, max_size=6))
def test_law_3_over_chains(data: st.DataObject, chain: list[str]) -> None:
    origin = formats.get(chain[0])
    tools = [read(data.draw(records(chain[0])), origin)]
    first = [safety.caution(leaf.tool) for leaf in leaves_of(tools[0])]
    for step in chain[1:]:
        files = [file for tool in tools for file in convert(tool, origin, step, include_hidden=True).files]
        origin = formats.get(step)
        tools = [
            tool for _, content in files for tool in sources.read_document(document_reader.load(content), step).tools
        ]
        note(f"{step}: {[model.to_json(tool) for tool in tools]}")
    last = [safety.caution(leaf.tool) for tool in tools for leaf in leaves_of(tool)]
    assert len(first) == len(last)
    for was, now in zip(first, last, strict=True):
        assert not safety.breached_facets(was, now)


FORGED: dict[str, Any] = {
    "safety_tier": "pure", "mutates": [], "risk_level": 0, "approval": "never", "destructive": False, "title": "Forged",
    "network": False, "reversible": True, "billable": False, "egress": "none", "cost_class": "trivial",
    "idempotent": True, "subprocess": True, "deletes": ["all"],
}  # fmt: skip


@for_each("target", [name for name in ALL if name != "hub"])
@given(data=st.data(), facts=st.lists(st.sampled_from(sorted(FORGED)), unique=True))
def test_law_4_a_slot_only_raises_caution(target: str, data: st.DataObject, facts: list[str]) -> None:
    """Whoever writes a slot makes no tool look safer than its record, and changes nothing else of it."""
    source = data.draw(st.sampled_from(WRITTEN))
    origin, to = formats.get(source), formats.get(target)
    tool = read(data.draw(records(source)), origin)
    for _, content in convert(tool, origin, target, lossless=True).files:
        document = document_reader.load(content)
        visible = [
            to.read(extension_slots.without_ours(record, to, extension_slots.SLOT))
            for record in reading.records_of(document, to)[0]
        ]
        _tamper(document.data, {name: FORGED[name] for name in facts})
        found = sources.read_document(document, target)
        assert not found.is_restored
        for was, now in zip(visible, found.tools, strict=True):
            for old, new in zip(leaves_of(was), leaves_of(now), strict=True):
                assert not safety.weaker_facets(safety.caution(old.tool), safety.caution(new.tool))
            assert _without_danger(was) == _without_danger(now)


def _without_danger(tool: Tool) -> Tool:
    """A tool less what it states of danger, and what only its own format knows, which a slot is a part of."""
    gone = dict.fromkeys((*safety.SAFETY_FIELDS, "extensions"))
    children = tuple(map(_without_danger, tool.children or ())) or None
    return msgspec.structs.replace(tool, **gone, children=children)


@for_each("target", [name for name in ALL if name != "hub"])
@given(data=st.data())
def test_law_4_an_edited_record_is_read_as_it_stands(target: str, data: st.DataObject) -> None:
    source = data.draw(st.sampled_from(WRITTEN))
    origin, to = formats.get(source), formats.get(target)
    tool = read(data.draw(records(source)), origin)
    for _, content in convert(tool, origin, target, lossless=True).files:
        documents = [document_reader.load(content), document_reader.load(content)]
        for document in documents:
            for record in to.records(_beside(document.data)):
                record.data["description"] = "Edited."
        documents[1].restore = True
        asked, unasked = (sources.read_document(document, target) for document in reversed(documents))
        if asked.slots:
            assert asked.stale
            assert asked.tools == unasked.tools


def test_a_slot_of_the_records_own_format_is_not_believed() -> None:
    """It would be written without caution, and facts that the format has no field for would ride along unseen."""
    program = {
        "atip": "0.3",
        "name": "p",
        "version": "1",
        "description": "d",
        "commands": {"run": {"description": "r"}},
    }
    (tool,) = sources.read_document(document_reader.from_data(program)).tools
    stored = model.to_json(tool)
    stored["children"][0].update(safety_tier="pure", mutates=[], risk_level=0, approval="never")
    atip = formats.get("atip")
    digest = extension_slots.digest_of(Record(program), atip)
    forged = {**program, "x-toolglot": {"slot": {"digest": digest, "tool": stored}}}
    (found,) = pipeline.convert(forged, "tool-descriptor", restore=True).tools
    assert found.children is not None
    assert found.children[0].safety_tier is None


def _beside(data: Any) -> Any:
    return extension_slots.take_beside(data)[0]


def _tamper(node: Any, facts: dict[str, Any]) -> None:
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "slot" and isinstance(value, dict) and isinstance(value.get("tool"), dict):
                value["tool"].update(facts)
            else:
                _tamper(value, facts)
    elif isinstance(node, list):
        for value in node:
            _tamper(value, facts)


def convert(tool: Tool, origin: Format, target: str, **options: Unpack[ConvertOptions]) -> Conversion:
    found = reading.Reading(origin, document_reader.from_data({}), [Record({})], [tool], {})
    try:
        return pipeline.convert_readings([found], target, **options)
    except WriteError as error:
        # Two names that the target cannot tell apart, or no record to carry anything: an answer, and no loss.
        if error.code not in ("id-collision", "nothing-callable"):
            raise
        reject()
