"""KDL to plain data with positions: ckdl says what a document means, a scan of its own where everything stands.

A document is `{"nodes": [...]}`, and a node has a `name` and, where there are some, `arguments`, `properties` and
`children`. Both versions of KDL are read; type annotations mean nothing here. ckdl knows no positions and no limits,
so the scan comes first: it counts, finds what KDL lets pass and nobody means (a property twice), and which brace stays
open. ckdl is an extra, imported when a document asks for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import isfinite
from typing import Any, TypeAlias

import msgspec

from toolglot.converter.text.source_text import MAX_BITS, MAX_DIGITS, Mark, SourceText
from toolglot.converter.text.wording import quote_text

_MOST_NODES = 200_000  # of a document; the longest specification of a command line that is known has ten thousand

_TOKEN = re.compile(
    r"""
    (?P<blank> (?: [^\S\n\r\f\v\x85\u2028\u2029] | \ufeff )+ | \\ [^\S\n]* (?: //[^\n]* )? (?: \n | \Z ) )
  | (?P<end> [\n\r\f\v\x85\u2028\u2029;] )
  | (?P<comment> //[^\n]* )
  | (?P<block> /\* )
  | (?P<discard> /- )
  | (?P<text> (?P<hashes>\#+) \"{3} [\s\S]*? \"{3} (?P=hashes) | (?P<marks>\#+) " [\s\S]*? " (?P=marks)
            | r (?P<raw>\#*) " [\s\S]*? " (?P=raw)
            | \"{3} (?: [^"\\]++ | \\[\s\S] | "(?!"") )*+ \"{3}
            | " (?: [^"\\]++ | \\[\s\S] )*+ " )
  | (?P<open> \{ ) | (?P<close> \} ) | (?P<annotation> \( ) | (?P<annotated> \) ) | (?P<equals> = )
  | (?P<word> (?: [^\s\\/(){};="]++ | / (?![/*-]) )++ )
    """,
    re.VERBOSE,
)
_VALUES = frozenset(("hashes", "marks", "raw", "text", "word"))
_NUMBER = re.compile("[-+]?[0-9]")
_IN_COMMENT = re.compile(r"/\*|\*/")


def read(source: SourceText) -> tuple[Any, Mark]:
    """The data of a document, and where each of its values starts.

    Raises:
        ParseError: it is no KDL, says a property twice, or ckdl is not installed (`missing-extra`).
        LimitError: too many nodes or values, or nested too deeply.
    """
    scan = _Scan(source)
    try:
        import ckdl
    except ImportError:
        message = "reading KDL needs the package ckdl; in a clone of toolglot, run: pip install '.[usage]'"
        raise source.wrong("missing-extra", message, 0) from None
    try:
        nodes = ckdl.parse(source.text, version="any").nodes
    except (ckdl.ParseError, ValueError) as error:
        message = f"not KDL: {str(error).lower()}, in the node that begins here"
        raise source.wrong("kdl-syntax", message, _find_fault(ckdl, source.text, scan.nodes)) from None
    return _as_object({"nodes": _join_all(nodes, scan.nodes, 0, source)}, 0)


_NOWHERE = -1  # the place of what `/-` takes out


class _NodePlaces(msgspec.Struct, eq=False):
    """Where a node and its parts stand."""

    start: int
    end: int = 0
    arguments: list[int] = []
    properties: dict[str, int] = {}
    children: list[_NodePlaces] = []


class _Scan:
    """The nodes of a text, found by their tokens.

    Attributes:
        nodes: those at the top; what `/-` takes out is not among them.
    """

    def __init__(self, source: SourceText) -> None:
        self.nodes: list[_NodePlaces] = []
        self._source_text = source
        self._nodes_left = min(source.max_nodes, _MOST_NODES)
        self._siblings = self.nodes
        self._node: _NodePlaces | None = None
        self._depth = 2  # the list of nodes, and the object of each
        self._word: tuple[str, int] | None = None  # which may turn out to be the name of a property
        self._is_property = False  # after an equals sign
        self._is_discarded = False  # after `/-`
        end = self._read_nodes(self._tokens_outside_annotations())
        if end is not None:
            raise source.wrong("kdl-syntax", "not KDL: nothing is open that this brace closes", end - 1)

    def _read_nodes(self, tokens: Iterator[tuple[str, str, int]]) -> int | None:
        """Take in the nodes up to a closing brace, and say where that ends; `None` at the end of the text."""
        for kind, text, offset in tokens:
            end = offset + len(text)
            if kind == "equals":
                self._is_property = True
                continue
            if not (self._is_property and kind == "value"):
                self._end_word()
            if kind == "value":
                self._take_value(text, offset)
            elif kind == "discard":
                self._is_discarded = True
            elif kind == "open":
                end = self._read_block(offset, tokens)
            elif kind == "close":
                return end
            elif kind == "end":
                self._node, self._is_discarded = None, False
            if self._node is not None:
                self._node.end = end
        self._end_word()
        return None

    def _end_word(self) -> None:
        """A word that no value follows is an argument."""
        if self._word is not None and self._node is not None:
            if self._word[1] != _NOWHERE:
                self._node.arguments.append(self._word[1])
            self._word, self._is_property = None, False

    def _take_value(self, text: str, offset: int) -> None:
        """The name of a node, the value of a property, or what may be either an argument or a property's name."""
        self._nodes_left -= 1
        if self._nodes_left < 0:
            message = f"more than {_MOST_NODES} nodes and values; split the document"
            raise self._source_text.beyond("too-many-values", message, offset)
        if len(text) > MAX_DIGITS and _NUMBER.match(text):  # ckdl takes a quarter of a minute for 100 kB of digits
            raise self._source_text.number_too_long(text, offset)
        if self._node is None:
            self._node = _NodePlaces(offset)
            if not self._is_discarded:
                self._siblings.append(self._node)
            self._is_discarded = False
        elif self._word is not None:
            name, place = self._word[0].strip('"'), self._word[1]
            if place != _NOWHERE:
                if name in self._node.properties:
                    raise self._source_text.duplicate(name, place, self._node.properties[name])
                self._node.properties[name] = offset
            self._word, self._is_property = None, False
        else:
            self._word = text, _NOWHERE if self._is_discarded else offset
            self._is_discarded = False

    def _read_block(self, offset: int, tokens: Iterator[tuple[str, str, int]]) -> int:
        """Take in the nodes of the block that begins here, and say where it ends."""
        siblings, node = self._siblings, self._node
        # A block behind a node's children, or one that is taken out, has nodes of nobody.
        self._siblings = [] if node is None or self._is_discarded else node.children
        self._node, self._is_discarded = None, False
        self._depth += 2
        if self._depth > self._source_text.max_depth:
            raise self._source_text.too_deep(offset)
        end = self._read_nodes(tokens)
        if end is None:
            raise self._source_text.wrong("kdl-syntax", "not KDL: nothing closes this brace", offset)
        self._depth -= 2
        self._siblings, self._node = siblings, node
        return end

    def _tokens_outside_annotations(self) -> Iterator[tuple[str, str, int]]:
        """Without annotations, whose text may have quotes around parentheses."""
        annotation: int | None = None  # where the one begins that is open
        for kind, text, offset in self._tokens():
            if kind == "annotation":
                annotation = offset
            elif kind == "annotated":
                if annotation is None:
                    raise self._source_text.wrong("kdl-syntax", "not KDL: no annotation is open here", offset)
                annotation = None
            elif annotation is None:
                yield kind, text, offset
            elif kind == "end":
                break
        if annotation is not None:
            raise self._source_text.wrong("kdl-syntax", "not KDL: nothing closes this annotation", annotation)

    def _tokens(self) -> Iterator[tuple[str, str, int]]:
        text, offset = self._source_text.text, 0
        while offset < len(text):
            match = _TOKEN.match(text, offset)
            if match is None:
                message = f"not KDL: nothing begins with {quote_text(text[offset : offset + 10])}, or it never ends"
                raise self._source_text.wrong("kdl-syntax", message, offset)
            kind = match.lastgroup or ""
            if kind == "block":
                offset = self._end_of_comment(offset)
                continue
            if kind in _VALUES:
                kind = "value"
            if kind not in ("blank", "comment"):
                yield kind, match[0], offset
            offset = match.end()

    def _end_of_comment(self, start: int) -> int:
        depth = 0
        for match in _IN_COMMENT.finditer(self._source_text.text, start):
            depth += 1 if match[0] == "/*" else -1
            if depth == 0:
                return match.end()
        raise self._source_text.wrong("kdl-syntax", "not KDL: nothing ends this comment", start)


def _find_fault(ckdl: Any, text: str, nodes: list[_NodePlaces]) -> int:
    """Where the innermost node begins that is no KDL by itself; the beginning where each of them is."""
    place = 0
    while True:
        faulty = next((node for node in nodes if not _is_kdl(ckdl, text[node.start : node.end])), None)
        if faulty is None:
            return place
        place, nodes = faulty.start, faulty.children


def _is_kdl(ckdl: Any, text: str) -> bool:
    try:
        ckdl.parse(text, version="any")
    except (ckdl.ParseError, ValueError):
        return False
    return True


_Placed: TypeAlias = tuple[Any, Mark]
"""A value, and where it and everything in it starts."""


def _as_list(items: list[_Placed], start: int) -> _Placed:
    return [value for value, _ in items], (start, [mark for _, mark in items])


def _as_object(members: dict[str, _Placed], start: int) -> _Placed:
    values = {key: value for key, (value, _) in members.items()}
    return values, (start, {key: mark for key, (_, mark) in members.items()})


def _join_all(nodes: list[Any], places: list[_NodePlaces], start: int, source: SourceText) -> _Placed:
    """What ckdl read and where the scan found it; where the two disagree, the place of the first stands for all."""
    if len(places) != len(nodes):
        places = [places[0] if places else _NodePlaces(0)] * len(nodes)
    return _as_list([_join(node, place, source) for node, place in zip(nodes, places, strict=True)], start)


def _join(node: Any, place: _NodePlaces, source: SourceText) -> _Placed:
    parts: dict[str, _Placed] = {"name": (node.name, (place.start, None))}
    if node.args:
        starts = place.arguments
        if len(starts) != len(node.args):
            starts = [place.start] * len(node.args)
        arguments = [_json_value(value, start, source) for value, start in zip(node.args, starts, strict=True)]
        parts["arguments"] = _as_list(arguments, starts[0])
    if len(place.properties) > len(node.properties):
        raise source.wrong("duplicate-key", "a property is given twice; keep one of the two", place.start)
    if node.properties:
        starts_of = place.properties
        properties = {
            key: _json_value(value, starts_of.get(key, place.start), source) for key, value in node.properties.items()
        }
        parts["properties"] = _as_object(properties, place.start)
    if node.children:
        parts["children"] = _join_all(node.children, place.children, place.start, source)
    return _as_object(parts, place.start)


def _json_value(value: Any, offset: int, source: SourceText) -> _Placed:
    """A value without its annotation, if JSON can hold it."""
    value = getattr(value, "value", value)
    if isinstance(value, float) and not isfinite(value):
        raise source.not_finite(str(value), offset)
    if isinstance(value, int) and value.bit_length() > MAX_BITS:
        raise source.number_too_long("9" * (MAX_DIGITS + 1), offset)
    return value, (offset, None)
