"""Whether a stream takes the same memory however long it is: `python benchmarks/stream.py [RECORDS] [JOBS]`.

ATDF records of about 1 kB are made one by one, piped through `toolglot convert - --to tool-descriptor`, and counted
on the other side. Meanwhile the resident memory of that process and its workers is added up ten times a second.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter, sleep
from typing import IO, NamedTuple

from documents import ATDF_RECORD
from table import markdown

MOST = 150.0  # MB, of the whole tree of processes
GROWTH = 5.0  # MB that may be added from one fifth of the way to the end
_PAGE = 4096
_TEMPLATE = json.dumps({**ATDF_RECORD, "tool_id": "tool_NUMBER"}).encode() + b"\n"


class Sample(NamedTuple):
    """Memory of all processes in MB after so many records."""

    records: int
    memory: float


class Run(NamedTuple):
    records: int
    jobs: int
    seconds: float
    samples: list[Sample]


def lines(number: int) -> Iterator[bytes]:
    """Different records, so that no cache of whole documents could help."""
    head, tail = _TEMPLATE.split(b"NUMBER")
    for index in range(number):
        yield b"%b%d%b" % (head, index, tail)


def resident(root: int) -> float:
    """MB of a process and all below it; pages that they share count for each."""
    parents: dict[int, int] = {}
    sizes: dict[int, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            stat = (folder / "stat").read_text().rpartition(")")[2].split()
            sizes[int(folder.name)] = int((folder / "statm").read_text().split()[1]) * _PAGE
            parents[int(folder.name)] = int(stat[1])
        except OSError:
            continue  # it has ended
    return sum(size for pid, size in sizes.items() if _is_below(pid, root, parents)) / 1e6


def _is_below(pid: int, root: int, parents: dict[int, int]) -> bool:
    while pid in parents and pid != root:
        pid = parents[pid]
    return pid == root


def measure(records: int, jobs: int) -> Run:
    """One run of the real command."""
    command = [sys.executable, "-m", "toolglot", "convert", "-", "--to", "tool-descriptor"]
    command += ["--stdin-filename", "records.jsonl", "--jobs", str(jobs), "--quiet"]
    began = perf_counter()
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    counts = [0]
    threads = [
        threading.Thread(target=_feed, args=(process.stdin, records)),
        threading.Thread(target=_count, args=(process.stdout, counts)),
    ]
    for thread in threads:
        thread.start()
    samples: list[Sample] = []
    while process.poll() is None:
        samples.append(Sample(counts[0], resident(process.pid)))
        sleep(0.1)
    for thread in threads:
        thread.join()
    if process.returncode or counts[0] != records:
        sys.exit(f"{counts[0]} of {records} records came back; exit code {process.returncode}")
    return Run(records, jobs, perf_counter() - began, samples)


def _feed(stream: IO[bytes], records: int) -> None:
    with stream:
        for line in lines(records):
            stream.write(line)


def _count(stream: IO[bytes], counts: list[int]) -> None:
    while block := stream.read(1 << 16):
        counts[0] += block.count(b"\n")


def growth(run: Run) -> float:
    """MB that a straight line through the samples rises from one fifth of the records to the last."""
    late = [sample for sample in run.samples if sample.records >= run.records / 5]
    if len(late) < 2:
        return 0.0
    x = sum(sample.records for sample in late) / len(late)
    y = sum(sample.memory for sample in late) / len(late)
    spread = sum((sample.records - x) ** 2 for sample in late)
    if not spread:
        return 0.0
    rise = sum((sample.records - x) * (sample.memory - y) for sample in late) / spread
    return rise * run.records * 4 / 5


def row(run: Run) -> list[str]:
    most = max(sample.memory for sample in run.samples)
    return [
        f"{run.records:,}",
        f"{run.records * len(_TEMPLATE) / 1e6:,.0f} MB",
        str(run.jobs),
        f"{run.seconds:.1f} s",
        f"{run.records / run.seconds:,.0f}/s",
        f"{most:.0f} MB (at most {MOST:.0f})",
        f"{growth(run):+.1f} MB (at most {GROWTH:.0f})",
    ]


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]]
    run = measure(*given, *(1_000_000, 2)[len(given) :])
    print(markdown([["records", "size", "jobs", "time", "rate", "memory", "growth"], row(run)]))
    sys.exit(max(sample.memory for sample in run.samples) > MOST or growth(run) > GROWTH)
