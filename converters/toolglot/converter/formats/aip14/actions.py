"""AIP-39 actions: what one says that tools inherit, the standard library, and the tools that implement one.

A fact that an action states in a way that nobody can read counts as the worst that it could mean.
Source: AIP-39; the table of the standard library: specs/resources/aip-39/draft/library/standard of
agentproto/agentproto.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from toolglot.converter import safety
from toolglot.converter.formats import Finding
from toolglot.converter.formats.aip14.keys import OF_ACTIONS, with_present_keys, written_place
from toolglot.converter.formats.aip14.repository import Surroundings
from toolglot.converter.formats.kit.field_tables import Table, fields_of, places, take, text, texts
from toolglot.converter.formats.kit.unreadable_facts import nearest_key
from toolglot.converter.hub.model import Tool
from toolglot.converter.safety import find_relaxations
from toolglot.converter.safety.inheritance import join_facts
from toolglot.converter.text.pointers import escape, is_text, only_keys, texts_at

SCHEMA_LINE = "action/v1"


class Action(msgspec.Struct, frozen=True):
    """An action that was looked up.

    Attributes:
        facts: what tools inherit from it, under its id.
        rest: what the hub has no field for, by key: `target_kind`, `fires_events`.
        faults: what cannot be read, as JSON Pointers in the action's own data, each with a sentence.
    """

    facts: Tool
    rest: dict[str, Any]
    faults: tuple[tuple[str, str], ...] = ()


class _Narrowed(NamedTuple):
    """A fact of an action: the worst that it may mean, and what is said of a tool that takes from it."""

    worst: Any
    message: str


_TABLE: Table = {
    "mutates": texts("mutates"),
    **OF_ACTIONS,
    "category": text("category"),
}
_NEEDED = "{action} needs {lacking}, and a tool may add to that but not take from it; list it, or leave the key out"
_NARROWED = {
    "mutates": _Narrowed(
        ("external:*",),
        "{action} changes {lacking}, and a tool may add to that but not take from it; list it, or leave the key out",
    ),
    "hosts": _Narrowed(("*",), _NEEDED),
    "secrets": _Narrowed(("*",), _NEEDED),
    "calls": _Narrowed(("*",), _NEEDED),
    "approval": _Narrowed("always", "{action} asks {lacking}, and a tool may ask more often but not less"),
    "risk_level": _Narrowed(3, "the risk of {action} is {lacking}, and a tool may raise it but not lower it"),
}
_KEYS = _TABLE.keys() | {
    "schema", "id", "name", "description", "version", "verb", "target_kind", "fires_events", "implementations", "tags",
    "examples", "metadata",
}  # fmt: skip


def action_of(data: dict[str, Any]) -> Action:
    """The action that the front matter of an ACTION.md, or an inline block, describes.

    >>> action_of({"id": "shelf:fill", "mutates": ["shelf:*"], "risk_level": "high"}).facts
    Tool(id='shelf:fill', mutates=('shelf:*',), risk_level=3)
    >>> action_of({"id": "shelf:burn", "x-destructive": True}).facts
    Tool(id='shelf:burn', risk_level=3)
    >>> action_of({"id": "shelf:lend", "requires": {"network": [], "screts": ["card"]}}).facts
    Tool(id='shelf:lend', hosts=(), secrets=('*',))
    """
    data = with_present_keys(data)
    fields: dict[str, Any] = {}
    faults = list(_take_facts(data, _TABLE, fields, ""))
    for key in data:
        near = nearest_key(key, _TABLE) if key not in _KEYS and data[key] not in (None, {}) else None
        if near is not None:
            faults.append((f"/{escape(key)}", f"`{key}` is not known; did you mean `{near}`?"))
            fields.update({name: _NARROWED[name].worst for name in fields_of({near: _TABLE[near]})})
    fields.update(warned_facts(data))
    identifier = data.get("id")
    if not (isinstance(identifier, str) and identifier):
        faults.append(("/id", "an action has an id"))
        identifier = "an action without an id"
    rest: dict[str, Any] = only_keys(data, ("target_kind", "fires_events"))
    return Action(Tool(id=identifier, **fields), rest, tuple(faults))


def find_faults_of_manifest(data: dict[str, Any], path: str | None) -> Iterator[Finding]:
    """What of an action cannot be understood."""
    for pointer, message in action_of(data).faults:
        yield Finding("action-invalid", pointer, message, error=True)


def warned_facts(data: dict[str, Any]) -> dict[str, Any]:
    """What the texts and the tags of an action, or of what carries out a tool, warn of, at worst; and foreign keys.

    >>> warned_facts({"tags": ["shelf", "destructive"], "name": "Burn"}), warned_facts({"x-destructive": True})
    ({'risk_level': 3}, {'risk_level': 3})
    """
    texts = {field: data[key] for key, field in _WARNING.items() if isinstance(data.get(key), str)}
    tags = tuple(tag for key in ("tags", "policy_tags") for tag in texts_at(data, key))
    warnings = safety.text_warnings(Tool(id="", tags=tags or None, **texts))
    fields = [safety.WORDS[name].facet for name in warnings]
    for danger in safety.foreign_dangers(data):
        fields += danger.facts
    names = {field if field in _NARROWED else "risk_level" for field in fields}
    return {name: _NARROWED[name].worst for name in names}


_WARNING = {"name": "title", "description": "description", "category": "category"}


def _take_facts(data: dict[str, Any], table: Table, fields: dict[str, Any], pointer: str) -> Iterator[tuple[str, str]]:
    """Put what the table understands into `fields`, and the worst where it does not; the faults."""
    for key, row in table.items():
        here = f"{pointer}/{key}"
        if key not in data:
            continue
        if isinstance(row, dict):
            inner, unread = data[key], row
            if isinstance(inner, dict):
                yield from _take_facts(inner, row, fields, here)
                slips = {nearest_key(name, row) for name in inner if name not in row}
                unread = only_keys(row, slips)
            if unread:
                fields.update({name: _NARROWED[name].worst for name in fields_of(unread)})
                yield here, f"`{key}` is a block of {', '.join(row)}"
        elif row.accepts(data[key]):
            fields[row.field] = row.load(data[key])
        elif row.field in _NARROWED:
            fields[row.field] = _NARROWED[row.field].worst
            yield here, f"`{key}` cannot be understood; the worst that it may mean is taken"


# -- the standard library ---------------------------------------------------------------------------------------


def _standard(identifier: str, category: str, events: str = "", **facts: Any) -> tuple[str, Action]:
    rest = {"target_kind": identifier.partition(":")[0], "fires_events": events.split()}
    return identifier, Action(Tool(id=identifier, category=category, **facts), rest)


STANDARD: dict[str, Action] = dict([
    _standard("storage:read", "filesystem", mutates=(), risk_level=0, approval="auto"),
    _standard("storage:write", "filesystem", "write", mutates=("storage:*",), risk_level=1, approval="auto"),
    _standard("storage:commit", "filesystem", "write commit-completed",
              mutates=("storage:*",), risk_level=1, approval="auto"),
    _standard("storage:push", "filesystem", "push-started push-completed",
              mutates=("storage:*", "network:*"), risk_level=2, approval="on-mutate"),
    _standard("sandbox:execute", "compute", "sandbox-command-started sandbox-command-completed",
              mutates=("sandbox:*",), risk_level=2, approval="on-mutate"),
    _standard("sandbox:network-egress", "compute", "network-egress",
              mutates=("network:*",), hosts=("*",), risk_level=2, approval="on-mutate"),
    _standard("secrets:reveal", "secrets", "secret-revealed",
              mutates=(), secrets=(), risk_level=1, approval="on-mutate"),
    _standard("secrets:rotate", "secrets", "secret-rotated",
              mutates=("external:*", "database:secrets"), hosts=("*",), risk_level=3, approval="always"),
    _standard("workspace:read", "workspace", mutates=(), risk_level=0, approval="auto"),
    _standard("workspace:publish", "workspace", "workspace-published",
              mutates=("workspace:metadata", "external:registry"), hosts=("*",), risk_level=3, approval="always"),
])  # fmt: skip

_LIBRARY = "@agentik/actions-standard/"  # its address in the registry: WORKSPACE.md of the library
_STANDARD_BY_ADDRESS = {f"{_LIBRARY}{identifier.replace(':', '-')}": identifier for identifier in STANDARD}


# -- references -------------------------------------------------------------------------------------------------


def _look_up(reference: Any, files: Surroundings | None) -> tuple[Action | None, list[Finding]]:
    """The action that the `implements` of a tool leads to, `None` where there is none, and what is wrong.

    Args:
        reference: an id, a path, or a block of one of `ref`, `file` and `inline`.
        files: those around the tool.

    >>> action, _ = _look_up("storage:push", None)
    >>> action.facts.mutates
    ('storage:*', 'network:*')
    """
    kind, value, place = _split(reference)
    if kind == "inline":
        action = action_of(value)
        return action, [Finding("action-invalid", place + at, message, error=True) for at, message in action.faults]
    if kind == "path":
        manifest: Any = _by_path(value, files)
    elif kind == "id":
        manifest = _by_id(value, files)
    else:
        manifest = value
    standard = STANDARD.get(value) if kind == "id" else None
    if isinstance(manifest, str):
        if standard is not None:
            return standard, []
        message = f"what it implements was not found: {manifest}; it counts as dangerous as any action may be"
        return None, [Finding("action-unresolvable", place, message, error=True)]
    action = action_of(manifest)
    findings = [Finding("action-invalid", place, f"in {value}: {message}", True) for _, message in action.faults]
    if standard is not None:  # an action of a repository that has the id of a standard one is never less than that
        events = [*standard.rest["fires_events"], *texts_at(action.rest, "fires_events")]
        rest = {**standard.rest, **action.rest, "fires_events": list(dict.fromkeys(events))}
        action = Action(Tool(id=action.facts.id, **join_facts(action.facts, standard.facts)), rest)
    return action, findings


def _split(reference: Any) -> tuple[str, Any, str]:
    """What kind of reference it is, its value, and where it stands; of what is none, why."""
    if isinstance(reference, str):
        return *_reference_by_name(reference), "/implements"
    if not isinstance(reference, dict) or len(reference) != 1:
        return "none", "it is an id, a path, or a block of one of `ref`, `file` and `inline`", "/implements"
    ((key, value),) = reference.items()
    place = f"/implements/{escape(key)}"
    if key == "inline" and isinstance(value, dict):
        return "inline", value, place
    if key == "file" and is_text(value):
        return "path", value, place
    if key == "ref" and is_text(value):
        return *_reference_by_name(value), place
    return "none", f"`{key}` does not say what", place


def _reference_by_name(name: str) -> tuple[str, str]:
    if name in _STANDARD_BY_ADDRESS:
        return "id", _STANDARD_BY_ADDRESS[name]
    if name.startswith("@"):
        return "none", "it stands in a registry, and nothing is fetched"
    return ("path" if name.startswith((".", "/")) or name.lower().endswith(".md") else "id"), name


def _by_id(name: str, files: Surroundings | None) -> dict[str, Any] | str:
    if files is None:
        return f"{name!r} is no standard action, and a text has no files around it"
    for _, data in _named_actions(name, files):
        return data
    return f"no ACTION.md in `.actions` or `actions` of {files.extent} has the id {name!r}"


def _named_actions(name: str, files: Surroundings) -> Iterator[tuple[str, dict[str, Any]]]:
    """The actions of the repository with an id: their files, and what these say."""
    return ((path, data) for path, data in files.manifests("actions", "ACTION.md") if data.get("id") == name)


def action_files(reference: Any, files: Surroundings) -> list[str]:
    """The files that the `implements` of a tool leads to."""
    kind, value, _ = _split(reference)
    if kind == "path":
        return list(filter(None, [files.resolve(value)]))
    return [path for path, _ in _named_actions(value, files)] if kind == "id" else []


def _by_path(path: str, files: Surroundings | None) -> dict[str, Any] | str:
    if files is None:
        return "a text has no files around it"
    real = files.resolve(path)
    return files.read(real) if real else f"there is no file {path!r} in {files.extent}"


# -- what a tool makes of its action ------------------------------------------------------------------------------


def facts_of_action(data: dict[str, Any], files: Surroundings | None) -> tuple[Tool | None, list[Finding]]:
    """What a tool inherits from the action that it implements, if any, and what is wrong with one of the two.

    Args:
        data: the front matter of the tool.
        files: those around it, `None` where it is a text.
    """
    if not data.get("implements"):
        return None, []
    action, findings = _look_up(data["implements"], files)
    if action is None:
        return None, findings
    facts = action.facts
    findings += _relaxations(data, facts)
    findings += _own_words(data, action)
    if action.rest:
        facts = replace(facts, extensions={"aip14": action.rest})
    return facts, findings


def _relaxations(data: dict[str, Any], action: Tool) -> Iterator[Finding]:
    fields: dict[str, Any] = {}
    take(with_present_keys(data), _TABLE, fields)
    own = Tool(id="own", **fields)
    for name, lacking in find_relaxations(own, action):
        message = _NARROWED[name].message.format(lacking=lacking, action=action.id)
        key = _PLACES[name].rpartition("/")[2].replace("_", "-")
        yield Finding(f"relaxes-{key}", written_place(data, _PLACES[name]), message, error=True)
    if (own.approval, action.approval) == ("always", "on-mutate"):
        message = (
            f"{action.id} asks on-mutate, and `always` asks more often; the text of AIP-39 has the two the other way "
            "round, so other readers may refuse it"
        )
        yield Finding("approval-order", "/approval", message)


def _own_words(data: dict[str, Any], action: Action) -> Iterator[Finding]:
    """What a tool says otherwise than its action, although it has that from the action as it stands (AIP-39)."""
    inherited = {"category": action.facts.category, **action.rest}
    for key in ("category", "target_kind"):
        if key in data and inherited.get(key) not in (None, data[key]):
            message = f"{action.facts.id} says {inherited[key]!r}, which AIP-39 has its tools inherit as it stands"
            yield Finding("changes-action", f"/{key}", f"{message}; leave the key out", error=True)
    if "fires_events" in data:
        own_events = texts_at(data, "fires_events")
        dropped = [event for event in texts_at(inherited, "fires_events") if event not in own_events]
        if dropped:
            message = f"{action.facts.id} fires {', '.join(dropped)}, and by AIP-39 a tool may fire more but not less"
            yield Finding("drops-events", "/fires_events", f"{message}; list it too", error=True)


_PLACES = places(_TABLE)
