"""The program in this process: in a folder, with stdin as given, and stdout apart from stderr."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from contextlib import chdir
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from toolglot.cli import main


class Ran(NamedTuple):
    """What came of a run."""

    code: int
    stdout: str
    stderr: str


class Stderr(io.TextIOWrapper):
    """Errors in memory. A package that is imported meanwhile may keep the stream, and hand it to programs it starts."""

    def fileno(self) -> int:
        return 2


def run(folder: Path, arguments: Sequence[str], stdin: bytes = b"") -> Ran:
    """`toolglot ARGUMENTS` in `folder`."""
    out, err = io.BytesIO(), io.BytesIO()
    reader = io.TextIOWrapper(io.BytesIO(stdin), "utf-8")
    writer = io.TextIOWrapper(out, "utf-8", newline="\n", write_through=True)
    error_writer = Stderr(err, "utf-8", newline="\n", write_through=True)
    with chdir(folder), patch.multiple(sys, stdin=reader, stdout=writer, stderr=error_writer):
        code = main(arguments)
        # The wrappers close what they wrap when they go.
        return Ran(code, out.getvalue().decode(), err.getvalue().decode())
