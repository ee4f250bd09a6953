"""Null beside other values, in the spelling that a provider allows."""

from __future__ import annotations

from typing import Any

from toolglot.fitting.provider_rules import ProviderRules
from toolglot.text.pointers import without_keys


def make_nullable(schema: dict[str, Any], rules: ProviderRules) -> dict[str, Any]:
    """A fitted schema that accepts null too, in the spelling that the rules allow.

    >>> rules = ProviderRules(format="x", profile="x", versions=(), strict=True, citation="")
    >>> make_nullable({"type": "string", "enum": ["a"]}, rules)
    {'type': ['string', 'null'], 'enum': ['a', None]}
    """
    null = {"type": "null"}
    if schema.get("type") == "null":
        return schema
    if "anyOf" in schema:
        if null in schema["anyOf"]:
            return _with_null(schema)
        return _with_null({**schema, "anyOf": [*schema["anyOf"], null]})
    kind = schema.get("type")
    members = schema.get("enum")
    takes_type_list = rules.type_lists != "none" and (members is None or rules.enum_beside_type_list)
    if takes_type_list and isinstance(kind, str) and "const" not in schema:
        return _with_null({**schema, "type": [kind, "null"]})
    if isinstance(kind, list) and "const" not in schema:
        if "null" in kind:
            return _with_null(schema)
        return _with_null({**schema, "type": [*kind, "null"]})
    without_description = without_keys(schema, "description")
    nullable: dict[str, Any] = {"anyOf": [without_description, null]}
    if "description" in schema:
        nullable["description"] = schema["description"]
    return nullable


def _with_null(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema with null among its values, where it lists them."""
    members = schema.get("enum")
    if members is None or None in members:
        return schema
    return {**schema, "enum": [*members, None]}
