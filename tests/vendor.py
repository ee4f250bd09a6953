"""Definitions against the providers' own types, which check the envelope: unknown keys, missing ones, wrong values.

None of them checks names, lengths, or which keywords a schema may use; `fitting.provider_violations` does.
Importing them takes seconds, so that each is imported when it is first needed.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from typing import Any

from metaschema import check_schema


class Later:
    """A module of a vendor, imported when something of it is first used."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        if name.startswith(("_", "pytest")):  # pytest looks for marks of its own at whatever a test module holds
            raise AttributeError(name)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what importing a vendor's package says is not about the test
            return getattr(import_module(self._name), name)


anthropic_client = Later("anthropic")
anthropic_types = Later("anthropic.types")
gemini_interactions = Later("google.genai._gaos.types.interactions")
gemini_types = Later("google.genai.types")
mcp_types = Later("mcp.types")
openai_chat = Later("openai.types.chat")
openai_client = Later("openai")
openai_responses = Later("openai.types.responses")
pydantic = Later("pydantic")


def vendor_problems(format: str, version: str, definition: Any) -> list[str]:
    """What a provider's own types find wrong with a definition; every exception and every warning is a finding.

    Args:
        definition: one tool as it stands in a request. For Gemini a function declaration or a whole `Tool`.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return list(_CHECKS[format, version](definition))
    except Exception as error:  # a type of a vendor may raise anything: AttributeError for a list of types, say
        return [f"{type(error).__name__}: {error}"]


@cache
def _adapter(name: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what importing a vendor's package says is not about the definition
        from pydantic import TypeAdapter

        return TypeAdapter(_TYPES[name]())


def _chat_type() -> Any:
    from openai.types.chat import ChatCompletionFunctionToolParam

    return ChatCompletionFunctionToolParam


def _responses_type() -> Any:
    from openai.types.responses import FunctionToolParam

    return FunctionToolParam


def _anthropic_type() -> Any:
    from anthropic.types import ToolParam

    return ToolParam


def _gemini_type() -> Any:
    from google.genai.types import Tool

    return Tool


def _mcp_type() -> Any:
    from mcp.types import Tool

    return Tool


def _older_mcp_type() -> Any:
    from mcp_types._v2025_11_25 import Tool

    return Tool


def _newest_mcp_type() -> Any:
    from mcp_types._v2026_07_28 import Tool

    return Tool


_TYPES: dict[str, Callable[[], Any]] = {
    "chat": _chat_type,
    "responses": _responses_type,
    "anthropic": _anthropic_type,
    "gemini": _gemini_type,
    "mcp": _mcp_type,
    "older mcp": _older_mcp_type,
    "newest mcp": _newest_mcp_type,
}


def _chat(definition: Any) -> Iterator[str]:
    _adapter("chat").validate_python(definition, strict=True, extra="forbid")
    if "parameters" in definition["function"]:
        yield from _schema(definition["function"]["parameters"])


def _responses(definition: Any) -> Iterator[str]:
    _adapter("responses").validate_python(definition, strict=True, extra="forbid")
    if definition["parameters"] is not None:
        yield from _schema(definition["parameters"])


def _anthropic(definition: Any) -> Iterator[str]:
    _adapter("anthropic").validate_python(definition, extra="forbid")
    yield from _schema(definition["input_schema"])  # any mapping passes the type


def _gemini(definition: Any) -> Iterator[str]:
    tool = definition if "functionDeclarations" in definition else {"functionDeclarations": [definition]}
    found = _adapter("gemini").validate_python(tool)
    for declaration in found.function_declarations:
        if not declaration.name:  # the type lets it be absent, the service does not
            yield "no name"
        if declaration.parameters and declaration.parameters_json_schema is not None:
            yield "parameters and parametersJsonSchema exclude each other"
        if declaration.parameters_json_schema is not None:
            yield from _schema(declaration.parameters_json_schema)


def _mcp(definition: Any, wire: str) -> Iterator[str]:
    tool = _adapter("mcp").validate_python(definition)
    _adapter(wire).validate_python(definition)
    known = {field.alias or name for name, field in type(tool).model_fields.items()}
    unknown = definition.keys() - known
    if unknown:
        yield f"unknown keys: {', '.join(sorted(unknown))}"
    yield from _schema(definition["inputSchema"])


def _schema(schema: Any) -> Iterator[str]:
    check_schema(schema)
    if schema.get("type") != "object":
        yield f"the root is of type {schema.get('type')!r}, not object"


# The packages have no types of their own for MCP 2025-06-18, whose tools are those of 2025-11-25 without
# `icons` and `execution`.
_CHECKS: dict[tuple[str, str], Callable[[Any], Iterator[str]]] = {
    ("openai", "chat"): _chat,
    ("openai", "responses"): _responses,
    ("anthropic", "messages"): _anthropic,
    ("gemini", "parameters"): _gemini,
    ("gemini", "json-schema"): _gemini,
    ("mcp", "2025-06-18"): lambda definition: _mcp(definition, "older mcp"),
    ("mcp", "2025-11-25"): lambda definition: _mcp(definition, "older mcp"),
    ("mcp", "2026-07-28"): lambda definition: _mcp(definition, "newest mcp"),
}
