"""`toolglot serve` under load, beside a bare handler of the same web server that returns the same bytes.

`python benchmarks/serving.py [SECONDS]` asks both in turns over 50 connections, for a catalogue of 2,000 tools.
`python benchmarks/serving.py changes [SECONDS]` asks ours while its files change: every answer has to be one whole
version, and the memory has to stay.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, NamedTuple
from urllib.parse import quote

CONNECTIONS, TOOLS, FILES, ROUNDS = 50, 2000, 20, 3
TOKEN = "benchmark-0123456789"
HERE = Path(__file__).parent
_GROWTH = 1.05  # of what the first half of the time needed; a leak goes on, what the allocator keeps does not
_LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)


class Load(NamedTuple):
    """What a round came to: requests a second, seconds that half and 99 in 100 of them took at most, and seconds of
    the server's processor for each, which say more where the client is the slower one."""

    per_second: float
    middle: float
    slow: float
    processor: float


def write_files(folder: Path, version: str) -> None:
    """The catalogue; each file is replaced as a whole."""
    schema = {
        "type": "object",
        "properties": {name: {"type": "string", "description": f"The {name}."} for name in ("path", "query", "limit")},
        "required": ["path"],
    }
    for number in range(FILES):
        tools = []
        for index in range(TOOLS // FILES):
            tool = {
                "toolId": f"connector:tools.{number:02}.{index:03}",
                "source": "connector",
                "safetyTier": "read",
                "description": f"Looks something up, in version {version}.",
                "inputSchema": schema,
            }
            tools.append(tool)
        temporary = folder / f".{number}"
        temporary.write_text(json.dumps({"tools": tools}), "utf-8")
        temporary.replace(folder / f"{number:02}.tools.json")


@contextmanager
def server(*words: str) -> Iterator[tuple[int, int]]:
    """A server in a process of its own: its port, and its process."""
    environment = {**os.environ, "TOKEN": TOKEN}
    process = subprocess.Popen([sys.executable, *words], stderr=subprocess.PIPE, text=True, env=environment)
    try:
        assert process.stderr is not None
        found = None
        while found is None:
            line = process.stderr.readline()
            assert line, "the server ended"
            found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
        yield int(found[1]), process.pid
    finally:
        process.terminate()
        process.wait()


def ours(folder: Path) -> Any:
    words = ("-m", "toolglot", "serve", str(folder), "--isolated", "--token-env", "TOKEN", "--port", "0")
    return server(*words, "--rate", "1000000")


def serve_bare(folder: Path) -> None:
    """The same bytes by the shortest handlers that the library's documentation shows."""
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

    from toolglot.runtime.serving import web_server

    tools = json.loads((folder / "list.json").read_text("utf-8"))
    bodies = {tool["toolId"]: json.dumps(tool, separators=(",", ":")).encode() for tool in tools}
    everything = (folder / "list.json").read_bytes()

    async def list_tools(request: Request) -> Response:
        return Response(everything, media_type="application/json")

    async def one_tool(request: Request) -> Response:
        return Response(bodies[request.path_params["id"]], media_type="application/json")

    app = Starlette(routes=[Route("/v1/tools", list_tools), Route("/v1/tools/{id:path}", one_tool)])
    listener = web_server.listen("127.0.0.1", 0)
    print(web_server.url_of(listener), file=sys.stderr, flush=True)
    web_server.make_server(app).run(sockets=[listener])


async def ask(streams: tuple[asyncio.StreamReader, asyncio.StreamWriter], target: str, *headers: str) -> bytes:
    """The body of the answer to one request."""
    reader, writer = streams
    lines = (f"GET {target} HTTP/1.1", "Host: 127.0.0.1", f"Authorization: Bearer {TOKEN}", *headers, "", "")
    writer.write("\r\n".join(lines).encode())
    head = await reader.readuntil(b"\r\n\r\n")
    length = _LENGTH.search(head)
    assert length is not None, head
    assert head.startswith(b"HTTP/1.1 200"), head
    return await reader.readexactly(int(length[1]))


async def load(at: tuple[int, int], targets: list[str], seconds: float, look: Callable[[bytes], object]) -> Load:
    """Ask over all connections for some time; `look` is given each body."""
    port, process = at
    taken: list[float] = []
    before = _processor_seconds(process)
    end = perf_counter() + seconds

    async def client(number: int) -> None:
        streams = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
        turn = number
        while perf_counter() < end:
            started = perf_counter()
            body = await ask(streams, targets[turn % len(targets)])
            taken.append(perf_counter() - started)
            look(body)
            turn += 7
        streams[1].close()

    async with asyncio.TaskGroup() as tasks:
        for number in range(CONNECTIONS):
            tasks.create_task(client(number))
    taken.sort()
    processor = (_processor_seconds(process) - before) / len(taken)
    return Load(len(taken) / seconds, median(taken), taken[len(taken) * 99 // 100], processor)


def compare(seconds: float) -> None:
    """Print the table of both servers, of one tool and of the whole list."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "tools").mkdir()
        write_files(folder / "tools", "one")
        with ours(folder / "tools") as own:
            (folder / "list.json").write_bytes(asyncio.run(_list(own[0])))
            with server(str(HERE / "serving.py"), "bare", name) as bare:
                one = [f"/v1/tools/{quote(tool['toolId'], safe='')}" for tool in json.loads(asyncio.run(_list(own[0])))]
                print(
                    "| request | server | requests a second | half within | 99 % within | processor | of the bare one |"
                )
                print("| --- | --- | --- | --- | --- | --- | --- |")
                for what, targets in (("one tool", one), ("the list", ["/v1/tools"])):
                    loads: dict[str, list[Load]] = {"bare": [], "toolglot": []}
                    for _ in range(ROUNDS):
                        for who, at in (("bare", bare), ("toolglot", own)):
                            loads[who].append(asyncio.run(load(at, targets, seconds, len)))
                    bare_rate = median(one.per_second for one in loads["bare"])
                    for who, rounds in loads.items():
                        rate, half, slow, each = map(median, zip(*rounds, strict=True))
                        times = f"{1000 * half:.1f} ms | {1000 * slow:.1f} ms | {1000 * each:.2f} ms"
                        print(f"| {what} | {who} | {rate:,.0f} | {times} | {rate / bare_rate:.2f} |")


async def _list(port: int) -> bytes:
    streams = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
    body = await ask(streams, "/v1/tools")
    streams[1].close()
    return body


def change(seconds: float) -> int:
    """Print what came of asking while files change.

    Returns:
        The exit code: 1 where an answer was none of the versions, or the memory grew.
    """
    versions = ("one", "two")
    with TemporaryDirectory() as name:
        folder = Path(name)
        whole = set()
        for version in versions:
            write_files(folder, version)
            with ours(folder) as (port, _):
                whole.add(hashlib.sha256(asyncio.run(_list(port))).digest())
        with ours(folder) as (port, process):
            seen: list[bytes] = []
            memory: list[int] = []

            def look(body: bytes) -> None:
                digest = hashlib.sha256(body).digest()
                if not seen or seen[-1] != digest:
                    seen.append(digest)

            end = perf_counter() + seconds
            turn = 0
            while perf_counter() < end:
                write_files(folder, versions[turn % 2])
                asyncio.run(load((port, process), ["/v1/tools"], 5, look))
                memory.append(_kilobytes(process))
                turn += 1
        wrong = len([digest for digest in seen if digest not in whole])
        mixed = f"{len(seen)} times another version than the answer before, {wrong} of them none of the two"
        print(f"{turn} changes in {seconds:.0f} s: {mixed}")
        print(f"memory in MB after each change: {', '.join(f'{one / 1024:.0f}' for one in memory)}")
        before, after = max(memory[: turn // 2]), max(memory[turn // 2 :])
        print(f"at most {before / 1024:.1f} MB in the first half of the time, {after / 1024:.1f} MB in the second")
        return 1 if wrong or len(set(seen)) < len(versions) or after > before * _GROWTH else 0


def _processor_seconds(process: int) -> float:
    """The processor time of a process so far."""
    fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _kilobytes(process: int) -> int:
    """The memory of a process that is in use."""
    status = Path(f"/proc/{process}/status").read_text("utf-8")
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    assert found is not None
    return int(found[1])


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["bare"]:
        serve_bare(Path(arguments[1]))
        return 0
    if arguments[:1] == ["changes"]:
        seconds = float(arguments[1]) if len(arguments) > 1 else 600
        return change(seconds)
    seconds = float(arguments[0]) if arguments else 5
    compare(seconds)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
