"""The tables of `fixtures/conformance/` agree with the suite: what a row says is shown by a test that there is."""

from __future__ import annotations

import ast
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

import conformance
from conformance import VERDICTS, all_clauses
from golden import ROOT
from test_conformance_cases import CASES

LIST = [(name, clause) for name, rows in all_clauses().items() for clause in rows]
PLAIN_MARKS = {"golden", "parametrize", "usefixtures"}  # under any other a test may not run, or may fail, somewhere
BY_CASE = {f"{conformance.CASES}[{name}]" for name in CASES}


def marks_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """The names of the marks of pytest that a test bears."""
    names = set()
    for decorator in function.decorator_list:
        mark = decorator.func if isinstance(decorator, ast.Call) else decorator
        if isinstance(mark, ast.Attribute) and ast.unparse(mark.value) == "pytest.mark":
            names.add(mark.attr)
    return names


@cache
def functions_in(path: Path) -> dict[str, set[str]]:
    """The tests that pytest finds in a file, each with its marks."""
    tests = {}
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            tests[node.name] = marks_of(node)
    return tests


def fault_of(test: str) -> str | None:
    """What is wrong with a test that a row names."""
    if test in BY_CASE:
        return None
    file, _, name = test.partition("::")
    path = ROOT / file
    if not path.is_file() or not path.name.startswith("test_"):
        return "there is no such file of tests"
    if name not in functions_in(path):
        return "there is no such test"
    if functions_in(path)[name] - PLAIN_MARKS:
        return "it does not run everywhere"
    return None


def test_a_row_names_tests_that_there_are() -> None:
    faults = [
        f"{name}: {clause.text}: {test}: {fault}"
        for name, clause in LIST
        for test in clause.tests or ("none",)
        if (fault := fault_of(test))
    ]
    assert not faults, "\n".join(faults)


def test_a_test_that_claims_a_clause_is_named_by_a_row() -> None:
    named = {test for _, clause in LIST for test in clause.tests}
    claims = set(BY_CASE)
    for path in (ROOT / "tests").rglob("test_*.py"):
        if "mark.clause" in path.read_text("utf-8"):
            file = path.relative_to(ROOT).as_posix()
            claims |= {f"{file}::{name}" for name, marks in functions_in(path).items() if "clause" in marks}
    claims.discard(conformance.CASES)
    assert sorted(claims - named) == [], "no row of fixtures/conformance names these"


def test_a_row_is_whole() -> None:
    for name, clause in LIST:
        assert clause.text, name
        assert clause.verdict in VERDICTS, (name, clause)
        assert (clause.verdict == "yes") is not bool(clause.reason), (name, clause)


def test_no_clause_stands_twice() -> None:
    counts = Counter((name, clause.text) for name, clause in LIST)
    assert [row for row, count in counts.items() if count > 1] == []


@pytest.mark.parametrize(
    "test", ["tests/test_x.py::test_y", "tests/test_conformance.py::test_y", "tests/rows.py::main"]
)
def test_a_test_that_is_nowhere_is_a_fault(test: str) -> None:
    assert fault_of(test)
