"""Arguments in parts, as Vertex streams them: each part has a JSON path, and the value there or a piece of it.

Source: `google-genai` 3.4, `PartialArg`; RFC 9535, of which a path to a single place needs only names and indices.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from io import StringIO
from itertools import pairwise
from typing import Any

from toolglot.converter.formats.kit.call_arguments import LIMITS
from toolglot.converter.formats.kit.call_faults import AGAIN, call_error, describe_value
from toolglot.converter.hub.calls import join_surrogates
from toolglot.converter.text.pointers import NOTHING
from toolglot.converter.text.wording import quote_text

_STEP = re.compile(
    r"""\.(?P<name>[^.\[\]'"$*?@\s\x00-\x1f]+)|\[(?P<index>0|[1-9][0-9]{0,6})\]|\[(?P<quoted>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\]"""
)
_BETWEEN_DOUBLE_QUOTES = {r"\'": "'", '"': r"\""}  # as written in single quotes -> in double quotes
_CAPITAL = re.compile("[A-Z]")
_ESCAPED_OR_QUOTE = re.compile(r"\\'|\"")
_EXACT = 2**53  # beyond it a double no longer tells integers apart
_MOST_PARTS = 100_000
_VALUES: dict[str, Callable[[Any], bool]] = {
    "stringValue": lambda value: isinstance(value, str),
    "numberValue": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "boolValue": lambda value: isinstance(value, bool),
    "nullValue": lambda value: value == "NULL_VALUE",
}
"""Key of the value of a part -> whether a value fits the key."""


def camel_or_snake(data: Mapping[str, Any], key: str) -> Any:
    """The value under a key of the API, or under the name that the key has in Google's client for Python.

    >>> camel_or_snake({"json_path": "$.to"}, "jsonPath")
    '$.to'
    """
    value = data.get(key)
    if value is None:
        return data.get(_snake_case(key))
    return value


@cache  # each part of an argument is asked for four keys that it lacks
def _snake_case(key: str) -> str:
    return _CAPITAL.sub(lambda match: f"_{match[0].lower()}", key)


class PartialArgs:
    """The arguments of one call while their parts arrive.

    >>> parts = PartialArgs()
    >>> parts.add({"jsonPath": "$.to[0]", "stringValue": "a@"}, "")
    >>> parts.add({"jsonPath": "$.to[0]", "stringValue": "b"}, "")
    >>> parts.value()
    {'to': ['a@b']}
    """

    def __init__(self) -> None:
        self._root: dict[str, Any] = {}
        self._size = 0
        self._parts = 0

    def __bool__(self) -> bool:
        return bool(self._parts)

    def add(self, part: dict[str, Any], pointer: str) -> None:
        """Add one part. A text continues the text at its path; any other value has to be the only one there."""
        self._parts += 1
        path = camel_or_snake(part, "jsonPath")
        self._size += len(path) if isinstance(path, str) else 0
        if self._parts > _MOST_PARTS or self._size > LIMITS.max_bytes:
            expected = f"at most {_MOST_PARTS} parts with {LIMITS.max_bytes} characters in one call"
            raise call_error(expected, "more", AGAIN, pointer, "too-large")
        steps = _steps(path, f"{pointer}/jsonPath")
        kind_and_value = _part_value(part, pointer)
        if kind_and_value is not None:
            self._put_value(steps, *kind_and_value, pointer)

    def value(self) -> dict[str, Any]:
        """A copy of the arguments so far."""
        arguments: dict[str, Any] = _as_data(self._root)
        return arguments

    def _put_value(self, steps: list[str | int], kind: str, value: Any, pointer: str) -> None:
        container: Any = self._root
        for step, following in pairwise(steps):
            inner = _step_into(container, step, pointer)
            if inner is NOTHING:
                inner = {} if isinstance(following, str) else []
                _set(container, step, inner)
            container = inner
        last = steps[-1]
        present = _step_into(container, last, pointer)
        if kind == "stringValue":
            self._size += len(value)
            if present is NOTHING:
                present = StringIO()
                _set(container, last, present)
            if isinstance(present, StringIO):
                present.write(value)
                return
        elif present is NOTHING:
            _set(container, last, value)
            return
        raise call_error("one value at each path", "a second one of another kind", AGAIN, f"{pointer}/jsonPath")


def _steps(path: Any, pointer: str) -> list[str | int]:
    """`$.a["b"][0]` as `["a", "b", 0]`."""
    if not isinstance(path, str) or not path.startswith("$"):
        raise call_error("a path such as '$.name[0]' at 'jsonPath'", describe_value(path), AGAIN, pointer)
    steps: list[str | int] = []
    at = 1
    while at < len(path):
        step = _STEP.match(path, at)
        if step is None or len(steps) >= LIMITS.max_depth:
            raise call_error(
                f"a path of at most {LIMITS.max_depth} names and indices", quote_text(path), AGAIN, pointer
            )
        if step["index"]:
            steps.append(int(step["index"]))
        else:
            steps.append(step["name"] or _unquote(step["quoted"], pointer))
        at = step.end()
    if not steps or not isinstance(steps[0], str):
        raise call_error("a path that begins with the name of an argument", quote_text(path), AGAIN, pointer)
    return steps


def _unquote(literal: str, pointer: str) -> str:
    """The name in a quoted literal. In single quotes RFC 9535 escapes as JSON does, except for the quotes."""
    text = literal
    if literal.startswith("'"):
        inner = _ESCAPED_OR_QUOTE.sub(lambda match: _BETWEEN_DOUBLE_QUOTES[match[0]], literal[1:-1])
        text = f'"{inner}"'
    try:
        return str(json.loads(text))
    except ValueError:
        raise call_error("a name as RFC 9535 quotes it", quote_text(literal), AGAIN, pointer) from None


def _part_value(part: dict[str, Any], pointer: str) -> tuple[str, Any] | None:
    """The kind of the value and the value; `None` where the part only announces that others follow."""
    candidates = [(kind, camel_or_snake(part, kind)) for kind in _VALUES]
    values = [(kind, value) for kind, value in candidates if value is not None]
    if not values:
        # The only value of the enum `nullValue` is `null` in JSON; clients that keep enums have its name.
        if "nullValue" in part or "null_value" in part:
            return "nullValue", None
        if camel_or_snake(part, "willContinue") is True:
            return None
    if len(values) != 1:
        raise call_error("one value in a part", f"{len(values)} of them", AGAIN, pointer)
    kind, value = values[0]
    if not _VALUES[kind](value):
        raise call_error(f"a value that fits {kind!r}", describe_value(value), AGAIN, f"{pointer}/{kind}")
    if kind == "nullValue":
        return kind, None
    if isinstance(value, float) and value.is_integer() and abs(value) <= _EXACT:
        return kind, int(value)  # the wire has doubles only; 3 comes as 3.0
    return kind, value


def _step_into(container: Any, step: str | int, pointer: str) -> Any:
    """The value at one step, or `NOTHING`. A list grows by one item at a time, so that no index can make it huge."""
    if isinstance(step, str) and isinstance(container, dict):
        return container.get(step, NOTHING)
    if isinstance(step, int) and isinstance(container, list):
        if step < len(container):
            return container[step]
        if step == len(container):
            return NOTHING
        raise call_error(f"the index {len(container)} next", f"the index {step}", AGAIN, f"{pointer}/jsonPath")
    raise call_error(
        "a path through objects and lists", f"{quote_text(str(step))} in something else", AGAIN, f"{pointer}/jsonPath"
    )


def _set(container: Any, step: str | int, value: Any) -> None:
    if isinstance(step, str):
        container[step] = value
    else:
        container.append(value)


def _as_data(value: Any) -> Any:
    """A copy of a value with its collected texts as strings."""
    if isinstance(value, StringIO):
        return join_surrogates(value.getvalue())
    if isinstance(value, dict):
        return {key: _as_data(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_as_data(inner) for inner in value]
    return value
