"""Facts that a program states about its functions, in the words of AIP-14's `defineTool` and AIP-39's `defineAction`.

A fact that is left out stays unknown: a default is never a statement. No file is read, and no function is called.
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
    """What a program can state about a tool, and about an action too."""

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
    """What a program can state about a tool; AIP-14 explains each fact (`docs/reference/formats.md` has the link)."""

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
    """What a program can state about an action; `id` and `description` are required."""

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

    The schemas come from the signature, the texts from the docstring. The host gives a parameter that frameworks fill
    in (`RunContext`, `InjectedToolArg`, ...), or that is marked `Annotated[..., toolglot.Context]`; no model sees it.
    The function itself stays as it is.

    Args:
        function: anything that can be called; also a method, a `staticmethod` or a `classmethod`.
        **facts: the facts of AIP-14's `defineTool` in `snake_case`, and effects of the hub. A fact that is left out
            stays unknown. `input_schema`, `output_schema` and `context_schema` replace what the signature says about
            the arguments, the result and the parameters that the host gives; each is a JSON Schema or a type.

    Raises:
        UsageError: a fact is unknown, or AIP-14 refuses it (code `bad-definition`); the function cannot be described
            (`bad-function`); or the extra `toolglot[functions]` is not installed (`missing-extra`).

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
    contract = _define({"id": _PLACEHOLDER_ID, **facts}, parts, description)
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
    """The contract of a tool that is implemented elsewhere; arguments and errors as of `tool`.

    >>> define_tool(id="purge", description="Empty a folder.", risk_level=3).risk_level
    3
    >>> define_tool(id="purge", description="Empty a folder.", execute=print)
    Traceback (most recent call last):
    toolglot.errors.UsageError: a contract has no 'execute': what carries a tool out is bound apart from it, since \
AIP-30 at /execute; decorate the function that does the work [bad-definition]
    """
    return _define(dict(facts))


defineTool = define_tool  # as AIP-14 spells it

_PLACEHOLDER_ID = "a-function"  # while AIP-14 checks the facts: it refuses the underscores and capitals of functions


def define_action(**facts: Unpack[ActionFacts]) -> Mapping[str, Any]:
    """The manifest of an AIP-39 action; its dangers hold for every tool that implements it.

    Raises:
        UsageError: AIP-39 refuses a fact (code `bad-definition`).

    >>> fill = define_action(id="shelf:fill", description="Fill a shelf.", mutates=["workspace:shelf"], risk_level=1)
    >>> define_tool(id="fill", description="Fill it.", implements=fill).risk_level
    1
    """
    return MappingProxyType(_definitions().action({key: _as_plain_data(value) for key, value in facts.items()}))


def _define(facts: dict[str, Any], parts: FunctionParts | None = None, docstring: str | None = None) -> Tool:
    """The contract that facts state; a schema or a text that is not among them comes from the function."""
    _refuse_unknown_facts(facts)
    schemas: dict[str, Any] = {}
    for name, (owner, mode) in _SCHEMAS.items():
        schemas[name] = schema_of(facts.pop(_fact_of(name), None), owner, mode)
        if schemas[name] is None and parts is not None:
            schemas[name] = getattr(parts, name)
    if parts is not None:
        _refuse_other_names(parts, schemas["inputs"])
    if "id" not in facts or (parts is None and "description" not in facts):
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
    contract = _definitions().tool({**data, **schemas}, docstring)
    try:
        document_reader.from_data(effects)
        effects_of_tool = from_json({"id": contract.id, **effects})
    except (ParseError, msgspec.ValidationError) as error:
        raise UsageError(f"a fact cannot be understood: {error}", code="bad-definition") from None
    return replace(contract, **{key: getattr(effects_of_tool, key) for key in effects})


# Name of a schema in a document -> what messages call a type in its place, and pydantic's mode for that type.
_SCHEMAS = {
    "inputs": ("the type of the arguments", "validation"),
    "outputs": ("the type of the result", "serialization"),
    "context": ("the type of the context", "validation"),
}


def _fact_of(schema_name: str) -> str:
    """The fact for a schema of a document: `input_schema` for `inputs`."""
    return f"{schema_name.removesuffix('s')}_schema"


def _refuse_unknown_facts(facts: Mapping[str, Any]) -> None:
    """Refuse a misspelt fact, and suggest the nearest one.

    The format refuses unknown keys later, but its suggestions lack the effects of the hub, which are facts too.
    """
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
    """Refuse a schema with arguments that the function does not take."""
    takes_more = any(item.parameter.kind.name == "VAR_KEYWORD" for item in parts.converters.values())
    for name in mapping_at(inputs, "properties"):
        if name not in parts.converters and not takes_more:
            raise UsageError(f"{parts.name} has no parameter {name!r}", "bad-definition")


def _definitions() -> Definitions:
    """The rules for definitions in code, of the one format that has such rules."""
    return next(each.definitions for each in formats.every() if each.definitions is not None)


def _as_plain_data(value: Any) -> Any:
    """A copy of data in dicts and lists; the contract must not change when the caller's objects do.

    Raises:
        UsageError: the data contains itself; code `bad-definition`.
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
