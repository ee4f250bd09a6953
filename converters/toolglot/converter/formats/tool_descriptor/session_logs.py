"""Logs of tool sessions (RFC 0078, section D): a session is opened, tools are called and return, it is closed.

The events are those of a run, with others among them. Those of sessions say that a tool was called, and never with
what or what came of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from toolglot.converter.formats import Finding, LookAlike
from toolglot.converter.formats.contract import Manifest
from toolglot.converter.formats.kit.parameters import stated_text
from toolglot.converter.text.pointers import as_list, as_mapping, mapping_at

OPENED, CALLED, RETURNED, CLOSED = (
    "tool.session.opened",
    "agent.toolCalled",
    "agent.toolReturned",
    "tool.session.closed",
)
REFUSED = "x-host-toolglot.toolRefused"
"""A call that did not run: the RFC has no event for it, and who reads runs passes over those of other hosts."""
_NAMES_OF_V2 = {"tool.session-opened": OPENED, "tool.session-closed": CLOSED}
COMPLETED, FAILED, CANCELLED = "completed", "failed", "cancelled"
_OTHER_OUTCOMES = ("aborted", "expired")  # that one text of the specification has, and its schema does not
_AGENT = "toolglot"


def payload_of(
    session_id: str, tool_id: str, call_id: str | None = None, code: str | None = None, outcome: str | None = None
) -> dict[str, Any]:
    """What an event says of its session; of a call also what the agent's events have to say.

    >>> payload_of("s1", "mail.send", outcome=COMPLETED)
    {'sessionId': 's1', 'toolId': 'mail.send', 'outcome': 'completed'}
    """
    payload: dict[str, Any] = {"sessionId": session_id, "toolId": tool_id}
    if call_id is not None:
        payload |= {"callId": call_id, "agentId": _AGENT, "toolName": tool_id}
    if code is not None:
        payload["error"] = {"error": code, "message": code}
    if outcome is not None:
        payload["outcome"] = outcome
    return payload


class _LoggedSession(msgspec.Struct):
    """What a log said of a session so far."""

    tool_id: Any
    place: str
    is_closed: bool = False
    open_calls: dict[Any, str] = {}
    calls: set[Any] = set()


def find_faults_of_manifest(data: Any, path: str | None) -> Iterator[Finding]:
    """Where the order of events in the lines of a log is none that a host can give.

    >>> called = {"type": CALLED, "payload": payload_of("s1", "ls", "1")}
    >>> [finding.code for finding in find_faults_of_manifest([called], None)]
    ['session-not-opened']
    """
    sessions: dict[Any, _LoggedSession] = {}
    for index, entry in enumerate(as_list(data)):
        one = as_mapping(entry)
        stated_name, payload = stated_text(one, "type") or "", mapping_at(one, "payload")
        name = _NAMES_OF_V2.get(stated_name, stated_name)
        if name != OPENED and name not in _OF_EVENTS:
            continue
        if all(isinstance(payload.get(key), str) for key in ("sessionId", "toolId")):
            yield from _next_event(name, payload, f"/{index}/payload", sessions)
        else:  # other hosts say of a call only whose it is
            for session in sessions.values():
                session.calls.add(None)
    for session_id, session in sessions.items():
        if not session.is_closed:
            yield Finding("session-not-closed", session.place, f"nothing closes the session {session_id!r}")


def _next_event(
    name: str, one: Mapping[str, Any], place: str, sessions: dict[Any, _LoggedSession]
) -> Iterator[Finding]:
    session_id = one["sessionId"]
    session = sessions.get(session_id)
    if name == OPENED:
        if session is not None:
            yield Finding("session-opened-twice", place, f"the session {session_id!r} is opened again")
        else:
            sessions[session_id] = _LoggedSession(one["toolId"], place)
        return
    if session is None:
        yield Finding("session-not-opened", place, f"the session {session_id!r} was not opened before")
        return
    if session.is_closed:
        yield Finding("session-closed", place, f"the session {session_id!r} was closed before")
    if one["toolId"] != session.tool_id:
        message = f"the session {session_id!r} is of {session.tool_id!r}, not of {one['toolId']!r}"
        yield Finding("session-other-tool", f"{place}/toolId", message)
    yield from _OF_EVENTS[name](one, place, session)


# What a call is known by is a text; of anything else the schema complains.
def _called(one: Mapping[str, Any], place: str, session: _LoggedSession) -> Iterator[Finding]:
    call_id = stated_text(one, "callId")
    if call_id in session.calls:
        yield Finding("session-call-order", place, f"the call {call_id!r} was made before")
    session.calls.add(call_id)
    session.open_calls[call_id] = place


def _returned(one: Mapping[str, Any], place: str, session: _LoggedSession) -> Iterator[Finding]:
    call_id = stated_text(one, "callId")
    if session.open_calls.pop(call_id, None) is None:
        yield Finding("session-call-order", place, f"no call {call_id!r} is waiting for its return")


def _closed(one: Mapping[str, Any], place: str, session: _LoggedSession) -> Iterator[Finding]:
    session.is_closed = True
    for call_id, call_place in session.open_calls.items():
        message = f"the call {call_id!r} has not returned when its session is closed"
        yield Finding("session-call-order", call_place, message)
    if not session.calls:
        yield Finding("session-without-call", place, "the session is closed, and nothing was called in it")
    if one.get("outcome") in _OTHER_OUTCOMES:
        message = f"the schema of the specification has no outcome {one['outcome']!r}; write {CANCELLED} or {FAILED}"
        yield Finding("session-outcome", f"{place}/outcome", message)


def _refused(one: Mapping[str, Any], place: str, session: _LoggedSession) -> Iterator[Finding]:
    session.calls.add(stated_text(one, "callId"))
    return iter(())


_OF_EVENTS = {CALLED: _called, RETURNED: _returned, REFUSED: _refused, CLOSED: _closed}


def _is_log(data: dict[str, Any], body: str | None, file_name: str) -> bool:
    is_event = isinstance(data.get("type"), str) and isinstance(data.get("payload"), dict)
    return body is None and is_event and ("runId" in data or "sessionId" in data["payload"])


LOOK_ALIKES = (
    LookAlike(
        "a log of a run",
        _is_log,
        "it says what was called; convert the tools",
        Manifest("tool-descriptor/sessions", __name__),
    ),
)
