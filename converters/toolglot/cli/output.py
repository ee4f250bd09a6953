"""Where the results of `convert` go: stdout, one file, or files below a folder."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import NamedTuple

from toolglot import files, formats
from toolglot.cli.exits import Exit
from toolglot.cli.sources import Opened
from toolglot.cli.terminal import counted, data, say
from toolglot.errors import Error, UsageError
from toolglot.formats import Format
from toolglot.pipeline import Conversion
from toolglot.report import Report
from toolglot.text import dump_json


class Output(NamedTuple):
    """A text and its file; `None` is stdout."""

    path: str | None
    text: str


def arrange(
    conversions: Sequence[tuple[Opened, Conversion]], to: str, output: str | None, singly: bool
) -> list[Output]:
    """What goes where; nothing is written yet. `singly`: every source gets a file, called after it.

    Raises:
        UsageError: several results and one place, or a path that a link leads out of the folder.
    """
    target, _ = formats.parse_target(to)
    if output is not None and files.is_folder(output):
        named = [pair for item in conversions for pair in _named(item, target, singly)]
        paths = files.place(output, [name for name, _ in named])
        return [Output(path, text) for path, (_, text) in zip(paths, named, strict=True)]
    texts = [text for _, conversion in conversions for _, text in conversion.files]
    if len(texts) != 1:
        message = f"{target.name} takes one file a tool and there are {counted(len(texts), 'tool')}; give -o FOLDER/"
        raise UsageError(message, "several-files")
    return [Output(output, texts[0])]


def report_file(path: str, report: Report) -> Output:
    """The report as a JSON file."""
    return Output(path, dump_json(report.to_json()))


def _named(item: tuple[Opened, Conversion], target: Format, singly: bool) -> list[tuple[str, str]]:
    opened, conversion = item
    if not singly:
        return conversion.files
    return [(stem(opened) + target.suffix, text) for _, text in conversion.files]


def stem(opened: Opened) -> str:
    """The source's name without what its format adds; below a folder that was walked, with its path.

    A format that fixes the file's name, such as `TOOL.md`, leaves the folder's name.
    """
    path, relative = opened.found.path, opened.found.relative
    if path == files.STDIN:
        path = relative = os.path.basename(opened.document.name or "").strip("<>") or relative
    folder, name = os.path.split(relative)
    for pattern in opened.format.patterns:
        if name == pattern:
            return os.path.join(os.path.dirname(folder), os.path.basename(os.path.dirname(os.path.abspath(path))))
        if pattern.startswith("*") and name.endswith(pattern[1:]):
            return os.path.join(folder, name[: -len(pattern) + 1])
    return os.path.join(folder, os.path.splitext(name)[0])


def store(outputs: Sequence[Output], force: bool, verbose: bool) -> int:
    """Write everything; a file that cannot be written does not stop the rest.

    Raises:
        UsageError: one of the files exists and `force` is not given; nothing was written.
    """
    files.refuse_existing([output.path for output in outputs if output.path is not None], force)
    code: int = Exit.DONE
    for output in outputs:
        if output.path is None:
            data(output.text)
            continue
        try:
            files.write(output.path, output.text.encode("utf-8", "backslashreplace"))
        except Error as error:
            say(f"error: {error}")
            code = Exit.FAILED
        else:
            if verbose:
                say(f"wrote {output.path}")
    return code
