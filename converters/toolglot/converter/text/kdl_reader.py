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
from typing import Any, NamedTuple

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
    data, marks = _join_all(nodes, scan.nodes, source)
    return {"nodes": data}, (0, {"nodes": (0, marks)})


_NOWHERE = -1  # the place of what `/-` takes out


class _NodePlaces:
    """Where a node and its parts stand."""

    __slots__ = ("arguments", "children", "end", "properties", "start")

    def __init__(self, start: int) -> None:
        self.start = self.end = start
        self.arguments: list[int] = []
        self.properties: dict[str, int] = {}
        self.children: list[_NodePlaces] = []


class _Block(NamedTuple):
    """What stays open around a block: the nodes beside its own, that node, and where the block begins."""

    siblings: list[_NodePlaces]
    node: _NodePlaces | None
    offset: int


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
        self._around: list[_Block] = []
        self._word: tuple[str, int] | None = None  # which may turn out to be the name of a property
        self._is_property = False  # after an equals sign
        self._is_discarded = False  # after `/-`
        self._walk()

    def _walk(self) -> None:
        for kind, text, offset in self._tokens_outside_annotations():
            if kind == "equals":
                self._is_property = True
                continue
            if not (self._is_property and kind in ("word", "text")):
                self._end_word()
            if kind in ("word", "text"):
                self._take_value(text, offset)
            elif kind == "discard":
                self._is_discarded = True
            elif kind == "open":
                self._open_block(offset)
            elif kind == "close":
                self._close_block(offset)
            elif kind == "end":
                self._node, self._is_discarded = None, False
            if self._node is not None:
                self._node.end = offset + len(text)
        self._end_word()
        if self._around:
            raise self._source_text.wrong("kdl-syntax", "not KDL: nothing closes this brace", self._around[-1].offset)

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

    def _open_block(self, offset: int) -> None:
        self._around.append(_Block(self._siblings, self._node, offset))
        if self._node is None or self._is_discarded:
            self._siblings = []  # a block behind a node's children, or one that is taken out, has nodes of nobody
        else:
            self._siblings = self._node.children
        self._node, self._is_discarded = None, False
        if 2 * len(self._around) + 2 > self._source_text.max_depth:
            raise self._source_text.too_deep(offset)

    def _close_block(self, offset: int) -> None:
        if not self._around:
            raise self._source_text.wrong("kdl-syntax", "not KDL: nothing is open that this brace closes", offset)
        block = self._around.pop()
        self._siblings, self._node = block.siblings, block.node

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
            if kind in ("hashes", "marks", "raw"):
                kind = "text"
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


def _join_all(nodes: list[Any], places_of_scan: list[_NodePlaces], source: SourceText) -> tuple[list[Any], list[Mark]]:
    """What ckdl read and where the scan found it; where the two disagree, the place of the first stands for all."""
    if len(places_of_scan) == len(nodes):
        places = places_of_scan
    else:
        places = [places_of_scan[0] if places_of_scan else _NodePlaces(0)] * len(nodes)
    data: list[Any] = []
    marks: list[Mark] = []
    for node, place in zip(nodes, places, strict=True):
        node_data, mark = _node_with_marks(node, place, source)
        data.append(node_data)
        marks.append(mark)
    return data, marks


def _node_with_marks(node: Any, place: _NodePlaces, source: SourceText) -> tuple[dict[str, Any], Mark]:
    data: dict[str, Any] = {"name": node.name}
    marks: dict[str, Mark] = {"name": (place.start, None)}
    if node.args:
        if len(place.arguments) == len(node.args):
            starts = place.arguments
        else:
            starts = [place.start] * len(node.args)
        data["arguments"] = [_json_value(value, start, source) for value, start in zip(node.args, starts, strict=True)]
        marks["arguments"] = (starts[0], [(start, None) for start in starts])
    if len(place.properties) > len(node.properties):
        raise source.wrong("duplicate-key", "a property is given twice; keep one of the two", place.start)
    if node.properties:
        starts_of = {key: place.properties.get(key, place.start) for key in node.properties}
        data["properties"] = {key: _json_value(value, starts_of[key], source) for key, value in node.properties.items()}
        marks["properties"] = (place.start, {key: (start, None) for key, start in starts_of.items()})
    if node.children:
        children, children_marks = _join_all(node.children, place.children, source)
        data["children"] = children
        marks["children"] = (place.start, children_marks)
    return data, (place.start, marks)


def _json_value(value: Any, offset: int, source: SourceText) -> Any:
    """A value without its annotation, if JSON can hold it."""
    value = getattr(value, "value", value)
    if isinstance(value, float) and not isfinite(value):
        raise source.not_finite(str(value), offset)
    if isinstance(value, int) and value.bit_length() > MAX_BITS:
        raise source.number_too_long("9" * (MAX_DIGITS + 1), offset)
    return value
