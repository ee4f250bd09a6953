"""What is wrong with a call, in the words that people are told: what was expected, what was found, what to do."""

from __future__ import annotations

from typing import Any

from toolglot.converter.text.wording import quote_text
from toolglot.errors import CallError

AGAIN = "ask the model again"

AS_SENT = "pass the response as the provider's API sent it"

MORE_TOKENS = "allow more tokens and ask again"

OTHER_PROMPT = "change the prompt"

FINISHED_CALL = "a call that was finished"

_KINDS: dict[type, str] = {
    type(None): "nothing",
    bool: "a boolean",
    int: "a number",
    float: "a number",
    list: "a list",
    dict: "an object",
}


def call_error(expected: str, actual: str, action: str, pointer: str = "", code: str | None = None) -> CallError:
    """The error to raise: what was expected, what was found, what to do."""
    return CallError(f"expected {expected}, found {actual}; {action}", code, pointer)


def describe_value(value: Any) -> str:
    """A value for a message: its kind, and a text shortened.

    >>> describe_value({}), describe_value("x"), describe_value(())
    ('an object', "the text 'x'", 'a tuple')
    """
    if isinstance(value, str):
        return f"the text {quote_text(value)}" if value else "an empty text"
    return _KINDS.get(type(value), f"a {type(value).__name__}")
