"""The same function under Dask: `make engines` runs it in an environment that has Dask."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from engines.shared import TO, engine, expected, records, said, write_parts
from toolglot.streams import convert_batch

bag = engine("dask.bag")


def rows(lines: Iterable[str]) -> list[dict[str, Any]]:
    """What `map_partitions` is given."""
    batch = convert_batch(lines, TO, report=True)
    return [dict(zip(batch, row, strict=True)) for row in zip(*batch.values(), strict=True)]


@pytest.mark.parametrize("scheduler", ["processes", "threads", "distributed"])
def test_map_partitions(tmp_path: Path, scheduler: str) -> None:
    lines = records(300)
    write_parts(tmp_path, lines)
    found = bag.read_text(str(tmp_path / "*.jsonl")).map_partitions(rows)
    if scheduler != "distributed":
        assert said(found.compute(scheduler=scheduler)) == expected(lines)
        return
    distributed = engine("distributed")
    cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    with cluster, distributed.Client(cluster):
        assert said(found.compute()) == expected(lines)
