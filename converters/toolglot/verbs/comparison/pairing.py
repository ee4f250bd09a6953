"""Which old tool and which new tool are the same one.

A tool is known by its id and its major version (AIP-14). Within one side the majors of one id are different tools;
between the sides the same id is the same tool, so that a major that grew is seen as a change of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence

from toolglot.converter.conversion.writing import identify_leaf
from toolglot.converter.formats.kit.tool_ids import Name
from toolglot.converter.hub.model import Leaf
from toolglot.converter.text.sequences import group_by
from toolglot.converter.text.similar_names import letters_of
from toolglot.errors import Error
from toolglot.verbs.comparison.tools_to_compare import ContractEntry, EntryPair
from toolglot.verbs.comparison.versions import major_of

Pair = tuple[ContractEntry | None, ContractEntry | None]


def pair_entries(old: Sequence[ContractEntry], new: Sequence[ContractEntry]) -> list[Pair]:
    """Every entry of both sides once, beside its counterpart where there is one.

    Ids are compared as they are first, with the major version and without; then, where formats spell ids differently
    (`gh pr list` and `gh_pr_list`), as the other side's format would spell them; then by their letters and digits.
    """
    pairs: list[EntryPair] = []
    old_rest, new_rest = list(old), list(new)
    # Servers have tools of one id, and files may repeat an id, in several languages for example.
    for exact in (_in_its_namespace, _in_its_file, _exact):
        matches, old_rest, new_rest = _matches(old_rest, new_rest, exact, exact)
        pairs += matches
    homes = {id(other.root): id(one.root) for one, other in pairs}
    stay = frozenset(homes.values())

    def at_home(entry: ContractEntry, other: ContractEntry) -> Hashable:
        """The id, and the program that goes on: what it loses is lost, whatever another major of it may have."""
        home: int | None = id(entry.root)
        if home not in stay:
            home = homes.get(id(entry.root))
        return _by_id(entry, other), home

    for key_of_old, key_of_new in ((at_home, at_home), *_KEYS):
        matches, old_rest, new_rest = _matches(old_rest, new_rest, key_of_old, key_of_new)
        pairs += matches
    old_only = [(entry, None) for entry in old_rest]
    return [*pairs, *old_only, *_pair_repeated(pairs, new_rest)]


def _pair_repeated(pairs: Sequence[EntryPair], rest: Iterable[ContractEntry]) -> Iterator[Pair]:
    """New entries that nothing is left for: an id that was met already, in the same major, is no new tool.

    Else a tool could be changed behind a copy of what it was.
    """
    counterparts: dict[Hashable, dict[str, ContractEntry]] = {}
    for one, other in pairs:
        counterparts.setdefault(_of_its_owner(other), {}).setdefault(_major(other), one)
    for entry in rest:
        yield _counterpart_by_major(counterparts.get(_of_its_owner(entry), {}), _major(entry)), entry


def _counterpart_by_major(majors: Mapping[str, ContractEntry], major: str) -> ContractEntry | None:
    """The entry of the same major version; without a version on one side, any."""
    if major in majors:
        return majors[major]
    if "" in majors:
        return majors[""]
    if major:
        return None
    return next(iter(majors.values()), None)


def _of_its_owner(entry: ContractEntry) -> Hashable:
    return entry.id, entry.callable, entry.tool.namespace


PairingKey = Callable[[ContractEntry, ContractEntry], Hashable]
"""What entries of one tool have in common, given one and any of the other side, whose format may spell it."""


def _exact(entry: ContractEntry, other: ContractEntry) -> tuple[str, bool, str]:
    return entry.id, entry.callable, _major(entry)


def _in_its_namespace(entry: ContractEntry, other: ContractEntry) -> Hashable:
    """The same, of the same server or package."""
    if not entry.tool.namespace:
        return None
    return *_exact(entry, other), entry.tool.namespace


def _in_its_file(entry: ContractEntry, other: ContractEntry) -> Hashable:
    """The same, in a file of the same name in a folder of the same name; where the sides begin may differ."""
    name = entry.position("")[0]
    if not name:
        return None
    return *_exact(entry, other), tuple(re.split(r"[/\\:]", name)[-2:])


def _major(entry: ContractEntry) -> str:
    return major_of(entry.tool.version or entry.root.version)


def _by_id(entry: ContractEntry, other: ContractEntry) -> Hashable:
    return entry.id, entry.callable


def _as_the_others(entry: ContractEntry, other: ContractEntry) -> Hashable:
    """The id as the format of the other side would spell it."""
    other_format = other.origin.format
    if other_format is None or other_format is entry.origin.format or not entry.callable:
        return None
    try:
        return identify_leaf(Leaf(entry.path, "", entry.tool, ()), other_format), True
    except Error:  # an id that cannot be spelled there
        return None


def _with_namespace(entry: ContractEntry, other: ContractEntry) -> Hashable:
    """The same, with the namespace, which stands in the id where equal ones would meet."""
    other_format, namespace = other.origin.format, entry.tool.namespace
    if other_format is None or not entry.callable or namespace is None:
        return None
    return other_format.identify(Name(entry.path, namespace)), True


def _by_letters(entry: ContractEntry, other: ContractEntry) -> Hashable:
    if other.origin.format is entry.origin.format:
        return None
    return letters_of(entry.id), entry.callable


_KEYS: tuple[tuple[PairingKey, PairingKey], ...] = (
    (_as_the_others, _by_id),
    (_by_id, _as_the_others),
    (_with_namespace, _by_id),
    (_by_id, _with_namespace),
    (_by_letters, _by_letters),
)


def _matches(
    old: list[ContractEntry], new: list[ContractEntry], key_of_old: PairingKey, key_of_new: PairingKey
) -> tuple[list[EntryPair], list[ContractEntry], list[ContractEntry]]:
    """Pairs by a key, in order; entries whose key is `None` stay alone."""
    if not (old and new):
        return [], old, new
    waiting = group_by(reversed(new), lambda entry: key_of_new(entry, old[0]))
    pairs: list[EntryPair] = []
    old_only: list[ContractEntry] = []
    for entry in old:
        key = key_of_old(entry, new[0])
        if key is not None and waiting.get(key):
            pairs.append((entry, waiting[key].pop()))
        else:
            old_only.append(entry)
    in_pairs = {id(entry) for _, entry in pairs}
    new_only = [entry for entry in new if id(entry) not in in_pairs]
    return pairs, old_only, new_only
