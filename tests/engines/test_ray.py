"""The stream on a local Ray: `make engines` runs it in an environment that has Ray."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engines.shared import TO, expected, records
from toolglot.errors import UsageError
from toolglot.verbs.streams.engines import convert_batch
from toolglot.verbs.streams.ray import Shard, convert_shards
from toolglot.verbs.streams.tally import Tally

ray = pytest.importorskip("ray", reason="Ray is not installed; make engines")


@pytest.fixture(scope="module", autouse=True)
def local() -> Iterator[None]:
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


def lines_of(path: Path) -> list[str]:
    raw = path.read_bytes()
    if path.name.endswith(".gz"):
        raw = gzip.decompress(raw)
    return raw.decode().split("\n")[:-1]


def totals(shards: list[Shard]) -> Tally:
    total = Tally()
    for shard in sorted(shards):
        assert shard.error is None, shard.error
        total.merge(shard.tally)
    return total


def test_json_lines_become_json_lines_of_the_same_name(tmp_path: Path) -> None:
    lines = records(200)
    source = tmp_path / "in"
    (source / "deep").mkdir(parents=True)
    (source / "a.jsonl").write_text("".join(f"{line}\n" for line in lines[:80]))
    (source / "deep" / "b.ndjson.gz").write_bytes(gzip.compress("".join(f"{line}\n\n" for line in lines[80:]).encode()))
    (source / "_SUCCESS").write_text("")
    (source / "notes.txt").write_text("not a shard")
    total = totals(list(convert_shards(str(source), str(tmp_path / "out"), TO)))
    wanted = [output for output, _, _ in expected(lines) if output is not None]
    found = lines_of(tmp_path / "out" / "a.jsonl") + lines_of(tmp_path / "out" / "deep" / "b.ndjson.gz")
    assert found == wanted
    assert sorted(path.name for path in (tmp_path / "out").rglob("*") if path.is_file()) == ["a.jsonl", "b.ndjson.gz"]
    assert (total.records, total.refused, total.blank) == (200, 40, 120)
    assert {error.source for error in total.errors} <= {"a.jsonl", "deep/b.ndjson.gz"}


def test_parquet_becomes_parquet(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    lines = records(2500)
    source = tmp_path / "in"
    source.mkdir()
    for number, start in enumerate(range(0, 2500, 1250)):
        table = pa.table({"id": list(range(1250)), "record": lines[start : start + 1250]})
        pq.write_table(table, source / f"part-{number}.parquet", row_group_size=300)
    total = totals(list(convert_shards(str(source), str(tmp_path / "out"), TO, column="record")))
    tables = [pq.read_table(path) for path in sorted((tmp_path / "out").glob("*.parquet"))]
    rows = [row for table in tables for row in table.to_pylist()]
    assert [(row["output"], row["error"], row["changes"]) for row in rows] == expected(lines)
    assert {row["index"] for row in rows} == set(range(1250))
    assert (total.records, total.refused) == (2500, 500)


def test_one_bad_file_costs_no_other_and_a_run_can_be_resumed(tmp_path: Path) -> None:
    source, output = tmp_path / "in", tmp_path / "out"
    source.mkdir()
    lines = records(8)
    for name in ("a.jsonl", "c.jsonl"):
        (source / name).write_text("".join(f"{line}\n" for line in lines))
    (source / "b.jsonl.gz").write_bytes(gzip.compress(b"{}\n" * 1000)[:-12])
    shards = {shard.name: shard for shard in convert_shards(str(source), str(output), TO)}
    assert {name: shard.error and shard.error.code for name, shard in shards.items()} == {
        "a.jsonl": None,
        "b.jsonl.gz": "damaged-gzip",
        "c.jsonl": None,
    }
    assert sorted(path.name for path in output.iterdir()) == ["a.jsonl", "c.jsonl"]
    with pytest.raises(UsageError, match="a result exists"):
        convert_shards(str(source), str(output), TO)
    (source / "b.jsonl.gz").write_bytes(gzip.compress("".join(f"{line}\n" for line in lines).encode()))
    assert [shard.name for shard in convert_shards(str(source), str(output), TO, resume=True)] == ["b.jsonl.gz"]
    assert lines_of(output / "b.jsonl.gz") == lines_of(output / "a.jsonl")
    assert list(convert_shards(str(source), str(output), TO, resume=True)) == []


@pytest.mark.parametrize(
    ("to", "options", "code"),
    [
        ("nonsense", {}, "unknown-format"),
        ("mcp", {"scope": "x"}, "bad-option"),
        ("mcp", {"column": "record"}, "no-sources"),
    ],
)
def test_what_is_wrong_with_the_call_is_said_at_once(
    tmp_path: Path, to: str, options: dict[str, Any], code: str
) -> None:
    (tmp_path / "a.jsonl").write_text("{}\n")
    with pytest.raises(UsageError) as caught:
        convert_shards(str(tmp_path), str(tmp_path / "out"), to, **options)
    assert caught.value.code == code


def test_the_batch_function_under_map_batches() -> None:
    lines = records(300)
    data = ray.data.from_items([{"record": line} for line in lines])
    done = data.map_batches(lambda batch: convert_batch(batch["record"], TO), batch_size=64)
    rows = done.take_all()
    assert sorted((row["output"] or "", row["error"] or "") for row in rows) == sorted(
        (output or "", error or "") for output, error, _ in expected(lines)
    )
    assert all(json.loads(row["changes"]) for row in rows if row["changes"])
