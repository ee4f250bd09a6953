"""How much caution a tool asks for, facet by facet, from all that its fields and its texts state.

A facet has a *level*: a higher one is more cautious, and unknown lies between safe and unsafe.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Any

import msgspec
from msgspec.structs import replace

from toolglot.converter.hub.facets import FACETS, facets_with
from toolglot.converter.hub.fields import EVERY_FIELD, FIELDS, fields_with
from toolglot.converter.hub.model import AuthMethod, Tool
from toolglot.converter.safety.danger_in_texts_and_tags import (
    WORDS,
    may_warn,
    sort_warnings,
    warnings_in,
    warnings_of_tags,
)
from toolglot.converter.safety.danger_of_stated_facts import (
    CHANGES,
    FIELDS_OF_DANGER,
    SAFE,
    UNKNOWN,
    UNKNOWN_LEVELS,
    UNSAFE,
    Levels,
    kinds_of_change,
    levels_of,
    raise_levels,
)

StatedFacts = Mapping[str, Any]
Gist = tuple[tuple[str, Any], ...]  # field -> what of its value matters

SAFETY_FIELDS = FIELDS_OF_DANGER.union(fields_with(bears_on_safety=True))

# Texts for people and models, in which warnings may stand. Their warnings count like `flags`.
_TEXT_FIELDS = fields_with(warns=True)
# Texts that a target without a field for them has in its description, after the text of the description itself.
_IN_DESCRIPTION = {"description", "guidance"}.union(name for name in _TEXT_FIELDS if FIELDS[name].label)
_TEXTS = "texts"  # the key of a gist under which their warnings stand
_FIELDS = tuple(sorted(SAFETY_FIELDS))
_all_of = attrgetter(*_FIELDS)


def stated_facts(tool: Tool, fields: Collection[str] = EVERY_FIELD) -> dict[str, Any]:
    """The safety fields that the tool states, all of them or those among `fields`.

    >>> stated_facts(Tool(id="rm", destructive=True, title="Remove"))
    {'destructive': True}
    """
    return {
        name: value for name, value in zip(_FIELDS, _all_of(tool), strict=True) if value is not None and name in fields
    }


def caution(tool: Tool, fields: Collection[str] = EVERY_FIELD) -> Levels:
    """The level of every facet, from what the tool states in `fields` (default: in all).

    Of several statements about one facet the most cautious counts.

    >>> levels = caution(Tool(id="rm", destructive=True))
    >>> levels["destructive"], levels["network"], levels["risk"]
    (2, 1, 3)
    >>> caution(Tool(id="rm", title="Remove [⚠️ DESTRUCTIVE]"))["destructive"]
    2
    """
    return levels_from_gist(gist_of(tool, fields))


def own_levels(tool: Tool) -> Levels:
    """The levels of the facets about which a field of the tool says something by itself; others are absent.

    >>> own_levels(Tool(id="ls", network=False))
    {'network': 0}
    """
    return _levels_of_statements(dict(gist_of(tool)))


def text_warnings(tool: Tool, fields: Collection[str] = EVERY_FIELD, with_labels: bool = True) -> tuple[str, ...]:
    """The warnings in the texts, the tags and the category of a tool.

    Args:
        fields: look only into what a target with these fields shows; default: into all.
        with_labels: whether labels in the texts count, which are about one tool and not about all below a group.
    """
    words = _words_of(tool)
    try:
        if words in _QUIET:  # as nearly all are, and a conversion asks five times
            return ()
    except TypeError:  # the texts of several languages are no key
        pass
    names: list[str] = []
    texts: list[str] = []
    for name, value in zip(_WORDS, words, strict=True):
        if value and (name in fields or name in _IN_DESCRIPTION):
            if name in _TAGS:
                names += warnings_of_tags(_texts_in(value))
            else:
                texts += _texts_in(value)
    if may_warn("\n".join(texts)):  # one look at all, because few tools have any: 3 % of an ATDF record
        names += [name for text in texts for name in warnings_in(text, with_labels)]
    elif fields is EVERY_FIELD and not names and tool.localizations is None and sum(map(len, texts)) <= _MOST_LETTERS:
        if len(_QUIET) == _MOST_KNOWN:
            _QUIET.clear()
        _QUIET.add(words)
    return sort_warnings(names)


_TAGS = ("tags", "category")
_WORDS = (*_TEXT_FIELDS, *_TAGS)
_words_of = attrgetter(*_WORDS)
# The words of tools that warn of nothing. Without it a record takes 13 % more instructions, and 9 % more in a stream in
# which no text comes twice.
_QUIET: set[tuple[Any, ...]] = set()
_MOST_LETTERS = 4_000  # of the words of one tool; longer ones would fill the memory


def _texts_in(value: Any) -> Sequence[str]:
    """A text, a list of texts, or the texts of each language."""
    if isinstance(value, str):
        return (value,)
    if isinstance(value, tuple):
        return value
    texts: list[str] = []
    for entry in value.values():
        texts += [text for text in entry.values() if isinstance(text, str)]
    return texts


def gist_of(tool: Tool, fields: Collection[str] = EVERY_FIELD) -> Gist:
    """Everything that the levels of a tool depend on, as a hashable key of bounded size.

    >>> gist_of(Tool(id="rm", destructive=True, hosts=("a", "b")))
    (('destructive', True), ('hosts', True))
    """
    names, values_of, gists = _gist_fields(frozenset(fields))
    values = values_of(tool)
    try:
        gist = gists.get(values)
    except TypeError:  # an object is among them, which is no key
        gist = None
    if gist is None:
        gist = tuple(
            [
                (name, _gist_of_value(name, value))
                for name, value in zip(names, values, strict=True)
                if value is not None
            ]
        )
        if len(gists) < _MOST_KNOWN and all(map(_is_small, values)):
            gists[values] = gist
    texts = text_warnings(tool, fields)
    return (*gist, (_TEXTS, texts)) if texts else gist


_MOST_KNOWN = 1024


@lru_cache(64)  # of sets of fields: one a format, and all
def _gist_fields(fields: frozenset[str]) -> tuple[tuple[str, ...], Callable[[Tool], Any], dict[Any, Gist]]:
    """The safety fields among `fields`, a getter of all their values, and a cache of gists by values.

    Without the cache a program of 160 commands to OpenAI takes 38 % longer, TOOL.md to ATIP 5 %.
    """
    names = tuple(name for name in _FIELDS if name in fields)
    if len(names) > 1:
        return names, attrgetter(*names), {}
    return names, lambda tool: tuple([getattr(tool, name) for name in names]), {}


def _is_small(value: Any) -> bool:
    """Whether a value is small enough to be part of a key that is kept: a few short texts at most."""
    if isinstance(value, str):
        return len(value) < 2 * _LONGER_THAN_ANY_WORD
    if isinstance(value, tuple):
        return len(value) <= 4 and all(map(_is_small, value))
    if isinstance(value, AuthMethod):
        return all(map(_is_small, msgspec.structs.astuple(value)))
    return value is None or isinstance(value, int)


def _gist_of_value(name: str, value: Any) -> Any:
    """The part of a value that the levels depend on, small and hashable; `levels_of` gives the same for it.

    For a list this is whether it is empty; for `mutates` and `flags`, the known entries.
    """
    if name == "inherits":
        return _is_action(value)
    if isinstance(value, tuple):
        if name == "mutates" and value:
            return ("", *sorted(frozenset().union(*map(kinds_of_change, value))))
        if name == "flags":
            return tuple(dict.fromkeys(flag for flag in value if flag in WORDS))
        if name == "unclear":
            return tuple(sorted(_MAY_BE_UNCLEAR & {*value}))
        return bool(value)
    if isinstance(value, str) and name != "implements":
        return value[:_LONGER_THAN_ANY_WORD]
    return value if name == "risk_level" else bool(value)


_LONGER_THAN_ANY_WORD = 40
_MAY_BE_UNCLEAR = FIELDS_OF_DANGER | {"flags"}  # an effect that nobody knows is a warning that nobody can read


# Without the cache a program of 160 commands to OpenAI takes 15 % longer, TOOL.md to ATIP 2 %.
@lru_cache(1024)
def levels_from_gist(gist: Gist) -> Levels:
    """The result of `caution` for a gist. It is shared, so nobody may change it."""
    facts = dict(gist)
    levels = _levels_of_statements(facts)
    _raise_by_combinations(levels, facts)
    if facts.get("implements") and not facts.get("inherits"):
        raise_levels(levels, _OF_ANY_ACTION)
    return {**UNKNOWN_LEVELS, **levels}


# What an action that was not found may say (specs 5.4): the worst of its fields that say what it does, and nothing that
# can be relied on about the rest.
_NOT_OF_ACTIONS = frozenset({"unrepeatable", "billable", "cost", "interactive", "egress"})
_OF_ANY_ACTION: Levels = {
    **{name: level for name, level in UNKNOWN_LEVELS.items() if name not in _NOT_OF_ACTIONS},
    **levels_of("mutates", ("*",)),
    **levels_of("risk_level", 3),
    **levels_of("approval", "always"),
}


def _levels_of_statements(facts: StatedFacts) -> Levels:
    """The levels of the statements taken one by one; of several about one facet the most cautious counts."""
    levels: Levels = {}
    denials: list[Levels] = []
    for name, value in facts.items():
        if name in ("flags", _TEXTS):
            for flag in value:
                raise_levels(levels, WORDS[flag].levels)
        else:
            statement = levels_of(name, value)
            if statement.get("changes") == SAFE:
                denials.append(statement)
            else:
                raise_levels(levels, statement)
    for kind in facts.get("mutates") or ():
        raise_levels(levels, CHANGES.get(kind, {}))
    if levels.get("changes") != UNSAFE:  # who says that nothing changes and is wrong about it proves nothing else by it
        for statement in denials:
            raise_levels(levels, statement)
    return levels


def is_action_known(tool: Tool) -> bool:
    """Whether a tool implements nothing, or an action that was found.

    >>> is_action_known(Tool(id="a")), is_action_known(Tool(id="a", implements="data:wipe"))
    (True, False)
    >>> is_action_known(Tool(id="a", implements="data:wipe", inherits=Tool(id="data:wipe")))
    True
    """
    return not tool.implements or (tool.inherits is not None and _is_action(tool.inherits))


def _is_action(inherited: Tool) -> bool:
    """Whether a tool inherits the facts of its action, and not only those of its drivers."""
    return inherited.implements is None


def asks_on_change(tool: Tool) -> bool:
    """Whether hosts ask about a tool's changes although it says `auto`, or nothing (AIP-14, approval; specs 5.2).

    >>> asks_on_change(Tool(id="a", mutates=("external:x",))), asks_on_change(Tool(id="a"))
    (True, False)
    """
    return bool(tool.mutates) and tool.approval in (None, "auto")


def _raise_by_combinations(levels: Levels, facts: StatedFacts) -> None:
    """Raise the levels that follow only from several fields together."""
    if "changes" not in levels and _denies_every_effect(facts, levels):
        levels["changes"] = SAFE
        levels.setdefault("deletes", SAFE)
    if (facts.get("stdin"), facts.get("prompts"), facts.get("tty")) == ("none", False, False):
        levels.setdefault("interactive", SAFE)
    changing = facts.get("mutates") or "mutates" in (facts.get("unclear") or ())
    if changing and facts.get("approval") in ("auto", "never", "on-mutate"):
        levels["approval"] = 3  # "auto" beside a change contradicts itself; the strict side holds (specs 5.2)
    if facts.get("replay") == "deterministic" and levels.get("changes") == SAFE:
        levels.setdefault("unrepeatable", SAFE)
    if facts.get("replay") == "non-deterministic" and facts.get("safety_tier") == "write":
        levels["unrepeatable"] = UNSAFE
    if "egress" not in levels and "network" in levels:
        levels["egress"] = 3 if levels["network"] else 0
    elif levels.get("network") == UNSAFE:
        levels["egress"] = max(levels["egress"], 1)
    if UNSAFE in (levels.get("destructive"), levels.get("irreversible"), levels.get("executes")):
        levels["risk"] = 3
    elif "risk" not in levels:
        levels["risk"] = _risk(levels)


def _denies_every_effect(facts: StatedFacts, levels: Levels) -> bool:
    """Whether a tool denies every effect, as a command-line program can (specs 6.0, RO).

    This is stricter than the specification. `destructive` has to be denied too, and no field may be unclear: otherwise
    silence about the rest would be written as a promise. A text that speaks of the network is believed.
    """
    effects = ("network", "writes_files", "deletes_files", "destructive")
    is_denied = all(facts.get(name) is False for name in effects) and not facts.get("unclear")
    return is_denied and levels.get("network") == SAFE and levels.get("billable") != UNSAFE


def is_read_only(tool: Tool) -> bool:
    """Whether the flag READ-ONLY may be written: no network, no change of files, and no other danger.

    Source: the ATIP RFC, section 8.1, made stricter; see `docs/internals/safety.md`, The order of danger.

    >>> is_read_only(Tool(id="ls", network=False, writes_files=False))
    True
    >>> is_read_only(Tool(id="rm", network=False, writes_files=False, deletes_files=True))
    False
    """
    levels = caution(tool)
    only_reads = levels["network"] == SAFE and levels["writes_files"] == SAFE and not tool.unclear
    return only_reads and not denies_reading(levels)


def denies_reading(levels: Levels) -> bool:
    """Whether an effect is stated that a tool that only reads cannot have."""
    return any(levels[facet] == UNSAFE for facet in (*_CHANGES, "billable"))


_CHANGES = facets_with(is_change=True)


def states_nothing(tool: Tool) -> bool:
    """Whether nobody states what a tool changes, nor that it changes nothing. People have to be told so.

    Names and unproven claims state nothing, and to use the network is no change.

    >>> states_nothing(Tool(id="delete_all", network=True)), states_nothing(Tool(id="ls", destructive=False))
    (True, False)
    """
    levels = caution(tool)
    return all(levels[facet] == UNKNOWN for facet in (*_CHANGES, "unrepeatable"))


def _risk(levels: Levels) -> int:
    changes = levels.get("changes", UNKNOWN)
    if changes == UNKNOWN:
        return 2
    if changes == SAFE:
        return 0
    local = levels.get("network") == SAFE and levels.get("destructive") == SAFE and levels.get("deletes") != UNSAFE
    return 1 if local else 2


def weaker_facets(before: Levels, after: Levels) -> list[str]:
    """The facets on which `after` asks for less caution than `before`.

    >>> weaker_facets(caution(Tool(id="rm", destructive=True)), caution(Tool(id="rm")))
    ['destructive', 'changes', 'risk']
    """
    if before != after:
        return [facet for facet, level in before.items() if after[facet] < level]
    return []


def breached_facets(before: Levels, after: Levels) -> list[str]:
    """The facets on which law 3 is broken: less caution than before, by a statement or by a silence that no target
    may keep.

    >>> gone = caution(Tool(id="a"))
    >>> breached_facets(caution(Tool(id="a", destructive=True)), gone)
    ['destructive']
    >>> breached_facets(caution(Tool(id="a", network=True)), gone)
    []
    >>> breached_facets(caution(Tool(id="a", network=True)), caution(Tool(id="a", network=False)))
    ['network', 'egress']
    """
    return [
        facet
        for facet in weaker_facets(before, after)
        if FACETS[facet].always_said or after[facet] != UNKNOWN_LEVELS[facet]
    ]


def denied_dangers(tool: Tool, field: str, value: Any) -> list[str]:
    """The facets on which a tool states a danger that another value of a field would take back.

    >>> denied_dangers(Tool(id="rm", destructive=True), "destructive", False)
    ['destructive', 'changes', 'risk']
    >>> denied_dangers(Tool(id="rm", title="Remove [DESTRUCTIVE]"), "safety_tier", "read")
    ['destructive', 'changes']
    >>> denied_dangers(Tool(id="ls", network=True), "safety_tier", "read")
    []
    """
    before = caution(tool)
    after = {**caution(replace(tool, **{field: value})), **levels_of(field, value)}
    return hidden_facets(before, after)


def hidden_facets(shown_levels: Levels, known_levels: Levels) -> list[str]:
    """The facets on which `shown_levels` states a danger that `known_levels` does not; silence is no statement."""
    return [facet for facet in weaker_facets(shown_levels, known_levels) if shown_levels[facet] > UNKNOWN_LEVELS[facet]]
