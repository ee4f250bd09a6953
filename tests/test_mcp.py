"""What is special about MCP: its hints, its revisions, the shapes it is found in, and the vendor's own types."""

from __future__ import annotations

import importlib
import importlib.util
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import strategies
import toolglot
from golden import FIXTURES
from rows import for_each
from toolglot.converter import formats, safety
from toolglot.converter.formats import Record
from toolglot.converter.formats.kit.tool_ids import Name
from toolglot.converter.formats.mcp.hints import proven_hints
from toolglot.converter.hub import model
from toolglot.converter.hub.model import Tool
from toolglot.converter.safety.inheritance import leaves_of
from toolglot.converter.schema import canonical
from toolglot.errors import DetectionError

MCP = formats.get("mcp")
OBJECT = {"type": "object"}
REVISIONS = MCP.versions
OTHERS = [name for name in formats.targets() if name in strategies.RECORDS and name != "mcp"]

needs_vendor = pytest.mark.skipif(
    not importlib.util.find_spec("mcp_types"), reason="the vendor's package mcp is not installed"
)


def tool(**fields: Any) -> dict[str, Any]:
    return {"name": "t", "inputSchema": OBJECT, **fields}


def written(source: Any, to: str = "mcp") -> dict[str, Any]:
    (found,) = json.loads(toolglot.convert(source, to).text)["tools"]
    return dict(found)


def facts(**hints: Any) -> dict[str, Any]:
    return safety.stated_facts(toolglot.read_one(tool(annotations=hints)))


def codes(source: Any, name: str = "mcp") -> list[str]:
    return [found.code for found in toolglot.check(source, name)]


# -- hints read ------------------------------------------------------------------------------------------------


@for_each(
    ("hints", "expected"),
    [
        ({}, {}),
        ({"readOnlyHint": True}, {}),
        ({"readOnlyHint": False}, {"safety_tier": "write"}),
        ({"destructiveHint": True}, {"destructive": True}),
        ({"destructiveHint": False}, {}),
        ({"idempotentHint": True}, {}),
        ({"idempotentHint": False}, {}),
        ({"readOnlyHint": False, "idempotentHint": False}, {"safety_tier": "write", "idempotent": False}),
        ({"openWorldHint": True}, {"network": True}),
        ({"openWorldHint": False}, {}),
        ({"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False}, {}),
        ({"readOnlyHint": True, "destructiveHint": True}, {"destructive": True}),
        ({"readOnlyHint": True, "idempotentHint": False}, {}),
        ({"readOnlyHint": None, "destructiveHint": None, "idempotentHint": None, "openWorldHint": None}, {}),
        (
            {"readOnlyHint": "false", "destructiveHint": 1, "idempotentHint": "yes", "openWorldHint": 1},
            {"unclear": ("destructive", "idempotent", "modifies", "network")},
        ),
    ],
)  # fmt: skip
def test_what_a_hint_states(hints: dict[str, Any], expected: dict[str, Any]) -> None:
    assert facts(**hints) == expected


OAUTH = {"type": "oauth2", "scopes": ["read", "write"]}


@for_each(
    ("says", "expected"),
    [
        ({"securitySchemes": [OAUTH]}, {"auth_required": True, "scopes": ("read", "write")}),
        ({"_meta": {"securitySchemes": [OAUTH, {"type": "oauth2", "scopes": ["read", "all"]}]}},
         {"auth_required": True, "scopes": ("read", "write", "all")}),
        ({"_meta": {"securitySchemes": [{"type": "noauth"}]}, "securitySchemes": [OAUTH]},
         {"auth_required": True, "scopes": ("read", "write")}),
        ({"securitySchemes": [{"type": "oauth2"}]}, {"auth_required": True}),
        ({"securitySchemes": [{"type": "key"}]}, {"auth_required": True}),
        ({"securitySchemes": [{"type": "noauth"}]}, {}),
        ({"securitySchemes": [OAUTH, {"type": "noauth"}]}, {}),
        ({"securitySchemes": []}, {}),
        ({"securitySchemes": [OAUTH, "oauth2"]}, {}),
        ({"securitySchemes": {"type": "oauth2"}}, {}),
        ({"_meta": {"openai/visibility": "private"}}, {"hidden": True}),
        ({"_meta": {"openai/visibility": "public"}}, {"hidden": False}),
        ({"_meta": {"openai/visibility": ["private"]}}, {}),
    ],
)  # fmt: skip
def test_what_servers_of_the_apps_sdk_say_of_callers(says: dict[str, Any], expected: dict[str, Any]) -> None:
    record = {"name": "a", "inputSchema": {"type": "object"}, **says}
    tool = toolglot.read_one(record)
    facts = {name: getattr(tool, name) for name in ("auth_required", "scopes", "hidden")}
    assert {name: value for name, value in facts.items() if value is not None} == expected
    assert formats.get("mcp").write(tool, None).data == record
    scopes = {"auth_required": True, "scopes": ("other",)}
    again = toolglot.read_one(formats.get("mcp").write(msgspec.structs.replace(tool, **scopes), None).data)
    assert (again.auth_required, again.scopes) == (True, ("other",))


def test_a_read_only_claim_makes_nothing_look_safer_anywhere() -> None:
    claim = tool(annotations={"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True})
    assert written(claim, "tool-descriptor")["safetyTier"] == "write"
    found = toolglot.read_one(toolglot.convert(claim, "aip14").text)
    assert found.assumed == ("mutates", "approval", "risk_level", "cost_class", "version", "description")
    assert "READ-ONLY" not in toolglot.convert(claim, "atip").text
    assert written(claim)["annotations"] == claim["annotations"]
    assert codes({**claim, "description": "Lists them."}) == []


# -- hints written ---------------------------------------------------------------------------------------------


@for_each(
    ("says", "expected"),
    [
        ({}, {}),
        # readOnlyHint: true
        ({"safety_tier": "read"}, {"readOnlyHint": True, "destructiveHint": False}),
        ({"safety_tier": "pure"}, {"readOnlyHint": True, "destructiveHint": False}),
        ({"mutates": (), "risk_level": 0}, {"readOnlyHint": True, "destructiveHint": False}),
        (
            {"network": False, "writes_files": False, "deletes_files": False, "destructive": False},
            {"readOnlyHint": True, "destructiveHint": False, "openWorldHint": False},
        ),
        # ... and what keeps it from being true
        ({"mutates": (), "risk_level": 1}, {"readOnlyHint": False}),
        ({"network": False, "writes_files": False, "deletes_files": False}, {"openWorldHint": False}),
        ({"network": False, "writes_files": False, "destructive": False}, {"openWorldHint": False}),
        ({"risk_level": 0}, {}),
        ({"safety_tier": "read", "flags": ("changes-data",)}, {"readOnlyHint": False}),
        ({"mutates": (), "implements": "storage:commit"}, {"readOnlyHint": False, "destructiveHint": True}),
        # destructiveHint
        ({"destructive": True}, {"readOnlyHint": False, "destructiveHint": True}),
        ({"deletes_files": True, "destructive": False}, {"readOnlyHint": False, "destructiveHint": True}),
        ({"deletes": ("rows",)}, {"readOnlyHint": False, "destructiveHint": True}),
        ({"safety_tier": "write"}, {"readOnlyHint": False}),
        ({"safety_tier": "exec"}, {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": False}),
        ({"risk_level": 3}, {"readOnlyHint": False, "destructiveHint": True}),
        ({"flags": ("destructive",)}, {"readOnlyHint": False, "destructiveHint": True}),
        ({"destructive": False}, {}),
        ({"destructive": False, "modifies": (), "deletes": ()}, {}),
        ({"destructive": False, "modifies": (), "deletes": (), "deletes_files": False}, {"destructiveHint": False}),
        ({"destructive": False, "modifies": (), "deletes": (), "deletes_files": False, "reversible": False},
         {"readOnlyHint": False}),
        ({"destructive": False, "modifies": ("rows",), "deletes": (), "deletes_files": False}, {"readOnlyHint": False}),
        # idempotentHint
        ({"idempotent": True}, {"idempotentHint": True}),
        ({"idempotent": False}, {}),
        ({"idempotent": False, "modifies": ("*",)}, {"readOnlyHint": False, "idempotentHint": False}),
        ({"replay": "idempotent"}, {}),
        ({"replay": "non-deterministic"}, {}),
        # openWorldHint
        ({"network": True}, {"openWorldHint": True}),
        ({"hosts": ("a.example",)}, {"openWorldHint": True}),
        ({"egress": "safe-fetch"}, {"openWorldHint": True}),
        ({"egress": "none"}, {"openWorldHint": False}),
        ({"hosts": ()}, {}),
        ({"mutates": (), "idempotent": False}, {"readOnlyHint": True, "destructiveHint": False}),
        ({"hosts": (), "mutates": ("external:mail",)}, {"readOnlyHint": False}),
        ({"hosts": (), "mutates": ("network:mail",)}, {"readOnlyHint": False, "openWorldHint": True}),
        ({"network": False, "subprocess": True}, {"readOnlyHint": False}),
    ],
)  # fmt: skip
def test_which_hints_facts_prove(says: dict[str, Any], expected: dict[str, bool]) -> None:
    """A hint is written where facts prove it, and nowhere else."""
    assert proven_hints(Tool(id="t", **says)) == expected
    found = written(json.loads(toolglot.write(Tool(id="t", description="d", **says), "hub")))
    assert found.get("annotations", {}) == expected


@for_each(
    ("says", "words"),
    [
        ({"subprocess": True}, "runs other programs"),
        ({"deletes_files": True}, "deletes files"),
        ({"billable": True}, "BILLABLE"),
        ({"prompts": True}, "asks for input"),
        ({"auth_required": True}, "needs credentials"),
        ({"reversible": False}, "NOT REVERSIBLE"),
        ({"approval": "always"}, "ask the user for approval before every call"),
        ({"approval": "conditional"}, "some calls need approval by the user"),
        ({"risk_level": 3}, "NOT REVERSIBLE"),
        ({"cost_class": "expensive"}, "high cost"),
    ],
)
def test_a_danger_without_a_hint_stands_in_the_description(says: dict[str, Any], words: str) -> None:
    source = json.loads(toolglot.write(Tool(id="t", description="Do it.", **says), "hub"))
    assert words in written(source)["description"]


@given(data=st.data(), name=st.sampled_from(OTHERS))
def test_hints_never_say_more_than_the_facts(data: st.DataObject, name: str) -> None:
    for leaf in leaves_of(formats.get(name).read(data.draw(strategies.RECORDS[name]))):
        hints = proven_hints(leaf.tool)
        levels = safety.caution(leaf.tool)
        proofs = {"readOnlyHint": (True, "changes"), "destructiveHint": (False, "destructive"),
                  "idempotentHint": (True, "unrepeatable"), "openWorldHint": (False, "network")}  # fmt: skip
        for hint, (safe, facet) in proofs.items():
            assert hints.get(hint) is not safe or levels[facet] == safety.SAFE


# -- names, inputs, outputs ------------------------------------------------------------------------------------


@for_each(
    ("path", "expected"),
    [
        (("ls",), "ls"),
        (("repo.delete",), "repo.delete"),
        (("-x",), "-x"),
        (("gh", "pr", "list"), "gh_pr_list"),
        (("hello", ""), "hello"),
        (("mcp:fs read",), "mcp-fs-read"),
        (("日本",), "tool-cf2a"),
    ],
)
def test_ids(path: tuple[str, ...], expected: str) -> None:
    assert MCP.identify(Name(path)) == expected


def test_long_ids_stay_apart_and_short_enough() -> None:
    one, other = MCP.identify(Name(("a" * 200, "x"))), MCP.identify(Name(("a" * 200, "y")))
    assert one != other
    assert len(one) == len(other) == 128


def test_arguments_are_always_an_object() -> None:
    hub = {"toolglot": 1, "tools": [{"id": "t"}]}
    assert written(hub)["inputSchema"] == {**OBJECT, "additionalProperties": True}  # unknown, not none
    for inputs in ({}, {"type": ["object", "null"]}):
        assert written({"toolglot": 1, "tools": [{"id": "t", "inputs": inputs}]})["inputSchema"] == OBJECT
    reference = {"$ref": "#/$defs/a", "$defs": {"a": {}}}
    assert MCP.write(Tool(id="t", inputs=reference), None).data["inputSchema"] == {**OBJECT, **reference}
    assert codes(tool(description="Lists them.", inputSchema={"type": "array"})) == ["schema-const"]


def test_what_the_host_injects_is_never_an_argument() -> None:
    context = {"type": "object", "properties": {"tenant": {"type": "string"}}}
    result = toolglot.convert({"toolglot": 1, "tools": [{"id": "t", "context": context}]}, "mcp")
    assert "tenant" not in result.text
    assert "/context" in [change.path for change in result.report.changes]


@for_each("revision", REVISIONS)
@for_each("outputs", [{"type": "array"}, {"$ref": "#/$defs/a"}, {}, {"type": "object", "required": "x"}])
def test_an_output_that_a_revision_cannot_have_is_left_out_and_reported(revision: str, outputs: dict[str, Any]) -> None:
    source = {"toolglot": 1, "tools": [{"id": "t", "outputs": outputs}]}
    result = toolglot.convert(source, f"mcp@{revision}")
    (found,) = json.loads(result.text)["tools"]
    assert canonical.is_valid(found, f"mcp/{revision}")
    reported = any(change.path.startswith("/outputs") for change in result.report.changes)
    assert (found.get("outputSchema") == outputs) is not reported


@pytest.mark.parametrize("revision", REVISIONS)
def test_boolean_subschemas_are_said_as_objects_where_they_must_be(revision: str) -> None:
    properties = {"any": True, "none": False, "text": {"type": "string"}}
    plain = {"any": {}, "none": {"not": {}}, "text": {"type": "string"}}
    schema = {"type": "object", "properties": properties}
    found = MCP.write(Tool(id="t", inputs=schema, outputs=schema), revision).data
    expected = properties if revision == "2026-07-28" else plain
    assert found["inputSchema"]["properties"] == found["outputSchema"]["properties"] == expected


def test_headers_stay_in_the_schema() -> None:
    inputs = {"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}}
    assert written(tool(inputSchema=inputs))["inputSchema"] == inputs


# -- revisions -------------------------------------------------------------------------------------------------


@for_each(
    ("record", "revision"),
    [
        (tool(), "2026-07-28"),
        (tool(icons=[]), "2026-07-28"),
        (tool(outputSchema={"type": "array"}), "2026-07-28"),
        (tool(execution={}), "2025-11-25"),
        (tool(execution={}, outputSchema=OBJECT), "2025-11-25"),
        (tool(execution={}, outputSchema={"type": "array"}), "2026-07-28"),
        (tool(execution={}, inputSchema={**OBJECT, "properties": {"a": True}}), "2026-07-28"),
    ],
)
def test_the_revision_of_a_record(record: dict[str, Any], revision: str) -> None:
    assert MCP.version_of(record) == revision
    assert canonical.is_valid(record, f"mcp/{revision}")


@for_each("revision", REVISIONS)
def test_what_revisions_share_goes_from_one_to_another(revision: str) -> None:
    record = tool(annotations={"destructiveHint": True, "idempotentHint": True}, _meta={"a.example/b": 1})
    conversion = toolglot.convert(record, f"mcp@{revision}")
    assert json.loads(conversion.text)["tools"] == [record]
    assert conversion.report.losses == ()


@given(record=strategies.RECORDS["mcp"], revision=st.sampled_from(REVISIONS))
def test_what_is_valid_in_a_revision_is_valid_in_its_own(record: Record, revision: str) -> None:
    if canonical.is_valid(record.data, f"mcp/{revision}"):
        assert canonical.is_valid(record.data, f"mcp/{MCP.version_of(record.data)}")


# -- containers and odd shapes ---------------------------------------------------------------------------------


@for_each(
    ("data", "pointers"),
    [
        (tool(), [""]),
        ([tool(), tool()], ["/0", "/1"]),
        ({"tools": [tool()], "nextCursor": "x", "ttlMs": 1}, ["/tools/0"]),
        ({"jsonrpc": "2.0", "id": 1, "result": {"tools": [tool()]}}, ["/result/tools/0"]),
        ({"name": "server", "arguments": {}, "tools": [tool()]}, ["/tools/0"]),
        ([{"name": "a", "tools": [tool()]}, {"name": "b", "tools": [tool()]}], ["/0/tools/0", "/1/tools/0"]),
        ([{"tools": {"a/b": {"tools": [tool()]}}}], ["/0/tools/a~1b/tools/0"]),
        ({"consolidated_tools": [tool()]}, ["/consolidated_tools/0"]),
        ({"status": 200, "results": [tool()]}, ["/results/0"]),
        ({"jsonrpc": "2.0", "id": 1, "result": {"tools": []}}, []),
        ({"tools": [], "resultType": "complete"}, []),
    ],
)
def test_containers(data: Any, pointers: list[str]) -> None:
    assert toolglot.detect(data) == "mcp"
    assert [record.pointer for record in MCP.records(data)] == pointers
    assert len(toolglot.read(data)) == len(pointers)


@for_each(
    "data",
    [
        [], {"tools": []}, {"name": "a", "description": "b"}, {"tools": None}, {"jsonrpc": "2.0", "id": 1, "result": 5},
        [{"name": "lodash", "description": "Utilities.", "version": "4.17.21"}], [{"name": "a"}],
        {"tools": [{"name": 5}]},
        {"jsonrpc": "2.0", "id": 1, "error": {"code": -32601, "message": "no"}},
    ],
)  # fmt: skip
def test_what_is_not_detected(data: Any) -> None:
    with pytest.raises(DetectionError):
        toolglot.detect(data)


@for_each("around", [{}, {"name": "mail"}, {"serverInfo": {"name": "mail"}}])
def test_how_an_answer_was_asked_for_is_no_loss(around: dict[str, Any]) -> None:
    answer = {"jsonrpc": "2.0", "id": 1, "result": {**around, "tools": [tool()]}}
    assert not toolglot.convert(answer, "hub").report.losses
    told = {**answer, "server": "mail"}
    assert [change.path for change in toolglot.convert(told, "hub").report.losses] == ["/server"]


@for_each(
    ("execution", "lost"),
    [
        ({"taskSupport": "forbidden"}, []),
        ({"taskSupport": "forbidden", "queue": "slow"}, ["/extensions/mcp/execution/queue"]),
        ({"taskSupport": "optional"}, ["/extensions/mcp/execution"]),
    ],
)
def test_that_tasks_are_forbidden_says_what_silence_says(execution: dict[str, Any], lost: list[str]) -> None:
    told, silent = ({"tools": [tool(**facts)]} for facts in ({"execution": execution}, {}))
    assert [change.path for change in toolglot.convert(told, "openai").report.losses] == lost
    assert bool(toolglot.diff(told, silent).changes) == bool(lost)


def test_a_list_of_arguments_is_read_as_parameters() -> None:
    (found,) = toolglot.read(FIXTURES / "tolerated" / "mcp" / "arguments-list.json")
    assert found.inputs == {
        "type": "object",
        "properties": {
            "parcel": {"type": "string", "description": "Its number."},
            "labels": {"type": "array", "description": "What to print.", "items": {"type": "string"}},
        },
        "required": ["parcel"],
    }


def test_two_arguments_of_one_name_are_not_guessed_at() -> None:
    (found,) = toolglot.read(FIXTURES / "tolerated" / "mcp" / "arguments-twice.json")
    assert found.inputs is None


def test_a_property_called_properties_is_a_property() -> None:
    (found,) = toolglot.read(FIXTURES / "tolerated" / "mcp" / "bare-property-called-properties.json")
    assert found.inputs is not None
    assert list(found.inputs["properties"]) == ["properties"]


@for_each("path", sorted((FIXTURES / "tolerated" / "mcp").glob("*.json")), ids=lambda path: path.stem)
def test_what_is_tolerated_is_written_valid(path: Path) -> None:
    result = toolglot.convert(path, "mcp")
    for record in MCP.records(json.loads(result.text)):
        assert canonical.is_valid(record.data, f"mcp/{MCP.version_of(record.data)}")


def test_a_dumped_tool_that_also_has_a_key_of_the_wire_loses_neither() -> None:
    hints = {"destructiveHint": True, "destructive_hint": False}
    dumped = {"name": "rm", "input_schema": {"type": "object"}, "output_schema": None, "meta": {"a": 1}, "_meta": {}}
    tool = toolglot.read_one({**dumped, "annotations": hints}, "mcp")
    assert tool.destructive is True
    assert tool.extension("mcp")["meta"] == {"a": 1}


def test_null_is_taken_for_absent_and_the_rest_kept() -> None:
    source = tool(description=None, annotations={"readOnlyHint": True, "destructiveHint": None}, other=None)
    assert written(source) == tool(annotations={"readOnlyHint": True}, other=None)
    assert written(tool(annotations=None)) == tool()


@pytest.mark.parametrize(
    ("record", "title"),
    [
        (tool(title="A"), "A"),
        (tool(annotations={"title": "B"}), "B"),
        (tool(title="A", annotations={"title": "B"}), "A"),
        (tool(title="A", annotations={"title": "A"}), "A"),
    ],
)
def test_the_title_is_the_one_that_hosts_show(record: dict[str, Any], title: str) -> None:
    found = toolglot.read_one(record)
    assert found.title == title
    assert written(record) == record
    renamed = MCP.write(model.from_json({**model.to_json(found), "title": "C"}), None).data
    assert toolglot.read_one(renamed).title == "C"


def test_headers_that_clients_refuse_are_reported() -> None:
    path = FIXTURES / "tolerated" / "mcp" / "headers.json"
    assert codes(path).count("bad-header") == 4
    assert "bad-header" not in codes(FIXTURES / "identity" / "mcp" / "header.json")


def test_the_slot_stands_where_the_protocol_allows_it() -> None:
    prefix, _, name = MCP.slot.path[-1].partition("/")
    assert prefix.split(".")[1] not in ("mcp", "modelcontextprotocol")
    assert name.isalpha()
    source = {"toolId": "a", "source": "mcp", "safetyTier": "write", "costHint": "low"}
    for revision in REVISIONS:
        text = toolglot.convert(source, f"mcp@{revision}", lossless=True).text
        assert toolglot.read(text, restore=True) == toolglot.read(source)
        assert canonical.is_valid(json.loads(text)["tools"][0], f"mcp/{revision}")


FROM_A_SERVER: dict[str, Callable[[list[Any]], dict[str, Any]]] = {
    "pulled": lambda tools: {"tools": {"mail": {"tools": tools, "toolglot": {"origin": {"server": "mail"}}}}},
    "pulled, without a name": lambda tools: {"tools": tools, "toolglot": {"origin": {"transport": "stdio"}}},
    "an answer": lambda tools: {"jsonrpc": "2.0", "id": 1, "result": {"tools": tools}},
}


@for_each("shape", list(FROM_A_SERVER))
def test_a_server_cannot_vouch_for_itself_with_a_slot(shape: str) -> None:
    harmless = {"toolId": "wipe", "source": "mcp", "safetyTier": "pure", "approval": "never"}
    tools = json.loads(toolglot.convert(harmless, "mcp", lossless=True).text)["tools"]
    [believed] = toolglot.read({"tools": tools}, restore=True)
    assert believed.safety_tier == "pure"
    for document in ({"tools": tools}, FROM_A_SERVER[shape](tools)):
        [found] = toolglot.read(document, format="mcp")
        assert (found.safety_tier, found.approval, found.mutates) == (None, None, None)


# -- the vendor's own types ------------------------------------------------------------------------------------


def vendor_accepts(record: dict[str, Any], revision: str) -> None:
    known = importlib.import_module("mcp.types").Tool
    found = known.model_validate(record)
    assert found.name == record["name"]
    assert found.input_schema["type"] == "object"
    assert set(record) <= {field.alias or name for name, field in known.model_fields.items()}
    if revision != "2025-06-18":  # the package has no strict types of that revision
        importlib.import_module(f"mcp_types._v{revision.replace('-', '_')}").Tool.model_validate(record)


@needs_vendor
@for_each("revision", REVISIONS)
@for_each("path", sorted((FIXTURES / "cases").glob("*/hub.json")), ids=lambda path: path.parent.name)
def test_the_vendor_accepts_every_case(path: Path, revision: str) -> None:
    for lossless in (False, True):
        for record in json.loads(toolglot.convert(path, f"mcp@{revision}", lossless=lossless).text)["tools"]:
            vendor_accepts(record, revision)
            jsonschema.Draft202012Validator.check_schema(record["inputSchema"])  # the types do not look


@needs_vendor
@given(data=st.data(), revision=st.sampled_from(REVISIONS))
def test_the_vendor_accepts_what_is_written_from_any_format(data: st.DataObject, revision: str) -> None:
    name = data.draw(st.sampled_from(OTHERS))
    for leaf in leaves_of(formats.get(name).read(data.draw(strategies.RECORDS[name]))):
        for record in json.loads(toolglot.write(leaf.tool, f"mcp@{revision}"))["tools"]:
            vendor_accepts(record, revision)


@needs_vendor
@given(record=strategies.RECORDS["mcp"], revision=st.sampled_from(REVISIONS[1:]))
def test_what_the_vendor_refuses_our_schemas_refuse(record: Record, revision: str) -> None:
    strict = importlib.import_module(f"mcp_types._v{revision.replace('-', '_')}").Tool
    ours = canonical.is_valid(record.data, f"mcp/{revision}")
    try:
        strict.model_validate(record.data)
    except ValueError:
        assert not ours
