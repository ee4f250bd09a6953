"""What one stated fact says about danger: the one table, and the one order of danger that follows from it.

`_SAYS` lists the values of a field from the safest to the most dangerous, each with the levels of the facets that it
speaks about. Everything else that compares values of a field (`rank`, `is_unsafe`, `worse`) reads this table.
`docs/internals/safety.md` says the order in words.
"""

from __future__ import annotations

from typing import Any

from toolglot.converter.hub.facets import FACETS
from toolglot.converter.hub.fields import FIELDS, TEXTS

SAFE, UNKNOWN, UNSAFE = 0, 1, 2

Levels = dict[str, int]

UNKNOWN_LEVELS: Levels = {name: facet.unknown for name, facet in FACETS.items()}


def _unsafe(*facets: str, **levels: int) -> Levels:
    return {**dict.fromkeys(facets, UNSAFE), **levels}


def _safe(*facets: str, **levels: int) -> Levels:
    return {**dict.fromkeys(facets, SAFE), **levels}


_CHANGES_NOTHING = _safe("changes", "destructive", "writes_files", "deletes", "deletes_files")
_SOMETIMES: Levels = {"approval": 2}

# field -> value, from safe to dangerous -> levels. Lists are looked up by whether they hold anything.
_SAYS: dict[str, dict[Any, Levels]] = {
    "destructive": {False: _safe("destructive"), True: _unsafe("destructive", "changes")},
    "reversible": {True: _safe("irreversible"), False: _unsafe("irreversible", "changes")},
    "idempotent": {True: _safe("unrepeatable"), False: _unsafe("unrepeatable")},
    "billable": {False: _safe("billable"), True: _unsafe("billable", cost=3)},
    "network": {False: _safe("network"), True: _unsafe("network")},
    "hosts": {False: {}, True: _unsafe("network")},  # drivers may add to an empty list (AIP-14, requires)
    "egress": {
        "none": _safe("network", egress=0),
        "safe-fetch": _unsafe("network", egress=1),
        "host-mediated": _unsafe("network", egress=2),
        "host-owned": _unsafe("network", egress=3),
    },
    "writes_files": {False: _safe("writes_files"), True: _unsafe("writes_files", "changes")},
    "deletes_files": {False: _safe("deletes_files"), True: _unsafe("deletes_files", "deletes", "changes")},
    "subprocess": {False: _safe("executes"), True: _unsafe("executes", "changes")},
    "creates": {False: {}, True: _unsafe("changes")},
    "modifies": {False: {}, True: _unsafe("changes")},
    "deletes": {False: {}, True: _unsafe("deletes", "changes")},
    "mutates": {False: _CHANGES_NOTHING, True: _unsafe("changes")},
    "stdin": {
        "none": {},
        "optional": {},
        "required": _unsafe("interactive"),
        "password": _unsafe("interactive", "credentials"),
    },
    "prompts": {False: {}, True: _unsafe("interactive")},
    "tty": {False: {}, True: _unsafe("interactive")},
    "safety_tier": {
        "pure": _CHANGES_NOTHING,
        "read": _CHANGES_NOTHING,
        "write": _unsafe("changes"),
        "exec": _unsafe("executes", "changes", "destructive", "irreversible", "unrepeatable"),
    },
    "risk_level": {
        0: {"risk": 0},
        1: _unsafe("changes", risk=1),
        2: _unsafe("changes", risk=2),
        3: _unsafe("changes", "destructive", "irreversible", risk=3),
    },
    "approval": {
        "never": {"approval": 0},
        "auto": {"approval": 0},
        "conditional": _SOMETIMES,
        "on-mutate": _SOMETIMES,
        "always": {"approval": 3},
    },
    "auth_required": {False: _safe("credentials"), True: _unsafe("credentials")},
    "auth_methods": {False: {}, True: _unsafe("credentials")},
    "secrets": {False: {}, True: _unsafe("credentials")},
    "cost_estimate": {"free": {"cost": 0}, "low": {"cost": 1}, "medium": {"cost": 3}, "high": {"cost": 4}},
    "cost_hint": {"low": {"cost": 1}, "medium": {"cost": 3}, "high": {"cost": 4}},
    "cost_class": {
        "trivial": _safe("billable", cost=0),
        "metered": _unsafe("billable", cost=3),
        "expensive": _unsafe("billable", cost=4),
    },
}
POLICY = "policy:"  # the rest is the name of a rule that the host knows (AIP-14, approval)

# What a `mutates` entry (class:scope) adds, by its class. Classes: AIP-14, field `mutates`, and those in use.
_REMOVED = "removed"  # and where its scope is a verb that removes, as in `fs:delete`; no class is called so
CHANGES: dict[str, Levels] = {
    "workspace": _unsafe("writes_files"),
    "fs": _unsafe("writes_files"),
    "network": _unsafe("network"),
    "sandbox": _unsafe("executes"),
    "process": _unsafe("executes"),
    _REMOVED: _unsafe("deletes"),
    f"workspace:{_REMOVED}": _unsafe("deletes_files"),
    f"fs:{_REMOVED}": _unsafe("deletes_files"),
}
_REMOVING = frozenset({"delete", "destroy", "drop", "erase", "purge", "remove", "truncate", "wipe"})
VERBS = _REMOVING | {"create", "modify", "read", "update", "write"}  # scopes that are no place

FIELDS_OF_DANGER = frozenset(_SAYS)


def levels_of(field: str, value: Any) -> Levels:
    """The levels that the value of one field states; empty where it says nothing about danger.

    An unknown word may mean anything, so it counts as the most dangerous word of the field.

    >>> levels_of("network", False), levels_of("stdin", "none"), levels_of("egress", "anywhere")
    ({'network': 0}, {}, {'network': 2, 'egress': 3})
    """
    values = _SAYS.get(field)
    if value is None:
        return {}
    if values is None:
        levels: Levels = {}
        for name in value if field == "unclear" else ():
            raise_levels(levels, _levels_of_unclear(name))
        return levels
    key = bool(value) if isinstance(value, tuple) else value
    if key in values:
        return values[key]
    if field == "approval" and isinstance(key, str) and key.startswith(POLICY):
        return _SOMETIMES
    return _most_dangerous(values)


def kinds_of_change(entry: str) -> set[str]:
    """The kinds of change that an entry of `mutates` names, by the table `CHANGES`.

    >>> sorted(kinds_of_change("fs:delete")), kinds_of_change("database:orders:drop"), kinds_of_change("storage:a")
    (['fs', 'fs:removed', 'removed'], {'removed'}, set())
    """
    kind, *scopes = entry.split(":")
    kinds = {kind}
    if not _REMOVING.isdisjoint(scopes):
        kinds |= {_REMOVED, f"{kind}:{_REMOVED}"}
    return kinds & CHANGES.keys()


def raise_levels(levels: Levels, more: Levels) -> None:
    """Merge `more` into `levels`; of two levels of one facet the more cautious is kept."""
    for facet, level in more.items():
        levels[facet] = max(level, levels.get(facet, SAFE))


def _most_dangerous(values: dict[Any, Levels]) -> Levels:
    return values[next(reversed(values))]


def worst_value(field: str) -> Any:
    """The value of a field that asks for the most caution; for a list, one with an unknown entry.

    >>> worst_value("stdin"), worst_value("reversible"), worst_value("deletes")
    ('password', False, ('unknown',))
    """
    return ("unknown",) if FIELDS[field].kind == TEXTS else next(reversed(_SAYS[field]))


def _levels_of_unclear(field: str) -> Levels:
    """The levels of a field whose value nobody can read: those of its most dangerous value.

    A facet that only its safe values are about is unknown at least.

    >>> _levels_of_unclear("mutates")["changes"], _levels_of_unclear("mutates")["destructive"]
    (2, 1)
    """
    values = _SAYS.get(field, {})
    unknown_levels = {facet: UNKNOWN_LEVELS[facet] for levels in values.values() for facet in levels}
    return {**unknown_levels, **_most_dangerous(values)} if values else {}


def facets_of(field: str) -> frozenset[str]:
    """The facets that a field of the hub can speak about; empty for fields that are not about safety.

    >>> sorted(facets_of("hosts"))
    ['egress', 'network']
    """
    return _FACETS_OF.get(field, frozenset())


_FACETS_OF: dict[str, frozenset[str]] = {
    **{name: frozenset().union(*values.values()) for name, values in _SAYS.items()},
    **dict.fromkeys(("network", "hosts"), frozenset({"network", "egress"})),
    **dict.fromkeys(("flags", "unclear"), frozenset(FACETS)),
    "replay": frozenset({"unrepeatable"}),
}


def rank(field: str, value: Any) -> int:
    """The rank of a value among the values of its field, 0 for the safest; unknown words rank last.

    >>> rank("stdin", "optional"), rank("stdin", "password"), rank("stdin", "keyboard")
    (1, 3, 4)
    """
    key = bool(value) if isinstance(value, tuple) else value
    for index, word in enumerate(_SAYS[field]):
        if type(word) is type(key) and word == key:  # True and 1 are not the same
            return index
    return len(_SAYS[field])


def known_values(field: str) -> tuple[Any, ...]:
    """The values that a field can have, the safest first; empty for a list, which may hold anything.

    >>> known_values("risk_level"), known_values("mutates")
    ((0, 1, 2, 3), ())
    """
    return () if FIELDS[field].kind == TEXTS else tuple(_SAYS[field])


def is_known(field: str, value: Any) -> bool:
    """Whether a value is one that the field can have.

    >>> is_known("prompts", True), is_known("prompts", 1), is_known("stdin", "keyboard")
    (True, False, False)
    """
    return rank(field, value) < len(_SAYS[field])


def is_unsafe(field: str, value: Any) -> bool:
    """Whether a value asks for more caution than silence does, on any facet.

    >>> is_unsafe("network", True), is_unsafe("network", False)
    (True, False)
    >>> is_unsafe("approval", "on-mutate"), is_unsafe("approval", "never")
    (True, False)
    """
    return any(level > UNKNOWN_LEVELS[facet] for facet, level in levels_of(field, value).items())


def worse(field: str, one: Any, other: Any) -> Any:
    """The more dangerous of two values of one field; for lists, all entries of both.

    >>> worse("stdin", "password", "none"), worse("creates", ("a",), ("b",)), worse("network", None, True)
    ('password', ('a', 'b'), True)
    >>> worse("approval", "auto", "policy:a"), worse("approval", "on-mutate", "policy:a")
    ('policy:a', 'always')
    """
    if one is None or other is None:
        return other if one is None else one
    if isinstance(one, tuple):
        return tuple(dict.fromkeys((*one, *other)))
    if field == "approval":  # as strict as both, which may be as strict as neither
        if is_as_strict(one, other):
            return one
        return other if is_as_strict(other, one) else "always"
    return max(one, other, key=lambda value: rank(field, value))


def is_as_strict(one: str, other: str) -> bool:
    """Whether an approval asks at least as often as another one does.

    What counts is the meaning: `on-mutate` asks less often than `always`, although AIP-39 lists them in another order.

    >>> is_as_strict("always", "on-mutate"), is_as_strict("always", "policy:a"), is_as_strict("policy:a", "auto")
    (True, False, True)
    """
    if one == other or not is_unsafe("approval", other):
        return True
    if is_known("approval", one) and is_known("approval", other):
        return rank("approval", one) >= rank("approval", other)
    return False  # what a policy asks for is for the policy to say
