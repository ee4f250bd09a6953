"""What `pull` was asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class PullOptions(NamedTuple):
    """What `pull` was asked for, as its options are called.

    Attributes:
        target: a URL, or a program and its arguments.
        headers: header -> name of the variable that holds its value.
        inputs: what a configuration asks people for -> name of the variable that holds it.
    """

    target: tuple[str, ...]
    configuration: str | None
    name: str | None
    names: tuple[str, ...]
    yes: bool
    trust: bool
    headers: Mapping[str, str]
    passed_on: tuple[str, ...]
    inputs: Mapping[str, str]
    timeout: float | None
    lock: str | None
    check: bool
    style: str
    to: str | None
    output: str | None
    force: bool
    lossless: bool
    on_loss: str
    report: str
    quiet: bool
    verbose: bool
