"""How lists of MCP tools are recognised, and which documents about MCP list none."""

from __future__ import annotations

from typing import Any

from toolglot.converter.formats import LookAlike, Marks, has_keys
from toolglot.converter.formats.mcp.containers import ENVELOPE, KEYS_OF_A_TOOL, first_record

# Keys that only an answer to `tools/list` has, as the protocol and as its Python library spell them. They show what an
# answer without tools is.
_ANSWER_KEYS = frozenset(
    {"nextCursor", "resultType", "ttlMs", "cacheScope", "next_cursor", "result_type", "ttl_ms", "cache_scope"}
)
# Keys of other formats. A tool with none of them, only a name and a description, may be one of MCP.
_FOREIGN = frozenset(
    {"parameters", "parametersJsonSchema", "input_schema", "function", "type", "toolId", "tool_id", "how_to_use",
     "commands", "atip", "id"}
)  # fmt: skip
# Keys that the tools in a bare list may have; with other keys it may be a list of anything.
_PLAIN = frozenset({"name", "title", "description", "arguments", "category", "tags", "prompt", "returns", "_meta"})
_STARTED_BY = frozenset({"command", "url", "httpUrl"})  # keys by which a client starts or reaches a server
_ASK_THEM = "`toolglot pull --config FILE` asks them for their tools"


def _sniff(data: Any, body: str | None, file_name: str) -> bool:
    """Whether a document holds MCP tools, by its first one.

    >>> _sniff({"name": "ls", "inputSchema": {"type": "object"}}, None, ""), _sniff({"name": "ls"}, None, "")
    (True, False)
    """
    if body is not None or not isinstance(data, dict | list):
        return False
    record = first_record(data)
    if record is None:
        return _is_answer(data)
    tool = record.data
    if not isinstance(tool, dict) or not isinstance(tool.get("name"), str):
        return False
    if KEYS_OF_A_TOOL & tool.keys():
        return "toolId" not in tool
    if not record.pointer or not isinstance(tool.get("description"), str) or _FOREIGN & tool.keys():
        return False
    return isinstance(data, dict) or tool.keys() <= _PLAIN


def _is_answer(data: Any) -> bool:
    """Whether a document without tools is an answer to `tools/list`."""
    result = data.get(ENVELOPE, data) if isinstance(data, dict) else {}
    return isinstance(result, dict) and "tools" in result and bool(result is not data or _ANSWER_KEYS & result.keys())


def _names_servers(data: dict[str, Any], body: str | None, file_name: str) -> bool:
    """Whether a document is the configuration of a client, which has its own key for servers."""
    servers = next((data[key] for key in ("servers", "mcp_servers", "mcp", "context_servers") if key in data), None)
    if not isinstance(servers, dict) or not servers:
        return False
    return all(isinstance(server, dict) and _STARTED_BY & server.keys() for server in servers.values())


def _is_registry_entry(data: dict[str, Any], body: str | None, file_name: str) -> bool:
    """Whether a document is the `server.json` of a registry, or a page of several."""
    servers = data.get("servers")
    if isinstance(servers, list) and servers and isinstance(servers[0], dict):
        data = servers[0].get("server", servers[0])
    if not isinstance(data, dict) or "/" not in str(data.get("name")) or "version" not in data:
        return False
    return isinstance(data.get("packages"), list) or isinstance(data.get("remotes"), list)


MARKS = Marks(
    aliases=("model-context-protocol",),
    patterns=("*.mcp.json",),
    sniff=_sniff,
    look_alikes=(
        LookAlike("a list of MCP servers", has_keys("mcpServers"), _ASK_THEM),
        LookAlike("a list of MCP servers", _names_servers, _ASK_THEM),
        LookAlike(
            "an MCP server as registries list it (server.json)",
            _is_registry_entry,
            "it holds no tools; `toolglot pull URL` or `toolglot pull -- COMMAND` asks the server for them",
        ),
        LookAlike("a JSON-RPC message", has_keys("jsonrpc"), "only the answer to tools/list describes tools"),
    ),
)
