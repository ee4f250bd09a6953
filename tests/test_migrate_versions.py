"""Migration between the versions of one format, as data: what changes, what may not, and what is refused.

`fixtures/migrate/<format>/<case>/old.*` is a document of our own; beside it lies, for every version, what becomes of
it (`<version>.json`), what a person is told (`<version>.notes`), or why it is refused (`<version>.error`).
"""

from __future__ import annotations

import copy
import itertools
import json
import random
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import corpus
import strategies
import toolglot
from golden import FIXTURES, OF_THE_AUTHOR, same_file
from rows import for_each, sample
from toolglot.converter import formats, safety
from toolglot.converter.conversion import leaf_comparison, pipeline, reading, sources
from toolglot.converter.conversion.report import Change
from toolglot.converter.formats import Format, MigratedRecord, MigrationRequest, Record
from toolglot.converter.safety.inheritance import leaves_of
from toolglot.converter.schema import canonical
from toolglot.converter.schema.document_problems import Problem, find_problems
from toolglot.converter.text import document_reader, serialization
from toolglot.errors import Error, UnsaidError, WriteError

FORMATS = [formats.get(name) for name in formats.targets()]
VERSIONED = [found.name for found in FORMATS if found.migration.migrate and len(found.writes) > 1]
VERSIONS = [(name, version) for name in VERSIONED for version in formats.get(name).writes]
CASES = [path for name in VERSIONED for path in sorted((FIXTURES / "migrate" / name).glob("*/old.*"))]
every_version = pytest.mark.parametrize(("name", "version"), VERSIONS)


FILL = {"description": "Nobody said.", "expected_result": "Nobody said."}


def migrate(found: Format, record: Record, version: str | None, fill: Mapping[str, str] = FILL) -> MigratedRecord:
    assert found.migration.migrate is not None
    return found.migration.migrate(record, MigrationRequest(version, fill=fill))


@pytest.mark.parametrize(("name", "case"), [("atip", "early"), ("atip", "shim"), ("atdf", "no-result")])
def test_what_nobody_said_is_not_made_up(name: str, case: str) -> None:
    found = formats.get(name)
    (path,) = (FIXTURES / "migrate" / name / case).glob("old.*")
    (record,) = found.records(document_reader.load(path.read_bytes()).data)
    with pytest.raises(UnsaidError):
        migrate(found, record, None, {})
    done = migrate(found, record, None).data
    assert "Nobody said." in json.dumps(done)


@pytest.mark.parametrize(("missing", "named"), [(1, 1), (2, 2), (10, 10), (300, 10)])
def test_all_that_has_no_description_is_named_with_its_place(missing: int, named: int) -> None:
    options = [{"name": f"o{index}", "type": "string", "flags": [f"--o{index}"]} for index in range(missing)]
    data: dict[str, Any] = {"atip": {"version": "0.4"}, "name": "a", "version": "1", "description": "A."}
    data["commands"] = {"b": {"description": "B.", "options": options}}
    with pytest.raises(UnsaidError, match="give --fill description=TEXT") as caught:
        migrate(formats.get("atip"), Record(data), None, {})
    assert caught.value.pointer == "/commands/b/options/0"
    names = re.findall(r"`(o\d+)`", caught.value.message)
    places = re.findall(r"\(/commands/b/options/(\d+)\)", caught.value.message)
    assert names == [f"o{index}" for index in range(named)]
    assert places == [str(index) for index in range(1, named)]
    assert (f"{missing - named} more" in caught.value.message) is (missing > named)


def faults(record: Record, found: Format) -> list[Problem]:
    return list(find_problems(record.data, f"{found.name}/{found.version_of(record.data)}"))


def test_the_formats_of_several_versions_have_cases() -> None:
    assert {path.parent.parent.name for path in CASES} == {"atdf", "atip"}


@pytest.mark.golden
@for_each("path", CASES, ids=lambda path: "-".join(path.parts[-3:-1]))
def test_a_case_gives_the_golden_data_and_notes(path: Path) -> None:
    found = formats.get(path.parent.parent.name)
    (record,) = found.records(document_reader.load(path.read_bytes()).data)
    for version in found.writes:
        golden = path.parent / version
        try:
            migrated = migrate(found, record, version)
        except WriteError as error:
            same_file(golden.with_name(f"{version}.error"), f"{error}\n")
            continue
        same_file(golden.with_name(f"{version}.json"), serialization.dump_json(migrated.data))
        notes = [f"{note.code} {note.pointer}: {note.message}\n" for note in migrated.notes]
        same_file(golden.with_name(f"{version}.notes"), "".join(notes))
        hold(record, migrated, found, version)


# -- what holds for every migration -----------------------------------------------------------------------------


def hold(record: Record, migrated: MigratedRecord, found: Format, version: str) -> None:
    """The laws of a migration, on one record that was not refused."""
    if any(note.code == "unknown-version" for note in migrated.notes):
        assert migrated.data == record.data
        return
    new = msgspec.structs.replace(record, data=migrated.data)
    assert found.version_of(new.data) == version
    if migrated.data == record.data:
        assert migrated.data is record.data
        assert (migrated.notes, migrated.new_keys) == ((), {})
    again = migrate(found, new, version)
    assert again.data == new.data, "the second run changes something"
    assert (again.notes, again.new_keys) == ((), {})
    assert len(faults(new, found)) <= len(faults(record, found))
    keep_the_order(record.data, migrated)
    keep_the_meaning(record, new, found)
    for pointer, key in migrated.new_keys.items():
        holder, _, old = pointer.rpartition("/")
        assert old in at(record.data, holder)
        assert old not in at(new.data, holder)
        assert at(new.data, holder)[key] == at(record.data, holder)[old]
    for note in migrated.notes:
        at(record.data, note.pointer)


def at(data: Any, pointer: str) -> Any:
    for token in pointer.split("/")[1:]:
        token = token.replace("~1", "/").replace("~0", "~")
        data = data[int(token)] if isinstance(data, list) else data[token]
    return data


def keep_the_order(old: dict[str, Any], migrated: MigratedRecord) -> None:
    """What stands in both stands in the same order: a change of order would be a change of lines."""

    def walk(before: Any, after: Any, pointer: str) -> None:
        if isinstance(before, dict) and isinstance(after, dict):
            names = {migrated.new_keys.get(f"{pointer}/{key}", key): key for key in before}
            assert [key for key in after if key in names] == [key for key in names if key in after], pointer
            for key, old_key in names.items():
                if key in after:
                    walk(before[old_key], after[key], f"{pointer}/{old_key}")
        elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
            for index, (left, right) in enumerate(zip(before, after, strict=True)):
                walk(left, right, f"{pointer}/{index}")

    walk(old, migrated.data, "")


# What a version change itself means, in the hub; everything else has to read the same as before.
MEANT = re.compile(
    "(/children/[0-9]+)*/("
    "extensions/.*|trust|auth_methods"  # words of the format itself; what vouched for the old text; `none` taken away
    "|(inputs|global_inputs)/properties/[^/]*(/.*)?|bindings|global_bindings"  # filled descriptions, constraints
    "|duration|timeout_ms|stdin|prompts|tty"  # respelled; of two contradicting places the more cautious one
    "|unclear"  # a value that nobody can read, where the other place has one that says the danger
    "|errors|examples|version)"  # keys and words that went elsewhere; of a shim, what its binary says
)


def keep_the_meaning(old: Record, new: Record, found: Format) -> None:
    before, after = list(leaves_of(found.read(old))), list(leaves_of(found.read(new)))
    assert [leaf.path for leaf in before] == [leaf.path for leaf in after]
    pairs = leaf_comparison.pair_leaves(before, after)
    changes = leaf_comparison.compare_leaves(pairs)
    assert not leaf_comparison.find_weaker_tools(pairs)
    assert not [change for change in changes if not MEANT.fullmatch(change.path)]
    assert not [change for change in changes if is_lost(change)], changes
    for was, now in zip(before, after, strict=True):
        assert not safety.weaker_facets(safety.caution(was.tool), safety.caution(now.tool))
        for schema in ("inputs", "global_inputs"):
            old_schema, new_schema = getattr(was.tool, schema) or {}, getattr(now.tool, schema) or {}
            assert list(old_schema.get("properties", {})) == list(new_schema.get("properties", {}))
            assert old_schema.get("required") == new_schema.get("required")
            same_but_for_additions(old_schema, new_schema)


def is_lost(change: Change) -> bool:
    """Whether a fact is gone for good; a key of the format may go, because another says the same or a note says so."""
    kept = ("extensions", "trust", "unclear", "examples", "bindings", "global_bindings", "errors")
    return change.after is None and not any(f"/{name}" in change.path for name in kept)


def same_but_for_additions(old: Any, new: Any) -> None:
    """A schema may say more than before, never anything else."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key, value in old.items():
            assert key in new
            same_but_for_additions(value, new[key])
    else:
        assert json.dumps(old) == json.dumps(new)


# -- generated documents ----------------------------------------------------------------------------------------

_OLD_DURATIONS = {"typical": ["5s", "100-500ms", "5 min", "1-2h"], "timeout": ["100ms", "1.5h", "90 s", "0s"]}


def age(node: Any, choice: st.DataObject) -> Any:
    """Data of a format as people wrote it before: without descriptions, in old words, in the wrong place."""
    if isinstance(node, list):
        return [age(item, choice) for item in node]
    if not isinstance(node, dict):
        return node
    aged = {key: age(value, choice) for key, value in node.items()}
    is_parameter = isinstance(aged.get("name"), str) and "type" in aged and ("flags" in aged or "required" in aged)
    if is_parameter and "description" in aged and choice.draw(st.booleans()):
        del aged["description"]
    if isinstance(aged.get("cost"), dict) and "estimate" in aged["cost"]:
        aged["cost"]["estimate"] = choice.draw(st.sampled_from(["none", "variable", "low", "dear"]))
    for key, words in _OLD_DURATIONS.items():
        if isinstance(aged.get("duration"), dict) and key in aged["duration"]:
            aged["duration"][key] = choice.draw(st.sampled_from(words))
    if isinstance(aged.get("trust"), dict):
        aged["trust"] |= choice.draw(strategies.optional(checksum=st.just("sha256:0a"), signedBy=st.just("b")))
    for key, others in {"goal": ["title", "name"], "input_values": ["inputs"], "expected_result": ["output"]}.items():
        if key not in aged:
            continue
        word = choice.draw(st.sampled_from([key, *others]))
        if word not in aged:
            aged[word] = aged.pop(key)
    if "code" in aged and "description" in aged:
        aged |= choice.draw(strategies.optional(__comment=st.just("c"), retry=st.booleans()))
    if "name" in aged and "type" in aged and "flags" not in aged:
        aged |= choice.draw(strategies.optional(minimum=st.just(1), enum=st.just(["a"]), __comment=st.just("c")))
    return aged


def readable(record: Record, found: Format) -> bool:
    try:
        reading.check_shape(record, found)
        found.tool_of(record)
    except Error:
        return False
    return True


def attempt(found: Format, record: Record, version: str) -> MigratedRecord | None:
    """The migration, or `None` where it is refused in one of the two ways that there are."""
    before = json.dumps(record.data)
    try:
        return migrate(found, record, version)
    except WriteError as error:
        return None if error.code in REFUSALS else pytest.fail(str(error))
    finally:
        assert json.dumps(record.data) == before, "the argument was modified"


REFUSALS = {"would-lose", "unfit-for-version"}


@every_version
@given(data=st.data())
def test_valid_documents_stay_valid_and_mean_the_same(name: str, version: str, data: st.DataObject) -> None:
    found = formats.get(name)
    record = data.draw(strategies.RECORDS[name])
    if migrated := attempt(found, record, version):
        assert canonical.is_valid(migrated.data, f"{name}/{version}")
        hold(record, migrated, found, version)


@every_version
@given(data=st.data())
def test_documents_as_people_wrote_them_keep_their_meaning(name: str, version: str, data: st.DataObject) -> None:
    found = formats.get(name)
    record = Record(age(copy.deepcopy(data.draw(strategies.RECORDS[name]).data), data))
    if readable(record, found) and (migrated := attempt(found, record, version)):
        hold(record, migrated, found, version)


@given(record=strategies.RECORDS["atdf"])
def test_up_and_down_again_is_the_same_record(record: Record) -> None:
    """What 0.1 can say survives the way to 0.2 and back; only the statement of the version is new."""
    found = formats.get("atdf")
    assume(found.version_of(record.data) == "0.1")
    up = migrate(found, record, None).data
    down = migrate(found, Record(up), "0.1").data
    old = {**record.data, "schema_version": "1.0.0"}
    if "id" in old:
        old["tool_id"] = old.pop("id")
    assert down == old


@given(data=st.data())
def test_one_word_of_the_program_alone_does_not_change_another(data: st.DataObject) -> None:
    """Down and up again gives the old program, where nothing vouched for its text and nothing had to be mended."""
    found = formats.get("atip")
    record = data.draw(strategies.RECORDS["atip"])
    record = Record({key: value for key, value in record.data.items() if key != "trust"} | {"atip": {"version": "0.6"}})
    if migrate(found, record, None).data != record.data:
        return
    down = migrate(found, record, "0.3").data
    assert migrate(found, Record(down), None).data == record.data


@pytest.mark.parametrize("name", VERSIONED)
@given(data=st.data())
def test_no_data_is_a_traceback(name: str, data: st.DataObject) -> None:
    """Whatever a reader accepts, with any value anywhere replaced by any other."""
    found = formats.get(name)
    record = data.draw(strategies.RECORDS[name])
    broken = spoiled(copy.deepcopy(record.data), data)
    if not isinstance(broken, dict) or not readable(Record(broken), found):
        return
    for version in found.writes:
        try:
            migrated = migrate(found, Record(broken), version)
        except Error:
            continue
        before, after = (safety.caution(found.tool_of(Record(one))) for one in (broken, migrated.data))
        assert not safety.weaker_facets(before, after)


def spoiled(node: Any, choice: st.DataObject) -> Any:
    if choice.draw(st.integers(0, 15)) == 0:
        return choice.draw(strategies.JSON)
    if isinstance(node, dict):
        return {key: spoiled(value, choice) for key, value in node.items()}
    if isinstance(node, list):
        return [spoiled(item, choice) for item in node]
    return node


STATED: list[dict[str, Any]] = [
    {key: value for key, value in zip(("stdin", "prompts", "tty"), values, strict=True) if value is not None}
    for values in itertools.product(
        (None, "none", "optional", "required", "password"), (None, False, True), (None, True)
    )
]
EFFECTS: list[dict[str, Any]] = [
    {"effects": {"cost": {"estimate": estimate}}} for estimate in ("none", "free", "low", "variable", "dear")
] + [
    {"authentication": {"methods": [{"type": kind} for kind in kinds]}}
    for kinds in itertools.product(("none", "token"), repeat=2)
]
BESIDE = [{"interactive": beside, "effects": {"interactive": inside}} for beside in STATED for inside in STATED]
random.Random(0).shuffle(BESIDE)  # each second one in order would have the same `tty`


@pytest.mark.parametrize("version", formats.get("atip").writes)
def test_no_combination_of_old_words_looks_safer_afterwards(version: str) -> None:
    found = formats.get("atip")
    program = {"atip": "0.1", "name": "a", "version": "1", "description": "A."}
    for facts in (*sample(BESIDE, 5, formats.get("atip").writes.index(version)), *EFFECTS):
        record = Record({**program, "commands": {"b": {"description": "B.", **facts}}, **facts})
        if migrated := attempt(found, record, version):
            hold(record, migrated, found, version)


# -- depth, size and the slot ----------------------------------------------------------------------------------


def test_commands_are_migrated_at_every_depth_that_is_read() -> None:
    node: dict[str, Any] = {"description": "Deep.", "options": [{"name": "x", "flags": ["-x"], "type": "string"}]}
    for _ in range(document_reader.DEFAULT_LIMITS.max_depth // 2 - 3):
        node = {"description": "Group.", "commands": {"a": node}}
    program = {"atip": "0.1", "name": "deep", "version": "1", "description": "Deep.", "commands": {"a": node}}
    (record,) = sources.read_document(sources.open_document(json.dumps(program))).records
    migrated = migrate(formats.get("atip"), record, None)
    assert json.dumps(migrated.data).count(FILL["description"]) == 1


@pytest.mark.parametrize(("old", "new"), [("0.3", "0.6"), ("0.6", "0.3")])
def test_a_slot_stays_and_is_stale(old: str, new: str) -> None:
    descriptor = {"toolId": "fs.rm", "source": "mcp", "safetyTier": "write", "description": "Remove a file."}
    source = pipeline.convert(descriptor, f"atip@{old}", lossless=True).text
    migrated = migrate(formats.get("atip"), Record(json.loads(source)), new)
    assert migrated.data["x-toolglot"] == json.loads(source)["x-toolglot"]
    assert [finding.code for finding in toolglot.check(migrated.data)] == ["stale-slot"]


# -- other people's documents -----------------------------------------------------------------------------------

# Elided or broken on purpose by their source: what is missing cannot be made up.
INCOMPLETE = {"invalid-shim@a6c18ccb", "shims-invalid-shim", "invalid-missing-required-fields"}


def of_the_corpus(name: str) -> Iterator[Path]:
    for path in corpus.files(name):
        found = corpus.reading_of(path)
        if found and found.format.name == name:
            yield path


@pytest.mark.parametrize("name", VERSIONED)
def test_the_corpus_migrates_to_documents_without_findings(name: str) -> None:
    found = formats.get(name)
    paths = list(of_the_corpus(name))
    assert len(paths) >= corpus.at_least(25)
    incomplete = set()
    for path in paths:
        for record in sources.read_document(sources.open_document(path)).records:
            for version in found.writes:
                migrated = attempt(found, record, version)
                if migrated is None:
                    assert (name, version) == ("atdf", "0.1"), path
                    continue
                hold(record, migrated, found, version)
                if toolglot.check(migrated.data, f"{name}@{version}", warnings_as_errors=True, ignore=OF_THE_AUTHOR):
                    incomplete.add(path.stem)
    assert all(any(stem.endswith(known) for known in INCOMPLETE) for stem in incomplete), incomplete
    assert len(incomplete) == (len(INCOMPLETE) if name == "atip" and corpus.IS_HERE else 0)
