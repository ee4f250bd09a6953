"""A function with its contract, and how a call reaches the function."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, ParamSpec, TypeVar

from toolglot.converter.hub.model import JsonSchema, Tool, to_json
from toolglot.converter.text.pointers import without_empty
from toolglot.errors import ToolFailure, UsageError
from toolglot.option_checks import require_items
from toolglot.runtime.bridge.invocations import Invocation
from toolglot.runtime.bridge.runner_and_approve import Runner
from toolglot.runtime.functions.annotation_converters import Converter, ParameterConverter, parameter_converter
from toolglot.runtime.functions.argument_schemas import object_schema
from toolglot.runtime.functions.docstrings import Docstring, parse_docstring
from toolglot.runtime.functions.signatures import (
    FunctionParameter,
    FunctionSignature,
    has_receiver,
    name_of_function,
    signature_of,
    whole_function,
)

_P = ParamSpec("_P")
_R = TypeVar("_R")
_OF_FUNCTIONS = ("__module__", "__name__", "__qualname__", "__doc__")


class FunctionParts:
    """What a function itself says: its signature, its docstring, and converters for its arguments and its result."""

    def __init__(self, function: Callable[..., Any]) -> None:
        plain: Any = getattr(function, "__func__", function)
        self.name = name_of_function(plain)
        signature = signature_of(plain)
        # The docstring of a partial function or an object also describes parameters that are not in its signature.
        names = {parameter.name for parameter in signature.parameters} if inspect.isroutine(plain) else None
        if inspect.ismethod(function) or has_receiver(plain, signature):
            signature = signature._replace(parameters=signature.parameters[1:])
        self.signature: FunctionSignature = signature
        self.docstring: Docstring = parse_docstring(inspect.getdoc(whole_function(plain)), names, signature.untyped)
        self.converters: dict[str, ParameterConverter] = {}
        for parameter in signature.parameters:
            if not parameter.is_injected:
                self.converters[parameter.name] = parameter_converter(parameter, self.name)
        self.result: Converter | None = (
            None  # `None` where the result has no annotation, or one that JSON cannot express
        )
        if signature.result is not Any:
            try:
                self.result = Converter(signature.result, f"the result of {self.name}", mode="serialization")
            except UsageError as error:
                if error.code != "bad-function":
                    raise

    @property
    def inputs(self) -> JsonSchema:
        """The JSON Schema of the arguments that a model gives."""
        return object_schema(self.converters.values(), self.docstring.parameters)

    @property
    def context(self) -> JsonSchema | None:
        """The JSON Schema of the arguments that the host gives, with names but no types; `None` where it gives none."""
        host_parameters = [parameter for parameter in self.signature.parameters if parameter.is_injected]
        if not host_parameters:
            return None
        properties: JsonSchema = {}
        for parameter in host_parameters:
            text = parameter.note or self.docstring.parameters.get(parameter.name)
            properties[parameter.name] = {"description": text} if text else {}
        required = [parameter.name for parameter in host_parameters if parameter.is_required]
        return {"type": "object", "properties": properties, **without_empty({"required": required})}

    @property
    def outputs(self) -> JsonSchema | None:
        """The JSON Schema of the result; `None` where nothing is known about it."""
        if self.result is None:
            return None
        text = self.docstring.result
        if not text:
            return self.result.schema
        return {"description": text, **self.result.schema}

    @cached_property
    def result_encoder(self) -> Converter:
        """The converter that makes JSON data of the result, whatever its type."""
        return self.result or Converter(Any, self.name)


@dataclass(frozen=True, eq=False)
class ToolFunction(Generic[_P, _R]):
    """A function that is a tool: it is called as before, and has a contract.

    Attributes:
        contract: the tool, as every verb of toolglot takes it.
        function: the function itself.
        parts: what the function itself says.

    Raises:
        FrozenInstanceError: an attribute is assigned to.
    """

    contract: Tool
    function: Callable[_P, _R]
    parts: FunctionParts = field(repr=False)

    def __post_init__(self) -> None:
        attributes = vars(self)  # what `functools.wraps` would set, past the lock of the frozen class
        attributes["__wrapped__"] = self.function
        for name in _OF_FUNCTIONS:
            if hasattr(self.function, name):
                attributes[name] = getattr(self.function, name)

    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _R:
        return self.function(*args, **kwargs)

    def __get__(self, instance: Any, owner: Any = None) -> ToolFunction[..., Any]:
        """The tool bound to an object, where it is an attribute of the object's class."""
        method: Any = self.function
        if hasattr(method, "__get__"):
            method = method.__get__(instance, owner)
        return ToolFunction(self.contract, method, self.parts)

    def model_dump(self, **options: Any) -> dict[str, Any]:
        """The contract as JSON data of the hub, so that `toolglot.read` and `convert` take the function itself.

        Args:
            **options: the options of pydantic's method of this name; they change nothing.
        """
        return {"toolglot": 1, "tools": [to_json(self.contract)]}

    def run(self, arguments: Mapping[str, Any], context: Mapping[str, Any] | None = None) -> Any:
        """Call the function with the arguments of a call.

        Args:
            arguments: JSON data that the contract accepts, by name.
            context: the values of the parameters that the host gives.

        Returns:
            The result as JSON data, of a generator a list; of an asynchronous function a coroutine that gives it.

        Raises:
            ToolFailure: an argument does not fit its annotation (code `input_invalid`).
            UsageError: the context lacks a parameter (code `bad-context`).
            Exception: whatever the function raises.
        """
        args, kwargs = self._bind(dict(arguments), context or {})
        result: Any = self.function(*args, **kwargs)
        if inspect.isawaitable(result) or hasattr(result, "__aiter__"):
            return self._await_result(result)
        return self.parts.result_encoder.encode(result)

    async def _await_result(self, result: Any) -> Any:
        result = [item async for item in result] if hasattr(result, "__aiter__") else await result
        return self.parts.result_encoder.encode(result)

    def _bind(self, arguments: dict[str, Any], context: Mapping[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        """The arguments in the form of the signature; by position where that is allowed, so that `*args` can follow."""
        args: list[Any] = []
        kwargs: dict[str, Any] = {}
        for parameter in self.parts.signature.parameters:
            converter = self.parts.converters.get(parameter.name)
            if parameter.kind is inspect.Parameter.VAR_KEYWORD:
                if converter is not None:
                    self._refuse_names_of_the_host(arguments)
                    kwargs.update({key: converter.decode(value) for key, value in arguments.items()})
                continue
            if converter is None:
                value = self._injected_value(parameter, context)
            else:
                value = _argument(converter, arguments)
            if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
                args += value
            elif parameter.kind is inspect.Parameter.KEYWORD_ONLY:
                kwargs[parameter.name] = value
            else:
                args.append(value)
        return args, kwargs

    def _refuse_names_of_the_host(self, arguments: Mapping[str, Any]) -> None:
        """Raise `ToolFailure` where a model would give a parameter of the host by way of `**name`."""
        for parameter in self.parts.signature.parameters:
            if parameter.is_injected and parameter.name in arguments:
                raise ToolFailure(f"`{parameter.name}` is no argument", "input_invalid")

    def _injected_value(self, parameter: FunctionParameter, context: Mapping[str, Any]) -> Any:
        if parameter.name in context:
            return context[parameter.name]
        if parameter.is_required:
            message = f"{self.parts.name} needs {parameter.name!r} from its host, and the context does not have it"
            raise UsageError(message, code="bad-context")
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            return ()
        return parameter.default


def _argument(converter: ParameterConverter, arguments: dict[str, Any]) -> Any:
    """The value of one parameter; it is removed from the arguments, so that the others remain for `**name`."""
    parameter = converter.parameter
    if parameter.name in arguments:
        return converter.decode(arguments.pop(parameter.name))
    if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
        return []
    if converter.is_required:
        raise ToolFailure(f"`{parameter.name}` is missing", "input_invalid")
    return converter.make_default()


def runner(functions: Iterable[ToolFunction[..., Any]]) -> Runner:
    """A runner for `toolglot.Session` that carries out each call by its function.

    The runner is asynchronous where one of the functions is. So `Session.handle` refuses it before anything runs, and
    `handle_async` waits for it.

    Raises:
        UsageError: two functions have the same id, or `toolglot.tool` did not make one of them (code `bad-tools`).
    """
    require_items("functions", functions, "a list of functions that `toolglot.tool` made")
    by_id: dict[str, ToolFunction[..., Any]] = {}
    for function in functions:
        if not isinstance(function, ToolFunction):
            kind = type(function).__name__
            raise UsageError(f"a function that `toolglot.tool` made is expected, not a {kind}", code="bad-tools")
        if by_id.setdefault(function.contract.id, function) is not function:
            raise UsageError(f"two functions are called {function.contract.id!r}; state an id", code="bad-tools")

    def run(invocation: Invocation) -> Any:
        function = by_id.get(invocation.tool.id)
        if function is None:
            raise ToolFailure(f"no function carries out {invocation.tool.id!r}", "no_route", retryable=False)
        return function.run(invocation.arguments, invocation.context)

    async def run_async(invocation: Invocation) -> Any:
        outcome = run(invocation)
        if inspect.isawaitable(outcome):
            return await outcome
        return outcome

    for function in by_id.values():
        if inspect.iscoroutinefunction(function.function) or inspect.isasyncgenfunction(function.function):
            return run_async
    return run
