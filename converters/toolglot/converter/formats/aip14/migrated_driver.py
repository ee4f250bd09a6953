"""What a TOOL.md from before AIP-30 says about its implementation, as a DRIVER.md and a SECRETS.md.

`_MOVES` says where every key goes (AIP-30). The hosts and secrets that a call needs are also listed in the `requires`
of the TOOL.md, because that decides whether the call is allowed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from toolglot.converter.files.names import path_from
from toolglot.converter.formats import CompanionFile, Finding
from toolglot.converter.formats.aip14.driver_parts import DriverPart
from toolglot.converter.formats.aip14.drivers import allowed_kinds, implementation_files
from toolglot.converter.formats.aip14.keys import DRIVER_KEYS, IMPLEMENTATION_ID, KINDS, SEMVER
from toolglot.converter.formats.aip14.migrated_secrets import ANY, move_secrets, refuse_secret
from toolglot.converter.formats.aip14.repository import Surroundings
from toolglot.converter.formats.kit.description.shortening import shorten
from toolglot.converter.formats.kit.tool_ids import fit_id
from toolglot.converter.text.pointers import mapping_at, pointer_of, texts_at, with_value, without_keys
from toolglot.errors import ReadError, UnsaidError, UsageError

_METADATA_KEY = "toolglot"  # toolglot's own key in the driver's `metadata`
_FIRST_VERSION = "1.0.0"
_HOST = re.compile(r"[A-Za-z0-9*][A-Za-z0-9*.:/_\[\]-]*\Z")


class Driver(NamedTuple):
    """The new driver of a tool.

    Attributes:
        id: the one that `default_implementation` of the tool names, so that the reference leads to a file.
        needs: key in the tool's `requires` -> names that the tool has to list there.
        files: DRIVER.md, and SECRETS.md where there are secrets.
        notes: what a person has to do.
    """

    id: str
    needs: dict[str, Sequence[str]]
    files: tuple[CompanionFile, ...]
    notes: list[Finding]


def make_driver(data: dict[str, Any], kind: str | None, path: str | None = None) -> Driver:
    """The driver that the keys from before AIP-30 in the data of a TOOL.md describe.

    Args:
        data: the front matter, valid under `schemas/aip14/reading.schema.json`.
        kind: one of `KINDS`; it may be `None` only if the tool allows a single kind. The keys do not tell it: a `run`
            may start a client of a server, and `code` may be a library or a command. A driver of the wrong kind would
            be run in the wrong way.
        path: the file of the TOOL.md; `None` where it is a text without a file.

    Raises:
        UnsaidError: `kind-needed`; `other-kind`: the tool rules it out; `driver-exists`: another driver has the id.
        ReadError: `literal-secret`, `code-in-front-matter` or `bad-secret-entry`.
        UsageError: there is no such kind.

    >>> make_driver({"id": "weigh", "description": "Weigh.", "version": "1.2.0", "network": True}, "http").needs
    {'network': ['*']}
    """
    if kind is not None and kind not in KINDS:
        raise UsageError(f"there is no driver of kind {kind!r}; the kinds are {', '.join(KINDS)}", code="unknown-kind")
    if "execute" in data:
        message = "a function is no data; put it into the module of a driver and delete the key"
        raise ReadError(message, "code-in-front-matter", "/execute")
    legacy = {key: data[key] for key in _MOVES if key in data}
    refuse_secret(without_keys(legacy, "secrets"))  # whose keys are all names of secrets; `move_secrets` checks them
    parts = {key: _MOVES[key](value) for key, value in legacy.items()}
    kind = _choose_kind(kind, data, list(legacy))
    driver = _driver_head(data, kind, os.path.basename(path or "TOOL.md"))
    if path is not None:
        _refuse_second_driver(driver["id"], path)
    for part in parts.values():
        driver.update(part.driver)
    for key, part in parts.items():
        if part.kept:
            driver = with_value(driver, _new_place(key, part, kind), legacy[key])
    advice = f"DRIVER.md says no more than this file did; add what a driver of kind {kind} needs"
    notes = [Finding("new-driver", "", advice)]
    if "network" in driver:
        egress = driver["network"]["egress"]
        needed = texts_at(mapping_at(data, "requires"), "network")
        added = [host for host in needed if not {host, ANY} & {*egress}]
        if added:
            egress += added
            addition = f"the tool needs {', '.join(added)} too, and no driver may take that back; so it was added"
            notes.append(Finding("added-hosts", "/network", addition))
    needs: dict[str, Sequence[str]] = {}
    for key, part in parts.items():
        for note in filter(None, (part.kept, part.note)):
            place = ".".join(_new_place(key, part, kind))
            notes.append(Finding("manual-step", f"/{key}", note.replace("{place}", place)))
        if part.needs:
            needs[key] = part.needs
    return Driver(driver["id"], needs, tuple(_companion_files(driver, parts, kind)), notes)


def _refuse_second_driver(driver_id: str, path: str) -> None:
    """Refuse to make a driver whose id another driver of the repository has.

    Only a person can tell whether the keys belong into that driver or contradict it. A driver beside the tool may be
    left from an interrupted migration: it is compared when the files are written.
    """
    folder = os.path.dirname(os.path.realpath(path))
    for file in implementation_files(driver_id, Surroundings(path)):
        if os.path.dirname(file) != folder:
            place = path_from(folder, file)
            message = f"{place} is the driver {driver_id} already; say there how it runs, or name another driver here"
            raise UnsaidError(message, "driver-exists", "/default_implementation")


def _choose_kind(kind: str | None, data: dict[str, Any], legacy_keys: Sequence[str]) -> str:
    """The requested kind, else the only one that the tool allows."""
    kinds = allowed_kinds(data.get("driver_constraints"))
    if kind is None and len(kinds) == 1:
        return kinds[0]
    if kind is None:
        keys = ", ".join(f"`{key}`" for key in legacy_keys)
        message = (
            f"{keys} must move to a DRIVER.md, which says how the tool is run; this file does not say "
            f"how: add --kind {'|'.join(KINDS)}, or --kind PATTERN=KIND for some files"
        )
        raise UnsaidError(message, "kind-needed", f"/{legacy_keys[0]}")
    if kind not in kinds:
        message = f"the tool rules out drivers of kind {kind}; give it another kind, or change what it allows"
        raise UnsaidError(message, "other-kind", "/driver_constraints")
    return kind


def _companion_files(driver: dict[str, Any], parts: Mapping[str, DriverPart], kind: str) -> Iterator[CompanionFile]:
    """The DRIVER.md, and the SECRETS.md where there are secrets."""
    origins = {pointer_of(_new_place(key, part, kind)): f"/{key}" for key, part in parts.items() if not part.secrets}
    yield CompanionFile("DRIVER.md", driver, origins=origins)
    secrets: list[dict[str, Any]] = []
    origins_of_secrets = {"/secrets": "/secrets"}
    for part in parts.values():
        secrets += part.secrets
        origins_of_secrets.update(part.origins)
    if secrets:
        yield CompanionFile("SECRETS.md", {"secrets": secrets}, origins=origins_of_secrets)


def _driver_head(data: dict[str, Any], kind: str, file_name: str) -> dict[str, Any]:
    """The keys that every driver has (AIP-30), with values from the tool, whose file lies beside the driver."""
    tool = data["id"]
    identifier = data.get("default_implementation")
    if not isinstance(identifier, str) or not IMPLEMENTATION_ID.match(identifier):
        identifier = f"{fit_id(tool, 'a-z0-9.-', 73)}-driver"
    head: dict[str, Any] = {}
    if data.get("schema") == "agentproto/tool/v1":
        head["schema"] = "agentproto/driver/v1"
    versions = "*"
    version = SEMVER.match(data["version"])
    if version is not None:
        versions = f"^{version.group()}"
    return {
        **head,
        "name": shorten(data.get("name") or tool, 80),
        "id": identifier,
        "description": shorten(data["description"], 2000),
        "version": _FIRST_VERSION,
        "kind": kind,
        "implements": [{"tool": f"./{file_name}", "version": versions}],
    }


def _new_place(key: str, part: DriverPart, kind: str) -> tuple[str, ...]:
    """The path of keys in DRIVER.md to what a key has become; a kept value stands in `metadata`."""
    if part.place:
        return part.place
    if not part.kept:
        return tuple(part.driver)[:1]
    return ("metadata", kind, key) if key in _KEYS_OF_ONE_KIND else ("metadata", _METADATA_KEY, "legacy", key)


# -- one key each ---------------------------------------------------------------------------------------------


def _move_runner(value: Any) -> DriverPart:
    if isinstance(value, str | dict):
        return DriverPart({"runner": value})
    return DriverPart(kept="a runner is a path or a block; say which one `{place}` means")


def _move_network(value: Any) -> DriverPart:
    directions = value if isinstance(value, dict) else {"egress": value}
    egress, is_clear = _read_hosts(directions.get("egress"))
    network = {"egress": egress}
    if "ingress" in directions:
        network["ingress"], ingress_is_clear = _read_hosts(directions["ingress"])
        is_clear = is_clear and ingress_is_clear
    if is_clear and directions.keys() <= {"egress", "ingress"}:
        place: tuple[str, ...] = ("network", "egress")
        if isinstance(value, dict):
            place = ("network",)
        return DriverPart({"network": network}, network["egress"], place=place)
    network["egress"] = list(dict.fromkeys([*network["egress"], ANY]))
    kept = "this is no list of hosts; every host is asked for until you say which, and delete `{place}`"
    return DriverPart({"network": network}, network["egress"], kept=kept)


def _read_hosts(value: Any) -> tuple[list[str], bool]:
    """The hosts that a value names, and whether that is all that it says.

    A plain word such as `none` or `full` counts as a host only in a list.
    """
    if isinstance(value, list):
        hosts = [entry for entry in value if isinstance(entry, str) and entry]
        return hosts, hosts == value
    if isinstance(value, str):
        if _HOST.match(value) and (value == "localhost" or any(sign in value for sign in ".:*")):
            return [value], True
        return [], False
    if value is True:
        return [ANY], True
    return [], value is None or value is False


_KEYS_OF_ONE_KIND = ("entry", *DRIVER_KEYS)  # keys whose meaning depends on the kind of the driver
_MOVES: dict[str, Callable[[Any], DriverPart]] = {
    "code": lambda value: DriverPart({"code": value}),
    "run": lambda value: DriverPart({"run": value}),
    "runner": _move_runner,
    "secrets": move_secrets,
    "network": _move_network,
    **dict.fromkeys(
        _KEYS_OF_ONE_KIND,
        lambda value: DriverPart(kept="only drivers of this kind know what `{place}` is; see that yours reads it"),
    ),
}
