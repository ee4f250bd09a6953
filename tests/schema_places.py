"""Where each format's documents hold schemas, written down by hand: nothing of the package is asked.

Gemini's `parameters` are not JSON Schema; they are put into its words before they are judged.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import jsonschema
import yaml

from metaschema import check_schema_as_declared

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_UPPER = {"OBJECT", "ARRAY", "STRING", "NUMBER", "INTEGER", "BOOLEAN", "NULL"}


def schemas_in(name: str, documents: list[str]) -> Iterator[tuple[str, Any]]:
    """Every schema in the documents of a format, each with the place it stands in."""
    finders: dict[str, Callable[[Any], Iterator[tuple[str, Any]]]] = {
        "aip14": _aip14,
        "anthropic": lambda data: _named(data["tools"], ("input_schema",)),
        "atdf": _atdf,
        "atip": _atip,
        "gemini": _gemini,
        "hub": lambda data: _hub(data["tools"]),
        "mcp": lambda data: _named(data["tools"], ("inputSchema", "outputSchema")),
        "openai": lambda data: _named(
            [tool.get("function", tool) for tool in data["tools"]], ("parameters", "output_schema")
        ),
        "tool-descriptor": lambda data: _named(_listed(data), ("inputSchema", "outputSchema")),
    }
    for text in documents:
        yield from finders[name](_parsed(text))


def _parsed(text: str) -> Any:
    if text.startswith("---\n"):
        return yaml.load(text.split("\n---\n")[0], _LOADER)
    return json.loads(text)


def fault_of(schema: Any) -> str | None:
    """Why something is no schema of the dialect that it declares, 2020-12 where it declares none; else `None`."""
    if not isinstance(schema, dict | bool):
        return f"{type(schema).__name__} is no schema"
    try:
        check_schema_as_declared(schema)
    except jsonschema.SchemaError as error:
        return f"{error.message[:200]} at {error.json_path}"
    return None


def _listed(data: Any) -> list[Any]:
    return data if isinstance(data, list) else data.get("tools", [data])


def _named(tools: list[Any], keys: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    for index, tool in enumerate(tools):
        yield from ((f"/{index}/{key}", tool[key]) for key in keys if tool.get(key) is not None)


def _aip14(data: Any) -> Iterator[tuple[str, Any]]:
    yield from ((f"/{key}", data[key]) for key in ("inputs", "outputs") if data.get(key) is not None)
    metadata = data.get("metadata")
    if isinstance(metadata, dict) and "contextSchema" in metadata:
        yield "/metadata/contextSchema", metadata["contextSchema"]


def _atdf(data: Any) -> Iterator[tuple[str, Any]]:
    for index, tool in enumerate(_listed(data)):
        for entry in tool.get("how_to_use", {}).get("inputs", []):
            if "schema" in entry:
                yield f"/{index}/{entry['name']}", entry["schema"]


def _atip(data: Any) -> Iterator[tuple[str, Any]]:
    for key in ("arguments", "options", "globalOptions"):
        yield from ((f"/{key}/{item['name']}", item["schema"]) for item in data.get(key, []) if "schema" in item)
    for name, command in (data.get("commands") or {}).items():
        yield from ((f"/{name}{place}", schema) for place, schema in _atip(command))


def _hub(tools: list[Any]) -> Iterator[tuple[str, Any]]:
    yield from _named(tools, ("inputs", "outputs", "context", "global_inputs"))
    for tool in tools:
        yield from _hub(tool.get("children") or [])


def _gemini(data: Any) -> Iterator[tuple[str, Any]]:
    tools = [item for tool in data["tools"] for item in tool.get("functionDeclarations", [])]
    yield from _named(tools, ("parametersJsonSchema", "responseJsonSchema"))
    for place, schema in _named(tools, ("parameters", "response")):
        yield place, _lowered(schema)


def _lowered(node: Any) -> Any:
    """An OpenAPI schema in lower-case words; what is not one of the types of the API stays, to be found."""
    if not isinstance(node, dict):
        return node
    out = dict(node)
    if out.get("type") in _UPPER:
        out["type"] = out["type"].lower()
    if isinstance(out.get("items"), dict):
        out["items"] = _lowered(out["items"])
    if isinstance(out.get("anyOf"), list):
        out["anyOf"] = [_lowered(item) for item in out["anyOf"]]
    if isinstance(out.get("properties"), dict):
        out["properties"] = {key: _lowered(value) for key, value in out["properties"].items()}
    return out
