"""Shows what is about to run, and asks for permission."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator

import click

from toolglot.cli.terminal import print_messages
from toolglot.errors import ToolFailure, escape_unseen
from toolglot.runtime.bridge.approval import reasons_of, refuse_unapproved, refuse_unasked
from toolglot.runtime.bridge.program_calls import PlannedRun
from toolglot.runtime.bridge.question_text import closing_question
from toolglot.runtime.bridge.violations import name_place
from toolglot.runtime.inventory.kept_answers import current_time
from toolglot.runtime.programs.trusted_programs import TrustedPair, TrustFile


def confirm_run(plan: PlannedRun, document: str, yes: bool, trust: bool, quiet: bool) -> bool:
    """Show what is about to run, and decide whether it may: by `--yes`, by trust, or by asking at the terminal.

    Args:
        document: hash of the document that describes the program; trust is given for this hash.

    Raises:
        ToolFailure: it may not run; the message says why.
    """
    trust_file = TrustFile()
    sha256 = plan.program.fingerprint.sha256
    if not quiet:
        print_messages(_describe_run(plan))
    if not yes and not trust_file.has(sha256, document):
        raise ToolFailure("nothing was run: give --yes to run it (with --trust, to be asked no more)", "cancelled")
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        refuse_unasked(plan.questions)
    elif plan.questions:
        question = escape_unseen(closing_question(reasons_of(plan.questions), "Run it"))
        refuse_unapproved(click.confirm(question, default=False, err=True), plan.questions)
    if trust:
        trust_file.add(TrustedPair(sha256, document, plan.program.path, current_time()))
    return True


def _describe_run(plan: PlannedRun) -> Iterator[str]:
    yield f"runs: {shlex.join(plan.vector)}"
    yield f"sha256: {plan.program.fingerprint.sha256}"
    yield f"in {plan.folder}, {plan.seconds:g} s, isolation {plan.isolation}"
    for violation in plan.advice:
        yield f"note: {violation.message}{name_place(violation.pointer)}"
