"""Logs of tool sessions: what `Session` writes down, and what `check` says of a log."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import streams
import toolglot
from rows import for_each
from toolglot import Tool
from toolglot.converter.formats.tool_descriptor.session_logs import find_faults_of_manifest
from toolglot.converter.schema import canonical
from toolglot.errors import ReadError, ToolFailure, UsageError
from toolglot.runtime.serving.session_log import SessionLog

LS = Tool(id="ls", safety_tier="pure", reversible=True, subprocess=False, billable=False)
RM = Tool(id="rm", approval="always")
SECRET = "what-nobody-else-may-read"


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def fail(error: BaseException) -> Any:
    def run(invocation: Any) -> Any:
        raise error

    return run


CALLED, REFUSED = ["agent.toolCalled", "agent.toolReturned"], ["x-host-toolglot.toolRefused"]
# The tool, its runner, who is asked -> how the session ends, why, and what became of the call.
ENDINGS: list[tuple[str, Any, Any, str, str | None, list[str]]] = [
    ("ls", lambda call: SECRET, None, "completed", None, CALLED),
    ("ls", fail(ToolFailure(SECRET, "timeout")), None, "failed", "timeout", CALLED),
    ("ls", fail(ValueError(SECRET)), None, "failed", "internal", CALLED),
    ("rm", lambda call: SECRET, None, "failed", "policy_violation", REFUSED),
    ("rm", lambda call: SECRET, lambda call, reasons: False, "cancelled", "cancelled", REFUSED),
    ("rm", lambda call: SECRET, lambda call, reasons: True, "completed", None, CALLED),
]


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_session_says_that_a_tool_was_called_and_how_that_ended(
    tmp_path: Path, ending: tuple[str, Any, Any, str, str | None, list[str]]
) -> None:
    name, runner, approve, outcome, code, call_events = ending
    path = tmp_path / "log.jsonl"
    with SessionLog(path) as log:
        session = toolglot.Session([LS, RM], "anthropic", runner=runner, approve=approve, log=log)
        call = {"type": "tool_use", "id": SECRET, "name": name, "input": {}}
        session.handle({"content": [call]})
    events = lines_of(path)
    payloads = [one["payload"] for one in events]
    assert [one["type"] for one in events] == ["tool.session.opened", *call_events, "tool.session.closed"]
    assert {one["toolId"] for one in payloads} == {f"x-host-toolglot:{name}"}
    assert (payloads[-1]["outcome"], payloads[-2].get("error", {}).get("error")) == (outcome, code)
    assert len({one["sessionId"] for one in payloads}) == 1
    assert [one["sequence"] for one in events] == list(range(1, len(events) + 1))
    assert len({one["runId"] for one in events}) == 1
    assert canonical.is_valid(events, "tool-descriptor/sessions")
    assert list(find_faults_of_manifest(events, None)) == []
    assert SECRET not in path.read_text()


def test_what_a_model_invents_gets_into_no_log(tmp_path: Path) -> None:
    with SessionLog(tmp_path / "log.jsonl") as log:
        session = toolglot.Session(LS, "anthropic", runner=print, log=log)
        session.handle({"content": [{"type": "tool_use", "id": "t1", "name": SECRET, "input": {}}]})
    assert lines_of(tmp_path / "log.jsonl") == []


def test_whoever_stops_waiting_cancels(tmp_path: Path) -> None:
    with SessionLog(tmp_path / "log.jsonl") as log:
        session = toolglot.Session(LS, "anthropic", runner=fail(KeyboardInterrupt()), log=log)
        with pytest.raises(KeyboardInterrupt):
            session.call("ls", {})
    assert lines_of(tmp_path / "log.jsonl")[-1]["payload"]["outcome"] == "cancelled"


def test_a_session_may_have_several_calls(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    answers = iter([True, False])
    with SessionLog(path) as log:
        session = toolglot.Session(
            [LS, RM], "anthropic", runner=lambda call: "", approve=lambda *_: next(answers), log=log
        )
        blocks = [{"type": "tool_use", "id": str(index), "name": "rm", "input": {}} for index in range(2)]
        with log.session("x-host-toolglot:rm"):
            session.handle({"content": blocks})
            session.call("ls", {})
            with pytest.raises(UsageError, match="open already"), log.session("x-host-toolglot:rm"):
                pass
    events = lines_of(path)
    own = [one for one in events if one["payload"]["toolId"].endswith("rm")]
    assert [one["type"] for one in own] == ["tool.session.opened", *CALLED, *REFUSED, "tool.session.closed"]
    assert len({one["payload"]["sessionId"] for one in own}) == 1
    assert len({one["payload"]["callId"] for one in own[1:-1]}) == 2
    assert list(find_faults_of_manifest(events, None)) == []
    assert canonical.is_valid(events, "tool-descriptor/sessions")


class UnwritableCall:
    """A log that fails when the tool is about to run."""

    @contextmanager
    def call(self, tool_id: str) -> Iterator[Any]:
        yield partial(fail(OSError(28, "disk full")), None)


def test_a_call_that_cannot_be_written_down_does_not_run() -> None:
    ran: list[Any] = []
    session = toolglot.Session(LS, "anthropic", runner=ran.append, log=UnwritableCall())
    with pytest.raises(ToolFailure, match="not carried out"):
        session.call("ls", {})
    assert ran == []


class FailingLog:
    """A log that fails at the second call of a tool, at its beginning or its end."""

    def __init__(self, fails_at: str) -> None:
        self._fails_at = fails_at
        self._count = 0

    def call(self, tool_id: str) -> FailingLog:
        self._count += 1
        return self

    def __enter__(self) -> None:
        self._fail("beginning")

    def __exit__(self, *reasons: Any) -> bool:
        self._fail("end")
        return True  # a log has no say in what is raised

    def _fail(self, moment: str) -> None:
        if (self._fails_at, self._count) == (moment, 2):
            raise OSError(28, "disk full")


@pytest.mark.parametrize(
    ("fails_at", "answers"),
    [("beginning", ["ran", "not carried out", "forbidden"]), ("end", ["ran", "ran", "forbidden"])],
)
def test_a_log_that_fails_costs_no_answer(fails_at: str, answers: list[str], caplog: pytest.LogCaptureFixture) -> None:
    def run(invocation: Any) -> str:
        if invocation.tool.id == "rm":
            raise ToolFailure("forbidden")
        return "ran"

    session = toolglot.Session([LS, RM], "anthropic", runner=run, approve=lambda *_: True, log=FailingLog(fails_at))
    calls: list[dict[str, Any]] = [
        {"type": "tool_use", "id": name, "name": name[:2], "input": {}} for name in ("ls1", "ls2", "rm3")
    ]
    [message] = session.handle({"content": calls})
    for block, answer in zip(message["content"], answers, strict=True):
        assert answer in block["content"]
    [record] = caplog.records
    assert (record.name, record.exc_info is not None) == ("toolglot", True)


def test_a_log_that_cannot_be_written_is_said_at_once(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="unwritable-log"):
        SessionLog(tmp_path)


def test_what_is_closed_writes_into_no_other_file(tmp_path: Path) -> None:
    log = SessionLog(tmp_path / "log")
    log.close()
    with (tmp_path / "other").open("wb") as other:  # has the number of the log's file now
        with pytest.raises(OSError, match="Bad file"), log.call("ls"):
            pass
        log.close()
        other.write(b"its own")
    assert (tmp_path / "other").read_bytes() == b"its own"


# -- the order --------------------------------------------------------------------------------------------------------

NAMES = {"o": "tool.session.opened", "c": "agent.toolCalled", "r": "agent.toolReturned", "x": "tool.session.closed"}


def log_of(steps: str) -> list[dict[str, Any]]:
    """Events written short: what happened, the session, and the call or the outcome; `o1 c1a r1a x1`."""
    events = []
    for step in steps.split():
        payload = {"sessionId": step[1], "toolId": "ls"}
        if step[0] in "cr":
            payload["callId"] = step[2:]
        if step[0] == "x":
            payload["outcome"] = step[2:] or "completed"
        events.append({"type": NAMES[step[0]], "payload": payload, "runId": "r", "timestamp": "2026-11-22T12:00:00Z"})
    return events


ORDERS: list[tuple[str, list[tuple[str, str]]]] = [
    ("o1 c1a r1a x1", []),
    ("o1 c1a r1a c1b r1b x1", []),
    ("o1 o2 c1a c2a r2a c1b r1b x2 r1a x1", []),
    ("c1a", [("session-not-opened", "/0/payload")]),
    ("o1 c1a r1a x1 o1", [("session-opened-twice", "/4/payload")]),
    ("o1 c1a r1a x1 c1b r1b", [("session-closed", "/4/payload"), ("session-closed", "/5/payload")]),
    ("o1 c1a r1a", [("session-not-closed", "/0/payload")]),
    ("o1 c1a x1", [("session-call-order", "/1/payload")]),
    ("o1 r1a x1", [("session-call-order", "/1/payload"), ("session-without-call", "/2/payload")]),
    ("o1 c1a c1a r1a x1", [("session-call-order", "/2/payload")]),
    ("o1 x1", [("session-without-call", "/1/payload")]),
    ("o1 c1a r1a x1expired", [("session-outcome", "/3/payload/outcome")]),
]


@for_each("order", ORDERS)
def test_the_order_is_held(order: tuple[str, list[tuple[str, str]]]) -> None:
    events = log_of(order[0])
    assert canonical.is_valid(events, "tool-descriptor/sessions")
    assert [(finding.code, finding.pointer) for finding in find_faults_of_manifest(events, None)] == order[1]


def test_a_session_is_of_one_tool() -> None:
    events = log_of("o1 c1a r1a x1")
    events[1]["payload"]["toolId"] = "rm"
    assert [finding.code for finding in find_faults_of_manifest(events, None)] == ["session-other-tool"]


def test_check_reads_a_log(tmp_path: Path) -> None:
    events = log_of("o1 c1a r1a x1 x2")
    events[1]["payload"]["arguments"] = SECRET
    (tmp_path / "log.jsonl").write_text("".join(json.dumps(event) + "\n" for event in events))
    ran = streams.run(tmp_path, ["check", "log.jsonl"])
    assert ran.code == 1
    for expected in ("log.jsonl:2", "arguments", "log.jsonl:5", "session-not-opened"):
        assert expected in ran.stdout + ran.stderr
    (tmp_path / "log.jsonl").write_text("".join(json.dumps(event) + "\n" for event in log_of("o1 c1a r1a x1")))
    ran = streams.run(tmp_path, ["check", "log.jsonl"])
    assert (ran.code, ran.stdout) == (0, "")


def test_check_reads_the_run_of_another_host(tmp_path: Path) -> None:
    """Other events stand among those of sessions, and calls may say no session."""
    call = {"agentId": "a1", "toolName": "ls", "callId": "c1", "inputs": {"path": "."}}
    events: list[dict[str, Any]] = [
        {"type": "run.started", "payload": {}},
        {"type": "tool.session-opened", "payload": {"sessionId": "s1", "toolId": "mcp:a"}},
        {"type": "agent.toolCalled", "payload": call},
        {"type": "agent.toolReturned", "payload": {**call, "outcome": "text"}},
        {"type": "tool.session-closed", "payload": {"sessionId": "s1", "toolId": "mcp:a", "outcome": "completed"}},
    ]
    about = {"runId": "r1", "eventId": "e1", "timestamp": "2026-01-01T00:00:00Z", "sequence": 1}

    def check() -> streams.Ran:
        (tmp_path / "run.jsonl").write_text("".join(json.dumps({**about, **one}) + "\n" for one in events))
        return streams.run(tmp_path, ["check", "run.jsonl"])

    assert (check().code, check().stdout) == (0, "")
    events[-1]["payload"]["outcome"] = "exploded"
    ran = check()
    assert (ran.code, "run.jsonl:5" in ran.stdout, "outcome" in ran.stdout) == (1, True, True)


def test_a_log_is_no_tool_description(tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_text(json.dumps(log_of("o1")[0]) + "\n")
    ran = streams.run(tmp_path, ["convert", "log.jsonl", "--to", "openai"])
    assert ran.code == 2
    assert "a log of a run" in ran.stderr
