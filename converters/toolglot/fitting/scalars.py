"""The keywords of a node that hold no other schema: types, members, bounds, patterns, annotations."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from toolglot.errors import unescape
from toolglot.fitting.patterns import is_accepted
from toolglot.schema import words
from toolglot.schema.json_types import has_type, type_of
from toolglot.schema.keywords import ANNOTATIONS, APPLICATORS, APPLIES, OF_A_TYPE, TYPES
from toolglot.schema.values import are_equal

if TYPE_CHECKING:
    from toolglot.fitting.fit import Fitter

# Handled by `fit`, by `fit_members`, or with the properties of an object.
_ELSEWHERE = frozenset({
    "type", "description", "enum", "const", "anyOf", "$ref", "$defs", "allOf", "required", "dependentRequired",
})  # fmt: skip


def types_of(fitter: Fitter, node: dict[str, Any], at: str) -> tuple[str, ...]:
    """The types of a node: those that it names, those of its members, or those that its keywords are about.

    Keywords without a type accept everything else too; where the provider wants a type, that is narrowed.
    """
    stated = node.get("type")
    if isinstance(stated, str):
        return (stated,)
    if isinstance(stated, list):
        return tuple(kind for kind in stated if not (kind == "integer" and "number" in stated))
    if fitter.rules.typed == "no" and all(fitter.allows(keyword) for keyword in OF_A_TYPE & node.keys()):
        return ()
    if "enum" in node or "const" in node:
        found = {type_of(value) for value in node.get("enum", [node.get("const")])}
        return tuple(kind for kind in TYPES if kind in found and not (kind == "integer" and "number" in found))
    implied = [kind for kind in ("object", "array", "string", "number") if APPLIES[kind] & node.keys()]
    if len(implied) != 1:
        return ()
    fitter.note(at, "type", "narrowed", None, implied[0], "implied by the other keywords")
    return (implied[0],)


def of_type(node: dict[str, Any], kind: str) -> dict[str, Any]:
    """A node of several types cut down to one of them."""
    about = ANNOTATIONS - {"format"}
    others = OF_A_TYPE - APPLIES[kind]
    part = {key: value for key, value in node.items() if key not in about and key not in others and key != "type"}
    if kind not in ("string", "integer", "number"):
        part.pop("format", None)
    return {"type": kind, **part}


def fit_plain(
    fitter: Fitter, node: dict[str, Any], types: tuple[str, ...], at: str, out: dict[str, Any], sentences: list[str]
) -> None:
    """Copy what the rules allow into `out`; the rest is rewritten, said, or noted."""
    # Plain bounds first: an exclusive one may tighten them.
    plain_first = node.items() if _BOUNDS.keys().isdisjoint(node) else sorted(node.items(), key=_is_bound)
    for keyword, value in plain_first:
        if types and keyword in OF_A_TYPE and not any(keyword in APPLIES[kind] for kind in types):
            note = f"it says nothing about a value of type {' or '.join(types)}"
            fitter.note(at, keyword, "renamed", value, note=note)
        elif keyword in _ELSEWHERE or (keyword in APPLICATORS and keyword not in _SAID):
            continue
        elif fitter.allows(keyword, types) and _accepts(fitter, keyword, value, types):
            kept = fitter.inside(keyword, value, at) if keyword in APPLICATORS else value
            if kept is None:
                fitter.say(node, keyword, at, sentences)
            else:
                out[keyword] = kept
        elif keyword in _BOUNDS:
            _bound(fitter, node, keyword, types, at, out, sentences)
        elif keyword in ("minContains", "maxContains", "then", "else") and ("contains" in node or "if" in node):
            fitter.note(at, keyword, "widened", value, note="said in the description with the keyword before it")
        elif keyword == "title" and not fitter.allows("title"):
            _title(fitter, node, at, sentences)
        else:
            fitter.say(node, keyword, at, sentences)


# Keywords that hold schemas and are said in words where they are not allowed; where they are, they stay as they are.
_SAID = frozenset({"not", "if", "then", "else", "oneOf", "contains", "propertyNames", "dependentSchemas",
                   "unevaluatedItems", "contentSchema"})  # fmt: skip


def _title(fitter: Fitter, node: dict[str, Any], at: str, sentences: list[str]) -> None:
    title = node["title"]
    key = unescape(at.rpartition("/")[2])
    plain = re.sub("[^a-z0-9]", "", str(title).lower())
    known = str(node.get("description", "")).lower()
    if plain == re.sub("[^a-z0-9]", "", key.lower()) or str(title).lower() in known:
        fitter.note(at, "title", "renamed", title, note="the key or the description says it")
    elif isinstance(title, str) and title.strip():
        sentences.insert(0, f"{title.strip().rstrip('.')}.")
        fitter.note(at, "title", "described", title)


def _accepts(fitter: Fitter, keyword: str, value: Any, types: tuple[str, ...]) -> bool:
    rules = fitter.rules
    if keyword == "format" and rules.formats is not None:
        return any(value in rules.formats.get(kind, ()) for kind in types)
    if keyword == "pattern":
        return isinstance(value, str) and is_accepted(value, rules.pattern)
    if keyword == "minItems" and rules.most_min_items is not None:
        return bool(value <= rules.most_min_items)
    return True


def _is_bound(item: tuple[str, Any]) -> bool:
    return item[0] in _BOUNDS


_BOUNDS = {"exclusiveMinimum": ("minimum", 1), "exclusiveMaximum": ("maximum", -1)}


def _bound(
    fitter: Fitter, node: dict[str, Any], keyword: str, types: tuple[str, ...], at: str, out: dict[str, Any],
    sentences: list[str],
) -> None:  # fmt: skip
    """An exclusive bound as an inclusive one: exact for integers, one value too many for other numbers."""
    value = node[keyword]
    other, step = _BOUNDS[keyword]
    if not fitter.allows(other, types):
        fitter.say(node, keyword, at, sentences)
        return
    whole = types == ("integer",) or types == ("integer", "null") or types == ("null", "integer")
    bound = _next_integer(value, step) if whole else value
    tightest = max if step > 0 else min
    out[other] = tightest(bound, out.get(other, bound))
    if whole:
        fitter.note(at, keyword, "renamed", value, note=f"{other} {bound} says the same of integers")
    else:
        fitter.say(node, keyword, at, sentences)


def _next_integer(value: float, step: int) -> int:
    floor = value // 1
    if step > 0:
        return int(floor) + 1
    return int(floor) - 1 if floor == value else int(floor)


# -- members --------------------------------------------------------------------------------------------------


def fit_members(
    fitter: Fitter, node: dict[str, Any], types: tuple[str, ...], at: str, out: dict[str, Any], sentences: list[str]
) -> dict[str, Any] | None:
    """`enum` and `const`; a node to fit in place of this one, where only alternatives can say it."""
    if "const" in node and "enum" not in node:
        if fitter.allows("const", types) and _is_member(fitter, node["const"], types):
            out["const"] = node["const"]
            return None
        members = [node["const"]]
        if type_of(node["const"]) not in ("array", "object"):
            out.setdefault("type", type_of(node["const"]))
        fitter.note(at, "const", "renamed", node["const"], note="an `enum` of one value")
    elif "enum" in node:
        members = [value for value in node["enum"] if "type" not in node or has_type(value, types)]
        if "const" in node:
            members = [value for value in members if are_equal(value, node["const"])]
            fitter.note(at, "const", "renamed", node["const"], note="the only value that `enum` keeps")
        if 0 < len(members) < len(node["enum"]):
            fitter.note(at, "enum", "renamed", node["enum"], members, "the others were not of the type")
    else:
        return None
    if not members:  # values for the items, say, that stand with their array: to accept nothing helps nobody
        for keyword in ("enum", "const"):
            if keyword in node:
                fitter.say(node, keyword, at, sentences)
        return None
    return _fit_enum(fitter, {**node, "enum": members}, members, types, at, out, sentences)


def _fit_enum(
    fitter: Fitter, node: dict[str, Any], members: list[Any], types: tuple[str, ...], at: str, out: dict[str, Any],
    sentences: list[str],
) -> dict[str, Any] | None:  # fmt: skip
    rules = fitter.rules
    kinds = {type_of(value) for value in members}
    if "null" in kinds and "null" not in rules.enum_types:
        if kinds == {"null"}:
            out["type"] = "null"
            fitter.note(at, "enum", "renamed", members, note="null is a type of its own")
            return None
        if not types and len(kinds) == 2 and rules.type_lists != "none":
            types = tuple(sorted(kinds, key=lambda kind: kind == "null"))
            out["type"] = list(types)
            fitter.note(at, "type", "renamed", None, list(types), "the values of `enum` are of these types")
    if "" in members and not rules.empty_enum_text and rules.typed == "type":
        others = [value for value in members if value != ""]
        rest = [{"type": list(kinds), "enum": others}] if others else []
        return _as_alternatives(fitter, node, at, [*rest, {"type": "string", "maxLength": 0}])
    if rules.typed == "type" and len(kinds - {"null"}) > 1 and rules.type_lists != "any":
        parts = [[value for value in members if type_of(value) == kind] for kind in sorted(kinds)]
        return _as_alternatives(fitter, node, at, [{"type": type_of(part[0]), "enum": part} for part in parts])
    if fitter.allows("enum", types) and all(_is_member(fitter, value, types) for value in members):
        out["enum"] = members
        if not rules.enum_beside_type_list and isinstance(out.get("type"), list):
            del out["type"]
            fitter.note(at, "type", "renamed", node.get("type"), note="the values of `enum` are of these types")
    else:
        fitter.note(at, "enum", "widened", members, note="said in the description")
        if sentence := words.describe("enum", members, node):
            sentences.append(sentence)
        numbers = [value for value in members if type_of(value) in ("integer", "number")]
        if numbers and len(numbers) == len([value for value in members if value is not None]):
            bounds = {"minimum": min(numbers), "maximum": max(numbers)}
            out.update({keyword: bound for keyword, bound in bounds.items() if fitter.allows(keyword, types)})
    return None


def _as_alternatives(fitter: Fitter, node: dict[str, Any], at: str, parts: list[dict[str, Any]]) -> dict[str, Any]:
    """A node whose values are of several kinds as one alternative a kind; each says what else the node says."""
    else_said = {
        key: value for key, value in node.items() if key not in ANNOTATIONS and key not in ("type", "enum", "const")
    }
    for keyword in node.keys() - ANNOTATIONS:
        fitter.note(at, keyword, "renamed", node[keyword], note="one alternative a kind of value")
    about = {key: value for key, value in node.items() if key in ANNOTATIONS}
    return {**about, "anyOf": [{**else_said, **part} for part in parts]}


def _is_member(fitter: Fitter, value: Any, types: tuple[str, ...]) -> bool:
    kind = type_of(value)
    if kind == "null" and "null" in types:
        return True
    return kind in fitter.rules.enum_types or (kind == "integer" and "number" in fitter.rules.enum_types)
