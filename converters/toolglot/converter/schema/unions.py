"""One object schema for several alternatives, and a sentence about what it no longer says."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from operator import itemgetter
from typing import Any, NamedTuple

from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.schema import keyword_sentences
from toolglot.converter.schema.intersection import intersect, with_rest
from toolglot.converter.schema.json_values import are_equal, equality_key, unique
from toolglot.converter.schema.keywords import ANNOTATIONS, accepts_anything
from toolglot.converter.schema.overlap import KINDS, kind_of, members_of
from toolglot.converter.text.pointers import as_mapping, mapping_at, texts_at, without_keys
from toolglot.converter.text.sentences import one_line
from toolglot.converter.text.wording import add_full_stop, cut_text, join_names, say_value

_LONGEST = 2_000  # characters of the sentence
_LONGEST_ABOUT = 100  # characters of an alternative's own description
# Constraints are all other keywords; they are kept where the alternatives agree, and described where not.
_NOT_CONSTRAINTS = frozenset({"type", "properties", "required"}) | ANNOTATIONS


class _Alternative(NamedTuple):
    """An alternative: the branch itself, it together with the base, and what of both no one schema can say."""

    branch: JsonSchema
    schema: JsonSchema
    leftovers: list[JsonSchema]


def union_of_objects(branches: list[Any], base: JsonSchema, exactly_one: bool = False) -> tuple[JsonSchema, str | None]:
    """One object schema that accepts what a node with alternatives accepts.

    Every property of every alternative is there. Where its schemas differ, constants become one `enum` and other
    schemas an `anyOf`. An alternative that neither names a property nor forbids it accepts anything there; the
    result then asks what the others ask, because a schema that says nothing would be of no use, so it accepts less
    than the source in that one case. In all others it accepts at least as much.

    Args:
        branches: object schemas, the members of an `anyOf` or `oneOf`; neither references nor `allOf` in them.
        base: the keywords beside them.
        exactly_one: whether it was a `oneOf`.

    Returns:
        The schema, of type `object`; and a sentence about what is lost, or `None`.

    >>> get = {"properties": {"op": {"const": "get"}, "id": {"type": "integer"}}, "required": ["op", "id"]}
    >>> all_ = {"properties": {"op": {"const": "list"}, "limit": {"type": "integer"}}, "required": ["op"]}
    >>> union_of_objects([get, all_], {"type": "object"}, exactly_one=True)[1]
    'Exactly one of: op=get requires id; op=list allows limit.'
    >>> union_of_objects([{"required": ["a"]}, {"required": ["b"]}], {"type": "object"})
    ({'type': 'object'}, 'At least one of a and b must be given.')
    """
    whole, leftovers_of_base = intersect(base, {"type": "object"})
    about = {name: value for name, value in base.items() if name in ANNOTATIONS or name.startswith("x-")}
    alternatives = _possible_alternatives(whole, branches)
    if not alternatives:
        return {**about, "type": "object", "not": {}}, None
    first = alternatives[0]
    is_one = all(_are_alike(other.schema, first.schema) for other in alternatives) and not exactly_one
    if len(alternatives) == 1 or is_one:
        leftovers = [*leftovers_of_base, *first.leftovers]
        return with_rest({**first.schema, **about}, leftovers), None
    union: JsonSchema = {**about, "type": "object"}
    rest = _shared_constraints(alternatives)
    properties = _join_properties(alternatives, mapping_at(whole, "properties"))
    if rest.get("additionalProperties") is False and "patternProperties" not in rest:
        properties = {name: schema for name, schema in properties.items() if schema is not False}
    if properties:
        union["properties"] = properties
    required = _required_by_all(alternatives)
    if required:
        union["required"] = required
    union.update(rest)
    union = with_rest(union, leftovers_of_base)
    in_order = {name: union[name] for name in (*base, *union) if name in union}
    return in_order, _describe_alternatives(alternatives, union, exactly_one)


def _possible_alternatives(whole: Any, branches: list[Any]) -> list[_Alternative]:
    """The alternatives that accept anything beside the base."""
    alternatives: list[_Alternative] = []
    properties = mapping_at(as_mapping(whole), "properties")  # `False` accepts nothing
    listed_values = {
        name: frozenset(map(equality_key, schema["enum"]))
        for name, schema in properties.items()
        if isinstance(schema, dict) and isinstance(schema.get("enum"), list)
    }
    for branch in branches:
        schema, leftovers = intersect(_narrowed(whole, listed_values, branch), branch)
        if isinstance(schema, dict):
            alternatives.append(_Alternative(branch, schema, leftovers))
    return alternatives


def _narrowed(base: Any, listed_values: dict[str, frozenset[Hashable]], branch: Any) -> Any:
    """The base as it is merged with one alternative: of the values of a property only those that both admit.

    The other values would fall anyway, but every alternative would be held against every value: of a command and its
    hundreds of alternatives each names one.
    """
    properties: JsonSchema = {}
    branch_properties = mapping_at(as_mapping(branch), "properties")
    for name in branch_properties.keys() & listed_values.keys():
        schema = branch_properties[name]
        members = members_of(as_mapping(schema))
        values = [value for value in members or () if equality_key(value) in listed_values[name]]
        if values:
            properties[name] = {**base["properties"][name], "enum": values}
    if not properties:
        return base
    return {**base, "properties": {**base["properties"], **properties}}


def _required_by_all(alternatives: list[_Alternative]) -> list[str]:
    first, *others = [texts_at(alternative.schema, "required") for alternative in alternatives]
    names = set(first).intersection(*others)
    return [name for name in dict.fromkeys(first) if name in names]


def _join_properties(alternatives: list[_Alternative], base: JsonSchema) -> JsonSchema:
    """The properties that the base or an alternative names, each as one schema."""
    rests = [_schema_of_others(alternative.schema) for alternative in alternatives]
    leaving_open = frozenset(index for index, rest in enumerate(rests) if rest is None)
    schemas_of_others = {index: rest for index, rest in enumerate(rests) if rest is not None and rest is not False}
    by_name = _schemas_by_name(alternatives)
    properties: JsonSchema = {}
    for name in dict.fromkeys((*base, *by_name)):
        schemas_of_name = by_name.get(name, {})
        schemas = [schema for _, schema in sorted({**schemas_of_others, **schemas_of_name}.items(), key=itemgetter(0))]
        schema = _join_schemas(schemas, base.get(name), is_open=not schemas_of_name.keys() >= leaving_open)
        if schema is not None:
            properties[name] = schema
    return properties


def _schema_of_others(schema: JsonSchema) -> Any:
    """What an alternative says of properties that it does not name; `False` if it forbids them, `None` if nothing."""
    rest = schema.get("additionalProperties", True)
    if accepts_anything(rest) or schema.get("patternProperties"):
        return None
    return rest


def _join_schemas(schemas: list[Any], base: Any, is_open: bool) -> Any:
    """One schema for a property that alternatives describe differently; `None` if they leave it open.

    Args:
        schemas: of those that describe or forbid it.
        is_open: whether one says nothing of it.
    """
    possible_schemas = [schema for schema in schemas if schema is not None and schema is not False]
    if any(_are_alike(schema, base) for schema in possible_schemas):
        return base
    distinct = _without_twins(possible_schemas)
    if len(distinct) == 1:
        return distinct[0]
    if not distinct:
        return None if is_open else False
    members: list[Any] = []
    for schema in distinct:
        own = members_of(as_mapping(schema))
        if own is None:
            return True if any(map(accepts_anything, distinct)) else {"anyOf": distinct}
        members += own
    return _enum_of(unique(members), [schema["description"] for schema in distinct if schema.get("description")])


def _without_twins(schemas: list[Any]) -> list[Any]:
    """The schemas that differ, each with the descriptions of all that are alike."""
    distinct: dict[Hashable, Any] = {}
    for schema in schemas:
        key = equality_key(_without_annotations(schema))
        distinct[key] = _with_description_of(distinct[key], schema) if key in distinct else schema
    return list(distinct.values())


def _with_description_of(schema: Any, twin: Any) -> Any:
    text = as_mapping(twin).get("description")
    if not text:
        return schema
    return {**schema, "description": keyword_sentences.append(schema.get("description"), [text])}


def _enum_of(members: list[Any], descriptions: list[str]) -> JsonSchema:
    """The schema of some values, with the one type that they have."""
    schema: JsonSchema = {}
    kinds = {kind_of(value) for value in members}
    for type_name, kinds_of_type in KINDS.items():
        if kinds <= kinds_of_type:
            schema["type"] = type_name
            break
    schema["enum"] = members
    text = keyword_sentences.append(None, descriptions)
    if text:
        schema["description"] = text
    return schema


def _shared_constraints(alternatives: list[_Alternative]) -> JsonSchema:
    """The constraints that all alternatives share."""
    schemas = [alternative.schema for alternative in alternatives]
    constraints = {
        name: value
        for name, value in schemas[0].items()
        if name not in _NOT_CONSTRAINTS and all(name in schema and are_equal(schema[name], value) for schema in schemas)
    }
    if "patternProperties" not in constraints and any("patternProperties" in schema for schema in schemas):
        constraints.pop("additionalProperties", None)  # it does not speak of keys that a pattern names
    return constraints


def _are_alike(one: Any, other: Any) -> bool:
    """Whether two schemas say the same apart from what they tell people.

    >>> _are_alike({"type": "string", "title": "A"}, {"type": "string"})
    True
    """
    return are_equal(_without_annotations(one), _without_annotations(other))


def _without_annotations(schema: Any) -> Any:
    """A schema without what it tells people; the value itself where it is none."""
    if not isinstance(schema, dict):
        return schema
    return without_keys(schema, *ANNOTATIONS)


# -- what the union no longer says ------------------------------------------------------------------------------


def _describe_alternatives(alternatives: list[_Alternative], union: JsonSchema, exactly_one: bool) -> str | None:
    """What the alternatives ask beyond their union; `None` where that is nothing."""
    required = texts_at(union, "required")
    groups = [_only_requires(alternative, required) for alternative in alternatives]
    count = "Exactly one of" if exactly_one else "At least one of"
    if None not in groups:
        if [] in groups and not exactly_one:
            return None
        choice = _choice_of_names([group for group in groups if group is not None])
        return add_full_stop(f"{count}{choice} must be given", _LONGEST)
    names = [mapping_at(alternative.schema, "properties").keys() for alternative in alternatives]
    named_by_all = frozenset(names[0]).intersection(*names)
    phrases = _distinct_phrases(_phrase(alternative, union, named_by_all) for alternative in alternatives)
    return add_full_stop(f"{count}: {'; '.join(phrases)}", _LONGEST)


def _choice_of_names(groups: list[list[str]]) -> str:
    """The words for alternatives that only require properties."""
    if all(len(group) == 1 for group in groups):
        return f" {join_names(group[0] for group in groups)}"
    # A group's own "and" asks for another separator.
    names = [join_names(group) or "nothing more" for group in groups]
    return f": {'; '.join(unique(names))}"


def _only_requires(alternative: _Alternative, required: list[str]) -> list[str] | None:
    """The names that an alternative requires beyond `required`, if that is all it says."""
    assertions = _without_annotations(alternative.branch)
    if not isinstance(assertions, dict) or assertions.keys() - {"type", "required"} or alternative.leftovers:
        return None
    return [name for name in dict.fromkeys(texts_at(assertions, "required")) if name not in required]


def _distinct_phrases(phrases: Iterable[str]) -> list[str]:
    """The phrases without repetitions, as many as the sentence has room for."""
    distinct: dict[str, None] = {}
    length = 0
    for phrase in phrases:
        if phrase not in distinct:
            distinct[phrase] = None
            length += len(phrase)
        if length > _LONGEST:
            break
    return list(distinct)


def _schemas_by_name(alternatives: list[_Alternative]) -> dict[str, dict[int, Any]]:
    """What the alternatives say of each property that any of them names, by their places.

    A list with a gap for every alternative that does not name a property would grow with their product.
    """
    by_name: dict[str, dict[int, Any]] = {}
    for index, alternative in enumerate(alternatives):
        for name, schema in mapping_at(alternative.schema, "properties").items():
            by_name.setdefault(name, {})[index] = schema
    return by_name


def _phrase(alternative: _Alternative, union: JsonSchema, named_by_all: frozenset[str]) -> str:
    """What one alternative asks beyond the union: `op=get requires id`."""
    properties, required = mapping_at(alternative.schema, "properties"), texts_at(alternative.schema, "required")
    possible = {name: schema for name, schema in properties.items() if schema is not False}
    own = {name: schema for name, schema in possible.items() if not _are_alike(schema, union["properties"].get(name))}
    values = [f"{name}{_values_or_shape(schema)}" for name, schema in own.items()]
    required_by_all = frozenset(texts_at(union, "required"))
    verbs = {
        "requires": [name for name in required if name not in required_by_all],
        "allows": [name for name in possible if name not in named_by_all and name not in required],
    }
    parts = [f"{verb} {join_names(names)}" for verb, names in verbs.items() if names]
    for schema in (alternative.schema, *alternative.leftovers):
        for keyword, value in schema.items():
            is_shared = keyword in union and are_equal(union[keyword], value)
            if keyword not in _NOT_CONSTRAINTS and not is_shared:
                parts.append(keyword_sentences.constraint(keyword, value, schema) or "")
    phrase = " ".join(filter(None, (", ".join(values), ", ".join(unique(filter(None, parts)))))) or "nothing more"
    about = alternative.branch.get("title") or alternative.branch.get("description")
    if not isinstance(about, str):
        return phrase
    return f"{cut_text(one_line(about).removesuffix('.'), _LONGEST_ABOUT)}: {phrase}"


def _values_or_shape(schema: Any) -> str:
    """What a property holds in one alternative: `=get`, or ` (integer)`."""
    members = members_of(as_mapping(schema))
    if members:
        return f"={' or '.join(map(say_value, members))}"
    return f" ({keyword_sentences.shape(schema)})"
