"""Fitting schemas that were fitted before.

Programs have many commands with the same parameters, most often none, and a host compiles the same tools for every
request. Without this, to compile 160 commands of one program takes 6 % longer for the first time, and 30 % for the
second. What is remembered is keyed by the text of the schema, so that it depends on nothing else; nobody is handed
the remembered schema itself, because a caller may change the definitions that it gets.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec

from toolglot.fitting.argument_codec import Codec
from toolglot.fitting.fit import fit
from toolglot.fitting.fitted import Fitted
from toolglot.fitting.provider_rules import ProviderRules
from toolglot.schema.fitting_steps import Step

_LONGEST = 4_096  # bytes of a schema that is remembered, so that all of them stay small
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode


class _RulesKey:
    """Rules as a key: the rows of the table of profiles live as long as the process, and are equal to no other."""

    __slots__ = ("rules",)

    def __init__(self, rules: ProviderRules) -> None:
        self.rules = rules

    def __hash__(self) -> int:
        return id(self.rules)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _RulesKey) and self.rules is other.rules


def fit_again(schema: Any, rules: ProviderRules) -> Fitted:
    """As `toolglot.fitting.fit.fit`, at a tenth of its time for a schema that it has seen lately.

    >>> words = {"": frozenset({"type", "properties", "required"})}
    >>> names = {"format": "x", "profile": "x", "versions": (), "citation": ""}
    >>> rules = ProviderRules(**names, strict=True, keywords=words, all_required=True)
    >>> schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    >>> fit_again(schema, rules).schema == fit_again(schema, rules).schema == fit(schema, rules).schema
    True
    """
    try:
        raw = _encode(schema)
    except (msgspec.MsgspecError, TypeError, ValueError, OverflowError, RecursionError):  # what msgspec cannot encode
        return fit(schema, rules)
    if len(raw) > _LONGEST or b"null" in raw:  # msgspec writes NaN and infinities as null
        return fit(schema, rules)
    try:
        fitted_json, steps, codec = _fit_encoded(raw, _RulesKey(rules))
    except OverflowError:  # a bound that fitting moved beyond what msgspec writes
        return fit(schema, rules)
    return Fitted(_decode(fitted_json), steps, codec)


def forget() -> None:
    """Remember nothing any more; for measuring."""
    _fit_encoded.cache_clear()


@lru_cache(1024)
def _fit_encoded(raw: bytes, key: _RulesKey) -> tuple[bytes, tuple[Step, ...], Codec]:
    fitted = fit(_decode(raw), key.rules)
    return _encode(fitted.schema), fitted.steps, fitted.codec
