"""YAML, read from libyaml's events and written without libyaml.

PyYAML's own loaders are not used: they are half as fast, read `no` as false and `2026-04-28` as a date, keep
the last of two equal keys, and the C loader crashes the process on 25,000 nested brackets. Its emitter is not
used either: it escapes every emoji, and cannot say which strings other readers would take for numbers.
"""

from __future__ import annotations

import json
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

from toolglot.converter.text.pointers import keyed_values
from toolglot.converter.text.source_text import MAX_BITS, Mark, SourceText, TreeBuilder, too_deep_message
from toolglot.converter.text.wording import quote_text
from toolglot.regexes import compile_later

# PyYAML without its C extension has the same events, ten times slower.
EventParser: Callable[[str], Any] = getattr(yaml, "CBaseLoader", yaml.BaseLoader)

_STRING_TAG = "tag:yaml.org,2002:str"
_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
# The first characters of every plain scalar that could be something other than a string.
_TYPED = frozenset(("", *"~nNtTfF0123456789+-."))
_INTEGER = re.compile(r"[-+]?[0-9]+").fullmatch
_FLOAT = compile_later(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_OTHER_BASE = compile_later(r"0o[0-7]+|0x[0-9a-fA-F]+")
_NOT_FINITE = compile_later(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_UNPRINTABLE = "[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
# What libyaml finds -> what to do about it, because few people know its words.
_REMEDIES = {
    "mapping values are not allowed in this context": "put a text that has a colon in quotes, or correct the indent",
    "found character that cannot start any token": "indent with blanks; a text that begins with a sign needs quotes",
    "found a tab character that violates indentation": "indent with blanks",
    "found unexpected end of stream": "close the quotation mark",
    "found unknown escape character": "write two backslashes, or use single quotes",
    "did not find expected key": "put the whole text in quotes, or correct the indent",
    "did not find expected ',' or ']'": "close the bracket",
    "did not find expected ',' or '}'": "close the brace",
    "did not find expected alphabetic or numeric character": "put a text that begins with * or & in quotes",
    "could not find expected ':'": "add the colon, or correct the indent",
}
_BARE_TAG = compile_later(r"(?:&\S+\s+)?!")


def read(source: SourceText, start: int, end: int) -> tuple[Any, Mark]:
    """The data of a part of the text that is one YAML document, and where everything in it starts.

    Its root is a mapping or a sequence; what an alias repeats keeps the places of its anchor.

    Args:
        source: the text, without control characters.
        start, end: the part to read.

    Raises:
        ParseError: not YAML, a duplicate key, a tag, a merge key, several documents, a scalar as the root.
        LimitError: nested too deeply, too many values through aliases, an integer too long.
    """
    text = source.text[start:end]
    try:
        return _DocumentBuilder(source, text, start).build()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        at = mark.index if mark else 0
        if "nesting depth" in (error.problem or ""):
            message = too_deep_message(min(source.max_depth, _DEEPEST))
            raise source.beyond("too-deep", message, start + at) from None
        problem = " ".join(filter(None, (error.context, error.problem)))
        if error.problem in _REMEDIES:
            problem += f"; {_REMEDIES[error.problem]}"
        raise source.wrong("yaml-syntax", f"not YAML: {problem}", start + at) from None
    except yaml.YAMLError:
        character = re.search(_UNPRINTABLE, text)
        at = character.start() if character else 0
        message = f"YAML has no place for {quote_text(text[at : at + 1])}; escape it in a quoted string"
        raise source.wrong("control-character", message, start + at) from None


_DEEPEST = 1_000  # about where releases of libyaml that have a bound of their own refuse a document


class _DocumentBuilder(TreeBuilder):
    """The data of one document, put together event by event.

    In one function, with the state in local variables, reading takes 15 % less time, and the conversion of a TOOL.md
    1 %; it was 107 lines long.
    """

    def __init__(self, source: SourceText, text: str, start: int) -> None:
        super().__init__(source, start)
        self.text = text
        self.has_bang = "!" in text
        self.anchors: dict[str, Any] = {}  # name -> a value and the marks of what is in it
        self.alias_count = 0  # values that aliases added

    def build(self) -> tuple[Any, Mark]:
        """The data and where everything in it starts; errors as `read`."""
        next_event = EventParser(self.text).get_event
        take = {
            ScalarEvent: self.take_scalar,
            AliasEvent: self.take_alias,
            MappingStartEvent: self.open_container,
            SequenceStartEvent: self.open_container,
            MappingEndEvent: self.close,
            SequenceEndEvent: self.close,
        }
        documents = 0
        while True:
            event = next_event()
            kind = event.__class__
            if kind in take:
                take[kind](event)
            elif kind is StreamEndEvent:
                break
            elif kind is DocumentStartEvent:
                documents += 1
                if documents > 1:
                    if _is_empty_tail(next_event):
                        break
                    message = "a second YAML document starts here; put each document in its own file"
                    raise self.source.wrong("yaml-multiple-documents", message, self.offset_of(event))
        if self.root is None:
            raise self.source.wrong("empty", "there is no data here, only comments or blank lines", self.start)
        return self.root

    def offset_of(self, event: Any) -> int:
        """Where an event starts in the whole text."""
        offset: int = self.start + event.start_mark.index
        return offset

    def take_scalar(self, event: Any) -> None:
        """A key, or a value that holds no others."""
        value = event.value
        is_plain = not event.style
        if event.tag is not None:
            if event.tag != _STRING_TAG:
                self.refuse_tag(event)
            is_plain = False
        elif self.has_bang and is_plain and _BARE_TAG.match(self.text, event.start_mark.index):
            # libyaml hides the tag of `! 12`, which is a string and not a number.
            self.refuse_tag(event)
        is_key = self.key is None and type(self.container) is dict
        if is_key:
            self.take_key(event, is_plain)
        elif is_plain and value[:1] in _TYPED:
            value = self.resolve(value, event)
        if event.anchor is not None:
            self.anchors[event.anchor] = value, None
        if self.container is not None:
            if not is_key:
                self.place(value, None, self.start + event.start_mark.index)
        elif value is not None or event.value:
            found = "text" if isinstance(value, str) else json.dumps(value)
            message = f"expected an object or a list, as JSON or YAML, or front matter between --- lines; found {found}"
            raise self.source.wrong("not-a-document", message, self.offset_of(event))

    def take_key(self, event: Any, is_plain: bool) -> None:
        if event.value in self.container:
            _KeyFinder(self.source, self.text, self.start).build()
        if event.value == "<<" and is_plain:
            message = "merge keys are not applied; write the keys out, or quote the key: '<<'"
            raise self.source.wrong("yaml-merge-key", message, self.offset_of(event))
        self.key = event.value

    def open_container(self, event: Any) -> None:
        if event.tag is not None:
            self.refuse_tag(event)
        self.refuse_as_key(event)
        self.open(dict if event.__class__ is MappingStartEvent else list, self.offset_of(event))
        if event.anchor is not None:
            self.anchors[event.anchor] = self.container, self.places

    def take_alias(self, event: Any) -> None:
        """The value of an anchor once more."""
        at = self.offset_of(event)
        self.refuse_as_key(event)
        if event.anchor not in self.anchors:
            message = f"the alias *{quote_text(event.anchor)[1:-1]} has no anchor before it; write the value out"
            raise self.source.wrong("yaml-syntax", message, at)
        value, inner = self.anchors[event.anchor]
        containers = [self.container, *(outer[0] for outer in self.outer)]
        if value is not None and any(value is container for container in containers):
            message = f"the alias *{event.anchor} lies inside what it repeats; write the value out"
            raise self.source.beyond("too-many-aliases", message, at)
        self.place(self.copy(value, at), inner, at)

    def resolve(self, value: str, event: Any) -> Any:
        """What a plain scalar means by the core schema of YAML 1.2."""
        if value in _WORDS:
            return _WORDS[value]
        at = self.offset_of(event)
        if _INTEGER(value):
            return self.source.integer(value, at)
        if _FLOAT.fullmatch(value):
            return self.source.finite_float(value, at)
        if _OTHER_BASE.fullmatch(value):
            number = int(value[2:], 8 if value[1] == "o" else 16)
            if number.bit_length() > MAX_BITS:
                raise self.source.number_too_long(value, at)
            return number
        if _NOT_FINITE.fullmatch(value):
            raise self.source.not_finite(value, at)
        return value

    def copy(self, value: Any, at: int) -> Any:
        """A copy of an anchored value, so that a later change at one place does not show at the other.

        Long strings weigh more than one value: they are shared in memory, but not in what is written later.
        """
        holder: list[Any] = [value]
        level: list[Any] = [holder]
        depth = len(self.outer)
        while level:
            if depth > self.source.max_depth:
                raise self.source.too_deep(at)
            depth += 1
            deeper: list[Any] = []
            for container in level:
                for key, item in keyed_values(container):
                    self.alias_count += 1 + (len(item) // 100 if type(item) is str else 0)
                    if type(item) is dict or type(item) is list:
                        container[key] = copied = item.copy()
                        deeper.append(copied)
                if self.alias_count > self.source.max_nodes:
                    message = f"aliases add more than {self.source.max_nodes} values; write fewer"
                    more = "in Python, Limits.max_nodes allows more"
                    raise self.source.beyond("too-many-aliases", f"{message}; {more}", at)
            level = deeper
        return holder[0]

    def refuse_tag(self, event: Any) -> NoReturn:
        tag = quote_text((event.tag or "!").replace("tag:yaml.org,2002:", "!!"))[1:-1]
        message = f"the tag {tag} is not read; remove it, quote the value if it is a string"
        raise self.source.wrong("yaml-tag", message, self.offset_of(event))

    def refuse_as_key(self, event: Any) -> None:
        """Refuse what is no text where a mapping waits for a key."""
        if self.key is None and type(self.container) is dict:
            message = "a key is a list, a mapping or an alias; write the key as a string"
            raise self.source.wrong("yaml-complex-key", message, self.offset_of(event))


def _is_empty_tail(next_event: Callable[[], Any]) -> bool:
    """Whether the document that has just started is only the closing `---` of the one before it."""
    event = next_event()
    bare = event.__class__ is ScalarEvent and event.value == "" and not event.style
    next_event()
    return bare and event.tag is None and next_event().__class__ is StreamEndEvent


class _KeyFinder(_DocumentBuilder):
    """A second pass over a text with a key twice, because the first remembers where values start, and not keys."""

    def take_key(self, event: Any, is_plain: bool) -> None:
        self.name_next(event.value, self.offset_of(event))
