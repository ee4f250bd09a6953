"""Strategies of a second schema beside a first one: edited, or respelled so that it accepts the same values."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from schema_judge import schemas


@st.composite
def edited(draw: st.DrawFn, schema: Any) -> Any:
    """A schema with a few keywords taken from another one, dropped, or moved."""
    other = draw(schemas())
    return draw(_edit(schema, other, 0))


@st.composite
def _edit(draw: st.DrawFn, node: Any, other: Any, depth: int) -> Any:
    if not isinstance(node, dict) or draw(st.integers(0, 5)) == 0:
        return draw(st.sampled_from([node, other, node]))
    out = dict(node)
    for word, value in node.items():
        fate = draw(st.integers(0, 11))
        if fate == 0 and word != "$defs":
            del out[word]
        elif fate == 1 and isinstance(other, dict) and word in other:
            out[word] = other[word]
        elif isinstance(value, dict) and depth < 5 and word not in ("const", "default"):
            inner = other.get(word, {}) if isinstance(other, dict) else {}
            out[word] = draw(_edit(value, inner, depth + 1))
        elif isinstance(value, list) and word in ("anyOf", "oneOf", "allOf", "prefixItems") and depth < 5:
            out[word] = [draw(_edit(item, {}, depth + 1)) for item in value]
        elif isinstance(value, int) and not isinstance(value, bool) and fate < 5:
            out[word] = max(0, value + draw(st.sampled_from([-1, 1])))
        elif isinstance(value, list) and value and fate < 4:
            out[word] = value[:-1] if len(value) > 1 or word == "required" else value
    return out


@st.composite
def respelled(draw: st.DrawFn, schema: Any) -> Any:
    """The schema with some of its parts in other words."""
    if isinstance(schema, list):
        return [draw(respelled(item)) for item in schema]
    if not isinstance(schema, dict):
        return schema
    out = {word: value if word in _DATA else draw(respelled(value)) for word, value in schema.items()}
    if "$defs" in out or not draw(st.booleans()):
        return out
    return draw(st.sampled_from([*_spellings(out)]))


_DATA = ("enum", "const", "default", "required", "type", "$defs")


def _spellings(node: dict[str, Any]) -> list[dict[str, Any]]:
    """Other words for the same schema, and itself."""
    found = [node, {"allOf": [node]}, {"anyOf": [node, False]}]
    if "const" in node and "enum" not in node:
        found.append({**{word: value for word, value in node.items() if word != "const"}, "enum": [node["const"]]})
    types = node.get("type")
    if isinstance(types, list):
        found.append({"anyOf": [{**node, "type": name} for name in types]})
    if node.get("type") == "integer" and "exclusiveMinimum" in node:
        rest = {word: value for word, value in node.items() if word != "exclusiveMinimum"}
        found.append({**rest, "minimum": node["exclusiveMinimum"] + 1})
    return found
