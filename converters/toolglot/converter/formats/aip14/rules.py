"""The rules of `check` for a `TOOL.md` and the files beside it."""

from __future__ import annotations

from collections.abc import Iterator

from toolglot.converter.formats import (
    Finding,
)
from toolglot.converter.formats.aip14.keys import (
    find_driver_keys,
)
from toolglot.converter.formats.kit.rule import declare_rules
from toolglot.converter.hub.model import Tool
from toolglot.converter.text.pointers import as_mapping, texts_at

_STRICTER = "Hosts read the stricter side, or refuse the tool; what is meant is anybody's guess."
_NARROWING = "A tool may add to what its action says of danger, and not take from it; hosts believe the action."
_DRIVER = "Hosts refuse the driver, and the tool cannot be called."
_SECRET = "What was committed is known, and what is copied is known to more."

RULES = declare_rules(
    "aip14",
    "AIP-14, AIP-19, AIP-30, AIP-39",
    {
        "auto-mutates": ("error", "a tool that changes something is approved automatically", _STRICTER,
                         "Write `approval: on-mutate`, `always` or `policy:<name>`."),
        "risk-mutates": ("warning", "a tool that changes something has no risk", _STRICTER,
                         "Write a `risk_level` of 1 at least."),
        "contradicting-kinds": ("error", "a kind of driver is required and forbidden", _DRIVER,
                                "Take it out of one of the lists."),
        "action-invalid": ("error", "the action that a tool implements is not described as it should be",
                           "What the action says of danger cannot be read, so that anything is assumed.",
                           "Correct the ACTION.md."),
        "action-unresolvable": ("error", "the action that a tool implements is nowhere",
                                "What the action says of danger cannot be read, so that anything is assumed.",
                                "Correct the reference, or add the ACTION.md."),
        "relaxes-mutates": ("error", "a tool changes less than its action says", _NARROWING,
                            "List what the action lists."),
        "relaxes-network": ("error", "a tool reaches fewer hosts than its action says", _NARROWING,
                            "List what the action lists."),
        "relaxes-secrets": ("error", "a tool needs fewer secrets than its action says", _NARROWING,
                            "List what the action lists."),
        "relaxes-tools": ("error", "a tool calls fewer tools than its action says", _NARROWING,
                          "List what the action lists."),
        "relaxes-risk-level": ("error", "a tool has less risk than its action", _NARROWING, "Raise `risk_level`."),
        "relaxes-approval": ("error", "a tool asks less often than its action", _NARROWING,
                             "Write what the action says."),
        "changes-action": ("error", "a tool is of another category or target than its action",
                           "Tools have that from their action as it stands; hosts believe the action.",
                           "Leave the key out."),
        "drops-events": ("error", "a tool fires fewer events than its action", _NARROWING,
                         "List what the action lists."),
        "approval-order": ("warning", "a tool asks more often than its action, in words that readers order otherwise",
                           "Other readers may refuse it.", "Leave `approval` out."),
        "driver-key": ("warning", "a tool says how it is run", "Hosts do not read that in a tool, or refuse the tool.",
                       "Move the key to the DRIVER.md; migrating does it where a driver is made."),
        "folder-name": ("info", "the folder of a tool is called otherwise than the tool", "People do not find it.",
                        "Call the folder like the id."),
        "no-implementation": ("warning", "the driver that a tool names is nowhere",
                              "Nothing runs the tool by default.", "Write the DRIVER.md, or leave the key out."),
        "no-such-tool": ("error", "a driver runs a tool that is nowhere", _DRIVER, "Correct the id or the path."),
        "bad-range": ("error", "a range of versions is none", _DRIVER, "Write one such as ^1.2.0."),
        "version-range": ("error", "a driver is for other versions of a tool", _DRIVER,
                          "Look at what changed in the tool, then widen the range."),
        "driver-kind": ("error", "a tool does not allow a driver of this kind", _DRIVER,
                        "Write a driver of another kind, or change the tool's constraints."),
        "driver-contract": ("error", "a driver says what only the contract of its tool can say", _DRIVER,
                            "Take it out, or change the TOOL.md."),
        "driver-network": ("error", "a driver does not reach a host that its tool needs", _DRIVER,
                           "Add the host to `network.egress`."),
        "driver-timeout": ("error", "a driver gives up later than its tool", _DRIVER, "Shorten the timeout."),
        "narrowing-unknown": ("error", "a driver leaves out what its tool does not have", _DRIVER, "Take it out."),
        "narrowing-required": ("error", "a driver leaves out what callers have to give, or rely on", _DRIVER,
                               "Take it out."),
        "literal-secret": ("error", "a secret itself stands where its name should stand", _SECRET,
                           "Take it out, renew it if it was committed, and write its name."),
        "same-slug": ("error", "one name stands for two secrets", "A driver is given one of them by chance.",
                      "Rename one."),
        "bad-secret-entry": ("error", "an entry of the secrets is none", _SECRET, "Write a name, or a mapping."),
        "legacy-tool-md": ("error", "the file is from before the first version that is read",
                           "No tool was read from it.", "`toolglot migrate` brings it up to date."),
        "two-spellings": ("error", "a key stands there in two spellings that differ",
                          "Readers disagree about which one counts.", "Keep the one with underscores."),
    },
)  # fmt: skip


def find_faults(tool: Tool) -> Iterator[Finding]:
    """Contradictions in what a tool says about changes, approval, risk and drivers, and keys that belong to a driver.

    Of a contradiction about approval the stricter side counts (specs 5.2).
    """
    own = tool.own or tool
    is_supposed = "approval" in (tool.assumed or ())  # a conversion made up the approval in the document
    is_automatic = own.approval == "auto" or (own.approval is None and tool.approval in (None, "auto"))
    if own.mutates and is_automatic and not is_supposed:
        message = "what changes something needs approval on-mutate, always or policy:<name>; it is read as on-mutate"
        yield Finding("auto-mutates", "/mutates", message)
    if own.mutates and own.risk_level == 0:
        yield Finding("risk-mutates", "/risk_level", "what changes something has a risk of 1 at least; 0 only reads")
    yield from find_driver_keys(tool.extension("aip14"))
    constraints = as_mapping(tool.driver_constraints)
    contradictions = {*texts_at(constraints, "forbid")} & {*texts_at(constraints, "require_kind")}
    if contradictions:
        message = (
            f"{', '.join(sorted(contradictions))} cannot be asked for and forbidden; take it out of one of the lists"
        )
        yield Finding("contradicting-kinds", "/driver_constraints/forbid", message)
