"""About how many tokens a text is, by a formula: a vocabulary of 200,000 tokens would weigh more than the program.

The formula stands for the encoding o200k. Its coefficients were fitted on one half of the definitions in the corpus
and tried on the other by `benchmarks/token_fit.py`.
"""

from __future__ import annotations

import re
from typing import Any

from toolglot.text.serialization import dump_json

# Words are parted where an encoding parts them: `readOnlyHint` is three.
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_SHORT = 6  # letters of a word that most often is one token
_FEATURES = (
    (re.compile(r"[0-9]{1,3}"), 1.2),
    (re.compile(r"[!-/:-@\[-^`{-~]+"), 1.13),  # a run of punctuation, such as `":{"`
    (re.compile(r"_"), 0.4),  # most often one token with the word behind it
    (re.compile(r"[^ -~]"), 0.7),  # whatever else is neither ASCII nor a blank
)
_PER_WORD = 0.96
_PER_LETTER_BEYOND = 0.07


def estimate_tokens(value: Any) -> int:
    """About how many tokens a value is, in the encoding o200k.

    Args:
        value: a text, or JSON data, which counts as compact JSON.

    Raises:
        ParseError: no JSON data; code `"not-json-data"`.

    >>> estimate_tokens("List the files of a folder."), estimate_tokens({"name": "list_files"})
    (7, 7)
    """
    text = value if isinstance(value, str) else dump_json(value, None)[:-1]
    return round(sum(count * coefficient for count, coefficient in zip(features_of(text), COEFFICIENTS, strict=True)))


COEFFICIENTS = (_PER_WORD, _PER_LETTER_BEYOND, *(coefficient for _, coefficient in _FEATURES))
"""Tokens for each of the features that `features_of` counts."""


def features_of(text: str) -> list[int]:
    """What the formula counts: words, letters beyond the sixth, digits by threes, punctuation, underscores, the rest.

    >>> features_of('{"readOnlyHint": 1250}')
    [3, 0, 2, 3, 0, 0]
    """
    words = _WORD.findall(text)
    beyond = sum(len(word) - _SHORT for word in words if len(word) > _SHORT)
    return [len(words), beyond, *(len(pattern.findall(text)) for pattern, _ in _FEATURES)]
