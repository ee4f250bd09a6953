"""Fits one schema to the rules of one provider: the fitted schema, the steps, and a codec for the way back.

One pass goes through the nodes: references, combinators, then the node's own types. What a provider does not accept is
rewritten where another spelling accepts the same values, or handled by the codec, or else put into the description of
the node and noted as a step. Nothing is dropped without a step.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec
from msgspec.structs import replace

from toolglot.converter.fitting.argument_codec import (
    SAME,
    Branch,
    Branches,
    Codec,
    Fitted,
    Keys,
    Named,
    Text,
    is_anything,
)
from toolglot.converter.fitting.combinators import fit_union, fold_all_of, fold_one_of
from toolglot.converter.fitting.enum_and_const import fit_enum
from toolglot.converter.fitting.objects_and_arrays import fit_array, fit_object
from toolglot.converter.fitting.other_keywords import fit_other_keywords, is_value_accepted
from toolglot.converter.fitting.provider_rules import ProviderRules
from toolglot.converter.fitting.root_object import prepare_root
from toolglot.converter.fitting.schema_node import Fit, FitContext, SchemaNode, fit_as_text
from toolglot.converter.fitting.schema_size import refuse_too_large
from toolglot.converter.fitting.types import needs_type, of_type, types_of_node
from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.schema import keyword_sentences, older_dialects, references
from toolglot.converter.schema.accepted_values.keywords_in_reports import is_neutral
from toolglot.converter.schema.budget import MAX_DEPTH
from toolglot.converter.schema.keywords import (
    ANNOTATIONS,
    APPLICATORS,
    APPLIES,
    ASSERTIONS,
    accepts_nothing,
    expand_boolean_schema,
    rebuild,
)
from toolglot.converter.schema.newest_dialect import is_plain, restate_schema
from toolglot.converter.schema.titles import is_idle_title, is_title_of_model
from toolglot.converter.schema.transformation_steps import Step
from toolglot.converter.text.caches import Same
from toolglot.converter.text.pointers import as_mapping, unescape, value_at, with_values, without_keys
from toolglot.errors import FitError

_MAX_NODES = 20_000  # of the fitted schema, where a definition may count many times
_ARGUMENTS = "arguments"  # the one parameter of a tool whose schema names none
_ROOM = 30  # levels of nodes above which a definition waits, because definitions can refer to definitions for long


def fit(schema: Any, rules: ProviderRules) -> Fitted:
    """Fit the schema of a tool's arguments to what a provider accepts.

    Args:
        schema: JSON Schema of any dialect; it is not modified.
        rules: a row of the table of profiles.

    Raises:
        FitError: no schema within the rules fits; the code and the message say why.

    >>> words = {"": frozenset({"type", "properties", "required"})}
    >>> names = {"format": "x", "profile": "x", "versions": (), "citation": ""}
    >>> rules = ProviderRules(**names, strict=True, keywords=words, all_required=True)
    >>> fitted = fit({"type": "object", "properties": {"a": {"type": "string"}}}, rules)
    >>> fitted.schema["properties"], fitted.schema["required"]
    ({'a': {'type': ['string', 'null']}}, ['a'])
    >>> fitted.decode({"a": None})
    {}
    """
    if not rules.idle_keywords:
        idle: list[Step] = []
        bare = _without_idle_keywords(schema, "", idle)
        fitted = fit(bare, replace(rules, idle_keywords=True))
        return Fitted(fitted.schema, (*idle, *fitted.steps), fitted.codec)
    if rules.keywords is None:  # whoever takes every schema gets it as it is, in the words of 2020-12
        plain_schema, steps = restate_schema(as_mapping(schema))
        return Fitted(plain_schema, tuple(steps), SAME)
    if is_plain(schema):
        return _Fitter(schema, rules, [], frozenset()).fit_root()
    source, steps = schema, []
    if not is_plain(schema, with_references=True):
        plain, steps = older_dialects.normalise(schema)
        source = expand_boolean_schema(plain)
    source, resolving = resolve_references(source)
    return _Fitter(source, rules, [*steps, *resolving], references.cycles(source)).fit_root()


def _without_idle_keywords(node: Any, pointer: str, steps: list[Step]) -> Any:
    """A schema without the keywords that tell a model nothing.

    `additionalProperties: true` stays: without it an object may be closed for strict definitions.
    """
    if isinstance(node, dict):
        for keyword, value in node.items():
            if keyword == "$comment":
                steps.append(Step(pointer, keyword, "dropped", value, None, "it is for whoever edits the schema"))
            elif keyword == "title" and _is_idle_title(node, pointer):
                steps.append(Step(pointer, keyword, "renamed", value, None, "the key or the description says it"))
            elif keyword not in APPLICATORS and is_neutral(keyword, value):
                steps.append(Step(pointer, keyword, "renamed", value, None, "it says as much as none"))
            else:
                continue
            node = without_keys(node, keyword)
    return rebuild(node, lambda inner, at: _without_idle_keywords(inner, at, steps), pointer)


def _is_idle_title(node: JsonSchema, pointer: str) -> bool:
    """Whether a title says no more than a key, a description, or the name of the tool."""
    if not pointer:
        return is_title_of_model(node["title"])
    return is_idle_title(node, unescape(pointer.rpartition("/")[2]))


def resolve_references(schema: JsonSchema) -> tuple[JsonSchema, list[Step]]:
    """A schema whose references lead to its own definitions; references that lead nowhere become words.

    >>> resolve_references({"properties": {"a": {"$ref": "https://example.com/a"}}})[0]["properties"]
    {'a': {'description': 'As described by https://example.com/a, which was not read.'}}
    """
    schema, steps = references.resolve(schema)
    for step in steps:
        if step.keyword == "$ref" and step.action == "widened":
            place = value_at(schema, step.pointer)
            if isinstance(place, dict):
                unread = f"As described by {step.before}, which was not read."
                text = keyword_sentences.append(place.get("description"), [unread])
                schema = with_values(schema, {step.pointer: {**place, "description": text}})
    return schema, steps


class _Fitter(FitContext):
    """The pass over a schema and all schemas inside of it."""

    # -- the root ---------------------------------------------------------------------------------------------

    def fit_root(self) -> Fitted:
        root = prepare_root(self)
        self.find_endless({**self.source, **root.source})  # its alternatives may have made a property required
        self.has_codecs = self.has_codecs or bool(self.endless)
        schema, codec = self.fit_schema(root.source, "", is_root=True)
        self.codecs["#"] = codec
        while self.waiting:
            self._define(self.waiting.pop())
        if "$ref" in schema or schema.get("type") != "object":
            raise FitError("the arguments of the tool are not an object", code="root-not-object")
        for reference in without_keys(self.units, "#", *self.fitted):
            self.note(reference[1:], "", "renamed", note="stands or is said where it was referred to")
        definitions = {
            references.name_of_definition(reference): fit for reference, fit in self.fitted.items() if reference != "#"
        }
        if definitions:
            schema = {**schema, "$defs": definitions}
        refuse_too_large(schema, self.rules)
        if self.rules.no_arguments or schema.get("properties"):
            return Fitted(schema, tuple(self.steps.values()), codec, frozenset(self.null_defaults))
        if self._takes_unnamed_arguments(schema, root.source):
            return self._root_as_text(schema, root.source)
        if "description" in schema:
            self.note("", "description", "dropped", schema["description"])
        self.note("", "", "renamed", note="a tool without parameters has no schema")
        return Fitted(None, tuple(self.steps.values()), codec)

    def _takes_unnamed_arguments(self, schema: JsonSchema, source: JsonSchema) -> bool:
        """Whether a root without properties accepts arguments: it says so, or has rules for them."""
        rest = source.get("additionalProperties")
        if source.get("patternProperties") or rest not in (None, False):
            return True
        asks_in_words = any(step.pointer == "" and step.action == "widened" for step in self.steps.values())
        return rest is None and (asks_in_words or bool(schema.get("minProperties")))

    def _root_as_text(self, schema: JsonSchema, source: JsonSchema) -> Fitted:
        """The root as one JSON text: a tool without properties would seem to take no arguments."""
        self.note("", "", "encoded", note="the arguments as JSON text, because no property is named")
        for keyword in ("additionalProperties", "patternProperties"):
            if source.get(keyword) not in (None, True, {}):
                self.note("", keyword, "widened", source[keyword], note="nothing holds the text to it")
        sentences = ["All arguments, as the text of one JSON object."]
        for keyword in ("minProperties", "maxProperties"):
            if keyword in schema:
                self.note("", keyword, "widened", schema[keyword], note="said in the description")
                sentences.append(keyword_sentences.describe_keyword(keyword, schema[keyword], schema) or "")
        text = keyword_sentences.append(schema.get("description"), sentences)
        properties = {_ARGUMENTS: {"type": "string", "description": text}}
        whole = {"type": "object", "properties": properties, "required": [_ARGUMENTS]}
        return Fitted(whole, tuple(self.steps.values()), Keys({}, True, (_ARGUMENTS, Text())))

    # -- one node ---------------------------------------------------------------------------------------------

    def fit_schema(
        self,
        schema: Any,
        pointer: str,
        references_above: tuple[str, ...] = (),
        types_around: tuple[str, ...] = (),
        is_root: bool = False,
    ) -> Fit:
        self.nodes += 1
        if self.nodes > _MAX_NODES or self.depth > MAX_DEPTH + _ROOM:
            raise FitError("the schema is too large for a tool once its references are resolved", "schema-too-large")
        if schema is False:
            return self.fit_never(pointer, schema), SAME
        source = {} if schema is True else schema
        self.depth += 1
        try:
            return self._fit_node(SchemaNode(self, source, pointer, references_above, types_around, is_root))
        finally:
            self.depth -= 1

    def _fit_node(self, node: SchemaNode) -> Fit:
        source = node.source
        if "$ref" not in source:  # what the provider does not know is said in other keywords
            if "allOf" in source and (self.has_codecs or not self.allows("allOf")):
                fold_all_of(node)
            if "oneOf" in node.source and not self.allows("oneOf") and not node.is_root:
                fold_one_of(node)
        if accepts_nothing(node.source) or node.source.get("enum") == []:
            return self.fit_never(node.pointer, source), SAME
        if "$ref" in node.source:
            return self._fit_reference(node)
        if "anyOf" in node.source and not node.is_root:
            return fit_union(node)
        return self.fit_typed(node)

    def fit_typed(self, node: SchemaNode) -> Fit:
        types = node.types = types_of_node(node)
        has_members = "enum" in node.source or "const" in node.source
        if not types and self.rules.typed != "no" and not has_members:
            return _fit_untyped(node)
        if len(types) > 1 and not self._may_list(node, types):
            _split_by_type(node)
            return fit_union(node)
        if types:
            node.out["type"] = types[0] if len(types) == 1 else list(types)
        fit_other_keywords(node)
        fit_enum(node)
        if "allOf" in node.source:  # nothing in it has a codec: it would have been merged
            members = enumerate(node.source["allOf"])
            node.out["allOf"] = [node.fit_inner(member, f"/allOf/{index}", types)[0] for index, member in members]
        codec: Codec = SAME
        if "object" in types or (not types and APPLIES["object"] & node.source.keys()):
            codec = fit_object(node)
        if "array" in types or (not types and APPLIES["array"] & node.source.keys()):
            of_items = fit_array(node)
            if codec is SAME:
                codec = of_items
            else:
                lists = Branch(_is_list, _is_list, of_items)
                codec = Branches([lists, Branch(is_anything, is_anything, codec)])
        return node.with_description(), codec

    def _may_list(self, node: SchemaNode, types: tuple[str, ...]) -> bool:
        """Whether several types may stay in one list: not where one of them needs a codec or a rule of its own."""
        rules = self.rules
        if "enum" in node.source and not rules.enum_beside_type_list and needs_type(node):
            return False
        if rules.type_lists == "any" and rules.objects != "false":
            return True
        if rules.type_lists == "none" or len(types) != 2 or "null" not in types:
            return False
        return not (rules.strict and ("object" in types or "array" in types))

    # -- references -------------------------------------------------------------------------------------------

    def _fit_reference(self, node: SchemaNode) -> Fit:
        reference = node.source["$ref"]
        siblings = without_keys(node.source, "$ref")
        has_only_annotations = ANNOTATIONS.issuperset(siblings)
        if reference in self.endless:
            if self.rules.strict:
                raise FitError(
                    "the schema contains itself, and a strict schema may not", "recursive-schema", node.pointer
                )
            if reference in node.references_above:
                note = "any JSON text is accepted; the description says which"
                node.note("$ref", "widened", reference, note=note)
                return fit_as_text(node, keyword_sentences.shape(self.units[reference]))
        elif self.rules.references != "none":
            if not siblings or (self.rules.references == "any" and has_only_annotations):
                return self._keep_reference(node, reference, siblings)
            if reference in self.cycles and (has_only_annotations or reference in node.references_above):
                return self._wrap_reference(node, reference, siblings)
        node.note("$ref", "renamed", reference, note="replaced by what it means")
        whole = self.follow(node.source)
        node.note_merged(siblings, whole)
        return self.fit_schema(whole, node.pointer, (*node.references_above, reference))

    def _keep_reference(self, node: SchemaNode, reference: str, siblings: JsonSchema) -> Fit:
        if reference not in self.codecs and reference != "#":
            self.codecs[reference] = SAME  # replaced when it is fitted; a definition may contain itself
            self.fitted[reference] = {}
            if self.depth > _ROOM:
                self.waiting.append(reference)
            else:
                self._define(reference)
        out: JsonSchema = {"$ref": reference}
        for key, value in siblings.items():
            if self.allows(key) and is_value_accepted(node, key):
                out[key] = value
            else:
                node.note(key, "dropped", value)
        return out, Named(reference, self.codecs) if self.has_codecs else SAME

    def _define(self, reference: str) -> None:
        pointer = f"/$defs/{reference.removeprefix('#/$defs/')}"
        self.fitted[reference], self.codecs[reference] = self.fit_schema(self.units[reference], pointer)

    def _wrap_reference(self, node: SchemaNode, reference: str, siblings: JsonSchema) -> Fit:
        """A reference that cannot be inlined because it leads to itself, with the keywords beside it around it."""
        schema, codec = self._keep_reference(node, reference, {})
        node.note("$ref", "renamed", reference, note="inside `anyOf`, because it may have nothing beside it")
        around = node.part(siblings, {"anyOf": [schema]})
        fit_other_keywords(around)
        for key in siblings:
            if key not in ANNOTATIONS:
                around.say(key)
        return around.with_description(), codec


def _split_by_type(node: SchemaNode) -> None:
    """Rewrite a node of several types as alternatives, one for each type."""
    source = node.source
    about: JsonSchema = {}
    for keyword, value in source.items():
        if keyword in ANNOTATIONS and keyword != "format":
            about[keyword] = value
        else:
            node.note(keyword, "renamed", value, note="one alternative a type")
    node.source = {**about, "anyOf": [of_type(source, type_name) for type_name in node.types]}


def _fit_untyped(node: SchemaNode) -> Fit:
    """Fit a value of any type for a provider that wants a type: as JSON text, unless a looser mode can say it."""
    if node.rules.strict:
        raise FitError("a value of any type has no strict schema", code="untyped", pointer=node.pointer)
    value = node.part(node.source)
    value.sentences = []
    for keyword in node.source:
        if keyword in ASSERTIONS:
            value.say(keyword)
    value.settle_sentences()
    return fit_as_text(value, "any value")


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


# -- schemas that were fitted before ---------------------------------------------------------------------------------
#
# Programs have many commands with the same parameters, most often none, and a host compiles the same tools for every
# request. Without this, to compile 160 commands of one program takes 6 % longer for the first time, and 30 % for the
# second. What is remembered is keyed by the text of the schema, so that it depends on nothing else; nobody is handed
# the remembered schema itself, because a caller may change the definitions that it gets.

_LONGEST = 4_096  # bytes of a schema that is remembered, so that all of them stay small
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode


def fit_again(schema: Any, rules: ProviderRules) -> Fitted:
    """As `fit`; for a schema that was fitted lately in a tenth of the time.

    >>> words = {"": frozenset({"type", "properties", "required"})}
    >>> names = {"format": "x", "profile": "x", "versions": (), "citation": ""}
    >>> rules = ProviderRules(**names, strict=True, keywords=words, all_required=True)
    >>> schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    >>> fit_again(schema, rules).schema == fit_again(schema, rules).schema == fit(schema, rules).schema
    True
    """
    try:
        raw = _encode(schema)
    except (msgspec.MsgspecError, TypeError, ValueError, OverflowError, RecursionError):  # what msgspec cannot encode
        return fit(schema, rules)
    if len(raw) > _LONGEST or b"null" in raw:  # msgspec writes NaN and infinities as null
        return fit(schema, rules)
    try:
        fitted_json, steps, codec = _fit_encoded(raw, Same(rules))
    except OverflowError:  # a bound that fitting moved beyond what msgspec writes
        return fit(schema, rules)
    return Fitted(_decode(fitted_json), steps, codec)


def forget_fitted() -> None:
    """Empty the cache, to measure without it."""
    _fit_encoded.cache_clear()


@lru_cache(1024)  # without it a program of 160 commands to OpenAI takes half as long again
def _fit_encoded(raw: bytes, rules: Same[ProviderRules]) -> tuple[bytes, tuple[Step, ...], Codec]:
    fitted = fit(_decode(raw), rules.value)
    return _encode(fitted.schema), fitted.steps, fitted.codec
