"""What a machine knows about its programs, from files alone; the numbers are those of `discovery.md` 11."""

from __future__ import annotations

import ast
import hashlib
import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

import strategies
from inventory_files import DIGITS, Shared, binary, new_shared, program
from rows import for_each
from systems import needs_folders, needs_modes, slashed
from toolglot.converter import formats, safety
from toolglot.converter.formats import Record
from toolglot.converter.hub.model import Tool
from toolglot.converter.safety.inheritance import leaves_of
from toolglot.converter.schema.document_problems import find_problems
from toolglot.runtime.inventory import discovery, file_reader
from toolglot.runtime.inventory.dangers import add_dangers
from toolglot.runtime.inventory.discovery import discover, write_registry
from toolglot.runtime.inventory.file_reader import FileReader
from toolglot.runtime.inventory.fingerprints import Fingerprint
from toolglot.runtime.inventory.inventory_document import Inventory
from toolglot.runtime.inventory.kept_answers import Provenance, Store
from toolglot.runtime.inventory.machine_files import machine_folders
from toolglot.runtime.inventory.program_records import ProgramRecord
from toolglot.runtime.inventory.program_registries import read_registry, upstream_registry

ROOT = Path(__file__).parents[1]
REGISTRIES = sorted((ROOT / "fixtures" / "registries").glob("*.json"))
SAFE = {"destructive": False, "network": False}
UNSAFE = {"destructive": True, "network": True}


@pytest.fixture
def shared(tmp_path: Path) -> Shared:
    return Shared(tmp_path)


def look(shared: Shared) -> Inventory:
    found = discover([shared.root])
    assert not list(find_problems(found.to_json(), "inventory/1"))
    return found


def only(found: Inventory) -> ProgramRecord:
    [one] = found.programs
    return one


def codes(found: Inventory) -> list[str]:
    return [problem.code for problem in found.problems]


def command_of(one: ProgramRecord) -> Tool:
    assert one.description is not None
    [leaf] = leaves_of(one.description.tool)
    return leaf.tool


# -- registries --------------------------------------------------------------------------------------------------------


@for_each("path", REGISTRIES, ids=lambda path: path.stem)
def test_every_shape_of_a_registry_says_the_same(path: Path) -> None:
    """24."""
    before = path.read_bytes()
    reader = FileReader()
    entries = list(read_registry(reader, str(path), json.loads(before)))
    assert [(entry.name, entry.path) for entry in entries] == [
        ("mailbox", "/opt/mail/bin/mailbox"),
        ("wipe", "/opt/mail/bin/wipe"),
    ]
    assert not reader.problems
    assert path.read_bytes() == before
    assert [entry.is_lossy for entry in entries] == [path.stem == "1-array-snake"] * 2
    assert [entry.sha256 for entry in entries] == (["a" * 64, "b" * 64] if path.stem == "2" else [None, None])
    by_version = {"2": [None, None]}
    assert [entry.version for entry in entries] == by_version.get(path.stem, ["2.1.0", "1.0.0"])
    declared = {"1-map": ["vendor", "community"]}
    assert [entry.declared for entry in entries] == declared.get(path.stem, ["native", "shim"])


def test_there_are_five_shapes() -> None:
    assert len(REGISTRIES) == 5


@for_each("path", REGISTRIES, ids=lambda path: path.stem)
def test_an_unknown_version_of_a_registry_is_read_with_a_warning(path: Path) -> None:
    """24."""
    data = {**json.loads(path.read_bytes()), "version": "9"}
    reader = FileReader()
    assert len(list(read_registry(reader, str(path), data))) == 2
    [problem] = reader.problems
    assert (problem.code, problem.severity, problem.pointer) == ("unknown-registry-version", "warning", "/version")


def test_a_bad_entry_hides_no_other(shared: Shared) -> None:
    tools = [{"path": "/opt/a"}, 7, {"name": "b", "path": "./b"}, {"name": "c", "path": "/opt/c"}]
    shared.put("registry.json", {"version": "1", "lastScan": None, "tools": tools})
    found = look(shared)
    assert [(one.name, one.path) for one in found.programs] == [("b", None), ("c", "/opt/c")]
    assert [(problem.code, problem.pointer) for problem in found.problems] == [
        ("not-a-program", "/tools/0"),
        ("not-a-program", "/tools/1"),
        ("relative-path", "/tools/2/path"),
    ]


def test_a_registry_of_ten_thousand_programs_is_read(shared: Shared) -> None:
    tools = [{"name": f"t{number}", "path": f"/opt/t{number}", "source": "native"} for number in range(10_000)]
    shared.put("registry.json", {"version": "1", "lastScan": None, "tools": tools})
    assert len(discover([shared.root]).programs) == 10_000


def test_a_registry_without_end_is_cut(shared: Shared, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_reader, "MAX_FILES", 3)
    tools = {f"t{number}": {"path": f"/opt/t{number}"} for number in range(5)}
    shared.put("registry.json", {"version": "2", "tools": tools})
    for number in range(5):
        shared.put(f"tools/u{number}.json", program(f"u{number}"))
    shared.put("registries.json", {"registries": [{"name": f"r{number}"} for number in range(5)]})
    shared.put("patterns/all.json", [{"name": f"w{number}", "steps": []} for number in range(5)])
    found = look(shared)
    assert (len(found.programs), len(found.registries), len(found.workflows)) == (6, 3, 3)
    assert codes(found) == ["too-many-files"] * 4


# -- descriptions ------------------------------------------------------------------------------------------------------


@for_each("trust", [{"source": "native", "verified": True}, {"source": "vendor"}, {}])
def test_what_a_file_says_of_its_trust_does_not_decide_where_it_comes_from(trust: dict[str, Any]) -> None:
    """25."""
    with new_shared() as shared:
        shared.put("tools/demo.json", program(trust=trust))
        one = only(look(shared))
        assert one.obtained == "file"
        assert one.trust.declared == trust.get("source")
        assert one.trust.says_verified is bool(trust.get("verified"))
        assert one.trust.evidence is None


WRAPPED = {"tool": "demo", "version": "1.0", "cachedAt": "2026-02-01T00:00:00Z", "metadata": program(effects=UNSAFE)}


@for_each(
    "data, warnings",
    [
        (program(effects=UNSAFE), []),
        (WRAPPED, []),
        ({**WRAPPED, "expiresAt": "2026-02-08T00:00:00Z"}, ["expired"]),
        ({**WRAPPED, "expiresAt": "2999-02-08T00:00:00Z"}, []),
        ({**WRAPPED, "tool": "other"}, ["other-name"]),
    ],
)
def test_a_cache_has_descriptions_raw_or_wrapped(data: dict[str, Any], warnings: list[str]) -> None:
    with new_shared() as shared:
        shared.put("tools/demo.json", data)
        found = look(shared)
        assert codes(found) == warnings
        assert [command_of(one).destructive for one in found.programs] == ([] if "other-name" in warnings else [True])


def test_a_lossy_cache_is_said_to_be_lossy(shared: Shared) -> None:
    """27: it leaves out the effects of the whole program, so that nobody knows whether this is all."""
    entry = {"name": "demo", "path": str(shared.binary), "discovered_at": "x", "mod_time": "x"}
    shared.put("registry.json", {"version": "1", "last_scan": "x", "tools": [entry]})
    shared.put("tools/demo.json", program(effects=SAFE))
    shared.put("tools/whole.json", program("whole", effects=SAFE, trust={"source": "native"}))
    found = look(shared)
    flags = [
        (one.name, one.description.is_lossy, one.description.is_partial) for one in found.programs if one.description
    ]
    assert flags == [("demo", True, True), ("whole", False, False)]
    assert codes(found) == ["lossy-cache"]


@for_each(
    "file, data, code",
    [
        ("shims/other.json", program(), "other-name"),
        ("tools/demo.json", program("../demo"), "other-name"),
        (f"shims/sha256/{DIGITS}.json", program(), "other-hash"),
        (f"shims/sha256/{DIGITS}.json", program(binary=binary("b" * 64)), "other-hash"),
        (f"shims/sha256/{DIGITS.upper()}.json", program(binary=binary(DIGITS)), "bad-hash"),
        (f"shims/sha256/{DIGITS}.json", program(binary=binary(DIGITS.upper())), "bad-hash"),
        (f"shims/sha256/{DIGITS}.json", program(binary=binary(DIGITS, "other")), "other-name"),
        (f"shims/sha256/{DIGITS}.json", program(binary=binary(DIGITS)), "other-program"),
        ("shims/demo.json", program(binary=binary(DIGITS)), "other-program"),
        ("overrides/demo.json", program(binary=binary(DIGITS)), "other-program"),
        ("tools/demo.json", {"tools": [{"name": "a", "inputSchema": {}}]}, "not-a-program"),
        ("tools/demo.json", {"a": 1}, "not-a-program"),
        ("tools/demo.json", "name: demo", "not-json"),
        ("tools/demo.json", '{"name": 1, "name": 2}', "duplicate-key"),
        ("tools/demo.json", "[" * 100_000, "too-deep"),
        ("tools/demo.json", "{", "json-syntax"),
        ("patterns/a.json", {"name": "a"}, "other-kind"),
        ("registry.json", {"name": "a"}, "other-kind"),
    ],
)
def test_what_is_not_about_the_program_is_left_out(file: str, data: Any, code: str) -> None:
    """26: the hash in the name, the hash that is stated, the file itself and the name have to be one."""
    with new_shared() as shared:
        if file != "registry.json":
            shared.put_registry()
        shared.put(file, data)
        shared.put("tools/good.json", program("good"))
        found = look(shared)
        assert [(problem.code, problem.severity) for problem in found.problems] == [(code, "error")]
        described = [one.name for one in found.programs if one.description is not None]
        assert described == ["good"], "one bad file hides no other, and is not believed"


def test_a_shim_for_the_very_file_is_evidence_and_for_another_version_is_none(shared: Shared) -> None:
    """26."""
    shared.put_registry(shared.digits)
    shared.put(f"shims/sha256/{shared.digits}.json", program(binary=binary(shared.digits)))
    shared.put(f"shims/sha256/{DIGITS}.json", program(binary=binary(DIGITS), version="2.0"))
    found = look(shared)
    one = only(found)
    assert (one.version, one.trust.evidence, codes(found)) == ("1.0", "hash", [])
    assert one.file is not None
    assert one.file.sha256 == shared.digits


@for_each("name", ["demo-{digits}", "sha256-{digits}", "demo-0a1b2c"])
def test_a_cache_calls_its_files_after_programs_and_hashes(name: str) -> None:
    """What a program says of itself has no hash in it."""
    with new_shared() as shared:
        shared.put_registry(shared.digits)
        shared.put(f"tools/{name.format(digits=shared.digits)}.json", program())
        shared.put(f"tools/{name.format(digits=DIGITS)}.json", program(effects=UNSAFE))
        found = look(shared)
        assert codes(found) == []
        one = only(found)
        is_about_file = "{digits}" in name
        assert one.trust.evidence == ("hash" if is_about_file else None)
        assert command_of(one).destructive is (None if is_about_file else True)


def test_a_shim_that_names_only_its_file_is_about_that(shared: Shared) -> None:
    data = {key: value for key, value in program(binary=binary(DIGITS)).items() if key not in ("name", "version")}
    file = shared.put("anything.json", data)
    assert [one.name for one in discover([file]).programs] == ["demo"]


def test_shims_of_programs_that_are_not_here_are_one_each(shared: Shared) -> None:
    for digits in (DIGITS, "b" * 64):
        shared.put(f"shims/sha256/{digits}.json", program(binary=binary(digits)))
    found = look(shared)
    assert [(one.name, one.path, one.trust.evidence) for one in found.programs] == [("demo", None, None)] * 2


def test_a_program_that_changed_since_its_registry_was_written_is_named(shared: Shared) -> None:
    shared.put_registry(DIGITS)
    found = look(shared)
    assert codes(found) == ["changed-program"]
    assert only(found).trust.evidence is None


@for_each(
    "stated", ["../secret.json", "/etc/hosts", "tools/../../secret.json", "{root}-evil/demo.json", "~/secret.json"]
)
def test_a_registry_leads_nowhere_outside_of_the_shared_folders(stated: str) -> None:
    """18: `agent-tools-evil` is not in `agent-tools`."""
    with new_shared() as shared:
        for path in (shared.folder / "secret.json", Path(f"{shared.root}-evil/demo.json")):
            path.parent.mkdir(exist_ok=True)
            path.write_text(json.dumps(program()))
        shared.put_registry(metadataPath=stated.replace("{root}", str(shared.root)))
        found = look(shared)
        assert codes(found) == ["outside-folder"]
        assert only(found).description is None


def test_a_registry_names_a_description_in_any_shared_folder(shared: Shared) -> None:
    shared.put("elsewhere/it.json", program(effects=UNSAFE))
    shared.put_registry(metadataPath="elsewhere/it.json")
    assert command_of(only(look(shared))).destructive is True


def test_a_path_from_home_begins_where_the_environment_says(shared: Shared) -> None:
    shared.put("elsewhere/it.json", program(effects=UNSAFE))
    shared.put_registry(metadataPath="~/agent-tools/elsewhere/it.json")
    environment = {"HOME": str(shared.folder), "XDG_DATA_HOME": str(shared.folder), "XDG_DATA_DIRS": "/none"}
    found = discover(environment=environment, store=Store(shared.folder / "state"))
    assert command_of(only(found)).destructive is True


def test_links_out_of_a_folder_and_what_is_no_file_are_not_opened(
    shared: Shared, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = shared.folder / "demo.json"
    outside.write_text(json.dumps(program()))
    tools = shared.root / "tools"
    tools.mkdir()
    (tools / "demo.json").symlink_to(outside)
    (tools / "gone.json").symlink_to(tools / "nowhere.json")
    (tools / "loop.json").symlink_to(tools / "loop.json")
    (tools / "null.json").symlink_to("/dev/null")
    (tools / "folder.json").mkdir()
    os.mkfifo(tools / "pipe.json")
    (shared.root / "shims").symlink_to(shared.folder)
    opened: list[str] = []
    open_file = os.open

    def watched(path: Any, *rest: Any, **more: Any) -> int:
        opened.append(os.fsdecode(path))
        return open_file(path, *rest, **more)

    monkeypatch.setattr(os, "open", watched)
    found = discover([shared.root])
    monkeypatch.undo()
    assert [path for path in opened if path.startswith(str(shared.folder))] == []
    assert found.programs == ()
    assert sorted(codes(found)) == [
        "not-a-file", "not-a-file", "outside-folder", "outside-folder", "outside-folder", "unreadable", "unreadable",
    ]  # fmt: skip


def test_a_link_that_a_person_names_is_followed(shared: Shared) -> None:
    shared.put("tools/demo.json", program())
    link = shared.folder / "link.json"
    link.symlink_to(shared.root / "tools" / "demo.json")
    assert [one.name for one in discover([link]).programs] == ["demo"]


def test_a_link_inside_of_a_folder_is_followed(shared: Shared) -> None:
    shared.put("tools/demo.json", program())
    (shared.root / "shims").mkdir()
    (shared.root / "shims" / "demo.json").symlink_to("../tools/demo.json")
    found = look(shared)
    assert len(only(found).known_from) == 1, "one file is read once"


@needs_modes
def test_a_file_that_everybody_may_write_is_named(shared: Shared) -> None:
    shared.put("tools/demo.json", program()).chmod(0o666)
    assert codes(look(shared)) == ["others-may-write"]


# -- several descriptions of one program -------------------------------------------------------------------------------


def test_an_override_counts_and_cannot_make_a_program_look_safer(shared: Shared) -> None:
    """29."""
    shared.put("overrides/demo.json", program(effects={**SAFE, "subprocess": True}, description="Mine."))
    shared.put("tools/demo.json", program(effects={**UNSAFE, "subprocess": False, "idempotent": False}))
    one = only(look(shared))
    assert one.description is not None
    assert one.description.tool.description == "Mine."
    command = command_of(one)
    assert (command.destructive, command.network, command.subprocess, command.idempotent) == (True, True, True, False)
    assert {(item.field, item.before, item.after, item.is_loosening) for item in one.additions} == {
        ("destructive", False, True, True),
        ("network", False, True, True),
    }
    assert {item.source for item in one.additions} == {str(shared.root / "tools" / "demo.json")}


def test_an_override_that_adds_danger_is_obeyed(shared: Shared) -> None:
    """29."""
    shared.put("overrides/demo.json", program(effects=UNSAFE))
    shared.put("tools/demo.json", program(effects=SAFE))
    one = only(look(shared))
    assert command_of(one).destructive is True
    assert one.additions == ()


def test_the_first_place_gives_the_description_and_the_others_add_danger(tmp_path: Path) -> None:
    places = {}
    for name, effects in (("config", {}), ("user", SAFE), ("local", {}), ("system", {"destructive": True})):
        places[name] = Shared(tmp_path / name)
        where = "overrides" if name == "config" else "shims"
        if name != "config":
            places[name].put(f"{where}/demo.json", program(effects=effects, description=name))
    environment = {
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "XDG_DATA_HOME": str(tmp_path / "user"),
        "XDG_DATA_DIRS": os.pathsep.join([str(tmp_path / "local"), "relative", str(tmp_path / "system")]),
    }
    store = Store(tmp_path / "state")
    one = only(discover(environment=environment, store=store))
    assert one.description is not None
    assert one.description.tool.description == "user"
    assert command_of(one).destructive is True
    assert [Path(path).parts[-4] for path in one.known_from] == ["user", "local", "system"]


def test_overrides_count_only_among_what_a_person_configures(tmp_path: Path) -> None:
    shared = Shared(tmp_path / "data")
    shared.put("overrides/demo.json", program(description="From a folder of data."))
    environment = {"XDG_DATA_HOME": str(tmp_path / "data"), "XDG_CONFIG_HOME": str(tmp_path), "XDG_DATA_DIRS": "/none"}
    assert discover(environment=environment, store=Store(tmp_path / "state")).programs == ()


def tree_of(commands: dict[str, Any], **more: Any) -> Tool:
    return formats.get("atip").tool_of(Record({**program(), "commands": commands, **more}))


DELETES = {"description": "d", "effects": {"destructive": True}}
READS = {"description": "r", "effects": {"destructive": False}}
SILENT = {"description": "s"}


@for_each(
    "ours, theirs, dangerous",
    [
        ({"pr": {"description": "g", "commands": {"rm": READS}}}, {"pr": DELETES}, {"demo pr rm"}),
        ({"pr": READS}, {"pr": {"description": "g", "commands": {"rm": DELETES, "ls": READS}}}, {"demo pr"}),
        ({"a": READS, "b": READS}, {"a": DELETES}, {"demo a"}),
        ({"a": READS, "b": READS}, {"": DELETES}, {"demo a", "demo b"}),
        ({"a": READS}, {"b": DELETES}, set()),
        (
            {"pr": {"description": "g", "commands": {"new": SILENT}}},
            {"pr": {**DELETES, "commands": {"old": READS}}},
            {"demo pr new"},
        ),
        (
            {"pr": {"description": "g", "commands": {"new": READS}}},
            {"pr": {**DELETES, "commands": {"old": READS}}},
            set(),
        ),
        ({"a": DELETES}, {"a": READS}, {"demo a"}),
    ],
)
def test_a_danger_of_a_group_holds_for_its_commands_and_the_other_way_round(
    ours: dict[str, Any], theirs: dict[str, Any], dangerous: set[str]
) -> None:
    combined = add_dangers(tree_of(ours), [("theirs.json", tree_of(theirs))])
    leaves = list(leaves_of(combined.tool))
    assert {" ".join(leaf.path) for leaf in leaves if leaf.tool.destructive} == dangerous
    assert len(leaves) == len(ours)


def test_a_danger_of_a_group_that_was_cut_holds_for_its_commands() -> None:
    cut = tree_of({"pr": DELETES}, partial=True, filter={"commands": None, "depth": 1}, effects={"network": True})
    assert not list(leaves_of(cut))
    ours = tree_of({"pr": {"description": "g", "commands": {"rm": READS}}, "ls": READS})
    combined = add_dangers(ours, [("cut.json", cut)]).tool
    assert {" ".join(leaf.path): (leaf.tool.destructive, leaf.tool.network) for leaf in leaves_of(combined)} == {
        "demo pr rm": (True, True),
        "demo ls": (False, True),
    }


def test_a_danger_of_the_whole_program_holds_for_every_command() -> None:
    theirs = tree_of({"a": READS}, effects={"network": True})
    combined = add_dangers(tree_of({"a": READS, "new": READS}), [("theirs.json", theirs)])
    assert [leaf.tool.network for leaf in leaves_of(combined.tool)] == [True, True]


def test_words_and_what_nobody_can_read_are_dangers_too() -> None:
    flagged = {"description": "x [⚠️ DESTRUCTIVE]"}
    unreadable = {"description": "x", "effects": {"network": "perhaps"}}
    combined = add_dangers(tree_of({"a": READS}), [("w", tree_of({"a": flagged})), ("u", tree_of({"a": unreadable}))])
    [leaf] = leaves_of(combined.tool)
    levels = safety.caution(leaf.tool)
    assert (levels["destructive"], levels["network"]) == (safety.UNSAFE, safety.UNSAFE)


def test_what_vouches_for_a_file_does_not_vouch_for_what_others_add() -> None:
    trust = {"source": "vendor", "verified": True, "integrity": {"checksum": f"sha256:{DIGITS}"}}
    ours = tree_of({"a": READS}, trust=trust)
    assert add_dangers(ours, [("same", tree_of({"a": READS}))]).tool.trust == trust
    combined = add_dangers(ours, [("theirs", tree_of({"a": DELETES}))])
    assert combined.tool.trust == {"source": "vendor", "verified": False}


@given(strategies.RECORDS["atip"], strategies.RECORDS["atip"])
def test_no_description_makes_another_one_look_safer(ours: Record, theirs: Record) -> None:
    """29, for everything that the format can say."""
    read = formats.get("atip").tool_of
    tool, other = read(ours), read(theirs)
    combined = add_dangers(tool, [("theirs.json", other)])
    pairs = zip(leaves_of(tool), leaves_of(combined.tool), strict=True)
    weaker = [
        (leaf.path, safety.weaker_facets(safety.caution(leaf.tool), safety.caution(after.tool)))
        for leaf, after in pairs
    ]
    assert [row for row in weaker if row[1]] == []
    twice = add_dangers(combined.tool, [("theirs.json", other)]).tool
    assert [safety.caution(leaf.tool) for leaf in leaves_of(twice)] == [
        safety.caution(leaf.tool) for leaf in leaves_of(combined.tool)
    ]


# -- places, configuration, registries elsewhere -----------------------------------------------------------------------


@needs_folders
@for_each(
    "environment, expected",
    [
        (
            {},
            [
                "/home/me/.config/agent-tools",
                "/home/me/.local/share/agent-tools",
                "/usr/local/share/agent-tools",
                "/usr/share/agent-tools",
            ],
        ),
        (
            {"XDG_CONFIG_HOME": "/c", "XDG_DATA_HOME": "/d", "XDG_DATA_DIRS": "/x:/y:/x"},
            ["/c/agent-tools", "/d/agent-tools", "/x/agent-tools", "/y/agent-tools"],
        ),
        (
            {"XDG_CONFIG_HOME": "c", "XDG_DATA_HOME": "", "XDG_DATA_DIRS": "x:./y:"},
            [
                "/home/me/.config/agent-tools",
                "/home/me/.local/share/agent-tools",
                "/usr/local/share/agent-tools",
                "/usr/share/agent-tools",
            ],
        ),
    ],
)
def test_the_places_are_those_of_the_directory_specification(environment: dict[str, str], expected: list[str]) -> None:
    assert [place.path for place in machine_folders({"HOME": "/home/me", **environment})] == expected


CONFIGURATION = {
    "version": "1",
    "discovery": {"safe_paths": ["~/bin"], "skip_list": ["test*"], "scan_timeout": "2s", "parallelism": 0, "more": 1},
    "cache": {"max_age": "24 hours", "max_size_mb": 100},
    "output": {"color": True},
    "a/b": 1,
}


def test_a_configuration_is_shown_and_what_is_none_is_named(shared: Shared) -> None:
    shared.put("config.json", CONFIGURATION)
    found = look(shared)
    assert {setting.key: setting.value for setting in found.settings} == {
        "discovery.safe_paths": ["~/bin"],
        "discovery.skip_list": ["test*"],
        "discovery.scan_timeout": "2s",
        "cache.max_size_mb": 100,
        "output.color": True,
    }
    assert [(problem.code, problem.pointer) for problem in found.problems] == [
        ("bad-setting", "/discovery/parallelism"),
        ("unknown-setting", "/discovery/more"),
        ("bad-setting", "/cache/max_age"),
        ("unknown-setting", "/a~1b"),
    ]


def test_preferences_that_nobody_defines_are_named(shared: Shared) -> None:
    shared.put("config.json", {"skipList": ["rm"]})
    assert [(problem.code, problem.severity) for problem in look(shared).problems] == [("unknown-setting", "warning")]
    contents: list[Any] = [{}, [], ["rm"]]
    for content in contents:
        shared.put("config.json", content)
        assert look(shared).problems == ()


def test_commands_that_another_file_hides_are_named(shared: Shared) -> None:
    whole = program(commands={"list": {"description": "List."}, "wipe": {"description": "Wipe it."}})
    shared.put("tools/demo.json", whole)
    shared.put("overrides/demo.json", {"commands": {"list": {"description": "List ours."}}})
    assert look(shared).problems == ()
    shared.put("overrides/demo.json", {"commands": {"wipe": None}})
    (problem,) = look(shared).problems
    assert (problem.code, problem.severity) == ("hidden-commands", "warning")
    assert problem.message.endswith("and hides demo wipe")
    assert slashed(problem.source or "").endswith("overrides/demo.json")


def test_an_override_takes_neither_danger_nor_marks_away(shared: Shared) -> None:
    trust = {"source": "inferred", "verified": True, "signature": "s", "x-invented": True}
    below = program(
        effects=UNSAFE, trust=trust, partial=True, commands={"wipe": {"description": "Wipe it.", "effects": UNSAFE}}
    )
    shared.put("tools/demo.json", below)
    part = {"description": "Ours.", "effects": None, "partial": None, "trust": {"source": "native", "x-invented": None}}
    shared.put("overrides/demo.json", {**part, "commands": {"wipe": {"effects": {**SAFE, "subprocess": True}}}})
    one = only(look(shared))
    assert one.description is not None
    tool, command = one.description.tool, command_of(one)
    assert (tool.description, one.description.is_partial) == ("Ours.", True)
    assert tool.trust == {"source": "inferred", "x-invented": True, "verified": False}
    assert (command.destructive, command.network, command.subprocess) == (True, True, True)


@for_each("name, part", [("other", {"name": "other"}), ("list", {"commands": []}), ("text", "no")])
def test_an_override_that_gives_no_description_is_left_out(name: str, part: Any) -> None:
    with new_shared() as shared:
        shared.put("tools/demo.json", program(effects=UNSAFE))
        shared.put("overrides/demo.json", part)
        found = look(shared)
        assert only(found).known_from == (str(shared.root / "tools" / "demo.json"),)
        assert len(found.problems) == 1


def test_registries_elsewhere_are_listed_and_credentials_are_not(shared: Shared) -> None:
    registry = {"name": "r", "url": "https://r.example", "trust": "org", "auth": {"type": "bearer", "token": "s3cret"}}
    off = {"name": "off", "url": "https://off.example", "enabled": False}
    shared.put("registries.json", {"registries": [registry, off, 7]})
    about = {"name": "m", "url": "https://m.example", "type": "static"}
    shared.put(".well-known/atip-registry.json", {"registry": about, "endpoints": {"shims": "/shims"}})
    found = look(shared)
    assert [(item.name, item.url, item.declared) for item in found.registries] == [
        ("r", "https://r.example", "org"),
        ("m", "https://m.example", "static"),
    ]
    assert codes(found) == ["not-a-registry"]
    assert "s3cret" not in json.dumps(found.to_json())


@for_each(
    "rules, blocked",
    [
        ({"mode": "blocklist", "approved": ["*"], "blocked": ["r*"]}, {"rm"}),
        ({"mode": "allowlist", "approved": ["git", "rm"], "blocked": ["rm"]}, {"demo", "rm"}),
        ({"mode": "allowlist"}, {"demo", "git", "rm"}),
        ({"approved": ["git"]}, set()),
        ({"blocked": "rm"}, {"demo", "git", "rm"}),
        ({"mode": "Allowlist", "approved": ["git"]}, {"demo", "git", "rm"}),
        ({"mode": ["allowlist"], "approved": ["git"]}, {"demo", "git", "rm"}),
        (["rm"], {"demo", "git", "rm"}),
        ([], {"demo", "git", "rm"}),
        (False, {"demo", "git", "rm"}),
        (None, set()),
    ],
)
def test_a_policy_takes_programs_away_and_never_adds_trust(rules: Any, blocked: set[str]) -> None:
    """29: what is blocked and approved is blocked, and what cannot be read blocks everything."""
    with new_shared() as shared:
        for name in ("demo", "git", "rm"):
            shared.put(f"tools/{name}.json", program(name, effects=UNSAFE))
        policy = shared.put("policy.json", {"policy": {"version": "1", "organization": "Ours", "toolApprovals": rules}})
        found = look(shared)
        assert {one.name for one in found.programs if one.blocked_by == str(policy)} == blocked
        assert all(one.trust.declared is None and command_of(one).destructive for one in found.programs)


@for_each("data", [[], {"policy": "none"}, "{"])
def test_a_policy_that_is_no_policy_blocks_every_program(data: Any) -> None:
    with new_shared() as shared:
        shared.put("tools/demo.json", program())
        policy = shared.put("policy.json", data)
        assert only(look(shared)).blocked_by == str(policy)


def test_workflows_are_listed(shared: Shared) -> None:
    step = {"command": "demo run", "description": "Runs."}
    shared.put("patterns/one.json", {"name": "one", "description": "One.", "steps": [step]})
    shared.put("patterns/index.json", {"version": "1"})
    shared.put("patterns/two.json", {"patterns": [{"name": "two", "steps": [step, step]}, {"name": "bad"}]})
    found = look(shared)
    assert [(item.name, item.description, item.steps) for item in found.workflows] == [
        ("one", "One.", ("demo run",)),
        ("two", None, ("demo run", "demo run")),
    ]
    assert [(problem.code, problem.pointer) for problem in found.problems] == [("not-a-workflow", "/patterns/1")]


def test_an_index_by_name_lists_and_its_hashes_hold(shared: Shared) -> None:
    good = shared.put("shims/good.json", program("good"))
    shared.put("shims/bad.json", program("bad"))
    checksum = f"sha256:{hashlib.sha256(good.read_bytes()).hexdigest()}"
    entries = {
        "good": {"version": "1.0", "path": "/shims/good.json", "checksum": checksum},
        "bad": {"version": "1.0", "path": "shims/bad.json", "checksum": f"sha256:{DIGITS}"},
        "away": {"version": "3.0", "path": "shims/away.json", "checksum": DIGITS},
        "out": {"version": "1.0", "path": "../../out.json", "checksum": f"sha256:{DIGITS}"},
    }
    shared.put("shims/index.json", {"version": "1", "shims": entries, "total": 4})
    found = look(shared)
    assert [(one.name, one.version, one.description is not None) for one in found.programs] == [
        ("away", "3.0", False),
        ("bad", "1.0", False),
        ("good", "1.0", True),
        ("out", "1.0", False),
    ]
    assert sorted(codes(found)) == ["bad-checksum", "bad-hash", "outside-folder"]


def test_a_catalogue_lists_one_program_a_hash(shared: Shared) -> None:
    shared.put_registry()
    versions = {
        "1.0": {"linux-amd64": f"sha256:{shared.digits}"},
        "2.0": {"linux-amd64": f"sha256:{DIGITS}", "x": "md5:1"},
    }
    tools = {"demo": {"description": "A program.", "versions": versions}}
    shared.put("shims/index.json", {"version": "1", "tools": tools, "totalShims": 2})
    shared.put(f"shims/sha256/{shared.digits}.json", program(binary=binary(shared.digits)))
    found = look(shared)
    assert [(one.name, one.version, one.path is not None, one.trust.evidence) for one in found.programs] == [
        ("demo", "1.0", True, "hash"),
        ("demo", "2.0", False, None),
    ]
    assert codes(found) == ["bad-hash"]


@for_each(
    "data, programs, others",
    [
        (program(), ["demo"], 0),
        (WRAPPED, ["demo"], 0),
        ({"version": "2", "tools": {"demo": {"path": "/opt/demo", "hash": f"sha256:{DIGITS}"}}}, ["demo"], 0),
        ({"version": "1", "shims": {"demo": {"version": "1", "path": "shims/demo.json"}}}, ["demo"], 0),
        ({"version": "1", "tools": {"demo": {"versions": {"1": {"x": f"sha256:{DIGITS}"}}}}}, ["demo"], 0),
        ({"registry": {"name": "m"}, "endpoints": {}}, [], 1),
        ({"policy": {"toolApprovals": {"blocked": ["rm"]}}}, [], 0),
        ({"registries": [{"name": "m", "url": "https://m.example"}]}, [], 1),
        ({"version": "1", "discovery": {"scan_timeout": "2s"}}, [], 1),
        ({"name": "p", "steps": [{"command": "demo"}]}, [], 1),
    ],
)
def test_the_content_of_a_named_file_tells_what_it_is(data: Any, programs: list[str], others: int) -> None:
    with new_shared() as shared:
        file = shared.put("anything.json", data)
        for path in (file, shared.root):  # a folder without the shared layout is a folder of such files
            found = discover([path])
            assert [one.name for one in found.programs] == programs
            assert len(found.registries + found.settings + found.workflows) == others
            assert codes(found) == []


@for_each("path", ["gone", "demo.txt"])
def test_a_path_that_leads_nowhere_is_a_problem_and_hides_no_other(path: str) -> None:
    with new_shared() as shared:
        good = shared.put("demo.json", program())
        shared.put("demo.txt", "prose")
        found = discover([shared.root / path, good])
        assert [one.name for one in found.programs] == ["demo"]
        assert len(found.problems) == 1


# -- our own state -----------------------------------------------------------------------------------------------------


def answer_of(shared: Shared, store: Store, data: Any, **more: Any) -> None:
    file = Fingerprint(str(shared.binary.resolve()), 9, shared.binary.stat().st_mtime_ns, shared.digits)
    provenance = Provenance("probe", file, "2026-02-01T00:00:00Z", (file.path, "--agent"), "none")
    store.save_answer(json.dumps(data).encode(), provenance, **more)


def test_what_a_program_answered_is_known_until_the_program_changes(shared: Shared) -> None:
    store = Store(shared.folder / "state")
    answer_of(shared, store, program(effects=UNSAFE))
    shared.put("tools/demo.json", program(effects=SAFE, version="0.9"))
    found = discover([shared.root], store=store)
    one = only(found)
    assert (one.obtained, one.version, one.path) == ("probe", "1.0", str(shared.binary.resolve()))
    assert found.to_json()["programs"][0]["description"]["asked"] == {
        "time": "2026-02-01T00:00:00Z",
        "argv": [one.path, "--agent"],
        "isolation": "none",
    }
    times = shared.binary.stat()
    shared.binary.write_bytes(b"\x7fELF dome")
    os.utime(shared.binary, ns=(times.st_atime_ns, times.st_mtime_ns))
    found = discover([shared.root], store=store)
    assert (only(found).obtained, only(found).version) == ("file", "0.9")
    assert codes(found) == ["changed-program"]


def test_an_answer_is_about_the_file_that_gave_it_whatever_that_calls_itself(shared: Shared) -> None:
    """15: the other program was asked with `--any-name`."""
    store = Store(shared.folder / "state")
    other = Shared(shared.folder / "other")
    other.binary.write_bytes(b"\x7fELF other")
    other.digits = hashlib.sha256(other.binary.read_bytes()).hexdigest()
    answer_of(other, store, program(effects=SAFE, version="6.6"))
    answer_of(shared, store, program(effects=UNSAFE))
    found = discover([shared.root], store=store)
    assert [(one.name, one.path, one.version, command_of(one).destructive) for one in found.programs] == [
        ("demo", str(other.binary.resolve()), "6.6", False),
        ("demo", str(shared.binary.resolve()), "1.0", True),
    ]
    assert all(one.additions == () and one.trust.evidence == "hash" for one in found.programs)


def test_two_paths_of_one_name_are_two_programs(shared: Shared) -> None:
    link = shared.folder / "link"
    link.symlink_to(shared.binary)
    tools = [
        {"name": "demo", "path": path, "source": "native"} for path in ("/opt/demo", str(shared.binary), str(link))
    ]
    shared.put("registry.json", {"version": "1", "lastScan": None, "tools": tools})
    shared.put("shims/demo.json", program())
    shared.put(f"shims/sha256/{shared.digits}.json", program(binary=binary(shared.digits), effects=UNSAFE))
    found = look(shared)
    assert [(one.path, one.trust.evidence, command_of(one).destructive) for one in found.programs] == [
        ("/opt/demo", None, None),
        (str(shared.binary), "hash", True),
    ]


def test_a_part_that_was_asked_for_is_partial_whatever_it_says(shared: Shared) -> None:
    """20."""
    store = Store(shared.folder / "state")
    answer_of(shared, store, program(), partial=True, commands=["run"])
    [one] = discover([], environment={"HOME": str(shared.folder)}, store=store).programs
    assert one.description is not None
    assert one.description.is_partial


def test_the_written_registry_knows_which_file_each_program_is(shared: Shared) -> None:
    shared.put_registry()
    shared.put("tools/demo.json", program())
    store = Store(shared.folder / "state")
    assert write_registry(look(shared).programs, store) == 1
    [known] = store.programs()
    assert known.program is not None
    assert (known.program.path, known.program.sha256) == (str(shared.binary.resolve()), shared.digits)
    assert codes(discover([shared.root], store=store)) == []
    shared.binary.write_bytes(b"other")
    assert codes(discover([shared.root], store=store)) == ["changed-program"]


def test_state_that_is_damaged_hides_nothing(shared: Shared) -> None:
    shared.put("tools/demo.json", program())
    store = Store(shared.folder / "state")
    Path(store.folder).mkdir()
    Path(store.path).write_text("{")
    found = discover([shared.root], store=store)
    assert [one.name for one in found.programs] == ["demo"]
    assert codes(found) == ["json-syntax"]


def test_the_registry_that_others_read_is_one_of_theirs() -> None:
    file = Fingerprint("/opt/demo", 3, 7, DIGITS)
    data = upstream_registry([("demo", file, False), ("asked", file, True)], "2026-02-01T00:00:00Z")
    reader = FileReader()
    entries = list(read_registry(reader, "registry.json", data))
    assert not reader.problems
    assert [(entry.name, entry.path, entry.sha256, entry.declared) for entry in entries] == [
        ("asked", "/opt/demo", DIGITS, "native"),
        ("demo", "/opt/demo", DIGITS, "shim"),
    ]


# -- nothing runs ------------------------------------------------------------------------------------------------------


def test_the_room_imports_nothing_that_runs_or_fetches() -> None:
    forbidden = {"subprocess", "socket", "ctypes", "multiprocessing", "urllib", "http", "asyncio", "pty"}
    for path in Path(discovery.__file__).parent.glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
        names |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert not forbidden & {name.partition(".")[0] for name in names}, path.name


# -- what upstream publishes -------------------------------------------------------------------------------------------


@pytest.mark.beside("upstream/atip")
def test_upstream_examples_are_read(tmp_path: Path) -> None:
    upstream = ROOT.parent / "shared" / "upstream" / "atip"
    shared = Shared(tmp_path)
    for source, name in (("gh.json", "gh"), ("minimal.json", "hello")):
        shared.put(f"tools/{name}.json", (upstream / source).read_text(encoding="utf-8"))
    found = look(shared)
    assert codes(found) == []
    assert [(one.name, one.trust.declared) for one in found.programs] == [("gh", "inferred"), ("hello", None)]
    described = [one.description for one in found.programs if one.description is not None]
    assert [len(list(leaves_of(item.tool))) > 1 for item in described] == [True, False]


@pytest.mark.beside("corpus/atip")
def test_upstream_files_of_registries_are_read() -> None:
    corpus = ROOT.parent / "shared" / "corpus" / "atip"
    found = discover([*corpus.glob("*registry-manifest.json"), *corpus.glob("*shims-*.json")])
    assert [item.name for item in found.registries] == ["Test ATIP Registry"]
    assert {one.name for one in found.programs} >= {"curl"}
