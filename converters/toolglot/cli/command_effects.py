"""The effects of the commands of toolglot, which `toolglot --agent` prints."""

from __future__ import annotations

from functools import partial

from toolglot import agent

effects = partial(
    agent.effects,
    reads_files=True,
    writes_files=False,
    deletes_files=False,
    network=False,
    subprocess=False,
    idempotent=True,
    reversible=True,
    destructive=False,
    stdin="none",
    prompts=False,
    tty=False,
    cost_estimate="free",
    billable=False,
)
"""State what a command can do at most, whatever its options; without a word it only reads files."""

replaces_files = partial(effects, writes_files=True, reversible=False, destructive=True)
"""State that a command writes files, and that what it replaces is gone for good."""
