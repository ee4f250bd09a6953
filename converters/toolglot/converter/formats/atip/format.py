"""ATIP, the Agent Tool Introspection Protocol: what a command-line program prints on `--agent`.

Reads 0.1 to 0.6, writes 0.3 (the RFC) and 0.6. One document is one program: a tree of commands whose leaves can
be called; the command `""` is the program itself. Every level is open, so a misspelt or wrongly typed safety
field validates without a word: it stays in `extensions` and the fact stays unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from toolglot.converter import safety
from toolglot.converter.formats import Checks, ExtensionSlot, Finding, Format, MigrationRules, Places, Record, Spelling
from toolglot.converter.formats.atip import partial_discovery
from toolglot.converter.formats.atip.arguments_and_options import (
    OURS,
    STYLE,
    command_line,
    dump_parameters,
    entries_of,
    take_parameters,
)
from toolglot.converter.formats.atip.detection import MARKS
from toolglot.converter.formats.atip.invented_command_lines import mark_invented
from toolglot.converter.formats.atip.partial_discovery import DISCOVERY, MARK, depth_limit, is_truncated, omission_facts
from toolglot.converter.formats.atip.versions import EARLY, NEWEST, OLD_ESTIMATES, SPAN, described_by, version_of
from toolglot.converter.formats.kit.description.labelled_facts import (
    brief_description,
    join_description,
    shorten,
    take_description,
)
from toolglot.converter.formats.kit.field_tables import (
    Row,
    Table,
    boolean,
    echoes,
    fields_of,
    mapping,
    mappings,
    order_keys,
    places,
    put,
    take,
    text,
    texts,
    word,
)
from toolglot.converter.formats.kit.parameters import collect, describe_choice, unread
from toolglot.converter.formats.kit.secret_names import BETWEEN_WORDS, method_of_secret
from toolglot.converter.formats.kit.suppositions import kept_description, mark_of_text, with_mark, without_suppositions
from toolglot.converter.formats.kit.tool_ids import Name, fit_id, qualify
from toolglot.converter.formats.kit.unreadable_facts import Doubt, doubts
from toolglot.converter.hub.durations import format_span, format_time_limit, is_time_limit, parse_span, parse_time_limit
from toolglot.converter.hub.fields import PARAMETERS, fields_with
from toolglot.converter.hub.model import AuthMethod, Example, Tool, without_spelling
from toolglot.converter.hub.trees import as_group
from toolglot.converter.schema.titles import title_of_name
from toolglot.converter.text.pointers import (
    as_mapping,
    escape,
    is_mappings,
    is_text,
    is_texts,
    only_keys,
    value_at,
    without_keys,
    without_nulls,
)
from toolglot.converter.text.sentences import first_sentence
from toolglot.converter.text.wording import join_names

_VERSIONS = ("0.1", "0.2", "0.3", "0.4", "0.5", "0.6")
_DESCRIPTION_LIMIT = 200  # of the program; 0.3 recommends it, the schemas of 0.4 and 0.6 enforce it

_ESTIMATES = frozenset({"free", "low", "medium", "high", *OLD_ESTIMATES})

_METHOD_TABLE = {
    "type": "type",
    "envVar": "env",
    "configPath": "config_path",
    "description": "description",
    "setupCommand": "setup",
}
_NO_LOGIN = "none"  # the type of a method that asks for nothing; 0.1.0 has it, and the schemas since 0.4 refuse it


def _load_methods(items: list[dict[str, Any]]) -> tuple[AuthMethod, ...]:
    methods = []
    for item in items:
        if item["type"] == _NO_LOGIN:
            continue
        rest, fields = dict(item), {}
        for key, field in _METHOD_TABLE.items():
            if isinstance(rest.get(key), str):
                fields[field] = rest.pop(key)
        if is_texts(rest.get("scopes")):
            fields["scopes"] = tuple(rest.pop("scopes"))
        methods.append(AuthMethod(**fields, extensions=rest or None))
    return tuple(methods)


def _dump_methods(methods: tuple[AuthMethod, ...]) -> list[dict[str, Any]]:
    entries = []
    for method in methods:
        entry = {key: getattr(method, field) for key, field in _METHOD_TABLE.items()}
        entry = without_nulls(entry)
        if method.scopes is not None:
            entry["scopes"] = list(method.scopes)
        entries.append({**entry, **(method.extensions or {})})
    return entries


INTERACTIVE: Table = {
    "stdin": word("stdin", "none", "optional", "required", "password"),
    "prompts": boolean("prompts"),
    "tty": boolean("tty"),
}
_COMMAND: Table = {
    "description": text("description"),
    "effects": {
        "filesystem": {
            "read": boolean("reads_files"),
            "write": boolean("writes_files"),
            "delete": boolean("deletes_files"),
            "paths": texts("paths"),
        },
        "network": boolean("network"),
        "subprocess": boolean("subprocess"),
        "idempotent": boolean("idempotent"),
        "reversible": boolean("reversible"),
        "destructive": boolean("destructive"),
        "creates": texts("creates"),
        "modifies": texts("modifies"),
        "deletes": texts("deletes"),
        "interactive": INTERACTIVE,
        "cost": {
            "estimate": Row(
                "cost_estimate",
                lambda value: isinstance(value, str) and value in _ESTIMATES,
                lambda value: OLD_ESTIMATES.get(value, value),
                has_spellings=True,
            ),
            "billable": boolean("billable"),
        },
        "duration": {
            "typical": text("duration"),
            "timeout": Row("timeout_ms", is_time_limit, parse_time_limit, format_time_limit, has_spellings=True),
        },
    },
    "authentication": {
        "required": boolean("auth_required"),
        "methods": Row(
            "auth_methods",
            lambda value: is_mappings(value, "type"),
            _load_methods,
            _dump_methods,
            has_spellings=True,
        ),
        "checkCommand": text("auth_check"),
    },
    "deprecated": boolean("deprecated"),
    "hidden": boolean("hidden"),
    "x-syntax": mapping("syntax"),
    "examples": Row(
        "examples",
        is_texts,
        lambda items: tuple(Example(command=item) for item in items),
        lambda examples: [example.command for example in examples if example.command is not None],
    ),
}
_NO_VERSION = "unknown"  # the field is required, and not every program has a version


_PROGRAM: Table = {
    "name": text("id"),
    "version": Row("version", is_text, lambda version: None if version == _NO_VERSION else version),
    "title": text("title"),
    "license": text("license"),
    "homepage": text("homepage"),
    "trust": mapping("trust"),
    "binary": mapping("binary"),
    **_COMMAND,
    "patterns": mappings("patterns"),
}
_HOLDS = fields_of(_PROGRAM).union(PARAMETERS, partial_discovery.FIELDS, ("summary", "assumed"))


# -- reading ------------------------------------------------------------------------------------------------


def _read(record: Record) -> Tool:
    data = record.data
    if not isinstance(data.get("name"), str) and isinstance(data.get("binary"), dict):  # a shim names only its binary
        data = {**data, "name": data["binary"]["name"]}
    return _read_node(data, _PROGRAM, "atip", depth_limit(data))


def _read_node(data: dict[str, Any], table: Table, origin: str | None, levels: int | None) -> Tool:
    """One node; `levels` is how many more of them the document shows, `None` where none is cut off."""
    fields: dict[str, Any] = {"origin": origin}
    rest = take(data, table, fields)
    take_description(fields, _HOLDS)
    if isinstance(rest.get("interactive"), dict):
        rest = _believe_misplaced(data, rest, fields)
    if table is _PROGRAM:
        if rest.get("globalOptions"):
            entries = [("option", entry) for entry in rest.pop("globalOptions")]
            fields["global_inputs"], fields["global_bindings"] = collect(entries, STYLE)
        discovery = {key: rest.pop(key) for key in DISCOVERY if key in rest}
        if discovery:
            fields["discovery"] = discovery
    commands = rest.pop("commands") if rest.get("commands") else {}
    below = None if levels is None else levels - 1
    children = tuple(_read_node({**child, "": name}, _CHILD, None, below) for name, child in commands.items())
    takes_parameters = table is not _PROGRAM and bool(rest.get("arguments") or rest.get("options"))
    if not children and is_truncated(data, levels):
        fields["truncated"] = True
    elif rest.get(MARK) is False and is_truncated({**data, MARK: None}, levels):
        del rest[MARK]  # the writer adds it where it is needed
    is_leaf = not children and "truncated" not in fields
    if takes_parameters or (is_leaf and table is not _PROGRAM):
        fields.update(take_parameters(rest))
    elif is_leaf:
        fields["inputs"] = {"type": "object", "properties": {}}
    if rest:
        fields["extensions"] = {"atip": rest}
    return without_suppositions(Tool(children=children or None, **fields), table, "atip", OURS)


def _doubts(node: Tool) -> Iterator[Doubt]:
    """`interactive` beside the effects, where some write it; a slip of it there is no slip of a key of the format."""
    yield from doubts(only_keys(node.extension("atip"), _BESIDE), _BESIDE, ())


_BESIDE: Table = {"interactive": INTERACTIVE}


_CHILD: Table = {"": text("id"), **_COMMAND}  # the key of a command is its id


def _find_faults(tool: Tool) -> Iterator[Finding]:
    """Parameters at the root of a program, as a command's own are read; and those of an enum without its list."""
    for key in ("arguments", "options"):
        if tool.extension("atip").get(key):
            message = f'`{key}` belongs into a command (the program itself is the command ""); nobody reads it here'
            yield Finding("misplaced-parameters", f"/{key}", message)
    length = len(tool.description or "")
    if length > _DESCRIPTION_LIMIT and version_of(tool.extension("atip")) in EARLY:
        message = f"{length:,} characters, where at most {_DESCRIPTION_LIMIT} are recommended"
        yield Finding("long-program-description", "/description", message)
    for pointer, node in _nodes(tool, ""):
        yield from _find_faults_of_node(node, pointer)
    spellings = _spellings_of_names(tool)
    if len(spellings) > 1:
        message = f"the words of names are parted in different ways, as in {join_names(spellings.values())}"
        yield Finding("mixed-names", "", message)


def _find_faults_of_node(node: Tool, pointer: str) -> Iterator[Finding]:
    children = node.children or ()
    if node.description is not None and node.description != node.description.strip():
        yield Finding("padded-description", f"{pointer}/description", "white space stands around the description")
    if children and node.inputs is not None and not node.callable and all(child.id for child in children):
        message = "the options of this group are those of its commands, and nobody is offered the group as a call"
        yield Finding("uncalled-group", pointer, message)
    for kind, place, bindings in (
        ("option", "globalOptions", node.global_bindings),
        ("argument", "arguments", node.bindings),
        ("option", "options", node.bindings),
    ):
        entries = [binding.spelling or {} for binding in (bindings or {}).values() if binding.kind == kind]
        for index, entry in enumerate(entries):
            if entry.get("type") == "enum" and not isinstance(entry.get("enum"), list):
                message = "an `enum` without its list of values; it is taken for any text"
                yield Finding("unlisted-enum", f"{pointer}/{place}/{index}", message)


def _nodes(node: Tool, pointer: str) -> Iterator[tuple[str, Tool]]:
    """Every node of a tree behind its place in a document."""
    yield pointer, node
    for child in node.children or ():
        yield from _nodes(child, f"{pointer}/commands/{escape(child.id)}")


_SPELLINGS = {"dashes": re.compile(r"\w-\w"), "underscores": re.compile(r"\w_\w"), "capitals": re.compile("[a-z][A-Z]")}


def _spellings_of_names(tool: Tool) -> dict[str, str]:
    """How words are parted in the names of commands and in long flags, each with the first name that is written so."""
    found: dict[str, str] = {}
    for _, node in _nodes(tool, ""):
        bindings = [*(node.bindings or {}).values(), *(node.global_bindings or {}).values()]
        flags = (flag for binding in bindings for flag in binding.flags or () if flag.startswith("--"))
        for name in (*(child.id for child in node.children or ()), *flags):
            for spelling, pattern in _SPELLINGS.items():
                if pattern.search(name):
                    found.setdefault(spelling, name)
    return found


# -- writing ------------------------------------------------------------------------------------------------


# What vouches for the bytes of a document holds for no other bytes.
_SIGNED = ("integrity", "signature", "provenance", "shimIntegrity", "checksum", "signedBy", "attestation")


def _write(tool: Tool, version: str | None) -> Record:
    is_own = tool.origin == "atip"
    if not is_own:
        version = version or NEWEST
        tool = without_spelling(tool)  # how another format spells its parameters is nothing to this one
        tool = mark_invented(_say_parameters(tool))
    if version is not None and tool.trust is not None:
        tool = replace(tool, trust=_without_voucher(tool.trust))
    if version == NEWEST:
        tool = _with_spans(tool)
    protocol = _protocol(tool.extension("atip").get("atip") if is_own else None, version)
    if not tool.children and not tool.truncated and not _is_bare(tool):
        tool = _as_program(tool)
    words = [] if is_own else [_program_name(tool)]
    data = _write_node(tool, _PROGRAM, depth_limit(tool.discovery or {}), words)
    return Record({"atip": protocol, **order_keys(data, ("name", "version", "description"))})


def _without_voucher(trust: dict[str, Any]) -> dict[str, Any]:
    """What is said about trust, less what vouched for another text."""
    others = without_keys(trust, *_SIGNED)
    return {**others, "verified": False} if "verified" in others else others


def _say_parameters(tool: Tool, is_open: bool = False) -> Tool:
    """The tree with what the format has another place for: ways to sign in, and which parameters belong together.

    Args:
        is_open: whether a group above says that nobody signs in. A command below it requires that without naming
            methods, which a reader may take for ways that are there and not needed.
    """
    is_open = is_open or tool.auth_required is False
    if tool.children:
        tool = replace(tool, children=tuple([_say_parameters(child, is_open) for child in tool.children]))
    return describe_choice(tool if is_open else _with_auth_methods(tool))


def _as_line(example: Example, words: list[str], parameters: dict[str, Any]) -> Example:
    if example.command is not None or not isinstance(example.input, dict):
        return example
    return replace(example, command=command_line(words, parameters, example.input))


def _with_spans(tool: Tool) -> Tool:
    """The tree with durations as the newest schema takes them: as spans."""
    changes: dict[str, Any] = {}
    if tool.duration is not None and not re.fullmatch(SPAN, tool.duration):
        span = parse_span(tool.duration)
        if span is not None:
            changes["duration"] = format_span(*span)
    if tool.children:
        changes["children"] = tuple(map(_with_spans, tool.children))
    if not changes:
        return tool
    return replace(tool, **changes)


def _with_auth_methods(tool: Tool) -> Tool:
    """The tool with a method for each secret; a name that is one of a variable says how the secret is given.

    Its type is guessed from the name. Methods are alternatives, and of secrets all are needed.
    """
    own_methods = tool.auth_methods or ()
    stated = {BETWEEN_WORDS.sub("-", method.env.lower()) for method in own_methods if method.env}
    names = [name for name in tool.secrets or () if BETWEEN_WORDS.sub("-", name.lower()) not in stated]
    if not names:
        return tool
    methods = [*own_methods]
    for name in names:
        method = method_of_secret(name)
        words = f"{name} (all {len(names)} secrets are needed)" if len(names) > 1 else method.description
        methods.append(replace(method, description=words, extensions=with_mark({}, OURS, ["type"])))
    return replace(tool, auth_methods=tuple(methods))


def _is_bare(tool: Tool) -> bool:
    """A program that describes no commands at all, as opposed to one that takes arguments itself."""
    return tool.origin == "atip" and tool.inputs == {"type": "object", "properties": {}}


def _protocol(own: Any, version: str | None) -> Any:
    if version == "0.3":
        return "0.3"
    if version is None and own is not None:
        return own
    return {**own, "version": "0.6"} if isinstance(own, dict) else {"version": "0.6"}


_OF_PROGRAM = (fields_of(_PROGRAM) - fields_of(_COMMAND) - {"id"}).union(
    _HOLDS.intersection(fields_with(handed_down="same")), ("global_inputs", "global_bindings")
)


def _as_program(tool: Tool) -> Tool:
    """A single tool as a program whose bare executable, the command `""`, takes its parameters.

    What the program is stands in one sentence at its root; how and when to call it stands whole in the command.
    """
    of_program = {name: getattr(tool, name) for name in _OF_PROGRAM}
    bare = _bare(tool)
    extensions = {"atip": tool.extension("atip")} if tool.extensions else None
    summary = tool.summary
    if summary is None and tool.description is not None:
        summary = shorten(first_sentence(tool.description), _DESCRIPTION_LIMIT)
    return Tool(id=tool.id, description=summary, children=(bare,), extensions=extensions, **of_program)


def _bare(tool: Tool) -> Tool:
    """The command `""`: the tool without what its program says."""
    description, assumed = tool.description, None
    if description is None:
        description = tool.summary
    if description is None:
        description, assumed = tool.title or title_of_name(tool.id), ("description",)
    of_program = dict.fromkeys((*_OF_PROGRAM, "summary", "extensions", "children"))
    return replace(tool, **of_program, id="", description=description, assumed=assumed)


def _write_node(tool: Tool, table: Table, levels: int | None, words: list[str]) -> dict[str, Any]:
    """One node; what nobody marked may stay so where it is read as what it is.

    Args:
        levels: as in reading.
        words: with which it is called; none for one of the format's own.
    """
    rest = dict(tool.extension("atip"))
    rest.pop("atip", None)
    parameters = dump_parameters(tool, rest)
    if words and tool.examples:
        tool = replace(tool, examples=tuple([_as_line(example, words, parameters) for example in tool.examples]))
    out_of_place = dict.fromkeys(field for _, field in _said_out_of_place(tool))
    data = put(replace(tool, **out_of_place), table, rest)
    limit = _DESCRIPTION_LIMIT if table is _PROGRAM else None
    data["description"] = kept_description(tool, rest) or _description(tool, limit)
    if join_description(tool, _HOLDS) is None or "description" in (tool.assumed or ()):
        data = with_mark(data, OURS, [mark_of_text("description", data["description"])])
    if table is _PROGRAM:
        data["name"] = _program_name(tool)
        data.setdefault("version", _NO_VERSION)
        data.update(tool.discovery or {})
        if tool.global_inputs:
            entries = entries_of(tool.global_inputs, tool.global_bindings)
            data["globalOptions"] = [entry for _, entry in entries]
    nodes = tool.children or ()
    if table is _PROGRAM and tool.inputs is not None and not _is_bare(tool):
        nodes = (_own_call(tool), *nodes)
    elif table is not _PROGRAM:
        if tool.children and tool.callable and not parameters.get("arguments"):
            # A group with nothing but options would no longer say that it can be called by itself.
            nodes = (_own_call(tool), *nodes)
            parameters = dump_parameters(as_group(tool), rest)
        data.update(parameters)
    if nodes:
        below = None if levels is None else levels - 1
        data["commands"] = {}
        for node in nodes:
            words_of_node = [*words, node.id] if words and node.id else words
            command = _write_node(node, _CHILD, below, words_of_node)
            del command[""]  # the key under which it stands
            data["commands"][node.id] = order_keys(command, ["description"])
    elif tool.truncated and words:
        data[MARK] = True
    elif not tool.truncated and is_truncated(data, levels):
        data[MARK] = False
    return data


def _own_call(tool: Tool) -> Tool:
    """The command `""` of a group: what the group takes when it is called by itself."""
    return Tool(id="", description=tool.description, inputs=tool.inputs, bindings=tool.bindings)


def _program_name(tool: Tool) -> str:
    return FORMAT.identify(Name((tool.id,)))


def _identify(name: Name) -> str:
    """The words of a path joined by `-`; a name that is allowed as it is stays as it is."""
    if name.is_plain and re.fullmatch("[a-zA-Z0-9_-]+", name.path[0]):
        return name.path[0]
    return fit_id(qualify("-".join(name.path), name, "-", "-v"), "a-zA-Z0-9_-", 64)


def _believe_misplaced(data: dict[str, Any], rest: dict[str, Any], fields: dict[str, Any]) -> dict[str, Any]:
    """Take the facts of an `interactive` that stands beside `effects` instead of inside; it stays where it is."""
    facts: dict[str, Any] = {}
    take(rest["interactive"], INTERACTIVE, facts)
    for name, value in facts.items():
        fields[name] = safety.worse(name, fields.get(name), value)
    effects = data.get("effects")
    if isinstance(effects, dict) and isinstance(effects.get("interactive"), dict):
        rest = {**rest, "effects": {**rest.get("effects", {}), "interactive": effects["interactive"]}}
    return rest


def _said_out_of_place(tool: Tool) -> Iterator[tuple[str, str]]:
    """The facts that the extension says already, where the source has them: place and field of each."""
    rest = tool.extension("atip")
    for place in ("/interactive", "/effects/interactive"):
        block = as_mapping(value_at(rest, place))
        for key, row in INTERACTIVE.items():
            if key in block and block[key] == getattr(tool, row.field):
                yield f"{place}/{key}", row.field


_PARAMETERS = ("/arguments/*", "/options/*")
_ENTRIES = {
    **dict.fromkeys(("inputs", "bindings"), _PARAMETERS),
    **dict.fromkeys(("global_inputs", "global_bindings"), ("/globalOptions/*",)),
}


_spelled = echoes(_PROGRAM)


def _echoes(tool: Tool) -> list[str]:
    """What stands in the extension and in a field: other spellings, empty lists, and an `interactive` out of place."""
    rest = tool.extension("atip")
    pointers = ["/atip/version", *_spelled(tool)]
    pointers += [f"/{key}" for key in ("arguments", "options") if rest.get(key) == []]
    return [*pointers, *(place for place, _ in _said_out_of_place(tool))]


def _description(tool: Tool, limit: int | None) -> str:
    text = join_description(tool, _HOLDS)
    if text is None:
        text = tool.summary or tool.title or title_of_name(tool.id) or "Not described."
    if limit is None or len(text) <= limit:
        return text
    return brief_description(tool, _HOLDS, limit)


# -- the format ---------------------------------------------------------------------------------------------


FORMAT = Format(
    name="atip",
    title="Agent Tool Introspection Protocol",
    url="https://github.com/lenulus/atip",
    marks=MARKS,
    versions=_VERSIONS,
    writes=("0.3", "0.6"),
    described_by=described_by,
    one_per_file=True,
    tree=True,
    version_of=version_of,
    file_name=lambda identifier: f"{identifier}.atip.json",
    holds=_HOLDS,
    places=Places(
        places(_PROGRAM),
        {row.field: (f"/interactive/{key}",) for key, row in INTERACTIVE.items()},
        carried_by=dict.fromkeys(("flags", "summary"), "description"),
        entries=_ENTRIES,
        child=lambda data, parent, identifier, index: f"{parent}/commands/{escape(identifier)}",
    ),
    read=_read,
    write=_write,
    identify=_identify,
    known_keys=_COMMAND,
    doubts=_doubts,
    slot=ExtensionSlot(OURS),
    spelling=Spelling(
        keys=("atip",),
        formal=("bindings", "summary"),
        echoes=_echoes,
        unread=lambda binding: unread(binding, STYLE),
    ),
    checks=Checks(_find_faults, "toolglot.converter.formats.atip.rules"),
    migration=MigrationRules("toolglot.converter.formats.atip.migration", fills=("description",)),
    omission_facts=omission_facts,
)
