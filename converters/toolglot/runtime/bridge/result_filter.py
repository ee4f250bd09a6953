"""Secrets out of what a tool returned, before a model, a log or a person reads it; and not more of it than fits."""

from __future__ import annotations

import re
from collections.abc import Iterable

from toolglot.errors import UsageError, wrong_type
from toolglot.runtime.bridge.redaction.redacted_json import redact
from toolglot.runtime.bridge.redaction.redacted_text import REDACTED
from toolglot.runtime.bridge.violations import name_value

TRUNCATED = "[TRUNCATED]"
_LEAST_EXAMINED = 100_000  # characters
_LONGEST_WORD = 10_000


class ResultFilter:
    """Replaces secrets by `[REDACTED]` and cuts what is too long.

    What is recognised: tokens by the forms that their issuers gave them (`text.credentials` lists them),
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
            message = f"expected a length of 0 or more characters, found {name_value(max_length)}"
            raise UsageError(message, code="bad-length")
        self._max_length = max_length
        self._redact_secrets = redact_secrets
        self._patterns = [_compile_pattern(pattern) for pattern in _list_patterns(redact_patterns)]

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
        short_text = _shorten(text, self._max_length)
        new_text = redact(short_text) if self._redact_secrets else short_text
        for pattern in self._patterns:
            new_text = pattern.sub(_redact_match, new_text)
        if len(new_text) <= self._max_length and short_text is text:
            return new_text
        return _cut_text(new_text, self._max_length) + TRUNCATED


def _redact_match(match: re.Match[str]) -> str:
    """What stands for a match; nothing for an empty one, which a pattern such as `a*` has between any two letters."""
    return REDACTED if match[0] else ""


def _list_patterns(patterns: Iterable[str | re.Pattern[str]]) -> Iterable[str | re.Pattern[str]]:
    if isinstance(patterns, str | re.Pattern):
        return [patterns]
    if not isinstance(patterns, Iterable):
        raise wrong_type("regular expressions", patterns, "bad-pattern")
    return patterns


def _compile_pattern(pattern: str | re.Pattern[str]) -> re.Pattern[str]:
    """A pattern of the caller's; one for bytes would fail at the first result."""
    try:
        expression = re.compile(pattern)
        expression.search("")
    except (re.error, TypeError, RecursionError, OverflowError) as error:
        pattern_text = name_value(getattr(pattern, "pattern", pattern))
        message = f"{pattern_text} is not a regular expression for text: {error}"
        raise UsageError(message, code="bad-pattern") from None
    return expression


def _shorten(text: str, max_length: int) -> str:
    """What of a text is looked at: twice what can be shown, and 100,000 characters at least.

    A million characters of nothing but names of secrets would take some seconds. What is looked at ends before a
    word that was cut, because the half of a secret is not recognised.
    """
    limit = max(_LEAST_EXAMINED, 2 * max_length)
    if len(text) <= limit:
        return text
    head = text[:limit]
    words = head[-_LONGEST_WORD:].split(None)
    if words and len(words[-1]) < _LONGEST_WORD:
        return head[: -len(words[-1])]
    return head[:-_LONGEST_WORD]


def _cut_text(text: str, length: int) -> str:
    start = text.rfind(REDACTED, 0, length + len(REDACTED) - 1)
    if 0 <= start < length < start + len(REDACTED):
        return text[:start]
    return text[:length]
