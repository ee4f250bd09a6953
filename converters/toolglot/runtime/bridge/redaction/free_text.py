"""Secrets in a text that need not be JSON: what they look like, and the names that they stand behind.

Every rule is linear: what it runs over is bounded, or ends where the next match could begin, and is never given back.
A rule redacts its group 1, or all that it matches.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from toolglot.converter.text.credentials import ADDRESSES, COMMANDS, TOKEN
from toolglot.runtime.bridge.redaction.kubernetes import TextSpan, manifest_spans
from toolglot.runtime.bridge.redaction.named_values import (
    NAMED_KEYS,
    NAMES,
    NAMING_KEYS,
    PARTS_OF_NAMES,
    Notation,
    is_bare_secret,
    is_other_name,
    is_placeholder,
    is_quoted_secret,
    is_recipe,
    is_saying,
    stands_elsewhere,
)
from toolglot.runtime.bridge.redaction.tables import separated_spans, table_spans

REDACTED = "[REDACTED]"


def redact_free_text(text: str) -> str:
    """`text` with every secret that the built-in rules know replaced by `[REDACTED]`.

    >>> redact_free_text("curl -u x https://me:hunter2@example.org # Basic training")
    'curl -u x https://me:[REDACTED]@example.org # Basic training'
    """
    if "\x1b[" in text:  # colours may part a name from its value
        plain = _COLOURS.sub("", text)
        new_text = redact_free_text(plain)
        return text if new_text == plain else new_text
    small = text.lower()  # no rule puts in what another one looks for
    text = _redact_spans(text, manifest_spans(text))
    for rule in _BLOCKS:
        if rule.needle in small:
            text = _redact_spans(text, _spans_of_rule(text, rule))
    if any(part in small for part in PARTS_OF_NAMES):
        text = _redact_spans(text, table_spans(text))
        text = _redact_spans(text, separated_spans(text))
        text = _redact_spans(text, _spans_behind_names(text))
        text = _redact_spans(text, _spans_of_answers(text))
    for rule in _WORDS:
        if rule.needle in small:
            text = _redact_spans(text, _spans_of_rule(text, rule))
    return text


_COLOURS = re.compile(r"\x1b\[[0-9;:]{0,40}m")


def _rule(pattern: str, flags: int = re.IGNORECASE) -> re.Pattern[str]:
    return re.compile(pattern, re.VERBOSE | re.DOTALL | flags)


_QUOTE = r"""\\?["']?"""
_BLANK = r"[ \t]{0,16}"
_COLON = rf"{_QUOTE} {_BLANK} : {_BLANK} {_QUOTE}"
_SCHEMES = "(?: bearer | basic | token | digest | negotiate | apikey | aws4-hmac-sha256 | ssws )"


class _Pattern(NamedTuple):
    """What a secret looks like, and a word in small letters without which a text cannot hold it."""

    needle: str
    pattern: re.Pattern[str]
    is_secret: Callable[[str], bool] = bool


_BLOCKS = (
    _Pattern(
        "private key",
        _rule(
            r"""-----BEGIN\ [A-Z0-9\ ]{0,40}PRIVATE\ KEY(?:\ BLOCK)?----- (?= \s | \\ )
                .*? (?: -----END\ [A-Z0-9\ ]{0,40}PRIVATE\ KEY(?:\ BLOCK)?----- | \Z )"""
        ),
    ),
    _Pattern("://", _rule(r"""(?<=://) [^\s/:@"<>\[]*+ : (?! pass (?:wo?r?d)? @ ) ([^\s/"<>]+) @""")),
    _Pattern(
        "authorization",
        _rule(rf"""authorization {_QUOTE} {_BLANK} [:=] {_BLANK} {_QUOTE} {_SCHEMES} [ \t]{{1,8}} ([^\s"'\\]++)"""),
    ),
    _Pattern("set-cookie", _rule(rf"""\b set-cookie {_COLON} [^\s=;"']{{1,80}}+ = ([^\s;"']{{8,}}+)""")),
    _Pattern("cookie", _rule(rf"""(?<!-) \b cookie {_COLON} ([^\s=;"']{{1,80}}+ = [^\n"']++)""")),
    _Pattern("</", _rule(rf"<(?:[\w-]{{1,40}}[.:])? [\w-]{{0,40}}? {NAMES}> (?: \s*+ <value> )? ([^<]++) </")),
    _Pattern("</", _rule(rf"""\b name= ["'] [\w.-]{{0,80}}? {NAMES} ["'] \s{{0,8}} > ([^<]{{1,300}}+) </""")),
    _Pattern("<input", _rule(r"""<input\b (?= [^<>]{0,300}? password ) [^<>]{0,300}? \b value= ["'] ([^"'<>]++)""")),
    _Pattern("<string>", _rule(rf"<key>[^<]{{0,40}}? {NAMES} </key> \s*+ <string> ([^<]++) <")),  # property lists
    _Pattern("sig", _rule(r"[?&;] (?: sig | signature | x-(?:amz|goog)-signature ) = ([a-z0-9%+/_=-]{16,}+)")),  # links
    *(_Pattern(needle, _rule(form, 0)) for _, needle, form in ADDRESSES),
    _Pattern("login", _rule(r"\b login [ \t]{1,8} \S{1,80}+ \s{1,8} password [ \t]{1,8} (\S++)")),  # .netrc
    _Pattern(
        "curl", _rule(r"""\b curl \b [^\n]{0,300}? [ ] (?:-u|--user) [ =]? ["']? [^\s:"']{1,80}+ : ([^\s"']++)""")
    ),
    *(
        _Pattern(
            program.lower(),
            _rule(
                rf"""(?<![\w.-]) {program} [a-z]{{0,10}} \b (?! [:=] ) [^\n|;&]{{0,300}}? [ ] {option}
                    ["']? ([^\s"']++)""",
                0,
            ),
            is_quoted_secret,
        )
        for program, option in COMMANDS
    ),
    _Pattern("password", _rule(r"\b password [ ]{1,8} ' ([^'\n]++) '"), is_quoted_secret),  # SQL
    _Pattern(
        "identified",
        _rule(r"\b identified (?: \ with \ \S{1,40} )? \ (?: by | as ) (?: \ password )? [ ]{1,8} ' ([^'\n]++) '"),
    ),
    _Pattern("auth", _rule(r"^ [ \t]*+ masterauth [ \t]{1,8} (\S++)", re.IGNORECASE | re.MULTILINE), is_quoted_secret),
    _Pattern(
        "requirepass",
        _rule(r"""(?<! [#;] ) (?<! [#;]\ ) \b requirepass ["']? [ \t,]{1,8} ["']? ([^\s"']++)"""),
        is_quoted_secret,
    ),
    _Pattern(
        "auth ", _rule(r"^ [^\s>]{0,80} > [ ] AUTH [ ] (?: \S{1,60} [ ] )? (\S++) $", re.MULTILINE), is_quoted_secret
    ),
    _Pattern("chpasswd", _rule(r"""["'] [\w.-]{1,40} : ([^"'\n]++) ["'] [ ]? \| [^\n|]{0,80}? \b chpasswd""")),
    _Pattern("key", _rule(rf"(?<![\w-]) (?<!public\ ) key {_COLON} ([A-Za-z0-9+/]{{43}}=) (?!=)")),  # of 32 bytes
    *(
        _Pattern(
            needle,
            _rule(
                rf"""\b {words} {_QUOTE} {_BLANK} (?: [:=] | \ is ) \s{{0,8}} {_QUOTE}
                    ( [a-z]{{3,8}} (?: [ ,]{{1,3}} [a-z]{{3,8}} ){{11,23}}+ )"""
            ),
        )
        for needle, words in (
            ("mnemonic", "mnemonic"),
            ("seed", "seed [ _-]? (?: phrase | words )"),
            ("recovery", "recovery [ _-]? (?: phrase | words )"),
        )
    ),
    _Pattern(
        "login", _rule(r"\b (?: az | docker | podman | helm\ registry ) \ login \b [^\n]{0,100}? [ ] -p [ ]? (\S++)")
    ),
    _Pattern("", TOKEN),
    _Pattern(
        "eyj", _rule(r"(?<![A-Za-z0-9_-]) eyJ[A-Za-z0-9_-]{4,}+ (?: \.[A-Za-z0-9_-]*+ ){2,4}", 0)
    ),  # JSON Web Tokens
)

# A name, what parts it from its value, and the value: as YAML writes a block, in quotes that may be escaped, or bare
# up to a blank, a quote that closes something, or the next pair. A pair names its value by the value beside it.
_PLACES = r"(?: (?: \] | %5D ) | s? (?: \[ | %5B ) [\w.-]{0,40} (?: \] | %5D ) )++"  # a[name]=, name[]=, names[0]=
_NAME = _rule(
    rf"""(?: (?P<own> (?<! [0-9]: ) {NAMES})
             (?: \\?["'] (?P<entry> \] )? | \ for\ [^\s:=]{{1,60}}+ | {_PLACES} )? {_BLANK}
           | (?: {"|".join(NAMING_KEYS)} ) {_QUOTE} {_BLANK} [:=] {_BLANK} {_QUOTE}
             (?P<beside> [\w.-]{{0,40}}? {NAMES} ) {_QUOTE} [\s,;]{{1,80}}+
             {_QUOTE} (?: {"|".join(NAMED_KEYS)} ) {_QUOTE} {_BLANK}
         )
         (?P<operator> : [ \t]? [a-z_.]{{1,40}}+ [ \t]? = (?= [ \t]? [bfru]{{0,2}} ["'] ) | [:=]{{1,2}} =? >? )
         (?! // | \? )
         (?: \s{{1,8}} string\([0-9]{{1,6}}\) )? [ \t]{{0,40}}+"""
)
_BARE = r"""\\. | [^\s"'\\;&,] | ["'\\](?![\s,;:)}\]]|\Z) | [;&,](?![ ]?[\w.-]{1,40}=|\s|\Z)"""
_VALUE = _rule(
    rf"""(?: [bfru]{{1,2}} (?=["']) )?
    (?: \"\"\" ((?: (?!\"\"\") . )++) | \\?(?:""|\'\')
      | [|>][+-]?[ \t]{{0,8}}\n [ \t]++ (?P<block> [^\n]++ (?: \n [ \t]++ [^\n]++ )*+)
      | \\" ((?: (?!\\") [^\n] )++)
      | \\' ((?: (?!\\') [^\n] )++)
      | " ((?: [^"\\\n] | \\. )++)
      | ' ((?: [^'\\\n] | \\. )++)
      | ` ([^`\n]++) `
      | (?P<bare> (?: {_BARE} ){{1,300}}+) )"""
)
_CHANGE = _rule(r'''" [ ] -> [ ] " ((?: [^"\\\n] | \\. )++) "''')
_REST = _rule(rf"(?: {_BARE} )*+")
_BEFORE_NO_NAME = ("Expected ", "expected ")  # a parser names the kind of token that it wanted, or met instead
_CLOSING = re.compile(r"[)\]}>]*\Z")
_WORD_BEFORE = re.compile(r"[\w-]*+[.?&;]?")  # read backwards: the rest of a name, and what parts pairs of a query

# An object or a list as a value: JSON in a log, or what Python prints. A part redacts its group: a text that is no key.
_OPENS = re.compile(r"""[{\[]\s*+(?:[{\[]|\\?["'])""")
_PART = _rule(
    r"""\s++ | [{}\[\]:,] | -?[0-9][0-9.eE+-]*+ | (?: true | false | null | none )\b
      | \\" ((?: (?!\\") [^\n] )*+) \\" (?! [ \t]{0,8} : )
      | \\' ((?: (?!\\') [^\n] )*+) \\' (?! [ \t]{0,8} : )
      | " ((?: [^"\\\n] | \\. )*+) " (?! [ \t]{0,8} : )
      | ' ((?: [^'\\\n] | \\. )*+) ' (?! [ \t]{0,8} : )
      | \\" (?: (?!\\") [^\n] )*+ \\" | \\' (?: (?!\\') [^\n] )*+ \\'
      | " (?: [^"\\\n] | \\. )*+ " | ' (?: [^'\\\n] | \\. )*+ '"""
)

_PLACEHOLDER = re.compile(r"[A-Z_]+|string|strings|text|value|file|path|options?|flags?|and|or")


def _is_mixed(word: str) -> bool:
    return len(word) >= 6 and any(map(str.isdigit, word)) and any(map(str.isalpha, word)) and "://" not in word


def _is_generated(word: str) -> bool:
    return _is_mixed(word) and word != word.lower() and word != word.upper()


def _is_bearer(word: str) -> bool:
    return _is_mixed(word) or (len(word) >= 16 and not _PLACEHOLDER.fullmatch(word))


def _decode_base64(word: str) -> bytes:
    try:
        return base64.b64decode(word + "=" * (-len(word) % 4))
    except binascii.Error:
        return b""


def _is_basic(word: str) -> bool:
    """RFC 7617: the base64 of a user, a colon and a password."""
    return re.fullmatch(rb"[ -9;-~]*:[ -~]+", _decode_base64(word)) is not None


# Words that only sometimes stand before a secret; the look ahead leaves the next word to be a first word too.
_WORDS = (
    _Pattern(
        "pass",
        _rule(
            rf"""(?<! [\w.-] ) pass (?: \ is\  | {_QUOTE} {_BLANK} [:=] ) {_BLANK} {_QUOTE}
                (?= ([^\s"',;()<>\[\]{{}}]{{6,}}+) )"""
        ),
        _is_mixed,
    ),
    _Pattern("pass ", _rule(r"(?<![\w-]) PASS [ ] (?= (\S{6,}+) )", 0), _is_mixed),
    _Pattern('"', _rule(rf"""{NAMES} [ \t]{{1,8}} " (?= ([^"\n]{{8,}}+) " )"""), _is_mixed),
    _Pattern(
        ":", _rule(rf"{NAMES} [ ] [^\n:=]{{1,80}}+ : [ ] (\S{{8,}}+) $", re.IGNORECASE | re.MULTILINE), _is_generated
    ),
    _Pattern("reg_sz", _rule(rf"{NAMES} [ ]{{1,8}} REG_SZ [ ]{{1,8}} (\S++)")),
    _Pattern("is ", _rule(rf"{NAMES} \ (?:is|was) [ ] (?= ( [a-z]{{3,12}}+ (?: -[a-z]{{3,12}}+ ){{2,8}} ) \b)")),
    _Pattern(
        "(", _rule(rf"""\( [ ]? ["'] [\w.-]{{0,40}}? {NAMES} ["'] , [ ]? ["'] ([^"'\n]{{8,}}+) ["']"""), _is_mixed
    ),
    _Pattern(  # .pgpass
        ":",
        _rule(r"^ [\w.*-]{1,80}+ : (?: [0-9]{1,5} | \* ) : [\w*-]{1,60} : [\w*-]{1,60} : (\S{8,}+) $", re.MULTILINE),
    ),
    _Pattern("bearer", _rule(r"\bbearer (?= [ \t]{1,8} ([A-Za-z0-9._~+/-]{3,}+=*+) )"), _is_bearer),
    _Pattern(
        "basic",
        _rule(r"\bbasic (?= [ \t]{1,8} ([A-Za-z0-9+/]{4,}+={0,2}) )"),
        lambda word: b":" in _decode_base64(word),
    ),
    _Pattern(
        "auth",
        _rule(rf"(?<![a-z]) _?auth {_QUOTE} {_BLANK} [:=] {_BLANK} {_QUOTE} (?= ([A-Za-z0-9+/]{{4,}}+={{0,2}}) )"),
        _is_basic,
    ),
    _Pattern(
        "ls0tls1crudjti",  # the beginning of a key in base64
        _rule(r"(?<![A-Za-z0-9+/]) (?= (LS0tLS1CRUdJTi[A-Za-z0-9+/]{20,}+=*+) )", 0),
        lambda word: b"PRIVATE KEY" in _decode_base64(word[:80]),
    ),
    _Pattern(
        "--",
        _rule(
            rf"""(?<![^\s"']) --[a-z-]{{0,40}}? {NAMES} (?= ["']?,? [ \t] ["']? (?! \w++= ) ([^\s"'<\[-][^\s"']*+) )"""
        ),
        lambda word: not _PLACEHOLDER.fullmatch(word),
    ),
    _Pattern(
        "",
        _rule(
            rf"""(?<![a-z0-9]) {NAMES} (?: \ is | \ was | \ to | \ [0-9] )?
                (?= [ \t]{{1,8}} ([^\s"',;:()<>\[\]=]{{6,}}+) )"""
        ),
        _is_mixed,
    ),
)


def _spans_of_rule(text: str, rule: _Pattern) -> Iterator[TextSpan]:
    for match in rule.pattern.finditer(text):
        group = match.lastindex or 0
        if not stands_elsewhere(match[group].rstrip("`.,;:)")) and rule.is_secret(match[group]):
            yield match.span(group)


def _spans_behind_names(text: str) -> Iterator[TextSpan]:
    position = 0
    while name := _NAME.search(text, position):
        word = name["beside"] or _text_before(text, name.start()) + name["own"]
        if is_other_name(word) or text.endswith(_BEFORE_NO_NAME, 0, name.start()):
            position = name.end()
            continue
        is_container = _OPENS.match(text, name.end()) and not is_placeholder(text, name.end())
        find = _in_container if is_container else _in_value
        spans, position = find(text, name, word)
        yield from spans


# A line of nothing but a word, below one that speaks of a secret: what a command prints that was asked for it.
_ANSWER = re.compile(r"^[ \t]*+(?:[0-9]++\) )?[\"']?([^\s\"',/]{8,200}+)[\"']?[ \t]*+$", re.MULTILINE)
_PASSPHRASE = re.compile(r"[a-z]{3,12}(?:-[a-z]{3,12}){2,8}")
_LINES_ABOVE = 3
_SPEAKS_OF_SECRET = _rule(rf"{NAMES} s? (?! [\w.-]*+ \. \w )")  # and not of a file


def _spans_of_answers(text: str) -> Iterator[TextSpan]:
    for answer in _ANSWER.finditer(text):
        word = answer[1]
        if not (_is_mixed(word) or _PASSPHRASE.fullmatch(word)) or stands_elsewhere(word):
            continue
        above = text[max(0, answer.start() - 400) : answer.start()].rstrip().splitlines()[-_LINES_ABOVE:]
        if any(map(_SPEAKS_OF_SECRET.search, above)):
            yield answer.span(1)


def _in_container(text: str, name: re.Match[str], word: str) -> tuple[list[TextSpan], int]:
    """The secrets in an object or a list behind a name, and where to look on."""
    spans: list[TextSpan] = []
    end = name.end()
    for part in _parts_of_container(text, end):
        end = part.end()
        if part.lastindex and is_quoted_secret(part[part.lastindex]):
            spans.append(part.span(part.lastindex))
    return spans, end


def _in_value(text: str, name: re.Match[str], word: str) -> tuple[list[TextSpan], int]:
    """The same for a value of its own. What is neither a secret nor stands for one may begin with the next name."""
    value = _VALUE.match(text, name.end())
    if value is None or not value.lastindex:
        return [], name.end()
    if stands_elsewhere(value[value.lastindex]) or is_placeholder(text, value.start()):
        return [], value.end()
    if value["bare"]:
        span = _span_of_bare(text, value, word, name)
        return ([], name.end()) if span is None else ([span], span[1])
    span = _span_of_quoted(value, word)
    return ([], name.end()) if span is None else ([span, *_spans_of_changes(text, span[1], word)], span[1])


def _spans_of_changes(text: str, end: int, word: str) -> Iterator[TextSpan]:
    """What a value becomes, where a plan of Terraform says so behind it."""
    change = _CHANGE.match(text, end)
    if change and is_quoted_secret(change[1], word):
        yield change.span(1)


def _text_before(text: str, start: int) -> str:
    """What stands directly before a name: the rest of it, and a mark of a query or an attribute."""
    if not start or text[start - 1].isspace():
        return ""
    match = _WORD_BEFORE.match(text[max(0, start - 64) : start][::-1])
    return match[0][::-1] if match else ""


def _span_of_quoted(value: re.Match[str], name: str) -> TextSpan | None:
    group = value.lastindex or 0
    is_closed = value.string[value.end() : value.end() + 1] in ('"', "'", "\\", "`")
    if (value[group][0] in " \t" and not is_closed) or not is_quoted_secret(value[group], name):
        return None
    return value.span(group)


def _span_of_bare(text: str, value: re.Match[str], word: str, name: re.Match[str]) -> TextSpan | None:
    start, end = value.span("bare")
    operator = name["operator"]
    if operator in ("==", "::") or (operator == ":" and is_recipe(text, name.start(), start)):
        return None
    if text.endswith(("The ", "the "), 0, name.start()) and is_saying(text, word, start):
        return None
    if not is_bare_secret(text, start, end, word, _notation(word, name)):
        return None
    rest = _REST.match(text, end)
    if rest:
        end = rest.end()
    closing = _CLOSING.search(text, max(start + 1, end - 8), end)
    if closing:
        end = closing.start()
    return start, end


def _notation(word: str, name: re.Match[str]) -> Notation:
    is_entry = name["entry"] or (name["operator"] == "=" and name[0].rstrip(" \t=").endswith("]"))
    if word[0] == "." or (is_entry and not name[0].endswith("]=")):
        return Notation.CODE
    is_shell = name[0].endswith(f"{word[-1]}=") and (word.isupper() or word[0] in "?&;")
    return Notation.SHELL if is_shell else Notation.ANY


def _parts_of_container(text: str, start: int) -> Iterator[re.Match[str]]:
    """The parts of an object or a list within other text, up to its end or to what can be part of none."""
    depth, position = 0, start
    while part := _PART.match(text, position):
        position = part.end()
        depth += (part[0] in ("{", "[")) - (part[0] in ("}", "]"))
        yield part
        if not depth:
            return


def _redact_spans(text: str, spans: Iterable[TextSpan]) -> str:
    parts: list[str] = []
    position = 0
    for start, end in spans:
        parts += [text[position:start], REDACTED]
        position = end
    return "".join((*parts, text[position:])) if parts else text
