"""JSON Lines through every command: each record by itself, every refused one kept, and memory that is bounded."""

from __future__ import annotations

import gzip
import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rows import for_each
from systems import needs_fork
from toolglot import convert_records, count_tokens, extras, read
from toolglot.cli import file_batch, main
from toolglot.converter.files import spill
from toolglot.converter.files.spill import Spill
from toolglot.converter.text import compression
from toolglot.errors import ParseError
from toolglot.verbs import catalogs
from toolglot.verbs.comparison import comparison_in_parts
from toolglot.verbs.diagnostics.line_checks import check_lines
from toolglot.verbs.streams import record_stream
from toolglot.verbs.streams.line_reader import CHUNK_BYTES
from toolglot.verbs.streams.record_stream import ERROR_COLUMNS
from toolglot.verbs.streams.workers import death
from toolglot.verbs.tokens.costs import tally_tokens

DESCRIPTOR = {"toolId": "mcp:a", "source": "mcp", "safetyTier": "write", "description": "Add a line to the end."}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TOOLGLOT_MAX_SIZE", raising=False)
    return tmp_path


def record(index: int, **more: Any) -> bytes:
    return json.dumps({**DESCRIPTOR, "toolId": f"mcp:{index}", "title": f"T{index}", **more}).encode()


def lines_of(path: str) -> list[Any]:
    return [json.loads(line) for line in Path(path).read_bytes().splitlines()]


BAD = (b'{"toolId": "mcp:x"', b"\xff\xfe{}", b'{"toolId": "mcp:y", "source": "mcp", "safetyTier": "reed"}', b"7")


def mixed(number: int, size: int = 0) -> bytes:
    """So many good records, with a bad one behind every third, and blank lines; what makes lines long are blanks."""
    lines: list[bytes] = []
    for index in range(number):
        lines.append(record(index, description=f"Add line {index}.") + b" " * size)
        if index % 3 == 2:
            lines += [BAD[index // 3 % len(BAD)], b""]
    return b"\n".join(lines) + b"\n"


# -- a record ---------------------------------------------------------------------------------------


@for_each(
    ("line", "name"),
    [
        (b'{"toolId": "a", "safetyTier": "reed"}', "a"),
        (b'{"tool_id": "b"}', "b"),
        (b'{"type": "function", "function": {"name": "c", "parameters": 7}}', "c"),
        (b'{"name": 7}', None),
        (b'["toolId"]', None),
        (b'{"toolId": "a"', None),
    ],
)
def test_a_refused_record_has_the_id_that_it_calls_itself(line: bytes, name: str | None) -> None:
    [found] = convert_records([line], "mcp")
    assert (found.error is None, found.id) == (False, name)


# -- compressed ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.ndjson.zst"])
def test_pieces_that_are_compressed_one_by_one_are_one_file(here: Path, name: str) -> None:
    Path(name).write_bytes(compression.pack(b"".join(record(0) + b"\n" for _ in range(3)), name))
    assert main(["convert", name, "--to", "tool-descriptor", "-o", f"b{name}", "-q"]) == 0
    assert main(["convert", f"b{name}", "--to", "tool-descriptor", "-o", "c.jsonl", "-q"]) == 0
    assert lines_of("c.jsonl") == [json.loads(record(0))] * 3


@pytest.mark.parametrize("name", ["a.jsonl.gz", "a.ndjson.zst"])
def test_a_folder_of_compressed_files_is_read_as_commands_read_it(here: Path, name: str) -> None:
    Path("in").mkdir()
    packed = compression.pack(b"\n".join([record(0), record(1)]), name)
    Path("in", name).write_bytes(packed)
    Path("in", f"log-{name}").write_bytes(compression.pack(b'{"level": "info"}\n' * 3, name))
    for source in (Path("in"), Path("in", name)):
        assert [tool.id for tool in read(source)] == ["mcp:0", "mcp:1"]
    Path("in", f"b{name}").write_bytes(packed[:-5])
    with pytest.raises(ParseError, match="damaged"):
        read(Path("in"))
    with pytest.warns(UserWarning, match="damaged"):
        assert [tool.id for tool in read(Path("in"), skip_bad=True)] == ["mcp:0", "mcp:1"]


@pytest.mark.parametrize("name", ["a.jsonl.gz", "a.jsonl.zst"])
@pytest.mark.parametrize("cut", [-3, 40])
@pytest.mark.parametrize("size", [0, 20_000])
def test_a_compressed_file_that_was_cut_off_is_no_whole_one(
    here: Path, name: str, cut: int, size: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also one of which several chunks were converted before it broke off."""
    lines = mixed(30, size)
    assert size == 0 or len(lines) > 2 * CHUNK_BYTES
    Path("in").mkdir()
    Path("in", name).write_bytes(compression.pack(lines, name)[:cut])
    assert main(["convert", "in", "--to", "mcp", "-o", "out"]) == 2
    told = capsys.readouterr().err
    assert f"[damaged-{'gzip' if name.endswith('gz') else 'zstd'}]" in told
    assert "1 file refused" in told
    assert "file converted" not in told
    assert not Path("out", name).exists()


def test_the_package_for_zstandard_is_named_where_it_is_missing(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("a.jsonl.zst").write_bytes(b"\x28\xb5\x2f\xfd")

    monkeypatch.setattr(extras, "find_spec", lambda name: None)
    assert main(["convert", "a.jsonl.zst", "--to", "mcp", "-o", "b.jsonl"]) == 2
    assert "pip install '.[zstd]'" in capsys.readouterr().err
    assert not Path("b.jsonl").exists()


# -- errors ---------------------------------------------------------------------------------------


COMMANDS = {
    "convert": ["convert", "in", "--to", "mcp", "-o", "out"],
    "one file": ["convert", "in/a.jsonl", "--to", "mcp", "-o", "out.jsonl"],
    "tokens": ["tokens", "in", "--to", "openai"],
    "catalog": ["catalog", "in", "--to", "mcp", "-o", "catalog.jsonl"],
    "diff": ["diff", "in", "empty.json"],
}


@cache
def refused_one_by_one(number: int) -> list[tuple[int, str | None, str]]:
    """The line, the name and the fault of each record that is refused where each is converted alone."""
    plain = convert_records(mixed(number).split(b"\n"), "mcp")
    return [(one.line, one.id, one.error.code) for one in plain if one.error is not None]


@pytest.mark.parametrize("command", sorted(COMMANDS))
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_every_refused_record_is_a_row(here: Path, command: str, jobs: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("in").mkdir()
    Path("in/a.jsonl").write_bytes(mixed(66))
    Path("empty.json").write_bytes(record(1000))
    assert main([*COMMANDS[command], "--errors", "e.jsonl", "-q", "-j", jobs]) == 2
    rows = lines_of("e.jsonl")
    refused = refused_one_by_one(66)
    assert len(refused) == 22
    assert [(row["line"], row.get("id"), row["code"]) for row in rows] == refused
    assert {row["source"] for row in rows} == {"in/a.jsonl"}
    assert all(row.keys() <= ERROR_COLUMNS.keys() for row in rows)
    told = [line for line in capsys.readouterr().err.splitlines() if line.startswith("in/a.jsonl:")]
    assert len(told) == file_batch.MOST_OF_RECORDS


def test_errors_in_parquet(here: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="the extra `parquet` is not installed")
    Path("a.jsonl").write_bytes(mixed(9))
    for _ in range(2):  # the second takes the place of the first
        assert main(["tokens", "a.jsonl", "--to", "openai", "-q", "--errors", "e.parquet"]) == 2
    table = parquet.read_table("e.parquet")
    assert (table.column_names, table.num_rows) == (list(ERROR_COLUMNS), 3)
    assert table.column("id").to_pylist() == [None, None, "mcp:y"]


@pytest.mark.parametrize("name", ["e.jsonl", "e.ndjson.gz", "e.jsonl.zst"])
def test_a_file_of_errors_takes_the_place_of_an_earlier_one(here: Path, name: str) -> None:
    Path("a.jsonl").write_bytes(mixed(9))
    for _ in range(2):
        assert main(["tokens", "a.jsonl", "--to", "openai", "-q", "--errors", name]) == 2
    Path(name).write_bytes(compression.pack(b'{"mine": 1}', name))
    content = Path(name).read_bytes()
    assert main(["tokens", "a.jsonl", "--to", "openai", "-q", "--errors", name]) == 2
    assert Path(name).read_bytes() == content


def test_a_file_that_is_no_file_of_errors_is_left_alone(here: Path) -> None:
    Path("a.jsonl").write_bytes(record(0))
    Path("e.jsonl").write_text("mine")
    assert main(["convert", "a.jsonl", "--to", "mcp", "-o", "b.jsonl", "--errors", "e.jsonl"]) == 2
    assert (Path("e.jsonl").read_text(), Path("b.jsonl").exists()) == ("mine", False)


# -- a folder ---------------------------------------------------------------------------------------


def test_a_folder_is_converted_as_each_of_its_files_is(here: Path) -> None:
    for name, content in {"a.jsonl": mixed(40, 900), "b/c.ndjson.gz": gzip.compress(mixed(7))}.items():
        Path("in", name).parent.mkdir(parents=True, exist_ok=True)
        Path("in", name).write_bytes(content)
    for jobs in ("1", "2"):
        assert main(["convert", "in", "--to", "atdf", "-o", f"out{jobs}", "-q", "-j", jobs]) == 2
        for name in ("a.jsonl", "b/c.ndjson.gz"):
            one = f"one{jobs}.jsonl" + (".gz" if name.endswith("gz") else "")
            assert main(["convert", f"in/{name}", "--to", "atdf", "-o", one, "-q", "-j1"]) == 2
            assert Path(f"out{jobs}", name).read_bytes() == Path(one).read_bytes()


def test_a_file_larger_than_the_limit_is_a_stream_and_a_line_larger_than_it_is_refused(here: Path) -> None:
    Path("in").mkdir()
    Path("in/a.jsonl").write_bytes(b"\n".join([record(0), record(1, description="x" * 5000), record(2)]))
    arguments = ["convert", "in", "--to", "mcp", "-o", "out", "-q", "--max-size", "400", "--errors", "e.jsonl"]
    assert main(arguments) == 2
    assert [line["name"] for line in lines_of("out/a.jsonl")] == ["mcp_0", "mcp_2"]
    assert [(row["line"], row["code"]) for row in lines_of("e.jsonl")] == [(2, "too-large")]


def test_what_is_no_tool_description_is_passed_over_and_one_bad_line_hides_none(here: Path) -> None:
    Path("in").mkdir()
    Path("in/log.jsonl").write_text('{"level": "info"}\n' * 3)
    Path("in/a.jsonl").write_bytes(b"\n".join([b"{", b"\xff", record(0), b'{"level": "info"}']))
    assert main(["convert", "in", "--to", "mcp", "-o", "out", "-q", "--errors", "e.jsonl"]) == 2
    assert os.listdir("out") == ["a.jsonl"]
    assert [row["line"] for row in lines_of("e.jsonl")] == [1, 2, 4]


def test_a_folder_that_says_the_same_is_left_untouched_and_a_part_replaces_nothing(here: Path) -> None:
    Path("in").mkdir()
    Path("in/a.jsonl").write_bytes(record(0))
    convert = ["convert", "in", "--to", "mcp", "-o", "out", "-q"]
    assert main(convert) == 0
    before = os.stat("out/a.jsonl").st_mtime_ns
    assert main(convert) == 0
    assert os.stat("out/a.jsonl").st_mtime_ns == before
    Path("in/a.jsonl").write_bytes(record(1))
    assert main(convert) == 2
    assert lines_of("out/a.jsonl")[0]["name"] == "mcp_0"
    assert main([*convert, "--force"]) == 0
    assert lines_of("out/a.jsonl")[0]["name"] == "mcp_1"
    Path("in/a.jsonl").write_bytes(record(2) + b"\n{\n")
    assert main([*convert, "--force"]) == 2
    assert lines_of("out/a.jsonl")[0]["name"] == "mcp_1"


@pytest.mark.parametrize(("option", "code"), [(["--fail-on", "lost"], 1), (["--only", "none"], 2)])
def test_a_stream_that_may_not_be_written_leaves_nothing(here: Path, option: list[str], code: int) -> None:
    Path("in").mkdir()
    Path("in/a.jsonl").write_bytes(mixed(2))
    assert main(["convert", "in", "--to", "openai", "-o", "out", "-q", *option]) == code
    assert not Path("out/a.jsonl").exists()


# -- the other commands ---------------------------------------------------------------------------------------


@needs_fork
@pytest.mark.parametrize("command", [name for name in COMMANDS if name != "one file"])
def test_a_record_that_kills_its_process_costs_itself(
    here: Path, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("in").mkdir()
    Path("in/a.jsonl").write_bytes(b"\n".join(record(index) + b" " * 9000 for index in range(60)))
    Path("empty.json").write_bytes(record(1000))
    real = record_stream.read_record

    def deadly(line: Any, *others: Any) -> Any:
        if b'"mcp:41"' in line:
            os._exit(9)
        return real(line, *others)

    monkeypatch.setattr(record_stream, "read_record", deadly)
    assert main([*COMMANDS[command], "--errors", "e.jsonl", "-q", "-j2"]) == 2
    assert [(row["line"], row["code"]) for row in lines_of("e.jsonl")] == [(42, "worker-died")]
    result = {"convert": "out/a.jsonl", "catalog": "catalog.jsonl"}.get(command)
    assert result is None or len(lines_of(result)) == 59


def test_check_tells_of_a_line_that_killed_its_process() -> None:
    [killed, read] = check_lines([(3, death()), (4, record(0))], "a.jsonl", None)
    assert [(one.code, one.line) for one in killed.diagnostics] == [("worker-died", 3)]
    assert (killed.was_read, read.was_read) == (False, True)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_check_of_a_stream_finds_what_it_finds_in_each_record(
    here: Path, jobs: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("a.jsonl").write_bytes(mixed(60, 600))
    assert main(["check", "a.jsonl", "--max-size", "2000", "-j", jobs, "--format", "json"]) == 2
    findings = json.loads(capsys.readouterr().out)
    errors = [one for one in findings if one["severity"] == "error"]
    assert [one["line"] for one in errors if one["code"] == "not-utf-8"] == [9, 29, 49, 69, 89]
    assert len(errors) >= 20


@pytest.mark.parametrize("broken", [b"", b"{\n"])
@pytest.mark.parametrize("others", [b"", record(0) + b"\n"])
def test_check_reads_a_program_on_each_line(
    here: Path, broken: bytes, others: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    """A format that has no lists has lines, small files and large ones."""
    command = {"description": "Send a letter.", "effects": {"network": True}}
    program = {"atip": {"version": "0.6"}, "name": "mail", "version": "1", "description": "Mail."}
    whole, bare = (json.dumps({**program, "commands": {"send": one}}).encode() for one in (command, {}))
    Path("in").mkdir()
    Path("in/a.jsonl").write_bytes(whole + b"\n" + others + broken + bare)
    number = 1 + others.count(b"\n") + broken.count(b"\n")
    for size in ("16000000", "400"):
        main(["check", "in", "--max-size", size, "--format", "json"])
        findings = json.loads(capsys.readouterr().out)
        codes = {one["code"] for one in findings if one["severity"] == "error"}
        assert codes == ({"json-syntax"} if broken else set())
        places = {(one["line"], one["pointer"]) for one in findings}
        assert (number + 1, f"/{number}/commands/send") in places


def test_a_catalogue_on_disk_is_the_one_in_memory(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [record(index) for index in range(50)]
    lines += [record(7), record(8, safetyTier="read"), json.dumps({**DESCRIPTOR, "toolId": "mcp_9"}).encode()]
    Path("a.jsonl").write_bytes(b"\n".join(lines))
    told: list[str] = []
    were_on_disk: list[bool] = []
    settle = catalogs.settle

    def watched_settle(entries: Spill[catalogs.Entry], *rest: Any) -> catalogs.SettledEntries:
        were_on_disk.append(entries.is_on_disk)
        return settle(entries, *rest)

    monkeypatch.setattr(catalogs, "settle", watched_settle)
    for most in (1, spill.MOST_HELD):
        monkeypatch.setattr(Spill.__init__, "__defaults__", (most,))
        assert main(["catalog", "a.jsonl", "--to", "mcp", "-o", f"{most}.jsonl", "-q"]) == 1
        told.append(Path(f"{most}.jsonl").read_text())
    assert were_on_disk == [True, False]
    assert told[0] == told[1]
    names = [json.loads(line)["name"] for line in told[0].splitlines()]
    assert len(names) == 48
    assert not {"mcp_8", "mcp_9"} & {*names}


def test_a_difference_on_disk_is_the_one_in_memory(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    program = {"name": "mail", "version": "1.0.0", "description": "Mail.", "atip": {"version": "0.6"}}
    command = {"description": "As it is called.", "effects": {"network": True}}
    commands = dict.fromkeys(("send", "read", "sort"), command)
    old = [*(record(index) for index in range(40)), json.dumps({**program, "commands": commands}).encode()]
    new = [record(index, safetyTier="read") for index in range(5, 45)]
    new += [json.dumps({"name": f"mail_{name}", "inputSchema": {}}).encode() for name in ("send", "Read", "sort-all")]
    Path("a.jsonl").write_bytes(b"\n".join(old))
    Path("b.jsonl").write_bytes(b"\n".join(new))
    monkeypatch.setattr(comparison_in_parts, "_PART", 1)
    told = []
    for most in (1, spill.MOST_HELD):
        monkeypatch.setattr(Spill.__init__, "__defaults__", (most,))
        assert main(["diff", "a.jsonl", "b.jsonl", "-q"]) == 0
        told.append(sorted(capsys.readouterr().out.splitlines()))
    assert [line for line in told[0] if "looks" not in line] == [line for line in told[1] if "looks" not in line]
    assert sum(line.startswith("  safety-relevant") for line in told[0]) == 35 + 2  # commands that are tools now


@for_each("provider", ["openai", "anthropic", "gemini", "mcp"])
def test_costs_that_are_added_up_are_those_of_one_request(provider: str) -> None:
    tools = read([json.loads(record(index)) for index in range(60)])
    whole = count_tokens(tools, provider)
    tally = tally_tokens(tools[:1], provider)
    for tool in tools[1:]:
        tally.merge(tally_tokens([tool], provider))
    added = tally.costs()
    assert added.parts == whole.parts
    assert added.definitions == whole.definitions
    assert abs(added.tokens - whole.tokens) <= whole.tokens / 50
    assert [(one.option, one.value) for one in added.savings] == [(one.option, one.value) for one in whole.savings]


def test_of_very_many_definitions_the_largest_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    tools = read([json.loads(record(index, description="word " * (index + 1))) for index in range(30)])
    every = sorted(definition.tokens for definition in count_tokens(tools, "anthropic").definitions)
    monkeypatch.setattr("toolglot.verbs.tokens.costs.MOST_LISTED", 5)
    tally = tally_tokens(tools[:1], "anthropic")
    for tool in tools[1:]:
        tally.merge(tally_tokens([tool], "anthropic"))
    costs = tally.costs()
    assert [definition.name for definition in costs.definitions] == [f"mcp_{index}" for index in range(29, 24, -1)]
    assert (costs.total, costs.to_json()["unlisted-definitions"]) == (30, 25)
    assert costs.unlisted_tokens == sum(every[:25])


# -- on disk ---------------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.text(max_size=2), st.sampled_from("ab\0c"))), st.integers(0, 3))
def test_what_is_on_disk_is_what_is_in_memory(items: list[tuple[str, str]], most: int) -> None:
    def make(limit: int) -> Spill[tuple[str, str]]:
        made = Spill[tuple[str, str]](lambda item: (item, (item[1],)), limit)
        made.extend(items)
        return made

    disk, memory = make(most), make(100)
    assert disk.is_on_disk is (len(items) > most)
    assert list(disk) == list(memory) == sorted(items)
    assert list(disk.as_added()) == items
    for number in (0, 1):
        assert [group.items for group in disk.groups(number)] == [group.items for group in memory.groups(number)]
    for kept in (disk, memory):
        kept.settle(1, lambda group: group.items[-1:])
        assert len(kept) == len({one for _, one in items})
    assert list(disk) == list(memory)


def test_no_more_of_a_key_than_is_bounded_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spill, "MOST_TOGETHER", 3)
    for most in (1, 100):
        many = Spill[int](lambda item: (("a",),), most)
        many.extend(range(9))
        [group] = many.groups()
        assert (group.items, group.total) == ([0, 1, 2], 9)
