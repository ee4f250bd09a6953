"""Suites of JSON Schema, JSON and YAML, a part of each in every run; `make suites` runs all of the published ones."""

from __future__ import annotations

import pytest

import suites

STEP = suites.STEP if suites.ARE_HERE else 1
LEAST = (
    {"n refused": 188, "y read": 85, "the same": 116}
    if suites.ARE_HERE
    else {"n refused": 24, "y read": 11, "the same": 19}
)


@pytest.mark.parametrize("draft", suites.DRAFTS)
def test_schemas_of_five_drafts_to_every_target(draft: str) -> None:
    figures = suites.run_schemas(draft, STEP)
    assert figures.cases > 100 // suites.STEP
    assert suites.undefended(figures) == []


def test_json() -> None:
    figures = suites.run_json()
    assert figures.counts["n refused"] == LEAST["n refused"]
    assert figures.counts["y read"] == LEAST["y read"]
    assert suites.undefended(figures) == []


def test_yaml() -> None:
    figures = suites.run_yaml()
    assert figures.counts["the same"] >= LEAST["the same"]
    assert suites.undefended(figures) == []
