"""The page about many machines, as it is printed: each script and each command of it is run."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engines.shared import engine, expected, needs_java, records, said, write_parts

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "many-machines.md"
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
SCRIPTS = {code.splitlines()[0].removeprefix("# "): code for kind, code in BLOCKS if kind == "py"}
COMMANDS = [line for kind, code in BLOCKS if kind == "sh" for line in code.splitlines()]
LINES = records(300)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the scripts of the page, and with what they read."""
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    (tmp_path / "in").mkdir()
    write_parts(tmp_path / "in", LINES)
    for name, code in SCRIPTS.items():
        (tmp_path / name).write_text(code)
    return tmp_path


def run(folder: Path, command: str, **replaced: str) -> str:
    """Run a command of the page, with what stands for places in it replaced."""
    assert command in COMMANDS
    replaced = {"/data/in": str(folder / "in"), "/data/out": str(folder / "out"), **replaced}
    for word, place in replaced.items():
        command = command.replace(word, place)
    done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


def parquet(folder: Path) -> list[dict[str, Any]]:
    from pyarrow import parquet as pq

    return list(pq.read_table(folder).to_pylist())


def without_changes(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return sorted(((output, *rest) for output, _, *rest in rows), key=repr)


@pytest.fixture(scope="module")
def expected_rows() -> list[tuple[Any, ...]]:
    return without_changes(expected(LINES))


def texts(folder: Path) -> list[str]:
    return [line for path in sorted(folder.glob("*.jsonl")) for line in path.read_text().split("\n") if line]


def check_ray(folder: Path) -> None:
    assert texts(folder / "out") == [output for output, *_ in sorted_by_record() if output]
    assert json.loads((folder / "out/_manifest.json").read_text())["tally"]["records"] == 300


def sorted_by_record() -> list[tuple[Any, ...]]:
    return [row for line in LINES for row in sorted(expected([line]))]


def test_ray(folder: Path) -> None:
    engine("ray")
    told = run(folder, "python convert_ray.py /data/in /data/out")
    assert told.count("part-") == 3
    check_ray(folder)
    assert run(folder, "python convert_ray.py /data/in /data/out").count("part-") == 3  # resumed: told again


def test_ray_job_submit(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engine("ray")
    monkeypatch.setenv("HOME", str(folder))  # where Ray keeps the token
    make_token, start, submit = (command for command in COMMANDS if re.search("ray (get|start|job)", command))
    run(folder, make_token)
    try:
        run(folder, start, **{"--head": "--head --num-cpus=2 --port=6399 --dashboard-port=8299"})
        run(folder, submit, **{"HEAD:8265": "127.0.0.1:8299"})
    finally:
        subprocess.run(["ray", "stop", "--force"], check=False, capture_output=True, timeout=120)
    check_ray(folder)


@needs_java
def test_spark(folder: Path, expected_rows: list[tuple[Any, ...]]) -> None:
    engine("pyspark")
    command = next(command for command in COMMANDS if "spark-submit" in command)
    run(folder, command, **{"=PYTHON ": f"={shlex.quote(sys.executable)} ", "yarn": "'local[2]'"})
    rows = parquet(folder / "out")
    for row in rows:
        row["error"] = None if str(row["error"]).startswith("__HIVE") else row["error"]
    assert without_changes(said(rows)) == expected_rows
    assert {Path(row["file_path"]).name for row in rows} == {f"part-{number}.jsonl" for number in range(3)}


def test_datasets(folder: Path, expected_rows: list[tuple[Any, ...]]) -> None:
    engine("datasets")
    run(folder, "python convert_datasets.py /data/in /data/out")
    rows = parquet(folder / "out")
    assert without_changes(said(rows)) == expected_rows
    assert {row["index"] for row in rows} == set(range(300))


def test_dask(folder: Path, expected_rows: list[tuple[Any, ...]]) -> None:
    engine("distributed")
    run(folder, "python convert_dask.py /data/in /data/out")
    rows = [json.loads(line) for line in texts(folder / "out")]
    assert without_changes(said(rows)) == expected_rows
    assert {Path(row["file"]).name for row in rows} == {f"part-{number}.jsonl" for number in range(3)}


def test_every_command_is_tried() -> None:
    """The last one of Dask is the first with another machine."""
    assert len(SCRIPTS) == 4
    assert len(COMMANDS) == 8
