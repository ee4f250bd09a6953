"""Findings about several sources: one tool described in two ways, and descriptions that name tools of other sources."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

import msgspec
from msgspec.structs import replace

from toolglot.converter import safety
from toolglot.converter.conversion.reading import Reading
from toolglot.converter.hub.model import Tool, to_json
from toolglot.converter.safety.inheritance import without_inherited_facts
from toolglot.converter.text.digests import hex_digest
from toolglot.converter.text.pointers import mapping_at
from toolglot.verbs.diagnostics.diagnostic import Diagnostic, with_position
from toolglot.verbs.diagnostics.rules import rules
from toolglot.verbs.diagnostics.rules.malformed_keywords import walk_document

# -- one identity, described twice -------------------------------------------------------------------------------------

_GRANTED = tuple(sorted({*safety.SAFETY_FIELDS, "inputs", "outputs", "calls"} - {"inherits"}))


class Identity(msgspec.Struct, frozen=True):
    """The identity of a tool for hosts, its contract, its whole content, and its place."""

    name: str
    facts: str
    whole: str
    place: Diagnostic


def find_identities(reading: Reading) -> Iterator[Identity]:
    """The identities of the tools that a source describes."""
    for record, tool in zip(reading.records, reading.tools, strict=False):
        name = reading.format.checks.identity(tool)
        if name is not None:
            facts = to_json({field: getattr(tool, field) for field in _GRANTED})
            whole = to_json(without_inherited_facts(tool))
            place = Diagnostic(code="same-id", severity="error", message="", pointer=record.pointer)
            yield Identity(name, _digest(facts), _digest(whole), with_position(place, reading.document))


def _digest(data: Any) -> str:
    """A digest of data. Digests are kept in place of data, because there are many at a time."""
    return hex_digest(json.dumps(data, sort_keys=True, default=str), 32)


def contradictions(identities: Iterable[Identity]) -> Iterator[Diagnostic]:
    """Findings for tools with the same identity and different content, which hosts take for one tool."""
    first: dict[str, Identity] = {}
    for one in identities:
        other = first.setdefault(one.name, one)
        if other.facts != one.facts:
            message = (
                f"{other.place.source} describes {one.name} too, and says other things of it; a grant for one holds "
                "for both, so give one of them another id or major version"
            )
            yield replace(one.place, message=message)
        elif other.whole != one.whole:
            message = (
                f"{other.place.source} describes {one.name} too, in other words; which of the two counts is chance, so "
                "keep one, or give it another id or major version"
            )
            yield replace(one.place, message=message, severity="warning")


# -- tools of one source that another source's descriptions name -----------------------------------------------------
#
# So one server steers what a model does with another's. A name counts only where it can hardly be meant otherwise, such
# as `send_email_to_all`. What a source says of its own tools is none of it.

FOREIGN_MENTION = "foreign-tool-mention"
_FEWEST = 8  # characters of a name that is distinctive
_NAME = re.compile(
    r"(?<![\w.-])[A-Za-z][A-Za-z0-9]{0,40}(?:_[A-Za-z0-9]{1,40}){1,9}(?![\w-])|"
    r"[a-z]{2,40}(?:[A-Z][a-z0-9]{1,40}){1,9}"
)


class SourceNames(msgspec.Struct, frozen=True):
    """The names of a source's tools, and other names in its texts, each with a place."""

    names: frozenset[str]
    mentions: tuple[tuple[str, Diagnostic], ...]


def find_names(tools: Sequence[Tool], places: Sequence[Diagnostic]) -> SourceNames:
    """The names in a source; `places` has a finding without a message for each of its tools."""
    names = frozenset(tool.id for tool in tools if len(tool.id) >= _FEWEST and _NAME.fullmatch(tool.id))
    mentions: list[tuple[str, Diagnostic]] = []
    for tool, place in zip(tools, places, strict=False):
        texts = [tool.description]
        known_names = set(names)
        for _, schema in walk_document(tool.inputs or {}):
            texts.append(schema.get("description"))
            known_names.update(mapping_at(schema, "properties"))
        words = dict.fromkeys(word for text in texts if isinstance(text, str) for word in _NAME.findall(text))
        mentions += [(word, place) for word in words if len(word) >= _FEWEST and word not in known_names]
    return SourceNames(names, tuple(mentions))


def join_names(parts: Iterable[SourceNames]) -> SourceNames:
    """Join the names of the parts of a source."""
    parts = list(parts)
    names = frozenset().union(*(part.names for part in parts))
    return SourceNames(names, tuple(chain.from_iterable(part.mentions for part in parts)))


def foreign_mentions(sources: Iterable[SourceNames]) -> Iterator[Diagnostic]:
    """Findings for mentions of tools of other sources.

    >>> place = Diagnostic(code=FOREIGN_MENTION, severity="info", message="", tool="add")
    >>> mail = SourceNames(frozenset({"send_email"}), ())
    >>> [found.message for found in foreign_mentions([mail, SourceNames(frozenset(), (("send_email", place),))])]
    ['the text names send_email, a tool of another source']
    """
    sources = list(sources)
    all_names = frozenset().union(*(source.names for source in sources))
    for source in sources:
        for word, place in source.mentions:
            if word in all_names and word not in source.names:
                yield replace(place, message=rules()[FOREIGN_MENTION].message.format(name=word))
