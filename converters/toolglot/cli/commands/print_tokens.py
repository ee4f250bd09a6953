"""`tokens` over all sources: what the tools cost together in one request, as a table for people and as JSON."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice
from typing import Any, NamedTuple, cast

from toolglot.cli.file_batch import READ, Outcome, Run, open_errors, print_unused, read_file
from toolglot.cli.opened_sources import SourceFile, find_sources
from toolglot.cli.options import SourceRequest
from toolglot.cli.terminal import align_columns, print_messages, print_result
from toolglot.converter import formats
from toolglot.converter.conversion.options import CompileOptions
from toolglot.converter.conversion.pattern_use import Patterns, PatternUse
from toolglot.converter.conversion.selection import EVERYTHING, choice_of, nothing_chosen_error
from toolglot.converter.hub.model import Tool
from toolglot.converter.text.serialization import dump_json
from toolglot.converter.text.wording import count_noun
from toolglot.errors import escape_unseen
from toolglot.verbs.tokens.costs import ENCODING, CostTally, TokenCosts, tally_tokens
from toolglot.verbs.tokens.definitions import PARTS
from toolglot.verbs.tokens.savings import Saving

_MOST_LINES = 50  # of definitions in the table; as JSON there are all
_TEXTS = {
    "descriptions": "descriptions of one sentence",
    "parameter_descriptions": "parameter descriptions of one sentence",
}


def print_tokens(
    request: SourceRequest,
    providers: Sequence[str] | None,
    exact: bool,
    style: str,
    jobs: int | None,
    errors: str | None,
    **options: Any,
) -> int:
    """Print the numbers; the exit code.

    Args:
        providers: `FORMAT[@VERSION]` each; `None` stands for every provider.
        jobs: how many processes.
        errors: the file for every record and source that is refused; `None` for none.
        options: those of `toolglot.count_tokens`.

    Raises:
        UsageError: one is no provider, or none of the tools is chosen.
    """
    if not providers:
        providers = [each.name for each in formats.every() if each.provider.profiles]
    with open_errors(errors) as write_errors:
        run = Run(request, jobs, write_errors=write_errors)
        patterns = Patterns(choice_of(options))
        count = partial(_count, providers=providers, exact=exact, options=cast(CompileOptions, options))
        tallies = _count_sources(run, count, patterns)
    if tallies is None:
        return run.exit_code
    print_unused(run.pattern_use, patterns)
    costs = [tally.costs() for tally in tallies]
    print_result(_RENDERERS[style](costs))
    if not request.quiet:
        print_messages(_cost_lines(costs))
    return run.exit_code


_Count = Callable[[Sequence[Tool]], list[CostTally]]


def _count(tools: Sequence[Tool], providers: Sequence[str], exact: bool, options: CompileOptions) -> list[CostTally]:
    """What tools cost each provider."""
    return [tally_tokens(tools, provider, exact=exact, **options) for provider in providers]


def _count_sources(run: Run, count: _Count, patterns: Patterns) -> list[CostTally] | None:
    """What all sources cost each provider: all files as one request, and every record of JSON Lines.

    `None` where no tool could be read.
    """
    tallies: list[CostTally] = []
    tools: list[Tool] = []

    def add(more: Sequence[CostTally]) -> None:
        for tally, later in zip(tallies, more, strict=False):
            tally.merge(later)
        tallies.extend(more[len(tallies) :])

    task = partial(_read_or_count, count=count, patterns=patterns)
    for source in run.results(task, find_sources(run.request), by_record=True):
        tools += source.tools
        add(source.tallies)
    run.finish_reading()
    if tools:
        run.pattern_use.merge(PatternUse.of(tools, patterns))
        add(count(tools))
    if tallies and not any(tally.offers for tally in tallies) and patterns.choice != EVERYTHING:
        raise nothing_chosen_error(tools)
    return tallies or None


class _CountedSource(NamedTuple):
    """The tools of a file, or what those of a record cost."""

    tools: list[Tool]
    tallies: list[CostTally]


def _read_or_count(file: SourceFile, count: _Count, patterns: Patterns) -> Outcome[_CountedSource]:
    """One source, in a worker."""
    outcome = read_file(file)
    assert outcome.result is not None
    tools = outcome.result.tools
    if file.line is None:
        return Outcome(READ, _CountedSource(tools, []), faults=outcome.faults)
    counted, use = _CountedSource([], count(tools)), PatternUse.of(tools, patterns)
    return Outcome(READ, counted, faults=outcome.faults, pattern_use=use)


def _cost_lines(costs: Sequence[TokenCosts]) -> Iterator[str]:
    about = "" if costs[0].is_exact else "about "
    for cost in costs:
        definitions = count_noun(cost.total, "definition")
        tokens = f"{about}{cost.tokens:,} token" + ("" if cost.tokens == 1 else "s")
        yield f"{cost.provider}: {definitions}, {tokens} ({ENCODING} of the JSON)"
        for reason, number in cost.reasons.items():
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

    def cells(self, providers: Iterable[str]) -> tuple[str, ...]:
        """The label, and the number for each of these providers."""
        return self.label, *(f"{self.numbers[name]:,}" if name in self.numbers else "-" for name in providers)


def costs_to_text(costs: Sequence[TokenCosts]) -> str:
    """A table: the largest definitions; what the tokens are spent on; and what would save some."""
    definitions: dict[int, _TokenLine] = {}
    parts = [_TokenLine(part.replace("_", " "), {cost.provider: cost.parts[part] for cost in costs}) for part in PARTS]
    savings: dict[str, _TokenLine] = {}
    for cost in costs:
        for definition in cost.definitions:
            row = definitions.setdefault(definition.number, _TokenLine(escape_unseen(definition.name), {}))
            row.numbers[cost.provider] = definition.tokens
        saved = [(_name_saving(saving), saving.tokens) for saving in cost.savings]
        if cost.saved_by_choice:
            saved.append(("your choice (saved already)", cost.saved_by_choice))
        for label, tokens in saved:
            savings.setdefault(label, _TokenLine(label, {})).numbers[cost.provider] = tokens
    request = [_TokenLine("the request", {cost.provider: cost.tokens for cost in costs})]
    rows = _sort_rows(definitions.values())
    unlisted = costs[0].total - len(costs[0].definitions) + len(rows[_MOST_LINES:])
    if unlisted > 0:
        numbers = Counter({cost.provider: cost.unlisted_tokens for cost in costs})
        for row in rows[_MOST_LINES:]:
            numbers.update(row.numbers)
        request.insert(0, _TokenLine(f"{unlisted:,} more", numbers))
    sections = {
        "definition": [*rows[:_MOST_LINES], *request],
        "spent on": _sort_rows(row for row in parts if any(row.numbers.values())),
        "would be saved by": _sort_rows(savings.values()),
    }
    providers = [cost.provider for cost in costs]
    tables = [
        [(title, *providers), *(row.cells(providers) for row in rows)] for title, rows in sections.items() if rows
    ]
    lines = iter(align_columns(list(chain.from_iterable(tables)), has_numbers=True).splitlines(keepends=True))
    return "\n".join("".join(islice(lines, len(table))) for table in tables)


def _name_saving(saving: Saving) -> str:
    """The change as an option of the program, or in words."""
    if saving.option in _TEXTS:
        return _TEXTS[saving.option]
    option = f"--{saving.option.replace('_', '-')}"
    if saving.value is True:
        return option
    return f"{option} {escape_unseen(shlex.quote(str(saving.value)))}"


def _sort_rows(rows: Iterable[_TokenLine]) -> list[_TokenLine]:
    """The rows, the largest numbers first."""
    return sorted(rows, key=lambda row: -max(row.numbers.values()))


_RENDERERS: dict[str, Callable[[Sequence[TokenCosts]], str]] = {"text": costs_to_text, "json": costs_to_json}
