"""What `check` was asked for, apart from its sources."""

from __future__ import annotations

import os
from collections.abc import Iterable

import msgspec

from toolglot.cli.discovery.ignore_rules import IgnoreRules
from toolglot.diagnostics.diagnostic import Diagnostic
from toolglot.diagnostics.rule_selection import DEFAULT, RuleSelection, codes_of
from toolglot.formats.kit.rule import SEVERITIES

NEVER = "never"


class PerFileIgnores(msgspec.Struct, frozen=True):
    """Rules that do not hold for some files, or for a part of them.

    Attributes:
        base: the folder that the patterns are relative to, without links.
        table: each pattern, as in a `.gitignore` and perhaps with `#` and a JSON Pointer, with its codes.
    """

    base: str = ""
    table: tuple[tuple[str, frozenset[str]], ...] = ()

    def select_remaining(self, real: str, diagnostics: list[Diagnostic]) -> list[Diagnostic]:
        """The findings of a file, by its absolute path without links, that are said all the same."""
        if not self.table or not real:
            return diagnostics
        for pattern, codes in self.table:
            if self._matches(pattern, real):
                pointer = pattern.partition("#")[2]
                diagnostics = [diagnostic for diagnostic in diagnostics if not _holds(pointer, codes, diagnostic)]
        return diagnostics

    def _matches(self, pattern: str, real: str) -> bool:
        rules = IgnoreRules([pattern.partition("#")[0] or "*"])
        path = os.path.relpath(real, self.base).replace(os.sep, "/")
        return any(rules.match_path(path))


def _holds(pointer: str, codes: frozenset[str], diagnostic: Diagnostic) -> bool:
    return diagnostic.code in codes and f"{diagnostic.pointer}/".startswith(f"{pointer}/")


def per_file_ignores(base: str, pairs: Iterable[tuple[str, str]]) -> PerFileIgnores:
    """The rules that do not hold for some files.

    Raises:
        UsageError: one names a rule that does not exist.
    """
    table = []
    for pattern, text in pairs:
        codes = codes_of(code.strip() for code in text.split(","))
        table.append((pattern, frozenset(codes)))
    return PerFileIgnores(os.path.realpath(base or os.curdir), tuple(table))


class CheckOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What `check` was asked for, apart from its sources.

    Attributes:
        strict: whether warnings are errors.
        style: how findings are printed.
        fail_on: from which severity on the answer is no.
        fixes: whether what is certain is put right, and `shows_diff` whether that is only printed.
        statistics: whether rules are counted instead of findings told.
        baseline: the file of known findings, and `updates_baseline` whether it is written anew.
        base_url: where the documentation is, for readers that link to it.
    """

    selection: RuleSelection = DEFAULT
    ignores: PerFileIgnores = PerFileIgnores()
    strict: bool = False
    style: str = "text"
    fail_on: str = "error"
    fixes: bool = False
    shows_diff: bool = False
    statistics: bool = False
    baseline: str | None = None
    updates_baseline: bool = False
    base_url: str | None = None
    jobs: int | None = None

    def fails(self, diagnostic: Diagnostic) -> bool:
        """Whether a finding makes the answer no."""
        if self.fail_on == NEVER:
            return False
        ranks: dict[str, int] = {severity: rank for rank, severity in enumerate(SEVERITIES)}
        return ranks.get(diagnostic.severity, len(ranks)) >= ranks[self.fail_on]
