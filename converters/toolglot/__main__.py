"""The process: `python -m toolglot`, and the command `toolglot`."""

from __future__ import annotations

import gc
import sys


def start() -> None:
    """Load the command line, and run it until the process ends.

    It is loaded in here: by an import at the top, Ctrl-C in the first tenth of a second would print a traceback.
    """
    # What is imported stays: to look for garbage in it takes 6 % of the conversion of one file, and 3 % of `--help`.
    gc.set_threshold(100_000)
    try:
        from toolglot.cli import run

        run()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    start()
