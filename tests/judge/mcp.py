"""MCP tools (providers 3): hints that nobody vouches for; an absent one is unknown."""

from __future__ import annotations

from typing import Any

from judge.keys import mapping_of, respelled
from judge.statements import READS_ONLY, Statement
from judge.words import hear

_HINTS: dict[str, tuple[str, ...]] = {
    "readOnlyHint": ("changes",), "destructiveHint": ("destructive",), "idempotentHint": ("unrepeatable",),
    "openWorldHint": ("network",),
}  # fmt: skip


def read(data: dict[str, Any]) -> Statement:
    tool = Statement(str(data.get("name")))
    annotations = data.get("annotations")
    second = annotations.get("title") if isinstance(annotations, dict) else None
    texts = (data.get("description"), data.get("title"), second)
    tool.texts = [text for text in texts if isinstance(text, str)]
    hear(tool, *tool.texts)
    everything = [fact for facts in _HINTS.values() for fact in facts]
    keys = {"annotations": tuple(everything)}
    entries = respelled(data, keys, tool)
    hints = respelled(mapping_of(tool, entries.get("annotations"), *everything), _HINTS, tool)
    if hints.get("readOnlyHint") is True:
        tool.claims |= READS_ONLY  # never a fact: a server says so about itself (RFC 0204)
    elif hints.get("readOnlyHint") is not None:
        tool.state("changes", hints["readOnlyHint"], danger=False)
    for key, fact, danger in (("destructiveHint", "destructive", True), ("idempotentHint", "unrepeatable", False)):
        if hints.get(key) is (not danger):
            tool.claims.add(fact)
        else:
            tool.state(fact, hints.get(key), danger)
    for holder in (data, data.get("_meta")):  # Apps SDK reference: with `noauth` among them, nobody has to sign in
        schemes = holder.get("securitySchemes") if isinstance(holder, dict) else None
        if isinstance(schemes, list) and schemes and "noauth" not in {str(scheme.get("type")) for scheme in schemes}:
            tool.dangers.add("credentials")
    if hints.get("destructiveHint") is False:
        tool.claims.add("additive")
    if hints.get("destructiveHint") is True:
        tool.dangers.add("removes")
    if hints.get("openWorldHint") is False:
        tool.claims |= {"network", "closed"}
    elif hints.get("openWorldHint") is not None:
        tool.state("network", hints["openWorldHint"])
    return tool
