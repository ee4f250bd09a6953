"""Secrets out of what a tool returned, before a model, a log or a person reads it."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from toolglot.bridge.redaction.kubernetes import Span, manifest_spans
from toolglot.bridge.redaction.named_values import (
    NAMES,
    PARTS_OF_NAMES,
    Notation,
    is_bare_secret,
    is_other_name,
    is_quoted_secret,
    names_a_number,
    names_a_secret,
    stands_elsewhere,
)
from toolglot.bridge.violations import said
from toolglot.errors import UsageError
from toolglot.schema.keywords import TYPES
from toolglot.text.credential_forms import TOKEN

REDACTED = "[REDACTED]"
TRUNCATED = "[TRUNCATED]"


class ResultFilter:
    """Replaces secrets by `[REDACTED]` and cuts what is too long.

    What is recognised: tokens by the forms that their issuers gave them (`toolglot.text.credential_forms` lists them),
    JSON Web Tokens, private keys, passwords in URLs, links that are signed, `Authorization` headers and cookies,
    `Bearer` and `Basic` credentials, the data of Kubernetes Secrets, and the value of a name such as `password`,
    `secret`, `token` or `api_key`, after `=` or `:` or as its pair (`name: DB_PASSWORD`, `value: ...`). Code and
    references stay: `password: Optional[str]`, `token = next()`, `${API_KEY}`. Without such a sign a word after one
    of these names counts only if it looks like a secret: `my secret santa` stays.

    What stands below such a name in objects and lists is secret at every depth; the keys there stay, and so does what
    describes a value, as in a schema. In text that is JSON only strings change, and numbers under names such as
    `password`; it is JSON afterwards, if it is not cut. A key changes only where it holds a secret itself. Time is
    linear in the length of the text, but for patterns of your own.

    Args:
        max_length: most characters of a result; `[TRUNCATED]` follows what was cut and is not counted.
        redact_secrets: whether the built-in rules apply; your own patterns always do.
        redact_patterns: regular expressions, as text or compiled, whose matches are redacted as well, after the
            built-in rules. They see the text as it is, so one that takes quotes can break JSON.

    Raises:
        UsageError: `max_length` is negative or a pattern is not one (codes `bad-length`, `bad-pattern`).

    >>> secrets = ResultFilter()
    >>> secrets.filter('{"user": "alice", "token": "abc"}')
    '{"user": "alice", "token": "[REDACTED]"}'
    >>> ResultFilter(max_length=4, redact_patterns=["b+"]).filter("abba and more")
    'a[TRUNCATED]'
    """

    def __init__(
        self,
        max_length: int = 100_000,
        redact_secrets: bool = True,
        redact_patterns: Iterable[str | re.Pattern[str]] = (),
    ) -> None:
        if type(max_length) is not int or max_length < 0:
            raise UsageError(f"expected a length of 0 or more characters, found {said(max_length)}", code="bad-length")
        self._max_length = max_length
        self._redact_secrets = redact_secrets
        self._patterns = [_compiled(pattern) for pattern in _each(redact_patterns)]

    def filter(self, text: str, tool_name: str = "") -> str:
        """`text` without secrets and not longer than `max_length`, plus the mark.

        Redaction comes first: a cut could leave the half of a secret that no rule recognises. A cut never goes
        through `[REDACTED]`, it goes before it.

        Args:
            text: what the tool returned.
            tool_name: the tool that returned it; every tool is treated alike for now.

        Raises:
            UsageError: `text` is not text (code `not-text`).
        """
        if not isinstance(text, str):
            raise UsageError(f"expected text, found {type(text).__name__}; write it as JSON first", code="not-text")
        known = _bounded(text, self._max_length)
        redacted = redact(known) if self._redact_secrets else known
        for pattern in self._patterns:
            redacted = pattern.sub(lambda match: REDACTED if match[0] else "", redacted)
        if len(redacted) <= self._max_length and known is text:
            return redacted
        return _cut(redacted, self._max_length) + TRUNCATED


def _each(patterns: Iterable[str | re.Pattern[str]]) -> Iterable[str | re.Pattern[str]]:
    if isinstance(patterns, str | re.Pattern):
        return [patterns]
    if not isinstance(patterns, Iterable):
        raise UsageError(f"expected regular expressions, found {type(patterns).__name__}", code="bad-pattern")
    return patterns


def _compiled(pattern: str | re.Pattern[str]) -> re.Pattern[str]:
    """A pattern of the caller's; one for bytes would fail at the first result."""
    try:
        expression = re.compile(pattern)
        expression.search("")
    except (re.error, TypeError, RecursionError, OverflowError) as error:
        message = f"{said(getattr(pattern, 'pattern', pattern))} is not a regular expression for text: {error}"
        raise UsageError(message, code="bad-pattern") from None
    return expression


_MOST = 1_000_000
_MARGIN = 10_000


def _bounded(text: str, shown: int) -> str:
    """What of a text is looked at: ten times what can be shown, a million characters at least.

    It ends before a word that was cut, because the half of a secret is not recognised.
    """
    limit = max(_MOST, 10 * shown)
    if len(text) <= limit:
        return text
    head = text[:limit]
    words = head[-_MARGIN:].split(None)
    return head[: -len(words[-1])] if words and len(words[-1]) < _MARGIN else head[:-_MARGIN]


def _cut(text: str, length: int) -> str:
    start = text.rfind(REDACTED, 0, length + len(REDACTED) - 1)
    return text[:start] if 0 <= start < length < start + len(REDACTED) else text[:length]


# -- what a secret looks like -----------------------------------------------------------------------------------
#
# Every rule is linear: what it runs over is bounded, or ends where the next match could begin, and is never given
# back. A rule redacts its group 1, or all that it matches.


def _rule(pattern: str, flags: int = re.IGNORECASE) -> re.Pattern[str]:
    return re.compile(pattern, re.VERBOSE | re.DOTALL | flags)


_QUOTE = r"""\\?["']?"""
_BLANK = r"[ \t]{0,8}"
_COLON = rf"{_QUOTE} {_BLANK} : {_BLANK} {_QUOTE}"
_SCHEMES = "(?: bearer | basic | token | digest | negotiate | apikey | aws4-hmac-sha256 )"


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
    _Pattern("://", _rule(r"""(?<=://) [^\s/:@"<>]*+ : (?! pass (?:wo?r?d)? @ ) ([^\s/"<>]+) @""")),
    _Pattern(
        "authorization",
        _rule(rf"""authorization {_QUOTE} {_BLANK} [:=] {_BLANK} {_QUOTE} {_SCHEMES} [ \t]{{1,8}} ([^\s"'\\]++)"""),
    ),
    _Pattern("set-cookie", _rule(rf"""\b set-cookie {_COLON} [^\s=;"']{{1,80}}+ = ([^\s;"']{{8,}}+)""")),
    _Pattern("cookie", _rule(rf"""(?<!-) \b cookie {_COLON} ([^\s=;"']{{1,80}}+ = [^\n"']++)""")),
    _Pattern("</", _rule(rf"<(?:[\w-]{{1,40}}[.:])? [\w-]{{0,40}}? {NAMES}> ([^<]++) </")),
    _Pattern("<string>", _rule(rf"<key>[^<]{{0,40}}? {NAMES} </key> \s*+ <string> ([^<]++) <")),  # property lists
    _Pattern("sig", _rule(r"[?&;] (?: sig | signature | x-(?:amz|goog)-signature ) = ([a-z0-9%+/_=-]{16,}+)")),  # links
    _Pattern("hooks.slack", _rule(r"(?<=//hooks\.slack\.com/services/) T[A-Z0-9]++ / B[A-Z0-9]++ / [A-Za-z0-9]++", 0)),
    _Pattern("webhooks", _rule(r"/api/webhooks/[0-9]{15,20}/ ([A-Za-z0-9_-]{60,}+)", 0)),  # Discord
    _Pattern(":aa", _rule(r"(?<![0-9]) [0-9]{8,10}:AA[A-Za-z0-9_-]{33}", 0)),  # Telegram
    _Pattern("login", _rule(r"\b login [ \t]{1,8} \S{1,80}+ \s{1,8} password [ \t]{1,8} (\S++)")),  # .netrc
    _Pattern(
        "curl", _rule(r"""\b curl \b [^\n]{0,300}? [ ] (?:-u|--user) [ =]? ["']? [^\s:"']{1,80}+ : ([^\s"']++)""")
    ),
    _Pattern("sshpass", _rule(r"\b sshpass [ ] -p [ ]? (\S++)")),
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
_NAME = _rule(
    rf"""(?: (?P<own>{NAMES}) (?: \\?["'] (?P<entry> \] )? | \ for\ [^\s:=]{{1,60}}+ )? {_BLANK}
           | (?: parameter )? (?: name | key ) {_QUOTE} {_BLANK} [:=] {_BLANK} {_QUOTE}
             (?P<beside> [\w.-]{{0,40}}? {NAMES} ) {_QUOTE} [\s,;]{{1,80}}+
             {_QUOTE} (?: parameter )? value {_QUOTE} {_BLANK}
         )
         (?P<operator> : [ \t]? [a-z_.]{{1,40}}+ [ \t]? = (?= [ \t]? [bfru]{{0,2}} ["'] ) | [:=]{{1,2}} =? >? )
         {_BLANK}"""
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
_REST = _rule(rf"(?: {_BARE} )*+")
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


def _is_bearer(word: str) -> bool:
    return _is_mixed(word) or (len(word) >= 16 and not _PLACEHOLDER.fullmatch(word))


def _decoded(word: str) -> bytes:
    try:
        return base64.b64decode(word + "=" * (-len(word) % 4))
    except binascii.Error:
        return b""


def _is_basic(word: str) -> bool:
    """RFC 7617: the base64 of a user, a colon and a password."""
    return re.fullmatch(rb"[ -9;-~]*:[ -~]+", _decoded(word)) is not None


# Words that only sometimes stand before a secret; the look ahead leaves the next word to be a first word too.
_WORDS = (
    _Pattern("bearer", _rule(r"\bbearer (?= [ \t]{1,8} ([A-Za-z0-9._~+/-]{3,}+=*+) )"), _is_bearer),
    _Pattern(
        "basic", _rule(r"\bbasic (?= [ \t]{1,8} ([A-Za-z0-9+/]{4,}+={0,2}) )"), lambda word: b":" in _decoded(word)
    ),
    _Pattern(
        "auth",
        _rule(rf"(?<![a-z]) _?auth {_QUOTE} {_BLANK} [:=] {_BLANK} {_QUOTE} (?= ([A-Za-z0-9+/]{{4,}}+={{0,2}}) )"),
        _is_basic,
    ),
    _Pattern(
        "ls0tls1crudjti",  # the beginning of a key in base64
        _rule(r"(?<![A-Za-z0-9+/]) (?= (LS0tLS1CRUdJTi[A-Za-z0-9+/]{20,}+=*+) )", 0),
        lambda word: b"PRIVATE KEY" in _decoded(word[:80]),
    ),
    _Pattern(
        "--",
        _rule(rf"(?<!\S) --[a-z-]{{0,40}}? {NAMES} (?= [ \t] ([^\s\"'<\[-][^\s\"']*+) )"),
        lambda word: not _PLACEHOLDER.fullmatch(word),
    ),
    _Pattern("", _rule(rf"(?<![a-z0-9]) {NAMES} (?= [ \t]{{1,8}} ([^\s\"',;:()<>\[\]=]{{6,}}+) )"), _is_mixed),
)


def _spans(text: str, rule: _Pattern) -> Iterator[Span]:
    for match in rule.pattern.finditer(text):
        group = match.lastindex or 0
        if not stands_elsewhere(match[group]) and rule.is_secret(match[group]):
            yield match.span(group)


def _named(text: str) -> Iterator[Span]:
    position = 0
    while name := _NAME.search(text, position):
        word = name["beside"] or _before(text, name.start()) + name["own"]
        if is_other_name(word):
            position = name.end()
            continue
        find = _in_container if _OPENS.match(text, name.end()) else _in_value
        spans, position = find(text, name, word)
        yield from spans


def _in_container(text: str, name: re.Match[str], word: str) -> tuple[list[Span], int]:
    """The secrets in an object or a list behind a name, and where to look on."""
    spans: list[Span] = []
    end = name.end()
    for part in _inside(text, end):
        end = part.end()
        if part.lastindex and is_quoted_secret(part[part.lastindex]):
            spans.append(part.span(part.lastindex))
    return spans, end


def _in_value(text: str, name: re.Match[str], word: str) -> tuple[list[Span], int]:
    """The same for a value of its own. What is neither a secret nor stands for one may begin with the next name."""
    value = _VALUE.match(text, name.end())
    if value is None or not value.lastindex:
        return [], name.end()
    span = _bare(text, value, word, name) if value["bare"] else _quoted(value, word)
    if span is not None:
        return [span], span[1]
    return [], value.end() if stands_elsewhere(value[value.lastindex]) else name.end()


def _before(text: str, start: int) -> str:
    """What stands directly before a name: the rest of it, and a mark of a query or an attribute."""
    match = _WORD_BEFORE.match(text[max(0, start - 64) : start][::-1])
    return match[0][::-1] if match else ""


def _quoted(value: re.Match[str], name: str) -> Span | None:
    group = value.lastindex or 0
    return value.span(group) if is_quoted_secret(value[group], name) else None


def _bare(text: str, value: re.Match[str], word: str, name: re.Match[str]) -> Span | None:
    start, end = value.span("bare")
    if "==" in name["operator"] or not is_bare_secret(text, start, end, word, _notation(word, name)):
        return None
    rest = _REST.match(text, end)
    end = rest.end() if rest else end
    closing = _CLOSING.search(text, max(start + 1, end - 8), end)
    return start, closing.start() if closing else end


def _notation(word: str, name: re.Match[str]) -> Notation:
    if word[0] == "." or name["entry"]:
        return Notation.CODE
    is_shell = name[0].endswith(f"{word[-1]}=") and (word.isupper() or word[0] in "?&;")
    return Notation.SHELL if is_shell else Notation.ANY


def _inside(text: str, start: int) -> Iterator[re.Match[str]]:
    """The parts of an object or a list within other text, up to its end or to what can be part of none."""
    depth, position = 0, start
    while part := _PART.match(text, position):
        position = part.end()
        depth += (part[0] in ("{", "[")) - (part[0] in ("}", "]"))
        yield part
        if not depth:
            return


def _without(text: str, spans: Iterable[Span]) -> str:
    parts, position = [], 0
    for start, end in spans:
        parts += [text[position:start], REDACTED]
        position = end
    return "".join((*parts, text[position:])) if parts else text


def redact(text: str) -> str:
    """`text` with every secret that the built-in rules know replaced by `[REDACTED]`; JSON stays JSON.

    >>> redact("curl -u x https://me:hunter2@example.org # Basic training")
    'curl -u x https://me:[REDACTED]@example.org # Basic training'
    """
    return _redact(text, nested=3)


def _redact(text: str, nested: int) -> str:
    if nested and _is_json(text):
        return "".join(_redact_json(text, nested - 1))
    small = text.lower()  # no rule puts in what another one looks for
    text = _without(text, manifest_spans(text))
    for rule in _BLOCKS:
        text = _without(text, _spans(text, rule)) if rule.needle in small else text
    if any(part in small for part in PARTS_OF_NAMES):
        text = _without(text, _named(text))
    for rule in _WORDS:
        text = _without(text, _spans(text, rule)) if rule.needle in small else text
    return text


# -- JSON ---------------------------------------------------------------------------------------------------------


def _is_json(text: str) -> bool:
    if text.lstrip(" \t\r\n")[:1] not in ("{", "[", '"'):
        return False
    try:
        json.loads(text, parse_int=str)  # an integer of a million digits is not worth its conversion
    except (ValueError, RecursionError):
        return False
    return True


_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[\[\]{}:,]|[^\s"\[\]{}:,]++|\s++')
_NAMING = ("name", "key", "parameterkey")  # keys of an object whose other key is the value of what they name
_NAMED = ("value", "parametervalue")
# What may be a value in an object that describes one; its other keys hold none.
_VALUES = frozenset({"default", "const", "enum", "example", "examples", "value", "key", "data", "content", "plaintext"})
_HEADERS = frozenset({"authorization", "proxy-authorization", "cookie", "set-cookie", "auth", "_auth"})


class _Object(NamedTuple):
    """What an object says of itself by its own texts, wherever in it they stand."""

    names: str = ""  # what it is a pair of
    describes: bool = False
    is_manifest: bool = False

    def name_of(self, key: str) -> str:
        """The name of the value at `key`."""
        return self.names if self.names and key.lower() in _NAMED else key


class _Hidden(NamedTuple):
    """What the names above a value say of it: whether a text is secret there, and whether a number is."""

    texts: bool = False
    numbers: bool = False

    def below(self, holder: _Object, key: str) -> _Hidden:
        if holder.describes and key not in _VALUES:
            return _Hidden(names_a_secret(key), names_a_number(key))
        if holder.is_manifest and key in ("data", "stringData"):
            return _Hidden(True, True)
        name = holder.name_of(key)
        return _Hidden(self.texts or names_a_secret(name), self.numbers or names_a_number(name))


class _Open(NamedTuple):
    """An object or a list that is not closed yet."""

    holder: _Object | None  # `None` for a list
    hidden: _Hidden


def _objects(text: str) -> dict[int, _Object]:
    """What the objects of valid JSON say of themselves, by where they begin; those that say nothing are left out."""
    objects: dict[int, _Object] = {}
    outer: list[tuple[int, dict[str, str]]] = []
    key = ""
    before = ""
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token in "{[":
            if token == "[" and outer and key == "type" and before == ":":
                outer[-1][1]["type"] = "array"  # a list of types
            outer.append((match.start(), {}))
        elif token in "}]":
            start, fields = outer.pop()
            about = _about(fields)
            if about != _Object():
                objects[start] = about
        elif token[0] == '"' and before == ":":
            outer[-1][1].setdefault(key, token[1:-1])
        elif token[0] == '"':
            key = token[1:-1].lower()
        if not token.isspace():
            before = token
    return objects


def _about(fields: dict[str, str]) -> _Object:
    name = next((fields[key] for key in _NAMING if key in fields), "")
    pair = any(key in fields for key in _NAMED)
    return _Object(
        name if pair else "", "description" in fields or fields.get("type") in TYPES, fields.get("kind") == "Secret"
    )


def _redact_json(text: str, nested: int) -> Iterator[str]:
    """Valid JSON token by token: strings are redacted by themselves, and whole where a name says what they are."""
    objects = _objects(text)
    outer: list[_Open] = []
    hidden = _Hidden()  # what is known of the next value
    is_key = False
    name = ""
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token in "{[":
            is_key = token == "{"
            outer.append(_Open(objects.get(match.start(), _Object()) if is_key else None, hidden))
        elif token in "}]":
            outer.pop()
        elif token == ",":
            holder, hidden = outer[-1]
            is_key = holder is not None
        elif token == ":":
            is_key = False
        elif token.startswith('"'):
            value = json.loads(token)
            holder = outer[-1].holder if outer else None
            if is_key and holder is not None:
                hidden, name = hidden.below(holder, value), holder.name_of(value)
                token = _redact_string(token, value, _redact(value, nested))
            elif hidden.texts and is_quoted_secret(value):
                token = _redact_string(token, value, REDACTED)
            else:
                token = _redact_string(token, value, _redact_value(value, name, nested))
        elif hidden.numbers and token[0] in "-0123456789":
            token = f'"{REDACTED}"'
        yield token


def _redact_value(value: str, name: str, nested: int) -> str:
    """A text below a key, which says something of it if it is the name of a header."""
    if name.lower() not in _HEADERS:
        return _redact(value, nested)
    return _redact(f"{name}: {value}", nested)[len(name) + 2 :]


def _redact_string(token: str, value: str, found: str) -> str:
    return token if found == value else json.dumps(found, ensure_ascii=token.isascii())
