"""Single keywords, for a report that names each: whether one refuses values, and what a change of it means.

The tables are shared with the comparison of whole schemas.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.schema.accepted_values.acceptance import NEITHER, UNCLEAR, Sense, sense_of_sets
from toolglot.converter.schema.accepted_values.bounds import BOUNDS
from toolglot.converter.schema.accepted_values.enumerations import find_missing
from toolglot.converter.schema.accepted_values.json_types import sense_of_types
from toolglot.converter.schema.accepted_values.plain_keywords import COMPARE, compare_presence
from toolglot.converter.schema.keywords import ASSERTIONS, NAMED, ONE, accepts_nothing
from toolglot.converter.schema.overlap import listed_values

_ANYTHING: tuple[Any, ...] = (True, {})
# Values of keywords that accept everything, so that the keyword says as much as its absence.
_NEUTRAL: dict[str, tuple[Any, ...]] = {
    **dict.fromkeys(("additionalProperties", "unevaluatedProperties"), _ANYTHING),
    "propertyNames": (*_ANYTHING, {"type": "string"}),  # a key is no number; zod writes it for every map
    **dict.fromkeys(("items", "additionalItems", "unevaluatedItems"), _ANYTHING),
    **dict.fromkeys(NAMED | {"definitions", "dependentRequired", "dependencies"}, ({},)),
    **dict.fromkeys(("required", "prefixItems"), ([],)),
    **dict.fromkeys(("minLength", "minItems", "minProperties"), (0,)),
    **dict.fromkeys(("uniqueItems", "nullable", "deprecated", "readOnly", "writeOnly"), (False,)),
    "minContains": (1,),
    "not": (False,),
    "default": (None,),  # an absent value equals it
}

BOUNDS_BY_ABSENCE = frozenset({"minContains"})
"""Keywords that refuse values where they are absent. Where another one goes, a further keyword says what is refused."""

_BLANK: tuple[Any, ...] = ("", [], {}, None)  # what an annotation, or a keyword that nobody knows, can say nothing by
# Of older dialects too, and what readers act upon.
_ASSERTIVE = (ASSERTIONS | {
    "nullable", "format", "$dynamicRef", "$recursiveRef", "dependencies", "additionalItems",
})  # fmt: skip


def is_assertion(keyword: str) -> bool:
    """Whether a keyword may refuse values; any other only tells people something."""
    return keyword in _ASSERTIVE


def is_neutral(keyword: str, value: Any) -> bool:
    """Whether a keyword with this value says nothing.

    >>> is_neutral("required", []), is_neutral("minLength", 1)
    (True, False)
    """
    neutral = _NEUTRAL.get(keyword, () if is_assertion(keyword) else _BLANK)
    return any(value is item or (value == item and type(value) is type(item)) for item in neutral)


def sense_of_keyword(keyword: str, old: JsonSchema, new: JsonSchema) -> Sense:
    """Whether one keyword makes a schema accept less than before, and whether more, as far as it shows that alone.

    >>> old, new = {"type": "integer", "exclusiveMinimum": 0}, {"type": "integer", "minimum": 1}
    >>> sense_of_keyword("exclusiveMinimum", old, new), sense_of_keyword("enum", {"enum": [1, 2]}, {"const": 1})
    ((False, False), (True, False))
    """
    try:
        if keyword in _OF_SCHEMAS:
            return _OF_SCHEMAS[keyword](old, new)
        before, after = _effective(keyword, old), _effective(keyword, new)
        if keyword in _OF_VALUES:
            return _OF_VALUES[keyword](before, after)
    except TypeError:  # a value that the keyword cannot have
        return UNCLEAR
    if keyword in _MEMBERS and (accepts_nothing(before) or accepts_nothing(after)):
        return not accepts_nothing(before), not accepts_nothing(after)
    return NEITHER if before == after else compare_presence(before, after)


def _effective(keyword: str, schema: JsonSchema) -> Any:
    """The value of a keyword; `None` where the value says nothing."""
    value = schema.get(keyword)
    return None if is_neutral(keyword, value) else value


def _of_lists(old: JsonSchema, new: JsonSchema) -> Sense:
    was, now = listed_values(old), listed_values(new)
    if was is None or now is None:
        return now is not None, was is not None
    return bool(find_missing(was, now, bool)), bool(find_missing(now, was, bool))


def _of_names(before: Any, after: Any) -> Sense:
    return sense_of_sets(frozenset(after or ()), frozenset(before or ()))


# Keyword -> what it means by what stands beside it in both schemas, or by its values alone.
_OF_SCHEMAS: dict[str, Callable[[JsonSchema, JsonSchema], Sense]] = {
    "type": sense_of_types,
    **dict.fromkeys(("enum", "const"), _of_lists),
    **{keyword: compare for keywords, compare in BOUNDS for keyword in keywords},
}

_OF_VALUES: dict[str, Callable[[Any, Any], Sense]] = {
    "required": _of_names,
    **{keyword: compare for keyword, compare in COMPARE.items() if compare is not compare_presence},
}

_MEMBERS = ONE - {"not", "if"}  # of which `false` refuses what any other schema may accept
