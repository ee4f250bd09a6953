"""What was answered in a session."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from toolglot.converter.safety.reasons_to_ask import ApprovalQuestion
from toolglot.runtime.bridge.approval import is_for_session, refuse_unapproved
from toolglot.runtime.bridge.invocations import CommandIdentity, Invocation


class KeptAnswers(msgspec.Struct):
    """The questions that somebody has answered with a yes that holds for later calls of a tool, too."""

    _answered: set[tuple[CommandIdentity, str]] = set()  # each with the reason

    def remaining_questions(
        self, invocation: Invocation, questions: Iterable[ApprovalQuestion]
    ) -> list[ApprovalQuestion]:
        """The questions about a call that are still to be asked."""
        return [question for question in questions if (invocation.identity, question.reason) not in self._answered]

    def take(self, answer: Any, invocation: Invocation, questions: Sequence[ApprovalQuestion]) -> None:
        """Go on if the answer is yes, and remember it where it holds for the session; a no is asked again.

        Raises:
            ToolFailure: as of `refuse_unapproved`.
        """
        refuse_unapproved(answer, questions)
        for question in questions:
            if question.is_asked_once or is_for_session(answer):
                self._answered.add((invocation.identity, question.reason))
