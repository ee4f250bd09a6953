"""`toolglot serve` as a server of the Model Context Protocol: what is listed, what a call does, and who is let in."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, contextmanager, suppress
from pathlib import Path
from subprocess import PIPE
from types import SimpleNamespace
from typing import Any

import anyio
import anyio.lowlevel
import httpx2
import pytest

import streams
import toolglot
from asgi import ask
from golden import FIXTURES
from systems import needs_programs, needs_signals
from test_serving import OWNER, READER, Served, look, serve
from toolglot.bridge import ToolCall
from toolglot.converter.safety.inheritance import leaves_of
from toolglot.runtime.bridge.invocations import Invocation
from toolglot.runtime.bridge.runner_and_approve import Runner
from toolglot.runtime.servers.client_configurations import read_client_configuration
from toolglot.runtime.servers.named_servers import ServerEntry
from toolglot.runtime.servers.variables import PLAIN
from toolglot.runtime.serving import web_server
from toolglot.runtime.serving.admission import Gate
from toolglot.runtime.serving.catalog.visible_tools import CatalogVersion
from toolglot.runtime.serving.principals import Principal, owner
from toolglot.runtime.serving.session_log import SessionLog
from vendor import Later, mcp_types

mcp = Later("mcp")
adapter = Later("toolglot.runtime.adapters.mcp")
lowlevel = Later("mcp.server.lowlevel")
runners = Later("toolglot.runtime.serving.protocol.runners")
principal_server = Later("toolglot.runtime.serving.protocol.principal_server")
streamable_http = Later("mcp.client.streamable_http")
transports = Later("toolglot.runtime.serving.protocol.transports")

pytestmark = pytest.mark.vendors

ECHO: dict[str, Any] = {
    "atip": {"version": "0.6"},
    "name": "echo",
    "version": "9.1",
    "description": "Print words.",
    "commands": {
        "say": {
            "description": "Print a word.",
            "arguments": [{"name": "word", "type": "string", "required": True, "description": "The word."}],
            "effects": {"network": False, "destructive": False, "reversible": True, "subprocess": False},
        }
    },
}
READ = {"toolId": "connector:read", "source": "connector", "safetyTier": "read", "approval": "never"}
TEXT = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
TOOLS = [
    {**READ, "inputSchema": TEXT},
    {**READ, "toolId": "connector:list", "outputSchema": {"type": "array"}, "auth": {"scopes": ["never.held"]}},
    {**READ, "toolId": "openwop:ask", "source": "workflow", "approval": "always"},
]
MODES = ["legacy", "auto"]


@pytest.fixture
def served(tmp_path: Path) -> Served:
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "tools.json").write_text(json.dumps({"tools": TOOLS}))
    return serve(tmp_path)


def server_of(served: Served, principal: Principal | None = None, runner: Runner | None = None, **more: Any) -> Any:
    principal = principal or owner(OWNER)
    return principal_server.PrincipalServer(lambda: served.catalog.current, principal, runner, **more)


async def names_of(client: Any) -> list[str]:
    return sorted(tool.name for tool in (await client.list_tools(cache_mode="bypass")).tools)


async def call(server: Any, name: str, arguments: dict[str, Any], mode: str = "auto") -> tuple[bool, str]:
    async with mcp.Client(server.library, mode=mode) as client:
        result = await client.call_tool(name, arguments)
        return bool(result.is_error), "".join(getattr(part, "text", "") for part in result.content)


@pytest.mark.parametrize("mode", MODES)
def test_a_principal_lists_what_it_sees(served: Served, mode: str) -> None:
    async def listed(principal: Principal) -> list[str]:
        async with mcp.Client(server_of(served, principal).library, mode=mode) as client:
            return await names_of(client)

    # An output that is no object would make a client of the handshake refuse the whole list.
    assert len(anyio.run(listed, owner(OWNER))) == len(TOOLS)
    seen = anyio.run(listed, Principal("reader", ""))
    assert seen == ["connector_read", "openwop_ask"]
    assert anyio.run(listed, Principal("gone", "")) == []


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18"])
def test_an_older_client_gets_what_the_first_revision_that_is_written_can_say(version: str) -> None:
    tools = adapter.wrap_tools(toolglot.read({"tools": TOOLS}), "mcp", runner=lambda call: "")
    listed = anyio.run(tools.list_tools, SimpleNamespace(protocol_version=version), None).tools
    assert len(listed) == len(TOOLS)
    assert all(tool.output_schema is None for tool in listed)


@pytest.mark.parametrize("mode", MODES)
def test_nothing_is_carried_out_unless_it_was_asked_for(served: Served, mode: str) -> None:
    server = server_of(served)
    for name, arguments in (("connector_read", {"path": "/a"}), ("openwop_ask", {})):  # nobody is asked about it first
        failed, text = anyio.run(call, server, name, arguments, mode)
        assert failed
        assert "carries out nothing" in text
    failed, text = anyio.run(call, server, "connector_read", {"path": 3}, mode)
    assert failed
    assert "input_invalid" in text
    failed, text = anyio.run(call, server, "", {}, mode)
    assert failed
    assert "[bad-call]" in text


ASKING = [
    {**READ, "toolId": "files:erase", "approval": "always", "inputSchema": TEXT},
    {"toolId": "files:guess", "source": "connector", "safetyTier": "read", "inputSchema": TEXT},
]
# Who answers what -> how often they are asked in two calls of each tool, and which calls run.
USERS: dict[str, tuple[Any, int, int]] = {
    "yes": (("accept", {"carry_out": True}), 3, 4),
    "yes, for the session": (("accept", {"carry_out": True, "session": True}), 2, 4),
    "yes to nothing": (("accept", {}), 4, 0),
    "yes, and do not": (("accept", {"carry_out": False}), 4, 0),
    "no": (("decline", None), 4, 0),
    "nothing": (("cancel", None), 4, 0),
    "nobody is there": (None, 0, 0),
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("answer", "times", "runs"), USERS.values(), ids=USERS)
def test_the_user_of_a_client_is_asked(tmp_path: Path, mode: str, answer: Any, times: int, runs: int) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "tools.json").write_text(json.dumps({"tools": ASKING}))
    asked: list[str] = []
    ran: list[str] = []

    async def elicit(context: Any, params: Any) -> Any:
        asked.append(params.message)
        action, content = answer
        return mcp_types.ElicitResult(action=action, content=content)

    async def run(invocation: Invocation) -> str:
        ran.append(invocation.tool.id)
        return "done"

    async def call_twice() -> list[str]:
        server = server_of(serve(tmp_path), runner=run, policy={})
        callback = None if answer is None else elicit
        async with mcp.Client(server.library, mode=mode, elicitation_callback=callback) as client:
            names = [name for name in await names_of(client) for _ in range(2)]
            results = [await client.call_tool(name, {"path": "/a"}) for name in names]
        return [getattr(result.content[0], "text", "") for result in results]

    texts = anyio.run(call_twice)
    assert (len(asked), len(ran)) == (times, runs)
    if asked:
        assert asked[0] == 'files_erase {"path":"/a"}\nit says that it needs approval. Carry it out?'
    if answer is None:
        assert "nobody can be asked: it says that it needs approval" in texts[0]
        assert 'a policy with {\\"allowUnstated\\":true} allows it' in texts[2]


async def _names(server: Any) -> list[str]:
    async with mcp.Client(server.library) as client:
        return await names_of(client)


@needs_programs
def test_a_program_that_is_allowed_runs_and_is_written_down(tmp_path: Path) -> None:
    program = Path("/bin/echo").resolve()
    folder = tmp_path / "tools"
    folder.mkdir()
    (folder / "echo.atip.json").write_text(json.dumps(ECHO))
    served = serve(tmp_path)
    permission = runners.RunPermission(
        {"echo": _allowed(program)}, {"allowDestructive": False}, None, "none", as_root=True
    )
    runner = runners.ProgramRunner(permission)
    with SessionLog(tmp_path / "log.jsonl") as log:
        policy = {"allowDestructive": False, "allowUnstated": True}
        server = server_of(served, runner=runner, policy=policy, log=log)
        [name] = anyio.run(_names, server)
        for _ in range(2):
            failed, text = anyio.run(call, server, name, {"word": "x"})
            assert (failed, text) == (False, "say x\n")
    events = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    [descriptor] = served.catalog.current.descriptors
    assert [event["payload"]["toolId"] for event in events] == [descriptor.tool_id] * 6
    assert len({event["payload"]["sessionId"] for event in events}) == 1
    assert events[-1]["payload"]["outcome"] == "completed"


@needs_programs
def test_a_program_ends_with_its_call() -> None:
    [leaf] = leaves_of(toolglot.read_one({**ECHO, "name": "sleep", "commands": {"": ECHO["commands"]["say"]}}))
    permission = runners.RunPermission(
        {"sleep": _allowed(Path("/bin/sleep").resolve())}, {}, None, "none", as_root=True
    )
    invocation = Invocation(ToolCall("1", "sleep", {}), leaf, {"word": "5.4321"})

    def is_running() -> bool:
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            with suppress(OSError):  # it has ended meanwhile
                if path.read_bytes().endswith(b"5.4321\0"):
                    return True
        return False

    async def give_up() -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(runners.ProgramRunner(permission), invocation)
            while not is_running():
                await anyio.sleep(0.01)
            tasks.cancel_scope.cancel()

    start = time.monotonic()
    anyio.run(give_up)
    while is_running():
        time.sleep(0.01)
    assert time.monotonic() - start < 4


def _allowed(program: Path) -> Any:
    from toolglot.runtime.programs.allow_list import AllowedProgram

    return AllowedProgram(str(program), hashlib.sha256(program.read_bytes()).hexdigest())


@pytest.mark.parametrize("mode", MODES)
def test_clients_hear_of_a_list_that_changed(served: Served, mode: str) -> None:
    server = server_of(served)

    async def listen() -> tuple[list[str], list[str]]:
        heard = anyio.Event()

        async def hear(message: Any) -> None:
            if "list_changed" in str(getattr(message, "method", message)):
                heard.set()

        async with mcp.Client(server.library, mode=mode, message_handler=hear) as client:
            before = await names_of(client)
            (served.folder / "tools.json").write_text(json.dumps({"tools": TOOLS[:1]}))
            assert look(served)
            if client.protocol_version >= "2026":
                async with client.listen(tools_list_changed=True) as subscription:
                    await server.tell_of_changes()
                    with anyio.fail_after(30):
                        await anext(aiter(subscription))
            else:
                await server.tell_of_changes()
                with anyio.fail_after(30):
                    await heard.wait()
            return before, await names_of(client)

    before, after = anyio.run(listen)
    assert len(before) == len(TOOLS)
    assert len(after) == 1


def test_each_connection_hears_of_a_change_once_whoever_else_has_gone(served: Served) -> None:
    server = server_of(served)
    heard: list[str] = []

    async def connect(name: str, stack: AsyncExitStack) -> None:
        async def hear(message: Any) -> None:
            heard.append(name)

        client = await stack.enter_async_context(mcp.Client(server.library, mode="legacy", message_handler=hear))
        for _ in range(2):
            await names_of(client)

    async def listen() -> None:
        async with AsyncExitStack() as stay, AsyncExitStack() as go:
            for name, stack in (("first", stay), ("second", stay), ("gone", go)):
                await connect(name, stack)
            await go.aclose()
            await server.tell_of_changes()
            with anyio.fail_after(30):
                while len(heard) < 2:
                    await anyio.lowlevel.checkpoint()

    anyio.run(listen)
    assert sorted(heard) == ["first", "second"]


# -- over HTTP --------------------------------------------------------------------------------------------------------


@contextmanager
def over_http(served: Served, calls: Any = None) -> Iterator[str]:
    def make_server(principal: Principal) -> Any:
        if calls is None:
            return server_of(served, principal)
        policy = {"allowDestructive": True, "allowUnstated": True}
        return server_of(served, principal, runner=runners.RoutedCalls(calls, runners.refuse_call), policy=policy)

    app = transports.make_protocol_application(served.catalog, Gate(1e6, 1e6), make_server, True, calls)
    listener: socket.socket = web_server.listen("127.0.0.1", 0)
    server = web_server.make_server(app)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield web_server.url_of(listener) + "/mcp"
    finally:
        server.should_exit = True
        thread.join(30)
        assert not thread.is_alive()


HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}
ACCEPT = {"Accept": "application/json, text/event-stream"}


def test_over_http_a_token_lets_in_and_a_session_is_its_own(served: Served) -> None:
    def bearer(token: str, **more: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {token}", **ACCEPT, **more}

    async def listed(url: str, mode: str) -> list[str]:
        async with (
            httpx2.AsyncClient(headers=bearer(READER)) as http_client,
            mcp.Client(streamable_http.streamable_http_client(url, http_client=http_client), mode=mode) as client,
        ):
            return await names_of(client)

    with over_http(served) as url, httpx2.Client(timeout=30) as client:
        assert client.post(url, json=HELLO, headers=ACCEPT).status_code == 401
        assert client.post(url, json=HELLO, headers=bearer("wrong-0123456789")).status_code == 401
        for more in ({"Origin": "https://evil.example"}, {"Origin": "null"}, {"Host": "evil.example"}):
            assert client.post(url, json=HELLO, headers=bearer(OWNER, **more)).status_code == 403
        hello = client.post(url, json=HELLO, headers=bearer(OWNER))
        assert hello.status_code == 200
        stolen = bearer(READER, **{"Mcp-Session-Id": hello.headers["mcp-session-id"]})
        ask = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
        assert client.post(url, json=ask, headers=stolen).status_code == 404
        for mode in MODES:
            assert len(anyio.run(listed, url, mode)) == 2


# What a client sends, and the code of the error that it gets.
FAULTY: dict[str, tuple[str, int]] = {
    "a key twice": ('{"jsonrpc":"2.0","id":7,"method":"ping","method":"tools/list"}', -32700),
    "a key twice in arguments": (
        '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"x","arguments":{"a":1,"a":2}}}',
        -32700,
    ),
    "null as the id": ('{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600),
    "an object as the id": ('{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600),
    "a fraction as the id": ('{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600),
    "no JSON": ("{bad", -32700),
    "no UTF-8": ("\udcff", -32700),
    "a number": ("7", -32600),
    "a list of messages": ('[{"jsonrpc":"2.0","id":7,"method":"ping"}]', -32600),
    "no version": ('{"id":12,"method":"tools/list"}', -32600),
    "no method": ('{"jsonrpc":"2.0","id":3}', -32600),
    "a number as the method": ('{"jsonrpc":"2.0","method":7}', -32600),
    "a list of params": ('{"jsonrpc":"2.0","id":7,"method":"ping","params":[1]}', -32600),
    "a cursor of nobody": ('{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"cursor":"x"}}', -32602),
}


def test_the_door_is_no_laxer_than_the_library(served: Served) -> None:
    with over_http(served) as url, httpx2.Client(timeout=30) as client:
        headers = {"Authorization": f"Bearer {OWNER}", **ACCEPT}
        session = client.post(url, json=HELLO, headers=headers).headers["mcp-session-id"]
        headers |= {"Mcp-Session-Id": session, "MCP-Protocol-Version": "2025-06-18"}
        client.post(url, json={"jsonrpc": "2.0", "method": "notifications/initialized"}, headers=headers)
        for name, (text, code) in FAULTY.items():
            content = text.encode("utf-8", "surrogateescape")
            found = client.post(url, content=content, headers={**headers, "Content-Type": "application/json"})
            assert f'"code":{code}' in found.text.replace(" ", ""), name
        with client.stream("GET", url, headers={**headers, "Last-Event-ID": "1"}) as stream:
            assert stream.status_code == 200


# What is not answered, by JSON-RPC 2.0 (section 4.1) or because it is no message.
UNANSWERED = (
    "",
    "  \r",
    '{"jsonrpc":"2.0","method":"notifications/x","params":[1]}',
    '{"jsonrpc":"2.0","id":3,"error":1}',
)


def test_faulty_lines_and_what_is_asked_before_the_end_are_answered_over_the_streams_of_a_process(
    served: Served,
) -> None:
    from toolglot.runtime.serving.protocol import transports

    hello = (
        f"\ufeff{json.dumps(HELLO)}",
        '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    )  # some begin with a mark
    lines = "".join(f"{line}\n" for line in (*hello, *UNANSWERED, *(text for text, _ in FAULTY.values())))
    command = [sys.executable, "-m", "toolglot", "serve", str(served.folder), "--mcp", "stdio"]
    with subprocess.Popen(command, stdin=PIPE, stdout=PIPE) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(lines.encode("utf-8", "surrogateescape"))
        server.stdin.flush()
        answers = [json.loads(server.stdout.readline()) for _ in range(1 + len(FAULTY))]
        for number in range(21, 28):
            server.stdin.write(b'{"jsonrpc":"2.0","id":%d,"method":"tools/list"}\n' % number)
        server.stdin.write(b"[")  # a last line without its end
        closed = time.monotonic()
        server.stdin.close()
        last = [json.loads(line) for line in server.stdout]
    assert time.monotonic() - closed < transports._LAST_SECONDS, "it waited for an answer that nobody gives"
    assert [answer["error"]["code"] for answer in last if "error" in answer] == [-32700]
    assert sorted(answer["id"] for answer in last if "result" in answer) == [*range(21, 28)]
    codes = sorted(answer["error"]["code"] for answer in answers if "error" in answer)
    assert codes == sorted(code for _, code in FAULTY.values())
    [named] = [answer for answer in answers if answer["id"] == 12]
    assert named["error"]["code"] == -32600


def test_a_session_ends_with_its_token_and_not_with_its_name(served: Served) -> None:
    from toolglot.runtime.serving.protocol import transports

    principals = [Principal("a", hashlib.sha256(b"first-token-0123456789").hexdigest())]

    class Current:
        def admit(self, scope: Any, catalog: Any) -> Any:
            token = dict(scope["headers"])[b"authorization"].removeprefix(b"Bearer ")
            return next(one for one in principals if one.digest == hashlib.sha256(token).hexdigest())

    async def ended() -> bool:
        gate: Any = Current()
        endpoint = transports._Endpoint(
            lambda: CatalogVersion([], principals), gate, lambda one: server_of(served, one), True
        )
        async with anyio.create_task_group() as tasks:
            endpoint.tasks = tasks
            first = await endpoint._manager(principals[0])
            principals[0] = Principal("a", hashlib.sha256(b"other-token-0123456789").hexdigest())
            second = await endpoint._manager(principals[0])
            await endpoint.tell_of_changes()
            keys = list(endpoint._servers)
            tasks.cancel_scope.cancel()
        return first is not second and keys == [("a", principals[0].digest)]

    assert anyio.run(ended)


STRUCTURED: list[tuple[dict[str, Any], Any, Any]] = [
    ({"type": "string"}, "hello", "hello"),
    ({"type": "integer"}, "7", 7),
    ({"type": "array", "items": {"type": "integer"}}, [1, 2], [1, 2]),
    ({"type": "object", "required": ["n"]}, '{"n": 1}', {"n": 1}),
    ({"type": "object", "required": ["n"]}, {"n": 1}, {"n": 1}),
    ({"type": "object", "required": ["n"]}, "oops", None),
    ({"type": "object", "properties": {"n": {"type": "integer"}}}, {"n": "x"}, None),
]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("outputs", "value", "expected"), STRUCTURED)
def test_a_result_is_what_the_schema_of_results_says_or_an_error(
    mode: str, outputs: dict[str, Any], value: Any, expected: Any
) -> None:
    tool = toolglot.define_tool(id="say", description="Say a line.", output_schema=outputs)
    tools = adapter.wrap_tools(tool, "mcp", runner=lambda call: value, approve=lambda call, reasons: True)
    server = lowlevel.Server("x", on_list_tools=tools.list_tools, on_call_tool=tools.call_tool)

    async def asked() -> tuple[Any, Any]:
        async with mcp.Client(server, mode=mode) as client:
            [listed] = (await client.list_tools()).tools
            return listed.output_schema, await client.call_tool("say", {})

    listed, result = anyio.run(asked)
    if expected is None:
        assert result.is_error
        assert "the value is not of type" in result.content[0].text
    else:
        assert not result.is_error
        assert listed is None or result.structured_content == expected


FOREIGN = [
    {"host": "evil.example"},
    {"host": "["},
    {"host": "[::1"},
    {"host": ""},
    {"host": "127.0.0.1", "origin": "https://evil.example"},
    {"host": "127.0.0.1", "origin": "http://["},
    {"host": "127.0.0.1", "origin": "null"},
]


def test_what_a_stranger_says_of_itself_is_refused_however_wrong_it_is(served: Served) -> None:
    def make_server(principal: Principal) -> Any:
        raise AssertionError("who is refused gets no server")

    app = transports.make_protocol_application(served.catalog, Gate(1e6), make_server, is_local=True)
    for headers in FOREIGN:
        assert ask(app, "/mcp", None, "POST", **headers).status == 403, headers


def test_over_http_calls_go_to_the_server_whose_tools_they_are(tmp_path: Path) -> None:
    command = [sys.executable, "-S", str(FIXTURES / "examples" / "end-to-end" / "garden_server.py")]
    lock = tmp_path / "tools" / "lock.json"
    lock.parent.mkdir()
    toolglot.pull(command, name="garden").pin(lock)
    (lock.parent / "own.json").write_text(json.dumps({"tools": [READ]}))
    served = serve(tmp_path)

    async def call_all(url: str) -> list[tuple[bool | None, str]]:
        bed = {"bed": "south"}
        calls: list[tuple[str, dict[str, Any]]] = [("clear_bed", bed), ("read_bed", bed), ("connector_read", {})]
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {OWNER}"}) as http_client,
            mcp.Client(streamable_http.streamable_http_client(url, http_client=http_client)) as client,
        ):
            results = [await client.call_tool(name, arguments) for name, arguments in calls]
        return [(result.is_error, getattr(result.content[0], "text", "")) for result in results]

    with over_http(served, toolglot.call_servers(command, lock)) as url:
        cleared, read, own = anyio.run(call_all, url)
    assert (cleared, read) == ((False, "dug up: roses, thyme, mint"), (False, "nothing"))  # one server for both
    assert own[0]
    assert "carries out nothing" in own[1]


# -- the command ------------------------------------------------------------------------------------------------------

MISUSES: list[tuple[list[str], str]] = [
    (["--run", "tools"], "--run needs --mcp"),
    (["--log", "log.jsonl", "tools"], "--log needs --mcp"),
    (["--mcp", "stdio", "--run", "tools"], "--run needs --policy"),
    (["--mcp", "stdio", "--run", "--policy", "{}", "--servers", "a.json", "tools"], "--servers needs --lock"),
    (
        ["--mcp", "stdio", "--run", "--policy", "{}", "--allow-list", "a.json", "--yes", "tools"],
        "--yes needs --servers",
    ),
    (["--mcp", "stdio", "--servers", "a.json", "--lock", "b.json", "tools"], "--servers needs --run"),
    (["--servers", "a.json", "tools"], "--servers needs --run"),
    (["--mcp", "stdio", "--isolation", "bubblewrap", "tools"], "--isolation needs --allow-list"),
    (
        ["--mcp", "stdio", "--run", "--policy", "{}", "--servers", "a", "--lock", "b", "--root", "c", "tools"],
        "--root needs --allow-list",
    ),
    (["--mcp", "stdio", "--policy", "{}", "tools"], "--policy needs --run"),
    (["--mcp", "stdio", "--run", "--allow-list", "a.json", "--policy", "-", "tools"], "stdin is the client's"),
    (["--mcp", "stdio", "-"], "stdin is the client's"),
    (["--mcp", "stdio", "--token-env", "TOKEN", "tools"], "--mcp stdio and --token-env do not go together"),
    (["--mcp", "stdio", "--rate", "9", "tools"], "--mcp stdio and --rate do not go together"),
    (["--mcp", "stdio", "--envelope", "tools"], "--mcp and --envelope do not go together"),
    (["--mcp", "http", "--host", "0.0.0.0", "tools"], "[no-token]"),
    (["--mcp", "stdio", "--run", "--allow-list", "none.json", "--policy", "{}", "tools"], "none.json"),
    (["--mcp", "stdio", "--run", "--allow-list", "a.json", "--policy", '{"allowAll": true}', "tools"], "[bad-policy]"),
    (
        ["--mcp", "http", "--run", "--policy={}", "--allow-list=none", "--servers=a", "--lock=b", "--root=c", "tools"],
        "calls to --servers are not held to it",
    ),
]


@pytest.mark.parametrize("misuse", MISUSES)
def test_what_cannot_be_served_is_said(served: Served, misuse: tuple[list[str], str]) -> None:
    ran = streams.run(served.folder.parent, ["serve", *misuse[0]])
    assert ran.code == 2
    assert misuse[1] in ran.stderr


def test_over_the_streams_of_a_process(served: Served) -> None:
    async def listed() -> list[str]:
        path = os.pathsep.join(sys.path)
        words = ["-m", "toolglot", "serve", "--mcp", "stdio", "--isolated", str(served.folder)]
        async with mcp.Client(
            mcp.StdioServerParameters(command=sys.executable, args=words, env={"PYTHONPATH": path})
        ) as client:
            return await names_of(client)

    assert len(anyio.run(listed)) == len(TOOLS)


def test_a_server_may_end_before_its_client_has_said_all(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    from toolglot.runtime.serving.protocol import transports

    async def say_endlessly(answers: Any) -> AsyncIterator[str]:
        while True:
            yield '{"jsonrpc": "2.0", "id": 1, "method": "ping"}'

    async def end_early(incoming: Any, outgoing: Any, options: Any) -> None:
        async with outgoing, incoming:
            await incoming.receive()
        await anyio.sleep(0.05)

    server = server_of(served)
    monkeypatch.setattr(transports, "_stdin_lines", say_endlessly)
    monkeypatch.setattr(server.library, "run", end_early)
    anyio.run(transports.serve_streams, server, served.catalog)


def test_a_server_ends_without_a_word_when_nobody_reads_its_answers(served: Served) -> None:
    words = ["-m", "toolglot", "serve", "--mcp", "stdio", "--isolated", str(served.folder)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen([sys.executable, *words], stdin=PIPE, stdout=PIPE, stderr=PIPE, env=environment) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        assert server.stderr is not None
        server.stdout.close()
        server.stdin.write(b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n')
        server.stdin.flush()
        assert (server.stderr.read(), server.wait(10)) == (b"", 0)


@needs_signals
def test_ctrl_c_ends_a_server_whose_client_says_nothing(served: Served) -> None:
    words = ["-m", "toolglot", "serve", "--mcp", "stdio", "--isolated", str(served.folder)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    greeting = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    with subprocess.Popen([sys.executable, *words], stdin=PIPE, stdout=PIPE, env=environment) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(json.dumps(greeting).encode() + b"\n")
        server.stdin.flush()
        assert b'"id":1' in server.stdout.readline()
        server.send_signal(signal.SIGINT)
        try:
            assert server.wait(10) == 130
        finally:
            server.kill()


def test_an_entry_that_is_printed_starts_the_server(tmp_path: Path) -> None:
    """One of them does; those for other clients are read as the same command."""
    (tmp_path / "a folder").mkdir()
    (tmp_path / "a folder" / "tools.json").write_text(json.dumps({"tools": ASKING}))
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    commands: set[tuple[str, ...]] = set()
    for client in ("claude", "cursor", "vscode"):
        options = ["--mcp", "stdio", "--without", "*guess", "--print-entry", client]
        path = elsewhere / f"{client}.json"
        path.write_text(streams.run(tmp_path, ["serve", "a folder", *options]).stdout)
        [entry] = read_client_configuration(str(path)).entries
        assert entry._replace(command=(), syntax=PLAIN) == ServerEntry("toolglot", configuration=str(path))
        commands.add(entry.command)
    assert len(commands) == 1
    pulled = streams.run(elsewhere, ["pull", "--config", "vscode.json", "--yes"])
    assert list(json.loads(pulled.stdout)["tools"]) == ["toolglot"]
    assert "toolglot: 1 tool," in pulled.stderr
