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


def run(folder: Path, arguments: Sequence[str], stdin: bytes = b"") -> Ran:
    """`toolglot ARGUMENTS` in `folder`."""
    out, err = io.BytesIO(), io.BytesIO()
    streams = {
        "stdin": io.TextIOWrapper(io.BytesIO(stdin), "utf-8"),
        "stdout": io.TextIOWrapper(out, "utf-8", write_through=True),
        "stderr": io.TextIOWrapper(err, "utf-8", write_through=True),
    }
    with chdir(folder), patch.multiple(sys, **streams):
        code = main(arguments)
        # The wrappers close what they wrap when they go.
        return Ran(code, out.getvalue().decode(), err.getvalue().decode())
