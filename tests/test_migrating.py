"""Migrating documents: the text around what changes, the proof, and the command."""

from __future__ import annotations

import json
import os
import random
import re
import stat
import subprocess
from collections import Counter
from collections.abc import Callable
from difflib import SequenceMatcher
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import corpus
import repository
from golden import OF_THE_AUTHOR
from pace import within
from rows import for_each
from systems import needs_any_name, needs_fork, needs_git
from test_transcripts import Ran, toolglot
from toolglot import Tool, check, convert, migrate
from toolglot.cli import main
from toolglot.cli.commands import migrate_files
from toolglot.cli.reports import unified_diffs
from toolglot.converter import formats
from toolglot.converter.conversion import sources
from toolglot.converter.file_search.file_patterns import FilePatterns
from toolglot.converter.files import writing
from toolglot.converter.formats import CompanionFile, Finding, MigratedRecord, MigrationRequest, MigrationRules, Record
from toolglot.converter.formats.detection import detect
from toolglot.converter.text import document_reader
from toolglot.errors import DetectionError, Error, SafetyError, WriteError
from toolglot.verbs.migration.edit.entry_texts import EntryTexts
from toolglot.verbs.migration.notes import note_removed_comments
from toolglot.verbs.migration.pipeline import Migration, migrate_document

LEGACY = """\
---
# A tool that posts.
name: Post
id: slack.post
version: 1.2.0
description: "Post a message."   # kept

# How it runs,
# in two lines
run: python post.py   # beside run
network:
  # the API
  - slack.com
approval: always
inputs: {type: object}
outputs: {}
---
# Post

A body with trailing blanks  \r
and no end"""

YAML = """\
schema_version: 1.0.0   # old
id: hole   # the key stays where it is
description: >-
  Makes
  a hole.
how_to_use: {inputs: [], outputs: {success: "A hole.", failure: []}}
"""
PROGRAM = '{\n\t"atip" : "0.1",\n\t"name": "ls", "version": "1.0.0",\n\t"description": "List files."\n}'
RECORD = (
    '{"schema_version": "1.0.0", "tool_id": "t", "description": "d", '
    '"how_to_use": {"inputs": [], "outputs": {"success": "s", "failure": []}}}'
)


def contents(migration: Migration) -> dict[str, str]:
    return {name: content.decode() for name, content in migration.files}


# -- one document -----------------------------------------------------------------------------------------------


def test_only_what_has_to_change_changes() -> None:
    assert migrate(YAML).text == YAML.replace("1.0.0", "2.0.0").replace("id: hole", "tool_id: hole", 1)
    assert migrate(PROGRAM).text == PROGRAM.replace('"0.1"', '{\n\t\t"version": "0.6"\n\t}')


@pytest.mark.parametrize("source", [YAML, PROGRAM, LEGACY], ids=["yaml", "json", "front matter"])
def test_line_ends_and_byte_order_marks_stay(source: str) -> None:
    plain = migrate(source, kind="cli")
    windows = source.replace("\r\n", "\n").replace("\n", "\r\n").encode()
    found = migrate(b"\xef\xbb\xbf" + windows, kind="cli")
    (_, content), *beside = found.files
    assert content.startswith(b"\xef\xbb\xbf")
    assert content.count(b"\r\n") == content.count(b"\n")
    assert found.text.replace("\r\n", "\n") == plain.text.replace("\r\n", "\n")
    for (name, new), (same, expected) in zip(beside, plain.files[1:], strict=True):
        assert name == same
        assert new.count(b"\r\n") == new.count(b"\n") > 0
        assert new.replace(b"\r\n", b"\n") == expected  # and none has a byte order mark


def test_comments_go_where_the_value_goes_that_they_explain() -> None:
    found = contents(migrate(LEGACY, kind="cli"))
    assert "# A tool that posts.\nname: Post\n" in found[""]
    assert '"Post a message."   # kept\n' in found[""]
    assert "# How it runs,\n# in two lines\nrun: python post.py   # beside run\n" in found["DRIVER.md"]
    assert "# the API\n" in found["DRIVER.md"]
    assert found[""].endswith(LEGACY.partition("outputs: {}\n")[2])


BLOCKS = st.permutations(
    [
        "name: Post", "id: slack.post", "version: 1.2.0", 'description: "Post: a message."', "run: python post.py",
        "network: [slack.com, 'api.slack.com']", "secrets:\n  - slack/token", "inputs: {type: object}",
        "outputs:\n    type: object\n    properties: {}", "riskLevel: 2", "tags:\n- a\n-   b", "approval: 'always'",
        "metadata: {mine: {x: [1, 2.50, ~]}}",
    ]
)  # fmt: skip
COMMENTS = st.lists(st.sampled_from(["", "", "# one", "# two\n# three", "\n# apart\n"]), min_size=13, max_size=13)
BESIDE = st.lists(st.sampled_from(["", "", "  # beside", "\t# after a tab"]), min_size=13, max_size=13)


@given(BLOCKS, COMMENTS, BESIDE, st.sampled_from(["", "# Post\n", "no end", "---\nrun: x\n"]), st.booleans())
def test_every_comment_and_every_byte_of_the_body_is_accounted_for(
    blocks: list[str], above: list[str], beside: list[str], body: str, windows: bool
) -> None:
    rows: list[str] = []
    for comment, block, tail in zip(above, blocks, beside, strict=True):
        rows += filter(None, (comment, block + tail))
    source = "\n".join(["---", *rows, "---", body])
    source = source.replace("\n", "\r\n") if windows else source
    found = migrate(source, kind="http")
    documents = [document_reader.load(content) for _, content in found.files]
    assert documents[0].body == document_reader.load(source).body
    assert not migrate(found.text, kind="http").changed
    kept = Counter(comment for document in documents for comment in EntryTexts(document).comments(""))
    noted = Counter(note.message.split("`")[1] for note in found.notes if note.code == "comment-removed")
    assert kept + noted == Counter(EntryTexts(document_reader.load(source)).comments(""))
    moved = ("run", "network", "secrets", "riskLevel")
    stays = [block for block in blocks if not block.startswith(moved)]
    lines = found.text.replace("\r\n", "\n")
    at = [lines.index(f"\n{block}") for block in stays]
    assert at == sorted(at)
    assert "\nrisk_level: 2" in lines


# -- a format that is not to be trusted ------------------------------------------------------------------------

NEW = """\
schema_version: "2.0.0"
tool_id: t
description: d
# over extra
extra:
  # over outputs
  outputs: {} # beside
  inputs: [] # same
how_to_use: {inputs: [], outputs: {success: s, failure: []}} # same
tags: [b]
"""


def migrated(how: Callable[[dict[str, Any]], MigratedRecord], source: str = NEW, **facts: Any) -> Migration:
    """`source` migrated by a format whose own part of the work is `how`."""

    class FakeRules(MigrationRules, frozen=True):
        @property
        def migrate(self) -> Callable[[Record, MigrationRequest], MigratedRecord]:
            return lambda record, request: how(record.data)

    fake = msgspec.structs.replace(formats.get("atdf"), migration=FakeRules(), **facts)
    return migrate_document(document_reader.load(source, "a.yaml"), fake, MigrationRequest())


def without(data: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in data.items() if key not in keys}


MOVED = {"/use": "/extra", "/use/inner/0/b": "/extra/outputs", "/use/tail": "/extra/inputs"}


def split(data: dict[str, Any], moved: dict[str, str] = MOVED, body: str = "body\n") -> MigratedRecord:
    if "extra" not in data:
        return MigratedRecord(data)
    beside = {"use": {"inner": [{"a": 1, "b": 2}], "tail": ["x"]}}
    return MigratedRecord(without(data, "extra"), companions=(CompanionFile("NEW.md", beside, body, moved),))


def test_comments_are_indented_like_what_they_explain_and_stand_once() -> None:
    found = migrated(split)
    assert contents(found)["NEW.md"] == (
        "---\n# over extra\nuse:\n  inner:\n    - a: 1\n      # over outputs\n      # beside\n      b: 2\n"
        "  # same\n  tail:\n    - x\n---\nbody\n"
    )
    assert "# same" in found.text
    assert not found.notes


def test_what_only_stands_elsewhere_or_is_spelled_otherwise_is_not_lost() -> None:
    program = {
        "atip": "0.1",
        "name": "ls",
        "version": "1.0.0",
        "description": "List files.",
        "effects": {"duration": {"typical": "5s", "timeout": "1.5 min"}},
        "trust": {"checksum": "sha256:0a"},
    }
    changes = migrate(json.dumps(program)).report.changes
    assert {"/duration", "/trust"} < {change.path for change in changes}
    assert {change.action for change in changes} == {"renamed"}


def test_a_comment_that_goes_nowhere_is_named() -> None:
    found = migrated(partial(split, moved={"/use": "/extra/outputs"}))
    assert [str(note) for note in found.notes] == [
        "a.yaml:4:1: warning: the comment `# over extra` went with what it stood at [comment-removed]",
        "a.yaml:8:14: warning: the comment `# same` went with what it stood at [comment-removed]",
    ]
    assert not list(note_removed_comments(document_reader.load("# ------\na: 1\n"), [document_reader.load("a: 1\n")]))


@pytest.mark.usefixtures("no_garbage")
def test_thousands_of_comments_are_named_in_time() -> None:
    text = "outputSchema:\n" + "".join(f"  # comment {index}\n  k{index}: 1\n" for index in range(4_000))
    source = f"---\nid: a.b\nname: A\ndescription: d\nversion: 1.0.0\ninputs: {{}}\n{text}"
    with within(4):
        found = migrate(f"{source}{text.replace('outputSchema', 'outputs').replace('# comment', '# other')}---\n")
    assert [note.line for note in found.notes if note.code == "comment-removed"] == [*range(8, 8_008, 2)]


SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ012345"


def test_a_secret_in_a_comment_is_neither_copied_nor_shown() -> None:
    source = NEW.replace("# over extra", f"# was {SECRET}")
    assert source != NEW
    with pytest.raises(WriteError) as caught:
        migrated(split, source)
    assert caught.value.code == "literal-secret"
    assert SECRET not in str(caught.value)
    found = migrated(partial(split, moved={"/use": "/extra/outputs"}), source)
    assert "a comment that holds a secret went with" in str(found.notes[0])
    assert all(SECRET not in str(note) for note in found.notes)


def test_a_long_comment_is_shown_in_part() -> None:
    source = NEW.replace("# over extra", f"# {'long ' * 10_000}")
    found = migrated(partial(split, moved={"/use": "/extra/outputs"}), source)
    assert len(str(found.notes[0])) < 300


def test_notes_say_where() -> None:
    note = Finding("look", "/how_to_use", "look at it")
    found = migrated(lambda data: MigratedRecord(data, notes=(note,)))
    assert [str(note) for note in found.notes] == ["a.yaml:9:13: warning: look at it at /how_to_use [look]"]
    assert not found.changed
    assert found.files == [("", NEW.encode())]


def _more(data: dict[str, Any]) -> MigratedRecord:
    return MigratedRecord({**data, "tags": [*data["tags"], "a"]})


@for_each(
    ("how", "source", "error", "code"),
    [
        (_more, NEW, WriteError, "not-final"),
        (lambda data: MigratedRecord({**data, "schema_version": 7}), NEW, WriteError, "invalid-output"),
        (lambda data: MigratedRecord(without(data, "description")), NEW, Error, "schema-required"),
        (lambda data: MigratedRecord({**data, "tool_id": "other"}, {"/tool_id": "nowhere"}), NEW, None, ""),
        (
            lambda data: MigratedRecord({**data, "description": "It removes files."}),
            NEW.replace("description: d", 'description: "It removes files. [⚠️ DESTRUCTIVE]"'),
            SafetyError,
            "weaker-safety",
        ),
        (partial(split, body="no\rbody"), NEW, None, ""),
        (partial(split, moved={"/nowhere/at/all": "/extra"}), NEW, None, ""),
    ],
    ids=["never final", "invalid", "unreadable", "wrong rename", "less cautious", "odd body", "wrong place"],
)
def test_nothing_that_a_format_says_is_believed(
    how: Callable[[dict[str, Any]], MigratedRecord], source: str, error: type[Error] | None, code: str
) -> None:
    if error is None:
        assert migrated(how, source).changed  # right all the same
        return
    with pytest.raises(error) as caught:
        migrated(how, source)
    assert caught.value.code == code
    assert caught.value.source == "a.yaml"


def test_a_record_that_is_not_written_as_it_is_read_is_refused() -> None:
    def records(data: Any) -> list[Record]:
        return [Record({**data, "added": 1})]

    with pytest.raises(WriteError) as caught:
        migrated(_more, records=records)
    assert caught.value.code == "not-in-place"


def test_a_container_of_something_else_is_an_error_of_ours() -> None:
    def records(data: Any) -> list[Record]:
        raise KeyError("tools")

    with pytest.raises(Error, match="not a container"):
        migrated(_more, records=records)


def test_what_was_wrong_before_may_stay() -> None:
    wrong = NEW.replace("tags: [b]", "tags: 7\nmetadata: 8")
    assert check(wrong)
    found = migrated(lambda data: MigratedRecord({**data, "description": "e"}), wrong)
    assert found.text == wrong.replace("description: d", "description: e")


# -- containers, other formats, other versions ----------------------------------------------------------------


def test_lines_that_are_new_already_stay_byte_for_byte() -> None:
    old = [RECORD.replace('"t"', f'"{name}"') for name in "abcd"]
    new = [line.replace("1.0.0", "2.0.0") for line in old]
    wide = [line.replace(": ", " :  ") for line in new]
    before = f"{wide[0]}\n\n{old[1]}\r\n  {wide[2]}\n{old[3]}"
    assert migrate(before, format="atdf").text == f"{wide[0]}\n\n{new[1]}\r\n  {wide[2]}\n{new[3]}"


def test_a_large_catalog_takes_time_in_proportion() -> None:
    source = json.dumps({"about": "all", "tools": [json.loads(RECORD)] * 200}, indent=2)
    found = migrate(source)
    assert found.text == source.replace("1.0.0", "2.0.0")
    assert found.report.tools == 200


def test_a_document_of_another_format_is_refused() -> None:
    with pytest.raises(DetectionError, match="this is atdf, not atip") as caught:
        migrate(RECORD, "atip")
    assert caught.value.code == "other-format"


CHAT = '[ {"type": "function", "function": {"name": "a", "description": "x", "parameters": {"type": "object"}}} ]\n'


def test_a_format_without_a_migration_is_written_again_in_the_version_asked_for() -> None:
    assert not migrate(CHAT).changed
    assert not migrate(CHAT, "openai@chat").changed
    found = migrate(CHAT, "openai@responses")
    assert json.loads(found.text)[0]["name"] == "a"
    assert (found.origin, found.target) == ("chat", "responses")
    assert found.text.startswith("[ {")
    (said,) = json.loads(migrate(found.text, "openai@chat").text)
    assert said["function"].pop("strict") is False  # which `responses` takes for true where it is not said
    assert [said] == json.loads(CHAT)


def test_a_version_that_cannot_hold_everything_is_refused() -> None:
    real = formats.get("openai")

    def lossy(tool: Tool, version: str | None) -> Record:
        if version != "chat":
            tool = msgspec.structs.replace(tool, description="x.")
        return real.write(tool, version)

    fake = msgspec.structs.replace(real, write=lossy)
    source = CHAT.replace('"x"', '"x. And more."')
    with pytest.raises(WriteError) as caught:
        migrate_document(document_reader.load(source), fake, MigrationRequest("responses"))
    assert caught.value.code == "would-lose"
    assert caught.value.pointer == "/0"


def test_data_can_be_migrated_too() -> None:
    data = json.loads(RECORD)
    found = migrate(data)
    assert json.loads(found.text) == {**data, "schema_version": "2.0.0"}
    assert data == json.loads(RECORD)


def test_a_migration_says_that_a_slot_is_of_the_record_before() -> None:
    tool = {"name": "a", "description": "d", "inputSchema": {"type": "object"}, "_meta": {"x": 1}}
    old = convert(tool, "atdf", lossless=True).text
    assert not sources.read_document(document_reader.load(old)).stale
    changed = migrated(lambda data: MigratedRecord({**data, "description": "e"}), old)
    assert [note.code for note in changed.notes] == ["stale-slot"]


# -- real documents ---------------------------------------------------------------------------------------------

SOURCES = [path for name in ("atip", "atdf", "aip14", "mcp") for path in corpus.files(name)]


@for_each("path", SOURCES, ids=lambda path: path.name[-60:])
def test_real_documents(path: Path) -> None:
    given = MigrationRequest(kind="cli", fill={"description": "Nobody said.", "expected_result": "Nobody said."})
    try:
        document = sources.open_document(path)
        found = migrate_document(document, detect(document.data, document.body, None), given)
    except Error:
        return
    if not found.changed:
        assert found.files == [("", path.read_bytes())]
        return
    after = document_reader.load(found.files[0][1])
    assert after.body == document.body
    # What differs lies between the first and the last change, and every comment is accounted for.
    kept = Counter(
        line for _, content in found.files for line in EntryTexts(document_reader.load(content)).comments("")
    )
    noted = sum(note.code == "comment-removed" for note in found.notes)
    assert (Counter(EntryTexts(document).comments("")) - kept).total() == noted
    again = migrate_document(after, formats.get(found.format), given)
    assert not again.changed
    if "invalid" not in path.name:  # those lack what nobody can make up
        assert not check(found.text, found.format, warnings_as_errors=True, ignore=OF_THE_AUTHOR)


# -- unified_diffs ----------------------------------------------------------------------------------------------------

LINES = st.lists(st.sampled_from(["a", "b", "c", "x\r", "-- y", "\u2028", ""]), max_size=40)


def applied(patch: str, before: str) -> str:
    """The text that a unified diff makes of another one."""
    old, new = re.findall("[^\n]*\n|[^\n]+", before), []
    rows = patch.split("\n")[2:-1]
    at = 0
    for row, following in pairwise([*rows, ""]):
        line = row[1:] + ("" if following.startswith("\\") else "\n")
        if row.startswith("@@"):
            first, _, count = row.split()[1][1:].partition(",")
            start = int(first) - (count != "0")
            new += old[at:start]
            at = start
        elif row[0] in " -":
            assert old[at] == line
            at += 1
        if row[0] in " +":
            new.append(line)
    return "".join([*new, *old[at:]])


@given(LINES, LINES, LINES, LINES)
def test_a_patch_makes_one_text_of_the_other(one: list[str], two: list[str], three: list[str], four: list[str]) -> None:
    before = "\n".join([*one, "only once", *two, *three])
    after = "\n".join([*one, "only once", *four, *three])
    if before != after:
        patch = unified_diffs.unified_diff("a", before.encode(), after.encode())
        assert applied(patch, before) == after


def test_a_patch_is_as_short_as_that_of_difflib() -> None:
    before = [f"line {number}" for number in range(300)]
    after = [*before[:100], "new", *before[120:200], *before[150:160], *before[210:]]
    ours = unified_diffs.unified_diff("a", "\n".join(before).encode(), "\n".join(after).encode())
    blocks = SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks()
    changed = len(before) + len(after) - 2 * sum(block.size for block in blocks)
    assert sum(line[:1] in ("+", "-") for line in ours.split("\n")[2:]) == changed


@needs_any_name
def test_names_in_a_patch_cannot_pretend_to_be_lines() -> None:
    header = unified_diffs.unified_diff("a\n+++ b/evil\t\x1b\udcff", None, b"x").split("\n")
    assert header[:3] == ["--- /dev/null", '+++ "b/a\\012+++ b/evil\\011\\033\\377"', "@@ -0,0 +1 @@"]
    assert unified_diffs.unified_diff("/abs/a b", b"1", b"2").startswith("--- a/abs/a b\t\n+++ b/abs/a b\t\n")


# -- the command ------------------------------------------------------------------------------------------------


def run(*arguments: str, stdin: bytes = b"") -> Ran:
    return toolglot(["migrate", *arguments], stdin)


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for number in range(3):
        (tmp_path / f"t{number}").mkdir()
        (tmp_path / f"t{number}" / "TOOL.md").write_bytes(LEGACY.replace("slack", f"slack{number}").encode())
    (tmp_path / "ls.json").write_text(PROGRAM)
    (tmp_path / "package.json").write_text('{"name": "x"}')
    return tmp_path


def snapshot(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_result_is_the_same_however_many_processes_there_are(tree: Path) -> None:
    before = snapshot(tree)
    one = run(".", "--kind", "cli", "--diff", "--check", "--jobs", "1")
    two = run(".", "--kind", "cli", "--diff", "--check", "--jobs", "3")
    assert one == two
    assert one.code == 1
    assert snapshot(tree) == before


def test_files_of_one_folder_that_want_the_same_new_file_are_told(tree: Path) -> None:
    (tree / "t0" / "z.TOOL.md").write_bytes(LEGACY.encode())
    shown = [run("t0", "--kind", "cli", "--check", "-j", str(jobs)).stderr.decode() for jobs in (1, 2)]
    assert shown[0] == shown[1]
    assert "t0/TOOL.md becomes DRIVER.md too" in shown[0]
    written = run("t0", "--kind", "cli")
    assert written.code == 2
    assert b"1 file migrated, 1 file refused" in written.stderr
    assert (tree / "t0" / "z.TOOL.md").read_bytes() == LEGACY.encode()


@needs_fork
def test_a_file_that_changes_during_the_run_is_left_alone(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = migrate_files._plan_file

    def slow(found: Any, **how: Any) -> Any:
        outcome = real(found, **how)
        if found.path.endswith("t1/TOOL.md"):
            Path(found.path).write_bytes(b"edited meanwhile")
        return outcome

    monkeypatch.setattr(migrate_files, "_plan_file", slow)
    ran = run(".", "--kind", "cli")
    assert ran.code == 2
    assert b"t1/TOOL.md: error: the file was changed meanwhile" in ran.stderr
    assert b"3 files migrated, 1 file refused" in ran.stderr
    assert (tree / "t1" / "TOOL.md").read_bytes() == b"edited meanwhile"
    assert not (tree / "t1" / "DRIVER.md").exists()


@needs_fork
def test_a_folder_that_becomes_a_link_during_the_run_leads_nowhere(
    tree: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "TOOL.md").write_bytes((tree / "t1" / "TOOL.md").read_bytes())
    before = (outside / "TOOL.md").read_bytes()
    real = migrate_files._plan_file

    def swapped(found: Any, **how: Any) -> Any:
        outcome = real(found, **how)
        if found.path.endswith("t1/TOOL.md"):
            os.rename(tree / "t1", tmp_path_factory.mktemp("gone") / "t1")
            os.symlink(outside, tree / "t1")
        return outcome

    monkeypatch.setattr(migrate_files, "_plan_file", swapped)
    ran = run(".", "--kind", "cli")
    assert ran.code == 2
    assert b"t1/TOOL.md: error: the path leads elsewhere" in ran.stderr
    assert (os.listdir(outside), (outside / "TOOL.md").read_bytes()) == (["TOOL.md"], before)


def test_equal_comments_that_go_are_each_told_where_they_stood() -> None:
    before = document_reader.load("a: 1\n# same\nx: 1  # same\n# same\ny: 2\n", "a.yaml")
    notes = note_removed_comments(before, [document_reader.load("a: 1\n# same\n")])
    assert [note.line for note in notes] == [2, 3]


def test_notes_of_many_files_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for number in range(migrate_files.MOST_NOTES + 5):
        Path(f"t{number:02}").mkdir()
        Path(f"t{number:02}/TOOL.md").write_text(repository.legacy(number, random.Random(0)))
    said = run(".", "--kind", "cli").stderr.decode()
    assert said.count("[new-driver]") == migrate_files.MOST_NOTES + 1
    assert "and 5 more [new-driver]; --report FILE has all of them" in said


@needs_fork
def test_a_fault_of_ours_costs_one_file(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(document: Any, *how: Any) -> Any:
        if document.name.endswith("t1/TOOL.md"):
            raise RuntimeError("oops")
        return migrate_document(document, *how)

    monkeypatch.setattr(migrate_files, "migrate_document", broken)
    ran = run(".", "--kind", "cli")
    assert ran.code == 2
    assert b"internal error: RuntimeError: oops" in ran.stderr
    assert b"3 files migrated, 1 file refused" in ran.stderr


def _die(found: Any, **how: Any) -> Any:
    if found.path.endswith("t1/TOOL.md"):
        os._exit(9)
    return _real_plan(found, **how)


_real_plan = migrate_files._plan_file


@needs_fork
def test_a_worker_that_dies_costs_one_file(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migrate_files, "_plan_file", _die)
    ran = run(".", "--kind", "cli", "--jobs", "2")
    assert b"t1/TOOL.md: error: the process that read it was killed" in ran.stderr
    assert b"3 files migrated, 1 file refused" in ran.stderr


def test_an_interrupted_split_is_finished(tree: Path) -> None:
    files_of = dict(migrate(Path("t0/TOOL.md"), kind="cli").files)
    Path("t0/DRIVER.md").write_bytes(files_of["DRIVER.md"])
    os.utime("t0/DRIVER.md", (1, 1))
    ran = run("t0", "--kind", "cli", "--diff")
    assert b"b/t0/DRIVER.md" not in ran.stdout  # it is there already
    assert run("t0", "--kind", "cli").code == 0
    assert os.stat("t0/DRIVER.md").st_mtime == 1
    assert Path("t0/TOOL.md").read_bytes() == files_of[""]


def test_mode_link_and_litter(tree: Path) -> None:
    os.chmod("ls.json", 0o640)
    os.symlink("ls.json", "link.json")
    Path(".toolglot-0123456789abcdef.tmp").write_bytes(b"left by a killed run")
    run("link.json", "--check")
    assert Path(".toolglot-0123456789abcdef.tmp").exists()  # nothing is written, and nothing taken away
    assert run("link.json", "-q") == Ran(b"", b"", 0)
    assert os.path.islink("link.json")
    assert stat.S_IMODE(os.stat("ls.json").st_mode) == 0o640
    assert json.loads(Path("ls.json").read_text())["atip"] == {"version": "0.6"}
    assert not Path(".toolglot-0123456789abcdef.tmp").exists()


def test_a_link_that_leads_out_of_the_folder_is_not_followed(tree: Path) -> None:
    (tree / "inside").mkdir()
    (tree / "inside" / "ls.json").symlink_to(tree / "ls.json")
    ran = run("inside")
    assert ran.code == 2
    assert b"no tool description was found" in ran.stderr
    assert (tree / "ls.json").read_text() == PROGRAM


def test_stdin_goes_to_stdout_whether_it_changes_or_not(tree: Path) -> None:
    bom = b"\xef\xbb\xbf" + PROGRAM.replace("\n", "\r\n").encode()
    ran = run("-", "-q", stdin=bom)
    assert ran.stdout.startswith(b"\xef\xbb\xbf{\r\n")
    assert run("-", "-q", stdin=ran.stdout) == Ran(ran.stdout, b"", 0)
    assert run("-", "-q", "--to", "atdf", stdin=bom) == Ran(bom, b"", 0)  # which leaves other formats alone
    assert run("-", "-q", "--to", "atdf", "--check", stdin=bom) == Ran(b"", b"", 0)
    assert run("-", "--check", stdin=bom).stdout == b""
    assert run("-", "--diff", "--stdin-filename", "x.json", stdin=bom).stdout.startswith(b"--- a/x.json\n")
    assert run("-", stdin=b"{").stdout == b""


def test_on_a_terminal_a_diff_is_coloured_and_harmless(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    monkeypatch.setattr(unified_diffs, "print_result", lambda text, is_clean=False: shown.append(text))
    monkeypatch.setattr("sys.stdout", type("Terminal", (), {"isatty": lambda self: True})())
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    unified_diffs.print_diff("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-\x1b[2J\r\n+\u202e\n same\r\n")
    assert shown[-1].split("\n") == [
        "\x1b[1m--- a/x\x1b[0m", "\x1b[1m+++ b/x\x1b[0m", "\x1b[36m@@ -1 +1 @@\x1b[0m",
        "\x1b[31m-\\x1b[2J\x1b[0m", "\x1b[32m+\\u202e\x1b[0m", " same", "",
    ]  # fmt: skip
    monkeypatch.setenv("NO_COLOR", "1")
    unified_diffs.print_diff("+\x1b\n")
    assert shown[-1] == "+\\x1b\n"


def test_the_report_says_what_became_of_every_file(tree: Path) -> None:
    Path("t2/TOOL.md").write_text("---\nid: Bad\ndescription: d\n---\n")
    ran = run(".", "--kind", "cli", "--check", "--report", "report.json")
    assert ran.code == 2
    found = json.loads(Path("report.json").read_text())
    assert found["summary"] == {
        "migrated": 3,
        "left unchanged": 0,
        "left because a fact is missing": 0,
        "refused": 1,
        "passed over": 1,
    }
    assert not found["written"]
    states = {entry["source"]: entry["state"] for entry in found["files"]}
    assert states == {
        "ls.json": "migrated",
        "t0/TOOL.md": "migrated",
        "t1/TOOL.md": "migrated",
        "t2/TOOL.md": "refused",
    }
    [refused] = [entry for entry in found["files"] if entry["state"] == "refused"]
    assert refused["problem"]["code"].startswith("schema-")
    assert all(change["tool"] for entry in found["files"] for change in entry.get("changes", ()))


def test_the_verb_writes_nothing(tree: Path) -> None:
    before = snapshot(tree)
    assert migrate(Path("t0/TOOL.md"), kind="cli").changed
    assert snapshot(tree) == before
    assert writing.write_if_changed("copy.json", migrate(Path("ls.json")).files[0][1])


OLD_REPORT = '{"toolglot-migration": 1}'


@pytest.mark.parametrize(
    ("name", "existing", "code"),
    [
        ("report.json", None, 0),
        ("report.json", OLD_REPORT, 0),
        ("report.json", "", 0),
        ("report.json", "precious", 2),
        ("t1/TOOL.md", LEGACY, 2),
        ("-", None, 2),
        ("t1", None, 2),
    ],
)
def test_a_report_replaces_only_a_report(tree: Path, name: str, existing: str | None, code: int) -> None:
    if existing is not None:
        (tree / name).write_text(existing, newline="")
    before = (tree / "t2" / "TOOL.md").read_bytes()
    assert run(".", "--kind", "cli", "--report", name).code == code
    if code:
        assert (tree / "t2" / "TOOL.md").read_bytes() == before
        assert not (tree / "-").exists()
        assert existing is None or (tree / name).read_bytes().decode() == existing
    else:
        assert "summary" in json.loads((tree / name).read_text())


# -- facts that nobody stated -----------------------------------------------------------------------------------


@for_each(
    ("path", "expected"),
    [
        ("a/TOOL.md", "http"),
        ("a/b/TOOL.md", "cli"),
        ("a/b/c/TOOL.md", "cli"),
        ("d/x.sdk/TOOL.md", "sdk"),
        ("d/TOOL.md", None),
        ("../TOOL.md", None),
    ],
)
def test_the_last_pattern_that_matches_says_the_kind(path: str, expected: str | None) -> None:
    kinds = FilePatterns("/r", (("a/", "http"), ("/a/b", "cli"), ("*.sdk/", "sdk")))
    values = kinds.values_of(os.path.normpath(os.path.join("/r", path)))
    assert values[-1:] == ([] if expected is None else [expected])


def old_tool(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "TOOL.md").write_bytes(LEGACY.encode())
    return folder / "TOOL.md"


def test_kinds_are_relative_to_the_settings_and_the_command_line_counts_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "toolglot.toml").write_text('[migrate.kind]\n"tools/a" = "http"\n')
    said, unsaid = old_tool(tmp_path / "tools/a"), old_tool(tmp_path / "tools/b")
    monkeypatch.chdir(tmp_path / "tools")
    assert main(["migrate", ".", "-q"]) == 1
    assert "kind: http" in said.with_name("DRIVER.md").read_text()
    assert unsaid.read_bytes() == LEGACY.encode()
    assert not unsaid.with_name("DRIVER.md").exists()
    assert main(["migrate", "b", "-q", "--kind", "b=sdk"]) == 0
    assert "kind: sdk" in unsaid.with_name("DRIVER.md").read_text()
    assert "kind: cli" in migrated_with(old_tool(tmp_path / "tools/a/in"), "--kind", "cli")


def migrated_with(path: Path, *options: str) -> str:
    assert main(["migrate", str(path), "-q", *options]) == 0
    return path.with_name("DRIVER.md").read_text()


PAIRS = [
    ("--kind", "a=magic", "'magic' is not one of cli,"),
    ("--kind", "a", "'a' is not one of cli,"),
    ("--kind", "a=", "'a=' is no [PATTERN=]KIND"),
    *[("--kind", f"{pattern}=cli", "is no pattern of a .gitignore") for pattern in ("!a", "#", "/", "a\\", "a" * 1001)],
    ("--fill", "wish=x", "'wish' is not one of description, expected_result"),
    ("--fill", "expected_result= ", "'expected_result= ' is no KEY=TEXT"),
]


@pytest.mark.parametrize(("option", "pair", "words"), PAIRS)
def test_kinds_and_keys_that_nobody_knows_are_refused(
    option: str, pair: str, words: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = old_tool(tmp_path / "a")
    assert main(["migrate", str(path), option, pair]) == 2
    assert words in capfd.readouterr().err
    assert path.read_bytes() == LEGACY.encode()


@needs_git
def test_new_files_are_named_with_the_command_that_adds_them_or_marked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    git = partial(subprocess.run, cwd=tmp_path, check=True, capture_output=True, text=True)
    git(["git", "init", "-q"])
    old_tool(tmp_path / "a b")
    old_tool(tmp_path / "[c]")
    git(["git", "add", "."])
    monkeypatch.chdir(tmp_path / "a b")
    assert main(["migrate", ".", "--kind", "cli", "--diff"]) == 0
    assert "git add" not in capfd.readouterr().err
    assert main(["migrate", ".", "--kind", "cli"]) == 0
    assert "new files; to commit them: git add -- DRIVER.md\n" in capfd.readouterr().err
    assert git(["git", "ls-files"]).stdout.split("\n") == ["[c]/TOOL.md", "a b/TOOL.md", ""]
    monkeypatch.chdir(tmp_path)
    assert main(["migrate", ".", "--kind", "cli", "--intent-to-add"]) == 0
    assert "marked as new: '[c]/DRIVER.md'\n" in capfd.readouterr().err
    assert git(["git", "ls-files"]).stdout.split("\n") == ["[c]/DRIVER.md", "[c]/TOOL.md", "a b/TOOL.md", ""]
    assert "[c]/DRIVER.md" in git(["git", "diff", "--name-only"]).stdout


@needs_git
@pytest.mark.parametrize("mark", [[], ["--intent-to-add"]], ids=str)
def test_new_files_that_git_ignores_are_named_apart(
    mark: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    (tmp_path / ".gitignore").write_text("/a b/\n")
    monkeypatch.chdir(tmp_path)
    folders = [str(old_tool(tmp_path / name).parent) for name in ("a b", "c")]
    assert main(["migrate", *map(os.path.basename, folders), "--kind", "cli", *mark]) == 0
    said = capfd.readouterr().err
    assert "new files that git ignores; to commit them: git add -f -- 'a b/DRIVER.md'\n" in said
    assert ("marked as new: c/DRIVER.md\n" if mark else "to commit them: git add -- c/DRIVER.md\n") in said


def test_a_git_that_refuses_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / ".git").mkdir()
    path = old_tool(tmp_path / "a")
    monkeypatch.chdir(tmp_path)
    assert main(["migrate", "a", "--kind", "cli", "--intent-to-add"]) == 2
    assert "error: git did not mark the new files; add them: git add -- a/DRIVER.md\n" in capfd.readouterr().err
    assert path.with_name("DRIVER.md").exists()
