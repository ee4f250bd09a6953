"""How much caution a call asks for: the levels of its tool, with what a host judges a single call by."""

from __future__ import annotations

from toolglot.hub.model import Tool
from toolglot.safety.caution_of_tools import caution
from toolglot.safety.danger_in_fields import SAFE, UNKNOWN, UNSAFE, Levels
from toolglot.safety.danger_in_texts_and_tags import NOTES

COSTS = {"free": 0, "low": 1, "medium": 3, "high": 4}  # as levels of the facet; 2 is unknown
UNKNOWN_COST = 2
_COST_FIELDS = ("cost_estimate", "cost_hint", "cost_class")
_READS = {True: UNSAFE, False: SAFE, None: UNKNOWN}


def levels_with_cost(tool: Tool) -> Levels:
    """The levels of all facets, with `reads_files` beside them, and the cost as it is stated.

    What a tool says it deletes counts as a deletion, wherever the data is; and as destruction, unless that is denied.
    `caution` takes whatever is billable to cost something; a limit on estimates would then refuse the estimate
    `low` of a billable tool, which says more than the word `billable` does.

    >>> levels_with_cost(Tool(id="a", billable=True, cost_estimate="low"))["cost"]
    1
    """
    notes = (NOTES[name].levels.get("cost", 0) for name in tool.flags or () if name in NOTES)
    cost = max(caution(tool, _COST_FIELDS)["cost"], *notes, 0)
    levels = {**caution(tool), "cost": cost, "reads_files": _READS[tool.reads_files]}
    if tool.deletes:
        levels["deletes_files"] = UNSAFE
        if levels["destructive"] == UNKNOWN:
            levels["destructive"] = UNSAFE
    return levels
