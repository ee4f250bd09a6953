"""Gemini function declarations, with schemas in the OpenAPI dialect (`parameters`) or in JSON Schema.

The extension keeps the key that held the schema of a declaration: with null as its value, or with the whole schema if
the writer would spell it in another way. A declaration without a schema takes no arguments, and a tool that takes none
is written without a schema.

The tools that Google runs itself (`{"googleSearch": {}}`) stand beside the declarations, in objects of their own or in
the same, and have no name.
"""

from __future__ import annotations

from functools import partial
from itertools import groupby
from typing import Any

from msgspec.structs import replace

from toolglot.converter.formats import Checks, Format, Places, Provider, Record, Spelling
from toolglot.converter.formats.gemini.detection import MARKS
from toolglot.converter.formats.gemini.openapi_dialect import from_openapi, to_openapi
from toolglot.converter.formats.gemini.provider_limits import PROFILES
from toolglot.converter.formats.kit.definition_containers import definitions
from toolglot.converter.formats.kit.definitions import (
    NAME,
    NO_ARGUMENTS,
    RUNS_PROGRAMS,
    USES_NETWORK,
    argument_schema,
    find_refusals,
    function_id,
    name_by_type,
    put_description,
)
from toolglot.converter.formats.kit.description.facts_in_description import take_description
from toolglot.converter.formats.kit.field_tables import (
    Row,
    Table,
    echoes,
    fields_of,
    is_mapping,
    make_tool,
    order_keys,
    places,
    put,
    schema,
    take,
    text,
)
from toolglot.converter.hub.model import JsonSchema, Tool
from toolglot.converter.text.pointers import value_at
from toolglot.converter.text.similar_names import letters_of
from toolglot.errors import ReadError


def _takes_nothing(inputs: JsonSchema) -> bool:
    """Whether a schema describes no argument at all; one that states `additionalProperties: true` may get some."""
    has_plain_keys = inputs.keys() <= {"type", "properties", "required", "additionalProperties"}
    return has_plain_keys and not inputs.get("properties") and inputs.get("additionalProperties", False) is False


_TEXT_ROWS: Table = {"name": text("id"), "description": text("description")}
_SCHEMA_ROWS: Table = {
    "parameters": Row(
        "inputs",
        is_mapping,
        from_openapi,
        lambda inputs: None if _takes_nothing(inputs) else to_openapi(argument_schema(inputs)),
        has_spellings=True,
    ),
    "parametersJsonSchema": schema("inputs"),
    "parameters_json_schema": schema("inputs"),
    "response": Row("outputs", is_mapping, from_openapi, to_openapi, has_spellings=True),
    "responseJsonSchema": schema("outputs"),
    "response_json_schema": schema("outputs"),
}
# The key that is written by default -> all keys that may hold the same schema.
_FAMILIES = {
    "parametersJsonSchema": ("parameters", "parametersJsonSchema", "parameters_json_schema"),
    "responseJsonSchema": ("response", "responseJsonSchema", "response_json_schema"),
}
_OPENAPI_KEYS = ("parameters", "response")
_JSON_SCHEMA_KEYS = tuple(_FAMILIES)
_HOLDS = fields_of({**_TEXT_ROWS, **_SCHEMA_ROWS})


def _table(keys: tuple[str, ...]) -> Table:
    return {**_TEXT_ROWS, **{key: _SCHEMA_ROWS[key] for key in keys}}


# Tools that Google runs itself: letters of the key, which the API accepts in two spellings -> what the tool does.
_OWN_TOOLS: dict[str, dict[str, bool]] = {
    **dict.fromkeys(("codeexecution", "computeruse"), RUNS_PROGRAMS),
    **dict.fromkeys(("googlesearch", "googlesearchretrieval", "googlemaps", "urlcontext"), USES_NETWORK),
    **dict.fromkeys(("enterprisewebsearch", "parallelaisearch", "exaaisearch"), USES_NETWORK),
    "mcpservers": USES_NETWORK,
    "filesearch": {},
    "retrieval": {},
}


def _read(record: Record) -> Tool:
    data = record.data
    keys = tuple(_schema_key(record, *family) for family in _FAMILIES.items())
    fields: dict[str, Any] = {}
    rest = take(data, _table(keys), fields)
    for key in keys:
        # A null says that this key is written: it is not the default one, or its schema would be left out.
        if key not in _JSON_SCHEMA_KEYS or (isinstance(data.get(key), dict) and _takes_nothing(data[key])):
            rest.setdefault(key, None)
    if "id" not in fields:
        fields["id"], rest["name"] = name_by_type(data), None  # `_write` then writes no name
        fields.update(_OWN_TOOLS.get(letters_of(fields["id"]), {}))
    elif "inputs" not in fields:
        fields["inputs"] = dict(NO_ARGUMENTS)
    take_description(fields, _HOLDS)
    return make_tool("gemini", fields, rest)


def _schema_key(record: Record, default: str, family: tuple[str, ...]) -> str:
    """The key of a family that holds a schema; the default key if none does.

    Raises:
        ReadError: two of them do; code `"two-schemas"`.
    """
    keys = [key for key in family if isinstance(record.data.get(key), dict)]
    if len(keys) > 1:
        raise ReadError(
            f"`{keys[0]}` and `{keys[1]}` describe the same; keep the one that holds",
            code="two-schemas",
            pointer=f"{record.pointer}/{keys[1]}",
        )
    return keys[0] if keys else default


def _write(tool: Tool, version: str | None) -> Record:
    own = tool.origin == "gemini"
    rest = dict(tool.extension("gemini"))
    if own and version is None:
        keys = tuple(next((key for key in family if key in rest), default) for default, family in _FAMILIES.items())
    else:
        keys = _OPENAPI_KEYS if version == "parameters" else _JSON_SCHEMA_KEYS
        for key in {*_SCHEMA_ROWS}.difference(keys):
            rest.pop(key, None)
        if not own:
            rest.pop("name", None)
    data = put(tool, _table(keys), rest)
    if keys[0] not in _OPENAPI_KEYS and isinstance(data.get(keys[0]), dict):
        data[keys[0]] = argument_schema(data[keys[0]])
        if keys[0] not in rest and _takes_nothing(data[keys[0]]):
            del data[keys[0]]
    if rest.get("name", "") is None:
        del data["name"]
    put_description(data, tool, _HOLDS, own)
    new_data = order_keys(data, (*_TEXT_ROWS, *keys))
    return Record({key: value for key, value in new_data.items() if value is not None or key not in keys})


_FAMILY_PLACES = {
    field: tuple(f"/{key}" for key in family)
    for field, family in zip(("inputs", "outputs"), _FAMILIES.values(), strict=True)
}


def _schema_place(tool: Tool) -> tuple[str, str]:
    """The version of a tool, and the JSON Pointer of its schema."""
    if "parameters" in tool.extension("gemini"):
        return "parameters", "/parameters"
    return "json-schema", "/parametersJsonSchema"


# -- documents ------------------------------------------------------------------------------------------------

_DECLARATIONS = ("functionDeclarations", "function_declarations")


def _records(data: Any) -> list[Record]:
    """The declarations of a document, and the tools that Google runs itself; one object may hold several of both.

    >>> [record.data for record in _records({"functionDeclarations": [{"name": "dig"}], "codeExecution": {}})]
    [{'name': 'dig'}, {'codeExecution': {}}]
    """
    records: list[Record] = []
    for place, group in groupby(definitions(data), _place_of_holder):
        group_records = list(group)
        if place is not None:
            holder = replace(group_records[0], data=value_at(data, place), pointer=place)
            records += [*group_records, *_own_tools(holder)]
            continue
        for record in group_records:
            records += _own_tools(record) or [record]
    return records


def _place_of_holder(record: Record) -> str | None:
    """The JSON Pointer of the object with the list of a declaration; `None` for a declaration in no list."""
    place, *inside = record.pointer.rsplit("/", 2)
    return place if inside and inside[0] in _DECLARATIONS else None


def _own_tools(holder: Record) -> list[Record]:
    """The tools in an object that Google runs itself, a record each; none if the object has any other key."""
    if not isinstance(holder.data, dict):
        return []
    tools = {key: value for key, value in holder.data.items() if value is not None and key not in _DECLARATIONS}
    if not all(letters_of(key) in _OWN_TOOLS and isinstance(value, dict | list) for key, value in tools.items()):
        return []
    return [replace(holder, data={key: value}) for key, value in tools.items()]


def _wrap(records: list[dict[str, Any]]) -> Any:
    """One tool for all declarations in a row, as the API needs it, and one for each that Google runs itself."""
    tools: list[dict[str, Any]] = []
    for is_function, group in groupby(records, lambda record: "name" in record):
        if is_function:
            tools.append({"functionDeclarations": list(group)})
        else:
            tools += group
    return {"tools": tools}


FORMAT = Format(
    name="gemini",
    title="Gemini function declarations",
    url="https://ai.google.dev/gemini-api/docs/function-calling",
    marks=MARKS,
    versions=("parameters", "json-schema"),
    writes=("parameters", "json-schema"),
    records=_records,
    wrap=_wrap,
    version_of=lambda data: "json-schema" if (_SCHEMA_ROWS.keys() - _OPENAPI_KEYS) & data.keys() else "parameters",
    holds=_HOLDS,
    places=Places(places({**_TEXT_ROWS, **_table(_JSON_SCHEMA_KEYS)}), _FAMILY_PLACES),
    read=_read,
    write=_write,
    identify=lambda name: function_id(name, "a-zA-Z_", NAME),
    spelling=Spelling(echoes=echoes(_SCHEMA_ROWS)),
    checks=Checks(
        "toolglot.converter.formats.gemini.rules", partial(find_refusals, rows=PROFILES, place=_schema_place)
    ),
    provider=Provider(
        profiles=PROFILES,
        calls_module="toolglot.converter.formats.gemini.calls",
        is_api=True,
        request_keys=frozenset({"behavior"}),
        is_hosted=lambda tool: tool.extension("gemini").get("name", "") is None,
    ),
)
