"""What the definitions of tools cost in every request to a provider's model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Unpack, cast

import msgspec
from msgspec.structs import replace

from toolglot.converter import formats
from toolglot.converter.conversion.garbage_collection import gc_paused
from toolglot.converter.conversion.offers import TargetRequest
from toolglot.converter.conversion.options import CompileOptions, settings_of, without_iterators
from toolglot.converter.conversion.pattern_use import Patterns, PatternUse
from toolglot.converter.conversion.selection import EVERYTHING, nothing_chosen_error
from toolglot.converter.conversion.sums import add_up
from toolglot.converter.hub.model import Tool
from toolglot.converter.hub.trees import list_tools
from toolglot.option_checks import require_flag
from toolglot.verbs.tokens.definitions import PARTS, ToolRequest
from toolglot.verbs.tokens.estimate import estimate_tokens
from toolglot.verbs.tokens.exact import count_exactly
from toolglot.verbs.tokens.savings import Saving, choose_savings, find_savings

ENCODING = "o200k"

MOST_LISTED = 10_000
"""Definitions that are listed, and tools that are left out: nobody reads a million lines."""


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
        definitions: the largest first; of more than `MOST_LISTED` only these.
        saved_by_choice: what it saves that only some of the tools are meant.
        savings: what else would save tokens.
        excluded: the names of the tools that the provider cannot be offered, each with the reason; the first
            `MOST_LISTED`.
        parts: what the tokens of all definitions are spent on.
        total: how many definitions there are.
        reasons: how many tools are excluded for each reason.
    """

    provider: str
    is_exact: bool
    tokens: int
    definitions: list[DefinitionCost]
    saved_by_choice: int
    savings: list[Saving]
    excluded: dict[str, str]
    parts: dict[str, int]
    total: int
    reasons: dict[str, int]

    @property
    def unlisted_tokens(self) -> int:
        """What the definitions cost that are not listed."""
        return sum(self.parts.values()) - sum(definition.tokens for definition in self.definitions)

    def to_json(self) -> dict[str, Any]:
        """The costs as JSON data, an entry of `providers` in `schemas/tokens`."""
        unlisted = self.total - len(self.definitions)
        return {
            "provider": self.provider,
            "tokens": self.tokens,
            "parts": _with_hyphens(self.parts),
            "saved-by-choice": self.saved_by_choice,
            "savings": [saving.to_json() for saving in self.savings],
            "definitions": [definition.to_json() for definition in self.definitions],
            **({"unlisted-definitions": unlisted} if unlisted else {}),
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
    options = cast(CompileOptions, without_iterators(options))  # which are gone through twice
    tool_list = list_tools(tools)
    tally = tally_tokens(tool_list, provider, exact=exact, **options)
    settings = settings_of(options, formats.target_of(provider), lossless=False)
    if settings.choice != EVERYTHING:
        if tool_list and not tally.offers:
            raise nothing_chosen_error(tool_list)
        patterns = Patterns(settings.choice)
        PatternUse.of(tool_list, patterns).warn_caller(patterns, depth=2)
    return tally.costs()


def tally_tokens(
    tools: Sequence[Tool], provider: str, *, exact: bool = False, **options: Unpack[CompileOptions]
) -> CostTally:
    """What tools cost a provider, to be added to what others cost; arguments and errors as for `count_tokens`.

    That no tool is chosen is no error, for others may be; and who counts says which patterns match no tool.
    """
    target, version = formats.parse_provider(provider)
    require_flag("exact", exact)
    settings = settings_of(options, target, lossless=False)
    offer_options = replace(settings.offer, choice=settings.choice)
    counter = count_exactly if exact else estimate_tokens
    form = TargetRequest(target, version, offer_options, own_definitions="if-valid")
    request = ToolRequest(tools, form, counter)
    tally = CostTally(provider, exact, offers=len(request.definitions) + len(request.excluded))
    if settings.choice != EVERYTHING:
        tally.saved_by_choice = request.with_offer_options(choice=EVERYTHING).tokens - request.tokens
    for definition in request.definitions:
        cost = DefinitionCost(definition.number, definition.offer.name, definition.tokens, definition.parts)
        tally.definitions.append(cost)
        tally.parts.update(cost.parts)
    tally.count = len(request.definitions)
    if request.definitions:
        tally.requests, tally.tokens, tally.sample = 1, request.tokens, request.definitions[0].data
    tally.savings.update({(saving.option, saving.value): saving.tokens for saving in find_savings(request)})
    tally.depths = {len(definition.offer.leaf.path) - 1 for definition in request.definitions}
    for offer in request.excluded:
        tally.excluded[offer.name] = offer.reason or ""
        tally.reasons[offer.reason or ""] += 1
    tally.shorten()
    return tally


class CostTally(msgspec.Struct):
    """What tools cost a provider, of which more can be added; no larger for a million tools.

    Attributes:
        offers: how many tools were to be offered.
        requests: how many requests with a definition were counted by themselves.
        tokens: of all of them together.
        sample: a definition, which tells what requests share that are counted as one.
        savings: what each change would save, also where that is nothing, or everything.
        depths: how deep the tools lie.
    """

    provider: str
    is_exact: bool
    offers: int = 0
    requests: int = 0
    tokens: int = 0
    sample: Any = None
    count: int = 0
    parts: Counter[str] = msgspec.field(default_factory=Counter)
    definitions: list[DefinitionCost] = []
    saved_by_choice: int = 0
    savings: Counter[tuple[str, str | int | bool]] = msgspec.field(default_factory=Counter)
    depths: set[int] = set()
    excluded: dict[str, str] = {}
    reasons: Counter[str] = msgspec.field(default_factory=Counter)

    def merge(self, later: CostTally) -> None:
        """Add what other tools cost, as if the same request offered them."""
        for definition in later.definitions:
            self.definitions.append(definition._replace(number=definition.number + self.offers))
        add_up(self, later)
        self.sample = self.sample or later.sample
        if len(self.excluded) < MOST_LISTED:
            self.excluded.update(later.excluded)
        if len(self.definitions) > 2 * MOST_LISTED:
            self.shorten()

    def shorten(self) -> None:
        """Forget the smallest of what is too much to list."""
        self.definitions.sort(key=lambda cost: (-cost.tokens, cost.number))
        del self.definitions[MOST_LISTED:]
        if len(self.savings) > 2 * MOST_LISTED:
            self.savings = Counter(dict(self.savings.most_common(MOST_LISTED)))

    def costs(self) -> TokenCosts:
        """The costs of all together."""
        self.shorten()
        tokens = self.tokens
        if self.requests > 1:  # the container around the definitions is there once
            target = formats.target_of(self.provider)
            count = count_exactly if self.is_exact else estimate_tokens
            one, two = (count(target.wrap([self.sample] * number)) for number in (1, 2))
            tokens -= (self.requests - 1) * (2 * one - two)
        return TokenCosts(
            provider=self.provider,
            is_exact=self.is_exact,
            tokens=tokens,
            definitions=self.definitions,
            saved_by_choice=self.saved_by_choice,
            savings=choose_savings(self.savings, sum(self.parts.values()), self.depths),
            excluded=self.excluded,
            parts={part: self.parts[part] for part in PARTS},
            total=self.count,
            reasons=dict(self.reasons),
        )
