"""The kinds and categories of a report's entries, with the words and marks that people see, and what a run fails on.

Every form of a report takes both from here, and `--fail-on` of every command means the same.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from toolglot.errors import UsageError


class Category(StrEnum):
    """What an entry of a report tells, in the words that people see. The gravest come first.

    >>> Category.LOST.mark, Category.SAID.value
    ('-', 'said in words')
    """

    VOUCHED = "on your word"
    REFUSED = "refused"
    NOT_FOUND = "not found"
    SAID = "said in words"
    UNSTATED = "not stated"  # about safety
    FILLED_IN = "filled in"  # about anything else
    WIDER = "accepts more"
    LOST = "lost"
    SPELLING = "spelled otherwise"
    # of contracts
    GONE = "gone"
    NEW = "new"
    CHANGED = "changed"

    @property
    def mark(self) -> str:
        """The sign that stands for it where there is little room."""
        return _MARKS[self]

    @property
    def rank(self) -> int:
        """Its place in a report."""
        return _RANKS[self]


_MARKS: Mapping[Category, str] = {
    Category.VOUCHED: "!",
    Category.REFUSED: "!",
    Category.NOT_FOUND: "!",
    Category.SAID: ">",
    Category.UNSTATED: "?",
    Category.FILLED_IN: "?",
    Category.WIDER: "~",
    Category.LOST: "-",
    Category.SPELLING: "=",
    Category.GONE: "-",
    Category.NEW: "+",
    Category.CHANGED: "=",
}
_RANKS: Mapping[Category, int] = {category: number for number, category in enumerate(Category)}

DANGERS = (Category.VOUCHED, Category.REFUSED, Category.NOT_FOUND)
LOSSES = (Category.WIDER, Category.LOST)
UNSTATED = (Category.UNSTATED, Category.FILLED_IN)
OF_CONTRACTS = (Category.GONE, Category.NEW, Category.CHANGED)


class KindOfChange(NamedTuple):
    """What people are told of every change of one kind.

    Attributes:
        category: its category, where its code, its field and what the target says of it tell nothing better.
        meaning: what happened.
        because: why, in few words, where nothing better is known.
        severity: how severe it is, where nothing else says.
    """

    category: Category
    meaning: str = ""
    because: str = ""
    severity: str = "info"


ACTIONS: Mapping[str, KindOfChange] = {
    "dropped": KindOfChange(Category.LOST, "the target has no place for it", "no such field", "warning"),
    "widened": KindOfChange(Category.WIDER, "the target accepts more than the source did", "accepts more", "warning"),
    "narrowed": KindOfChange(
        Category.LOST, "the target says less, or accepts less, than the source did", "says or accepts less", "warning"
    ),
    "assumed": KindOfChange(
        Category.FILLED_IN,
        "the source does not say; the target must, or is told the cautious value",
        "nobody says; {} has them",
    ),
    "unstated": KindOfChange(Category.UNSTATED, "nobody states what the tool changes", "nobody states what it changes"),
    "moved": KindOfChange(
        Category.SPELLING, "no field of the target holds it, but the target still says it", "said elsewhere"
    ),
    "renamed": KindOfChange(Category.SPELLING, "the target spells it differently", "spelled differently"),
    "described": KindOfChange(
        Category.SPELLING, "a keyword of the schema became words in its description", "now only words"
    ),
    "encoded": KindOfChange(
        Category.SPELLING,
        "it travels in another form, and decoding a call brings it back",
        "decoding a call brings it back",
    ),
    "excluded": KindOfChange(
        Category.LOST, "the target has no way to say the tool; it is left out", "left out", "error"
    ),
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
}
"""How the code of a change begins -> its category, whatever the action is."""


LOSING_ACTIONS = frozenset(action for action, kind in ACTIONS.items() if kind.category in LOSSES)


@lru_cache(1024)  # without it a record of a stream takes 3 % longer
def category_of(action: str, code: str) -> Category:
    """What a change tells by its code, or else by its action.

    >>> category_of("assumed", "vouched-safety-tier"), category_of("dropped", "dropped-tags")
    (<Category.VOUCHED: 'on your word'>, <Category.LOST: 'lost'>)
    """
    return next((category for start, category in OF_CODES.items() if code.startswith(start)), ACTIONS[action].category)


class FailOn(StrEnum):
    """What a run can be told to fail on (`--fail-on`). The last two are of `diff` and `pull` alone."""

    DANGER = "danger"
    GUESSED = "guessed"
    LOST = "lost"
    ANY = "any"
    BREAKING = "breaking"
    WORDS = "words"


# Every kind holds the dangers: who asks about a loss would not let pass what is worse.
FAILING: Mapping[FailOn, Collection[Category]] = {
    FailOn.DANGER: DANGERS,
    FailOn.GUESSED: (*DANGERS, Category.UNSTATED),
    FailOn.LOST: (*DANGERS, *LOSSES),
    FailOn.ANY: (*DANGERS, Category.SAID, *UNSTATED, *LOSSES),
}
"""What a conversion can be told to fail on -> the categories that it then fails on."""


FailOnWords = str | Iterable[str]
"""What `fail_on` takes: kinds by their words."""


def is_failing(category: Category, kinds: Iterable[FailOn]) -> bool:
    """Whether a conversion that is told to fail on these kinds fails on a category."""
    return any(category in FAILING[kind] for kind in kinds)


def count_failing(counts: Mapping[Category, int], kinds: Collection[FailOn]) -> int:
    """How many changes a conversion fails on that is told to fail on these kinds.

    Args:
        counts: how many changes there are of each category.

    >>> count_failing({Category.LOST: 2, Category.UNSTATED: 1}, [FailOn.GUESSED])
    1
    """
    return sum(number for category, number in counts.items() if is_failing(category, kinds))


def fail_on_of(words: object, allowed: Collection[FailOn] = tuple(FAILING)) -> tuple[FailOn, ...]:
    """The kinds that words name: one word, words with commas between them, or several of either.

    Raises:
        UsageError: something is no such word; code `"bad-option"`.

    >>> fail_on_of("guessed,lost"), fail_on_of(None), fail_on_of(["any"])
    ((<FailOn.GUESSED: 'guessed'>, <FailOn.LOST: 'lost'>), (), (<FailOn.ANY: 'any'>,))
    """
    texts = (words,) if isinstance(words, str) else words or ()
    if not isinstance(texts, Collection) or not all(isinstance(text, str) for text in texts):
        raise UsageError(f"fail_on takes {', '.join(allowed)}, not {words!r}", code="bad-option")
    names = list(filter(None, ",".join(texts).split(",")))
    for name in names:
        if name not in allowed:
            raise UsageError(f"fail_on takes {', '.join(allowed)}, not {name!r}", code="bad-option")
    return tuple(map(FailOn, names))
