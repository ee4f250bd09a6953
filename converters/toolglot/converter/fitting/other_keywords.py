"""Keywords without a module of their own, such as patterns, titles and `not`: kept, rewritten, or put into words."""

from __future__ import annotations

from toolglot.converter.fitting.bounds import EXCLUSIVE_BOUNDS, fit_exclusive_bound
from toolglot.converter.fitting.patterns import is_accepted
from toolglot.converter.fitting.schema_node import SchemaNode
from toolglot.converter.schema.json_values import as_typed
from toolglot.converter.schema.keywords import APPLICATORS, APPLIES, OF_A_TYPE, UNEVALUATED
from toolglot.converter.schema.titles import is_idle_title
from toolglot.converter.text.pointers import is_texts, unescape

# Handled by `fit`, by `fit_enum`, or with the properties of an object.
_ELSEWHERE = frozenset({
    "type", "description", "enum", "const", "anyOf", "$ref", "$defs", "allOf", "required",
})  # fmt: skip
# Keywords that hold schemas and are said in words where they are not allowed; where they are, they stay as they are.
_SAID = frozenset({
    "not", "if", "then", "else", "oneOf", "contains", "propertyNames", "patternProperties", "dependentSchemas",
    "contentSchema", *UNEVALUATED,
})  # fmt: skip
_COPIED = frozenset({"default", "examples"})


def fit_other_keywords(node: SchemaNode) -> None:
    """Copy the keywords that the rules allow into the fitted schema; others are rewritten, put into words, or noted."""
    _correct_values(node)
    keywords = list(node.source)
    if not EXCLUSIVE_BOUNDS.keys().isdisjoint(keywords):
        # Inclusive bounds first: an exclusive one may tighten them.
        keywords.sort(key=lambda keyword: keyword in EXCLUSIVE_BOUNDS)
    for keyword in keywords:
        _fit_keyword(node, keyword)


def _fit_keyword(node: SchemaNode, keyword: str) -> None:
    source, types = node.source, node.types
    value = source[keyword]
    if types and keyword in OF_A_TYPE and not any(keyword in APPLIES[name] for name in types):
        node.note(keyword, "renamed", value, note=f"it says nothing about a value of type {' or '.join(types)}")
    elif keyword in _ELSEWHERE or (keyword in APPLICATORS and keyword not in _SAID):
        return
    elif node.context.allows(keyword, types) and is_value_accepted(node, keyword):
        fitted_value = node.fit_unchanged(keyword) if keyword in APPLICATORS else value
        if fitted_value is None:
            node.say(keyword)
        else:
            node.out[keyword] = fitted_value
    elif keyword in EXCLUSIVE_BOUNDS:
        fit_exclusive_bound(node, keyword)
    elif keyword == "title":
        _say_title(node)
    else:
        node.say(keyword)


def _correct_values(node: SchemaNode) -> None:
    """Correct the type of values that a model copies: documents often have `"false"` where they mean false."""
    for keyword in _COPIED & node.source.keys() if node.types else ():
        value = node.source[keyword]
        meant = as_typed(value, node.types) if keyword == "default" else [as_typed(item, node.types) for item in value]
        if meant != value:
            node.note(keyword, "renamed", value, meant, "as its type has it")
            node.source = {**node.source, keyword: meant}


def _say_title(node: SchemaNode) -> None:
    title = node.source["title"]
    key = unescape(node.pointer.rpartition("/")[2])
    if is_idle_title(node.source, key):
        node.note("title", "renamed", title, note="the key or the description says it")
    else:
        node.sentences.insert(0, f"{title.strip().rstrip('.')}.")
        node.note("title", "described", title)


def is_value_accepted(node: SchemaNode, keyword: str) -> bool:
    """Whether the provider accepts the value of a keyword that it knows."""
    rules, value = node.rules, node.source[keyword]
    if keyword in UNEVALUATED:  # all that it looks at may be rewritten
        return False
    if keyword == "format" and rules.formats is not None:
        return any(value in rules.formats.get(name, ()) for name in node.types)
    if keyword == "pattern":
        return is_accepted(value, rules.pattern)
    if keyword == "patternProperties":
        return all(is_accepted(pattern, rules.pattern) for pattern in value)
    if keyword == "propertyOrdering":
        return is_texts(value)
    if keyword == "minItems" and rules.most_min_items is not None:
        return bool(value <= rules.most_min_items)
    return True
