"""Facts that a program states of its functions, in the words of AIP-14's `defineTool` and AIP-39's `defineAction`.

What is left out stays unknown: no default is a statement. Nothing is read or written, and no function is called.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal, ParamSpec, TypedDict, TypeVar, Unpack, overload

import msgspec
from msgspec.structs import replace

from toolglot.converter import formats
from toolglot.converter.formats import Definitions
from toolglot.converter.hub.model import Tool, from_json
from toolglot.converter.text import document_reader
from toolglot.converter.text.pointers import mapping_at
from toolglot.converter.text.wording import suggestion
from toolglot.errors import ParseError, UsageError, wrong_type
from toolglot.runtime.agent.decorator_types import Effects
from toolglot.runtime.functions.argument_schemas import schema_of
from toolglot.runtime.functions.docstrings import with_replacement
from toolglot.runtime.functions.tool_function import FunctionParts, ToolFunction

_P = ParamSpec("_P")
_R = TypeVar("_R")


class Requirements(TypedDict, total=False):
    """What a tool needs: the hosts that it reaches, the names of its secrets, the ids of the tools that it calls."""

    network: Sequence[str]
    secrets: Sequence[str]
    tools: Sequence[str]


class Retry(TypedDict, total=False):
    """How a call that failed is repeated."""

    max_attempts: int
    backoff: Literal["fixed", "exponential"]
    initial_ms: int


class ContractFacts(TypedDict, total=False):
    """What a program can state of a tool and of an action alike."""

    id: str
    description: str
    version: str
    mutates: Sequence[str]
    requires: Requirements
    approval: str
    risk_level: Literal[0, 1, 2, 3]
    tags: Sequence[str]
    examples: Sequence[Mapping[str, Any]]
    metadata: Mapping[str, Any]


class Facts(Effects, ContractFacts, total=False):
    """What a program can state of a tool; `docs/reference/formats.md` leads to AIP-14, which says what each means."""

    name: str
    cost_class: Literal["trivial", "metered", "expensive"]
    timeout_ms: int
    retry: Retry
    idempotent: bool
    default_implementation: str
    driver_constraints: Mapping[Literal["forbid", "require_kind"], Sequence[str]]
    implements: str | Mapping[str, Any]
    input_schema: Any
    output_schema: Any
    context_schema: Any


class ActionFacts(ContractFacts, total=False):
    """What a program can state of an action; it has an `id` and a `description`."""

    category: str
    verb: str
    target_kind: str
    fires_events: Sequence[str]


@overload
def tool(function: Callable[_P, _R], /, **facts: Unpack[Facts]) -> ToolFunction[_P, _R]: ...


@overload
def tool(**facts: Unpack[Facts]) -> Callable[[Callable[_P, _R]], ToolFunction[_P, _R]]: ...


def tool(function: Callable[..., Any] | None = None, /, **facts: Unpack[Facts]) -> Any:
    """Make a function a tool: `@toolglot.tool`, `@toolglot.tool(approval="always")` or `toolglot.tool(function)`.

    The signature says what goes in and comes out, the docstring what it is for. A parameter that frameworks fill in
    (`RunContext`, `InjectedToolArg`, ...), or that is marked `Annotated[..., toolglot.Context]`, is the host's, and no
    model is told of it. The function itself stays as it is.

    Args:
        function: anything that can be called; also a method, a `staticmethod` or a `classmethod`.
        **facts: what the function does, as AIP-14's `defineTool` has it in `snake_case`, and effects of the hub. What
            is left out stays unknown. `input_schema` is the JSON Schema of the arguments, or a type, in the place of
            what the signature says, `output_schema` that of the result, and `context_schema` that of what the host
            gives.

    Raises:
        UsageError: a fact that is not known or that AIP-14 refuses (code `bad-definition`), a function that cannot be
            described (`bad-function`), or the extra `toolglot[functions]` is not installed (`missing-extra`).

    >>> @tool(mutates=["workspace:notes"], approval="on-mutate", reversible=False)
    ... def delete_note(note: str, most: int = 1) -> bool:
    ...     '''Delete a note.
    ...
    ...     Args:
    ...         note: its name.
    ...     '''
    ...     return True
    >>> delete_note.contract.description, delete_note.contract.reversible, delete_note.contract.network
    ('Delete a note.', False, None)
    >>> delete_note.contract.inputs["properties"]["note"]
    {'description': 'its name.', 'type': 'string'}
    >>> delete_note("a")
    True
    """
    if function is None:
        return lambda target: tool(target, **facts)
    if isinstance(function, ToolFunction):
        raise UsageError(f"{function.parts.name} is a tool already", code="bad-function")
    if not callable(function) and not isinstance(function, staticmethod | classmethod):
        raise wrong_type("a function", function, "bad-function")
    parts = FunctionParts(function)
    docstring = parts.docstring
    replacement = getattr(function, "__deprecated__", None)
    description = with_replacement(docstring.description, replacement)
    contract = _define({"id": _OF_A_FUNCTION, "description": description, **facts}, parts)
    contract = replace(
        contract,
        id=facts.get("id", parts.name),
        success=docstring.result if contract.outputs is None else None,
        errors=docstring.errors or None,
        guidance=docstring.guidance,
        deprecated=None if replacement is None else True,
    )
    return ToolFunction(contract, function, parts)


def define_tool(**facts: Unpack[Facts]) -> Tool:
    """The contract of a tool whose implementation stands elsewhere; arguments and errors as of `tool`.

    >>> define_tool(id="purge", description="Empty a folder.", risk_level=3).risk_level
    3
    >>> define_tool(id="purge", description="Empty a folder.", execute=print)
    Traceback (most recent call last):
    toolglot.errors.UsageError: a contract has no 'execute': what carries a tool out is bound apart from it, since \
AIP-30 at /execute; decorate the function that does the work [bad-definition]
    """
    return _define(dict(facts))


defineTool = define_tool  # as AIP-14 spells it

_OF_A_FUNCTION = "a-function"  # in the place of its own name, which may have underscores and capitals


def define_action(**facts: Unpack[ActionFacts]) -> Mapping[str, Any]:
    """The manifest of an AIP-39 action: what it says of danger holds for every tool that implements it.

    Raises:
        UsageError: what AIP-39 refuses (code `bad-definition`).

    >>> fill = define_action(id="shelf:fill", description="Fill a shelf.", mutates=["workspace:shelf"], risk_level=1)
    >>> define_tool(id="fill", description="Fill it.", implements=fill).risk_level
    1
    """
    return MappingProxyType(_definitions().action({key: _as_plain_data(value) for key, value in facts.items()}))


def _define(facts: dict[str, Any], parts: FunctionParts | None = None) -> Tool:
    """The contract that facts state; a schema that is none of them is what the function says by itself."""
    _refuse_unknown_facts(facts)
    schemas: dict[str, Any] = {}
    for name, (owner, mode) in _SCHEMAS.items():
        schemas[name] = schema_of(facts.pop(_fact_of(name), None), owner, mode)
        if schemas[name] is None and parts is not None:
            schemas[name] = getattr(parts, name)
    if parts is not None:
        _refuse_other_names(parts, schemas["inputs"])
    if "id" not in facts or "description" not in facts:
        raise UsageError("a contract has an id and a description", code="bad-definition")
    effects: dict[str, Any] = {}
    data: dict[str, Any] = {}
    for key, value in facts.items():
        group = effects if key in Effects.__annotations__ else data
        group[key] = _as_plain_data(value)
    if not isinstance(data.get("id"), str):
        raise UsageError(f"the id of a contract is a text, not {data.get('id')!r}", "bad-definition", "/id")
    if isinstance(facts.get("implements"), Mapping):
        data["implements"] = {"inline": data["implements"]}
    contract = _definitions().tool({**data, **schemas})
    try:
        document_reader.from_data(effects)
        effects_of_tool = from_json({"id": contract.id, **effects})
    except (ParseError, msgspec.ValidationError) as error:
        raise UsageError(f"a fact cannot be understood: {error}", code="bad-definition") from None
    return replace(contract, **{key: getattr(effects_of_tool, key) for key in effects})


# What a document calls a schema -> what messages call a type that is one, and what it is for.
_SCHEMAS = {
    "inputs": ("the type of the arguments", "validation"),
    "outputs": ("the type of the result", "serialization"),
    "context": ("the type of the context", "validation"),
}


def _fact_of(schema_name: str) -> str:
    """The fact that states what a document calls so: `input_schema` for `inputs`."""
    return f"{schema_name.removesuffix('s')}_schema"


def _refuse_unknown_facts(facts: Mapping[str, Any]) -> None:
    """Refuse a misspelt fact with the nearest one; the format knows no effects of the hub, which are facts, too."""
    for name in facts:
        if name in Facts.__annotations__:
            continue
        hint = suggestion(name, Facts.__annotations__, mark="`")
        if name in _SCHEMAS:
            hint = f"did you mean `{_fact_of(name)}`?"
        if hint is not None:
            message = f"`{name}` is no fact of a tool"
            raise UsageError(message, "bad-definition", f"/{name}", hint=hint)


def _refuse_other_names(parts: FunctionParts, inputs: Mapping[str, Any]) -> None:
    """Refuse a schema of arguments that the function does not take."""
    takes_more = any(item.parameter.kind.name == "VAR_KEYWORD" for item in parts.converters.values())
    for name in mapping_at(inputs, "properties"):
        if name not in parts.converters and not takes_more:
            raise UsageError(f"{parts.name} has no parameter {name!r}", "bad-definition")


def _definitions() -> Definitions:
    """How the format states tools that is made for code."""
    return next(each.definitions for each in formats.every() if each.definitions is not None)


def _as_plain_data(value: Any) -> Any:
    """Data without the sequences and mappings that JSON does not have; the contract keeps no reference to it.

    Raises:
        UsageError: it holds itself; code `bad-definition`.
    """
    try:
        return _copy_plainly(value)
    except RecursionError:
        raise UsageError("a fact holds itself, or is nested too deeply", code="bad-definition") from None


def _copy_plainly(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _copy_plainly(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_copy_plainly(item) for item in value]
    return value
