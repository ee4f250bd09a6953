"""References: what they lead to, and every one of a schema as `#` or `#/$defs/<name>`, all definitions at the root.

Nothing is fetched, and nothing is copied here: a definition that is used a million times stays one definition. What
a reference points to is found among the schemas of the document alone, never in `enum`, `const`, `default` or
`examples`. Source: JSON Schema 2020-12, core, sections 8.2 (`$id`, anchors, dynamic references) and 9.4.2 (loops).
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

import msgspec

from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.hub.trees import free_name
from toolglot.converter.schema.budget import WalkBudget
from toolglot.converter.schema.keywords import (
    MANY,
    NAMED,
    ONE,
    is_schema,
    keyword_of,
    rebuild,
    schemas_in_place,
    subschemas,
    walk,
)
from toolglot.converter.schema.transformation_steps import Step
from toolglot.converter.text.pointers import (
    Path,
    as_mapping,
    decode_fragment,
    follow,
    mapping_at,
    pointer_below,
    texts_of,
    tokens_of,
    unescape,
    without_keys,
)

_Vertex = TypeVar("_Vertex", bound=Hashable)

_MAX_URI = 2_000  # characters; relative identifiers inside one another could grow without end
_PREFIX = "#/$defs/"
_ADDRESSES = ("$id", "$anchor", "$dynamicAnchor")
FAR = "outside of the schema, and nothing is fetched; any value is accepted here"
_LOST = "there is no such schema in this one, and nothing is fetched; any value is accepted here"
_LOOP = "it comes back to itself before it looks into a value, which has no meaning; any value is accepted here"
_DYNAMIC = "where it leads depends on the way taken to it; any value is accepted here"


def resolve(schema: JsonSchema) -> tuple[JsonSchema, list[Step]]:
    """A schema whose references are all `#` or `#/$defs/<name>`.

    Definitions stand at the root only, each is used, and its name has no character outside `A-Z a-z 0-9 . _ -`.
    A definition that is nothing but a reference gives way to its target. `$id`, `$anchor`, `$dynamicAnchor` and
    `$dynamicRef` are gone. What cannot be found inside the document becomes a schema without that reference.

    Args:
        schema: JSON Schema 2020-12; it stays as it is.

    Returns:
        The new schema and the steps, whose pointers lead into the argument.

    Raises:
        FitError: deeper than 100 schemas (`schema-too-deep`) or more than 100,000 (`schema-too-large`).

    >>> schema, steps = resolve({"properties": {"a": {"type": "string"}, "b": {"$ref": "#/properties/a"}}})
    >>> schema["properties"]["b"], schema["$defs"]
    ({'$ref': '#/$defs/a'}, {'a': {'type': 'string'}})
    """
    return _Resolver(schema).run()


def name_of_definition(reference: str) -> str:
    """The name of the definition that a resolved reference leads to.

    >>> name_of_definition("#/$defs/Point")
    'Point'
    """
    return unescape(decode_fragment(reference.removeprefix(_PREFIX)))


def meant_definitions(schema: JsonSchema) -> dict[str, Any]:
    """The definitions that references look for at the root, and that stand elsewhere: those whose name no other has.

    So generators write who put the schema of a part into that of the whole.

    >>> meant_definitions({"items": {"$ref": "#/$defs/a", "$defs": {"a": {"type": "string"}}}})
    {'a': {'type': 'string'}}
    """
    wanted: dict[str, None] = {}
    found: dict[str, list[Any]] = {}
    at_root: set[str] = set()
    for pointer, node in walk(schema):
        if isinstance(node, dict):
            wanted[_name_at_root(node.get("$ref"))] = None
            for name, definition in {**mapping_at(node, "definitions"), **mapping_at(node, "$defs")}.items():
                found.setdefault(name, []).append(definition)
                if not pointer:
                    at_root.add(name)
    return {name: found[name][0] for name in wanted if len(found.get(name, ())) == 1 and name not in at_root}


def _name_at_root(reference: Any) -> str:
    """The name of the definition that a reference looks for at the root; `""` for any other."""
    text = str(reference).replace("#/definitions/", _PREFIX, 1)  # as it was called before 2019-09
    return name_of_definition(text) if text.startswith(_PREFIX) else ""


def units_of(schema: Any) -> dict[str, Any]:
    """A resolved schema and its definitions, by the references that lead to them."""
    definitions = mapping_at(as_mapping(schema), "$defs")
    return {"#": schema, **{_PREFIX + name: definition for name, definition in definitions.items()}}


def cycles(schema: JsonSchema) -> frozenset[str]:
    """The references (`#`, `#/$defs/x`) of a resolved schema that lead back to themselves.

    >>> sorted(cycles({"items": {"$ref": "#/$defs/a"}, "$defs": {"a": {"items": {"$ref": "#/$defs/a"}}}}))
    ['#/$defs/a']
    """
    units = units_of(schema)
    edges = {
        unit: [inner["$ref"] for inner in walk_without_definitions(node) if inner.get("$ref") in units]
        for unit, node in units.items()
    }
    part = components(edges)
    return frozenset(end for start, ends in edges.items() for end in ends if part[start] == part[end])


class _SchemaCopy(msgspec.Struct, eq=False):
    """A schema of the document.

    Attributes:
        path: where it stands.
        base: the URI that its reference is relative to.
        around: the schema that it stands in.
        schema: a copy of it, which becomes the result.
        target: what its reference leads to; `None` where that is nothing, or there is none.
        loss: why it leads nowhere.
    """

    path: Path
    base: str
    around: _SchemaCopy | None
    schema: JsonSchema = {}
    target: Any = None
    loss: str = ""


class _Resolver:
    """One document on its way. Schemas are told apart by identity, so everything works on a copy of its own."""

    def __init__(self, schema: JsonSchema) -> None:
        self.steps: list[Step] = []
        self.budget = WalkBudget()
        self.nodes: list[_SchemaCopy] = []  # outermost first
        self.node_of: dict[int, _SchemaCopy] = {}  # by the identity of the copy
        self.resources: dict[str | None, _SchemaCopy] = {}
        self.anchors: dict[tuple[str | None, str], _SchemaCopy] = {}
        self.root: JsonSchema = self.take(schema, None, 0, None)

    def run(self) -> tuple[JsonSchema, list[Step]]:
        self.link()
        self.break_loops()
        self.shorten()
        live_targets = self.reach()
        names = self.name(live_targets)
        self.rewrite(live_targets, names)
        return self.root, self.steps

    def note(
        self, node: _SchemaCopy, keyword: str, action: str, before: Any, after: Any, note: str, token: str = ""
    ) -> None:
        path = (node.path, token) if token else node.path
        self.steps.append(Step(self.budget.write(path), keyword, action, before, after, note))

    # -- what stands where ------------------------------------------------------------------------------------

    def take(self, schema: Any, path: Path, depth: int, around: _SchemaCopy | None) -> Any:
        """A copy of a schema, with those in it, and what they are called."""
        self.budget.enter(depth, path)
        if not isinstance(schema, dict):
            return schema
        base = around.base if around else ""
        identifier = schema.get("$id")
        if isinstance(identifier, str):
            base = split_reference(base, identifier)[0] or base
        node = _SchemaCopy(path, base, around)
        self.nodes.append(node)
        self.resources.setdefault("", node)  # the first is the root
        if isinstance(identifier, str):
            self.resources.setdefault(base, node)
        for anchor in texts_of([schema.get("$anchor"), schema.get("$dynamicAnchor")]):
            self.anchors.setdefault((base, anchor), node)
        if "$ref" in schema and "$dynamicRef" in schema:
            second = {"$dynamicRef": schema["$dynamicRef"]}
            schema = {**without_keys(schema, "$dynamicRef"), "allOf": [*schema.get("allOf", []), second]}
        node.schema = rebuild(schema, lambda inner, token: self.take(inner, (path, token), depth + 1, node))
        self.node_of[id(node.schema)] = node
        return node.schema

    def link(self) -> None:
        """Find what each reference leads to."""
        meant = meant_definitions(self.root)
        for node in self.nodes:
            keyword = _reference_of(node.schema)
            if keyword is None:
                continue
            ref = node.schema[keyword]
            target = self.find(node.base, ref) if isinstance(ref, str) else None
            if target is None:
                target = meant.get(_name_at_root(ref))
            if keyword == "$dynamicRef" and isinstance(target, dict) and "$dynamicAnchor" in target:
                node.loss = _DYNAMIC
            elif target is None:
                node.loss = _LOST if isinstance(ref, str) and ref.startswith("#") else FAR
            else:
                node.target = target

    def find(self, base: str, ref: str) -> Any:
        uri, fragment = split_reference(base, ref)
        resource = self.resources.get(uri)
        if resource and fragment and not fragment.startswith("/"):
            resource, fragment = self.anchors.get((uri, decode_fragment(fragment))), ""
        tokens = tokens_of(decode_fragment(fragment))
        return None if resource is None or tokens is None else descend(resource.schema, tokens)

    # -- loops and chains -------------------------------------------------------------------------------------

    def break_loops(self) -> None:
        ends = {id(node.schema): [node.target, *schemas_in_place(node.schema)] for node in self.nodes}
        part = components({key: [id(end) for end in found if isinstance(end, dict)] for key, found in ends.items()})
        for node in self.nodes:
            if isinstance(node.target, dict) and part[id(node.schema)] == part[id(node.target)]:
                node.target, node.loss = None, _LOOP

    def shorten(self) -> None:
        """Lead every reference past the schemas that are nothing but a reference themselves."""
        for node in self.nodes:
            chain = [node]
            while self.is_reference(chain[-1].target):
                chain.append(self.node_of[id(chain[-1].target)])
            for link in chain:
                link.target = chain[-1].target

    def is_reference(self, schema: Any) -> bool:
        if not isinstance(schema, dict) or schema is self.root or self.node_of[id(schema)].target is None:
            return False
        return all(key.startswith("$") for key in schema)

    # -- what is used, and under which name -------------------------------------------------------------------

    def reach(self) -> dict[int, Any]:
        """The targets that can be reached from the root, in the order in which one meets them."""
        live_targets: dict[int, Any] = {}
        ids: set[int] = set()
        units: deque[Any] = deque([self.root])
        while units:
            waiting = [units.popleft()]
            while waiting:
                node = waiting.pop()
                if not isinstance(node, dict) or id(node) in ids:
                    continue
                ids.add(id(node))
                waiting.extend(reversed(_direct_schemas(node)))
                target = self.node_of[id(node)].target
                if target is not None and target is not self.root and id(target) not in live_targets:
                    live_targets[id(target)] = target
                    units.append(target)
        self.nodes = [node for node in self.nodes if id(node.schema) in ids]
        return live_targets

    def name(self, live_targets: dict[int, Any]) -> dict[int, str]:
        """A name for each target: its own if it is a definition of the root, else one that says where it stood."""
        own_names: dict[int, str] = {}
        for name, definition in mapping_at(self.root, "$defs").items():
            own_names.setdefault(id(definition), name)
        in_order = [key for key in dict.fromkeys((*own_names, *live_targets)) if key in live_targets]
        best_names = {key: own_names.get(key) or self.describe(live_targets[key]) for key in in_order}
        # First those that can stay: a name is not taken from its owner.
        names = {key: name for key, name in best_names.items() if key in own_names and _safe(name) == name}
        taken = set(names.values())
        numbers = Counter[str]()
        for key, name in best_names.items():
            if key not in names:
                names[key] = free_name(_safe(name), taken, numbers)
                taken.add(names[key])
        return {key: names[key] for key in best_names}

    def describe(self, target: Any) -> str:
        if not isinstance(target, dict):
            return "anything" if target else "nothing"
        anchor = target.get("$anchor") or target.get("$dynamicAnchor")
        if isinstance(anchor, str):
            return _safe(anchor)
        tokens: list[str] = []
        path = self.node_of[id(target)].path
        while path is not None and len(tokens) < 8:
            path, token = path
            keyword, *rest = tokens_of(token) or [""]
            if keyword in NAMED and rest:
                tokens.append(rest[0])
            else:
                tokens.append("_".join([keyword, *rest]))
            if keyword == "$defs":
                break
        return _safe("_".join(reversed(tokens)))

    # -- the new schema ---------------------------------------------------------------------------------------

    def rewrite(self, live_targets: dict[int, Any], names: dict[int, str]) -> None:
        for node in self.nodes:
            self.rewrite_reference(node, names)
            for keyword in [keyword for keyword in _ADDRESSES if keyword in node.schema]:
                before = node.schema.pop(keyword)
                self.note(node, keyword, "dropped", before, None, "references go by the names of definitions")
            self.drop_definitions(node, live_targets, names)
        for key, target in live_targets.items():
            if isinstance(target, dict):
                self.move(self.node_of[key], names[key])
        if names:
            self.root["$defs"] = {name: live_targets[key] for key, name in names.items()}

    def drop_definitions(self, node: _SchemaCopy, live_targets: dict[int, Any], names: dict[int, str]) -> None:
        """Take away the definitions of a schema; those that references lead to stand at the root."""
        definitions = mapping_at(node.schema, "$defs")
        node.schema.pop("$defs", None)
        for name, inner in definitions.items():
            if id(inner) not in live_targets or (isinstance(inner, bool) and names[id(inner)] != name):
                token = pointer_below("/$defs", name)
                self.note(node, "", "dropped", inner, None, "no reference leads to this definition", token)

    def move(self, node: _SchemaCopy, name: str) -> None:
        """Leave a reference where the definition stood, unless it stood among definitions, which are gone by now."""
        assert node.around
        assert node.path
        around = node.around.schema
        *way, last = tokens_of(node.path[1]) or [""]
        if way != ["$defs"]:
            holder = follow(around, way)
            holder[int(last) if isinstance(holder, list) else last] = {"$ref": _PREFIX + name}
        elif around is self.root and last == name:
            return
        self.note(node, "", "renamed", None, _PREFIX + name, "a definition, because references lead here")

    def rewrite_reference(self, node: _SchemaCopy, names: dict[int, str]) -> None:
        keyword = _reference_of(node.schema)
        if keyword is None:
            return
        before = node.schema[keyword]
        if node.loss:
            del node.schema[keyword]
            self.note(node, keyword, "widened", before, None, node.loss)
            return
        after = "#" if node.target is self.root else _PREFIX + names[id(node.target)]
        if keyword != "$ref":
            del node.schema[keyword]
        node.schema["$ref"] = after
        if (keyword, before) != ("$ref", after):
            self.note(node, keyword, "renamed", before, after, "the same schema, by the name of its definition")


def _reference_of(schema: JsonSchema) -> str | None:
    """The keyword of the reference that a schema holds."""
    return next((keyword for keyword in ("$ref", "$dynamicRef") if keyword in schema), None)


# -- addresses -------------------------------------------------------------------------------------------------


def join_uri(base: str, ref: str) -> str | None:
    """A URI that a reference stands for, or `None` where it is not one or longer than 2,000 characters.

    >>> join_uri("https://example.com/a/b", "c")
    'https://example.com/a/c'
    """
    from urllib.parse import urljoin  # 2 ms that only references to other resources need

    try:
        address = urljoin(base, ref)
    except ValueError:
        return None
    return address if len(address) <= _MAX_URI else None


def split_reference(base: str, ref: str) -> tuple[str | None, str]:
    """The URI of the document that a reference means, `None` where it has none, and the fragment as it is written.

    >>> split_reference("urn:a:b", "#c")
    ('urn:a:b', 'c')
    """
    uri, _, fragment = ref.partition("#")
    return join_uri(base, uri) if uri else base, fragment


def descend(node: Any, tokens: list[str]) -> Any:
    """The schema at a pointer, by way of schemas alone; `None` where there is none."""
    position = 0
    while position < len(tokens):
        if not isinstance(node, dict):
            return None
        keyword = tokens[position]
        if keyword == "definitions" and keyword not in node:
            keyword = "$defs"  # as it was called before 2019-09
        inner = node.get(keyword)
        position += 1
        if keyword not in ONE:
            if position == len(tokens):
                return None
            token = tokens[position]
            position += 1
            if keyword in NAMED and isinstance(inner, dict):
                inner = inner.get(token)
            elif keyword in MANY and isinstance(inner, list) and re.fullmatch("0|[1-9][0-9]{0,8}", token):
                inner = inner[int(token)] if int(token) < len(inner) else None
            else:
                return None
        if not is_schema(inner):
            return None
        node = inner
    return node


def _safe(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "_", name)[:64] or "definition"


# -- graphs ---------------------------------------------------------------------------------------------------


def _direct_schemas(node: Any) -> list[Any]:
    """The schemas directly inside one, without its definitions."""
    return [inner for token, inner in subschemas(node) if keyword_of(token) != "$defs"]


def walk_without_definitions(node: Any) -> Iterator[JsonSchema]:
    """A schema and those in it, without definitions, in document order."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            yield node
            waiting.extend(reversed(_direct_schemas(node)))


def components(edges: Mapping[_Vertex, Iterable[_Vertex]]) -> dict[_Vertex, int]:
    """The strongly connected component of each vertex (Tarjan's algorithm, without recursion).

    An edge is part of a cycle where both its ends are in the same component.

    >>> part = components({"a": ["b"], "b": ["a", "c"], "c": []})
    >>> part["a"] == part["b"], part["b"] == part["c"]
    (True, False)
    """
    order: dict[_Vertex, int] = {}
    low: dict[_Vertex, int] = {}
    part: dict[_Vertex, int] = {}
    stack: list[_Vertex] = []
    for start in edges:
        if start in order:
            continue
        order[start] = low[start] = len(order)
        stack.append(start)
        work = [(start, iter(edges[start]))]
        while work:
            here, ends = work[-1]
            for end in ends:
                if end not in order:
                    order[end] = low[end] = len(order)
                    stack.append(end)
                    work.append((end, iter(edges[end])))
                    break
                if end not in part:
                    low[here] = min(low[here], order[end])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[here])
                if low[here] == order[here]:
                    while here not in part:
                        part[stack.pop()] = order[here]
    return part
