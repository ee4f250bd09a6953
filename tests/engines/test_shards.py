"""Folders of shards without an engine: every record that goes in is a row that comes out, an error, or blank."""

from __future__ import annotations

import gzip
import io
import json
import math
from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engines.shared import engine
from toolglot.converter.files import row_files
from toolglot.converter.files.spill import Spill
from toolglot.errors import UsageError
from toolglot.streams import Shard, Shards, convert_batch, convert_shards
from toolglot.verbs import catalogs
from toolglot.verbs.streams import shards as shard_module
from toolglot.verbs.streams.record_stream import RecordTask
from toolglot.verbs.streams.shard_runs import ShardRun
from toolglot.verbs.streams.shards import map_piece
from toolglot.verbs.streams.tasks import catalog_task, check_task, convert_task, tokens_task

pa = engine("pyarrow")
pq = engine("pyarrow.parquet")

TO = "mcp"
SYSTEM = ("_finished", "_manifest", "_digests", "_doubles", "_entries")


def line(index: int, **more: Any) -> str:
    record = {"toolId": f"mcp:t{index}", "source": "mcp", "safetyTier": "write", "description": f"Tool {index}."}
    return json.dumps({**record, **more})


GOOD, TWO = line(0), json.dumps({"tools": [json.loads(line(1)), json.loads(line(2))]})
BAD = ["{", "7", "\u2028", line(3, safetyTier="reed"), '{"toolId": "\\ud800"}', "\x1f\x8b"]
BLANK = ["", "  "]


def perform(shards: Shards, task: RecordTask) -> list[Shard]:
    """A run by this process."""
    run = ShardRun(shards, task, lambda: 2)
    return list(run.outcomes(map_piece(shards, task, piece) for piece in run.pieces()))


def total(shards: list[Shard]) -> Counter[str]:
    assert [str(shard.error) for shard in shards if shard.error] == []
    return sum((Counter(shard.tally) for shard in shards), Counter())


def rows_of(path: Path) -> list[Any]:
    if path.suffix == ".parquet":
        return list(pq.ParquetFile(path).read().to_pylist())
    raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [json.loads(text) for text in raw.split(b"\n")[:-1]]


def rows_below(folder: Path) -> list[Any]:
    """The rows of all results and errors."""
    return [row for path in files_below(folder) for row in rows_of(path)]


def files_below(folder: Path) -> list[Path]:
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return [path for path in files if not path.relative_to(folder).parts[0].startswith(SYSTEM)]


@pytest.fixture
def folders(tmp_path: Path) -> Iterator[tuple[Path, Path]]:
    """New folders of a source and an output, one pair after the other."""

    def make() -> Iterator[tuple[Path, Path]]:
        for number in count():
            (tmp_path / f"in{number}").mkdir()
            yield tmp_path / f"in{number}", tmp_path / f"out{number}"

    return make()


# -- every record in is a row out ---------------------------------------------------------------------------------


FLOATS = st.one_of(st.none(), st.just(math.nan), st.just(math.inf), st.floats(-10, 10))
OTHERS = st.fixed_dictionaries(
    {"x": FLOATS, "at": st.integers(0, 1 << 62), "deep": st.lists(st.none() | st.integers(0, 9))}
)


@pytest.mark.parametrize("ending", ["", ".jsonl", ".jsonl.gz"])
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    records=st.lists(st.tuples(st.sampled_from([GOOD, TWO, None, *BAD, *BLANK]), OTHERS), min_size=1, max_size=60),
    group=st.integers(1, 25),
    piece_bytes=st.sampled_from([1, 1500, 1 << 30]),
    held=st.integers(1, 30),
    partition=st.booleans(),
)
def test_rows_of_parquet(
    folders: Any, ending: str, records: Any, group: int, piece_bytes: int, held: int, partition: bool
) -> None:
    """Whatever the row groups, the pieces, the batches and the groups that are written; what travels is unchanged."""
    source, output = next(folders)
    kinds = {"id": pa.int64(), "x": pa.float64(), "at": pa.timestamp("ns"), "deep": pa.list_(pa.int64())}
    schema = pa.schema([*kinds.items(), ("record", pa.string())])
    rows = [{"id": number, "record": record, **others} for number, (record, others) in enumerate(records)]
    table = pa.Table.from_pylist(rows, schema)
    pq.write_table(table, source / "a.parquet", row_group_size=group)
    shards = Shards(str(source), str(output), ending, partition, doubles=True, piece_bytes=piece_bytes)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shard_module, "_ROWS", held)
        patch.setattr(row_files, "_GROUP", held + 3)
        tally = total(perform(shards, convert_task(TO, column="record")))
        assert total(perform(shards._replace(resume=True), convert_task(TO, column="record"))) == tally
    texts = [record for record, _ in records]
    found = rows_below(output) if ending else []
    if not ending:
        results = files_below(output)
        whole = pa.concat_tables([pq.ParquetFile(path).read().select([*kinds, "index"]) for path in results])
        assert whole.select([*kinds]) == table.take(whole["id"]).select([*kinds]) or _has_nan(table)
        assert whole["at"] == table.take(whole["id"])["at"]
        assert whole["id"].to_pylist() == whole["index"].to_pylist()
        found = whole.select(["id", "x"]).to_pylist()
    assert Counter(row["id"] for row in found) == {
        number: 2 if text == TWO else 1 for number, text in enumerate(texts) if text not in BLANK
    }
    for row in found:
        wanted = records[row["id"]][1]["x"]
        if wanted is None or math.isnan(wanted):
            assert row.get("x") is None or math.isnan(row["x"])
        else:
            assert float(row["x"]) == wanted
    compared = [text for text in texts if text is not None and text not in BLANK]
    manifest = json.loads((output / "_manifest.json").read_text())
    assert manifest["doubles"] == len(compared) - len({*compared})
    assert tally["blank"] == sum(text in BLANK for text in texts)
    assert tally["records"] + tally["blank"] == len(records)
    assert tally["rows"] + tally["refused"] == len(found)


def _has_nan(table: Any) -> bool:
    """Whether a column holds what is not equal to itself."""
    return any(value is not None and math.isnan(value) for value in table["x"].to_pylist())


@pytest.mark.parametrize("name", ["a.jsonl", "a.ndjson.gz"])
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    lines=st.lists(st.sampled_from([GOOD, TWO, *BAD, *BLANK]), max_size=60),
    piece_bytes=st.integers(1, 3000),
    ending=st.sampled_from(["", ".parquet", ".jsonl.gz"]),
    partition=st.booleans(),
    last=st.sampled_from(["", "\n"]),
)
def test_lines(
    folders: Any, name: str, lines: list[str], piece_bytes: int, ending: str, partition: bool, last: str
) -> None:
    source, output = next(folders)
    if lines and lines[0] == "\x1f\x8b":
        return  # a file that begins so is gzip
    raw = "\n".join(lines).encode("latin-1", "xmlcharrefreplace") + last.encode()
    (source / name).write_bytes(gzip.compress(raw) if name.endswith("gz") else raw)
    shards = Shards(str(source), str(output), ending, partition, piece_bytes=piece_bytes)
    tally = total(perform(shards, convert_task(TO)))
    assert total(perform(shards._replace(resume=True), convert_task(TO))) == tally
    found = rows_below(output)
    refused = sorted(row["index"] for row in found if "error" in row)
    assert refused == [number for number, text in enumerate(lines, 1) if text in BAD]
    assert len(found) - len(refused) == sum({GOOD: 1, TWO: 2}.get(text, 0) for text in lines)
    assert (tally["records"], tally["refused"]) == (sum(text not in BLANK for text in lines), len(refused))


@settings(max_examples=50, deadline=None)
@given(
    batches=st.lists(st.lists(st.fixed_dictionaries({}, optional={"n": st.integers(-9, 9), "s": st.text()}))),
    group=st.integers(1, 9),
    name=st.sampled_from(["a.parquet", "a.jsonl", "a.jsonl.gz"]),
)
def test_rows_are_written_whatever_their_batches(batches: list[list[dict[str, Any]]], group: int, name: str) -> None:
    stream = io.BytesIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(row_files, "_GROUP", group)
        with row_files.rows_into(stream, name, {"n": "bigint", "s": "string"}) as write:
            for batch in batches:
                write([dict(row) for row in batch])
    every = [row for batch in batches for row in batch]
    if name == "a.parquet":
        assert pq.read_table(stream).to_pylist() == [{"n": row.get("n"), "s": row.get("s")} for row in every]
    else:
        raw = gzip.decompress(stream.getvalue()) if stream.getvalue() and name.endswith("gz") else stream.getvalue()
        assert [json.loads(text) for text in raw.split(b"\n")[:-1]] == every


# -- what tables do to records ------------------------------------------------------------------------------------


SHAPES: list[dict[str, Any]] = [
    {"title": "T", "inputSchema": {"type": "object", "properties": {"a": {"type": "string", "maxLength": 3}}}},
    {"inputSchema": {"type": "object", "properties": {"b": {"type": "number", "minimum": 1, "enum": [1, 2]}}}},
    {"auth": {"scopes": ["x"]}},
]


def test_fields_that_a_table_fills_up_are_not_in_the_record(tmp_path: Path) -> None:
    """Arrow gives every struct all fields; a record is what it was before it lay in a table."""
    dicts = [{**json.loads(line(at)), **SHAPES[at % 3]} for at in range(60)]
    alone = convert_batch([json.dumps(record) for record in dicts], TO)
    assert alone["error"] == [None] * 60
    table = pa.table({"record": dicts})
    (tmp_path / "in").mkdir()
    pq.write_table(table, tmp_path / "in/a.parquet")
    total(perform(Shards(str(tmp_path / "in"), str(tmp_path / "out")), convert_task(TO, column="record")))
    written = [row["output"] for row in rows_of(tmp_path / "out/a.parquet")]
    frame = engine("pandas").DataFrame({"record": dicts})
    frames = [frame, table.to_pandas(), table, {"record": table["record"]}, table.to_batches()[0]]
    for outputs in [written, *(convert_batch(one, TO, column="record")["output"] for one in frames)]:
        assert list(map(json.loads, outputs)) == list(map(json.loads, alone["output"]))


def test_what_has_no_value_in_a_table_is_no_value_of_a_record() -> None:
    record = {**json.loads(GOOD), "title": math.nan, "auth": None}
    assert convert_batch({"record": [record]}, TO, column="record")["output"] == convert_batch([GOOD], TO)["output"]
    assert convert_batch([record], TO)["error"] == ["not-json-data"]


def test_a_text_that_is_not_utf_8_costs_itself(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    texts = pa.array([GOOD.encode(), b"\xff", GOOD.encode()]).cast(pa.binary()).view(pa.string())
    pq.write_table(pa.table({"record": texts}), tmp_path / "in/a.parquet")
    tally = total(perform(Shards(str(tmp_path / "in"), str(tmp_path / "out")), convert_task(TO, column="record")))
    assert (tally["rows"], tally["refused"], tally["error not-utf-8"]) == (2, 1, 1)


TRAVELLING = {
    "nothing": pa.nulls(2),
    "words": pa.array(["a", "b"]).dictionary_encode(),
    "late": pa.array([10**15, 1], pa.timestamp("ms")),
    "nanoseconds": pa.array([10**18 + 1, 1], pa.timestamp("ns", "Europe/Berlin")),
    "day": pa.array([1, None], pa.date32()),
    "hour": pa.array([10**12 + 1, 1], pa.time64("ns")),
    "map": pa.array([[("a", 1), ("b", None)], []], pa.map_(pa.string(), pa.int64())),
    "bytes": pa.array([b"\xff", b""]),
    "huge": pa.array([2**64 - 1, 0], pa.uint64()),
    "small": pa.array([1.5, math.nan], pa.float16()),
}


@pytest.mark.parametrize("kind", sorted(TRAVELLING))
@pytest.mark.parametrize("task", [convert_task(TO, column="record"), tokens_task("openai", column="record")])
def test_a_column_travels_along_whatever_its_type(tmp_path: Path, kind: str, task: RecordTask) -> None:
    (tmp_path / "in").mkdir()
    table = pa.table({"record": [GOOD, "{"], "beside": TRAVELLING[kind]})
    pq.write_table(table, tmp_path / "in/a.parquet")
    total(perform(Shards(str(tmp_path / "in"), str(tmp_path / "rows")), task))
    found = [pq.ParquetFile(tmp_path / "rows" / name).read() for name in ("a.parquet", "_errors/a.parquet")]
    column = pa.concat_tables([one.select(["beside"]) for one in found])["beside"]
    kept = pq.read_table(tmp_path / "in/a.parquet")["beside"]
    assert column.type == kept.type
    assert str(column.combine_chunks()) == str(kept.combine_chunks())
    total(perform(Shards(str(tmp_path / "in"), str(tmp_path / "lines"), ".jsonl"), task))
    assert len(rows_below(tmp_path / "lines")) == 2


# -- a run and the next one ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("task", [convert_task(TO), check_task(), catalog_task(TO)], ids=lambda task: task.verb)
def test_what_is_finished_is_not_done_again(tmp_path: Path, task: RecordTask) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in/a.jsonl").write_text(GOOD)
    shards = Shards(str(tmp_path / "in"), str(tmp_path / "out"), resume=True)
    first = perform(shards, task)
    run = ShardRun(shards, task, lambda: 2)
    assert list(run.pieces()) == []
    assert [(shard.name, shard.tally) for shard in run.outcomes([])] == [(one.name, one.tally) for one in first]


def test_a_catalogue_of_shards_is_settled_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in/a.jsonl").write_text("\n".join(map(line, range(5))))
    were_on_disk: list[bool] = []
    settle = catalogs.settle

    def watched_settle(entries: Spill[catalogs.Entry], *rest: Any, **options: Any) -> catalogs.SettledEntries:
        were_on_disk.append(entries.is_on_disk)
        return settle(entries, *rest, **options)

    monkeypatch.setattr(catalogs, "settle", watched_settle)
    monkeypatch.setattr(Spill.__init__, "__defaults__", (1,))
    *_, last = perform(Shards(str(tmp_path / "in"), str(tmp_path / "out")), catalog_task(TO))
    assert (were_on_disk, last.tally) == ([True], {"rows": 5})


def test_no_result_takes_the_place_of_a_source_or_of_what_is_nobodys(tmp_path: Path) -> None:
    """Also for who always goes on with the run before, which there may not be."""
    source = tmp_path / "in"
    source.mkdir()
    (source / "a.jsonl").write_text(GOOD)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/a.jsonl").write_text("mine")
    for output, code in {
        source: "same-folder",
        source / "out": "same-folder",
        tmp_path / "mine": "file-exists",
    }.items():
        for resume in (False, True):
            with pytest.raises(UsageError) as caught:
                ShardRun(Shards(str(source), str(output), resume=resume), convert_task(TO), lambda: 2)
            assert caught.value.code == code
    assert (source / "a.jsonl").read_text() == GOOD
    assert (tmp_path / "mine/a.jsonl").read_text() == "mine"


def test_two_files_never_become_one(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name in ("a.ndjson", "a.ndjson.jsonl"):
        (tmp_path / "in" / name).write_text(GOOD)
    shards = Shards(str(tmp_path / "in"), str(tmp_path / "out"), ".jsonl")
    with pytest.raises(UsageError, match=r"a\.ndjson and a\.ndjson\.jsonl would become one file"):
        perform(shards, convert_task(TO))
    assert total(perform(shards._replace(ending=""), convert_task(TO)))["rows"] == 2


def test_a_document_with_front_matter_is_no_line(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="a line cannot hold aip14"):
        convert_shards(Shards(str(tmp_path), str(tmp_path)), "aip14")
