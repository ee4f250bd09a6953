"""The schemas of a document as JSON Schema 2020-12: each is restated once, and every tool gets those that it needs.

What the server alone writes (`readOnly`) is no part of an input, and what it alone reads (`writeOnly`) none of an
output. So a schema has two forms, and each tool says which properties it goes without.

Nothing is expanded: a definition of the document becomes one of the tool, so that schemas that refer to themselves
stay finite, and ten references to one schema are one definition. How many definitions a tool may have is bounded; what
would be beyond accepts anything, and the tool says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import quote

from toolglot.converter.formats.kit.key_order import rename
from toolglot.converter.formats.openapi.circles import cut_circles
from toolglot.converter.formats.openapi.reader_notes import HidingKeyword, Notes
from toolglot.converter.formats.openapi.references import SCHEMA_HOMES, References, Target
from toolglot.converter.formats.openapi.versions import SWAGGER, has_older_schemas
from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.schema.keywords import ASSERTIONS, rebuild, truth_value
from toolglot.converter.schema.newest_dialect import restate_schema
from toolglot.converter.schema.older_keywords import RECURSIVE
from toolglot.converter.schema.references import split_reference
from toolglot.converter.schema.transformation_steps import Step
from toolglot.converter.text.caches import Same
from toolglot.converter.text.digests import hex_digest
from toolglot.converter.text.pointers import (
    as_mapping,
    escape,
    list_at,
    mapping_at,
    texts_at,
    tokens_of,
    value_at,
    without_empty,
)

_MOST_OF_A_SCHEMA = 250  # definitions; people and models read fewer
_ROOM_OF_A_NAME = 100  # characters of it, and of the references to it
_OLDER_DIALECT = "http://json-schema.org/draft-07/schema#"  # nothing counts beside its `$ref`, as in OpenAPI 3.0
_ITSELF = ("#", f"#{RECURSIVE}")  # what `$recursiveRef` of 2019-09 becomes
_MOST_PARTS = 50  # of what a schema is said to be too
_ADDRESSES = ("$id", "$anchor", "$dynamicAnchor")  # to which nothing leads any more


# Its pointer, or the schema itself; and where references start from.
_DefinitionKey: TypeAlias = tuple[str | Same[Any], str]


class RestatedSchema(NamedTuple):
    """A schema that was restated.

    Attributes:
        needs: pointers of the schemas that its references lead to.
        is_base: whether it was given its subtypes as alternatives.
    """

    schema: JsonSchema | bool
    needs: tuple[str, ...]
    notes: Notes
    is_base: bool = False


class DocumentSchemas:
    """The schemas of one document, as they travel one way.

    Args:
        hiding_keyword: of properties that do not travel this way.
        dialect: of those that state none; `None` is the one of the version.
    """

    def __init__(
        self, references: References, hiding_keyword: HidingKeyword, version: str, dialect: str | None
    ) -> None:
        self._references = references
        self._hiding_keyword = hiding_keyword
        self._is_swagger = version == SWAGGER
        self._dialect = _OLDER_DIALECT if has_older_schemas(version) else dialect
        self._definitions: dict[str, RestatedSchema] = {}
        self._restated_schemas: dict[Same[Any], RestatedSchema] = {}  # many operations refer to one
        self._hidden_of_definitions: dict[_DefinitionKey, frozenset[str]] = {}
        self._sizes: dict[str, int] = {}  # characters of definitions

    def restate(self, raw: Any, notes: Notes) -> RestatedSchema:
        """A schema of the document that is no definition, wherever it stands; what was noted of it goes to `notes`."""
        key = Same(raw)
        if key not in self._restated_schemas:
            self._restated_schemas[key] = self._restate(raw, None)
        notes.add(self._restated_schemas[key].notes)
        return self._restated_schemas[key]

    def _restate(self, raw: Any, home: str | None) -> RestatedSchema:
        """A schema; a bare reference is what it leads to, and one that needs too many others accepts anything.

        Args:
            home: its pointer, where it is a definition: what it calls itself by `$recursiveRef`.
        """
        base = self._references.base_of(home or "")
        if isinstance(raw, dict) and raw.keys() == {"$ref"}:
            target = self._references.target(raw["$ref"], base)
            if target is not None and target.pointer is not None:
                return RestatedSchema({"$ref": _reference_to(target.pointer)}, (target.pointer,), Notes())
        if not isinstance(raw, dict):
            return RestatedSchema(raw if isinstance(raw, bool) else {}, (), Notes())
        if self._is_swagger:
            raw = _with_nullable(raw)
        if self._dialect == _OLDER_DIALECT:
            raw = _with_nullable_references(raw)
        if self._dialect:
            raw = {"$schema": self._dialect, **raw}
        newest_schema, steps = restate_schema(raw)
        rewriter = _Rewriter(self._references, self._hiding_keyword, home, base, self._hidden_of_definitions)
        schema = rewriter.run(newest_schema)
        schema.notes.note("unknownTypes", self._find_unknown_types(steps))
        ignored = [step for step in steps if step.action == "dropped" and step.keyword in ASSERTIONS]
        schema.notes.note("ignoredKeywords", [step.place for step in ignored if not self._is_repeated(step, raw, base)])
        if len(schema.needs) > _MOST_OF_A_SCHEMA:
            schema.notes.note("openSchemas", [_definition_name(home or "")])
            return RestatedSchema({}, (), schema.notes)
        return schema

    def _is_repeated(self, step: Step, raw: JsonSchema, base: str) -> bool:
        """Whether a keyword beside a `$ref` only says what that leads to, as many generators write it."""
        reference = as_mapping(value_at(raw, step.pointer)).get("$ref")
        target = self._references.without_trace().target(reference, base)
        return target is not None and as_mapping(target.value).get(step.keyword) == step.before

    def _find_unknown_types(self, steps: Iterable[Step]) -> list[Any]:
        """The types that no draft knows; Swagger has one more than JSON Schema."""
        known = ["file"] if self._is_swagger else []
        return [
            step.before
            for step in steps
            if step.keyword == "type" and step.action == "widened" and step.before not in known
        ]

    def definition(self, pointer: str) -> RestatedSchema:
        """The schema at a pointer of the document."""
        if pointer not in self._definitions:
            target = self._references.target(f"#{quote(pointer)}")
            self._definitions[pointer] = self._restate(target.value if target else {}, pointer)
        return self._definitions[pointer]

    def root_of(self, definition: RestatedSchema) -> RestatedSchema:
        """What an input that is only a reference leads to, so that one can look at its keywords."""
        pointers: set[str] = set()
        while isinstance(definition.schema, dict) and definition.schema.keys() == {"$ref"} and definition.needs:
            pointer = definition.needs[0]
            if pointer in pointers:
                break
            pointers.add(pointer)
            definition = self.definition(pointer)
        return definition

    def collect(self, needs: Iterable[str], notes: Notes) -> dict[str, JsonSchema | bool]:
        """The definitions that a schema needs, by name, the nearest first; what was noted of them goes to `notes`."""
        waiting = list(dict.fromkeys(needs))
        definitions: dict[str, JsonSchema | bool] = {}
        asked_for = set(waiting)
        for pointer in waiting:  # grows on the way
            name = _definition_name(pointer)
            definition = self.definition(pointer)
            if len(definitions) >= _MOST_OF_A_SCHEMA or not self._has_room_for(pointer):
                definitions[name] = {}
                notes.note("openSchemas", [name])
                continue
            definitions[name] = definition.schema
            notes.add(definition.notes)
            fresh = [need for need in definition.needs if need not in asked_for]
            asked_for.update(fresh)
            waiting += fresh
        definitions, rings = cut_circles(definitions)
        # A base that was given its subtypes comes back to itself in all documents, which is no fault of theirs.
        bases = {_definition_name(pointer) for pointer in asked_for if self.definition(pointer).is_base}
        notes.note("circularSchemas", [name for name, ring in rings.items() if not ring & bases])
        return definitions

    def _has_room_for(self, pointer: str) -> bool:
        """Whether one more tool may have a definition: many copies of a large one fit nowhere."""
        if pointer not in self._sizes:
            self._sizes[pointer] = len(repr(self.definition(pointer).schema)) + _ROOM_OF_A_NAME
        self._references.room_for_copies -= self._sizes[pointer]
        return self._references.room_for_copies >= 0


def _with_nullable(schema: Any, pointer: str = "") -> Any:
    """A schema of Swagger, which has no word for null, with that of OpenAPI 3.0 in place of the usual extension."""
    node = rebuild(schema, _with_nullable)
    return rename(node, "x-nullable", "nullable") if isinstance(node, dict) else node


_NULLABLE_ALONE = ({"nullable": True}, {"type": "object", "nullable": True})


def _with_nullable_references(schema: Any, pointer: str = "") -> Any:
    """A schema in which a reference that may be null is spelled in one of the ways that people have for it.

    By the letter of 3.0 only one says so: nothing counts beside `$ref`, and of `allOf` every part has to accept null.

    >>> _with_nullable_references({"allOf": [{"$ref": "#/a"}, {"nullable": True}]})
    {'allOf': [{'$ref': '#/a'}], 'nullable': True}
    """
    node = rebuild(schema, _with_nullable_references)
    if not isinstance(node, dict):
        return node
    if "$ref" in node and truth_value(node.get("nullable")):
        return {"allOf": [{"$ref": node["$ref"]}], "nullable": True}
    for keyword in ("allOf", "anyOf", "oneOf"):
        members = node.get(keyword)
        if isinstance(members, list) and any(member in _NULLABLE_ALONE for member in members):
            others = [member for member in members if member not in _NULLABLE_ALONE]
            if others:
                return {**node, keyword: others, "nullable": True}
    return node


_NOT_IN_A_NAME = re.compile("[^A-Za-z0-9._-]")


def _definition_name(pointer: str) -> str:
    """What a tool calls the schema at a pointer of the document: its own name, or one made of where it stands.

    >>> _definition_name("/components/schemas/Pet"), _definition_name("/components/responses/Pet/schema")
    ('Pet', 'schema-434b80')
    """
    tokens = tokens_of(pointer) or [""]
    name = tokens[-1]
    plain = _NOT_IN_A_NAME.sub("_", name)[:64]
    if plain == name and name and any(pointer == home + name for home in SCHEMA_HOMES):
        return name
    return f"{plain or 'schema'}-{hex_digest(pointer, 6)}"


def _reference_to(pointer: str) -> str:
    return f"#/$defs/{_definition_name(pointer)}"


@dataclass
class _Rewriter:
    """Leads the references of one schema to definitions, and leaves out what does not travel its way."""

    _references: References
    _hiding_keyword: HidingKeyword
    _home: str | None
    _base: str  # of the schema that is being rewritten
    _hidden_of_definitions: dict[_DefinitionKey, frozenset[str]]
    _needs: dict[str, None] = field(default_factory=dict)
    _notes: Notes = field(default_factory=Notes)
    _is_base: bool = False

    def run(self, schema: Any) -> RestatedSchema:
        return RestatedSchema(self._rewrite(schema), tuple(self._needs), self._notes, self._is_base)

    def _rewrite(self, node: Any, also_hidden: frozenset[str] = frozenset()) -> Any:
        if not isinstance(node, dict):
            return node
        around = self._base
        if isinstance(node.get("$id"), str):
            self._base = split_reference(around, node["$id"])[0] or around
        out = self._rewrite_object(node, also_hidden)
        self._base = around
        return out

    def _rewrite_object(self, node: JsonSchema, also_hidden: frozenset[str]) -> JsonSchema:
        hidden = also_hidden | self._hidden_names(node)
        if hidden:
            node = self._without(node, hidden)

        def rewrite_inner(inner: Any, pointer: str) -> Any:
            return self._rewrite(inner, hidden if pointer.startswith("/allOf/") else frozenset())

        out: JsonSchema = rebuild(node, rewrite_inner)
        if "$dynamicRef" in out:
            reference = str(out.pop("$dynamicRef"))
            if self._references.dynamic_names[reference.rpartition("#")[2]] > 1:
                self._notes.note("dynamicReferences", [reference])
            else:
                out["$ref"] = reference
        if isinstance(out.get("$ref"), str):
            self._follow(out)
        if isinstance(out.get("discriminator"), dict):
            out["discriminator"] = self._with_own_names(node)
            if not out.keys() & {"anyOf", "oneOf"}:
                self._take_subtypes(out)
            if "anyOf" not in out:  # a property tells which alternative is meant, and few documents close them
                out = rename(out, "oneOf", "anyOf")
                self._require_tag(node, out)
        for keyword in _ADDRESSES:
            out.pop(keyword, None)
        return out

    def _follow(self, out: JsonSchema) -> None:
        """Lead a reference to a definition; one that leads nowhere accepts anything, and is noted."""
        target = self._references.target(out["$ref"], self._base)
        pointer = target.pointer if target and isinstance(target.value, dict | bool) else None
        if pointer is None and out["$ref"] in _ITSELF:
            pointer = self._home
        if pointer is None:
            self._notes.missing_references.append(out.pop("$ref"))
            return
        self._needs[pointer] = None
        out["$ref"] = _reference_to(pointer)

    def _take_subtypes(self, out: JsonSchema) -> None:
        """Take what the document says to be a base too as its alternatives: the discriminator tells which is meant.

        So is what its mapping names, if all of that is known. One that names the schema itself is a copy of its base's.
        """
        subtypes = self._references.subtypes_of(self._home or "")
        self._needs.update(dict.fromkeys(subtypes))
        names = list(map(_reference_to, subtypes))
        mapped = mapping_at(out["discriminator"], "mapping").values()
        own = _reference_to(self._home or "")
        if all(str(name).startswith("#/$defs/") and name != own for name in mapped):
            names += mapped
        if names:
            self._is_base = True
            out["anyOf"] = [{"$ref": name} for name in dict.fromkeys(names)]

    def _require_tag(self, node: JsonSchema, out: JsonSchema) -> None:
        """Ask for the property by which alternatives are told apart, where one of them does not.

        A value without it may be of several alternatives, which `oneOf` refuses. OpenAPI 3.1, Discriminator Object: it
        has to be there; 3.2 lets it be absent where one alternative is meant then.
        """
        tag = node["discriminator"].get("propertyName")
        if not isinstance(tag, str) or "defaultMapping" in node["discriminator"]:
            return
        for member in list_at(node, "oneOf"):
            parts = [target.value for target, _ in self._parts_of(member)]
            is_hidden = any(tag in self._hidden_names(part) for part in parts)
            if not is_hidden and not any(tag in texts_at(part, "required") for part in parts):
                out["required"] = [*dict.fromkeys([*texts_at(out, "required"), tag])]

    def _with_own_names(self, node: JsonSchema) -> dict[str, Any]:
        """A discriminator whose mapping leads to the definitions of the tool.

        The name of a schema that nobody maps stands for it, unless that lists the values of the property itself.
        """
        own = dict(node["discriminator"])
        tag = str(own.get("propertyName"))
        mapping = {value: self._own_name(name) for value, name in mapping_at(own, "mapping").items()}
        alternatives = list_at(node, "oneOf") or list_at(node, "anyOf")
        for alternative in alternatives[:_MOST_OF_A_SCHEMA]:
            pointer = self._resolve(alternative).pointer
            name = str(pointer).rpartition("/")[2]
            tags = [mapping_at(target.value, "properties").get(tag) for target, _ in self._parts_of(alternative)]
            lists_values = any("const" in stated or "enum" in stated for stated in map(as_mapping, tags))
            if pointer and not lists_values and self._own_name(name) not in (name, *mapping.values()):
                mapping[name] = self._own_name(name)
        own |= without_empty({"mapping": mapping})
        if "defaultMapping" in own:  # of 3.2
            own["defaultMapping"] = self._own_name(own["defaultMapping"])
        return own

    def _own_name(self, name: Any) -> Any:
        """The definition of the tool for a reference, or for the name of a schema, which comes first."""
        if not isinstance(name, str):
            return name
        for reference in (f"#{SCHEMA_HOMES[0]}{quote(escape(name))}", name):
            target = self._references.target(reference, self._base)
            if target is not None and target.pointer is not None:
                self._needs[target.pointer] = None
                return _reference_to(target.pointer)
        return name

    def _hidden_names(self, node: JsonSchema) -> frozenset[str]:
        """The properties, of the schema and of all that it is said to be too, that do not travel this way."""
        if "properties" not in node and "allOf" not in node:
            return frozenset()
        return frozenset().union(*(self._hidden_properties(*part) for part in self._parts_of(node)))

    def _parts_of(self, node: JsonSchema) -> Iterator[tuple[Target, bool]]:
        """A schema and all that it is said to be too, each with whether the document itself has it, not a copy."""
        parts: list[tuple[Any, bool]] = [(node, False)]
        met: set[Same[Any]] = set()
        for part, is_of_document in parts:  # grows on the way
            target = self._resolve(part)
            if not isinstance(target.value, dict) or Same(target.value) in met:
                continue
            met.add(Same(target.value))  # which keeps a copy alive, so that no other one gets its place in memory
            is_of_document = is_of_document or target.pointer is not None
            yield target, is_of_document
            more = list_at(target.value, "allOf")
            if len(parts) < _MOST_PARTS:
                most = _MOST_PARTS if is_of_document else len(more)
                parts += [(inner, is_of_document) for inner in more[:most]]

    def _hidden_properties(self, target: Target, is_of_document: bool) -> frozenset[str]:
        """The properties of one schema that do not travel; thousands can be said to be one of the document too."""
        key = target.pointer or Same(target.value), self._base
        names = self._hidden_of_definitions.get(key)
        if names is None:
            properties = mapping_at(target.value, "properties")
            names = frozenset(name for name, schema in properties.items() if self._is_hidden(schema))
            if is_of_document:
                self._hidden_of_definitions[key] = names
        return names

    def _is_hidden(self, schema: Any) -> bool:
        target = self._resolve(schema)
        marks = as_mapping(schema).get(self._hiding_keyword), as_mapping(target.value).get(self._hiding_keyword)
        return True in marks

    def _resolve(self, schema: Any) -> Target:
        """What a schema is, or refers to; itself where that is nowhere."""
        return self._references.resolve(schema, [], self._base) or Target(schema, None)

    def _without(self, node: JsonSchema, hidden: frozenset[str]) -> JsonSchema:
        out = dict(node)
        properties, required = node.get("properties"), node.get("required")
        if isinstance(properties, dict):
            out["properties"] = {name: schema for name, schema in properties.items() if name not in hidden}
            hidden_properties = [{name: schema} for name, schema in properties.items() if name in hidden]
            self._notes.note(self._hiding_keyword, hidden_properties)
        if isinstance(required, list):
            out["required"] = [name for name in required if name not in hidden]
            if not out["required"]:
                del out["required"]
        return out
