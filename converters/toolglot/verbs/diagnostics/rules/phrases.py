"""Phrases that rules look for in texts, as regular expressions behind a look at the words of the record."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from toolglot.converter.formats.kit.rule import AllTexts, ScannedText, TextHits, TextTest
from toolglot.converter.text.sentences import split_sentences

_LONGEST = 80  # characters of a text that a message repeats


def quote(text: str, limit: int = _LONGEST) -> str:
    """A text as a message repeats it: on one line, and not in full if it is long.

    >>> quote("one  and\\ntwo"), quote("abc", 2)
    ('"one and two"', '"ab…"')
    """
    line = " ".join(text.split())
    if len(line) > limit:
        line = f"{line[:limit]}…"
    return f'"{line}"'


def with_parameter(schema: Any, **more: Any) -> dict[str, Any]:
    """An example of a rule: a tool with one parameter.

    >>> with_parameter({"type": "number"}, required=["a"])["inputs"]["required"]
    ['a']
    """
    return {"id": "add", "inputs": {"type": "object", "properties": {"a": schema}, **more}}


_END = 50_000  # characters of each end


def sentences_of_ends(text: str) -> Iterator[tuple[str, int]]:
    """The sentences of what costly rules look at, each with where it begins in the whole text.

    That is all of a text, or both ends of a long one: half a second a text is what an attacker gets. An order in the
    middle of 100,000 characters is one that few models follow, and so long a definition is warned of.
    """
    ends = [(0, text)]
    if len(text) > 2 * _END:
        ends = [(0, text[:_END]), (len(text) - _END, text[-_END:])]
    for start, part in ends:
        for sentence, at in split_sentences(part):
            yield sentence, start + at


def phrases(parts: tuple[str, ...], *patterns: str, in_markdown: bool = True) -> TextTest:
    """The test for phrases. What comes first is cheap and passes few texts, so that most cost next to nothing.

    Args:
        parts: parts of words, of which every phrase has one; the empty one for phrases without.
        patterns: regular expressions for texts in lower case; the first that is found is named.
        in_markdown: whether they mean the same in the Markdown after front matter.

    >>> test = phrases(("![", "<img"), r"!\\[[^\\]]{0,80}\\]", r"<img\\b.{0,80}")
    >>> list(test.find(ScannedText("See <IMG src=x>", "description", False)))
    [{'words': '"<IMG src=x>"', 'at': 4}]
    """
    compiled_patterns = [re.compile(pattern, re.DOTALL) for pattern in patterns]

    def may_occur(texts: AllTexts) -> bool:
        return texts.have_any(parts) and any(pattern.search(texts.lower_text) for pattern in compiled_patterns)

    def find(text: ScannedText) -> TextHits:
        if text.key == "$ref" or (text.key == "body" and not in_markdown):
            return
        lower_text = text.value.lower()
        match = next(filter(None, (pattern.search(lower_text) for pattern in compiled_patterns)), None)
        if match is not None:
            as_written = text.value if len(text.value) == len(lower_text) else lower_text  # some letters become two
            yield {"words": quote(as_written[match.start() : match.end()]), "at": match.start()}

    return TextTest(may_occur, find)
