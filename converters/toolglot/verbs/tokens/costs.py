"""What the definitions of tools cost in every request to a provider's model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple, Unpack

import msgspec

from toolglot.converter import formats
from toolglot.converter.conversion.garbage_collection import gc_paused
from toolglot.converter.conversion.options import CompileOptions, settings_of
from toolglot.converter.conversion.pattern_use import Patterns, PatternUse
from toolglot.converter.conversion.selection import EVERYTHING, nothing_chosen_error
from toolglot.converter.hub.model import Tool
from toolglot.converter.hub.trees import list_tools
from toolglot.errors import UsageError
from toolglot.option_checks import require_flag
from toolglot.verbs.tokens.definitions import PARTS, RequestOptions, ToolRequest
from toolglot.verbs.tokens.estimate import estimate_tokens
from toolglot.verbs.tokens.exact import count_exactly
from toolglot.verbs.tokens.savings import Saving, find_savings

ENCODING = "o200k"


class DefinitionCost(NamedTuple):
    """The tokens of one definition.

    Attributes:
        number: the place of its tool among all that were to be offered: the same for every provider.
        parts: what they are spent on (`tokens.definitions.PARTS`) -> tokens.
    """

    number: int
    name: str
    tokens: int
    parts: dict[str, int]

    def to_json(self) -> dict[str, Any]:
        """The cost as JSON data, an entry of `definitions`."""
        return {"name": self.name, "tokens": self.tokens, "parts": _with_hyphens(self.parts)}


class TokenCosts(NamedTuple):
    """The tokens of a request's definitions as compact JSON, in the encoding o200k.

    A provider shows its models the definitions in a form of its own, so the numbers compare tools; they are no bill.

    Attributes:
        provider: `FORMAT` or `FORMAT@VERSION`.
        is_exact: whether they were counted; otherwise they are estimated.
        tokens: of all definitions in the container that the provider's API takes.
        definitions: the largest first.
        saved_by_choice: what it saves that only some of the tools are meant.
        savings: what else would save tokens.
        excluded: the names of the tools that the provider cannot be offered, each with the reason.
    """

    provider: str
    is_exact: bool
    tokens: int
    definitions: list[DefinitionCost]
    saved_by_choice: int
    savings: list[Saving]
    excluded: dict[str, str]

    @property
    def parts(self) -> dict[str, int]:
        """What the tokens of all definitions are spent on."""
        totals = Counter[str]()
        for definition in self.definitions:
            totals.update(definition.parts)
        return {part: totals[part] for part in PARTS}

    def to_json(self) -> dict[str, Any]:
        """The costs as JSON data, an entry of `providers` in `schemas/tokens`."""
        return {
            "provider": self.provider,
            "tokens": self.tokens,
            "parts": _with_hyphens(self.parts),
            "saved-by-choice": self.saved_by_choice,
            "savings": [saving.to_json() for saving in self.savings],
            "definitions": [definition.to_json() for definition in self.definitions],
            "excluded": self.excluded,
        }


def _with_hyphens(parts: dict[str, int]) -> dict[str, int]:
    return {part.replace("_", "-"): tokens for part, tokens in parts.items()}


@gc_paused
def count_tokens(
    tools: Tool | Iterable[Tool], provider: str, *, exact: bool = False, **options: Unpack[CompileOptions]
) -> TokenCosts:
    """The tokens that tools cost in every request to a provider, what they are spent on, and what would save some.

    Args:
        tools: one tool or several; of a program every callable command is offered.
        provider: `FORMAT` or `FORMAT@VERSION`, a format whose provider restricts schemas.
        exact: count them by the vocabulary, which the extra `tokens` brings; by default a formula estimates them.
        **options: how the tools are offered and which of them are meant, as in `compile`.

    Raises:
        UsageError: there is no such provider or option, no tool is chosen, or the extra is missing.

    Warns:
        UserWarning: a pattern of `only` or `without` matches no tool.

    >>> rm = Tool(id="rm", description="Remove a file. It is gone.", destructive=True)
    >>> costs = count_tokens(rm, "anthropic")
    >>> costs.tokens, costs.parts["description"], costs.parts["safety_text"]
    (43, 8, 8)
    """
    target, version = formats.parse_target(provider)
    if not target.provider.profiles:
        providers = [name for name in formats.names() if formats.get(name).provider.profiles]
        hint = f"choose one of {', '.join(providers)}"
        raise UsageError(f"{target.name} is not the format of a provider", code="not-a-provider", hint=hint)
    tool_list = list_tools(tools)
    require_flag("exact", exact)
    settings = settings_of(options, target, lossless=False)
    offer_options = msgspec.structs.replace(settings.offer, choice=settings.choice)
    counter = count_exactly if exact else estimate_tokens
    request = ToolRequest(tool_list, RequestOptions(target, version, offer_options, counter))
    saved_by_choice = 0
    if settings.choice != EVERYTHING:
        if tool_list and not (request.definitions or request.excluded):
            raise nothing_chosen_error(tool_list)
        patterns = Patterns(settings.choice)
        PatternUse.of(tool_list, patterns).warn_caller(patterns, depth=2)
        saved_by_choice = request.with_offer_options(choice=EVERYTHING).tokens - request.tokens
    costs: list[DefinitionCost] = []
    for definition in request.definitions:
        costs.append(DefinitionCost(definition.number, definition.offer.name, definition.tokens, definition.parts))
    costs.sort(key=lambda cost: -cost.tokens)
    return TokenCosts(
        provider=provider,
        is_exact=exact,
        tokens=request.tokens,
        definitions=costs,
        saved_by_choice=saved_by_choice,
        savings=list(find_savings(request)),
        excluded={offer.name: offer.reason or "" for offer in request.excluded},
    )
