"""The rules of `check` for MCP tools, beyond their schema, and those of the directories that list MCP servers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from toolglot.converter.formats import (
    Finding,
)
from toolglot.converter.formats.kit.rule import Hit, Rule, Subject, declare_rules
from toolglot.converter.formats.mcp.format import NAME
from toolglot.converter.formats.mcp.inputs import input_faults, is_property_map
from toolglot.converter.hub.model import Tool, to_json
from toolglot.converter.text.pointers import mapping_at, without_keys

_UNCALLABLE = "Clients drop the tool, or no call of it is valid."
_HINTS = ("readOnlyHint", "destructiveHint", "openWorldHint")
_BOASTS = ("best", "official", "pick_me", "pickme", "number_one", "preferred")


def _hint_value(subject: Subject, hint: str) -> bool | None:
    """The value of a hint: in the annotations, or by the fact that it was read as; `None` where it is not stated."""
    value = mapping_at(subject.own.extension("mcp"), "annotations").get(hint)
    if isinstance(value, bool):
        return value
    facts = {
        "readOnlyHint": {"write": False, "exec": False, "read": True, "pure": True}.get(subject.own.safety_tier or ""),
        "destructiveHint": subject.own.destructive,
        "openWorldHint": subject.own.network,
    }
    return facts.get(hint)


def _find_untitled(subject: Subject) -> Iterator[Hit]:
    if not subject.own.title and not subject.is_command:
        yield Hit({}, "id")


def _find_no_hint(subject: Subject) -> Iterator[Hit]:
    if not (_hint_value(subject, "readOnlyHint") or _hint_value(subject, "destructiveHint")) and not subject.is_command:
        yield Hit({}, "id")


def _find_long_name(subject: Subject) -> Iterator[Hit]:
    if len(subject.own.id) > 64:
        yield Hit({"length": len(subject.own.id)}, "id")


def _find_missing_hints(subject: Subject) -> Iterator[Hit]:
    missing = [hint for hint in _HINTS if _hint_value(subject, hint) is None]
    if missing and not subject.is_command:
        yield Hit({"hints": ", ".join(f"`{hint}`" for hint in missing)}, "id")


def _boast_in(name: str) -> str | None:
    """The words by which a name praises its tool.

    >>> _boast_in("Pick-Me_first"), _boast_in("pick_menu")
    ('pick_me', None)
    """
    plain_name = name.lower().replace("-", "_")
    return next((words for words in _BOASTS if f"_{words}_" in f"_{plain_name}_"), None)


def _find_boast(subject: Subject) -> Iterator[Hit]:
    boast = _boast_in(subject.own.id)
    if boast is not None:
        yield Hit({"word": boast}, "id")


_GOOD = to_json(
    Tool(
        id="list_notes",
        title="List notes",
        description="Lists the notes.",
        safety_tier="read",
        destructive=False,
        network=False,
    )
)
_of_directory = partial(
    Rule, severity="error", why="The directory does not list the server.", good=_GOOD, is_on_request=True
)
_CONNECTORS = "claude.com/docs/connectors/building/review-criteria"

RULES = (
    _of_directory(
        code="anthropic-directory-title",
        family="anthropic-directory",
        message="the tool has no title",
        mend="Add `title`, or `annotations.title`.",
        citation=_CONNECTORS,
        bad=without_keys(_GOOD, "title"),
        raises=("reads-and-writes", "hidden-character"),
        of_tool=_find_untitled,
    ),
    _of_directory(
        code="anthropic-directory-hint",
        family="anthropic-directory",
        message="neither `readOnlyHint` nor `destructiveHint` is true",
        mend="State the one that is true.",
        citation=_CONNECTORS,
        bad={"id": "list_notes", "description": "Lists the notes."},
        extends="danger-unstated",
        of_tool=_find_no_hint,
    ),
    _of_directory(
        code="anthropic-directory-name",
        family="anthropic-directory",
        message="the name has {length} characters; the directory takes 64",
        mend="Shorten it.",
        citation=_CONNECTORS,
        bad={**_GOOD, "id": "list_" + "notes" * 20},
        of_tool=_find_long_name,
    ),
    _of_directory(
        code="openai-apps-hints",
        family="openai-apps",
        message="nothing states {hints}; null counts as nothing",
        mend="State all three.",
        citation="developers.openai.com/apps-sdk/app-submission-guidelines; Teamwork/mcp#420",
        bad={"id": "list_notes", "description": "Lists the notes."},
        raises=("same-name", "exfil-parameter"),
        of_tool=_find_missing_hints,
    ),
    _of_directory(
        code="openai-apps-name",
        family="openai-apps",
        message="the name praises the tool ({word})",
        mend="Say what it does.",
        citation="developers.openai.com/apps-sdk/app-submission-guidelines",
        bad={**_GOOD, "id": "best_notes"},
        of_tool=_find_boast,
    ),
    *declare_rules(
        "mcp",
        "Model Context Protocol",
        {
            "tool-name": ("warning", "a name has characters, or a length, that clients refuse", _UNCALLABLE,
                          "Use at most 128 letters, digits, `.`, `_` and `-`."),
            "misplaced-inputs": ("warning", "the arguments are described where no client looks", _UNCALLABLE,
                                 "Describe them in `inputSchema`."),
            "not-a-schema": ("warning", "what should be a schema is none", _UNCALLABLE, "Write a schema."),
            "bad-required": ("warning", "`required` is no list of names", _UNCALLABLE, "Write a list of names."),
            "impossible-required": ("warning", "a name is required and not allowed", _UNCALLABLE,
                                    "Declare it, or take it out of `required`."),
            "bad-header": ("warning", "a parameter cannot go into the header that it names", _UNCALLABLE,
                           "Do what the message says."),
            "contradicting-hints": ("error", "`readOnlyHint` and `destructiveHint` are both true",
                                    "One of the two is wrong, and hosts believe different ones.",
                                    "Take the wrong one out."),
        },
    ),
)  # fmt: skip


def find_faults(tool: Tool) -> Iterator[Finding]:
    """What the specification rules out and its schema lets pass."""
    rest = tool.extension("mcp")
    annotations = rest.get("annotations")
    if not NAME.fullmatch(tool.id):
        message = "names have at most 128 letters, digits, `.`, `_` and `-`; many clients refuse others"
        yield Finding("tool-name", "/name", message)
    for key, message in _INSTEAD.items():
        if isinstance(rest.get(key), list | dict):
            yield Finding("misplaced-inputs", f"/{key}", message)
    own_schema = rest.get("inputSchema")
    if not isinstance(own_schema, dict) or is_property_map(rest):
        own_schema = tool.inputs or {}
    yield from input_faults(own_schema)
    if not isinstance(annotations, dict):
        return
    if annotations.get("readOnlyHint") is True and tool.destructive is True:
        message = "`readOnlyHint` denies every change and `destructiveHint` does not; the dangerous one is believed"
        yield Finding("contradicting-hints", "/annotations/destructiveHint", message)


# Key that some servers write instead of a part of `inputSchema` -> message.
_INSTEAD = {
    "arguments": "a list of arguments is not an `inputSchema`; it is read as one where there is none",
    "input_schema": "the key is `inputSchema`; this one is read where that is missing",
    "required": "`required` belongs inside `inputSchema`; it is read where that holds only the properties",
}
