"""What stands behind a TOOL.md: the action that it implements (AIP-39), and the drivers that run it (AIP-30).

Only files of the document's own repository count; see `neighbouring_files`.
Source: AIP-39, narrowing; AIP-30, implements.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from toolglot.formats import Finding, LinkedDriver, LinkedFacts
from toolglot.formats.aip14.actions import TABLE, look_up
from toolglot.formats.aip14.drivers_and_programs import DriverFile, drivers_of, egress_of
from toolglot.formats.aip14.keys import with_present_keys, written_place
from toolglot.formats.aip14.neighbouring_files import Surroundings
from toolglot.formats.kit.mapping import places, take
from toolglot.hub.model import Tool
from toolglot.safety import find_relaxations

_PLACES = places(TABLE)


def follow_links(data: dict[str, Any], path: str | None) -> LinkedFacts:
    """What a tool inherits, and what is wrong with its references.

    Args:
        data: the front matter.
        path: its file, `None` where it is a text without surroundings.
    """
    files = Surroundings(path) if path else None
    findings: list[Finding] = []
    facts: Tool | None = None
    if data.get("implements"):
        facts, findings = _facts_of_action(data, files)
    drivers: tuple[LinkedDriver, ...] = ()
    if files is not None:
        drivers = tuple(map(_linked_driver, drivers_of(data, files)))
        facts = _with_egress(facts, data, drivers)
        findings += _find_missing_driver(data, files)
    return LinkedFacts(facts, tuple(findings), drivers)


def _facts_of_action(data: dict[str, Any], files: Surroundings | None) -> tuple[Tool | None, list[Finding]]:
    """What the action says, and what is wrong with it or with what the tool makes of it."""
    action, findings = look_up(data["implements"], lambda name: _by_id(name, files), lambda path: _by_path(path, files))
    if action is None:
        return None, findings
    facts = action.facts
    findings += _relaxations(data, facts)
    if action.rest:
        facts = replace(facts, extensions={"aip14": action.rest})
    return facts, findings


def _by_id(name: str, files: Surroundings | None) -> dict[str, Any] | str:
    if files is None:
        return f"there is no action {name!r} without a repository around it"
    for _, data in files.manifests("actions", "ACTION.md"):
        if data.get("id") == name:
            return data
    return f"there is no action {name!r} in the repository"


def _by_path(path: str, files: Surroundings | None) -> dict[str, Any] | str:
    if files is None:
        return "a text has no files around it"
    real = files.resolve(path)
    return files.read(real) if real else f"the repository has no file {path!r}"


# -- what a tool makes of its action ------------------------------------------------------------------------------


def _relaxations(data: dict[str, Any], action: Tool) -> Iterator[Finding]:
    fields: dict[str, Any] = {}
    take(with_present_keys(data), TABLE, fields)
    own = Tool(id="own", **fields)
    for name, lacking in find_relaxations(own, action):
        message = _MESSAGES[name].format(lacking=lacking, action=action.id)
        key = _PLACES[name].rpartition("/")[2].replace("_", "-")
        yield Finding(f"relaxes-{key}", written_place(data, _PLACES[name]), message, error=True)
    if (own.approval, action.approval) == ("always", "on-mutate"):
        message = (
            f"{action.id} asks on-mutate, and `always` asks more often; the text of AIP-39 has the two the other way "
            "round, so other readers may refuse it"
        )
        yield Finding("approval-order", "/approval", message)


_NEEDED = "{action} needs {lacking}, and a tool may add to that but not take from it; list it, or leave the key out"
_MESSAGES = {
    "mutates": "{action} changes {lacking}, and a tool may add to that but not take from it; list it, or leave the "
    "key out",
    "hosts": _NEEDED,
    "secrets": _NEEDED,
    "calls": _NEEDED,
    "risk_level": "the risk of {action} is {lacking}, and a tool may raise it but not lower it",
    "approval": "{action} asks {lacking}, and a tool may ask more often but not less",
}


# -- drivers --------------------------------------------------------------------------------------------------------


def _linked_driver(driver: DriverFile) -> LinkedDriver:
    kind = driver.data.get("kind")
    if driver.path.endswith("CLI.md"):
        kind = "cli"  # AIP-29: what it describes is a program
    elif not isinstance(kind, str):
        kind = None
    return LinkedDriver(driver.id, kind, tuple(egress_of(driver.data)))


def _with_egress(facts: Tool | None, data: dict[str, Any], drivers: tuple[LinkedDriver, ...]) -> Tool | None:
    """What is inherited, with the hosts that the tool's drivers reach: a call may go there too."""
    names: dict[str, None] = {}
    hosts: dict[str, None] = {}
    for driver in drivers:
        if driver.hosts:
            names[driver.id] = None
            hosts.update(dict.fromkeys(driver.hosts))
    if not hosts:
        return facts
    if facts is None:
        facts = Tool(id="", implements=data.get("implements") or None)
    else:
        names = {facts.id: None, **names}
        hosts = {**dict.fromkeys(facts.hosts or ()), **hosts}
    return replace(facts, id=", ".join(names), hosts=tuple(hosts))


def _find_missing_driver(data: dict[str, Any], files: Surroundings) -> Iterator[Finding]:
    driver_id = with_present_keys(data).get("default_implementation")
    if not isinstance(driver_id, str) or not driver_id:
        return
    for kind, name in (("drivers", "DRIVER.md"), ("cli", "CLI.md"), ("code", "CODE.md")):
        if any(driver.get("id") == driver_id for _, driver in files.every(kind, name)):
            return
    message = f"no DRIVER.md, CLI.md or CODE.md of the repository is {driver_id!r}; write one, or leave the key out"
    yield Finding("no-implementation", written_place(data, "/default_implementation"), message)
