"""The state of fitting: `SchemaNode` is one schema that is being fitted, `FitContext` the whole pass.

The functions that fit keywords take a `SchemaNode` and change it. `fit` implements the methods of `FitContext` that go
from a schema to those inside of it, so that this module imports none of these functions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from itertools import islice
from typing import Any, TypeAlias

import msgspec

from toolglot.converter.fitting.argument_codec import SAME, Accepts, Codec, Text, is_anything
from toolglot.converter.fitting.provider_rules import ProviderRules
from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.schema import intersection, keyword_sentences, references
from toolglot.converter.schema.accepted_values.keywords_in_reports import is_neutral
from toolglot.converter.schema.keywords import APPLICATORS, ASSERTIONS, accepts_nothing, rebuild, walk
from toolglot.converter.schema.overlap import Proofs
from toolglot.converter.schema.transformation_steps import Step
from toolglot.converter.text.pointers import as_mapping, only_keys, without_keys
from toolglot.errors import FitError

Fit: TypeAlias = tuple[JsonSchema, Codec]
StepKey: TypeAlias = tuple[str, str, str]  # pointer, keyword, action


class FitContext(ABC):
    """The state of one pass over one schema.

    Attributes:
        rules: the rules of the provider.
        source: the whole schema with its references resolved.
        units: reference -> schema, for the source and its definitions.
        cycles: the references that lead back to themselves.
        endless: the cycles that the provider cannot follow: all, or those through required properties.
        has_codecs: whether any value may be sent in another form; where none can, references need no codecs.
        steps: the steps so far.
        fitted: reference -> fitted definition.
        codecs: reference -> codec of the definition.
        waiting: references to definitions that are fitted later, when there is room on the stack.
        null_defaults: keys under which null means the same as absence.
        nodes: the number of schemas that were fitted.
        depth: the number of schemas, each inside of the one before, that are being fitted.
        proofs: proofs about values that schemas of the source share.
        fitted_proofs: the same for fitted schemas.
    """

    def __init__(self, source: JsonSchema, rules: ProviderRules, steps: Iterable[Step], cycles: frozenset[str]) -> None:
        self.rules = rules
        self.source = source
        self.units = {**references.units_of(source), "#": without_keys(source, "$defs")}
        self.cycles = cycles
        self.endless = frozenset() if rules.recursion else cycles
        self.find_endless(source)
        self.has_codecs = rules.strict or rules.typed != "no" or bool(self.endless)
        self.steps: dict[StepKey, Step] = {(step.pointer, step.keyword, step.action): step for step in steps}
        self.fitted: dict[str, JsonSchema] = {}
        self.codecs: dict[str, Codec] = {}
        self.waiting: list[str] = []
        self.null_defaults: set[str] = set()
        self.nodes = self.depth = 0
        self.proofs = Proofs(self.units.__getitem__)
        self.fitted_proofs = Proofs(lambda reference: self.fitted.get(reference, {}))  # as far as it is fitted yet

    def forget_steps_inside(self, pointer: str, count: int) -> None:
        """Take back all steps below a pointer but the first `count`. Definitions that were fitted stay fitted."""
        inside = f"{pointer}/"
        for key, step in list(islice(self.steps.items(), count, None)):
            is_of_definition = step.pointer.startswith("/$defs/") and not step.pointer.startswith(inside)
            if not is_of_definition:
                del self.steps[key]

    @abstractmethod
    def fit_schema(
        self, schema: Any, pointer: str, references_above: tuple[str, ...] = (), types_around: tuple[str, ...] = ()
    ) -> Fit:
        """Fit a schema that stands inside another; `references_above` and `types_around` as in `SchemaNode`."""

    @abstractmethod
    def fit_typed(self, node: SchemaNode) -> Fit:
        """Fit a node without combinators by its own keywords."""

    def find_endless(self, source: JsonSchema) -> None:
        """Find the cycles through required properties, for a provider that accepts all other cycles."""
        if self.rules.optional_recursion and self.cycles:
            self.endless = references.cycles(_without_optional(source))

    def note(
        self, pointer: str, keyword: str, action: str, before: Any = None, after: Any = None, note: str = ""
    ) -> None:
        """Record a step, unless there is one of its kind at this place."""
        self.steps.setdefault((pointer, keyword, action), Step(pointer, keyword, action, before, after, note))

    def allows(self, keyword: str, types: Iterable[str] = ()) -> bool:
        """Whether the provider knows a keyword in a schema of one of these types."""
        table = self.rules.keywords or {}  # whoever takes every schema has none fitted
        return keyword in table.get("", ()) or any(keyword in table.get(type_name, ()) for type_name in types)

    def follow(self, schema: JsonSchema) -> Any:
        """A schema with its reference replaced by the target. Keywords that cannot be merged stay in `allOf`."""
        target = self.units[schema["$ref"]]
        return intersection.with_rest(*intersection.intersect(target, without_keys(schema, "$ref")))

    def follow_if_reference(self, schema: Any) -> Any:
        """The schema, or its target if it is a reference."""
        if isinstance(schema, dict) and "$ref" in schema:
            return self.follow(schema)
        return schema

    def fit_never(self, pointer: str, source: Any) -> JsonSchema:
        """Fit a schema that accepts nothing.

        Raises:
            FitError: the mode is strict and cannot say it. Another mode is better than a schema that accepts something.
        """
        if self.allows("not") and self.rules.typed == "no":
            if not accepts_nothing(source):
                self.note(pointer, "", "renamed", source, False, "no value is accepted")
            return {"not": {}}
        if self.rules.strict:
            message = "a schema that accepts nothing stands where a value is needed"
            raise FitError(message, code="never", pointer=pointer)
        self.note(pointer, "", "widened", source, note="the description says that nothing is accepted")
        never: JsonSchema = {"description": "No value is accepted."}
        if self.rules.typed != "no":
            never = {"type": "string", **never}
        return never


class SchemaNode(msgspec.Struct, eq=False):
    """One schema that is being fitted.

    Attributes:
        context: the pass.
        source: the keywords that are still to be fitted; replaced, never modified.
        pointer: JSON Pointer of the schema in the source.
        references_above: the references that were replaced by their targets on the way here.
        types_around: the types that the schema around it allows; empty where it says none.
        is_root: whether it is the root.
        types: the types of its values, once they are known; empty where any type is accepted.
        out: the fitted schema so far.
        sentences: sentences for the description, about what the fitted schema cannot say.
    """

    context: FitContext
    source: JsonSchema
    pointer: str
    references_above: tuple[str, ...] = ()
    types_around: tuple[str, ...] = ()
    is_root: bool = False
    types: tuple[str, ...] = ()
    out: JsonSchema = {}
    sentences: list[str] = []

    @property
    def rules(self) -> ProviderRules:
        """The rules of the provider."""
        return self.context.rules

    def note(
        self, keyword: str, action: str, before: Any = None, after: Any = None, note: str = "", inner: str = ""
    ) -> None:
        """Record a step of this node, or of the place `inner` in it."""
        self.context.note(self.pointer + inner, keyword, action, before, after, note)

    def note_merged(self, source: JsonSchema, whole: Any, inner: str = "") -> None:
        """Record a step for each keyword of a schema that changed when the schema was merged with others."""
        values: JsonSchema = {}
        for part in (*as_mapping(whole).get("allOf", ()), whole):
            values.update(as_mapping(part))
        for keyword, value in source.items():
            kept_value = values.get(keyword)
            is_kept = keyword in values and kept_value == value
            if isinstance(value, dict) and isinstance(kept_value, dict):
                is_kept = value.keys() <= kept_value.keys()  # what stands under them has steps of its own
            elif isinstance(value, list) and isinstance(kept_value, list):
                is_kept = len(value) <= len(kept_value)
            if not is_kept:
                self.note(keyword, "renamed", value, kept_value, "merged with what stands beside it", inner)

    def say(self, keyword: str, source: JsonSchema | None = None) -> None:
        """Take a keyword of this node, or of another source, out of the schema; into words, if there are any for it."""
        keywords = source or self.source
        value = keywords[keyword]
        if is_neutral(keyword, value):
            self.note(keyword, "renamed", value, note="it says as much as none")
            return
        # The definition of a reference is mostly gone from the result, and its name says nothing by itself.
        meant = rebuild({keyword: value}, lambda inner, token: self.context.follow_if_reference(inner))
        sentence = keyword_sentences.describe_keyword(keyword, meant[keyword], keywords)
        if sentence:
            self.sentences.append(sentence)
        if keyword in ASSERTIONS | APPLICATORS:  # a sentence has no room for all of a schema
            note = "said in the description" if sentence else "not said"
            self.note(keyword, "widened", value, note=note)
        elif sentence:
            self.note(keyword, "described", value)
        else:
            self.note(keyword, "dropped", value)

    def part(self, source: JsonSchema, out: JsonSchema | None = None) -> SchemaNode:
        """A node with some of the keywords, at the same place and with the same description."""
        return SchemaNode(
            self.context, source, self.pointer, self.references_above, out=out or {}, sentences=self.sentences
        )

    def fit_inner(self, schema: Any, token: str, types_around: tuple[str, ...] = ()) -> Fit:
        """Fit a schema inside the node, at the JSON Pointer `token` from here."""
        return self.context.fit_schema(schema, self.pointer + token, self.references_above, types_around)

    def fit_unchanged(self, keyword: str) -> Any:
        """The fitted value of a keyword with schemas; `None` where fitting would change what they accept.

        A schema in `not`, `if` or `oneOf` that accepts more makes the whole accept less, and no codec decodes there.
        """
        context = self.context
        count = len(context.steps)
        codecs: list[Codec] = []

        def fit_one(schema: Any, token: str) -> JsonSchema:
            fitted, codec = context.fit_schema(schema, self.pointer + token)
            codecs.append(codec)
            return fitted

        fitted_value = rebuild({keyword: self.source[keyword]}, fit_one)[keyword]
        is_exact = _is_exact(context, keyword, fitted_value, count)
        if is_exact and all(codec is SAME for codec in codecs):
            return fitted_value
        context.forget_steps_inside(self.pointer, count)
        return None

    def description(self) -> str | None:
        """The description of the source, with the sentences."""
        text: str | None = self.source.get("description")
        if not self.sentences:
            return text
        return keyword_sentences.append(text, self.sentences)

    def with_description(self) -> JsonSchema:
        """The fitted schema so far, with its description."""
        text = self.description()
        if not text:
            return self.out
        return {**self.out, "description": text}

    def settle_sentences(self) -> None:
        """Move the sentences into the description of the source, which is fitted later."""
        if self.sentences:
            self.source = {**self.source, "description": self.description()}
            self.sentences = []


def fit_as_text(node: SchemaNode, shape: str, accepts: Accepts = is_anything) -> Fit:
    """Fit a value as JSON text; `shape` says in words what it has to be, and `accepts` is as in `Text`."""
    node.note("", "encoded", note="as JSON text")
    text = keyword_sentences.append(node.source.get("description"), [f"As JSON text: {shape}."])
    return {"type": "string", "description": text}, Text(accepts)


def _is_exact(context: FitContext, keyword: str, fitted_value: Any, count: int) -> bool:
    """Whether the schemas fitted after the first `count` steps accept the same as before, also by their references."""
    refers = any(isinstance(node, dict) and "$ref" in node for _, node in walk({keyword: fitted_value}))
    if refers and context.waiting:
        return False  # nobody knows yet
    steps = list(islice(context.steps.values(), count, None))
    if refers:
        steps += [step for step in context.steps.values() if step.pointer.startswith("/$defs/")]
    return not any(step.action in ("widened", "narrowed", "encoded") for step in steps)


def _without_optional(node: Any, pointer: str = "") -> Any:
    """A schema without its optional properties."""
    if isinstance(node, dict) and "properties" in node:
        required = node.get("required", [])
        properties = only_keys(node["properties"], required)
        node = {**node, "properties": properties}
    return rebuild(node, _without_optional)
