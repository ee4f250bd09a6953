"""Values for some files by patterns as in a `.gitignore`: kinds for `migrate`, rules that `check` leaves out."""

from __future__ import annotations

from functools import lru_cache
from typing import Generic, TypeVar

import msgspec

from toolglot.converter.file_search.ignore_rules import MAX_GLOBS, IgnoreRules
from toolglot.converter.files.names import path_from
from toolglot.converter.text.wording import quote_text
from toolglot.errors import UsageError

T = TypeVar("T")


class FilePatterns(msgspec.Struct, Generic[T], frozen=True):
    """Values by patterns.

    Attributes:
        base: the folder that the patterns are relative to, without links.
        table: each pattern with its value.
    """

    base: str = ""
    table: tuple[tuple[str, T], ...] = ()

    def values_of(self, real: str) -> list[T]:
        """The values for a file, by its absolute path without links; one of a folder is for all that is in it."""
        if not self.table or not real:
            return []
        path = path_from(self.base, real)
        rows = zip(self.table, self.rules(), strict=True)
        return [value for (_, value), rules in rows if any(rules.match_path(path))]

    def rules(self) -> tuple[IgnoreRules, ...]:
        """What each pattern says of paths.

        Raises:
            UsageError: one is broken, or they are too many; code `"bad-option"`.
        """
        return _rules_of_patterns(tuple(pattern for pattern, _ in self.table))


@lru_cache(1)  # those of a run: for each file anew, a thousand of them take a tenth of a second
def _rules_of_patterns(patterns: tuple[str, ...]) -> tuple[IgnoreRules, ...]:
    rules_of_patterns: list[IgnoreRules] = []
    globs = MAX_GLOBS
    for pattern in patterns:
        rules = IgnoreRules([pattern], globs=globs)
        if not rules.rules or rules.rules[0].is_negated:  # a `!` takes nothing back here, but would read as if it did
            message = f"{quote_text(pattern)} is no pattern of a .gitignore that names files, or there are too many"
            raise UsageError(message, "bad-option")
        globs -= rules.globs
        rules_of_patterns.append(rules)
    return tuple(rules_of_patterns)
