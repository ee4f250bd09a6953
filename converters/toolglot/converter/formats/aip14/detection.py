"""How a `TOOL.md` is recognised, and told from manifests of other AIPs: actions, drivers, secrets and more.

`check` has rules for some of these manifests.
"""

from __future__ import annotations

from typing import Any

from toolglot.converter.formats import DocumentTest, LookAlike, Manifest, Marks
from toolglot.regexes import compile_later

_TOOL_LINES = ("agentproto/tool/v1", "agenttool/v1")  # as the tooling writes it, and as the title of AIP-14 has it
_SCHEMA_LINE = compile_later(r"(?:agentproto/|agent)?([a-z]+)/v\d+\Z")


def _manifest_kind(data: dict[str, Any]) -> str:
    """The kind of manifest that the `schema` line names; empty where there is none.

    >>> _manifest_kind({"schema": "agentproto/workflow/v1"}), _manifest_kind({"schema": "agenttool/v1"})
    ('workflow', 'tool')
    >>> _manifest_kind({})
    ''
    """
    line = data.get("schema")
    match = _SCHEMA_LINE.match(line) if isinstance(line, str) else None
    return match[1] if match else ""


def _has_kind(kind: str, *marks: tuple[str, ...], named_by: str = "") -> DocumentTest:
    """A test for front matter of one kind of manifest. The `schema` line decides; the rest counts without one.

    Args:
        kind: as the `schema` line names it; a file of the kind is called `KIND.md`.
        marks: groups of keys; front matter with all keys of one group is of the kind.
        named_by: the key that front matter in a `KIND.md` has to have; empty: the name of the file does not count.
    """

    def matches(data: dict[str, Any], body: str | None, file_name: str) -> bool:
        if body is None:
            return False
        stated_kind = _manifest_kind(data)
        if stated_kind:
            return stated_kind == kind
        if file_name == f"{kind.upper()}.md" and named_by in data:
            return True
        return any(data.keys() >= set(keys) for keys in marks)

    return matches


_has_secrets_kind = _has_kind("secrets", named_by="secrets")


_MANIFESTS = (
    LookAlike(
        "an AIP-39 ACTION.md",
        _has_kind("action", ("verb", "target_kind"), named_by="id"),
        "a tool that implements the action can be converted",
        Manifest("aip14/action", "toolglot.converter.formats.aip14.actions"),
    ),
    LookAlike(
        "an AIP-30 DRIVER.md",
        _has_kind("driver", ("implements", "kind"), named_by="kind"),
        "convert the TOOL.md that the driver implements",
        Manifest("aip14/driver", "toolglot.converter.formats.aip14.drivers"),
    ),
    LookAlike(
        "an AIP-19 SECRETS.md",
        lambda data, body, file_name: (
            body is not None and (list(data) == ["secrets"] or _has_secrets_kind(data, body, file_name))
        ),
        "it names secrets, not a tool",
        Manifest("aip14/secrets", "toolglot.converter.formats.aip14.migrated_secrets"),
    ),
    LookAlike("an AIP-15 WORKFLOW.md", _has_kind("workflow", ("steps",)), "convert the tools that its steps call"),
    LookAlike(
        "an AIP-29 CLI.md",
        _has_kind("cli", ("bin", "commands"), ("bin", "install"), ("bin", "version_check")),
        "it is a driver; convert the TOOL.md that it implements",
    ),
    LookAlike(
        "another AIP manifest",
        lambda data, body, file_name: (
            body is not None and _manifest_kind(data) != "" and data["schema"] not in _TOOL_LINES
        ),
        "only agentproto/tool/v1 describes a tool",
    ),
)


def _is_unmarked_tool(data: dict[str, Any], body: str | None) -> bool:
    """Whether front matter without a `schema` line has the keys that every tool has."""
    return body is not None and "schema" not in data and "id" in data and "description" in data


def _is_tool_file(file_name: str) -> bool:
    """Whether a file is called like those of tools; a text without a file passes."""
    return not file_name or file_name == "TOOL.md" or file_name.endswith(".TOOL.md")


_LOOK_ALIKES = (
    *_MANIFESTS,
    LookAlike(
        "Markdown with the front matter of a tool",
        lambda data, body, file_name: _is_unmarked_tool(data, body) and not _is_tool_file(file_name),
        "call it TOOL.md, add a `schema` line, or name the format with --from",
    ),
)


def _sniff(data: Any, body: str | None, file_name: str) -> bool:
    """The `schema` line decides; without one, the keys of a tool in a file that is called like those of tools."""
    if not isinstance(data, dict):
        return False
    if "schema" in data:
        return data["schema"] in _TOOL_LINES
    if not _is_unmarked_tool(data, body) or not _is_tool_file(file_name):
        return False
    return not any(other.matches(data, body, "") for other in _MANIFESTS)


MARKS = Marks(
    aliases=("agenttool", "aip-14", "tool.md", "toolmd"),
    patterns=("TOOL.md",),
    folders=(".actions", ".drivers", ".tools"),
    has_body=True,
    sniff=_sniff,
    look_alikes=_LOOK_ALIKES,
)
