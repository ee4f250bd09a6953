"""`ask`: several programs, one after the other; what would run, or what they answer."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from toolglot.cli.file_batch import Outcome, Run
from toolglot.cli.opened_sources import SourceFile
from toolglot.cli.options import SourceRequest
from toolglot.cli.terminal import print_result
from toolglot.converter.text import document_reader, serialization
from toolglot.errors import escape_unseen
from toolglot.runtime.agent.requests import PartRequest
from toolglot.runtime.inventory.kept_answers import Store
from toolglot.runtime.programs.allow_list import AllowList, read_allow_list
from toolglot.runtime.programs.ask import ask
from toolglot.runtime.programs.isolation import plan_isolation
from toolglot.runtime.programs.processes import RunBounds
from toolglot.runtime.programs.resolution import OpenProgram, open_program


def ask_programs(
    program: tuple[str, ...],
    request: SourceRequest,
    may_run: bool,
    commands: tuple[str, ...],
    depth: int | None,
    timeout: float,
    allow_list: str | None,
    **rest: Any,
) -> int:
    """Ask programs and print their answers, or print what would run; gives the exit code.

    Args:
        program: paths or names of programs.
        rest: the other arguments of `programs.ask.ask`.
    """
    run = Run(request)
    work = partial(
        _ask_one if may_run else _plan,
        run=run,
        question=PartRequest(commands, depth),
        bounds=RunBounds(timeout),
        store=Store(),
        **rest,
    )
    task = partial(_open, work=work, allow_list=read_allow_list(allow_list) if allow_list else {})
    texts = list(run.results(task, [SourceFile(name, name, True, False, request=request) for name in program]))
    if may_run and len(program) > 1:
        texts = [serialization.dump_json_lines([document_reader.load(text).data for text in texts])]
    print_result("".join(texts))
    if texts and not may_run:
        run.tell("nothing was run; --run runs it")
    return run.exit_code


def _open(file: SourceFile, work: Callable[[OpenProgram], str], allow_list: AllowList) -> Outcome[str]:
    with open_program(file.path, allow_list) as program:
        return Outcome("asked", work(program))


def _plan(
    program: OpenProgram,
    run: Run,
    question: PartRequest,
    bounds: RunBounds,
    store: Store,
    isolation: str | None,
    refresh: bool,
    **_: Any,
) -> str:
    """The text about what would run."""
    plan = str(plan_isolation(isolation))
    if not isolation:
        plan += " (if the system permits it)"
    facts = [f"sha256: {program.fingerprint.sha256}", f"would run: {' '.join((program.path, *question.words))}"]
    if program.interpreters:
        facts.append(f"by: {', '.join(program.interpreters)}")
    facts += [
        f"isolation: {plan}",
        f"bounds: {bounds.seconds:g} s, {bounds.stdout >> 20} MiB of output, an empty folder, no variables of yours",
    ]
    if run.request.verbose:
        facts += [f"note: {note}" for note in program.notes]
    answer = store.find_answer(program.fingerprint, *question)
    if answer is not None and not refresh:
        facts.append(f"kept: it answered at {answer.provenance.time}, and would be asked again with --refresh only")
    return "".join(f"{escape_unseen(line)}\n" for line in (program.path, *(f"  {fact}" for fact in facts)))


def _ask_one(program: OpenProgram, run: Run, question: PartRequest, **rest: Any) -> str:
    """The answer of a program."""
    reply = ask(program, question, **rest)
    provenance = reply.answer.provenance
    facts = [f"ran {' '.join(provenance.argv)} (isolation: {provenance.isolation})"]
    if reply.is_kept:
        facts = [f"it answered at {provenance.time}; --refresh asks again"]
    if reply.tool.discovery is not None:
        facts.append("this is a part of what it can do")
    facts += reply.warnings
    if run.request.verbose:
        facts += program.notes
    for fact in facts:
        run.tell(f"{program.path}: {fact}")
    return reply.text
