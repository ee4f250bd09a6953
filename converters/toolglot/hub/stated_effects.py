"""What a person states about effects in Python, with types that an editor completes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict


class Effects(TypedDict, total=False):
    """What a tool does to the world at most; `docs/hub.md` says what each means. What is left out stays unknown."""

    reads_files: bool
    writes_files: bool
    deletes_files: bool
    paths: Sequence[str]
    network: bool
    subprocess: bool
    creates: Sequence[str]
    modifies: Sequence[str]
    deletes: Sequence[str]
    destructive: bool
    reversible: bool
    prompts: bool
    billable: bool
