"""The compact view of a descriptor (RFC 0112): few fields, and a schema without references and alternatives."""

from __future__ import annotations

from typing import Any

from toolglot.converter.fitting.fit import fit
from toolglot.converter.fitting.provider_rules import ProviderRules
from toolglot.converter.fitting.types import make_nullable
from toolglot.converter.formats.kit.keyword_sets import VOCABULARY
from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.safety import NOTES, SAFETY_LABEL
from toolglot.converter.schema.keywords import ANNOTATIONS, rebuild, walk
from toolglot.converter.text.pointers import without_keys
from toolglot.errors import FitError

_FIELDS = ("toolId", "source", "safetyTier", "title", "description", "inputSchema")
# Keywords that the view refuses at every depth; a property may have their names.
_REFUSED = frozenset({"$ref", "oneOf", "allOf", "anyOf", "not", "patternProperties", "dependentSchemas"})
_USELESS = frozenset({"$dynamicRef", "$defs"})  # without references
# Of the fields that the view leaves out this is the one that its readers must not miss: the description says it.
_NOTES = {"always": NOTES["always-asks-approval"], "conditional": NOTES["may-ask-approval"]}
_RULES = ProviderRules(
    format="tool-descriptor",
    profile="compact",
    versions=("v1",),
    strict=False,
    citation="RFC 0112",
    keywords={"": VOCABULARY - _REFUSED - _USELESS},
    references="none",
)
_CHANGES_OF_MEANING = {"widened", "narrowed", "encoded"}
_NULL = {"type": "null"}
_ABOUT_ANY_TYPE = {"if", "then", "else"}  # would hold for null, too


def make_compact_view(data: dict[str, Any]) -> dict[str, Any]:
    """A descriptor in the compact view. A schema that the view cannot say is left out; the tool never is."""
    note = _NOTES.get(data.get("approval", ""))
    if note is not None:
        description = f"{data.get('description', '')} {SAFETY_LABEL}{note.words}.".strip()
        data = {**data, "description": description}
    compact = {key: data[key] for key in _FIELDS if key in data}
    if "inputSchema" in compact:
        flat = flatten(compact.pop("inputSchema"))
        if flat is not None:
            compact["inputSchema"] = flat
    return compact


def flatten(schema: JsonSchema) -> JsonSchema | None:
    """An object schema of the view that accepts the same values; `None` where there is none.

    A simpler schema with sentences would be possible. But the view cannot say that something is missing, and whoever
    writes a call by it would take it for the whole schema. A tool without a schema has to be looked up by its id.

    >>> name = {"$ref": "#/$defs/name"}
    >>> flatten({"type": "object", "properties": {"a": name}, "$defs": {"name": {"type": "string"}}})
    {'type': 'object', 'properties': {'a': {'type': 'string'}}}
    >>> flatten({"type": "object", "properties": {"a": {"anyOf": [{"type": "string"}, {"type": "array"}]}}})
    """
    if not _is_flat(schema):
        try:
            fitted = fit(schema, _RULES)
        except FitError:  # it contains itself, is endless or is no object
            return None
        if fitted.schema is None or any(step.action in _CHANGES_OF_MEANING for step in fitted.steps):
            return None
        schema = _join_nulls(fitted.schema)
    if not _is_flat(schema):
        return None
    return {**schema, "properties": schema.get("properties", {})}


def _is_flat(schema: JsonSchema) -> bool:
    if schema.get("type") != "object":
        return False
    other_keywords = _REFUSED | _USELESS
    return not any(other_keywords.intersection(node) for _, node in walk(schema) if isinstance(node, dict))


def _join_nulls(schema: Any, pointer: str = "") -> Any:
    """The schema with alternatives of one type and null written as a list of types."""
    node = rebuild(schema, _join_nulls)
    if not isinstance(node, dict) or "anyOf" not in node:
        return node
    around = without_keys(node, "anyOf")
    others = [option for option in node["anyOf"] if option != _NULL]
    is_one_or_null = len(others) == 1 and len(node["anyOf"]) == 2 and not _ABOUT_ANY_TYPE.intersection(others[0])
    if not is_one_or_null or not ANNOTATIONS.issuperset(around):
        return node
    return {**make_nullable(others[0], _RULES), **around}
