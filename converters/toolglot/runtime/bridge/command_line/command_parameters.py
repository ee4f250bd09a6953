"""What a description says of the parameters of a command."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from toolglot.converter.hub.model import Binding, JsonSchema
from toolglot.converter.schema.json_values import stated_types, type_of
from toolglot.converter.schema.overlap import members_of
from toolglot.converter.schema.references import name_of_definition
from toolglot.converter.text.pointers import escape, list_at, mapping_at, texts_at, without_keys
from toolglot.errors import ArgumentError

_MOST_FORMS = 100


class CommandParameter(NamedTuple):
    """What the description says about one parameter.

    `forms` are plain schemas, of which a value must obey one; `items` are the same for the items of a list.
    """

    key: str
    required: bool
    default: Any
    forms: list[JsonSchema]
    items: list[JsonSchema]
    binding: Binding

    @property
    def pointer(self) -> str:
        return f"/{escape(self.key)}"

    @property
    def positional(self) -> bool:
        return self.binding.kind == "argument"

    @property
    def repeats(self) -> bool:
        """Whether each item of a list is a value of its own on the command line."""
        is_list = self.binding.together or self.binding.variadic is not False
        return bool(is_list) and "array" in types_of(self.forms)

    @property
    def is_greedy(self) -> bool:
        """Whether it may take following words for further values, because their number is not exact."""
        is_counted = all(least == most for least, most in self._counts)
        return self.repeats and self.binding.together is not False and not is_counted

    @property
    def _counts(self) -> list[tuple[float, float]]:
        """The least and the most values that may follow one another, by each of the schemas that say so."""
        lists = self.items if self._nests else self.forms
        return [(_number_at(form, "minItems", 0), _number_at(form, "maxItems", math.inf)) for form in lists]

    def refuse_other_count(self, number: int) -> None:
        """Refuse a number of values that the program would not take as these values."""
        is_counted = self.binding.together or (self.positional and self.repeats)
        if is_counted and not any(least <= number <= most for least, most in self._counts):
            raise ArgumentError("it takes another number of values", "wrong-count", self.pointer)

    @property
    def words(self) -> tuple[float, float]:
        """The least and the most words that a positional argument takes."""
        least, most = 1.0, 1.0
        if self.repeats:
            least = max(1, min(count for count, _ in self._counts))
            most = max(count for _, count in self._counts)
        return (least if self.required else 0), most

    @property
    def _nests(self) -> bool:
        return self.binding.together is True and "array" in types_of(self.items)

    @property
    def name(self) -> str:
        return self.binding.name or self.key

    @property
    def is_flag(self) -> bool:
        """Whether it may stand without a value."""
        return "boolean" in types_of(self.forms) or (self.repeats and "boolean" in types_of(self.items))

    def uses(self, value: Any) -> list[list[tuple[Any, str]]]:
        """The values behind each flag, each with its place in the arguments."""
        if not self.repeats or not isinstance(value, list):
            return [[(value, self.pointer)]]
        values = _places_of(value, self.pointer)
        if self._nests:
            return [_places_of(item, pointer) for item, pointer in values]
        if self.binding.together:
            return [values]
        return [[one] for one in values]


def _number_at(form: JsonSchema, keyword: str, otherwise: float) -> float:
    value = form.get(keyword, otherwise)
    return value if isinstance(value, int | float) else otherwise


def _places_of(values: Sequence[Any], pointer: str) -> list[tuple[Any, str]]:
    return [(item, f"{pointer}/{index}") for index, item in enumerate(values)]


def parameters_of(schema: JsonSchema | None, bindings: Mapping[str, Binding] | None) -> dict[str, CommandParameter]:
    """The parameters of a command by their key, in the order of the description."""
    schema = schema or {}
    required = frozenset(texts_at(schema, "required"))
    parameters: dict[str, CommandParameter] = {}
    for key, prop in mapping_at(schema, "properties").items():
        binding = (bindings or {}).get(key) or Binding()
        default = prop.get("default") if isinstance(prop, dict) else None
        forms = _forms([prop], schema)
        items = _forms([form["items"] for form in forms if "items" in form], schema)
        parameters[key] = CommandParameter(key, key in required, default, forms, items, binding)
    return parameters


def _forms(schemas: list[Any], root: JsonSchema) -> list[JsonSchema]:
    """The schemas without references, `anyOf` and `oneOf`: the plain alternatives, or `{}` if there are too many."""
    definitions = mapping_at(root, "$defs")
    waiting, forms = schemas[:_MOST_FORMS], list[JsonSchema]()
    for _ in range(_MOST_FORMS):
        if not waiting:
            return forms
        node = waiting.pop()
        if node is False:
            continue
        if not isinstance(node, dict):
            forms.append({})
            continue
        rest = without_keys(node, "$ref", "anyOf", "oneOf")
        alternatives = [*list_at(node, "anyOf"), *list_at(node, "oneOf")]
        if "$ref" in node:
            definition = definitions.get(name_of_definition(str(node["$ref"])))
            if isinstance(definition, dict):
                rest = {**definition, **rest}
            waiting.append(rest)
        elif alternatives:
            # `true` and `false` have no place for what their neighbours say.
            waiting += [{**rest, **item} if isinstance(item, dict) else item for item in alternatives[:_MOST_FORMS]]
        else:
            forms.append(node)
    return [{}]


def types_of(forms: Iterable[JsonSchema]) -> frozenset[str]:
    """The types that schemas name, or that their listed values have; empty for an open schema."""
    types: set[str] = set()
    for form in forms:
        types.update(stated_types(form) or map(type_of, members_of(form) or ()))
    return frozenset(types)
