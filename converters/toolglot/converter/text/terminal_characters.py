"""Characters that no terminal should get: it would act on them, or show a text that is not there."""

from __future__ import annotations

from toolglot.regexes import compile_later

# What a terminal acts on, or what reorders or hides text: C0 but for the ends of lines and tabs, DEL, C1, bidirectional
# controls, tags.
_RAW = compile_later(
    "[\\0-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069\\U000e0000-\\U000e007f]"
)


def escape_raw(text: str) -> str:
    """`text` with every character that no terminal should get as it is as an escape of JSON, where it says the same.

    >>> escape_raw("a\\x9bb"), escape_raw("\\U000e0041")
    ('a\\\\u009bb', '\\\\udb40\\\\udc41')
    """
    if text.replace("\n", "").isprintable():
        return text
    return _RAW.sub(lambda match: "\\u" + match[0].encode("utf-16-be").hex("~", 2).replace("~", "\\u"), text)
