"""Read, write, check and convert every document, each round beside its floor: parse + serialise alone.

`make bench` prints the ratios as one table; `pytest benchmarks` prints what pytest-benchmark has to say. A round
of the floor and a round of the operation take turns, so a busy machine slows both down and the ratio stays.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import Any

import pytest
import yaml
from documents import Document, documents

import toolglot
from toolglot.converter import formats

Run = Callable[[], Any]
SECONDS = 0.2  # for each measurement


def parse_and_serialise(text: str) -> None:
    if text.startswith("---\n"):
        head = text[4 : text.index("\n---\n")]
        json.dumps(yaml.load(head, yaml.CSafeLoader), default=str)
    else:
        json.dumps(json.loads(text))


def operations(document: Document) -> dict[str, Run]:
    name, texts = document.format, document.texts
    tools = [toolglot.read(text, name) for text in texts]
    return {
        "read": lambda: [toolglot.read(text) for text in texts],
        "write": lambda: [toolglot.write(some, name) for some in tools],
        "check": lambda: [toolglot.check(text) for text in texts],
        **{f"to {to}": _converting(texts, to) for to in formats.targets() if to != name},
    }


def _converting(texts: tuple[str, ...], to: str) -> Run:
    return lambda: [toolglot.convert(text, to).files for text in texts]  # without `files` nothing becomes text


CASES = [
    pytest.param(document, name, run, id=f"{document.format}-{document.name}-{name}".replace(" ", "-"))
    for document in documents()
    for name, run in operations(document).items()
]


@pytest.mark.parametrize(("document", "operation", "run"), CASES)
def test_speed(benchmark: Any, document: Document, operation: str, run: Run) -> None:
    floors: list[float] = []

    def floor() -> None:
        started = perf_counter()
        for text in document.texts:
            parse_and_serialise(text)
        floors.append(perf_counter() - started)

    try:
        run()  # loads the formats and the validators
    except toolglot.Error as error:
        pytest.skip(f"refused: {error}")
    started = perf_counter()
    floor()
    run()
    rounds = int(SECONDS / (perf_counter() - started))
    benchmark.group = f"{document.format}: {document.name}"
    benchmark.extra_info.update(format=document.format, document=document.name, size=document.size, operation=operation)
    benchmark.pedantic(run, setup=floor, rounds=min(max(rounds, 9), 1000))
    benchmark.extra_info["floor"] = median(floors)
