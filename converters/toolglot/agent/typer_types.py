"""The types of typer's parameters, which are the annotations of a function, as JSON Schema."""

from __future__ import annotations

import io
from datetime import datetime
from enum import Enum
from pathlib import PurePath
from typing import Any, Literal, get_args, get_origin

from toolglot.agent.parameters import (
    FILE,
    TEXT,
    schema_of_choices,
    schema_of_formats,
    schema_of_path,
    schema_of_range,
    schema_of_type,
)
from toolglot.hub.model import JsonSchema


def schemas_of_descriptor(descriptor: Any) -> list[JsonSchema]:
    """What each word of a value may be, by what typer keeps of a parameter: its annotation and its settings."""
    annotation = descriptor.annotation
    kinds = (annotation,)
    if get_origin(annotation) in (list, tuple):
        kinds = get_args(annotation)
    return [_schema_of_annotation(kind, descriptor.parameter_info) for kind in kinds]


def _schema_of_annotation(kind: Any, settings: Any) -> JsonSchema:
    if settings.parser is not None:
        return dict(TEXT)
    if get_origin(kind) is Literal:
        return schema_of_choices([str(choice) for choice in get_args(kind)]) or dict(TEXT)
    if not isinstance(kind, type):
        return dict(TEXT)
    if issubclass(kind, Enum):
        return schema_of_choices([str(choice.value) for choice in kind]) or dict(TEXT)
    if issubclass(kind, datetime):
        if settings.formats:
            return schema_of_formats(settings.formats)
        return {"type": "string", "description": "A date, or a date and a time, such as 2024-01-31T12:00:00"}
    if issubclass(kind, io.IOBase):
        return dict(FILE)
    if issubclass(kind, PurePath):
        return schema_of_path(settings)
    schema = schema_of_type(kind)
    if schema["type"] in ("integer", "number") and not settings.clamp:
        return schema_of_range(schema, settings.min, settings.max)
    return schema
