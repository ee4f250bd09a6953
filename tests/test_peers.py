"""Ours among the functions that `make peers` compares: every schema has a definition that obeys, and says what changed.

The others need the extra `peers`; how they fare is a measurement, not a law.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.vendors

BENCHMARKS = Path(__file__).resolve().parents[1] / "benchmarks"


@pytest.fixture(scope="module")
def peers() -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BENCHMARKS))
        patch.setattr(importlib.import_module("peer_rules"), "EXAMPLES", 3)  # `make peers` tries 40
        yield importlib.import_module("peers")


@pytest.mark.parametrize("provider", ["openai", "anthropic", "gemini"])
def test_every_schema_is_offered_within_the_rules_and_reported(peers: Any, provider: str) -> None:
    found = peers.verdicts(peers.compiling(provider))
    assert len(found) == 48
    assert {name: item for name, item in found.items() if isinstance(item, Exception)} == {}
    assert {name: item.faults for name, item in found.items() if item.faults} == {}
    # A key that the sent schema does not name was not offered: it is refused without a word in the report.
    assert {name: item.unsaid - {"closed"} for name, item in found.items() if item.unsaid - {"closed"}} == {}


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_a_strict_schema_obeys_or_is_refused_with_a_code(peers: Any, provider: str) -> None:
    found = peers.verdicts(peers.fitting(provider, strict=True))
    refused = {name: item for name, item in found.items() if isinstance(item, Exception)}
    assert all(getattr(error, "code", "") for error in refused.values())
    assert {name: item.faults for name, item in found.items() if name not in refused and item.faults} == {}


@pytest.fixture
def all_examples(peers: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As many as `make peers` tries."""
    rules = importlib.import_module("peer_rules")
    monkeypatch.setattr(rules, "EXAMPLES", 40)
    rules._arguments.cache_clear()
    yield
    rules._arguments.cache_clear()


# A converter that does nothing, one that drops a bound, and one that demands what was optional.
OPEN = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "integer"}}, "required": ["a"]}


@pytest.mark.usefixtures("all_examples")
@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({}, {"invalid"}),
        ({"additionalProperties": False}, {"invalid", "closed"}),
        ({"additionalProperties": False, "required": ["a", "b"]}, {"closed", "narrowed", "unreported"}),
        ({"properties": {"a": {"type": "string"}, "b": {}}}, {"invalid", "widened", "unreported"}),
    ],
)
def test_the_judge_sees_what_a_converter_does(peers: Any, changed: dict[str, Any], expected: set[str]) -> None:
    contender = peers.peer("made up", "openai", lambda schema: {**OPEN, **changed})
    found = peers.verdict("01 optional property", contender.provider, contender.run(OPEN))
    counted = dict(zip(peers.HEAD, peers.row("made up", {"01": found})[1:], strict=True))
    kinds = ("invalid", "raises", "closed", "narrowed", "widened", "unreported", "refused")
    assert {kind for kind in kinds if counted[kind] != "0"} == expected


@pytest.mark.usefixtures("all_examples")
def test_a_warning_counts_as_a_report(peers: Any) -> None:
    def converter(schema: Any) -> Any:
        import warnings

        warnings.warn("b is needed from now on", stacklevel=2)
        return {**OPEN, "additionalProperties": False, "required": ["a", "b"]}

    contender = peers.peer("made up", "openai", converter)
    found = peers.verdict("01 optional property", contender.provider, contender.run(OPEN))
    assert found.narrowed is not None
    assert not found.unsaid
