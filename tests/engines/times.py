"""How long each engine takes on this machine: `python tests/engines/times.py [RECORDS]`; all of them are needed.

ATDF records of about 1 kB in eight files (in one for `convert_stream`) become tool descriptors. Each row is a process
of its own, so the start of the engine counts; what comes back is counted too.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
TO = "tool-descriptor"
SHARDS = 8


def one_process(source: str, output: str) -> int:
    from toolglot.verbs.streams.record_stream import convert_records

    lines = (line for path in sorted(Path(source).iterdir()) for line in path.open())
    return sum(bool(found.texts) for found in convert_records(lines, TO))


def local(source: str, output: str) -> int:
    from toolglot.verbs.streams.json_lines import Job, convert_stream
    from toolglot.verbs.streams.tasks import convert_task

    number = 0
    with Path(f"{source}.jsonl").open("rb") as stream, Path(output, "all.jsonl").open("wb") as result:
        for part in convert_stream(stream, Job(convert_task(TO)), 2):
            result.write(part.result)
            number += part.tally.texts
    return number


def dask(source: str, output: str) -> int:
    from dask import bag

    found = bag.read_text(f"{source}/*.jsonl").map_partitions(_written)
    return int(sum(found.compute(scheduler="processes", num_workers=2)))


def _written(lines: Any) -> list[int]:
    from toolglot.streams import convert_batch

    return [sum(output is not None for output in convert_batch(lines, TO)["output"])]


def datasets(source: str, output: str) -> int:
    from datasets import load_dataset

    from toolglot.streams import convert_batch

    data = load_dataset("text", data_files=f"{source}/*.jsonl", split="train", cache_dir=output)
    done = data.map(
        lambda batch: convert_batch(batch, TO, column="text"), batched=True, num_proc=2, remove_columns=["text"]
    )
    return sum(text is not None for text in done["output"])


def ray(source: str, output: str) -> int:
    import ray as engine

    from toolglot.streams import Shards, convert_shards

    engine.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    return sum(shard.tally["rows"] for shard in convert_shards(Shards(source, output), TO))


def spark(source: str, output: str) -> int:
    import pandas
    from pyspark.sql import SparkSession

    from toolglot.streams import COLUMNS, convert_batch

    def convert(batches: Any) -> Any:
        for batch in batches:
            yield pandas.DataFrame(convert_batch(batch, TO, column="value"))

    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    schema = ", ".join(f"{name} {kind}" for name, kind in COLUMNS["convert"].items())
    session.read.text(source, lineSep="\n").mapInPandas(convert, schema).write.parquet(f"{output}/parquet")
    return int(session.read.parquet(f"{output}/parquet").where("output is not null").count())


ROWS: dict[str, Callable[[str, str], int]] = {
    "convert_records, 1 process": one_process,
    "convert_stream, 2 processes": local,
    "Dask bag.map_partitions": dask,
    "datasets map(batched=True)": datasets,
    "Ray convert_shards": ray,
    "Spark mapInPandas": spark,
}


def make(folder: Path, records: int) -> None:
    """The input: files with equal shares in a folder, and all in one file beside it."""
    import stream

    folder.mkdir()
    files = [(folder / f"part-{number}.jsonl").open("wb") for number in range(SHARDS)]
    with folder.with_suffix(".jsonl").open("wb") as whole:
        for number, line in enumerate(stream.lines(records)):
            files[number % SHARDS].write(line)
            whole.write(line)
    for file in files:
        file.close()


def main(records: int) -> None:
    from table import markdown

    rows = [["engine, 2 cores", "time", "rate"]]
    with TemporaryDirectory() as folder:
        source = Path(folder, "in")
        make(source, records)
        for index, name in enumerate(ROWS):
            output = Path(folder, f"out-{index}")
            output.mkdir()
            began = perf_counter()
            command = [sys.executable, __file__, "row", name, str(source), str(output)]
            done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=folder)
            seconds = perf_counter() - began
            if done.stdout.split()[-1:] != [str(records)]:
                sys.exit(f"{name}: {done.stdout[-500:]}{done.stderr[-2000:]}")
            rows.append([name, f"{seconds:.1f} s", f"{records / seconds:,.0f}/s"])
    print(markdown(rows))


if __name__ == "__main__":
    if sys.argv[1:2] == ["row"]:
        print(ROWS[sys.argv[2]](sys.argv[3], sys.argv[4]))
    else:
        sys.path.insert(0, str(BENCHMARKS))
        records = int(sys.argv[1]) if len(sys.argv) > 1 else 50_000
        main(records)
