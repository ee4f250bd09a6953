"""Values of annotations between JSON and Python, by pydantic."""

from __future__ import annotations

import inspect
import json
from types import GenericAlias
from typing import Annotated, Any, NamedTuple

from toolglot.converter.hub.model import JsonSchema
from toolglot.errors import ToolFailure, UsageError
from toolglot.runtime.functions.annotation_schemas import adapter_of, pydantic_module, schema_generator
from toolglot.runtime.functions.signatures import FunctionParameter

ABSENT = inspect.Parameter.empty


class Converter:
    """The JSON Schema of one annotation, and the conversion of its values.

    Args:
        owner: what the annotation belongs to, for messages.
        mode: `"validation"` for values that come in, `"serialization"` for results.

    Raises:
        UsageError: JSON has no such values (code `bad-function`).

    >>> numbers = Converter(set[int], "x")
    >>> numbers.decode([1, 1]), numbers.encode({2})
    ({1}, [2])
    """

    def __init__(self, annotation: Any, owner: str, mode: str = "validation") -> None:
        self.mode = mode
        try:
            self.adapter = adapter_of(annotation)
            self.schema: JsonSchema = self.adapter.json_schema(mode=mode, schema_generator=schema_generator())
        except UsageError:  # the package is missing
            raise
        except Exception as error:  # pydantic runs code of the types
            reason = str(error).partition("\n")[0].partition(". ")[0]  # the rest is advice for authors of models
            message = f"{owner} cannot be described as JSON: {reason}"
            raise UsageError(
                message, code="bad-function", hint="annotate it with what JSON has, such as list"
            ) from None

    def decode(self, value: Any) -> Any:
        """The Python value of JSON data.

        Raises:
            pydantic.ValidationError: the annotation has no such value.
        """
        return self.adapter.validate_json(json.dumps(value))

    def encode(self, value: Any) -> Any:
        """A Python value as JSON data.

        Raises:
            ToolFailure: JSON has no such data; code `output_parse_failed`.
        """
        try:
            return self.adapter.dump_python(value, mode="json", by_alias=True, warnings=False)
        except ValueError as error:
            raise ToolFailure(f"the result of the tool is not JSON data: {error}", "output_parse_failed") from None


class ParameterConverter(NamedTuple):
    """A parameter with the converter of its values.

    Attributes:
        field: pydantic's `Field(...)`, if one is given as the default; else `None`.
    """

    parameter: FunctionParameter
    converter: Converter
    field: Any

    @property
    def is_required(self) -> bool:
        """Whether a call has to give the argument."""
        if self.field is not None:
            return bool(self.field.is_required())
        return self.parameter.is_required

    def make_default(self) -> Any:
        """The argument of a call that leaves it out; a `default_factory` is called each time."""
        if self.field is not None:
            return self.field.get_default(call_default_factory=True)
        return self.parameter.default

    def decode(self, value: Any) -> Any:
        """The argument for JSON data.

        Raises:
            ToolFailure: the data does not fit the annotation; code `input_invalid`.
        """
        try:
            return self.converter.decode(value)
        except ValueError as error:  # from a validator; pydantic's own error is one too
            raise ToolFailure(f"{self.parameter.name}: {_explain(error)}", "input_invalid") from None


def parameter_converter(parameter: FunctionParameter, owner: str) -> ParameterConverter:
    """The converter for a parameter that a model gives."""
    annotation, field = parameter.annotation, None
    where = f"the parameter {parameter.name!r} of {owner}"
    if isinstance(parameter.default, pydantic_module("pydantic.fields").FieldInfo):
        field = parameter.default
        annotation = Annotated[annotation, field]
        if field.default_factory_takes_validated_data:
            raise UsageError(f"{where} has a default that is made of other arguments", code="bad-function")
    if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
        annotation = GenericAlias(list, (annotation,))
    return ParameterConverter(parameter, Converter(annotation, where), field)


def _explain(error: ValueError) -> str:
    """What is wrong, without the value, which can be a secret."""
    errors = getattr(error, "errors", None)
    if errors is None:
        return str(error)
    return "; ".join(
        f"{'.'.join(map(str, item['loc']))}: {item['msg']}".removeprefix(": ")
        for item in errors(include_input=False, include_url=False)
    )
