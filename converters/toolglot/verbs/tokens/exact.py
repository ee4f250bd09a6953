"""How many tokens a text is, by the vocabulary itself; needs the package of the extra `tokens`."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from toolglot.errors import UsageError
from toolglot.verbs.tokens.estimate import counted_text

if TYPE_CHECKING:
    from bpe_openai import Encoding

ENCODING = "o200k_base"
_PACKAGE = "bpe_openai"


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
def _load_encoding() -> Encoding:
    if find_spec(_PACKAGE) is None:
        message = f"exact numbers of tokens need the package {_PACKAGE}; run: pip install 'toolglot[tokens]'"
        raise UsageError(message, "missing-extra")
    from bpe_openai import get_encoding

    return get_encoding(ENCODING)
