"""Objects and arrays: what they hold, whether they are closed, and how maps and tuples travel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolglot.errors import FitError, escape
from toolglot.fitting.codec import SAME, Codec, Field, Items, Keys, Pairs, Text
from toolglot.fitting.names import allot
from toolglot.fitting.nulls import nullable
from toolglot.fitting.patterns import is_accepted
from toolglot.schema import merge, words
from toolglot.schema.merge import with_rest
from toolglot.schema.validity import acceptor
from toolglot.schema.values import key as key_of

if TYPE_CHECKING:
    from toolglot.fitting.fit import Fitter

_Out = dict[str, Any]


def fit_object(
    fitter: Fitter, node: _Out, at: str, seen: tuple[str, ...], out: _Out, sentences: list[str], root: bool
) -> tuple[_Out, Codec]:
    """The properties of a node, and what it says about the keys that it does not name."""
    rules = fitter.rules
    node = _declared(fitter, node, at)
    names = names_of(fitter, node, at, root)
    patterns_stay = _patterns_stay(fitter, node, names)
    if not patterns_stay:
        node = _with_patterns(node)
    rest = _rest(fitter, node, at, root) if rules.objects == "false" else None
    if rest is not None and not node.get("properties") and not root:
        return _pairs(fitter, node, rest, at, seen, out, sentences)
    fields: dict[str, Field] = {}
    properties: _Out = {}
    required: list[str] = node.get("required", [])
    for key, schema in node.get("properties", {}).items():
        here = f"{at}/properties/{escape(key)}"
        if schema is False or schema == {"not": {}}:
            if key in required:
                properties[names[key]], _ = fitter.node(False, here, seen)
            else:
                _never(fitter, here, node, rest)
            continue
        fitted, codec = fitter.node(schema, here, seen)
        optional = rules.all_required and key not in required
        null_is_default = optional and _defaults_to_null(schema)
        if null_is_default:
            fitter.null_defaults.add(key)
        if optional:
            fitted = _optional(fitter, schema, fitted, here)
        properties[names[key]] = fitted
        fields[names[key]] = Field(key, codec, optional, null_is_default)
    out = dict(out)
    listed = [names.get(key, key) for key in required]
    more: tuple[str, Codec] | None = None
    if rest is not None:
        name = _free("additional_properties", properties)
        properties[name], pairs = _pairs_schema(fitter, node, rest, at, seen)
        more = (name, pairs)
    if (
        properties
        or ("properties" in node and rules.empty_objects)
        or (rules.properties and out.get("type") is not None)
        or (root and rules.no_arguments)
    ):
        out["properties"] = properties
    if "properties" in out and "properties" not in node:
        fitter.note(at, "properties", "renamed", None, out["properties"], "no property is named")
    if node.get("properties") == {} and "properties" not in out:
        fitter.note(at, "properties", "renamed", {}, note="an object that names no property")
    if rules.all_required:
        out["required"] = list(properties)
        if any(field.null_is_absent for field in fields.values()):
            fitter.note(at, "required", "encoded", required, note="what need not be given is null")
    elif listed or (root and "properties" in out and rules.properties):
        out["required"] = listed
    others = _unknown_keys(fitter, node, at, seen, out, sentences, patterns_stay)
    _dependent(fitter, node, names, at, out, sentences)
    return out, _codec(fitter, fields, more, others, out, at)


def _codec(
    fitter: Fitter, fields: dict[str, Field], more: tuple[str, Codec] | None, others: Codec, out: _Out, at: str
) -> Codec:
    renamed = any(field.key != name for name, field in fields.items())
    plain = not renamed and not more and others is SAME
    if plain and all(field.codec is SAME and not field.null_is_absent for field in fields.values()):
        return SAME
    closed = out.get("additionalProperties") is False
    if renamed and not closed:
        fitter.note(at, "properties", "narrowed", note="no unknown key may have one of the new names")
    return Keys(fields, closed, more, others)


def _never(fitter: Fitter, at: str, node: _Out, rest: Any) -> None:
    closed = rest is None and (fitter.rules.objects == "false" or node.get("additionalProperties") is False)
    fitter.note(at, "", "renamed" if closed else "widened", False, note="a property that may not be given is left out")


def _optional(fitter: Fitter, source: Any, fitted: _Out, at: str) -> _Out:
    """What may be left out as what may be null; where null is a value of its own it can no longer be said.

    To send null on instead would clear what the model only meant to leave alone.
    """
    if accepts_null(fitter, source) and not _defaults_to_null(source):
        fitter.note(at, "", "narrowed", note="null means that nothing is given, so null itself cannot be")
    else:
        fitter.note(at, "", "encoded", note="null means that nothing is given")
    return nullable(fitted, fitter.rules)


def _defaults_to_null(schema: Any) -> bool:
    """Whether to give null and to give nothing is the same."""
    return isinstance(schema, dict) and "default" in schema and schema["default"] is None


def accepts_null(fitter: Fitter, schema: Any, depth: int = 0) -> bool:
    """Whether a schema of the source accepts null; yes where that is not easily seen."""
    if not isinstance(schema, dict) or depth > 20:
        return schema is not False
    kind = schema.get("type")
    if kind is not None and kind != "null" and not (isinstance(kind, list) and "null" in kind):
        return False
    if "enum" in schema and None not in schema["enum"]:
        return False
    if "const" in schema and schema["const"] is not None:
        return False
    if "$ref" in schema and not accepts_null(fitter, fitter.target(schema["$ref"]), depth + 1):
        return False
    if not all(accepts_null(fitter, item, depth + 1) for item in schema.get("allOf", ())):
        return False
    return all(
        any(accepts_null(fitter, item, depth + 1) for item in schema[keyword])
        for keyword in ("anyOf", "oneOf")
        if keyword in schema
    )


def _patterns_stay(fitter: Fitter, node: _Out, names: dict[str, str]) -> bool:
    """Whether `patternProperties` can stay: its patterns are understood, and match no key that has another name now."""
    return (
        fitter.allows("patternProperties", ("object",))
        and all(key == name for key, name in names.items())
        and all(is_accepted(pattern, fitter.rules.pattern) for pattern in node.get("patternProperties", ()))
    )


def _with_patterns(node: _Out) -> _Out:
    """The node whose named properties say what the patterns ask of them, where the patterns themselves cannot stay."""
    patterns = node.get("patternProperties")
    if not patterns or not node.get("properties"):
        return node
    properties = dict(node["properties"])
    for pattern, asked in patterns.items():
        matches = acceptor({"propertyNames": {"pattern": pattern}}, {})
        for key in [key for key in properties if matches({key: None})]:
            properties[key] = with_rest(*merge.intersect(properties[key], asked))
    return {**node, "properties": properties}


def _declared(fitter: Fitter, node: _Out, at: str) -> _Out:
    """The node with every required key among its properties; one that is not could not be given at all.

    Raises:
        FitError: in a strict mode, where an undeclared key could hold anything; to drop it from `required` would
            offer a tool that nobody can call.
    """
    properties = node.get("properties", {})
    missing = [key for key in node.get("required", []) if key not in properties]
    rules = fitter.rules
    if not missing or not (rules.declared or rules.all_required or rules.objects == "false"):
        return node
    if rules.strict:
        message = f"{', '.join(missing[:5])} is required and not among the properties"
        raise FitError(message, code="undeclared-required", pointer=at)
    fitter.note(at, "required", "renamed", node["required"], note=f"{', '.join(missing[:5])} declared as any value")
    return {**node, "properties": {**properties, **{key: {} for key in missing}}}


def names_of(fitter: Fitter, node: _Out, at: str, root: bool) -> dict[str, str]:
    rules = fitter.rules
    keys = list(node.get("properties", {}))
    if rules.key_first is None or not (root or rules.key_scope == "all"):
        return {key: key for key in keys}
    names = allot([(key, key) for key in keys], rules.key_first, rules.key_rest, rules.key_limit)
    for key, name in zip(keys, names, strict=True):
        if key != name:
            fitter.note(f"{at}/properties/{escape(key)}", "", "encoded", key, name, f"the key is sent as {name!r}")
    return dict(zip(keys, names, strict=True))


def _free(name: str, taken: _Out) -> str:
    while name in taken:
        name += "_"
    return name


# -- unknown keys ---------------------------------------------------------------------------------------------


def _rest(fitter: Fitter, node: _Out, at: str, root: bool) -> Any:
    """What keys that a closed provider does not know may hold, as a schema; `None` where there are none.

    Raises:
        FitError: anything, under any key; a closed object that says so would force the model to send nothing.
    """
    more = node.get("additionalProperties", node.get("unevaluatedProperties"))
    patterns = [schema for schema in node.get("patternProperties", {}).values() if schema is not False]
    if patterns:
        if more is None or more is True:
            fitter.note(at, "additionalProperties", "narrowed", more, False, "only keys of the patterns are accepted")
        members = [*patterns, *([more] if isinstance(more, dict) else [])]
        exact = len(node["patternProperties"]) == 1 and not isinstance(more, dict)
        fitter.note(at, "patternProperties", "encoded" if exact else "widened", node["patternProperties"])
        return members[0] if len(members) == 1 else {"anyOf": members}
    if more is False:
        return None
    if more is True or more == {}:
        raise FitError("the object accepts any key, which no closed object can say", "open-object", pointer=at)
    if more is None:
        if not node.get("properties") and not root:
            raise FitError("the object does not say what it holds", code="free-form-object", pointer=at)
        fitter.note(at, "additionalProperties", "narrowed", None, False, "keys that are not named are refused")
        return None
    fitter.note(at, "additionalProperties", "encoded", more, note="as a list of key/value pairs")
    return more


def _pairs_schema(fitter: Fitter, node: _Out, rest: Any, at: str, seen: tuple[str, ...]) -> tuple[_Out, Codec]:
    key: _Out = {"type": "string"}
    names = node.get("propertyNames")
    patterns = list(node.get("patternProperties", {}))
    if len(patterns) == 1 and not isinstance(node.get("additionalProperties"), dict):
        key["pattern"] = patterns[0]
    keys, _ = fitter.node({**key, **names} if isinstance(names, dict) else key, f"{at}/propertyNames", seen)
    value, codec = fitter.node(rest, f"{at}/additionalProperties", seen)
    pair: _Out = {"type": "object", "properties": {"key": keys, "value": value}, "required": ["key", "value"]}
    if fitter.rules.objects == "false":
        pair["additionalProperties"] = False
    return {"type": "array", "items": pair, "description": "A list of key/value pairs."}, Pairs(codec)


def _pairs(
    fitter: Fitter, node: _Out, rest: Any, at: str, seen: tuple[str, ...], out: _Out, sentences: list[str]
) -> tuple[_Out, Codec]:
    """A map as a list of pairs, in place of the object."""
    schema, codec = _pairs_schema(fitter, node, rest, at, seen)
    sentences.append("As a list of key/value pairs.")
    if "properties" in node:
        fitter.note(at, "properties", "renamed", node["properties"], note="no property is named")
    fitter.note(at, "type", "encoded", "object", "array", "a map as a list of key/value pairs")
    out = {
        **{key: value for key, value in out.items() if key not in _OF_MAPS},
        "type": "array",
        "items": schema["items"],
    }
    for keyword, listed in _OF_MAPS.items():
        if keyword not in node:
            continue
        accepted = fitter.allows(listed, ("array",)) and not (
            listed == "minItems" and (fitter.rules.most_min_items or node[keyword]) < node[keyword]
        )
        if accepted:
            out[listed] = node[keyword]
            fitter.note(at, keyword, "encoded", node[keyword], note=f"as {listed} of the list")
        elif not any(step[:2] == (at, keyword) for step in fitter.steps):
            fitter.say(node, keyword, at, sentences)
    if required := [key for key in node.get("required", []) if isinstance(key, str)]:
        fitter.note(at, "required", "widened", required, note="said in the description")
        sentences.append(f"Must have the keys {', '.join(required[:20])}.")
    if "dependentRequired" in node:
        fitter.say(node, "dependentRequired", at, sentences)
    return out, codec


_OF_MAPS = {"minProperties": "minItems", "maxProperties": "maxItems"}


def _unknown_keys(
    fitter: Fitter, node: _Out, at: str, seen: tuple[str, ...], out: _Out, sentences: list[str], patterns_stay: bool
) -> Codec:
    """What may stand under keys that are not named; the codec of the values there."""
    rules = fitter.rules
    others: Codec = SAME
    if rules.objects == "false":
        out["additionalProperties"] = False
        return others
    in_words = "patternProperties" in node and not patterns_stay
    for keyword in ("additionalProperties", "unevaluatedProperties"):
        if keyword not in node:
            continue
        more = node[keyword]
        if in_words and more not in (True, {}):
            fitter.note(
                at, keyword, "widened", more, note="keys of the patterns, which are said in words, stay possible"
            )
            continue
        if rules.objects == "absent" or not fitter.allows(keyword, ("object",)):
            if more is False:
                fitter.note(at, keyword, "widened", False, note="unknown keys are not ruled out")
            elif more in (True, {}):
                fitter.note(at, keyword, "renamed", more, note="what is not ruled out is accepted")
            else:
                fitter.say(node, keyword, at, sentences)
        elif isinstance(more, dict) and more:
            out[keyword], others = fitter.node(more, f"{at}/{keyword}", seen)
        else:
            out[keyword] = more if more is False or fitter.rules.typed == "no" else True
    if "patternProperties" in node:
        kept = None
        if patterns_stay:
            kept = fitter.inside("patternProperties", node["patternProperties"], at, more_is_more=True)
        if kept is not None:
            out["patternProperties"] = kept
        else:
            fitter.say(node, "patternProperties", at, sentences)
    return others


def _dependent(fitter: Fitter, node: _Out, names: dict[str, str], at: str, out: _Out, sentences: list[str]) -> None:
    if "dependentRequired" not in node:
        return
    if fitter.allows("dependentRequired", ("object",)):
        out["dependentRequired"] = {
            names.get(key, key): [names.get(item, item) for item in needed]
            for key, needed in node["dependentRequired"].items()
        }
    else:
        fitter.say(node, "dependentRequired", at, sentences)


# -- arrays ---------------------------------------------------------------------------------------------------


def fit_array(fitter: Fitter, node: _Out, at: str, seen: tuple[str, ...], out: _Out, sentences: list[str]) -> Codec:
    """The items of a node; a tuple stays one where the provider knows tuples, or where all its items are alike."""
    prefix = node.get("prefixItems", [])
    items = node.get("items", True)
    if prefix and not fitter.allows("prefixItems", ("array",)):
        items, prefix = _as_list(fitter, node, at, out, sentences), []
    first: list[Codec] = []
    if prefix:
        fits = [fitter.node(item, f"{at}/prefixItems/{index}", seen) for index, item in enumerate(prefix)]
        out["prefixItems"] = [fitted for fitted, _ in fits]
        first = [codec for _, codec in fits]
    if items is False or items == {"not": {}}:
        if prefix and fitter.allows("items", ("array",)) and fitter.rules.booleans:
            out["items"] = False
        else:
            _at_most(fitter, node, len(prefix), at, out, sentences)
            if fitter.rules.items:
                out["items"] = {"type": "string"} if fitter.rules.typed != "no" else {}
        codec: Codec = SAME
    elif items in (True, {}):
        codec = _any_items(fitter, node, at, out)
    else:
        out["items"], codec = fitter.node(items, f"{at}/items", seen)
    if codec is SAME and all(item is SAME for item in first):
        return SAME
    return Items(codec, tuple(first))


def _any_items(fitter: Fitter, node: _Out, at: str, out: _Out) -> Codec:
    rules = fitter.rules
    if rules.typed == "no":
        if rules.items or "items" in node:
            out["items"] = {}
            if node.get("items") != {}:
                fitter.note(at, "items", "renamed", node.get("items"), {}, "any item, said aloud")
        return SAME
    if rules.strict:
        raise FitError("an array whose items may be anything has no strict schema", "untyped-items", pointer=at)
    fitter.note(at, "items", "encoded", node.get("items"), note="each item as JSON text")
    out["items"] = {"type": "string", "description": "One item as JSON text."}
    return Text()


def _as_list(fitter: Fitter, node: _Out, at: str, out: _Out, sentences: list[str]) -> Any:
    """A tuple as a list: exact where every item has one schema, and otherwise wider, with the tuple in words."""
    prefix, items = node["prefixItems"], node.get("items", True)
    distinct = list({key_of(schema): schema for schema in prefix}.values())
    most = node.get("maxItems")
    ends = items is False or (isinstance(most, int) and most <= len(prefix))
    if len(distinct) == 1 and (ends or items == distinct[0]):
        fitter.note(at, "prefixItems", "renamed", prefix, note="every item has one schema")
        if items is False:
            _at_most(fitter, node, len(prefix), at, out, sentences)
        return distinct[0]
    fitter.say(node, "prefixItems", at, sentences)
    if ends:
        if items is False:
            _at_most(fitter, node, len(prefix), at, out, sentences)
    elif items in (True, {}):
        if fitter.rules.typed == "no":
            return items
        fitter.note(at, "prefixItems", "narrowed", prefix, note="items after the tuple are held to its schemas too")
    elif items not in distinct:
        distinct.append(items)
    return {"anyOf": distinct} if len(distinct) > 1 else distinct[0]


def _at_most(fitter: Fitter, node: _Out, count: int, at: str, out: _Out, sentences: list[str]) -> None:
    count = min(count, node.get("maxItems", count))
    if fitter.allows("maxItems", ("array",)):
        fitter.note(at, "items", "renamed", node.get("items"), note=f"maxItems {count}")
        out["maxItems"] = count
    else:
        fitter.note(at, "items", "widened", node.get("items"), note="said in the description")
        if sentence := words.describe("maxItems", count, {}):
            sentences.append(sentence)
