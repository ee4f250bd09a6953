"""How a target states safety: by values for the fields that it has, and by words for the facets without a field.

`_DERIVE` is the table: the value of a field that the target holds and the source does not state.
`docs/reference/fields.md` shows what follows from it, and `docs/internals/safety.md` says why.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from functools import lru_cache
from typing import Any

import msgspec
from msgspec.structs import replace

from toolglot.converter.hub.durations import longest_ms
from toolglot.converter.hub.facets import facets_with
from toolglot.converter.hub.fields import fields_with
from toolglot.converter.hub.model import Tool
from toolglot.converter.safety.constants import CONSTANTS
from toolglot.converter.safety.danger_in_texts_and_tags import SHORT, WORDS, sort_warnings
from toolglot.converter.safety.danger_of_stated_facts import (
    POLICY,
    SAFE,
    UNKNOWN,
    UNKNOWN_LEVELS,
    UNSAFE,
    VERBS,
    Levels,
    levels_of,
)
from toolglot.converter.safety.stated_caution import (
    Gist,
    gist_of,
    is_action_known,
    levels_from_gist,
    weaker_facets,
)
from toolglot.regexes import compile_later

_BLANK = compile_later(r"\s")
_SCOPE = compile_later(r"[a-z]+:\S+")
_ANYTHING = "*"  # among names of resources
_ALWAYS = 3  # of approval
_INSIDE, _INSIDE_AS_PATH = "workspace:/", "workspace:./"  # as a path, `/` alone is the root of the disk


def _fact(facet: str, when_unsafe: Any = True, when_safe: Any = False) -> Callable[[Levels, Tool], Any]:
    return lambda levels, tool: {UNSAFE: when_unsafe, SAFE: when_safe}.get(levels[facet])


def _mutates(levels: Levels, tool: Tool) -> tuple[str, ...] | None:
    if levels["changes"] == SAFE:
        return ()
    writes_files = levels["writes_files"] == UNSAFE
    paths = (tool.paths or ("*",)) if writes_files else ()
    entries = [f"workspace:{as_scope(path)}".replace(_INSIDE_AS_PATH, _INSIDE) for path in paths]
    kind = "workspace" if writes_files and levels["network"] == SAFE else "external"
    for resource in (*(tool.creates or ()), *(tool.modifies or ()), *(tool.deletes or ())):
        if resource != _ANYTHING:
            entries.append(resource if _SCOPE.fullmatch(resource) else f"{kind}:{as_scope(resource)}")
    return tuple(dict.fromkeys(entries)) or None


def as_scope(text: str) -> str:
    """A text as the scope of an entry of `mutates`: without blanks.

    >>> as_scope("my notes"), as_scope("")
    ('my%20notes', '*')
    """
    return _BLANK.sub(lambda blank: f"%{ord(blank[0]):02X}", text) or "*"


def _modifies(levels: Levels, tool: Tool) -> tuple[str, ...] | None:
    if tool.mutates:
        return tool.mutates
    is_stated = bool(tool.creates) or any(levels[facet] == UNSAFE for facet in _PLAIN_CHANGES)
    return ("*",) if levels["changes"] == UNSAFE and not is_stated else None


_PLAIN_CHANGES = frozenset(facets_with(is_change=True)) - {"changes"}


def _deletes(levels: Levels, tool: Tool) -> tuple[str, ...] | None:
    """`deletes` with an unknown entry, where something is deleted that is no file and nothing says what."""
    if levels["deletes"] == UNSAFE and levels["deletes_files"] != UNSAFE:
        return ("*",)
    return None


def _paths(levels: Levels, tool: Tool) -> tuple[str, ...] | None:
    scopes = (entry.replace(_INSIDE, _INSIDE_AS_PATH).partition(":") for entry in tool.mutates or ())
    return tuple(scope for kind, _, scope in scopes if kind in ("workspace", "fs") and scope not in VERBS) or None


def _prompts(levels: Levels, tool: Tool) -> bool | None:
    is_stated = tool.stdin in ("required", "password") or tool.tty
    return True if levels["interactive"] == UNSAFE and not is_stated else None


def _tier(levels: Levels, tool: Tool) -> str:
    if levels["executes"] == UNSAFE:
        return "exec"
    if levels["changes"] != SAFE:
        return "write"
    if tool.reads_files is False and levels["network"] == SAFE:
        return "pure"
    return "read"


def _cost_class(levels: Levels, tool: Tool) -> str | None:
    """The cost class; `None` also where nobody says that a call is billed, as every class but `trivial` does."""
    if levels["billable"] == UNSAFE:
        return "expensive" if levels["cost"] == 4 else "metered"
    if levels["billable"] == SAFE and levels["cost"] == 0:
        return "trivial"
    return None


def _secrets(levels: Levels, tool: Tool) -> tuple[str, ...] | None:
    names = [method.env.lower().replace("_", "-").strip("-") for method in tool.auth_methods or () if method.env]
    return tuple(dict.fromkeys(name for name in names if name)) or None


def _latency(levels: Levels, tool: Tool) -> str | None:
    longest = longest_ms(tool.duration or "")
    if longest == 0:
        return None
    if longest <= 2_000:
        return "low"
    return "medium" if longest <= 30_000 else "high"


_DERIVE: dict[str, Callable[[Levels, Tool], Any]] = {
    "writes_files": _fact("writes_files"),
    "deletes_files": _fact("deletes_files"),
    "paths": _paths,
    "network": _fact("network"),
    "subprocess": _fact("executes", when_safe=None),
    "destructive": _fact("destructive"),
    "reversible": _fact("irreversible", False, True),
    "idempotent": _fact("unrepeatable", False, True),
    "modifies": _modifies,
    "deletes": _deletes,
    "prompts": _prompts,
    "billable": _fact("billable"),
    "cost_estimate": lambda levels, tool: {0: "free", 1: "low", 3: "medium", 4: "high"}.get(levels["cost"]),
    "auth_required": _fact("credentials"),
    "mutates": _mutates,
    "hosts": _fact("network", ("*",), ()),
    "secrets": _secrets,
    "risk_level": lambda levels, tool: None if levels["changes"] == UNKNOWN else levels["risk"],
    "cost_class": _cost_class,
    "safety_tier": _tier,
    "egress": _fact("network", "host-owned", "none"),
    "replay": _fact("unrepeatable", "non-deterministic", "idempotent"),
    "cost_hint": lambda levels, tool: {0: "low", 1: "low", 3: "medium", 4: "high"}.get(levels["cost"]),
    "latency_hint": _latency,
}


class Approval(msgspec.Struct, frozen=True):
    """The words of a target for how often a person is asked, from never to always.

    Attributes:
        on_change: the word for asking where the target says that something changes.
        must: whether a value has to be written even where nothing is known, because its absence is read as `never`.
        policy: whether the target has the word policy:<name>.
    """

    never: str
    sometimes: str
    always: str
    on_change: str | None = None
    must: bool = False
    policy: bool = False


def _approval(tool: Tool, levels: Levels, words: Approval, mutates: tuple[str, ...] | None) -> str | None:
    """The word of a target for approval; `None` where nobody says when a person is asked.

    Args:
        mutates: the changes that the target states.
    """
    own, level = tool.approval, levels["approval"]
    if own is not None and own.startswith(POLICY) and words.policy and is_action_known(tool):
        return own
    if level == UNKNOWN_LEVELS["approval"]:
        return None
    is_always_stated = level == _ALWAYS and own in (None, "always")  # a text says it, or the author
    if mutates and words.on_change and not is_always_stated:
        return words.on_change
    if level == 0:
        return None if words.must and mutates is None else words.never
    if level == _ALWAYS or (words.must and mutates == ()):
        return words.always
    return words.on_change or words.sometimes


class SafetyWords(msgspec.Struct, frozen=True):
    """The words that the fields of a target have for facts about safety.

    Attributes:
        approval: the words for approval; `None` where the target has no such field.
        phrase: takes out of a tool what the words cannot say, and adds what they demand.
        partly: hub fields of which the target can say only some values. No value is derived for these, because the
            target could not say it. What `phrase` leaves in them is not repeated in a text.
    """

    approval: Approval | None = None
    phrase: Callable[[Tool], Tool] = lambda tool: tool
    partly: frozenset[str] = frozenset()


def with_read_only_flag(tool: Tool) -> Tool:
    """The tool with the flag READ-ONLY, for a target that has no field for it.

    >>> with_read_only_flag(Tool(id="ls")).flags
    ('read-only',)
    """
    return replace(tool, flags=sort_warnings(("read-only", *(tool.flags or ()))))


def express_safety(tool: Tool, holds: Collection[str], words: SafetyWords, short: bool = False) -> Tool:
    """The tool with every safety fact stated as a target can state it.

    Args:
        tool: the tool as its source describes it.
        holds: the hub fields that have a place in the target.
        words: the words of the target.
        short: put into texts only what every target has to say (`always_said`, and the flags of the RFC).

    Returns:
        The tool with values for the fields of the target that the source leaves open, and with `flags` for facts
        that no field of the target can state.

    >>> express_safety(Tool(id="rm", destructive=True), (), SafetyWords()).flags
    ('destructive',)
    >>> cautious = express_safety(Tool(id="ls"), ("risk_level", "mutates", "assumed"), SafetyWords())
    >>> cautious.mutates, cautious.risk_level, cautious.assumed
    (('external:*',), 2, ('mutates', 'risk_level'))
    """
    gist = gist_of(tool)
    levels = levels_from_gist(gist)
    fields = _derive_fields(tool, holds, levels)
    if words.approval is not None:
        fields["approval"] = _approval(tool, levels, words.approval, fields.get("mutates", tool.mutates))
    cautious_tool = words.phrase(replace(tool, **fields))
    policy = policy_in_words(tool)
    if policy is not None and ("approval" not in holds or cautious_tool.approval != tool.approval):
        cautious_tool = replace(cautious_tool, conditions=(*(tool.conditions or ()), policy))
    flags = missing_warnings(gist, gist_of(cautious_tool, words.partly.union(holds) - {"flags"}), short)
    is_partial = "discovery" not in holds and (tool.discovery or {}).get("partial") is True
    if not short and (is_partial or "incomplete" in (tool.flags or ())):
        flags = sort_warnings((*flags, "incomplete"))
    return replace(cautious_tool, flags=flags or None, **_suppose(tool, cautious_tool, holds))


def policy_in_words(tool: Tool) -> str | None:
    """The name of the tool's policy in a sentence, for a target that cannot name policies; `None` without a policy.

    The sentence is never read back as an approval: otherwise any text could choose a policy of the host.

    >>> policy_in_words(Tool(id="page", approval="policy:incident"))
    'Approval under the policy incident.'
    """
    if tool.approval is None or not tool.approval.startswith(POLICY):
        return None
    return f"Approval under the policy {tool.approval.removeprefix(POLICY)}."


def _suppose(tool: Tool, cautious_tool: Tool, holds: Collection[str]) -> dict[str, Any]:
    """Cautious constants for the fields that nobody states, for a target that can mark them as made up.

    Values that another document marked as made up are no facts either. Where the action of a tool was not found, the
    constants are written as stated: whoever finds the action would take a marked field for one that the action fills.
    """
    if "assumed" not in holds:
        return {"assumed": None}
    names = [name for name in CONSTANTS if name in holds and getattr(cautious_tool, name) is None]
    constants = {name: CONSTANTS[name](tool) for name in names}
    if not is_action_known(tool):
        names = [name for name in names if name not in _OF_LINKS]
    return {"assumed": tuple(names) or None, **constants}


_OF_LINKS = fields_with(of_links=True)


def _derive_fields(tool: Tool, holds: Collection[str], levels: Levels) -> dict[str, Any]:
    """Values for fields of the target that the source leaves open, or that contradict a danger it states elsewhere."""
    fields: dict[str, Any] = {}
    for name, derive in _DERIVE.items():
        if name not in holds:
            continue
        own = getattr(tool, name)
        # Whether it would deny what another statement of the source says, or leaves open.
        is_contradicted = own is not None and any(
            level < levels[facet] for facet, level in levels_of(name, own).items()
        )
        # Other statements can say more than an empty list and `false` deny; where they hold, they are derived again.
        if own not in (None, (), False) and not is_contradicted:
            continue
        value = derive(levels, tool)
        if value is not None or is_contradicted:
            fields[name] = value
    return fields


@lru_cache(1024)  # without it a program of 160 commands to OpenAI takes 4 % longer
def missing_warnings(before: Gist, after: Gist, short: bool) -> tuple[str, ...]:
    """The flags and notes that make `after` as cautious as `before`, in the order of the tables.

    Args:
        short: use only the notes about dangers that every target says.
    """
    required, actual, facts_after = levels_from_gist(before), levels_from_gist(after), dict(after)
    own_flags = facts_after.get("flags", ())
    names: list[str] = []
    lacking = weaker_facets(required, actual)
    for name, note in WORDS.items():
        if (short and name not in SHORT) or note.levels.keys().isdisjoint(lacking):
            continue
        if note.only_for is not None and note.only_for not in before:
            continue
        adds = any(required[facet] == level > actual[facet] for facet, level in note.levels.items())
        if adds and all(level <= required[facet] for facet, level in note.levels.items()):
            names.append(name)
            actual = levels_from_gist(tuple({**facts_after, "flags": (*own_flags, *names)}.items()))
            lacking = weaker_facets(required, actual)
    return tuple(names)


def warnings_beyond(tool: Tool, others: Iterable[Tool]) -> set[str]:
    """Warnings for the dangers that other tools state and this one does not.

    >>> warnings_beyond(Tool(id="a", network=False), [Tool(id="a", network=True, hosts=("b",), idempotent=True)])
    {'network'}
    """
    gist = gist_of(tool)
    return {name for other in others for name in missing_warnings(gist_of(other), gist, short=False)}
