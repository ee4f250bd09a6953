"""Arguments as the model that wrote them meant them: without nulls that say nothing, and with integers as integers."""

from __future__ import annotations

from decimal import Decimal
from itertools import islice

from toolglot.converter.hub.model import Arguments
from toolglot.converter.schema.arguments import Schema, Unusable
from toolglot.converter.text.pointers import (
    NOTHING,
    mapping_at,
    pointer_below,
    pointer_of_path,
    texts_at,
    value_at,
    walk_values,
    with_values,
)
from toolglot.errors import FitError

_MOST_FAULTS = 50
_EXACT = 2**53  # from it on a float does not tell integers apart


def as_meant(schema: Schema, arguments: Arguments) -> Arguments:
    """Arguments as they were meant.

    Without the nulls that the schema refuses under the properties that may be absent: so a model says nothing. Whole
    numbers as integers, but where only `number` is asked for: JSON Schema takes 8.0 for 8, typed programs do not.

    Raises:
        FitError: an integer was sent as a number that has lost digits (code `ambiguous-arguments`).

    >>> schema = Schema({"properties": {key: {"type": "string"} for key in "ab"}, "required": ["b"]})
    >>> as_meant(schema, {"a": None, "b": None, "c": None})
    {'b': None, 'c': None}
    >>> schema = Schema({"properties": {"a": {"type": "integer"}, "b": {"type": "number"}}})
    >>> as_meant(schema, {"a": 8.0, "b": 8.0, "c": [1e16, 1.5]})
    {'a': 8, 'b': 8.0, 'c': [10000000000000000, 1.5]}
    """
    types = {type(item) for _, _, item in walk_values(arguments)}
    if type(None) in types:
        arguments = _without_idle_nulls(schema, arguments)
    if float in types:
        arguments = _with_integers(schema, arguments)
    return arguments


def _without_idle_nulls(schema: Schema, arguments: Arguments) -> Arguments:
    faults = list(islice(schema.faults(arguments), _MOST_FAULTS))
    named: set[str] = set()
    required: set[str] = set()
    try:
        for pointer, node, _ in schema.applications(arguments):
            named.update(pointer_below(pointer, key) for key in mapping_at(node, "properties"))
            required.update(pointer_below(pointer, key) for key in texts_at(node, "required"))
    except Unusable:
        return arguments
    optional = named - required
    refused = [fault.pointer for fault in faults if fault.pointer in optional]
    nulls = [pointer for pointer in refused if value_at(arguments, pointer, NOTHING) is None]
    rest: Arguments = with_values(arguments, dict.fromkeys(nulls, NOTHING))
    return rest


def _with_integers(schema: Schema, arguments: Arguments) -> Arguments:
    try:
        asked = schema.types_asked_for(arguments)
        integers: dict[str, int] = {}
        for path, _, item in walk_values(arguments):
            if isinstance(item, float) and item.is_integer():
                pointer = pointer_of_path(path)
                types = asked.get(pointer, ())
                if "integer" in types:
                    integers[pointer] = _whole_number(item, pointer)
                elif "number" not in types:
                    integers[pointer] = int(item)
        whole: Arguments = with_values(arguments, integers)
    except (Unusable, RecursionError):
        return arguments  # reported by `Schema.faults`
    return whole


def _whole_number(number: float, pointer: str) -> int:
    """The integer that was written as a float. One of more digits than floats keep may be another number by now."""
    if abs(number) >= _EXACT and float(f"{number:.15g}") != number:
        message = f"{number!r} has lost digits; send the integer with all of them, and no exponent"
        raise FitError(message, code="ambiguous-arguments", pointer=pointer)
    return int(Decimal(repr(number)))
