"""Secrets out of what a tool returned, before a model, a log or a person reads it."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from toolglot.bridge.violations import said
from toolglot.errors import UsageError

REDACTED = "[REDACTED]"
TRUNCATED = "[TRUNCATED]"


class ResultFilter:
    """Replaces secrets by `[REDACTED]` and cuts what is too long.

    What is recognised: tokens by the beginnings that their issuers gave them (GitHub, AWS, Slack, `sk-`), JSON Web
    Tokens, private key blocks, passwords in URLs, `Authorization` headers, `Bearer` and `Basic` credentials, and
    the value after a name such as `password`, `secret`, `token` or `api_key` with `=` or `:`. Without such a sign
    a word after one of these names counts only if it looks like a secret: `my secret santa` stays.

    What stands below such a name in objects and lists is secret at every depth; the keys there stay. In text that
    is JSON only strings change, and numbers under names such as `password`; it is JSON afterwards, if it is not cut.
    A key changes only where it holds a secret itself. Time is linear in the length of the text, but for patterns of
    your own.

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
        found = redact(known) if self._redact_secrets else known
        for pattern in self._patterns:
            found = pattern.sub(lambda match: REDACTED if match[0] else "", found)
        if len(found) <= self._max_length and known is text:
            return found
        return _cut(found, self._max_length) + TRUNCATED


def _each(patterns: Iterable[str | re.Pattern[str]]) -> Iterable[str | re.Pattern[str]]:
    if isinstance(patterns, str | re.Pattern):
        return [patterns]
    if not isinstance(patterns, Iterable):
        raise UsageError(f"expected regular expressions, found {type(patterns).__name__}", code="bad-pattern")
    return patterns


def _compiled(pattern: str | re.Pattern[str]) -> re.Pattern[str]:
    """A pattern of the caller's; one for bytes would fail at the first result."""
    try:
        found = re.compile(pattern)
        found.search("")
    except (re.error, TypeError, RecursionError, OverflowError) as error:
        message = f"{said(getattr(pattern, 'pattern', pattern))} is not a regular expression for text: {error}"
        raise UsageError(message, code="bad-pattern") from None
    return found


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

_NAMES = r"""
    (?: passw(?:or)?d | passphrase | passcode | secret | credential
      | (?<!next)(?<!next[_-])(?<!page)(?<!page[_-])(?<!continuation)(?<!continuation[_-])  # where a listing goes on
        token
      | (?:api|access|secret|private|signing|encryption|master) [ _-]? key
      | pwd (?! [=:] [ \t]{0,8} ["']? [/~] )  # the working directory
    )"""
_SECRET_NAME = re.compile(rf"{_NAMES} \Z", re.VERBOSE | re.IGNORECASE)
_NUMBER_NAME = re.compile(r"(?:passw(?:or)?d|passphrase|passcode|pwd|secret)\Z", re.IGNORECASE)


def _rule(pattern: str, flags: int = re.IGNORECASE) -> re.Pattern[str]:
    return re.compile(pattern, re.VERBOSE | re.DOTALL | flags)


_BLOCKS = (
    _rule(
        r"""-----BEGIN\ [A-Z0-9\ ]{0,40}PRIVATE\ KEY(?:\ BLOCK)?-----
            .*? (?: -----END\ [A-Z0-9\ ]{0,40}PRIVATE\ KEY(?:\ BLOCK)?----- | \Z )"""
    ),
    _rule(r"""(?<=://) [^\s/:@"<>]*+ : ([^\s/"<>]+) @"""),
    _rule(
        r"""authorization \\?["']? [ \t]{0,8} [:=] [ \t]{0,8} \\?["']?
            (?: bearer | basic | token | digest | negotiate | apikey | aws4-hmac-sha256 ) [ \t]{1,8} ([^\s"'\\]++)"""
    ),
    _rule(rf"<{_NAMES}> ([^<]++) <"),
    _rule(
        r"""(?<![A-Za-z0-9])(?:
              gh[pousr]_[A-Za-z0-9]++ | github_pat_[A-Za-z0-9_]++
            | (?:AKIA|ASIA)[A-Z0-9]{16} | AIza[A-Za-z0-9_-]{35}
            | xox[a-z]-[A-Za-z0-9-]++ | xapp-[A-Za-z0-9-]{8,}+ | glpat-[A-Za-z0-9_-]{16,}+ | npm_[A-Za-z0-9]{36}
            | [rs]k_(?:live|test)_[A-Za-z0-9]{8,}+
            )""",
        0,
    ),
    _rule(r"(?<![A-Za-z0-9_-]) sk- (?=[a-z_-]*+[A-Z0-9]) [A-Za-z0-9_-]{16,}+", 0),  # not sk-folding-cube-wrapper
    _rule(r"(?<![A-Za-z0-9_-]) eyJ[A-Za-z0-9_-]{4,}+ (?: \.[A-Za-z0-9_-]*+ ){2,4}", 0),
)

# A name, what parts it from its value, and the value: as YAML writes a block, in quotes that may be escaped, or
# bare up to a blank or a quote that closes something.
_NAME = _rule(rf"""{_NAMES} \\?["']? \]? [ \t]{{0,8}} [:=]{{1,2}} >? [ \t]{{0,8}}""")
_VALUE = _rule(
    r"""\\?(?:""|\'\')
      | [|>][+-]?[ \t]{0,8}\n [ \t]++ ([^\n]++ (?: \n [ \t]++ [^\n]++ )*+)
      | \\" ((?: (?!\\") [^\n] )++)
      | \\' ((?: (?!\\') [^\n] )++)
      | " ((?: [^"\\\n] | \\. )++)
      | ' ((?: [^'\\\n] | \\. )++)
      | ((?: \\. | [^\s"'\\] | ["'\\] (?! [\s,;:)}\]] | \Z ) )++)"""
)

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

# Words that only sometimes stand before a secret; the look ahead leaves the next word to be a first word too.
_BEARER = _rule(r"\bbearer (?= [ \t]{1,8} ([A-Za-z0-9._~+/-]{3,}+=*+) )")
_BASIC = _rule(r"\bbasic (?= [ \t]{1,8} ([A-Za-z0-9+/]{4,}+={0,2}) )")
_FLAG = _rule(rf"(?<!\S) --[a-z-]{{0,40}}? {_NAMES} (?= [ \t] ([^\s\"'<\[-][^\s\"']*+) )")
_WORD = _rule(rf"(?<![a-z0-9]) {_NAMES} (?= [ \t]{{1,8}} ([^\s\"',;:()<>\[\]=]{{6,}}+) )")
_PLACEHOLDER = re.compile(r"[A-Z_]+|string|strings|text|value|file|path")


def _is_mixed(word: str) -> bool:
    return len(word) >= 6 and any(map(str.isdigit, word)) and any(map(str.isalpha, word)) and "://" not in word


def _is_bearer(word: str) -> bool:
    return _is_mixed(word) or len(word) >= 16


def _is_basic(word: str) -> bool:
    """RFC 7617: the base64 of a user, a colon and a password."""
    try:
        return b":" in base64.b64decode(word + "=" * (-len(word) % 4))
    except binascii.Error:
        return False


_WORDS: tuple[tuple[re.Pattern[str], Callable[[str], bool]], ...] = (
    (_BEARER, _is_bearer),
    (_BASIC, _is_basic),
    (_FLAG, lambda word: not _PLACEHOLDER.fullmatch(word)),
    (_WORD, _is_mixed),
)

Span = tuple[int, int]


def _blocks(text: str, rule: re.Pattern[str]) -> Iterator[Span]:
    for match in rule.finditer(text):
        yield match.span(match.lastindex or 0)


def _named(text: str) -> Iterator[Span]:
    position = 0
    while name := _NAME.search(text, position):
        if _OPENS.match(text, name.end()):
            position = name.end()
            for part in _inside(text, position):
                position = part.end()
                if part.lastindex:
                    yield part.span(part.lastindex)
            continue
        value = _VALUE.match(text, name.end())
        position = value.end() if value else name.end()
        if value and value.lastindex:
            yield value.span(value.lastindex)


def _inside(text: str, start: int) -> Iterator[re.Match[str]]:
    """The parts of an object or a list within other text, up to its end or to what can be part of none."""
    depth, position = 0, start
    while part := _PART.match(text, position):
        position = part.end()
        depth += (part[0] in ("{", "[")) - (part[0] in ("}", "]"))
        yield part
        if not depth:
            return


def _words(text: str, rule: re.Pattern[str], is_secret: Callable[[str], bool]) -> Iterator[Span]:
    for match in rule.finditer(text):
        if match[1] != REDACTED and is_secret(match[1]):
            yield match.span(1)


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
    for rule in _BLOCKS:
        text = _without(text, _blocks(text, rule))
    text = _without(text, _named(text))
    for rule, is_secret in _WORDS:
        text = _without(text, _words(text, rule, is_secret))
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


class _Hidden(NamedTuple):
    """What the names above a value say of it: whether a text is secret there, and whether a number is."""

    texts: bool = False
    numbers: bool = False

    def below(self, name: str) -> _Hidden:
        return _Hidden(self.texts or _matches(_SECRET_NAME, name), self.numbers or _matches(_NUMBER_NAME, name))


class _Open(NamedTuple):
    """An object or a list that is not closed yet."""

    has_keys: bool
    hidden: _Hidden


def _redact_json(text: str, nested: int) -> Iterator[str]:
    """Valid JSON token by token: strings are redacted by themselves, and whole where a name says what they are."""
    outer: list[_Open] = []
    hidden = _Hidden()  # what is known of the next value
    is_key = False
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token in "{[":
            outer.append(_Open(token == "{", hidden))
            is_key = token == "{"
        elif token in "}]":
            outer.pop()
        elif token == ",":
            is_key, hidden = outer[-1]
        elif token == ":":
            is_key = False
        elif token.startswith('"'):
            value = json.loads(token)
            if is_key:
                hidden = hidden.below(value)
            token = _redact_string(token, value, hidden.texts and not is_key, nested)
        elif hidden.numbers and token[0] in "-0123456789":
            token = f'"{REDACTED}"'
        yield token


def _redact_string(token: str, value: str, hidden: bool, nested: int) -> str:
    found = REDACTED if value and hidden else _redact(value, nested)
    return token if found == value else json.dumps(found, ensure_ascii=token.isascii())


def _matches(names: re.Pattern[str], name: str) -> bool:
    return bool(names.search(name[-64:]))
