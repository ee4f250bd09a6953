"""Finds calls that a model wrote into its text. They are logged, and not carried out: they may be quotations."""

from __future__ import annotations

import logging
import re
from collections.abc import Collection, Iterable
from typing import Any

from toolglot.converter.formats.kit.calls import wire
from toolglot.converter.text.pointers import walk_values

_LOGGER = logging.getLogger("toolglot")

# How the templates of models begin a call: Qwen and Hermes, Llama, Mistral, DeepSeek, Claude, Gemma.
_MARKS = r"""<\|?(?: tool | function )_calls? [|>] | <(?: function | tool )= | <\|python_tag\|> | \[TOOL_CALLS\]
    | <｜tool▁calls?▁begin｜> | <invoke\ name= | ```tool_(?: code | call )"""
# Others begin it as JSON or as Python. Between the begin of a line and the name of a tool stand only signs and words of
# calls, and the name is neither a tag, nor a key, nor the text of a link. The bound keeps long texts quick.
_NAMED = r"""(?: ^ | </think> ) (?= [\s`]{{0,8}} (?: json \s )? [<\[{{] )
    (?: [\W_] | tools? | calls? | functions? | name | type | begin | section | action | channel | commentary | to
      | json ){{0,40}}?
    (?<! [\w</] ) (?: {names} ) (?! [\w-] | \] | ["'] \s* : )"""


def warn_of_calls_in_text(events: Iterable[Any], text_keys: Collection[str], names: Collection[str] = ()) -> None:
    """Log the first call in the text of a response, by the logger `toolglot`.

    Args:
        events: the whole response, or the events of a stream, as data or as objects of the vendor's client.
        text_keys: the keys under which they have the model's text.
        names: the names of the offered tools, which show a call that has no mark of its own.

    >>> warn_of_calls_in_text([{"choices": [{"message": {"content": "Done."}}]}], ["content"], ["ls"])
    """
    values = walk_values([wire(event) for event in events])
    text = "".join(value for _, key, value in values if key in text_keys and isinstance(value, str))
    named = [_NAMED.format(names="|".join(map(re.escape, names)))] if names else []
    found = re.search("|".join([_MARKS, *named]), text, re.VERBOSE | re.MULTILINE)
    if found is not None:
        _LOGGER.warning(
            "the model wrote a call as text (%s), which is carried out by nobody; "
            "the server of the model makes calls of it by the parser of that model",
            found[0].strip(),
        )
