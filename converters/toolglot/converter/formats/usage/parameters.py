"""The flags and arguments of a command: `-u --user <user>`, `<file>...`, and what their nodes say of them."""

from __future__ import annotations

import re
from typing import Any

from toolglot.converter.formats.kit.command_trees import (
    joined_flags,
    optional_value,
    several_values,
    stated_count,
    with_conditions,
)
from toolglot.converter.formats.kit.parameters import NamedParameter, stated_bool, stated_text
from toolglot.converter.formats.usage.effects import effects_left_in
from toolglot.converter.formats.usage.nodes import KdlNode, Statements, first_text, read_statements
from toolglot.converter.hub.model import Binding, JsonSchema
from toolglot.converter.text.pointers import is_texts, list_at, mapping_at, texts_at, without_empty

_VALUE = re.compile(r"<[^<>]*>|\[[^\[\]]*\]")
_SEVERAL_VALUES = re.compile(r"[>\]] *\.\.\.")
_WORDS = ("help_md", "long_help", "help_long", "help")  # in the order in which they say most
_KNOWN = (
    *_WORDS, "required", "var", "var_min", "var_max", "hide", "global", "count", "negate", "env",
    "deprecated", "sigil", "double_dash", "require_equals", "exclusive",
)  # fmt: skip
_LISTED_CONDITIONS = {
    "requires": "Needs {all}.",
    "required_if": "Required if {any} is given.",
    "required_unless": "Required unless {any} is given.",
}
_CONDITIONS = {
    **_LISTED_CONDITIONS,
    "exclusive": "No other option is given beside it.",
    "deprecated": "Deprecated: {all}",
}

# How often a flag is given by default that can be given several times.
_TIMES = {"false": 0, "true": 1, **{str(number): number for number in range(10)}}


def entry_of_flag(node: KdlNode) -> dict[str, Any]:
    """What a flag's node says, one thing a key.

    Dots behind the flag say that it is given several times, and behind its value that it takes several.

    >>> entry_of_flag({"arguments": ["-u --user <user>"], "properties": {"env": "WHO"}})
    {'name': 'user', 'flags': ['-u', '--user'], 'values': ['<user>'], 'env': 'WHO'}
    >>> entry_of_flag({"arguments": ["--user <user>..."]})
    {'name': 'user', 'flags': ['--user'], 'value_var': True, 'values': ['<user>']}
    """
    content = read_statements(node)
    text = _text_of(node)
    words = _VALUE.sub(" ", text).replace("...", " ... ").split()
    inner_nodes = content.take_parts("arg")
    takes_several = any(map(_SEVERAL_VALUES.search, map(_text_of, [node, *inner_nodes])))
    own_names = [word[:-1] for word in words if word.endswith(":") and len(word) > 1]
    flags = [word for word in words if word.startswith("-")]
    flags += _take_aliases(content)
    if not flags and stated_text(content.facts, "negate"):
        # What can only be switched off is a switch of its own, and off where nobody gives it.
        flags, own_names = [content.take("negate", "default")["negate"]], []
    name = _name_of(own_names, flags, text)
    entry: dict[str, Any] = without_empty(
        {"name": name, "flags": flags, "repeated": "..." in words and not takes_several, "value_var": takes_several}
    )
    values: list[str] = []
    effects: list[Any] = []
    for inner in inner_nodes:
        inner_content = read_statements(inner)
        effects += inner_content.take_values("effect")
        effects += effects_left_in(inner_content.rest)
        values += _VALUE.findall(first_text(inner)) or [first_text(inner)]
        entry |= _take_choices(inner_content) | _take_default(inner_content) | inner_content.take("var_min", "var_max")
        for key, value in inner_content.rest.items():
            entry[f"value_{key}"] = value
    # A value may be named in the text of the flag and described in a node.
    entry |= without_empty({"values": values or _VALUE.findall(text)})
    return _with_statements(entry, content, effects)


def _text_of(node: KdlNode) -> str:
    """What names a flag or an argument; `…` says the same as `...`."""
    return first_text(node).replace("…", "...")


def _take_choices(content: Statements) -> dict[str, Any]:
    """What a value can be; what else is said of its choices stays where it is.

    A variable of the environment can add others, so that they are not known.
    """
    choices = content.parts.get("choices", [])
    if len(choices) != 1 or not mapping_at(choices[0], "properties").keys() <= {"ignore_case"}:
        return {}
    [stated] = choices
    values = [*list_at(stated, "arguments"), *map(first_text, list_at(stated, "children"))]
    if stated.keys() == {"arguments"}:
        del content.parts["choices"]
    return {"choices": values}


def _take_default(content: Statements) -> dict[str, Any]:
    """What holds where nothing is given: one value, or the names of the nodes below `default`."""
    values: list[Any] = []
    for node in content.take_parts("default"):
        values += [*list_at(node, "arguments"), *(child["name"] for child in list_at(node, "children"))]
    return {"default": values} if values else content.take("default")


def _take_aliases(content: Statements) -> list[str]:
    """Other spellings of a flag; those that help does not show stay where they are."""
    hidden: list[KdlNode] = []
    aliases: list[str] = []
    for node in content.take_parts("alias"):
        if node.get("properties"):
            hidden.append(node)
        else:
            aliases += texts_at(node, "arguments")
    if hidden:
        content.parts["alias"] = hidden
    return aliases


def entry_of_argument(node: KdlNode) -> dict[str, Any]:
    """The same of an argument's node.

    >>> entry_of_argument({"arguments": ["[file]..."]})
    {'name': 'file', 'repeated': True, 'values': ['[file]']}
    """
    text = _text_of(node)
    values = _VALUE.findall(text) or [text.removesuffix("...")]
    name = "_".join(filter(None, map(_bare, values))) or text or "argument"
    entry: dict[str, Any] = without_empty({"name": name, "repeated": text.endswith("..."), "values": values})
    return _with_statements(entry, read_statements(node), [])


def _with_statements(entry: dict[str, Any], content: Statements, effects: list[Any]) -> dict[str, Any]:
    """An entry with what its node says; `effects` are those of its value."""
    effects = [*effects, *content.take_values("effect")]
    facts = content.take(*_KNOWN) | _take_default(content)
    names = {key: content.take_values(key) for key in ("conflicts", *_LISTED_CONDITIONS)}
    entry |= without_empty({"effects": effects, **names})
    if "choices" not in entry:
        entry |= _take_choices(content)
    entry.update(facts)
    others = content.rest
    if any(others.values()):
        entry["others"] = others
    return entry


def _name_of(own_names: list[str], flags: list[str], text: str) -> str:
    long_flags = [flag for flag in flags if flag.startswith("--")]
    names = [*own_names, *long_flags, *flags]
    if not names:
        return text or "flag"
    return names[0].lstrip("-") or names[0]


def _bare(value: str) -> str:
    """The name in `<name>`, `[name]` or `<-- name>`."""
    return value.strip("<>[]").removeprefix("--").strip()


def load_parameter(entry: dict[str, Any], kind: str | None) -> NamedParameter:
    values = texts_at(entry, "values")
    schema = _schema_of(entry, kind, values)
    words = with_conditions(stated_text(entry, *_WORDS), entry, _CONDITIONS)
    if words is not None:
        schema["description"] = words
    if entry.get("deprecated") not in (None, False):
        schema["deprecated"] = True
    if entry.get("default") is not None:
        schema["default"] = _default(entry["default"], schema)
    stated_required = is_required = stated_bool(entry, "required")
    if is_required is None:
        is_optional = entry.get("default") is not None or (bool(values) and values[0].startswith("["))
        is_required = kind == "argument" and not is_optional
    is_variadic = schema.get("type") == "array" and (kind == "argument" or _is_statable(entry, values))
    binding = Binding(
        kind=None if "sigil" in entry else kind,  # no binding says that its first sign tells an argument apart
        flags=_flags_of(entry, kind, values) or None,
        required=stated_required,
        variadic=is_variadic or None,
        hidden=stated_bool(entry, "hide"),
        together=len(values) > 1 or entry.get("value_var") is True if kind == "option" and is_variadic else None,
        env=stated_text(entry, "env"),
        excludes=tuple(name.lstrip("-") for name in texts_at(entry, "conflicts")) or None,
    )
    return NamedParameter(entry["name"], schema, is_required, binding)


def _flags_of(entry: dict[str, Any], kind: str | None, values: list[str]) -> tuple[str, ...]:
    """The spellings of a flag; none where no binding can state what stands behind it."""
    if kind != "option" or not _is_statable(entry, values):
        return ()
    flags = texts_at(entry, "flags")
    negation = stated_text(entry, "negate")
    if negation is not None and opposite_of(entry) is None:
        flags.append(negation)
    return joined_flags(flags) if entry.get("require_equals") is True else tuple(flags)


def opposite_of(entry: dict[str, Any]) -> str | None:
    """The flag that says the opposite, where it is not the `--no-x` of a flag `--x`, which every reader understands."""
    negation = stated_text(entry, "negate")
    return None if negation in [f"--no-{flag[2:]}" for flag in texts_at(entry, "flags")] else negation


def _is_statable(entry: dict[str, Any], values: list[str]) -> bool:
    """Whether a flag has one value, or as many as it names; no binding has several behind each of several flags."""
    return len(values) < 2 or not (_is_repeated(entry) or any(value.startswith("[") for value in values))


def _is_repeated(entry: dict[str, Any]) -> bool:
    return any(entry.get(key) is True for key in ("repeated", "var", "count", "value_var"))


def stands_behind_dashes(entry: dict[str, Any]) -> bool:
    """Whether an argument is whatever stands behind `--`."""
    return entry.get("double_dash") == "required" or any(
        value.strip("<[").startswith("-- ") for value in texts_at(entry, "values")
    )


def _schema_of(entry: dict[str, Any], kind: str | None, values: list[str]) -> JsonSchema:
    value: JsonSchema = {"type": "string"}
    choices = list_at(entry, "choices")
    if choices:
        value = {**(value if is_texts(choices) else {}), "enum": choices}
    if kind == "option" and not values:
        value = {"type": "boolean"}
    elif kind == "option" and values[0].startswith("[") and entry.get("value_var") is not True:
        value = optional_value(value)
    is_repeated = _is_repeated(entry)
    if not is_repeated and len(values) < 2:
        return value
    if not is_repeated:
        return several_values(value, len(values), len(values))
    return several_values(value, stated_count(entry, "var_min"), stated_count(entry, "var_max"))


def _default(value: Any, schema: JsonSchema) -> Any:
    """A default as the schema has values: every default of a specification is a text, whatever it stands for."""
    kind = schema.get("type")
    if isinstance(value, list):  # of several, what takes one value has the first
        return value if kind == "array" else _default(value[0], schema)
    if kind == "boolean" and isinstance(value, str):
        return value == "true"
    if kind == "string":
        return str(value).lower() if isinstance(value, bool) else str(value)
    if kind == "array":
        times = _TIMES.get(str(value).lower()) if schema["items"] == {"type": "boolean"} else None
        return [value] if times is None else [True] * times
    return value
