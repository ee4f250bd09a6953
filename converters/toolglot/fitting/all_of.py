"""`allOf` folded into the schema that holds it."""

from __future__ import annotations

from typing import Any

from toolglot.errors import FitError
from toolglot.fitting.node import SchemaNode
from toolglot.hub.model import JsonSchema
from toolglot.schema import intersection
from toolglot.schema.keywords import ANNOTATIONS

_MAX_MEMBERS = 20  # references that lead from one `allOf` to the next


def fold_all_of(node: SchemaNode) -> None:
    """Merge the members into the node; closing each member by itself would leave nothing acceptable."""
    reference = _only_reference(node.source)
    if reference is not None:
        node.note("allOf", "renamed", node.source["allOf"], reference, "nothing but a reference with texts around it")
        node.source = reference
        return
    if _keep_endless(node):
        return
    source = node.source
    schema: Any = source
    leftover: list[Any] = []
    for _ in range(_MAX_MEMBERS):  # a member that is followed may have members too, and they may lead back here
        members: dict[int, Any] = {}  # each once: twice on each of 20 levels is a million times
        for member in map(node.context.follow_if_reference, schema["allOf"]):
            members[id(member)] = member
        schema, more = intersection.merge_all_of({**schema, "allOf": list(members.values())})
        leftover += more
        if schema is False:
            node.source = {"not": {}}
            return
        if not isinstance(schema, dict):
            node.source = {}
            return
        if "allOf" not in schema:
            break
    else:
        node.say("allOf", schema)
    for keyword, value in source.items():
        if keyword == "allOf" or schema.get(keyword) != value:
            node.note(keyword, "renamed", value, schema.get(keyword), "merged with what `allOf` says")
    node.source = {key: value for key, value in schema.items() if key != "allOf"}
    for rest in leftover:
        if isinstance(rest, dict):
            for keyword in rest:
                node.say(keyword, rest)


def _keep_endless(node: SchemaNode) -> bool:
    """Whether a member leads back to a schema that it stands in; it stays a reference, and the rest becomes words.

    Merged, the two would be a new schema on every level, for ever.

    Raises:
        FitError: the mode is strict, which takes words for nothing.
    """
    members = [member for member in node.source["allOf"] if isinstance(member, dict)]
    cycles = [member["$ref"] for member in members if member.get("$ref") in node.context.cycles]
    endless = [reference for reference in cycles if reference in node.references_above]
    if not endless:
        node.references_above = (*node.references_above, *cycles)
        return False
    if node.rules.strict:
        message = "the schema contains itself inside an `allOf` that says more, and the two cannot be merged"
        raise FitError(message, "recursive-schema", node.pointer)
    own = {key: value for key, value in node.source.items() if key != "allOf"}
    endless_member = next(member for member in members if member.get("$ref") == endless[0])
    for part in (own, *members):
        for keyword in part:
            if keyword not in ANNOTATIONS and part is not endless_member:
                node.say(keyword, part)
    texts = {key: value for key, value in own.items() if key in ANNOTATIONS}
    node.source = {"$ref": endless[0], **texts}
    node.settle_sentences()
    return True


def _only_reference(source: JsonSchema) -> JsonSchema | None:
    """The reference that is all that `allOf` says, with the texts around it; `None` where there is more.

    So OpenAPI 3.0 describes a reference. To follow it here would follow one that leads back to itself for ever.
    """
    texts = {key: value for key, value in source.items() if key != "allOf"}
    references: list[JsonSchema] = []
    for member in source["allOf"]:
        if not isinstance(member, dict):
            return None
        if "$ref" in member:
            references.append(member)
        else:
            texts = {**member, **texts}
    if len(references) != 1 or not ANNOTATIONS.issuperset(texts):
        return None
    return {**references[0], **texts}
