"""What `check` says of a ToolDescriptor beyond its schema, rule by rule; and what openwop's registry demands."""

from __future__ import annotations

from collections.abc import Iterator

from toolglot.formats.kit.rule import Hit, Rule, Subject, declared

_RULED_OUT = "The RFC rules it out, and hosts refuse it or read the stricter side."


def _find_unstated(subject: Subject) -> Iterator[Hit]:
    silent = [
        key
        for key, field in (("egress", "egress"), ("approval", "approval"), ("replayPolicy", "replay"))
        if getattr(subject.tool, field) is None
    ]
    if silent and not subject.is_command:
        yield Hit({"keys": ", ".join(f"`{key}`" for key in silent)}, "id")


RULES = (
    Rule(
        code="openwop-unstated",
        family="openwop",
        message="nothing states {keys}; a host takes the most dangerous value",
        why="What is not stated is taken for the worst, so that every call is held up.",
        mend="State it.",
        source="RFC 0078, fields",
        bad={"id": "notes.add", "description": "Adds a note."},
        good={
            "id": "notes.add",
            "description": "Adds a note.",
            "egress": "none",
            "approval": "never",
            "replay": "idempotent",
        },
        is_profile=True,
        of_tool=_find_unstated,
    ),
    *declared(
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
)  # fmt: skip
