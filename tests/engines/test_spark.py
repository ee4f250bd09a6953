"""The same function under Spark: `make engines` runs it in an environment that has Spark and Java."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engines.shared import TO, engine, expected, needs_java, records, said, write_parts
from toolglot.streams import COLUMNS, convert_batch

sql, pandas = engine("pyspark.sql"), engine("pandas")
SCHEMA = ", ".join(f"{name} {kind}" for name, kind in COLUMNS["convert"].items())


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    patch = pytest.MonkeyPatch()
    patch.setenv("PYSPARK_PYTHON", sys.executable)  # Spark would take the first python3 of the path
    builder = sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    session = builder.config("spark.log.level", "ERROR").getOrCreate()
    yield session
    session.stop()
    patch.undo()


@needs_java
def test_map_in_pandas(spark: Any, tmp_path: Path) -> None:
    lines = records(400)
    write_parts(tmp_path, lines)

    def convert(batches: Iterator[Any]) -> Iterator[Any]:  # in here: the workers do not find this file
        for batch in batches:
            yield pandas.DataFrame(convert_batch(batch, TO, column="value", report=True))

    found = spark.read.text(str(tmp_path), lineSep="\n").mapInPandas(convert, SCHEMA).collect()
    assert said([row.asDict() for row in found]) == expected(lines)
