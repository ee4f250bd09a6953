"""Data that did not come from a text: what of it JSON could hold."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from math import inf, isnan
from types import FunctionType
from typing import Any

from toolglot.converter.text.pointers import pointer_of, without_nulls
from toolglot.converter.text.source_text import MAX_BITS, MAX_DIGITS, too_deep_message
from toolglot.converter.text.wording import quote_text
from toolglot.errors import LimitError, ParseError

_HINT = "convert it to a dict, list, str, int or float"
_HINTS = {tuple: "use a list", FunctionType: "make it a tool with @toolglot.tool"}


def check_plain_data(data: Any, max_depth: int, max_nodes: int) -> None:
    """Raise `ParseError` or `LimitError`, as `document_reader.from_data` documents, unless JSON can hold it."""
    # One entry per container: the entry of its parent, its key there, and itself. Pointers are built from
    # these when something is wrong; building them on the way costs more than the check itself.
    level: list[Any] = [(None, "", [data])]
    count = 0
    for _ in range(max_depth + 1):
        deeper: list[Any] = []
        for entry in level:
            container = entry[2]
            count += len(container)
            is_object = type(container) is dict
            items = container.items() if is_object else enumerate(container)
            for key, value in items:
                if is_object and not (type(key) is str and (key.isascii() or _is_text(key))):
                    raise _not_json(f"the key {quote_text(repr(key))}", "use a string", entry, None)
                kind = type(value)
                if kind is str:
                    if not value.isascii() and not _is_text(value):
                        raise _not_json("half of a character (a lone surrogate)", "remove it", entry, key)
                elif kind is dict or kind is list:
                    deeper.append((entry, key, value))
                elif kind is float:
                    if value - value != 0:
                        raise _not_json(repr(value), "use null or a string", entry, key)
                elif kind is int:
                    if value.bit_length() > MAX_BITS:
                        message = f"an integer of more than {MAX_DIGITS} digits; use a string"
                        raise LimitError(message, "number-too-long", _pointer(entry, key))
                elif value is not None and kind is not bool:
                    raise _not_json(f"a {kind.__name__}", _HINTS.get(kind, _HINT), entry, key)
        if count > max_nodes + 1:
            message = f"more than {max_nodes} values; split the data; in Python, Limits.max_nodes allows more"
            raise LimitError(message, "too-many-values")
        if not deeper:
            return
        level = deeper
    raise LimitError(too_deep_message(max_depth), "too-deep")


def as_json_data(value: Any, depth: int) -> Any:
    """Data with vendors' objects in it as JSON data; what is neither stays, for `check_plain_data` to name it.

    Raises:
        ParseError: an object that does not say what it sends (code `not-json-data`).
    """
    if depth < 0:
        return value
    if isinstance(value, Enum):
        return value.value
    if type(value) is dict:
        return {key: as_json_data(item, depth - 1) for key, item in value.items()}
    if type(value) is list:
        return [as_json_data(item, depth - 1) for item in value]
    data = dump_object(value)
    if type(data) is dict and data and not any(data.values()):
        return dump_object(value, only_set=False)  # an empty container is known by the fields of its type alone
    return data


def plain_value(value: Any, leaf: Callable[[Any], Any] = lambda value: value, depth: float = inf) -> Any:
    """A value of a table as plain data. Tables fill up what is missing, with `None` or NaN: no object has it here.

    Args:
        leaf: what becomes of a value that holds no others.
        depth: how many levels down to go; what lies deeper stays, for `check_plain_data` to refuse it.

    >>> plain_value({"a": None, "b": [{"c": float("nan")}, None], "d": (1, "x")})
    {'b': [{}, None], 'd': [1, 'x']}
    """
    if depth < 0:
        return value
    if hasattr(value, "tolist"):  # of NumPy, as pandas and Ray have lists and numbers
        value = value.tolist()
    if value is None or (isinstance(value, float) and isnan(value)):
        return None
    if isinstance(value, dict):
        return without_nulls({key: plain_value(item, leaf, depth - 1) for key, item in value.items()})
    if isinstance(value, (list, tuple)):
        return [plain_value(item, leaf, depth - 1) for item in value]
    return leaf(value)


def dump_object(value: Any, only_set: bool = True) -> Any:
    """A vendor's object as JSON data; anything else as it is.

    Vendors describe what they send with pydantic, so its `model_dump` is what all of them have; importing their
    packages to find out would make each a dependency.

    Args:
        only_set: leave fields absent that nobody set.

    Raises:
        ParseError: the object does not say what it sends (code `not-json-data`).
    """
    dump = getattr(value, "model_dump", None)
    if not callable(dump) or isinstance(value, type):
        return value
    try:
        return dump(mode="json", by_alias=True, exclude_unset=only_set, warnings=False)
    except Exception as error:  # a vendor's code may raise anything
        subject = f"a {type(value).__name__} that raises {type(error).__name__}"
        raise ParseError(f"{subject} is not JSON data; convert it to a dict", "not-json-data") from error


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _not_json(subject: str, action: str, entry: Any, key: str | int | None) -> ParseError:
    return ParseError(f"{subject} is not JSON data; {action}", "not-json-data", _pointer(entry, key))


def _pointer(entry: Any, key: str | int | None) -> str:
    tokens = [] if key is None else [key]
    while entry[0] is not None:
        tokens.append(entry[1])
        entry = entry[0]
    # The outermost entry is the list that holds the data itself.
    return pointer_of(tokens[-2::-1])
