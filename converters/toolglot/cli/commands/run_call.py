"""`run` of one call: what would run is shown, somebody allows it, and the result is printed."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from functools import partial
from typing import Any

import click

from toolglot.cli.commands.print_argv import find_leaf, read_document_of_call
from toolglot.cli.exit_codes import Exit
from toolglot.cli.option_types import parse_object
from toolglot.cli.options import refuse_shared_stdin
from toolglot.cli.terminal import print_messages, print_result
from toolglot.converter.text.digests import sha256_of
from toolglot.converter.text.serialization import dump_json
from toolglot.errors import ToolFailure, escape_unseen
from toolglot.runtime.bridge.approval import closing_question, reasons_of, refuse_unapproved, refuse_unasked
from toolglot.runtime.bridge.naming import exposed
from toolglot.runtime.bridge.program_runs import PlannedRun, run
from toolglot.runtime.inventory.program_store import current_time
from toolglot.runtime.programs.allow_list import read_allow_list
from toolglot.runtime.programs.trust import TrustedPair, TrustFile


def run_call(
    src: str,
    tool: str,
    arguments: str,
    *,
    format_name: str | None,
    restore: bool,
    policy: str | None,
    host: str | None,
    allow_list: str | None,
    yes: bool,
    trust: bool,
    quiet: bool,
    **bounds: Any,
) -> int:
    """Carry out a call; the exit code. What a program could not do, or may not, is printed as a result too.

    Args:
        bounds: what `program_runs.run` takes beside these.
    """
    refuse_shared_stdin(src, arguments, host, policy)
    reading, code = read_document_of_call(src, format_name, restore, quiet)
    if reading is None or code:
        return code
    sha256 = sha256_of(reading.document.encode(reading.document.text))
    try:
        result = run(
            find_leaf(exposed(reading.tools), tool),
            parse_object(arguments, "ARGS-JSON"),
            confirm=partial(_confirm, document=sha256, yes=yes, trust=trust, quiet=quiet),
            allow_list=read_allow_list(allow_list) if allow_list else None,
            policy=parse_object(policy, "POLICY-JSON"),
            host=parse_object(host, "HOST-JSON"),
            **bounds,
        )
    except ToolFailure as failure:
        print_result(dump_json(failure.envelope))
        return Exit.NO
    print_result(dump_json({"ok": True, "result": result.value}))
    if result.stderr and not quiet:
        print_messages(result.stderr.splitlines()[:_MOST_LINES])
    return Exit.DONE


_MOST_LINES = 100


def _confirm(plan: PlannedRun, document: str, yes: bool, trust: bool, quiet: bool) -> bool:
    """Show what is about to run; whether it may: who runs a program has to want that, and who is asked to be there.

    Args:
        document: hash of the bytes that say how the program is called, to which trust is keyed.

    Raises:
        ToolFailure: it may not, and why.
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
        yield f"note: {violation.message}"
