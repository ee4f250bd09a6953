"""AIP-14 `TOOL.md` (agenttool/v1): YAML front matter, and Markdown for people.

An absent key means that the tool is harmless here (`mutates: []`, `approval: auto`, `risk_level: 0`), so a fact that
another format does not state is written as its cautious value. AIP-30 moved the keys of drivers (`code`, `run`,
`secrets`, ...) to DRIVER.md; a file that still has them is recognised and refused.
"""

from __future__ import annotations

import re
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from toolglot.converter.formats import (
    Checks,
    ExtensionSlot,
    Format,
    LinkedFacts,
    MigrationRules,
    Places,
    Record,
    Spelling,
)
from toolglot.converter.formats.aip14.body import (
    FIELDS_OF_BODY,
    differs_from_sections,
    parse_body,
    render_body,
    repeats_fields,
)
from toolglot.converter.formats.aip14.detection import MARKS
from toolglot.converter.formats.aip14.keys import (
    ALIASES,
    DEFAULT_TIMEOUT,
    IMPLEMENTATION_ID,
    KINDS,
    LEGACY,
    OPEN_SCHEMAS,
    SEMVER,
    SHARED_WITH_ACTIONS,
    move_into_metadata,
    with_present_keys,
)
from toolglot.converter.formats.kit.description.facts_in_description import join_description
from toolglot.converter.formats.kit.description.short_and_whole import divide_description, unite_description
from toolglot.converter.formats.kit.description.shortening import shorten
from toolglot.converter.formats.kit.field_tables import (
    Row,
    Table,
    boolean,
    echoes,
    fields_of,
    integer,
    make_tool,
    mapping,
    order_keys,
    places,
    put,
    schema,
    take,
    text,
    texts,
    word,
)
from toolglot.converter.formats.kit.suppositions import (
    kept_description,
    mark_of_text,
    supposed_keys,
    with_mark,
    without_stated_names,
    without_suppositions,
)
from toolglot.converter.formats.kit.tool_ids import Name, fit_id, named_parts, qualify, words_of_id
from toolglot.converter.hub.durations import longest_ms
from toolglot.converter.hub.fields import TREE, fields_with
from toolglot.converter.hub.model import Example, Tool
from toolglot.converter.safety import Approval, SafetyWords, as_scope, with_inherited_facts, without_inherited_facts
from toolglot.converter.text.pointers import is_mappings, mapping_at, texts_at, without_keys
from toolglot.errors import ReadError
from toolglot.regexes import compile_later

_NO_VERSION = "0.0.0"
_DESCRIPTION_LIMIT = 2000
_TITLE_LIMIT = 80
_FS_ROOT = "_workflowFsRoot"  # AIP-16: injected by the host; a value that a caller supplies is never honoured


def _is_reference(value: Any) -> bool:
    return bool(value) and isinstance(value, str | dict)


def _is_examples(value: Any) -> bool:
    return is_mappings(value, "name") and all("input" in item for item in value)


def _load_examples(items: list[dict[str, Any]]) -> tuple[Example, ...]:
    examples = []
    for number, item in enumerate(items, 1):
        rest = without_keys(item, "name", "input", "output", "note")
        title, note = item["name"], item.get("note")
        if title == _placeholder_title(number):
            title = None
        if not isinstance(note, str | None):
            rest["note"], note = note, None
        output = item.get("output", UNSET)
        examples.append(Example(title=title, input=item["input"], output=output, note=note, extensions=rest or None))
    return tuple(examples)


def _placeholder_title(number: int) -> str:
    """The title that is written for an example without one, and read back as no title."""
    return f"Example {number}"


def _dump_examples(examples: tuple[Example, ...]) -> list[dict[str, Any]]:
    entries = []
    calls = [example for example in examples if example.input is not UNSET]  # command lines go to the body
    for number, example in enumerate(calls, 1):
        entry = {"name": example.title or _placeholder_title(number), "input": example.input}
        if example.output is not UNSET:
            entry["output"] = example.output
        if example.note is not None:
            entry["note"] = example.note
        entries.append({**(example.extensions or {}), **entry})
    return entries


_TABLE: Table = {
    "name": text("title"),
    "id": text("id"),
    "description": text("description"),
    "version": replace(text("version"), supposed=_NO_VERSION),
    "idempotent": boolean("idempotent"),
    "mutates": texts("mutates"),
    **SHARED_WITH_ACTIONS,
    "cost_class": word("cost_class", "trivial", "metered", "expensive"),
    "timeout_ms": integer("timeout_ms"),
    "retry": mapping("retry"),
    "default_implementation": text("default_implementation"),
    "driver_constraints": mapping("driver_constraints"),
    "implements": Row("implements", _is_reference, about=fields_with(of_links=True, assumable=True)),
    "inputs": schema("inputs"),
    "outputs": schema("outputs"),
    "tags": texts("tags"),
    "examples": Row("examples", _is_examples, _load_examples, _dump_examples),
    "metadata": {"contextSchema": schema("context")},
}
_LINKED_FIELDS = fields_with(kind=TREE, of_one_node=False)  # fields about the action and the drivers of a tool
_HOLDS = fields_of(_TABLE).union(FIELDS_OF_BODY, _LINKED_FIELDS, ("assumed",))
_SLOT = ("metadata", "toolglot")  # keys that lead to toolglot's own data


def _read(record: Record) -> Tool:
    if not record.data.keys().isdisjoint(LEGACY):
        legacy = [key for key in LEGACY if key in record.data]
        keys = ", ".join(f"`{key}`" for key in legacy)
        raise ReadError(
            f"this TOOL.md is older than AIP-30: {keys} must move to a DRIVER.md; "
            f"`toolglot migrate --kind {'|'.join(KINDS)}` does it",
            code="legacy-tool-md",
            pointer=f"{record.pointer}/{legacy[0]}",
        )
    data = move_into_metadata(with_present_keys(record.data, record.pointer))
    host: dict[str, Any] = {}  # the input that the host fills in, and no model
    if _FS_ROOT in mapping_at(mapping_at(data, "inputs"), "properties"):
        inputs, host = _without_fs_root(data["inputs"])
        data = {**data, "inputs": inputs}
    fields: dict[str, Any] = {}
    rest = take(data, _TABLE, fields)
    if host:
        rest[f"inputs/{_FS_ROOT}"] = host
    body = record.body or ""
    sections = parse_body(body)
    fields.update(unite_description(fields.pop("description"), sections["description"], _HOLDS, _DESCRIPTION_LIMIT))
    fields["errors"] = sections["errors"] or None
    if sections["commands"]:
        if fields.get("examples") == ():
            rest["examples"] = []  # the front matter states an empty list, although the body has examples
        commands = (Example(command=line) for line in sections["commands"])
        fields["examples"] = (*fields.get("examples", ()), *commands)
    if differs_from_sections(body, sections):
        fields["body"] = body
    tool = make_tool("aip14", fields, rest)
    inherited = (record.linked_facts or _follow_links(data, None)).inherits
    if inherited is None:
        return without_suppositions(tool, _TABLE, "aip14", _SLOT)
    stated = without_suppositions(tool, _TABLE, "aip14", _SLOT, with_inherited_facts(tool, inherited))
    return with_inherited_facts(stated, inherited)


def _follow_links(data: dict[str, Any], path: str | None) -> LinkedFacts:
    """What a tool inherits from files around it, and what is wrong with its references to them.

    Args:
        data: the front matter.
        path: its file; `None` where it is a text without a file.
    """
    if not isinstance(data, dict) or (path is None and not data.get("implements")):
        return LinkedFacts()  # so it is for most documents
    from toolglot.converter.formats.aip14.links import follow_links  # takes 1 ms, which tools without links are spared

    return follow_links(data, path)


def _find_files(data: dict[str, Any], path: str) -> dict[str, list[str]]:
    from toolglot.converter.formats.aip14.links import find_files  # as above

    return find_files(data, path)


def _without_fs_root(inputs: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The inputs without the one that the host fills in, and what `_with_fs_root` needs to put it back."""
    properties, required = inputs["properties"], texts_at(inputs, "required")
    host: dict[str, Any] = {"schema": properties[_FS_ROOT]}
    new_inputs = {**inputs, "properties": without_keys(properties, _FS_ROOT)}
    if _FS_ROOT in required:
        host["required"] = required
        new_inputs["required"] = [name for name in required if name != _FS_ROOT]
    return new_inputs, host


def _with_fs_root(inputs: dict[str, Any], host: dict[str, Any]) -> dict[str, Any]:
    full = {**inputs, "properties": {**inputs.get("properties", {}), _FS_ROOT: host["schema"]}}
    if "required" in host:
        full["required"] = host["required"]
    return full


def _write(tool: Tool, version: str | None) -> Record:
    linked_facts = LinkedFacts(tool.inherits) if tool.inherits else None
    whole = tool
    if tool.origin == "aip14":
        tool = without_inherited_facts(tool)
    rest = dict(tool.extension("aip14"))
    host = rest.pop(f"inputs/{_FS_ROOT}", None)
    data = put(tool, _TABLE, rest)
    if host and "inputs" in data:
        data["inputs"] = _with_fs_root(data["inputs"], host)
    description, section_text = divide_description(tool, _HOLDS, _DESCRIPTION_LIMIT)
    data["description"] = kept_description(tool, rest) or description
    data = without_stated_names(data, _SLOT, tool, _TABLE, whole)
    if tool.origin != "aip14":
        data = with_mark(data, _SLOT, _complete_data(data, tool))
    for name, default in OPEN_SCHEMAS.items():
        data.setdefault(name, dict(default))
    title = tool.id if tool.origin == "aip14" else words_of_id(tool.id)
    data.setdefault("name", shorten(title, _TITLE_LIMIT))
    return Record(order_keys(data, _TABLE), render_body(tool, section_text), linked_facts=linked_facts)


_SHORT_VERSION = compile_later(r"\d+(?:\.\d+)?\Z", re.ASCII)
_TAG = compile_later(r"[a-z0-9][a-z0-9-]*\Z")


def _complete_version(version: str) -> str:
    """The version with three numbers; the version that stands for none where it cannot be completed.

    >>> _complete_version("1.2"), _complete_version("2026-01")
    ('1.2.0', '0.0.0')
    """
    if _SHORT_VERSION.match(version):
        version += ".0" * (2 - version.count("."))
    return version if SEMVER.fullmatch(version) else _NO_VERSION


def _complete_data(data: dict[str, Any], tool: Tool) -> list[str]:
    """Make the values of another format fit the patterns of this one; the report shows every change.

    Returns:
        The keys whose values nobody stated, as entries of the mark in the document.
    """
    entries = supposed_keys(tool, _TABLE)
    data["version"] = _complete_version(data.get("version", ""))
    if data["version"] == _NO_VERSION != tool.version:
        entries.append("version")
    if join_description(tool, _HOLDS) is None:
        entries.append(mark_of_text("description", data["description"]))
    if "name" in data:
        data["name"] = shorten(data["name"], _TITLE_LIMIT) or tool.id
    inputs = data.setdefault("inputs", {"type": "object", "additionalProperties": True})
    if "type" not in inputs and "$ref" not in inputs:
        data["inputs"] = {"type": "object", **inputs}
    if "tags" in data:
        data["tags"] = list(dict.fromkeys(map(_fit_tag, data["tags"])))
    if "mutates" in data:
        data["mutates"] = [_fit_mutation(entry) for entry in data["mutates"]]
    longest = longest_ms(tool.duration or "")
    if "timeout_ms" in data:
        data["timeout_ms"] = max(data["timeout_ms"], 1)
    elif longest > DEFAULT_TIMEOUT:
        data["timeout_ms"] = longest  # without a value, the default would end the tool before it is done
    if not IMPLEMENTATION_ID.match(data.get("default_implementation", "ok")):
        del data["default_implementation"]
    return entries


def _fit_tag(tag: str) -> str:
    return tag if _TAG.match(tag) else fit_id(tag.lower(), "a-z0-9-", 64, "tag")


def _fit_mutation(entry: str) -> str:
    """An entry of `mutates` in the pattern `class:scope`; one without a class gets the class `external`.

    >>> _fit_mutation("storage:files"), _fit_mutation("files")
    ('storage:files', 'external:files')
    """
    kind, colon, scope = entry.partition(":")
    if not (colon and re.fullmatch("[a-z]+", kind)):
        kind, scope = "external", entry
    return f"{kind}:{as_scope(scope)}"


def _identify(name: Name) -> str:
    """An id of 2 to 80 lower-case letters, digits, dots and dashes; dots join the namespace and the path."""
    if name.is_plain and re.fullmatch(r"[a-z0-9][a-z0-9.\-]{0,78}[a-z0-9]", name.path[0]):
        return name.path[0]
    parts = [part.lower().replace(":", ".") for part in named_parts((name.namespace or "", *name.path))]
    words = [fit_id(part, "a-z0-9.-", 60).strip(".") for part in parts]
    dotted_name = ".".join(part for part in words if part)
    qualified_name = qualify(dotted_name, replace(name, namespace=None), "", "-v")
    identifier = fit_id(qualified_name, "a-z0-9.-", 80).strip(".-")
    return identifier if len(identifier) > 1 else f"tool-{identifier or 'x'}"


_PLACES = places(_TABLE)
_OLD_PLACES = {
    field: [f"/{old}" for old, name in ALIASES.items() if place == f"/{name}"] for field, place in _PLACES.items()
}
_echoes_of_table = echoes(_TABLE)


def _echoes(tool: Tool) -> list[str]:
    """Pointers to values that repeat a field in their own spelling, and to an empty list of examples."""
    pointers = _echoes_of_table(tool)
    if tool.extension("aip14").get("examples") == []:
        pointers.append("/examples")
    return pointers


def _identity(tool: Tool) -> str:
    """The id and the first number of the version, by which caches, records and grants know a tool (specs 5.7)."""
    return f"{tool.id}@{(tool.version or '').partition('.')[0]}"


FORMAT = Format(
    name="aip14",
    title="AIP-14 TOOL.md",
    url="https://agentproto.sh/docs/aip-14",
    marks=MARKS,
    versions=("v1",),
    writes=("v1",),
    one_per_file=True,
    version_of=lambda record: "v1",
    file_name=lambda identifier: f"{identifier}/TOOL.md",
    holds=_HOLDS,
    places=Places(_PLACES, _OLD_PLACES, sections={"errors": "Errors", "examples": "Examples", "body": ""}),
    read=_read,
    write=_write,
    identify=_identify,
    known_keys=_TABLE,
    slot=ExtensionSlot(_SLOT),
    spelling=Spelling(keys=("schema",), formal=("title",), echoes=_echoes, repeats_fields=repeats_fields),
    safety_words=SafetyWords(Approval("auto", "on-mutate", "always", on_change="on-mutate", must=True, policy=True)),
    checks=Checks("toolglot.converter.formats.aip14.rules", identity=_identity, older_keys=LEGACY),
    migration=MigrationRules("toolglot.converter.formats.aip14.migration", kinds=KINDS),
    follow_links=_follow_links,
    default_timeout_ms=DEFAULT_TIMEOUT,
    find_files=_find_files,
    definitions_module="toolglot.converter.formats.aip14.definitions",
)
