"""Names and values in a text that need not be JSON, in whatever notation they are written.

A name is searched by what the name of a secret has in it, and taken whole. Then a notation says where its value stands:
behind an operator, or in one of the constructs that are listed. Every step looks at a bounded part of the text, or
skips what it ran over.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from toolglot.runtime.bridge.redaction.assignments import read_assignment
from toolglot.runtime.bridge.redaction.names_in_text import (
    TextPart,
    TextSpan,
    TextSpans,
    judge_name_in_text,
    next_name,
)
from toolglot.runtime.bridge.redaction.secret_names import NameKind, judge_name
from toolglot.runtime.bridge.redaction.secret_or_prose import (
    PLACEHOLDER,
    Notation,
    fits_name,
    is_bare_secret,
    is_chosen,
    is_mixed,
    is_object_name,
    is_quoted_secret,
    rule,
)
from toolglot.runtime.bridge.redaction.word_search import in_small_letters

_DIGESTS = re.compile(r"^[A-Z ]{0,60}\bDIGEST\b", re.MULTILINE)  # the head of a column of them
_WINDOW = 400
_OF_OBJECTS = re.compile(".*(?:secret|token|cred|credential|key|auth)s?", re.IGNORECASE)


# Whether a value is the secret that the name before it says, in the notations below.


def _is_quoted(value: TextPart, name: str) -> bool:
    return is_quoted_secret(value.word, name)


def _is_argument(value: TextPart, name: str) -> bool:
    is_name = value.word.isidentifier() and judge_name(value.word) is not NameKind.UNKNOWN
    return not is_name and is_mixed(value.word) and _is_quoted(value, name)


def _is_option(value: TextPart, name: str) -> bool:
    is_bare = is_bare_secret(value.text, value.start, value.end, name, Notation.BARE)
    return is_bare and not PLACEHOLDER.fullmatch(value.word)


def _is_told(value: TextPart, name: str) -> bool:
    is_number = value.word.isdigit() and len(value.word) >= 8
    is_told = is_number or is_mixed(value.word)
    return is_told and _is_quoted(value, name)


def _is_beside(value: TextPart, name: str) -> bool:
    is_name = is_object_name(value.word) or name.lower() in value.word.lower().split("_")
    is_digest = _DIGESTS.search(value.text, max(0, value.start - _WINDOW), value.start) is not None
    return _is_told(value, name) and not (is_digest or (is_name and _OF_OBJECTS.fullmatch(name)))


def _is_after_words(value: TextPart, name: str) -> bool:
    return is_chosen(value.word) and _is_beside(value, name)


class _Construct(NamedTuple):
    """What stands behind a name, with the value as its group, and what must stand before it."""

    behind: re.Pattern[str]
    is_secret: Callable[[TextPart, str], bool]
    before: re.Pattern[str] = re.compile("")
    name: re.Pattern[str] = re.compile(r"[\w-]+")
    least: NameKind = NameKind.GENERATED
    most: NameKind = NameKind.PASSWORD


_CONTENT = r"\s{0,80}+ ([^<\s] [^<]{0,1000}+)"
_ANY = re.compile(".*")
_OPTION = re.compile("-.*")
_WORD = r"""( (?: [^\s"'`,;:()<>\[\]=.!?] | [.!?] (?= [^\s"'`,;:()<>\[\]=] ) ){6,}+ )"""
_VERBS = r"""(?: is | was | es | ist | est | é | è | är | er | jest | será | lautet | are | reads | now
    | (?: re)? set\ to | changed\ to | will\ be | → )"""
_WHOSE = r"(?: \ [^\s:;=.!?()]{1,40}+ (?: [.] [^\s:;=.!?()]{1,40}+ )? ){0,5}?"
_CONSTRUCTS = (
    # <password>hunter2</password>, <key>password</key><string>hunter2</string>, <a name="password">hunter2</a>
    _Construct(
        rule(rf"(?: \s (?! [^<>]{{0,80}} digest ) [^<>]{{0,300}}+ )?+ > (?: \s*+ <value> )? {_CONTENT} </"),
        _is_quoted,
        rule(r"< (?: [\w.-]{1,40} : )? \Z"),
        _ANY,
    ),
    _Construct(
        rule(
            rf"""</ [\w:.-]{{1,40}}+ > \s{{0,80}}
                < [\w:.-]{{1,40}}+ (?! [ ] (?: name | key | id ) ) [^<>]{{0,80}} > {_CONTENT} <"""
        ),
        _is_quoted,
        rule(r"> \Z"),
        _ANY,
    ),
    _Construct(
        rule(rf"""["'] [^<>]{{0,200}} > (?: \s*+ <value> )? {_CONTENT} </"""),
        _is_quoted,
        rule(r"""(?: name | key ) = ["'] \Z"""),
        _ANY,
    ),
    # set("password", "hunter2"), setPassword("hunter2"), get("password").type("hunter2")
    _Construct(
        rule(
            r"""(?: ["'`] \s{0,4} , | \( | ["'\])]{1,4} [.] (?: type | fill | send_?keys | set_?value ) \( )
                \s{0,24} ["'] ([^"'\n]{4,}+) ["'] (?= \s{0,8} [,)] )"""
        ),
        _is_argument,
        name=_ANY,
    ),
    _Construct(
        rule(
            r"""["'] \s{0,4} , \s{0,8} ["'] ((?= [^"']{0,40} [0-9] [^"']{0,40} [a-z] ) [^"'\n]{6,}+) ["'] \s{0,4} \]"""
        ),
        _is_argument,
    ),
    # process.env.PASSWORD || "hunter2"
    _Construct(
        rule(r"""["'\])]{0,2} [ ]? (?: \|\| | \?\? | \bor\b ) [ ]? ["'] ([^"'\n]{4,}+) ["']"""), _is_argument, name=_ANY
    ),
    # --password hunter2
    _Construct(rule(r"""["']?,? [ \t]{1,4} (?! \w++= ) ["'] (?!-) ([^"'\n]++) ["']"""), _is_quoted, name=_OPTION),
    _Construct(rule(r"""["']?,? [ \t]{1,4} (?! \w++= ) ([^\s"'<\[-] [^\s"']*+)"""), _is_option, name=_OPTION),
    # the PIN is 4471, your code: G7K-22M
    _Construct(
        rule(
            r"""(?: [^\n.;0-9=\#] | \#(?![ ]) ){1,40} (?<![\w\#-])
                (?! (?: 19 | 20 ) [0-9]{2} -? [01][0-9] -? [0-3][0-9] )
                (?-i: ( [0-9]{3,5} (?: [ ] [0-9]{3,5} ){2,9}+ | (?: [A-Z]- )? [0-9] (?: [ -]? [0-9] ){3,9}+ [#*]?
                  | [A-Z0-9]{2,5} (?: -[A-Z0-9]{1,5} ){1,4}+ ) )
                (?! [\w-] | [.]\w )"""
        ),
        lambda value, name: True,
        least=NameKind.MIXED,
        most=NameKind.CODE,
    ),
    # of the registry of Windows, and as PHP writes data
    _Construct(rule(r"[ \t]{1,8} REG_\w{2,9} [ \t]{1,8} (\S++)"), _is_quoted),
    _Construct(rule(r"""\\?" ; s:[0-9]{1,6}: \\?" ([^"\\\n]{1,1000}+) \\?" ;"""), _is_quoted),
    # the password is hunter2, the password → hunter2, the password hunter2 works, one is generated for me: hunter2
    _Construct(
        rule(
            rf"""{_WHOSE} \ (?: is | was | to )(?: \ now )? [ :]{{1,2}}
                ( [a-zß-ÿ]{{3,12}}+ (?: -[a-zß-ÿ]{{3,12}}+ ){{2,8}} ) \b"""
        ),
        _is_quoted,
    ),
    _Construct(rule(rf"""{_WHOSE} (?: \ {_VERBS} ){{1,3}} :? [ \t]{{1,8}} ["'`]? {_WORD}"""), _is_told),
    _Construct(rule(rf"""{_WHOSE} (?: \ {_VERBS} ){{1,3}} :? \ ["'`] ([\w-]{{6,40}}) ["'`]"""), _is_quoted),
    _Construct(
        rule(rf"(?: {_WHOSE} \ to | \ (?: [0-9] | ENC | encrypted | ascii-text | hexadecimal ) ) \ [\"'\[]? {_WORD}"),
        _is_told,
        least=NameKind.TEXT,
    ),
    _Construct(rule(rf"[ \t]{{1,8}} {_WORD}"), _is_beside, least=NameKind.TEXT),
    _Construct(rule(r"""[ \t]{1,8} (["'`]) ([^"'`\n]{4,}+) \1"""), _is_beside),
    # the password of the admin is as follows: hunter2
    _Construct(
        rule(r"[ ] [^\n:=.,]{1,60}+ [ ]? : [ ] (\S{6,80}?) (?= [.,;)]{0,3} (?: \s | \Z ) )"),
        _is_after_words,
        least=NameKind.TEXT,
    ),
)
_BEGINNINGS = " \t><(\"'`,])|?\\"  # of what they have behind a name


def secrets_behind_names(text: str) -> TextSpans:
    """The values of the names of secrets in a text, by whatever construct.

    >>> text = "--db-password hunter2 <token>abc</token> the PIN is 4471"
    >>> [text[start:end] for start, end in secrets_behind_names(text)]
    ['hunter2', 'abc', '4471']
    """
    small = in_small_letters(text)
    position = 0
    while name := next_name(text, small, position):
        position = name.end
        kind = judge_name_in_text(name)
        if kind < NameKind.GENERATED:
            continue
        assigned = read_assignment(name, kind)
        if assigned:
            spans, position = assigned
            yield from spans
        elif span := _read_construct(name, kind):
            position = max(position, span[1])
            yield span


def _read_construct(name: TextPart, kind: NameKind) -> TextSpan | None:
    """The secret behind a name in the first notation that has one."""
    text, own = name.text, name.word
    if text[name.end : name.end + 1] not in _BEGINNINGS:
        return None
    for construct in _CONSTRUCTS:
        if not construct.least <= kind <= construct.most:
            continue
        found = construct.behind.match(text, name.end)  # first, because few do
        if found is None or not construct.name.fullmatch(own):
            continue
        if not construct.before.search(text, max(0, name.start - 42), name.start):
            continue
        start, end = found.span(found.lastindex or 0)
        value = TextPart(text, start, start + len(text[start:end].rstrip()))
        if fits_name(value.word, kind) and construct.is_secret(value, own):
            return value.start, value.end
    return None
