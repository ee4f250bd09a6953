"""`ask` of several programs, one after the other: what would run, and what they answered."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from toolglot.cli.file_batch import Outcome, Run
from toolglot.cli.file_search import SourceFile
from toolglot.cli.options import SourceRequest
from toolglot.cli.terminal import escape_controls, print_result
from toolglot.converter.text import serialization
from toolglot.runtime.inventory.program_store import Store
from toolglot.runtime.programs.allow_list import AllowList, read_allow_list
from toolglot.runtime.programs.ask import Question, ask
from toolglot.runtime.programs.isolation import plan_isolation
from toolglot.runtime.programs.processes import RunBounds
from toolglot.runtime.programs.resolution import OpenProgram, open_program


class AskOptions(NamedTuple):
    """What the options of `ask` say."""

    commands: tuple[str, ...]
    depth: int | None
    refresh: bool
    timeout: float
    isolation: str | None
    allow_list: str | None
    any_name: bool
    as_root: bool

    @property
    def question(self) -> Question:
        return Question(self.commands, self.depth)


_Work = Callable[[OpenProgram, AskOptions, Store, Run], str]
"""What is done with a program; what is printed of it."""


def ask_programs(names: tuple[str, ...], request: SourceRequest, may_run: bool, **values: Any) -> int:
    """Ask programs and print what they answer, or print what would run; the exit code.

    Args:
        values: the fields of `AskOptions`.
    """
    options = AskOptions(**values)
    run = Run(request)
    allow_list = read_allow_list(options.allow_list) if options.allow_list else {}
    work = _ask_one if may_run else _plan
    task = partial(_open, work=work, options=options, allow_list=allow_list, store=Store(), run=run)
    texts: list[str] = []
    for _, outcome in run.perform(task, [SourceFile(name, name, True, False) for name in names]):
        if outcome.result is not None:
            texts.append(outcome.result)
        run.add(outcome)
    if may_run and len(names) > 1:
        texts = [serialization.dump_json_lines([serialization.load(text).data for text in texts])]
    print_result("".join(texts))
    if texts and not may_run:
        run.tell("nothing was run; --run runs it")
    return run.exit_code


def _open(
    file: SourceFile, work: _Work, options: AskOptions, allow_list: AllowList, store: Store, run: Run
) -> Outcome[str]:
    with open_program(file.path, allow_list) as program:
        return Outcome("asked", work(program, options, store, run))


def _plan(program: OpenProgram, options: AskOptions, store: Store, run: Run) -> str:
    """What would run; nothing runs."""
    isolation = str(plan_isolation(options.isolation))
    if not options.isolation:
        isolation += " (if the system permits it)"
    bounds = RunBounds(options.timeout)
    facts = [f"sha256: {program.fingerprint.sha256}", f"would run: {' '.join((program.path, *options.question.words))}"]
    if program.interpreters:
        facts.append(f"by: {', '.join(program.interpreters)}")
    facts += [
        f"isolation: {isolation}",
        f"bounds: {bounds.seconds:g} s, {bounds.stdout >> 20} MiB of output, an empty folder, no variables of yours",
    ]
    if run.request.verbose:
        facts += [f"note: {note}" for note in program.notes]
    answer = store.find_answer(program.fingerprint, *options.question)
    if answer is not None and not options.refresh:
        facts.append(f"kept: it answered at {answer.provenance.time}, and would be asked again with --refresh only")
    return "".join(f"{escape_controls(line)}\n" for line in (program.path, *(f"  {fact}" for fact in facts)))


def _ask_one(program: OpenProgram, options: AskOptions, store: Store, run: Run) -> str:
    """What a program answers."""
    reply = ask(
        program,
        options.question,
        store=store,
        bounds=RunBounds(options.timeout),
        isolation=options.isolation,
        refresh=options.refresh,
        any_name=options.any_name,
        as_root=options.as_root,
    )
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
