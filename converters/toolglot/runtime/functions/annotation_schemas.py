"""Annotations as JSON Schema, by pydantic."""

from __future__ import annotations

from functools import cache
from typing import Any

from toolglot.extras import load_package

_CONFIGURATION = {"ser_json_inf_nan": "constants"}  # NaN and infinities stay as they are


def pydantic_module(module: str = "pydantic") -> Any:
    """pydantic or a module of it; `UsageError` where the extra is not installed."""
    return load_package(module, "functions", "functions as tools need")


def adapter_of(annotation: Any) -> Any:
    """pydantic's converter of an annotation; a model refuses ours, because it has a configuration of its own."""
    try:
        return pydantic_module().TypeAdapter(annotation, config=_CONFIGURATION)
    except pydantic_module("pydantic.errors").PydanticUserError:
        return pydantic_module().TypeAdapter(annotation)


@cache
def schema_generator() -> Any:
    """pydantic's generator of schemas, without titles made of field names, and with the keys in their own order.

    A `date-time` or `time` has a zone (RFC 3339). A result that may have none gets no format: a client that checks the
    format would refuse the result.
    """
    base: Any = pydantic_module("pydantic.json_schema").GenerateJsonSchema

    class Untitled(base):
        def field_title_should_be_set(self, schema: Any) -> bool:
            return False

        def sort(self, value: Any, parent_key: str | None = None) -> Any:
            return value

        def moment_schema(self, schema: Any) -> Any:
            json_schema = getattr(super(), f"{schema['type']}_schema")(schema)
            if self.mode == "serialization" and schema.get("tz_constraint", "naive") == "naive":
                json_schema.pop("format", None)
            return json_schema

        datetime_schema = time_schema = moment_schema

    return Untitled
