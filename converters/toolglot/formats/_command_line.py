"""Positional arguments and flags of a command as JSON Schema properties with their bindings, and back.

A type word and a few keywords say most of what real programs need. What they cannot say (objects, unions, `$ref`)
goes into the entry's own `schema`, as ATIP 0.1.0 allows for complex types.
"""

from __future__ import annotations

from typing import Any

from toolglot.formats._mapping import is_texts
from toolglot.formats._names import fit
from toolglot.formats._parameters import Parameter, Style, collect, distribute
from toolglot.model import Binding, Tool

_TYPES: dict[str, dict[str, Any]] = {
    "string": {"type": "string"},
    "integer": {"type": "integer"},
    "number": {"type": "number"},
    "boolean": {"type": "boolean"},
    "file": {"type": "string", "format": "file-path"},
    "directory": {"type": "string", "format": "directory-path"},
    "url": {"type": "string", "format": "uri"},
    "enum": {},
    "array": {"type": "array"},
}
_WORDS = {(form["type"], form.get("format", "")): word for word, form in _TYPES.items() if form}


def _load_parameter(entry: dict[str, Any], kind: str | None) -> Parameter:
    own = entry.get("schema")
    schema = dict(own) if isinstance(own, dict) else _simple_schema(entry)
    if not isinstance(own, dict) and entry.get("variadic") is True:
        schema = {"type": "array", "items": schema}
    if isinstance(entry.get("description"), str):
        schema["description"] = entry["description"]
    if "default" in entry:
        schema["default"] = entry["default"]
    stated = entry.get("required")
    required = stated if isinstance(stated, bool) else kind == "argument"
    binding = Binding(
        kind=kind,
        required=stated if isinstance(stated, bool) else None,
        variadic=entry["variadic"] if isinstance(entry.get("variadic"), bool) else None,
        env=entry["envVar"] if isinstance(entry.get("envVar"), str) else None,
        flags=tuple(entry["flags"]) if is_texts(entry.get("flags")) else None,
        excludes=tuple(entry["exclusive"]) if is_texts(entry.get("exclusive")) else None,
    )
    return Parameter(entry["name"], schema, required, binding)


def _simple_schema(entry: dict[str, Any]) -> dict[str, Any]:
    word = entry.get("type")
    schema = dict(_TYPES[word]) if isinstance(word, str) and word in _TYPES else {}
    if isinstance(entry.get("enum"), list):
        if word == "enum" and is_texts(entry["enum"]):
            schema["type"] = "string"
        schema["enum"] = entry["enum"]
    if isinstance(entry.get("pattern"), str):
        schema["pattern"] = entry["pattern"]
    return schema


def _dump_parameter(parameter: Parameter) -> dict[str, Any]:
    binding, rest = parameter.binding, dict(parameter.schema)
    name = binding.name or parameter.name
    entry: dict[str, Any] = {"name": name}
    if binding.kind != "argument":
        entry["flags"] = list(binding.flags if binding.flags is not None else (_flag(name),))
    description = rest.pop("description") if isinstance(rest.get("description"), str) else name
    default = {"default": rest.pop("default")} if "default" in rest else {}
    simple = _simple_entry(rest, binding)
    entry["type"] = simple.pop("type")
    entry["description"] = description
    if binding.kind is None or binding.required is not None or parameter.required != (binding.kind == "argument"):
        entry["required"] = parameter.required
    entry.update(default)
    entry.update(simple)
    if binding.env is not None:
        entry["envVar"] = binding.env
    if binding.excludes is not None:
        entry["exclusive"] = list(binding.excludes)
    return entry


def _flag(name: str) -> str:
    return "--" + fit(name, "a-zA-Z0-9_.-", 64, "option")


def _simple_entry(schema: dict[str, Any], binding: Binding) -> dict[str, Any]:
    """`type`, `enum`, `pattern`, `variadic`; or the nearest type and the whole `schema` (0.1.0, section 3)."""
    many = (
        schema.get("type") == "array" and isinstance(schema.get("items"), dict) and schema.keys() <= {"type", "items"}
    )
    if many and (found := _scalar_entry(schema["items"])):
        return {**found, "variadic": True}
    if found := _scalar_entry(schema):
        return {**found, "variadic": False} if binding.variadic is False else found
    variadic = {} if binding.variadic is None else {"variadic": binding.variadic}
    extra: dict[str, Any] = {}
    if _is_enum(schema.get("enum")):  # said twice: most readers of the format know nothing of `schema`
        extra["enum"] = schema["enum"]
    if isinstance(schema.get("pattern"), str):
        extra["pattern"] = schema["pattern"]
    kind = "enum" if is_texts(extra.get("enum")) else _nearest_type(schema)
    return {"type": kind, **extra, **variadic, "schema": schema}


def _scalar_entry(schema: dict[str, Any]) -> dict[str, Any] | None:
    if "enum" not in schema and "pattern" not in schema:
        word = _word_of(schema)
        return {"type": word} if word else None
    plain = {key: value for key, value in schema.items() if key not in ("enum", "pattern")}
    extra: dict[str, Any] = {key: schema[key] for key in ("enum", "pattern") if key in schema}
    values = extra.get("enum")
    if not isinstance(extra.get("pattern", ""), str) or (values is not None and not _is_enum(values)):
        return None
    if values is not None and plain == ({"type": "string"} if is_texts(values) else {}):
        return {"type": "enum", **extra}
    word = _word_of(plain)
    return {"type": word, **extra} if word else None


def _word_of(schema: dict[str, Any]) -> str | None:
    """The type word that says all of a schema."""
    kind, form = schema.get("type"), schema.get("format", "")
    word = _WORDS.get((kind, form)) if isinstance(kind, str) and isinstance(form, str) else None
    return word if word and schema == _TYPES[word] else None


def _is_enum(values: Any) -> bool:
    scalars = (str, int, float)
    return isinstance(values, list) and all(isinstance(v, scalars) and not isinstance(v, bool) for v in values)


def _nearest_type(schema: dict[str, Any]) -> str:
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = next((word for word in kind if word != "null"), None)
    return kind if isinstance(kind, str) and kind in _TYPES and kind != "enum" else "string"


STYLE = Style(frozenset({"argument", "option"}), _load_parameter, _dump_parameter)


def take_parameters(rest: dict[str, Any]) -> dict[str, Any]:
    """The command's own inputs, taken out of `rest`. Absent lists are silence; an empty one says "none"."""
    closed = "arguments" in rest or "options" in rest
    entries = [("argument", entry) for entry in (rest.pop("arguments") if rest.get("arguments") else ())]
    entries += [("option", entry) for entry in (rest.pop("options") if rest.get("options") else ())]
    inputs, bindings = collect(entries, STYLE)
    if closed:
        inputs["additionalProperties"] = False
    return {"inputs": inputs, "bindings": bindings or None}


def dump_parameters(tool: Tool, rest: dict[str, Any]) -> dict[str, Any]:
    """`arguments` and `options` of a command; `rest` is what its document says beside its fields."""
    entries = distribute(tool.inputs, tool.bindings, STYLE)
    lists = {
        "arguments": [entry for binding, entry in entries if binding.kind == "argument"],
        "options": [entry for binding, entry in entries if binding.kind != "argument"],
    }
    found = {key: value for key, value in lists.items() if value}
    closed = tool.inputs is not None and tool.inputs.get("additionalProperties") is False
    if closed and not found and "arguments" not in rest and "options" not in rest:
        found["arguments"] = []
    return found
