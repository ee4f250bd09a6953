"""What a change of the request that a call becomes means: a program that sends the old one is not understood.

Servers are not compared here: their hosts are facts of the tool. Neither is how an argument is written that cannot be a
list or an object, for all ways to write a text are one.
"""

from __future__ import annotations

from typing import Any

from toolglot.converter import formats
from toolglot.converter.formats.kit.parameters import target_of
from toolglot.converter.formats.kit.request_templates import Slot
from toolglot.converter.hub.model import Tool
from toolglot.converter.schema.keywords import expand_boolean_schema
from toolglot.converter.schema.overlap import stated_kinds
from toolglot.converter.text.pointers import mapping_at, without_empty
from toolglot.converter.text.uri_templates import QUERY, expand_variable
from toolglot.verbs.comparison.difference import change_by_rule
from toolglot.verbs.comparison.field_comparisons import ContractChanges

# Kind of values -> one that shows how they are written.
_SAMPLES: dict[str, Any] = {"string": "a", "array": ["a", "b"], "object": {"a": "b", "c": "d"}}


def request_changes(old: Tool, new: Tool) -> ContractChanges:
    """What is different about the requests of two tools; nothing where one of them has none.

    >>> def api(method):
    ...     return toolglot.read_one({"openapi": "3.1.0", "info": {}, "paths": {"/a": {method: {"responses": {}}}}})
    >>> import toolglot
    >>> [change.note for change in request_changes(api("post"), api("put"))]
    ['a call is another request now (method)']
    """
    before, after = formats.request_of(old), formats.request_of(new)
    if before is None or after is None:
        return
    for name in ("method", "path"):
        yield from _change(name, getattr(before, name), getattr(after, name))
    if before.media_type is not None and after.media_type is not None:
        yield from _change("media type", before.media_type, after.media_type)
    if after.is_body_required:
        yield from _change("the body is required", before.is_body_required, True)
    # Of ways to sign in, a caller has one; an old one still counts where a new one asks for no more.
    ways = [set(way) for way in after.credentials]
    old_ways = before.credentials or [[]]  # by none
    if ways and not all(any(way.issubset(old_way) for way in ways) for old_way in old_ways):
        yield from _change("credentials", before.credentials, after.credentials)
    for key, slot in before.slots.items():
        if key in after.slots:
            kinds = _kinds_of(old, key)
            yield from _change(key, _writing_of(slot, kinds), _writing_of(after.slots[key], kinds))


def _change(note: str, before: Any, after: Any) -> ContractChanges:
    if before != after:
        yield change_by_rule("request-changed", "/extensions", before, after, note)


def _kinds_of(tool: Tool, key: str) -> list[str]:
    """The kinds of values that an argument can have, and that may be written differently."""
    inputs = tool.inputs or {}
    schema = expand_boolean_schema(mapping_at(inputs, "properties").get(key))
    kinds = stated_kinds(target_of({**schema, "$defs": mapping_at(inputs, "$defs")}))
    return [kind for kind in _SAMPLES if kind in kinds]


def _writing_of(slot: Slot, kinds: list[str]) -> dict[str, Any]:
    """Where an argument stands in a request, and what is written there."""
    name = slot.name.lower() if slot.place == "header" else slot.name
    writing: dict[str, Any] = {"in": slot.place, "name": name, "media type": slot.media_type}
    writing |= {"from base64": slot.is_base64, "verbatim": slot.is_verbatim, "reserved": slot.reserved}
    if slot.expansion is not None or slot.place == "body":
        how = slot.expansion or QUERY
        writing["as"] = [expand_variable(name, _SAMPLES[kind], how, slot.explode) for kind in kinds]
    return without_empty(writing)
