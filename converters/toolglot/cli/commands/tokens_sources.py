"""`tokens` over all sources: the tools together, as one request to each provider."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from toolglot import formats
from toolglot.cli.exit_codes import Exit
from toolglot.cli.readings import read_tools
from toolglot.cli.source_request import SourceRequest
from toolglot.cli.terminal import count_noun, print_message, print_result
from toolglot.cli.tokens_output import RENDERERS
from toolglot.tokens.costs import ENCODING, TokenCosts, count_tokens


def print_tokens(
    request: SourceRequest, providers: Sequence[str] | None, exact: bool, style: str, options: dict[str, Any]
) -> int:
    """Print the numbers; the exit code.

    Args:
        providers: `FORMAT[@VERSION]` each; `None` stands for every provider.
        options: those of `toolglot.count_tokens`.

    Raises:
        UsageError: one is not the format of a provider, or none of the tools is chosen.
    """
    tools, code = read_tools(request)
    if not tools:
        return code or Exit.DONE
    costs = [count_tokens(tools, provider, exact=exact, **options) for provider in providers or _all_providers()]
    print_result(RENDERERS[style](costs))
    if not request.quiet:
        for line in _cost_lines(costs):
            print_message(line)
    return code


def _all_providers() -> list[str]:
    return [name for name in formats.names() if formats.get(name).provider.profiles]


def _cost_lines(costs: Sequence[TokenCosts]) -> Iterator[str]:
    about = "" if costs[0].is_exact else "about "
    for cost in costs:
        definitions = count_noun(len(cost.definitions), "definition")
        tokens = f"{about}{cost.tokens:,} token" + ("" if cost.tokens == 1 else "s")
        yield f"{cost.provider}: {definitions}, {tokens} ({ENCODING} of the JSON)"
        for reason, number in Counter(cost.excluded.values()).items():
            yield f"{cost.provider}: {count_noun(number, 'tool')} left out: {reason}"
