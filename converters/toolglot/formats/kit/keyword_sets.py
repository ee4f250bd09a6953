"""Sets of keywords and formats of JSON Schema, of which the profiles of providers are made.

What one provider accepts stands in `profiles.py` of its folder: one row for each shape and mode, with the source of
its facts. Where documents and measured answers differ, a row has what works under both: one refused tool fails the
whole request, while a rule that is too strict costs a sentence in a description. A row that follows the measured
answer says so.
"""

from __future__ import annotations

# All of JSON Schema 2020-12 that describes values. Not in it: `$schema`, `$id`, `$anchor` and their kin, which
# normalised schemas do not need, and keywords of other vocabularies (`x-...`, `discriminator`).
VOCABULARY = frozenset({
    "$ref", "$defs", "$comment", "type", "enum", "const",
    "multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
    "minLength", "maxLength", "pattern", "format", "contentEncoding", "contentMediaType", "contentSchema",
    "items", "prefixItems", "contains", "minContains", "maxContains", "minItems", "maxItems", "uniqueItems",
    "unevaluatedItems",
    "properties", "patternProperties", "additionalProperties", "propertyNames", "unevaluatedProperties",
    "required", "minProperties", "maxProperties", "dependentRequired", "dependentSchemas",
    "allOf", "anyOf", "oneOf", "not", "if", "then", "else",
    "title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly",
})  # fmt: skip
CORE = frozenset({"type", "description", "enum", "anyOf"})
REFERENCES = frozenset({"$ref", "$defs"})
LENGTHS = frozenset({"minLength", "maxLength"})
RANGE = frozenset({"minimum", "maximum"})
BOUNDS = RANGE | {"exclusiveMinimum", "exclusiveMaximum", "multipleOf"}
SIZES = frozenset({"minItems", "maxItems"})
FIELDS = frozenset({"properties", "required"})
CLOSED_FIELDS = FIELDS | {"additionalProperties"}

PRIMITIVES = frozenset({"null", "boolean", "integer", "number", "string"})

STRING_FORMATS = frozenset({
    "date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid",
})  # fmt: skip
