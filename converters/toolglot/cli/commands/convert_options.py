"""What `convert` was asked for, apart from its sources."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from toolglot.conversion.options import ConvertOptions


class ConvertCommandOptions(NamedTuple):
    """What `convert` was asked for, apart from its sources.

    Attributes:
        to: `FORMAT[@VERSION]`.
        options: those of `toolglot.convert`.
        output: a file or a folder; `None` is stdout.
        force: whether files that exist are replaced.
        fails_on_loss: whether nothing is written where something would be lost.
        report: `text`, `json`, `none`, or a file.
        jobs: how many processes.
    """

    to: str
    options: ConvertOptions
    output: str | None
    force: bool
    fails_on_loss: bool
    report: str
    jobs: int | None

    @property
    def report_file(self) -> str | None:
        """The file that the report goes to, if it is one."""
        return None if self.report in ("text", "json", "none") else self.report
