"""Facts about safety that a document states in a way that nobody can read.

A wrong type, a word that is no word of the format, a misspelt key, a key in the wrong place: open formats accept all
of them without a word, and the tool then looks as if it said nothing. So the field counts as dangerous until somebody
corrects it (`Tool.unclear`), and `check` calls it an error.

What is looked at is what a table left over (`field_tables.take`), so that an ordinary record costs nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from toolglot.formats.kit.dangers_in_unknown_keys import dangers_elsewhere, denies_danger, is_of_vendor, is_private
from toolglot.formats.kit.field_tables import Row, Table
from toolglot.formats.kit.words_for_danger import NO_WORDS, WordTable, letters_of_key
from toolglot.safety import FIELDS_OF_DANGER
from toolglot.text.pointers import escape, unescape
from toolglot.text.similar_names import count_slips
from toolglot.text.wording import to_short_json

_LONGEST_KEY = 60  # characters; no known key is nearly as long
NO_FIELDS: Table = {}  # of a format that has no field about safety
_NEAR = 0.8  # of 1: how alike two keys are when one is taken for a slip of the other


class Doubt(msgspec.Struct, frozen=True):
    """One such statement: a stable code, where in the record, the hub field it is about, a sentence, and a hint.

    A denial under a key that nobody knows is about no field: it is not believed, and states no danger either. Where a
    parameter states it, `parameter` is its name, and `pointer` leads from its entry.
    """

    code: str
    pointer: str
    field: str
    message: str
    hint: str | None = None
    parameter: str | None = None


def unclear_fields(rest: dict[str, Any], table: Table, words: WordTable = NO_WORDS) -> tuple[str, ...] | None:
    """The hub fields that `rest`, what a table left over, states in a way that nobody can read; `None` for none.

    >>> table = {"effects": {"destructive": Row("destructive", lambda value: isinstance(value, bool))}}
    >>> unclear_fields({"effects": {"destructive": "yes"}}, table), unclear_fields({"efects": {"network": 1}}, table)
    (('destructive',), ('destructive',))
    >>> unclear_fields({"x-note": {"destructive": "yes"}}, table)
    """
    return fields_of_doubts(doubts(rest, table, words=words))


def fields_of_doubts(found: Iterable[Doubt]) -> tuple[str, ...] | None:
    """The hub fields that doubts are about; `None` for none."""
    return tuple(sorted({doubt.field for doubt in found} - {""})) or None


def doubts(rest: dict[str, Any], table: Table, pointer: str = "", words: WordTable = NO_WORDS) -> Iterator[Doubt]:
    """Every such statement in what a table left over; `words` are looked for in every key that it does not know."""
    for key, value in rest.items():
        here = f"{pointer}/{escape(key)}"
        entry = table.get(key)
        if isinstance(entry, Row):
            yield from _misread(entry, key, value, here)
        elif entry is not None and isinstance(value, dict):
            yield from doubts(value, entry, here, words)
        elif entry is not None:
            yield from _no_mapping(entry, key, value, here)
        elif is_private(key):
            continue
        elif is_of_vendor(key):
            yield from _dangers_in(key, value, here, words)
        else:
            yield from _unknown(key, value, table, here, words)


def _misread(row: Row, key: str, value: Any, here: str) -> Iterator[Doubt]:
    field = row.doubtful_field
    if field in FIELDS_OF_DANGER and not row.accepts(value) and not row.is_silent(value):
        message = f"nobody can read {to_short_json(value)} as `{key}`; it counts as the most dangerous value"
        yield Doubt("unclear-safety", here, field, message)


def _no_mapping(table: Table, key: str, value: Any, here: str) -> Iterator[Doubt]:
    if value is None:
        return
    for field in _fields_in(table):
        message = f"`{key}` is a mapping, not {to_short_json(value)}; what it should say counts as dangerous"
        yield Doubt("unclear-safety", here, field, message)


def _unknown(key: str, value: Any, table: Table, here: str, words: WordTable) -> Iterator[Doubt]:
    """What a key that the table does not know is taken for."""
    likeness = _likeness(key, table)
    near = likeness.near
    if near is not None:
        if value is None or value == {}:
            return
        hint = f"did you mean `{near}`?"
        if not _is_slip_of(key, near) and denies_danger(key, value, words):
            yield Doubt("misspelt-key", here, "", f"`{key}` is not known, and nobody hears what it says", hint)
            return
        for field in _fields_in(table[near]):
            message = f"`{key}` is not known; what it should say counts as dangerous"
            yield Doubt("misspelt-key", here, field, message, hint)
        return
    for path, row in likeness.rows_elsewhere:
        if row.accepts(value) or isinstance(value, bool):
            hint = f"it belongs to `{'.'.join(path[:-1])}`"
            if denies_danger(key, value, words):
                yield Doubt("misplaced-key", here, "", f"`{key}` says nothing here", hint)
                return
            message = f"`{key}` says nothing here; it counts as dangerous"
            yield Doubt("misplaced-key", here, row.doubtful_field, message, hint)
            return
    yield from _dangers_in(key, value, here, words)


def _is_slip_of(key: str, near: str) -> bool:
    """Whether a key is another one but for its case or a letter or two, and not a word of its own.

    >>> _is_slip_of("readonlyhint", "readOnlyHint"), _is_slip_of("readOnly", "readOnlyHint")
    (True, False)
    """
    return count_slips(letters_of_key(key), letters_of_key(near), 2) is not None


def _dangers_in(key: str, value: Any, here: str, words: WordTable) -> Iterator[Doubt]:
    """The dangers that words state in and below a key."""
    for danger in dangers_elsewhere(key, value, words, here):
        message = f"`{unescape(danger.place.rpartition('/')[2])}` says nothing here; it counts as dangerous"
        yield Doubt("misplaced-key", danger.place, danger.row.doubtful_field, message)


def nearest_key(key: str, table: Table) -> str | None:
    """The key of a table with a fact about safety that another key is most likely a slip of.

    >>> table = {"risk_level": Row("risk_level", lambda value: value in (0, 1, 2, 3))}
    >>> nearest_key("RISK-LEVEL", table), nearest_key("title", table)
    ('risk_level', None)
    """
    return _likeness(key, table).near


class _Likeness(msgspec.Struct, frozen=True):
    """What a key looks like: a key of the same table, or keys of the tables inside it."""

    near: str | None
    rows_elsewhere: tuple[tuple[list[str], Row], ...]


_NOTHING = _Likeness(None, ())
_KNOWN: dict[tuple[int, str], _Likeness] = {}  # documents use the same few keys; without it a fifth of a conversion
_MOST_KNOWN = 4096


def _likeness(key: str, table: Table) -> _Likeness:
    """What a key looks like. Tables are constants of their modules, and known by their identity."""
    if len(key) > _LONGEST_KEY:
        return _NOTHING
    likeness = _KNOWN.get((id(table), key))
    if likeness is None:
        keys = _KEYS.get(id(table))
        if keys is None:
            keys = _KEYS[id(table)] = _keys_of(table)
        letters = letters_of_key(key)
        likeness = _Likeness(_likely_key(letters, keys.of_danger), keys.elsewhere.get(letters, ()))
        if len(_KNOWN) < _MOST_KNOWN:
            _KNOWN[id(table), key] = likeness
    return likeness


class _KeyOfDanger(msgspec.Struct, frozen=True):
    """A key with a fact about safety, as other keys are compared with it.

    Attributes:
        kinds: its different letters.
        repeats: how many of its letters stand in it once more.
    """

    key: str
    letters: str
    kinds: frozenset[str]
    repeats: int


class _KeysOfTable(msgspec.Struct, frozen=True):
    """The keys of a table that are about safety, and the rows in the tables inside it by the letters of their keys.

    It holds the table, so that no other one gets the identity by which this is known.
    """

    table: Table
    of_danger: tuple[_KeyOfDanger, ...]
    elsewhere: dict[str, tuple[tuple[list[str], Row], ...]]


_KEYS: dict[int, _KeysOfTable] = {}


def _keys_of(table: Table) -> _KeysOfTable:
    of_danger: list[_KeyOfDanger] = []
    for key, entry in table.items():
        if _fields_in(entry):
            letters = letters_of_key(key)
            kinds = frozenset(letters)
            of_danger.append(_KeyOfDanger(key, letters, kinds, len(letters) - len(kinds)))
    elsewhere: dict[str, tuple[tuple[list[str], Row], ...]] = {}
    for path, row in _rows_below(table):
        letters = ""
        for key in reversed(path):  # `delete`, and in one key with what it belongs to: `filesystem.delete`
            letters = letters_of_key(key) + letters
            elsewhere[letters] = (*elsewhere.get(letters, ()), (path, row))
    return _KeysOfTable(table, tuple(of_danger), elsewhere)


def _likely_key(letters: str, keys: Iterable[_KeyOfDanger]) -> str | None:
    """The key with a fact about safety that another key, given by its letters, is most likely a slip of."""
    kinds = frozenset(letters)
    best, likeness = None, _NEAR
    for key in keys:
        length = len(letters) + len(key.letters)
        most_shared = len(kinds & key.kinds) + key.repeats
        if 2.0 * most_shared / length < likeness:
            continue  # what follows takes too long for a document of 100,000 keys
        shared_count = (Counter(letters) & Counter(key.letters)).total()
        if shared_count == len(letters) == len(key.letters):  # letters that changed places
            return key.key
        if 2.0 * shared_count / length < likeness:
            continue  # no order of these letters makes them more alike
        ratio = _ratio(letters, key.letters)
        if ratio >= likeness:
            best, likeness = key.key, ratio
    return best


def _ratio(one: str, other: str) -> float:
    from difflib import SequenceMatcher  # 1 ms that only a likely slip pays

    return SequenceMatcher(None, one, other).ratio()


def _fields_in(entry: Any) -> list[str]:
    """The fields about safety in a row, or in all rows of a table."""
    if isinstance(entry, Row):
        field = entry.doubtful_field
        return [field] if field in FIELDS_OF_DANGER else []
    return [field for _, row in _rows_below({"": entry}) for field in _fields_in(row)]


def _rows_below(table: Table) -> Iterator[tuple[list[str], Row]]:
    """The rows about safety in the tables inside a table, each with its keys."""
    for key, entry in table.items():
        if not isinstance(entry, dict):
            continue
        for name, inner in entry.items():
            if isinstance(inner, Row) and _fields_in(inner):
                yield [key, name], inner
        for path, row in _rows_below(entry):
            yield [key, *path], row
