"""Which categories of changes a run fails on. `--fail-on` of every command means the same."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from enum import StrEnum

from toolglot.converter.conversion.categories import DANGERS, LOSSES, UNSTATED, Category
from toolglot.errors import UsageError
from toolglot.option_checks import split_commas


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
    """Whether a change of this category fails a run that fails on these kinds."""
    return any(category in FAILING[kind] for kind in kinds)


def count_failing(counts: Mapping[Category, int], kinds: Collection[FailOn]) -> int:
    """How many changes fail a run that fails on these kinds.

    Args:
        counts: category -> number of changes.

    >>> count_failing({Category.LOST: 2, Category.UNSTATED: 1}, [FailOn.GUESSED])
    1
    """
    return sum(number for category, number in counts.items() if is_failing(category, kinds))


def fail_on_of(words: object, allowed: Collection[FailOn] = tuple(FAILING)) -> tuple[FailOn, ...]:
    """The kinds that words name: one word, several with commas between them, or a list of these.

    Raises:
        UsageError: a word names no kind; code `"bad-option"`.

    >>> fail_on_of("guessed,lost"), fail_on_of(None), fail_on_of(["any"])
    ((<FailOn.GUESSED: 'guessed'>, <FailOn.LOST: 'lost'>), (), (<FailOn.ANY: 'any'>,))
    """
    texts = (words,) if isinstance(words, str) else words or ()
    if not isinstance(texts, Collection) or not all(isinstance(text, str) for text in texts):
        raise UsageError(f"fail_on takes {', '.join(allowed)}, not {words!r}", code="bad-option")
    names = split_commas(*texts)
    for name in names:
        if name not in allowed:
            raise UsageError(f"fail_on takes {', '.join(allowed)}, not {name!r}", code="bad-option")
    return tuple(map(FailOn, names))
