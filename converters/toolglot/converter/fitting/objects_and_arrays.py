"""Objects and arrays: their members, whether objects are closed, and how maps and tuples are sent."""

from __future__ import annotations

from typing import Any

from toolglot.converter.fitting.argument_codec import SAME, Codec, Field, Items, Keys, Pairs, Text
from toolglot.converter.fitting.provider_names import allot
from toolglot.converter.fitting.schema_node import SchemaNode
from toolglot.converter.fitting.types import make_nullable
from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.schema import keyword_sentences
from toolglot.converter.schema.json_values import unique
from toolglot.converter.schema.keywords import accepts_anything, accepts_nothing
from toolglot.converter.text.pointers import NOTHING, as_mapping, mapping_at, pointer_below, without_keys
from toolglot.converter.text.wording import with_original_name
from toolglot.errors import FitError


def fit_object(node: SchemaNode) -> Codec:
    """Fit the properties of an object, and its rules for other keys."""
    _declare_required(node)
    names = names_of(node)
    if "patternProperties" in node.out and any(key != name for key, name in names.items()):
        del node.out["patternProperties"]  # a pattern could match the new name of a key
        node.say("patternProperties")
    rest: Any = None
    if node.rules.objects == "false":
        rest = _schema_of_rest(node)
    if rest is not None and not node.source.get("properties") and not node.is_root:
        return _fit_as_pairs(node, rest)
    fields, properties = _fit_properties(node, names)
    rest_field: tuple[str, Codec] | None = None
    if rest is not None:
        name = "additional_properties"
        while name in properties:
            name += "_"
        properties[name], pairs = _pairs_schema(node, rest)
        rest_field = (name, pairs)
    _write_properties(node, properties)
    _write_required(node, names, fields, properties)
    others = _fit_unknown_keys(node)
    _fit_order(node, names, properties)
    return _codec_of(node, fields, rest_field, others)


def _fit_properties(node: SchemaNode, names: dict[str, str]) -> tuple[dict[str, Field], dict[str, JsonSchema]]:
    """The fields of the codec and the fitted properties, both under their new names."""
    fields: dict[str, Field] = {}
    properties: dict[str, JsonSchema] = {}
    required = frozenset(node.source.get("required", ()))  # schemas have thousands
    for key, schema in node.source.get("properties", {}).items():
        token = pointer_below("/properties", key)
        name = names[key]
        if accepts_nothing(schema) and key not in required:
            node.note("", "widened", False, note="a property that may not be given is left out", inner=token)
            continue
        fitted_schema, codec = node.fit_inner(schema, token)
        null_is_absent = node.rules.all_required and key not in required
        null_is_default = null_is_absent and as_mapping(schema).get("default", NOTHING) is None
        if null_is_default:  # to give null and to give nothing is the same
            node.context.null_defaults.add(key)
        if null_is_absent:
            _note_optional(node, schema, token, null_is_default)
            fitted_schema = make_nullable(fitted_schema, node.rules)
        properties[name] = fitted_schema
        fields[name] = Field(key, codec, null_is_absent, null_is_default)
    return fields, properties


def _write_properties(node: SchemaNode, properties: dict[str, JsonSchema]) -> None:
    source = node.source
    if properties or _needs_properties(node):
        node.out["properties"] = properties
        if "properties" not in source:
            node.note("properties", "renamed", None, properties, "no property is named")
    elif "properties" in source:
        node.note("properties", "renamed", source["properties"], note="no property may be given")


def _needs_properties(node: SchemaNode) -> bool:
    """Whether the provider wants `properties` even where there are none."""
    rules = node.rules
    if node.is_root and rules.no_arguments:
        return True
    if "properties" in node.source and rules.empty_objects:
        return True
    return rules.properties and node.out.get("type") is not None


def _write_required(
    node: SchemaNode, names: dict[str, str], fields: dict[str, Field], properties: dict[str, JsonSchema]
) -> None:
    rules = node.rules
    required: list[str] = node.source.get("required", [])
    if rules.all_required:
        node.out["required"] = list(properties)
        if any(field.null_is_absent for field in fields.values()):
            node.note("required", "encoded", required, note="what need not be given is null")
    elif required or (node.is_root and "properties" in node.out and rules.properties):
        new_required = [names.get(key, key) for key in required]
        node.out["required"] = new_required
        if new_required != required:
            node.note("required", "encoded", required, new_required, "under the names that the keys are sent under")


def _codec_of(node: SchemaNode, fields: dict[str, Field], rest_field: tuple[str, Codec] | None, others: Codec) -> Codec:
    if rest_field is None and others is SAME and all(field == Field(name) for name, field in fields.items()):
        return SAME
    is_closed = node.out.get("additionalProperties") is False and "patternProperties" not in node.out
    if not is_closed and any(field.key != name for name, field in fields.items()):
        node.note("properties", "narrowed", note="no unknown key may have one of the new names")
    return Keys(fields, is_closed, rest_field, others)


def _note_optional(node: SchemaNode, schema: Any, token: str, null_is_default: bool) -> None:
    """Note that an optional property is sent as null where it is not given; a null of its own can no longer be sent.

    If null were passed on to the tool, it might clear a value that the model only meant to leave alone.
    """
    if node.context.proofs.is_disjoint(schema, {"type": "null"}) or null_is_default:
        node.note("", "encoded", note="null means that nothing is given", inner=token)
    else:
        note = "null means that nothing is given, so null itself cannot be"
        node.note("", "narrowed", note=note, inner=token)


def _declare_required(node: SchemaNode) -> None:
    """Declare every required key as a property; an undeclared one could not be given at all.

    Raises:
        FitError: in a strict mode, where a declared key needs a schema. Without the key in `required`, the tool would
            be one that nobody can call.
    """
    rules, source = node.rules, node.source
    properties = source.get("properties", {})
    missing = [key for key in source.get("required", []) if key not in properties]
    if not missing or not (rules.declared or rules.all_required or rules.objects == "false"):
        return
    names = ", ".join(missing[:5])
    if rules.strict:
        message = f"{names} is required and not among the properties"
        raise FitError(message, code="undeclared-required", pointer=node.pointer)
    node.note("required", "renamed", source["required"], note=f"{names} declared as what other keys hold")
    others: Any = {}
    if "patternProperties" not in source:
        others = source.get("additionalProperties", {})
    declared_properties = dict.fromkeys(missing, others)
    node.source = {**source, "properties": {**properties, **declared_properties}}


def names_of(node: SchemaNode) -> dict[str, str]:
    """Key of a property -> the name that it is sent under."""
    rules = node.rules
    keys = list(node.source.get("properties", {}))
    if rules.key_first is None or not (node.is_root or rules.key_scope == "all"):
        return {key: key for key in keys}
    allotted = allot([(key, key) for key in keys], rules.key_first, rules.key_rest, rules.key_limit)
    names = dict(zip(keys, allotted, strict=True))
    for key, name in names.items():
        if key != name:
            token = pointer_below("/properties", key)
            node.note("", "encoded", key, name, f"the key is sent as {name!r}", inner=token)
            _say_original_key(node, key, name)
    return names


def _say_original_key(node: SchemaNode, key: str, name: str) -> None:
    """Put the key of a property into its description, where the new name does not show it."""
    schema = node.source["properties"][key]
    if isinstance(schema, dict):
        words = with_original_name(schema.get("description"), key, name)
        if words != schema.get("description"):
            properties = {**node.source["properties"], key: {**schema, "description": words}}
            node.source = {**node.source, "properties": properties}


# -- unknown keys ---------------------------------------------------------------------------------------------


def _schema_of_rest(node: SchemaNode) -> Any:
    """The schema of values under further keys, for a provider with closed objects; `None` where there are no such keys.

    Raises:
        FitError: any key may have any value. A closed object would keep the model from sending anything.
    """
    source = node.source
    more = source.get("additionalProperties")
    if accepts_anything(more) or source.get("patternProperties"):
        raise FitError("the object accepts any key, which no closed object can say", "open-object", node.pointer)
    if more is False:
        return None
    if more is None:
        if not source.get("properties") and not node.is_root:
            raise FitError("the object does not say what it holds", code="free-form-object", pointer=node.pointer)
        node.note("additionalProperties", "narrowed", None, False, "keys that are not named are refused")
        return None
    node.note("additionalProperties", "encoded", more, note="as a list of key/value pairs")
    return more


def _pairs_schema(node: SchemaNode, rest: Any) -> tuple[JsonSchema, Codec]:
    """The schema of a list of key/value pairs that stands for keys that cannot be named beforehand, and its codec."""
    key = {"type": "string", **mapping_at(node.source, "propertyNames")}
    keys, _ = node.fit_inner(key, "/propertyNames")
    values, codec = node.fit_inner(rest, "/additionalProperties")
    properties = {"key": keys, "value": values}
    pair = {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}
    return {"type": "array", "items": pair, "description": "A list of key/value pairs."}, Pairs(codec)


def _fit_as_pairs(node: SchemaNode, rest: Any) -> Codec:
    """Fit a map as a list of pairs in place of the object. It has no required key: that would be a property."""
    schema, codec = _pairs_schema(node, rest)
    node.sentences.append("As a list of key/value pairs.")
    if "properties" in node.source:
        node.note("properties", "renamed", node.source["properties"], note="no property is named")
    node.note("type", "encoded", "object", "array", "a map as a list of key/value pairs")
    sizes = [keyword for keyword in ("minProperties", "maxProperties") if keyword in node.out]
    for keyword in sizes:
        node.say(keyword)
    node.out = {**without_keys(node.out, *sizes), "type": "array", "items": schema["items"]}
    return codec


def _fit_unknown_keys(node: SchemaNode) -> Codec:
    """Fit the rule for values under keys that are not named; gives the codec of these values."""
    keyword = "additionalProperties"
    if node.rules.objects == "false":
        node.out[keyword] = False
        return SAME
    if keyword not in node.source:
        return SAME
    more = node.source[keyword]
    has_said_patterns = "patternProperties" in node.source and "patternProperties" not in node.out
    is_known = node.rules.objects != "absent" and node.context.allows(keyword, ("object",))
    if accepts_anything(more) and not is_known:
        node.note(keyword, "renamed", more, note="what is not ruled out is accepted")
    elif has_said_patterns and not accepts_anything(more):
        node.note(keyword, "widened", more, note="keys of the patterns, which are said in words, stay possible")
    elif more is False and not is_known:
        node.note(keyword, "widened", False, note="unknown keys are not ruled out")
    elif not is_known:
        node.say(keyword)
    elif isinstance(more, dict) and more:
        node.out[keyword], others = node.fit_inner(more, f"/{keyword}")
        return others
    elif more is False or node.rules.typed == "no":
        node.out[keyword] = more
    else:
        node.out[keyword] = True
    return SAME


def _fit_order(node: SchemaNode, names: dict[str, str], properties: dict[str, JsonSchema]) -> None:
    """The order of the properties, under their new names and without those that are left out."""
    if "propertyOrdering" in node.out:
        order = [names.get(key, key) for key in node.out["propertyOrdering"]]
        node.out["propertyOrdering"] = [name for name in order if name in properties]


# -- arrays ---------------------------------------------------------------------------------------------------


def fit_array(node: SchemaNode) -> Codec:
    """Fit the items of an array. A tuple stays one where the provider knows tuples, or all its items are alike."""
    prefix = node.source.get("prefixItems", [])
    items = node.source.get("items", True)
    if prefix and not node.context.allows("prefixItems", ("array",)):
        items, prefix = _list_of_tuple(node), []
    fits = [node.fit_inner(schema, f"/prefixItems/{index}") for index, schema in enumerate(prefix)]
    if fits:
        node.out["prefixItems"] = [fitted_item for fitted_item, _ in fits]
    rest: Codec = SAME
    if accepts_nothing(items):
        _end_after(node, len(prefix))
    elif accepts_anything(items):
        rest = _fit_any_items(node)
    else:
        node.out["items"], rest = node.fit_inner(items, "/items")
    codecs = tuple(codec for _, codec in fits)
    if rest is SAME and all(codec is SAME for codec in codecs):
        return SAME
    return Items(rest, codecs)


def _end_after(node: SchemaNode, count: int) -> None:
    """Refuse items after the first `count`."""
    rules = node.rules
    if count and node.context.allows("items", ("array",)) and rules.booleans:
        node.out["items"] = False
        return
    _limit_items(node, count)
    if rules.items:
        node.out["items"] = {}
        if rules.typed != "no":
            node.out["items"] = {"type": "string"}


def _fit_any_items(node: SchemaNode) -> Codec:
    rules = node.rules
    items = node.source.get("items")
    if rules.typed == "no":
        if rules.items or "items" in node.source:
            node.out["items"] = {}
            if items != {}:
                node.note("items", "renamed", items, {}, "any item, said aloud")
        return SAME
    if rules.strict:
        message = "an array whose items may be anything has no strict schema"
        raise FitError(message, "untyped-items", pointer=node.pointer)
    node.note("items", "encoded", items, note="each item as JSON text")
    node.out["items"] = {"type": "string", "description": "One item as JSON text."}
    return Text()


def _list_of_tuple(node: SchemaNode) -> Any:
    """The schema of every item, where a tuple becomes a list.

    It is exact where all items have one schema. Otherwise it accepts more, and the tuple is put into words.
    """
    prefix, items = node.source["prefixItems"], node.source.get("items", True)
    distinct = unique(prefix)
    most = node.source.get("maxItems")
    is_ended = items is False or (isinstance(most, int) and most <= len(prefix))
    if len(distinct) == 1 and (is_ended or items == distinct[0]):
        node.note("prefixItems", "renamed", prefix, note="every item has one schema")
        if is_ended:
            _end_tuple(node, items)
        return distinct[0]
    node.say("prefixItems")
    if is_ended:
        _end_tuple(node, items)
    elif accepts_anything(items):
        if node.rules.typed == "no":
            return items
        node.note("prefixItems", "narrowed", prefix, note="items after the tuple are held to its schemas too")
    elif items not in distinct:
        distinct.append(items)
        node.note("items", "renamed", items, note="with those of the tuple")
    if len(distinct) == 1:
        return distinct[0]
    return {"anyOf": distinct}


def _end_tuple(node: SchemaNode, items: Any) -> None:
    """Refuse items after those of a tuple that becomes a list."""
    if items is False:
        _limit_items(node, len(node.source["prefixItems"]))
    elif "items" in node.source:
        node.note("items", "renamed", items, note="no item stands after the tuple")


def _limit_items(node: SchemaNode, count: int) -> None:
    """Accept at most `count` items, in place of an `items` that refuses all others."""
    most = node.source.get("maxItems", count)
    count = min(count, most)
    items = node.source.get("items")
    if node.context.allows("maxItems", ("array",)):
        node.note("items", "renamed", items, note=f"maxItems {count}")
        if count < most:
            node.note("maxItems", "renamed", most, count, "as many as `items` allows")
        node.out["maxItems"] = count
        return
    node.note("items", "widened", items, note="said in the description")
    sentence = keyword_sentences.describe_keyword("maxItems", count, {})
    if sentence:
        node.sentences.append(sentence)
