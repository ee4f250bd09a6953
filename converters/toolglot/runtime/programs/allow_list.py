"""An allow list: names of programs that somebody chose, each with its absolute path and its hash.

    {"git": {"path": "/usr/bin/git", "sha256": "<64 digits>"}}

It has no patterns and no folders: nobody would have chosen a program that appears in a folder later.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, TypeAlias

import msgspec

from toolglot.errors import UsageError
from toolglot.runtime.inventory.fingerprints import is_sha256
from toolglot.runtime.programs.ownership import read_guarded


class AllowedProgram(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The absolute path of a program, and the hash of its file."""

    path: str
    sha256: str


AllowList: TypeAlias = Mapping[str, AllowedProgram]


def read_allow_list(path: str | os.PathLike[str]) -> AllowList:
    """The allow list in a file.

    Raises:
        ReadError: the file cannot be read, or is not JSON.
        ProgramError: somebody else can write it.
        UsageError: it is no allow list (code `"bad-allow-list"`).
    """
    return parse_allow_list(read_guarded(path), os.fsdecode(path))


def parse_allow_list(data: Any, source: str | None = None) -> AllowList:
    """The allow list that JSON data states; errors as for `read_allow_list`.

    >>> parse_allow_list({"git": {"path": "bin/git", "sha256": "0" * 64}})
    Traceback (most recent call last):
    toolglot.errors.UsageError: 'git': the path is not absolute [bad-allow-list]
    """
    try:
        programs = msgspec.convert(data, dict[str, AllowedProgram])
    except msgspec.ValidationError as error:
        message = f'expected {{"NAME": {{"path": "/...", "sha256": "..."}}}}: {error}'
        raise UsageError(message, "bad-allow-list", source=source) from None
    for name, program in programs.items():
        faults = {
            "a name with a slash, or none": not name or "/" in name or name.startswith("."),
            "the path is not absolute": not os.path.isabs(program.path),
            "not a SHA-256 hash of 64 digits in lower case": not is_sha256(program.sha256),
        }
        for fault, holds in faults.items():
            if holds:
                raise UsageError(f"{name!r}: {fault}", "bad-allow-list", source=source)
    return programs
