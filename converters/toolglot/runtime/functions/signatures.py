"""The parameters of a function: which of them a model gives, and which the host or its framework."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Annotated, Any, NamedTuple, get_args, get_origin, get_type_hints

from toolglot.errors import UsageError


class Context:
    """Marks a parameter that the host gives, not a model: `database: Annotated[Database, toolglot.Context]`."""


# Types whose values frameworks put into calls: a part of the module's name, and the class. A model does not give a
# parameter of such a type, nor one that is marked with such a type or has a value of it as default.
_FRAMEWORK_CONTEXTS = frozenset({
    ("toolglot", "Context"),
    ("adk", "Context"),
    ("adk", "ReadonlyContext"),
    ("adk", "ToolContext"),
    ("agents", "RunContextWrapper"),
    ("docket", "Dependency"),
    ("fastmcp", "Context"),
    ("langchain", "ToolRuntime"),
    ("langchain_core", "CallbackManagerMixin"),
    ("langchain_core", "InjectedToolArg"),
    ("langchain_core", "RunManagerMixin"),
    ("langchain_core", "RunnableConfig"),
    ("langgraph", "ToolRuntime"),
    ("mcpserver", "Context"),
    ("pydantic_ai", "RunContext"),
    ("semantic_kernel", "Kernel"),
    ("semantic_kernel", "KernelArguments"),
    ("uncalled_for", "Dependency"),
})  # fmt: skip


class FunctionParameter(NamedTuple):
    """One parameter.

    Attributes:
        annotation: its type with everything that `Annotated` adds; `Any` where there is none.
        default: its default; `inspect.Parameter.empty` where it has none.
        is_injected: whether the host or a framework gives it, and not a model.
    """

    name: str
    kind: Any
    annotation: Any
    default: Any
    is_injected: bool

    @property
    def is_required(self) -> bool:
        """Whether a call has to give the argument."""
        collects = self.kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
        return self.default is inspect.Parameter.empty and not collects

    @property
    def note(self) -> str | None:
        """The text beside the type, as in `Annotated[int, "how many"]`; also as a `Doc` (PEP 727)."""
        if get_origin(self.annotation) is not Annotated:
            return None
        texts = (getattr(item, "documentation", item) for item in get_args(self.annotation)[1:])
        return next((text for text in texts if isinstance(text, str)), None)


class FunctionSignature(NamedTuple):
    """The parameters of a function in their order, and the type of its result; `Any` where that has no annotation."""

    parameters: tuple[FunctionParameter, ...]
    result: Any

    @property
    def untyped(self) -> set[str]:
        """The names of the parameters without an annotation."""
        return {parameter.name for parameter in self.parameters if parameter.annotation is Any}


def signature_of(function: Callable[..., Any]) -> FunctionSignature:
    """The signature of anything that can be called.

    Raises:
        UsageError: the function has no signature, or an annotation cannot be resolved (code `bad-function`).

    >>> def find(text: str, store: Annotated[dict, Context], *, most: int = 5) -> list[str]: ...
    >>> [(one.name, one.is_injected, one.is_required) for one in signature_of(find).parameters]
    [('text', False, True), ('store', True, True), ('most', False, False)]
    """
    name = name_of_function(function)
    annotated: Any = whole_function(function)
    if not (inspect.isroutine(annotated) or inspect.isclass(annotated)):
        annotated = type(annotated).__call__
    try:
        hints = get_type_hints(annotated, include_extras=True)
    except Exception as error:  # to resolve annotations runs code of the function's module
        message = f"an annotation of {name} cannot be resolved: {error}"
        hint = "import at run time what it names, or state input_schema"
        raise UsageError(message, code="bad-function", hint=hint) from None
    try:  # from Python 3.14 on this evaluates the annotations too, so their errors are caught above
        signature = inspect.signature(function)
    except (TypeError, ValueError) as error:
        raise UsageError(f"{name} has no signature: {error}", code="bad-function") from None
    parameters: list[FunctionParameter] = []
    # `signature` keeps the keywords of a partial function as parameters; a model could replace the host's values.
    bound = function.keywords if isinstance(function, functools.partial) else {}
    for one in signature.parameters.values():
        if one.name in bound:
            continue
        annotation = hints.get(one.name, Any)
        is_injected = any(map(_is_of_framework, (one.default, *_types_in(annotation))))
        parameters.append(FunctionParameter(one.name, one.kind, annotation, one.default, is_injected))
    return FunctionSignature(tuple(parameters), hints.get("return", Any))


def name_of_function(function: Any) -> str:
    """The name of a function; of a partial function the name of the whole one.

    >>> name_of_function(functools.partial(print, "x"))
    'print'
    """
    whole = whole_function(function)
    return getattr(whole, "__name__", None) or type(whole).__name__


def whole_function(function: Any) -> Any:
    """The function below all `functools.partial`: it has the name, the docstring and the annotations.

    >>> whole_function(functools.partial(print, "x")) is print
    True
    """
    while isinstance(function, functools.partial):
        function = function.func
    return function


def has_receiver(function: Any, signature: FunctionSignature) -> bool:
    """Whether a function is defined in the body of a class, and its first parameter is `self` or `cls`.

    >>> class Notes:
    ...     def find(self, text): ...
    >>> has_receiver(Notes.find, signature_of(Notes.find)), has_receiver(print, signature_of(print))
    (True, False)
    """
    owner = getattr(function, "__qualname__", "").rpartition(".")[0]
    if not owner or owner.endswith("<locals>") or not signature.parameters:
        return False
    return signature.parameters[0].name in ("self", "cls")


def _types_in(annotation: Any) -> Iterable[Any]:
    """All types in an annotation: of a union its members, of `Annotated` also what stands beside the type."""
    if get_origin(annotation) is not None:
        yield get_origin(annotation)
        for argument in get_args(annotation):
            yield from _types_in(argument)
    else:
        yield annotation


def _is_of_framework(value: Any) -> bool:
    kind = value if isinstance(value, type) else type(value)
    for base in kind.__mro__:
        for part in base.__module__.split("."):
            if (part, base.__name__) in _FRAMEWORK_CONTEXTS:
                return True
    return False
