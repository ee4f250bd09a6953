"""What a conversion changed, as values: computed by comparing two hub trees, never kept by hand.

A writer cannot forget to report a loss: what it wrote is read back, and whatever differs from what was read
is an entry here. Prose, JSON, severity and exit code are derived from the entries.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import compress
from operator import is_not
from typing import Any, NamedTuple

import msgspec

from toolglot import retelling, safety
from toolglot.errors import escape
from toolglot.model import Leaf, Tool, to_json

ACTIONS = {
    "dropped": "the target has no place for it",
    "widened": "the target accepts more than the source did",
    "narrowed": "the target says less, or accepts less, than the source did",
    "assumed": "the source does not say; the target must, or is told the cautious value",
    "moved": "no field of the target holds it, but the target still says it",
    "renamed": "the target spells it differently",
    "described": "a keyword of the schema became words in its description",
    "encoded": "it travels in another form, and decoding a call brings it back",
    "excluded": "the target has no way to say the tool; it is left out",
}
_NOTES = {("assumed", "safety_tier"): "a cautious proposal; only the host can confirm it"}
LOSSES = frozenset({"dropped", "widened", "narrowed", "excluded"})
SEVERITY = {"dropped": "warning", "widened": "warning", "narrowed": "warning", "excluded": "error"}


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """One difference between what was read and what the target says.

    `path` is a JSON Pointer into the hub, from the tool whose id is `tool`; `line` and `column` are where the
    source says it, counted from 1. `direction` is `safer`, `neutral` or `riskier`, seen from the user.
    """

    action: str
    path: str
    before: Any = None
    after: Any = None
    direction: str = "neutral"
    severity: str = "info"
    code: str
    note: str
    tool: str = ""
    source: str | None = None
    line: int | None = None
    column: int | None = None

    def to_json(self) -> dict[str, Any]:
        """The entry under the names of `schemas/report`: `before` and `after` are called `from` and `to`."""
        data = to_json(self)
        data["from"], data["to"] = data.pop("before"), data.pop("after")
        return {key: data[key] for key in _JSON_ORDER if data[key] is not None or key in ("from", "to")}


_JSON_ORDER = (
    "action", "path", "from", "to", "direction", "severity", "code", "note", "tool", "source", "line", "column",
)  # fmt: skip


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """Every difference of one conversion, or of several.

    >>> report = Report(origin="a", target="b", tools=1)
    >>> bool(report), report.losses
    (False, ())
    """

    origin: str
    target: str
    tools: int
    changes: tuple[Change, ...] = ()
    lossless: bool = False  # whether the remainder travels in the target's slot

    def __bool__(self) -> bool:
        return bool(self.changes)

    @property
    def losses(self) -> tuple[Change, ...]:
        """The entries that take something away for good: dropped, widened and narrowed, unless it is carried along."""
        return () if self.lossless else tuple(change for change in self.changes if change.action in LOSSES)

    def counts(self) -> Counter[tuple[str, str, str]]:
        """How many changes there are of each severity, action and code."""
        return Counter((change.severity, change.action, change.code) for change in self.changes)

    def to_json(self) -> dict[str, Any]:
        """The report as JSON data, valid under `schemas/report/1.schema.json`."""
        counts = Counter(change.action for change in self.changes)
        return {
            "toolglot-report": 1,
            "from": self.origin,
            "to": self.target,
            "tools": self.tools,
            "lossless": self.lossless,
            "summary": {action: counts[action] for action in ACTIONS if counts[action]},
            "changes": [change.to_json() for change in self.changes],
        }


def merge(reports: Iterable[Report]) -> Report:
    """One report of several; formats that differ are joined by a comma."""
    reports = list(reports)
    return Report(
        origin=", ".join(dict.fromkeys(report.origin for report in reports)),
        target=", ".join(dict.fromkeys(report.target for report in reports)),
        tools=sum(report.tools for report in reports),
        changes=tuple(change for report in reports for change in report.changes),
        lossless=all(report.lossless for report in reports),
    )


_PATH = re.compile(r"((?:/children/[0-9]+)*)/([^/]*)(.*)", re.DOTALL)


def split_path(path: str) -> tuple[str, str, str]:
    """The path of a change as the pointer of its node, the field, and the pointer inside the field's value.

    >>> split_path("/children/0/inputs/properties/children/type")
    ('/children/0', 'inputs', '/properties/children/type')
    """
    found = _PATH.fullmatch(path)
    return (found[1], found[2], found[3]) if found else ("", "", path)


class _Pair(NamedTuple):
    """A leaf before and after, with the caution that each asks for."""

    before: Leaf
    after: Leaf
    was: safety.Levels
    now: safety.Levels
    raised: frozenset[str]
    lowered: frozenset[str]
    own: Tool | None  # the leaf before it inherited anything, if it could


_SCHEMAS = frozenset({"inputs", "outputs", "context", "global_inputs"})
_IGNORED = frozenset({"id", "origin", "children", "own"})  # id: a path; origin: always differs; own: see `inherits`
_NAMES = Tool.__struct_fields__
_INDEXES = range(len(_NAMES))


def diff(before: list[Leaf], after: list[Leaf]) -> tuple[list[Change], list[str]]:
    """Compare callable nodes one by one.

    Returns:
        The changes, and the ids of tools that would look safer than before (law 3), with the facets.

    >>> leaf = lambda **facts: [*Tool(id="rm", **facts).leaves()]
    >>> changes, weaker = diff(leaf(destructive=True, tags=("a",)), leaf(destructive=True))
    >>> [(change.action, change.path) for change in changes], weaker
    ([('dropped', '/tags')], [])
    """
    changes: list[Change] = []
    weaker: list[str] = []
    seen: dict[tuple[str, str], list[Change]] = {}
    told: set[tuple[str, str, int, str]] = set()
    for old, new in zip(before, after, strict=True):
        was, now = safety.caution(old.tool), safety.caution(new.tool)
        raised, lowered = safety.weaker(now, was), safety.breaches(was, now)
        own = _node(old.ancestors[-1], old.pointer) if old.ancestors else None
        pair = _Pair(old, new, was, now, frozenset(raised), frozenset(lowered), own)
        weaker += [f"{old.tool.id or old.path[0]}: {facet}" for facet in lowered]
        if own is None and len(before) == 1:  # one tool by itself: nothing in it is found twice
            return _compare(pair, told), weaker
        # Only what a group says can be found twice, once for each leaf below it.
        alone = len(before) == 1 or (own is not None and not own.children)
        below = f"{old.pointer}/" if alone else None
        changes += [
            change
            for change in _compare(pair, told)
            if (below and change.path.startswith(below)) or _is_new(change, seen)
        ]
    return changes, weaker


def _is_new(change: Change, seen: dict[tuple[str, str], list[Change]]) -> bool:
    """Whether no entry says the same so far; `seen` has all that were asked for, and gets this one."""
    alike = seen.get((change.action, change.path))
    if alike is None:
        seen[change.action, change.path] = [change]
        return True
    if any(change.after is other.after or repr(change.after) == repr(other.after) for other in alike):
        return False
    alike.append(change)
    return True


def weaker(before: Iterable[Leaf], after: Iterable[Leaf]) -> list[str]:
    """The second half of `diff` by itself: who would look safer than before, and on which facet."""
    return [
        f"{old.tool.id or old.path[0]}: {facet}"
        for old, new in zip(before, after, strict=True)
        for facet in safety.breaches(safety.caution(old.tool), safety.caution(new.tool))
    ]


def _compare(pair: _Pair, told: set[tuple[str, str, int, str]]) -> list[Change]:
    """The changes of one leaf.

    Args:
        told: what the leaves before it have lost of what they inherit, and this one need not say again: the pointer of
            the parent, the field, the identity of its value, and the action. Most changes of a program are of these.
    """
    found: list[Change] = []
    parent = pair.before.pointer.rpartition("/children/")[0]
    if (old := " ".join(filter(None, pair.before.path))) != (new := " ".join(filter(None, pair.after.path))):
        found.append(_change(pair, "id", "", old, new, "renamed"))
    before, after = msgspec.structs.astuple(pair.before.tool), msgspec.structs.astuple(pair.after.tool)
    # Most fields are absent on both sides, which is seen without a step of Python or an object for each.
    for index in compress(_INDEXES, map(is_not, before, after)):
        name, was, now = _NAMES[index], before[index], after[index]
        if was == now or name in _IGNORED:
            continue
        if name == "extensions":
            found += _compare_extensions(pair, was or {}, now or {})
        elif name in _SCHEMAS and was is not None and now is not None:
            found += _compare_schemas(pair, name, "", was, now)
        else:
            action = _action(pair, name, was, now)
            if now is None and pair.own is not None and getattr(pair.own, name) is None:
                if (parent, name, id(was), action) in told:
                    continue
                told.add((parent, name, id(was), action))
            found.append(_change(pair, name, "", was, now, action))
            if action == "moved" and name == "inherits" and was.extensions:  # for which the tool has no fact
                found.append(_change(pair, name, "/extensions", was.extensions, None, "dropped"))
    return found


def _action(pair: _Pair, name: str, was: Any, now: Any) -> str:
    told = retelling.action(name, was, now, pair.before.tool, pair.after.tool)
    if told is not None or was is None:
        return told or "assumed"
    facets = safety.facets_of(name)
    if now is None:
        return "moved" if name == "inherits" or (facets and _is_said_elsewhere(pair, name, was)) else "dropped"
    if facets & pair.raised:
        return "narrowed"
    if isinstance(was, tuple) and isinstance(now, tuple):
        return _subset(was, now)
    if isinstance(was, dict) or (isinstance(was, str) and isinstance(now, str) and retelling.says_less(was, now)):
        return "narrowed"
    return "renamed"


def _is_said_elsewhere(pair: _Pair, name: str, value: Any) -> bool:
    """Whether the target says all of a safety field's value in other fields, or in its text."""
    says = safety.levels_of(name, value)
    for facet, level in says.items():
        if not (pair.now[facet] == level or pair.now[facet] > level > 0):
            return False
    return bool(says) and _is_told(value, pair.after.tool)


def _is_told(value: Any, tool: Tool) -> bool:
    """Whether the names in a value (of hosts, secrets, resources, a policy) still stand somewhere in the tool."""
    if not isinstance(value, tuple):
        return not (isinstance(value, str) and ":" in value)
    if not value or not all(isinstance(item, str) for item in value):
        return False
    told = {item for name in _LISTS if isinstance(items := getattr(tool, name), tuple) for item in items}
    told.update(method.env for method in tool.auth_methods or () if method.env)
    return told.issuperset(item for item in value if item != "*")


_LISTS = ("mutates", "modifies", "creates", "deletes", "paths", "hosts", "secrets", "flags")


def _subset(was: tuple[Any, ...], now: tuple[Any, ...]) -> str:
    texts = all(isinstance(item, str) for item in (*was, *now))
    wanted = frozenset(now) if texts else now
    kept = [item for item in was if item in wanted]
    if len(kept) == len(was):
        return "assumed" if len(now) > len(was) else "renamed"
    spelled = len(was) == len(now) and all(isinstance(item, str) for item in was)
    return "renamed" if spelled else "narrowed"


def _compare_extensions(pair: _Pair, was: dict[str, Any], now: dict[str, Any]) -> Iterator[Change]:
    for owner in {**was, **now}:
        old, new = was.get(owner, {}), now.get(owner, {})
        for key in {**old, **new}:
            if old.get(key, _MISSING) != new.get(key, _MISSING):
                action = "assumed" if key not in old else "renamed" if key in new else "dropped"
                place = ("extensions", f"/{escape(owner)}/{escape(key)}")
                if action == "assumed" and key in _NAMES:  # the place of a field, which may not stay empty
                    place = (key, "")
                yield _change(pair, *place, old.get(key), new.get(key), action)


# Keywords that say something to people and accept the same values with or without it.
_ANNOTATIONS = frozenset({"title", "description", "$comment", "examples", "default", "deprecated", "$schema", "$id"})
_MAPS = frozenset({"properties", "$defs", "definitions", "patternProperties", "dependentSchemas"})
_MISSING = object()


def _compare_schemas(
    pair: _Pair, name: str, path: str, was: Any, now: Any, inside_map: bool = False
) -> Iterator[Change]:
    """Compare two JSON Schemas keyword by keyword, because "inputs changed" tells nobody what to look at."""
    if not (isinstance(was, dict) and isinstance(now, dict)):
        yield _change(pair, name, path, was, now, "renamed")
        return
    for key in {**was, **now}:
        old, new = was.get(key, _MISSING), now.get(key, _MISSING)
        if old == new or (key == "required" and not inside_map and _same_items(old, new)):
            continue
        here = f"{path}/{escape(str(key))}"
        if old is _MISSING:
            action = "assumed" if key in _ANNOTATIONS or inside_map else "narrowed"
            yield _change(pair, name, here, None, new, action)
        elif new is _MISSING:
            action = "dropped" if key in _ANNOTATIONS or inside_map else "widened"
            yield _change(pair, name, here, old, None, action)
        elif isinstance(old, dict) and isinstance(new, dict):
            yield from _compare_schemas(pair, name, here, old, new, not inside_map and key in _MAPS)
        else:
            yield _change(pair, name, here, old, new, _keyword_action(key, old, new))


def _keyword_action(key: str, old: Any, new: Any) -> str:
    """Whether a keyword with another value accepts more or less; `widened` where only a person could tell."""
    if key in _ANNOTATIONS:
        return "renamed"
    before, after = _members(old), _members(new)
    if key == "required":
        return "narrowed" if after > before else "widened"
    if isinstance(old, int | float) and isinstance(new, int | float):
        smaller = new < old  # false is less than true
        return (
            "narrowed" if smaller == key.startswith(("max", "exclusiveMax", "additional", "unevaluated")) else "widened"
        )
    return "narrowed" if key in ("type", "enum") and after < before else "widened"


def _members(value: Any) -> set[str]:
    items = value if isinstance(value, list) else [value]
    return {f'"{item}"' if isinstance(item, str) else json.dumps(item) for item in items}


def _same_items(old: Any, new: Any) -> bool:
    if not (isinstance(old, list) and isinstance(new, list)):
        return (old is _MISSING or new is _MISSING) and not (old if new is _MISSING else new)
    return sorted(map(str, old)) == sorted(map(str, new))


def _change(pair: _Pair, name: str, path: str, was: Any, now: Any, action: str) -> Change:
    direction, severity, code, note = _meaning(action, name, pair.raised, pair.lowered)
    note += retelling.left(action, name, was, now, pair.after.tool)
    return Change(
        action=action,
        path=f"{_owner(pair, name, was)}/{name}{path}",
        before=was,
        after=now,
        direction=direction,
        severity=severity,
        code=code,
        note=safety.with_provenance(note, pair.before.tool, name),
        tool=pair.before.path[0],
    )


@lru_cache(4096)  # half of the time of an entry; there are few actions, fields, and ways to raise or lower caution
def _meaning(action: str, name: str, raised: frozenset[str], lowered: frozenset[str]) -> tuple[str, str, str, str]:
    """Direction, severity, code and note of a change of one field."""
    facets = safety.facets_of(name)
    return (
        "riskier" if facets & lowered else "safer" if facets & raised else "neutral",
        "error" if facets & lowered else SEVERITY.get(action, "info"),
        f"{action}-{name.replace('_', '-')}",
        _NOTES.get((action, name), ACTIONS[action]),
    )


def _node(parent: Tool, pointer: str) -> Tool:
    """The child of `parent` that the pointer ends in."""
    return (parent.children or ())[int(pointer.rpartition("/")[2])]


def _owner(pair: _Pair, name: str, value: Any) -> str:
    """The node that states the value: the leaf, or the ancestor it was inherited from.

    Without this a program's version, dropped from 160 commands, would be reported 160 times.
    """
    if pair.own is None or getattr(pair.own, name) is not None:
        return pair.before.pointer
    steps = pair.before.pointer.split("/children/")
    for depth in range(len(pair.before.ancestors) - 1, -1, -1):
        ancestor = pair.before.ancestors[depth]
        if value is not None and getattr(ancestor, name) is value:
            return "/children/".join(steps[: depth + 1])
    return pair.before.pointer


def overridden(pointer: str, name: str, tool: Tool, value: Any) -> Change:
    """The entry for a fact that the user asserted instead of the source."""
    lowered = safety.weaker(safety.caution(tool), safety.caution(msgspec.structs.replace(tool, **{name: value})))
    return Change(
        action="assumed",
        path=f"{pointer}/{name}",
        before=getattr(tool, name),
        after=value,
        direction="riskier" if lowered else "neutral",
        severity="warning",
        code=f"override-{name.replace('_', '-')}",
        note="asserted by the user",
        tool=tool.id,
    )


def group_change(pointer: str, tool: str, name: str, was: Any, now: Any) -> Change:
    """The entry for what a group says and the target does not."""
    action = "dropped" if now is None else "renamed"
    return Change(
        action=action,
        path=f"{pointer}/{name}",
        before=was,
        after=now,
        severity=SEVERITY.get(action, "info"),
        code=f"{action}-{name.replace('_', '-')}",
        note=ACTIONS[action],
        tool=tool,
    )


def left_out(pointer: str, value: Any) -> Change:
    """The entry for what a container says besides its records; here alone the pointer leads into the document."""
    return Change(
        action="dropped",
        path=pointer,
        before=value,
        severity=SEVERITY["dropped"],
        code="dropped-container-key",
        note="it stands beside the tools, and no tool says it",
    )
