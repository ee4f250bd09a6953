"""What we hold ourselves to: six operations beside what parsing and serialising alone cost, and two whole processes.

A round of the floor and a round of each operation take turns and medians are compared, so that a busy machine slows
all of them down alike. What is counted is processor time of this thread, which is free of other programs' turns.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import thread_time
from typing import NamedTuple

import startup
import yaml
from documents import ATDF_RECORD, TOOL_MD, program

import toolglot
from toolglot.converter.fitting.fit import forget_fitted
from toolglot.runtime.bridge.compilation import RECENT, Compiled
from toolglot.verbs.streams.record_stream import convert_records
from toolglot.verbs.streams.tally import Tally

Run = Callable[[], object]
RECORDS = 100  # in one round
SECONDS = 3.0  # for all rounds of one target


class Target(NamedTuple):
    """One line of the table; ratios are to the floor.

    Attributes:
        run: the operation, to its text, and with what changed as `Change`s.
        placed: the same with the line and the column of every change.
        units: how many documents one round goes through.
        most: the ratio that `run` may have; `None` where it only shows what a shortcut saves.
    """

    name: str
    floor_name: str
    floor: Run
    run: Run
    placed: Run | None
    units: int
    most: float | None


def targets(folder: Path) -> Iterator[Target]:
    path = folder / "TOOL.md"
    path.write_text(TOOL_MD, "utf-8")

    def read_and_dump() -> None:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        json.dumps(yaml.load(text[4 : text.index("\n---\n")], yaml.CSafeLoader))

    def convert(placed: bool) -> None:
        converted = toolglot.convert(path, "atip")
        _ = converted.text, (converted.report if placed else converted.report_without_lines)

    yield Target(
        "a TOOL.md to ATIP, validated, compared and reported",
        "read + yaml.CSafeLoader + json.dumps",
        read_and_dump,
        lambda: convert(False),
        lambda: convert(True),
        1,
        1.8,
    )

    lines = [json.dumps({**ATDF_RECORD, "tool_id": f"text_translator_{number}"}).encode() for number in range(RECORDS)]

    def load_and_dump() -> None:
        for line in lines:
            json.dumps(json.loads(line))

    def stream() -> None:
        tally = Tally()
        for found in convert_records(lines, "tool-descriptor", format="atdf"):
            tally.add(found)

    yield Target(
        "an ATDF record of a stream to a ToolDescriptor, validated, compared and counted",
        "json.loads + json.dumps",
        load_and_dump,
        stream,
        None,
        RECORDS,
        10.0,
    )

    document = program()

    def round_trip() -> None:
        json.dumps(json.loads(document))

    def compile_strict() -> Compiled:
        RECENT.forget()  # every round is a first request
        compiled = toolglot.compile(toolglot.read(document), "openai", strict=True)
        _ = compiled.text
        return compiled

    def compile_unseen() -> None:
        forget_fitted()
        compile_strict()

    def convert_strict() -> None:
        converted = toolglot.convert(document, "openai", strict=True)
        _ = converted.text, converted.report

    tools = toolglot.read(document)

    def compile_again() -> None:
        _ = toolglot.compile(tools, "openai", strict=True).text

    yield Target(
        "an ATIP program of 160 commands to OpenAI strict, law 3 proven",
        "json.loads + json.dumps",
        round_trip,
        compile_strict,
        None,
        1,
        9.0,
    )
    yield Target(
        "the same with the report",
        "json.loads + json.dumps",
        round_trip,
        lambda: compile_strict().report,
        convert_strict,
        1,
        15.0,
    )
    yield Target(
        "the same, none of its schemas seen before",
        "json.loads + json.dumps",
        round_trip,
        compile_unseen,
        None,
        1,
        None,
    )
    yield Target(
        "the same tools again, another request",
        "json.loads + json.dumps",
        round_trip,
        compile_again,
        None,
        1,
        0.4,
    )


def medians(runs: list[Run], seconds: float = SECONDS) -> list[float]:
    """Median seconds of each; they take turns. The first two rounds load what is loaded once."""
    taken: list[list[float]] = [[] for _ in runs]
    for _ in range(2):
        for run in runs:
            run()
    ends = thread_time() + seconds
    while thread_time() < ends or len(taken[0]) < 9:
        for run, times in zip(runs, taken, strict=True):
            started = thread_time()
            run()
            times.append(thread_time() - started)
    return [median(times) for times in taken]


PROCESSES = {
    "toolglot --help": 4.0,
    "toolglot convert TOOL.md --to atip": 8.0,
    "toolglot convert record.json --to tool-descriptor": 7.0,
}


def rows() -> list[list[str]]:
    """The table: what is done, what its floor is, both in time, the ratio, and the ratio that we aim at."""
    table = [["what", "beside", "floor", "median", "ratio", "aim", "with lines and columns"]]
    with TemporaryDirectory() as folder:
        for target in targets(Path(folder)):
            works = [target.floor, target.run]
            if target.placed:
                works.append(target.placed)
            floor, ran, *placed = medians(works)
            times = [f"{seconds / target.units * 1e6:.0f} us" for seconds in (floor, ran)]
            aim = f"{target.most:g}x" if target.most else ""
            placed_ratio = f"{placed[0] / floor:.1f}x" if placed else ""
            table.append([target.name, target.floor_name, *times, f"{ran / floor:.1f}x", aim, placed_ratio])
    base, *started = startup.measure().items()
    for name, seconds in started:
        if name in PROCESSES:
            times = [f"{value * 1e3:.0f} ms" for value in (base[1], seconds)]
            table.append([name, base[0], *times, f"{seconds / base[1]:.1f}x", f"{PROCESSES[name]:g}x", ""])
    return table
