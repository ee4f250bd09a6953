"""YAML, read from libyaml's events and written without libyaml.

PyYAML's own loaders are not used: they are half as fast, read `no` as false and `2026-04-28` as a date, keep
the last of two equal keys, and the C loader crashes the process on 25,000 nested brackets. Its emitter is not
used either: it escapes every emoji, and cannot say which strings other readers would take for numbers.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NoReturn

import yaml
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from toolglot.text.json_reader import finite, integer
from toolglot.text.source import MAX_BITS, Mark, Source, shown

# PyYAML without its C extension has the same events, ten times slower.
_Parser: Callable[[str], Any] = getattr(yaml, "CBaseLoader", yaml.BaseLoader)

_STRING_TAG = "tag:yaml.org,2002:str"
_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_VALUE_EVENTS = frozenset((ScalarEvent, AliasEvent, MappingStartEvent, SequenceStartEvent))
# The first characters of every plain scalar that could be something other than a string.
_TYPED = frozenset(("", *"~nNtTfF0123456789+-."))
_INTEGER = re.compile(r"[-+]?[0-9]+").fullmatch
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?").fullmatch
_OTHER_BASE = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+").fullmatch
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)").fullmatch
_UNPRINTABLE = "[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
_BARE_TAG = re.compile(r"(?:&\S+\s+)?!")


def read(source: Source, start: int, end: int, max_depth: int, max_nodes: int) -> tuple[Any, Mark]:
    """The data of a part of the text that is one YAML document, and where everything in it starts.

    Its root is a mapping or a sequence; what an alias repeats keeps the places of its anchor.

    Args:
        source: the text, without control characters.
        start, end: the part to read.
        max_depth: how many mappings and sequences may lie inside each other.
        max_nodes: how many values aliases may add.

    Raises:
        ParseError: not YAML, a duplicate key, a tag, a merge key, several documents, a scalar as the root.
        LimitError: nested too deeply, too many values through aliases, an integer too long.
    """
    text = source.text[start:end]
    try:
        return _build(source, text, start, max_depth, max_nodes)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = " ".join(part for part in (error.context, error.problem) if part)
        raise source.wrong("yaml-syntax", f"not YAML: {problem}", start + (mark.index if mark else 0)) from None
    except yaml.YAMLError:
        character = re.search(_UNPRINTABLE, text)
        at = character.start() if character else 0
        message = f"YAML has no place for {shown(text[at : at + 1])}; escape it in a quoted string"
        raise source.wrong("control-character", message, start + at) from None


def _build(source: Source, text: str, start: int, max_depth: int, max_nodes: int) -> tuple[Any, Mark]:
    """One pass over the events. It is the cost of reading a TOOL.md: what is rare stands outside of it."""
    next_event = _Parser(text).get_event
    has_bang = "!" in text
    stack: list[tuple[Any, Any, bool, str | None]] = []
    # The open container, whether it is a mapping, and in a mapping the key that waits for its value.
    node: Any = None
    places: Any = None
    in_mapping = False
    key: str | None = None
    anchors: dict[str, Any] = {}
    documents = added = 0
    root: tuple[Any, Mark] | None = None
    inner: Any
    value: Any

    while True:
        event = next_event()
        kind = event.__class__
        if kind is ScalarEvent:
            value = event.value
            plain = not event.style
            if event.tag is not None:
                if event.tag != _STRING_TAG:
                    _refuse_tag(source, event, start)
                plain = False
            elif has_bang and plain and _BARE_TAG.match(text, event.start_mark.index):
                # libyaml hides the tag of `! 12`, which is a string and not a number.
                _refuse_tag(source, event, start)
            if in_mapping and key is None:
                if value in node:
                    _refuse_duplicate(source, text, start)
                if value == "<<" and plain:
                    message = "merge keys are not applied; write the keys out, or quote the key: '<<'"
                    raise source.wrong("yaml-merge-key", message, start + event.start_mark.index)
                if event.anchor is not None:
                    anchors[event.anchor] = value, None
                key = value
                continue
            if plain and value[:1] in _TYPED:
                value = _resolve(source, value, event, start)
            inner = None
            if event.anchor is not None:
                anchors[event.anchor] = value, None
        elif kind is MappingEndEvent or kind is SequenceEndEvent:
            node, places, in_mapping, key = stack.pop()
            continue
        elif kind is MappingStartEvent or kind is SequenceStartEvent:
            if event.tag is not None:
                _refuse_tag(source, event, start)
            if in_mapping and key is None:
                _refuse_complex_key(source, event, start)
            if len(stack) >= max_depth:
                raise source.too_deep(max_depth, start + event.start_mark.index)
            opens_mapping = kind is MappingStartEvent
            value, inner = ({}, {}) if opens_mapping else ([], [])
            if event.anchor is not None:
                anchors[event.anchor] = value, inner
            mark = start + event.start_mark.index, inner
            if node is None:
                root = value, mark
            elif in_mapping:
                node[key] = value
                places[key] = mark
                key = None
            else:
                node.append(value)
                places.append(mark)
            stack.append((node, places, in_mapping, key))
            node, places, in_mapping, key = value, inner, opens_mapping, None
            continue
        elif kind is AliasEvent:
            at = start + event.start_mark.index
            if in_mapping and key is None:
                _refuse_complex_key(source, event, start)
            value, inner = _anchored(source, anchors, event.anchor, at)
            open_ones = {id(node), *(id(outer) for outer, *_ in stack)} if value is not None else ()
            if id(value) in open_ones:
                message = f"the alias *{event.anchor} lies inside what it repeats; write the value out"
                raise source.beyond("too-many-aliases", message, at)
            value, added = _copy(source, value, added, max_nodes, len(stack), max_depth, at)
        elif kind is DocumentStartEvent:
            documents += 1
            if documents == 1:
                continue
            if not _is_empty_tail(next_event):
                message = "a second YAML document starts here; put each document in its own file"
                raise source.wrong("yaml-multiple-documents", message, start + event.start_mark.index)
            break
        elif kind is StreamEndEvent:
            break
        else:
            continue

        if in_mapping:
            node[key] = value
            places[key] = start + event.start_mark.index, inner
            key = None
        elif node is not None:
            node.append(value)
            places.append((start + event.start_mark.index, inner))
        elif value is not None or event.value:
            message = "expected JSON, a YAML mapping or list, or front matter between --- lines, found text"
            raise source.wrong("not-a-document", message, start + event.start_mark.index)
    if root is None:
        raise source.wrong("empty", "there is no data here, only comments or blank lines", start)
    return root


def _resolve(source: Source, value: str, event: Any, start: int) -> Any:
    """What a plain scalar means by the core schema of YAML 1.2."""
    if value in _WORDS:
        return _WORDS[value]
    if _INTEGER(value):
        return integer(source, value, start + event.start_mark.index)
    if _FLOAT(value):
        return finite(source, value, start + event.start_mark.index)
    if _OTHER_BASE(value):
        number = int(value[2:], 8 if value[1] == "o" else 16)
        if number.bit_length() > MAX_BITS:
            raise source.number_too_long(value, start + event.start_mark.index)
        return number
    if _NOT_FINITE(value):
        raise source.not_finite(value, start + event.start_mark.index)
    return value


def _is_empty_tail(next_event: Callable[[], Any]) -> bool:
    """Whether the document that has just started is only the closing `---` of the one before it."""
    event = next_event()
    bare = event.__class__ is ScalarEvent and event.value == "" and not event.style
    next_event()
    return bare and event.tag is None and next_event().__class__ is StreamEndEvent


def _anchored(source: Source, anchors: dict[str, Any], name: str, at: int) -> Any:
    if name not in anchors:
        message = f"the alias *{shown(name)[1:-1]} has no anchor before it; write the value out"
        raise source.wrong("yaml-syntax", message, at)
    return anchors[name]


def _copy(
    source: Source, value: Any, added: int, max_nodes: int, depth: int, max_depth: int, at: int
) -> tuple[Any, int]:
    """A copy of an anchored value, so that a later change at one place does not show at the other.

    Long strings weigh more than one value: they are shared in memory, but not in what is written later.
    """
    holder: list[Any] = [value]
    level: list[Any] = [holder]
    while level:
        if depth > max_depth:
            raise source.too_deep(max_depth, at)
        depth += 1
        deeper: list[Any] = []
        for container in level:
            items = container.items() if type(container) is dict else enumerate(container)
            for key, item in items:
                added += 1 + (len(item) // 100 if type(item) is str else 0)
                if type(item) is dict or type(item) is list:
                    container[key] = item = item.copy()
                    deeper.append(item)
            if added > max_nodes:
                message = f"aliases add more than {max_nodes} values; write fewer, or raise Limits.max_nodes"
                raise source.beyond("too-many-aliases", message, at)
        level = deeper
    return holder[0], added


def _refuse_tag(source: Source, event: Any, start: int) -> NoReturn:
    tag = shown((event.tag or "!").replace("tag:yaml.org,2002:", "!!"))[1:-1]
    message = f"the tag {tag} is not read; remove it, quote the value if it is a string"
    raise source.wrong("yaml-tag", message, start + event.start_mark.index)


def _refuse_complex_key(source: Source, event: Any, start: int) -> NoReturn:
    message = "a key is a list, a mapping or an alias; write the key as a string"
    raise source.wrong("yaml-complex-key", message, start + event.start_mark.index)


def _refuse_duplicate(source: Source, text: str, start: int) -> NoReturn:
    """A second pass over the events, because the first remembers where values start, and not keys."""
    next_event = _Parser(text).get_event
    stack: list[tuple[dict[str, int] | None, bool]] = []
    keys: dict[str, int] | None = None  # of the open mapping
    waits = False  # whether its last key has no value yet
    while True:
        event = next_event()
        kind = event.__class__
        if kind is MappingEndEvent or kind is SequenceEndEvent:
            keys, waits = stack.pop()
        elif kind in _VALUE_EVENTS:
            if keys is not None and not waits:
                at = start + event.start_mark.index
                if event.value in keys:
                    raise source.duplicate(event.value, at, keys[event.value])
                keys[event.value], waits = at, True
                continue
            waits = False
            if kind is MappingStartEvent or kind is SequenceStartEvent:
                stack.append((keys, waits))
                keys = {} if kind is MappingStartEvent else None
