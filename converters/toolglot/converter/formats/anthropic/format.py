"""Anthropic tool definitions, as the Messages API takes them.

The tools that Anthropic runs or defines itself (`{"type": "bash_20250124", "name": "bash"}`) have no `input_schema`,
so nothing is known about their inputs.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from msgspec import UNSET

from toolglot.converter.formats import Checks, Format, Places, Provider, Record, Spelling
from toolglot.converter.formats.anthropic.detection import MARKS
from toolglot.converter.formats.anthropic.provider_limits import PROFILES
from toolglot.converter.formats.kit.definition_containers import definitions
from toolglot.converter.formats.kit.definitions import (
    CHANGES_FILES,
    RUNS_PROGRAMS,
    USES_NETWORK,
    argument_schema,
    definition_echoes,
    facts_by_type,
    find_refusals,
    function_id,
    name_by_type,
    put_description,
)
from toolglot.converter.formats.kit.description.facts_in_description import take_description
from toolglot.converter.formats.kit.field_tables import (
    Row,
    Table,
    fields_of,
    is_mapping,
    make_tool,
    order_keys,
    places,
    put,
    take,
    text,
)
from toolglot.converter.hub.model import Example, JsonSchema, Tool
from toolglot.converter.schema.newest_dialect import newest
from toolglot.converter.schema.validators import make_acceptor
from toolglot.converter.text.pointers import is_mappings, without_keys


def _load_inputs(schema: JsonSchema) -> JsonSchema:
    """A schema without the null that the API accepts in place of properties."""
    return newest({key: value for key, value in schema.items() if value is not None or key != "properties"})


def _dump_examples(examples: tuple[Example, ...]) -> list[Any]:
    """The inputs of the examples; a command line, or arguments that are no object, cannot be shown."""
    return [example.input for example in examples if example.input is not UNSET and isinstance(example.input, dict)]


_TABLE: Table = {
    "name": text("id"),
    "description": text("description"),
    "input_schema": Row("inputs", is_mapping, _load_inputs, has_spellings=True),
    "input_examples": Row(
        "examples", is_mappings, lambda items: tuple(Example(input=item) for item in items), _dump_examples
    ),
}
_HOLDS = fields_of(_TABLE)
_SHAPE_KEYS = ("name", "type", "input_schema")  # not written back for a tool that was read from another format
_REQUEST_KEYS = frozenset({"strict", "cache_control", "defer_loading", "allowed_callers", "eager_input_streaming"})


# Beginning of the type of a tool that Anthropic defines -> facts. A type ends in a date: `bash_20250124`.
_DANGERS = {
    "bash_": RUNS_PROGRAMS,
    "code_execution_": RUNS_PROGRAMS,
    "computer_": RUNS_PROGRAMS,
    "text_editor_": {"writes_files": True},
    "memory_": CHANGES_FILES,
    "web_": USES_NETWORK,
    "browser_": USES_NETWORK,
    "mcp_toolset": USES_NETWORK,
}
# Where a managed agent states whether a person is asked before a tool of a server is called.
_PERMISSION: Table = {
    "type": Row(
        "approval",
        lambda value: value == "always_ask",
        is_silent=lambda value: value in (None, "always_allow"),
        aliases=(("permission_policy", "type"), ("default_config", "permission_policy", "type")),
    )
}
_PERMISSIONS: Table = {"permission_policy": _PERMISSION, "default_config": {"permission_policy": _PERMISSION}}


def _read(record: Record) -> Tool:
    fields: dict[str, Any] = {**facts_by_type(record.data, _DANGERS)}
    rest = take(record.data, _TABLE, fields)
    if "id" not in fields:
        fields["id"], rest["name"] = name_by_type(record.data), None  # `_write` then writes no name
    take_description(fields, _HOLDS)
    return make_tool("anthropic", fields, rest)


def _write(tool: Tool, version: str | None) -> Record:
    own = tool.origin == "anthropic"
    rest = dict(tool.extension("anthropic"))
    if not own:
        rest = without_keys(rest, *_SHAPE_KEYS)
    data = put(tool, _TABLE, rest)
    if rest.get("name", "") is None:
        del data["name"]
    put_description(data, tool, _HOLDS, own)
    if _takes_input(rest):
        stated_schema = data.get("input_schema")
        if not isinstance(stated_schema, dict):
            stated_schema = None
        data["input_schema"] = argument_schema(stated_schema)
    if tool.examples and not own:
        schema = data.get("input_schema", {})  # the API refuses a request with an example that the schema refuses
        examples = list(filter(make_acceptor(schema, schema), data.pop("input_examples", ())))
        if examples:
            data["input_examples"] = examples
    return Record(order_keys(data, _TABLE))


def _takes_input(rest: dict[str, Any]) -> bool:
    """Whether a definition needs an `input_schema`: all do but those of tools that Anthropic defines."""
    return rest.get("type", "custom") in (None, "custom")


_POLICIES = {
    True: {"permission_policy": {"type": "always_ask"}},
    False: {"permission_policy": {"type": "always_allow"}},
}


def _approval_settings(asks: Mapping[str, bool]) -> dict[str, Any]:
    """The policies in an `mcp_toolset` of a managed agent. A person is also asked about tools that `asks` lacks."""
    configs = [{"name": name, **_POLICIES[is_asked]} for name, is_asked in asks.items()]
    return {"default_config": dict(_POLICIES[True]), "configs": configs}


FORMAT = Format(
    name="anthropic",
    title="Anthropic tool definitions",
    url="https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview",
    marks=MARKS,
    versions=("messages",),
    writes=("messages",),
    records=lambda data: list(definitions(data)),
    wrap=lambda records: {"tools": records},
    version_of=lambda record: "messages",
    holds=_HOLDS,
    places=Places(places(_TABLE)),
    read=_read,
    write=_write,
    identify=function_id,
    known_keys=_PERMISSIONS,
    spelling=Spelling(echoes=definition_echoes("anthropic", _TABLE, "custom")),
    checks=Checks(of_tool=partial(find_refusals, rows=PROFILES, place=lambda tool: ("messages", "/input_schema"))),
    provider=Provider(
        profiles=PROFILES,
        calls_module="toolglot.converter.formats.anthropic.calls",
        is_api=True,
        request_keys=_REQUEST_KEYS,
        is_hosted=lambda tool: not _takes_input(tool.extension("anthropic")),
        approval_settings=_approval_settings,
    ),
)
