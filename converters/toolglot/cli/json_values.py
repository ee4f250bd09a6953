"""Values of the command line that are JSON objects: the text itself, `@FILE`, or `-` for stdin."""

from __future__ import annotations

import codecs
import os
import sys
from typing import Any

from toolglot.errors import UsageError
from toolglot.text import serialization
from toolglot.text.serialization import Limits


def parse_object(text: str, label: str, limits: Limits) -> Any:
    """A value of the command line, which messages call `label`, read as strictly as any document.

    Raises:
        ReadError: it cannot be read, is not JSON, or is too large.
        UsageError: it is not an object.
    """
    if text == "-":
        name, raw = "<stdin>", sys.stdin.buffer.read(limits.max_bytes + 1)
    elif text.startswith("@"):
        name, raw = text[1:], serialization.read_file(text[1:], limits)
    else:
        name, raw = label, os.fsencode(text)
    if not raw.removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"{"):  # anything else could be YAML
        raise UsageError('expected a JSON object such as {"name": "value"}', "not-an-object", source=name)
    return serialization.load(raw, name, limits).data


def parse_optional(text: str | None, label: str, limits: Limits) -> Any:
    """`parse_object`; `None` where the option was not given."""
    if text is None:
        return None
    return parse_object(text, label, limits)
