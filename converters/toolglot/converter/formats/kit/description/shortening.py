"""Shortens descriptions to a limit. Warnings are never cut."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import islice

from msgspec.structs import replace

from toolglot.converter.formats.kit.description.facts_in_description import join_description, paragraphs
from toolglot.converter.hub.model import Tool, text_about
from toolglot.converter.safety import may_warn, warnings_in
from toolglot.converter.text.sentences import split_sentences

CUT = "..."
_MOST_WARNED = 20  # sentences; the flags at the end say what the others state
_LONGEST_WORD = 40  # characters; what is longer has no blanks, as Chinese has none


def limited_description(tool: Tool, holds: Collection[str], limit: int) -> str | None:
    """The description of `join_description` in at most `limit` UTF-16 units; warnings are never cut.

    The text is shortened first, by `shorten`. If labelled paragraphs and warnings take more than half of the room,
    paragraphs are left out: first those without a warning, the longest first. They are never cut, because a part of one
    could not be read back.

    >>> limited_description(Tool(id="rm", description="Remove. " * 9, flags=("destructive",)), (), 40)
    'Remove. Remove... [⚠️ DESTRUCTIVE]'
    """
    description = join_description(tool, holds)
    while description is not None and units(description) > limit:
        tail = description.removeprefix(tool.description or "")
        lines_by_field = paragraphs(tool, holds)
        if lines_by_field and units(tail) > limit // 2:
            first_to_go = min(lines_by_field, key=lambda field: _weight_of(lines_by_field[field]))
            tool = replace(tool, **{first_to_go: None})
            description = join_description(tool, holds)
            continue
        room = limit - units(tail)
        if not tail:  # one unit stays free, because the reference bridge counts the blank before it (specs 2.4)
            room -= 1
        return shorten(tool.description or "", room, units) + tail
    return description


def _weight_of(paragraph: str) -> tuple[bool, int]:
    return bool(warnings_in(paragraph)), -len(paragraph)


def units(text: str) -> int:
    """The length in UTF-16 units, as providers written in JavaScript count it."""
    if text.isascii():
        return len(text)
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def brief_description(tool: Tool, holds: Collection[str], limit: int) -> str:
    """The description in at most `limit` code points: the shortened text and the whole warnings, without paragraphs.

    A paragraph that was cut could not be read back, nor could the warnings behind it.
    """
    warnings = join_description(Tool(id="", flags=tool.flags), holds) or ""
    text = shorten(text_about(tool), max(limit - len(warnings) - 2, 8))
    return join_description(Tool(id="", description=text, flags=tool.flags), holds) or text


def shorten(text: str, limit: int, length: Callable[[str], int] = len) -> str:
    """A text of at most `limit`: its beginning, then `...` and the sentences with a warning.

    To cut only the end would lose the sentences that matter, because people write warnings last.

    Args:
        length: measures a text in the unit of the limit.

    >>> shorten("one two three", 10)
    'one...'
    >>> shorten("Cleans the disk of old files and of backups. Irreversible.", 40)
    'Cleans the disk of old... Irreversible.'
    """
    if length(text) <= limit:
        return text
    warned = list(islice(_warned_sentences(text), _MOST_WARNED))
    while warned and length(_join_cut("", warned)) > limit:
        warned.pop()
    beginning = _begin(text, limit - length(_join_cut("", warned)), length)
    behind = [(sentence, start) for sentence, start in warned if start + len(sentence) > len(beginning)]
    short_text = _join_cut(beginning, behind)
    if {*warnings_in(short_text)} <= {*warnings_in(text)}:
        return short_text
    return _join_cut(_begin(text, limit - len(CUT), length), ())  # out of its place a sentence would warn of more


def _warned_sentences(text: str) -> Iterator[tuple[str, int]]:
    """The sentences of a text with a warning, each with its offset."""
    if may_warn(text):
        yield from ((sentence, start) for sentence, start in split_sentences(text) if warnings_in(sentence))


def _join_cut(beginning: str, sentences: Iterable[tuple[str, int]]) -> str:
    return " ".join((beginning.rstrip() + CUT, *(sentence.strip() for sentence, _ in sentences)))


def _begin(text: str, room: int, length: Callable[[str], int]) -> str:
    """The longest beginning of a text that fits, to the end of a word."""
    size = max(room, 0)
    while length(text[:size]) > max(room, 0):
        size -= max((length(text[:size]) - room) // 2, 1)
    beginning = text[:size]
    end = beginning.rfind(" ", max(size - _LONGEST_WORD, 0))
    return beginning[:end] if end > 0 else beginning
