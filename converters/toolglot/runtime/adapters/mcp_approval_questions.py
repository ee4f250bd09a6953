"""The user of a client of the Model Context Protocol, asked whether a call may run.

Clients of the handshake are sent a request while the call waits. Newer ones are told in the result that something is to
be asked, and repeat the call with the answer. Facts: specification 2025-06-18 and 2026-07-28, client/elicitation.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import msgspec

from toolglot.converter.formats.kit.call_results import compact_json
from toolglot.converter.text.digests import hex_digest
from toolglot.runtime.bridge.approval import ApprovalAnswer
from toolglot.runtime.bridge.invocations import Invocation
from toolglot.runtime.bridge.question_text import question_text

# Some clients accept every question without showing it, and with nothing filled in: so the answer is a field.
_FORM = {
    "type": "object",
    "properties": {
        "carry_out": {"type": "boolean", "title": "Carry it out"},
        "session": {
            "type": "boolean",
            "title": "For this session",
            "description": "Do not ask this about this tool again.",
            "default": False,
        },
    },
    "required": ["carry_out"],
}


class CallQuestions(msgspec.Struct):
    """What the user of a client is asked about one call.

    Args:
        types: the package of the protocol's types.
        ctx, params: of the request, as the SDK's handlers get them.

    Attributes:
        unanswered: what has to be asked before the call is repeated: a key and a request; `None`: nothing.
    """

    _types: Any
    _ctx: Any
    _params: Any
    unanswered: dict[str, Any] | None = None

    @property
    def can_be_asked(self) -> bool:
        """Whether the client says that it shows questions."""
        session = getattr(self._ctx, "session", None)
        elicitation = self._types.ClientCapabilities(elicitation=self._types.ElicitationCapability())
        return session is not None and bool(session.check_client_capability(elicitation))

    async def ask(self, invocation: Invocation, reasons: tuple[str, ...]) -> ApprovalAnswer:
        """What the user answers; a no where they were not asked yet, with the question in `unanswered`."""
        message = question_text(invocation.call.name, invocation.arguments, reasons)
        if self._ctx.protocol_version <= self._types.version.LATEST_HANDSHAKE_VERSION:
            session, request_id = self._ctx.session, self._ctx.request_id
            return _answer(await session.elicit_form(message, _FORM, related_request_id=request_id))
        # An answer counts for what it was given about, whatever else the client repeats.
        key = f"approval-{hex_digest(compact_json([invocation.identity, invocation.arguments, reasons]))}"
        responses = getattr(self._params, "input_responses", None) or {}
        if key in responses:
            return _answer(responses[key])
        form = self._types.ElicitRequestFormParams(message=message, requested_schema=_FORM)
        self.unanswered = {key: self._types.ElicitRequest(params=form)}
        return False


def _answer(result: Any) -> ApprovalAnswer:
    content = getattr(result, "content", None) or {}
    if getattr(result, "action", None) != "accept" or content.get("carry_out") is not True:
        return False
    return "session" if content.get("session") is True else True


_CURRENT: ContextVar[CallQuestions] = ContextVar("questions")


@contextmanager
def asking(questions: CallQuestions) -> Iterator[None]:
    """A context in which `ask_client` asks what belongs to one call."""
    token = _CURRENT.set(questions)
    try:
        yield
    finally:
        _CURRENT.reset(token)


async def ask_client(invocation: Invocation, reasons: tuple[str, ...]) -> ApprovalAnswer:
    """`approve` of a session whose calls come from a client."""
    return await _CURRENT.get().ask(invocation, reasons)
