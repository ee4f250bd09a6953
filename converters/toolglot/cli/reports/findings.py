"""Findings of `check` as text, as JSON, and as GitHub, GitLab and JUnit have them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from html import escape  # not that of `xml.sax`, which imports all of HTTP
from itertools import islice

from toolglot.cli.reports.sarif import diagnostics_to_sarif, path_from_root
from toolglot.cli.terminal import print_result
from toolglot.converter.text.pointers import without_nulls
from toolglot.converter.text.sequences import group_by
from toolglot.converter.text.serialization import dump_json
from toolglot.converter.text.wording import count_noun
from toolglot.errors import escape_unseen
from toolglot.verbs.diagnostics.diagnostic import Diagnostic
from toolglot.verbs.diagnostics.rules import rules


def summary_of_findings(
    document_count: int, diagnostics: Iterable[Diagnostic], fixed_count: int, confirmed_count: int, fixable_count: int
) -> str:
    """The last line of a run: how many documents it looked at, what is left to say of them, and what was put right.

    >>> summary_of_findings(1, [], 2, 0, 0)
    '1 document checked: nothing to complain about; 2 put right'
    """
    numbers, sources = Counter[str](), set[str | None]()
    for diagnostic in diagnostics:
        numbers[diagnostic.severity] += 1
        sources.add(diagnostic.source)
    nouns = {"error": "error", "warning": "warning", "info": "note"}
    counts = [count_noun(numbers[severity], noun) for severity, noun in nouns.items() if numbers[severity]]
    text = f"{count_noun(document_count, 'document')} checked: {', '.join(counts) or 'nothing to complain about'}"
    if counts and document_count > 1:
        text += f" in {count_noun(len(sources), 'file')}"
    if fixed_count:
        text += f"; {fixed_count} put right"
    if confirmed_count:
        text += f"; {confirmed_count} confirmed"
    if fixable_count:
        text += f"; --fix puts {fixable_count} of them right"
    return text


def diagnostics_to_github(diagnostics: Sequence[Diagnostic]) -> str:
    """Workflow commands, which GitHub shows beside the lines of a change.

    The escapes are those of actions/toolkit, `packages/core/src/command.ts`.
    """
    return "".join(_workflow_command(diagnostic) for diagnostic in diagnostics)


_GITHUB_COMMANDS = {"info": "notice"}  # severity -> its command, where that has another name


def _workflow_command(diagnostic: Diagnostic) -> str:
    fields: dict[str, str | int | None] = {
        "file": None if diagnostic.source is None else path_from_root(diagnostic.source),
        "line": diagnostic.line,
        "col": diagnostic.column,
        "title": diagnostic.code,
    }
    texts = {key: _escape(str(value)) for key, value in without_nulls(fields).items()}
    properties = [f"{key}={text.replace(':', '%3A').replace(',', '%2C')}" for key, text in texts.items()]
    command = _GITHUB_COMMANDS.get(diagnostic.severity, diagnostic.severity)
    return f"::{command} {','.join(properties)}::{_escape(diagnostic.sentence)}\n"


def _escape(text: str) -> str:
    return escape_unseen(text).replace("%", "%25")


def diagnostics_to_junit(diagnostics: Sequence[Diagnostic], fails: Callable[[Diagnostic], bool]) -> str:
    """JUnit's XML: a suite for each source, a case for each finding.

    The cases that failed are those that make the answer no, as in the reports of Spectral; what only warns stands in
    the output of one that passed. A report without cases would be none for Jenkins.
    """
    suites: list[str] = []
    for source, findings in group_by(diagnostics, lambda diagnostic: diagnostic.source or "").items():
        cases = "".join(_case(source, diagnostic, fails(diagnostic)) for diagnostic in findings)
        name, count = _to_attribute(path_from_root(source)), sum(map(fails, findings))
        suites.append(f'  <testsuite name={name} tests="{len(findings)}" failures="{count}">\n{cases}  </testsuite>\n')
    if not suites:
        suites = [
            '  <testsuite name="toolglot" tests="1" failures="0">\n    <testcase name="no findings"/>\n  </testsuite>\n'
        ]
    failures = sum(map(fails, diagnostics))
    head = f'<testsuites name="toolglot" tests="{max(len(diagnostics), 1)}" failures="{failures}">'
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{head}\n{"".join(suites)}</testsuites>\n'


def _case(source: str, diagnostic: Diagnostic, is_failure: bool) -> str:
    place = ""
    if diagnostic.line is not None:
        place = f' line="{diagnostic.line}"'
    if is_failure:
        result = f'<failure type="{diagnostic.severity}" message={_to_attribute(diagnostic.sentence)}/>'
    else:
        sentence = escape_unseen(f"{diagnostic.severity}: {diagnostic.sentence}")
        result = f"<system-out>{escape(sentence, quote=False)}</system-out>"
    file = _to_attribute(path_from_root(source))
    head = f"    <testcase name={_to_attribute(diagnostic.code)} classname={file} file={file}{place}>"
    return f"{head}\n      {result}\n    </testcase>\n"


def _to_attribute(text: str) -> str:
    return f'"{escape(escape_unseen(text))}"'


_GITLAB_SEVERITIES = {"error": "major", "warning": "minor", "info": "info"}


def diagnostics_to_gitlab(diagnostics: Sequence[Diagnostic]) -> str:
    """A report of GitLab's code quality; two findings of one fingerprint are told apart by their number."""
    counts: Counter[str] = Counter()
    entries = []
    for diagnostic in diagnostics:
        fingerprint = diagnostic.fingerprint
        counts[fingerprint] += 1
        number = counts[fingerprint]
        if number > 1:
            fingerprint += f"-{number}"
        entries.append(
            {
                "description": escape_unseen(diagnostic.sentence),
                "check_name": diagnostic.code,
                "fingerprint": fingerprint,
                "severity": _GITLAB_SEVERITIES.get(diagnostic.severity, "major"),
                "location": {
                    "path": path_from_root(diagnostic.source or ""),
                    "lines": {"begin": diagnostic.line or 1},
                },
            }
        )
    return dump_json(entries)


def statistics_to_text(diagnostics: Iterable[Diagnostic]) -> str:
    """How many findings each rule has, the commonest first; `*` marks what `--fix` puts right."""
    counts = Counter(diagnostic.code for diagnostic in diagnostics)
    width = max((len(str(count)) for count in counts.values()), default=1)
    lines = []
    for code, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        rule = rules().get(code)
        mark = "*" if rule is not None and rule.fixable else " "
        lines.append(f"{count:{width}} {mark} {code}\n")
    return "".join(lines)


_Fails = Callable[[Diagnostic], bool]

_RENDERERS: dict[str, Callable[[Sequence[Diagnostic], _Fails], str]] = {
    "text": lambda found, fails: "".join(f"{diagnostic}\n" for diagnostic in found),
    "json": lambda found, fails: dump_json([diagnostic.to_json() for diagnostic in found]),  # what is unknown is absent
    "github": lambda found, fails: diagnostics_to_github(found),
    "gitlab": lambda found, fails: diagnostics_to_gitlab(found),
    "junit": diagnostics_to_junit,
    "sarif": lambda found, fails: diagnostics_to_sarif(found, [diagnostic.fingerprint for diagnostic in found]),
}
_LINE_BY_LINE = frozenset({"text", "github"})  # forms that have a line for each finding, and nothing around them
_PRINTED = 1_000  # findings that are made text of at a time


def print_findings(all_findings: Iterable[Diagnostic], style: str, fails: _Fails) -> None:
    """Print findings.

    Args:
        style: one of the forms above.
        fails: whether a finding makes the answer no.
    """
    render = _RENDERERS[style]
    if style in _LINE_BY_LINE:
        waiting = iter(all_findings)
        while some := list(islice(waiting, _PRINTED)):
            print_result(render(some, fails))
    else:
        print_result(render(list(all_findings), fails))
