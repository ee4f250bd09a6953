"""How many tokens a text is, by the vocabulary itself; needs the package of the extra `tokens`."""

from __future__ import annotations

from functools import cache
from typing import Any

from toolglot.extras import load_package
from toolglot.verbs.tokens.estimate import counted_text

ENCODING = "o200k_base"


def count_exactly(value: Any) -> int:
    """How many tokens a value is, in the encoding o200k.

    Args:
        value: a text, or JSON data, which counts as compact JSON.

    Raises:
        UsageError: the package is not installed; code `"missing-extra"`.
        ParseError: no JSON data; code `"not-json-data"`.
    """
    # What looks like a special token, such as `<|endoftext|>`, is text like any other in the words of a tool.
    return len(_load_encoding().encode_ordinary(counted_text(value)))


@cache
def _load_encoding() -> Any:
    return load_package("bpe_openai", "tokens", "exact numbers of tokens need").get_encoding(ENCODING)
