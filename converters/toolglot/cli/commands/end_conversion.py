"""How every conversion ends, whichever way it went: its report, what did not pass, and the exit code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

import click

from toolglot.cli.destinations import Destination, write_results
from toolglot.cli.file_batch import Run, print_unused
from toolglot.cli.options import REPORT_STYLES, SourceRequest, describe_failing
from toolglot.cli.terminal import print_lines, print_result, remove_status
from toolglot.converter.conversion.categories import LOSSES, Category
from toolglot.converter.conversion.fail_on import FailOn, count_failing
from toolglot.converter.conversion.options import ConvertOptions
from toolglot.converter.conversion.pipeline import patterns_of
from toolglot.converter.text.serialization import dump_json
from toolglot.converter.text.wording import count_noun

if TYPE_CHECKING:
    from toolglot.cli.reports.report_forms import MakeData, MakeSheet


class ConvertCommandOptions(NamedTuple):
    """What `convert` was asked for, apart from its sources.

    Attributes:
        to: `FORMAT[@VERSION]`.
        options: those of `toolglot.convert`.
        output: a file or a folder; `None` is stdout.
        force: whether files that exist are replaced.
        fail_on: what makes the exit code 1, and nothing is written.
        report: `text`, `json`, `none`, or a file.
        jobs: how many processes.
        errors: the file for every record and source that is refused; `None` for none.
    """

    to: str
    options: ConvertOptions
    output: str | None
    force: bool
    fail_on: tuple[FailOn, ...] = ()
    report: str = "text"
    jobs: int | None = 1
    errors: str | None = None

    @property
    def report_file(self) -> str | None:
        """The file that the report goes to, if it is one."""
        return None if self.report in REPORT_STYLES else self.report

    @property
    def has_all_changes(self) -> bool:
        """Whether the report has every change of every source."""
        return self.report == "json" or self.report_file is not None

    def shows_entries(self, request: SourceRequest) -> bool:
        """Whether people see in the terminal what became of the tools."""
        return self.report == "text" and not request.quiet

    @property
    def is_lossless(self) -> bool:
        """Whether converting back is to restore everything."""
        return bool(self.options.get("lossless"))

    def error_of(self, counts: Mapping[Category, int]) -> str | None:
        """What people are told of changes that do not pass, were refused, or that nothing carries; `None` without any.

        Args:
            counts: how many there are of each category.
        """
        failing = count_failing(counts, self.fail_on)
        if failing:
            return describe_failing(failing, self.fail_on)
        refused = counts[Category.REFUSED]
        if refused:
            return f"error: {count_noun(refused, 'fact')} of your word refused; the dangers stand as they are [refused]"
        losses = sum(counts[category] for category in LOSSES)
        if losses and self.is_lossless:
            return (
                f"error: {count_noun(losses, 'loss')} that --lossless cannot keep: converting back does not restore "
                "everything [loss]"
            )
        return None


def end_conversion(
    run: Run,
    options: ConvertCommandOptions,
    categories: Counter[Category],
    make_sheet: MakeSheet,
    data: MakeData,
    lines: Iterable[str],
) -> int:
    """Report a conversion, whichever way it went, and say what did not pass; the exit code.

    Args:
        categories: how many changes there are of each category.
        make_sheet, data: the report for a file, as `report_forms.render_report` takes it.
        lines: the report in the terminal, made as it is printed; none where there is nothing to tell.
    """
    if options.report_file is not None:
        from toolglot.cli.reports.report_forms import render_report  # 30 ms that only reports in files need

        report = Destination(options.report_file, render_report(options.report_file, make_sheet, data))
        run.fail(code=write_results([report], options.force, run.request.verbose))
    elif options.report == "json" and options.output is not None:
        print_result(dump_json(data()))
    elif options.report == "json":
        remove_status()
        click.echo(dump_json(data()), nl=False, err=True)
    elif options.shows_entries(run.request):
        print_lines(lines)
    print_unused(run.pattern_use, patterns_of(options.options))
    error = options.error_of(categories)
    if error is not None:
        run.fail(error)
    return run.exit_code
