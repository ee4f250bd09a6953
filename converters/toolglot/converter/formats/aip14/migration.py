"""How a `TOOL.md` of any age is brought to the present form.

A migration never guesses silently and never loosens a restriction. A value that is not understood is kept in the driver
with a note, and the most is asked for until a person has looked at it. `id`, `version` and `description` stay as they
are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from toolglot.converter.formats import CompanionFile, Finding, MigratedRecord, MigrationRequest, Record
from toolglot.converter.formats.aip14.inherited_actions import facts_of_action
from toolglot.converter.formats.aip14.keys import (
    ALIASES,
    DRIVER_KEYS,
    INTO_METADATA,
    LEGACY,
    OPEN_SCHEMAS,
    RISK,
    find_driver_keys,
    move_into_metadata,
    place_key,
    with_present_keys,
)
from toolglot.converter.formats.aip14.migrated_driver import Driver, make_driver
from toolglot.converter.safety import worse
from toolglot.converter.text.pointers import is_texts, without_keys
from toolglot.errors import SchemaError

_MOVED_KEYS = (*LEGACY, *DRIVER_KEYS)  # keys that move to the driver, where one is made


def migrate(record: Record, request: MigrationRequest) -> MigratedRecord:
    """The `TOOL.md` in the present form, with the files that its moved keys go to.

    Args:
        record: one that is valid under `schemas/aip14/reading.schema.json`.
        request: its `kind` is that of the driver, where one has to be made.

    Raises:
        UnsaidError: `kind-needed`, `other-kind` or `driver-exists`.
        ReadError: `two-spellings`, `literal-secret` or another code of `make_driver`.
        UsageError: there is no such kind of driver.
    """
    old = record.data
    data = with_present_keys(old, record.pointer)
    before = None
    companions: tuple[CompanionFile, ...] = ()
    notes: list[Finding] = []
    if any(key in data for key in LEGACY):
        before = without_keys(old, *_MOVED_KEYS)
        driver = make_driver(data, request.kind, request.path)
        data, notes = _with_driver(data, driver)
        companions = driver.files
    else:
        notes += find_driver_keys(data)
    data = move_into_metadata(data, INTO_METADATA)
    for key, value, note in _defaults_to_state(data):
        data = place_key(data, key, value)
        notes.append(note)
    return MigratedRecord(data, _renamed_keys(old), companions, tuple(notes), before)


def _with_driver(data: dict[str, Any], driver: Driver) -> tuple[dict[str, Any], list[Finding]]:
    """The data without the keys that moved to the driver, and with its needs added to those in `requires`."""
    data = without_keys(data, *_MOVED_KEYS)
    for gate, names in driver.needs.items():
        requires = data.get("requires")
        if requires is None:
            requires = {}
        if not isinstance(requires, dict):
            raise _no_room_error("/requires")
        stated_names = requires.get(gate)
        if stated_names is None:
            stated_names = []
        if not is_texts(stated_names):
            raise _no_room_error(f"/requires/{gate}")
        new_names = [name for name in names if name not in stated_names]
        data = place_key(data, "requires", {**requires, gate: [*stated_names, *new_names]})
    if "default_implementation" not in data:
        return place_key(data, "default_implementation", driver.id), driver.notes
    if data["default_implementation"] in (None, driver.id):
        return data, driver.notes
    message = f"this cannot be the id of a driver, so the new one is {driver.id}; name it here"
    return data, [*driver.notes, Finding("other-implementation", "/default_implementation", message)]


def _no_room_error(pointer: str) -> SchemaError:
    message = (
        "what the driver needs is named in lists of texts, such as `requires: {network: [a.example]}`; write it so"
    )
    return SchemaError(message, pointer=pointer)


def _renamed_keys(old: dict[str, Any]) -> dict[str, str]:
    """JSON Pointer of a former key -> its present name; of several former names of one key only the first counts."""
    first_spellings: dict[str, str] = {}
    for key in reversed(old):
        if key in ALIASES and ALIASES[key] not in old:
            first_spellings[ALIASES[key]] = key
    return {f"/{key}": name for name, key in first_spellings.items()}


def _defaults_to_state(data: dict[str, Any]) -> Iterator[tuple[str, Any, Finding]]:
    """Keys that the schema needs and the document lacks or contradicts: each with its value, and a note."""
    if not data.get("name"):
        message = "it had no name; its id stands in, so write a better one"
        yield "name", data["id"], Finding("added-name", "/name", message)
    for key, value in OPEN_SCHEMAS.items():
        if key not in data:
            message = f"it does not say what its {key} are, so anything is let through; write their schema"
            yield key, value, Finding(f"added-{key}", f"/{key}", message)
    if not data.get("mutates"):
        return
    if RISK.accepts(data.get("risk_level")) and data["risk_level"] == 0:
        message = "it said that it only reads, and that it changes something; look whether its risk is higher than 1"
        yield "risk_level", 1, Finding("raised-risk", "/risk_level", message)
    approval = data.get("approval")
    if approval not in (None, "auto"):
        return
    approval_of_action = _approval_of_action(data)
    if approval == "auto" or approval_of_action in (None, "auto"):
        message = "it changes something without asking; it now asks when it does, which is how it was read already"
        yield (
            "approval",
            worse("approval", "on-mutate", approval_of_action),
            Finding("added-approval", "/approval", message),
        )


def _approval_of_action(data: dict[str, Any]) -> str | None:
    """The approval of the action that a tool implements, if it is a standard or an inline one: no file is read."""
    action, _ = facts_of_action(data, None)
    return None if action is None else action.approval
