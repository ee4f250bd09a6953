"""`docs/internals/conformance.md`: each clause of the specifications, what the product does, the test that shows it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from conformance import TITLES, VERDICTS, Clause, all_clauses
from links import anchors
from reference.tables import table

HEAD = """# Conformance: of {total} clauses {counts}

Each row is a clause of a specification in our own words. *yes* is as it is written, *differently* is on purpose, and
*partly* and *no* are not met; all but *yes* have the reason. The page is generated from `fixtures/conformance/`. A test
holds every row to the test that it names, and every case of `tests/test_conformance_cases.py` to a row. A case of a row
that is not met has to fail: whoever mends it has to correct the row.
"""

WORDS = {"yes": "met as written", "differently": "met differently", "partly": "met in part", "no": "not met"}


def page() -> str:
    """The whole page."""
    tables = all_clauses()
    rows = [clause for clauses in tables.values() for clause in clauses]
    parts = [HEAD.format(total=len(rows), counts=counts_of(rows))]
    summary = [(link_to(TITLES[name]), *numbers_of(clauses)) for name, clauses in tables.items()]
    parts.append(table(("specification", "clauses", *VERDICTS), summary) + "\n")
    for name, clauses in tables.items():
        parts.append(f"## {TITLES[name]}\n")
        parts.append(table(("clause", "verdict", "reason", "shown by"), map(cells_of, clauses)) + "\n")
    return "\n".join(parts)


def link_to(heading: str) -> str:
    [anchor] = anchors(f"# {heading}")
    return f"[{heading}](#{anchor})"


def cells_of(clause: Clause) -> tuple[str, ...]:
    shown = ", ".join(f"`{test.removeprefix('tests/')}`" for test in clause.tests)
    return clause.text, clause.verdict, clause.reason, shown


def numbers_of(clauses: Iterable[Clause]) -> tuple[str, ...]:
    counts = Counter(clause.verdict for clause in clauses)
    return (str(counts.total()), *(str(counts[verdict]) for verdict in VERDICTS))


def counts_of(clauses: Iterable[Clause]) -> str:
    """The counts as words, such as "3 met as written, 1 not met"."""
    counts = Counter(clause.verdict for clause in clauses)
    return ", ".join(f"{counts[verdict]} {WORDS[verdict]}" for verdict in VERDICTS if counts[verdict])
