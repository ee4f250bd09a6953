"""About how many tokens a text is, by a formula: a vocabulary of 200,000 tokens would weigh more than the program.

The formula stands for the encoding o200k. Its coefficients were fitted on one half of the definitions in the corpus,
and of what they become for providers, and tried on the other half by `benchmarks/token_fit.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from toolglot.converter.text.serialization import dump_json_line

# Words are parted where an encoding parts them: `readOnlyHint` is three.
_SMALL = re.compile(r"[A-Z]?[a-z]+")
_CAPITALS = re.compile(r"[A-Z]+(?![a-z])")
# Letters of a word that most often is one token. Words in capitals are rarer, so that fewer of them are.
_SHORT_SMALL, _SHORT_CAPITALS = 6, 4
_OTHERS = (
    re.compile(r"[0-9]{1,3}"),
    re.compile(r"[!-/:-@\[-^`{-~]+"),  # a run of punctuation, such as `":{"`
    re.compile(r"_"),  # most often one token with the word behind it
    re.compile(r"[^\W\x00-\x7f]|[\x00-\x1f\x7f]"),  # a letter of another script, or a control character
    re.compile(r"[^\w\x00-\x7f]"),  # a sign, such as the picture of a warning
)

COEFFICIENTS = (0.93, 0.09, 0.14, 1.14, 1.17, 0.42, 0.79, 2.2)
"""Tokens for each of what `features_of_text` counts."""


def estimate_tokens(value: Any) -> int:
    """About how many tokens a value is, in the encoding o200k.

    Args:
        value: a text, or JSON data, which counts as compact JSON.

    Raises:
        ParseError: no JSON data; code `"not-json-data"`.

    >>> estimate_tokens("List the files of a folder."), estimate_tokens({"name": "list_files"})
    (7, 7)
    """
    features = features_of_text(counted_text(value))
    tokens = 0.0
    for count, coefficient in zip(features, COEFFICIENTS, strict=True):
        tokens += count * coefficient
    return round(tokens)


def counted_text(value: Any) -> str:
    """The text whose tokens are counted: the value itself, or its compact JSON.

    >>> counted_text("a b"), counted_text({"name": "ls"})
    ('a b', '{"name":"ls"}')
    """
    if isinstance(value, str):
        return value
    return dump_json_line(value)


def features_of_text(text: str) -> list[int]:
    """What the formula counts, in the order of `COEFFICIENTS`.

    Words; letters that are too many for a word of one token, and such capitals; digits by threes; runs of punctuation;
    underscores; letters of other scripts; signs.

    >>> features_of_text('{"readOnlyHint": 1250}')
    [3, 0, 0, 2, 3, 0, 0, 0]
    """
    small = _SMALL.findall(text)
    capitals = _CAPITALS.findall(text)
    surpluses = [_surplus(small, _SHORT_SMALL), _surplus(capitals, _SHORT_CAPITALS)]
    others = [len(pattern.findall(text)) for pattern in _OTHERS]
    return [len(small) + len(capitals), *surpluses, *others]


def _surplus(words: Iterable[str], short: int) -> int:
    """The letters that are too many for words of one token."""
    return sum(len(word) - short for word in words if len(word) > short)
