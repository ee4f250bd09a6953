"""Live servers: real ones over stdio and HTTP on the loopback interface, and one that misbehaves in every way we know.

`live/hostile.py` speaks JSON-RPC by hand, `live/typical.py` with the protocol's own library.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest

import toolglot
from live import hostile
from live.over_http import serving
from pace import within
from rows import for_each
from systems import needs_proc
from toolglot.converter.text.serialization import dump_json
from toolglot.errors import Error, ReadError, UsageError
from toolglot.runtime.servers import authorization
from toolglot.runtime.servers.bounds import Bounds, Wire
from toolglot.runtime.servers.named_servers import EVENTS, HTTP, ServerEntry, address_entry, program_entry
from toolglot.runtime.servers.pulled_document import document_of, pull_server
from toolglot.runtime.servers.server_faults import telling_lines
from toolglot.runtime.servers.variables import BRACED, VariableSource
from vendor import Later

connection = Later("toolglot.runtime.servers.connection")
conversation = Later("toolglot.runtime.servers.conversation")
stdio_transport = Later("toolglot.runtime.servers.stdio_transport")
library = Later("mcp.client.stdio")
typical = Later("live.typical")

pytestmark = pytest.mark.vendors
LIVE = Path(__file__).parent / "live"
BOUNDS = Bounds(seconds=30, probe_seconds=10, page_seconds=20, grace_seconds=0.1)
HERE = VariableSource(os.environ)


def hostile_entry(behaviour: str, *state: str) -> ServerEntry:
    return program_entry([sys.executable, "-S", str(LIVE / "hostile.py"), behaviour, *state])


def ask_hostile(behaviour: str, *state: str, **bounds: Any) -> Any:
    return connection.ask_server(hostile_entry(behaviour, *state), HERE, BOUNDS._replace(**bounds))


# -- what survives ----------------------------------------------------------------------------------------------------


def test_what_stands_on_the_wire_survives() -> None:
    assert ask_hostile("mixed").tools == [hostile.GOOD, hostile.BAD, hostile.SECOND, 7, hostile.GOOD]


def test_one_bad_tool_costs_no_other_its_place() -> None:
    server = pull_server(hostile_entry("mixed"), HERE, BOUNDS)
    assert server.tools == [hostile.GOOD, hostile.SECOND]
    assert [refused.tool for refused in server.refused] == [hostile.BAD, 7, hostile.GOOD]
    assert [refused.pointer for refused in server.refused] == ["/tools/1", "/tools/3", "/tools/4"]
    assert server.refused[2].error.code == "same-name"
    refused = server.data["toolglot"]["refused"]
    assert [entry["tool"] for entry in refused] == [hostile.BAD, 7, hostile.GOOD]


def test_what_is_no_tool_is_kept_beside_the_tools() -> None:
    server = pull_server(hostile_entry("odd"), HERE, BOUNDS)
    assert server.tools == [hostile.GOOD]
    assert len(server.refused) == len(hostile.ODD)
    data = json.loads(dump_json(document_of([server])))
    assert [(tool.namespace, tool.id) for tool in toolglot.read(data, "mcp")] == [("hostile", "read_page")]
    kept = [entry["tool"] for entry in server.data["toolglot"]["refused"]]
    assert kept[:-3] == hostile.ODD[:-3]
    assert [json.loads(text)["name"] for text in kept[-3:]] == ["deep", "not_a_number", "half_\ud800"]


def test_a_server_whose_name_no_document_can_hold_is_refused() -> None:
    with pytest.raises(ReadError) as caught:
        pull_server(hostile_entry("odd-greeting"), HERE, BOUNDS)
    assert caught.value.code == "too-deep"


def test_a_document_says_whose_the_tools_are_and_how_they_were_asked_for() -> None:
    entry = hostile_entry("typical")._replace(name="pages", environment={"PAGES_KEY": "s3cret"}, configuration="a.json")
    server = pull_server(entry, HERE, BOUNDS)
    tools = toolglot.read({"tools": {server.name: server.data}}, "mcp")
    # What this machine gave to the server is no word of the author's, and no model is told of it.
    assert {(tool.namespace, tool.version, tool.secrets) for tool in tools} == {("pages", "1.2", None)}
    origin = server.data["toolglot"]["origin"]
    assert (origin["configuration"], origin["server"], origin["transport"]) == ("a.json", "pages", "stdio")
    assert origin["variables"] == ["PAGES_KEY"]
    assert (server.data["protocolVersion"], server.data["instructions"]) == ("2025-06-18", "Be kind.")
    assert server.data["serverInfo"] == {"name": "hostile", "version": "1.2", "title": "Hostile"}
    assert "s3cret" not in repr(server)


def test_a_program_gets_a_handful_of_variables_and_its_folder(tmp_path: Path) -> None:
    values = VariableSource({"PASSED": "1", "OTHER": "2"}, folder=str(tmp_path))
    entry = hostile_entry("environment")._replace(environment={"OWN": "x"}, passed_on=("PASSED",), folder=".")
    names = {tool["name"] for tool in connection.ask_server(entry, values, BOUNDS).tools}
    assert f"cwd{os.path.realpath(tmp_path)}" in names
    names = {name for name in names if not name.startswith("cwd")}
    assert {"OWN", "PASSED", "PATH"} <= names
    # Wine adds some of its own.
    assert {name for name in names if not name.startswith("WINE")} <= {
        "OWN",
        "PASSED",
        *library.DEFAULT_INHERITED_ENV_VARS,
    }


def test_arguments_can_name_what_their_server_is_given() -> None:
    entry = hostile_entry("${KIND}")._replace(environment={"KIND": "${HERE}"}, syntax=BRACED)
    assert connection.ask_server(entry, VariableSource({"HERE": "typical"}), BOUNDS).tools == [
        hostile.GOOD,
        hostile.SECOND,
    ]
    # Ours comes first, as in the clients that fill it in.
    assert connection.ask_server(entry, VariableSource({"HERE": "typical", "KIND": "empty"}), BOUNDS).tools == []
    hidden = entry._replace(command=("${KIND}",), environment={"KIND": sys.executable})
    with pytest.raises(UsageError, match="KIND is not set"):
        connection.ask_server(hidden, VariableSource({}), BOUNDS)


# -- both generations of the protocol ---------------------------------------------------------------------------------

VERSIONS = [
    ("typical", "2025-06-18"),  # refuses the question of the newest
    ("modern", "2026-07-28"),  # refuses the handshake
    ("older-by-discovery", "2025-06-18"),
    ("odd-discovery", "2025-06-18"),
    ("uninitialized", "2025-06-18"),
    ("asks-back", "2025-06-18"),  # wants something of us meanwhile
    ("noisy", "2025-06-18"),  # writes to stdout what is no message, and to stderr more than a pipe holds
    ("empty", "2025-06-18"),
    ("ends-before-the-greeting", "2025-06-18"),  # and is started again
]


@for_each("behaviour, version", VERSIONS)
def test_both_generations_are_spoken(behaviour: str, version: str) -> None:
    answer = ask_hostile(behaviour)
    assert answer.about["protocolVersion"] == version
    assert answer.tools == ([] if behaviour == "empty" else [hostile.GOOD, hostile.SECOND])


def test_a_server_that_leaves_the_first_question_is_greeted() -> None:
    assert ask_hostile("silent-at-first", probe_seconds=0.2).about["protocolVersion"] == "2025-06-18"


def test_all_pages_are_asked_for() -> None:
    assert [tool["name"] for tool in ask_hostile("pages").tools] == ["tool_0", "tool_1", "tool_2", "tool_3"]


def test_an_empty_cursor_may_be_a_page() -> None:
    assert ask_hostile("empty-cursor").tools == [hostile.GOOD, hostile.SECOND]


def test_the_library_s_own_server_over_stdio() -> None:
    answer = connection.ask_server(program_entry([sys.executable, str(LIVE / "typical.py")]), HERE, BOUNDS)
    assert answer.about["protocolVersion"] == "2026-07-28"
    assert [tool["name"] for tool in answer.tools] == [tool.name for tool in typical.TOOLS]
    assert answer.about["serverInfo"]["name"] == "typical"


# -- what a server may not do -----------------------------------------------------------------------------------------

REFUSALS: list[tuple[str, dict[str, Any], str, str]] = [
    ("endless", {"pages": 20}, "endless-list", "does not end after 20 pages"),
    ("circle", {}, "endless-list", "a cursor came twice"),
    ("many", {"tools": 2000}, "too-many-tools", "more than 2000 tools"),
    ("no-list", {}, "bad-page", "no list `tools`"),
    ("bad-cursor", {}, "bad-page", "a `nextCursor` that is no text"),
    ("future", {}, "unknown-protocol", "'2031-01-01'"),
    ("flood", {"bytes": 3_000_000}, "too-large", "more than 3000000 bytes"),
    ("long-line", {"message_bytes": 1_000_000}, "too-large", "a message of more than 1000000 bytes"),
    ("slow", {"page_seconds": 0.2}, "server-timeout", "did not answer in time"),
    ("slow", {"seconds": 1}, "server-timeout", "within 1 seconds"),
    ("dies", {}, "server-ended", "it wrote to stderr: the configuration file is missing\\x1b[2J"),
    ("refuses", {}, "server-refusal", "refuses: Internal\\x1b[2J error (-32603)"),
]


@for_each("behaviour, bounds, code, message", REFUSALS)
def test_a_server_that_misbehaves_is_refused(behaviour: str, bounds: dict[str, Any], code: str, message: str) -> None:
    with pytest.raises(ReadError) as caught:
        ask_hostile(behaviour, **bounds)
    assert (caught.value.code, message in str(caught.value)) == (code, True), str(caught.value)


@for_each(
    ("written", "told"),
    [
        ("", ""),
        ("ready\n", "ready"),
        ("Usage: serve\n\n  --key K\n", "Usage: serve / --key K"),
        ("a.js:1\n  throw err;\n\nError: no key\n    at Error (a.js:1)\n\nNode.js v20\n", "Error: no key"),
        ("Traceback:\n    raise ValueError('a')\nValueError: a\n" * 2, "ValueError: a"),
        (
            "error E404\nerror 404\nerror 404 x\nerror: the log is in /a\n",
            "error E404 / error 404 / error: the log is in /a",
        ),
    ],
)
def test_of_what_a_server_wrote_the_lines_that_say_what_is_wrong_are_told(written: str, told: str) -> None:
    assert telling_lines(written) == told


def test_what_a_server_wrote_is_told_without_its_secrets() -> None:
    program = [sys.executable, "-c", "import sys; sys.exit('login failed: password=hunter2x')"]
    with pytest.raises(ReadError, match=r"login failed: password=\[REDACTED\]"):
        toolglot.pull(program)


def test_a_server_that_does_not_read_is_not_waited_for() -> None:
    async def send() -> None:
        to_us, incoming = anyio.create_memory_object_stream[Any](0)
        outgoing, to_server = anyio.create_memory_object_stream[Any](0)
        async with to_us, to_server, conversation.dispatching((incoming, outgoing)) as dispatcher:
            with pytest.raises(ReadError, match="did not answer in time"):
                await conversation.Conversation(dispatcher, BOUNDS._replace(seconds=0.05)).greet()

    asyncio.run(asyncio.wait_for(send(), 10))


def test_a_program_that_cannot_be_started() -> None:
    with pytest.raises(ReadError, match=r"no-such-program cannot be started: .*(no such file|not find|not found)"):
        connection.ask_server(program_entry(["no-such-program"]), HERE, BOUNDS)
    with pytest.raises(ReadError, match="true cannot be started: "):
        connection.ask_server(program_entry(["true"])._replace(environment={"A=B": "c"}), HERE, BOUNDS)
    with pytest.raises(ReadError, match=r"true cannot be started in '.*no-such-folder': "):
        connection.ask_server(program_entry(["true"])._replace(folder="no-such-folder"), HERE, BOUNDS)
    with pytest.raises(ReadError, match=r"/bin/env -S ls cannot be started: .*; all of it is taken for .* `args`"):
        connection.ask_server(program_entry(["/bin/env -S ls"]), HERE, BOUNDS)


def is_running(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


@needs_proc
def test_nothing_of_a_program_stays(tmp_path: Path) -> None:
    state = tmp_path / "processes"
    assert len(ask_hostile("stays", str(state)).tools) == 2
    processes = [int(word) for word in state.read_text(encoding="utf-8").split()]
    deadline = time.monotonic() + 30
    while any(map(is_running, processes)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not any(map(is_running, processes))


@needs_proc
def test_nothing_of_a_program_stays_where_nobody_waits_for_its_end(tmp_path: Path) -> None:
    async def hold(opened: asyncio.Event) -> None:
        command = ("sh", "-c", f"echo $$ > {tmp_path}/process; exec sleep 60")
        async with stdio_transport.open_program(command, {}, str(tmp_path), Wire(BOUNDS._replace(grace_seconds=30))):
            while not (tmp_path / "process").is_file() or not (tmp_path / "process").read_text("utf-8"):
                await asyncio.sleep(0.01)
            opened.set()
            await asyncio.sleep(60)

    async def press_twice() -> None:
        opened = asyncio.Event()
        task = asyncio.create_task(hold(opened))
        await opened.wait()
        for _ in range(2):  # what the second Ctrl-C does to all that is under way
            task.cancel()
            await asyncio.sleep(0.05)
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(press_twice())
    process = int((tmp_path / "process").read_text("utf-8"))
    deadline = time.monotonic() + 10
    while is_running(process) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not is_running(process)


UNSENDABLE = [
    ServerEntry(transport=HTTP, url="http://127.0.0.1:1/", header_variables={"X-Key": "KEY"}),
    ServerEntry(transport=HTTP, url="http://127.0.0.1:1/", bearer_variable="KEY"),
    ServerEntry(transport=HTTP, url="http://127.0.0.1:1/${KEY}", syntax=BRACED),
    ServerEntry(command=("true", "${NUL}"), syntax=BRACED),
    ServerEntry(command=("true",), environment={"A": "${NUL}"}, syntax=BRACED),
    ServerEntry(command=("true",), folder="${NUL}", syntax=BRACED),
]


@for_each("entry", UNSENDABLE)
def test_a_value_that_no_system_takes_is_not_repeated(entry: ServerEntry) -> None:
    for secret in ("s3cret\n", "s3cret é", "s3cret \udcff", "s3cret ", "\ts3cret"):
        with pytest.raises(UsageError) as caught:
            connection.ask_server(entry, VariableSource({"KEY": secret, "NUL": f"{secret}\0"}), BOUNDS)
        assert (caught.value.code, "s3cret" in str(caught.value)) == ("bad-value", False)


@for_each("url", ["http://u:s3cret@127.0.0.1:99999/", "http://127.0.0.1:s3cret/", "s3cret://127.0.0.1/"])
def test_an_address_that_is_none_is_not_repeated(url: str) -> None:
    with pytest.raises(ReadError) as caught:
        connection.ask_server(ServerEntry(transport=HTTP, url=url), VariableSource({}), BOUNDS)
    assert (caught.value.code, "s3cret" in str(caught.value)) == ("server-unreachable", False)


# -- over HTTP --------------------------------------------------------------------------------------------------------

METADATA = "https://tokens.example/.well-known/oauth-protected-resource?secret=1"
CHALLENGE = f'Bearer error="invalid_token", scope="tools:read", resource_metadata="{METADATA}"'

WELL_KNOWN = "/.well-known/oauth-protected-resource"
SAYING_WHO = {
    "/named": f'Bearer resource_metadata="{WELL_KNOWN}/of-all"',
    "/silent": "Bearer",
    "/endless": "Bearer",
    "/deep": "Bearer",
    "/wrong": "Bearer",
    "/long": f'{"B" * 9_000} scope="{"s" * 9_000}", error="{"e" * 9_000}"',
}
WHO = {
    f"{WELL_KNOWN}/of-all": b'{"authorization_servers": ["https://tokens.example/?secret=1", 1, "https://b.example"]}',
    f"{WELL_KNOWN}/silent": b'{"authorization_servers": ["https://tokens.example/silent"]}',
    f"{WELL_KNOWN}/endless": b" " * 3_000_000 + b"{}",
    f"{WELL_KNOWN}/deep": b"[" * 50_000,
    f"{WELL_KNOWN}/wrong": b'{"authorization_servers": {}}',
    f"{WELL_KNOWN}/long": b'{"authorization_servers": ["https://tokens.example/%s"]}' % (b"t" * 9_000),
}


class Guarded:
    """The library's server behind a door: an address for each way of answering."""

    def __init__(self) -> None:
        self.app = typical.make_server().streamable_http_app()
        self.authorization: list[str | None] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        path = scope.get("path", "")
        if scope["type"] == "lifespan" or path == "/mcp":
            await self.app(scope, receive, send)
        elif path == "/guarded":
            headers = dict(scope["headers"])
            self.authorization.append(headers.get(b"authorization", b"").decode() or None)
            if headers.get(b"authorization") == b"Bearer s3cret":
                await self.app({**scope, "path": "/mcp", "raw_path": b"/mcp"}, receive, send)
            else:
                await say(send, 401, [(b"www-authenticate", CHALLENGE.encode())])
        elif path in SAYING_WHO:
            await say(send, 401, [(b"www-authenticate", SAYING_WHO[path].encode())])
        elif path in WHO:
            await say(send, 200, [(b"content-type", b"application/json")], WHO[path])
        elif path == "/older":  # as a server of the older generation: the first question gets no message, but a status
            message = await receive()
            if b"server/discover" in message.get("body", b""):
                await say(send, 400, [(b"content-type", b"text/plain")], b"what?")
            else:
                await self.app({**scope, "path": "/mcp", "raw_path": b"/mcp"}, once(message, receive), send)
        elif path == "/forbidden":
            await say(send, 403, [])
        elif path == "/elsewhere":
            await say(send, 307, [(b"location", b"http://other.example/mcp")])
        elif path == "/packed":
            await say(send, 200, [(b"content-type", b"application/json"), (b"content-encoding", b"gzip")], b"x")
        elif path == "/sse":
            await say(
                send, int(scope["query_string"] or b"200"), [(b"content-type", b"text/event-stream")], b": hello\n\n"
            )
        elif path == "/page":
            await say(send, 200, [(b"content-type", b"text/html")], b"<h1>Welcome</h1>")
        elif path == "/broken":
            await say(send, 200, [(b"content-type", b"application/json")], b"[{]")
        elif path == "/untyped":
            await say(send, 200, [], b"{}")
        elif path == "/huge":
            await say(send, 200, [(b"content-type", b"application/json")], b" " * 3_000_000)
        else:
            await say(send, int(scope["query_string"] or b"404"), [])


def once(message: Any, receive: Any) -> Any:
    """`receive` with a message put back."""
    messages = [message]

    async def receive_again() -> Any:
        return messages.pop() if messages else await receive()

    return receive_again


async def say(send: Any, status: int, headers: list[tuple[bytes, bytes]], body: bytes = b"") -> None:
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


@pytest.fixture(scope="module")
def guarded() -> Iterator[tuple[str, Guarded]]:
    app = Guarded()
    with serving(app) as url:
        yield url, app


def test_the_library_s_own_server_over_http(guarded: tuple[str, Guarded]) -> None:
    server = pull_server(address_entry(f"{guarded[0]}/mcp?key=s3cret"), HERE, BOUNDS)
    assert (server.name, server.data["protocolVersion"]) == ("typical", "2026-07-28")
    assert [tool["name"] for tool in server.tools] == [tool.name for tool in typical.TOOLS]
    assert server.data["toolglot"]["origin"] == {"transport": HTTP, "url": f"{guarded[0]}/mcp"}


def test_the_older_generation_over_http(guarded: tuple[str, Guarded]) -> None:
    answer = connection.ask_server(address_entry(f"{guarded[0]}/older"), HERE, BOUNDS)
    assert answer.about["protocolVersion"] == "2025-11-25"
    assert [tool["name"] for tool in answer.tools] == [tool.name for tool in typical.TOOLS]
    assert answer.about["instructions"] == "Count with care."


GIVERS = {
    "/named": ", tokens are given by https://tokens.example/ or https://b.example)",
    "/silent": ", tokens are given by https://tokens.example/silent)",
    "/endless": "(HTTP 401, it asks for Bearer)",
    "/deep": "(HTTP 401, it asks for Bearer)",
    "/wrong": "(HTTP 401, it asks for Bearer)",
    "/long": f"(HTTP 401, it asks for {'B' * 200}, scope '{'s' * 200}', it says '{'e' * 200}', tokens are given by",
}


@for_each("path", GIVERS)
def test_who_gives_tokens_is_named_where_the_server_says_it(guarded: tuple[str, Guarded], path: str) -> None:
    with pytest.raises(ReadError) as caught:
        connection.ask_server(address_entry(guarded[0] + path), HERE, BOUNDS)
    assert caught.value.code == "unauthorised"
    assert GIVERS[path] in str(caught.value)
    assert len(str(caught.value)) < 2_000


def test_a_server_that_asks_for_authorization_is_told_as_it_says(guarded: tuple[str, Guarded]) -> None:
    entry = address_entry(f"{guarded[0]}/guarded")
    with pytest.raises(ReadError) as caught:
        pull_server(entry, HERE, BOUNDS)
    message = str(caught.value)
    assert caught.value.code == "unauthorised"
    for part in ("HTTP 401", "Bearer", "'tools:read'", "'invalid_token'", "--header Authorization=TOKEN"):
        assert part in message
    assert "https://tokens.example/.well-known/oauth-protected-resource)" in message
    values = VariableSource({"MINE": "Bearer s3cret"})
    server = pull_server(entry._replace(header_variables={"Authorization": "MINE"}), values, BOUNDS)
    assert len(server.tools) == len(typical.TOOLS)
    assert server.data["toolglot"]["origin"]["variables"] == ["MINE"]
    assert "s3cret" not in repr(server)
    own = entry._replace(headers={"Authorization": "${MINE}"}, environment={"MINE": "Bearer s3cret"}, syntax=BRACED)
    assert len(pull_server(own, VariableSource({}), BOUNDS).tools) == len(typical.TOOLS)
    with_token = entry._replace(bearer_variable="TOKEN")
    assert len(pull_server(with_token, VariableSource({"TOKEN": "s3cret"}), BOUNDS).tools) == len(typical.TOOLS)
    with pytest.raises(ReadError, match="was sent and is not enough"):
        pull_server(with_token, VariableSource({"TOKEN": "wrong"}), BOUNDS)
    assert set(guarded[1].authorization) == {None, "Bearer s3cret", "Bearer wrong"}


def test_a_challenge_is_read_in_linear_time() -> None:
    with within(1):
        assert authorization._PARAMETER.findall("a" * 50_000 + '="b"') == [("a" * 50_000, "b")]
        assert authorization._PARAMETER.findall("a" * 50_000) == []


HTTP_REFUSALS = [
    ("/forbidden", "unauthorised", "HTTP 403"),
    ("/elsewhere", "server-refusal", "not followed"),
    ("/packed", "compressed-answer", "asked not to"),
    ("/page", "no-message", "protocol: Unexpected content type: text/html; is this the URL of its endpoint?"),
    ("/broken", "no-message", "no message of the protocol: Failed to parse JSON response; is this"),
    ("/untyped", "no-message", "no message of the protocol: Unexpected content type: "),
    ("/huge", "too-large", "more than 2000000 bytes"),
    ("/sse", "server-unreachable", "its stream of events ended too early"),
    ("/sse?503", "server-unreachable", "the server cannot be reached: HTTP 503; it answered"),
    ("/nowhere", "server-refusal", "HTTP 404; is this the URL of its endpoint?"),
    ("/nowhere?429", "server-refusal", "it answered with HTTP 429 [server-refusal]"),
]


@for_each("path, code, message", HTTP_REFUSALS)
def test_an_address_that_misbehaves_is_refused(
    guarded: tuple[str, Guarded], path: str, code: str, message: str
) -> None:
    with pytest.raises(ReadError) as caught:
        connection.ask_server(address_entry(guarded[0] + path), HERE, BOUNDS._replace(bytes=2_000_000))
    assert (caught.value.code, message in str(caught.value)) == (code, True), str(caught.value)


@for_each("url", ["http://127.0.0.1:1/mcp", "http://[::1", "http://name.invalid/mcp"])
def test_an_address_where_nobody_is(url: str) -> None:
    for transport in (HTTP, EVENTS):
        with pytest.raises(Error) as caught:
            connection.ask_server(address_entry(url)._replace(transport=transport), HERE, BOUNDS)
        assert caught.value.code == "server-unreachable", str(caught.value)


def test_the_older_transport_over_http() -> None:
    from mcp.server.mcpserver import MCPServer

    server = MCPServer("older")
    server.add_tool(lambda n: n, name="count", description="Count.")
    with serving(server.sse_app()) as url:
        answer = connection.ask_server(address_entry(f"{url}/sse"), HERE, BOUNDS)
    assert address_entry(f"{url}/sse").transport == EVENTS
    assert [tool["name"] for tool in answer.tools] == ["count"]
