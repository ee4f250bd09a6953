"""Equal entries of a catalogue: one stays, and names the files of the others."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from operator import attrgetter
from typing import Any

from msgspec.structs import replace

from toolglot.converter.conversion.extension_slots import stated_extension
from toolglot.converter.hub.model import to_json
from toolglot.converter.schema.json_values import equality_key
from toolglot.converter.text.caches import Same
from toolglot.converter.text.pointers import without_empty, without_keys
from toolglot.verbs.catalogs.catalog_entries import Entry


def without_copies(same: Sequence[Entry]) -> list[Entry]:
    """The entries without copies; the provenance of the one that stays names the files of its copies.

    A value that one entry marks as made up and another one states is no difference. The one with the statement stays.
    """
    marks = set(map(_supposed, same))
    groups: list[list[Entry]] = []
    groups_by_key: dict[Hashable, list[Entry]] = {}
    for entry in sorted(same, key=lambda entry: len(_supposed(entry))):
        names = _supposed(entry)
        group = groups_by_key.get((names, _key_without(entry, names)))
        if group is None:
            group = []
            groups.append(group)
            for other_names in marks:
                groups_by_key.setdefault((other_names, _key_without(entry, other_names)), group)
        group.append(entry)
    distinct = [
        first._replace(provenance=provenance_with(first, also_from=copies)) if copies else first
        for first, *copies in groups
    ]
    return sorted(distinct, key=attrgetter("file"))


def _supposed(entry: Entry) -> frozenset[str]:
    """The fields that an entry marks as made up."""
    return frozenset(entry.tool.assumed or ()) if entry.tool is not None else frozenset()


def _key_without(entry: Entry, names: Collection[str]) -> Hashable:
    """A key of what an entry states, without some fields; an entry that was not read in this run equals no other."""
    tool = entry.tool
    if tool is None:
        return Same(entry)
    extensions = {owner: stated_extension(owner, tool) for owner in tool.extensions or {}}
    rest = without_empty(extensions)
    bare = replace(tool, assumed=None, extensions=rest or None, **dict.fromkeys(names))
    return equality_key(to_json(bare))


def provenance_with(entry: Entry, **others: Sequence[Entry]) -> dict[str, Any]:
    """The provenance of an entry that depends on other files too, so that no later run takes it over."""
    provenance = without_keys(entry.provenance, "seal")
    for key, several in others.items():
        provenance[key] = [{"path": other.file, "sha256": other.provenance["sha256"]} for other in several]
    return provenance
