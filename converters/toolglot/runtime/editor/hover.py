"""What an editor tells of the key at a place: what it means here, where other formats have it, and what is wrong.

At the name of a tool it is the tool's card.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress

from toolglot.converter import formats
from toolglot.converter.conversion.positions import find_place
from toolglot.converter.conversion.sources import read_document
from toolglot.converter.formats import Format
from toolglot.converter.safety import FIELDS_OF_DANGER
from toolglot.converter.schema.document_fields import field_at
from toolglot.converter.text.document_reader import Document
from toolglot.converter.text.pointers import unescape, value_at
from toolglot.errors import Error
from toolglot.runtime.editor.described import DescribedEntry, describe_entry
from toolglot.runtime.editor.entries import EntryAtPlace
from toolglot.verbs.cards.markdown import card_to_markdown
from toolglot.verbs.cards.tool_card import cards_of
from toolglot.verbs.diagnostics.diagnostic import Diagnostic
from toolglot.verbs.diagnostics.rules import rules

_INDEXES = re.compile(r"(?:/\d+)+\Z")


def _field_of(entry: DescribedEntry) -> str:
    """The field of the hub that the key says; empty where it says none."""
    own, place = entry.format, entry.own_pointer
    if own is None:
        return ""
    return next((name for name in own.places.fields if find_place(own, entry.node, name, would_say=True) == place), "")


def _elsewhere(entry: DescribedEntry, name: str) -> str:
    """Where the other formats have a field, by their tables."""
    targets = map(formats.get, formats.targets())
    others = [other for other in targets if other is not entry.format and not other.holds_everything]
    places = {other.name: _place_in(other, name) for other in others}
    rows = [f"\n- {other}: {there}" for other, there in places.items() if there]
    lacking = ", ".join(other for other, there in places.items() if not there)
    in_words = "; the description says there what is dangerous" if name in FIELDS_OF_DANGER else ""
    rows += [f"\n- no such field: {lacking}{in_words}"] if lacking else []
    return f"Elsewhere:\n{''.join(rows)}"


def _card(document: Document, name: object) -> str:
    """The card of the tool with a name; nothing while the document cannot be read."""
    with suppress(Error):
        cards = cards_of(read_document(document))
        return next((card_to_markdown(card) for card in cards if card.tool.id == name), "")
    return ""


def hover_text(entry: EntryAtPlace | None, findings: Sequence[Diagnostic]) -> str:
    """All that is told of an entry, or of the list that it is in; Markdown, empty where there is nothing.

    Args:
        entry: `None` where the place is in none.
        findings: what is wrong at the place, of which the rules say why and what to do.
    """
    parts = []
    described = describe_entry(entry._replace(pointer=_INDEXES.sub("", entry.pointer))) if entry else None
    if entry and described and described.pointer:
        meaning = field_at(described.schema, described.pointer).text  # in this format and version
        if meaning:
            key = unescape(described.pointer.rpartition("/")[2])
            parts.append(f"**{key}** ({described.title})\n\n{meaning}")
        field = _field_of(described)
        if field:
            parts.append(_elsewhere(described, field))
        if field == "id":
            parts.append(_card(entry.document, value_at(described.node, described.own_pointer)))
    broken = [rules()[code] for code in dict.fromkeys(finding.code for finding in findings) if code in rules()]
    parts += [f"**{rule.code}**: {rule.why} {rule.mend}" for rule in broken]
    return "\n\n".join(filter(None, parts))


def _place_in(other: Format, name: str) -> str:
    """Where another format says a field; empty where it has no place for it."""
    places = other.places
    if name in places.fields:
        return f"`{places.fields[name]}`"
    if name in places.sections:
        return f"Markdown: {places.sections[name]}".removesuffix(": ")
    if name in places.in_prose:
        return "in words"
    return " or ".join([f"`{place}`" for place in places.entries.get(name, ())])
