"""How each keyword of older drafts and of other schema languages is said in JSON Schema 2020-12.

`KEYWORDS` has a function for each; it writes what it makes of a value into the `Node`, the schema on its way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec.structs import replace

from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.hub.trees import free_name
from toolglot.converter.schema.json_values import with_member
from toolglot.converter.schema.keywords import ANNOTATIONS, MANY, NAMED, ONE, SHAPES, TYPES, is_schema, truth_value
from toolglot.converter.schema.metaschemas import NEWEST, OLDEST, draft_of
from toolglot.converter.text.pointers import Path, as_list, is_texts, mapping_at, pointer_of, texts_at, texts_of

_LAST_ALONE = 7  # the last draft in which nothing counts beside `$ref`
MEANINGLESS = "no draft gives this a meaning; any value is accepted"

DATA = frozenset({"const", "default", "example", "example_value"})  # their values may be anything, null included
_SAYINGS = ANNOTATIONS | {"$defs", "definitions"}  # without which the same values are accepted
RECURSIVE = "recursive"  # the dynamic anchor that stands for `$recursiveAnchor`
_BOUNDS = {"minimum": "exclusiveMinimum", "maximum": "exclusiveMaximum"}
_UNBOUNDED = {exclusive: bound for bound, exclusive in _BOUNDS.items()}
_LONGEST_NAME = 100  # characters of what may be a name of types
# Names of types in programming languages and in other schema languages, in lower case. None is any type.
_TYPES: dict[str, str | None] = {
    **{name: name for name in TYPES},
    **dict.fromkeys(("str", "text", "char", "character"), "string"),
    **dict.fromkeys(("int", "int32", "int64", "long", "short", "byte", "bigint", "biginteger"), "integer"),
    **dict.fromkeys(("float", "float32", "float64", "double", "decimal", "bigdecimal"), "number"),
    "bool": "boolean",
    **dict.fromkeys(("dict", "map", "hashmap", "hashtable", "mapping", "record", "struct"), "object"),
    **dict.fromkeys(("list", "tuple", "arraylist", "linkedlist", "vector", "queue", "stack", "set"), "array"),
    **dict.fromkeys(("none", "nil", "nonetype"), "null"),
    **dict.fromkeys(("any", "mixed", "unknown", "*"), None),
}
MAPS = NAMED | {"definitions", "dependencies", "dependentRequired"}  # keywords that have objects for values
# What may refuse null besides `type`, `enum` and `const`.
_CHOOSY = frozenset({"$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "not", "if"})
# What stays outside when a schema becomes one of two choices.
_OUTSIDE = ANNOTATIONS - {"format", "contentEncoding", "contentMediaType", "contentSchema"} | {"$defs"}


class Place(msgspec.Struct, frozen=True):
    """Where a schema stands in the source, and what is in force there."""

    path: Path = None
    base: str = ""  # the URI that references are relative to
    draft: int = NEWEST
    depth: int = 0
    member: bool = False  # the schema of a property

    def inner(self, *tokens: str | int, member: bool = False) -> Place:
        """The place of a schema inside."""
        token = pointer_of(tokens)
        return replace(self, path=(self.path, token), depth=self.depth + 1, member=member)


class Node(msgspec.Struct):
    """One schema on its way from `source` to `out`.

    `read` normalises a schema inside, `report` takes a step, and `resource` is the document root around; `keyword` is
    the one that is being read.
    """

    source: JsonSchema
    place: Place
    resource: JsonSchema
    read: Callable[[Any, Place], Any]
    report: Callable[[Place, str, str, Any, Any, str], None]
    keyword: str = ""
    out: JsonSchema = {}
    more: list[Any] = []  # what needs a keyword that is there already; it goes to `allOf`
    required: list[str] = []  # names that the properties themselves call required

    def inner(self, value: Any, *tokens: str | int) -> Any:
        """A schema inside what the keyword holds, normalised."""
        return self.read(value, self.place.inner(self.keyword, *tokens))

    def put(self, keyword: str, value: Any) -> None:
        """A keyword that the source spells differently; where it has that one too, both count."""
        if keyword in self.out or keyword in self.source:
            self.more.append({keyword: value})
        else:
            self.out[keyword] = value

    def tell(self, action: str, before: Any, after: Any, note: str) -> None:
        """Take a step of the keyword."""
        self.report(self.place, self.keyword, action, before, after, note)

    def report_renamed(self, before: Any, after: Any, note: str) -> None:
        """Take the step that says: the same in another spelling."""
        self.tell("renamed", before, after, note)

    def refuse(self, value: Any, note: str = MEANINGLESS) -> None:
        """A value that has no meaning: an annotation is gone, or more is accepted."""
        self.tell("dropped" if self.keyword in _SAYINGS else "widened", value, None, note)


def type_names(names: list[Any]) -> list[str] | None:
    """The types of JSON Schema for names that people write, each once; `None` is any type.

    Returns:
        An empty list where one of them is unknown: then nobody can tell what is accepted.

    >>> type_names(["dict"]), type_names(["STRING", "null | Long"]), type_names(["string", "any"])
    (['object'], ['string', 'null', 'integer'], None)
    >>> type_names(["string", "Customer"])
    []
    """
    types: dict[str, None] = {}
    is_any = False
    for name in names:
        if not isinstance(name, str) or len(name) > _LONGEST_NAME:
            return []
        for part in name.split("|"):
            word = part.strip().lower()
            if word not in _TYPES:
                return []
            type_name = _TYPES[word]
            if type_name is None:
                is_any = True
            else:
                types[type_name] = None
    return None if is_any else list(types)


def stands_alone(schema: JsonSchema, place: Place) -> bool:
    """Whether nothing counts beside the reference that a schema holds."""
    return place.draft <= _LAST_ALONE and isinstance(schema.get("$ref"), str)


# -- keywords of 2020-12, whose values may be something else ----------------------------------------------------


def _keep(node: Node, value: Any) -> None:
    node.out[node.keyword] = value


def _fit_shape(node: Node, value: Any) -> None:
    shape = SHAPES[node.keyword]
    repaired_value = value if shape.fits(value) else shape.repair(value)
    if repaired_value is None or not shape.fits(repaired_value):
        node.refuse(value, f"expected {shape.expected}")
        return
    node.out[node.keyword] = repaired_value
    if repaired_value is not value:
        node.report_renamed(value, repaired_value, f"expected {shape.expected}")


def _one(node: Node, value: Any) -> None:
    # A guess at what a string means could refuse what the source accepts under `not`, `if` and the like.
    if is_schema(value) or node.keyword in ("items", "additionalProperties"):
        node.out[node.keyword] = node.inner(value)
    else:
        node.refuse(value)


def _many(node: Node, value: Any) -> None:
    if isinstance(value, dict):
        node.out[node.keyword] = [node.inner(value)]
        node.report_renamed(None, None, "one schema, as a list of one")
    elif isinstance(value, list) and value:
        node.out[node.keyword] = [node.inner(item, index) for index, item in enumerate(value)]
    elif value == [] and node.keyword in ("allOf", "prefixItems"):
        node.report_renamed(value, None, "an empty list asks for nothing")
    else:
        node.refuse(value)


def _restate_named(node: Node, value: Any) -> None:
    # `definitions` may stand before `$defs`.
    earlier = node.out.get(node.keyword, {})
    node.out[node.keyword] = {**{name: node.inner(item, name) for name, item in value.items()}, **earlier}


def _properties(node: Node, value: Any) -> None:
    members = dict(value)
    names = members.get("required")
    if isinstance(names, list) and names and all(isinstance(name, str) and name in value for name in names):
        del members["required"]  # one level too deep: a list of names is no schema
        node.required += names
        node.report(node.place, "required", "renamed", names, names, "the list stood among the properties")
    required_names: frozenset[str] | None = None
    if isinstance(node.source.get("required"), list):
        required_names = frozenset(texts_at(node.source, "required"))
    for name, item in members.items():
        if isinstance(item, dict):
            _lift(node, name, item, required_names)
    node.out[node.keyword] = {
        name: node.read(item, node.place.inner(node.keyword, name, member=True)) for name, item in members.items()
    }


def _lift(node: Node, name: str, item: JsonSchema, required_names: frozenset[str] | None) -> None:
    """Move what a property says about being required to the object, which may list all names that are."""
    place = node.place.inner("properties", name)
    required, optional = truth_value(item.get("required")), truth_value(item.get("optional"))
    if required is not None:
        node.report(place, "required", "renamed", item["required"], None, "said in `required` of the object")
    if optional is not None and required_names is not None and optional is (name in required_names):
        node.report(place, "optional", "dropped", item["optional"], None, "`required` of the object says otherwise")
    elif optional is not None:
        node.report(place, "optional", "renamed", item["optional"], None, "said in `required` of the object")
    if required or (optional is False and required_names is None):
        node.required.append(name)


def _required(node: Node, value: Any) -> None:
    if isinstance(value, list):
        names = list(dict.fromkeys(texts_of(value)))
        node.out[node.keyword] = names
        if not is_texts(value):
            node.tell("widened", value, names, "what is not a name is left out")
        elif len(names) < len(value):
            node.report_renamed(value, names, "each name once")
    elif truth_value(value) is not None:
        if not node.place.member:
            node.report_renamed(value, None, "it has a meaning in the schema of a property only")
    elif isinstance(value, str):
        node.out[node.keyword] = [value]
        node.report_renamed(value, [value], "expected a list of names")
    else:
        node.refuse(value)


def _optional(node: Node, value: Any) -> None:
    required_names = set(texts_of(as_list(node.source.get("required"))))
    if isinstance(value, list) and required_names.isdisjoint(texts_of(value)):
        node.report_renamed(value, None, "what `required` does not list is optional")
    elif not node.place.member or truth_value(value) is None:
        node.out[node.keyword] = value


def _type(node: Node, value: Any) -> None:
    names = type_names(as_list(value))
    if names is None:
        node.report_renamed(value, None, "any type")
    elif not names:
        node.refuse(value)
    else:
        node.out[node.keyword] = names if isinstance(value, list) or len(names) > 1 else names[0]
        if node.out[node.keyword] != value:
            node.report_renamed(value, node.out[node.keyword], "as JSON Schema calls the type")


# -- keywords of older drafts ---------------------------------------------------------------------------------


def _schema_uri(node: Node, value: Any) -> None:
    is_draft = isinstance(value, str) and (draft_of(value) < NEWEST or "json-schema.org/draft/2020-12" in value)
    note = "said in JSON Schema 2020-12" if is_draft else "not a draft of JSON Schema; read as 2020-12"
    node.report_renamed(value, None, note)


def _identifier(node: Node, value: Any) -> None:
    if node.keyword == "id" and (node.place.draft > OLDEST or "$id" in node.source):
        node.out[node.keyword] = value  # a keyword that nobody knows
        return
    if not isinstance(value, str):
        node.report(node.place, "$id", "dropped", value, None, "expected a string")
        return
    uri, _, fragment = value.partition("#")
    if not fragment:
        node.out["$id"] = value
    elif uri:
        node.out["$id"] = uri
    if fragment and SHAPES["$anchor"].fits(fragment):
        node.put("$anchor", fragment)
    elif fragment:
        note = f"expected {SHAPES['$anchor'].expected}"
        node.report(node.place, "$anchor", "dropped", fragment, None, note)
    if node.out.get("$id") != value or node.keyword == "id":
        node.report_renamed(value, node.out.get("$id"), "an identifier is $id, and its fragment $anchor")


def _definitions(node: Node, value: Any) -> None:
    definitions = node.out.setdefault("$defs", {})
    taken = {*definitions, *mapping_at(node.source, "$defs")}
    numbers = Counter[str]()
    for name, item in value.items():
        new_name = free_name(name, taken, numbers)
        taken.add(new_name)
        definitions[new_name] = node.inner(item, name)
    node.report_renamed(None, None, "definitions are called $defs")


def _items(node: Node, value: Any) -> None:
    # A list of one schema is a tuple of one, not the schema of all items.
    if not isinstance(value, list):
        _one(node, value)
        return
    if value:
        node.put("prefixItems", [node.inner(item, index) for index, item in enumerate(value)])
    node.report_renamed(None, None, "a list of schemas is called prefixItems")


def _additional_items(node: Node, value: Any) -> None:
    if isinstance(node.source.get("items"), list):
        node.out["items"] = node.inner(value)
        node.report_renamed(None, None, "what follows prefixItems is called items")
    else:
        node.report_renamed(value, None, "without a list of items it asks for nothing")


def _bound(node: Node, value: Any) -> None:
    _fit_shape(node, value)
    if node.keyword in node.out and node.source.get(_BOUNDS[node.keyword]) is True:
        node.out[_BOUNDS[node.keyword]] = node.out.pop(node.keyword)


def _exclusive(node: Node, value: Any) -> None:
    bound = _UNBOUNDED[node.keyword]
    if isinstance(value, bool) and (bound in node.source or not value):
        node.report_renamed(value, None, f"said about {bound}; it is a number of its own now")
    else:
        _fit_shape(node, value)


def _dependencies(node: Node, value: Any) -> None:
    names: dict[str, list[str]] = {}
    schemas: JsonSchema = {}
    action = "renamed"
    for name, needs in value.items():
        if isinstance(needs, list | str):
            names[name] = list(dict.fromkeys(texts_of(as_list(needs))))
            if not is_texts(as_list(needs)):
                action = "widened"
        else:
            schemas[name] = node.inner(needs, name)
    if node.keyword == "dependentRequired":
        node.out[node.keyword] = names
    elif names:
        node.put("dependentRequired", names)
    if schemas:
        node.put("dependentSchemas", schemas)
    if node.keyword == "dependencies" or schemas or names != value:
        note = "names are called dependentRequired, schemas dependentSchemas"
        node.tell(action, value, None, note)


def _recursive_anchor(node: Node, value: Any) -> None:
    if value is True and node.source is node.resource:
        node.put("$dynamicAnchor", RECURSIVE)
    node.report_renamed(value, None, "called $dynamicAnchor")


def _recursive_ref(node: Node, value: Any) -> None:
    if value != "#":
        node.refuse(value, 'expected "#"')
    elif node.resource.get("$recursiveAnchor") is True:
        node.put("$dynamicRef", f"#{RECURSIVE}")
        node.report_renamed(value, f"#{RECURSIVE}", "called $dynamicRef")
    else:
        node.put("$ref", "#")
        node.report_renamed(value, "#", "without $recursiveAnchor it is a $ref")


# -- keywords of OpenAPI 3.0 ----------------------------------------------------------------------------------


def _nullable(node: Node, value: Any) -> None:
    is_nullable = truth_value(value)
    if is_nullable is None:
        node.refuse(value)
    else:
        note = "null is one of the types" if is_nullable else "null needs no refusal"
        node.report_renamed(value, None, note)


def _example(node: Node, value: Any) -> None:
    if "examples" in node.source or "examples" in node.out:
        node.tell("dropped", value, None, "`examples` has others")
    else:
        node.out["examples"] = [value]
        node.report_renamed(value, [value], "called examples")


KEYWORDS: dict[str, Callable[[Node, Any], None]] = {
    **dict.fromkeys(SHAPES, _fit_shape),
    **dict.fromkeys(ONE, _one),
    **dict.fromkeys(MANY, _many),
    **dict.fromkeys(NAMED, _restate_named),
    **dict.fromkeys(_BOUNDS, _bound),
    **dict.fromkeys(_UNBOUNDED, _exclusive),
    **dict.fromkeys(("const", "default"), _keep),
    **dict.fromkeys(("$id", "id"), _identifier),
    **dict.fromkeys(("dependencies", "dependentRequired"), _dependencies),
    "$schema": _schema_uri,
    "definitions": _definitions,
    "properties": _properties,
    "required": _required,
    "optional": _optional,
    "type": _type,
    "items": _items,
    "additionalItems": _additional_items,
    "$recursiveAnchor": _recursive_anchor,
    "$recursiveRef": _recursive_ref,
    "nullable": _nullable,
    **dict.fromkeys(("example", "example_value"), _example),
}


def finish(node: Node) -> JsonSchema:
    """Add what is known only when every keyword was read; returns the schema that holds them now."""
    out = node.out
    names = out.get("required", [])
    known_names = set(names)
    missing = [name for name in dict.fromkeys(node.required) if name not in known_names]
    if missing:
        out["required"] = [*names, *missing]
    if node.more:
        out["allOf"] = [*out.get("allOf", []), *node.more]
    if truth_value(node.source.get("nullable")) and not stands_alone(node.source, node.place):
        return _accept_null(out)
    return out


def _accept_null(out: JsonSchema) -> JsonSchema:
    choosy = _CHOOSY & out.keys()
    if choosy == {"anyOf"} and not out.keys() & {"type", "enum", "const"}:
        out["anyOf"] = with_member(out["anyOf"], {"type": "null"})
    elif choosy or {"enum", "const"} <= out.keys():
        inner = {keyword: out.pop(keyword) for keyword in list(out) if keyword not in _OUTSIDE}
        out["anyOf"] = [inner, {"type": "null"}]
        return inner
    else:
        types = as_list(out.get("type", []))
        if types and "null" not in types:
            out["type"] = [*types, "null"]
        if "const" in out:
            out["enum"] = [out.pop("const")]
        if "enum" in out:
            out["enum"] = with_member(out["enum"], None)
    return out
