"""Which rules are applied, and with which severity: `--select` and other options as a set of codes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase

import msgspec
from msgspec.structs import replace

from toolglot.converter.formats.kit.rule import SEVERITIES
from toolglot.errors import UsageError
from toolglot.verbs.diagnostics.diagnostic import Diagnostic
from toolglot.verbs.diagnostics.rule_names import codes_meant, codes_of
from toolglot.verbs.diagnostics.rules import rules


class RuleSelection(msgspec.Struct, frozen=True):
    """The options of a user about rules. Each text is a code, a family, a glob pattern of codes, or `ALL`.

    Attributes:
        select: only these rules; default: those with errors and warnings.
        extend_select: these rules too.
        ignore: not these rules, whatever selects them.
        require: families that are applied only on request.
        severities: code -> severity in place of the rule's; `none` ignores the rule.
        shows_info: whether findings of severity `info` are shown without being selected.
    """

    select: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    require: tuple[str, ...] = ()
    severities: tuple[tuple[str, str], ...] = ()
    shows_info: bool = False


DEFAULT = RuleSelection()


class RuleSet:
    """The rules of a selection.

    Attributes:
        codes: the codes of the rules.

    Raises:
        UsageError: the selection names a rule that does not exist.

    >>> "hidden-character" in RuleSet(DEFAULT).codes, "padding" in RuleSet(DEFAULT).codes
    (True, False)
    >>> sorted(RuleSet(RuleSelection(select=("enum-*",), ignore=("enum-empty",))).codes)
    ['enum-duplicate', 'enum-in-prose', 'enum-refused']
    """

    def __init__(self, selection: RuleSelection) -> None:
        selectors = (*selection.select, *selection.extend_select)
        explicit_codes = {*codes_of(selectors), *_codes_on_request(selection)}
        self.codes = set(explicit_codes)
        for code, rule in rules().items() if not selection.select else ():
            if not rule.is_on_request and (selection.shows_info or rule.severity != "info"):
                self.codes.add(code)
        self.codes -= set(codes_of(selection.ignore))
        self._shows_info = selection.shows_info
        self._explicit_codes = explicit_codes
        self._ignore = selection.ignore
        self._severities: dict[str, str] = {}
        for code in self.codes:
            self._severities.update(dict.fromkeys(rules()[code].raises, "error"))
        for selector, severity in selection.severities:
            if severity not in (*SEVERITIES, "none"):
                message = f"the severity of {selector!r} is error, warning, info or none, not {severity!r}"
                raise UsageError(message, code="bad-option")
            self._severities.update(dict.fromkeys(codes_of([selector]), severity))

    def severity_of(self, code: str, usual_severity: str) -> str | None:
        """The severity of a finding with its own usual severity; `None` where it is left out."""
        if code not in self.codes and (code in rules() or any(fnmatchcase(code, word) for word in self._ignore)):
            return None
        severity = self._severities.get(code, usual_severity)
        is_unasked = severity == "info" and not self._shows_info and code not in self._explicit_codes
        if is_unasked or severity == "none":
            return None
        return severity

    def select(self, diagnostics: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
        """The selected ones of findings from outside of the rule engine, with their severities."""
        for diagnostic in diagnostics:
            severity = self.severity_of(diagnostic.code, diagnostic.severity)
            if severity == diagnostic.severity:
                yield diagnostic
            elif severity is not None:
                yield replace(diagnostic, severity=severity)


def _codes_on_request(selection: RuleSelection) -> Iterator[str]:
    families = sorted({rule.family for rule in rules().values() if rule.is_on_request})
    for name in selection.require:
        if name not in families:
            message = f"--require takes no {name!r}"
            raise UsageError(message, code="unknown-requirement", hint=f"it takes {', '.join(families)}")
        yield from codes_meant(name)
