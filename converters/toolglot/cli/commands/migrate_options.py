"""What `migrate` was asked for, apart from its sources."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import click

from toolglot import formats
from toolglot.cli.discovery.ignore_rules import IgnoreRules
from toolglot.cli.option_types import DriverKind
from toolglot.text.wording import quote_text


class KindPatterns(NamedTuple):
    """The kinds of files by patterns, as in a `.gitignore`; the last that matches counts.

    Attributes:
        base: the folder that the patterns are relative to, without links.
        table: each pattern with its kind.
    """

    base: str = ""
    table: tuple[tuple[str, str], ...] = ()

    def kind_of(self, real: str) -> str | None:
        """The kind of a file, by its absolute path without links; a pattern for a folder is for all that is in it."""
        if not self.table or not real:
            return None
        rules = IgnoreRules([pattern for pattern, _ in self.table])
        path = os.path.relpath(real, self.base).replace(os.sep, "/")
        last_line = max((rule.line for rule in rules.match_path(path)), default=None)
        return None if last_line is None else self.table[last_line - 1][1]


class MigrateCommandOptions(NamedTuple):
    """What `migrate` was asked for, apart from its sources.

    Attributes:
        to: `FORMAT[@VERSION]`; `None` is the newest version of every format.
        kind, fill: as in `migrate`.
        kinds: the kinds of some of the files, which count more.
        is_check: whether a change is an answer, and nothing is written.
        is_diff: whether changes are printed, and nothing is written.
        marks_new: whether git is told that new files belong to the repository.
        report: the file of the report, if one is wanted.
        jobs: how many processes.
    """

    to: str | None
    kind: str | None
    kinds: KindPatterns
    fill: Mapping[str, str]
    is_check: bool
    is_diff: bool
    marks_new: bool
    report: str | None
    jobs: int | None

    @property
    def writes(self) -> bool:
        """Whether files are changed."""
        return not (self.is_check or self.is_diff)


def refuse_unknown(kinds: Sequence[tuple[str, str]], fill: Iterable[tuple[str, str]]) -> None:
    """Refuse what nothing could be meant by.

    Raises:
        BadParameter: a kind or a key is not known, or a pattern names no file.
    """
    for pattern, _ in kinds:
        rules = IgnoreRules([pattern]).rules
        if not rules or rules[0].is_negated:  # a `!` takes nothing back here, but would read as if it did
            message = (
                f"{quote_text(pattern)} is no pattern of a .gitignore that names files; the last that matches counts"
            )
            raise click.BadParameter(message, param_hint="'--kinds'")
    words = DriverKind().words()
    keys: set[str] = set()
    for name in formats.names():
        keys.update(formats.get(name).migration.fills)
    for _, kind in kinds:
        _refuse_other("--kinds", kind, words)
    for key, _ in fill:
        _refuse_other("--fill", key, sorted(keys))


def _refuse_other(option: str, value: str, choices: Sequence[str]) -> None:
    if value not in choices:
        raise click.BadParameter(f"{value!r} is not one of {', '.join(choices)}", param_hint=f"'{option}'")
