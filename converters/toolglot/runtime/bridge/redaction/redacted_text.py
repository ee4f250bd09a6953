"""Secrets in a text that need not be JSON: found by names, tables, forms and contexts, and replaced in one go."""

from __future__ import annotations

import re

from toolglot.runtime.bridge.redaction.below_headings import secrets_below_headings
from toolglot.runtime.bridge.redaction.kubernetes import manifest_spans
from toolglot.runtime.bridge.redaction.names_in_text import names_in
from toolglot.runtime.bridge.redaction.secret_forms import secrets_by_form
from toolglot.runtime.bridge.redaction.suspects import paired_passwords, suspicious_words
from toolglot.runtime.bridge.redaction.tables import secrets_in_tables
from toolglot.runtime.bridge.redaction.values_behind_names import secrets_behind_names

REDACTED = "[REDACTED]"
_COLOURS = re.compile(r"\x1b\[[0-9;:]{0,40}m")
_QUOTES = re.compile(r"&(?:quot|#34|#x22);")
_ESCAPES = re.compile(
    r"(?<!\\)\\u00(2d|3[0-9]|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9a])", re.IGNORECASE
)  # of letters in JSON


def redact_free_text(text: str) -> str:
    """`text` with every secret that the built-in rules know replaced by `[REDACTED]`.

    >>> redact_free_text("curl -u x https://me:hunter2@example.org # Basic training")
    'curl -u x https://me:[REDACTED]@example.org # Basic training'
    """
    plain = _ESCAPES.sub(lambda escape: chr(int(escape[1], 16)), _QUOTES.sub('"', _COLOURS.sub("", text)))
    if plain != text:  # a name may have letters as escapes, and colours or quotes of HTML may part it from its value
        new_text = redact_free_text(plain)
        return text if new_text == plain else new_text
    spans = [*secrets_by_form(text), *manifest_spans(text), *suspicious_words(text), *paired_passwords(text)]
    if any(names_in(text)):
        spans += secrets_in_tables(text)
        spans += secrets_behind_names(text)
        spans += secrets_below_headings(text, sorted(spans))
    parts: list[str] = []
    position = 0
    for start, end in sorted(spans):
        if start >= position:  # what overlaps is one
            parts += [text[position:start], REDACTED]
        position = max(position, end)
    return "".join((*parts, text[position:])) if parts else text
