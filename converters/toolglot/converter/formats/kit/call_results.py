"""Writing results: JSON text as `JSON.stringify` of JavaScript writes it, so that a model reads what it is used to."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Container, Mapping
from decimal import Decimal
from typing import Any

import msgspec

from toolglot.converter.formats.kit.call_arguments import LIMITS
from toolglot.converter.formats.kit.calls import wire
from toolglot.converter.hub.calls import Content, Image, ToolCall, replace_surrogates
from toolglot.errors import UsageError

_SURROGATE = re.compile("[\ud800-\udfff]")
_LEAST_FIXED, _FIRST_WITH_EXPONENT = 1e-6, 1e21  # JavaScript writes what lies between without an exponent


def failure(error: str | None, result: Any) -> dict[str, Any]:
    """What a model is told in JSON about a call that failed, with the output of the tool before it failed.

    >>> failure("no such file", None)
    {'error': 'no such file'}
    """
    answer: dict[str, Any] = {"error": _reason(error)}
    if result is not None:
        answer["output"] = result
    return answer


def failure_texts(error: str | None, result: Any) -> list[dict[str, Any]]:
    """The same as blocks of text, for a provider that marks errors by a key of its own."""
    texts = [_reason(error)]
    if result is not None:
        texts.append(compact_json(result))
    return [{"type": "text", "text": text} for text in texts]


def _reason(error: str | None) -> str:
    if error is not None and not isinstance(error, str):
        raise UsageError(f"an error is told as a text, not as a {type(error).__name__}; use str()", code="bad-option")
    return error if error and error.strip() else "the tool failed without a message"  # an empty one is refused


def content_parts(content: Content, takes: Container[str] = ()) -> list[str | Image]:
    """The parts of a content as a provider accepts them.

    Words replace an image that is empty or whose media type is not in `takes`. Blank texts are left out beside other
    parts, and a failure without a word gets one, because providers refuse both.
    """
    parts = [
        part
        if isinstance(part, str) or (part.data and part.media_type in takes)
        else f"(an image, {part.media_type}, which cannot be passed on)"
        for part in content.parts
    ]
    told = [part for part in parts if isinstance(part, Image) or part.strip()]
    if content.failed and not told:
        return [_reason(None)]
    return told or parts


def content_text(content: Content) -> str:
    """A content as one text."""
    return "\n".join(map(str, content_parts(content)))


def compact_json(value: Any) -> str:
    """`value` as compact JSON with all characters as they are, and numbers as JavaScript writes them.

    Integers stay exact, where JavaScript would round those beyond 2**53. NaN and infinities are texts, as in Protobuf.

    Raises:
        UsageError: something that JSON has no form for, or deeper than 64 levels; code `"not-json-data"`.

    >>> compact_json({"a": 8.0, "b": [float("nan"), 1e21, 1e-7], "c": "né"})
    '{"a":8,"b":["NaN",1e+21,1e-7],"c":"né"}'
    """
    return _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", _value_text(value, LIMITS.max_depth))


def to_plain_data(value: Any) -> Any:
    """`value` as JSON data of plain types, without lone surrogates. Numbers and errors are those of `compact_json`."""
    return json.loads(replace_surrogates(_value_text(value, LIMITS.max_depth)))


class ResultShape(msgspec.Struct, frozen=True, kw_only=True):
    """How a provider wants the result of a call: the keys of the message, and the forms of their values.

    Attributes:
        head: keys and values that every message has.
        id: key of the id of the call.
        name: key of the name of the tool; empty where a result does not repeat it.
        value: key of the result.
        repeated: field of the call that the result has to repeat -> its key.
        data: writes a result that is JSON data.
        failure: writes an error, and the output before it.
        mark: key of the mark for errors; empty where the provider has none.
        text_type: the type of a block of text.
        images: media types of the images that the provider accepts in a result.
        failure_images: the same in the result of a call that failed.
        image_block: writes an image.
    """

    head: Mapping[str, str]
    id: str
    name: str = ""
    value: str
    repeated: Mapping[str, str] = {}
    data: Callable[[Any], Any] = compact_json
    failure: Callable[[str, Any], Any] = lambda error, result: compact_json(failure(error, result))
    mark: str = ""
    text_type: str = "text"
    images: frozenset[str] = frozenset()
    failure_images: frozenset[str] = frozenset()
    image_block: Callable[[Image], dict[str, Any]] | None = None

    def message(self, call: ToolCall, result: Any, error: str | None) -> dict[str, Any]:
        """The message that answers a call."""
        message: dict[str, Any] = {**self.head, self.id: call.id}
        if self.name:
            message[self.name] = call.name
        for field, key in self.repeated.items():
            value = getattr(call, field)
            if value is not None:
                message[key] = to_plain_data(value)
        if isinstance(result, Content):
            message[self.value] = self._content(result)
        elif error is not None:
            message[self.value] = self.failure(error, result)
        else:
            message[self.value] = self.data(result)
        if self.mark and (error is not None or (isinstance(result, Content) and result.failed)):
            message[self.mark] = True
        return message

    def _content(self, content: Content) -> Any:
        """A content as one text, or as blocks where it has images."""
        if content.failed and not self.mark and content.envelope is None:
            return compact_json(failure(content_text(content), None))
        parts = content_parts(content, self.failure_images if content.failed else self.images)
        if not any(isinstance(part, Image) for part in parts):
            return content_text(content)
        return [self.block(part) for part in parts if part]  # a provider refuses a text that is empty

    def block(self, part: str | Image) -> dict[str, Any]:
        """One part as a block."""
        if isinstance(part, str):
            return {"type": self.text_type, "text": part}
        assert self.image_block is not None
        return self.image_block(part)


def merge_lists(key: str) -> Callable[[list[dict[str, Any]]], list[dict[str, Any]]]:
    """A function that joins the lists at `key` of several messages into one user message, and keeps other messages.

    >>> merge_lists("parts")([{"role": "user", "parts": [1]}, {"type": "step"}, {"role": "user", "parts": [2]}])
    [{'role': 'user', 'parts': [1, 2]}, {'type': 'step'}]
    """

    def merge(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
        parts = [part for message in messages for part in message.get(key, ())]
        others = [message for message in messages if key not in message]
        return [{"role": "user", key: parts}, *others] if parts else others

    return merge


def _value_text(value: Any, depth: int) -> str:
    writer = next((_WRITERS[kind] for kind in type(value).__mro__ if kind in _WRITERS), None)
    if writer is not None and depth >= 0:
        return writer(value, depth)
    if depth < 0:
        problem = f"is nested deeper than {LIMITS.max_depth} levels; flatten it"
    elif callable(getattr(value, "model_dump", None)):
        return _value_text(wire(value, as_sent=False), depth - 1)
    else:
        problem = f"is not JSON data: it holds a {type(value).__name__}; convert it to a dict, list, str or number"
    raise UsageError(f"the result of the tool {problem}", code="not-json-data")


def _object_text(value: dict[Any, Any], depth: int) -> str:
    members = [f"{_key_text(key)}:{_value_text(inner, depth - 1)}" for key, inner in value.items()]
    return f"{{{','.join(members)}}}"


def _key_text(key: Any) -> str:
    if isinstance(key, str):
        return _plain_text(key, 0)
    message = f"the result of the tool is not JSON data: a key is a {type(key).__name__}; use a string"
    raise UsageError(message, code="not-json-data")


def _array_text(value: list[Any] | tuple[Any, ...], depth: int) -> str:
    items = [_value_text(inner, depth - 1) for inner in value]
    return f"[{','.join(items)}]"


def _plain_text(value: str | int | None, depth: int) -> str:
    try:
        return json.dumps(value, ensure_ascii=False)
    except ValueError:  # Python refuses to print an integer of thousands of digits
        message = "the result of the tool holds an integer of thousands of digits; use a string"
        raise UsageError(message, code="not-json-data") from None


def _number_text(value: float, depth: int) -> str:
    """A number as JavaScript writes it; but not NaN, which becomes `null` there, as if nothing had been wrong."""
    if not math.isfinite(value):
        return f'"{json.dumps(value)}"'
    if value == 0:
        return "0"  # of negative zero, too
    text = float.__repr__(value)
    if _LEAST_FIXED <= abs(value) < _FIRST_WITH_EXPONENT:
        return f"{Decimal(text):f}".removesuffix(".0")
    return text.replace("e-0", "e-")


_WRITERS: dict[type, Callable[[Any, int], str]] = {
    **dict.fromkeys((type(None), bool, int, str), _plain_text),
    float: _number_text,
    list: _array_text,
    tuple: _array_text,
    dict: _object_text,
}
