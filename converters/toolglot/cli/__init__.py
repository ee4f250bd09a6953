"""The command line: parse, call, render, exit. The work is done in the library; `fixtures/cli` is the manual.

Importing this package imports click and of our modules only errors, so that `--help` and shell completion are fast. The
code of a command is imported when the command runs.

root_command      the help and the version of the whole
command_options   a module a command: its options and its help
    command_help      how the help of one looks
    command_effects   what a command does to the world
commands          what the commands do, which `carry_out` loads

What commands are told:

options           options that several share, and what was said about sources
    renamed_words     options that had another name
    option_types      what a value may be, and what completes it
    late_modules      what is imported when a command runs, not for its help
settings          defaults from a settings file
git               files as they were at a revision

What carries them out:

opened_sources    from a path to a document whose format is known
file_batch        one task for each source, over several processes
    line_sources      files of JSON Lines, of which each line is a source
destinations      where results go
stops_and_errors  what becomes of every exception, and of a stop from outside
    exit_codes        what a run ends with

What is seen of them:

reports           what they print
terminal          the streams that it goes to
progress          how far a run is
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from typing import NoReturn

from toolglot.cli.exit_codes import Exit
from toolglot.cli.root_command import cli
from toolglot.cli.stops_and_errors import end_cleanly, exit_code_of
from toolglot.cli.terminal import remove_status, write_utf_8

__all__ = ["Exit", "cli", "main"]


def run() -> NoReturn:
    """Run the program as a process, which ends with its exit code."""
    end_cleanly()
    write_utf_8()
    code = main()
    # The end of the interpreter would look through everything once more: 16 % of the conversion of one file. To end by
    # `os._exit` instead would save 1 to 4 % more, and lose what somebody registered with `atexit`.
    gc.freeze()
    sys.exit(code)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program; the exit code is returned, never raised."""
    try:
        return exit_code_of(lambda: cli.main(args=arguments, prog_name="toolglot", standalone_mode=False))
    finally:
        remove_status()
