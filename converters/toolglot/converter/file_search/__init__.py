"""Which files are meant: paths, folders that are walked, glob patterns, and `-`.

files_of_paths    the walk: `find_files`, of files, folders and patterns
excluded_folders  what is left out of each folder
ignore_rules      patterns as a `.gitignore` has them
file_patterns     values for some files, by such patterns
globs             patterns as a shell has them
repositories      the repository that a path lies in
"""

from __future__ import annotations

from toolglot.converter.file_search.excluded_folders import EXCLUDED, STDIN, PathFilter
from toolglot.converter.file_search.file_patterns import FilePatterns
from toolglot.converter.file_search.files_of_paths import (
    DETECTED,
    MAX_DEPTH,
    MAX_PEEKS,
    FoundFile,
    find_files,
    is_pattern,
)
from toolglot.converter.file_search.globs import matches_glob
from toolglot.converter.file_search.repositories import refuse_link_out_of_repository

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
