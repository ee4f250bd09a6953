"""openwop ToolDescriptor v1 (specs 3): what a host says about a tool."""

from __future__ import annotations

from typing import Any

from judge.keys import mapping_of, respelled
from judge.statements import ALWAYS, NEVER, READS_ONLY, SOMETIMES, Statement
from judge.words import hear

_KEYS: dict[str, tuple[str, ...]] = {
    "safetyTier": ("exec",), "auth": ("credentials",), "egress": ("network",), "approval": ("approval",),
    "replayPolicy": ("unrepeatable",),
}  # fmt: skip


def read(data: dict[str, Any]) -> Statement:
    tool = Statement(str(data.get("toolId")))
    tool.texts = [text for text in (data.get("description"), data.get("title")) if isinstance(text, str)]
    hear(tool, *tool.texts)
    entries = respelled(data, _KEYS, tool)
    _tier(tool, entries.get("safetyTier"))
    _egress(tool, entries.get("egress"))
    _approval(tool, entries.get("approval"))
    _replay(tool, entries.get("replayPolicy"), entries.get("safetyTier"))
    auth = respelled(mapping_of(tool, entries.get("auth"), "credentials"), {"credentialRef": ("credentials",)}, tool)
    tool.state("credentials", auth.get("credentialRef"))
    return tool


def _tier(tool: Statement, tier: Any) -> None:
    tool.tier = tier if isinstance(tier, str) else None
    if tier in ("pure", "read"):
        tool.entailed |= READS_ONLY
        tool.claims |= READS_ONLY
        tool.additive = True
    elif tier == "write":
        tool.dangers.add("changes")
    elif tier == "exec":
        tool.dangers |= {"executes", "destructive", "irreversible", "unrepeatable"}
    elif tier is not None:
        tool.unclear.add("exec")


def _egress(tool: Statement, egress: Any) -> None:
    if egress == "none":
        tool.deny("network")
    elif egress in ("safe-fetch", "host-mediated", "host-owned"):
        tool.dangers.add("network")
    elif egress is not None:
        tool.unclear.add("network")


def _approval(tool: Statement, approval: Any) -> None:
    words = {"never": NEVER, "conditional": SOMETIMES, "always": ALWAYS}
    if isinstance(approval, str) and approval in words:
        tool.ask(words[approval])
    elif approval is not None:
        tool.unclear.add("approval")


def _replay(tool: Statement, replay: Any, tier: Any) -> None:
    """`idempotent` holds under a key of the host's, so that it is no fact about the tool (specs 6.2, trap 6)."""
    if replay in ("idempotent", "deterministic"):
        tool.claims.add("replay")
        if replay == "deterministic" and tier in ("pure", "read"):
            tool.denials.add("unrepeatable")
    elif replay == "non-deterministic":
        found = tool.dangers if tier in ("write", "exec") else tool.doubtful
        found.add("unrepeatable")
    elif replay is not None:
        tool.unclear.add("unrepeatable")
