"""The parameters of a function: which a model gives, and which the host or its framework."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Annotated, Any, NamedTuple, get_args, get_origin, get_type_hints

from toolglot.errors import UsageError


class Context:
    """Marks a parameter that the host gives, and no model: `database: Annotated[Database, toolglot.Context]`."""


# What frameworks put into calls by themselves: a part of the module's name, and the class. A parameter of such a type,
# marked with one, or with one as its default, is none that a model gives.
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
        annotation: its type with everything that `Annotated` adds; `Any` where nobody says.
        default: `inspect.Parameter.empty` where it has to be given.
    """

    name: str
    kind: Any
    annotation: Any
    default: Any
    is_injected: bool

    @property
    def is_required(self) -> bool:
        """Whether a call has to give it."""
        collects = self.kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
        return self.default is inspect.Parameter.empty and not collects

    @property
    def note(self) -> str | None:
        """The text that stands beside the type: `Annotated[int, "how many"]`, or a `Doc` of it (PEP 727)."""
        if get_origin(self.annotation) is not Annotated:
            return None
        texts = (getattr(item, "documentation", item) for item in get_args(self.annotation)[1:])
        return next((text for text in texts if isinstance(text, str)), None)


class FunctionSignature(NamedTuple):
    """The parameters of a function in their order, and the type of its result; `Any` where nobody says."""

    parameters: tuple[FunctionParameter, ...]
    result: Any


def signature_of(function: Callable[..., Any]) -> FunctionSignature:
    """The signature of anything that can be called.

    Raises:
        UsageError: it cannot be called, or has no signature, or an annotation names what is not there (code
            `bad-function`).

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
    except Exception as error:  # annotations are anybody's code
        message = f"an annotation of {name} cannot be resolved: {error}"
        hint = "import at run time what it names, or state input_schema"
        raise UsageError(message, code="bad-function", hint=hint) from None
    try:  # after the annotations, which it runs from Python 3.14 on
        signature = inspect.signature(function)
    except (TypeError, ValueError) as error:
        raise UsageError(f"{name} has no signature: {error}", code="bad-function") from None
    parameters: list[FunctionParameter] = []
    # What a partial function has by name Python takes as well; a model could give another value than its host did.
    bound = function.keywords if isinstance(function, functools.partial) else {}
    for one in signature.parameters.values():
        if one.name in bound:
            continue
        annotation = hints.get(one.name, Any)
        is_injected = any(map(_is_of_framework, (one.default, *_types_in(annotation))))
        parameters.append(FunctionParameter(one.name, one.kind, annotation, one.default, is_injected))
    return FunctionSignature(tuple(parameters), hints.get("return", Any))


def name_of_function(function: Any) -> str:
    """What a function is called; of a partial one what the whole one is called.

    >>> name_of_function(functools.partial(print, "x"))
    'print'
    """
    whole = whole_function(function)
    return getattr(whole, "__name__", None) or type(whole).__name__


def whole_function(function: Any) -> Any:
    """What a partial function is a part of, which has the name, the docstring and the annotations; others themselves.

    >>> whole_function(functools.partial(print, "x")) is print
    True
    """
    while isinstance(function, functools.partial):
        function = function.func
    return function


def has_receiver(function: Any, signature: FunctionSignature) -> bool:
    """Whether a function stands in the body of a class and takes the object, or the class, that it is called on.

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
    """The type, what `Annotated` puts beside it, and the members of a union."""
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
