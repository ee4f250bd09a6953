"""What nobody stated of real MCP tools, and a conversion says: `python tests/invented_corpus.py`, or `make corpus`.

Every tool goes by itself to every format, and from there to every other one. What the last document states is held
against what the tool states, by the judge of the laws. The words of the closed table are counted, anything else breaks
law 3.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import corpus
import judge
import toolglot
from toolglot.errors import Error

FIRST = ("mcp", "aip14", "openai")  # the way on which every tool asked for approval
WAYS = [
    FIRST,
    *[("mcp", one) for one in judge.FORMATS],
    *[("mcp", one, other) for one in judge.FORMATS for other in judge.FORMATS if ("mcp", one, other) != FIRST],
]


@dataclass
class Outcome:
    """What some tools came to."""

    counts: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)  # error code -> conversions
    coarse: Counter[str] = field(default_factory=Counter)  # word of the closed table -> documents
    faults: Counter[tuple[str, str, tuple[str, ...]]] = field(default_factory=Counter)  # kind, facet, way -> documents
    examples: dict[tuple[str, str], str] = field(default_factory=dict)

    def add(self, other: Outcome) -> None:
        self.counts += other.counts
        self.refused += other.refused
        self.coarse += other.coarse
        self.faults += other.faults
        self.examples = {**other.examples, **self.examples}


def tools() -> Iterator[Any]:
    """Every MCP tool of the corpus, as data."""
    for path in corpus.files("mcp"):
        found = corpus.reading_of(path)
        if found is not None and found.format.name == "mcp":
            yield from (record.data for record in found.records)


def judged(tool: Any) -> Outcome:
    """One tool on all ways."""
    content = json.dumps({"tools": [tool]})
    outcome = Outcome(Counter(tools=1))
    [first] = judge.read("mcp", content)
    hops: dict[tuple[str, ...], str] = {("mcp",): content}
    for way in sorted(WAYS, key=len):
        before = hops.get(way[:-1])
        if before is None:
            continue  # its first step was refused, and is counted
        try:
            hops[way] = toolglot.convert(before, way[-1], format=way[-2]).text
        except Error as error:
            outcome.refused[error.code or ""] += 1
            continue
        outcome.counts["documents"] += 1
        [last] = judge.read(way[-1], hops[way])
        outcome.coarse.update({word for _, word in judge.surplus(first, last, way) if word is not None})
        for fault in judge.faults(first, last, way):
            outcome.faults[fault.kind, fault.facet, way] += 1
            outcome.examples.setdefault((fault.kind, fault.facet), f"{' -> '.join(way)} {fault.tool}")
    return outcome


def show(outcome: Outcome) -> None:
    print(f"{len(WAYS)} ways, " + ", ".join(f"{count:,} {name}" for name, count in outcome.counts.items()))
    print("refused: " + (", ".join(f"{code} {count:,}" for code, count in outcome.refused.items()) or "0"))
    print("words of the closed table: " + ", ".join(f"{word} {n:,}" for word, n in outcome.coarse.most_common()))
    invented = Counter[tuple[str, ...]]()
    for (kind, _, way), count in outcome.faults.items():
        invented[way] += count if kind == "invented" else 0
    print(f"invented statements: {sum(invented.values()):,}; {' -> '.join(FIRST)}: {invented[FIRST]:,}")
    groups = Counter[tuple[str, str]]()
    for (kind, facet, _), count in outcome.faults.items():
        groups[kind, facet] += count
    for (kind, facet), count in groups.most_common():
        print(f"  {kind} {facet}: {count:,}, such as {outcome.examples[kind, facet]}")


if __name__ == "__main__":
    if not corpus.IS_HERE:
        sys.exit(f"the corpus is not here: {corpus.ROOT.parent.name}/{corpus.ROOT.name} has to lie beside the checkout")
    step = int(sys.argv[1]) if len(sys.argv) > 1 else 1  # every so many tools
    everything = Outcome()
    with ProcessPoolExecutor(2) as pool:
        for found in pool.map(judged, [*tools()][::step], chunksize=20):
            everything.add(found)
    show(everything)
    sys.exit(bool(everything.faults))
