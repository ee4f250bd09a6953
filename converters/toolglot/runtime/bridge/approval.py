"""What a person has to be asked about before a call goes on: `questions_about` is the list, and nothing else asks.

`safety.reasons_to_ask` says what there is to ask. A policy answers nothing that it does not name.
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
    """What a person is asked before a tool is called; empty where nobody is.

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
    """Stop a call that somebody would have to be asked about, where nobody can be.

    Raises:
        ToolFailure: there are questions; it names what a policy would have to say, if that is enough.
    """
    if not questions:
        return
    message = f"this needs approval, and nobody can be asked: {join_reasons(questions)}"
    policy = policy_that_answers(questions)
    if policy:
        message += f"; a policy with {msgspec.json.encode(policy).decode()} allows it"
    raise ToolFailure(message, "policy_violation")


def refuse_unapproved(answer: Any, questions: Iterable[ApprovalQuestion]) -> None:
    """Stop a call that was asked about; nothing but an `ApprovalAnswer` that says yes approves.

    Raises:
        ToolFailure: the answer is another one.
    """
    if answer is not True and not is_for_session(answer):
        raise ToolFailure(f"this was not approved: {join_reasons(questions)}", "cancelled")


def is_for_session(answer: Any) -> bool:
    """Whether an answer is the yes that holds for later calls too."""
    return isinstance(answer, str) and answer == _FOR_SESSION


def reasons_of(questions: Iterable[ApprovalQuestion]) -> tuple[str, ...]:
    """Why a person is asked, in words for them."""
    return tuple(question.reason for question in questions)


def join_reasons(questions: Iterable[ApprovalQuestion]) -> str:
    """The same as one sentence."""
    return "; ".join(reasons_of(questions))


def approval_settings(
    served: Compiled, provider: str, policy: Policy | Mapping[str, Any] | Validator | None = None
) -> dict[str, Any]:
    """The settings by which a provider that calls a server's tools by itself asks a person first.

    The definitions that a model is told have no place for approval, and the facts stay with the server: these settings
    stand beside them, in the request.

    Args:
        served: the tools as the server lists them.
        provider: whose request it is.
        policy: as for `Session`; what it refuses is asked about too, because nobody else would stop it.

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
