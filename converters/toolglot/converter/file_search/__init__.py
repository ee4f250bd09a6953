"""Which files are meant: paths, folders that are walked, glob patterns, and `-`.

finder            the walk: `find_files`
excluded_folders  what is left out of each folder
ignore_rules      patterns as a `.gitignore` has them
file_patterns     values for some files, by such patterns
globs             patterns as a shell has them
"""

from __future__ import annotations

from toolglot.converter.file_search.excluded_folders import EXCLUDED, STDIN, PathFilter, refuse_link_out_of_repository
from toolglot.converter.file_search.file_patterns import FilePatterns
from toolglot.converter.file_search.finder import (
    DETECTED,
    MAX_DEPTH,
    MAX_PEEKS,
    FoundFile,
    find_files,
    is_pattern,
)
from toolglot.converter.file_search.globs import matches_glob

__all__ = [
    "DETECTED",
    "EXCLUDED",
    "MAX_DEPTH",
    "MAX_PEEKS",
    "STDIN",
    "FilePatterns",
    "FoundFile",
    "PathFilter",
    "find_files",
    "is_pattern",
    "matches_glob",
    "refuse_link_out_of_repository",
]
