"""A cache of compiled tools by their content, so that the next request with the same tools costs next to nothing.

A host compiles the same tools for every request. An entry is found by the content of the tools, not by their identity.
It is used only if nobody has changed it since: a caller may change the dictionaries in its tools and in the results.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from operator import is_
from threading import Lock
from typing import Any, NamedTuple

import msgspec

from toolglot.converter.conversion.read_back import ReadBack
from toolglot.converter.fitting.argument_codec import Fitted
from toolglot.converter.formats import Format
from toolglot.converter.hub.model import Tool
from toolglot.converter.text import serialization

MOST_REMEMBERED = 8  # requests
_LARGEST = 4_000_000  # bytes of one request and of what was made of it, in a compact form
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder().decode


@dataclass(frozen=True)
class Offering:
    """Tools as they are offered to a provider.

    Attributes:
        tools: the tools as they were given.
        proven: each tool as it was written and read back.
        target: the provider's format.
        tool_limit: the most definitions in one request; `None`: any number.
    """

    tools: Sequence[Tool]
    proven: Sequence[ReadBack]
    target: Format
    tool_limit: int | None

    @property
    def definitions(self) -> list[dict[str, Any]]:
        """The definitions for the provider, one for each offered tool."""
        return [record.data for back in self.proven for record in back.result.records]

    @cached_property
    def text(self) -> str:
        """The definitions as JSON, in the container that the provider's API takes."""
        return serialization.dump_json(self.target.wrap(self.definitions))


class _Remembered(NamedTuple):
    """An offering, with its content when it was made, to tell whether it was changed."""

    offering: Offering
    content: bytes


class RecentOfferings:
    """A few offerings by their request; the least recently used is dropped first."""

    def __init__(self, most: int = MOST_REMEMBERED) -> None:
        self._most = most
        self._by_request: OrderedDict[bytes, _Remembered] = OrderedDict()
        self._lock = Lock()

    def find(self, request: bytes, asked: Sequence[Any], tools: Sequence[Tool]) -> Offering | None:
        """The offering of a request, if it was not changed since.

        Args:
            request: the options and the content of the tools, encoded by `encode_content`.
            asked: the options.
            tools: the tools.
        """
        with self._lock:
            result = self._by_request.get(request)
            if result is None:
                return None
            self._by_request.move_to_end(request)
        own = result.offering.tools
        if not all(map(is_, own, tools)) and encode_content([*asked, own]) != request:
            return None
        if _reachable_content(result.offering) != result.content:
            return None
        _ = result.offering.text  # which is kept as it is now, whatever its tools become
        return result.offering

    def keep(self, request: bytes, offering: Offering) -> None:
        """Keep an offering, unless it is too large or cannot be encoded."""
        content = _reachable_content(offering)
        if content is None or len(request) + len(content) > _LARGEST:
            return
        with self._lock:
            self._by_request[request] = _Remembered(offering, content)
            self._by_request.move_to_end(request)
            while len(self._by_request) > self._most:
                self._by_request.popitem(last=False)

    def forget(self) -> None:
        """Empty the cache, to measure without it."""
        with self._lock:
            self._by_request.clear()


def encode_content(value: Any) -> bytes | None:
    """The content of tools or definitions as bytes; `None` where it cannot be encoded.

    >>> encode_content([Tool(id="a", auth_required=True)]) == encode_content([Tool(id="a", auth_required=True)])
    True
    """
    try:
        return _encode(value)
    except (msgspec.MsgspecError, TypeError, ValueError, OverflowError, RecursionError):
        return None


def copy_definitions(definitions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A copy of definitions, which the caller may change."""
    raw = encode_content(definitions)
    if raw is None:
        return deepcopy(definitions)  # with numbers beyond 64 bits; the rule is twenty times faster
    own: list[dict[str, Any]] = _decode(raw)
    return own


def _reachable_content(offering: Offering) -> bytes | None:
    """The schemas of an offering that callers can reach. Everything else that they could change is in the tools."""
    schemas: list[Any] = []
    for back in offering.proven:
        for offer in back.result.offers:
            schemas += _schemas_of(offer.leaf.tool, offer.fitted)
            for member in offer.members:
                schemas += _schemas_of(member.leaf.tool, member.fitted)
    return encode_content(schemas)


def _schemas_of(tool: Tool, fitted: Fitted | None) -> tuple[Any, ...]:
    """The schemas that were made for an offering: fitted ones, and those with the options of a program."""
    fitted_schema = fitted.schema if fitted is not None else None
    return tool.inputs, tool.global_inputs, fitted_schema
