"""The same function under Hugging Face datasets: `make engines` runs it in an environment that has them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engines.shared import TO, engine, expected, records, said
from toolglot.streams import convert_batch

datasets = engine("datasets")


def convert(batch: dict[str, Any]) -> dict[str, Any]:
    """What `map(batched=True)` is given."""
    return convert_batch(batch, TO, column="text", report=True)


@pytest.mark.parametrize("processes", [None, 2])
def test_map(tmp_path: Path, processes: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    lines = records(300)
    data = datasets.Dataset.from_dict({"id": list(range(300)), "text": lines})
    done = data.map(convert, batched=True, batch_size=50, num_proc=processes, remove_columns=["text"])
    assert said(list(done)) == expected(lines)
    assert set(done["id"]) == set(range(300))
