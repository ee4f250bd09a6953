"""Migration within ATIP: 0.1 to 0.5 as 0.6, and back to 0.3 (the RFC).

Each rule translates what versions state in different ways. Source: the ATIP RFC of each version, and the schemas of 0.4
and 0.6. What need not change stays equal, key order included. A key that a version does not know stays, with a note, if
its schema tolerates it. A value that the schema refuses and no rule translates, such as a duration in words, is an
error instead of a guess.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from toolglot.converter import safety
from toolglot.converter.formats import Finding, MigratedRecord, MigrationRequest, Record
from toolglot.converter.formats.atip.tables import INTERACTIVE
from toolglot.converter.formats.atip.versions import EARLY, NEWEST, OLD_ESTIMATES, SPAN, version_of
from toolglot.converter.formats.kit.field_tables import take
from toolglot.converter.formats.kit.key_order import insert, rename
from toolglot.converter.formats.kit.migrations import leave_alone, refuse_new_faults
from toolglot.converter.formats.kit.parameters import stated_text
from toolglot.converter.hub.durations import format_span, format_time_limit, largest_unit, parse_span, parse_time_limit
from toolglot.converter.text.pointers import as_mapping, mapping_at, pointer_below, without_keys
from toolglot.converter.text.wording import join_first, to_short_json
from toolglot.errors import UnsaidError

_KNOWN_VERSION = re.compile(r"(0\.[1-6])(?:\.[0-9]{1,3})?\Z", re.ASCII)

# Keys that vouch for the text of a description. `integrity` and `provenance` are kept: they vouch for the program
# (0.5.0, 3.2.2), which a new description does not change, and without them nobody would notice a changed program.
_SIGNED = ("signature", "shimIntegrity", "signedBy", "attestation")
_SLOT = "x-toolglot"
_SCHEMA_ADDRESS = re.compile(r"\A(https://atip\.dev/schema/)0\.[1-5](?=\.json\Z)")

# Key that 0.4 added -> what it means that a reader of 0.3 does not know it.
_NEW_IN_0_4 = {
    "trust": "a reader of it does not see where the description comes from",
    "binary": "a reader of it does not see which program is meant",
    "omitted": "a reader of it does not see what to assume about the commands that are missing",
}


class _AtipMigration(NamedTuple):
    """The state of one migration.

    Attributes:
        version: the requested one.
        is_downgrade: whether the record is newer: it is of 0.4 or later, and `version` is not.
        notes: what a person has to look at.
        fill: as in `MigrationRequest`.
        undescribed: JSON Pointer and name of each parameter without a description.
    """

    version: str
    is_downgrade: bool
    notes: list[Finding]
    fill: Mapping[str, str]
    undescribed: list[tuple[str, str]]

    @property
    def is_early(self) -> bool:
        """Whether the requested version is older than 0.4, which changed most."""
        return self.version in EARLY

    def note(self, code: str, pointer: str, message: str) -> None:
        self.notes.append(Finding(code, pointer, message))


_Change = Callable[[Any, str, _AtipMigration], Any]
_Changes = dict[str, Any]  # key -> _Change or _Changes


def migrate(record: Record, request: MigrationRequest) -> MigratedRecord:
    """One program in the requested version, `0.6` or `0.3`. Pointers in the notes lead into the old record.

    Raises:
        UnsaidError: a parameter has no description, in a record that has to change.
        WriteError: the version refuses something that no rule translates.

    >>> record = Record({"atip": "0.1", "name": "ls", "version": "1", "description": "List."})
    >>> migrate(record, MigrationRequest()).data["atip"]
    {'version': '0.6'}
    """
    old = record.data
    minor = _minor_version(old.get("atip"))
    if minor is None:
        return leave_alone(old, "atip")
    version = request.version or NEWEST
    run = _AtipMigration(
        version, is_downgrade=version in EARLY and minor not in EARLY, notes=[], fill=request.fill, undescribed=[]
    )
    if run.is_downgrade:
        for key, consequence in _NEW_IN_0_4.items():
            if key in old:
                run.note("kept-unknown", f"/{key}", f"{version} does not know `{key}`: {consequence}")
    data = _migrate_node(old, "", _PROGRAM_CHANGES, run)
    data["atip"] = _migrate_marker(old["atip"], minor, run)
    data = _with_name_of_binary(data, run)
    if data == old:
        return MigratedRecord(old)
    if run.undescribed:
        raise _undescribed_error(record.pointer, run.undescribed)
    data = _without_signatures(data, run)
    refuse_new_faults(record, data, f"atip/{version_of(old)}", f"atip/{version}")
    return MigratedRecord(data, notes=tuple(run.notes))


def _undescribed_error(pointer: str, places: list[tuple[str, str]]) -> UnsaidError:
    """The error that names all parameters without a description at once."""
    (first, name), *others = places
    subject = f"`{name}` means"
    if others:
        other_names = [f"`{other}` ({pointer}{place})" for place, other in others]
        subject += f", nor {join_first(other_names, 9)}"
    message = f"nothing says what {subject}; write the description, or give --fill description=TEXT"
    return UnsaidError(message, "description-needed", pointer + first)


# -- the version ----------------------------------------------------------------------------------------------


def _minor_version(marker: Any) -> str | None:
    """The version that a marker names; `None` for an unknown one. In unquoted YAML it is a number.

    >>> _minor_version({"version": "0.5.1"}), _minor_version(0.3), _minor_version("1.0")
    ('0.5', '0.3', None)
    """
    version = marker.get("version", NEWEST) if isinstance(marker, dict) else marker
    match = _KNOWN_VERSION.match(str(version)) if isinstance(version, str | float) else None
    return match and match[1]


def _migrate_marker(marker: Any, minor: str, run: _AtipMigration) -> Any:
    """The marker in the form of the requested version; a marker that names the version already keeps its form."""
    if run.is_early:
        other_keys = without_keys(as_mapping(marker), "version")
        if other_keys:
            run.note("dropped-marker", "/atip", f"{run.version} has no place for {', '.join(other_keys)}; removed")
        return minor if minor in EARLY else run.version
    if isinstance(marker, dict):
        return {**marker, "version": run.version}
    return marker if marker == run.version else {"version": run.version}


def _with_name_of_binary(data: dict[str, Any], run: _AtipMigration) -> dict[str, Any]:
    """The program with its name and version at the root, where every schema needs them; shims have them in `binary`."""
    own_keys = mapping_at(data, "binary")
    for key, words, after in (("name", r"[a-zA-Z0-9_-]+", ["atip"]), ("version", r".+", ["atip", "name"])):
        value = own_keys.get(key)
        if key not in data and isinstance(value, str) and re.fullmatch(words, value):
            data = insert(data, key, value, after)
            run.note("filled-from-binary", f"/binary/{key}", f"{key} is now said at the root, too")
    return data


def _without_signatures(data: dict[str, Any], run: _AtipMigration) -> dict[str, Any]:
    """The changed program without what vouched for its old text, and with the new version in toolglot's slot."""
    slot = data.get(_SLOT)
    if isinstance(slot, dict) and slot.get("toolglot") == 1:
        data = {**data, _SLOT: {**slot, "version": run.version}}
    trust = data.get("trust")
    if not isinstance(trust, dict):
        return data
    for key in _SIGNED:
        if key in trust:
            run.note("unsigned", f"/trust/{key}", "it vouched for the old text; removed, sign the new one")
    others = without_keys(trust, *_SIGNED)
    if others.get("verified") is True:
        others["verified"] = False
        run.note(
            "unverified",
            "/trust/verified",
            "the claim was about the old text; verify the new one, then say `true` again",
        )
    return {**data, "trust": others}


# -- programs and commands --------------------------------------------------------------------------------------


def _migrate_node(node: dict[str, Any], here: str, changes: _Changes, run: _AtipMigration) -> dict[str, Any]:
    return _apply_changes(_move_interactive(node, here, run), here, changes, run)


def _apply_changes(node: dict[str, Any], here: str, changes: _Changes, run: _AtipMigration) -> dict[str, Any]:
    """A copy of `node` in which the rules of `changes` were applied to the values of their keys."""
    new_node = dict(node)
    for key, change in changes.items():
        if key not in node:
            continue
        value, place = node[key], f"{here}/{key}"
        if not isinstance(change, dict):
            new_node[key] = change(value, place, run)
        elif isinstance(value, dict):
            new_node[key] = _apply_changes(value, place, change, run)
    return new_node


def _migrate_commands(commands: dict[str, Any], here: str, run: _AtipMigration) -> dict[str, Any]:
    return {
        name: _migrate_node(node, pointer_below(here, name), _COMMAND_CHANGES, run) for name, node in commands.items()
    }


def _migrate_arguments(entries: list[dict[str, Any]], here: str, run: _AtipMigration) -> list[dict[str, Any]]:
    return [_with_description(entry, f"{here}/{index}", run) for index, entry in enumerate(entries)]


def _migrate_options(entries: list[dict[str, Any]], here: str, run: _AtipMigration) -> list[dict[str, Any]]:
    for index, entry in enumerate(entries):
        if run.is_downgrade and entry.get("variadic") is True:
            run.note("kept-unknown", f"{here}/{index}/variadic", f"a reader of {run.version} passes one value only")
    return _migrate_arguments(entries, here, run)


def _with_description(entry: dict[str, Any], here: str, run: _AtipMigration) -> dict[str, Any]:
    """The entry of a parameter with a description, which every schema needs (specs 1.4); none is made up."""
    if "description" in entry:
        return entry
    words = stated_text(mapping_at(entry, "schema"), "description")
    if words is None:
        words = run.fill.get("description")
    if words is None:
        run.undescribed.append((here, str(entry.get("name", ""))))
        return entry
    return insert(entry, "description", words, ["name", "flags", "type"])


def _migrate_patterns(patterns: Any, here: str, run: _AtipMigration) -> Any:
    """The patterns as they are, with a note where an older reader takes one for advice."""
    if not run.is_downgrade or not isinstance(patterns, list):
        return patterns
    for index, pattern in enumerate(patterns):
        if isinstance(pattern, dict) and pattern.get("executable") is True:
            run.note("kept-unknown", f"{here}/{index}/executable", f"to a reader of {run.version} it is advice only")
    return patterns


def _move_interactive(node: dict[str, Any], here: str, run: _AtipMigration) -> dict[str, Any]:
    """The node with an `interactive` beside `effects` moved into it, where the format has it."""
    outer, effects = node.get("interactive"), node.get("effects", {})
    inner = effects.get("interactive", {}) if isinstance(effects, dict) else None
    if not isinstance(outer, dict) or not isinstance(inner, dict):
        return node
    if any(key in outer and not safety.is_known(key, outer[key]) for key in INTERACTIVE):
        return node  # an unknown value would be a fault inside `effects`, and states nothing in either place
    facts: dict[str, Any] = {}  # those inside, without unknown values, which state no danger
    take(inner, INTERACTIVE, facts)
    new_inner = inner | {
        key: safety.worse(key, facts.get(key), value)
        for key, value in outer.items()
        if key in INTERACTIVE or key not in inner
    }
    contradictions = [key for key, value in outer.items() if inner.get(key, value) != value]
    if contradictions:
        advice = "the more cautious value stays, and for other keys the one inside"
        message = f"{', '.join(contradictions)}: said beside and inside `effects`, and not the same; {advice}"
        run.note("contradiction", f"{here}/interactive", message)
    if "effects" not in node:
        return rename({**node, "interactive": {"interactive": new_inner}}, "interactive", "effects")
    others = without_keys(node, "interactive")
    return {**others, "effects": {**effects, "interactive": new_inner}}


# -- effects ------------------------------------------------------------------------------------------------------

_TIMEOUT = r"[0-9]+[smh]"  # as the schemas since 0.4 have it


def _migrate_estimate(value: Any, here: str, run: _AtipMigration) -> Any:
    """`none` is a word of 0.1 to 0.3; `variable` is a word of no version, only of an example."""
    if not isinstance(value, str) or value not in OLD_ESTIMATES or (value == "none" and run.is_early):
        return value
    if value == "variable":
        run.note("raised-estimate", here, "the versions have no word for a cost that varies; `high` is the safe one")
    return OLD_ESTIMATES[value]


def _migrate_typical(value: Any, here: str, run: _AtipMigration) -> Any:
    """A duration as 0.4 and later need it: two whole numbers and a unit. It is widened where none fits exactly."""
    span = parse_span(value)
    if run.is_early or span is None or re.fullmatch(SPAN, value):
        return value
    if largest_unit(*span) is None:
        run.note(
            "rounded", here, f"{to_short_json(value)} is no span of whole seconds; the next wider one stands there now"
        )
    return format_span(*span)


def _migrate_timeout(value: Any, here: str, run: _AtipMigration) -> Any:
    """A timeout as 0.4 and later need it: a whole number and a unit. A limit is rounded down, but not to 0."""
    milliseconds = parse_time_limit(value)
    if run.is_early or milliseconds is None or re.fullmatch(_TIMEOUT, value):
        return value
    limit = format_time_limit(milliseconds)
    if parse_time_limit(limit) != milliseconds:
        run.note("rounded", here, f"{to_short_json(value)} is no number of whole seconds; {limit} stands there now")
    return limit


# -- authentication and trust -------------------------------------------------------------------------------------


def _migrate_methods(methods: Any, here: str, run: _AtipMigration) -> Any:
    """The methods without `none`, which only 0.1 to 0.3 have.

    As the only method it stays, and the version refuses the record: an empty list would state less.
    """
    if run.is_early or not isinstance(methods, list):
        return methods
    others = [method for method in methods if not (isinstance(method, dict) and method.get("type") == "none")]
    if not others or len(others) == len(methods):
        return methods
    run.note("dropped-method", here, f"{run.version} has no way to log in called `none`; removed beside the others")
    return others


def _migrate_address(address: Any, here: str, run: _AtipMigration) -> Any:
    """The published address of the schema of the version; the schema of 0.3 is not published."""
    if run.is_early or not isinstance(address, str):
        return address
    return _SCHEMA_ADDRESS.sub(rf"\g<1>{run.version}", address)


_CHECKSUM = re.compile(r"[a-z0-9]+:[a-fA-F0-9]+", re.ASCII)


def _migrate_trust(trust: Any, here: str, run: _AtipMigration) -> Any:
    """The trust with `checksum`, the hash of the program, under `integrity`, where 0.5 and later have it."""
    checksum = trust.get("checksum") if isinstance(trust, dict) else None
    if run.is_early or not isinstance(checksum, str) or not _CHECKSUM.fullmatch(checksum):
        return trust
    integrity = trust.get("integrity", {})
    if not isinstance(integrity, dict) or integrity.get("checksum", checksum) != checksum:
        run.note("contradiction", f"{here}/checksum", "it differs from the one under `integrity`; both stay")
        return trust
    new_integrity = {**integrity, "checksum": checksum}
    if "integrity" not in trust:
        return rename({**trust, "checksum": new_integrity}, "checksum", "integrity")
    return {**without_keys(trust, "checksum"), "integrity": new_integrity}


_SHARED_CHANGES: _Changes = {
    "commands": _migrate_commands,
    "effects": {
        "cost": {"estimate": _migrate_estimate},
        "duration": {"typical": _migrate_typical, "timeout": _migrate_timeout},
    },
    "authentication": {"methods": _migrate_methods},
}
_PROGRAM_CHANGES: _Changes = {
    "$schema": _migrate_address,
    **_SHARED_CHANGES,
    "globalOptions": _migrate_options,
    "patterns": _migrate_patterns,
    "trust": _migrate_trust,
}
_COMMAND_CHANGES: _Changes = {**_SHARED_CHANGES, "arguments": _migrate_arguments, "options": _migrate_options}
