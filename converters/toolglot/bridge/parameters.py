"""What a description says about each parameter of a command, and the arguments of a call held to it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from toolglot.errors import ArgumentError
from toolglot.hub.model import Binding, JsonSchema
from toolglot.schema.json_types import has_type, stated_types, type_of
from toolglot.schema.overlap import members_of
from toolglot.schema.references import name_of_definition
from toolglot.schema.values import are_equal
from toolglot.text.pointers import escape, list_at, mapping_at, texts_at, without_keys
from toolglot.text.wording import suggestion, to_short_json

_MOST_FORMS = 100


class CommandParameter(NamedTuple):
    """What the description says about one parameter.

    `forms` are plain schemas, one of which a value must obey; `items` are those for the items of a list.
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
        return self.binding.variadic is not False and "array" in _types(self.forms)

    @property
    def is_flag(self) -> bool:
        """Whether it may stand without a value."""
        return "boolean" in _types(self.forms) or (self.repeats and "boolean" in _types(self.items))

    def values(self, value: Any) -> list[tuple[Any, str]]:
        """The values that stand apart on the command line, each with its place in the arguments."""
        if self.repeats and isinstance(value, list):
            return [(item, f"{self.pointer}/{index}") for index, item in enumerate(value)]
        return [(value, self.pointer)]


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
            waiting += [_with_rest(item, rest) for item in alternatives[:_MOST_FORMS]]
        else:
            forms.append(node)
    return [{}]


def _with_rest(alternative: Any, rest: JsonSchema) -> Any:
    """An alternative with what its neighbours say; `true` and `false` have no place for that."""
    if isinstance(alternative, dict):
        return {**rest, **alternative}
    return alternative


def _types(forms: Iterable[JsonSchema]) -> frozenset[str]:
    """The types that are allowed by name, or by the values of an enum; a schema that is open names none."""
    types: set[str] = set()
    for form in forms:
        types.update(stated_types(form) or map(type_of, members_of(form) or ()))
    return frozenset(types)


# -- values ---------------------------------------------------------------------------------------------


def check_arguments(
    arguments: Mapping[str, Any], parameters: Mapping[str, CommandParameter], of_host: Container[str] = ()
) -> dict[str, Any]:
    """The arguments that put something on the command line, checked.

    Args:
        of_host: parameters that the host may give, and these arguments may not.

    Raises:
        ArgumentError: an argument is unknown, missing, or of the wrong type.
    """
    if not isinstance(arguments, Mapping):
        raise ArgumentError(f"the arguments are {type_of(arguments)}; give an object", "not-an-object")
    for key in arguments:
        if key not in parameters and key in of_host:
            message = "this is an option of the program, which nobody was offered"
            hint = "the host gives it apart, or offers it (with_globals)"
            raise ArgumentError(message, "not-offered", f"/{escape(str(key))}", hint=hint)
        if key not in parameters:
            known_names = list(parameters)[:1000]
            names = suggestion(str(key)[:64], known_names, f"it takes {_quote_names(parameters)}", mark="`")
            pointer = f"/{escape(str(key))}"
            raise ArgumentError("the tool has no such parameter", "unknown-argument", pointer, hint=names)
    values = {key: value for key, value in arguments.items() if value is not None and value != []}
    for key, parameter in parameters.items():
        if parameter.required and key not in values:
            message = f"a value is required, {_describe_absence(arguments, key)}"
            raise ArgumentError(message, "missing-argument", parameter.pointer)
        if key in values:
            _check_value(values[key], parameter)
    return values


def _quote_names(parameters: Iterable[str]) -> str:
    return ", ".join(f"`{key}`" for key in list(parameters)[:10]) or "no arguments"


def _describe_absence(arguments: Mapping[str, Any], key: str) -> str:
    if key not in arguments:
        return "and there is none; give one"
    return f"and {compact(arguments[key])} puts nothing on the command line; give one"


def _check_value(value: Any, parameter: CommandParameter) -> None:
    _check(value, parameter.forms, parameter.pointer)
    if parameter.items and isinstance(value, list):
        for index, item in enumerate(value):
            _check(item, parameter.items, f"{parameter.pointer}/{index}")


def _check(value: Any, forms: Sequence[JsonSchema], pointer: str) -> None:
    """Hold a value to types, `enum` and `const`."""
    if any(_fits(value, form) for form in forms):
        return
    types = _types(forms)
    members: list[Any] = []
    for form in forms:
        members += members_of(form) or ()
    if members and has_type(value, types):
        code = "not-in-enum"
        message = f"expected one of {', '.join(map(to_short_json, members[:10]))}"
    else:
        code = "wrong-type"
        message = f"expected {' or '.join(sorted(types)) or 'nothing'}"
    excerpt = type_of(value)
    if isinstance(value, str):
        excerpt = to_short_json(value)
    raise ArgumentError(f"{message}; found {excerpt}", code, pointer)


def _fits(value: Any, form: JsonSchema) -> bool:
    types, members = stated_types(form), members_of(form)
    if types and not has_type(value, types):
        return False
    return members is None or any(are_equal(value, member) for member in members)


def write_word(value: Any, pointer: str) -> str:
    """One value as one element of a vector.

    Text stays as it is, numbers are plain decimal digits, lists and objects are compact JSON.

    Raises:
        ArgumentError: nothing can stand for the value.

    >>> [write_word(value, "") for value in ("a b", "", 8.0, 1e-7, True, {"a": [1, None]})]
    ['a b', '', '8', '0.0000001', 'true', '{"a":[1,null]}']
    """
    spell = _SPELLINGS.get(type(value))
    if spell is None:
        raise ArgumentError(f"{type_of(value)} has no spelling on a command line", "unwritable-value", pointer)
    try:
        return check_word(spell(value), pointer)
    except (ValueError, TypeError, RecursionError):
        message = "the value cannot be written down: not finite, not JSON, too long a number, or nested too deeply"
        raise ArgumentError(message, "unwritable-value", pointer) from None


def _number(value: float) -> str:
    """Plain decimal digits, because few programs read an exponent; 8.0 is 8, which every program reads."""
    if value - value == 0:
        return format(Decimal(repr(value)), "f").removesuffix(".0")
    return compact(value)


def compact(value: Any) -> str:
    """JSON without spaces."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


_SPELLINGS: dict[type, Callable[[Any], str]] = {
    str: str, bool: compact, int: str, float: _number, list: compact, dict: compact,
}  # fmt: skip


def check_word(word: str, pointer: str) -> str:
    """The word, if it can be an element of a vector.

    Raises:
        ArgumentError: it holds a NUL, at which the system would cut it off, or half a character.
    """
    if "\0" in word:
        raise ArgumentError("a value with a NUL character cannot be given to a program", "nul-character", pointer)
    if not word.isascii() and re.search("[\ud800-\udfff]", word):
        raise ArgumentError("a lone surrogate is half a character; give the whole one", "lone-surrogate", pointer)
    return word
