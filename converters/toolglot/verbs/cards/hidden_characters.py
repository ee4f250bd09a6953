"""Hidden characters in texts of other people: what hides in them is made visible.

A change of direction, letters without width, tags that only a model reads: all are shown as their codes. Joiners stay,
which emoji and many scripts need.
"""

from __future__ import annotations

import json
import re

_HIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f"
    "\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff\ud800-\udfff]"
)


def visible(text: str) -> str:
    """The text with what nobody sees as an escape of JSON, so that JSON stays what it is; line ends are `\\n`.

    >>> visible("safe\\u202e\\U000e0041"), visible("a b")
    ('safe\\\\u202e\\\\udb40\\\\udc41', 'a b')
    """
    return _HIDDEN.sub(lambda match: json.dumps(match[0])[1:-1], text.replace("\r\n", "\n").replace("\r", "\n"))
