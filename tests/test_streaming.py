"""Streams: every record as `convert` has it, whatever the others are, in bounded memory, over several processes."""

from __future__ import annotations

import gzip
import io
import json
import os
import pickle
import signal
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import toolglot
from pace import within
from rows import for_each, sample
from strategies import RECORDS
from systems import needs_broken_pipes, needs_full_disk, needs_replacing, needs_signals
from toolglot.cli import main
from toolglot.cli.commands.convert_lines import ExplainedTally
from toolglot.cli.commands.convert_sources import is_stream
from toolglot.converter import formats
from toolglot.converter.conversion import pipeline, sources
from toolglot.converter.conversion.categories import LOSSES
from toolglot.converter.conversion.result import Conversion
from toolglot.converter.conversion.sources import read_document
from toolglot.converter.hub import model, trees
from toolglot.converter.schema import canonical
from toolglot.converter.text import document_reader
from toolglot.errors import Error, ReadError, UsageError
from toolglot.streams import COLUMNS, convert_batch
from toolglot.verbs.streams import record_stream
from toolglot.verbs.streams.json_lines import Job, Part, convert_chunk, convert_stream
from toolglot.verbs.streams.line_reader import CHUNK_BYTES, Chunk, chunks
from toolglot.verbs.streams.record_stream import Converted, convert_records
from toolglot.verbs.streams.tally import EXAMPLES, FAULTS, RecordTally, Tally
from toolglot.verbs.streams.tasks import convert_task
from untyped import untyped

CASES = Path(__file__).parents[1] / "fixtures" / "cases"
LINED = [name for name in formats.targets() if formats.get(name).syntax == "json"]
DESCRIPTOR = {"toolId": "mcp:a", "source": "mcp", "safetyTier": "write"}
GOOD = json.dumps(DESCRIPTOR)


def job_of(to: str, **options: Any) -> Job:
    return Job(convert_task(to, **options))


@cache
def documents(name: str) -> list[Any]:
    """What the fixtures have in a format that is JSON."""
    paths = [*CASES.glob(f"*/{name}.json"), *CASES.glob(f"*/{name}/**/*.json")]
    return [json.loads(path.read_bytes()) for path in sorted(paths)]


# -- one record -------------------------------------------------------------------------------------------------


@for_each(("start", "target"), enumerate(formats.targets()))
@for_each("source", LINED)
def test_a_record_becomes_what_convert_makes_of_it(source: str, start: int, target: str) -> None:
    data = sample(documents(source), 6, start)
    assert data
    for found, document in zip(convert_records(map(json.dumps, data), target, format=source), data, strict=True):
        wanted = converted(document, source, target)
        if isinstance(wanted, Error):
            assert found.error is not None
            assert (found.error.code, found.error.message, found.texts) == (wanted.code, wanted.message, ())
        else:
            assert found.error is None
            assert found.report == wanted.report_without_lines
            assert tools_of(found.texts, target) == tools_of([content for _, content in wanted.files], target)


def converted(document: Any, source: str, target: str, **options: Any) -> Conversion | Error:
    try:
        return pipeline.convert(document, target, format=source, **options)
    except Error as error:
        return error


def tools_of(texts: Any, name: str) -> list[model.Tool]:
    return [tool for content in texts for tool in sources.read_document(document_reader.load(content), name).tools]


@given(data=st.data(), target=st.sampled_from(LINED))
def test_every_result_is_one_line_that_can_be_read_again(data: st.DataObject, target: str) -> None:
    source = data.draw(st.sampled_from([name for name in LINED if name in RECORDS]))
    record = data.draw(RECORDS[source]).data
    (found,) = convert_records([record], target, format=source)
    assume(found.error is None or found.error.code != "id-collision")  # `a` beside its own `""` cannot have two names
    assert found.error is None, found.error
    to = formats.get(target)
    for line in found.texts:
        assert "\n" not in line
        (back,) = convert_records([line], target, format=target)
        assert back.texts == (line,)
        for inner in to.records(document_reader.load(line).data):
            assert canonical.is_valid(inner.data, f"{target}/{to.version_of(inner.data)}")


@given(data=st.data(), target=st.sampled_from(LINED))
def test_lossless_there_and_back_is_the_identity(data: st.DataObject, target: str) -> None:
    source = data.draw(st.sampled_from([name for name in LINED if name in RECORDS]))
    record = data.draw(RECORDS[source]).data
    before = sources.read_document(document_reader.from_data(record), source).tools
    (there,) = convert_records([record], target, format=source, lossless=True)
    if there.error is not None:  # two commands of one name
        assert isinstance(converted(record, source, target, lossless=True), Error)
        return
    back = [found for line in there.texts for found in convert_records([line], "hub", format=target, restore=True)]
    assert trees.merge([tool for found in back for tool in tools_of(found.texts, "hub")]) == before


REFUSED = {
    "": None,
    "  \t\r": None,
    "{": "json-syntax",
    "id: notes": "json-syntax",
    "---": "json-syntax",
    "- a": "json-syntax",
    "7": "unknown-format",
    "null": "unknown-format",
    '"text"': "unknown-format",
    "{}": "unknown-format",
    "[]": "unknown-format",
    '{"a": 1} {"b": 2}': "json-extra-data",
    '{"a": 1, "a": 2}': "duplicate-key",
    '{"a": NaN}': "non-finite-number",
    '{"a": "\\ud800"}': "lone-surrogate",
    '{"toolId": 7, "source": "mcp", "safetyTier": "read"}': "schema-type",
    '{"toolId": "a", "source": "mcp", "safetyTier": "reed"}': "schema-enum",
    "[" * 100: "too-deep",
}


@for_each("line", REFUSED, ids=lambda line: repr(line[:20]))
def test_a_bad_record_is_an_error_at_its_line_and_costs_no_other(line: str) -> None:
    found = {item.line: item for item in convert_records([GOOD, line, GOOD], "mcp", name="a.jsonl")}
    assert found[1].texts == found[3].texts
    assert found[1].texts
    code = REFUSED[line]
    if code is None:
        assert 2 not in found
        return
    error = found[2].error
    assert error is not None
    assert (error.code, error.source, error.line) == (code, "a.jsonl", 2)


@for_each(
    ("record", "code"),
    [
        (b"\xff\xfe{\x00}\x00", "not-utf-8"),
        (b'{"a": "\xff"}', "not-utf-8"),
        (None, "unknown-format"),
        ({"a": {1}}, "not-json-data"),
        ({"a": float("nan")}, "not-json-data"),
        (object(), "not-json-data"),
    ],
)
def test_a_record_that_is_no_json_at_all_is_an_error(record: Any, code: str) -> None:
    (found,) = convert_records([record], "mcp")
    assert found.error is not None
    assert found.error.code == code


def test_bytes_text_data_and_a_byte_order_mark_are_the_same_record() -> None:
    records: list[str | bytes | dict[str, Any]] = [GOOD, GOOD.encode(), DESCRIPTOR, f"\ufeff{GOOD}", f"  {GOOD}\r\n"]
    assert len({found.texts for found in convert_records(records, "atdf")}) == 1


def test_a_line_may_hold_a_container() -> None:
    tools = [{**DESCRIPTOR, "toolId": f"mcp:{name}"} for name in "ab"]
    (found,) = convert_records([json.dumps({"tools": tools})], "mcp")
    assert [json.loads(line)["name"] for line in found.texts] == ["mcp_a", "mcp_b"]
    (found,) = convert_records([json.dumps([DESCRIPTOR, DESCRIPTOR])], "atdf")
    assert found.error is not None
    assert found.error.code == "id-collision"


@for_each(
    ("to", "options"),
    [
        ("nonsense", {}),
        ("mcp@0", {}),
        ("mcp", {"format": "nonsense"}),
        ("mcp", {"colour": "red"}),
        ("mcp", {"fail_on": "perhaps"}),
        ("mcp", {"scope": "team"}),
        ("mcp", {"bare": True}),
        ("mcp", {"safety_tier": "harmless"}),
        ("atdf", {"strict": True}),
        ("openai", {"profile": "nobody"}),
        ("openai", {"lossless": True, "flatten": "action"}),
    ],
)
def test_what_is_wrong_with_the_call_is_raised_before_the_first_record(to: str, options: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        convert_records([], to, **options)
    with pytest.raises(UsageError):
        convert_task(to, **untyped(options))


def test_patterns_that_can_be_gone_through_once_hold_for_every_record() -> None:
    records = ['{"name": "rm", "inputSchema": {"type": "object"}}'] * 2
    assert [found.texts for found in convert_records(records, "mcp", without=iter(["rm"]))] == [(), ()]
    lines = io.BytesIO("\n".join(records).encode())
    assert [part.result for part in convert_stream(lines, job_of("mcp", without=iter(["rm"])))] == [b""]


def test_fail_on_lost_refuses_the_record_that_loses() -> None:
    lossy = {**DESCRIPTOR, "title": "A"}
    found = list(convert_records([lossy, lossy], "aip14", fail_on="lost"))
    assert [item.error.code for item in found if item.error] == ["dropped-source", "dropped-source"]


def test_a_fault_of_ours_costs_one_record(monkeypatch: pytest.MonkeyPatch) -> None:
    real = pipeline.convert_readings

    def broken(readings: Any, *rest: Any, **options: Any) -> Any:
        if any(tool.id == "mcp:b" for tool in readings[0].tools):
            raise RecursionError("too deep\nto tell")
        return real(readings, *rest, **options)

    monkeypatch.setattr(pipeline, "convert_readings", broken)
    found = list(convert_records([GOOD, GOOD.replace("mcp:a", "mcp:b"), GOOD], "mcp"))
    assert [bool(item.texts) for item in found] == [True, False, True]
    assert found[1].error is not None
    assert found[1].error.code == "internal-error"
    assert "RecursionError: too deep;" in found[1].error.message


def test_records_are_taken_one_by_one() -> None:
    taken = 0

    def endless() -> Iterator[str]:
        nonlocal taken
        while True:
            taken += 1
            yield GOOD

    results = convert_records(endless(), "mcp")
    for expected in (1, 2, 3):
        next(results)
        assert taken == expected


def test_arguments_and_results_can_be_pickled() -> None:
    found = list(convert_records([GOOD, "{"], "atdf"))
    job = job_of("atdf", lossless=True)
    part = convert_chunk(pickle.loads(pickle.dumps(job)), Chunk([(1, GOOD.encode()), (2, b"{")]))
    for value in (found, part, convert_records):
        assert pickle.loads(pickle.dumps(value)) == value


# -- totals -----------------------------------------------------------------------------------------------------


def tally(results: list[Converted]) -> Tally:
    total = Tally()
    for found in results:
        total.add(found)
    return total


@given(data=st.data())
def test_a_tally_of_parts_is_the_tally_of_the_whole(data: st.DataObject) -> None:
    choices = [GOOD, "{", "{}", json.dumps({**DESCRIPTOR, "title": "A", "approval": "always"})]
    lines = data.draw(st.lists(st.sampled_from(choices), max_size=60))
    results = list(convert_records(lines, "atdf", name="a.jsonl"))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(results)), max_size=4)))
    total = Tally()
    for start, end in zip([0, *cuts], [*cuts, len(results)], strict=True):
        total.merge(tally(results[start:end]))
    assert total == tally(results)
    assert (total.records, total.refused) == (len(results), sum(found.error is not None for found in results))
    assert sum(total.counts.values()) == sum(len(found.report.changes) for found in results if found.report)
    losses = sum(len(found.report.losses) for found in results if found.report)
    assert sum(total.categories[category] for category in LOSSES) == losses


@pytest.mark.parametrize(
    ("kind", "counts_changes", "explains"),
    [(RecordTally, False, False), (Tally, True, False), (ExplainedTally, True, True)],
)
def test_a_tally_gets_reports_of_the_detail_that_it_counts(
    kind: type[Tally], counts_changes: bool, explains: bool
) -> None:
    chunk = Chunk([(1, GOOD.encode()), (2, b"{}"), (3, GOOD.encode())])
    total = convert_chunk(job_of("atdf")._replace(tally=kind), chunk).tally
    changes = list(chain(*total.examples.values()))
    assert (total.records, total.refused, total.tools, total.texts) == (3, 1, 2, 2)
    assert (bool(changes), any(change.because for change in changes)) == (counts_changes, explains)


def test_a_tally_keeps_a_bounded_number_of_examples_with_their_lines() -> None:
    total = tally(list(convert_records([GOOD, "{"] * 100, "atdf", name="a.jsonl")))
    assert [error.line for error in total.errors] == list(range(2, 2 * FAULTS + 1, 2))
    for key, number in total.counts.items():
        assert number == 100
        assert [change.line for change in total.examples[key]] == [1, 3, 5][:EXAMPLES]
        assert {change.source for change in total.examples[key]} == {"a.jsonl"}


@given(lines=st.lists(st.sampled_from([GOOD, "{", "", json.dumps([DESCRIPTOR, {**DESCRIPTOR, "toolId": "mcp:b"}])])))
def test_a_batch_is_columns_of_one_length(lines: list[str]) -> None:
    batch = convert_batch({"at": [*range(len(lines))], "value": lines}, "atdf", column="value", report=True)
    results = list(convert_records(lines, "atdf"))
    assert list(batch) == ["at", *COLUMNS["convert"]]
    assert len({len(column) for column in batch.values()}) == 1
    assert [output for output in batch["output"] if output is not None] == [
        line for found in results for line in found.texts
    ]
    assert sum(error is not None for error in batch["error"]) == sum(found.error is not None for found in results)
    changes = [json.loads(counts) for counts in batch["changes"] if counts is not None]
    assert sum(sum(counts.values()) for counts in changes) == sum(tally(results).counts.values())
    assert [lines[index] for index in dict.fromkeys(batch["at"])] == [line for line in lines if line]


# -- lines of bytes ---------------------------------------------------------------------------------------------


def read_lines(raw: bytes, limit: int = 100) -> list[tuple[int, bytes]]:
    found = chunks(io.BytesIO(raw), limit)
    return [item for chunk in found for item in chunk.records]


@given(lines=st.lists(st.binary(max_size=40).filter(lambda line: b"\n" not in line)), last=st.booleans())
def test_lines_are_numbered_from_the_top_and_only_a_newline_ends_one(lines: list[bytes], last: bool) -> None:
    raw = b"\n".join(lines) + (b"\n" if last and lines else b"")
    if raw[:2] == b"\x1f\x8b":
        return
    every = raw.removesuffix(b"\n").split(b"\n") if raw else []
    expected = [(number, line) for number, line in enumerate(every, 1) if line.strip()]
    halves = gzip.compress(raw[: len(raw) // 2]) + gzip.compress(raw[len(raw) // 2 :])
    for stream in (raw, gzip.compress(raw), halves):
        assert read_lines(stream) == expected
        assert sum(chunk.blank for chunk in chunks(io.BytesIO(stream), 100)) == len(every) - len(expected)


def test_blank_lines_are_counted_and_cost_nothing() -> None:
    blank = b"\n" * (1 << 20)
    member = gzip.compress(blank)
    with within(2):  # one by one they would take ten seconds
        total = sum(chunk.blank for chunk in chunks(io.BytesIO(member * 16 + gzip.compress(b"[]")), 1 << 24))
        assert total == 16 << 20


def test_a_blank_line_that_is_too_long_is_no_blank_line() -> None:
    found = read_lines(b"\n\n" + b" " * 101 + b"\n\n" + b" " * 100 + b"\n" + b" " * 300)
    assert [(number, len(line)) for number, line in found] == [(3, 101), (6, 101)]


@for_each("length", [98, 99, 100, 101, 102, 103, 204, 1000])
@for_each("end", [b"", b"\n", b"\n[]", b"\n[]\n"])
def test_a_line_longer_than_the_limit_is_cut_and_the_next_is_found(length: int, end: bytes) -> None:
    found = read_lines(b"x" * length + end)
    assert (len(found[0][1]) > 100) == (length > 100)
    assert len(found[0][1]) <= 102
    assert found[1:] == ([(2, b"[]")] if b"[]" in end else [])


def test_a_chunk_is_bounded_in_bytes_and_an_empty_stream_is_one_chunk() -> None:
    line = b"x" * 1000
    found = list(chunks(io.BytesIO((line + b"\n") * 1000), 2000))
    assert all(sum(len(line) for _, line in chunk.records) <= CHUNK_BYTES + 1000 for chunk in found)
    assert [number for chunk in found for number, _ in chunk.records] == list(range(1, 1001))
    assert list(chunks(io.BytesIO(), 100)) == [Chunk([])]


class Endless(io.RawIOBase):
    """A line without end, of which nothing is in memory."""

    def __init__(self, size: int) -> None:
        self.left = size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        size = min(len(buffer), self.left)
        self.left -= size
        buffer[:size] = b" " * size
        return size


@pytest.mark.parametrize("packed", [False, True])
def test_a_line_of_a_gigabyte_is_refused_in_little_memory(packed: bool) -> None:
    stream: BinaryIO = io.BufferedReader(Endless(1 << 30))
    if packed:  # a bomb: every megabyte of blanks is a kilobyte
        member = gzip.compress(b" " * (1 << 20))
        stream = io.BytesIO(member * 64 + gzip.compress(b"\n" + GOOD.encode()))
    job = job_of("mcp", limits=document_reader.Limits(max_bytes=100_000))
    tracemalloc.start()
    try:
        parts = list(convert_stream(stream, job, 1))
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    total = parts[0].tally
    assert [(error.code, error.line) for error in total.errors] == [("too-large", 1)]
    assert total.texts == packed
    assert most < 12e6


DAMAGED: dict[str, Callable[[bytes], bytes]] = {
    "cut": lambda raw: raw[:-20],
    "cut in the header": lambda raw: raw[:5],
    "checksum": lambda raw: raw[:-8] + b"\0\0\0\0" + raw[-4:],
    "data": lambda raw: raw[:40] + b"\xff" * 20 + raw[60:],
    "followed by something else": lambda raw: raw + b"garbage",
}


@for_each("kind", DAMAGED)
@for_each("jobs", [1, 2])
def test_damaged_gzip_data_ends_the_stream(kind: str, jobs: int) -> None:
    noise = "".join(chr(32 + index * 7919 % 90) for index in range(500)).replace('"', "").replace("\\", "")
    lines = "".join(
        json.dumps({**DESCRIPTOR, "toolId": f"mcp:{index}", "title": noise[index:]}) + "\n" for index in range(9)
    )
    raw = DAMAGED[kind](gzip.compress(lines.encode()))
    parts = list[Part]()
    with pytest.raises(ReadError) as caught:
        parts.extend(convert_stream(io.BytesIO(raw), job_of("mcp")._replace(name="a.jsonl.gz"), jobs))
    assert (caught.value.code, caught.value.source) == ("damaged-gzip", "a.jsonl.gz")
    assert caught.value.line == sum(part.tally.texts for part in parts) + 1  # whole lines are not lost with it


# -- processes --------------------------------------------------------------------------------------------------


def many(number: int) -> bytes:
    """So many long lines: a chunk holds about forty of them. What makes them long are blanks, which cost no time."""
    lines = []
    for index in range(number):
        described = {**DESCRIPTOR, "toolId": f"mcp:{index}", "title": f"T{index}", "description": "x" * 200}
        lines.append(json.dumps(described) + " " * 7000)
        lines += ["", "{"] if index % 50 == 7 else []
    return "".join(f"{line}\n" for line in lines).encode()


def joined(parts: Iterator[Part]) -> tuple[bytes, bytes, Tally]:
    found = list(parts)
    total = Tally()
    for part in found:
        total.merge(part.tally)
    return b"".join(part.result for part in found), b"".join(part.report for part in found), total


@pytest.mark.parametrize(("packed", "jobs"), [(False, 2), (True, 3)])
def test_the_result_is_the_same_with_any_number_of_processes(packed: bool, jobs: int) -> None:
    raw = many(120)
    assert len(raw) > 3 * CHUNK_BYTES
    name = "b.jsonl.gz" if packed else "b.jsonl"
    job = job_of("atdf")._replace(name="a.jsonl", result_name=name, report_name=name)
    one = joined(convert_stream(io.BytesIO(raw), job, 1))
    assert joined(convert_stream(io.BytesIO(gzip.compress(raw)), job, jobs)) == one
    result, report, total = one
    if packed:
        result, report = gzip.decompress(result), gzip.decompress(report)
    lines = result.splitlines()
    assert [json.loads(line)["tool_id"] for line in lines] == [f"mcp:{index}" for index in range(120)]
    assert (total.records, total.refused, total.blank, total.texts) == (123, 3, 3, 120)
    told = [json.loads(line) for line in report.splitlines()]
    assert [entry["line"] for entry in told if "code" in entry] == [error.line for error in total.errors]
    for entry in told:
        assert "code" in entry or canonical.is_valid(entry, "report/1")
    assert sum(len(entry.get("changes", ())) for entry in told) == sum(total.counts.values())


class Repeated(io.RawIOBase):
    """The same lines for ever, and how many bytes of them were taken."""

    def __init__(self, lines: bytes) -> None:
        self.lines = lines
        self.taken = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        some = self.lines[self.taken % len(self.lines) :][: len(buffer)]
        buffer[: len(some)] = some
        self.taken += len(some)
        return len(some)


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_endless_stream_is_read_a_bounded_way_ahead(jobs: int) -> None:
    endless = Repeated(many(50))
    parts = convert_stream(io.BufferedReader(endless), job_of("mcp"), jobs)
    for done in range(1, 6):
        assert next(parts).tally.texts > 0
        assert endless.taken <= (done + 8 * jobs) * (CHUNK_BYTES + 10_000)
    parts.close()


@pytest.mark.skipif(
    sys.platform != "linux", reason="the workers have what this test changes only where they are forked"
)
def test_a_record_that_kills_its_process_costs_itself(monkeypatch: pytest.MonkeyPatch) -> None:

    def deadly(document: document_reader.Document, format_name: str | None) -> Any:
        if isinstance(document.data, dict) and document.data.get("toolId") == "mcp:60":
            os._exit(9)
        return read_document(document, format_name)

    raw = many(100)
    expected = joined(convert_stream(io.BytesIO(raw), job_of("mcp"), 1))
    monkeypatch.setattr(record_stream, "read_document", deadly)
    result, _, total = joined(convert_stream(io.BytesIO(raw), job_of("mcp"), 2))
    (line,) = set(expected[0].splitlines()) - set(result.splitlines())
    assert json.loads(line)["name"] == "mcp_60"
    assert result == expected[0].replace(line + b"\n", b"")
    assert (total.records, total.blank) == (expected[2].records, expected[2].blank)
    assert [error.code for error in total.errors].count("worker-died") == 1


# -- the command ------------------------------------------------------------------------------------------------


@for_each(
    ("paths", "stdin", "output", "expected"),
    [
        (["a.jsonl"], None, None, True),
        (["a.ndjson"], None, "b.jsonl.gz", True),
        (["A.JSONL.GZ"], None, "b.ndjson", True),
        (["-"], "a.jsonl", None, True),
        (["-"], None, "b.jsonl", False),
        (["a.jsonl"], None, "b.json", False),
        (["a.json"], None, "b.jsonl", False),
        (["a.jsonl"], None, "out.jsonl/", False),
        (["a.jsonl", "b.jsonl"], None, None, False),
        (["*.jsonl"], None, None, False),
    ],
)
def test_what_is_a_stream(paths: list[str], stdin: str | None, output: str | None, expected: bool) -> None:
    assert is_stream(paths, stdin, output) is expected


def test_a_folder_that_is_called_like_a_stream_is_none(tmp_path: Path) -> None:
    folder = tmp_path / "a.jsonl"
    folder.mkdir()
    assert not is_stream([str(folder)], None, None)


def test_a_file_that_is_called_like_a_pattern_is_a_stream_and_a_pattern_names_many(tmp_path: Path) -> None:
    (tmp_path / "[a].jsonl").write_text("")
    assert is_stream([str(tmp_path / "[a].jsonl")], None, None)
    assert not is_stream([str(tmp_path / "[ab].jsonl")], None, None)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TOOLGLOT_MAX_SIZE", raising=False)
    return tmp_path


@pytest.mark.parametrize("name", ["b.jsonl", "b.jsonl.gz"])
def test_a_stream_that_breaks_off_leaves_the_old_file(
    here: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("a.jsonl.gz").write_bytes(gzip.compress(many(80))[:-9])
    Path(name).write_bytes(b"old")
    assert main(["convert", "a.jsonl.gz", "--to", "mcp", "-o", name, "--force", "--report", "r.jsonl"]) == 2
    assert "damaged-gzip" in capsys.readouterr().err
    assert Path(name).read_bytes() == b"old"
    assert sorted(os.listdir(here)) == sorted(["a.jsonl.gz", name])


@needs_replacing
def test_a_file_may_be_converted_into_itself(here: Path) -> None:
    Path("a.jsonl").write_text(f"{GOOD}\n" * 3)
    assert main(["convert", "a.jsonl", "--to", "tool-descriptor", "-o", "a.jsonl", "--force", "-q"]) == 0
    assert [json.loads(line) for line in Path("a.jsonl").read_text().splitlines()] == [DESCRIPTOR] * 3
    assert main(["convert", "a.jsonl", "--to", "mcp", "-o", "a.jsonl"]) == 2
    assert "toolId" in Path("a.jsonl").read_text()


def test_nothing_is_written_where_everything_was_refused(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.jsonl").write_text("{\n" * (FAULTS + 5))
    assert main(["convert", "a.jsonl", "--to", "mcp", "-o", "b.jsonl"]) == 2
    told = capsys.readouterr().err.splitlines()
    assert [line.split(":")[1] for line in told[:FAULTS]] == [str(number) for number in range(1, FAULTS + 1)]
    assert told[FAULTS] == "and 5 more errors; --errors FILE has all of them"
    assert os.listdir(here) == ["a.jsonl"]


@pytest.mark.parametrize(("source", "output"), [("a.jsonl", "b.jsonl"), (".", "out")])
def test_a_record_that_is_too_large_names_the_option(
    here: Path, capsys: pytest.CaptureFixture[str], source: str, output: str
) -> None:
    Path("a.jsonl").write_text(f"{GOOD}\n")
    assert main(["convert", source, "--to", "mcp", "-o", output, "--max-size", "20"]) == 2
    assert "raise --max-size [too-large]" in capsys.readouterr().err


def test_an_empty_stream_is_an_empty_result(here: Path) -> None:
    Path("a.jsonl").write_bytes(b"")
    assert main(["convert", "a.jsonl", "--to", "mcp", "-o", "b.jsonl.gz"]) == 0
    assert gzip.decompress(Path("b.jsonl.gz").read_bytes()) == b""


@pytest.mark.parametrize("output", [["-o", "b.jsonl"], []])
def test_fail_on_lost_writes_nothing(here: Path, output: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    lossy = json.dumps({**DESCRIPTOR, "title": "A"})
    Path("a.jsonl").write_text(f"{GOOD}\n{lossy}\n")
    arguments = ["convert", "a.jsonl", "--to", "atdf", "--fail-on", "lost", "--report", "r.json"]
    assert main([*arguments, *output]) == 1
    assert capfd.readouterr().out == ""
    assert sorted(os.listdir(here)) == ["a.jsonl", "r.json"]
    assert main(["convert", "a.jsonl", "--to", "atdf", "--fail-on", "lost", "-q", *output]) == 1
    assert main(["convert", "a.jsonl", "--to", "tool-descriptor", "--fail-on", "lost", "-q", *output]) == 0
    kept = Path("b.jsonl").read_text() if output else capfd.readouterr().out
    assert len(kept.splitlines()) == 2


def test_the_report_has_the_totals_and_the_first_of_everything(here: Path) -> None:
    Path("a.jsonl").write_bytes(many(200))
    assert main(["convert", "a.jsonl", "--to", "atdf", "-o", "b.jsonl", "--report", "r.json", "-q"]) == 2
    report = json.loads(Path("r.json").read_text())
    assert canonical.is_valid(report, "report/1")
    assert report["tools"] == 200
    records = report["records"]
    assert (records["converted"], records["refused"], records["blank"]) == (200, 4, 4)
    assert set(records["codes"].values()) == {200}
    assert len(report["changes"]) == EXAMPLES * len(records["codes"])
    assert sum(report["summary"].values()) == sum(records["codes"].values())
    assert [error["code"] for error in records["errors"]] == ["json-syntax"] * 4


def test_a_target_of_documents_is_refused(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.jsonl").write_text(GOOD)
    assert main(["convert", "a.jsonl", "--to", "aip14", "-o", "b.jsonl"]) == 2
    assert "give -o FOLDER/" in capsys.readouterr().err
    assert os.listdir(here) == ["a.jsonl"]


@needs_broken_pipes
@pytest.mark.parametrize("arguments", [[], ["--report", "r.jsonl"], ["--fail-on", "lost", "--to", "tool-descriptor"]])
def test_a_reader_that_stops_ends_the_stream_quietly(here: Path, arguments: list[str]) -> None:
    Path("a.jsonl").write_bytes(many(300))
    command = [sys.executable, "-m", "toolglot", "convert", "a.jsonl", "--to", "mcp", "-q", *arguments]
    # A pipe of a megabyte, as some systems have, would hold all that is written.
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, pipesize=4096)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.read(10)
    process.stdout.close()
    told = process.stderr.read().decode()
    process.stderr.close()
    assert process.wait() == 141
    assert "Traceback" not in told
    assert "cannot be written" not in told
    assert os.listdir(here) == ["a.jsonl"]


def end(process: subprocess.Popen[bytes], number: int) -> int:
    """The exit code after a signal, which is sent once more where nothing comes of it.

    Python ignores a Ctrl-C that comes while a callback of a weak reference runs, as imports have some: once in sixty
    times here. Whoever sits there presses it again.
    """
    process.send_signal(number)
    try:
        return process.wait(timeout=30)
    except subprocess.TimeoutExpired:
        process.send_signal(number)
        return process.wait()


@needs_signals
@pytest.mark.parametrize("name", ["SIGINT", "SIGKILL"])
def test_a_stream_that_is_ended_leaves_no_result_and_the_next_run_no_litter(here: Path, name: str) -> None:
    number = signal.Signals[name]
    os.mkfifo("a.jsonl")
    arguments = ["convert", "a.jsonl", "--to", "mcp", "-o", "b.jsonl", "-q", "-j2"]
    process = subprocess.Popen([sys.executable, "-c", INTERRUPTIBLE, *arguments], stderr=subprocess.PIPE)
    assert process.stderr is not None
    with open("a.jsonl", "wb") as stream:
        stream.write(many(200))
        stream.flush()
        while not any(name.endswith(".tmp") for name in os.listdir(here)):
            time.sleep(0.01)
        assert end(process, number) == (130 if number == signal.SIGINT else -number)
    process.stderr.read()  # ends with the last worker
    process.stderr.close()
    assert len(os.listdir(here)) == 1 + (number == signal.SIGKILL)
    os.unlink("a.jsonl")
    Path("a.jsonl").write_text(GOOD)
    assert main(arguments) == 0
    assert sorted(os.listdir(here)) == ["a.jsonl", "b.jsonl"]


# Whoever runs the tests in the background has told its children to ignore the signal.
INTERRUPTIBLE = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from toolglot.cli import run
run()
"""


def test_the_public_conversion_and_the_stream_agree_on_text() -> None:
    (found,) = convert_records([GOOD], "hub")
    assert json.loads(found.texts[0]) == json.loads(toolglot.convert(GOOD, "hub").text)


@pytest.mark.skipif(sys.platform == "win32", reason="there a file has no limit of its size")
def test_a_full_disk_is_said_of_the_file_that_it_is_full_for(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import resource

    Path("a.jsonl").write_bytes(many(200))
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, limits[1]))  # stands for the disk
    try:
        code = main(["convert", "a.jsonl", "--to", "hub", "-o", "b.jsonl", "--report", "r.json"])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    said = capsys.readouterr().err
    assert code == 2
    assert "error: b.jsonl: cannot be written: file too large [unwritable-file]\n" in said
    assert "records converted" in said  # as far as it came
    assert json.loads(Path("r.json").read_text())["records"]["converted"] > 0
    assert sorted(os.listdir(here)) == ["a.jsonl", "r.json"]


@needs_full_disk
def test_a_report_that_does_not_fit_is_not_said_of_the_result(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.jsonl").write_bytes(many(100))
    Path("r.jsonl").symlink_to("/dev/full")
    assert main(["convert", "a.jsonl", "--to", "mcp", "-o", "b.jsonl", "--report", "r.jsonl"]) == 2
    said = capsys.readouterr().err
    assert "no space left on device" in said
    assert "r.jsonl" in said
    assert "b.jsonl" not in said


@needs_full_disk
def test_a_result_that_does_not_fit_is_not_said_of_the_report(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("a.jsonl").write_text(json.dumps({**DESCRIPTOR, "description": "x" * 9_000}))
    with suppress(OSError), open("/dev/full", "w") as full, monkeypatch.context() as patch:  # closing fails once more
        patch.setattr(sys, "stdout", full)
        assert main(["convert", "a.jsonl", "--to", "mcp", "--report", "r.jsonl", "-q"]) == 2
    assert capsys.readouterr().err == (
        "error: the result could not be written: no space left on device [unwritable-file]\n"
    )
    assert os.path.exists("r.jsonl")
