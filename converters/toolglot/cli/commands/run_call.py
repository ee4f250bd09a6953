"""`run` of one call: what would run is shown, somebody allows it, and the result is printed."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

import click

from toolglot.cli.commands.argv_call import find_leaf
from toolglot.cli.exit_codes import Exit
from toolglot.cli.option_types import parse_object
from toolglot.cli.options import refuse_shared_stdin
from toolglot.cli.terminal import escape_controls, print_message, print_result
from toolglot.converter.conversion.sources import open_document, read_document
from toolglot.converter.text import serialization
from toolglot.converter.text.digests import sha256_of
from toolglot.converter.text.serialization import DEFAULT_LIMITS, dump_json
from toolglot.errors import ToolFailure
from toolglot.runtime.bridge.approval import join_reasons, refuse_unapproved, refuse_unasked
from toolglot.runtime.bridge.naming import exposed
from toolglot.runtime.bridge.program_runs import PlannedRun, run
from toolglot.runtime.inventory.program_store import current_time
from toolglot.runtime.programs.allow_list import read_allow_list
from toolglot.runtime.programs.trust import TrustedPair, TrustFile


class RunOptions(NamedTuple):
    """What the options of `run` say."""

    program: str | None
    allow_list: str | None
    yes: bool
    trust: bool
    policy: str | None
    strict: bool
    root: str | None
    host: str | None
    variables: tuple[str, ...]
    timeout: float | None
    isolation: str
    any_name: bool
    as_root: bool
    format_name: str | None
    restore: bool
    quiet: bool


def run_call(src: str, tool: str, arguments: str, options: RunOptions) -> int:
    """Carry out a call; the exit code. What a program could not do, or may not, is printed as a result too."""
    refuse_shared_stdin(src, arguments, options.host, options.policy)
    if src == "-":
        raw = sys.stdin.buffer.read(DEFAULT_LIMITS.max_bytes + 1)
        document = open_document(raw, "<stdin>", restore=options.restore)
    else:
        raw = serialization.read_file(src)
        document = open_document(raw, src, restore=options.restore)
        document.path = src
    tools = read_document(document, options.format_name).tools
    leaf = find_leaf(exposed(tools), tool)
    values = parse_object(arguments, "ARGS-JSON", DEFAULT_LIMITS)
    allow_list = None
    if options.allow_list:
        allow_list = read_allow_list(options.allow_list)
    try:
        result = run(
            leaf,
            values,
            confirm=partial(_confirm, document=sha256_of(raw), options=options),
            program=options.program,
            allow_list=allow_list,
            policy=parse_object(options.policy, "POLICY-JSON", DEFAULT_LIMITS),
            strict=options.strict,
            root=options.root,
            host=parse_object(options.host, "HOST-JSON", DEFAULT_LIMITS),
            variables=options.variables,
            seconds=options.timeout,
            isolation=options.isolation,
            any_name=options.any_name,
            as_root=options.as_root,
        )
    except ToolFailure as failure:
        print_result(dump_json(failure.envelope))
        return Exit.NO
    print_result(dump_json({"ok": True, "result": result.value}))
    if result.stderr and not options.quiet:
        for line in result.stderr.splitlines()[:_MOST_LINES]:
            print_message(line)
    return Exit.DONE


_MOST_LINES = 100


def _confirm(plan: PlannedRun, document: str, options: RunOptions) -> bool:
    """Show what is about to run; whether it may: who runs a program has to want that, and who is asked to be there.

    Args:
        document: hash of the bytes that say how the program is called, to which trust is keyed.

    Raises:
        ToolFailure: it may not, and why.
    """
    trust = TrustFile()
    sha256 = plan.program.fingerprint.sha256
    if not options.quiet:
        for line in _describe_run(plan):
            print_message(line)
    if not options.yes and not trust.has(sha256, document):
        raise ToolFailure("nothing was run: give --yes to run it (with --trust, to be asked no more)", "cancelled")
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        refuse_unasked(plan.questions)
    elif plan.questions:
        question = escape_controls(f"{join_reasons(plan.questions)}. Run it?")
        refuse_unapproved(click.confirm(question, default=False, err=True), plan.questions)
    if options.trust:
        trust.add(TrustedPair(sha256, document, plan.program.path, current_time()))
    return True


def _describe_run(plan: PlannedRun) -> Iterator[str]:
    yield f"runs: {shlex.join(plan.vector)}"
    yield f"sha256: {plan.program.fingerprint.sha256}"
    yield f"in {plan.folder}, {plan.seconds:g} s, isolation {plan.isolation}"
    for violation in plan.advice:
        yield f"note: {violation.message}"
