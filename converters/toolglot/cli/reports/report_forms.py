"""The forms of a report that is written to a file: the ending of its name says which."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, NamedTuple

from toolglot.cli.reports.html_page import sheet_to_html
from toolglot.cli.reports.markdown import sheet_to_markdown
from toolglot.cli.reports.sarif import sheet_to_sarif
from toolglot.cli.reports.sheets import Sheet
from toolglot.converter.files.existing_targets import refuse_foreign
from toolglot.converter.files.writing import write_if_changed
from toolglot.converter.text.serialization import dump_json

MakeSheet = Callable[[bool], Sheet]
MakeData = Callable[[], dict[str, Any]]


class ReportForm(NamedTuple):
    """One form of a report.

    Attributes:
        render: what makes it.
        mark: a quoted word of every report of this form, by which an earlier one is known.
        shows_texts: whether it shows the sources and the results.
    """

    render: Callable[[Sheet], str]
    mark: str
    shows_texts: bool = False


FORMS = {
    ".md": ReportForm(sheet_to_markdown, "toolglot report"),
    ".html": ReportForm(sheet_to_html, "toolglot report", shows_texts=True),
    ".sarif": ReportForm(sheet_to_sarif, "toolglot"),
}


def form_of(path: str) -> ReportForm | None:
    """The form of a report in a file of this name; `None` where that is the JSON report.

    >>> form_of("report.json"), form_of("a.HTML") is FORMS[".html"]
    (None, True)
    """
    return FORMS.get(os.path.splitext(path)[1].lower())


def refuse_other_file(path: str | None, key: str) -> None:
    """Make sure, before all the work, that a report takes the place of an earlier one at most.

    Args:
        path: of the report, if one is wanted.
        key: what the report begins with as JSON.

    Raises:
        UsageError: something else is there.
    """
    if path is not None:
        form = form_of(path)
        refuse_foreign(path, key if form is None else form.mark)


def write_report(path: str | None, make_sheet: MakeSheet, make_data: MakeData) -> None:
    """Write a report, if one is wanted; arguments as for `render_report`."""
    if path is not None:
        write_if_changed(path, render_report(path, make_sheet, make_data).encode("utf-8", "backslashreplace"))


def render_report(path: str, make_sheet: MakeSheet, make_data: MakeData) -> str:
    """A report for a file of this name.

    Args:
        make_sheet: the report before it has a form, given whether the form shows the sources and the results.
        make_data: the report as JSON data.
    """
    form = form_of(path)
    return dump_json(make_data()) if form is None else form.render(make_sheet(form.shows_texts))
