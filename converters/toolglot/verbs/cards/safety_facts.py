"""What is said about the danger of a tool, fact by fact, and who says it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

import msgspec

from toolglot.converter import safety
from toolglot.converter.conversion.positions import SourcePlaces, dotted
from toolglot.converter.conversion.unread_dangers import unread_dangers
from toolglot.converter.formats import CLAIMS_IN_TEXTS, Claim, Format
from toolglot.converter.hub.facets import facets_with
from toolglot.converter.hub.fields import FIELDS
from toolglot.converter.hub.model import Tool, to_json
from toolglot.converter.text.pointers import pointer_of, value_at

AUTHOR, YOU, TEXT, UNCLEAR, UNREAD, HINT, METHOD, CLAIM, SUPPOSED, NOBODY = (
    "author", "you", "text", "unclear", "unread", "hint", "method", "claim", "conversion", "nobody",
)  # fmt: skip
SPEAKERS = {
    AUTHOR: "its author states it",
    YOU: "on your word",
    TEXT: "its text warns of it",
    UNCLEAR: "its author states it so that nobody can read it; it counts as the danger",
    UNREAD: "its author, under a key that nobody reads; it counts for nothing",
    HINT: "the server's hint, not verified",
    METHOD: "what HTTP says of the method, not verified",
    CLAIM: "its text says so, not verified",
    SUPPOSED: "supposed by a conversion, not confirmed",
    NOBODY: "nobody states it",
}
"""Key in JSON -> who says a fact, in words for people. What is not verified or confirmed counts as unknown."""


class SafetyFact(msgspec.Struct, frozen=True, omit_defaults=True):
    """One fact about the danger of a tool.

    Attributes:
        fact: the field of the record of a tool, the name of a hint, or a danger in words.
        value: as JSON data; of a hint what it would state; `None` where nobody states the fact.
        by: who says it, a key of `SPEAKERS`.
        place: what the source calls it; empty where that is not known.
        line: of the source; `None` where it is not known.
        means: the dangers that a word or a number stands for, in words.
    """

    fact: str
    value: Any
    by: str
    place: str = ""
    line: int | None = None
    means: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """Who says it, and where."""
        place = self.place if self.line is None else f"{self.place} :{self.line}"
        return ": ".join(filter(None, (SPEAKERS[self.by], place)))


def safety_facts(
    tool: Tool,
    source_format: Format,
    vouched: Collection[str],
    places: SourcePlaces,
    node: str,
) -> Iterator[SafetyFact]:
    """Every fact about the danger of a tool: what counts, then what does not, then what nobody states.

    Args:
        tool: a callable node with what it inherits and what is vouched for.
        source_format: of the document that it was read from.
        vouched: the fields that stand on the word of the person who runs this.
        places: where the document says what.
        node: where the tool stands in its tree, as a JSON Pointer.

    >>> from toolglot.converter.conversion.sources import open_document, read_document
    >>> data = {"toolglot": 1, "tools": [{"id": "rm", "destructive": True, "flags": ["billable"]}]}
    >>> reading = read_document(open_document(data))
    >>> facts = safety_facts(reading.tools[0], reading.format, (), SourcePlaces(reading, 0), "")
    >>> [(fact.fact, fact.value, fact.by) for fact in facts][:2]
    [('destructive', True, 'author'), ('💰 BILLABLE', True, 'text')]
    """
    where = _FactPlaces(places, node)
    stated = safety.stated_facts(tool, safety.FIELDS_OF_DANGER)
    for field in FIELDS:
        if field in stated:
            place, line = where.find(field, stated[field])
            by = YOU if field in vouched else AUTHOR
            yield SafetyFact(field, to_json(stated[field]), by, place, line, _dangers_meant_by(field, stated[field]))
    for field in tool.unclear or ():
        yield SafetyFact(field, None, UNCLEAR, *where.find(field))
    extension = tool.extension(source_format.name)
    for path in unread_dangers(source_format, tool):
        pointer = pointer_of(path)
        yield SafetyFact(path[-1], value_at(extension, pointer), UNREAD, *where.find_key(source_format, pointer))
    for warning in safety.sort_warnings((*(tool.flags or ()), *safety.text_warnings(tool))):
        if safety.WORDS[warning].levels:
            yield SafetyFact(safety.WORDS[warning].words, True, TEXT)
    for name, claim in source_format.claims.items():
        if claim.is_made(tool) and not set(vouched).issuperset(claim.facts):
            place, line = where.find_key(source_format, _path_of_key(extension, name))
            yield SafetyFact(name, dict(claim.facts), _speaker_of_claim(name, claim), place, line)
    for field in tool.assumed or ():
        if field in safety.FIELDS_OF_DANGER and field not in stated:
            yield SafetyFact(field, where.value_of(field), SUPPOSED, *where.find(field))
    levels = safety.caution(tool)
    for facet in _YES_OR_NO:
        if levels[facet] == safety.UNKNOWN:
            yield SafetyFact(DANGER_WORDS[facet], None, NOBODY)


class _FactPlaces(NamedTuple):
    """Where a document says the fields of one node."""

    places: SourcePlaces
    node: str

    def find(self, field: str, value: Any = None, rest: str = "") -> tuple[str, int | None]:
        """What it calls a field, and the line."""
        found = self.places.find(self.node, field, rest, value)
        return (dotted(found.spelling), found.line) if found.spelling else ("", None)

    def find_key(self, source_format: Format, pointer: str) -> tuple[str, int | None]:
        """The same, of a key that its format keeps beside the fields."""
        return self.find("extensions", rest=f"/{source_format.name}{pointer}")

    def value_of(self, field: str) -> Any:
        """What stands there."""
        pointer = self.places.find(self.node, field, "").pointer
        return None if pointer is None else value_at(self.places.document.data, pointer)


def _speaker_of_claim(name: str, claim: Claim) -> str:
    if claim.is_method:
        return METHOD
    return CLAIM if name in CLAIMS_IN_TEXTS else HINT


def _without_picture(words: str) -> str:
    """The words of a flag without the picture, in small letters.

    >>> _without_picture("⚠️ NOT REVERSIBLE"), _without_picture("uses the network")
    ('not reversible', 'uses the network')
    """
    return words if words[0].isascii() else words.partition(" ")[2].lower()


_YES_OR_NO = facets_with(is_degree=False)
DANGER_WORDS = {
    note.facet: _without_picture(note.words)
    for note in safety.WORDS.values()
    if note.facet in _YES_OR_NO and note.only_for is None  # a note for one value says more than the danger does
}
"""Each danger that a tool has or has not -> what it is called."""


def _dangers_meant_by(field: str, value: Any) -> tuple[str, ...]:
    """The dangers that a word or a number stands for, in words; none of what names its danger itself.

    >>> _dangers_meant_by("risk_level", 3), _dangers_meant_by("destructive", True)
    (('changes data', 'destructive', 'not reversible'), ())
    """
    if isinstance(value, bool | tuple):
        return ()
    levels = safety.levels_of(field, value)
    return tuple(DANGER_WORDS[facet] for facet in levels if facet in _YES_OR_NO and levels[facet] == safety.UNSAFE)


def _path_of_key(data: dict[str, Any], key: str) -> str:
    """Where a key stands in an object, or in one of the objects in it, as a JSON Pointer; empty where it does not.

    >>> _path_of_key({"a": 1, "b": {"c": 2}}, "c")
    '/b/c'
    """
    paths = (f"/{holder}/{key}" for holder, value in data.items() if isinstance(value, dict) and key in value)
    return next(paths, f"/{key}" if key in data else "")
