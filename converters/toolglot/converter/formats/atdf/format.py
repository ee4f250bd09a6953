"""ATDF, the Agent Tool Description Format: 0.1 (its schema 1.x) and 0.2 (its schema 2.x), JSON or YAML.

ATDF states no effects at all: every safety fact of a record is unknown, and what other formats know about
danger is said in the text of `description`. Records carry no dependable version, so the shape decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from toolglot.converter.formats import Checks, ExtensionSlot, Finding, Format, MigrationRules, Places, Record, Spelling
from toolglot.converter.formats.atdf import prerequisites, usage
from toolglot.converter.formats.atdf.detection import MARKS
from toolglot.converter.formats.atdf.usage import COMPLETED, NO_RESULT
from toolglot.converter.formats.atdf.versions import (
    EXAMPLE_KEYS,
    SCHEMA_VERSION,
    TYPES,
    UNKNOWN_TYPE,
    absent_is_required,
    find_version_faults,
    stated_major,
    version_of,
)
from toolglot.converter.formats.kit.command_lines import arguments_of_line
from toolglot.converter.formats.kit.containers import listed_records
from toolglot.converter.formats.kit.description.labelled_facts import join_description, take_description
from toolglot.converter.formats.kit.description.schema_tail import Tail, tail, tails
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
    texts,
)
from toolglot.converter.formats.kit.parameters import (
    NamedParameter,
    Style,
    collect,
    describe_choice,
    distribute,
    required_keys,
    stand_in_words,
    stated_bool,
    take_title,
    target_of,
    unread,
    with_paragraphs,
)
from toolglot.converter.formats.kit.suppositions import kept_description, mark_of_text, with_mark, without_suppositions
from toolglot.converter.formats.kit.tool_ids import Name, named_parts, qualify
from toolglot.converter.hub.model import Binding, ErrorCode, Example, JsonSchema, Tool, parameter_names, text_about
from toolglot.converter.safety import sort_warnings
from toolglot.converter.schema.json_values import types_of, with_proven_type
from toolglot.converter.text.language import is_english
from toolglot.converter.text.pointers import as_mapping, is_mappings, mapping_at, only_keys, without_keys
from toolglot.converter.text.sentences import end_sentence, first_sentence
from toolglot.errors import ReadError


def _load_errors(entries: list[dict[str, Any]]) -> tuple[ErrorCode, ...]:
    errors = []
    for entry in entries:
        rest = without_keys(entry, "code", "description")
        meaning, _, action = entry["description"].rpartition(_ACTION)
        if not (meaning and action and _explain(meaning, action) == entry["description"]):
            meaning, action = entry["description"], None
        errors.append(ErrorCode(code=entry["code"], description=meaning, action=action, extensions=rest or None))
    return tuple(errors)


_ACTION = " Action: "


def _dump_errors(errors: tuple[ErrorCode, ...]) -> list[dict[str, Any]]:
    entries = []
    for error in errors:
        meaning = _explain(error.description or error.code, error.action)
        entries.append({"code": error.code or "error", "description": meaning, **(error.extensions or {})})
    return entries


def _explain(meaning: str, action: str | None) -> str:
    """What a failure means and what to do about it: two sentences, the second with a label where both are English."""
    if not action:
        return meaning
    label = " "
    if is_english(f"{meaning}\n{action}"):
        label = _ACTION
    return f"{end_sentence(meaning)}{label}{action}"


_LINE = "command"  # a key of ours, beside the arguments that the line has
_REMARK = "description"  # a key of the specification's text; a result is required, so a remark alone stands for it


def _load_example(entry: dict[str, Any]) -> Example:
    """An example; what is not called by the first key for a field, or not by it alone, stays in the rest as it is."""
    rest = dict(entry)
    fields: dict[str, Any] = {}
    for field, keys in EXAMPLE_KEYS.items():
        present = [key for key in keys if key in entry]
        if not present:
            continue
        key = present[0]
        if field == "title" and not isinstance(entry[key], str):
            continue
        if field == "note":
            fields.update(_load_result(entry[key]))
        else:
            fields[field] = entry[key]
        if present == [keys[0]]:
            del rest[key]
    if "input" in fields and isinstance(rest.get(_LINE), str):
        fields["command"] = rest.pop(_LINE)
    if "output" in fields and isinstance(rest.get(_REMARK), str):
        fields["note"] = rest.pop(_REMARK)
    return Example(**fields, extensions=rest or None)


def _load_result(result: Any) -> dict[str, Any]:
    """What comes of an example: a value, if the text is the JSON that would be written for it, else a remark."""
    if result == COMPLETED:
        return {}
    if not isinstance(result, str):
        return {"output": result}
    if not result.startswith(_JSON):
        return {"note": result}
    try:
        output = msgspec.json.decode(result)
        if msgspec.json.encode(output).decode() == result:
            return {"output": output}
    except (msgspec.DecodeError, RecursionError):
        pass
    return {"note": result}


_JSON = ("{", "[", '"')  # how a value begins that is no number and no word


def _dump_examples(examples: tuple[Example, ...]) -> list[dict[str, Any]]:
    entries = []
    for example in examples:
        if example.command is not None and example.input is UNSET:
            continue  # its arguments cannot be told, and without them it would show a call that the tool refuses
        entry: dict[str, Any] = {"goal": example.title}
        entry["input_values"] = as_mapping(example.input)
        entry["expected_result"] = COMPLETED if example.note is None else example.note
        if example.output is not UNSET:
            entry["expected_result"] = msgspec.json.encode(example.output).decode()
            if example.note is not None:
                entry[_REMARK] = example.note
        if example.command is not None:
            entry[_LINE] = example.command
        rest = example.extensions or {}
        for first, *others in EXAMPLE_KEYS.values():
            if first not in rest and not rest.keys().isdisjoint(others):  # the source has it under that name
                entry.pop(first, None)
        entries.append({**rest, **entry})
    return entries


def _with_goal(example: Example, description: str) -> Example:
    """An example with a title, which a record needs."""
    goal = example.title or example.note or example.command or first_sentence(description)
    return replace(example, title=goal)


def _without_goal(example: Example, description: str) -> Example:
    """An example as its source has it: without the title that a conversion gave to it."""
    untitled = replace(example, title=None)
    is_made_up = example.note is None and example == _with_goal(untitled, description)
    return untitled if is_made_up else example


def _is_localization(texts_by_language: Any) -> bool:
    if not isinstance(texts_by_language, dict):
        return False
    return all(isinstance(own_texts, dict) for own_texts in texts_by_language.values())


_HOW: Table = {
    "outputs": {
        "success": text("success"),
        "failure": Row(
            "errors",
            lambda entries: is_mappings(entries, "code", "description"),
            _load_errors,
            _dump_errors,
        ),
    },
}
_ALWAYS: Table = {
    "tool_id": text("id"),
    "description": text("description"),
    "when_to_use": text("when_to_use"),
}
_ENHANCED: Table = {
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
    "feedback": Row("feedback", is_mapping),
    "examples": Row("examples", is_mappings, lambda entries: tuple(map(_load_example, entries)), _dump_examples),
}
_TABLES: dict[str, Table] = {
    "0.1": {**_ALWAYS, "how_to_use": _HOW},
    "0.2": {**_ALWAYS, "how_to_use": _HOW, **_ENHANCED},
}
_FIELDS = {version: fields_of(table) for version, table in _TABLES.items()}
_HOLDS = _FIELDS["0.2"] | {"inputs", "bindings", "assumed"} | prerequisites.FIELDS
_OURS = ("metadata", "toolglot")


# -- parameters ---------------------------------------------------------------------------------------------


def _load_parameter(entry: dict[str, Any], default_required: bool) -> NamedParameter:
    schema = _with_type(entry.get("type"), mapping_at(entry, "schema"))
    stated_required = stated_bool(entry, "required")
    required = default_required
    if stated_required is not None:
        required = stated_required
    description = entry.get("description")
    constraints = None
    if entry.keys() == _SPOKEN_KEYS and isinstance(description, str):
        constraints = _parse_constraints(entry, schema)
    if constraints is not None:
        schema = constraints.schema(schema)
        required = required and not constraints.optional
        description = constraints.head
        if description == stand_in_words(entry):
            description = None
    if isinstance(description, str):
        schema["description"] = description
    return NamedParameter(entry["name"], schema, required, Binding(required=stated_required))


_SPOKEN_KEYS = {"name", "type", "description"}  # the keys of an input that can have constraints in words alone


def _parse_constraints(entry: dict[str, Any], own_schema: JsonSchema) -> Tail | None:
    """The end of a description that says more than a text: only what would be written again for that very schema."""
    words = entry["description"]
    if not words.endswith(")"):
        return None
    for constraints in tails(words):
        schema = constraints.schema(own_schema)
        own_tail = tail(schema, own_schema, optional=constraints.optional)
        if _type_word(schema) == entry["type"] and constraints.head and constraints.head + own_tail == words:
            return constraints
    return None


def _dump_parameter(parameter: NamedParameter, version: str) -> dict[str, Any]:
    rest = dict(parameter.schema)
    if "type" not in rest:
        rest = with_proven_type(rest)
    entry: dict[str, Any] = {"name": parameter.name, "type": _type_word(rest)}
    if rest.get("type") == entry["type"] and "null" not in _types(without_keys(rest, "type")):
        del rest["type"]
    description = rest.get("description")
    if isinstance(description, str):
        del rest["description"]
        if description:
            entry["description"] = description
    if version == "0.1":
        return _describe_constraints(entry, rest, parameter.required)
    if rest:
        entry["schema"] = rest
    elif (
        parameter.binding.required is None and "description" in entry and _parse_constraints(entry, _own_schema(entry))
    ):
        entry["description"] += "."  # so that nobody reads more than a text
    if parameter.binding.required is not None:
        entry["required"] = parameter.required
    return entry


def _types(schema: JsonSchema) -> tuple[str, ...]:
    """The types that a schema allows, also by its alternatives; none where one of them does not say."""
    alternatives = schema.get("anyOf", schema.get("oneOf"))
    if "type" in schema or not isinstance(alternatives, list):
        return types_of(schema)
    types = [_types(as_mapping(alternative)) for alternative in alternatives]
    return tuple(dict.fromkeys(chain.from_iterable(types))) if all(types) else ()


def _with_type(word: Any, schema: JsonSchema) -> JsonSchema:
    """The schema of an input: the word for its type leaves null out, so it only holds where null is no value."""
    if isinstance(word, str) and "type" not in schema and "null" not in _types(schema):
        return {"type": word, **schema}
    return dict(schema)


def _type_word(schema: JsonSchema) -> str:
    """The word for the type: the only one beside null."""
    words = [word for word in _types(schema) if word != "null"]
    if len(words) == 1 and words[0] in TYPES:
        return words[0]
    return UNKNOWN_TYPE


def _own_schema(entry: dict[str, Any]) -> JsonSchema:
    if entry["type"] in TYPES:
        return {"type": entry["type"]}
    return {}


def _describe_constraints(entry: dict[str, Any], rest: JsonSchema, required: bool) -> dict[str, Any]:
    """0.1 has no place for constraints: the description says them, in words that are read back."""
    own_schema, description = _own_schema(entry), entry.get("description")
    if "title" in rest:
        description = take_title(rest, description, entry["name"])
    words = tail(_with_type(own_schema.get("type"), rest), own_schema, optional=not required)
    if words:
        return {**entry, "description": (description or stand_in_words(entry)) + words}
    if description is None:
        return entry
    entry = {**entry, "description": description}
    if _parse_constraints(entry, own_schema):
        return {**entry, "description": f"{description}."}
    return entry


def _style(version: str, default_required: bool) -> Style:
    return Style(
        frozenset({None}),
        lambda entry, kind: _load_parameter(entry, default_required),
        lambda parameter, words: _dump_parameter(parameter, version),
    )


# -- reading and writing ------------------------------------------------------------------------------------


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
        fields["examples"] = tuple(_without_goal(example, description) for example in fields["examples"])
    how_to_use = rest.get("how_to_use")
    if isinstance(how_to_use, dict) and isinstance(how_to_use.get("inputs"), list):
        if how_to_use["inputs"] or not description.endswith(_UNDESCRIBED):
            fields.update(_load_inputs(how_to_use["inputs"], f"{record.pointer}/how_to_use/inputs"))
        how_to_use = without_keys(how_to_use, "inputs")
        rest = {**rest, "how_to_use": how_to_use}
        if not how_to_use:
            del rest["how_to_use"]
    if "conditions" in fields:
        fields.update(prerequisites.without_needs(fields.pop("conditions")))
    if "permissions" in fields:
        fields.update(prerequisites.split_permissions(fields.pop("permissions")))
    return without_suppositions(make_tool("atdf", fields, rest), _TABLES["0.2"], "atdf", _OURS)


# For a tool whose source does not say what it takes: an empty list alone would say that it takes nothing.
_UNDESCRIBED = "Its inputs are not described."


def _load_inputs(inputs: list[dict[str, Any]], pointer: str) -> dict[str, Any]:
    if len({entry["name"] for entry in inputs}) != len(inputs):
        raise ReadError("two inputs have the same name", code="duplicate-input", pointer=pointer)
    style = _style("0.2", absent_is_required(inputs))
    schema, bindings = collect([(None, entry) for entry in inputs], style)
    return {"inputs": schema, "bindings": bindings}


def _write(tool: Tool, version: str | None) -> Record:
    own = tool.origin == "atdf"
    rest = dict(tool.extension("atdf"))
    if tool.success is None and rest.get("success") in NO_RESULT:
        tool = replace(tool, success=rest.pop("success"))
    target = version or "0.2"
    is_new = version is not None or not own
    if is_new:
        rest = {"schema_version": SCHEMA_VERSION[target], **_without_version(rest, target)}
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
        # The record has no place for the schema of the results, so that its words stand for it.
        stated = usage.result_of_outputs(tool)
        tool = replace(tool, success=stated or usage.result(tool))
        if not stated and tool.success not in NO_RESULT:
            made_up.append(mark_of_text("how_to_use.outputs.success", str(tool.success)))
    if tool.examples:
        tool = replace(tool, examples=tuple(_with_goal(example, text_about(tool)) for example in tool.examples))
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
        data = with_mark(data, _OURS, made_up)
    data["how_to_use"] = _how_to_use(tool, target, mapping_at(data, "how_to_use"), own)
    order = ("schema_version", "tool_id", "id", "description", "when_to_use", "how_to_use")
    return Record(order_keys(data, order))


def _how_to_use(tool: Tool, target: str, rest: dict[str, Any], own: bool) -> dict[str, Any]:
    entry = dict(rest)
    if tool.inputs is not None:
        entry = {"inputs": _inputs(tool, tool.inputs, target), **rest}
    elif (tool.description or "").endswith(_UNDESCRIBED):
        entry = {"inputs": [], **rest}
    if not own:
        entry["outputs"] = {"success": tool.success, "failure": [], **mapping_at(entry, "outputs")}
    elif mapping_at(entry, "outputs"):
        entry["outputs"] = order_keys(entry["outputs"], ("success",))  # one that was supposed is put in last
    return entry


def _with_arguments_of_lines(tool: Tool) -> Tool:
    """The tool with the arguments of those of its examples that are command lines."""
    path = tool.id.removeprefix(f"{_namespace(tool.namespace or '')}.").removesuffix(f"@{tool.major}")
    examples = []
    for example in tool.examples or ():
        if example.command is not None and example.input is UNSET:
            arguments = arguments_of_line(example.command, tool, path)
            example = replace(example, input=UNSET if arguments is None else arguments)
        examples.append(example)
    return replace(tool, examples=tuple(examples)) if examples else tool


def _with_warnings_of_needs(tool: Tool) -> Tool:
    """The tool with warnings about what it needs, for 0.1, whose readers find no conditions."""
    warnings: list[str] = []
    if tool.hosts:
        warnings.append("network")
    if tool.auth_required or tool.secrets or tool.auth_methods:
        warnings.append("credentials")
    if not warnings:
        return tool
    return replace(tool, flags=sort_warnings((*(tool.flags or ()), *warnings)))


def _without_version(rest: dict[str, Any], version: str) -> dict[str, Any]:
    """What 0.1 has no place for may not be passed through: its schema refuses every key it does not know."""
    if version == "0.1":
        return only_keys(rest, ("id", "how_to_use"))
    return without_keys(rest, "schema_version")


def _is_required(binding: Binding) -> bool:
    """What an input that has no `required` says: it is, unless its words say that it may be left out."""
    if binding.spelling is None or not isinstance(binding.spelling.get("name"), str):
        return True
    return _load_parameter(binding.spelling, default_required=True).required


def _inputs(tool: Tool, inputs: JsonSchema, version: str) -> list[dict[str, Any]]:
    bindings = tool.bindings or {}
    if version == "0.1":
        fitting_bindings = {
            key: binding
            for key, binding in bindings.items()
            if binding.spelling is None or binding.spelling.keys() <= _SPOKEN_KEYS
        }
        style = _style(version, default_required=True)
        return [entry for _, entry in distribute(inputs, fitting_bindings, style)]
    schema = target_of(inputs)
    keys = parameter_names(schema)
    required = required_keys(schema)
    silent = {key for key in keys if key in bindings and bindings[key].kind is None and bindings[key].required is None}
    as_said = [key for key in silent if (key in required) == _is_required(bindings[key])]
    # Absent means required as long as no input says so; once one does, the others have to say what they are.
    none_has_to_say = len(as_said) == len(keys)
    style = _style(version, default_required=none_has_to_say)
    entries = []
    for key, (_, entry) in zip(keys, distribute(schema, tool.bindings, style), strict=True):
        may_be_silent = none_has_to_say or (key in silent and key not in required)
        if "required" not in entry and not may_be_silent:
            entry = {**entry, "required": key in required}
        entries.append(entry)
    return entries


def _identify(name: Name) -> str:
    """`<namespace>.<program>_<command>@<major>`."""
    namespace = _namespace(name.namespace or "")
    name = replace(name, namespace=namespace)
    return qualify("_".join(named_parts(name.path)) or "tool", name, ".", "@")


def _namespace(text: str) -> str:
    """A title of several words, as documents of HTTP APIs have one, in the spelling of ids; any other as it stands."""
    words = text.split()
    return text if len(words) < 2 else "-".join(words).lower()


# What its text carries, because no field does.
_CARRIED = dict.fromkeys(("flags", "calls", "driver_constraints", "implements", "deprecated"), "description")


def _find_faults(tool: Tool) -> Iterator[Finding]:
    if stated_major(tool.extension("atdf")) == 2:  # no such record is at fault, and to write one takes time
        return iter(())
    return find_version_faults(_write(tool, None).data)  # which is what was read


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
        _CARRIED,
        dict.fromkeys(("inputs", "bindings"), ("/how_to_use/inputs/*",)),
        in_prose=prerequisites.FIELDS - {"scopes"},
    ),
    read=_read,
    write=_write,
    identify=_identify,
    slot=ExtensionSlot(_OURS),
    spelling=Spelling(
        keys=("schema_version", "id", "success"),
        formal=("bindings", "errors"),
        unread=lambda binding: unread(binding, _style("0.2", default_required=True)),
    ),
    checks=Checks(_find_faults, "toolglot.converter.formats.atdf.rules"),
    migration=MigrationRules("toolglot.converter.formats.atdf.migration", fills=("expected_result",)),
)
