"""Which files a command line means: paths, folders that are walked, glob patterns, and `-`.

`finder.find_files` walks; `walked_folders` knows what is left out of each folder, `ignore_rules` the patterns as in a
`.gitignore`, `globs` the patterns of a shell.
"""

from __future__ import annotations

from toolglot.cli.discovery.finder import (
    DETECTED,
    MAX_DEPTH,
    MAX_PEEKS,
    SourceFile,
    find_files,
    find_unreached,
    is_pattern,
)
from toolglot.cli.discovery.walked_folders import EXCLUDED, Selection

__all__ = [
    "DETECTED",
    "EXCLUDED",
    "MAX_DEPTH",
    "MAX_PEEKS",
    "Selection",
    "SourceFile",
    "find_files",
    "find_unreached",
    "is_pattern",
]
