"""`allOf` folded into the schema that holds it."""

from __future__ import annotations

from typing import Any

from toolglot.fitting.node import SchemaNode
from toolglot.schema import intersection

_MAX_MEMBERS = 20  # references that lead from one `allOf` to the next


def fold_all_of(node: SchemaNode) -> None:
    """Merge the members into the node; closing each member by itself would leave nothing acceptable."""
    source = node.source
    merged: Any = source
    unmerged: list[Any] = []
    for _ in range(_MAX_MEMBERS):  # a member that is followed may have members too, and they may lead back here
        members = [node.context.follow_if_reference(member) for member in merged["allOf"]]
        merged, more = intersection.merge_all_of({**merged, "allOf": members})
        unmerged += more
        if not isinstance(merged, dict):
            node.source = {"not": {}} if merged is False else {}
            return
        if "allOf" not in merged:
            break
    else:
        node.say("allOf", merged)
    for keyword, value in source.items():
        if keyword == "allOf" or merged.get(keyword) != value:
            node.note(keyword, "renamed", value, merged.get(keyword), "merged with what `allOf` says")
    node.source = {key: value for key, value in merged.items() if key != "allOf"}
    for rest in unmerged:
        if isinstance(rest, dict):
            for keyword in rest:
                node.say(keyword, rest)
