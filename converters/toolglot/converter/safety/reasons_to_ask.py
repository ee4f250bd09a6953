"""What a person has to be asked about before a tool is called.

A great danger that is stated is always asked about, whatever the author says about approval. Otherwise the author's
word on approval holds. Without one, every effect that nobody states is a question.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from toolglot.converter.hub.model import Tool
from toolglot.converter.safety.caution_before_calls import COSTS, NOBODY_STATES, levels_with_cost
from toolglot.converter.safety.danger_of_stated_facts import UNKNOWN, UNSAFE
from toolglot.converter.safety.stated_caution import caution


class ApprovalQuestion(NamedTuple):
    """One reason to ask a person.

    Attributes:
        reason: the reason, in words for the person.
        answer: field and value of a policy that answers in place of the person; `None`: only the person can.
        is_asked_once: whether a yes holds for the rest of the session.
    """

    reason: str
    answer: tuple[str, Any] | None = None
    is_asked_once: bool = False


class _Danger(NamedTuple):
    """A level of a facet that is asked about wherever it is stated.

    Attributes:
        reason, answer: as in `ApprovalQuestion`.
        supposed: the reason where the level only follows from another facet; empty where the question about that
            facet is enough.
    """

    facet: str
    reason: str
    answer: tuple[str, Any]
    level: int = UNSAFE
    supposed: str = ""


_DANGERS = (
    _Danger("deletes", "it deletes something", ("allow_filesystem_delete", True)),
    _Danger("deletes_files", "it deletes files", ("allow_filesystem_delete", True)),
    _Danger(
        "destructive",
        "it destroys data for good",
        ("allow_destructive", True),
        supposed="it may destroy data for good",
    ),
    _Danger("irreversible", "it cannot be undone", ("allow_non_reversible", True)),
    _Danger("executes", "it runs other programs", ("allow_subprocess", True)),
    _Danger("cost", "it is expensive", ("max_cost_estimate", "high"), COSTS["high"]),
)
_CHANGES = "it changes something"
_ALLOW_UNSTATED = ("allow_unstated", True)
# Without a stated approval: facet -> what is asked if it is stated, and in the middle of a question if it is not.
_UNAPPROVED = {
    "changes": (
        ApprovalQuestion(f"{_CHANGES}, and nobody states when a person is asked", _ALLOW_UNSTATED),
        "changes anything",
    ),
    "billable": (
        ApprovalQuestion("it may incur costs, and nobody states when a person is asked", ("allow_billable", True)),
        "incurs costs",
    ),
}


def policy_that_answers(questions: Iterable[ApprovalQuestion]) -> dict[str, Any] | None:
    """The policy that answers all of these questions, as JSON data; `None` where a person has to answer one.

    >>> policy_that_answers([ApprovalQuestion("it deletes files", ("allow_filesystem_delete", True))])
    {'allowFilesystemDelete': True}
    """
    policy: dict[str, Any] = {}
    for question in questions:
        if question.answer is None:
            return None
        field, value = question.answer
        first, *words = field.split("_")
        policy[first + "".join(map(str.capitalize, words))] = value
    return policy


def questions_before_call(tool: Tool) -> Iterator[ApprovalQuestion]:
    """The questions for a person before a tool is called; empty where it may be called without asking.

    >>> for facts in ({"approval": "auto", "mutates": ()}, {"approval": "auto", "mutates": ("a",)}, {}):
    ...     [question.reason for question in questions_before_call(Tool(id="a", **facts))]
    []
    ['it changes something']
    ['nobody states whether it changes anything or incurs costs']
    """
    dangers = list(questions_about_dangers(tool))
    yield from dangers
    levels = levels_with_cost(tool)
    if levels["approval"] > NOBODY_STATES:
        is_for_changes = tool.approval in ("auto", "on-mutate")
        yield ApprovalQuestion(_CHANGES if is_for_changes else "it says that it needs approval")
    elif levels["approval"] == NOBODY_STATES and not dangers:  # whoever answers for a danger answers for the change
        stated = [question for facet, (question, _) in _UNAPPROVED.items() if levels[facet] == UNSAFE]
        unstated = [words for facet, (_, words) in _UNAPPROVED.items() if levels[facet] == UNKNOWN]
        if stated:
            yield from stated
        elif unstated:
            reason = f"nobody states whether it {' or '.join(unstated)}"
            yield ApprovalQuestion(reason, _ALLOW_UNSTATED, is_asked_once=True)


def questions_about_dangers(tool: Tool) -> Iterator[ApprovalQuestion]:
    """The questions for a person about stated dangers, whatever the author says about approval.

    >>> [question.reason for question in questions_about_dangers(Tool(id="a", deletes=("mail",), approval="auto"))]
    ['it deletes something', 'it may destroy data for good']
    """
    levels, stated = levels_with_cost(tool), caution(tool)
    for danger in _DANGERS:
        if levels[danger.facet] != danger.level:
            continue
        reason = danger.reason if stated[danger.facet] >= danger.level else danger.supposed
        if reason:
            yield ApprovalQuestion(reason, danger.answer)
