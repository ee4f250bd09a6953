"""What a report says of a schema, against values: where nothing is in doubt, both sides accept the same ones.

The judge of values is another implementation, `jsonschema-rs`, which knows nothing of how schemas are compared.
"""

from __future__ import annotations

import json
from typing import Any

import jsonschema_rs
from hypothesis import given, note
from hypothesis import strategies as st

import toolglot
from rows import for_each
from schema_edits import edited, respelled
from schema_judge import accepts, instances, near_misses, schemas
from toolglot.converter import formats
from toolglot.converter.conversion.field_differences import compare_schema_fields
from toolglot.converter.hub.model import Tool
from toolglot.converter.safety.inheritance import leaves_of
from toolglot.converter.schema.keywords import ASSERTIONS
from toolglot.errors import Error

TARGETS = [name for name in formats.targets() if name != "mcp"]
# What may change which values are accepted; `renamed` and words that were added may not.
DOUBTS = {"narrowed", "widened", "dropped", "excluded", "encoded"}


def drawn_value(data: st.DataObject, *sides: Any) -> Any:
    """A value that one of two schemas accepts, or nearly accepts."""
    return data.draw(st.one_of(*(draw(side) for side in sides for draw in (instances, near_misses))), "value")


def judged(data: st.DataObject, source: Any, target: Any) -> tuple[bool, bool]:
    """Whether each side accepts a value that is drawn for both."""
    try:
        value = drawn_value(data, source, target)
        return accepts(source, value), accepts(target, value)
    except (ValueError, jsonschema_rs.ValidationError):  # what the judge cannot judge
        return False, False


OPTIONAL = {"type": "array", "items": {"type": "string"}}
AB = {"a": {"type": "string"}, "b": {"type": "string"}}
# Two spellings of one schema: what a translation makes of it, or could.
SAME: list[tuple[Any, Any]] = [
    ({"anyOf": [OPTIONAL, {"type": "null"}]}, {**OPTIONAL, "type": ["array", "null"]}),
    ({"anyOf": [{"type": "string"}, {"type": "null"}]}, {"type": ["null", "string"]}),
    ({"anyOf": [{"type": "string"}, {"type": "null"}]}, {"anyOf": [{"type": "null"}, {"type": "string"}]}),
    ({"oneOf": [{"const": "a"}, {"const": "b"}]}, {"enum": ["b", "a"]}),
    ({"type": "string", "const": "a"}, {"enum": ["a"]}),
    ({"type": "integer", "exclusiveMinimum": 0}, {"type": "integer", "minimum": 1}),
    ({"type": "boolean", "enum": [True, False]}, {"type": "boolean"}),
    ({"allOf": [{"type": "object", "properties": AB}, {"required": ["a"]}]},
     {"type": "object", "properties": AB, "required": ["a"]}),
    ({"type": "object", "properties": AB, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
     {"anyOf": [{"type": "object", "properties": AB, "required": [name]} for name in AB]}),
    ({"$ref": "#/$defs/a", "$defs": {"a": OPTIONAL}}, {**OPTIONAL, "$defs": {"a": OPTIONAL}}),
    ({"contains": {"type": "null"}, "minContains": 1}, {"contains": {"type": "null"}}),
]  # fmt: skip


@for_each(("old", "new"), SAME, ids=range(len(SAME)))
def test_two_spellings_of_one_schema_are_no_loss(old: Any, new: Any) -> None:
    """Each both ways, and beside a bound that really is lost."""
    for one, other in ((old, new), (new, old)):
        assert actions(one, other) <= {"renamed"}
        if "$defs" not in old:
            found = actions({"properties": {"a": one, "b": {"minLength": 1}}}, {"properties": {"a": other, "b": {}}})
            assert {"widened"} <= found <= {"renamed", "widened"}


@given(st.data())
def test_what_is_reported_as_the_same_accepts_the_same(data: st.DataObject) -> None:
    source = data.draw(schemas(), "schema")
    target = data.draw(st.sampled_from(TARGETS), "target")
    try:
        conversion = toolglot.convert({"name": "weed", "description": "Weeds.", "inputSchema": source}, target)
        tools = toolglot.read(conversion.text, target)
    except Error:
        return
    changes = [change for change in conversion.report.changes if change.path.startswith("/inputs")]
    if any(change.action in DOUBTS for change in changes):
        return
    if any(change.action == "assumed" and change.path == "/inputs/additionalProperties" for change in changes):
        source = {**source, "additionalProperties": False}
    (tool,) = tools
    written = next(leaves_of(tool)).tool.inputs or {"type": "object"}
    note(json.dumps(written))
    note(str(changes))
    before, after = judged(data, source, written)
    assert before is after


def actions(old: Any, new: Any) -> set[str]:
    found = compare_schema_fields("outputs", Tool(id="a", outputs=old), Tool(id="a", outputs=new))
    return {difference.action for difference in found if difference.path.rpartition("/")[2] in ASSERTIONS}


@given(st.data())
def test_a_value_that_one_side_alone_accepts_has_a_difference(data: st.DataObject) -> None:
    old = data.draw(schemas())
    new = data.draw(st.one_of(edited(old), edited(old), respelled(old)))
    before, after = judged(data, old, new)
    if actions(old, new) <= {"renamed"}:
        assert before is after
