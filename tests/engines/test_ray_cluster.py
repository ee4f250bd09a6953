"""Two machines of Ray on this one, and everything that ends before its time."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engines.shared import engine, totals
from toolglot.errors import UsageError
from toolglot.streams import Shards, convert_batch, convert_shards

ray = engine("ray")

TO = "mcp"
HOOK = """
import os, signal, time
from toolglot.verbs.streams import record_stream
real = record_stream.read_record
def deadly(record, *others):
    if b"deadly" in record or b"once" in record and not os.path.exists({mark!r}):
        open({mark!r}, "w").close()
        os.kill(os.getpid(), signal.SIGKILL)
    if b"slow" in record:
        time.sleep(1)
    return real(record, *others)
record_stream.read_record = deadly
"""


def line(name: str) -> str:
    return json.dumps({"toolId": name, "source": "mcp", "safetyTier": "read"})


def write(folder: Path, *names: str, files: int = 4, number: int = 50) -> list[str]:
    """Files of records, one of which each name replaces, and all their lines."""
    folder.mkdir()
    lines = [line(f"t{at}") for at in range(files * number)]
    for at, name in enumerate(names):
        lines[at * number + 7] = line(f"{name}-{at}")
    for at in range(files):
        (folder / f"{at}.jsonl").write_text("".join(f"{text}\n" for text in lines[at * number : (at + 1) * number]))
    return lines


@pytest.fixture
def hook(tmp_path: Path) -> dict[str, object]:
    """A start of workers after which some records end them, or take long."""
    (tmp_path / "site").mkdir()
    code = HOOK.format(mark=str(tmp_path / "mark"))
    (tmp_path / "site" / "deadly_hook.py").write_text(f"def install():\n    exec({code!r}, {{}})\n")
    return {
        "env_vars": {"PYTHONPATH": str(tmp_path / "site")},
        "worker_process_setup_hook": "deadly_hook.install",
    }


@pytest.fixture
def two_nodes(hook: dict[str, object]) -> Iterator[Any]:
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    cluster.add_node(num_cpus=1)
    ray.init(address=cluster.address, runtime_env=hook, log_to_driver=False)
    yield cluster
    ray.shutdown()
    cluster.shutdown()


def check_whole(output: Path, lines: list[str], lost: int = 0) -> None:
    """The results are those of one process; nothing is left of what was killed."""
    wanted = [text for text in convert_batch(lines, TO)["output"] if '"deadly' not in text]
    found = [text for path in sorted(output.glob("*.jsonl")) for text in path.read_text().split("\n") if text]
    assert found == wanted
    assert len(found) == len(lines) - lost
    assert not (output / "_temporary").exists()
    assert json.loads((output / "_manifest.json").read_text())["tally"]["records"] == len(lines)


def test_workers_that_are_killed_and_a_record_that_kills_them(tmp_path: Path, two_nodes: object) -> None:
    lines = write(tmp_path / "in", "once", "deadly")
    total = totals(convert_shards(Shards(str(tmp_path / "in"), str(tmp_path / "out")), TO))
    assert (total["refused"], total["error worker-died"]) == (1, 1)
    assert (tmp_path / "mark").exists()
    check_whole(tmp_path / "out", lines, lost=1)
    errors = (tmp_path / "out/_errors/1.jsonl").read_text().splitlines()
    assert [(row["index"], row["error"]) for row in map(json.loads, errors)] == [(8, "worker-died")]


def test_a_machine_that_goes_away(tmp_path: Path, two_nodes: Any) -> None:
    lines = write(tmp_path / "in", *["slow"] * 8, files=8)
    shards = convert_shards(Shards(str(tmp_path / "in"), str(tmp_path / "out")), TO)
    first = next(shards)
    [other] = two_nodes.worker_nodes
    two_nodes.remove_node(other, allow_graceful=False)
    total = totals(shards)
    total.update(first.tally)
    assert total["rows"] == len(lines)
    check_whole(tmp_path / "out", lines)


DRIVER = """
import sys
import ray
from toolglot.streams import Shards, convert_shards
ray.init(num_cpus=1, include_dashboard=False, runtime_env={hook!r}, log_to_driver=False)
for shard in convert_shards(Shards(*sys.argv[1:], resume=True), "mcp"):
    print(shard.name, flush=True)
"""


def test_a_driver_that_is_killed(tmp_path: Path, hook: dict[str, object]) -> None:
    lines = write(tmp_path / "in", *["slow"] * 6, files=6)
    command = [sys.executable, "-c", DRIVER.format(hook=hook), str(tmp_path / "in"), str(tmp_path / "out")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as driver:
        assert driver.stdout is not None
        first = driver.stdout.readline().strip()
        driver.send_signal(signal.SIGKILL)
    time.sleep(5)  # until Ray has noticed
    before = (tmp_path / "out" / first).stat().st_mtime_ns
    with pytest.raises(UsageError, match='to was "mcp" and is "atdf"'):
        convert_shards(Shards(str(tmp_path / "in"), str(tmp_path / "out"), resume=True), "atdf")
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=200)
    assert sorted(done.stdout.split()) == [f"{at}.jsonl" for at in range(6)]
    assert done.stdout.split()[0] == first
    assert (tmp_path / "out" / first).stat().st_mtime_ns == before
    check_whole(tmp_path / "out", lines)
