"""The answers of a person that hold for the rest of a session."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from toolglot.converter.safety.reasons_to_ask import ApprovalQuestion
from toolglot.runtime.bridge.approval import is_for_session, refuse_unapproved
from toolglot.runtime.bridge.invocations import CommandIdentity, Invocation


class KeptAnswers(msgspec.Struct):
    """The questions that were answered with a yes that also holds for later calls of the tool."""

    _answered: set[tuple[CommandIdentity, str]] = set()  # each with the reason

    def remaining_questions(
        self, invocation: Invocation, questions: Iterable[ApprovalQuestion]
    ) -> list[ApprovalQuestion]:
        """The questions about a call that are not answered yet."""
        return [question for question in questions if (invocation.identity, question.reason) not in self._answered]

    def take(self, answer: Any, invocation: Invocation, questions: Sequence[ApprovalQuestion]) -> None:
        """Take the answer to some questions. A yes for the session is kept; after a no, later calls ask again.

        Raises:
            ToolFailure: as `refuse_unapproved`.
        """
        refuse_unapproved(answer, questions)
        for question in questions:
            if question.is_asked_once or is_for_session(answer):
                self._answered.add((invocation.identity, question.reason))
