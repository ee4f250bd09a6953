"""Tools on a server, with the clients of TypeScript's SDK, both generations: `make adapters` installs them with npm."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import which
from typing import Any

import pytest

from golden import ROOT
from live.over_http import serving
from vendor import Later

served_tools = Later("adapters.served_tools")
CLIENT = Path(__file__).parent / "client.mjs"
FOLDER = Path(os.environ.get("TOOLGLOT_NODE_FOLDER", ROOT / "build" / "adapters"))
OLDER, NEWER = "@modelcontextprotocol/sdk", "@modelcontextprotocol/client"
pytestmark = [
    pytest.mark.vendors,
    pytest.mark.skipif(
        which("node") is None or not (FOLDER / "node_modules" / NEWER).is_dir(),
        reason="TypeScript's SDK is not installed; make adapters, where there is npm",
    ),
]


def answer_of(package: str, asks: str, *target: str) -> Any:
    command = ["node", str(CLIENT), str(FOLDER), package, asks, *target]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=120, cwd=CLIENT.parents[1])
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("asks", ["yes", "no"])
@pytest.mark.parametrize("transport", ["stdio", "http"])
@pytest.mark.parametrize("package", [OLDER, NEWER])
def test_a_client_takes_every_answer(package: str, transport: str, asks: str) -> None:
    if transport == "stdio":
        answer = answer_of(package, asks, transport, sys.executable, "-m", "adapters.served_tools")
    else:
        with serving(served_tools.make_server().streamable_http_app()) as url:
            answer = answer_of(package, asks, transport, f"{url}/mcp")
    results = answer["results"]
    assert not [name for name, result in results.items() if "thrown" in result]
    assert results["count"]["structuredContent"] == {"n": 1}
    failed = {name for name, result in results.items() if result.get("isError")}
    unasked = set() if asks == "yes" else {"erase"}
    assert failed == {"breaks", "fails", "refuses"} | unasked
    assert "`n` is missing" in results["breaks"]["content"][0]["text"]
    assert results["refuses"]["content"] == [{"type": "text", "text": '{"code":"RATE"}'}]
    assert results["say"].get("structuredContent") == (None if package == OLDER else "hello")
    assert len(answer["questions"]) == (1 if asks == "yes" else 0)


@pytest.mark.parametrize("transport", ["stdio", "http"])
@pytest.mark.parametrize("package", [OLDER, NEWER])
def test_a_client_calls_a_server_behind_ours(package: str, transport: str, tmp_path: Path) -> None:
    server = [sys.executable, str(ROOT / "tests" / "live" / "typical.py")]
    configuration, lock = tmp_path / "mcp.json", tmp_path / "lock.json"
    entry = {"command": server[0], "args": server[1:]}
    configuration.write_text(json.dumps({"mcpServers": {"typical": entry}}), encoding="utf-8")
    toolglot = [sys.executable, "-m", "toolglot"]
    subprocess.run(
        [*toolglot, "pull", "--config", configuration, "--yes", "--pin", lock], check=True, capture_output=True
    )
    serve = [*toolglot, "serve", "--mcp", transport, "--run", "--policy", "{}", "--servers", str(configuration)]
    serve += ["--lock", str(lock), "--yes", str(lock)]
    if transport == "stdio":
        answer = answer_of(package, "yes", transport, *serve)
    else:
        with _served_over_http([*serve, "--port", "0"]) as (url, token):
            answer = answer_of(package, "yes", transport, url, token)
    assert answer["tools"]
    assert not [name for name, result in answer["results"].items() if "thrown" in result]


@contextmanager
def _served_over_http(command: list[str]) -> Iterator[tuple[str, str]]:
    """The address that a server prints when it is ready, and the token of this run, which it prints before."""
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        printed = ""
        for line in process.stderr:
            printed += line
            if " at http" in line:
                break
        try:
            yield _word_after(" at ", printed), _word_after("token of this run: ", printed)
        finally:
            process.terminate()


def _word_after(words: str, text: str) -> str:
    return text.partition(words)[2].split()[0]
