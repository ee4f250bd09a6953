"""Which ideas of the lexicon stand together in a sentence: a rule names ideas, not sentences.

Nearly every text is harmless, so the words of a record are looked up first, once for all rules. Only where all ideas of
a combination can occur are the sentences looked at.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import NamedTuple

from toolglot.diagnostics.rules.instruction_lexicon import COMBINATIONS, COMMON, LEXICON, TEXT_PATTERNS
from toolglot.diagnostics.rules.phrases import quote
from toolglot.formats.kit.rule import AllTexts, ScannedText, TextTest

_LONGEST = 200_000  # characters of a text that are looked at
_BETWEEN = r"[^\w.;!?\n]{1,6}"  # what stands between two words of one phrase
_GAPS = {"..": 3, "...": 7}
_NOT = (
    rf"(?:dont|never|without|avoid|refrain|cannot|neednt|nor|shouldnt|mustnt|wont|no|"
    rf"(?:do|does|must|should|shall|need|needs|may|can|will|are|is|be|to|and|or|but){_BETWEEN}not)"
)
_ENDINGS = ("", "s", "d", "es", "ed", "ing")
_SENTENCE_END = re.compile(  # one set of characters first, which is found fast; three alternatives are not
    r"[.!?;\n。！？；](?:(?<=\n)\n*|(?<=[.!?;])[\s\"')\]]+|(?<=[。！？；]))"
)
_WORD = re.compile(r"[^\W\d_]+")
_INNER_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_JOINT = re.compile(r"[_-]")


class Phrase(NamedTuple):
    """An entry of the lexicon: its pattern, the words of which a text with it has one, and such sets for the rest.

    Patterns are compiled when they are first needed; most never are.
    """

    pattern: str
    words: frozenset[str]
    others: tuple[frozenset[str], ...]


class Idea(NamedTuple):
    """An idea: word -> the phrases that may be where it is, and the pattern for writing without blanks."""

    phrases: Mapping[str, tuple[Phrase, ...]]
    unspaced: re.Pattern[str] | None


class Combination(NamedTuple):
    """Ideas that mean something where they stand together.

    Attributes:
        ideas: all of them have to be there.
        excluded: none of these.
        sentences: how many neighbouring sentences they may be spread over.
    """

    ideas: tuple[str, ...]
    excluded: tuple[str, ...]
    sentences: int


class Sentence(NamedTuple):
    """A sentence as it is written, and where it begins."""

    written: str
    start: int


# -- the lexicon compiled -----------------------------------------------------------------------------------------


def _forms(alternative: str) -> list[str]:
    """A word with its endings where it ends in `~`.

    >>> _forms("note"), "noting" in _forms("note~")
    (['note'], True)
    """
    if not alternative.endswith("~"):
        return [alternative]
    verb = alternative[:-1]
    return [*(verb + ending for ending in _ENDINGS), verb[:-1] + "ing"]


def _phrase(line: str) -> Phrase:
    """The pattern of an entry, and words of which a text that it fits has one: those that are rarest."""
    parts: list[str] = []
    anchors: list[set[str]] = []
    for token in line.split():
        if token in _GAPS:
            parts.append(rf"(?:[\w@$~.]+{_BETWEEN}){{0,{_GAPS[token]}}}?")
            continue
        if token == "NOT":
            parts.append(_NOT + _BETWEEN)
            continue
        forms = [form for alternative in token.rstrip("?").split("/") for form in _forms(alternative)]
        choice = f"(?:{'|'.join(sorted(map(re.escape, forms), key=len, reverse=True))})"
        if token.endswith("?"):
            parts.append(f"(?:{choice}{_BETWEEN})?")
        else:
            parts.append(choice + _BETWEEN)
            anchors.append({match.group() for form in forms if (match := _WORD.search(form))})
    pattern = "".join(parts).removesuffix(_BETWEEN)
    sets = [frozenset(words | {word.removesuffix("s") for word in words}) for words in anchors]
    rarest = min(sets, key=lambda words: sum(COMMON.get(word, 0.0005) for word in words) or 1)
    return Phrase(rf"\b{pattern}\b", rarest, tuple(words for words in sets if words and words is not rarest))


@cache
def _idea(name: str) -> Idea:
    lines = [line.strip() for line in LEXICON[name].splitlines() if line.strip()]
    unspaced = [line[1:] for line in lines if line.startswith("=")]
    phrases: dict[str, tuple[Phrase, ...]] = {}
    for phrase in [_phrase(line) for line in lines if not line.startswith("=")]:
        for word in phrase.words:
            phrases[word] = (*phrases.get(word, ()), phrase)
    return Idea(phrases, re.compile("|".join(unspaced)) if unspaced else None)


_compile = cache(re.compile)


# -- texts -------------------------------------------------------------------------------------------------------------


@lru_cache(4096)
def _plain(text: str) -> str:
    """A sentence as the lexicon spells it.

    >>> _plain("Don't use the_user's `fileName`")
    'dont use the users `file name`'
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).replace("\u2019", "'")
    return _JOINT.sub(" ", _INNER_CAPITAL.sub(" ", text)).replace("'", "").lower()


@lru_cache(8)  # every rule asks for the same text
def _sentences(text: str) -> tuple[Sentence, ...]:
    sentences, start = [], 0
    for end in _SENTENCE_END.finditer(text[:_LONGEST]):
        last = end.start() + (text[end.start()] != "\n")
        sentences.append(Sentence(text[start:last], start))
        start = end.end()
    sentences.append(Sentence(text[start:_LONGEST], start))
    return tuple(sentence for sentence in sentences if sentence.written)


@lru_cache(4096)  # combinations share ideas, and texts sentences
def _holds(written: str, name: str) -> bool:
    if name in TEXT_PATTERNS:
        return TEXT_PATTERNS[name].pattern.search(written) is not None
    idea, plain = _idea(name), _plain(written)
    if idea.unspaced is not None and not plain.isascii() and idea.unspaced.search(plain):
        return True
    return any(
        _compile(phrase.pattern).search(plain)
        for word in idea.phrases.keys() & _words(written)
        for phrase in idea.phrases[word]
    )


@lru_cache(4096)
def _words(written: str) -> frozenset[str]:
    return frozenset(_WORD.findall(_plain(written)))


def _fits(combination: Combination, sentences: tuple[Sentence, ...]) -> bool:
    if not all(any(_holds(sentence.written, name) for sentence in sentences) for name in combination.ideas):
        return False
    return not any(_holds(sentence.written, name) for sentence in sentences for name in combination.excluded)


def _windows(combination: Combination, sentences: tuple[Sentence, ...]) -> Iterator[tuple[Sentence, ...]]:
    for index in range(len(sentences)):
        window = sentences[index : index + combination.sentences]
        if _fits(combination, window):
            yield window


def _combination(notation: str) -> Combination:
    """A combination as rules write it: ideas, those that are excluded with `!`, and `2:` before what two sentences say.

    >>> _combination("2: get secret !negated")
    Combination(ideas=('get', 'secret'), excluded=('negated',), sentences=2)
    """
    sentences, _, names = notation.rpartition(":")
    return Combination(
        tuple(name for name in names.split() if not name.startswith("!")),
        tuple(name[1:] for name in names.split() if name.startswith("!")),
        int(sentences or 1),
    )


# -- records -----------------------------------------------------------------------------------------------------------


@cache
def _ideas_of_words() -> Mapping[str, tuple[tuple[str, Phrase], ...]]:
    """Word -> the phrases that may be there with it, each with its idea."""
    ideas: dict[str, tuple[tuple[str, Phrase], ...]] = {}
    for name in LEXICON:
        for word, phrases in _idea(name).phrases.items():
            ideas[word] = (*ideas.get(word, ()), *((name, phrase) for phrase in phrases))
    return ideas


@cache
def _combinations() -> Mapping[str, tuple[Combination, ...]]:
    return {code: tuple(map(_combination, notations)) for code, notations in COMBINATIONS.items()}


@lru_cache(2)  # every rule asks for the same record
def _codes_in(texts: AllTexts) -> frozenset[str]:
    """The rules that the texts of a record are worth a closer look for."""
    reasons: dict[str, set[str]] = {}  # idea -> the words that are there of it
    known = _ideas_of_words()
    for word in known.keys() & texts.words:
        for name, phrase in known[word]:
            if not any(words.isdisjoint(texts.words) for words in phrase.others):
                reasons.setdefault(name, set()).add(word)
    if not texts.joined.isascii():
        for name, idea in _unspaced().items():
            for match in idea.finditer(texts.lowered):
                reasons.setdefault(name, set()).add(match[0])
    codes = set[str]()
    for name in [*reasons, *_WORDLESS]:
        for worded, code, combination in _by_rarest_idea().get(name, ()):
            if worded <= reasons.keys() and code not in codes and _occurs(combination, texts, reasons):
                codes.add(code)
    return frozenset(codes)


_WORDLESS = ("",)  # stands for the ideas of a combination of patterns alone


@cache
def _by_rarest_idea() -> Mapping[str, list[tuple[frozenset[str], str, Combination]]]:
    """Idea -> the combinations of which it is the rarest that words make, each behind all of those, and its rule."""
    combinations: dict[str, list[tuple[frozenset[str], str, Combination]]] = {}
    for code, some in _combinations().items():
        for combination in some:
            worded = frozenset(name for name in combination.ideas if name in LEXICON)
            rarest = min(sorted(worded), key=_frequency, default="")
            combinations.setdefault(rarest, []).append((worded, code, combination))
    return combinations


@cache
def _frequency(name: str) -> float:
    return sum(COMMON.get(word, 0.0005) for word in _idea(name).phrases)


@lru_cache(2 * len(TEXT_PATTERNS))  # combinations share patterns
def _may_have(text: str, name: str) -> bool:
    pattern, parts = TEXT_PATTERNS[name]
    return any(part in text for part in parts) and pattern.search(text) is not None


@cache
def _unspaced() -> Mapping[str, re.Pattern[str]]:
    return {name: idea.unspaced for name in LEXICON if (idea := _idea(name)).unspaced is not None}


def _occurs(combination: Combination, texts: AllTexts, reasons: Mapping[str, set[str]]) -> bool:
    """Whether the ideas stand together where the words of all of them are near."""
    worded = [name for name in combination.ideas if name in LEXICON]
    if not all(_may_have(texts.lowered, name) for name in combination.ideas if name in TEXT_PATTERNS):
        return False
    if not worded:
        return True
    places = [_places_of(texts.lowered, frozenset(reasons[name])) for name in worded]
    reach = combination.sentences - 1
    near = frozenset.intersection(*(_widen(some, reach) for some in places))
    sentences = _sentences(texts.lowered)
    return any(
        next(_windows(combination, sentences[max(0, index - reach) : index + reach + 1]), None) for index in near
    )


def _widen(places: frozenset[int], reach: int) -> frozenset[int]:
    if not reach:
        return places
    return frozenset(place + step for place in places for step in range(-reach, reach + 1))


@lru_cache(64)  # combinations share ideas
def _places_of(text: str, words: frozenset[str]) -> frozenset[int]:
    return frozenset(index for word in words for index in _places(text, word))


@lru_cache(8)
def _starts(text: str) -> list[int]:
    return [sentence.start for sentence in _sentences(text)]


@lru_cache(256)  # combinations share ideas
def _places(text: str, word: str) -> tuple[int, ...]:
    """The indexes of the sentences of a text that have a word."""
    starts = _starts(text)
    places, at = [], text.find(word)
    while 0 <= at < _LONGEST:
        places.append(max(0, bisect_right(starts, at) - 1))
        at = text.find(word, at + len(word))
    return tuple(dict.fromkeys(places))


def ideas_of(code: str) -> TextTest:
    """The test for the combinations of a rule.

    >>> list(ideas_of("keeps-secret").find(ScannedText("Adds. Never mention it to the user.", "description", False)))
    [{'words': '"Never mention it to the user."', 'at': 6}]
    """

    def find(text: ScannedText) -> Iterator[Mapping[str, object]]:
        if text.key == "body":  # what stands there is written for people, too
            return
        for combination in _combinations()[code]:
            for window in _windows(combination, _sentences(text.value)):
                yield {"words": quote(" ".join(part.written for part in window), 120), "at": window[0].start}
                return

    return TextTest(lambda texts: code in _codes_in(texts), find)


def either(*tests: TextTest) -> TextTest:
    """The test that finds what the first of several finds."""

    def find(text: ScannedText) -> Iterator[Mapping[str, object]]:
        for test in tests:
            hit = next(iter(test.find(text)), None)
            if hit is not None:
                yield hit
                return

    return TextTest(lambda texts: any(test.may_occur(texts) for test in tests), find)
