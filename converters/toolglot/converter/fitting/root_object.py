"""The root of a schema: it becomes an object without the keywords that providers refuse there in every mode."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from toolglot.converter.fitting.combinators import fold_all_of
from toolglot.converter.fitting.objects_and_arrays import names_of
from toolglot.converter.fitting.schema_node import FitContext, SchemaNode
from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.schema import unions
from toolglot.converter.schema.budget import MAX_NODES, MAX_PAIRS
from toolglot.converter.schema.json_values import stated_types
from toolglot.converter.schema.keywords import expand_boolean_schema
from toolglot.converter.text.pointers import without_keys
from toolglot.errors import FitError

_MAX_STEPS = 100  # references and combinators that are followed one after another
_REFUSED = ("not", "enum", "const")
_OF_KEYS = frozenset({
    "if", "then", "else", "dependentRequired", "dependentSchemas", "propertyNames", "allOf", "not",
})  # fmt: skip


def prepare_root(context: FitContext) -> SchemaNode:
    """The root of the source, prepared so that it can be fitted like any other node.

    Raises:
        FitError: it does not describe an object.
    """
    root = SchemaNode(context, context.units["#"], "", is_root=True)
    _make_object(root)
    if not context.rules.root_combinators:
        _remove_combinators(root)
    _remove_old_names(root)
    return root


def _make_object(root: SchemaNode) -> None:
    """Make the root an object. Arguments always are an object, so a missing type means the same."""
    for _ in range(_MAX_STEPS):
        if root.source.get("$ref", "#") == "#":
            break
        root.source = expand_boolean_schema(root.context.follow(root.source))
        root.note("$ref", "renamed", note="the root itself holds the schema")
    types = root.source.get("type")
    if not _may_be_object(root.source):
        message = f"the arguments of a tool are an object, and the schema describes {types}"
        raise FitError(message, code="root-not-object")
    if types != "object":
        root.note("type", "renamed", types, "object", "arguments are always an object")
    root.source = {**root.source, "type": "object"}


def _may_be_object(schema: JsonSchema) -> bool:
    return "object" in (stated_types(schema) or ("object",))


def _remove_combinators(root: SchemaNode) -> None:
    """Take out the combinators that providers refuse at the root in every mode."""
    for _ in range(_MAX_STEPS):
        if "allOf" in root.source:
            fold_all_of(root)
        elif "oneOf" in root.source:
            _join_alternatives(root, "oneOf")
        elif "anyOf" in root.source:
            _join_alternatives(root, "anyOf")
        else:
            break
        root.settle_sentences()
    _say_and_remove(root, [keyword for keyword in _REFUSED if keyword in root.source])


def _join_alternatives(root: SchemaNode, keyword: str) -> None:
    """Join the alternatives of the root into one object schema."""
    source = root.source
    base = without_keys(source, keyword)
    possible: list[JsonSchema] = []
    for branch in source[keyword]:
        schema = _object_of(root, branch)
        if schema is not None:
            possible.append(schema)
    names = {name for branch in possible for name in branch.get("properties", {})}
    _refuse_product(possible, base, names)
    union, sentence = unions.union_of_objects(possible, base, keyword == "oneOf")
    action = "widened"
    if not sentence and (keyword == "anyOf" or root.context.proofs.are_disjoint(possible)):
        action = "renamed"
    root.note(keyword, action, source[keyword], note=sentence or "")
    if sentence:
        root.sentences.append(sentence)
    if _leaves_out_properties(possible, names.difference(base.get("properties", {}))):
        note = "an alternative that does not name a property accepts anything there; here it is held to the others"
        root.note(keyword, "narrowed", source[keyword], note=note)
    for key, value in base.items():
        if key != "description" and union.get(key) != value:
            root.note(key, "renamed", value, union.get(key), "said together with the alternatives")
    root.source = {**union, "type": "object"}


def _refuse_product(branches: list[JsonSchema], base: JsonSchema, names: set[str]) -> None:
    """Refuse alternatives whose union would be too large, because each has properties of all others.

    Raises:
        FitError: the union would have more schemas than a tool may have, or take too long.
    """
    describing_others = sum(isinstance(branch.get("additionalProperties"), dict) for branch in branches)
    pairs = len(base.get("properties", {})) * len(branches)
    if len(names) * describing_others > MAX_NODES or pairs > MAX_PAIRS:
        raise FitError(
            "the alternatives are too many to say what each asks of the others' properties", "schema-too-large"
        )


def _leaves_out_properties(branches: list[JsonSchema], names: set[str]) -> bool:
    """Whether an open alternative leaves out a property that another one names."""
    return any(
        branch.get("additionalProperties") is not False and names - branch.get("properties", {}).keys()
        for branch in branches
    )


def _object_of(root: SchemaNode, branch: Any) -> JsonSchema | None:
    """An alternative of the root as an object schema of its own; `None` if it is never an object."""
    for _ in range(_MAX_STEPS):
        if isinstance(branch, dict) and "$ref" in branch:
            branch = root.context.follow(branch)
        elif isinstance(branch, dict) and "allOf" in branch:
            member = root.part(branch)
            fold_all_of(member)
            branch = member.source
        else:
            break
    if branch is True:
        return {}
    if isinstance(branch, dict) and _may_be_object(branch):
        return branch
    return None


def _remove_old_names(root: SchemaNode) -> None:
    """Take out keywords that are about the keys of properties, where a key gets another name."""
    if all(key == name for key, name in names_of(root).items()):
        return
    root.context.has_codecs = True
    _say_and_remove(root, _OF_KEYS & root.source.keys())


def _say_and_remove(root: SchemaNode, keywords: Collection[str]) -> None:
    for keyword in keywords:
        root.say(keyword)
    root.source = without_keys(root.source, *keywords)
    root.settle_sentences()
