"""Secrets in a text that need not be JSON: found by names, tables, forms and contexts, and replaced in one go."""

from __future__ import annotations

import re

from toolglot.runtime.bridge.redaction.contexts import secrets_below_headings
from toolglot.runtime.bridge.redaction.forms import secrets_by_form
from toolglot.runtime.bridge.redaction.kubernetes import manifest_spans
from toolglot.runtime.bridge.redaction.names_in_text import next_name
from toolglot.runtime.bridge.redaction.pairs import secrets_behind_names
from toolglot.runtime.bridge.redaction.suspects import paired_passwords, suspicious_words
from toolglot.runtime.bridge.redaction.tables import secrets_in_tables

REDACTED = "[REDACTED]"
_COLOURS = re.compile(r"\x1b\[[0-9;:]{0,40}m")


def redact_free_text(text: str) -> str:
    """`text` with every secret that the built-in rules know replaced by `[REDACTED]`.

    >>> redact_free_text("curl -u x https://me:hunter2@example.org # Basic training")
    'curl -u x https://me:[REDACTED]@example.org # Basic training'
    """
    if "\x1b[" in text:  # colours may part a name from its value
        plain = _COLOURS.sub("", text)
        new_text = redact_free_text(plain)
        return text if new_text == plain else new_text
    spans = [*secrets_by_form(text), *manifest_spans(text), *suspicious_words(text), *paired_passwords(text)]
    if next_name(text, 0):
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
