"""`show`: the cards of the tools of a source."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from toolglot.cli.file_batch import Run, read_sources
from toolglot.cli.options import SourceRequest
from toolglot.cli.reports.cards import cards_to_text
from toolglot.cli.source_files import load_assertions
from toolglot.cli.terminal import print_result
from toolglot.converter.conversion.selection import matches, names_of_command
from toolglot.converter.text.serialization import dump_json
from toolglot.converter.text.wording import suggestion
from toolglot.errors import UsageError
from toolglot.verbs.cards.markdown import card_to_markdown
from toolglot.verbs.cards.tool_card import ToolCard, cards_of, letters_of


def show_tools(request: SourceRequest, tool: str | None, style: str, assertions: str | None) -> int:
    """Print the cards; the exit code.

    Args:
        tool: a name or a pattern; `None` stands for all tools.

    Raises:
        UsageError: no tool is called so.
    """
    run = Run(request)
    vouched = load_assertions(assertions)
    cards: list[ToolCard] = []
    for reading in read_sources(run):
        cards += cards_of(reading, vouched)
    shown = cards
    if tool is not None:
        shown = [card for card in cards if matches(_names_of(card), [tool])]
        letters = letters_of(tool)
        if letters and not shown:
            shown = [card for card in cards if letters in map(letters_of, _names_of(card))]
    if cards and not shown:
        names = [".".join(filter(None, (card.server, card.name))) for card in cards]
        spellings = [name for card in cards for name in _names_of(card)]
        hint = suggestion(tool, spellings, f"there are {', '.join(names[:_MOST_NAMED])}")
        raise UsageError(f"no tool of {', '.join(request.paths)} is called {tool!r}", "nothing-chosen", hint=hint)
    if shown:
        print_result(_RENDERERS[style](shown))
    return run.exit_code


_MOST_NAMED = 10


def _names_of(card: ToolCard) -> list[str]:
    """What it is called: in whole, as the groups that it is in, and by its last word."""
    return [*names_of_command(card.name.split(" "), card.server), re.split("[ .]", card.name)[-1]]


def _to_json(cards: Sequence[ToolCard]) -> str:
    """See `schemas/card`."""
    return dump_json({"toolglot-cards": 1, "cards": [card.to_json() for card in cards]})


def _to_markdown(cards: Sequence[ToolCard]) -> str:
    return "\n\n".join(map(card_to_markdown, cards)) + "\n"


_RENDERERS: dict[str, Callable[[Sequence[ToolCard]], str]] = {
    "text": cards_to_text,
    "json": _to_json,
    "markdown": _to_markdown,
}
