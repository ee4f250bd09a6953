"""ATDF, the Agent Tool Description Format: 0.1 (its schema 1.x) and 0.2 (its schema 2.x), JSON or YAML.

ATDF states no effects at all: every safety fact of a record is unknown, and the dangers that other formats state are
written into `description`. The version in a record is not dependable, so its keys decide.
"""

from __future__ import annotations

from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from toolglot.converter.formats import Checks, ExtensionSlot, Format, MigrationRules, Places, Record, Spelling
from toolglot.converter.formats.atdf import prerequisites, usage
from toolglot.converter.formats.atdf.detection import MARKS
from toolglot.converter.formats.atdf.errors import dump_errors, load_errors
from toolglot.converter.formats.atdf.examples import dump_examples, load_example, with_goal, without_goal
from toolglot.converter.formats.atdf.inputs import dump_inputs, load_inputs, style_of
from toolglot.converter.formats.atdf.usage import NO_RESULT
from toolglot.converter.formats.atdf.versions import SCHEMA_VERSION, version_of
from toolglot.converter.formats.kit.command_lines import arguments_of_line
from toolglot.converter.formats.kit.containers import listed_records
from toolglot.converter.formats.kit.description.facts_in_description import join_description, take_description
from toolglot.converter.formats.kit.field_tables import (
    Row,
    Table,
    fields_of,
    make_tool,
    mapping,
    order_keys,
    places,
    put,
    take,
    text,
    texts,
)
from toolglot.converter.formats.kit.parameters import describe_choice, has_unread, with_paragraphs
from toolglot.converter.formats.kit.suppositions import kept_description, mark_of_text, with_mark, without_suppositions
from toolglot.converter.formats.kit.tool_ids import Name, named_parts, qualify
from toolglot.converter.hub.model import Tool, text_about
from toolglot.converter.safety import sort_warnings
from toolglot.converter.text.pointers import is_mappings, mapping_at, only_keys, without_keys
from toolglot.errors import ReadError


def _is_localization(texts_by_language: Any) -> bool:
    if not isinstance(texts_by_language, dict):
        return False
    return all(isinstance(own_texts, dict) for own_texts in texts_by_language.values())


_HOW_TO_USE: Table = {
    "outputs": {
        "success": text("success"),
        "failure": Row(
            "errors",
            lambda entries: is_mappings(entries, "code", "description"),
            load_errors,
            dump_errors,
        ),
    },
}

_OF_BOTH_VERSIONS: Table = {
    "tool_id": text("id"),
    "description": text("description"),
    "when_to_use": text("when_to_use"),
}

_SINCE_0_2: Table = {
    "metadata": {
        "version": text("version"),
        "author": text("author"),
        "tags": texts("tags"),
        "category": text("category"),
        "created_at": text("created"),
        "updated_at": text("updated"),
        "title": text("title"),
        "homepage": text("homepage"),
        "license": text("license"),
    },
    "localization": Row("localizations", _is_localization),
    "prerequisites": {
        "tools": texts("required_tools"),
        "conditions": texts("conditions"),
        "permissions": texts("permissions"),
    },
    "feedback": mapping("feedback"),
    "examples": Row("examples", is_mappings, lambda entries: tuple(map(load_example, entries)), dump_examples),
}

_TABLES: dict[str, Table] = {
    "0.1": {**_OF_BOTH_VERSIONS, "how_to_use": _HOW_TO_USE},
    "0.2": {**_OF_BOTH_VERSIONS, "how_to_use": _HOW_TO_USE, **_SINCE_0_2},
}

_FIELDS = {version: fields_of(table) for version, table in _TABLES.items()}
_HOLDS = _FIELDS["0.2"] | {"inputs", "bindings", "assumed"} | prerequisites.FIELDS
_SLOT = ("metadata", "toolglot")  # keys that lead to toolglot's own data


def _read(record: Record) -> Tool:
    data = record.data
    if data.get("tool_id") is not None and data.get("id") is not None and data["tool_id"] != data["id"]:
        raise ReadError(
            f"tool_id {data['tool_id']!r} and id {data['id']!r} differ; keep tool_id",
            code="two-ids",
            pointer=f"{record.pointer}/id",
        )
    fields: dict[str, Any] = {}
    rest = take(data, _TABLES["0.2"], fields)
    fields.setdefault("id", data.get("id"))
    if fields.get("success") in NO_RESULT and "success" not in rest:
        rest["success"] = fields.pop("success")
    take_description(fields, _HOLDS)
    description = fields.get("description") or ""
    if "examples" in fields:
        fields["examples"] = tuple(without_goal(example, description) for example in fields["examples"])
    how_to_use = mapping_at(rest, "how_to_use")
    if "inputs" in how_to_use:
        if how_to_use["inputs"] or not description.endswith(_UNDESCRIBED):
            fields.update(load_inputs(how_to_use["inputs"], f"{record.pointer}/how_to_use/inputs"))
        how_to_use = without_keys(how_to_use, "inputs")
        rest = {**rest, "how_to_use": how_to_use}
        if not how_to_use:
            del rest["how_to_use"]
    if "conditions" in fields:
        fields.update(prerequisites.without_needs(fields.pop("conditions")))
    if "permissions" in fields:
        fields.update(prerequisites.split_permissions(fields.pop("permissions")))
    return without_suppositions(make_tool("atdf", fields, rest), _TABLES["0.2"], "atdf", _SLOT)


# The end of the description of a tool with unknown inputs: an empty list alone would say that it takes none.
_UNDESCRIBED = "Its inputs are not described."


def _write(tool: Tool, version: str | None) -> Record:
    own = tool.origin == "atdf"
    rest = dict(tool.extension("atdf"))
    if tool.success is None and rest.get("success") in NO_RESULT:
        tool = replace(tool, success=rest.pop("success"))
    target = version or "0.2"
    is_new = version is not None or not own
    if is_new:
        rest = {"schema_version": SCHEMA_VERSION[target], **_allowed_rest(rest, target)}
    if target == "0.1":
        tool = _with_warnings_of_needs(tool)
    if not own:
        tool = _with_arguments_of_lines(describe_choice(tool))
        if tool.inputs is None:
            tool = with_paragraphs(tool, _UNDESCRIBED)
    tool = prerequisites.with_needs(tool)
    if tool.scopes:
        tool = replace(tool, permissions=(*tool.scopes, *(tool.permissions or ())))
    made_up: list[str] = []
    if not (own or tool.success):
        # A record has no place for the schema of the results, so its description or its names stand in.
        stated = usage.result_of_outputs(tool)
        tool = replace(tool, success=stated or usage.result_of_description(tool))
        if not stated and tool.success not in NO_RESULT:
            made_up.append(mark_of_text("how_to_use.outputs.success", str(tool.success)))
    if tool.examples:
        tool = replace(tool, examples=tuple(with_goal(example, text_about(tool)) for example in tool.examples))
    data = put(tool, _TABLES[target], rest)
    description = join_description(tool, _FIELDS[target])
    if description:
        data["description"] = description
    elif not (own and tool.description == ""):
        description = kept_description(tool, rest) or text_about(tool)
        data["description"] = description
        made_up.append(mark_of_text("description", description))
    if "id" in rest and rest["id"] == tool.id:
        del data["tool_id"]
    if not data.get("when_to_use") and (is_new or "when_to_use" in data):
        data["when_to_use"] = usage.when_to_use(tool)
        made_up.append(mark_of_text("when_to_use", data["when_to_use"]))
    if target != "0.1":
        data = with_mark(data, _SLOT, made_up)
    data["how_to_use"] = _how_to_use(tool, target, mapping_at(data, "how_to_use"), own)
    order = ("schema_version", "tool_id", "id", "description", "when_to_use", "how_to_use", *_SINCE_0_2)
    return Record(order_keys(data, order))


def _how_to_use(tool: Tool, target: str, rest: dict[str, Any], own: bool) -> dict[str, Any]:
    """The value of `how_to_use`: `rest`, which the table has written, with the inputs and the needed outputs."""
    entry = dict(rest)
    if tool.inputs is not None:
        entry = {"inputs": dump_inputs(tool, tool.inputs, target), **rest}
    elif (tool.description or "").endswith(_UNDESCRIBED):
        entry = {"inputs": [], **rest}
    if not own:
        entry["outputs"] = {"success": tool.success, "failure": [], **mapping_at(entry, "outputs")}
    elif mapping_at(entry, "outputs"):
        entry["outputs"] = order_keys(entry["outputs"], ("success",))  # a result that `_write` put in comes last
    return entry


def _with_arguments_of_lines(tool: Tool) -> Tool:
    """The tool with the arguments of its examples that are command lines."""
    path = tool.id.removeprefix(f"{_namespace(tool.namespace or '')}.").removesuffix(f"@{tool.major}")
    examples = []
    for example in tool.examples or ():
        if example.command is not None and example.input is UNSET:
            arguments = arguments_of_line(example.command, tool, path)
            example = replace(example, input=UNSET if arguments is None else arguments)
        examples.append(example)
    return replace(tool, examples=tuple(examples)) if examples else tool


def _with_warnings_of_needs(tool: Tool) -> Tool:
    """The tool with warnings that it needs the network or credentials, for 0.1, which has no conditions."""
    warnings: list[str] = []
    if tool.hosts:
        warnings.append("network")
    if tool.auth_required or tool.secrets or tool.auth_methods:
        warnings.append("credentials")
    if not warnings:
        return tool
    return replace(tool, flags=sort_warnings((*(tool.flags or ()), *warnings)))


def _allowed_rest(rest: dict[str, Any], version: str) -> dict[str, Any]:
    """The keys of a record that may be written in a version; the schema of 0.1 refuses every unknown key."""
    if version == "0.1":
        return only_keys(rest, ("id", "how_to_use"))
    return without_keys(rest, "schema_version")


def _identify(name: Name) -> str:
    """`<namespace>.<program>_<command>@<major>`."""
    namespace = _namespace(name.namespace or "")
    name = replace(name, namespace=namespace)
    return qualify("_".join(named_parts(name.path)) or "tool", name, ".", "@")


def _namespace(text: str) -> str:
    """The namespace of an id; the title of an HTTP API, which has several words, is spelled like an id.

    >>> _namespace("Pet Store"), _namespace("github")
    ('pet-store', 'github')
    """
    words = text.split()
    return text if len(words) < 2 else "-".join(words).lower()


# Hub fields without a key: the description states them.
_IN_DESCRIPTION = dict.fromkeys(("flags", "calls", "driver_constraints", "implements", "deprecated"), "description")


FORMAT = Format(
    name="atdf",
    title="Agent Tool Description Format",
    url="https://github.com/MauricioPerera/agent-tool-description-format",
    marks=MARKS,
    versions=("0.1", "0.2"),
    writes=("0.1", "0.2"),
    records=listed_records,
    wrap=lambda records: records[0] if len(records) == 1 else records,  # the Python SDK loads lists
    version_of=version_of,
    holds=_HOLDS - {"title"},  # no reader of the format shows `metadata.title`, so it cannot carry a warning
    places=Places(
        places(_TABLES["0.2"]),
        {"id": ("/id",), "scopes": ("/prerequisites/permissions",)},
        _IN_DESCRIPTION,
        dict.fromkeys(("inputs", "bindings"), ("/how_to_use/inputs/*",)),
        in_prose=prerequisites.FIELDS - {"scopes"},
    ),
    read=_read,
    write=_write,
    identify=_identify,
    slot=ExtensionSlot(_SLOT),
    spelling=Spelling(
        keys=("schema_version", "id", "success"),
        formal=("bindings", "errors"),
        has_unread=lambda binding: has_unread(binding, style_of("0.2", default_required=True)),
    ),
    checks=Checks("toolglot.converter.formats.atdf.rules"),
    migration=MigrationRules("toolglot.converter.formats.atdf.migration", fills=("expected_result",)),
)
