"""The words of the question for a person about a call."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from toolglot.converter.formats.kit.call_results import compact_json
from toolglot.errors import escape_unseen, without_middle

_MOST_OF_CALL = 10_000  # characters that a person is shown


def question_text(name: str, arguments: Any, reasons: Iterable[str]) -> str:
    """The question about a call: what is called, with which arguments, and why it takes a yes.

    The person sees the call character by character, because a tidied text could hide what a shell acts on. Of a very
    long call both ends are shown, with a line that says how much is missing between them.

    >>> print(question_text("rm", {"path": "a  `b`\\u202e"}, ["it deletes files"]))
    rm {"path":"a  `b`\\u202e"}
    it deletes files. Carry it out?
    """
    call = escape_unseen(f"{name} {compact_json(arguments)}")
    call = without_middle(
        call, _MOST_OF_CALL, f"\n({len(call) - _MOST_OF_CALL} characters between these lines are not shown)\n"
    )
    return f"{call}\n{closing_question(reasons, 'Carry it out')}"


def closing_question(reasons: Iterable[str], act: str) -> str:
    """The reasons why a person is asked, and the question to answer with yes or no.

    >>> closing_question(["it deletes files", "it may incur costs"], "Run it")
    'it deletes files; it may incur costs. Run it?'
    """
    return f"{'; '.join(reasons)}. {act}?"
