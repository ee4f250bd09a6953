"""`check`: its options, the findings of every file, and findings about tools of several files."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable
from functools import partial
from itertools import chain
from typing import Any

import msgspec
from msgspec.structs import replace

from toolglot.cli.commands.check_baseline import compare_with_baseline, write_baseline
from toolglot.cli.exit_codes import Exit
from toolglot.cli.file_batch import REFUSED, Outcome, Run, refuse
from toolglot.cli.late_modules import line_sources
from toolglot.cli.opened_sources import (
    SourceFile,
    find_sources,
    parse_file,
    read_lines,
    why_other_file,
    with_stdin,
)
from toolglot.cli.options import SourceRequest, name_setting_in_errors, patterns_of
from toolglot.cli.reports.findings import print_findings, statistics_to_text, summary_of_findings
from toolglot.cli.reports.unified_diffs import print_diff, unified_diff
from toolglot.cli.terminal import print_message, print_result
from toolglot.converter.conversion import recognition
from toolglot.converter.file_search import STDIN
from toolglot.converter.file_search.file_patterns import FilePatterns
from toolglot.converter.file_search.repositories import refuse_link_out_of_repository
from toolglot.converter.files.commit import FileChange, change_files
from toolglot.converter.files.spill import Spill
from toolglot.converter.files.temporaries import remove_leftovers_beside
from toolglot.converter.formats.detection import are_documents
from toolglot.converter.formats.kit.rule import SEVERITIES
from toolglot.converter.text import document_reader
from toolglot.converter.text.compression import PACKED
from toolglot.converter.text.wording import count_noun
from toolglot.errors import Error, LimitError, ParseError, ReadError
from toolglot.option_checks import refuse as refuse_options
from toolglot.option_checks import split_commas
from toolglot.verbs.diagnostics.cross_source_checks import (
    Identity,
    SourceNames,
    contradictions,
    foreign_mentions,
    join_names,
)
from toolglot.verbs.diagnostics.diagnostic import Diagnostic, from_error
from toolglot.verbs.diagnostics.document_checks import CheckedDocument, check_document
from toolglot.verbs.diagnostics.fixes import is_fixable
from toolglot.verbs.diagnostics.line_checks import check_lines
from toolglot.verbs.diagnostics.manifest_checks import is_manifest
from toolglot.verbs.diagnostics.rule_engine import engine_for
from toolglot.verbs.diagnostics.rule_names import codes_of
from toolglot.verbs.diagnostics.rule_selection import RuleSelection, RuleSet
from toolglot.verbs.diagnostics.rules import rules
from toolglot.verbs.diagnostics.rules.syntax import FAMILY as UNREADABLE

CHECKED = "checked"


class CheckOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options of `check`, apart from its sources.

    Attributes:
        style: the form of the findings.
        fail_on: the lowest severity that makes the exit code 1.
        fixes: whether findings without doubt are fixed.
        shows_diff: whether these fixes are only printed.
        confirms: whether values that a conversion made up become the author's.
        statistics: whether findings are counted by rule, and not listed.
        baseline: the file of known findings.
        updates_baseline: whether that file is written anew.
    """

    selection: RuleSelection
    ignores: FilePatterns[tuple[str, frozenset[str]]]
    style: str
    fail_on: str
    fixes: bool
    confirms: bool
    shows_diff: bool
    statistics: bool
    baseline: str | None
    updates_baseline: bool
    jobs: int | None

    def fails(self, diagnostic: Diagnostic) -> bool:
        """Whether a finding makes the exit code 1."""
        if self.fail_on == "never":
            return False
        ranks: dict[str, int] = {severity: rank for rank, severity in enumerate(SEVERITIES)}
        return ranks.get(diagnostic.severity, len(ranks)) >= ranks[self.fail_on]


_SELECTORS = ("select", "extend_select", "ignore", "require", "severities")


def take_options(request: SourceRequest, **values: Any) -> CheckOptions:
    """The options from the command line and the settings file.

    Raises:
        UsageError: options do not go together, or a rule does not exist.
    """
    chosen_rules = {}
    for name in _SELECTORS:
        chosen_rules[name] = values.pop(name)
        with name_setting_in_errors(name):  # refuses what does not exist before anything is read
            RuleSet(RuleSelection(**{name: chosen_rules[name]}))
    selection = RuleSelection(**chosen_rules, shows_info=request.verbose or values["fail_on"] == "info")
    ignores = patterns_of("per_file_ignores", map(_codes_by_pattern, values.pop("per_file_ignores")))
    options = CheckOptions(selection=selection, ignores=ignores, **values)
    name = "--confirm-assumed" if options.confirms else "--fix"
    refuse_options(
        (
            STDIN in request.paths and (options.fixes or options.confirms or options.shows_diff),
            f"{name} changes files; stdin is none",
        ),
    )
    if options.updates_baseline and options.baseline is not None:
        refuse_link_out_of_repository(options.baseline)
    return options


class CheckedFile(msgspec.Struct, frozen=True):
    """The findings of one file.

    Attributes:
        is_editable: whether `--fix` can change the file.
        replacement: the fixed text; `None` where nothing is fixed.
        fixed_document: the findings in the fixed text; `None` where it is only shown.
        notes: the comments that the fixed text has no place for.
    """

    checked_document: CheckedDocument
    is_editable: bool = False
    replacement: FileChange | None = None
    fixed_document: CheckedDocument | None = None
    notes: tuple[Diagnostic, ...] = ()


class _CheckedFiles:
    """The findings of all files.

    Attributes:
        fixed_count: the number of findings that this run fixed.
        confirmed_count: the number of files in which made-up values became the author's.
    """

    def __init__(self, run: Run, options: CheckOptions) -> None:
        self._run = run
        self._options = options
        self.findings = Spill[Diagnostic](lambda finding: ())
        self.fixed_count = self.confirmed_count = 0
        self._identities = Spill[Identity](lambda identity: ((identity.name,),))
        self._names: dict[str, list[SourceNames]] = defaultdict(list)
        self._editable_sources: set[str | None] = set()

    def add(self, outcome: Outcome[CheckedFile]) -> None:
        """Add the findings of a file, or of a part of it, and fix them if that is requested."""
        if outcome.problem is not None:
            self.findings.extend([outcome.problem])
            outcome = replace(outcome, problem=None)
        if outcome.result is not None:
            checked_document = outcome.result.checked_document
            if outcome.result.is_editable:
                self._editable_sources.update(finding.source for finding in checked_document.diagnostics)
            try:
                checked_document = self._put_right(outcome.result)
            except Error as error:
                outcome = replace(refuse(error, outcome.source), state=CHECKED)
            self.findings.extend(checked_document.diagnostics)
            self._identities.extend(checked_document.identities)
            self._names[outcome.source] += checked_document.names
        self._run.add(outcome)

    def _put_right(self, file: CheckedFile) -> CheckedDocument:
        """Write or show the fixed text of a file, and give the findings that are left.

        Raises:
            WriteError: the file cannot be replaced.
        """
        before, after, change = file.checked_document, file.fixed_document, file.replacement
        if change is None:
            return before
        if after is None:
            print_diff(unified_diff(change.path, change.old, change.data))
            return before
        if change_files([change]):
            if self._options.confirms:
                self.confirmed_count += 1
            else:
                self.fixed_count += sum(map(is_fixable, before.diagnostics)) - sum(map(is_fixable, after.diagnostics))
            for note in file.notes:
                self._run.tell(str(note))
        return after

    def compare_sources(self) -> None:
        """Add the findings about tools of several sources, with the severities of the options."""
        contradicting = (
            diagnostic for group in self._identities.groups() for diagnostic in contradictions(group.items)
        )
        diagnostics = chain(contradicting, foreign_mentions(map(join_names, self._names.values())))
        self.findings.extend(engine_for(self._options.selection).select(diagnostics))

    def summary(self, shown: Iterable[Diagnostic]) -> str:
        """The last line of the report of findings."""
        fixable_count = sum(finding.source in self._editable_sources and is_fixable(finding) for finding in shown)
        number = self._run.states[CHECKED]
        return summary_of_findings(number, shown, self.fixed_count, self.confirmed_count, fixable_count)


def check_files(request: SourceRequest, **values: Any) -> int:
    """Check all sources and print the findings; gives the exit code.

    Args:
        values: the values for `take_options`.
    """
    options = take_options(request, **values)
    files = find_sources(request)
    if (options.fixes or options.confirms) and not options.shows_diff:
        remove_leftovers_beside(file.real for file in files)
    run = Run(request, options.jobs, counts_files=not options.shows_diff)
    checked_files = _CheckedFiles(run, options)
    task = partial(check_file, options=options)
    of_chunk = partial(_check_chunk, options=options)
    load = engine_for(options.selection).load
    for _, outcome in run.perform(task, files, load, of_chunk=of_chunk, is_stream=line_sources.is_large):
        checked_files.add(outcome)
    try:
        run.finish()
    except ReadError as error:
        checked_files.findings.extend([from_error(error)])
        run.fail(code=Exit.FAILED)
    checked_files.compare_sources()
    shown: Iterable[Diagnostic] = checked_files.findings
    if options.baseline is not None:
        shown = _new_findings(options.baseline, list(shown), run, options)
    if options.statistics and not options.shows_diff:
        print_result(statistics_to_text(shown))
    elif not options.shows_diff:
        print_findings(shown, options.style, options.fails)
    if options.style == "text":
        run.tell(checked_files.summary(shown))
    if any(map(options.fails, shown)):
        run.fail()
    return run.exit_code


def _new_findings(baseline: str, findings: list[Diagnostic], run: Run, options: CheckOptions) -> list[Diagnostic]:
    """The findings that are not in the baseline, which is written first where that is asked for.

    That a document cannot be read is always said, as `--ignore` cannot leave it out either: the exit code is 2 for it.
    """
    unreadable = [finding for finding in findings if _is_unreadable(finding)]
    readable = [finding for finding in findings if not _is_unreadable(finding)]
    if options.updates_baseline and unreadable and os.path.exists(baseline):
        print_message(f"{baseline}: left as it was, because findings of what cannot be read would be missing from it")
    elif options.updates_baseline:
        write_baseline(baseline, readable)
    new, stale = compare_with_baseline(baseline, readable)
    if stale:
        run.tell(
            f"{baseline}: {count_noun(stale, 'finding')} of it did not appear; --update-baseline would remove them"
        )
    return [*unreadable, *new]


def _is_unreadable(finding: Diagnostic) -> bool:
    """Whether a finding says that a document could not be read."""
    rule = rules().get(finding.code)
    return rule is not None and rule.family == UNREADABLE


def check_file(file: SourceFile, options: CheckOptions) -> Outcome[CheckedFile]:
    """One file, in a worker."""
    file = with_stdin(file)
    try:
        document = parse_file(file)
    except ParseError as error:
        if not _has_readable_lines(file, error):
            raise
        return _check_lines(read_lines(file), file, options)
    if file.request.format is None and document.syntax == "json-lines" and are_documents(document.data):
        return _check_lines(read_lines(file), file, options)
    return _check_whole(file, document, options)


def _has_readable_lines(file: SourceFile, error: ParseError) -> bool:
    """Whether a file that cannot be parsed as a whole is JSON Lines that are checked one by one."""
    if not document_reader.names_lines(file.name):
        return False
    if isinstance(error, LimitError) and (error.code != "too-large" or file.path == STDIN):
        return False  # of stdin no more is there than was read
    return why_other_file(error, file) is None


def _check_whole(file: SourceFile, document: document_reader.Document, options: CheckOptions) -> Outcome[CheckedFile]:
    """One document, and what becomes of it when it is put right."""
    format_name = file.request.format
    if format_name is not None or not is_manifest(document):
        source_format = recognition.recognise(file, document, format_name)
        format_name = format_name or source_format.name
    checked_document = _check(document, format_name, file, options)
    is_compressed = file.path.lower().endswith(PACKED)
    is_editable = document.syntax != "kdl" and not is_compressed and file.path != STDIN
    unchanged = Outcome(CHECKED, CheckedFile(checked_document, is_editable))
    is_fixed = (options.fixes or options.shows_diff) and any(map(is_fixable, checked_document.diagnostics))
    if not (options.confirms or is_fixed):
        return unchanged
    from toolglot.verbs.migration import corrections  # 5 ms that only a change pays

    if options.confirms:
        content = corrections.confirmed_text(document, format_name)
    else:
        content = corrections.fixed_text(document, checked_document.diagnostics)
    if content is None:
        return unchanged
    if is_compressed:
        reason = "it is compressed; unpack it to put it right"
        return replace(unchanged, reason=reason, is_noted=True)
    fix = FileChange(file.path, document.encode(content), document.file_content, file.real)
    if options.shows_diff:
        return Outcome(CHECKED, CheckedFile(checked_document, is_editable, fix))
    fixed_document, notes = corrections.read_corrected(document, content, file.request.limits)
    remaining_document = _check(fixed_document, format_name, file, options)
    return Outcome(CHECKED, CheckedFile(checked_document, is_editable, fix, remaining_document, notes))


def _check(
    document: document_reader.Document, format_name: str | None, file: SourceFile, options: CheckOptions
) -> CheckedDocument:
    """`check_document` as the options have it."""
    checked_document = check_document(document, format_name, selection=options.selection)
    return _without_ignored(checked_document, file, options)


def _codes_by_pattern(pair: tuple[str, str]) -> tuple[str, tuple[str, frozenset[str]]]:
    """The pattern of files, and for which part of them which rules do not hold."""
    place, text = pair
    pattern, _, pointer = place.partition("#")
    return pattern or "*", (pointer, frozenset(codes_of(split_commas(text))))


def _without_ignored(checked_document: CheckedDocument, file: SourceFile, options: CheckOptions) -> CheckedDocument:
    diagnostics = checked_document.diagnostics
    for pointer, codes in options.ignores.values_of(file.real):
        diagnostics = [
            diagnostic
            for diagnostic in diagnostics
            if diagnostic.code not in codes or not f"{diagnostic.pointer}/".startswith(f"{pointer}/")
        ]
    return replace(checked_document, diagnostics=diagnostics)


def _check_lines(
    lines: Iterable[tuple[int, bytes]],
    file: SourceFile,
    options: CheckOptions,
    first: int = 0,
) -> Outcome[CheckedFile]:
    """JSON Lines that cannot be read whole: because one is broken, of several formats, or because they are many."""
    name = file.name
    findings: list[Diagnostic] = []
    identities: list[Identity] = []
    names: list[SourceNames] = []
    state, code = REFUSED, Exit.DONE
    for checked_document in check_lines(
        lines,
        name,
        file.request.format,
        limits=file.request.limits,
        selection=options.selection,
        first=first,
    ):
        findings += checked_document.diagnostics
        identities += checked_document.identities
        names += checked_document.names
        if checked_document.was_read:
            state = CHECKED
        else:
            code = Exit.FAILED
    whole_document = CheckedDocument(findings, tuple(identities), (join_names(names),))
    checked_lines = _without_ignored(whole_document, file, options)
    return Outcome(state, CheckedFile(checked_lines), exit_code=code)


def _check_chunk(file: SourceFile, options: CheckOptions) -> Outcome[CheckedFile]:
    """Some lines of a file that is not read whole, in a worker."""
    chunk = file.chunk
    assert chunk is not None
    return _check_lines(chunk.records, file, options, chunk.first)
