"""`tokens` over all sources: what the tools cost together in one request, as a table for people and as JSON."""

from __future__ import annotations

import shlex
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
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
        return code
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # said below, once for all providers
        costs = [count_tokens(tools, provider, exact=exact, **options) for provider in providers or _all_providers()]
    patterns = Patterns(choice_of(options))
    print_unused(PatternUse.of(tools, patterns), patterns)
    print_result(_RENDERERS[style](costs))
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
    request = _TokenLine("the request", {cost.provider: cost.tokens for cost in costs})
    definitions = [*_definition_rows(costs), request]
    sections = {"definition": definitions, "spent on": _part_rows(costs), "would be saved by": _saving_rows(costs)}
    labels = list(sections)
    for rows in sections.values():
        labels += [row.label for row in rows]
    width = max(map(len, labels))
    largest = max(max(row.numbers.values()) for row in definitions)
    columns = {cost.provider: max(len(cost.provider), len(f"{largest:,}")) for cost in costs}
    lines: list[str] = []
    for title, rows in sections.items():
        if rows:
            heading = [provider.rjust(column) for provider, column in columns.items()]
            lines += ["", _GAP.join([title.ljust(width), *heading])]
            lines += [_join_cells(row, width, columns) for row in rows]
    return "".join(f"{line}\n" for line in lines[1:])


def _join_cells(row: _TokenLine, width: int, columns: dict[str, int]) -> str:
    cells = [row.label.ljust(width)]
    for provider, column in columns.items():
        number = row.numbers.get(provider)
        cell = "-" if number is None else f"{number:,}"
        cells.append(cell.rjust(column))
    return _GAP.join(cells)


def _definition_rows(costs: Sequence[TokenCosts]) -> list[_TokenLine]:
    rows: dict[int, _TokenLine] = {}
    for cost in costs:
        for definition in cost.definitions:
            row = rows.setdefault(definition.number, _TokenLine(escape_controls(definition.name), {}))
            row.numbers[cost.provider] = definition.tokens
    return _sort_rows(rows.values())


def _part_rows(costs: Sequence[TokenCosts]) -> list[_TokenLine]:
    rows = []
    for part in PARTS:
        numbers = {cost.provider: cost.parts[part] for cost in costs}
        if any(numbers.values()):
            rows.append(_TokenLine(part.replace("_", " "), numbers))
    return _sort_rows(rows)


def _saving_rows(costs: Sequence[TokenCosts]) -> list[_TokenLine]:
    rows: dict[str, _TokenLine] = {}
    for cost in costs:
        for label, tokens in _savings(cost):
            rows.setdefault(label, _TokenLine(label, {})).numbers[cost.provider] = tokens
    return _sort_rows(rows.values())


def _savings(cost: TokenCosts) -> Iterator[tuple[str, int]]:
    if cost.saved_by_choice:
        yield "your choice (saved already)", cost.saved_by_choice
    for saving in cost.savings:
        yield _name_saving(saving), saving.tokens


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
