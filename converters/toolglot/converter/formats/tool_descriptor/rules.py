"""What `check` says of a ToolDescriptor beyond its schema, rule by rule; and what openwop's registry demands."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from toolglot.converter.formats import Finding
from toolglot.converter.formats.kit.rule import Hit, Rule, SchemaPlace, SchemaTest, Subject, declare_rules
from toolglot.converter.formats.tool_descriptor.format import SOURCES
from toolglot.converter.hub.model import Tool, to_json

_NO_ORDER = "Who reads the log cannot tell which calls ran, or how they ended."
_RULED_OUT = "The RFC rules it out, and hosts refuse it or read the stricter side."


def _find_unstated(subject: Subject) -> Iterator[Hit]:
    if subject.is_command:
        return
    fields = {"egress": subject.tool.egress, "approval": subject.tool.approval, "replayPolicy": subject.tool.replay}
    keys = [f"`{key}`" for key, value in fields.items() if value is None]
    if keys:
        yield Hit({"keys": ", ".join(keys)}, "id")


# What providers refuse or drop; the rest of the table of RFC 0030 is asked for by strict definitions alone.
_BEYOND = ("oneOf", "allOf", "not", "if", "then", "else", "dependencies", "prefixItems", "propertyNames")


def _find_beyond_tier_one(place: SchemaPlace) -> Iterator[Hit]:
    for keyword in _BEYOND:
        if keyword in place.schema:
            yield Hit({"keyword": keyword}, inner=f"/{keyword}")


_UNSTATED = Tool(id="notes.add", description="Adds a note.")

RULES = (
    Rule(
        code="openwop-unstated",
        family="openwop",
        message="nothing states {keys}; a host takes the most dangerous value",
        why="What is not stated is taken for the worst, so that every call is held up.",
        mend="State it.",
        citation="RFC 0078, fields",
        bad=to_json(_UNSTATED),
        good=to_json(replace(_UNSTATED, egress="none", approval="never", replay="idempotent")),
        is_on_request=True,
        of_tool=_find_unstated,
    ),
    Rule(
        code="openwop-tier-one",
        family="openwop",
        message="`{keyword}` is beyond Tier 1, the schemas that every provider takes",
        why="Some providers refuse the definition, and some leave the keyword out without a word.",
        mend="Say it in the description, or divide the tool; `anyOf` inside of properties is taken.",
        citation="RFC 0030, Tier 1; RFC 0078 and AIP-14 recommend it for what a model fills in",
        bad=to_json(replace(_UNSTATED, inputs={"type": "object", "not": {"required": ["a"]}})),
        good=to_json(replace(_UNSTATED, inputs={"type": "object"})),
        is_on_request=True,
        of_schema=SchemaTest(_BEYOND, _find_beyond_tier_one, is_of_inputs=True),
    ),
    *declare_rules(
        "tool-descriptor",
        "RFC 0078, RFC 0204",
        {
            "pure-egress": ("warning", "a pure tool has egress", _RULED_OUT, "Correct the tier, or the egress."),
            "unapproved-change": ("warning", "nobody is asked before a tool changes something", _RULED_OUT,
                                  "Write an approval other than `never`."),
            "deterministic-change": ("warning", "a tool that changes something calls itself deterministic", _RULED_OUT,
                                     "Write `idempotent` or `non-deterministic`."),
            "scope-source": ("warning", "the scope of the id belongs to another source", _RULED_OUT,
                             "Correct the scope, or the source."),
            "credential-key": ("error", "a descriptor has a key for a credential", _RULED_OUT, "Take it out."),
            "exec-source": ("error", "a tool of tier exec has another source than it may", _RULED_OUT,
                            "Correct the source, not the tier."),
        },
    ),
    *declare_rules(
        "tool-descriptor",
        "RFC 0078, section D",
        {
            "session-not-opened": ("error", "an event of a session stands before the session is opened", _NO_ORDER,
                                   "Write events in the order in which they happen."),
            "session-opened-twice": ("error", "a session is opened twice", _NO_ORDER, "Give each session its own id."),
            "session-closed": ("error", "an event of a session stands behind its end", _NO_ORDER,
                               "Close a session when its last call has returned."),
            "session-not-closed": ("warning", "nothing closes a session", _NO_ORDER,
                                   "Close it; while the host runs it may still be open."),
            "session-other-tool": ("error", "an event of a session names another tool", _NO_ORDER,
                                   "Give each tool a session of its own."),
            "session-call-order": ("error", "calls and returns of a session do not go together", _NO_ORDER,
                                   "Write one return for each call, before the session is closed."),
            "session-without-call": ("warning", "nothing was called in a session", _NO_ORDER,
                                     "Open a session when its first call is made."),
            "session-outcome": ("warning", "a session has an outcome that only one text of the specification has",
                                "Who reads by the schema refuses it.", "Write `cancelled` or `failed`."),
        },
    ),
)  # fmt: skip


def find_faults(tool: Tool) -> Iterator[Finding]:
    """What the RFC's text rules out and its schema lets pass (specs 3.2)."""
    changes = tool.safety_tier in ("write", "exec")
    scope = tool.id.partition(":")[0]
    if tool.safety_tier == "pure" and tool.egress not in (None, "none"):
        yield Finding("pure-egress", "/egress", "a pure tool has no egress")
    if changes and tool.approval == "never":
        yield Finding("unapproved-change", "/approval", "nobody is asked before this tool changes something")
    if changes and tool.replay == "deterministic":
        yield Finding("deterministic-change", "/replayPolicy", "a tool that changes something is not deterministic")
    if SOURCES.get(scope, tool.source) != tool.source:
        yield Finding("scope-source", "/source", f"the scope {scope!r} of the id belongs to another source")
