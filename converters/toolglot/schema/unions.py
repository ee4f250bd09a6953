"""One object schema for several alternatives, and in a sentence what it no longer says."""

from __future__ import annotations

from typing import Any, NamedTuple

from toolglot.hub.model import JsonSchema
from toolglot.schema import words
from toolglot.schema.intersection import intersect
from toolglot.schema.keywords import ANNOTATIONS
from toolglot.schema.overlap import KINDS, disjoint, kind_of, mapping, members_of, texts
from toolglot.schema.values import key, unique
from toolglot.text.phrases import names, one_line, plain, stopped

_LONGEST = 2_000  # characters of the sentence
_PAIRS = 1_000  # of alternatives that are held against each other
_ABOUT = 100  # characters of an alternative's own description


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
    >>> union_of_objects([get, all_], {"type": "object"})[1]
    'One of: op=get requires id; op=list allows limit.'
    >>> union_of_objects([{"required": ["a"]}, {"required": ["b"]}], {"type": "object"})
    ({'type': 'object'}, 'At least one of a and b must be given.')
    """
    whole, beyond = intersect(base, {"type": "object"})
    pairs = [(branch, *intersect(whole, branch)) for branch in branches]
    possible = [_Option(branch, node, left) for branch, node, left in pairs if isinstance(node, dict)]
    about = {name: value for name, value in base.items() if name in ANNOTATIONS or name.startswith("x-")}
    if not possible:
        return {**about, "type": "object", "not": {}}, None
    if len(possible) == 1 or (all(_same(option.node, possible[0].node) for option in possible) and not exactly_one):
        left = [*beyond, *possible[0].left]
        return {**possible[0].node, **about, **({"allOf": left} if left else {})}, None
    out: JsonSchema = {**about, "type": "object"}
    rest = _rest(possible)
    properties = _properties([option.node for option in possible], mapping(whole, "properties"))
    if rest.get("additionalProperties") is False and "patternProperties" not in rest:
        properties = {name: schema for name, schema in properties.items() if schema is not False}
    out |= {"properties": properties} if properties else {}
    if required := _required(possible):
        out["required"] = required
    out |= rest
    out |= {"allOf": beyond} if beyond else {}
    return {name: out[name] for name in (*base, *out) if name in out}, _sentence(possible, out, exactly_one)


class _Option(NamedTuple):
    """An alternative: as it was written, together with the base, and what of it no schema can say."""

    written: JsonSchema
    node: JsonSchema
    left: list[JsonSchema]


_OWN = frozenset({"type", "properties", "required"})  # the other constraints are kept where all agree


def _bare(schema: Any) -> Any:
    return {k: v for k, v in schema.items() if k not in ANNOTATIONS} if isinstance(schema, dict) else schema


def _same(one: Any, other: Any) -> bool:
    return key(_bare(one)) == key(_bare(other))


def _required(options: list[_Option]) -> list[str]:
    lists = [texts(option.node, "required") for option in options]
    return [name for name in dict.fromkeys(lists[0]) if all(name in found for found in lists)]


# -- the schema --------------------------------------------------------------------------------------------------


def _properties(nodes: list[JsonSchema], base: JsonSchema) -> JsonSchema:
    every = dict.fromkeys((*base, *(name for node in nodes for name in mapping(node, "properties"))))
    found = {name: _joined([_asked(node, name) for node in nodes], base.get(name)) for name in every}
    return {name: schema for name, schema in found.items() if schema is not None}


def _asked(node: JsonSchema, name: str) -> Any:
    """What an alternative says of a property; `False` where it forbids it, `None` where it says nothing."""
    if name in mapping(node, "properties"):
        return node["properties"][name]
    rest = node.get("additionalProperties", True)
    return None if rest is True or rest == {} or node.get("patternProperties") else rest


def _joined(schemas: list[Any], base: Any) -> Any:
    """One schema for a property that alternatives describe differently; `None` if they leave it open."""
    asked = [schema for schema in schemas if schema is not None and schema is not False]
    if any(_same(schema, base) for schema in asked):
        return base
    distinct: list[Any] = []
    for schema in asked:
        twin = next((at for at, known in enumerate(distinct) if _same(known, schema)), None)
        if twin is None:
            distinct.append(schema)
        elif isinstance(schema, dict) and (text := schema.get("description")):
            distinct[twin] = {**distinct[twin], "description": words.append(distinct[twin].get("description"), [text])}
    if len(distinct) < 2:
        return distinct[0] if distinct else None if None in schemas else False
    members = [members_of(schema) if isinstance(schema, dict) else None for schema in distinct]
    if any(found is None for found in members):
        return True if any(schema is True or schema == {} for schema in distinct) else {"anyOf": distinct}
    values = unique(value for found in members for value in found or ())
    kinds = {kind_of(value) for value in values}
    kind = next((name for name, covered in KINDS.items() if kinds <= covered), None)
    text = words.append(None, [schema["description"] for schema in distinct if schema.get("description")])
    return {
        **({"type": kind} if kind else {}),
        "enum": values,
        **({"description": text} if text else {}),
    }


def _rest(options: list[_Option]) -> JsonSchema:
    """The constraints that all alternatives share, and what they say together of properties that none names."""
    first = options[0].node
    out = {
        name: value
        for name, value in first.items()
        if name not in _OWN | ANNOTATIONS | {"additionalProperties"}
        and all(name in option.node and key(option.node[name]) == key(value) for option in options)
    }
    rests = [option.node.get("additionalProperties", True) for option in options]
    patterns = [option.node for option in options if option.node.get("patternProperties")]
    if (patterns and "patternProperties" not in out) or True in rests or {} in rests:
        return out
    asked = unique(rest for rest in rests if rest is not False)
    return {**out, "additionalProperties": {"anyOf": asked} if len(asked) > 1 else asked[0] if asked else False}


# -- the sentence ------------------------------------------------------------------------------------------------


def _sentence(options: list[_Option], out: JsonSchema, exactly_one: bool) -> str | None:
    groups = [_group(option, texts(out, "required")) for option in options]
    if all(group is not None for group in groups):
        if [] in groups and not exactly_one:
            return None
        named = unique(names(group) if group else "nothing more" for group in groups if group is not None)
        several = any(len(group or ()) != 1 for group in groups)  # whose own "and" asks for another separator
        choice = f": {'; '.join(named)}" if several else f" {names(group[0] for group in groups if group)}"
        return stopped(f"{'Exactly' if exactly_one else 'At least'} one of{choice} must be given", _LONGEST)
    pairs = [(one, other) for index, one in enumerate(options) for other in options[:index]]
    apart = len(pairs) <= _PAIRS and all(disjoint(one.node, other.node) for one, other in pairs)
    different = _different(options)
    if len(different) == 1 and _agree_otherwise(options, different[0]) and (apart or not exactly_one):
        return None
    telling = [name for name in different if _tells_apart(options, name)]
    phrases = unique(_phrase(option, options, out, telling, different) for option in options)
    start = "One of" if apart else "Exactly one of" if exactly_one else "At least one of"
    return stopped(f"{start}: {'; '.join(phrases)}", _LONGEST)


def _group(option: _Option, common: list[str]) -> list[str] | None:
    """The names that an alternative requires, if that is all it says."""
    written = _bare(option.written)
    if not isinstance(written, dict) or written.keys() - {"type", "required"} or option.left:
        return None
    return [name for name in dict.fromkeys(texts(written, "required")) if name not in common]


def _different(options: list[_Option]) -> list[str]:
    """The properties that the alternatives do not describe alike."""
    properties = [mapping(option.node, "properties") for option in options]
    every = dict.fromkeys(name for found in properties for name in found)
    return [name for name in every if not all(_same(found.get(name), properties[0].get(name)) for found in properties)]


def _agree_otherwise(options: list[_Option], name: str) -> bool:
    """Whether one property is the only difference, so that describing it by alternatives loses nothing."""
    if any(name not in mapping(option.node, "properties") or option.left for option in options):
        return False
    rests = [{k: v for k, v in _bare(option.node).items() if k not in ("properties", "required")} for option in options]
    required = [frozenset(texts(option.node, "required")) for option in options]
    return all(key(rest) == key(rests[0]) for rest in rests) and len(set(required)) == 1


def _tells_apart(options: list[_Option], name: str) -> bool:
    """Whether each alternative has values of its own for a property."""
    found = [members_of(item) if isinstance(item, dict) else None for item in _described(options, name)]
    keys = [key(value) for members in found for value in members or ()]
    return all(found) and len(keys) == len(set(keys))


def _described(options: list[_Option], name: str) -> list[Any]:
    return [mapping(option.node, "properties").get(name) for option in options]


def _phrase(option: _Option, options: list[_Option], out: JsonSchema, telling: list[str], different: list[str]) -> str:
    """What one alternative asks beyond the others: `op=get requires id, allows limit`."""
    node, common = option.node, texts(out, "required")
    properties = {name: item for name, item in mapping(node, "properties").items() if item is not False}
    required = texts(node, "required")
    needed = [name for name in required if name not in common and name not in telling]
    optional = [name for name in properties if name in different and name not in (*required, *telling)]
    everywhere = [name for name in different if name in properties and None not in _described(options, name)]
    kept = [name for name in everywhere if _same(properties[name], mapping(out, "properties").get(name))]
    named = {
        "requires": needed,
        "allows": [name for name in optional if name not in everywhere],
        "has": [name for name in everywhere if name not in (*needed, *telling, *kept)],
    }
    parts = [f"{verb} {_with_shapes(found, properties, options)}" for verb, found in named.items() if found]
    parts += _others(option, out)
    label = ", ".join(f"{name}={' or '.join(map(plain, members_of(properties[name]) or []))}" for name in telling)
    title, about = (_text(option.written.get(name)) for name in ("title", "description"))
    label = label or (f"{title}:" if title and parts else title)
    said = " ".join(filter(None, (label, ", ".join(parts)))) or "nothing more"
    return f"{said} ({about})" if about else said


def _text(value: Any) -> str:
    return one_line(value, _ABOUT) if isinstance(value, str) else ""


def _with_shapes(wanted: list[str], properties: JsonSchema, options: list[_Option]) -> str:
    """Names, with what is asked of those that another alternative describes in another way."""
    shown = []
    for name in wanted:
        described = [item for item in _described(options, name) if item is not None and item is not False]
        alike = all(_same(item, described[0]) for item in described)
        shown.append(name if alike or name not in properties else f"{name} ({words.shape(properties[name])})")
    return names(shown)


def _others(option: _Option, out: JsonSchema) -> list[str]:
    """The constraints of an alternative that the one schema does not have."""
    told = [
        words.constraint(name, value, node)
        for node in (option.node, *option.left)
        for name, value in node.items()
        if name not in _OWN | ANNOTATIONS and not (name in out and key(out[name]) == key(value))
    ]
    return unique(text for text in told if text)
