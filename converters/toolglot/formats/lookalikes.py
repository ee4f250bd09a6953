"""Documents that people take for tool descriptions, or that stand beside some, and that describe no tool.

Knowing them makes the difference between "unknown format" and a sentence that says what to do. Some of them, the
manifests, have canonical schemas of their own, and `check` checks them as what they are.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from toolglot.formats import Finding
from toolglot.formats.aip14.versions import TOOL_LINES

Matches = Callable[[dict[str, Any], "str | None", str], bool]
"""Whether data, with this body, in a file of this name (empty if it has none), is of some kind."""


class Manifest(NamedTuple):
    """How `check` checks a document that is no tool.

    Attributes:
        schema: its canonical schema.
        rules: what is wrong beyond the schema, given the data and the path of its file.
    """

    schema: str
    rules: Callable[[dict[str, Any], str | None], Iterable[Finding]]


class LookAlike(NamedTuple):
    """A kind of document that is no tool description: what it is called, and what to do about it."""

    name: str
    matches: Matches
    advice: str
    manifest: Manifest | None = None


def _has(*keys: str) -> Matches:
    return lambda data, body, file: all(key in data for key in keys)


_LINE = re.compile(r"(?:agentproto/|agent)?([a-z]+)/v\d+\Z")


def kind_of(data: dict[str, Any]) -> str:
    """The kind of manifest that the `schema` line names; empty where there is none.

    >>> kind_of({"schema": "agentproto/workflow/v1"}), kind_of({"schema": "agenttool/v1"}), kind_of({})
    ('workflow', 'tool', '')
    """
    line = data.get("schema")
    found = _LINE.match(line) if isinstance(line, str) else None
    return found[1] if found else ""


def _manifest_of(kind: str, *marks: tuple[str, ...], called: str = "") -> Matches:
    """Front matter whose line names the kind; or, without a line, that has all keys of one of the marks.

    Args:
        called: the key that front matter has to have where the name of the file tells the kind.
    """

    def matches(data: dict[str, Any], body: str | None, file: str) -> bool:
        if body is None:
            return False
        if kind_of(data):
            return kind_of(data) == kind
        if file == f"{kind.upper()}.md" and called in data:
            return True
        return any(all(key in data for key in keys) for keys in marks)

    return matches


def _is_other_manifest(data: dict[str, Any], body: str | None, file: str) -> bool:
    return body is not None and kind_of(data) != "" and data["schema"] not in TOOL_LINES


def _is_inventory(data: dict[str, Any], body: str | None, file: str) -> bool:
    return body is not None and (list(data) == ["secrets"] or _has_secrets_line(data, body, file))


_has_secrets_line = _manifest_of("secrets", called="secrets")


def _is_prompt(data: dict[str, Any], body: str | None, file: str) -> bool:
    """Markdown with a description for whoever reads on, and without an id, which every tool has."""
    if body is None or file == "TOOL.md":
        return False
    return "description" in data and "id" not in data and "schema" not in data


def _about_action(data: dict[str, Any], path: str | None) -> Iterable[Finding]:
    from toolglot.formats.aip14.actions import action_of

    return [Finding("action-invalid", place, message, error=True) for place, message in action_of(data).faults]


def _about_driver(data: dict[str, Any], path: str | None) -> Iterable[Finding]:
    if path is None:
        return ()
    from toolglot.formats.aip14.drivers import against_tools
    from toolglot.formats.aip14.neighbours import Surroundings

    return against_tools(data, Surroundings(path))


def _about_secrets(data: dict[str, Any], path: str | None) -> Iterable[Finding]:
    from toolglot.formats.aip14.secrets_companion import values_in

    return values_in(data)


_NOT_YET = "toolglot does not read it in this version"

LOOK_ALIKES = (
    LookAlike(
        "an ATIP registry manifest",
        lambda data, body, file: "atip" in data and ("registry" in data or "endpoints" in data),
        "it lists where programs are, not what they do; convert the programs' own metadata",
    ),
    LookAlike("an OpenAPI document", _has("openapi", "info"), _NOT_YET),
    LookAlike("a Swagger document", _has("swagger"), _NOT_YET),
    LookAlike(
        "a JSON Schema",
        lambda data, body, file: (
            "$schema" in data and ("properties" in data or "$defs" in data or "definitions" in data)
        ),
        "a schema describes documents; convert a document",
    ),
    LookAlike("an ARDF resource", _has("resource_id", "resource_type"), "it describes a resource, not a tool"),
    LookAlike(
        "an AIP-39 ACTION.md",
        _manifest_of("action", ("verb", "target_kind"), called="id"),
        "a tool that implements the action can be converted",
        Manifest("aip14/action", _about_action),
    ),
    LookAlike(
        "an AIP-30 DRIVER.md",
        _manifest_of("driver", ("implements", "kind"), called="kind"),
        "convert the TOOL.md that the driver implements",
        Manifest("aip14/driver", _about_driver),
    ),
    LookAlike(
        "an AIP-19 SECRETS.md",
        _is_inventory,
        "it names secrets, not a tool",
        Manifest("aip14/secrets", _about_secrets),
    ),
    LookAlike("an AIP-15 WORKFLOW.md", _manifest_of("workflow", ("steps",)), "convert the tools that its steps call"),
    LookAlike(
        "an AIP-29 CLI.md",
        _manifest_of("cli", ("bin", "commands"), ("bin", "install"), ("bin", "version_check")),
        "it is a driver; convert the TOOL.md that it implements",
    ),
    LookAlike("another AIP manifest", _is_other_manifest, "only agentproto/tool/v1 describes a tool"),
    LookAlike("a list of MCP servers", _has("mcpServers"), "convert what a server answers to tools/list"),
    LookAlike("a JSON-RPC message", _has("jsonrpc"), "only the answer to tools/list describes tools"),
    LookAlike(
        "a report of toolglot",
        _has("toolglot-report"),
        "it says what a conversion changed",
    ),
    LookAlike(
        "a skill, a prompt or another text for an agent",
        _is_prompt,
        "it says how to do something and is no tool",
    ),
)


def recognise(data: Any, body: str | None, source: str | None = None) -> LookAlike | None:
    """The known kind of document that `data` is, or that the first item of its list is.

    Args:
        source: the name of its file, if it has one.

    >>> recognise({"openapi": "3.1.0", "info": {}}, None).name
    'an OpenAPI document'
    """
    file = os.path.basename(source or "")
    for candidate in _candidates(data):
        for known in LOOK_ALIKES:
            if known.matches(candidate, body, file):
                return known
    return None


def _candidates(data: Any) -> list[dict[str, Any]]:
    """The document, and the first item of each list that it wraps others in (some wrap twice)."""
    found: list[dict[str, Any]] = []
    for _ in range(3):
        if isinstance(data, dict):
            found.append(data)
            data = data.get("tools")
        if isinstance(data, list):
            data = data[0] if data else None
    return found
