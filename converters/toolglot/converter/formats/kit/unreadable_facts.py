"""Facts about safety that a document states in a way that nobody can read.

A wrong type, a word that is no word of the format, a misspelt key: open formats accept all of them without a word, and
the tool then looks as if it said nothing. So the field counts as dangerous until somebody corrects it (`Tool.unclear`),
and `check` calls it an error. So does a danger under one of the few keys of no format that people write.

What is looked at is what a table left over (`field_tables.take`), so that an ordinary record costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from functools import lru_cache
from typing import Any

import msgspec
from msgspec.structs import replace

from toolglot.converter.formats.kit.field_tables import Row, Table, once_a_table, rows_of
from toolglot.converter.safety import FIELDS_OF_DANGER, ForeignDanger, foreign_dangers, is_open, known_values
from toolglot.converter.text.pointers import follow, pointer_below, pointer_of, texts_of
from toolglot.converter.text.similar_names import count_slips, letters_of
from toolglot.converter.text.wording import join_names, suggestion, to_short_json

_LONGEST_KEY = 60  # characters; no known key is nearly as long
_OTHERS = ("x-", "_", "$")  # beginnings of keys that are no slip of one of the format's
_LETTERS_OF_A_SLIP = 4  # of which one may be wrong: `approvel`, and not `host` for `cost`


class Doubt(msgspec.Struct, frozen=True):
    """One such statement: a stable code, where in the record, the hub field it is about, a sentence, and a hint."""

    code: str
    pointer: str
    field: str
    message: str
    hint: str | None = None


def doubts(
    rest: dict[str, Any],
    table: Table,
    dangers: Iterable[ForeignDanger],
    fields: Container[str] = FIELDS_OF_DANGER,
) -> Iterator[Doubt]:
    """Every such statement in what the tables of a format left over.

    Args:
        table: the keys of its records.
        dangers: what `dangers_elsewhere` found in it.
        fields: those that count.

    >>> table = {"effects": {"destructive": Row("destructive", lambda value: isinstance(value, bool))}}
    >>> rest = {"effects": {"destructive": "yes"}, "x-note": {"destructive": 0}}
    >>> [doubt.pointer for doubt in doubts(rest, table, dangers_elsewhere(rest, table))]
    ['/effects/destructive', '/x-note/destructive']
    >>> [doubt.hint for doubt in doubts({"efects": {"network": 1}}, table, ())]
    ['did you mean `effects`?']
    """
    told = set()
    for doubt in _unreadable(rest, table, ""):
        if doubt.field in fields:
            told.add((doubt.pointer, doubt.field))
            yield doubt
    for danger in dict.fromkeys(dangers):
        pointer = pointer_of(danger.path)
        if not danger.is_clear and (pointer, danger.field) not in told:
            message = f"nobody can read the answer of `{danger.path[-1]}`; it counts as dangerous"
            yield Doubt("unclear-safety", pointer, danger.field, message)


def _unreadable(rest: dict[str, Any], table: Table, pointer: str) -> Iterator[Doubt]:
    for key, value in rest.items():
        here = pointer_below(pointer, key)
        entry = table.get(key)
        if isinstance(entry, dict) and isinstance(value, dict):
            yield from _unreadable(value, entry, here)
        elif entry is not None:
            yield from _misread(entry, key, value, here)
        elif not key.startswith(_OTHERS):
            yield from _misspelt(key, value, table, here)


def _misread(entry: Row | Table, key: str, value: Any, here: str) -> Iterator[Doubt]:
    """What is wrong with a value for a row, or with one that is no mapping for a table; nothing where it is silent."""
    hint = None
    if not isinstance(entry, Row):
        if value is None:
            return
        message = f"`{key}` is a mapping, not {to_short_json(value)}; what it should say counts as dangerous"
    elif entry.accepts(value) or entry.is_silent(value):
        return
    else:
        message = f"nobody can read {to_short_json(value)} as `{key}`; it counts as the most dangerous value"
        hint = _right_values(entry, value)
    for field in _fields_in(entry):
        yield Doubt("unclear-safety", here, field, message, hint)


def _right_values(row: Row, value: Any) -> str | None:
    """What to write instead, where the words of the field can be told.

    >>> row = Row("risk_level", lambda value: value in (0, 1, 2, 3))
    >>> _right_values(row, 4), _right_values(Row("approval", lambda value: value in ("auto", "always")), "alway")
    ('write 0, 1, 2 or 3', 'write auto or always; did you mean "always"?')
    >>> _right_values(Row("destructive", lambda value: isinstance(value, bool)), "true")
    'write false or true'
    """
    known = known_values(row.field) if row.field in FIELDS_OF_DANGER else ()
    values = [word for word in known if row.accepts(word)] or [word for word in (True, False) if row.is_silent(word)]
    if not values:
        return None
    return "; ".join(filter(None, (f"write {join_names(values, 'or')}", suggestion(value, texts_of(values)))))


def _misspelt(key: str, value: Any, table: Table, here: str) -> Iterator[Doubt]:
    near = nearest_key(key, table)
    if near is None or value is None or value == {}:
        return
    for field in _fields_in(table[near]):
        message = f"`{key}` is not known; what it should say counts as dangerous"
        yield Doubt("misspelt-key", here, field, message, f"did you mean `{near}`?")


def nearest_key(key: str, table: Table) -> str | None:
    """The key of a table with a fact about safety that another key is most likely a slip of.

    >>> table = {"risk_level": Row("risk_level", lambda value: value in (0, 1, 2, 3))}
    >>> nearest_key("RISK-LEVEL", table), nearest_key("risk_levle", table), nearest_key("title", table)
    ('risk_level', 'risk_level', None)
    >>> table = {key: Row("prompts", bool) for key in ("prompt", "prompts")}
    >>> nearest_key("promptss", table)
    'prompts'
    """
    return _nearest_in(table)(key) if len(key) <= _LONGEST_KEY else None


@once_a_table
def _nearest_in(table: Table) -> Callable[[str], str | None]:
    known_keys = [
        (known, letters_of(known)) for known, entry in table.items() if FIELDS_OF_DANGER & {*_fields_in(entry)}
    ]

    @lru_cache(256)  # documents of a format have the same keys; without it a program of 160 commands takes 2 % longer
    def find(key: str) -> str | None:
        letters = letters_of(key)
        slips_of: dict[str, int] = {}
        for known, known_letters in known_keys:
            slips = count_slips(letters, known_letters, min(len(letters) // _LETTERS_OF_A_SLIP, 2))
            if slips is not None:
                slips_of[known] = slips
        return min(slips_of, key=slips_of.__getitem__, default=None)

    return find


def _fields_in(entry: Any) -> list[str]:
    """The fields that a row is about, or all rows of a table."""
    if isinstance(entry, Row):
        return list(entry.doubtful_fields)
    return [field for inner in entry.values() for field in _fields_in(inner)]


# -- dangers that stand elsewhere -------------------------------------------------------------------------------


def dangers_elsewhere(rest: dict[str, Any], table: Table, takes_any_key: bool = False) -> Iterator[ForeignDanger]:
    """The dangers that a record states where documents say the same too, and under the keys of no format.

    Args:
        rest: what the tables of its format left over.
        table: the keys of its records; the rows say where else (`Row.aliases`).
        takes_any_key: whether anybody may add keys to its records.

    >>> table = {"hint": Row("destructive", lambda value: value is True, aliases=(("meta", "wipes"),))}
    >>> [danger.field for danger in dangers_elsewhere({"meta": {"wipes": True}, "x-billable": True}, table)]
    ['destructive', 'billable']
    """
    if not rest:
        return
    for row, path in aliases(table):
        value = follow(rest, path)
        if row.accepts(value) or not row.is_silent(value):
            yield from (ForeignDanger(path, field, row.accepts(value)) for field in row.doubtful_fields)
    for danger in _foreign_dangers(rest, takes_any_key):
        # The worst value of `modifies` says no more than a change, and that of a tier is an execution.
        yield replace(danger, field="modifies") if danger.field == "safety_tier" else danger


def _foreign_dangers(rest: dict[str, Any], takes_any_key: bool) -> Iterator[ForeignDanger]:
    """The foreign keys of a record, and of its body where that is an object of its own (`function`)."""
    yield from foreign_dangers(rest, takes_any_key=takes_any_key)
    for key, value in rest.items():
        if isinstance(value, dict) and "type" not in value and not is_open(key):  # no schema
            yield from foreign_dangers(value, (key,))


@once_a_table
def aliases(table: Table) -> list[tuple[Row, tuple[str, ...]]]:
    """The rows of a table that documents also state elsewhere, each with such a place."""
    return [(row, path) for _, row in rows_of(table) for path in row.aliases]


def keys_in(table: Table, above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The keys of a table at any depth, each behind those that lead to it.

    >>> list(keys_in({"effects": {"cost": {}}}))
    [('effects',), ('effects', 'cost')]
    """
    for key, entry in table.items():
        yield (*above, key)
        if not isinstance(entry, Row):
            yield from keys_in(entry, (*above, key))
