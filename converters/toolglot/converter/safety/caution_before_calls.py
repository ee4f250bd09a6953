"""How much caution a call asks for: the levels of its tool, and what else a host judges a call by."""

from __future__ import annotations

from toolglot.converter.hub.fields import EVERY_FIELD, WORD, fields_with
from toolglot.converter.hub.model import Tool
from toolglot.converter.safety.constants import CONSTANTS
from toolglot.converter.safety.danger_in_texts_and_tags import NOTES
from toolglot.converter.safety.danger_of_stated_facts import SAFE, UNKNOWN, UNKNOWN_LEVELS, UNSAFE, Levels, levels_of
from toolglot.converter.safety.stated_caution import caution

COSTS = {"free": 0, "low": 1, "medium": 3, "high": 4}  # as levels of the facet; 2 is unknown
UNKNOWN_COST = 2
_WORDS = fields_with(kind=WORD)  # which say how much a call costs, as `billable` does not
_ALL_BUT_RISK = EVERY_FIELD - {"risk_level"}
_READS = {True: UNSAFE, False: SAFE, None: UNKNOWN}

NEVER_ASKED, NOBODY_STATES, ALWAYS_ASKED = 0, 1, 3  # levels of the facet approval
# What an approval that depends on changes comes to (AIP-14, approval): approval -> level of changes -> level.
_APPROVAL_BY_CHANGE = {
    "auto": {UNSAFE: ALWAYS_ASKED},  # it contradicts itself, and the strict side holds
    "on-mutate": {SAFE: NEVER_ASKED, UNKNOWN: NOBODY_STATES, UNSAFE: ALWAYS_ASKED},
}


def levels_with_cost(tool: Tool) -> Levels:
    """The levels of all facets, with `reads_files` beside them, and the cost as it is stated.

    What a tool says it deletes counts as a deletion, wherever the data is; and as destruction, unless that is denied.
    `caution` takes whatever is billable to cost something; a limit on estimates would then refuse the estimate
    `low` of a billable tool, which says more than the word `billable` does. An approval that depends on changes is
    what it comes to for this tool.

    >>> levels_with_cost(Tool(id="a", billable=True, cost_estimate="low"))["cost"]
    1
    >>> levels_with_cost(Tool(id="a", approval="on-mutate", mutates=()))["approval"] == NEVER_ASKED
    True
    """
    notes = (NOTES[name].levels.get("cost", 0) for name in tool.flags or () if name in NOTES)
    cost = max(caution(tool, _WORDS)["cost"], *notes, 0)
    levels = {**caution(tool), "cost": cost, "reads_files": _READS[tool.reads_files]}
    if tool.deletes:
        levels["deletes_files"] = UNSAFE
        if levels["destructive"] == UNKNOWN:
            levels["destructive"] = UNSAFE
    if tool.approval in _APPROVAL_BY_CHANGE and levels["approval"] < ALWAYS_ASKED:
        # Beside `mutates: []` a risk level alone is no change.
        changes = caution(tool, _ALL_BUT_RISK)["changes"] if tool.mutates == () else levels["changes"]
        levels["approval"] = _APPROVAL_BY_CHANGE[tool.approval].get(changes, levels["approval"])
    return levels


def with_constants(tool: Tool, levels: Levels) -> Levels:
    """The levels of a call, with the cautious constant for every fact that nobody states.

    >>> unknown, free = Tool(id="a"), Tool(id="a", billable=False)
    >>> [with_constants(tool, levels_with_cost(tool))["cost"] for tool in (unknown, free)]
    [3, 0]
    >>> with_constants(unknown, levels_with_cost(unknown))["changes"] == UNSAFE
    True
    """
    supposed: Levels = {}
    for field, constant in CONSTANTS.items():
        supposed |= levels_of(field, constant(tool))
    if levels["billable"] == SAFE:
        supposed["cost"] = COSTS["free"]
    return levels | {facet: level for facet, level in supposed.items() if levels[facet] == UNKNOWN_LEVELS[facet]}
