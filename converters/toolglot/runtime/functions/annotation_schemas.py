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
    """pydantic's converter of an annotation; a model has a configuration of its own, and takes none."""
    try:
        return pydantic_module().TypeAdapter(annotation, config=_CONFIGURATION)
    except pydantic_module("pydantic.errors").PydanticUserError:
        return pydantic_module().TypeAdapter(annotation)


@cache
def schema_generator() -> Any:
    """pydantic's generator of schemas, without the titles that it makes of the names of fields, and in their order.

    A `date-time` and a `time` have a zone. Results that may have none are texts; clients would refuse them.
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
