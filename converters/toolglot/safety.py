"""What a description says about danger, how much caution that asks for, and how a target says it.

Every rule about safety stands here and nowhere else, as three tables:

* `_SAYS` reads: what a stated field says about each *facet* (destructive, network, approval, ...).
* `_DERIVE` writes: the value of a field that the target has and the source does not state.
* `FLAGS` and `NOTES` are the words for facets for which the target has no field.

A facet has a *level*; more is more cautious, and unknown lies between safe and unsafe, never at safe. The order
is `specs.md` 6.3; the rules are the crosswalk of 6.0 and 6.1; the flags are the ATIP RFC, section 8.1.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, NamedTuple

import msgspec

from toolglot.model import Tool, longest_ms

SAFE, UNKNOWN, UNSAFE = 0, 1, 2

Levels = dict[str, int]
Stated = Mapping[str, Any]

# Facets that a tool has or has not. "changes" is a change of any state, inside or outside the machine.
_YES_NO = (
    "destructive", "irreversible", "unrepeatable", "billable", "network", "changes",
    "writes_files", "deletes_files", "executes", "credentials", "interactive",
)  # fmt: skip

# approval: never 0, unknown 1, sometimes 2, always 3. risk: as risk_level, unknown is 2.
# cost: free 0, low 1, unknown 2, medium 3, high 4. egress: none 0 to host-owned 3, which unknown equals.
_UNKNOWN: Levels = {**dict.fromkeys(_YES_NO, UNKNOWN), "approval": 1, "risk": 2, "cost": 2, "egress": 3}
FACETS = tuple(_UNKNOWN)


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

SAFETY_FIELDS = frozenset((*_SAYS, "replay", "flags", "reads_files", "implements"))
_FIELDS = tuple(sorted(SAFETY_FIELDS))


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
_WORDS = {**FLAGS, **NOTES}


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
        for name in _FIELDS
        if (fields is None or name in fields) and (value := getattr(tool, name)) is not None
    }


def caution(tool: Tool, fields: Collection[str] | None = None) -> Levels:
    """The level of every facet, from what the tool states in `fields` (default: in all).

    Where several statements speak of one facet the most cautious holds.

    >>> levels = caution(Tool(id="rm", destructive=True))
    >>> levels["destructive"], levels["network"], levels["risk"]
    (2, 1, 3)
    """
    return _levels(stated(tool, fields))


def _levels(says: Stated) -> Levels:
    levels: Levels = {}
    for name, value in says.items():
        if name == "flags":
            for flag in value:
                _raise(levels, _WORDS[flag].levels if flag in _WORDS else {})
        else:
            _raise(levels, levels_of(name, value))
    for entry in says.get("mutates") or ():
        _raise(levels, _MUTATES_CLASS.get(entry.partition(":")[0], {}))
    _raise_together(levels, says)
    if says.get("implements"):  # an action that nobody has looked up may change anything (specs 5.4)
        _raise(levels, {facet: _UNKNOWN[facet] for facet in ("changes", "destructive", "approval", "risk", "network")})
    return {**_UNKNOWN, **levels}


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
    if any(levels.get(facet) == UNSAFE for facet in ("destructive", "irreversible", "executes")):
        levels["risk"] = 3
    elif "risk" not in levels:
        levels["risk"] = _risk(levels)


def _denies_every_effect(says: Stated) -> bool:
    """Read-only as a command-line program can prove it (specs 6.0, RO).

    Stricter than there: `destructive` has to be denied too, because silence about it, or a value such as "yes" that
    nobody understands, would otherwise be written as a promise.
    """
    denied = ("network", "writes_files", "deletes_files", "destructive")
    return (
        all(says.get(name) is False for name in denied)
        and not any(says.get(name) for name in ("subprocess", "billable"))
        and says.get("reversible") is not False
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
    return [facet for facet in FACETS if after[facet] < before[facet]]


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


# ---------------------------------------------------------------------------------------------------------
# Writing: the fields of the target that the source does not state


def _fact(facet: str, when_unsafe: Any = True, when_safe: Any = False) -> Callable[[Stated, Levels, Tool], Any]:
    return lambda says, levels, tool: {UNSAFE: when_unsafe, SAFE: when_safe}.get(levels[facet])


def _mutates(says: Stated, levels: Levels, tool: Tool) -> tuple[str, ...]:
    """Absent means "changes nothing" to an AIP-14 reader, so an unknown is written as a change of anything."""
    if levels["changes"] == SAFE:
        return ()
    files = levels["writes_files"] == UNSAFE or levels["deletes_files"] == UNSAFE
    entries = [f"workspace:{_scope(path)}" for path in tool.paths or ("*",)] if files else []
    kind = "workspace" if files and levels["network"] == SAFE else "external"
    resources = (*(tool.creates or ()), *(tool.modifies or ()), *(tool.deletes or ()))
    entries += [resource if _is_scope(resource) else f"{kind}:{_scope(resource)}" for resource in resources]
    if levels["executes"] == UNSAFE:
        entries += ["external:*", "workspace:*"]
    if not entries:
        entries = ["external:*"]
    return tuple(dict.fromkeys(entries))


def _scope(text: str) -> str:
    return "".join(f"%{ord(char):02X}" if char.isspace() else char for char in text) or "*"


def _is_scope(text: str) -> bool:
    kind, colon, scope = text.partition(":")
    return bool(colon and scope) and kind.isascii() and kind.isalpha() and kind.islower() and not _has_space(scope)


def _has_space(text: str) -> bool:
    return any(char.isspace() for char in text)


def _modifies(says: Stated, levels: Levels, tool: Tool) -> tuple[str, ...] | None:
    if tool.mutates:
        return tool.mutates
    shown = any(levels[facet] == UNSAFE for facet in ("destructive", "irreversible", "executes"))
    shown = shown or levels["writes_files"] == UNSAFE or levels["deletes_files"] == UNSAFE
    shown = shown or bool(tool.creates or tool.deletes)
    return ("*",) if levels["changes"] == UNSAFE and not shown else None


def _paths(says: Stated, levels: Levels, tool: Tool) -> tuple[str, ...] | None:
    scopes = (entry.partition(":") for entry in tool.mutates or ())
    return tuple(scope for kind, _, scope in scopes if kind in ("workspace", "fs")) or None


def _prompts(says: Stated, levels: Levels, tool: Tool) -> bool | None:
    told = tool.stdin in ("required", "password") or tool.tty
    return True if levels["interactive"] == UNSAFE and not told else None


def _tier(says: Stated, levels: Levels, tool: Tool) -> str:
    if levels["executes"] == UNSAFE:
        return "exec"
    if levels["changes"] != SAFE:
        return "write"
    return "pure" if tool.reads_files is False and levels["network"] == SAFE else "read"


def _cost_class(says: Stated, levels: Levels, tool: Tool) -> str:
    if levels["cost"] == 4:
        return "expensive"
    return "trivial" if levels["billable"] == SAFE and levels["cost"] <= 1 else "metered"


def _secrets(says: Stated, levels: Levels, tool: Tool) -> tuple[str, ...] | None:
    names = [method.env.lower().replace("_", "-").strip("-") for method in tool.auth_methods or () if method.env]
    return tuple(dict.fromkeys(name for name in names if name)) or None


def _replay(says: Stated, levels: Levels, tool: Tool) -> str | None:
    return {SAFE: "idempotent", UNSAFE: "non-deterministic"}.get(levels["unrepeatable"])


def _latency(says: Stated, levels: Levels, tool: Tool) -> str | None:
    longest = longest_ms(tool.duration or "")
    return ("low" if longest <= 2_000 else "medium" if longest <= 30_000 else "high") if longest else None


_DERIVE: dict[str, Callable[[Stated, Levels, Tool], Any]] = {
    "writes_files": _fact("writes_files"),
    "deletes_files": _fact("deletes_files"),
    "paths": _paths,
    "network": _fact("network"),
    "subprocess": _fact("executes", when_safe=None),
    "destructive": _fact("destructive"),
    "reversible": _fact("irreversible", False, True),
    "idempotent": _fact("unrepeatable", False, True),
    "modifies": _modifies,
    "prompts": _prompts,
    "billable": _fact("billable"),
    "cost_estimate": lambda says, levels, tool: {0: "free", 1: "low", 3: "medium", 4: "high"}.get(levels["cost"]),
    "auth_required": _fact("credentials"),
    "mutates": _mutates,
    "hosts": _fact("network", ("*",), ()),
    "secrets": _secrets,
    "risk_level": lambda says, levels, tool: levels["risk"],
    "cost_class": _cost_class,
    "safety_tier": _tier,
    "egress": _fact("network", "host-owned", "none"),
    "replay": _replay,
    "cost_hint": lambda says, levels, tool: {0: "low", 1: "low", 3: "medium", 4: "high"}.get(levels["cost"]),
    "latency_hint": _latency,
    "source": lambda says, levels, tool: "host-extension",
}


class Approval(NamedTuple):
    """The words of a target for how often a person is asked, from never to always.

    `must` says that an absent value would be read as `never`, so that an unknown has to be written.
    """

    never: str
    sometimes: str
    always: str
    on_change: str | None = None
    must: bool = False
    policy: bool = False  # whether policy:<name> is a word of the target


def _approval(tool: Tool, levels: Levels, words: Approval, changing: bool) -> str | None:
    own = tool.approval
    if own is not None and own.startswith("policy:") and words.policy:
        return own
    dangerous = any(levels[facet] == UNSAFE for facet in ("destructive", "irreversible", "executes"))
    level = levels["approval"]
    if own is None and dangerous:
        return words.always
    if level == 0:
        return words.never if not (changing and words.must) else words.on_change or words.always
    if level == 1:  # nobody says
        return (words.on_change if changing else words.sometimes) if words.must else None
    return words.always if own == "always" else _sometimes(words, changing, level)


def _sometimes(words: Approval, changing: bool, level: int) -> str:
    if changing and words.on_change:
        return words.on_change
    return words.always if level == 3 or (words.must and not changing) else words.sometimes


def express(tool: Tool, holds: Collection[str], approval: Approval | None) -> Tool:
    """The tool with every safety fact said in the words of a target.

    Args:
        tool: what the source says.
        holds: the hub fields that the target has a place for.
        approval: the target's words for approval, `None` where it has no such field.

    Returns:
        The tool with derived values for the fields that the target holds and the source leaves open, and with
        `flags` for what no field of the target can say.

    >>> express(Tool(id="rm", destructive=True), holds=(), approval=None).flags
    ('destructive',)
    >>> express(Tool(id="ls"), holds=("risk_level", "mutates"), approval=None).mutates
    ('external:*',)
    """
    says = stated(tool)
    wanted = _levels(says)
    taken: dict[str, Any] = {"flags": None}
    for name, derive in _DERIVE.items():
        own = getattr(tool, name)
        open_or_less = own is None or _says_less(name, own, wanted)
        if name in holds and open_or_less and (value := derive(says, wanted, tool)) is not None:
            taken[name] = value
    if approval is not None:
        changing = bool(taken.get("mutates", tool.mutates)) or "mutates" not in holds
        taken["approval"] = _approval(tool, wanted, approval, changing)
    if taken.get("safety_tier", tool.safety_tier) == "exec" and "source" in holds:
        taken["source"] = "host-extension"  # the only backing that may run commands (openwop RFC 0078)
    said = msgspec.structs.replace(tool, **taken)
    flags = _missing(wanted, caution(said, holds), stated(said, holds))
    kept = ["incomplete"] if "incomplete" in (tool.flags or ()) else []
    if "discovery" not in holds and (tool.discovery or {}).get("partial") is True:
        kept.append("incomplete")
    flags = in_order((*flags, *kept))
    return msgspec.structs.replace(said, flags=flags or None)


def _says_less(name: str, value: Any, wanted: Levels) -> bool:
    """Whether a field of the target would deny what another statement of the source says."""
    return any(level < wanted[facet] for facet, level in levels_of(name, value).items())


def _missing(wanted: Levels, have: Levels, says: Stated) -> tuple[str, ...]:
    """The flags that lift `have` to `wanted`, in the order of the tables; each only where it adds something."""
    flags: list[str] = []
    for name, note in _WORDS.items():
        if any(wanted[facet] == level > have[facet] for facet, level in note.levels.items()) and all(
            level <= wanted[facet] for facet, level in note.levels.items()
        ):
            flags.append(name)
            have = _levels({**says, "flags": tuple(flags)})
    return tuple(flags)


def in_order(flags: Iterable[str]) -> tuple[str, ...]:
    """Flags in the order of the tables, each once; names that are not known stay away.

    >>> in_order(["network", "billable", "billable"])
    ('billable', 'network')
    """
    wanted = frozenset(flags)
    return tuple(name for name in _WORDS if name in wanted)
