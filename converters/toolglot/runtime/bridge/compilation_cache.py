"""What was compiled lately, by content: the next request with the same tools costs next to nothing.

A host compiles the same tools for every request. What is remembered is found by all that the tools say, not by which
objects say it, and it is used only if nobody has changed it since: a caller may change the dictionaries in its tools
and in what it was given.
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
    """Tools as a provider is offered them.

    Attributes:
        tools: as they were given.
        proven: each of them as it was written and read back.
        target: the provider's format.
        tool_limit: how many definitions one request takes; `None` is any number.
    """

    tools: Sequence[Tool]
    proven: Sequence[ReadBack]
    target: Format
    tool_limit: int | None

    @property
    def definitions(self) -> list[dict[str, Any]]:
        """What the provider is sent, one a tool that it is offered."""
        return [record.data for back in self.proven for record in back.result.records]

    @cached_property
    def text(self) -> str:
        """The definitions as JSON, in the container that the provider's API takes."""
        return serialization.dump_json(self.target.wrap(self.definitions))


class _Remembered(NamedTuple):
    """An offering, and what tells whether it is still as it was made."""

    offering: Offering
    content: bytes


class RecentOfferings:
    """A few offerings by what was asked for; the one that was not asked for the longest goes first."""

    def __init__(self, most: int = MOST_REMEMBERED) -> None:
        self._most = most
        self._by_request: OrderedDict[bytes, _Remembered] = OrderedDict()
        self._lock = Lock()

    def find(self, request: bytes, asked: Sequence[Any], tools: Sequence[Tool]) -> Offering | None:
        """The offering of a request, if nobody has changed it since.

        Args:
            request: what is asked, and last all that the tools say, as `encode_content` has it.
            asked: the same without the tools.
            tools: the same tools.
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
        """Remember an offering, unless it is too large or says what has no compact form."""
        content = _reachable_content(offering)
        if content is None or len(request) + len(content) > _LARGEST:
            return
        with self._lock:
            self._by_request[request] = _Remembered(offering, content)
            self._by_request.move_to_end(request)
            while len(self._by_request) > self._most:
                self._by_request.popitem(last=False)

    def forget(self) -> None:
        """Remember nothing any more; for measuring."""
        with self._lock:
            self._by_request.clear()


def encode_content(value: Any) -> bytes | None:
    """All that tools say, or definitions, as bytes; `None` where these cannot say it.

    >>> encode_content([Tool(id="a", auth_required=True)]) == encode_content([Tool(id="a", auth_required=True)])
    True
    """
    try:
        return _encode(value)
    except (msgspec.MsgspecError, TypeError, ValueError, OverflowError, RecursionError):
        return None


def copy_definitions(definitions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Definitions that a caller may change."""
    raw = encode_content(definitions)
    if raw is None:
        return deepcopy(definitions)  # with numbers beyond 64 bits; the rule is twenty times faster
    own: list[dict[str, Any]] = _decode(raw)
    return own


def _reachable_content(offering: Offering) -> bytes | None:
    """The schemas of an offering, which callers can reach; all else that they could change is in the tools."""
    schemas: list[Any] = []
    for back in offering.proven:
        for offer in back.result.offers:
            schemas += _schemas_of(offer.leaf.tool, offer.fitted)
            for member in offer.members:
                schemas += _schemas_of(member.leaf.tool, member.fitted)
    return encode_content(schemas)


def _schemas_of(tool: Tool, fitted: Fitted | None) -> tuple[Any, ...]:
    """Schemas that may have been made for an offering: fitted ones, and those that options of a program joined."""
    fitted_schema = fitted.schema if fitted is not None else None
    return tool.inputs, tool.global_inputs, fitted_schema
