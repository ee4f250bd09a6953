"""Alternatives: `oneOf` as `anyOf`, what stands beside them, null among them, and which of them a value means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from toolglot.fitting.codec import SAME, Branch, Branches, Codec, OrNull
from toolglot.fitting.nulls import nullable
from toolglot.fitting.scalars import fit_plain
from toolglot.schema import merge, words
from toolglot.schema.keywords import ASSERTIONS
from toolglot.schema.merge import with_rest
from toolglot.schema.validity import acceptor
from toolglot.schema.values import key as key_of

if TYPE_CHECKING:
    from toolglot.fitting.fit import Fitter

Fit = tuple[dict[str, Any], Codec]


def one_of(fitter: Fitter, node: dict[str, Any], at: str, sentences: list[str]) -> dict[str, Any]:
    branches = node["oneOf"]
    if are_disjoint(fitter, branches):
        fitter.note(at, "oneOf", "renamed", after="anyOf", note="no value fits two of the alternatives")
    else:
        fitter.note(at, "oneOf", "widened", after="anyOf", note="a value may fit several of the alternatives")
    rest = {key: value for key, value in node.items() if key != "oneOf"}
    if "anyOf" not in rest:
        return {**rest, "anyOf": branches}
    merged, left = merge.intersect({"anyOf": branches}, rest)
    for item in left:
        for keyword in item:
            fitter.say(item, keyword, at, sentences)
    return merged if isinstance(merged, dict) else {"not": {}}


def are_disjoint(fitter: Fitter, branches: Sequence[Any]) -> bool:
    """Whether no value provably fits two of the alternatives, so that "exactly one" and "at least one" are the same."""
    pairs = [(one, other) for index, one in enumerate(branches) for other in branches[:index]]
    return len(pairs) <= 1_000 and all(merge.disjoint(one, other, fitter.target) for one, other in pairs)


def fit_union(fitter: Fitter, node: dict[str, Any], at: str, seen: tuple[str, ...], sentences: list[str]) -> Fit:
    branches: list[Any] = node["anyOf"]
    about = {key: value for key, value in node.items() if key not in ASSERTIONS}
    base = {key: value for key, value in node.items() if key in ASSERTIONS and key != "anyOf"}
    # A list without `items` may not stand there, and several types would need an `allOf` around them.
    apart = isinstance(base.get("type"), list) or (fitter.rules.items and base.get("type") == "array")
    if base and (fitter.rules.strict or fitter.rules.any_of_alone or apart):
        for keyword in ("unevaluatedProperties", "unevaluatedItems"):
            if keyword in base:  # it looks at the alternatives too, and would close each of them against itself
                fitter.say(base, keyword, at, sentences)
                base = {key: value for key, value in base.items() if key != keyword}
        branches = [_combined(fitter, base, item) for item in branches]
        for keyword in base:
            fitter.note(at, keyword, "renamed", base[keyword], note="said in every alternative")
        base = {}
    branches = [item for item in branches if item is not False and item != {"not": {}}]
    fits = [(item, *fitter.node(item, f"{at}/anyOf/{index}", seen)) for index, item in enumerate(branches)]
    if not fits:
        return fitter.nothing(at), SAME
    codec = _codec_of(fitter, fits, at)
    given = [fitted for _, fitted, _ in fits]
    options = _distinct(given)
    if options != given or len(options) != len(node["anyOf"]) or len(options) == 1:
        fitter.note(
            at, "anyOf", "renamed", node["anyOf"], options, "alternatives that say the same, or nothing, are one"
        )
    out: dict[str, Any] = {}
    if base:
        out, inner = fitter.typed(base, at, seen, sentences)
        codec = inner if codec is SAME else codec
        out = {"allOf": [out]} if "anyOf" in out else out
    fit_plain(fitter, about, (), at, out, sentences)
    out = {**out, "anyOf": options}
    if len(options) == 1 and not base:
        return _single(fitter, options[0], out, about, sentences), codec
    if fitter.rules.any_of_alone and not base:
        return _alone(fitter, options, out, about, sentences, at), codec
    return fitter.told(out, about, sentences), codec


def _combined(fitter: Fitter, base: dict[str, Any], item: Any) -> Any:
    item = fitter.followed(item) if isinstance(item, dict) and "$ref" in item else item
    return with_rest(*merge.intersect(base, item))


def _single(
    fitter: Fitter, option: dict[str, Any], out: dict[str, Any], about: dict[str, Any], sentences: list[str]
) -> dict[str, Any]:
    outer = {key: value for key, value in out.items() if key != "anyOf"}
    if "$ref" in option:
        return fitter.told(out, about, sentences) if outer or about.get("description") or sentences else option
    text = words.append(_both(about.get("description"), option.get("description")), sentences)
    return {**option, **outer, **({"description": text} if text else {})}


def _both(outer: str | None, inner: str | None) -> str | None:
    return words.append(outer, [inner] if inner else [])


def _alone(
    fitter: Fitter,
    options: list[dict[str, Any]],
    out: dict[str, Any],
    about: dict[str, Any],
    sentences: list[str],
    at: str,
) -> dict[str, Any]:
    """Alternatives with nothing beside them: null goes into the type, the description into the alternatives."""
    beside = {key: value for key, value in out.items() if key != "anyOf"}
    others = [item for item in options if item != {"type": "null"}]
    if len(others) == 1 and len(options) == 2 and isinstance(others[0].get("type"), str):
        fitter.note(at, "anyOf", "renamed", note="null as one of the types")
        merged = {**nullable(others[0], fitter.rules), **beside}
        told = _both(about.get("description"), merged.get("description"))
        return fitter.told(merged, {"description": told}, sentences)
    for keyword in beside:
        fitter.say(about, keyword, at, sentences)
    text = words.append(about.get("description"), sentences) if sentences else about.get("description")
    if text:
        fitter.note(at, "description", "renamed", note="said in every alternative")
        options = [item if item == {"type": "null"} else _told_first(item, text) for item in options]
    return {"anyOf": options}


def _told_first(item: dict[str, Any], text: str) -> dict[str, Any]:
    return {**item, "description": _both(text, item.get("description"))}


def _codec_of(fitter: Fitter, fits: list[tuple[Any, dict[str, Any], Codec]], at: str) -> Codec:
    busy = [codec for _, _, codec in fits if codec is not SAME]
    if not busy:
        return SAME
    if len(fits) == 1:
        return busy[0]
    if len(fits) == 2 and any(fitted == {"type": "null"} for _, fitted, _ in fits):
        return OrNull(busy[0])
    pairs = [(one, other) for index, (_, one, _) in enumerate(fits) for _, other, _ in fits[:index]]
    lookup = fitter.fitted
    apart = len(pairs) <= 1_000 and all(merge.disjoint(*pair, lambda name: lookup.get(name, {})) for pair in pairs)
    if not apart:
        note = "a value that fits several alternatives is read as the first"
        fitter.note(at, "anyOf", "narrowed", note=note)
    return Branches(
        [
            Branch(acceptor(source, fitter.source), acceptor(fitted, fitter.fitted), codec)
            for source, fitted, codec in fits
        ],
        fitter.null_defaults,
    )


def _distinct(options: list[dict[str, Any]]) -> list[dict[str, Any]]:
    nested = (option["anyOf"] if option.keys() == {"anyOf"} else [option] for option in options)
    return list({key_of(item): item for several in nested for item in several}.values())
