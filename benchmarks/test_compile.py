"""A program of 160 commands compiled for every provider, and fitting beside the converters of agent libraries.

Each round of the first stands beside its floor, `json.loads` + `json.dumps` of the same document; `make bench` prints
it as a table. For scale: the reference bridge of ATIP was measured at 210 us on node, from the text of another program
of 167 commands to the text of the definitions; it does not validate, and it is not run here.

The second group needs the extra `peers` and the judges of `tests/`; `make peers` prints it as a table, and
`pytest benchmarks/test_compile.py` has pytest-benchmark say it.
"""

from __future__ import annotations

import copy
import importlib
import json
import warnings
from collections.abc import Callable, Iterator
from statistics import median
from time import perf_counter
from typing import Any

import pytest
from documents import program

import toolglot
from toolglot.converter import formats
from toolglot.runtime.bridge.compilation import RECENT

SECONDS = 0.5  # for each measurement
PROGRAM = program()
TOOLS = toolglot.read(PROGRAM)


def targets() -> list[tuple[str, bool]]:
    """Every provider and version, loose, and strict where there is such a mode."""
    targets = []
    for name in formats.names():
        for row in formats.get(name).provider.profiles:
            if row.profile == name:
                targets += [(f"{row.format}@{version}", row.strict) for version in row.versions]
    return targets


def operations(provider: str, strict: bool) -> dict[str, Callable[[], Any]]:
    def compiled(tools: Any) -> Any:
        RECENT.forget()  # every round is a first request
        return toolglot.compile(tools, provider, strict=strict)

    return {
        "compile": lambda: compiled(TOOLS),
        "compile + report": lambda: compiled(TOOLS).report,
        "text to text": lambda: compiled(toolglot.read(PROGRAM)).text,
    }


def cases() -> Iterator[Any]:
    for provider, strict in targets():
        mode = "strict" if strict else "loose"
        for name, run in operations(provider, strict).items():
            case_id = f"{provider}-{mode}-{name}".replace(" ", "-")
            yield pytest.param(provider, strict, name, run, id=case_id)


@pytest.mark.parametrize(("provider", "strict", "operation", "run"), list(cases()))
def test_compile(benchmark: Any, provider: str, strict: bool, operation: str, run: Callable[[], Any]) -> None:
    floors: list[float] = []

    def floor() -> None:
        started = perf_counter()
        json.dumps(json.loads(PROGRAM))
        floors.append(perf_counter() - started)

    run()  # loads the formats and the validators
    started = perf_counter()
    run()
    rounds = int(SECONDS / (perf_counter() - started))
    mode = f"{provider} {'strict' if strict else 'loose'}"
    benchmark.group = f"compile: {mode}"
    benchmark.extra_info.update(format=mode, document="160 commands", size=len(PROGRAM), operation=operation)
    benchmark.pedantic(run, setup=floor, rounds=max(rounds, 9))
    benchmark.extra_info["floor"] = median(floors)


def peers() -> list[Any]:
    """The functions under comparison, each with the schemas that none of them refuses."""
    try:
        module = importlib.import_module("peers")
        listed = module.contenders()
    except ImportError as missing:
        return [pytest.param(None, None, marks=pytest.mark.skip(reason=f"the extra `peers` is not there: {missing}"))]
    common = module.common(listed)
    return [pytest.param(item, common, id=item.name.replace(" ", "-")) for item in listed]


@pytest.mark.parametrize(("contender", "schemas"), peers())
def test_fit_beside_peers(benchmark: Any, contender: Any, schemas: list[Any]) -> None:
    def run(copies: list[Any]) -> None:
        for schema in copies:
            contender.bare(schema)

    benchmark.group = f"peers: {len(schemas)} schemas"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what peers warn about, they warn about a thousand times
        benchmark.pedantic(run, setup=lambda: ((copy.deepcopy(schemas),), {}), rounds=50, warmup_rounds=2)
