"""`tokens` over all sources: what the tools cost together in one request, as a table for people and as JSON."""

from __future__ import annotations

import shlex
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from toolglot.cli.file_batch import print_unused, read_tools
from toolglot.cli.options import SourceRequest
from toolglot.cli.terminal import count_noun, escape_controls, print_message, print_result
from toolglot.converter import formats
from toolglot.converter.conversion.pattern_use import Patterns, PatternUse
from toolglot.converter.conversion.selection import choice_of
from toolglot.converter.text.serialization import dump_json
from toolglot.verbs.tokens.costs import ENCODING, TokenCosts, count_tokens
from toolglot.verbs.tokens.definitions import PARTS
from toolglot.verbs.tokens.savings import Saving

_TEXTS = {
    "descriptions": "descriptions of one sentence",
    "parameter_descriptions": "parameter descriptions of one sentence",
}
_GAP = "  "


def print_tokens(
    request: SourceRequest, providers: Sequence[str] | None, exact: bool, style: str, **options: Any
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
        return code
    if not providers:
        providers = [name for name in formats.names() if formats.get(name).provider.profiles]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # said below, once for all providers
        costs = [count_tokens(tools, provider, exact=exact, **options) for provider in providers]
    patterns = Patterns(choice_of(options))
    print_unused(PatternUse.of(tools, patterns), patterns)
    print_result(_RENDERERS[style](costs))
    if not request.quiet:
        for line in _cost_lines(costs):
            print_message(line)
    return code


def _cost_lines(costs: Sequence[TokenCosts]) -> Iterator[str]:
    about = "" if costs[0].is_exact else "about "
    for cost in costs:
        definitions = count_noun(len(cost.definitions), "definition")
        tokens = f"{about}{cost.tokens:,} token" + ("" if cost.tokens == 1 else "s")
        yield f"{cost.provider}: {definitions}, {tokens} ({ENCODING} of the JSON)"
        for reason, number in Counter(cost.excluded.values()).items():
            yield f"{cost.provider}: {count_noun(number, 'tool')} left out: {reason}"


def costs_to_json(costs: Sequence[TokenCosts]) -> str:
    """The whole costs of each provider; see `schemas/tokens`."""
    return dump_json(
        {
            "toolglot-tokens": 1,
            "encoding": ENCODING,
            "exact": costs[0].is_exact,
            "providers": [cost.to_json() for cost in costs],
        }
    )


class _TokenLine(NamedTuple):
    """A line of the table: a label, and a number for each provider that has one."""

    label: str
    numbers: dict[str, int]


def costs_to_text(costs: Sequence[TokenCosts]) -> str:
    """A table: the definitions, the largest first; what the tokens are spent on; and what would save some."""
    definitions: dict[int, _TokenLine] = {}
    parts = [_TokenLine(part.replace("_", " "), {cost.provider: cost.parts[part] for cost in costs}) for part in PARTS]
    savings: dict[str, _TokenLine] = {}
    for cost in costs:
        for definition in cost.definitions:
            row = definitions.setdefault(definition.number, _TokenLine(escape_controls(definition.name), {}))
            row.numbers[cost.provider] = definition.tokens
        saved = [(_name_saving(saving), saving.tokens) for saving in cost.savings]
        if cost.saved_by_choice:
            saved.append(("your choice (saved already)", cost.saved_by_choice))
        for label, tokens in saved:
            savings.setdefault(label, _TokenLine(label, {})).numbers[cost.provider] = tokens
    request = _TokenLine("the request", {cost.provider: cost.tokens for cost in costs})
    sections = {
        "definition": [*_sort_rows(definitions.values()), request],
        "spent on": _sort_rows(row for row in parts if any(row.numbers.values())),
        "would be saved by": _sort_rows(savings.values()),
    }
    width = max(len(label) for title, rows in sections.items() for label in (title, *(row.label for row in rows)))
    largest = max(number for row in sections["definition"] for number in row.numbers.values())
    columns = {cost.provider: max(len(cost.provider), len(f"{largest:,}")) for cost in costs}
    lines: list[str] = []
    for title, rows in sections.items():
        if rows:
            lines += ["", _join_cells(title, {provider: provider for provider in columns}, width, columns)]
        for row in rows:
            cells = {provider: f"{number:,}" for provider, number in row.numbers.items()}
            lines.append(_join_cells(row.label, cells, width, columns))
    return "".join(f"{line}\n" for line in lines[1:])


def _join_cells(label: str, cells: Mapping[str, str], width: int, columns: Mapping[str, int]) -> str:
    return _GAP.join([label.ljust(width), *(cells.get(name, "-").rjust(column) for name, column in columns.items())])


def _name_saving(saving: Saving) -> str:
    """The change as an option of the program, or in words."""
    if saving.option in _TEXTS:
        return _TEXTS[saving.option]
    option = f"--{saving.option.replace('_', '-')}"
    if saving.value is True:
        return option
    return f"{option} {escape_controls(shlex.quote(str(saving.value)))}"


def _sort_rows(rows: Iterable[_TokenLine]) -> list[_TokenLine]:
    """The rows, the largest numbers first."""
    return sorted(rows, key=lambda row: -max(row.numbers.values()))


_RENDERERS: dict[str, Callable[[Sequence[TokenCosts]], str]] = {"text": costs_to_text, "json": costs_to_json}
