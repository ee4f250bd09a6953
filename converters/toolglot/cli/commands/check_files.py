"""`check` over all sources: findings of every file, and what the tools of all say of each other."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from toolglot.cli.diagnostics_output import RENDERERS
from toolglot.cli.discovery import SourceFile
from toolglot.cli.exit_codes import Exit
from toolglot.cli.runner import REFUSED, Outcome, Run
from toolglot.cli.source_request import SourceRequest
from toolglot.cli.sources import (
    find_sources,
    no_tools_error,
    parse_source,
    recognise_source,
    source_name,
)
from toolglot.cli.terminal import count_noun, print_message, print_result
from toolglot.diagnostics.checks import Checked, Identity, check_document, check_lines, contradictions, is_manifest
from toolglot.diagnostics.diagnostic import Diagnostic, from_error
from toolglot.errors import LimitError, ParseError
from toolglot.text import serialization

CHECKED = "checked"


def check_files(request: SourceRequest, strict: bool, style: str, jobs: int | None) -> int:
    """Check all sources and print what is wrong with them; the exit code."""
    run = Run(request, jobs, has_bar=True)
    findings: list[Diagnostic] = []
    identities: list[Identity] = []
    for _, outcome in run.perform(partial(_check_file, request=request, strict=strict), find_sources(request)):
        if outcome.problem is not None:
            findings.append(outcome.problem)
        if outcome.result is not None:
            findings += outcome.result.diagnostics
            identities += outcome.result.identities
        run.add(outcome._replace(problem=None))  # it is printed as a finding
    run.finish()
    findings += contradictions(identities)
    code = run.exit_code
    if run.found_nothing and not request.skips_others:
        findings.append(from_error(no_tools_error(request)))
        code = Exit.FAILED
    print_result(RENDERERS[style](findings))
    if style == "text" and not request.quiet:
        print_message(_summary(run.states[CHECKED], findings))
    if any(finding.severity == "error" for finding in findings):
        code = max(code, Exit.NO)
    return code


def _check_file(file: SourceFile, request: SourceRequest, strict: bool) -> Outcome[Checked]:
    """One file, in a worker."""
    try:
        document = parse_source(file, request)
    except ParseError as error:
        is_bound = isinstance(error, LimitError) and error.code != "too-large"
        if is_bound or not file.path.lower().endswith(serialization.LINED):
            raise
        return _check_lines(file, request, strict)
    if request.format is None and is_manifest(document):
        return Outcome(CHECKED, check_document(document, None, strict=strict))
    source = recognise_source(file, document, request)
    return Outcome(CHECKED, check_document(document, request.format or source.format.name, strict=strict))


def _check_lines(file: SourceFile, request: SourceRequest, strict: bool) -> Outcome[Checked]:
    """JSON Lines that cannot be read whole, because one is broken, or because they are many.

    Raises:
        ReadError: the first is no tool description; `is_other_file` says whether that matters.
    """
    name = source_name(file.path, request)
    findings: list[Diagnostic] = []
    identities: list[Identity] = []
    state, code = CHECKED, Exit.DONE
    for checked in check_lines(
        _numbered_lines(file, request), name, request.format, strict=strict, limits=request.limits
    ):
        findings += checked.diagnostics
        identities += checked.identities
        if not checked.was_read:
            state, code = REFUSED, Exit.FAILED
    return Outcome(state, Checked(findings, tuple(identities)), exit_code=code)


def _numbered_lines(file: SourceFile, request: SourceRequest) -> Iterator[tuple[int, bytes]]:
    """The lines of a file with their numbers, if the first is a tool description or the file has to be one.

    Raises:
        ReadError: it is none.
    """
    from toolglot.streams.local import numbered_lines  # with conversion, some 7 ms that only JSON Lines need

    with open(file.path, "rb") as stream:
        lines = numbered_lines(stream, request.limits.max_bytes, source_name(file.path, request))
        for index, (number, line) in enumerate(lines):
            if index == 0 and not (file.is_named or file.has_usual_name):
                recognise_source(file, serialization.load(line, "line.jsonl", request.limits), request)
            yield number, line


def _summary(documents: int, findings: list[Diagnostic]) -> str:
    errors = sum(finding.severity == "error" for finding in findings)
    counts = []
    if errors:
        counts.append(count_noun(errors, "error"))
    if len(findings) > errors:
        counts.append(count_noun(len(findings) - errors, "warning"))
    return f"{count_noun(documents, 'document')} checked: {', '.join(counts) or 'nothing to complain about'}"
