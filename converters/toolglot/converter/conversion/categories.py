"""The kinds and categories of a report's entries, with the words and marks that people see.

Every form of a report takes both from here.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple, Self


class Category(StrEnum):
    """The categories of a report, by the words that people see, gravest first.

    Attributes:
        mark: the sign of the category, where there is little room.
        rank: its place in a report.

    >>> Category.LOST.mark, Category.SAID.value
    ('-', 'said in words')
    """

    mark: str
    rank: int

    def __new__(cls, words: str, mark: str) -> Self:
        category = str.__new__(cls, words)
        category._value_ = words
        category.mark, category.rank = mark, len(cls.__members__)
        return category

    VOUCHED = "on your word", "!"
    REFUSED = "refused", "!"
    NOT_FOUND = "not found", "!"
    SAID = "said in words", ">"
    UNSTATED = "not stated", "?"  # about safety
    FILLED_IN = "filled in", "?"  # about anything else
    WIDER = "accepts more", "~"
    LOST = "lost", "-"
    SPELLING = "spelled otherwise", "="
    # of contracts
    GONE = "gone", "-"
    NEW = "new", "+"
    CHANGED = "changed", "="


DANGERS = (Category.VOUCHED, Category.REFUSED, Category.NOT_FOUND)
LOSSES = (Category.WIDER, Category.LOST)
UNSTATED = (Category.UNSTATED, Category.FILLED_IN)
OF_CONTRACTS = (Category.GONE, Category.NEW, Category.CHANGED)


class KindOfChange(NamedTuple):
    """What all changes of one kind have in common.

    Attributes:
        category: the category, unless the code, the field or the result tells a better one.
        meaning: what happened, in words for people.
        severity: the severity, unless something else decides it.
    """

    category: Category
    meaning: str = ""
    severity: str = "info"


ACTIONS: Mapping[str, KindOfChange] = {
    "dropped": KindOfChange(Category.LOST, "the target has no place for it", "warning"),
    "widened": KindOfChange(Category.WIDER, "the target accepts more than the source did", "warning"),
    "narrowed": KindOfChange(Category.LOST, "the target says less, or accepts less, than the source did", "warning"),
    "assumed": KindOfChange(
        Category.FILLED_IN, "the source does not say; the target must, or is told the cautious value"
    ),
    "unstated": KindOfChange(Category.UNSTATED, "nobody states what the tool changes"),
    "moved": KindOfChange(Category.SPELLING, "no field of the target holds it, but the target still says it"),
    "renamed": KindOfChange(Category.SPELLING, "the target spells it differently"),
    "described": KindOfChange(Category.SPELLING, "a keyword of the schema became words in its description"),
    "encoded": KindOfChange(Category.SPELLING, "it travels in another form, and decoding a call brings it back"),
    "excluded": KindOfChange(Category.LOST, "the target has no way to say the tool; it is left out", "error"),
    # of contracts
    "gone": KindOfChange(Category.GONE),
    "new": KindOfChange(Category.NEW),
    "changed": KindOfChange(Category.CHANGED),
}
"""What happened to a value -> what people are told of it."""

OF_CODES: Mapping[str, Category] = {
    "vouched-": Category.VOUCHED,
    "refused-": Category.REFUSED,
    "not-found": Category.NOT_FOUND,
    "unstated-": Category.UNSTATED,
    "over-budget": Category.LOST,  # the provider refuses the request, or the host has to cut it
}
"""How the code of a change begins -> its category, whatever the action is."""


LOSING_ACTIONS = frozenset(action for action, kind in ACTIONS.items() if kind.category in LOSSES)


@lru_cache(1024)  # without it a record of a stream takes 3 % longer
def category_of(action: str, code: str) -> Category:
    """The category of a change, by its code, or else by its action.

    >>> category_of("assumed", "vouched-safety-tier"), category_of("dropped", "dropped-tags")
    (<Category.VOUCHED: 'on your word'>, <Category.LOST: 'lost'>)
    """
    return next((category for start, category in OF_CODES.items() if code.startswith(start)), ACTIONS[action].category)
