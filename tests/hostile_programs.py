"""Small programs of ours that answer `--agent` as they should, or in the ways in which programs of others do not."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any


def description_of(name: str, **fields: Any) -> str:
    """A description of a program, on one line."""
    data = {"atip": {"version": "0.6"}, "name": name, "version": "1.0", "description": "A program of the tests."}
    commands = {"list": {"description": "List.", "effects": {"network": False}}}
    return json.dumps({**data, "commands": commands, **fields})


def put_program(folder: Path, name: str, script: str, mode: int = 0o755) -> Path:
    """A program of a shell; `@` stands for a command that prints its description, but for that in `$@`."""
    path = folder / name
    script = re.sub(r"(?<!\$)@", lambda match: f"echo {quoted(description_of(name))}", script)
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(mode)
    return path


def quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


# What it sees of where it runs, as its own description.
CURIOUS = r"""
input=$(cat)
names=$(env | sed 's/=.*//' | sort | tr '\n' ' ')
files=$(ls -A | wc -l)
interfaces=$(sed -n 's/^ *\([a-z0-9]*\):.*/\1/p' /proc/net/dev | tr '\n' ' ')
handles=$(ls -l /proc/self/fd | sed -n 's/.*-> //p' | tr '\n' ' ')
touch file && mkdir -p closed/inside && chmod 000 closed
touch "${0%/*}/trace" 2> /dev/null
printf '{"atip": {"version": "0.6"}, "name": "curious", "version": "1", "description": "%s"}\n' \
  "$0|$*|$input|$names|$files|$interfaces|$PWD|$HOME|$TMPDIR|$PATH|$LANG|$(umask)|$(ulimit -c)|$(ulimit -t)|$handles"
"""
