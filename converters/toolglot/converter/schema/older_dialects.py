"""Any JSON Schema in use as plain 2020-12: the drafts since 04, OpenAPI 3.0, upper-case types, and foreign spellings.

A keyword is read by its shape, whatever `$schema` says, because real schemas mix drafts: `items` as a list is a
tuple everywhere. Only where one shape has two meanings does the declared draft decide: `id` is an identifier in
draft-04, and up to draft-07 nothing counts beside `$ref`. A keyword younger than the declared draft means
what it means today. What no draft gives a meaning (an unknown type, a number where a schema belongs) accepts any
value, and a step says so.

Draft-04 tells `1.0` from `1`; later ones do not, and neither does this module. `unevaluatedItems` of 2019-09,
which does not count what `contains` found, is read as in 2020-12.

Sources: the specifications at json-schema.org (04 to 2020-12) and their lists of changes; OpenAPI 3.0.3, schema
object. `older_keywords` holds the keywords.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from msgspec.structs import replace

from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.hub.trees import free_name
from toolglot.converter.schema.budget import WalkBudget
from toolglot.converter.schema.keywords import ANNOTATIONS, is_schema, truth_value, walk
from toolglot.converter.schema.metaschemas import OLDEST, draft_of
from toolglot.converter.schema.older_keywords import (
    DATA,
    KEYWORDS,
    MAPS,
    MEANINGLESS,
    Node,
    Place,
    finish,
    stands_alone,
    type_names,
)
from toolglot.converter.schema.references import descend, split_reference
from toolglot.converter.schema.transformation_steps import Step
from toolglot.converter.text.pointers import as_list, decode_fragment, escape, pointer_of, tokens_of

_BESIDE_REF = ANNOTATIONS - {"$id", "$anchor", "$dynamicAnchor"} | {"$ref", "$defs", "definitions", "example"}
_NOT_SCHEMAS = DATA | {"enum", "examples"}


def normalise(schema: object) -> tuple[Any, list[Step]]:
    """A schema of any dialect as plain JSON Schema 2020-12, valid under its metaschema and without `$schema`.

    Keywords that nobody knows stay, and so does a name in `required` that `properties` does not declare. References
    follow what they refer to where it moved; what they refer to outside of the keywords of JSON Schema, such as
    `#/components/schemas/A`, becomes a definition. Where a schema says something in an old and in the new spelling,
    both count.

    Args:
        schema: what stands where a schema belongs; it stays as it is.

    Returns:
        The schema, equal to the argument if that is plain 2020-12 already, and the steps. Values of `enum`,
        `const`, `default`, `examples` and unknown keywords are shared with the argument.

    Raises:
        FitError: deeper than 100 schemas (`schema-too-deep`) or more than 100,000 (`schema-too-large`).

    >>> schema, steps = normalise({"type": "dict", "properties": {"a": {"type": "float", "required": True}}})
    >>> schema
    {'type': 'object', 'properties': {'a': {'type': 'number'}}, 'required': ['a']}
    >>> [(step.pointer, step.keyword, step.action) for step in steps]
    [('', 'type', 'renamed'), ('/properties/a', 'required', 'renamed'), ('/properties/a', 'type', 'renamed')]
    """
    return _Normaliser().run(schema)


class _Normaliser:
    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.budget = WalkBudget()
        self.homes: dict[int, JsonSchema] = {}  # by the identity of a schema in the source: what became of it
        self.resources: dict[str, tuple[JsonSchema, Place]] = {}
        self.references: list[tuple[JsonSchema, Place]] = []
        self.strays: dict[tuple[str, str], str] = {}  # (document, fragment) -> name among its definitions
        self.stray_numbers = Counter[str]()

    def run(self, schema: object) -> tuple[Any, list[Step]]:
        result = self.read(schema, Place())
        self.collect_strays()
        self.follow(result)
        return result, self.steps

    def report(self, place: Place, keyword: str, action: str, before: Any, after: Any, note: str) -> None:
        self.steps.append(Step(self.budget.write(place.path), keyword, action, before, after, note))

    # -- one schema -------------------------------------------------------------------------------------------

    def read(self, schema: Any, place: Place) -> Any:
        self.budget.enter(place.depth, place.path)
        if isinstance(schema, bool):
            return schema
        if not isinstance(schema, dict):
            return self.read_something_else(schema, place)
        place = self.enter(schema, place)
        node = Node(schema, place, self.resources[place.base][0], self.read, self.report)
        self.homes[id(schema)] = node.out
        for node.keyword, value in self.in_force(schema, place):
            convert = KEYWORDS.get(node.keyword)
            if convert is None:
                node.out[node.keyword] = value
            elif value is None and node.keyword not in DATA:
                node.report_renamed(None, None, "null says the same as nothing")
            elif node.keyword in MAPS and not isinstance(value, dict):
                node.refuse(value)
            else:
                convert(node, value)
        rest = finish(node)
        if "$ref" in rest:
            self.references.append((rest, place))
        return node.out

    def enter(self, schema: JsonSchema, place: Place) -> Place:
        """The place, with the draft and the base URI that the schema itself declares."""
        if isinstance(schema.get("$schema"), str):
            place = replace(place, draft=draft_of(schema["$schema"]))
        keyword = "id" if place.draft <= OLDEST and "$id" not in schema else "$id"
        identifier = schema.get(keyword)
        if isinstance(identifier, str) and not stands_alone(schema, place):
            place = replace(place, base=split_reference(place.base, identifier)[0] or place.base)
        self.resources.setdefault(place.base, (schema, place))
        return place

    def in_force(self, schema: JsonSchema, place: Place) -> list[tuple[str, Any]]:
        """The keywords that count."""
        if not stands_alone(schema, place):
            return list(schema.items())
        keywords = _BESIDE_REF | ({"required", "optional"} if place.member else set())
        for keyword, value in schema.items():
            if keyword not in keywords:
                self.report(place, keyword, "dropped", value, None, "its draft ignores what stands beside $ref")
        return [(keyword, value) for keyword, value in schema.items() if keyword in keywords]

    def read_something_else(self, value: Any, place: Place) -> Any:
        """What stands where a schema belongs, and is none."""
        if isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict):
            self.report(place, "", "renamed", None, None, "a list of one schema is read as that schema")
            return self.read(value[0], place.inner(0))
        names = type_names(as_list(value))
        schema: Any = {}
        if isinstance(value, str) and truth_value(value) is not None:
            schema = truth_value(value)
        elif names:
            schema = {"type": names if isinstance(value, list) else names[0]}
        elif isinstance(value, str) and names is not None and value:
            schema = {"description": value}
        if names != [] or isinstance(schema, bool):
            self.report(place, "", "renamed", value, schema, "a type, as a schema")
        else:
            self.report(place, "", "widened", value, schema, MEANINGLESS)
        return schema

    # -- references -------------------------------------------------------------------------------------------

    def collect_strays(self) -> None:
        """Make definitions of what references lead to without being in a keyword that holds schemas."""
        for node, place in self.references:  # grows on the way
            uri, fragment = split_reference(place.base, node["$ref"])
            tokens = tokens_of(decode_fragment(fragment))
            if uri not in self.resources or not fragment.startswith("/") or tokens is None:
                continue
            root, around = self.resources[uri]
            value, is_known = self.look_up(root, tokens)
            home = self.homes[id(root)]
            # What is true or false has no identity by which it could be followed to where it moved.
            is_known = is_known or (
                isinstance(value, bool) and "definitions" not in tokens and descend(home, tokens) is value
            )
            if is_known or (uri, fragment) in self.strays or not is_schema(value):
                continue
            definitions = home.setdefault("$defs", {})
            name = free_name(tokens[-1], definitions, self.stray_numbers)
            self.strays[uri, fragment] = name
            definitions[name] = None  # taken: reading it may ask for names itself
            definitions[name] = self.read(value, replace(around.inner(*tokens), depth=around.depth + 1))

    def look_up(self, root: JsonSchema, tokens: list[str]) -> tuple[Any, bool]:
        """The value at a pointer into the source, and whether it stands where a schema was read; data is `None`."""
        value: Any = root
        in_schema = True
        for token in tokens:
            if in_schema and token in _NOT_SCHEMAS:
                return None, False
            if isinstance(value, dict) and token in value:
                value = value[token]
            elif isinstance(value, list) and token.isdecimal() and len(token) < 9 and int(token) < len(value):
                value = value[int(token)]
            else:
                return None, False
            in_schema = id(value) in self.homes
        return value, in_schema

    def follow(self, result: Any) -> None:
        """Rewrite the references to what has moved."""
        pointers = {id(schema): pointer for pointer, schema in walk(result)} if self.references else {}
        for node, place in self.references:
            before = node["$ref"]
            uri, fragment = split_reference(place.base, before)
            tokens = tokens_of(decode_fragment(fragment))
            if uri not in self.resources or not fragment.startswith("/") or tokens is None:
                continue
            pointer: str | None
            if (uri, fragment) in self.strays:
                pointer = "/$defs/" + escape(self.strays[uri, fragment])
            else:
                pointer = self.find_moved(self.resources[uri][0], tokens, pointers)
            if pointer is not None and pointer != pointer_of(tokens):
                from urllib.parse import quote  # 2 ms that hardly any schema needs

                node["$ref"] = before.partition("#")[0] + "#" + quote(pointer, safe="/~!$&'()*+,;=:@?")
                self.report(place, "$ref", "renamed", before, node["$ref"], "its target has moved")

    def find_moved(self, root: JsonSchema, tokens: list[str], pointers: dict[int, str]) -> str | None:
        """Where a schema of the source stands in the result, as a JSON Pointer from a root; `None` where it does not.

        Args:
            pointers: those of the schemas in the result, by their identity.
        """
        schema, is_known = self.look_up(root, tokens)
        if not is_known:
            return None
        around, pointer = (pointers.get(id(self.homes[id(one)])) for one in (root, schema))
        if around is None or pointer is None or not f"{pointer}/".startswith(f"{around}/"):
            return None
        return pointer.removeprefix(around)
