"""The questions for a person before a call: `questions_about` gives them, and no other code asks.

`safety.reasons_to_ask` has all questions about a tool. A policy answers only those that it names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

import msgspec

from toolglot.converter.formats import parse_target
from toolglot.converter.hub.model import Tool
from toolglot.converter.safety.reasons_to_ask import ApprovalQuestion, policy_that_answers, questions_before_call
from toolglot.errors import ToolFailure, UsageError
from toolglot.option_checks import require
from toolglot.runtime.bridge.compilation import Compiled
from toolglot.runtime.bridge.policy import Policy
from toolglot.runtime.bridge.validator import Validator

ApprovalAnswer: TypeAlias = bool | Literal["session"]
"""Whether a call is approved; `"session"`: it is, and so are later calls of the tool that ask the same."""

_FOR_SESSION = "session"


def questions_about(tool: Tool, policy: Policy) -> tuple[ApprovalQuestion, ...]:
    """The questions for a person before a tool is called, without those that the policy answers.

    >>> [question.reason for question in questions_about(Tool(id="a", approval="auto", mutates=("a",)), Policy())]
    ['it changes something']
    """
    return tuple(question for question in questions_before_call(tool) if not _is_answered(question, policy))


def _is_answered(question: ApprovalQuestion, policy: Policy) -> bool:
    if question.answer is None:
        return False
    field, value = question.answer
    return bool(getattr(policy, field) == value)


def refuse_unasked(questions: Sequence[ApprovalQuestion]) -> None:
    """Refuse a call with open questions, where no person can be asked.

    Raises:
        ToolFailure: there are questions; the message names the policy that would answer them, if one could.
    """
    if not questions:
        return
    message = f"this needs approval, and nobody can be asked: {join_reasons(questions)}"
    policy = policy_that_answers(questions)
    if policy:
        message += f"; a policy with {msgspec.json.encode(policy).decode()} allows it"
    raise ToolFailure(message, "policy_violation")


def refuse_unapproved(answer: Any, questions: Iterable[ApprovalQuestion]) -> None:
    """Refuse a call unless the answer is an `ApprovalAnswer` that says yes.

    Raises:
        ToolFailure: the answer is any other value.
    """
    if answer is not True and not is_for_session(answer):
        raise ToolFailure(f"this was not approved: {join_reasons(questions)}", "cancelled")


def is_for_session(answer: Any) -> bool:
    """Whether an answer is the yes that also holds for later calls."""
    return isinstance(answer, str) and answer == _FOR_SESSION


def reasons_of(questions: Iterable[ApprovalQuestion]) -> tuple[str, ...]:
    """The reasons of questions, in words for the person."""
    return tuple(question.reason for question in questions)


def join_reasons(questions: Iterable[ApprovalQuestion]) -> str:
    """The reasons as one sentence."""
    return "; ".join(reasons_of(questions))


def approval_settings(
    served: Compiled, provider: str, policy: Policy | Mapping[str, Any] | Validator | None = None
) -> dict[str, Any]:
    """The settings in a request by which a provider asks a person before it calls the tools of a server itself.

    Function definitions have no place for approval, so these settings stand beside them in the request.

    Args:
        served: the tools as the server lists them.
        provider: the provider of the request.
        policy: as in `Session`. A person is also asked about calls that it refuses: nobody else would stop these.

    Raises:
        UsageError: the provider has no such settings, or an option has another type (code `bad-option`), or there is
            no such format.

    >>> from toolglot.runtime.bridge.compilation import compile
    >>> tools = [Tool(id="ls", safety_tier="pure", reversible=True, subprocess=False, billable=False), Tool(id="rm")]
    >>> approval_settings(compile(tools, "mcp"), "openai")
    {'require_approval': {'always': {'tool_names': ['rm']}, 'never': {'tool_names': ['ls']}}}
    """
    require("served", served, Compiled, "what `toolglot.compile` returns")
    validator = policy if isinstance(policy, Validator) else Validator(served, policy)
    target, _ = parse_target(provider)
    if target.provider.approval_settings is None:
        raise UsageError(f"{target.name} has no settings of approval for tools of servers", code="bad-option")
    asks = {
        name: any(questions_about(leaf.tool, validator.policy) or validator.refuses(leaf.tool) for leaf in offer.behind)
        for name, offer in served.offers.items()
        if offer.mode != "excluded"
    }
    return target.provider.approval_settings(asks)
