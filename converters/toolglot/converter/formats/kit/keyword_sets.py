"""Sets of keywords and formats of JSON Schema, for the rules of providers.

The rules of a provider stand in `provider_limits.py` of its folder: one row for each shape and mode, with the source of
its facts. Where the documentation and measured answers differ, a row allows what works under both: one refused tool
fails the whole request, while a rule that is too strict only costs a sentence in a description. A row that follows a
measured answer says so.
"""

from __future__ import annotations

from toolglot.converter.schema.keywords import ANNOTATIONS, APPLICATORS, ASSERTIONS

# All of JSON Schema 2020-12 that describes values. Not in it: what normalised schemas do not need, and keywords of
# other vocabularies (`x-...`, `discriminator`).
VOCABULARY = (ANNOTATIONS | APPLICATORS | ASSERTIONS) - {"$schema", "$id", "$anchor", "$dynamicAnchor", "$vocabulary"}
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
