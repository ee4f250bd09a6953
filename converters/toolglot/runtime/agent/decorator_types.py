"""The types of what the decorators take, as an editor completes it: fields of the hub (`docs/reference/hub.md`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypedDict


class About(TypedDict, total=False):
    """What is said of the whole program."""

    name: str
    """The name of the program; by default the name that it was started by."""
    version: str
    """By default what the program's own `--version` says, else the version of the distribution that installed it."""
    title: str
    homepage: str
    license: str


class Effects(TypedDict, total=False):
    """What a tool does at most; `docs/reference/hub.md` explains each field. A field that is left out stays unknown."""

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


class CommandEffects(Effects, total=False):
    """What a command can do at most, whatever its options."""

    idempotent: bool
    stdin: Literal["none", "optional", "required", "password"]
    tty: bool
    cost_estimate: Literal["free", "low", "medium", "high"]
    duration: str
    timeout_ms: int


class Auth(TypedDict, total=False):
    """How a command signs in; never the value of a credential."""

    required: bool
    check: str
    """Command that tells whether one is signed in."""
    env: str
    config_path: str
    description: str
    setup: str
    """Command that signs in."""
    scopes: Sequence[str]
