"""Whether a schema, a name or a description obeys the rules of a provider. `fit` shares no rule with this module.

At run time, `check` reports what a provider would refuse, and a conversion leaves a definition of the target's own
format untouched if it obeys the rules. Tests judge every fitted schema here: if the code were shared, a misread rule
would agree with itself. Only the walk, the types of values, cycles and sizes are shared; they have tests of their own.
Schemas are plain JSON Schema 2020-12; their spelling in a request is the format's business.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from toolglot.converter.fitting.patterns import is_refused
from toolglot.converter.fitting.provider_rules import ProviderRules, RuleFault
from toolglot.converter.fitting.schema_size import size_faults
from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.schema import older_dialects, references
from toolglot.converter.schema.json_values import has_type, stated_types
from toolglot.converter.schema.keywords import IN_PLACE, keyword_of, subschemas, walk
from toolglot.converter.schema.metaschemas import NEWEST, metaschema
from toolglot.converter.text import document_reader
from toolglot.converter.text.pointers import decode_fragment, pointer_below, pointer_of
from toolglot.converter.text.wording import join_first
from toolglot.errors import LimitError, ParseError

_SIZE = document_reader.Limits(max_depth=400, max_nodes=200_000)  # the validator of 2020-12 walks deeper


class _TypedSchema(msgspec.Struct, frozen=True):
    """A schema object with what every check needs."""

    pointer: str
    schema: JsonSchema
    types: tuple[str, ...]  # those that it states

    def fault(self, rule: str, message: str) -> RuleFault:
        return RuleFault(self.pointer, rule, message)


def violations_as_spelled(schema: JsonSchema, rules: ProviderRules) -> list[RuleFault]:
    """`violations` of a schema of any dialect, with references of any kind.

    Raises:
        FitError: it cannot be walked.
    """
    plain, _ = older_dialects.normalise(schema)
    return violations(references.resolve(plain)[0], rules)


def violations(schema: JsonSchema | None, rules: ProviderRules) -> list[RuleFault]:
    """The faults of a schema for arguments under the rules of a provider.

    Args:
        schema: plain JSON Schema 2020-12, not modified; `None` is a tool without parameters that has no schema.
        rules: a row of the table of profiles.

    Returns:
        Every violation; of what is not a schema of 2020-12 only that.

    >>> rules = ProviderRules(format="x", profile="x", versions=(), strict=True, citation="", items=True)
    >>> violations({"type": "object", "properties": {"a": {"type": "array"}}}, rules)
    [RuleFault(pointer='/properties/a', rule='items', message='an array needs `items`')]
    """
    if schema is None:
        missing = RuleFault("", "no_arguments", "a tool without parameters needs a schema, and there is none")
        return [missing] if rules.no_arguments else []
    fault = _check_dialect(schema)
    if fault:
        return [fault]
    faults = list(_check_root(schema, rules))
    nodes = dict(walk(schema))
    for pointer, schema_node in nodes.items():
        if isinstance(schema_node, bool):
            continue  # reported where it stands, because one keyword may always hold it
        node = _TypedSchema(pointer, schema_node, stated_types(schema_node))
        for check in _CHECKS:
            faults += check(node, rules)
    return [*faults, *_check_references(nodes, rules), *size_faults(schema, rules)]


# -- the dialect and the root -----------------------------------------------------------------------------------


def _check_dialect(schema: Any) -> RuleFault | None:
    if not isinstance(schema, dict):
        return RuleFault("", "dialect", f"arguments are described by an object, not by {type(schema).__name__}")
    try:
        document_reader.from_data(schema, _SIZE)
    except LimitError:
        return RuleFault("", "dialect", "too deep or too large to be looked at")
    except ParseError as problem:
        return RuleFault(problem.pointer, "dialect", f"not JSON: {problem.message}")
    try:
        error = next(iter(metaschema(NEWEST).iter_errors(schema)), None)
    except (ValueError, TypeError) as problem:  # a number that the validator cannot hold
        return RuleFault("", "dialect", f"not JSON: {problem}")
    if error is None:
        return None
    pointer = pointer_of(error.instance_path)
    return RuleFault(pointer, "dialect", f"not JSON Schema 2020-12: {error.message[:200]}")


_ROOT_COMBINATORS = ("anyOf", "oneOf", "allOf", "not", "enum", "const")


def _check_root(schema: JsonSchema, rules: ProviderRules) -> Iterator[RuleFault]:
    if schema.get("type") != "object":
        yield RuleFault("", "dialect", f"the root needs the type object, found {json.dumps(schema.get('type'))}")
    for keyword in _ROOT_COMBINATORS:
        if keyword in schema and not rules.root_combinators:
            yield RuleFault("", "root_combinators", f"`{keyword}` may not stand at the root")
    if not rules.no_arguments and not schema.get("properties"):
        yield RuleFault("", "no_arguments", "a tool without parameters may have no schema")


# -- one node -------------------------------------------------------------------------------------------------


def _check_booleans(node: _TypedSchema, rules: ProviderRules) -> Iterator[RuleFault]:
    for token, inner in subschemas(node.schema):
        if not isinstance(inner, bool) or token == "/additionalProperties":
            continue
        if not rules.booleans:
            yield RuleFault(node.pointer + token, "booleans", "a schema needs to be an object, not true or false")
        if rules.typed != "no":
            yield RuleFault(node.pointer + token, "typed", "true and false say no type")


def _check_keywords(node: _TypedSchema, rules: ProviderRules) -> Iterator[RuleFault]:
    if rules.keywords is None:
        return
    keywords = rules.keywords.get("", frozenset()).union(*(rules.keywords.get(kind, ()) for kind in node.types))
    for keyword in node.schema:
        if keyword not in keywords:
            yield node.fault("keywords", f"`{keyword}` is not known for {' or '.join(node.types) or 'any type'}")


def _check_texts(node: _TypedSchema, rules: ProviderRules) -> Iterator[RuleFault]:
    if rules.formats is not None and "format" in node.schema:
        formats = frozenset[str]().union(*(rules.formats.get(kind, ()) for kind in node.types))
        if node.schema["format"] not in formats:
            yield node.fault("formats", f"the format {node.schema['format']!r} is not known here")
    for pattern in (node.schema.get("pattern"), *node.schema.get("patternProperties", ())):
        if isinstance(pattern, str) and is_refused(pattern, rules.pattern):
            yield node.fault("pattern", f"the pattern {pattern[:80]!r} is more than {rules.pattern}")


def _check_enum(node: _TypedSchema, rules: ProviderRules) -> Iterator[RuleFault]:
    members = node.schema.get("enum")
    constant = [node.schema["const"]] if "const" in node.schema else []
    for value in [*(members or ()), *constant]:
        excerpt = json.dumps(value)[:80]
        if node.types and not has_type(value, node.types):
            yield node.fault("enum", f"{excerpt} is not of the type {' or '.join(node.types)}")
        if not has_type(value, rules.enum_types) and not (value is None and "null" in node.types):
            yield node.fault("enum_types", f"{excerpt} may not be a member of an enum")
        if value == "" and not rules.empty_enum_text:
            yield node.fault("empty_enum_text", "the empty text may not be a member of an enum")
    if members is None:
        return
    if isinstance(node.schema.get("type"), list) and not rules.enum_beside_type_list:
        yield node.fault("enum_beside_type_list", "an enum may not stand beside a list of types")
    if rules.all_required and "null" in node.types and None not in members:
        yield node.fault("all_required", "the type has null and the enum does not, so that null cannot be said")


def _check_min_items(node: _TypedSchema, rules: ProviderRules) -> Iterator[RuleFault]:
    least = node.schema.get("minItems", 0)
    if rules.most_min_items is not None and least > rules.most_min_items:
        yield node.fault("most_min_items", f"minItems is at most {rules.most_min_items}, found {least}")


_SAYS_TYPE = {"no": (), "some": ("type", "enum", "const", "anyOf", "$ref"), "type": ("type", "anyOf", "$ref")}


def _check_typed(node: _TypedSchema, rules: ProviderRules) -> Iterator[RuleFault]:
    any_of = _SAYS_TYPE[rules.typed]
    if any_of and not any(keyword in node.schema for keyword in any_of):
        yield node.fault("typed", f"one of {', '.join(any_of)} is needed")
    if isinstance(node.schema.get("type"), list):
        pair = len(node.types) == 2 and "null" in node.types
        if rules.type_lists == "none" or (rules.type_lists == "null" and not pair):
            yield node.fault("type_lists", f"the types {', '.join(node.types)} may not stand in one list")


def _check_any_of(node: _TypedSchema, rules: ProviderRules) -> Iterator[RuleFault]:
    if rules.any_of_alone and "anyOf" in node.schema and len(node.schema) > 1:
        siblings = join_first(sorted(node.schema.keys() - {"anyOf"}))
        yield node.fault("any_of_alone", f"`anyOf` needs to stand alone, found {siblings} beside it")


def _check_fields(node: _TypedSchema, rules: ProviderRules) -> Iterator[RuleFault]:
    properties, required = node.schema.get("properties", {}), set(node.schema.get("required", ()))
    if rules.declared:
        unknown = required - properties.keys()
        if unknown:
            yield node.fault("declared", f"required and not among the properties: {join_first(sorted(unknown))}")
    if "object" not in node.types:
        return
    if rules.all_required:
        differing = required ^ properties.keys()
        if differing:
            yield node.fault("all_required", f"`required` and `properties` differ in {join_first(sorted(differing))}")
    if rules.properties and "properties" not in node.schema:
        yield node.fault("properties", "an object needs `properties`")
    if not rules.empty_objects and node.pointer and node.schema.get("properties") == {}:
        yield node.fault("empty_objects", "`properties` may not be empty")


def _check_contents(node: _TypedSchema, rules: ProviderRules) -> Iterator[RuleFault]:
    if rules.objects == "absent" and "additionalProperties" in node.schema:
        yield node.fault("objects", "`additionalProperties` is not known")
    if rules.objects == "false" and "object" in node.types and node.schema.get("additionalProperties") is not False:
        yield node.fault("objects", "an object needs `additionalProperties: false`")
    if rules.items and "array" in node.types and "items" not in node.schema:
        yield node.fault("items", "an array needs `items`")


def _check_keys(node: _TypedSchema, rules: ProviderRules) -> Iterator[RuleFault]:
    if rules.key_first is None or (rules.key_scope == "top" and node.pointer):
        return
    for key in node.schema.get("properties", ()):
        if not _is_spelled_with(key, rules.key_first, rules.key_rest):
            yield node.fault("key_first", f"the key {key[:80]!r} has characters other than {rules.key_rest}")
        if len(key) > rules.key_limit:
            yield node.fault("key_limit", f"a key has at most {rules.key_limit} characters, not {len(key)}")


_CHECKS: tuple[Callable[[_TypedSchema, ProviderRules], Iterator[RuleFault]], ...] = (
    _check_booleans,
    _check_keywords,
    _check_texts,
    _check_enum,
    _check_min_items,
    _check_typed,
    _check_any_of,
    _check_fields,
    _check_contents,
    _check_keys,
)


def _is_spelled_with(name: str, first: str, rest: str) -> bool:
    return re.fullmatch(f"[{first}][{rest}]*", name) is not None


# -- references -----------------------------------------------------------------------------------------------

_AT_THE_SAME_VALUE = IN_PLACE | {"$ref"}  # a cycle of these alone never ends
_DEFINITION = re.compile(r"#(?:/\$defs/[^/]+)?")


class _Edge(msgspec.Struct, frozen=True):
    keyword: str
    start: str
    end: str
    may_be_left_out: bool = False


def _check_references(nodes: Mapping[str, Any], rules: ProviderRules) -> Iterator[RuleFault]:
    edges: list[_Edge] = []
    for pointer, schema in nodes.items():
        if isinstance(schema, dict):
            edges += _edges(pointer, schema)
    for edge in edges:
        if edge.keyword == "$ref":
            yield from _check_reference(edge, nodes, rules)
    endless = [edge for edge in edges if edge.keyword in _AT_THE_SAME_VALUE]
    no_cycle_of = [("recursion", "a reference leads back to itself without a step into the value", endless)]
    if not rules.recursion:
        no_cycle_of.append(("recursion", "the schema contains itself", edges))
    elif rules.optional_recursion:
        required_edges = [edge for edge in edges if not edge.may_be_left_out]
        message = "the schema contains itself in properties that are all required"
        no_cycle_of.append(("optional_recursion", message, required_edges))
    for rule, message, path_edges in no_cycle_of:
        start = _start_of_cycle(path_edges, nodes)
        if start is not None:
            yield RuleFault(start, rule, message)
            return


def _start_of_cycle(edges: list[_Edge], nodes: Mapping[str, Any]) -> str | None:
    """The pointer of the first schema that leads back to itself by way of these edges."""
    ends: dict[str, list[str]] = {pointer: [] for pointer in nodes}
    for edge in edges:
        if edge.end in nodes:
            ends[edge.start].append(edge.end)
    component = references.components(ends)
    return next((edge.start for edge in edges if component[edge.start] == component.get(edge.end)), None)


def _edges(pointer: str, schema: JsonSchema) -> Iterator[_Edge]:
    """Edges from a schema to the schemas that a value has to match if it matches this one."""
    required = {pointer_below("/properties", name) for name in schema.get("required", ())}
    for token, _ in subschemas(schema):
        keyword = keyword_of(token)
        if keyword != "$defs":
            yield _Edge(keyword, pointer, pointer + token, keyword == "properties" and token not in required)
    if "$ref" in schema:
        reference = schema["$ref"]  # local ones are spelled as the walk spells pointers; what is not local is none
        yield _Edge("$ref", pointer, decode_fragment(reference[1:]) if reference.startswith("#") else reference)


def _check_reference(edge: _Edge, nodes: Mapping[str, Any], rules: ProviderRules) -> Iterator[RuleFault]:
    schema = nodes[edge.start]
    reference = schema["$ref"]
    if edge.end not in nodes:
        yield RuleFault(edge.start, "references", f"{reference[:80]!r} leads nowhere in the schema")
    if rules.references == "none":
        yield RuleFault(edge.start, "references", "`$ref` is not known")
    if rules.references == "defs" and not _DEFINITION.fullmatch(reference):
        yield RuleFault(edge.start, "references", f"only # and #/$defs/... may be referred to, not {reference[:80]!r}")
    if rules.references == "defs" and len(schema) > 1:
        yield RuleFault(edge.start, "references", "nothing may stand beside `$ref`")


# -- names and descriptions ------------------------------------------------------------------------------


def name_violations(name: str, rules: ProviderRules) -> list[RuleFault]:
    """What is wrong with the name of a tool.

    >>> rules = ProviderRules(format="x", profile="x", versions=(), strict=True, citation="")
    >>> [fault.message for fault in name_violations("a.b", rules)]
    ["the name 'a.b' has characters other than a-zA-Z0-9_-"]
    """
    faults = []
    if not _is_spelled_with(name, rules.name_first, rules.name_rest):
        characters = rules.name_rest
        if rules.name_first != rules.name_rest:
            characters = f"{rules.name_first}, then {rules.name_rest}"
        faults.append(RuleFault("", "name_first", f"the name {name[:80]!r} has characters other than {characters}"))
    if len(name) > rules.name_limit:
        faults.append(RuleFault("", "name_limit", f"a name has at most {rules.name_limit} characters, not {len(name)}"))
    return faults


def description_violations(description: str | None, rules: ProviderRules) -> list[RuleFault]:
    """What is wrong with the description of a tool; its length is counted in UTF-16 units.

    >>> rules = ProviderRules(format="x", profile="x", versions=(), strict=True, citation="", description_limit=1)
    >>> [fault.message for fault in description_violations("🔒", rules)]
    ['a description has at most 1 UTF-16 units, not 2']
    """
    length = len((description or "").encode("utf-16-le", "surrogatepass")) // 2
    if rules.description_limit is None or length <= rules.description_limit:
        return []
    message = f"a description has at most {rules.description_limit} UTF-16 units, not {length}"
    return [RuleFault("", "description_limit", message)]
