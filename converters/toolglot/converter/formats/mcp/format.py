"""Tools of the Model Context Protocol, as servers answer `tools/list`.

A record is one `Tool` of the protocol's schema. What is written is the part `{"tools": [...]}` of an answer; since
2026-07-28 a whole answer also has `resultType`, `ttlMs` and `cacheScope`, which only the server that gives it knows.

Annotations are hints of a server that nobody vouches for, and an absent hint means the dangerous value. So a hint that
makes a tool look dangerous is believed. A hint that makes it look safe states no fact, and is written back unchanged:
if `idempotentHint: true` were believed, a descriptor would promise safe replays that its host never decided (openwop
RFC 0204 forbids to copy such hints).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from toolglot.converter import safety
from toolglot.converter.formats import (
    CLAIMS_IN_TEXTS,
    Checks,
    ExtensionSlot,
    Format,
    Places,
    Provider,
    Record,
    Spelling,
)
from toolglot.converter.formats.kit.description.facts_in_description import join_description, split_description
from toolglot.converter.formats.kit.field_tables import (
    Table,
    echoes,
    fields_of,
    make_tool,
    order_keys,
    places,
    put,
    schema,
    take,
    text,
)
from toolglot.converter.formats.kit.parameters import target_of
from toolglot.converter.formats.kit.tool_ids import Name, fit_id, function_name, named_parts
from toolglot.converter.formats.kit.unreadable_facts import Doubt
from toolglot.converter.formats.mcp.access import (
    ACCESS_PLACES,
    VISIBILITY,
    access_echoes,
    access_of,
    is_for_apps_only,
    put_access,
    put_visibility,
    take_access,
    take_visibility,
    unreadable_access,
)
from toolglot.converter.formats.mcp.containers import records
from toolglot.converter.formats.mcp.detection import MARKS
from toolglot.converter.formats.mcp.hints import HINTS, believed_elsewhere, believed_hints, claims_at, proven_hints
from toolglot.converter.formats.mcp.inputs import input_echoes, inputs_of
from toolglot.converter.formats.mcp.provider_limits import PROFILES
from toolglot.converter.hub.model import JsonSchema, Tool
from toolglot.converter.schema.keywords import expand_boolean_schema
from toolglot.converter.schema.metaschemas import NEWEST as NEWEST_DRAFT
from toolglot.converter.schema.newest_dialect import newest
from toolglot.converter.text.pointers import mapping_at, without_keys

_VERSIONS = ("2025-06-18", "2025-11-25", "2026-07-28")
_NEWEST = _VERSIONS[-1]

_ANNOTATIONS = ("title", *HINTS)
_TEXTS: Table = {
    "name": text("id"),
    "title": text("title"),
    "description": text("description"),
    "inputSchema": schema("inputs"),
    "outputSchema": schema("outputs"),
}
_TABLE: Table = {**_TEXTS, "annotations": HINTS, "_meta": VISIBILITY}
_KNOWN_KEYS: Table = {
    **_TABLE,
    "annotations": {"title": text("title"), **HINTS},
    "_meta": {**VISIBILITY, "ui": {}, "_fastmcp": {}},  # servers made with FastMCP have their tags there
    "execution": {},  # of tasks; it says nothing about danger
}

_NULL_IS_ABSENT = frozenset({*_TABLE, "_meta", "icons", "execution"})  # keys whose null means absent
_PARTLY = frozenset({"safety_tier"})  # of its four words only "write" has a hint that is believed
_HOLDS = fields_of(_TABLE) - _PARTLY


def _read(record: Record) -> Tool:
    data = record.data
    parts: Mapping[str, Any] = {}
    if isinstance(data.get("description"), str):
        parts = split_description(data["description"], _HOLDS)
    hints = believed_hints(parts.get("flags", ()), mapping_at(data, "annotations"))
    fields: dict[str, Any] = {}
    rest = take(data, {**_TABLE, "annotations": hints}, fields)
    fields.pop("description", None)
    fields.update({**parts, **access_of(rest)})
    rest = take_visibility(take_access(rest), fields)
    inputs = inputs_of(data)
    if inputs is not None:
        fields["inputs"] = newest(inputs)
        if isinstance(data.get("inputSchema"), dict) and inputs is not data["inputSchema"]:
            rest["inputSchema"] = data["inputSchema"]  # it is only the map of the properties
    second = _second_title(rest)
    if isinstance(second, str):
        if "title" not in fields:
            fields["title"] = second
        elif fields["title"] == second:
            rest["title"] = second  # both places have it, so both are written again
    return make_tool("mcp", fields, rest)


def _doubts(tool: Tool) -> Iterator[Doubt]:
    """Statements about callers that cannot be read, and warnings of `annotations.title` alone, which few hosts show."""
    rest = tool.extension("mcp")
    for place in unreadable_access(rest):
        yield Doubt("unclear-safety", place, "auth_required", "nobody can read who may call it; it counts as guarded")
    second = _second_title(rest)
    if isinstance(second, str) and second != tool.title:
        for field in sorted(safety.fields_of_warnings(second)):
            message = "hosts show `title` and not this one, so its warning counts as a danger that is stated elsewhere"
            yield Doubt("misplaced-key", "/annotations/title", field, message, "write it in the description")


def _second_title(rest: dict[str, Any]) -> Any:
    """`annotations.title`, which hosts show where `title` is absent."""
    return mapping_at(rest, "annotations").get("title")


def _write(tool: Tool, version: str | None) -> Record:
    rest = put_visibility(put_access(tool.extension("mcp"), tool), tool)
    hidden = None if is_for_apps_only(rest) else tool.hidden
    title = tool.title
    if "title" not in rest and _second_title(rest) == title:
        title = None  # `annotations.title` states it
    inputs, outputs = tool.inputs or {}, tool.outputs
    if inputs.get("type") != "object":
        inputs = {"type": "object", **without_keys(inputs, "type")}  # arguments are always an object
    if version not in (None, _NEWEST):
        inputs, outputs = _without_booleans(inputs), _without_booleans(outputs or {})
        outputs = {**outputs, "type": outputs.get("type", target_of(outputs).get("type"))}  # beside a `$ref`, too
        if not _fits_older_revisions(outputs):
            outputs = None  # with `{"result": ...}` around it, it would be another contract
    description = join_description(tool, _HOLDS)
    described_tool = replace(tool, title=title, description=description, hidden=hidden, inputs=inputs, outputs=outputs)
    data = put(described_tool, _TABLE, _without_nulls(without_keys(rest, "title")))
    if isinstance(data.get("annotations"), dict):
        data["annotations"] = order_keys(data["annotations"], _ANNOTATIONS)  # one order, whichever hints were believed
    return Record(data)


def _without_nulls(rest: dict[str, Any]) -> dict[str, Any]:
    """The rest of a record without known keys that are null: many servers write null for absent."""
    extension = _without_null_keys(rest, _NULL_IS_ABSENT)
    annotations = extension.get("annotations")
    if isinstance(annotations, dict):
        extension["annotations"] = _without_null_keys(annotations, _ANNOTATIONS)
    return extension


def _without_null_keys(record: dict[str, Any], keys: Iterable[str]) -> dict[str, Any]:
    return without_keys(record, *[key for key in keys if record.get(key) is None])


def _without_booleans(schema: JsonSchema) -> JsonSchema:
    """The schema for older revisions, in which the schema of a property is an object, never true or false."""
    properties = mapping_at(schema, "properties")
    objects = {name: expand_boolean_schema(inner) for name, inner in properties.items() if isinstance(inner, bool)}
    if not objects:
        return schema
    return {**schema, "properties": {**properties, **objects}}


def _fits_older_revisions(schema: Any) -> bool:
    """Whether revisions before 2026-07-28 allow a schema: of type object, and with objects as schemas of properties."""
    if not isinstance(schema, dict) or schema.get("type") != "object":
        return False
    properties = schema.get("properties", {})
    return isinstance(properties, dict) and all(isinstance(inner, dict) for inner in properties.values())


def _version_of(record: dict[str, Any]) -> str:
    """The newest revision, because no record names one; 2025-11-25 for `execution`, which no other revision has."""
    if "execution" not in record:
        return _NEWEST
    for key in ("inputSchema", "outputSchema"):
        if key in record and not _fits_older_revisions(record[key]):
            return _NEWEST
    return "2025-11-25"


def _phrase(tool: Tool) -> Tool:
    """The tool with the facts of its hints as they will be read back, so that the description states the others."""
    own = tool.extension("mcp")
    hints = {**without_keys(mapping_at(own, "annotations"), *HINTS), **proven_hints(tool)}
    facts: dict[str, Any] = dict.fromkeys(fields_of(HINTS))
    annotations = take(hints, believed_hints((), hints), facts)
    rest = without_keys(own, "annotations")
    if annotations:
        rest["annotations"] = annotations
    extensions = {**(tool.extensions or {}), "mcp": rest}
    if not rest:
        del extensions["mcp"]
    return replace(tool, extensions=extensions or None, **facts)


_OTHER_PLACES = {
    **dict.fromkeys(("auth_required", "scopes"), ACCESS_PLACES),
    "title": ("/annotations/title",),
    "inputs": ("/input_schema",),
    "hidden": ("/_meta/openai~1visibility",),
}
_echoes_of_table = echoes(_TABLE)


def _echoes(tool: Tool) -> Iterator[str]:
    """Pointers to what repeats a field in the extension: titles, access, audience, and what was read as the inputs.

    Tasks are forbidden where nothing is said of them, and many servers say so of every tool.
    """
    rest = tool.extension("mcp")
    for place, title in (("/title", rest.get("title")), ("/annotations/title", _second_title(rest))):
        if title == tool.title:
            yield place
    yield from _echoes_of_table(tool)
    yield from access_echoes(rest)
    if is_for_apps_only(rest):
        yield from ("/_meta/ui/visibility", "/_meta/openai~1visibility")
    if mapping_at(rest, "execution").get("taskSupport") == "forbidden":
        yield "/execution/taskSupport"
    yield from input_echoes(rest, tool.inputs)


# -- the format -------------------------------------------------------------------------------------------------

NAME = re.compile(r"[A-Za-z0-9._-]{1,128}", re.ASCII)


def _identify(name: Name) -> str:
    """`<program>_<command>` or `<server>__<tool>`; a valid id stays as it is."""
    if name.is_plain and NAME.fullmatch(name.path[0]):
        return name.path[0]
    return fit_id(function_name("_".join(named_parts(name.path)), name), "A-Za-z0-9._-", 128)


FORMAT = Format(
    name="mcp",
    title="Model Context Protocol tools",
    url="https://modelcontextprotocol.io/specification/2026-07-28/server/tools",
    marks=MARKS,
    versions=_VERSIONS,
    writes=_VERSIONS,
    records=records,
    wrap=lambda records: {"tools": records},
    version_of=_version_of,
    holds=_HOLDS,
    places=Places(
        places(_TABLE) | {"hidden": "/_meta/ui/visibility"},
        _OTHER_PLACES,
        entries={"inputs": ("/arguments/*",)},
    ),
    read=_read,
    write=_write,
    schema_draft=NEWEST_DRAFT,
    identify=_identify,
    known_keys=_KNOWN_KEYS,
    doubts=_doubts,
    believed=believed_elsewhere,
    slot=ExtensionSlot(("_meta", "dev.toolglot/record")),
    spelling=Spelling(echoes=_echoes),
    safety_words=safety.SafetyWords(phrase=_phrase, partly=_PARTLY),
    checks=Checks("toolglot.converter.formats.mcp.rules"),
    provider=Provider(profiles=PROFILES, calls_module="toolglot.converter.formats.mcp.calls"),
    claims={**CLAIMS_IN_TEXTS, **claims_at("mcp", "annotations")},
    also_states=fields_of(VISIBILITY) | {"auth_required", "scopes"},
)
