"""Checks the arguments of a call by the description of their parameters."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any

from toolglot.converter.hub.model import Arguments, Binding, JsonSchema, Leaf, Tool
from toolglot.converter.schema.json_values import are_equal, has_type, stated_types, type_of
from toolglot.converter.schema.overlap import members_of
from toolglot.converter.text.pointers import escape, list_at
from toolglot.converter.text.wording import suggestion, to_short_json
from toolglot.errors import ArgumentError
from toolglot.runtime.bridge.command_line.command_parameters import CommandParameter, types_of
from toolglot.runtime.bridge.command_line.written_values import to_compact_json


def check_arguments(
    arguments: Mapping[str, Any], parameters: Mapping[str, CommandParameter], of_host: Container[str] = ()
) -> Arguments:
    """The checked arguments, without those that put nothing on the command line.

    Args:
        of_host: parameters that only the host may give.

    Raises:
        ArgumentError: an argument is unknown, missing, of the wrong type, or cannot stand on a command line.
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
        if parameter.default and arguments.get(key) == []:
            message = "no words say that a list is empty, and without any the program takes its default"
            raise ArgumentError(message, "unwritable-value", parameter.pointer)
        if key in values:
            _check_value(values[key], parameter)
    return values


def find_conflicts(leaf: Leaf, arguments: Arguments, groups: Iterable[Tool] = ()) -> Iterator[ArgumentError]:
    """The errors for options that exclude each other, and for groups of options of which one is required.

    Args:
        groups: the nodes above the command whose options are among the arguments.
    """
    bindings = bindings_on_line(leaf.tool, arguments)
    given: dict[str, str] = {}
    for key, binding in bindings.items():
        given.update(dict.fromkeys((binding.name or key, *_names_of_flags(binding, arguments[key])), key))
    for key in dict.fromkeys(given.values()):
        for rival in bindings[key].excludes or ():
            if given.get(rival, key) != key:
                message = f"it excludes `{given[rival]}`; give only one of them"
                yield ArgumentError(message, "exclusive-options", f"/{escape(key)}")
    for node in (*groups, leaf.tool):
        for names in list_at(node.syntax or {}, "one_of"):
            if isinstance(names, list) and given.keys().isdisjoint(map(str, names)):
                yield ArgumentError(f"one of {_quote_names(map(str, names))} has to be given", "missing-argument", "")


def bindings_on_line(tool: Tool, arguments: Mapping[str, Any]) -> dict[str, Binding]:
    """The bindings of the parameters that a call puts on the command line, with those of the program."""
    bindings = {**(tool.global_bindings or {}), **(tool.bindings or {})}
    return {key: binding for key, binding in bindings.items() if _stands_on_line(binding, arguments.get(key))}


def _stands_on_line(binding: Binding, value: Any) -> bool:
    """Whether a value puts something on the command line; `false` does where there is a flag for it."""
    if value is not False:
        return value is not None and value != []
    return bool(_opposites(binding))


def _names_of_flags(binding: Binding, value: Any) -> Iterator[str]:
    """The names of the flags that a value may be written with."""
    unsaid = _opposites(binding) if value is True else ()
    return (flag.lstrip("-") for flag in binding.flags or () if flag not in unsaid)


def _opposites(binding: Binding) -> list[str]:
    """The flags for `false`: `--no-x` beside `--x`."""
    flags = binding.flags or ()
    return [f"--no-{flag[2:]}" for flag in flags if f"--no-{flag[2:]}" in flags]


def _quote_names(parameters: Iterable[str]) -> str:
    return ", ".join(f"`{key}`" for key in list(parameters)[:10]) or "no arguments"


def _describe_absence(arguments: Mapping[str, Any], key: str) -> str:
    if key not in arguments:
        return "and there is none; give one"
    return f"and {to_compact_json(arguments[key])} puts nothing on the command line; give one"


def _check_value(value: Any, parameter: CommandParameter) -> None:
    _check(value, parameter.forms, parameter.pointer)
    if parameter.items and isinstance(value, list):
        for index, item in enumerate(value):
            _check(item, parameter.items, f"{parameter.pointer}/{index}")


def _check(value: Any, forms: Sequence[JsonSchema], pointer: str) -> None:
    """Check the type of a value, `enum` and `const`."""
    if any(_fits(value, form) for form in forms):
        return
    types = types_of(forms)
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
