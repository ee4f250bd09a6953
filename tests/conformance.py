"""The tables of `fixtures/conformance/`: what the product does with each clause of the specifications that it reads."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import NamedTuple

from golden import FIXTURES

TITLES = {
    "atip": "ATIP 0.3",
    "atip-bridge": "The reference bridge of ATIP",
    "rfc-0078": "RFC 0078, tool catalogues",
    "atdf": "ATDF 0.1 and 0.2",
    "aip-14": "AIP-14, with what AIP-30 and AIP-39 say of its tools",
}
FOLDER = FIXTURES / "conformance"
HEAD = ["clause", "verdict", "reason", "test"]
VERDICTS = ("yes", "differently", "partly", "no")
CASES = "tests/test_conformance_cases.py::test_a_clause_is_kept"


class Clause(NamedTuple):
    """A row of a table."""

    text: str  # what is asked, in our own words, behind the section
    verdict: str  # one of `VERDICTS`
    reason: str  # why it is not "yes"
    tests: tuple[str, ...]  # each shows what the verdict says


def path_of(specification: str) -> Path:
    return FOLDER / f"{specification}.tsv"


def clauses_of(specification: str) -> list[Clause]:
    """The rows of the table of a specification."""
    with path_of(specification).open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
    assert head == HEAD, f"{specification}: {head}"
    return [Clause(text, verdict, reason, tuple(tests.split())) for text, verdict, reason, tests in rows]


def all_clauses() -> dict[str, list[Clause]]:
    """Every table, by the name of its specification."""
    return {name: clauses_of(name) for name in TITLES}


def cases_not_met() -> set[str]:
    """The cases of `test_conformance_cases.py` of which a row says that they come out otherwise today."""
    unmet = (clause for rows in all_clauses().values() for clause in rows if clause.verdict in ("partly", "no"))
    return {test.partition("[")[2].removesuffix("]") for clause in unmet for test in clause.tests if "[" in test}
