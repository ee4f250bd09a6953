"""Calls that servers carry out: only what was pinned, and only while it is what they offer; and what fails is told."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

import toolglot
from golden import FIXTURES
from live import hostile
from live.over_http import serving
from rows import for_each
from toolglot.errors import ReadError, ToolFailure, UsageError
from toolglot.runtime.bridge.session import Session
from toolglot.runtime.servers.bounds import USUAL_BOUNDS
from toolglot.runtime.servers.named_servers import address_entry, program_entry
from toolglot.runtime.servers.pinning import dump_lock
from toolglot.runtime.servers.pulled_document import PulledServer, pull_server
from toolglot.runtime.servers.variables import VariableSource
from vendor import Later

lowlevel = Later("mcp.server.lowlevel")
server_calls = Later("toolglot.runtime.servers.server_calls")
types = Later("mcp_types")

pytestmark = pytest.mark.vendors

GARDEN = FIXTURES / "examples" / "end-to-end"
HOSTILE = [sys.executable, "-S", str(Path(hostile.__file__))]
READ = ("read_page", {"url": "a"})
Use = Callable[[Session], Awaitable[Any]]


def lock_of(folder: Path, command: list[str], name: str) -> Path:
    path = folder / "lock.json"
    toolglot.pull(command, name=name).pin(path)
    return path


def session_of(run: Any, tools: list[toolglot.Tool]) -> Session:
    return Session(tools, "mcp", runner=run, approve=lambda call, reasons: True)


def locked_tools(path: Path) -> list[toolglot.Tool]:
    return toolglot.read(path)


def use_server(command: list[str], lock: Path, use: Use) -> Any:
    async def within() -> Any:
        async with toolglot.call_servers(command, lock) as run:
            return await use(session_of(run, locked_tools(lock)))

    return asyncio.run(within())


async def failure_of(session: Session, name: str, arguments: dict[str, Any]) -> ToolFailure:
    with pytest.raises(ToolFailure) as caught:
        await session.call_async(name, arguments)
    return caught.value


def text_of(result: Any) -> str:
    return str(result["content"][0]["text"])


def test_one_conversation_carries_out_all_calls(tmp_path: Path) -> None:
    command = [*HOSTILE, "typical"]

    async def use(session: Session) -> list[Any]:
        calls = (session.call_async("read_page", {"url": str(number)}) for number in range(3))
        return list(await asyncio.gather(*calls))

    results = use_server(command, lock_of(tmp_path, command, "pages"), use)
    assert len({text_of(result).partition("{")[0] for result in results}) == 1  # one process
    assert [result.keys() for result in results] == [{"content", "isError"}] * 3


@pytest.mark.parametrize("behaviour", ["data-alone", "null-for-a-list"])
def test_data_alone_are_a_result(behaviour: str, tmp_path: Path) -> None:
    command = [*HOSTILE, behaviour]

    async def use(session: Session) -> Any:
        return await session.call_async(*READ)

    result = use_server(command, lock_of(tmp_path, command, "pages"), use)
    assert result["structuredContent"] == {"pages": 1}


PAGES = {"name": "pages"}


@pytest.mark.parametrize(
    ("name", "name_at_check", "holds"),
    [({}, {}, True), ({}, PAGES, False), (PAGES, {}, True), (PAGES, PAGES, True)],
)
def test_a_server_is_the_same_when_it_is_pinned_checked_and_called(
    name: dict[str, Any], name_at_check: dict[str, Any], holds: bool, tmp_path: Path
) -> None:
    command = [*HOSTILE, "typical"]
    lock = tmp_path / "lock.json"
    toolglot.pull(command, **name).pin(lock)
    pinned = lock.read_bytes()
    assert toolglot.pull(command, **name_at_check).compare(lock).holds is holds

    async def use(session: Session) -> Any:
        return await session.call_async(*READ)

    assert text_of(use_server(command, lock, use))
    toolglot.pull(command).pin(lock)
    assert len(json.loads(lock.read_text())["tools"]) == 1, "it is pinned anew, and not beside itself"
    assert (lock.read_bytes() == pinned) is (name == {})


def test_a_server_that_one_program_starts_too_is_pinned_beside_it(tmp_path: Path) -> None:
    lock = lock_of(tmp_path, [*HOSTILE, "typical"], "pages")
    toolglot.pull([sys.executable, "-S", str(GARDEN / "garden_server.py")]).pin(lock)
    assert len(json.loads(lock.read_text())["tools"]) == 2


def test_a_server_that_offers_something_else_is_not_called(tmp_path: Path) -> None:
    program = [sys.executable, "-S", str(GARDEN / "garden_server.py")]
    other = [sys.executable, "-S", str(GARDEN / "garden_server_next.py")]
    lock = lock_of(tmp_path, program, "garden")

    async def use(session: Session) -> Any:
        return await failure_of(session, "clear_bed", {"bed": "south"})

    failure = use_server(other, lock, use)
    assert (failure.code, "offers something else than was pinned" in failure.message) == ("policy_violation", True)


def test_a_server_that_changes_between_calls_is_called_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    state = tmp_path / "state"
    command = [*HOSTILE, "changes", str(state)]
    lock = lock_of(tmp_path, command, "pages")

    async def use(session: Session) -> tuple[list[Any], ToolFailure]:
        results = [await session.call_async(*READ)]
        state.touch()
        results.append(await session.call_async(*READ))
        monkeypatch.setattr("toolglot.runtime.servers.server_calls.FRESH_SECONDS", -1)
        return results, await failure_of(session, *READ)

    results, failure = use_server(command, lock, use)
    assert len(results) == 2  # a minute is not over
    assert failure.code == "policy_violation"


def test_a_server_that_says_that_it_changed_is_asked_before_the_next_call(tmp_path: Path) -> None:
    state = tmp_path / "state"
    command = [*HOSTILE, "announces", str(state)]
    lock = lock_of(tmp_path, command, "pages")

    async def use(session: Session) -> ToolFailure:
        await session.call_async(*READ)
        await session.call_async(*READ)  # it says so, and offers the same
        state.touch()
        return await failure_of(session, *READ)

    assert use_server(command, lock, use).code == "policy_violation"


def test_a_server_that_is_described_wrongly_is_not_called(tmp_path: Path) -> None:
    lock = lock_of(tmp_path, [*HOSTILE, "typical"], "pages")
    path = tmp_path / "servers.json"
    path.write_text('{"mcpServers": {"pages": {"command": "touch", "args": ["x"], "envFile": ".env"}}}')

    async def within() -> ToolFailure:
        async with toolglot.call_servers(path, lock, yes=True) as run:
            return await failure_of(session_of(run, locked_tools(lock)), *READ)

    assert "envFile" in asyncio.run(within()).message


ROUTES: list[tuple[str | None, str, str]] = [
    ("pages", "read_page", "called"),
    ("pages", "Read-Page", "called"),  # as another format spells it
    (None, "read-page", "called"),  # of a TOOL.md that was edited
    (None, "burn_page", "no_route"),
    ("pages", "burn_page", "no_route"),
    ("other", "read_page", "no_route"),
]


def test_only_a_pinned_tool_has_a_server(tmp_path: Path) -> None:
    command = [*HOSTILE, "typical"]
    lock = lock_of(tmp_path, command, "pages")

    async def use(session: Session) -> list[str]:
        run = session._host._runner
        assert isinstance(run, server_calls.ServerCalls)
        codes = []
        for namespace, name, _ in ROUTES:
            tool = toolglot.Tool(id=name, namespace=namespace, inputs={"type": "object"})
            other = session_of(run, [tool])
            try:
                await other.call_async(other.definitions[0]["name"], {})
                codes.append("called")
            except ToolFailure as failure:
                codes.append(failure.code)
        return codes

    assert use_server(command, lock, use) == [outcome for _, _, outcome in ROUTES]


def test_names_that_are_spelled_alike_are_no_name(tmp_path: Path) -> None:
    data = {"tools": [{"name": "a_b", "inputSchema": {}}, {"name": "a.b", "inputSchema": {}}]}
    entries = [program_entry(["none"])._replace(name=name) for name in ("one", "two")]
    locked = {"one": PulledServer("one", data), "two": PulledServer("two", data)}
    run = server_calls.ServerCalls(entries, VariableSource({}), locked)
    tools = [("one", "a_b"), ("one", "a-b"), (None, "a_b")]
    assert [run._pinned_tool(name or "one", tool_id) is not None for name, tool_id in tools] == [True, False, True]
    assert not run.has(toolglot.Tool(id="a_b"))  # both servers have it


@for_each(
    ("behaviour", "code", "words"),
    [
        ("refuses-calls", "upstream_error", "the server refuses: no such page (-32602)"),
        ("says-why", "upstream_error", 'the server refuses: no such page (-32602): {"url": ["too short"]}'),
        ("closes-the-page", "upstream_error", "the server refuses: the page is closed (-32000)"),
        ("asks-for-time", "upstream_error", "the server refuses: the page takes too long (-32001)"),
        ("no-result", "output_parse_failed", "answers with no result"),
        ("floods-when-called", "upstream_error", "the server sent more than 300000 bytes"),
        ("silent-when-called", "timeout", "did not answer in time"),
    ],
)
def test_what_fails_is_told(behaviour: str, code: str, words: str) -> None:
    entry = program_entry([*HOSTILE, behaviour])._replace(name="pages")
    pinned = PulledServer("pages", toolglot.pull(entry.command, name="pages").servers[0].data)
    timeout_ms = 300 if code == "timeout" else None
    tools = [
        msgspec.structs.replace(tool, timeout_ms=timeout_ms) for tool in toolglot.read(json.loads(dump_lock([pinned])))
    ]

    async def within() -> ToolFailure:
        bounds = USUAL_BOUNDS._replace(bytes=300_000, grace_seconds=0.1)
        async with server_calls.ServerCalls([entry], VariableSource({}), {"pages": pinned}, bounds) as run:
            return await failure_of(session_of(run, tools), *READ)

    failure = asyncio.run(within())
    assert (failure.code, words in failure.message) == (code, True), failure


def test_a_server_that_ended_is_started_again(tmp_path: Path) -> None:
    command = [*HOSTILE, "dies-once", str(tmp_path / "state")]

    async def use(session: Session) -> tuple[ToolFailure, Any]:
        return await failure_of(session, *READ), await session.call_async(*READ)

    failure, result = use_server(command, lock_of(tmp_path, command, "pages"), use)
    assert failure.code == "upstream_error"
    assert (
        "the server ended before it answered; it wrote to stderr: out of paper, password=[REDACTED]" in failure.message
    )
    assert "pid" in text_of(result)


def test_a_server_that_hangs_is_started_again(tmp_path: Path) -> None:
    entry = program_entry([*HOSTILE, "hangs-once", str(tmp_path / "state")])._replace(name="pages")
    pinned = PulledServer("pages", toolglot.pull(entry.command, name="pages").servers[0].data)
    tools = [msgspec.structs.replace(tool, timeout_ms=600) for tool in pinned.reading().tools]
    bounds = USUAL_BOUNDS._replace(grace_seconds=0.1)

    async def within() -> tuple[ToolFailure, Any]:
        async with server_calls.ServerCalls([entry], VariableSource({}), {"pages": pinned}, bounds) as run:
            session = session_of(run, tools)
            return await failure_of(session, *READ), await session.call_async(*READ)

    failure, result = asyncio.run(within())
    assert failure.code == "timeout"
    assert "pid" in text_of(result)


def test_a_server_that_is_busy_with_another_call_is_not_ended() -> None:
    entry = program_entry([*HOSTILE, "busy"])._replace(name="pages")
    pinned = PulledServer("pages", toolglot.pull(entry.command, name="pages").servers[0].data)
    patient, hasty = pinned.reading().tools
    tools = [patient, msgspec.structs.replace(hasty, timeout_ms=100)]
    bounds = USUAL_BOUNDS._replace(grace_seconds=0.1)

    async def within() -> tuple[Any, ToolFailure]:
        async with server_calls.ServerCalls([entry], VariableSource({}), {"pages": pinned}, bounds) as run:
            session = session_of(run, tools)
            slow = asyncio.create_task(session.call_async("read_page", {"url": "0.5"}))
            await asyncio.sleep(0.1)
            failure = await failure_of(session, "write_page", {"url": "0"})
            return await slow, failure

    result, failure = asyncio.run(within())
    assert failure.code == "timeout"
    assert "pid" in text_of(result)


def test_a_server_that_ended_between_two_calls_costs_none(tmp_path: Path) -> None:
    command = [*HOSTILE, "dies-after-a-call"]

    async def use(session: Session) -> set[str]:
        run: Any = session._host._runner
        processes = set()
        for _ in range(3):
            processes.add(text_of(await session.call_async(*READ)))
            async with asyncio.timeout(10):
                while run._open:
                    await asyncio.sleep(0.01)
        return processes

    assert len(use_server(command, lock_of(tmp_path, command, "pages"), use)) == 3


def test_a_call_that_fails_late_leaves_the_next_conversation_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = [*HOSTILE, "typical"]
    conversations: list[Any] = []
    late = asyncio.Event()

    async def call_tool(conversation: Any, *call: Any) -> Any:
        conversations.append(conversation)
        if len(conversations) == 1:
            await late.wait()
        if conversation is conversations[0]:
            raise ReadError("the server ended", "server-ended")
        return {"content": []}

    async def use(session: Session) -> None:
        slow = asyncio.create_task(failure_of(session, *READ))
        while not conversations:
            await asyncio.sleep(0.01)
        await failure_of(session, *READ)
        await session.call_async(*READ)
        late.set()
        await slow
        await session.call_async(*READ)

    lock = lock_of(tmp_path, command, "pages")
    monkeypatch.setattr("toolglot.runtime.servers.conversation.Conversation.call_tool", call_tool)
    use_server(command, lock, use)
    old, same, new, kept = conversations
    assert old is same is not new is kept


class OlderServer:
    """A server of the older generation over HTTP, by hand; what a call asks for says how it is answered."""

    def __init__(self) -> None:
        self.sessions: set[bytes] = set()
        self.keeps_waiting = True

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        assert scope["type"] == "http"
        if scope["method"] == "DELETE":
            while (await receive())["type"] != "http.disconnect":  # it never says goodbye
                pass
            return
        if scope["method"] != "POST":
            stream = scope["path"] == "/sse"  # that names no place to write to
            await self.say(send, 200 if stream else 405, b"event: endpoint\ndata: http://[\n\n", stream)
            return
        request = json.loads((await receive())["body"])
        session = dict(scope["headers"]).get(b"mcp-session-id")
        result: Any = {"tools": [hostile.GOOD]}
        if request["method"] == "initialize":
            self.sessions.add(b"s")
            result = {"protocolVersion": "2025-06-18"}
        elif session not in self.sessions:
            await self.say(send, 404, b"")
            return
        elif request["method"] == "tools/call":
            page = request["params"]["arguments"]["url"]
            if page == "guarded":
                await self.say(send, 401, b"")
                return
            while page == "late" and self.keeps_waiting:
                await asyncio.sleep(0.05)
            if page != "late":
                await asyncio.sleep(float(page))
            result = {"content": [{"type": "text", "text": page}]}
        await self.say(send, 200, json.dumps({"jsonrpc": "2.0", "id": request.get("id"), "result": result}).encode())

    async def say(self, send: Any, status: int, body: bytes, is_stream: bool = False) -> None:
        headers = [(b"content-type", b"text/event-stream" if is_stream else b"application/json")]
        if self.sessions:
            headers.append((b"mcp-session-id", b"s"))
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body, "more_body": is_stream})
        if is_stream:
            await asyncio.sleep(0.4)


def test_an_older_server_over_http() -> None:
    app = OlderServer()

    async def within(url: str) -> None:
        entry = address_entry(url)._replace(name="pages")
        # A server that takes longer than `grace_seconds` for a ping, as on a busy machine, is begun anew.
        bounds = USUAL_BOUNDS._replace(page_seconds=2, grace_seconds=0.6)
        pinned = pull_server(entry, VariableSource({}), bounds._replace(page_seconds=20, grace_seconds=0.1))
        tools = toolglot.read(json.loads(dump_lock([pinned])))
        async with server_calls.ServerCalls([entry], VariableSource({}), {"pages": pinned}, bounds) as run:
            session = session_of(run, tools)
            name = session.definitions[0]["name"]

            async def text_after(seconds: float, page: str) -> str:
                await asyncio.sleep(seconds)
                return text_of(await session.call_async(name, {"url": page}))

            # One that is late does not end the others.
            late, *pages = await asyncio.gather(
                failure_of(session, name, {"url": "late"}), text_after(0, "0"), text_after(0.3, "0.4")
            )
            app.keeps_waiting = False
            assert (late.code, pages) == ("timeout", ["0", "0.4"])
            app.sessions.clear()
            forgotten = await failure_of(session, name, {"url": "0"})
            assert "Session terminated" in forgotten.message
            assert await text_after(0, "0") == "0"
            refused = await failure_of(session, name, {"url": "guarded"})
            assert "asks for authorization (HTTP 401)" in refused.message

    with serving(app) as url:
        asyncio.run(within(url))


def test_the_goodbye_of_a_server_is_not_waited_for() -> None:
    with serving(OlderServer()) as url:
        start = time.monotonic()
        pull_server(address_entry(url), VariableSource({}), USUAL_BOUNDS._replace(page_seconds=5, grace_seconds=0.1))
        assert time.monotonic() - start < 4


def test_a_server_that_never_begins_is_not_waited_for() -> None:
    async def within(url: str) -> ToolFailure:
        entry = address_entry(f"{url}/sse")._replace(name="pages")
        pinned = PulledServer("pages", {"tools": [hostile.GOOD]})
        async with server_calls.ServerCalls(
            [entry], VariableSource({}), {"pages": pinned}, USUAL_BOUNDS._replace(seconds=0.2)
        ) as run:
            return await failure_of(session_of(run, pinned.reading().tools), "read_page", {"url": "a"})

    with serving(OlderServer()) as url:
        failure = asyncio.run(asyncio.wait_for(within(url), 10))
    assert (failure.code, failure.message) == ("timeout", "the server did not answer in time")


def test_the_library_s_own_server_over_http(tmp_path: Path) -> None:
    seen: list[dict[str, Any]] = []
    bed = {"type": "string", "x-mcp-header": "Bed"}
    tool = types.Tool(name="water", input_schema={"type": "object", "properties": {"bed": bed}})

    async def list_tools(context: Any, params: Any) -> Any:
        return types.ListToolsResult(tools=[tool])

    async def call_tool(context: Any, params: Any) -> Any:
        seen.append({"version": context.protocol_version, **(params.arguments or {})})
        return types.CallToolResult(content=[types.TextContent(type="text", text="watered")])

    server = lowlevel.Server("garden", on_list_tools=list_tools, on_call_tool=call_tool)
    with serving(server.streamable_http_app()) as url:
        lock = tmp_path / "lock.json"
        toolglot.pull(f"{url}/mcp", name="garden").pin(lock)

        async def within() -> Any:
            async with toolglot.call_servers(f"{url}/mcp", lock) as run:
                return await session_of(run, locked_tools(lock)).call_async("water", {"bed": "süd"})

        assert text_of(asyncio.run(within())) == "watered"
    assert seen == [{"version": "2026-07-28", "bed": "süd"}]


def test_which_server_is_meant_has_to_be_plain(tmp_path: Path) -> None:
    servers = [toolglot.pull([*HOSTILE, "typical"], name=name).servers[0] for name in ("a", "b")]
    lock = tmp_path / "lock.json"
    lock.write_text(dump_lock(servers))
    with pytest.raises(UsageError, match="give the name of the server; the lock holds a, b"):
        toolglot.call_servers([*HOSTILE, "typical"], lock)
