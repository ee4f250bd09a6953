"""Tools and actions that programs state in code: AIP-14's `defineTool` and AIP-39's `defineAction`.

The keys are those of `TOOL.md` and `ACTION.md`. A key that is left out stays unknown: its default in a manifest does
not count, because the author of the code did not state it. Source: AIP-14, AIP-39.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from toolglot.converter.formats.aip14.actions import SCHEMA_LINE
from toolglot.converter.formats.aip14.format import FORMAT
from toolglot.converter.formats.aip14.inherited_actions import facts_of_action
from toolglot.converter.formats.aip14.keys import LEGACY, with_present_keys
from toolglot.converter.formats.aip14.rules import RULES
from toolglot.converter.formats.contract import Definitions
from toolglot.converter.formats.records import LinkedFacts, Record
from toolglot.converter.hub.model import Tool
from toolglot.converter.schema.arguments import refused_examples
from toolglot.converter.schema.document_problems import find_problems
from toolglot.converter.text import document_reader
from toolglot.converter.text.pointers import without_nulls
from toolglot.errors import ParseError, UsageError

# Keys that a manifest needs and a definition in code does not, with values for the check against the schema only. The
# default of `approval` is `auto`, which the schema refuses for a tool that changes something.
_PLACEHOLDERS: dict[str, Any] = {
    "name": "-",
    "description": "-",
    "version": "0.0.0",
    "inputs": {},
    "outputs": {},
    "approval": "always",
}

_ERRORS = frozenset(rule.code for rule in RULES if rule.severity == "error")


def define_tool(data: dict[str, Any], text: str | None = None) -> Tool:
    """The tool that an AIP-14 definition states; `text` describes it where the definition has no description.

    Raises:
        UsageError: `bad-definition`; the definition is refused by the schema, by a rule or by its own examples.

    >>> tool = define_tool({"id": "purge", "description": "Empty a folder.", "mutates": ["workspace:*"]})
    >>> tool.mutates, tool.approval
    (('workspace:*',), None)
    """
    for key in LEGACY:
        if key in data:
            message = f"a contract has no {key!r}: what carries a tool out is bound apart from it, since AIP-30"
            raise UsageError(message, "bad-definition", f"/{key}", hint="decorate the function that does the work")
    try:
        document_reader.from_data(data)
    except ParseError as error:
        raise UsageError(error.message, "bad-definition", error.pointer) from None
    data = with_present_keys(without_nulls(data))
    context = data.pop("context", None)
    _refuse_invalid({**_PLACEHOLDERS, **data}, "v1")
    if context is not None:
        data["contextSchema"] = context
    facts, findings = facts_of_action(data, None)
    for finding in findings:
        if finding.code in _ERRORS:
            raise UsageError(finding.message, "bad-definition", finding.pointer)
    described = {**data, "description": data.get("description", text or "")}
    tool = FORMAT.tool_of(Record(described, linked_facts=LinkedFacts(facts)))
    for fault in refused_examples(tool):
        raise UsageError(fault.message, "bad-definition", f"/examples{fault.pointer}")
    return replace(tool, description=tool.description or None, origin=None)


def define_action(data: dict[str, Any]) -> dict[str, Any]:
    """The manifest of an AIP-39 action, which tools can implement.

    Raises:
        UsageError: `bad-definition`; the schema refuses the manifest.

    >>> define_action({"id": "shelf:fill", "description": "Fill a shelf.", "risk_level": 1})["schema"]
    'action/v1'
    """
    manifest = {"schema": SCHEMA_LINE, **without_nulls(data)}
    _refuse_invalid(manifest, "action")
    return manifest


def _refuse_invalid(data: dict[str, Any], schema: str) -> None:
    fault = next(find_problems(data, f"aip14/{schema}"), None)
    if fault is not None:
        raise UsageError(fault.message, "bad-definition", fault.pointer, hint=fault.hint)


DEFINITIONS = Definitions(define_tool, define_action)
