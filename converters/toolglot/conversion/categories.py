"""The categories of a report's entries, with the words and marks that people see, and the gates that a run fails on.

Every form of a report takes both from here, and `--fail-on` of every command means the same.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from enum import StrEnum

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

OF_ACTIONS: Mapping[str, Category] = {
    "dropped": Category.LOST,
    "widened": Category.WIDER,
    "narrowed": Category.LOST,
    "assumed": Category.FILLED_IN,
    "unstated": Category.UNSTATED,
    "moved": Category.SPELLING,
    "renamed": Category.SPELLING,
    "described": Category.SPELLING,
    "encoded": Category.SPELLING,
    "excluded": Category.LOST,
    "gone": Category.GONE,
    "new": Category.NEW,
    "changed": Category.CHANGED,
}
"""Action of a change -> its category, where its code, its field and what the target says of it tell nothing better."""

OF_CODES: Mapping[str, Category] = {
    "vouched-": Category.VOUCHED,
    "refused-": Category.REFUSED,
    "not-found": Category.NOT_FOUND,
}
"""How the code of a change begins -> its category, whatever the action is."""


LOSING_ACTIONS = frozenset(action for action, category in OF_ACTIONS.items() if category in LOSSES)


class Gate(StrEnum):
    """What a run can be told to fail on (`--fail-on`). The last two are of `diff` and `pull` alone."""

    DANGER = "danger"
    GUESSED = "guessed"
    LOST = "lost"
    ANY = "any"
    BREAKING = "breaking"
    WORDS = "words"


# Every gate holds the dangers: who asks about a loss would not let pass what is worse.
OF_GATES: Mapping[Gate, Collection[Category]] = {
    Gate.DANGER: DANGERS,
    Gate.GUESSED: (*DANGERS, Category.UNSTATED),
    Gate.LOST: (*DANGERS, *LOSSES),
    Gate.ANY: (*DANGERS, Category.SAID, *UNSTATED, *LOSSES),
}
"""Gate of a conversion -> the categories that do not pass."""


FailOn = str | Iterable[str]
"""What `fail_on` takes: gates by their words."""


def is_failing(category: Category, gates: Iterable[Gate]) -> bool:
    """Whether a change of a category does not pass the gates of a conversion."""
    return any(category in OF_GATES[gate] for gate in gates)


def count_failing(counts: Mapping[Category, int], gates: Collection[Gate]) -> int:
    """How many changes do not pass the gates of a conversion.

    Args:
        counts: how many changes there are of each category.

    >>> count_failing({Category.LOST: 2, Category.UNSTATED: 1}, [Gate.GUESSED])
    1
    """
    return sum(number for category, number in counts.items() if is_failing(category, gates))


def gates_of(words: object, allowed: Collection[Gate] = tuple(OF_GATES)) -> tuple[Gate, ...]:
    """The gates that words name: one word, words with commas between them, or several of either.

    Raises:
        UsageError: something is no such word; code `"bad-option"`.

    >>> gates_of("guessed,lost"), gates_of(None), gates_of(["any"])
    ((<Gate.GUESSED: 'guessed'>, <Gate.LOST: 'lost'>), (), (<Gate.ANY: 'any'>,))
    """
    texts = (words,) if isinstance(words, str) else words or ()
    if not isinstance(texts, Collection) or not all(isinstance(text, str) for text in texts):
        raise UsageError(f"fail_on takes {', '.join(allowed)}, not {words!r}", code="bad-option")
    names = list(filter(None, ",".join(texts).split(",")))
    for name in names:
        if name not in allowed:
            raise UsageError(f"fail_on takes {', '.join(allowed)}, not {name!r}", code="bad-option")
    return tuple(map(Gate, names))
