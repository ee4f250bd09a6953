"""Dangers that a record states where its format has no place for them.

Documents put what they say about safety into places of their own: `toolMetadata`, `_meta`, `metadata`, `defaults`, a
level above or below the right one, `x-...`. Readers of the format pass over all of these, and the tool looks as if it
said nothing. So the words for danger are looked for in every key that nobody knows. Only what states a danger counts: a
stranger's promise that nothing happens is no more than silence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from operator import not_
from typing import Any, NamedTuple

import msgspec

from toolglot.formats.kit.mapping import Row, Table, boolean, is_bool
from toolglot.safety import is_unsafe
from toolglot.text.pointers import escape, mapping_at

_OF_VENDORS = "x-"  # the beginning of keys that say in the words of somebody else what no format has a key for
_PRIVATE = ("_", "$", "x-toolglot")  # beginnings of keys that say nothing: remarks, references, what we keep for us
OPEN = (_OF_VENDORS, *_PRIVATE)  # beginnings of keys that belong to somebody else
# Keys of values that are sent and of what they may be; headers of requests are called `X-...`.
_NO_STATEMENTS = frozenset({"properties", "examples", "example", "default", "enum", "const", "schema", "headers"})
_NAMED_ALONE = frozenset({"destructive", "reversible"})  # fields of which a word says the danger without a value
_NAMES_THINGS = frozenset({"name", "title", "label", "id", "key", "type", "description", "summary"})
_LONGEST_WORD = 20  # characters, with signs around it
_DEEPEST = 6  # mappings and lists inside one another

WordTable = Mapping[str, Any]  # the letters of a key -> its row, or the words that count in the mapping under it


def letters_of_key(key: str) -> str:
    """What is the same in all spellings of a key.

    >>> letters_of_key("READ-ONLY"), letters_of_key("readOnly")
    ('readonly', 'readonly')
    """
    return "".join(char for char in key.lower() if char.isalnum())


def words_of(table: Table) -> WordTable:
    """The keys of a table by their letters.

    >>> list(words_of({"risk_level": boolean("destructive"), "cost": {"Billable": boolean("billable")}})["cost"])
    ['billable']
    """
    words: dict[str, Any] = {}
    for key, entry in table.items():
        words[letters_of_key(key)] = entry if isinstance(entry, Row) else words_of(entry)
    return words


_ANSWERS: dict[str, str] = {
    **dict.fromkeys(("always", "required", "enabled"), "always"),
    **dict.fromkeys(("never", "no", "none", "auto", "disabled", "notrequired"), "never"),
}


def _answer_to(value: Any) -> str | None:
    """Whether a person is asked, in any spelling; `None` where nobody can tell.

    >>> _answer_to(True), _answer_to("DISABLED"), _answer_to("perhaps")
    ('always', 'never', None)
    """
    if isinstance(value, bool):
        return "always" if value else "never"
    return _ANSWERS.get(letters_of_key(value)) if isinstance(value, str) else None


ASKS = Row("approval", lambda value: _answer_to(value) is not None, _answer_to)
_HIGH = frozenset({"high", "critical", "severe", "extreme", "dangerous", "destructive"})  # numbers have many scales
_RISK = Row(
    "risk_level",
    lambda value: isinstance(value, str) and value.lower() in _HIGH,
    lambda word: 3,
    is_silent=lambda value: True,
)
_DANGEROUS_GROUP = re.compile(
    r"\W*(?:danger(?:ous)?|destructive)(?: (?:zone|options?|flags?|commands?|actions?|operations?))?\W*", re.IGNORECASE
)
_GROUP = Row(
    "destructive",
    lambda value: isinstance(value, str) and _DANGEROUS_GROUP.fullmatch(value) is not None,
    lambda words: True,
    is_silent=lambda value: True,
)
_READ_ONLY = Row("safety_tier", is_bool, {True: "read", False: "write"}.__getitem__, about="modifies")
_COMMON_WORDS = words_of({
    "destructive": boolean("destructive"),
    "dangerous": boolean("destructive"),
    "reversible": boolean("reversible"),
    "irreversible": Row("reversible", is_bool, not_),
    "is_destructive": boolean("destructive"),
    "is_dangerous": boolean("destructive"),
    "is_irreversible": Row("reversible", is_bool, not_),
    "is_consequential": ASKS,
    "idempotent": boolean("idempotent"),
    "read_only": _READ_ONLY,
    "open_world": boolean("network"),
    "destructive_hint": boolean("destructive"),
    "idempotent_hint": boolean("idempotent"),
    "read_only_hint": _READ_ONLY,
    "open_world_hint": boolean("network"),
    "billable": boolean("billable"),
    "risk": _RISK,
    "risk_level": _RISK,
    "approval": ASKS,
    "requires_approval": ASKS,
    "needs_approval": ASKS,
    "requires_confirmation": ASKS,
    "confirmation": Row(ASKS.field, ASKS.accepts, ASKS.load, is_silent=lambda words: True),  # what is asked
    "require_approval": ASKS,
    "require_confirmation": ASKS,
    "needs_confirmation": ASKS,
    "approval_required": ASKS,
    "confirmation_required": ASKS,
    "requires_human_approval": ASKS,
    "requires_user_approval": ASKS,
    "requires_user_confirmation": ASKS,
    "group": _GROUP,
    "help_group": _GROUP,
    "category": _GROUP,
})  # fmt: skip


def is_private(key: str) -> bool:
    """Whether nobody states anything under a key but for himself.

    >>> is_private("_note"), is_private("x-destructive")
    (True, False)
    """
    return key.startswith(_PRIVATE)


def is_of_vendor(key: str) -> bool:
    return key[:2].lower() == _OF_VENDORS


class Words(msgspec.Struct, frozen=True):
    """The words that are looked for: a format's own, and all that count.

    In a mapping that belongs to somebody else, such as `_meta`, only its own count: others may mean anything there.
    """

    own: WordTable
    every: WordTable


NO_WORDS = Words({}, {})


def words_with(own: WordTable) -> Words:
    """A format's own words, and those that anybody may use."""
    return Words(own, {**_COMMON_WORDS, **own})


def words_in_mappings_of_others(words: Words) -> Words:
    return Words(words.own, words.own)


class Danger(NamedTuple):
    """One that was found: where, the row of its word, and what is said."""

    place: str
    row: Row
    value: Any


def dangers_elsewhere(key: str, value: Any, words: Words, place: str) -> Iterator[Danger]:
    """The dangers that words state in and below a key that nobody knows.

    >>> stated = [{"destructive": {"value": True}}, "dangerous"]
    >>> [(danger.place, danger.value) for danger in dangers_elsewhere("a", stated, words_with({}), "/a")]
    [('/a/0/destructive', True), ('/a/1', True)]
    """
    if not _is_of_calls(key, value):
        yield from _find_words(key, value, words.every, place, _DEEPEST)


# Keys of a property that say something about its values: most are looked up for nothing otherwise, and some are spelled
# like words for danger.
_OF_VALUES = frozenset({
    "type", "description", "title", "default", "enum", "items", "properties", "required", "format", "minimum",
    "maximum", "anyOf", "oneOf", "allOf", "$ref", "pattern", "minLength", "maxLength", "minItems", "maxItems", "const",
    "examples", "additionalProperties", "nullable", "deprecated", "readOnly", "writeOnly", "category", "group",
})  # fmt: skip


def dangers_of_values(schema: Mapping[str, Any] | None) -> Iterator[Danger]:
    """The dangers that a schema of arguments states, itself or of its properties: of what a call does with such values.

    Only their own keys count. What stands deeper is about values, of which nobody knows what they do.

    >>> force = {"type": "boolean", "readOnly": False, "dangerous": True, "items": {"dangerous": True}}
    >>> [(danger.place, danger.value) for danger in dangers_of_values({"properties": {"force": force}})]
    [('/properties/force/dangerous', True)]
    """
    if schema is None:
        return
    yield from _dangers_in_keywords(schema, "")
    for name, inner in mapping_at(schema, "properties").items():
        if isinstance(inner, dict):
            yield from _dangers_in_keywords(inner, f"/properties/{escape(name)}")


def _dangers_in_keywords(schema: Mapping[str, Any], place: str) -> Iterator[Danger]:
    for key, value in schema.items():
        if key in _OF_VALUES or isinstance(value, dict | list):
            continue
        row = _COMMON_WORDS.get(_word_of(key))
        if isinstance(row, Row) and _states_danger(row, value):
            yield Danger(f"{place}/{escape(key)}", row, value)


def _word_of(key: str) -> str:
    """The letters of a key, which is the same word with the mark of a vendor before it."""
    return letters_of_key(_without_mark(key))


def _without_mark(key: str) -> str:
    return key[len(_OF_VENDORS) :] if is_of_vendor(key) else key


def _find_words(key: str, value: Any, words: WordTable, place: str, depth: int) -> Iterator[Danger]:
    entry = words.get(_word_of(key))
    if isinstance(value, dict) and "value" in value:  # `{"value": true, "description": "..."}`
        value = value["value"]
    if isinstance(entry, Row) and not isinstance(value, dict):
        if _states_danger(entry, value):
            yield Danger(place, entry, value)
    elif isinstance(value, str):
        row = _named_danger(value, words)
        if row is not None and _word_of(key) not in _NAMES_THINGS:
            yield Danger(place, row, True)
    elif depth:
        below = {**words, **entry} if isinstance(entry, Mapping) else words
        for token, name, item in _members(value):
            yield from _find_words(name, item, below, f"{place}/{escape(token)}", depth - 1)


def _is_of_calls(key: str, value: Any) -> bool:
    """Whether a key holds what is sent in calls, or may be, or names such values."""
    if key == "required":
        return isinstance(value, list)
    return _without_mark(key) in _NO_STATEMENTS


def _named_danger(text: str, words: WordTable) -> Row | None:
    """The row of a word that says a danger by itself, as in `safety: [destructive]`.

    >>> _named_danger("⚠️ DESTRUCTIVE", _COMMON_WORDS).field, _named_danger("reversible", _COMMON_WORDS)
    ('destructive', None)
    """
    if len(text) > _LONGEST_WORD:
        return None
    row = words.get(letters_of_key(text))
    if isinstance(row, Row) and row.field in _NAMED_ALONE and _states_danger(row, True):
        return row
    return None


def _states_danger(row: Row, value: Any) -> bool:
    """Whether a value says that the danger is there, or says something about it that nobody can read."""
    if row.accepts(value):
        return is_unsafe(row.field, row.load(value))
    return not row.is_silent(value)


def _members(value: Any) -> Iterator[tuple[str, str, Any]]:
    """What a mapping or a list holds: where, under which word, and what; a list may hold words with their values."""
    if isinstance(value, dict):
        for key, item in value.items():
            if not (is_private(key) or _is_of_calls(key, item)):
                yield key, key, item
    elif isinstance(value, list):
        for index, item in enumerate(value):
            is_named = isinstance(item, dict) and isinstance(item.get("name"), str)
            yield str(index), item["name"] if is_named else "", item
