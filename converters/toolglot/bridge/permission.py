"""Whether a call may go on: what speaks against it, and what a person has to be asked about first."""

from __future__ import annotations

from toolglot.bridge.facts import levels_with_cost
from toolglot.bridge.violations import Validation
from toolglot.errors import ToolFailure
from toolglot.hub.model import Tool
from toolglot.safety import SAFE, UNSAFE

# What a person is asked about where no policy decides: dangers, and whatever may be one.
_ASKED = {
    "destructive": "destroys data for good",
    "irreversible": "cannot be undone",
    "deletes": "deletes something",
    "deletes_files": "deletes files",
    "executes": "runs other programs",
    "billable": "may incur costs",
}
_SOMETIMES = 2  # the level of an approval that is asked for now and then


def approval_reasons(tool: Tool, asks_about_effects: bool) -> tuple[str, ...]:
    """Why a person has to be asked before a tool is called.

    Args:
        asks_about_effects: whether no policy decides about effects.
    """
    levels = levels_with_cost(tool)
    questions = _ASKED if asks_about_effects else {}
    reasons = [f"it {words}" for facet, words in questions.items() if levels[facet] == UNSAFE]
    unknown = [words for facet, words in questions.items() if levels[facet] not in (SAFE, UNSAFE)]
    reasons += [f"it is not stated whether it {' or '.join(unknown)}"] if unknown else []
    reasons += ["it says that it needs approval"] if levels["approval"] >= _SOMETIMES else []
    return tuple(reasons)


def refuse_violations(verdict: Validation) -> None:
    """Stop a call that something speaks against.

    Raises:
        ToolFailure: it does; the code is AIP-14's.
    """
    if verdict.valid:
        return
    codes = {violation.code for violation in verdict.violations}
    places = (f"{one.message}{f' at {one.pointer}' if one.pointer else ''}" for one in verdict.violations)
    raise ToolFailure("; ".join(places), "input_invalid" if codes == {"ARGUMENTS_INVALID"} else "policy_violation")
