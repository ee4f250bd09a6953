"""Where the results of `convert` go: stdout, one file, or files below a folder."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import NamedTuple

from toolglot import files, formats
from toolglot.cli.exits import Exit
from toolglot.cli.sources import Opened
from toolglot.cli.terminal import data, say
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
    conversions: Sequence[tuple[Opened, Conversion]],
    to: str,
    output: str | None,
    force: bool,
    report_path: str | None,
    report: Report,
) -> list[Output]:
    """What goes where; nothing is written yet.

    Raises:
        UsageError: several results and one place, a file that exists without `force`, a path out of the folder.
    """
    target, _ = formats.parse_target(to)
    if output is not None and files.is_folder(output):
        named = [pair for item in conversions for pair in _named(item, target, len(conversions) > 1)]
        paths = files.place(output, [name for name, _ in named])
        outputs = [Output(path, text) for path, (_, text) in zip(paths, named, strict=True)]
    else:
        texts = [text for _, conversion in conversions for _, text in conversion.files]
        if len(texts) != 1:
            message = f"{target.name} takes one file a tool and there are {len(texts)} tools; give -o FOLDER/"
            raise UsageError(message, "several-files")
        outputs = [Output(output, texts[0])]
    if report_path is not None:
        outputs.append(Output(report_path, dump_json(report.to_json())))
    files.refuse_existing([item.path for item in outputs if item.path is not None], force)
    return outputs


def _named(item: tuple[Opened, Conversion], target: Format, several: bool) -> list[tuple[str, str]]:
    opened, conversion = item
    if target.one_per_file or (opened.found.named and not several):
        return conversion.files
    return [(f"{stem(opened)}.{target.name}.json", text) for _, text in conversion.files]


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


def store(outputs: Sequence[Output], verbose: bool) -> int:
    """Write everything; a file that cannot be written does not stop the rest."""
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
