"""The root of a schema: an object, without what providers refuse there whether strict or not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolglot.errors import FitError
from toolglot.fitting.alternatives import are_disjoint
from toolglot.fitting.containers import names_of
from toolglot.schema import merge, words

if TYPE_CHECKING:
    from toolglot.fitting.fit import Fitter

_MAX_STEPS = 100  # references and combinators that are followed one after another
_OF_KEYS = frozenset({"if", "then", "else", "dependentSchemas", "propertyNames", "allOf", "not"})


def as_root(fitter: Fitter) -> dict[str, Any]:
    """The source's root, made ready to be fitted like any other node.

    Raises:
        FitError: it does not describe an object.
    """
    node = _as_object(fitter, {key: value for key, value in fitter.source.items() if key != "$defs"})
    if not fitter.rules.root_combinators:
        node = _flatten(fitter, node)
    return _without_old_names(fitter, node)


def _as_object(fitter: Fitter, node: dict[str, Any]) -> dict[str, Any]:
    """The root as an object: arguments are always one, so that a missing type says nothing else."""
    for _ in range(_MAX_STEPS):
        if "$ref" not in node or node["$ref"] == "#":
            break
        node = fitter.followed(node)
        fitter.note("", "$ref", "renamed", note="the root itself holds the schema")
    kind = node.get("type", "object")
    if kind != "object" and not (isinstance(kind, list) and "object" in kind):
        message = f"the arguments of a tool are an object, and the schema describes {kind}"
        raise FitError(message, code="root-not-object")
    if node.get("type") != "object":
        fitter.note("", "type", "renamed", node.get("type"), "object", "arguments are always an object")
    return {**node, "type": "object"}


def _flatten(fitter: Fitter, node: dict[str, Any]) -> dict[str, Any]:
    """The root without combinators, which providers refuse there whether strict or not."""
    for _ in range(_MAX_STEPS):
        if not any(keyword in node for keyword in ("allOf", "anyOf", "oneOf")):
            break
        node = _without_one_combinator(fitter, node)
    sentences: list[str] = []
    for keyword in ("not", "enum", "const"):
        if keyword in node:
            fitter.say(node, keyword, "", sentences)
    node = {key: value for key, value in node.items() if key not in ("not", "enum", "const")}
    if sentences:
        node["description"] = words.append(node.get("description"), sentences)
    return node


def _without_one_combinator(fitter: Fitter, node: dict[str, Any]) -> dict[str, Any]:
    sentences: list[str] = []
    if "allOf" in node:
        node = fitter.merged(node, "", sentences)
    else:
        keyword = "oneOf" if "oneOf" in node else "anyOf"
        branches = [_branch(fitter, item, sentences) for item in node[keyword]]
        base = {key: value for key, value in node.items() if key != keyword}
        possible = [item for item in branches if item is not None]
        flat, sentence = merge.union_of_objects(possible, base, keyword == "oneOf")
        exact = not sentence and (keyword == "anyOf" or are_disjoint(fitter, possible))
        fitter.note("", keyword, "renamed" if exact else "widened", node[keyword], note=sentence or "")
        sentences += [sentence] if sentence else []
        if _names_less(possible, base):
            note = "an alternative that does not name a property accepts anything there; here it is held to the others"
            fitter.note("", keyword, "narrowed", node[keyword], note=note)
        for key, value in base.items():
            if key != "description" and flat.get(key) != value:
                fitter.note("", key, "renamed", value, flat.get(key), "said together with the alternatives")
        node = {**flat, "type": "object"}
    if sentences:
        node["description"] = words.append(node.get("description"), sentences)
    return node


def _names_less(branches: list[dict[str, Any]], base: dict[str, Any]) -> bool:
    """Whether an open alternative leaves out a property that another one names."""
    named = {key for branch in branches for key in branch.get("properties", {})} - base.get("properties", {}).keys()
    return any(
        branch.get("additionalProperties") is not False and named - branch.get("properties", {}).keys()
        for branch in branches
    )


def _branch(fitter: Fitter, item: Any, sentences: list[str]) -> dict[str, Any] | None:
    """An alternative of the root as an object schema of its own; `None` if it is never an object."""
    for _ in range(_MAX_STEPS):
        if isinstance(item, dict) and "$ref" in item:
            item = fitter.followed(item)
        elif isinstance(item, dict) and "allOf" in item:
            item = fitter.merged(item, "", sentences)
        else:
            break
    if not isinstance(item, dict):
        return {} if item is True else None
    kind = item.get("type", "object")
    return item if kind == "object" or (isinstance(kind, list) and "object" in kind) else None


def _without_old_names(fitter: Fitter, node: dict[str, Any]) -> dict[str, Any]:
    """The root without keywords that speak of property keys which get another name."""
    names = names_of(fitter, node, "", True)
    if all(key == name for key, name in names.items()):
        return node
    fitter.coded = True
    sentences: list[str] = []
    for keyword in _OF_KEYS & node.keys():
        fitter.say(node, keyword, "", sentences)
    node = {key: value for key, value in node.items() if key not in _OF_KEYS}
    return {**node, "description": words.append(node.get("description"), sentences)} if sentences else node
