"""The verdicts that need no library against those of `jsonschema-rs`: the same document, the same verdict."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import corpus
from rows import for_each, sample
from toolglot.converter.conversion import sources
from toolglot.converter.schema import canonical
from toolglot.converter.schema.canonical import _KEYWORDS, Early
from toolglot.converter.schema.keywords import TYPES
from toolglot.converter.text.pointers import as_list, keyed_values
from toolglot.errors import Error

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
EARLY = Early(canonical.load, 10**12)
NAMES = canonical.names()


def said(data: Any, name: str) -> bool | None:
    """What the library says; `None` where it raises, and then nothing is decided early either."""
    try:
        return bool(canonical._validator(name).is_valid(data))
    except ValueError:
        return None


def records(paths: Iterable[Path]) -> Iterator[Any]:
    """Every document, and what its containers hold."""
    for path in paths:
        try:
            data = sources.open_document(path).data
        except Error:
            continue
        yield data
        entries = data.get("tools", data) if isinstance(data, dict) else data
        yield from entries if isinstance(entries, list) else ()


@cache
def ours() -> list[Any]:
    return [*records(sorted(FIXTURES.rglob("*")))]


@cache
def valid() -> dict[str, list[str]]:
    """Under the name of every schema, the fixtures that obey it, as JSON."""
    texts = {json.dumps(data): data for data in ours()}
    return {name: [text for text, data in texts.items() if said(data, name)] for name in NAMES}


def differing(documents: Iterable[Any]) -> list[tuple[str, Any]]:
    """The pairs of a schema and a document where the two disagree; the suite tries each document with some schemas."""
    found = ((name, data) for number, data in enumerate(documents) for name in sample(NAMES, 6, number))
    return [(name, data) for name, data in found if EARLY.obeys(data, name) not in (said(data, name), None)]


def test_fixtures_get_the_same_verdict() -> None:
    assert not differing(ours())


@for_each("folder", corpus.FOLDERS)
def test_real_documents_get_the_same_verdict(folder: str) -> None:
    assert not differing(records(corpus.files(folder)))


def test_fixtures_are_decided_without_the_library() -> None:
    undecided = [
        name for name, texts in valid().items() for text in texts if EARLY.obeys(json.loads(text), name) is None
    ]
    assert not undecided
    assert sum(bool(texts) for texts in valid().values()) > len(NAMES) // 2


# -- mutations --------------------------------------------------------------------------------------------------

# Values on the edges of our keywords: types that look alike, ends of lines, limits, and what the enums say.
_STRANGE: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, False, 0, 1, -1, 2, 3, 4, 1.0, 0.5, 3.5, 10**20, "", "a", "a\n", "\n", "-a", "a-b", "A_B", "0.6",
     "1.0.0", "1.0.0\n", "10-30s", "5s", "P1D", "en", "en\n", "en-US", "x" * 64, "x" * 129, "exec", "read",
     "host-extension", "sha256:" + "a" * 64, "https://a", "policy:a", "\u3000", "é", [], [1],
     ["a", "a"], ["a", "b"], [1, True], [{}], {}, {"a": 1}, {"type": "object"}, {"a\n": {}}]
)  # fmt: skip
_VALUES = st.one_of(_STRANGE, st.text(max_size=5), st.integers(), st.floats(allow_nan=False, allow_infinity=False))


def places(data: Any) -> list[tuple[Any, Any]]:
    """Every container of a document with each of its keys."""
    found = [(data, key) for key, _ in keyed_values(data)]
    for _, value in keyed_values(data):
        found += places(value)
    return found


def mutate(data: Any, draw: Any) -> Any:
    data = copy.deepcopy(data)
    for _ in range(draw(st.integers(1, 3))):
        if not (found := places(data)):
            return draw(_VALUES)
        holder, key = found[draw(st.integers(0, len(found) - 1))]
        how = draw(st.sampled_from(["replace", "remove", "add", "twice", "shorten"]))
        if how == "remove":
            del holder[key]
        elif how == "replace":
            holder[key] = copy.deepcopy(draw(_VALUES))  # the next step may change it
        elif how == "add" and isinstance(holder, dict):
            holder[draw(st.one_of(st.sampled_from(["x", "a b", "x\n", "toolId"]), st.text(max_size=3)))] = (
                copy.deepcopy(draw(_VALUES))
            )
        elif how == "twice" and isinstance(holder, list):
            holder.append(copy.deepcopy(holder[key]))
        elif how == "shorten" and isinstance(holder[key], str):
            holder[key] = holder[key][: draw(st.integers(0, 3))] + draw(st.sampled_from(["", "\n", "-", "A", "$"]))
    return data


@for_each("name", NAMES)
@given(data=st.data())
def test_a_mutated_document_gets_the_same_verdict(name: str, data: st.DataObject) -> None:
    documents = valid()[name]
    document = mutate(json.loads(data.draw(st.sampled_from(documents))), data.draw) if documents else data.draw(_VALUES)
    verdict = EARLY.obeys(document, name)
    assert verdict is None or verdict == said(document, name)


@given(_VALUES, st.sampled_from(NAMES))
def test_any_value_gets_the_same_verdict(value: Any, name: str) -> None:
    verdict = EARLY.obeys(value, name)
    assert verdict is None or verdict == said(value, name)


# -- what our schemas may say -----------------------------------------------------------------------------------

_MAPS = ("properties", "$defs", "patternProperties")
_LISTS = ("allOf", "anyOf", "oneOf")
_ONE = ("items", "additionalProperties", "propertyNames", "not", "if", "then", "else")
# Signs that mean the same in ECMA-262 and in Python; `$` only at the end, where `canonical._pattern` replaces it.
_PORTABLE = re.compile(
    r"\^?(?:[a-zA-Z0-9:/,_ -]|\\[.n]|\((?:\?!)?|\)|\||\[\^?(?:[^\\\[\]]|\\(?:[tnfr]|x[0-9a-f]{2}|u[0-9a-f]{4}))+\]"
    r"|[*+?]|\{[0-9,]+\})*\$?"
)


def subschemas(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        yield schema
        inner = [value for key in _MAPS for value in schema.get(key, {}).values()]
        inner += [value for key in _LISTS for value in schema.get(key, [])]
        for value in (*inner, *(schema[key] for key in _ONE if key in schema)):
            yield from subschemas(value)


@for_each("name", NAMES)
def test_a_schema_says_only_what_is_known(name: str) -> None:
    for schema in subschemas(canonical.load(name)):
        assert schema.keys() <= _KEYWORDS.keys()
        assert set(as_list(schema.get("type", []))) <= {*TYPES}
        patterns = [*schema.get("patternProperties", {}), *([schema["pattern"]] if "pattern" in schema else [])]
        assert all(_PORTABLE.fullmatch(pattern) for pattern in patterns), patterns


@for_each(
    ("schema", "value"),
    [
        ({"dependentRequired": {"a": ["b"]}}, {"a": 1}),
        ({"$ref": "https://example.org/a.schema.json"}, 1),
        ({"$ref": "#"}, 1),
        ({"minimum": 0}, float("nan")),
    ],
)
def test_what_is_not_known_is_left_to_the_library(schema: dict[str, Any], value: Any) -> None:
    assert Early(lambda name: schema).obeys(value, "a/1") is None


def test_a_document_that_is_deep_or_large_is_left_to_the_library() -> None:
    deep: Any = {}
    for _ in range(5000):
        deep = {"a": deep}
    early = Early(lambda name: {"additionalProperties": {"$ref": "#"}}, 10**6)
    assert early.obeys(deep, "a/1") is None
    early = Early(lambda name: {"items": {"type": "integer"}}, 100)
    assert early.obeys([1] * 50, "a/1") is True
    assert early.obeys([1] * 50, "a/1") is None
    assert early.left == 0
