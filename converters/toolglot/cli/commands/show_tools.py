"""`show`: the cards of the tools of a source."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from toolglot.cli.file_batch import Run, read_sources
from toolglot.cli.opened_sources import load_assertions
from toolglot.cli.options import SourceRequest
from toolglot.cli.reports.cards import cards_to_text
from toolglot.cli.terminal import print_result
from toolglot.converter.conversion.selection import matches, names_of_command
from toolglot.converter.conversion.vouched_facts import LOCK_MARK, digest_of_text
from toolglot.converter.formats import Record
from toolglot.converter.text.document_reader import Document
from toolglot.converter.text.pointers import as_mapping
from toolglot.converter.text.serialization import dump_json
from toolglot.converter.text.similar_names import letters_of
from toolglot.converter.text.wording import join_first, suggestion
from toolglot.errors import UsageError
from toolglot.runtime.servers.pinning import read_lock
from toolglot.runtime.servers.pulled_document import PulledServer
from toolglot.verbs.cards.markdown import card_to_markdown
from toolglot.verbs.cards.tool_card import CHANGED, NOT_PINNED, PINNED, Pin, ToolCard, cards_of


def show_tools(request: SourceRequest, tool: str | None, style: str, assertions: str | None, lock: str | None) -> int:
    """Print the cards; the exit code.

    Args:
        tool: a name or a pattern; `None` stands for all tools.

    Raises:
        UsageError: no tool is called so.
    """
    run = Run(request)
    vouched = load_assertions(assertions)
    servers = None if lock is None else read_lock(lock)
    cards = [
        card
        for reading in read_sources(run)
        for card in cards_of(reading, vouched, partial(_pin_of, document=reading.document, servers=servers, lock=lock))
    ]
    shown = cards
    if tool is not None:
        shown = [card for card in cards if matches(_names_of(card), [tool])]
        letters = letters_of(tool)
        if letters and not shown:
            shown = [card for card in cards if letters in map(letters_of, _names_of(card))]
    if cards and not shown:
        names = [".".join(filter(None, (card.server, card.name))) for card in cards]
        spellings = [name for card in cards for name in _names_of(card)]
        hint = suggestion(tool, spellings, f"there are {join_first(names)}")
        raise UsageError(f"no tool of {', '.join(request.paths)} is called {tool!r}", "nothing-chosen", hint=hint)
    if shown:
        print_result(RENDERERS[style](shown))
    return run.exit_code


def _names_of(card: ToolCard) -> list[str]:
    """What it is called: in whole, as the groups that it is in, and by its last word."""
    return [*names_of_command(card.name.split(" "), card.server), re.split("[ .]", card.name)[-1]]


def _pin_of(
    server: str, record: Record, document: Document, servers: Mapping[str, PulledServer] | None, lock: str | None
) -> Pin | None:
    """Whether a tool of a document is pinned: by the document, if it is a lock, or by the one that is given."""
    if servers is None or lock is None:
        return Pin(document.name or "", PINNED) if LOCK_MARK in as_mapping(document.data) else None
    for name, pinned in servers.items():
        if server not in ("", name):
            continue
        digests = [digest_of_text(tool) for tool in pinned.tools if tool["name"] == record.data.get("name")]
        if digest_of_text(record.data) in digests:
            return Pin(lock, PINNED, name)
        if digests and server:
            return Pin(lock, CHANGED, name)
    return Pin(lock, NOT_PINNED)


RENDERERS: dict[str, Callable[[Sequence[ToolCard]], str]] = {
    "text": cards_to_text,
    # See `schemas/card`.
    "json": lambda cards: dump_json({"toolglot-cards": 1, "cards": [card.to_json() for card in cards]}),
    "markdown": lambda cards: "\n\n".join(map(card_to_markdown, cards)) + "\n",
}
