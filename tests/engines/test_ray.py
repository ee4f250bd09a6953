"""Folders of shards on a local Ray: `make engines` runs it in an environment that has Ray."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from engines.shared import TO, engine, expected, records, said, totals
from toolglot.cli import main
from toolglot.errors import Error, UsageError
from toolglot.streams import (
    Shards,
    catalog_shards,
    check_batch,
    check_shards,
    convert_batch,
    convert_shards,
    tokens_batch,
    tokens_shards,
)

ray = engine("ray")


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


def rows_of(path: Path) -> list[dict[str, Any]]:
    if path.suffix == ".parquet":
        import pyarrow.parquet as pq

        return list(pq.ParquetFile(path).read().to_pylist())
    return [json.loads(line) for line in lines_of(path)]


def rows_below(folder: Path) -> list[dict[str, Any]]:
    return [row for path in sorted(folder.rglob("*")) if path.is_file() for row in rows_of(path)]


def write(folder: Path, **files: list[str]) -> Path:
    folder.mkdir(exist_ok=True)
    for name, lines in files.items():
        (folder / f"{name}.jsonl").write_text("".join(f"{line}\n" for line in lines))
    return folder


def results(folder: Path) -> list[str]:
    """The names of what is no file of the system."""
    paths = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return sorted(path.as_posix() for path in paths if not path.as_posix().startswith("_"))


def test_json_lines_become_json_lines_of_the_same_name(tmp_path: Path) -> None:
    lines = records(200)
    source, output = tmp_path / "in", tmp_path / "out"
    write(source, a=lines[:80])
    (source / "deep").mkdir()
    (source / "deep" / "b.ndjson.gz").write_bytes(gzip.compress("".join(f"{line}\n\n" for line in lines[80:]).encode()))
    (source / "_SUCCESS").write_text("")
    (source / "notes.txt").write_text("not a shard")
    total = totals(convert_shards(Shards(str(source), str(output)), TO))
    wanted = [text for text in convert_batch(lines, TO)["output"] if text is not None]
    assert lines_of(output / "a.jsonl") + lines_of(output / "deep" / "b.ndjson.gz") == wanted
    assert results(output) == ["a.jsonl", "deep/b.ndjson.gz"]
    assert (total["records"], total["refused"], total["blank"], total["rows"]) == (200, 40, 120, len(wanted))
    refused = rows_of(output / "_errors" / "a.jsonl")
    assert [row["index"] for row in refused] == [at + 1 for at in range(80) if at % 10 in (5, 9)]
    assert [row.get("record_id") for row in refused[:2]] == ["mcp:t5", None]
    assert [row["index"] for row in rows_of(output / "_errors/deep/b.ndjson.gz")][:2] == [11, 19]
    manifest = json.loads((output / "_manifest.json").read_text())
    assert manifest["tally"] == dict(total)
    assert not (output / "_temporary").exists()


@pytest.mark.parametrize("ending", ["", ".jsonl"])
def test_rows_of_parquet_keep_their_columns(tmp_path: Path, ending: str) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    lines = records(2500)
    source, output = tmp_path / "in", tmp_path / "out"
    source.mkdir()
    for number, start in enumerate(range(0, 2500, 1250)):
        table = pa.table({"id": list(range(start, start + 1250)), "record": lines[start : start + 1250]})
        pq.write_table(table, source / f"part-{number}.parquet", row_group_size=300)
    shards = Shards(str(source), str(output), ending, partition_errors=True, piece_bytes=20_000)
    total = totals(convert_shards(shards, TO, column="record", report=True))
    names = results(output)
    assert len(names) == 4  # row groups that are next to each other
    assert all(name.endswith(ending or ".parquet") for name in names)
    found = [row for name in names for row in rows_of(output / name)]
    refused = rows_below(output / "_errors")
    assert said([*found, *refused]) == expected(lines)
    assert all(row["index"] == row["id"] % 1250 for row in [*found, *refused])
    assert sorted({row["id"] for row in [*found, *refused]}) == list(range(2500))
    folders = {path.name for path in (output / "_errors").iterdir()}
    assert folders == {f"error={row['error']}" for row in refused}
    assert (total["records"], total["refused"]) == (2500, 500)


def test_tables_without_rows_and_rows_without_records(tmp_path: Path) -> None:
    """Each has its result; a blank row is no double of another one, and a column of dates is text in JSON."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    source, output = tmp_path / "in", tmp_path / "out"
    source.mkdir()
    day = date(2026, 11, 29)
    schema = pa.schema([("record", pa.string()), ("day", pa.date32())])
    rows = [{"record": text, "day": day} for text in (*records(1), "", " ", None)]
    for name, content in {"none": [], "some": rows}.items():
        pq.write_table(pa.Table.from_pylist(content, schema), source / f"{name}.parquet")
    shards = Shards(str(source), str(output), doubles=True)
    total = totals(convert_shards(shards, TO, column="record"))
    assert (total["records"], total["refused"], total["blank"], total["rows"]) == (2, 1, 2, 1)
    assert results(output) == ["none.parquet", "some.parquet"]
    assert rows_of(output / "none.parquet") == []
    assert json.loads((output / "_manifest.json").read_text())["doubles"] == 0
    lines = tmp_path / "lines"
    totals(convert_shards(shards._replace(output=str(lines), ending=".jsonl"), TO, column="record"))
    for name in ("some.parquet.jsonl", "_errors/some.parquet.jsonl"):
        assert [row["day"] for row in rows_of(lines / name)] == ["2026-11-29"]
    *_, catalog = catalog_shards(shards._replace(output=str(tmp_path / "catalog")), "mcp", column="record")
    assert catalog.tally["rows"] == 1


def test_one_large_file_is_cut_and_its_lines_keep_their_numbers(tmp_path: Path) -> None:
    lines = ["", *records(300), "x" * 30_000, *records(50)]
    source = write(tmp_path / "in", a=lines)
    totals(convert_shards(Shards(str(source), str(tmp_path / "whole"), piece_bytes=1 << 30), TO))
    total = totals(convert_shards(Shards(str(source), str(tmp_path / "out"), piece_bytes=5_000), TO))
    names = results(tmp_path / "out")
    assert names[0] == "a.jsonl/part-00000.jsonl"
    assert len(names) > 5
    assert [line for name in names for line in lines_of(tmp_path / "out" / name)] == lines_of(
        tmp_path / "whole/a.jsonl"
    )
    wanted = [at + 1 for at, line in enumerate(lines) if line and convert_batch([line], TO)["error"][0]]
    for folder in ("whole", "out"):
        assert [row["index"] for row in rows_below(tmp_path / folder / "_errors")] == wanted
    assert total["blank"] == 1


def test_the_other_verbs_say_of_shards_what_they_say_of_batches(tmp_path: Path) -> None:
    lines = records(60)
    source = write(tmp_path / "in", a=lines[:30], b=lines[30:])
    check = totals(check_shards(Shards(str(source), str(tmp_path / "check"), ".parquet"), select=["ALL"]))
    batch = check_batch(lines, select=["ALL"])
    found = [row for name in results(tmp_path / "check") for row in rows_of(tmp_path / "check" / name)]
    assert Counter(row["code"] for row in found) == Counter(filter(None, batch["code"]))
    assert {"index", "severity", "code", "tool", "pointer", "message"} <= found[0].keys()
    assert check["refused"] == len([error for error in batch["error"] if error])
    totals(tokens_shards(Shards(str(source), str(tmp_path / "tokens")), "openai"))
    rows = [row for name in results(tmp_path / "tokens") for row in rows_of(tmp_path / "tokens" / name)]
    assert [row.get("tokens") for row in rows] == [
        tokens
        for tokens, error in zip(*map(tokens_batch(lines, "openai").get, ("tokens", "error")), strict=True)
        if not error
    ]


def test_a_catalogue_of_shards_is_that_of_one_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = records(40)
    other = json.dumps({"toolId": "mcp:t1", "source": "mcp", "safetyTier": "read", "description": "Another."})
    write(tmp_path / "in", a=[*lines[:20], lines[0]], b=[*lines[20:], other])
    monkeypatch.chdir(tmp_path / "in")
    assert main(["catalog", ".", "--to", "mcp", "-o", "../one.jsonl", "-q"]) == 2
    *_, last = catalog_shards(Shards(str(tmp_path / "in"), str(tmp_path / "out")), "mcp")
    assert (tmp_path / "out" / "catalog.jsonl").read_text() == (tmp_path / "one.jsonl").read_text()
    assert last.tally == {"rows": len(lines_of(tmp_path / "one.jsonl")), "error id-collision": 1}
    assert results(tmp_path / "out") == ["catalog.jsonl"]


def test_doubles_are_found_across_shards(tmp_path: Path) -> None:
    lines = records(10)
    source = write(tmp_path / "in", a=[*lines, lines[2]], b=["", f" {lines[2]}", lines[0]])
    totals(convert_shards(Shards(str(source), str(tmp_path / "out"), doubles=True), TO))
    doubles = rows_of(tmp_path / "out" / "_doubles.jsonl")
    found = {(row["shard"], row["index"], row["first_shard"], row["first_index"]) for row in doubles}
    assert found == {("a.jsonl", 11, "a.jsonl", 3), ("b.jsonl", 2, "a.jsonl", 3), ("b.jsonl", 3, "a.jsonl", 1)}
    assert json.loads((tmp_path / "out/_manifest.json").read_text())["doubles"] == 3


def test_one_bad_file_costs_no_other_and_a_run_can_be_resumed(tmp_path: Path) -> None:
    output = tmp_path / "out"
    source = write(tmp_path / "in", a=records(8), c=records(8))
    (source / "b.jsonl.gz").write_bytes(gzip.compress(b"{}\n" * 1000)[:-12])
    shards = Shards(str(source), str(output))
    names = [f"t{at}" for at in range(100, 130)]  # in a set, which every process goes through in another order
    done = {shard.name: shard for shard in convert_shards(shards, TO, without={*names})}
    assert {name: shard.error and shard.error.code for name, shard in done.items()} == {
        "a.jsonl": None,
        "b.jsonl.gz": "damaged-gzip",
        "c.jsonl": None,
    }
    assert results(output) == ["a.jsonl", "c.jsonl"]
    with pytest.raises(UsageError, match="there is a result"):
        convert_shards(shards, TO)
    (source / "b.jsonl.gz").write_bytes(gzip.compress("".join(f"{line}\n" for line in records(8)).encode()))
    before = (output / "a.jsonl").stat().st_mtime_ns
    resumed = shards._replace(resume=True)
    assert json.loads((output / "_manifest.json").read_text())["asked"]["without"] == names
    for _ in range(2):  # what is finished is told again, and not done again
        total = totals(convert_shards(resumed, TO, without={*names}))
        assert (total["records"], total["refused"]) == (24, 3)
    assert (output / "a.jsonl").stat().st_mtime_ns == before
    assert lines_of(output / "b.jsonl.gz") == lines_of(output / "a.jsonl")
    with pytest.raises(UsageError, match='to was "atdf" and is "mcp"; without was'):
        convert_shards(resumed, "mcp")
    with pytest.raises(UsageError, match='source was null and is "mcp"'):
        convert_shards(resumed, TO, without={*names}, source="mcp")
    with pytest.raises(UsageError, match='verb was "convert" and is "check"'):
        check_shards(resumed)
    (source / "a.jsonl").write_text("{}\n")
    with pytest.raises(UsageError, match=r'a.jsonl was "[0-9]+ bytes of .*" and is "3 bytes') as caught:
        convert_shards(resumed, TO)
    assert caught.value.code == "other-run"


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
        convert_shards(Shards(str(tmp_path), str(tmp_path / "out")), to, **options)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("source", "output", "code"),
    [
        ("in/a.jsonl", "out", "not-a-folder"),
        ("in", "in/a.jsonl", "not-a-folder"),
        ("nowhere", "out", "no-sources"),
        ("s3://127.0.0.1:1/a", "out", "unreadable"),
        ("hf://datasets/a/b", "out", "unreadable"),
        ("nonsense://a", "out", "unreadable"),
    ],
)
def test_folders_that_are_none_are_errors_of_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, output: str, code: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    write(tmp_path / "in", a=records(3))
    with pytest.raises(Error) as caught:
        convert_shards(Shards(source, output), TO)
    assert caught.value.code == code
    assert results(tmp_path / "in") == ["a.jsonl"]


def test_the_batch_function_under_map_batches() -> None:
    lines = records(300)
    data = ray.data.from_items([{"id": at, "record": line} for at, line in enumerate(lines)])
    done = data.map_batches(lambda batch: convert_batch(batch, TO, column="record", report=True), batch_size=64)
    rows = done.take_all()
    assert said(rows) == expected(lines)
    assert {row["id"] for row in rows} == set(range(300))
