"""What stands behind a TOOL.md: actions, drivers, and references that lead nowhere or out of the repository."""

from __future__ import annotations

import json
import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

import toolglot
from rows import for_each
from toolglot.cli import main
from toolglot.converter import formats, safety
from toolglot.converter.formats import Record
from toolglot.converter.formats.aip14.actions import action_of
from toolglot.converter.formats.aip14.standard_actions import STANDARD
from toolglot.converter.formats.aip14.version_ranges import allows
from toolglot.converter.hub.model import Tool, from_json, to_json
from toolglot.converter.safety.inheritance import leaves_of
from toolglot.converter.text import document_reader, serialization
from toolglot.errors import DetectionError
from toolglot.verbs.diagnostics.diagnostic import Diagnostic

TOOL = {
    "name": "Weigh",
    "id": "post.weigh",
    "description": "Weigh a parcel.",
    "version": "1.2.0",
    "inputs": {"type": "object", "properties": {"shelf": {"type": "string"}}, "required": ["shelf"]},
    "outputs": {"type": "object", "properties": {"grams": {"type": "number"}}, "required": ["grams"]},
}
DANGER = {
    "id": "shelf:clear",
    "mutates": ["shelf:*"],
    "requires": {"network": ["shelf.example"], "secrets": ["shelf-key"], "tools": ["post.list"]},
    "risk_level": 3,
    "approval": "always",
    "category": "shelves",
}
DRIVER: dict[str, Any] = {
    "name": "Scale",
    "id": "scale-driver",
    "description": "Runs the scale.",
    "version": "1.0.0",
    "kind": "http",
    "implements": [{"tool": "post.weigh", "version": "^1.0.0"}],
}
UPSTREAM = Path(__file__).resolve().parents[2] / "shared" / "upstream" / "aip"
FOREIGN = [name for name in formats.targets() if name not in ("aip14", "hub")]


def markdown(**data: Any) -> str:
    return serialization.dump_front_matter(data, "\n# Notes\n")


def put(path: Path, **data: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(markdown(**data), "utf-8")
    return path


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    top = tmp_path / "repository"
    (top / ".git").mkdir(parents=True)
    return top


def read(source: Path | str) -> Tool:
    (tool,) = toolglot.read(source)
    return tool


def codes(found: list[Diagnostic]) -> list[str]:
    return sorted(f"{item.severity} {item.code} {item.pointer}" for item in found)


@for_each(
    ("own", "expected"),
    [
        ({}, []),
        ({"category": "boxes"}, ["error changes-action /category"]),
        ({"target_kind": "box"}, ["error changes-action /target_kind"]),
        ({"fires_events": ["cleared", "more"]}, ["error drops-events /fires_events"]),
        ({"fires_events": ["done", "cleared", "more"]},
         ["warning schema-additional-properties /fires_events"]),
        ({"approval": "always", "mutates": ["shelf:*", "shelf:b"]}, []),
        ({"mutates": ["shelf:*"]}, []),
    ],
)  # fmt: skip
def test_what_a_tool_has_from_its_action(own: dict[str, Any], expected: list[str]) -> None:
    action = {**DANGER, "target_kind": "shelf", "fires_events": ["cleared", "done"]}
    assert codes(toolglot.check(markdown(**TOOL, **own, implements={"inline": action}))) == expected


def test_the_category_of_an_action_reaches_other_formats() -> None:
    written = toolglot.convert(markdown(**TOOL, implements={"inline": DANGER}), "atdf").text
    assert json.loads(written)["metadata"]["category"] == "shelves"


def test_how_it_is_run_is_said_by_a_driver() -> None:
    found = toolglot.check(markdown(**TOOL, model="gpt-4"))
    assert codes(found) == ["warning driver-key /model"]
    assert "DRIVER.md" in found[0].message


# -- the standard library ------------------------------------------------------------------------------------------


@pytest.mark.beside("upstream")
def test_the_standard_library_says_what_it_says_upstream() -> None:
    published = {}
    for path in sorted((UPSTREAM / "actions").glob("*/ACTION.md")):
        action, faults = action_of(document_reader.load(path.read_bytes()).data)
        assert not faults
        published[action.id] = action
    assert published == STANDARD


def test_auto_with_a_change_is_raised_to_on_mutate() -> None:
    tool = read(markdown(**TOOL, implements="storage:commit"))
    assert (tool.mutates, tool.approval, tool.risk_level, tool.category) == (
        ("storage:*",), "on-mutate", 1, "filesystem",
    )  # fmt: skip


def test_a_reveal_without_a_change_is_conditional_and_never_never() -> None:
    source = markdown(**TOOL, implements="secrets:reveal")
    assert json.loads(toolglot.convert(source, "tool-descriptor").text)["tools"][0]["approval"] == "conditional"
    assert safety.caution(read(source))["approval"] == 2


@for_each("identifier", sorted(STANDARD))
@for_each("target", FOREIGN)
def test_what_an_action_says_reaches_every_target(identifier: str, target: str) -> None:
    facts = STANDARD[identifier]
    result = toolglot.convert(markdown(**TOOL, implements=identifier), target)
    asked = safety.caution(facts)
    for _, content in result.files:
        (tool,) = toolglot.read(content, target)
        (leaf,) = leaves_of(tool)
        shown = safety.caution(leaf.tool)
        assert not safety.breached_facets(asked, shown)


# -- the merged view -----------------------------------------------------------------------------------------------


def test_every_fact_is_the_stricter_of_both() -> None:
    own = {"mutates": ["log:*"], "risk_level": 1, "approval": "policy:a", "requires": {"network": ["log.example"]}}
    tool = read(markdown(**TOOL, **own, implements={"inline": DANGER}))
    assert (tool.mutates, tool.hosts) == (("log:*", "shelf:*"), ("log.example", "shelf.example"))
    assert (tool.secrets, tool.calls, tool.risk_level) == (("shelf-key",), ("post.list",), 3)
    assert (tool.approval, tool.category) == ("always", "shelves")


@for_each("reference", ["storage:commit", {"inline": DANGER}, {"ref": "nowhere:to"}, "@a/b/c", 7, None])
def test_the_document_is_written_as_it_was(reference: Any) -> None:
    found = formats.get("aip14")
    for own in ({}, {"mutates": [], "approval": "auto", "risk_level": 0}):
        data = {**TOOL, **own, "implements": reference}
        tool = found.read(Record(data, "\n# Notes\n"))
        assert found.write(tool, None).data == data
        assert found.write(from_json(to_json(tool)), None).data == data


def test_a_fact_that_was_changed_since_is_written() -> None:
    from msgspec.structs import replace

    found = formats.get("aip14")
    tool = found.read(Record({**TOOL, "implements": "storage:commit"}, ""))
    data = found.write(replace(tool, approval="always", risk_level=3), None).data
    assert (data["approval"], data["risk_level"]) == ("always", 3)
    assert "mutates" not in data


def test_the_report_says_where_a_fact_comes_from(repository: Path) -> None:
    path = put(repository / ".tools" / "weigh" / "TOOL.md", **TOOL, implements={"inline": DANGER})
    line = path.read_text("utf-8").splitlines().index("implements:") + 1
    changes = {change.path: change for change in toolglot.convert(path, "mcp").report.changes}
    for name in ("/mutates", "/hosts", "/risk_level", "/approval", "/inherits"):
        assert (changes[name].line or 0) >= line, name
    assert changes["/mutates"].note.endswith("inherited from shelf:clear")
    assert changes["/version"].note == "the target has no place for it"


# -- references ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "reference",
    ["shelf:clear", {"ref": "shelf:clear"}, "./actions/clear/ACTION.md", ".actions/clear/ACTION.md",
     {"file": "../../.actions/clear/ACTION.md"}, {"file": "/.actions/clear/ACTION.md"}],
)  # fmt: skip
def test_an_action_of_the_repository(repository: Path, reference: Any) -> None:
    put(repository / ".actions" / "clear" / "ACTION.md", schema="action/v1", description="Clear.", **DANGER)
    path = put(repository / ".tools" / "weigh" / "TOOL.md", **TOOL, implements=reference)
    assert (read(path).risk_level, read(path).approval) == (3, "always")
    assert codes(toolglot.check(path)) == []
    assert toolglot.convert(path, "aip14").text == toolglot.convert(path.read_text("utf-8"), "aip14").text
    for target in FOREIGN:
        assert all(change.direction != "riskier" for change in toolglot.convert(path, target).report.changes)


def test_an_action_with_the_id_of_a_standard_one_is_never_less_than_that(repository: Path) -> None:
    harmless = {"id": "storage:push", "description": "Says nothing.", "mutates": [], "risk_level": 2}
    put(repository / ".actions" / "push" / "ACTION.md", schema="action/v1", **harmless)
    tool = read(put(repository / ".tools" / "weigh" / "TOOL.md", **TOOL, implements="storage:push"))
    assert tool.risk_level == 2
    assert {"storage:*", "network:*"} <= {*(tool.mutates or ())}


@pytest.mark.parametrize(
    "reference",
    ["shelf:clear", "@owner/workspace/clear", "./../../outside/ACTION.md", {"file": "../../../outside/ACTION.md"},
     {"file": "/etc/passwd"}, {"file": "link/ACTION.md"}, {"file": "."}, {"file": "a\0b.md"}, {"file": "TOOL.md"},
     {"ref": 3}, {"inline": "x"}, {}, {"ref": "a", "file": "b"}, {"file": "big.md"}, {"file": "pipe.md"},
     {"file": "./" * 2_500 + "TOOL.md"}],
)  # fmt: skip
def test_what_leads_nowhere_is_an_error_and_as_dangerous_as_any_action(repository: Path, reference: Any) -> None:
    put(repository.parent / "outside" / "ACTION.md", schema="action/v1", description="x", **DANGER)
    folder = repository / ".tools"
    folder.mkdir()
    os.symlink(repository.parent / "outside", folder / "link")
    os.mkfifo(folder / "pipe.md")
    (folder / "big.md").write_bytes(b"---\nid: a\n---\n" + b"x" * 400_000)
    own = {"mutates": [], "risk_level": 0, "approval": "auto"}
    path = folder / "TOOL.md"
    path.write_text(serialization.dump_front_matter({**TOOL, **own, "implements": reference}, ""), "utf-8")
    if reference == {"file": "TOOL.md"}:  # that is front matter, but no action
        assert "error action-invalid /implements/file" in codes(toolglot.check(path)) or read(path).risk_level == 0
        return
    found = codes(toolglot.check(path))
    if reference != {}:
        assert any(line.startswith("error action-unresolvable /implements") for line in found), found
        levels = safety.caution(read(path))
        assert (levels["changes"], levels["destructive"], levels["irreversible"], levels["approval"]) == (2, 2, 2, 3)
    for target in formats.targets():
        result = toolglot.convert(path, target)
        not_found = [change.path for change in result.report.changes if change.code == "not-found"]
        assert not_found == (["/implements"] if reference and target != "aip14" else [])
        for _, content in result.files if reference else ():
            (leaf,) = leaves_of(next(iter(toolglot.read(content, target))))
            assert not safety.breached_facets(levels, safety.caution(leaf.tool)), target


@pytest.mark.parametrize("folders", [(".tools", ".actions"), (".tools/deep", "actions")])
def test_without_git_a_repository_is_what_holds_the_folders_of_the_specifications(
    tmp_path: Path, folders: tuple[str, str]
) -> None:
    put(tmp_path / "top" / folders[1] / "clear" / "ACTION.md", schema="action/v1", description="Clear.", **DANGER)
    path = put(tmp_path / "top" / folders[0] / "weigh" / "TOOL.md", **TOOL, implements="shelf:clear")
    assert read(path).risk_level == 3
    put(tmp_path / "actions" / "other" / "ACTION.md", schema="action/v1", description="x", id="out:side")
    path = put(path, **TOOL, implements="out:side")
    (finding,) = (item for item in toolglot.check(path) if item.code == "action-unresolvable")
    up = "/".join([".."] * (1 + len(folders[0].split("/"))))
    assert f"of the tool's folder or those above it, up to {up} has the id 'out:side'" in finding.message
    (change,) = (item for item in toolglot.convert(path, "mcp").report.changes if item.code == "not-found")
    assert (change.note, change.line) == (finding.message, finding.line)


@for_each("identifier", sorted(STANDARD))
def test_a_standard_action_is_known_by_the_address_of_its_library(identifier: str) -> None:
    slug = identifier.replace(":", "-")
    tool = read(markdown(**TOOL, implements=f"@agentik/actions-standard/{slug}"))
    assert (tool.inherits and tool.inherits.id) == identifier
    assert read(markdown(**TOOL, implements=f"@acme/actions-standard/{slug}")).inherits is None


@for_each(
    ("fault", "fact", "worst"),
    [
        ({"mutates": "shelf:*"}, "mutates", ("external:*",)),
        ({"risk_level": "high"}, "risk_level", 3),
        ({"riskLevel": 2}, "risk_level", 2),
        ({"risk_level": 9}, "risk_level", 3),
        ({"risklevel": 1}, "risk_level", 3),
        ({"approval": "never"}, "approval", "always"),
        ({"approvel": "auto"}, "approval", "always"),
        ({"requires": ["network"]}, "hosts", ("*",)),
        ({"requires": {"network": "a.example"}}, "hosts", ("*",)),
        ({"requires": {"netwrk": ["a.example"]}}, "hosts", ("*",)),
    ],
)
def test_what_cannot_be_read_in_an_action_is_the_worst(fault: dict[str, Any], fact: str, worst: Any) -> None:
    source = markdown(**TOOL, implements={"inline": {"id": "a:b", **fault}})
    assert getattr(read(source), fact) == worst
    if "riskLevel" not in fault:
        assert any(item.code == "action-invalid" and item.severity == "error" for item in toolglot.check(source))


WARNING_WORDS: list[dict[str, Any]] = [
    {"tags": ["shelf", "destructive"]}, {"description": "Burn it. [⚠️ DESTRUCTIVE]"}, {"name": "Burn [DESTRUCTIVE]"},
    {"category": "danger zone"}, {"metadata": {"destructive": True}},
]  # fmt: skip


@for_each("words", WARNING_WORDS)
def test_a_text_or_a_tag_of_an_action_or_a_driver_warns_of_every_tool_behind_it(words: dict[str, Any]) -> None:
    with TemporaryDirectory() as folder:
        harmless = markdown(**{**TOOL, "mutates": [], "implements": {"inline": {"id": "a:b", "mutates": [], **words}}})
        assert [item.code for item in toolglot.check(harmless) if item.code == "action-invalid"] == []
        path = put(Path(folder, "TOOL.md"), **{**TOOL, "mutates": []})
        assert safety.caution(read(path))["destructive"] == safety.SAFE
        put(Path(folder, "DRIVER.md"), **{**DRIVER, **words})
        for source in (harmless, path):
            assert safety.caution(read(source))["destructive"] == safety.UNSAFE


@for_each(
    ("says", "field", "expected"),
    [
        ({"x-needs-approval": True}, "approval", "always"),
        ({"x-destructive": True}, "risk_level", 3),
        ({"effects": {"destructive": True}}, "risk_level", None),
        ({"network": {"egress": ["a"]}, "mutating": True}, "hosts", ("a",)),
        ({"examples": [{"dangerous": True}], "runner": {"http": {"method": "DELETE"}}}, "risk_level", None),
    ],
)
def test_what_a_driver_states_of_danger_holds_for_its_tools(says: dict[str, Any], field: str, expected: Any) -> None:
    with TemporaryDirectory() as folder:
        path = put(Path(folder, "TOOL.md"), **TOOL)
        put(Path(folder, "DRIVER.md"), **{**DRIVER, **says})
        assert getattr(read(path), field) == expected


@for_each(
    ("own", "code"),
    [
        ({"mutates": []}, "error relaxes-mutates /mutates"),
        ({"mutates": ["shelf:a"], "approval": "always"}, "error relaxes-mutates /mutates"),
        ({"risk_level": 2}, "error relaxes-risk-level /risk_level"),
        ({"riskLevel": 2}, "error relaxes-risk-level /riskLevel"),
        ({"approval": "on-mutate"}, "error relaxes-approval /approval"),
        ({"approval": "policy:a"}, "error relaxes-approval /approval"),
        ({"requires": {"network": []}}, "error relaxes-network /requires/network"),
        ({"requires": {"secrets": ["other"]}}, "error relaxes-secrets /requires/secrets"),
        ({"requires": {"tools": []}}, "error relaxes-tools /requires/tools"),
    ],
)
def test_relaxing_is_an_error(own: dict[str, Any], code: str) -> None:
    assert code in codes(toolglot.check(markdown(**TOOL, **own, implements={"inline": DANGER})))


def test_adding_is_none() -> None:
    action = {"id": "a:b", "mutates": ["shelf:a"], "risk_level": 1, "approval": "on-mutate", "requires": {"tools": []}}
    own = {"mutates": ["shelf:*"], "risk_level": 2, "approval": "always", "requires": {"network": ["a.example"]}}
    found = codes(toolglot.check(markdown(**TOOL, **own, implements={"inline": action})))
    assert found == ["warning approval-order /approval"]


# -- drivers -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reference", ["post.weigh", "./tools/weigh/TOOL.md", "@acme/tools/post.weigh"])
def test_the_egress_of_a_driver_is_part_of_what_its_tool_may_do(repository: Path, reference: str) -> None:
    path = put(repository / ".tools" / "weigh" / "TOOL.md", **TOOL, mutates=[])
    assert read(path).hosts is None
    entry = {"implements": [{"tool": reference, "version": "^1.0.0"}]}
    put(repository / ".drivers" / "scale" / "DRIVER.md", **{**DRIVER, **entry}, network={"egress": ["scale.example"]})
    put(repository / ".drivers" / "other" / "DRIVER.md", **{**DRIVER, "implements": [{"tool": "a", "version": "*"}]},
        network={"egress": ["other.example"]})  # fmt: skip
    assert read(path).hosts == ("scale.example",)
    assert safety.caution(read(path))["network"] == safety.UNSAFE
    assert "hosts" not in toolglot.convert(path, "aip14").text
    assert toolglot.convert(path, "aip14").text == toolglot.convert(path.read_text("utf-8"), "aip14").text


CLI = {"name": "Post", "id": "post", "description": "Weigh parcels.", "version": "1.0.0", "bin": "post"}


@pytest.mark.parametrize("commands", [
    {"weigh": "./tools/weigh/TOOL.md"}, {"a": {"b": {"weigh": "tools/weigh/TOOL.md"}}}, {"weigh": "post.weigh"},
])  # fmt: skip
def test_the_egress_of_a_program_is_part_of_what_its_commands_may_do(
    repository: Path, commands: dict[str, Any]
) -> None:
    path = put(repository / ".cli" / "post" / "tools" / "weigh" / "TOOL.md", **TOOL, default_implementation="post")
    assert codes(toolglot.check(path)) == ["warning no-implementation /default_implementation"]
    sandbox = {"network": {"egress": ["post.example"]}}
    put(repository / ".cli" / "post" / "CLI.md", **CLI, commands=commands, sandbox=sandbox)
    put(repository / ".cli" / "other" / "CLI.md", **CLI, commands={"a": "a"}, sandbox={"network": {"egress": ["*"]}})
    assert read(path).hosts == ("post.example",)
    assert codes(toolglot.check(path)) == []


@pytest.mark.parametrize("network", [True, "scale.example", {"egress": "scale.example"}, {"egress": [1]}])
def test_egress_that_cannot_be_read_is_any(repository: Path, network: Any) -> None:
    path = put(repository / "TOOL.md", **TOOL)
    put(repository / "DRIVER.md", **DRIVER, network=network)
    assert read(path).hosts == ("*",)


@pytest.mark.parametrize(
    ("tool", "driver", "entry", "expected"),
    [
        ({}, {}, {}, []),
        ({}, {}, {"version": "^2.0.0"}, ["error version-range /implements/0/version"]),
        ({}, {}, {"version": "newest"}, ["error bad-range /implements/0/version"]),
        ({}, {}, {"tool": "post.other"}, ["warning no-such-tool /implements/0/tool"]),
        ({}, {}, {"tool": "./tools/other/TOOL.md"}, ["error no-such-tool /implements/0/tool"]),
        ({}, {}, {"tool": "@acme/a/post.other"}, []),
        ({"driver_constraints": {"forbid": ["http"]}}, {}, {}, ["error driver-kind /implements/0/tool"]),
        ({"driver_constraints": {"require_kind": ["cli"]}}, {}, {}, ["error driver-kind /implements/0/tool"]),
        ({"driver_constraints": {"require_kind": ["http"]}}, {}, {}, []),
        ({}, {"timeout_override_ms": 40_000}, {}, ["error driver-timeout /implements/0/tool"]),
        ({"timeout_ms": 100}, {}, {"timeout_override_ms": 101},
         ["error driver-timeout /implements/0/timeout_override_ms"]),
        ({"timeout_ms": 60_000}, {"timeout_override_ms": 40_000}, {}, []),
        ({}, {}, {"retry_override": {"max_attempts": 9}, "cost_override": {"cost_class": "expensive"}}, []),
        ({}, {}, {"schema_narrowing": {"drop_inputs": ["shelf"], "drop_outputs": ["grams"]}},
         ["error narrowing-required /implements/0/schema_narrowing/drop_inputs/0",
          "error narrowing-required /implements/0/schema_narrowing/drop_outputs/0"]),
        ({}, {"approval": "auto", "mutates": []}, {},
         ["error driver-contract /approval", "error driver-contract /mutates"]),
        ({"requires": {"network": ["a.example"]}}, {"network": {"egress": []}}, {},
         ["error driver-network /implements/0/tool"]),
        ({"requires": {"network": ["a.example", "*"]}}, {"network": {"egress": ["*.example"]}}, {}, []),
        ({"requires": {"network": ["a.example"]}}, {}, {}, []),
        ({}, {}, {"schema_narrowing": {"drop_inputs": ["colour"]}},
         ["error narrowing-unknown /implements/0/schema_narrowing/drop_inputs/0"]),
    ],
)  # fmt: skip
def test_a_driver_against_its_tool(
    repository: Path, tool: dict[str, Any], driver: dict[str, Any], entry: dict[str, Any], expected: list[str]
) -> None:
    put(repository / ".tools" / "weigh" / "TOOL.md", **TOOL, **tool)
    merged = {**DRIVER, **driver, "implements": [{**DRIVER["implements"][0], **entry}]}
    path = put(repository / ".drivers" / "scale" / "DRIVER.md", **merged)
    assert codes(toolglot.check(path)) == expected


def test_an_implementation_that_nobody_gives_is_a_warning(repository: Path) -> None:
    path = put(repository / ".tools" / "weigh" / "TOOL.md", **TOOL, default_implementation="scale-driver")
    assert codes(toolglot.check(path)) == ["warning no-implementation /default_implementation"]
    assert codes(toolglot.check(path.read_text("utf-8"))) == []
    put(repository / ".drivers" / "scale" / "DRIVER.md", **DRIVER)
    assert codes(toolglot.check(path)) == []


def test_many_and_broken_files_around_cost_little(repository: Path) -> None:
    for index in range(1500):
        folder = repository / ".drivers" / f"d{index}"
        folder.mkdir(parents=True)
        (folder / "DRIVER.md").write_text("---\nid: [\n---\n" if index % 2 else "no front matter", "utf-8")
    path = put(repository / "TOOL.md", **TOOL, default_implementation="xx")
    assert codes(toolglot.check(path)) == ["warning no-implementation /default_implementation"]


@for_each(
    ("range_", "version", "verdict"),
    [
        ("^1.2.3", "1.9.0", True), ("^1.2.3", "1.2.2", False), ("^0.2.3", "0.2.9", True), ("^0.2.3", "0.3.0", False),
        ("^0.0.3", "0.0.4", False), ("~1.2.3", "1.2.9", True), ("~1", "1.9.9", True), ("1.x", "1.4.0", True),
        ("1", "2.0.0", False), ("*", "7.0.0", True), ("", "7.0.0", True), (">=1.0.0 <2.0.0", "2.0.0", False),
        ("> 1.2", "1.2.9", False), (">1.2", "1.3.0", True), ("<=1.2", "1.2.9", True), ("1.2 - 1.4", "1.4.9", True),
        ("^1 || ^3", "3.1.0", True), ("=1.2.3", "1.2.3", True), ("v1.2.3", "1.2.3", True),
        ("^1.0.0-rc.1", "1.0.0", True),
        ("latest", "1.0.0", None), ("1.0.0", "one", None), ("^" * 500, "1.0.0", None),
        ("*", "9" * 5_000 + ".0.0", None),
        ("^1.2.3.4", "1.2.3", None),
    ],
)  # fmt: skip
def test_ranges_as_npm_reads_them(range_: str, version: str, verdict: bool | None) -> None:
    assert allows(range_, version) is verdict


NO_EGRESS: dict[str, Any] = {"kind": "mcp", "network": {"egress": []}}


@for_each(
    ("drivers", "source", "network"),
    [
        ([NO_EGRESS], "mcp", False),
        ([NO_EGRESS, {**NO_EGRESS, "kind": "cli", "network": {}, "sandbox": {"network": False}}], None, False),
        ([NO_EGRESS, {"kind": "mcp", "network": {"ingress": []}}], "mcp", None),
        ([NO_EGRESS, {**NO_EGRESS, "network": {"egress": ["a.example"]}}], "mcp", None),
        ([{**NO_EGRESS, "kind": "http"}], "connector", None),
        ([{**NO_EGRESS, "kind": "sdk"}], None, False),
        ([{"kind": "sdk"}], None, None),
        ([NO_EGRESS, "---\nid: [\n---\n"], None, None),
        ([], None, None),
    ],
)
def test_what_all_drivers_say_holds_for_their_tool(drivers: list[Any], source: str | None, network: Any) -> None:
    with TemporaryDirectory() as folder:
        path = put(Path(folder, ".tools", "a", "b", "TOOL.md"), **TOOL, requires={"network": []})
        for number, driver in enumerate(drivers):
            place = Path(folder, "drivers", *"abc"[: number + 1], "DRIVER.md")
            if isinstance(driver, str):
                place.parent.mkdir(parents=True)
                place.write_text(driver, "utf-8")
            else:
                put(place, **{**DRIVER, "id": f"d{number}", **driver})
        tool = read(path)
        assert (tool.source, tool.network) == (source, network)
        put(path, **TOOL, requires={"network": []}, default_implementation="not-here")
        assert (read(path).source, read(path).network) == (None, None)
        put(path, **TOOL, requires={"network": ["b.example"]})
        assert read(path).network is None


def test_a_driver_in_a_folder_that_cannot_be_followed_may_say_anything(repository: Path) -> None:
    path = put(repository / "TOOL.md", **TOOL)
    put(repository / "DRIVER.md", **{**DRIVER, **NO_EGRESS})
    assert read(path).network is False
    (repository / "drivers").mkdir()
    os.symlink(repository, repository / "drivers" / "more")
    assert read(path).network is None


def test_the_variables_of_a_driver_are_ways_to_sign_in(repository: Path) -> None:
    path = put(repository / "TOOL.md", **TOOL, requires={"secrets": ["post-key"]})
    put(
        repository / "DRIVER.md",
        **DRIVER,
        auth={"state": {"env": ["POST_KEY", "POST_TOKEN", "AKIAIOSFODNN7EXAMPL0", "sk-1"]}},
    )
    methods = json.loads(toolglot.convert(path, "atip@0.3").text)["authentication"]["methods"]
    assert methods == [{"type": "api-key", "envVar": "POST_KEY"}, {"type": "token", "envVar": "POST_TOKEN"}]
    assert toolglot.convert(path, "aip14").text == toolglot.convert(path.read_text("utf-8"), "aip14").text


# -- what check finds ----------------------------------------------------------------------------------------------


@for_each(
    ("own", "expected"),
    [
        ({"mutates": ["a:b"], "approval": "always", "risk_level": 0}, ["warning risk-mutates /risk_level"]),
        ({"driver_constraints": {"forbid": ["cli", "http"], "require_kind": ["http", "sdk"]}},
         ["error contradicting-kinds /driver_constraints/forbid"]),
        ({"driver_constraints": {"forbid": ["cli"], "require_kind": ["http"]}}, []),
        ({"examples": [{"name": "a", "input": {"shelf": 1}, "output": {"grams": 2}}]},
         ["warning example-invalid /examples/0/input"]),
        ({"examples": [{"name": "a", "input": {"shelf": "b"}, "output": {}}]},
         ["warning example-invalid /examples/0/output"]),
        ({"inputs": {"type": "object", "properties": {"n": {"type": "integer", "default": "x", "examples": [1, "y"]}},
                     "required": ["m"]}},
         ["warning default-invalid /inputs/properties/n/default",
          "warning example-invalid /inputs/properties/n/examples/1", "warning required-undeclared /inputs/required/0"]),
        ({"inputs": {"query": "string", "limit": {"type": ["integer", "null"]}, "x-kind": "string"}},
         ["warning stray-parameter /inputs/limit", "warning stray-parameter /inputs/query"]),
        ({"inputs": {"properties": {"n": {"type": "object", "m": {"type": "text"}, "unit": "number"}}}},
         ["warning stray-parameter /inputs/properties/n/m"]),
        ({"inputs": {"properties": {"n": {"type": "string", "ui": {"type": "string"}}}}}, []),
        ({"inputs": {"discriminator": {"propertyName": "n", "type": "string"},
                     "oneOf": [{"properties": {"n": {"const": "a"}}}]}}, []),
        ({"inputs": {"type": "object", "properties": {"n": {"type": "integer", "default": None}}}}, []),
        ({"inputs": {"type": "object", "properties": {
            "n": {"$ref": "#/$defs/a~1b%20c", "default": "x"}, "o": {"$ref": "#/properties/n", "default": 1},
            "p": {"items": {"$ref": "#/$defs/a~1b%20c"}, "examples": [[1], ["y"]]}},
            "$defs": {"a/b c": {"type": "integer"}}}},
         ["warning default-invalid /inputs/properties/n/default",
          "warning example-invalid /inputs/properties/p/examples/1"]),
        ({"inputs": {"type": "object", "properties": {
            "n": {"$ref": "https://example.invalid/a", "default": "x"}, "o": {"type": "integer", "default": "x"},
            "p": {"$ref": "#/nowhere", "default": "x"}}}},
         ["error dangling-ref /inputs/properties/p/$ref", "warning default-invalid /inputs/properties/o/default",
          "warning remote-ref /inputs/properties/n/$ref"]),
    ],
)  # fmt: skip
def test_what_contradicts_itself(own: dict[str, Any], expected: list[str]) -> None:
    assert codes(toolglot.check(markdown(**{**TOOL, **own}))) == expected


def test_one_identity_says_one_thing(repository: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    put(repository / "a" / "TOOL.md", **TOOL)
    put(repository / "b" / "TOOL.md", **TOOL)  # a copy says the same
    put(repository / "c" / "TOOL.md", **{**TOOL, "version": "2.0.0"}, risk_level=3)
    assert main(["check", str(repository)]) == 0
    capsysbinary.readouterr()
    put(repository / "b" / "TOOL.md", **{**TOOL, "description": "Weigh a letter."})
    assert main(["check", str(repository)]) == 0
    said = capsysbinary.readouterr().out
    assert said.count(b"a/TOOL.md describes post.weigh@1 too, in other words") == 1
    assert main(["check", "--fail-on", "warning", str(repository)]) == 1
    capsysbinary.readouterr()
    put(repository / "b" / "TOOL.md", **TOOL)
    put(repository / "d" / "TOOL.md", **TOOL, risk_level=3)
    assert main(["check", str(repository)]) == 1
    assert capsysbinary.readouterr().out.count(b"[same-id]") == 1


@for_each(("folder", "count"), [("post.weigh", 0), ("post-weigh", 0), ("post_weigh", 0), ("weigh", 1)])
def test_a_folder_is_called_like_its_tool(
    repository: Path, folder: str, count: int, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = put(repository / folder / "TOOL.md", **TOOL)
    assert codes(toolglot.check(path)) == []
    assert main(["check", "-v", str(path)]) == 0
    assert capsysbinary.readouterr().out.count(b"info: the folder of this tool") == count


# -- documents that are no tools -----------------------------------------------------------------------------------

NO_TOOLS: dict[str, dict[str, Any]] = {
    "WORKFLOW.md": {"name": "W", "id": "w.w", "description": "x", "version": "1.0.0", "steps": [{"tool": "a"}]},
    "flow.md": {"schema": "agentproto/workflow/v1", "name": "W", "id": "w.w", "description": "x", "version": "1.0.0"},
    "CLI.md": {"name": "C", "id": "c.c", "description": "x", "version": "1.0.0", "bin": "gh", "install": []},
    "SKILL.md": {"name": "sorting", "description": "How to sort parcels."},
    "sort.prompt.md": {"description": "Sort parcels.", "tools": ["post.weigh"], "model": "any"},
    "agent.md": {"name": "sorter", "description": "Sorts.", "tools": "Read, Write"},
    "RUNNER.md": {"schema": "agentrunner/v1", "id": "r.r", "description": "x", "version": "1.0.0"},
    "notes.md": TOOL,  # neither its name nor a line says that it is a tool
    "new.TOOL.md": {**TOOL, "schema": "agentproto/tool/v2"},
}


@pytest.mark.parametrize("name", NO_TOOLS)
def test_what_is_no_tool_is_never_converted_or_migrated(tmp_path: Path, name: str) -> None:
    path = put(tmp_path / name, **NO_TOOLS[name])
    before = path.read_bytes()
    for verb in (lambda: toolglot.convert(path, "mcp"), lambda: toolglot.read(path), lambda: toolglot.migrate(path)):
        with pytest.raises(DetectionError):
            verb()
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("name", "data"),
    [("TOOL.md", TOOL), ("weigh.TOOL.md", TOOL), ("notes.md", {**TOOL, "schema": "agentproto/tool/v1"}),
     ("notes.md", {**TOOL, "schema": "agenttool/v1"})],
)  # fmt: skip
def test_what_is_a_tool(tmp_path: Path, name: str, data: dict[str, Any]) -> None:
    path = put(tmp_path / name, **data)
    assert toolglot.detect(path) == "aip14"
    assert codes(toolglot.check(path)) == []
    assert toolglot.detect(path.read_text("utf-8")) == "aip14"  # a text has no name that could say otherwise


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("ACTION.md", {"schema": "action/v1", "id": "a:b", "description": "x"}, []),
        ("ACTION.md", {"schema": "action/v1", "id": "a:b", "description": "x", "risk_level": 7},
         ["error action-invalid /risk_level"]),
        ("ACTION.md", {"schema": "action/v1", "id": "A B"}, ["error schema-pattern /id", "error schema-required "]),
        ("DRIVER.md", {"kind": "ftp"}, ["error schema-enum /kind", *["error schema-required "] * 5]),
        ("SECRETS.md", {"secrets": [{"slug": "a-b", "name": "a", "description": "x"}]}, []),
        ("SECRETS.md", {"secrets": [{"slug": "a-b", "name": "a", "description": "x"}] * 2},
         ["error same-slug /secrets/1/slug"]),
        ("SECRETS.md", {"secrets": [{"slug": "a-b", "name": "a", "description": "x", "value": "hunter2hunter2"}]},
         ["error schema-additional-properties /secrets/0/value"]),
    ],
)  # fmt: skip
def test_manifests_are_checked_as_what_they_are(
    tmp_path: Path, name: str, data: dict[str, Any], expected: list[str]
) -> None:
    path = put(tmp_path / name, **data)
    found = codes(toolglot.check(path))
    assert [line for line in found if line not in expected] == []
    assert set(expected) <= set(found)
    with pytest.raises(DetectionError):
        toolglot.convert(path, "mcp")


MIGRATED = sorted((Path(__file__).parents[1] / "fixtures" / "migrate" / "aip14").glob("*/expected"))


@pytest.mark.parametrize("folder", MIGRATED, ids=lambda path: path.parent.name)
def test_what_migrate_writes_passes_check(repository: Path, folder: Path) -> None:
    for path in folder.glob("*.md"):
        (repository / path.name).write_bytes(path.read_bytes())
    for path in sorted(repository.glob("*.md")):
        found = [str(item) for item in toolglot.check(path)]
        assert not [line for line in found if " error: " in line], found


def test_migrate_does_not_relax_what_an_action_asks(tmp_path: Path) -> None:
    old = {
        **TOOL,
        "mutates": ["shelf:*"],
        "approval": "auto",
        "implements": {"inline": {"id": "a:b", "approval": "always"}},
    }
    assert "approval: always" in toolglot.migrate(markdown(**old)).text
