"""The same function under Spark: `make engines` runs it in an environment that has Spark and Java."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engines.shared import TO, expected, records, said
from toolglot.streams import COLUMNS, convert_batch

sql = pytest.importorskip("pyspark.sql", reason="Spark is not installed; make engines")
pandas = pytest.importorskip("pandas", reason="pandas is not installed; make engines")
SCHEMA = ", ".join(f"{name} {kind}" for name, kind in COLUMNS["convert"].items())


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    if shutil.which("java") is None:
        pytest.skip("Java is not installed")
    patch = pytest.MonkeyPatch()
    patch.setenv("PYSPARK_PYTHON", sys.executable)  # Spark would take the first python3 of the path
    builder = sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    session = builder.config("spark.log.level", "ERROR").getOrCreate()
    yield session
    session.stop()
    patch.undo()


def test_map_in_pandas(spark: Any, tmp_path: Path) -> None:
    lines = records(400)
    for number, start in enumerate(range(0, 400, 100)):
        part = "".join(f"{line}\n" for line in lines[start : start + 100])
        (tmp_path / f"part-{number}.jsonl").write_text(part)

    def convert(batches: Iterator[Any]) -> Iterator[Any]:  # in here: the workers do not find this file
        for batch in batches:
            yield pandas.DataFrame(convert_batch(batch, TO, column="value", report=True))

    found = spark.read.text(str(tmp_path), lineSep="\n").mapInPandas(convert, SCHEMA).collect()
    assert said([row.asDict() for row in found]) == expected(lines)
