"""OpenAI function definitions, in the shapes of Chat Completions and of the Responses API.

`{"type": "function", "function": {...}}` and the bare `{"name", "description", "parameters"}` inside it are version
`chat`, the flat shape is `responses`. A namespace is a container: its functions are read one by one. The input of a
custom tool is free text, which is the parameter `input` elsewhere. Nothing is known about the inputs of the tools that
OpenAI runs itself.

A function without `parameters` takes none (API reference, `FunctionObject`); that is a statement, not a gap.

How a definition was shaped stays in the extension, under keys that say nothing else there: `type` is absent for the
wrapped shape and null for the bare one, and a null `name` or `parameters` was not written. `strict` stands at the
top of the extension in every shape.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from toolglot.converter.formats import Checks, Format, Places, Provider, Record, Spelling
from toolglot.converter.formats.kit.definition_containers import definitions
from toolglot.converter.formats.kit.definitions import (
    CHANGES_FILES,
    NO_ARGUMENTS,
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
    Table,
    as_spelled,
    fields_of,
    make_tool,
    places,
    schema,
    take,
    text,
)
from toolglot.converter.formats.openai.detection import MARKS, WRAPPERS, shape_of
from toolglot.converter.formats.openai.provider_limits import PROFILES
from toolglot.converter.hub.model import Tool
from toolglot.converter.text.pointers import mapping_at, without_keys

_DESCRIPTION_LIMIT = PROFILES[0].description_limit  # of all rows, because a writer does not know for which it writes

_NAMED: Table = {"name": text("id"), "description": text("description")}
_FUNCTION: Table = {**_NAMED, "parameters": schema("inputs")}
_TABLES: dict[str, Table] = {
    "wrapped": {"function": _FUNCTION},
    "bare": _FUNCTION,
    "flat": {**_FUNCTION, "output_schema": schema("outputs")},
    "custom": {"custom": _NAMED},
    "hosted": _NAMED,  # what OpenAI runs itself, and the flat shape of a custom tool
}
_PLACES = {shape: places(table) for shape, table in _TABLES.items()}
_CUSTOM_PLACES = {field: (place,) for field, place in _PLACES["custom"].items()}
_SHAPES = {"chat": ("wrapped", "custom"), "responses": ("flat", "hosted")}
_FUNCTIONS = ("wrapped", "bare", "flat")
_FREE_TEXT = {"type": "object", "properties": {"input": {"type": "string"}}, "required": ["input"]}  # as calls have it
_SHAPE_KEYS = frozenset({"type", "name", "parameters", "function", "custom"})
_RESPONSES_ONLY = frozenset({"output_schema", "allowed_callers", "defer_loading", "async"})
_HOLDS = fields_of(_TABLES["flat"])

# -- reading --------------------------------------------------------------------------------------------------


# What OpenAI defines itself, by the beginning of its type; several have a date behind it.
_DANGERS = {
    "code_interpreter": RUNS_PROGRAMS,
    "computer": RUNS_PROGRAMS,
    "shell": RUNS_PROGRAMS,
    "local_shell": RUNS_PROGRAMS,
    "apply_patch": CHANGES_FILES,
    "web_search": USES_NETWORK,
    "mcp": USES_NETWORK,
}


def _read(record: Record) -> Tool:
    data = record.data
    shape = shape_of(data)
    fields: dict[str, Any] = {}
    if shape == "hosted":
        fields.update(facts_by_type(data, _DANGERS))
    rest = take(data, _TABLES[shape], fields)
    if shape in WRAPPERS:
        rest = _unwrap(rest, shape)
    elif shape == "bare":
        rest["type"] = None
    if "id" not in fields:
        fields["id"], rest["name"] = name_by_type(data), None
    if shape in _FUNCTIONS and "inputs" not in fields:
        fields["inputs"] = dict(NO_ARGUMENTS)
        rest.setdefault("parameters", None)
    if data.get("type") == "custom":
        fields["inputs"] = dict(_FREE_TEXT)
    take_description(fields, _HOLDS)
    return make_tool("openai", fields, rest)


def _unwrap(rest: dict[str, Any], shape: str) -> dict[str, Any]:
    """What is left of a wrapped definition, as the extension holds it."""
    wrapper = WRAPPERS[shape]
    inner = dict(rest.get(wrapper, {}))
    if shape == "custom":
        return {**rest, wrapper: inner}  # even if nothing is left in it, to tell it from the flat shape
    extension = without_keys(rest, "type", wrapper)
    for key in ("strict", "parameters"):
        if key in inner and key not in extension:
            extension[key] = inner.pop(key)
    if inner:
        extension[wrapper] = inner
    return extension


# -- writing --------------------------------------------------------------------------------------------------


def _write(tool: Tool, version: str | None) -> Record:
    own = tool.origin == "openai"
    rest = dict(tool.extension("openai"))
    if own:
        shape = _shape_of_rest(rest)
    else:
        shape, rest, version = "bare", without_keys(rest, *_SHAPE_KEYS), version or "chat"
    if version is not None:
        shape, rest = _reshape(shape, rest, version)
    definition: dict[str, Any] = {}
    if rest.get("name", "") is not None:
        definition["name"] = tool.id
    put_description(definition, tool, _HOLDS, own, _DESCRIPTION_LIMIT)
    if shape in _FUNCTIONS:
        definition.update(_parameter_keys(tool, rest, shape))
    if shape == "flat" and tool.outputs is not None:
        definition["output_schema"] = as_spelled(tool.outputs, rest.get("output_schema"))
    rest = _without_written(rest, definition)
    if shape in WRAPPERS:
        return Record(_wrap(definition, rest, shape))
    if shape != "bare":
        definition = {"type": rest.get("type", "function"), **definition}
    return Record({**definition, **without_keys(rest, *definition)})


def _without_written(rest: dict[str, Any], definition: dict[str, Any]) -> dict[str, Any]:
    """What is left to write: no schema that the definition has as it was spelled, and no mark of a shape."""
    written = [key for key, value in rest.items() if isinstance(value, dict) and definition.get(key) is value]
    marks = [key for key in _SHAPE_KEYS if rest.get(key) is None]
    return without_keys(rest, *written, *marks)


def _wrap(definition: dict[str, Any], rest: dict[str, Any], shape: str) -> dict[str, Any]:
    """A definition inside the key of its shape."""
    key = WRAPPERS[shape]
    siblings = without_keys(rest, "type", key)
    if shape == "wrapped":
        siblings.pop("strict", None)
    inner = {**definition, **without_keys(mapping_at(rest, key), *definition)}
    return {"type": key, key: inner, **siblings}


def _shape_of_rest(rest: dict[str, Any]) -> str:
    """The shape that `_read` left this of."""
    if "type" not in rest:
        return "wrapped"
    return shape_of({**rest, "function": None})


def _reshape(shape: str, rest: dict[str, Any], version: str) -> tuple[str, dict[str, Any]]:
    """The shape of a version for a definition that had another one, and what is left beside its fields."""
    if shape in _SHAPES[version] or (shape == "hosted" and rest["type"] != "custom"):
        return shape, rest  # what OpenAI runs itself exists as it is, or not at all
    flat = without_keys(rest, *WRAPPERS.values())
    if shape in WRAPPERS:
        flat |= mapping_at(rest, WRAPPERS[shape])
    function, custom = _SHAPES[version]
    if shape in _FUNCTIONS:
        foreign_keys = ["type"]
        if version == "chat":
            foreign_keys += _RESPONSES_ONLY
        return function, without_keys(flat, *foreign_keys)
    if version == "chat":
        flat["custom"] = {}
        if "format" in flat:
            flat["custom"]["format"] = flat.pop("format")
    return custom, flat


def _parameter_keys(tool: Tool, rest: dict[str, Any], shape: str) -> dict[str, Any]:
    """`parameters` and `strict`, which the flat shape always has."""
    is_silent = "parameters" in rest and rest["parameters"] is None and tool.inputs in (None, NO_ARGUMENTS)
    keys: dict[str, Any] = {}
    if not is_silent:
        keys["parameters"] = as_spelled(argument_schema(tool.inputs), rest.get("parameters"))
    elif shape == "flat":
        keys["parameters"] = None
    if shape == "flat" or "strict" in rest:
        keys["strict"] = rest.get("strict", False)
    return keys


def _schema_place(tool: Tool) -> tuple[str, str]:
    shape = _shape_of_rest(tool.extension("openai"))
    if shape == "wrapped":
        return ("chat", "/function/parameters")
    return ("responses", "/parameters")


# -- documents ------------------------------------------------------------------------------------------------


def _approval_settings(asks: Mapping[str, bool]) -> dict[str, Any]:
    """What stands in the tool `mcp` of the Responses API: what nothing names is asked about.

    `read_only` in its filters goes by hints that nobody vouches for, so tools are named one by one.
    """
    names_by_word: dict[str, list[str]] = {"always": [], "never": []}
    for name, is_asked in asks.items():
        names_by_word["always" if is_asked else "never"].append(name)
    if not names_by_word["never"]:
        return {"require_approval": "always"}
    return {"require_approval": {word: {"tool_names": names} for word, names in names_by_word.items() if names}}


FORMAT = Format(
    name="openai",
    title="OpenAI function definitions",
    url="https://platform.openai.com/docs/guides/function-calling",
    marks=MARKS,
    versions=("chat", "responses"),
    writes=("responses", "chat"),
    records=lambda data: list(definitions(data)),
    wrap=lambda records: {"tools": records},
    version_of=lambda data: "responses" if shape_of(data) in ("flat", "hosted") else "chat",
    holds=_HOLDS,
    places=Places(
        _PLACES["wrapped"],
        {"extensions": ("/function/",)},
        without={"function": Places(_PLACES["flat"], _CUSTOM_PLACES)},
    ),
    read=_read,
    write=_write,
    identify=function_id,
    spelling=Spelling(echoes=definition_echoes("openai", _TABLES["flat"], "function")),
    checks=Checks(of_tool=partial(find_refusals, rows=PROFILES, place=_schema_place)),
    provider=Provider(
        profiles=PROFILES,
        calls_module="toolglot.converter.formats.openai.calls",
        is_api=True,
        request_keys=frozenset({"strict", *_RESPONSES_ONLY}),
        is_hosted=lambda tool: _shape_of_rest(tool.extension("openai")) not in _FUNCTIONS,
        approval_settings=_approval_settings,
    ),
)
