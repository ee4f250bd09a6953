"""The JSON Schema of a function's arguments, and of a type that somebody gives in place of a schema."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterable, Mapping
from typing import Any

from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.text.pointers import only_keys, without_empty
from toolglot.runtime.functions.annotation_converters import ABSENT, Converter, ParameterConverter
from toolglot.runtime.functions.annotation_schemas import pydantic_module, schema_generator


def object_schema(converters: Iterable[ParameterConverter], texts: Mapping[str, str]) -> JsonSchema:
    """The JSON Schema of an object of arguments; other names are refused unless the function takes `**name`.

    Args:
        texts: name of a parameter -> its text in the docstring.
    """
    by_name = {item.parameter.name: item for item in converters}
    inputs = [(name, item.converter.mode, item.converter.adapter) for name, item in by_name.items()]
    pairs, schema_of_all = pydantic_module().TypeAdapter.json_schemas(inputs, schema_generator=schema_generator())
    schemas = {name: schema for (name, _), schema in pairs.items()}
    properties: JsonSchema = {}
    rest: Any = False
    required: list[str] = []
    for name, item in by_name.items():
        own = _with_text_and_default(schemas[name], item, texts.get(name))
        if item.parameter.kind is inspect.Parameter.VAR_KEYWORD:
            rest = own or True
            continue
        properties[name] = own
        if item.is_required:
            required.append(name)
    return {
        "type": "object",
        "properties": properties,
        **without_empty({"required": required}),
        "additionalProperties": rest,
        **only_keys(schema_of_all, ("$defs",)),  # definitions that parameters refer to
    }


def schema_of(description: Any, owner: str, mode: str = "validation") -> JsonSchema | None:
    """The JSON Schema that a description is or stands for; `None` where there is none.

    Args:
        description: a schema, or a type: a pydantic model, a dataclass, a `TypedDict`, any annotation.

    >>> schema_of({"type": "object"}, "inputs"), schema_of(list[int], "inputs")
    ({'type': 'object'}, {'type': 'array', 'items': {'type': 'integer'}})
    """
    if description is None:
        return None
    if isinstance(description, Mapping):
        return dict(description)
    return Converter(description, owner, mode).schema


def _with_text_and_default(schema: JsonSchema, item: ParameterConverter, text: str | None) -> JsonSchema:
    """The schema of a parameter with its text and default; where the type states these itself, the type counts."""
    beside: JsonSchema = {}
    if item.parameter.note or text:
        beside["description"] = item.parameter.note or text
    default = _default_of(item)
    if default is not ABSENT:
        beside["default"] = default
    return {**beside, **schema}


def _default_of(item: ParameterConverter) -> Any:
    """The default of a parameter as JSON data.

    `ABSENT` where there is none, where JSON has no form for it (`math.inf`), and where its type refuses it
    (`x: int = None`).

    A value from a `default_factory` is no default: the next call gets another one.
    """
    is_made = item.field is not None and item.field.default_factory is not None
    if is_made or item.is_required or item.parameter.default is ABSENT:
        return ABSENT
    try:
        default = item.converter.encode(item.make_default())
        item.converter.decode(default)
        json.dumps(default, allow_nan=False)
    except Exception:  # pydantic runs code of the types
        return ABSENT
    return default
