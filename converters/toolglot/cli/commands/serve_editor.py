"""`lsp`: each text is checked and read as `check` and `convert` do with its file, by the settings around that."""

from __future__ import annotations

import os
import sys
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from toolglot.cli import cli, settings
from toolglot.cli.commands import check_files
from toolglot.cli.commands.check_baseline import compare_with_baseline
from toolglot.cli.commands.check_files import CheckOptions
from toolglot.cli.exit_codes import Exit
from toolglot.cli.opened_sources import SourceFile, parse_file, search_files, why_other_file
from toolglot.cli.options import SourceRequest, request_of
from toolglot.cli.reports.terminal_report import text_report
from toolglot.converter import formats
from toolglot.converter.conversion.pipeline import convert_readings
from toolglot.converter.conversion.sources import read_document
from toolglot.converter.text.document_reader import Document
from toolglot.errors import Error, UsageError
from toolglot.runtime.editor.host import CheckedText, ConvertedText
from toolglot.runtime.editor.server import EditorServer
from toolglot.verbs.diagnostics.diagnostic import from_error


def serve_editor(base_url: str | None) -> int:
    """Answer a client until it goes; the exit code, by the protocol 1 where it goes without a word."""
    server = EditorServer(FilesOfEditor(), base_url)
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as answers:  # pygls closes it
        server.start_io(stdout=answers)
    return Exit.DONE if server.was_shut_down else Exit.NO


class _SettledFile(NamedTuple):
    """A file with what `toolglot check` is asked for where it is given its path.

    Attributes:
        file: `None` where the settings leave it out.
    """

    request: SourceRequest
    options: CheckOptions
    file: SourceFile | None


class FilesOfEditor:
    """The files that an editor has open."""

    def check(self, path: str, text: str, is_known: bool) -> CheckedText:
        """What `check` finds in a text as the file at a path, which it passes over where it is something else.

        Args:
            is_known: whether it is a tool description, however broken it may be.
        """
        try:
            settled = _settle(path)
            if settled.file is None:
                return CheckedText()
            file = _with_text(settled.file, text, is_named=is_known)
            result = check_files.check_file(file, settled.options).result
            assert result is not None
            findings = result.checked_document.diagnostics
            if settled.options.baseline is not None:
                findings = compare_with_baseline(settled.options.baseline, findings).new
            return CheckedText(findings, is_known=True)
        except UsageError as error:  # of the settings or the baseline, which are files of their own
            fault = replace(from_error(error), line=None, message=str(error), hint=None)
            return CheckedText([fault])
        except Error as error:
            is_other = why_other_file(error, file) is not None
            return CheckedText([] if is_other else [from_error(error)])

    def parse(self, path: str, text: str) -> Document:
        """A text as the document at a path; it raises `ReadError`."""
        settled = _settle(path)
        file = settled.file or SourceFile(
            path, os.path.basename(path), is_named=True, has_usual_name=False, real=path, request=settled.request
        )
        return parse_file(_with_text(file, text, is_named=True))

    def convert(self, path: str, text: str, to: str) -> ConvertedText:
        """A text in another format, as `convert` has it without options; why not, where it cannot be converted."""
        try:
            conversion = convert_readings([read_document(self.parse(path, text))], to)
        except Error as error:
            return ConvertedText((), str(error), formats.targets())
        return ConvertedText(conversion.files, "\n".join(text_report(conversion.report)), formats.targets())


def _settle(path: str) -> _SettledFile:
    """A file with the settings around it, which are read again when they have changed.

    Raises:
        UsageError: the settings cannot be read, or say what they cannot say.
    """
    return _read_settings(path, tuple([(name, os.stat(name).st_mtime_ns) for name in settings.settings_files([path])]))


@lru_cache(1024)
def _read_settings(path: str, stamps: tuple[tuple[str, int], ...]) -> _SettledFile:
    """A file with the settings around it.

    Args:
        stamps: the files of settings, and when each was changed last: while these stay, nothing is read again.
    """
    check = cli.commands["check"]
    with check.make_context("check", ["--force-exclude", "--", path], **cli.context_settings) as context:
        values = dict(context.params)
        request = request_of(values)
        options = check_files.take_options(request, **values)
    files = search_files(request)
    real = os.path.realpath(path)  # a path that is not on the disk may read like a pattern
    return _SettledFile(request, options, next((file for file in files if file.real == real), None))


def _with_text(file: SourceFile, text: str, is_named: bool) -> SourceFile:
    return replace(file, content=text.encode("utf-8", "surrogatepass"), is_named=is_named)
