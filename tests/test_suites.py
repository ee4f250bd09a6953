"""Published suites, a part of each in every run; `make suites` runs all of them and prints the figures."""

from __future__ import annotations

import pytest

import suites

pytestmark = pytest.mark.skipif(not suites.ROOT.is_dir(), reason="the published suites are not beside the checkout")


@pytest.mark.parametrize("draft", suites.DRAFTS)
def test_schemas_of_five_drafts_to_every_target(draft: str) -> None:
    figures = suites.run_schemas(draft, suites.STEP)
    assert figures.cases > 100 // suites.STEP
    assert suites.undefended(figures) == []


def test_json() -> None:
    figures = suites.run_json()
    assert figures.counts["n refused"] == 188
    assert figures.counts["y read"] == 85
    assert suites.undefended(figures) == []


def test_yaml() -> None:
    figures = suites.run_yaml()
    assert figures.counts["the same"] >= 116
    assert suites.undefended(figures) == []
