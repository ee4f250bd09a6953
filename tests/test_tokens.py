"""The formula of tokens beside the vocabulary, and what `count_tokens` says beside what the other verbs write."""

from __future__ import annotations

import json
import re
import statistics
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import toolglot
from golden import FIXTURES
from rows import for_each, sample
from toolglot.cli.commands.print_tokens import costs_to_json, costs_to_text
from toolglot.converter import formats
from toolglot.converter.conversion import sources
from toolglot.converter.hub.model import Tool
from toolglot.converter.schema import canonical
from toolglot.converter.schema.document_problems import find_problems
from toolglot.errors import Error, UsageError
from toolglot.verbs.tokens import exact
from toolglot.verbs.tokens.costs import TokenCosts, count_tokens
from toolglot.verbs.tokens.definitions import PARTS
from toolglot.verbs.tokens.estimate import COEFFICIENTS, counted_text, estimate_tokens

PROVIDERS = [name for name in formats.names() if formats.get(name).provider.profiles]
ROOT = Path(__file__).parents[1]
EXTRA = "the extra `tokens` is not installed, whose vocabulary the formula is held to"


@cache
def tools() -> list[Tool]:
    """A program with groups, tools of servers, and single ones, of every format."""
    read: list[Tool] = []
    for path in corpus_files():
        try:
            read += toolglot.read(path)
        except Error:
            continue  # the corpus has files that are refused, too
    return read


def corpus_files() -> list[Path]:
    return sorted(path for path in (FIXTURES / "corpus").rglob("*") if path.is_file())


@cache
def costs(provider: str) -> TokenCosts:
    return count_tokens(tools(), provider, safety_text="full")


# -- the formula ------------------------------------------------------------------------------------------------------


def documents() -> Iterator[dict[str, Any]]:
    """Definitions as they are published, and as models are offered them."""
    for path in corpus_files():
        try:
            yield from (record.data for record in sources.read_document(sources.open_document(path)).records)
        except Error:
            continue
    for provider in PROVIDERS:
        yield from toolglot.compile(tools(), provider, safety_text="full").definitions


def test_the_formula_is_near_the_vocabulary() -> None:
    pytest.importorskip("bpe_openai", reason=EXTRA)
    errors = [estimate_tokens(data) / exact.count_exactly(data) - 1 for data in documents()]
    assert len(errors) > 100
    assert abs(statistics.median(errors)) < 0.03
    assert max(map(abs, errors)) < 0.25


TEXTS = {
    "": (0, 0),
    "List the files of a folder.": (7, 7),
    "getHTTPResponseCode": (4, 4),
    "[⚠️ DESTRUCTIVE | ⚠️ NOT REVERSIBLE]": (16, 17),
    "1234567890": (4, 5),
    "<|endoftext|>": (7, 4),  # no special token in the words of a tool
}


@for_each("text, tokens, estimated", [(text, *numbers) for text, numbers in TEXTS.items()])
def test_texts_have_these_numbers(text: str, tokens: int, estimated: int) -> None:
    assert estimate_tokens(text) == estimated
    if find_spec("bpe_openai"):
        assert exact.count_exactly(text) == tokens


def test_the_documents_have_the_coefficients() -> None:
    rows = re.findall(
        r"^\| .* \| ([0-9.]+) \|$", (ROOT / "docs" / "reference/tokens.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert [float(number) for number in rows] == list(COEFFICIENTS)


@for_each("text", ["A" * 10_000, "a" * 10_000, "Aa" * 10_000, "_" * 10_000, '"' * 10_000, "é" * 10_000])
def test_the_estimate_of_a_long_text_grows_with_its_length(text: str) -> None:
    assert estimate_tokens(text * 10) <= 10 * estimate_tokens(text) + 1


def test_no_number_is_exact_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    exact._load_encoding.cache_clear()
    monkeypatch.setattr("toolglot.extras.find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"\.\[tokens\]") as caught:
        count_tokens(Tool(id="ls"), "openai", exact=True)
    assert caught.value.code == "missing-extra"
    exact._load_encoding.cache_clear()


# -- what a request costs ---------------------------------------------------------------------------------------------


@for_each("provider", PROVIDERS)
def test_the_numbers_are_those_of_what_is_offered(provider: str) -> None:
    compiled = toolglot.compile(tools(), provider, safety_text="full")
    assert costs(provider).tokens == estimate_tokens(counted_text(json.loads(compiled.text)))
    counted = sorted((estimate_tokens(data) for data in compiled.definitions), reverse=True)
    assert [definition.tokens for definition in costs(provider).definitions] == counted
    assert set(costs(provider).excluded) <= {
        name for name, exposed in compiled.tools.items() if exposed.reason is not None
    }


@for_each("provider", PROVIDERS)
def test_the_parts_are_the_whole(provider: str) -> None:
    for definition in costs(provider).definitions:
        assert sum(definition.parts.values()) == definition.tokens
        assert min(definition.parts.values()) >= 0
    used = {part for part, tokens in costs(provider).parts.items() if tokens}
    assert {"name", "description", "safety_text", "parameters", "parameter_descriptions", "other"} <= used


@for_each(("number", "provider"), enumerate(PROVIDERS))
def test_what_is_said_to_be_saved_is_saved(number: int, provider: str) -> None:
    before = costs(provider)
    assert {"read_only", "depth", "without", "descriptions"} <= {saving.option for saving in before.savings}
    for option, value, tokens in sample(before.savings, 4, number):
        assert tokens > 0
        if option in ("descriptions", "parameter_descriptions"):
            continue  # no option: somebody has to write them
        options: dict[str, Any] = {"safety_text": "full", option: value}
        after = count_tokens(tools(), provider, **options)
        # Fewer tools have less between them, and need longer names less often.
        assert abs(before.tokens - after.tokens - tokens) <= 2 * len(before.definitions)
        if option in ("read_only", "depth", "without"):
            assert after.saved_by_choice == before.tokens - after.tokens


def test_short_texts_are_not_said_to_be_shortened() -> None:
    short = Tool(id="ls", description="List the files.")
    assert count_tokens(short, "openai").savings == []
    long = Tool(id="ls", description="List the files. They are sorted by their names, the newest last.")
    [saving] = count_tokens(long, "openai").savings
    saved = count_tokens(long, "openai").tokens - count_tokens(short, "openai").tokens
    assert saving.option == "descriptions"
    assert abs(saving.tokens - saved) <= 1  # each number is rounded


def test_the_table_has_the_largest_definitions_and_the_rest_as_one_line() -> None:
    tools = [Tool(id=f"t{index:02}", description="word " * 3 * index) for index in range(60)]
    costs = toolglot.count_tokens(tools, "openai")
    lines = [line.split() for line in costs_to_text([costs]).splitlines()[1:53]]
    assert [lines[0][0], lines[49][0], *lines[50][:2], *lines[51][:2]] == ["t59", "t10", "10", "more", "the", "request"]
    listed = sum(int(line[-1].replace(",", "")) for line in lines[:51])
    assert listed == sum(definition.tokens for definition in costs.definitions)


def test_the_json_is_what_its_schema_says() -> None:
    data = json.loads(costs_to_json([costs(provider) for provider in PROVIDERS]))
    assert list(find_problems(data, "tokens/1")) == []
    assert [entry["provider"] for entry in data["providers"]] == PROVIDERS
    parts = canonical.load("tokens/1")["$defs"]["parts"]
    assert parts["required"] == list(parts["properties"]) == [part.replace("_", "-") for part in PARTS]


@for_each(
    "provider, options, code",
    [
        ("atdf", {}, "not-a-provider"),
        ("nothing", {}, "unknown-format"),
        ("openai", {"only": "calendar"}, "nothing-chosen"),
        ("openai", {"profile": "none"}, "unknown-profile"),
        ("openai", {"verbosity": 3}, "bad-option"),
    ],
)
def test_what_cannot_be_counted_is_refused(provider: str, options: dict[str, Any], code: str) -> None:
    with pytest.raises(UsageError) as caught:
        count_tokens(tools(), provider, **options)
    assert caught.value.code == code
