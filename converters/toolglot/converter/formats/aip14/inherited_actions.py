"""The action of a tool: the facts that the tool inherits, and findings where the tool states less danger."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from toolglot.converter.formats import Finding
from toolglot.converter.formats.aip14.action_references import look_up_action
from toolglot.converter.formats.aip14.actions import ACTION_TABLE, INHERITED_FACTS
from toolglot.converter.formats.aip14.format import FORMAT
from toolglot.converter.formats.aip14.keys import with_present_keys
from toolglot.converter.formats.aip14.repository import Surroundings
from toolglot.converter.formats.kit.field_tables import take
from toolglot.converter.hub.model import Tool
from toolglot.converter.safety import find_relaxations
from toolglot.converter.text.pointers import texts_at


def facts_of_action(data: dict[str, Any], files: Surroundings | None) -> tuple[Tool | None, list[Finding]]:
    """The action that a tool implements, `None` where there is none, and what is wrong with one of the two.

    Args:
        data: the front matter of the tool.
        files: the repository around it; `None` where it is a text without a file.
    """
    if not data.get("implements"):
        return None, []
    action, findings = look_up_action(data["implements"], files)
    if action is not None:
        findings += _relaxations(data, action)
        findings += _changed_keys(data, action)
    return action, findings


def _relaxations(data: dict[str, Any], action: Tool) -> Iterator[Finding]:
    """Findings for the facts that a tool states with less danger than its action."""
    fields: dict[str, Any] = {}
    take(with_present_keys(data), ACTION_TABLE, fields)
    own = Tool(id="own", **fields)
    for name, lacking in find_relaxations(own, action):
        message = INHERITED_FACTS[name].message.format(lacking=lacking, action=action.id)
        key = FORMAT.places.fields[name].rpartition("/")[2].replace("_", "-")
        yield Finding(f"relaxes-{key}", FORMAT.places.find(data, name), message)
    if (own.approval, action.approval) == ("always", "on-mutate"):
        message = (
            f"{action.id} asks on-mutate, and `always` asks more often; the text of AIP-39 has the two the other way "
            "round, so other readers may refuse it"
        )
        yield Finding("approval-order", "/approval", message)


def _changed_keys(data: dict[str, Any], action: Tool) -> Iterator[Finding]:
    """Findings for keys that a tool has to inherit unchanged, and for events of its action that it lacks (AIP-39)."""
    inherited = {"category": action.category, **action.extension("aip14")}
    for key in ("category", "target_kind"):
        if key in data and inherited.get(key) not in (None, data[key]):
            message = f"{action.id} says {inherited[key]!r}, which AIP-39 has its tools inherit as it stands"
            yield Finding("changes-action", f"/{key}", f"{message}; leave the key out")
    if "fires_events" in data:
        own_events = texts_at(data, "fires_events")
        dropped = [event for event in texts_at(inherited, "fires_events") if event not in own_events]
        if dropped:
            message = f"{action.id} fires {', '.join(dropped)}, and by AIP-39 a tool may fire more but not less"
            yield Finding("drops-events", "/fires_events", f"{message}; list it too")
