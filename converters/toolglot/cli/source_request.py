"""What the user said about sources."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from toolglot.cli.file_search import PathFilter
    from toolglot.text.serialization import Limits


class SourceRequest(NamedTuple):
    """What the user said about sources; `options.sources` makes it.

    Attributes:
        paths: files, folders, glob patterns or `-`.
        format: what `--from` says, `NAME` or `NAME@VERSION`.
        max_size: in bytes.
        stdin_filename: what `-` is called in messages.
        quiet, verbose: how much people are told.
        skips_others: whether named files, too, are passed over where they are no tool descriptions.
        path_filter: what is left out of folders.
    """

    paths: tuple[str, ...]
    format: str | None
    max_size: int | None
    stdin_filename: str | None
    quiet: bool
    verbose: bool
    skips_others: bool
    path_filter: PathFilter

    @property
    def limits(self) -> Limits:
        """How much of one source is read."""
        from toolglot.text.serialization import DEFAULT_LIMITS, Limits  # what `--help` need not wait for

        if self.max_size:
            return Limits(max_bytes=self.max_size)
        return DEFAULT_LIMITS
