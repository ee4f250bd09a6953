"""What one object schema for several alternatives no longer says, in a sentence."""

from __future__ import annotations

from itertools import combinations
from typing import Any, NamedTuple

from toolglot.hub.model import JsonSchema
from toolglot.schema import keyword_sentences
from toolglot.schema.keywords import ANNOTATIONS
from toolglot.schema.overlap import is_disjoint, members_of
from toolglot.schema.values import are_equal, equality_key, unique
from toolglot.text.phrases import add_full_stop, join_names, say_value, without_line_breaks
from toolglot.text.pointers import mapping_at, texts_at

_LONGEST = 2_000  # characters of the sentence
_MOST_PAIRS = 1_000  # of alternatives that are held against each other
_LONGEST_ABOUT = 100  # characters of an alternative's own description
_NOT_CONSTRAINTS = frozenset({"type", "properties", "required"}) | ANNOTATIONS


class Alternative(NamedTuple):
    """An alternative: as it was written, together with the base, and what of it no schema can say."""

    written: JsonSchema
    schema: JsonSchema
    unmerged: list[JsonSchema]


def are_alike(one: Any, other: Any) -> bool:
    """Whether two schemas say the same apart from what they tell people.

    >>> are_alike({"type": "string", "title": "A"}, {"type": "string"})
    True
    """
    return are_equal(_without_annotations(one), _without_annotations(other))


def _without_annotations(schema: Any) -> Any:
    if not isinstance(schema, dict):
        return schema
    return {name: value for name, value in schema.items() if name not in ANNOTATIONS}


def describe_alternatives(alternatives: list[Alternative], union: JsonSchema, exactly_one: bool) -> str | None:
    """What the alternatives ask beyond their union; `None` where that is nothing."""
    required = texts_at(union, "required")
    groups = [_only_requires(alternative, required) for alternative in alternatives]
    if None not in groups:
        return _choice_of_names([group for group in groups if group is not None], exactly_one)
    are_apart = _are_apart(alternatives)
    differing = _differing_properties(alternatives)
    if len(differing) == 1 and (are_apart or not exactly_one) and _agree_otherwise(alternatives, differing[0]):
        return None
    telling = [name for name in differing if _tells_apart(alternatives, name)]
    description = _AlternativesText(alternatives, union, differing, telling)
    phrases = unique(description.phrase(alternative) for alternative in alternatives)
    if are_apart:
        count = "One"
    elif exactly_one:
        count = "Exactly one"
    else:
        count = "At least one"
    return add_full_stop(f"{count} of: {'; '.join(phrases)}", _LONGEST)


def _choice_of_names(groups: list[list[str]], exactly_one: bool) -> str | None:
    """The sentence for alternatives that only require properties; none where one of them asks for nothing."""
    if [] in groups and not exactly_one:
        return None
    count = "Exactly" if exactly_one else "At least"
    if all(len(group) == 1 for group in groups):
        choice = f" {join_names(group[0] for group in groups)}"
    else:  # a group's own "and" asks for another separator
        names = [join_names(group) or "nothing more" for group in groups]
        choice = f": {'; '.join(unique(names))}"
    return add_full_stop(f"{count} one of{choice} must be given", _LONGEST)


def _only_requires(alternative: Alternative, required: list[str]) -> list[str] | None:
    """The names that an alternative requires beyond `required`, if that is all it says."""
    assertions = _without_annotations(alternative.written)
    if not isinstance(assertions, dict) or assertions.keys() - {"type", "required"} or alternative.unmerged:
        return None
    return [name for name in dict.fromkeys(texts_at(assertions, "required")) if name not in required]


def _are_apart(alternatives: list[Alternative]) -> bool:
    """Whether provably no value fits two of them."""
    if len(alternatives) * (len(alternatives) - 1) // 2 > _MOST_PAIRS:
        return False
    return all(is_disjoint(other.schema, one.schema) for one, other in combinations(alternatives, 2))


def _differing_properties(alternatives: list[Alternative]) -> list[str]:
    """The properties that the alternatives do not describe alike."""
    names: dict[str, None] = {}
    for alternative in alternatives:
        names.update(dict.fromkeys(mapping_at(alternative.schema, "properties")))
    differing: list[str] = []
    for name in names:
        first, *others = _schemas_of(alternatives, name)
        if not all(are_alike(other, first) for other in others):
            differing.append(name)
    return differing


def _agree_otherwise(alternatives: list[Alternative], name: str) -> bool:
    """Whether one property is the only difference, so that describing it by alternatives loses nothing."""
    rests: list[JsonSchema] = []
    for alternative in alternatives:
        if name not in mapping_at(alternative.schema, "properties") or alternative.unmerged:
            return False
        rest = _without_annotations(alternative.schema)
        rest["properties"] = None
        rest["required"] = sorted(set(texts_at(alternative.schema, "required")))
        rests.append(rest)
    return all(are_equal(rest, rests[0]) for rest in rests)


def _tells_apart(alternatives: list[Alternative], name: str) -> bool:
    """Whether each alternative has values of its own for a property."""
    keys: list[Any] = []
    for schema in _schemas_of(alternatives, name):
        members = members_of(schema) if isinstance(schema, dict) else None
        if not members:
            return False
        keys += map(equality_key, members)
    return len(keys) == len(set(keys))


def _schemas_of(alternatives: list[Alternative], name: str) -> list[Any]:
    """What each alternative says of a property; `None` where it does not name it."""
    return [mapping_at(alternative.schema, "properties").get(name) for alternative in alternatives]


class _AlternativesText:
    """What each of several alternatives asks beyond the others."""

    def __init__(
        self, alternatives: list[Alternative], union: JsonSchema, differing: list[str], telling: list[str]
    ) -> None:
        self.alternatives = alternatives
        self.union = union
        self.differing = differing
        self.telling = telling  # the properties whose values tell the alternatives apart
        self.named_by_all = [name for name in differing if None not in _schemas_of(alternatives, name)]

    def phrase(self, alternative: Alternative) -> str:
        """One alternative: `op=get requires id, allows limit`."""
        parts = [*self.about_properties(alternative), *self.about_the_rest(alternative)]
        label = self.label(alternative)
        if not label:
            label = _short_text(alternative.written.get("title"))
            if label and parts:
                label += ":"
        phrase = " ".join(filter(None, (label, ", ".join(parts)))) or "nothing more"
        about = _short_text(alternative.written.get("description"))
        return f"{phrase} ({about})" if about else phrase

    def label(self, alternative: Alternative) -> str:
        """The values that stand for an alternative: `op=get`."""
        properties = mapping_at(alternative.schema, "properties")
        labels: list[str] = []
        for name in self.telling:
            members = members_of(properties[name]) or []
            labels.append(f"{name}={' or '.join(map(say_value, members))}")
        return ", ".join(labels)

    def about_properties(self, alternative: Alternative) -> list[str]:
        """The properties that it requires, allows or has, where the others do not, or have another."""
        properties = mapping_at(alternative.schema, "properties")
        required = texts_at(alternative.schema, "required")
        required_by_all = texts_at(self.union, "required")
        union_properties = mapping_at(self.union, "properties")
        requires = [name for name in required if name not in required_by_all and name not in self.telling]
        allows: list[str] = []
        has: list[str] = []
        for name in self.differing:
            if name in self.telling or properties.get(name, False) is False:
                continue
            if name not in self.named_by_all:
                if name not in required:
                    allows.append(name)
            elif name not in requires and not are_alike(properties[name], union_properties.get(name)):
                has.append(name)
        in_order = [name for name in properties if name in allows]
        verbs = {"requires": requires, "allows": in_order, "has": has}
        return [
            f"{verb} {self.with_shapes(names_of_verb, properties)}"
            for verb, names_of_verb in verbs.items()
            if names_of_verb
        ]

    def with_shapes(self, property_names: list[str], properties: JsonSchema) -> str:
        """Names, with what is asked of those that another alternative describes in another way."""
        descriptions: list[str] = []
        for name in property_names:
            schemas = [schema for schema in _schemas_of(self.alternatives, name) if schema not in (None, False)]
            is_alike = all(are_alike(schema, schemas[0]) for schema in schemas)
            if is_alike or properties.get(name, False) is False:
                descriptions.append(name)
            else:
                descriptions.append(f"{name} ({keyword_sentences.shape(properties[name])})")
        return join_names(descriptions)

    def about_the_rest(self, alternative: Alternative) -> list[str]:
        """The constraints of an alternative that the union does not have."""
        phrases: list[str] = []
        for schema in (alternative.schema, *alternative.unmerged):
            for name, value in schema.items():
                is_shared = name in self.union and are_equal(self.union[name], value)
                if name not in _NOT_CONSTRAINTS and not is_shared:
                    phrases.append(keyword_sentences.constraint(name, value, schema) or "")
        return unique(filter(None, phrases))


def _short_text(value: Any) -> str:
    return without_line_breaks(value, _LONGEST_ABOUT) if isinstance(value, str) else ""
