"""`run` of one call: what would run is shown, somebody allows it, and the result is printed."""

from __future__ import annotations

from functools import partial
from typing import Any

from toolglot.cli.commands.approval_in_terminal import confirm_run
from toolglot.cli.commands.print_argv import find_leaf, read_document_of_call
from toolglot.cli.exit_codes import Exit
from toolglot.cli.option_types import parse_object
from toolglot.cli.options import refuse_shared_stdin
from toolglot.cli.terminal import print_messages, print_result
from toolglot.converter.text.digests import sha256_of
from toolglot.converter.text.serialization import dump_json
from toolglot.errors import ToolFailure
from toolglot.runtime.bridge.naming import exposed
from toolglot.runtime.bridge.program_calls import run
from toolglot.runtime.programs.allow_list import read_allow_list


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
        bounds: what `program_calls.run` takes beside these.
    """
    refuse_shared_stdin(src, arguments, host, policy)
    reading, code = read_document_of_call(src, format_name, restore, quiet)
    if reading is None or code:
        return code
    sha256 = sha256_of(reading.document.file_content)
    try:
        result = run(
            find_leaf(exposed(reading.tools), tool),
            parse_object(arguments, "ARGS-JSON"),
            confirm=partial(confirm_run, document=sha256, yes=yes, trust=trust, quiet=quiet),
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
