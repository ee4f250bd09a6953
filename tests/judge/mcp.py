"""MCP tools (providers 3): hints that nobody vouches for; an absent one is unknown."""

from __future__ import annotations

from typing import Any

from judge.keys import hear_foreign, mapping_of, respelled
from judge.statements import READS_ONLY, Statement
from judge.words import hear

_HINTS: dict[str, tuple[str, ...]] = {
    "readOnlyHint": ("changes",), "destructiveHint": ("destructive",), "idempotentHint": ("unrepeatable",),
    "openWorldHint": ("network",),
}  # fmt: skip


# How real servers spell the hints: in `annotations`, there or in `_meta`, and Azure's in an object of its own.
_WORDS = {key.removesuffix("Hint"): key for key in _HINTS}


def _aliased(data: dict[str, Any], hints: dict[str, Any]) -> dict[str, Any]:
    metadata, elsewhere = data.get("toolMetadata"), data.get("_meta")
    places: list[Any] = [data.get("annotations"), elsewhere.get("annotations") if isinstance(elsewhere, dict) else None]
    if isinstance(metadata, dict):
        places.append({key: value.get("value") for key, value in metadata.items() if isinstance(value, dict)})
    spelled = [place for place in places if isinstance(place, dict)]
    said = {key: place[word] for place in spelled for word, key in _WORDS.items() if word in place}
    said |= {key: place[key] for place in spelled for key in _HINTS if key in place}
    return {**said, **hints}


def read(data: dict[str, Any]) -> Statement:
    tool = Statement(str(data.get("name")))
    annotations = data.get("annotations")
    second = annotations.get("title") if isinstance(annotations, dict) else None
    texts = (data.get("description"), data.get("title"), second)
    tool.texts = [text for text in texts if isinstance(text, str)]
    hear(tool, *tool.texts)
    hear_foreign(tool, data)
    everything = [fact for facts in _HINTS.values() for fact in facts]
    keys = {"annotations": tuple(everything)}
    entries = respelled(data, keys, tool)
    hints = _aliased(data, respelled(mapping_of(tool, entries.get("annotations"), *everything), _HINTS, tool))
    if hints.get("readOnlyHint") is True:
        tool.claims |= READS_ONLY  # never a fact: a server says so about itself (RFC 0204)
    elif hints.get("readOnlyHint") is not None:
        tool.state("changes", hints["readOnlyHint"], danger=False)
    if hints.get("destructiveHint") is False:
        tool.claims |= {"destructive", "additive"}
    else:
        tool.state("destructive", hints.get("destructiveHint"))
    if hints.get("idempotentHint") is True:
        tool.claims.add("unrepeatable")
    elif hints.get("idempotentHint") is not False or hints.get("readOnlyHint") is False:
        tool.state("unrepeatable", hints.get("idempotentHint"), danger=False)  # it means nothing beside no changes
    for holder in (data, data.get("_meta")):  # Apps SDK reference: with `noauth` among them, nobody has to sign in
        schemes = holder.get("securitySchemes") if isinstance(holder, dict) else None
        if isinstance(schemes, list) and schemes and "noauth" not in {str(scheme.get("type")) for scheme in schemes}:
            tool.dangers.add("credentials")
    if hints.get("openWorldHint") is False:
        tool.claims |= {"network", "closed"}
    elif hints.get("openWorldHint") is not None:
        tool.state("network", hints["openWorldHint"])
    return tool
