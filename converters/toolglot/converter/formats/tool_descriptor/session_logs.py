"""Logs of tool sessions (RFC 0078, section D): a session is opened, tools are called and return, it is closed.

The events say that a tool was called, and never with what or what came of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from toolglot.converter.formats import Finding, LookAlike
from toolglot.converter.formats.contract import Manifest
from toolglot.converter.text.pointers import as_list

OPENED, CALLED, RETURNED, CLOSED = _EVENTS = (
    "tool.session.opened",
    "agent.toolCalled",
    "agent.toolReturned",
    "tool.session.closed",
)
COMPLETED, FAILED, CANCELLED = "completed", "failed", "cancelled"
_OTHER_OUTCOMES = ("aborted", "expired")  # that one text of the specification has, and its schema does not


def event(name: str, time: str, session_id: str, tool_id: str, **more: str | None) -> dict[str, str]:
    """One event, as a line of a log holds it.

    Args:
        more: `call_id`, `code` and `outcome`, as far as the event has them.

    >>> event(CLOSED, "2026-11-22T12:00:00Z", "s1", "mail.send", outcome=COMPLETED)["outcome"]
    'completed'
    """
    keys = {"call_id": "callId", "code": "code", "outcome": "outcome"}
    rest = {keys[key]: value for key, value in more.items() if value is not None}
    return {"event": name, "time": time, "sessionId": session_id, "toolId": tool_id, **rest}


class _LoggedSession(msgspec.Struct):
    """What a log said of a session so far."""

    tool_id: Any
    place: str
    is_closed: bool = False
    open_calls: dict[Any, str] = {}
    calls: set[Any] = set()


def find_disorder(events: Iterable[Any]) -> Iterator[Finding]:
    """Where the order of events is none that a host can give.

    >>> [finding.code for finding in find_disorder([event(CALLED, "", "s1", "ls", call_id="1")])]
    ['session-not-opened']
    """
    sessions: dict[Any, _LoggedSession] = {}
    for index, entry in enumerate(events):
        if _is_event(entry):
            yield from _next_event(entry, f"/{index}", sessions)
    for session_id, session in sessions.items():
        if not session.is_closed:
            yield Finding("session-not-closed", session.place, f"nothing closes the session {session_id!r}")


def _is_event(entry: Any) -> bool:
    return isinstance(entry, dict) and all(isinstance(entry.get(key), str) for key in ("event", "sessionId", "toolId"))


def _next_event(one: dict[str, Any], place: str, sessions: dict[Any, _LoggedSession]) -> Iterator[Finding]:
    name, session_id = one["event"], one["sessionId"]
    session = sessions.get(session_id)
    if name == OPENED:
        if session is not None:
            yield Finding("session-opened-twice", place, f"the session {session_id!r} is opened again", error=True)
        else:
            sessions[session_id] = _LoggedSession(one["toolId"], place)
        return
    if session is None:
        yield Finding("session-not-opened", place, f"the session {session_id!r} was not opened before", error=True)
        return
    if session.is_closed:
        yield Finding("session-closed", place, f"the session {session_id!r} was closed before", error=True)
    if one["toolId"] != session.tool_id:
        message = f"the session {session_id!r} is of {session.tool_id!r}, not of {one['toolId']!r}"
        yield Finding("session-other-tool", f"{place}/toolId", message, error=True)
    yield from _OF_EVENTS.get(name, _nothing)(one, place, session)


def _called(one: dict[str, Any], place: str, session: _LoggedSession) -> Iterator[Finding]:
    call_id = _call_id(one.get("callId"))
    if call_id in session.calls:
        yield Finding("session-call-order", place, f"the call {call_id!r} was made before", error=True)
    session.calls.add(call_id)
    session.open_calls[call_id] = place


def _returned(one: dict[str, Any], place: str, session: _LoggedSession) -> Iterator[Finding]:
    call_id = _call_id(one.get("callId"))
    if session.open_calls.pop(call_id, None) is None:
        yield Finding("session-call-order", place, f"no call {call_id!r} is waiting for its return", error=True)


def _closed(one: dict[str, Any], place: str, session: _LoggedSession) -> Iterator[Finding]:
    session.is_closed = True
    for call_id, call_place in session.open_calls.items():
        message = f"the call {call_id!r} has not returned when its session is closed"
        yield Finding("session-call-order", call_place, message, error=True)
    if not session.calls:
        yield Finding("session-without-call", place, "the session is closed, and nothing was called in it")
    if one.get("outcome") in _OTHER_OUTCOMES:
        message = f"the schema of the specification has no outcome {one['outcome']!r}; write {CANCELLED} or {FAILED}"
        yield Finding("session-outcome", f"{place}/outcome", message)


def _nothing(one: dict[str, Any], place: str, session: _LoggedSession) -> Iterator[Finding]:
    return iter(())


_OF_EVENTS = {CALLED: _called, RETURNED: _returned, CLOSED: _closed}


def _call_id(value: Any) -> str | None:
    """What a call is known by; what is no text, the schema complains of."""
    return value if isinstance(value, str) else None


def find_faults_of_manifest(data: Any, path: str | None) -> Iterator[Finding]:
    """What is out of order in the lines of a log."""
    return find_disorder(as_list(data))


def _is_log(data: dict[str, Any], body: str | None, file_name: str) -> bool:
    return body is None and data.get("event") in _EVENTS and "sessionId" in data


LOOK_ALIKES = (
    LookAlike(
        "a log of tool sessions",
        _is_log,
        "it says what was called; convert the tools",
        Manifest("tool-descriptor/sessions", __name__),
    ),
)
