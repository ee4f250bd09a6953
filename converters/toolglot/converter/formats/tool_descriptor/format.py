"""openwop ToolDescriptor, v1 (RFC 0078): what a host tells its clients about one callable tool.

The descriptor is closed: no extension point of any kind, so what a lossless conversion keeps travels
beside the list (`{"tools": [...], "x-toolglot": [...]}`). `safetyTier` is the host's own classification; a value
derived from another format is a cautious proposal, and the report says so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from msgspec.structs import replace

from toolglot.converter.formats import Checks, Format, Places, Record, ScopedIds, Spelling
from toolglot.converter.formats.kit.containers import listed_records
from toolglot.converter.formats.kit.description.facts_in_description import (
    LABELLED,
    join_description,
    split_description,
)
from toolglot.converter.formats.kit.field_tables import (
    Row,
    Table,
    boolean,
    echoes,
    fields_of,
    make_tool,
    order_keys,
    places,
    put,
    schema,
    take,
    text,
    word,
)
from toolglot.converter.formats.kit.tool_ids import Name, fit_id, named_parts, qualify
from toolglot.converter.formats.mcp.hints import HINTS, believed_elsewhere
from toolglot.converter.formats.tool_descriptor.detection import MARKS
from toolglot.converter.hub.model import Tool
from toolglot.converter.safety import Approval, SafetyWords, may_warn, sort_warnings, text_warnings, warnings_in
from toolglot.converter.text.caches import cache_short
from toolglot.converter.text.pointers import is_texts
from toolglot.converter.text.sentences import one_line
from toolglot.errors import ReadError, WriteError

_EXECUTOR = "host-extension"  # the only source that may run commands (RFC 0078)

_TABLE = {
    "toolId": text("id"),
    "source": word("source", "node-pack", "workflow", "mcp", "connector", _EXECUTOR),
    "safetyTier": word("safety_tier", "pure", "read", "write", "exec"),
    "title": text("title"),
    "description": text("description"),
    "inputSchema": schema("inputs"),
    "outputSchema": schema("outputs"),
    "auth": {
        "scopes": Row("scopes", is_texts, tuple, lambda value: list(dict.fromkeys(value))),
        "credentialRef": boolean("auth_required"),
    },
    "egress": word("egress", "none", "safe-fetch", "host-mediated", "host-owned"),
    "approval": word("approval", "never", "conditional", "always"),
    "replayPolicy": word("replay", "deterministic", "idempotent", "non-deterministic"),
    "costHint": word("cost_hint", "low", "medium", "high"),
    "latencyHint": word("latency_hint", "low", "medium", "high"),
}
_HOLDS = fields_of(_TABLE)
_UNTOLD = LABELLED | {"guidance"}  # a description is a summary of one line
_NOT_IN_TEXT = _HOLDS | _UNTOLD
_CREDENTIAL_KEYS = frozenset({"secret", "credential", "credentials", "token", "apiKey", "password"})


def _read(record: Record) -> Tool:
    for key in _CREDENTIAL_KEYS.intersection(record.data):
        raise ReadError(
            f"a descriptor never carries credential material; remove {key!r}",
            code="credential-key",
            pointer=f"{record.pointer}/{key}",
        )
    fields: dict[str, Any] = {}
    rest = take(record.data, _TABLE, fields)
    if fields.get("safety_tier") == "exec" and fields.get("source") != _EXECUTOR:
        raise ReadError(
            f"a tool of safetyTier exec must have source {_EXECUTOR}; correct the source, not the tier",
            code="exec-source",
            pointer=f"{record.pointer}/source",
        )
    if "description" in fields:
        description = fields.pop("description")
        parts, is_spelled_so = _split_description(description)
        fields.update(parts)
        if not is_spelled_so:
            rest["description"] = description  # broken where we break no line
    return make_tool("tool-descriptor", fields, rest)


# Hosts that are newer than the RFC copy the hints of their servers.
_ANNOTATIONS: Table = {name: replace(row, aliases=(("annotations", name),)) for name, row in HINTS.items()}


def _write(tool: Tool, version: str | None) -> Record:
    rest = tool.extension("tool-descriptor")
    data = put(tool, _TABLE, rest)
    spelling = rest.get("description")
    description = join_description(tool, _NOT_IN_TEXT)
    if isinstance(spelling, str) and join_description(_parse_description(spelling), _NOT_IN_TEXT) == description:
        description = spelling  # the source's own still says what the tool does
    elif tool.origin == "tool-descriptor":
        description = _full_description(tool, description)
    else:
        description = _one_line_description(tool, description or "")
    if description is None:
        return Record(data)
    if "description" in data:
        data["description"] = description
        return Record(data)
    # It says nothing but what other fields state. At the end it would change its place when it is read and written.
    return Record(order_keys({**data, "description": description}, _TABLE))


def _with_source(tool: Tool) -> Tool:
    """The tool with a source, which every descriptor has; unknown is the one that may do most."""
    if tool.source is not None and tool.safety_tier != "exec":
        return tool
    return replace(tool, source=_EXECUTOR)


_PARAGRAPH = re.compile(" (?=Safety: )")


@cache_short(512)  # the reader splits what was just written again; without it a record that warns takes 5 % longer
def _split_description(description: str) -> tuple[Mapping[str, Any], bool]:
    """What a description says, and whether `_full_description` breaks lines where it does.

    The paragraphs that `join_description` adds may also stand on one line with it. A line that would say more about
    danger once it is broken, or less, says what it says as one line.
    """
    is_line = "\n" not in description
    if is_line:
        parts = dict(split_description(_PARAGRAPH.sub("\n\n", description), _NOT_IN_TEXT))
        if "description" in parts:
            parts["description"] = parts["description"].replace("\n\n", " ")
        if not may_warn(description) or _warnings(Tool(id="", **parts)) == warnings_in(description):
            return MappingProxyType(parts), True
    whole_parts = split_description(description, _NOT_IN_TEXT)
    return whole_parts, is_line or "\n" in whole_parts.get("description", "")


def _warnings(tool: Tool) -> tuple[str, ...]:
    return sort_warnings((*(tool.flags or ()), *text_warnings(tool, ())))


def _one_line_description(tool: Tool, description: str) -> str | None:
    """The description for readers of one line, unless it would state more warnings there, or fewer."""
    line = one_line(description)
    if may_warn(description):  # as few do
        is_same_to_us = _warnings(_parse_description(line)) == _warnings(tool)
        is_same_to_others = warnings_in(line) == warnings_in(description)
        if not (is_same_to_us and is_same_to_others):
            return description
    return line or None


def _parse_description(description: str) -> Tool:
    return Tool(id="", **_split_description(description)[0])


def _full_description(tool: Tool, description: str | None) -> str | None:
    """The description with what `join_description` adds, on one line unless the tool's own has lines."""
    if description is None or "\n" in (tool.description or ""):
        return description
    return description.replace("\n\n", " ")


# -- ids: the scope that one begins with says what stands behind the tool (specs 3.2) ----------------------------

SOURCES = {"mcp": "mcp", "connector": "connector"}  # scope -> the source of its tools
_HOME = "x-host-toolglot"  # what an id begins with that comes without a scope


def _identify(name: Name) -> str:
    """`<scope>:<namespace>.<id>`; an id that already has a scope keeps it where no other is asked for."""
    own = ".".join(named_parts(name.path)) or "tool"
    namespace = fit_id(name.namespace, "A-Za-z0-9._-", 64) if name.namespace else None
    name = replace(name, namespace=namespace)
    has_scope = len(name.path) == 1 and (":" in own or own.startswith("x-host-"))
    if not has_scope:
        return f"{name.scope or _HOME}:{qualify(own, name, '.', '@')}"
    scope, colon, rest = own.partition(":") if ":" in own else ("", "", own)
    if name.scope is None:
        return f"{scope}{colon}{qualify(rest, name, '.', '@')}"
    if namespace is not None:
        rest = own
    return f"{name.scope}:{qualify(rest, name, '.', '@')}"


def _scope_of(identifier: str) -> str:
    """What an id begins with; empty where it has no scope."""
    return identifier.partition(":")[0] if ":" in identifier else ""


def _source_of(tool: Tool, scope: str | None) -> str | None:
    """What stands behind a tool that does not say it: what the scope stands for, or else its own format.

    Args:
        scope: what ids are to begin with whose source has no scope of its own, if anybody asks for it.
    """
    default = "mcp" if tool.origin == "mcp" else None
    return SOURCES.get(scope or "", SOURCES.get(_scope_of(tool.id), default))


def _scope_for(path: tuple[str, ...], new_scope: str | None, source: str | None) -> str | None:
    """What the id of a callable node begins with; `None` where it keeps what it has.

    Args:
        new_scope: the scope that somebody asks for; a source that has one of its own keeps to that.
        source: what stands behind the tool; the scope must not contradict it.

    Raises:
        WriteError: the scope that is asked for stands for another source.
    """
    if SOURCES.get(new_scope or "", source) != source:
        message = f"ids of source {source} do not begin with {new_scope!r}; leave the scope or the source open"
        raise WriteError(message, code="scope-refused")
    has_own_scope = source in SOURCES.values()
    if new_scope is not None and (new_scope in SOURCES or not has_own_scope):
        return new_scope
    if len(path) == 1:
        own = _scope_of(path[0])
        if own and SOURCES.get(own, source) == source:
            return None
    return next((scope for scope, of_scope in SOURCES.items() if of_scope == source), _HOME)


FORMAT = Format(
    name="tool-descriptor",
    title="openwop ToolDescriptor",
    url="https://openwop.dev/spec/v1/tool-descriptor.schema.json",
    marks=MARKS,
    versions=("v1",),
    writes=("v1",),
    records=listed_records,
    wrap=lambda records: {"tools": records},
    version_of=lambda record: "v1",
    holds=_HOLDS,
    untold=_UNTOLD,
    places=Places(places(_TABLE)),
    read=_read,
    write=_write,
    identify=_identify,
    known_keys={**_TABLE, "annotations": _ANNOTATIONS},
    believed=believed_elsewhere,
    spelling=Spelling(keys=("description",), echoes=echoes(_TABLE)),
    safety_words=SafetyWords(Approval("never", "conditional", "always"), _with_source),
    checks=Checks("toolglot.converter.formats.tool_descriptor.rules"),
    scoped_ids=ScopedIds(_scope_for, _source_of),
)
