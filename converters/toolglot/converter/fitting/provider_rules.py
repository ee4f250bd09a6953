"""The rules of providers as data. The rows, each with its source, stand in `provider_limits.py` of the format."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from toolglot.converter.schema.keywords import TYPES


class Budget(msgspec.Struct, frozen=True, kw_only=True):
    """The limits of one request; `None`: no limit. The last three count strict tools only."""

    tools: int | None = None
    strict_tools: int | None = None
    optional: int | None = None  # parameters that are not required, in all strict tools together
    unions: int | None = None  # parameters with `anyOf` or a list of types, in all strict tools together


class SchemaLimits(msgspec.Struct, frozen=True, kw_only=True):
    """The limits of one schema; `None`: no limit."""

    properties: int | None = None  # in the whole schema
    depth: int | None = None  # levels of objects
    characters: int | None = None  # of property names, names of definitions, enum and const values together
    enum_values: int | None = None  # in the whole schema
    long_enum: tuple[int, int] | None = None  # (more values than this, may have so many characters together)


class ProviderRules(msgspec.Struct, frozen=True, kw_only=True):
    """What one provider accepts in one mode.

    The schema rules speak of plain JSON Schema 2020-12; how it is spelled on the wire (upper-case types,
    `nullable`) is the format's business.
    """

    format: str
    profile: str
    versions: tuple[str, ...]  # of the format; the shapes that this row holds for
    strict: bool
    citation: str  # where the facts come from

    # names
    name_first: str = "a-zA-Z0-9_-"  # characters, as inside [...] of a regular expression
    name_rest: str = "a-zA-Z0-9_-"
    name_limit: int = 64
    key_first: str | None = None  # None: every property key is accepted
    key_rest: str = "a-zA-Z0-9_"
    key_limit: int = 64
    key_scope: str = "all"  # "top" or "all": where property keys are looked at
    description_limit: int | None = None  # of the tool, in UTF-16 units

    # which keywords a node may have: those under "", and those under its types; None is all of them
    keywords: Mapping[str, frozenset[str]] | None = None
    idle_keywords: bool = True  # whether keywords stay that tell a model nothing
    formats: Mapping[str, frozenset[str]] | None = None  # type -> values of `format`
    pattern: str = "any"  # "any"; "python": no more than `re` understands; "no-lookaround": nor that; "simple": nor
    #                       back references, `\b`, `\B`, groups with flags, or counts of four digits
    most_min_items: int | None = None  # the largest value of `minItems`
    enum_types: frozenset[str] = frozenset(TYPES)  # types of members of `enum`; null too where the node's type has it
    enum_beside_type_list: bool = True
    empty_enum_text: bool = True  # whether "" may be a member of `enum`

    # shape
    booleans: bool = True  # whether a schema may be true or false; `additionalProperties` always may
    typed: str = "no"  # "no": {} is fine; "some": type, enum, const, anyOf or $ref; "type": type, anyOf or $ref
    type_lists: str = "any"  # "any", "null" (one type and null), "none"
    any_of_alone: bool = False  # whether a node with `anyOf` may have nothing beside it
    root_combinators: bool = False  # anyOf, oneOf, allOf, not, enum, const at the root
    objects: str = "open"  # "open": additionalProperties is free; "false": literally false, everywhere;
    #                        "absent": the keyword is not known
    all_required: bool = False  # every property is in `required`; what may be left out is null
    properties: bool = False  # whether every object needs the key `properties`
    declared: bool = False  # whether `required` may name nothing but what `properties` has
    empty_objects: bool = True  # whether `properties` may be empty below the root; it may always be absent
    items: bool = False  # whether every array needs `items`, itself typed if `typed` says so
    references: str = "any"  # "any": any local; "defs": # and #/$defs/x, without siblings; "none"
    recursion: bool = True
    optional_recursion: bool = False  # whether every cycle has to pass through a property that may be left out
    no_arguments: bool = True  # whether a tool without parameters has a schema; False: it is left out

    limits: SchemaLimits = SchemaLimits()
    budget: Budget = Budget()


class RuleFault(msgspec.Struct, frozen=True):
    """One fault: a JSON Pointer into the schema, what was broken, and a sentence.

    `rule` is a field of `ProviderRules`, with a part where that has parts (`limits.depth`), or one of `"dialect"`,
    `"enum"`.
    """

    pointer: str
    rule: str
    message: str
