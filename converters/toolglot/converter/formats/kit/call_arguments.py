"""The arguments of a call, as a text or as data: what is none of them, and how many are borne."""

from __future__ import annotations

from typing import Any

from toolglot.converter.formats.kit.call_faults import AGAIN, call_error, describe_value
from toolglot.converter.text import json_reader
from toolglot.converter.text.document_reader import Limits
from toolglot.converter.text.plain_data import check_plain_data
from toolglot.converter.text.source_text import SourceText
from toolglot.converter.text.wording import quote_text
from toolglot.errors import LimitError, ParseError

LIMITS = Limits(max_bytes=4 * 1024 * 1024)
"""Of the arguments of one call, and of all pieces of one stream together. No model writes so much in one turn."""


def arguments_of(value: Any, name: str, pointer: str) -> dict[str, Any]:
    """The arguments of a call, given as JSON text or as data, which is checked and kept, not copied.

    What says nothing at all are no arguments: so do models and servers call tools that take none.

    >>> arguments_of('{"limit": 5}', "list", ""), arguments_of("null", "list", "")
    ({'limit': 5}, {})
    """
    if says_nothing(value):
        return {}
    expected = f"the arguments of {quote_text(name)} to be a JSON object"
    try:
        if isinstance(value, str):
            if len(value) > LIMITS.max_bytes:
                raise LimitError(f"more than {LIMITS.max_bytes} characters", "too-large")
            data = json_reader.read(SourceText(value, None), value.encode())
        else:
            check_plain_data(value, LIMITS.max_depth, LIMITS.max_nodes)
            data = value
    except UnicodeEncodeError:
        raise call_error(expected, "half of a character (a lone surrogate)", AGAIN, pointer, "lone-surrogate") from None
    except ParseError as error:
        problem = error.message.partition(";")[0]  # what follows is for programmers: a model has no file, and no limits
        raise call_error(expected, f"a fault: {problem}", AGAIN, pointer + error.pointer, error.code) from None
    if type(data) is dict:
        return data
    raise call_error(expected, describe_value(data), AGAIN, pointer, "not-an-object")


def says_nothing(value: Any) -> bool:
    """Whether the arguments of a call are absent, null, or a text that is blank or null.

    >>> says_nothing(" "), says_nothing("null"), says_nothing("{}")
    (True, True, False)
    """
    return value is None or (isinstance(value, str) and value.strip() in ("", "null"))
