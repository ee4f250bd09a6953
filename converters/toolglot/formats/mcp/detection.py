"""What tells lists of MCP tools from other documents, and which documents of its world list none."""

from __future__ import annotations

from typing import Any

from toolglot.formats import LookAlike, Marks, has_keys
from toolglot.formats.mcp.containers import sniff

_STARTED_BY = frozenset({"command", "url", "httpUrl"})
_ASK_THEM = "`toolglot pull --config FILE` asks them for their tools"


def _names_servers(data: dict[str, Any], body: str | None, file_name: str) -> bool:
    """Whether a client's configuration names servers in it; each client has a key of its own."""
    servers = next((data[key] for key in ("servers", "mcp_servers", "mcp") if key in data), None)
    if not isinstance(servers, dict) or not servers:
        return False
    return all(isinstance(server, dict) and _STARTED_BY & server.keys() for server in servers.values())


def _is_registry_entry(data: dict[str, Any], body: str | None, file_name: str) -> bool:
    """Whether it is the `server.json` of a registry, or a page of them."""
    servers = data.get("servers")
    if isinstance(servers, list) and servers and isinstance(servers[0], dict):
        data = servers[0].get("server", servers[0])
    if not isinstance(data, dict) or "/" not in str(data.get("name")) or "version" not in data:
        return False
    return isinstance(data.get("packages"), list) or isinstance(data.get("remotes"), list)


MARKS = Marks(
    aliases=("model-context-protocol",),
    patterns=("*.mcp.json",),
    sniff=sniff,
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
