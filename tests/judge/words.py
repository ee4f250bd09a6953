"""Danger in texts: the flags of the ATIP RFC in any place and spelling, and the words that toolglot documents.

Only danger is ever believed from a text. Whoever imitates a flag, with letters of another script, in another case or
without its emoji, says what it says.
"""

from __future__ import annotations

import re
import unicodedata

from judge.statements import ALWAYS, SOMETIMES, Statement

_FLAGS = {
    "DESTRUCTIVE": ("destructive",),
    "NOT REVERSIBLE": ("irreversible",),
    "NOT IDEMPOTENT": ("unrepeatable",),
    "BILLABLE": ("billable",),
    "DELETES FILES": ("deletes",),  # proposed for readers that want more (specs 1.7 row 11)
    "INTERACTIVE": ("interactive",),
}
_READ_ONLY = "READ ONLY"
_WORDS = {
    "runs other programs": ("executes",),
    "deletes files": ("deletes",),
    "deletes data": ("removes",),
    "writes files": ("writes",),
    "changes data": ("changes",),
    "uses the network": ("network",),
    "needs credentials": ("credentials",),
    "asks for input": ("interactive",),
    "asks for a password": ("interactive",),
    "risk level 3 of 3": ("destructive", "irreversible"),
    "risk level 2 of 3": ("changes",),
    "risk level 1 of 3": ("changes",),
}
_APPROVAL = {
    "ask the user for approval before every call": ALWAYS, "some calls need approval by the user": SOMETIMES,
    "asks for approval every time": ALWAYS, "may ask for approval": SOMETIMES,  # as earlier conversions have it
}  # fmt: skip

# Letters of other scripts that look like a capital letter of the flags.
_LOOKALIKES = str.maketrans(
    "АВЕЅІЈКМНОРСТУХԐԌԚԜГЅ" "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ" "аеіјорсухѕԁһ" "οιν",
    "ABESIJKMHOPCTYXEGQWRS" "ABEZHIKMNOPTYX" "aeijopcyxsdh" "oiv",
)  # fmt: skip
_BRACKET = re.compile(r"\[([^\[\]]{1,400})\]")
_BARE = re.compile(r"[\u26a0\U0001f4b0]\s*(NOT REVERSIBLE|NOT IDEMPOTENT|DESTRUCTIVE|BILLABLE)\b", re.I)
# What authors set beside a sentence about one tool: "DESTRUCTIVE: drops it.", "(destructive operation)", "Requires
# confirmation." What denies it, or names an argument, is no label.
_LABELS = {
    "destructive": ("destructive",), "dangerous": ("destructive",), "irreversible": ("irreversible",),
    "not reversible": ("irreversible",), "cannot be undone": ("irreversible",),
}  # fmt: skip
_NAMES = "|".join(_LABELS)
_ASKS = r"(?:requires?|needs) (?:\w+ ){0,2}(?:approval|confirmation)"
_BESIDE = (
    re.compile(rf"[(\[](?:({_NAMES})(?: and ({_NAMES}))?(?: (?:action|command|operation|tool))?|{_ASKS})[)\]]", re.I),
    re.compile(
        rf"(?:^|[.!?] |\n\n)(?=[A-Z])(?i:({_NAMES})(?: and ({_NAMES}))?|{_ASKS})(?=[.!]|: (?!no\b|none\b|false))"
    ),
)
_SAFETY = re.compile(r"(?:^|(?<=\s))Safety:[ \t]*(.+?)(?=\sSafety:|$)", re.M)


def hear(statement: Statement, *texts: object) -> None:
    """Everything that some texts about a tool say of danger, added to its statement."""
    for text in texts:
        if isinstance(text, str) and text:
            _hear(statement, text)


def hear_tags(statement: Statement, tags: object) -> None:
    """Tags that are the words of flags."""
    if isinstance(tags, list):
        for tag in tags:
            _flag(statement, str(tag))


def _hear(statement: Statement, text: str) -> None:
    plain = _plain(text)
    items = [item for bracket in _BRACKET.finditer(plain) for item in bracket[1].split("|")]
    in_brackets = {_name(item) for item in items}  # which `_BARE` finds again
    items += [found[1] for found in _BARE.finditer(plain) if _name(found[1]) not in in_brackets]
    for item in items:
        _flag(statement, item)
    for form in _BESIDE:
        for label in form.finditer(plain):
            names = [name.lower() for name in label.groups() if name]
            statement.dangers.update(fact for name in names for fact in _LABELS[name])
            if not names:
                statement.ask(ALWAYS)
    for paragraph in _SAFETY.finditer(plain):
        for words in re.split(r"[;,.\[]", paragraph[1]):
            _word(statement, " ".join(words.lower().split()))


def _flag(statement: Statement, item: str) -> None:
    name = _name(item)
    if name in _FLAGS:
        statement.dangers.update(_FLAGS[name])
        statement.warnings.append(name)
    elif name == _READ_ONLY:
        statement.says_read_only = True


def _name(item: str) -> str:
    return " ".join(re.sub(r"[^A-Za-z ]", " ", item.replace("-", " ").replace("_", " ")).upper().split())


def _word(statement: Statement, words: str) -> None:
    if words in _WORDS:
        statement.dangers.update(_WORDS[words])
        statement.warnings.append(words)
    if words in _APPROVAL:
        statement.ask(_APPROVAL[words])
        statement.warnings.append(words)


def _plain(text: str) -> str:
    text = unicodedata.normalize("NFKC", text).translate(_LOOKALIKES)
    return "".join(char for char in text if unicodedata.category(char) not in ("Cf", "Mn") or char == "\n")
