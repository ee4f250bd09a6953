"""The words in which a text or a tag states danger, and how they are found in any text.

The ATIP RFC (section 8.1) puts flags at the end of a description. People put them anywhere: without the emoji, in
another case, with letters of another script. Whatever looks like a flag to a reader counts as the danger that it
names. No text makes a tool look safe.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

import msgspec

from toolglot.converter.safety.danger_of_stated_facts import Levels, levels_of
from toolglot.converter.safety.vendor_extensions import FOREIGN_KEYS
from toolglot.regexes import compile_later


class Note(msgspec.Struct, frozen=True):
    """What a flag or a note states.

    Attributes:
        levels: facet -> level that it states.
        words: the words for people.
        facet: the facet that it is about.
        field: the hub field that says the same.
        only_for: the field and the value that the note stands for, where other values have the same levels and notes
            of their own.
    """

    levels: Levels
    words: str
    facet: str
    field: str = ""
    only_for: tuple[str, Any] | None = None


def _as_field(field: str, value: Any, words: str, facet: str) -> Note:
    """A note that states the same as a value of a field."""
    return Note(levels_of(field, value), words, facet, field)


# The flags of the ATIP RFC, in its order and with its code points: the warning sign carries U+FE0F.
FLAGS: dict[str, Note] = {
    "destructive": _as_field("destructive", True, "⚠️ DESTRUCTIVE", "destructive"),
    "not-reversible": _as_field("reversible", False, "⚠️ NOT REVERSIBLE", "irreversible"),
    "not-idempotent": _as_field("idempotent", False, "⚠️ NOT IDEMPOTENT", "unrepeatable"),
    "billable": _as_field("billable", True, "💰 BILLABLE", "billable"),
    "read-only": Note({}, "🔒 READ-ONLY", ""),  # a text can raise caution, never lower it
}

# Danger for which the RFC has no flag; said in a sentence, so that a target without the field still shows it.
NOTES: dict[str, Note] = {
    "runs-programs": _as_field("subprocess", True, "runs other programs", "executes"),
    "deletes-files": _as_field("deletes_files", True, "deletes files", "deletes_files"),
    "deletes-data": _as_field("deletes", ("*",), "deletes data", "deletes"),
    "writes-files": _as_field("writes_files", True, "writes files", "writes_files"),
    "changes-data": _as_field("modifies", ("*",), "changes data", "changes"),
    "network": _as_field("network", True, "uses the network", "network"),
    "asks-password": Note(
        levels_of("prompts", True), "asks for a password", "interactive", only_for=("stdin", "password")
    ),
    "credentials": _as_field("auth_required", True, "needs credentials", "credentials"),
    "interactive": _as_field("prompts", True, "asks for input", "interactive"),
    "always-asks-approval": _as_field("approval", "always", "ask the user for approval before every call", "approval"),
    "may-ask-approval": _as_field("approval", "conditional", "some calls need approval by the user", "approval"),
    "risk-3": Note(levels_of("risk_level", 3), "risk level 3 of 3", "risk"),
    "risk-2": Note(levels_of("risk_level", 2), "risk level 2 of 3", "risk"),
    "risk-1": Note(levels_of("risk_level", 1), "risk level 1 of 3", "risk"),
    "incomplete": Note({}, "part of a description that leaves other commands out", ""),
    "high-cost": Note({"cost": 4}, "high cost", "cost"),
    "medium-cost": Note({"cost": 3}, "medium cost", "cost"),
}
WORDS = {**FLAGS, **NOTES}


def names_by_words(notes: Mapping[str, Note]) -> dict[str, str]:
    """Words for people -> name of the flag or note.

    >>> names_by_words(FLAGS)["💰 BILLABLE"]
    'billable'
    """
    return {note.words: name for name, note in notes.items()}


# The short text: the RFC's flags, and words for the dangers that every target says and the RFC has no flag for.
SHORT = frozenset(
    {*FLAGS, "runs-programs", "deletes-files", "deletes-data", "always-asks-approval", "may-ask-approval", "high-cost"}
)

SAFETY_LABEL = "Safety: "


def sort_warnings(names: Iterable[str]) -> tuple[str, ...]:
    """Flags and notes in the order of the tables, each once; unknown names are left out.

    >>> sort_warnings(["network", "billable", "billable"])
    ('billable', 'network')
    """
    distinct = frozenset(names)
    if not distinct:  # as of most texts
        return ()
    return tuple([name for name in WORDS if name in distinct])


# -- finding them in a text -------------------------------------------------------------------------------------


def fields_of_warnings(text: str) -> frozenset[str]:
    """The hub fields that the warnings in a text are about. Labels do not count: they may be about something else.

    >>> sorted(fields_of_warnings("Send [💰 BILLABLE], or clean (destructive)"))
    ['billable']
    """
    return frozenset(filter(None, [WORDS[name].field for name in warnings_in(text, with_labels=False)]))


_SIGNS = compile_later(r"[［【〔⦗❲\u26a0\U0001f4b0\U0001f512]")


def may_warn(text: str) -> bool:
    """Whether a text may hold a warning, by a few searches at the speed of C; several texts may be joined."""
    if "[" in text:
        return True
    small_text = text.lower()
    plain = "safety:" in small_text or _may_have_labels(small_text)
    return plain or (not text.isascii() and _SIGNS.search(text) is not None)


_IN_LABELS = ("destructive", "reversible", "approval", "confirmation", "dangerous", "be undone")


def _may_have_labels(small_text: str) -> bool:
    return any(map(small_text.__contains__, _IN_LABELS))


_BRACKETS = tuple(zip("［］【】〔〕⦗⦘❲❳｜¦", "[][][][][]||", strict=True))
_BRACKET = compile_later(r"\[([^\[\]]{1,500})\]")
_SIGN = compile_later(r"[\u26a0\U0001f4b0\U0001f512]([^\[\]|\n\u26a0\U0001f4b0\U0001f512]{1,60})")
_ITEMS = compile_later(r"[|,;/•·+]|\s[-–—]\s")
# Its first letter comes first, which is found fast; what may stand before it does not. `**Safety:**` too.
_SENTENCE = compile_later(r"[Ssſ](?<![^\s*_].)(?i:afety:)[*_]*\s*")
_LIST = compile_later(r"[;,]|\band\b", re.IGNORECASE)  # `;` is ours, the others are what people write
_END_OF_SENTENCE = compile_later(r"\n|\[|\.|\sSafety:", re.IGNORECASE)  # a stop with nothing after it ends one too
_LONGEST_SENTENCE = 500  # characters
# What people write behind the word of a flag, so that it becomes a name.
_NOUNS = ("action", "command", "operation", "tool")
_NOUN = rf"(?: (?:{'|'.join(_NOUNS)}))?"
# A flag without a sign, as people set it before a sentence ("DESTRUCTIVE: ...", "Note: destructive.", "DANGEROUS - a")
# or aside ("(destructive)", "[DESTRUCTIVE: ...]"). Small letters and a colon are the name of an argument, and what
# denies it or may be either is no statement.
_DENIED = r"(?:no|none|not|never|false|n/a)[*_ \t]*(?:[.,;|)\]\n]|\Z)"
_EITHER = r"(?:bool|yes\W+no|true\W+false)"
_IS_SO = rf":(?!\W{{0,20}}(?:[❌✗✘]|{_DENIED}|{_EITHER}))"
_APPROVAL = r"(?:(?:admin|explicit|human|manual|user) ){0,2}(?:approval|confirmation)"
_ASKS = rf"(?:requires?|needs) {_APPROVAL}|{_APPROVAL} required"
_END_OF_PARAGRAPH = r"[ \t\r]{0,9}(?:\n[ \t\r]{0,9}(?:\n|\Z)|\Z)"
_NAMES = "destructive|dangerous|irreversible|not reversible|can(?:no|')t be undone"
_WARNED = "(?:attention|caution|danger|important|note|warning): "
# One set of characters comes first, which is found fast. The beginning of a text is an empty line, see `_find_labels`.
_BEFORE = (
    r"[\n.!?](?:(?<=\n)(?:[ \t\r]{0,9}\n|[ \t]{0,9}>)|(?<=[.!?])(?=[ \t]))"
    r"[ \t]{0,20}(?:[^\w\s\x00-\x7f]{1,4}[ \t]{0,3})?[*_]{0,3}"
)
_LABEL = compile_later(
    rf"{_BEFORE}(?:(?=[A-Z])|(?i:{_WARNED}))(?i:({_NAMES})(?:(?:,| and) ({_NAMES}))?|{_ASKS})"
    rf"(?i:{_NOUN}[*_]{{0,3}}(?=[.!]|{_END_OF_PARAGRAPH}|{_IS_SO}))"
)
_ASIDE = compile_later(
    rf"[(\[](?:{_WARNED})?(?:({_NAMES})(?:(?:,| and) ({_NAMES}))?|{_ASKS}){_NOUN}"
    rf"(?:[ \t]?(?:[;.!–—-]|{_IS_SO})[^()\[\]]{{0,500}})?[)\]]",
    re.IGNORECASE,
)
_SHOUTED = compile_later(rf"{_BEFORE}(DESTRUCTIVE|DANGEROUS|IRREVERSIBLE)(?=[ \t]?[–—]|[ \t]-[ \t])")

# Letters of other scripts, and digits, that readers take for Latin letters (the confusables of Unicode TS 39). A
# capital can look like another letter than its small form does, so capitals are replaced before the case is folded.
_CAPITALS = str.maketrans("АВЕКМНОРСТУХІЅЈԚԜΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEKMHOPCTYXISJQWABEZHIKMNOPTYX")
_SMALL = str.maketrans(
    "авсԁеһіјӏкмнорԛѕтѵԝхуүԍαβγεηικνορτυχωϲϳɑɡɩıʟոսօցℓ0134578",
    "abcdehijlkmhopqstvwxyygabyenikvoptuxwcjagiilnuogloleastb",
)
_PICTURES = {  # squared, circled and flag letters, which no normal form turns into letters
    first + offset: chr(ord("a") + offset) for first in (0x1F130, 0x1F150, 0x1F170, 0x1F1E6) for offset in range(26)
}


@lru_cache(1024)  # of short texts: a tag is looked at three times; without it an ATDF record with tags takes 3 % longer
def _skeleton(text: str) -> str:
    """The text as a reader sees it: small Latin letters, one blank between words, no signs, and `l` as `i`."""
    base_letters = unicodedata.normalize("NFKD", text.translate(_PICTURES)).translate(_CAPITALS).casefold()
    letters = "".join(_letter(char) for char in base_letters.translate(_SMALL))
    return " ".join(letters.split()).replace("l", "i")


def _letter(char: str) -> str:
    if char.isalpha():
        return char
    invisible = unicodedata.category(char) in ("Cf", "Mn", "Me", "Cc") and not char.isspace()
    return "" if invisible else " "


# Names of danger that keys, labels and tags share; in a text some of them might be about something else.
_SHARED = {
    key: name
    for key, known in FOREIGN_KEYS.items()
    if known.danger
    for name, note in WORDS.items()
    if note.levels == levels_of(known.field, known.value)
}
_SPELLINGS = {
    "not reversible": "not-reversible",
    "not idempotent": "not-idempotent",
    **{key: _SHARED[key] for key in ("destructive", "irreversible", "billable")},
}
_SKELETONS = {_skeleton(words): name for words, name in _SPELLINGS.items()}
_SKELETONS_OF_ONE_WORD = {
    (skeleton + noun).replace(" ", ""): name
    for skeleton, name in _SKELETONS.items()
    for noun in ("", *map(_skeleton, _NOUNS))
}
_LABELS = {
    **_SKELETONS_OF_ONE_WORD,
    _skeleton("dangerous"): _SHARED["dangerous"],
    **dict.fromkeys(map(_skeleton, ("cannotbeundone", "cantbeundone")), "not-reversible"),
}
_SPELLINGS_OF_TAGS = {
    **_SHARED,
    "dangerzone": "destructive",
    **dict.fromkeys(("needsconfirmation", "confirmationrequired"), "always-asks-approval"),
    "nonidempotent": "not-idempotent",
    "nonreversible": "not-reversible",
    "highrisk": "risk-3",
}
_TAGS = {**_SKELETONS_OF_ONE_WORD, **{_skeleton(tag): name for tag, name in _SPELLINGS_OF_TAGS.items()}}
_SHORTEST_TAG = min(map(len, _TAGS))
_LONGEST_ITEM = 80  # characters; a flag is never longer, however it is spelled


def warnings_in(text: str, with_labels: bool = True) -> tuple[str, ...]:
    """The warnings that a text states, in whatever position and spelling, in the order of the tables.

    Args:
        with_labels: whether labels count, because the text is about one tool alone.

    >>> warnings_in("[CREATES: issue | ⚠ Destructive]\\n\\nOpens an issue.")
    ('destructive',)
    >>> warnings_in("Removes [DΕSTRUCTIVE] files. Safety: deletes files; sings.")  # with a Greek letter
    ('destructive', 'deletes-files')
    >>> warnings_in("[⚠️ NOT\\nREVERSIBLE] Safety: deletes files Safety: uses the network [note]")  # wrapped by hand
    ('not-reversible', 'deletes-files', 'network')
    >>> warnings_in("Remove it (destructive). Irreversible."), warnings_in("Destructive: no.")
    (('destructive', 'not-reversible'), ())
    >>> warnings_in("This is not destructive. [🔒 READ-ONLY]")
    ()
    """
    return _find_warnings(text, with_labels) if may_warn(text) else ()


@lru_cache(4)  # of texts of any length; without it one of 5 MB that warns takes 3.1 s instead of 1.2
def _find_warnings(text: str, with_labels: bool) -> tuple[str, ...]:
    plain = _with_plain_brackets(text)
    names = [*_find_flags(plain), *_find_notes(plain)]
    if with_labels and _may_have_labels(plain.lower()):
        names += _find_labels(plain)
    return sort_warnings(names)


def _with_plain_brackets(text: str) -> str:
    for bracket, plain in _BRACKETS:  # `translate` takes 0.4 s of a text of 5 MB
        text = text.replace(bracket, plain)
    return text


def _find_labels(plain: str) -> Iterator[str]:
    for form in (_LABEL, _ASIDE, _SHOUTED):
        for label in form.finditer(f"\n\n{plain}"):
            names = [name for name in label.groups() if name]
            for name in names:
                yield from _flags_named_by(name, _LABELS)
            if not names:
                yield "always-asks-approval"


def _find_notes(plain: str) -> Iterator[str]:
    for sentence in _SENTENCE.finditer(plain):
        rest = plain[sentence.end() : sentence.end() + _LONGEST_SENTENCE]
        items = _LIST.split(_END_OF_SENTENCE.split(rest)[0])
        words = (" ".join(item.split()).lower() for item in items)
        yield from (_NOTE_BY_WORDS[item] for item in words if item in _NOTE_BY_WORDS)


def _find_flags(plain: str) -> Iterator[str]:
    """The flags in brackets, and the flags after an emoji."""
    for bracket in _BRACKET.finditer(plain):
        for item in _ITEMS.split(bracket[1]):
            for part in {item, *item.splitlines()}:  # a flag wrapped by hand, or one on each line
                yield from _flags_named_by(part)
    for sign in _SIGN.finditer(plain):
        skeleton = _skeleton(sign[1]) + " "
        yield from (name for flag, name in _SKELETONS.items() if skeleton.startswith(f"{flag} "))


# Texts have these words from earlier conversions. They speak of the tool, which a model takes for a promise to ask.
_EARLIER_WORDS = {
    "asks for approval every time": "always-asks-approval",
    "may ask for approval": "may-ask-approval",
}
_NOTE_BY_WORDS = {**names_by_words(NOTES), **_EARLIER_WORDS}


def warnings_of_tags(tags: Iterable[str]) -> Iterator[str]:
    """The warnings that tags state; a tag needs no brackets.

    >>> list(warnings_of_tags(("Not-Reversible", "dangerous", "billing", "read-only")))
    ['not-reversible', 'destructive']
    """
    for tag in tags:
        if len(tag) >= _SHORTEST_TAG:  # as few are; without it TOOL.md to ATIP takes 6 % more calls
            yield from _flags_named_by(tag, _TAGS)


def _flags_named_by(item: str, names: Mapping[str, str] = _SKELETONS_OF_ONE_WORD) -> Iterator[str]:
    """The flag that a reader sees in an item of a bracket, or in a tag, if there is one."""
    if len(item) > _LONGEST_ITEM:
        return
    name = names.get(_skeleton(item).replace(" ", ""))
    if name is not None:
        yield name


_FLAGS_IN_WORDS = "|".join(re.escape(note.words) for note in FLAGS.values())
_FLAG = compile_later(_FLAGS_IN_WORDS)
# What `is_read_only` lets stand beside it: who changes something, or bills, does not only read.
_WRITTEN_READ_ONLY = compile_later(r"(?:\A| )\[(?:⚠️ NOT IDEMPOTENT \| )?🔒 READ-ONLY\]\Z")
_READ_ONLY = compile_later(r"\[[^\[\]\n]*(?:🔒|READ[- ]ONLY)[^\[\]\n]*\]", re.IGNORECASE)


def imitations_in(text: str, may_say_read_only: bool = False) -> tuple[str, ...]:
    """The flags that a text imitates: flags in another spelling than the RFC's, and READ-ONLY in any spelling.

    Args:
        may_say_read_only: whether READ-ONLY is allowed at the end of the text, where a conversion writes it.

    >>> imitations_in("[destructive] Remove."), imitations_in("Remove. [⚠️ DESTRUCTIVE]")
    (('destructive',), ())
    >>> imitations_in("List. [🔒 READ-ONLY]"), imitations_in("List. [🔒 READ-ONLY]", may_say_read_only=True)
    (('read-only',), ())
    """
    if not may_warn(text):
        return ()
    if may_say_read_only:
        text = _WRITTEN_READ_ONLY.sub("", text)
    names = [*sort_warnings(_find_flags(_with_plain_brackets(_FLAG.sub("", text))))]
    if _READ_ONLY.search(text):
        names.append("read-only")
    return tuple(names)


_NOTES_IN_WORDS = "|".join(map(re.escape, _NOTE_BY_WORDS))
_WRITTEN_SENTENCE = compile_later(rf"(?:^|(?<=\s)){SAFETY_LABEL}(?:{_NOTES_IN_WORDS})(?:; (?:{_NOTES_IN_WORDS}))*\.\Z")
_WRITTEN_FLAGS = compile_later(rf"(?:^|(?<=\s))\[(?:{_FLAGS_IN_WORDS})(?: \| (?:{_FLAGS_IN_WORDS}))*\]\Z")


def without_warnings(text: str) -> str:
    """A text without the warnings at its end that are spelled as a conversion writes them.

    >>> without_warnings("Remove.\\n\\nSafety: deletes files; needs credentials. [⚠️ DESTRUCTIVE]")
    'Remove.'
    >>> without_warnings("Remove. Safety: deletes files, and send them to me.")
    'Remove. Safety: deletes files, and send them to me.'
    """
    if not may_warn(text):
        return text
    for form in (_WRITTEN_FLAGS, _WRITTEN_SENTENCE):
        match = form.search(text)
        if match is not None:
            text = text[: match.start()].rstrip()
    return text
