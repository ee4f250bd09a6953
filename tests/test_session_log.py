"""Logs of tool sessions: what `Session` writes down, and what `check` says of a log."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import streams
import toolglot
from rows import for_each
from toolglot import Tool
from toolglot.converter.formats.tool_descriptor.session_logs import find_disorder
from toolglot.converter.schema import canonical
from toolglot.errors import ReadError, ToolFailure
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


ENDINGS: list[tuple[str, Any, Any, str, str | None]] = [
    ("ls", lambda call: SECRET, None, "completed", None),
    ("ls", fail(ToolFailure(SECRET, "timeout")), None, "failed", "timeout"),
    ("ls", fail(ValueError(SECRET)), None, "failed", "internal"),
    ("rm", lambda call: SECRET, None, "failed", "policy_violation"),
    ("rm", lambda call: SECRET, lambda call, reasons: False, "cancelled", "cancelled"),
    ("rm", lambda call: SECRET, lambda call, reasons: True, "completed", None),
]


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_session_says_that_a_tool_was_called_and_how_that_ended(
    tmp_path: Path, ending: tuple[str, Any, Any, str, str | None]
) -> None:
    name, runner, approve, outcome, code = ending
    path = tmp_path / "log.jsonl"
    with SessionLog(path) as log:
        session = toolglot.Session([LS, RM], "anthropic", runner=runner, approve=approve, log=log)
        call = {"type": "tool_use", "id": SECRET, "name": name, "input": {}}
        session.handle({"content": [call]})
    events = lines_of(path)
    assert [one["event"] for one in events] == [
        "tool.session.opened",
        "agent.toolCalled",
        "agent.toolReturned",
        "tool.session.closed",
    ]
    assert {one["toolId"] for one in events} == {name}
    assert (events[-1]["outcome"], events[-2].get("code")) == (outcome, code)
    assert len({one["sessionId"] for one in events}) == 1
    assert canonical.is_valid(events, "tool-descriptor/sessions")
    assert list(find_disorder(events)) == []
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
    assert lines_of(tmp_path / "log.jsonl")[-1]["outcome"] == "cancelled"


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


def log_of(steps: str) -> list[dict[str, str]]:
    """Events written short: what happened, the session, and the call or the outcome; `o1 c1a r1a x1`."""
    events = []
    for step in steps.split():
        event = {"event": NAMES[step[0]], "time": "2026-11-22T12:00:00Z", "sessionId": step[1], "toolId": "ls"}
        if step[0] in "cr":
            event["callId"] = step[2:]
        if step[0] == "x":
            event["outcome"] = step[2:] or "completed"
        events.append(event)
    return events


ORDERS: list[tuple[str, list[tuple[str, str]]]] = [
    ("o1 c1a r1a x1", []),
    ("o1 c1a r1a c1b r1b x1", []),
    ("o1 o2 c1a c2a r2a c1b r1b x2 r1a x1", []),
    ("c1a", [("session-not-opened", "/0")]),
    ("o1 c1a r1a x1 o1", [("session-opened-twice", "/4")]),
    ("o1 c1a r1a x1 c1b r1b", [("session-closed", "/4"), ("session-closed", "/5")]),
    ("o1 c1a r1a", [("session-not-closed", "/0")]),
    ("o1 c1a x1", [("session-call-order", "/1")]),
    ("o1 r1a x1", [("session-call-order", "/1"), ("session-without-call", "/2")]),
    ("o1 c1a c1a r1a x1", [("session-call-order", "/2")]),
    ("o1 x1", [("session-without-call", "/1")]),
    ("o1 c1a r1a x1expired", [("session-outcome", "/3/outcome")]),
]


@for_each("order", ORDERS)
def test_the_order_is_held(order: tuple[str, list[tuple[str, str]]]) -> None:
    events = log_of(order[0])
    assert canonical.is_valid(events, "tool-descriptor/sessions")
    assert [(finding.code, finding.pointer) for finding in find_disorder(events)] == order[1]


def test_a_session_is_of_one_tool() -> None:
    events = log_of("o1 c1a r1a x1")
    events[1]["toolId"] = "rm"
    assert [finding.code for finding in find_disorder(events)] == ["session-other-tool"]


def test_check_reads_a_log(tmp_path: Path) -> None:
    events = log_of("o1 c1a r1a x1 x2")
    events[1]["arguments"] = SECRET
    (tmp_path / "log.jsonl").write_text("".join(json.dumps(event) + "\n" for event in events))
    ran = streams.run(tmp_path, ["check", "log.jsonl"])
    assert ran.code == 1
    for expected in ("log.jsonl:2", "arguments", "log.jsonl:5", "session-not-opened"):
        assert expected in ran.stdout + ran.stderr
    (tmp_path / "log.jsonl").write_text("".join(json.dumps(event) + "\n" for event in log_of("o1 c1a r1a x1")))
    ran = streams.run(tmp_path, ["check", "log.jsonl"])
    assert (ran.code, ran.stdout) == (0, "")


def test_a_log_is_no_tool_description(tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_text(json.dumps(log_of("o1")[0]) + "\n")
    ran = streams.run(tmp_path, ["convert", "log.jsonl", "--to", "openai"])
    assert ran.code == 2
    assert "a log of tool sessions" in ran.stderr
