"""What one object schema for several alternatives no longer says, in a sentence."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from toolglot.hub.model import JsonSchema
from toolglot.schema import keyword_sentences
from toolglot.schema.json_values import are_equal, equality_key, unique
from toolglot.schema.keywords import ANNOTATIONS
from toolglot.schema.overlap import Proofs, members_of
from toolglot.text.pointers import mapping_at, texts_at
from toolglot.text.wording import add_full_stop, join_names, say_value, without_line_breaks

_LONGEST = 2_000  # characters of the sentence
_LONGEST_ABOUT = 100  # characters of an alternative's own description
_NOT_CONSTRAINTS = frozenset({"type", "properties", "required"}) | ANNOTATIONS


class Alternative(NamedTuple):
    """An alternative: the branch itself, it together with the base, and what of both no one schema can say."""

    branch: JsonSchema
    schema: JsonSchema
    leftovers: list[JsonSchema]


def are_alike(one: Any, other: Any) -> bool:
    """Whether two schemas say the same apart from what they tell people.

    >>> are_alike({"type": "string", "title": "A"}, {"type": "string"})
    True
    """
    return are_equal(without_annotations(one), without_annotations(other))


def without_annotations(schema: Any) -> Any:
    """A schema without what it tells people; the value itself where it is none."""
    if not isinstance(schema, dict):
        return schema
    return {name: value for name, value in schema.items() if name not in ANNOTATIONS}


def describe_alternatives(alternatives: list[Alternative], union: JsonSchema, exactly_one: bool) -> str | None:
    """What the alternatives ask beyond their union; `None` where that is nothing."""
    required = texts_at(union, "required")
    groups = [_only_requires(alternative, required) for alternative in alternatives]
    if None not in groups:
        return _choice_of_names([group for group in groups if group is not None], exactly_one)
    are_apart = Proofs().are_disjoint([alternative.schema for alternative in alternatives])
    by_name = schemas_by_name(alternatives)
    differing = [name for name, schemas in by_name.items() if _is_differing(alternatives, schemas)]
    if len(differing) == 1 and (are_apart or not exactly_one) and _agree_otherwise(alternatives, differing[0]):
        return None
    telling = [name for name in differing if _tells_apart(alternatives, by_name[name])]
    description = _AlternativesText(union, by_name, differing, telling, len(alternatives))
    phrases = _distinct_phrases(description.phrase(alternative) for alternative in alternatives)
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
    assertions = without_annotations(alternative.branch)
    if not isinstance(assertions, dict) or assertions.keys() - {"type", "required"} or alternative.leftovers:
        return None
    return [name for name in dict.fromkeys(texts_at(assertions, "required")) if name not in required]


def _distinct_phrases(phrases: Iterable[str]) -> list[str]:
    """The phrases without repetitions, as many as the sentence has room for."""
    distinct: dict[str, None] = {}
    length = 0
    for phrase in phrases:
        if phrase not in distinct:
            distinct[phrase] = None
            length += len(phrase)
        if length > _LONGEST:
            break
    return list(distinct)


def schemas_by_name(alternatives: list[Alternative]) -> dict[str, dict[int, Any]]:
    """What the alternatives say of each property that any of them names, by their places.

    A list with a gap for every alternative that does not name a property would grow with their product.
    """
    by_name: dict[str, dict[int, Any]] = {}
    for index, alternative in enumerate(alternatives):
        for name, schema in mapping_at(alternative.schema, "properties").items():
            by_name.setdefault(name, {})[index] = schema
    return by_name


def _is_differing(alternatives: list[Alternative], schemas: dict[int, Any]) -> bool:
    """Whether the alternatives do not describe a property alike."""
    if len(schemas) < len(alternatives):
        return True
    first, *others = schemas.values()
    return not all(are_alike(other, first) for other in others)


def _agree_otherwise(alternatives: list[Alternative], name: str) -> bool:
    """Whether one property is the only difference, so that describing it by alternatives loses nothing."""
    rests: list[JsonSchema] = []
    for alternative in alternatives:
        if name not in mapping_at(alternative.schema, "properties") or alternative.leftovers:
            return False
        rest = without_annotations(alternative.schema)
        rest["properties"] = None
        rest["required"] = sorted(set(texts_at(alternative.schema, "required")))
        rests.append(rest)
    return all(are_equal(rest, rests[0]) for rest in rests)


def _tells_apart(alternatives: list[Alternative], schemas: dict[int, Any]) -> bool:
    """Whether each alternative has values of its own for a property."""
    if len(schemas) < len(alternatives):
        return False
    keys: list[Any] = []
    for schema in schemas.values():
        members = members_of(schema) if isinstance(schema, dict) else None
        if not members:
            return False
        keys += map(equality_key, members)
    return len(keys) == len(set(keys))


class _AlternativesText:
    """What each of several alternatives asks beyond the others."""

    def __init__(
        self,
        union: JsonSchema,
        by_name: dict[str, dict[int, Any]],
        differing: list[str],
        telling: list[str],
        count: int,
    ) -> None:
        self.union = union
        self.by_name = by_name
        self.differing = {name: place for place, name in enumerate(differing)}
        self.telling = telling  # the properties whose values tell the alternatives apart
        self.named_by_all = frozenset(name for name in differing if len(by_name[name]) == count)
        self.required_by_all = frozenset(texts_at(union, "required"))

    def phrase(self, alternative: Alternative) -> str:
        """One alternative: `op=get requires id, allows limit`."""
        parts = [*self.about_properties(alternative), *self.about_the_rest(alternative)]
        label = self.label(alternative)
        if not label:
            label = _short_text(alternative.branch.get("title"))
            if label and parts:
                label += ":"
        phrase = " ".join(filter(None, (label, ", ".join(parts)))) or "nothing more"
        about = _short_text(alternative.branch.get("description"))
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
        required = dict.fromkeys(texts_at(alternative.schema, "required"))
        union_properties = mapping_at(self.union, "properties")
        requires = [name for name in required if name not in self.required_by_all and name not in self.telling]
        allows: list[str] = []
        has: list[str] = []
        for name, schema in properties.items():
            if name not in self.differing or name in self.telling or schema is False:
                continue
            if name not in self.named_by_all:
                if name not in required:
                    allows.append(name)
            elif name not in requires and not are_alike(schema, union_properties.get(name)):
                has.append(name)
        has.sort(key=self.differing.__getitem__)
        verbs = {"requires": requires, "allows": allows, "has": has}
        return [
            f"{verb} {self.with_shapes(names_of_verb, properties)}"
            for verb, names_of_verb in verbs.items()
            if names_of_verb
        ]

    def with_shapes(self, property_names: list[str], properties: JsonSchema) -> str:
        """Names, with what is asked of those that another alternative describes in another way."""
        descriptions: list[str] = []
        for name in property_names:
            schemas = [schema for schema in self.by_name.get(name, {}).values() if schema not in (None, False)]
            is_alike = all(are_alike(schema, schemas[0]) for schema in schemas)
            if is_alike or properties.get(name, False) is False:
                descriptions.append(name)
            else:
                descriptions.append(f"{name} ({keyword_sentences.shape(properties[name])})")
        return join_names(descriptions)

    def about_the_rest(self, alternative: Alternative) -> list[str]:
        """The constraints of an alternative that the union does not have."""
        phrases: list[str] = []
        for schema in (alternative.schema, *alternative.leftovers):
            for name, value in schema.items():
                is_shared = name in self.union and are_equal(self.union[name], value)
                if name not in _NOT_CONSTRAINTS and not is_shared:
                    phrases.append(keyword_sentences.constraint(name, value, schema) or "")
        return unique(filter(None, phrases))


def _short_text(value: Any) -> str:
    return without_line_breaks(value, _LONGEST_ABOUT) if isinstance(value, str) else ""
