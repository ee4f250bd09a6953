"""Calls that a model wrote into its text. Nobody carries them out, for they may be quoted; but somebody should know."""

from __future__ import annotations

import logging
import re
from typing import Any

from toolglot.converter.formats.kit.calls import wire
from toolglot.converter.text.pointers import walk_texts

_LOGGER = logging.getLogger("toolglot")

# How the templates of models begin a call: Qwen and Hermes, Llama, Mistral, DeepSeek, Claude, Gemma.
_MARKS = re.compile(
    r"""<\|?(?: tool | function )_calls? [|>] | <(?: function | tool )= | <\|python_tag\|> | \[TOOL_CALLS\]
        | <｜tool▁calls?▁begin｜> | <invoke\ name= | ```tool_(?: code | call )""",
    re.VERBOSE,
)


def warn_of_calls_in_text(response: Any) -> None:
    """Tell the logger `toolglot` of the first call that stands in a text of a response.

    >>> warn_of_calls_in_text({"choices": [{"message": {"content": "Done."}}]})
    """
    for _, text in walk_texts(wire(response)):
        mark = _MARKS.search(text)
        if mark is not None:
            _LOGGER.warning(
                "the model wrote a call as text (%s), which is carried out by nobody; "
                "the server of the model makes calls of it by the parser of that model",
                mark[0],
            )
            return
