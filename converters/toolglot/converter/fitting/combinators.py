"""`anyOf` and `oneOf`: alternatives, and which of them a value means. `allOf`: members, merged into the node."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from toolglot.converter.fitting.argument_codec import SAME, Branch, Branches, Codec, OrNull, Text
from toolglot.converter.fitting.other_keywords import fit_other_keywords
from toolglot.converter.fitting.schema_node import Fit, SchemaNode, fit_as_text
from toolglot.converter.fitting.types import make_nullable
from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.schema import intersection, keyword_sentences
from toolglot.converter.schema.intersection import with_rest
from toolglot.converter.schema.json_values import stated_types, unique
from toolglot.converter.schema.keywords import ANNOTATIONS, ASSERTIONS, accepts_nothing, expand_boolean_schema
from toolglot.converter.schema.validators import make_acceptor
from toolglot.converter.text.pointers import as_mapping, only_keys, without_keys
from toolglot.errors import FitError

_NULL: JsonSchema = {"type": "null"}
_MAX_MEMBERS = 20  # references that lead from one `allOf` to the next


class _FittedBranch(NamedTuple):
    """One alternative: in the source, fitted, and the codec between the two."""

    source: Any
    fitted: JsonSchema
    codec: Codec


# -- `oneOf` and `anyOf` ----------------------------------------------------------------------------------------------


def fold_one_of(node: SchemaNode) -> None:
    """Rewrite `oneOf` as `anyOf`."""
    if "anyOf" in node.source:
        node.say("oneOf")
        node.source = without_keys(node.source, "oneOf")
        return
    branches = node.source["oneOf"]
    if node.context.proofs.are_disjoint(branches):
        node.note("oneOf", "renamed", after="anyOf", note="no value fits two of the alternatives")
    else:
        node.note("oneOf", "widened", after="anyOf", note="a value may fit several of the alternatives")
    node.source = {**without_keys(node.source, "oneOf"), "anyOf": branches}


def fit_union(node: SchemaNode) -> Fit:
    """Fit `anyOf` and the keywords beside it."""
    branches: list[Any] = node.source["anyOf"]
    about = without_keys(node.source, *ASSERTIONS)
    base = only_keys(node.source, ASSERTIONS - {"anyOf"})
    if base and _has_to_stand_alone(node, base):
        branches, base = _with_base(node, base, branches), {}
    fits = _fit_branches(node, branches, stated_types(base))
    if not fits:
        return node.context.fit_never(node.pointer, node.source), SAME
    fits = _as_one_text(node, fits)
    codec = _codec_of(node, fits)
    fitted_branches = [fit.fitted for fit in fits]
    options = unique(_flatten(fitted_branches))
    if options != fitted_branches or len(options) != len(node.source["anyOf"]) or len(options) == 1:
        note = "alternatives that say the same, or nothing, are one"
        node.note("anyOf", "renamed", node.source["anyOf"], options, note)
    union = node.part(about)
    if base:
        base_schema, base_codec = node.context.fit_typed(node.part(base))
        if "anyOf" in base_schema:
            union.out = {"allOf": [base_schema]}
        else:
            union.out = dict(base_schema)
        if codec is SAME:
            codec = base_codec
    fit_other_keywords(union)
    if not base and len(options) == 1:
        return _fit_single(union, options[0]), codec
    if not base and node.rules.any_of_alone:
        return _fit_alone(union, options), codec
    union.out = {**union.out, "anyOf": options}
    return union.with_description(), codec


def _fit_branches(node: SchemaNode, branches: Iterable[Any], types: tuple[str, ...]) -> list[_FittedBranch]:
    """The fitted alternatives, without those that accept no value."""
    possible = [branch for branch in branches if not accepts_nothing(branch)]
    return [
        _FittedBranch(branch, *node.fit_inner(branch, f"/anyOf/{index}", types))
        for index, branch in enumerate(possible)
    ]


def _as_one_text(node: SchemaNode, fits: list[_FittedBranch]) -> list[_FittedBranch]:
    """The alternatives; those that could not be told apart are one JSON text, as a text and a number are for `3`."""
    asking = [fit for fit in fits if fit.codec.asks_for_text]
    alike: list[_FittedBranch] = []
    others: list[_FittedBranch] = []
    for fit in fits:
        rivals = fits if fit.codec.asks_for_text else asking
        is_alike = any(_are_alike(node, fit, rival) for rival in rivals if rival is not fit)
        (alike if is_alike else others).append(fit)
    if not alike:
        return fits
    union: JsonSchema = {"anyOf": [fit.source for fit in alike]}
    if not any(source is True or ASSERTIONS.isdisjoint(source) for source in union["anyOf"]):
        node.note("anyOf", "widened", union["anyOf"], note="nothing holds the text to the alternatives")
    descriptions = [as_mapping(source).get("description") for source in union["anyOf"]]
    about = {"description": keyword_sentences.append(None, filter(None, descriptions))}
    accepts = make_acceptor(union, node.context.units)
    return [_FittedBranch(union, *fit_as_text(node.part(about), keyword_sentences.shape(union), accepts)), *others]


def _are_alike(node: SchemaNode, one: _FittedBranch, other: _FittedBranch) -> bool:
    """Whether the JSON text that stands for a value of one alternative could also be a plain value of the other."""
    if isinstance(one.codec, Text) and isinstance(other.codec, Text):
        return False
    return bool(node.context.fitted_proofs.overlap(one.fitted, other.fitted) - {"object"})


def _has_to_stand_alone(node: SchemaNode, base: JsonSchema) -> bool:
    """Whether the keywords beside `anyOf` have to be repeated in every alternative."""
    rules = node.rules
    if rules.strict or rules.any_of_alone:
        return True
    # Several types would need an `allOf` around them, and a list without `items` may not stand there.
    if "type" not in base:
        return not node.context.allows("allOf")
    return isinstance(base["type"], list) or (rules.items and base["type"] == "array")


def _with_base(node: SchemaNode, base: JsonSchema, branches: list[Any]) -> list[Any]:
    """The alternatives, each merged with the keywords beside `anyOf`."""
    for keyword, value in base.items():
        node.note(keyword, "renamed", value, note="said in every alternative")
    branches_with_base: list[Any] = []
    for index, branch in enumerate(branches):
        branch_schema = node.context.follow_if_reference(branch)
        whole = with_rest(*intersection.intersect(base, branch_schema))
        if isinstance(branch, dict):
            node.note_merged(branch, whole, f"/anyOf/{index}")
        branches_with_base.append(whole)
    return branches_with_base


def _flatten(options: list[JsonSchema]) -> Iterator[JsonSchema]:
    """The alternatives; one that has nothing but `anyOf` is replaced by its own alternatives."""
    for option in options:
        if option.keys() == {"anyOf"}:
            yield from option["anyOf"]
        else:
            yield option


def _fit_single(union: SchemaNode, option: JsonSchema) -> JsonSchema:
    """The only alternative, with the texts beside the union."""
    text = union.source.get("description")
    if "$ref" in option:
        if not union.out and not text and not union.sentences:
            return option
        union.out = {**union.out, "anyOf": [option]}
        return union.with_description()
    text = keyword_sentences.append(_join_texts(text, option.get("description")), union.sentences)
    single = {**option, **union.out}
    if text:
        single["description"] = text
    return single


def _join_texts(outer: str | None, inner: str | None) -> str | None:
    return keyword_sentences.append(outer, [inner] if inner else [])


def _fit_alone(union: SchemaNode, options: list[JsonSchema]) -> JsonSchema:
    """Alternatives for a provider that allows nothing beside `anyOf`: the description moves into each of them."""
    others = [option for option in options if option != _NULL]
    takes_null = 0 < len(others) < len(options) and all(isinstance(option.get("type"), str) for option in others)
    if takes_null:
        union.note("anyOf", "renamed", note="null as one of the types")
        options = [make_nullable(option, union.rules) for option in others]
        if len(options) == 1:
            return _fit_single(union, options[0])
    for keyword in union.out:
        union.say(keyword)
    text = union.description()
    if not text:
        return {"anyOf": options}
    union.note("description", "renamed", note="said in every alternative")
    described: list[JsonSchema] = []
    for option in options:
        texts = {} if option == _NULL else {"description": _join_texts(text, option.get("description"))}
        described.append({**option, **texts})
    return {"anyOf": described}


def _codec_of(node: SchemaNode, fits: list[_FittedBranch]) -> Codec:
    context = node.context
    codecs = [fit.codec for fit in fits if fit.codec is not SAME]
    if not codecs:
        return SAME
    fitted_branches = [fit.fitted for fit in fits]
    if len(fits) == 1:
        return codecs[0]
    if len(fits) == 2 and _NULL in fitted_branches:
        return OrNull(codecs[0])
    if not context.fitted_proofs.are_disjoint(fitted_branches):
        node.note("anyOf", "narrowed", note="a value that fits several alternatives is read as the first")
    branches = [
        Branch(make_acceptor(fit.source, context.units), make_acceptor(fit.fitted, context.fitted), fit.codec)
        for fit in fits
    ]
    return Branches(branches, context.null_defaults)


# -- `allOf` ----------------------------------------------------------------------------------------------------------


def fold_all_of(node: SchemaNode) -> None:
    """Merge the members of `allOf` into the node. If each were closed by itself, nothing would be accepted."""
    reference = _only_reference(node.source)
    if reference is not None:
        node.note("allOf", "renamed", node.source["allOf"], reference, "nothing but a reference with texts around it")
        node.source = reference
        return
    if _keep_endless(node):
        return
    schema, leftover = _merge_members(node)
    if not isinstance(schema, dict):
        node.source = expand_boolean_schema(schema)
        return
    if "allOf" in schema:
        node.say("allOf", schema)
    for keyword, value in node.source.items():
        if keyword == "allOf" or schema.get(keyword) != value:
            node.note(keyword, "renamed", value, schema.get(keyword), "merged with what `allOf` says")
    node.source = without_keys(schema, "allOf")
    for rest in leftover:
        for keyword in rest:
            node.say(keyword, rest)


def _merge_members(node: SchemaNode) -> tuple[Any, list[JsonSchema]]:
    """The schema of the node merged with its members, following references, and the members that cannot be merged."""
    schema: Any = node.source
    leftover: list[JsonSchema] = []
    for _ in range(_MAX_MEMBERS):  # a member that is followed may have members too, and they may lead back here
        followed = map(node.context.follow_if_reference, schema["allOf"])
        members = {id(member): member for member in followed}  # each once: twice on 20 levels is a million times
        schema, more = intersection.merge_all_of({**schema, "allOf": list(members.values())})
        leftover += more
        if not isinstance(schema, dict) or "allOf" not in schema:
            break
    return schema, leftover


def _keep_endless(node: SchemaNode) -> bool:
    """Keep a member as a reference if it leads back to a schema around it; the rest of the node becomes words.

    If it were merged, each level would make a new schema, for ever.

    Returns:
        Whether there is such a member.

    Raises:
        FitError: the mode is strict, where words do not count.
    """
    references = [member.get("$ref") for member in node.source["allOf"] if isinstance(member, dict)]
    cycles = [reference for reference in references if reference in node.context.cycles]
    endless = next((reference for reference in cycles if reference in node.references_above), None)
    if endless is None:
        node.references_above = (*node.references_above, *cycles)
        return False
    if node.rules.strict:
        message = "the schema contains itself inside an `allOf` that says more, and the two cannot be merged"
        raise FitError(message, "recursive-schema", node.pointer)
    for keyword in sorted(ASSERTIONS & node.source.keys()):
        node.say(keyword)
    texts = only_keys(node.source, ANNOTATIONS)
    node.source = {"$ref": endless, **texts}
    node.settle_sentences()
    return True


def _only_reference(source: JsonSchema) -> JsonSchema | None:
    """The reference in an `allOf` that has nothing else, with the texts around it; `None` where there is more.

    OpenAPI 3.0 describes a reference in this way. It is not followed, because it may lead back to itself.
    """
    texts = without_keys(source, "allOf")
    references: list[JsonSchema] = []
    for member in source["allOf"]:
        if not isinstance(member, dict):
            return None
        if "$ref" in member:
            references.append(member)
        else:
            texts = {**member, **texts}
    if len(references) != 1 or not ANNOTATIONS.issuperset(texts):
        return None
    return {**references[0], **texts}
