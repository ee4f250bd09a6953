"""What a description says about danger, and how much caution that asks for.

`_SAYS` is the table: what a stated field says about each facet. `FLAGS` and `NOTES` are the words for facets for
which a target has no field. Sources: `specs.md` 6.3 (the order), 6.0 and 6.1 (the rules), the ATIP RFC, section 8.1
(the flags).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import lru_cache
from operator import attrgetter
from typing import Any, NamedTuple

import msgspec

from toolglot.model import AuthMethod, Tool

SAFE, UNKNOWN, UNSAFE = 0, 1, 2

Levels = dict[str, int]
Stated = Mapping[str, Any]
Gist = tuple[tuple[str, Any], ...]  # field -> what of its value matters

# Facets that a tool has or has not. "changes" is a change of any state, inside or outside the machine.
_YES_NO = (
    "destructive", "irreversible", "unrepeatable", "billable", "network", "changes",
    "writes_files", "deletes_files", "executes", "credentials", "interactive",
)  # fmt: skip

# approval: never 0, unknown 1, sometimes 2, always 3. risk: as risk_level, unknown is 2.
# cost: free 0, low 1, unknown 2, medium 3, high 4. egress: none 0 to host-owned 3, which unknown equals.
_UNKNOWN: Levels = {**dict.fromkeys(_YES_NO, UNKNOWN), "approval": 1, "risk": 2, "cost": 2, "egress": 3}
FACETS = tuple(_UNKNOWN)
_NOT_OF_ACTIONS = frozenset({"unrepeatable", "billable", "cost", "interactive", "egress"})


def _unsafe(*facets: str, **levels: int) -> Levels:
    return {**dict.fromkeys(facets, UNSAFE), **levels}


def _safe(*facets: str, **levels: int) -> Levels:
    return {**dict.fromkeys(facets, SAFE), **levels}


_CHANGES_NOTHING = _safe("changes", "destructive", "writes_files", "deletes_files")

# field -> value -> levels. Lists are looked up by whether they hold anything.
_SAYS: dict[str, dict[Any, Levels]] = {
    "destructive": {True: _unsafe("destructive", "changes"), False: _safe("destructive")},
    "reversible": {False: _unsafe("irreversible", "changes"), True: _safe("irreversible")},
    "idempotent": {False: _unsafe("unrepeatable"), True: _safe("unrepeatable")},
    "billable": {True: _unsafe("billable", cost=3), False: _safe("billable")},
    "network": {True: _unsafe("network"), False: _safe("network")},
    "hosts": {True: _unsafe("network"), False: _safe("network")},
    "egress": {
        "none": _safe("network", egress=0),
        "safe-fetch": _unsafe("network", egress=1),
        "host-mediated": _unsafe("network", egress=2),
        "host-owned": _unsafe("network", egress=3),
    },
    "writes_files": {True: _unsafe("writes_files", "changes"), False: _safe("writes_files")},
    "deletes_files": {True: _unsafe("deletes_files", "changes"), False: _safe("deletes_files")},
    "subprocess": {True: _unsafe("executes", "changes"), False: _safe("executes")},
    "creates": {True: _unsafe("changes")},
    "modifies": {True: _unsafe("changes")},
    "deletes": {True: _unsafe("changes")},
    "mutates": {True: _unsafe("changes"), False: _CHANGES_NOTHING},
    "stdin": {"required": _unsafe("interactive"), "password": _unsafe("interactive", "credentials")},
    "prompts": {True: _unsafe("interactive")},
    "tty": {True: _unsafe("interactive")},
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
    "approval": {"never": {"approval": 0}, "auto": {"approval": 0}, "always": {"approval": 3}},
    "auth_required": {True: _unsafe("credentials"), False: _safe("credentials")},
    "auth_methods": {True: _unsafe("credentials")},
    "secrets": {True: _unsafe("credentials")},
    "cost_estimate": {"free": {"cost": 0}, "low": {"cost": 1}, "medium": {"cost": 3}, "high": {"cost": 4}},
    "cost_hint": {"low": {"cost": 1}, "medium": {"cost": 3}, "high": {"cost": 4}},
    "cost_class": {
        "trivial": _safe("billable", cost=1),
        "metered": _unsafe("billable", cost=3),
        "expensive": _unsafe("billable", cost=4),
    },
}
_APPROVAL_SOMETIMES: Levels = {"approval": 2}  # conditional, on-mutate, policy:<name>, and any word not known

# What the class of a `mutates` entry (class:scope) adds. Classes: AIP-14, field `mutates`, and those in use.
_MUTATES_CLASS: dict[str, Levels] = {
    "workspace": _unsafe("writes_files"),
    "fs": _unsafe("writes_files"),
    "network": _unsafe("network"),
    "external": _unsafe("network"),
    "sandbox": _unsafe("executes"),
    "process": _unsafe("executes"),
}

SAFETY_FIELDS = frozenset((*_SAYS, "replay", "flags", "reads_files", "implements", "inherits"))
_FIELDS = tuple(sorted(SAFETY_FIELDS))
_all_of = attrgetter(*_FIELDS)


# What an action that leads nowhere may say: anything that actions speak of (specs 5.4).
_OF_ANY_ACTION: Levels = {name: level for name, level in _UNKNOWN.items() if name not in _NOT_OF_ACTIONS}


class Note(NamedTuple):
    """What a flag or a note states: levels of facets, and the words for it."""

    levels: Levels
    words: str


# The flags of the ATIP RFC, in its order and with its code points: the warning sign carries U+FE0F.
FLAGS: dict[str, Note] = {
    "destructive": Note(_SAYS["destructive"][True], "⚠️ DESTRUCTIVE"),
    "not-reversible": Note(_SAYS["reversible"][False], "⚠️ NOT REVERSIBLE"),
    "not-idempotent": Note(_SAYS["idempotent"][False], "⚠️ NOT IDEMPOTENT"),
    "billable": Note(_SAYS["billable"][True], "💰 BILLABLE"),
    "read-only": Note({}, "🔒 READ-ONLY"),  # a text can raise caution, never lower it
}

# Danger for which the RFC has no flag; said in a sentence, so that a target without the field still shows it.
NOTES: dict[str, Note] = {
    "runs-programs": Note(_SAYS["subprocess"][True], "runs other programs"),
    "deletes-files": Note(_SAYS["deletes_files"][True], "deletes files"),
    "writes-files": Note(_SAYS["writes_files"][True], "writes files"),
    "changes-data": Note(_SAYS["modifies"][True], "changes data"),
    "network": Note(_SAYS["network"][True], "uses the network"),
    "credentials": Note(_SAYS["auth_required"][True], "needs credentials"),
    "interactive": Note(_SAYS["prompts"][True], "asks for input"),
    "always-asks-approval": Note({"approval": 3}, "asks for approval every time"),
    "may-ask-approval": Note(_APPROVAL_SOMETIMES, "may ask for approval"),
    "risk-3": Note(_SAYS["risk_level"][3], "risk level 3 of 3"),
    "risk-2": Note(_SAYS["risk_level"][2], "risk level 2 of 3"),
    "risk-1": Note(_SAYS["risk_level"][1], "risk level 1 of 3"),
    "incomplete": Note({}, "part of a description that leaves other commands out"),
    "high-cost": Note({"cost": 4}, "high cost"),
    "medium-cost": Note({"cost": 3}, "medium cost"),
}
WORDS = {**FLAGS, **NOTES}


def _raise(levels: Levels, said: Levels) -> None:
    for facet, level in said.items():
        if level > levels.get(facet, -1):
            levels[facet] = level


def stated(tool: Tool, fields: Collection[str] | None = None) -> dict[str, Any]:
    """The safety fields that the tool states, all of them or those among `fields`.

    >>> stated(Tool(id="rm", destructive=True, title="Remove"))
    {'destructive': True}
    """
    return {
        name: value
        for name, value in zip(_FIELDS, _all_of(tool), strict=True)
        if value is not None and (fields is None or name in fields)
    }


def caution(tool: Tool, fields: Collection[str] | None = None) -> Levels:
    """The level of every facet, from what the tool states in `fields` (default: in all).

    Where several statements speak of one facet the most cautious holds.

    >>> levels = caution(Tool(id="rm", destructive=True))
    >>> levels["destructive"], levels["network"], levels["risk"]
    (2, 1, 3)
    """
    return levels_from_gist(gist_of(tool, fields))


def gist_of(tool: Tool, fields: Collection[str] | None = None) -> Gist:
    """What the levels depend on, as a key of bounded size.

    >>> gist_of(Tool(id="rm", destructive=True, hosts=("a", "b")))
    (('destructive', True), ('hosts', True))
    """
    names, values_of, known = _statements(None if fields is None else frozenset(fields))
    values = values_of(tool)
    try:
        found = known.get(values)
    except TypeError:  # an object is among them, which is no key
        found = None
    if found is None:
        found = tuple(
            [(name, _gist(name, value)) for name, value in zip(names, values, strict=True) if value is not None]
        )
        if len(known) < _MOST_KNOWN and all(map(_is_small, values)):
            known[values] = found
    return found


_MOST_KNOWN = 1024


@lru_cache(64)  # of sets of fields: one a format, and all
def _statements(fields: frozenset[str] | None) -> tuple[tuple[str, ...], Callable[[Tool], Any], dict[Any, Gist]]:
    """The fields that count, their values in one call, and the gist of values that were seen."""
    names = tuple(name for name in _FIELDS if fields is None or name in fields)
    values_of = attrgetter(*names) if len(names) > 1 else lambda tool: tuple([getattr(tool, name) for name in names])
    return names, values_of, {}


def _is_small(value: Any) -> bool:
    """Whether a value may be kept as a part of a key: a few short texts at most."""
    if isinstance(value, str):
        return len(value) < 2 * _LONGER_THAN_ANY_WORD
    if isinstance(value, tuple):
        return len(value) <= 4 and all(map(_is_small, value))
    if isinstance(value, AuthMethod):
        return all(map(_is_small, msgspec.structs.astuple(value)))
    return value is None or isinstance(value, int)


def _gist(name: str, value: Any) -> Any:
    """What of a stated value the levels depend on: something small that can be a key, however long the value is.

    It says the same to `levels_of`: of a list only whether it holds anything, of `mutates` and `flags` the known ones.
    """
    if value is True or value is False:
        return value
    if name == "inherits":
        return value.implements is None
    if isinstance(value, tuple):
        if name == "mutates" and value:
            return ("", *sorted(_MUTATES_CLASS.keys() & {entry.partition(":")[0] for entry in value}))
        return tuple(dict.fromkeys(flag for flag in value if flag in WORDS)) if name == "flags" else bool(value)
    if isinstance(value, str) and name != "implements":
        return value[:_LONGER_THAN_ANY_WORD]
    return value if name == "risk_level" else bool(value)


_LONGER_THAN_ANY_WORD = 40


@lru_cache(1024)  # tools say the same few things: with it, half of the time of a caution
def levels_from_gist(gist: Gist) -> Levels:
    """`caution` of what was stated, by its gist. The result is shared; nobody may change it."""
    says = dict(gist)
    levels: Levels = {}
    for name, value in says.items():
        if name == "flags":
            for flag in value:
                _raise(levels, WORDS[flag].levels if flag in WORDS else {})
        elif said := levels_of(name, value):
            _raise(levels, said)
    for entry in says.get("mutates") or ():
        _raise(levels, _MUTATES_CLASS.get(entry.partition(":")[0], {}))
    _raise_together(levels, says)
    if says.get("implements") and not says.get("inherits"):
        _raise(levels, _OF_ANY_ACTION)
    return {**_UNKNOWN, **levels}


def asks_on_change(tool: Tool) -> bool:
    """Whether hosts ask about a tool's changes although it says `auto`, or nothing (AIP-14, approval; specs 5.2).

    >>> asks_on_change(Tool(id="a", mutates=("external:x",))), asks_on_change(Tool(id="a"))
    (True, False)
    """
    return bool(tool.mutates) and tool.approval in (None, "auto")


def _raise_together(levels: Levels, says: Stated) -> None:
    """What only several fields say together."""
    if "changes" not in levels and _denies_every_effect(says):
        levels["changes"] = SAFE
    if (says.get("stdin"), says.get("prompts"), says.get("tty")) == ("none", False, False):
        levels.setdefault("interactive", SAFE)
    if says.get("mutates") and says.get("approval") in ("auto", "never", "on-mutate"):
        levels["approval"] = 3  # "auto" beside a change contradicts itself; the strict side holds (specs 5.2)
    if says.get("replay") == "deterministic" and says.get("safety_tier") in ("pure", "read"):
        levels.setdefault("unrepeatable", SAFE)
    if says.get("replay") == "non-deterministic" and says.get("safety_tier") in ("write", "exec"):
        levels["unrepeatable"] = UNSAFE
    if "egress" not in levels and "network" in levels:
        levels["egress"] = 3 if levels["network"] else 0
    elif levels.get("network") == UNSAFE:
        levels["egress"] = max(levels["egress"], 1)
    if UNSAFE in (levels.get("destructive"), levels.get("irreversible"), levels.get("executes")):
        levels["risk"] = 3
    elif "risk" not in levels:
        levels["risk"] = _risk(levels)


def _denies_every_effect(says: Stated) -> bool:
    """Read-only as a command-line program can prove it (specs 6.0, RO).

    Stricter than there: `destructive` has to be denied too, because silence about it, or a value such as "yes" that
    nobody understands, would otherwise be written as a promise.
    """
    return (
        says.get("network") is False
        and says.get("writes_files") is False
        and says.get("deletes_files") is False
        and says.get("destructive") is False
        and says.get("reversible") is not False
        and not (says.get("subprocess") or says.get("billable"))
    )


def reads_only(tool: Tool) -> bool:
    """Whether the flag READ-ONLY may be said: no network and no change of files, and nothing else that is dangerous.

    The strict reading of `specs.md` 1.7, row 9: the reference says it beside DESTRUCTIVE, too.

    >>> reads_only(Tool(id="ls", network=False, writes_files=False))
    True
    >>> reads_only(Tool(id="rm", network=False, writes_files=False, deletes_files=True))
    False
    """
    levels = caution(tool)
    unsafe = ("destructive", "irreversible", "billable", "changes", "deletes_files", "executes")
    return (
        levels["network"] == SAFE
        and levels["writes_files"] == SAFE
        and not any(levels[facet] == UNSAFE for facet in unsafe)
    )


def _risk(levels: Levels) -> int:
    changes, network = levels.get("changes", UNKNOWN), levels.get("network", UNKNOWN)
    if levels.get("billable") == UNSAFE or changes == UNKNOWN:
        return 2
    if changes == SAFE:
        return 0
    local = network == SAFE and levels.get("destructive") == SAFE and levels.get("deletes_files") != UNSAFE
    return 1 if local else 2


def levels_of(field: str, value: Any) -> Levels:
    """What one field states by itself; empty where it says nothing about danger.

    >>> levels_of("network", False), levels_of("stdin", "none")
    ({'network': 0}, {})
    """
    values = _SAYS.get(field)
    if values is None:
        return {}
    if field == "approval":
        return values.get(value, _APPROVAL_SOMETIMES)
    return values.get(bool(value) if isinstance(value, tuple) else value, {})


def weaker(before: Levels, after: Levels) -> list[str]:
    """The facets on which `after` asks for less caution than `before`.

    >>> weaker(caution(Tool(id="rm", destructive=True)), caution(Tool(id="rm")))
    ['destructive', 'changes', 'risk']
    """
    return [facet for facet in FACETS if after[facet] < before[facet]] if before != after else []


def hidden(shown: Levels, kept: Levels) -> list[str]:
    """The facets on which `shown` states a danger that `kept` does not know; what it leaves open is no statement."""
    return [facet for facet in weaker(shown, kept) if shown[facet] > _UNKNOWN[facet]]


def facets_of(field: str) -> frozenset[str]:
    """The facets that a field of the hub can speak about; empty for fields that are not about safety.

    >>> sorted(facets_of("hosts"))
    ['egress', 'network']
    """
    return _FACETS_OF.get(field, frozenset())


def _facets_by_field() -> dict[str, frozenset[str]]:
    found = {name: frozenset(facet for said in values.values() for facet in said) for name, values in _SAYS.items()}
    for name in ("network", "hosts"):
        found[name] |= {"egress"}
    return {**found, "replay": frozenset({"unrepeatable"}), "flags": frozenset(FACETS)}


_FACETS_OF = _facets_by_field()


def in_order(flags: Iterable[str]) -> tuple[str, ...]:
    """Flags in the order of the tables, each once; names that are not known stay away.

    >>> in_order(["network", "billable", "billable"])
    ('billable', 'network')
    """
    wanted = frozenset(flags)
    return tuple(name for name in WORDS if name in wanted)
