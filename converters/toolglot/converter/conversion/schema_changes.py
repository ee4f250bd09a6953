"""The changes of a schema that was read from another dialect, or fitted to a provider.

The comparison finds the differences. The steps of reading and fitting say what they mean: whether a missing keyword
was put into words, is handled by the codec, or is lost. Together, no difference is silent and none is guessed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import chain
from typing import Any

from msgspec.structs import replace

from toolglot.converter.conversion import report_wording
from toolglot.converter.conversion.categories import ACTIONS, LOSING_ACTIONS
from toolglot.converter.conversion.offers import Offer
from toolglot.converter.conversion.report import Change, change_of, split_path
from toolglot.converter.hub.model import SCHEMAS, Leaf, Tool
from toolglot.converter.schema.accepted_values.keywords_in_reports import is_neutral
from toolglot.converter.schema.newest_dialect import restate_schema
from toolglot.converter.schema.transformation_steps import Step
from toolglot.converter.text.pointers import pointer_below, way_to
from toolglot.converter.text.sequences import group_by
from toolglot.regexes import compile_later

_ALTERNATIVE = compile_later(r"/anyOf/[0-9]+\Z")


def changes_of_offer(offer: Offer, tool: str, changes: Iterable[Change]) -> list[Change]:
    """The changes of the schema of one offer, from the differences that the comparison found."""
    pointer = offer.leaf.pointer
    if offer.mode == "excluded":
        return [_change_of_exclusion(pointer, tool, " ".join(offer.leaf.path), offer.reason or "")]
    entries: list[Change] = []
    if offer.reason:
        note = report_wording.OFFERED_LOOSE.format(offer.reason)
        entries.append(change_of("widened", tool, pointer, "inputs", "strict", "loose", code="widened-mode", note=note))
    if offer.members:
        entries += [
            _change_of_exclusion(leaf.pointer, tool, " ".join(leaf.path), reason) for leaf, reason in offer.left_out
        ]
        for member in offer.members:
            place, after = member.leaf.pointer, {offer.chooser: member.value}
            note = report_wording.COMMAND_AS_VALUE.format(offer.chooser, member.value)
            entries.append(change_of("widened", tool, place, "inputs", after=after, code="widened-command", note=note))
            entries += _explain_by_steps([], place, tool, member.fitted.steps)
        return entries
    steps = offer.fitted.steps if offer.fitted else ()
    return [*entries, *_explain_by_steps(changes, pointer, tool, steps)]


def _explain_by_steps(changes: Iterable[Change], pointer: str, tool: str, steps: Iterable[Step]) -> list[Change]:
    """The differences of one tool's inputs, explained by the steps that made them.

    A difference with a step takes the action of the step (added words only describe). A difference without a step
    stays as it is. A step without a difference, such as one inside a definition that was inlined, gets an entry.

    >>> [change.action for change in _explain_by_steps([], "", "t", [Step("", "title", "dropped", "T")])]
    ['dropped']
    """
    base = f"{pointer}/inputs"
    steps = list(steps)
    by_place = group_by(steps, lambda step: base + step.place)
    by_node = group_by(steps, lambda step: base + step.pointer)
    out: list[Change] = []
    ids_of_used_steps: set[int] = set()
    for change in changes:
        nearest = next((place for place in way_to(change.path) if place in by_place), None)
        node, _, keyword = change.path.rpartition("/")
        is_part = change.before is None and node in by_node and len(nearest or "") < len(node)
        if nearest is None or is_part:
            if change.before is None or is_neutral(keyword, change.before):
                # What all alternatives say now was said beside them.
                around = by_node.get(_ALTERNATIVE.sub("", node), ()) if node not in by_node else ()
                moved = [step for step in around if step.keyword == keyword]
                change = _as_part(change, by_node.get(node, moved))
            else:
                change = _as_definitions(change, base, by_place)
            out.append(change)
            continue
        step = by_place[nearest][0]
        if change.path != nearest and change.before is None and change.path.endswith("/description"):
            out.append(_change_by_step(change, "described", "inputs", step.note))
            continue
        ids_of_used_steps.add(id(step))
        # What is gone accepts everything, or is said by others; a keyword that appeared may be all that they say.
        is_same = change.action == "renamed" and change.before is not None and step.action in LOSING_ACTIONS
        out.append(_change_by_step(change, "renamed" if is_same else step.action, "inputs", step.note))
    for step in chain.from_iterable(by_place.values()):
        if id(step) not in ids_of_used_steps:
            out.append(_step_alone(step, pointer, "inputs", tool))
    return out


def _as_definitions(change: Change, base: str, steps: Collection[str]) -> Change:
    """The change for definitions that are gone as a whole, where a step explains each of them."""
    place = f"{base}/$defs"
    if change.path != place or any(pointer_below(place, name) not in steps for name in change.before):
        return change
    return _change_by_step(change, "renamed", "inputs", report_wording.NO_DEFINITION_LEFT)


def _as_part(change: Change, steps: list[Step]) -> Change:
    """The change for a new keyword beside keywords with steps: it only says what they said.

    The steps tell whether less is accepted now, not the keyword that took the place of another.
    """
    told = [step for step in steps if step.action != "narrowed"]  # what narrows has a keyword of its own
    if change.action not in ("narrowed", "renamed") or not told:
        return change
    return _change_by_step(change, "renamed", "inputs", told[0].note)


def _step_alone(step: Step, pointer: str, field: str, tool: str) -> Change:
    """The change for a step without a difference."""
    note = step.note or ACTIONS[step.action].meaning
    return change_of(step.action, tool, pointer, field, step.before, step.after, step.place, note=note)


def allow_respellings(changes: list[Change], leaves: Iterable[Leaf]) -> list[Change]:
    """The changes, with no loss for a source's spelling of a schema that the target has in another dialect.

    Readers keep a schema of another dialect beside the restated one. A target without it has `renamed` it; the steps
    of reading say what else that meant.
    """
    tools = {leaf.pointer: leaf.tool for leaf in leaves}
    out: list[Change] = []
    for change in changes:
        schemas = None
        if change.after is None and "/extensions" in change.path:  # hardly any
            pointer, field, _ = split_path(change.path)
            tool = tools.get(pointer)
            if field == "extensions" and tool is not None:
                schemas = find_spelled_schemas(change.before, tool)
        if schemas is None:
            out.append(change)
            continue
        out.append(_change_by_step(change, "renamed", "schema", report_wording.IN_NEWEST_DIALECT))
        for name, steps in schemas:
            out += [_step_alone(step, pointer, name, change.tool) for step in steps]
    return out


def find_spelled_schemas(value: Any, tool: Tool) -> list[tuple[str, list[Step]]] | None:
    """The schemas of a tool that a value of its extensions has in another dialect; `None` where the value says more.

    Returns:
        The names of the fields with these schemas, each with the steps of reading it.

    >>> [name for name, _ in find_spelled_schemas({"type": "dict"}, Tool(id="a", inputs={"type": "object"})) or ()]
    ['inputs']
    """
    if not isinstance(value, dict) or not value:
        return None
    newest_schema, steps = restate_schema(value)
    for name in SCHEMAS:
        own = getattr(tool, name)
        if newest_schema == own or (
            len(newest_schema) > 1 and own and all(own.get(key, own) == newest_schema[key] for key in newest_schema)
        ):
            return [(name, steps)]  # with a type alone it could be any schema
    inside: list[tuple[str, list[Step]]] = []
    for item in value.values():
        schemas = find_spelled_schemas(item, tool)
        if schemas is None:
            return None
        inside += schemas
    return inside


def _change_by_step(change: Change, action: str, field: str, note: str) -> Change:
    kind = ACTIONS[action]
    return replace(change, action=action, severity=kind.severity, code=f"{action}-{field}", note=note or kind.meaning)


def _change_of_exclusion(pointer: str, tool: str, path: str, reason: str) -> Change:
    """The change for a tool that is not offered to a provider."""
    field = "id" if reason == report_wording.HIDDEN else "inputs"
    return change_of("excluded", tool, pointer, field, path, code="excluded-tool", note=reason)


def changes_of_budget(count: int, limit: int | None) -> list[Change]:
    """The change for a request with more tools than its provider accepts; empty where it accepts them."""
    if limit is None or count <= limit:
        return []
    note = report_wording.OVER_BUDGET.format(limit)
    return [
        Change(action="assumed", path="", after=count, severity="warning", code="over-budget", note=note, because=note)
    ]
