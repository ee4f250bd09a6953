"""What a person has to be asked about before a call goes on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from toolglot.bridge.call_policy import Policy, Validator
from toolglot.bridge.compilation import Compiled
from toolglot.errors import ToolFailure, UsageError
from toolglot.formats import parse_target
from toolglot.hub.model import Tool
from toolglot.option_checks import require
from toolglot.safety import SAFE, UNSAFE, Levels
from toolglot.safety.caution_of_calls import levels_with_cost

# What a person is asked about where no policy decides: dangers, and whatever may be one, as a fact and as a question.
_ASKED = {
    "destructive": ("destroys data for good", "destroys data for good"),
    "irreversible": ("cannot be undone", "can be undone"),
    "deletes": ("deletes something", "deletes something"),
    "deletes_files": ("deletes files", "deletes files"),
    "executes": ("runs other programs", "runs other programs"),
    "billable": ("may incur costs", "incurs costs"),
}
_SOMETIMES = 2  # the level of an approval that is asked for now and then


def approval_reasons(tool: Tool, asks_about_effects: bool) -> tuple[str, ...]:
    """Why a person has to be asked before a tool is called.

    Args:
        asks_about_effects: whether no policy decides about effects.
    """
    levels = levels_with_cost(tool)
    reasons: list[str] = []
    if asks_about_effects:
        reasons += _reasons_of_effects(levels)
    if levels["approval"] >= _SOMETIMES:
        reasons.append("it says that it needs approval")
    return tuple(reasons)


def _reasons_of_effects(levels: Levels) -> Iterator[str]:
    questions: list[str] = []
    for facet, (fact, question) in _ASKED.items():
        level = levels[facet]
        if level == UNSAFE:
            yield f"it {fact}"
        elif level != SAFE:
            questions.append(question)
    if questions:
        *first, last = questions
        if first:
            last = f"{', '.join(first)} or {last}"
        yield f"nothing states whether it {last}"


def refuse_unapproved(answer: Any, reasons: tuple[str, ...]) -> None:
    """Stop a call that was asked about; nothing but `True` approves.

    Raises:
        ToolFailure: the answer is another one.
    """
    if answer is not True:
        raise ToolFailure(f"this was not approved: {'; '.join(reasons)}", "cancelled")


def approval_settings(
    served: Compiled, provider: str, policy: Policy | Mapping[str, Any] | Validator | None = None
) -> dict[str, Any]:
    """The settings by which a provider that calls a server's tools by itself asks a person first.

    The definitions that a model is told have no place for approval, and the facts stay with the server: these settings
    stand beside them, in the request.

    Args:
        served: the tools as the server lists them.
        provider: whose request it is.
        policy: as for `Session`: with one, only tools that say that they need approval are asked about, and those
            that it refuses, which nobody else would stop; without one, whatever is, or is not known not to be,
            dangerous is.

    Raises:
        UsageError: the provider has no such settings, or an option has another type (code `bad-option`), or there is
            no such format.

    >>> from toolglot.bridge.compilation import compile
    >>> tools = [Tool(id="ls", safety_tier="pure", reversible=True, subprocess=False, billable=False), Tool(id="rm")]
    >>> approval_settings(compile(tools, "mcp"), "openai")
    {'require_approval': {'always': {'tool_names': ['rm']}, 'never': {'tool_names': ['ls']}}}
    """
    require("served", served, Compiled, "what `toolglot.compile` returns")
    validator = policy if isinstance(policy, Validator) else Validator(served, policy)
    target, _ = parse_target(provider)
    if target.provider.approval_settings is None:
        raise UsageError(f"{target.name} has no settings of approval for tools of servers", code="bad-option")
    asks: dict[str, bool] = {}
    for name, offer in served.offers.items():
        if offer.mode != "excluded":
            asks[name] = any(
                approval_reasons(leaf.tool, not validator.has_policy) or validator.refuses(leaf.tool)
                for leaf in offer.behind
            )
    return target.provider.approval_settings(asks)
