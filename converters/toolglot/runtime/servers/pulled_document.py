"""The tools of a server, with their origin, as a document that every verb reads.

    {"tools": {"github": {"serverInfo": …, "protocolVersion": …, "tools": […], "toolglot": {"origin": …}}}}

The tools are as the server sent them, key by key. One that cannot be read stands beside them, so that the others are
usable, and a comparison of two documents does not miss it.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterable
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from toolglot.converter.conversion.reading import Reading
from toolglot.converter.conversion.sources import open_document, read_document
from toolglot.converter.formats import is_short_text
from toolglot.converter.text.credentials import public_url
from toolglot.converter.text.document_reader import from_data
from toolglot.converter.text.pointers import as_mapping, without_empty
from toolglot.errors import ReadError, UsageError
from toolglot.extras import how_to_install, load_package
from toolglot.runtime.servers.bounds import Bounds
from toolglot.runtime.servers.named_servers import PROGRAM, ServerEntry
from toolglot.runtime.servers.variables import VariableSource
from toolglot.runtime.servers.visible_commands import without_secrets

if TYPE_CHECKING:
    from toolglot.runtime.servers.conversation import ServerAnswer

PROTOCOL = "mcp"
"""The format of what servers answer."""

OURS = "toolglot"
"""The key under which a document says what the server did not."""


class RefusedTool(NamedTuple):
    """A tool that cannot be read: as it was sent, its place in the answer of the server, and the reason."""

    tool: Any
    pointer: str
    error: ReadError


class PulledServer(NamedTuple):
    """The tools of a server.

    Attributes:
        name: its name in the configuration, or the one that it gives itself.
        data: the data under its name in a document.
        refused: the tools that cannot be read.
    """

    name: str
    data: dict[str, Any]
    refused: tuple[RefusedTool, ...] = ()

    @property
    def tools(self) -> list[dict[str, Any]]:
        """The tools that can be read, as they were sent."""
        tools: list[dict[str, Any]] = self.data["tools"]
        return tools

    def reading(self) -> Reading:
        """A reading of its tools, with its name as their namespace."""
        return read_document(open_document(document_of([self])), PROTOCOL)


def pull_server(entry: ServerEntry, values: VariableSource, bounds: Bounds) -> PulledServer:
    """Start or reach a server, and ask for all its tools.

    Raises:
        UsageError: the library of the protocol is missing or too old, or a variable that the server needs is not set.
        ReadError: the description of the server is wrong, or it cannot be reached, or it does not speak the protocol.
    """
    return pulled_server(entry, load_connection().ask_server(entry, values, bounds))


def load_connection() -> ModuleType:
    """The module that speaks the protocol, which takes half a second to import.

    Raises:
        UsageError: the library of the protocol is missing or too old; code `"missing-extra"`.
    """
    load_package("mcp", "mcp", "asking servers needs")
    try:
        return importlib.import_module("toolglot.runtime.servers.connection")
    except ImportError:  # of its first generation
        message = f"asking servers needs a newer package mcp; {how_to_install('mcp')}"
        raise UsageError(message, "missing-extra") from None


def pulled_server(entry: ServerEntry, answer: ServerAnswer) -> PulledServer:
    """The answer of a server in the form of a document.

    Raises:
        ReadError: what it says of itself cannot stand in a document.
    """
    tools, refused_tools = _sort_out(answer.tools)
    data = {**answer.about, "tools": tools, OURS: {"origin": origin_of(entry)}}
    if refused_tools:
        data[OURS]["refused"] = [{"tool": _as_data(tool), "reason": error.message} for tool, _, error in refused_tools]
    server = PulledServer(name_of(entry, answer.about.get("serverInfo")), data, tuple(refused_tools))
    open_document(document_of([server]))
    return server


def origin_of(entry: ServerEntry) -> dict[str, Any]:
    """The origin of tools for a document; it has no value of a variable."""
    is_program = entry.transport == PROGRAM
    origin: dict[str, Any] = {
        "configuration": entry.configuration,
        "server": entry.name,
        "transport": entry.transport,
        "program": entry.command[0] if is_program else None,  # arguments may hold keys
        "url": None if is_program else public_url(entry.url),
        "variables": list(entry.secret_names),
        # A command line may hold a password, which is guessed from its hash.
        "sha256": None if entry.configuration is None else entry.sha256,
    }
    return without_empty(origin)


def document_of(servers: Iterable[PulledServer]) -> dict[str, Any]:
    """One document of several servers, each under its name."""
    return {"tools": {server.name: server.data for server in servers}}


def _sort_out(tools: Iterable[Any]) -> tuple[list[dict[str, Any]], list[RefusedTool]]:
    """The tools that can be read, and the others. Of two with one name only the first counts, as for clients."""
    readable: dict[str, dict[str, Any]] = {}
    refused_tools: list[RefusedTool] = []
    for number, tool in enumerate(tools):
        try:
            # A list of tools, or a server with tools, can be read in the place of a tool too; it would give itself
            # another namespace.
            alone = open_document(document_of([PulledServer("server", {"tools": [tool]})]))
            pointers = [record.pointer for record in read_document(alone, PROTOCOL).records]
            if pointers != ["/tools/server/tools/0"] or not isinstance(tool, dict):
                raise ReadError("it is no tool", "no-tool")
            if tool["name"] in readable:
                raise ReadError("another tool of this server has the name already", "same-name")
        except ReadError as error:
            refused_tools.append(RefusedTool(tool, f"/tools/{number}", error))
        else:
            readable[tool["name"]] = tool
    return list(readable.values()), refused_tools


def _as_data(tool: Any) -> Any:
    """A tool that cannot be read, for a document: as it was sent, or as text where it has NaN or is too deep."""
    try:
        from_data([[[[[[tool]]]]]])  # as deep as it will stand
    except ReadError:
        return json.dumps(tool)
    return tool


def name_of(entry: ServerEntry, server_info: Any = None) -> str:
    """The name of a server: as it was named, else its own, else its program or its host.

    >>> name_of(ServerEntry(url="https://host.example/mcp", transport="http"))
    'host.example'
    """
    name = entry.name or as_mapping(server_info).get("name")
    if entry.name or is_short_text(name):
        return str(name)
    if entry.transport == PROGRAM:
        return without_secrets(entry.command[0])
    url = public_url(entry.url)
    return urlsplit(url).hostname or url
