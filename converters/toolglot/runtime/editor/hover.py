"""What an editor tells of the key at a place: what it means here, where other formats have it, and what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from toolglot.converter import formats
from toolglot.converter.conversion.positions import find_place
from toolglot.converter.formats import Format
from toolglot.converter.safety import FIELDS_OF_DANGER
from toolglot.converter.text.pointers import tokens_of
from toolglot.runtime.editor.described import DescribedText, Keys
from toolglot.runtime.editor.fields import field_at
from toolglot.verbs.diagnostics.diagnostic import Diagnostic
from toolglot.verbs.diagnostics.rules import rules


def _meaning(known: DescribedText, path: Keys) -> Iterator[str]:
    """What the key means in this format and version."""
    field = field_at(known, path)
    sentences = [*field.sentences()] if field else []
    if sentences:
        yield f"**{path[-1]}** ({known.title})"
        yield from sentences


def _elsewhere(known: DescribedText, path: Keys) -> Iterator[str]:
    """Where the other formats have the same, by their tables."""
    name = _field_of(known, path)
    if known.format is None or name is None:
        return
    rows: list[str] = []
    lacking: list[str] = []
    for other in map(formats.get, formats.targets()):
        if other.name == known.format.name or other.holds_everything:
            continue
        place = _place_in(other, name)
        if place is None:
            lacking.append(other.name)
        else:
            rows.append(f"| `{other.name}` | {place} |")
    if rows:
        yield "\n".join(("| format | the same |", "| --- | --- |", *rows))
    if lacking:
        in_words = "; the description says there what is dangerous" if name in FIELDS_OF_DANGER else ""
        yield f"No such field: {', '.join(lacking)}{in_words}."


SECTIONS: tuple[Callable[[DescribedText, Keys], Iterator[str]], ...] = (_meaning, _elsewhere)
"""What is told of a key, part by part, each a few paragraphs of Markdown."""


def hover_text(known: DescribedText | None, path: Keys, findings: Sequence[Diagnostic]) -> str:
    """All that is told of the entry at a path, or of the list that it is in; Markdown, empty where there is nothing.

    Args:
        findings: what is wrong at the place, of which the rules say why and what to do.
    """
    while path and path[-1].isdigit():
        path = path[:-1]
    parts = [part for section in SECTIONS if known and path for part in section(known, path)]
    for code in dict.fromkeys(finding.code for finding in findings):
        rule = rules().get(code)
        if rule is not None:
            parts.append(f"**{code}**: {rule.why} {rule.mend}")
    return "\n\n".join(parts)


def _field_of(known: DescribedText, path: Keys) -> str | None:
    """What the entry at a path says of a tool, as a field that formats share."""
    node = known.node_around(path)
    if known.format is None or node is None:
        return None
    inner = path[len(node.path) :]
    for name in known.format.places.fields:
        if tuple(tokens_of(find_place(known.format, node.data, name, would_say=True)) or ()) == inner:
            return name
    return None


def _place_in(other: Format, name: str) -> str | None:
    """Where another format says a field, in words; `None` where it has no place for it."""
    place = other.places.fields.get(name)
    if place is not None:
        return f"`{place}`"
    if name in other.places.sections:
        heading = other.places.sections[name]
        return f"the section {heading} of its Markdown" if heading else "its Markdown"
    entries = other.places.entries.get(name)
    if entries:
        return " or ".join(f"`{entry}`" for entry in entries)
    return "in words" if name in other.places.in_prose else None
