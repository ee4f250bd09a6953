"""`ask` of several programs, one after the other: what would run, and what they answered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from toolglot.cli.exit_codes import Exit
from toolglot.cli.terminal import escape_controls, print_message, print_result
from toolglot.converter.text import serialization
from toolglot.errors import Error
from toolglot.runtime.inventory.program_store import Answer, Store
from toolglot.runtime.programs.allow_list import AllowList, read_allow_list
from toolglot.runtime.programs.ask import Question, Reply, ask
from toolglot.runtime.programs.isolation import plan_isolation
from toolglot.runtime.programs.processes import RunBounds
from toolglot.runtime.programs.resolution import OpenProgram, open_program
from toolglot.verbs.diagnostics.diagnostic import from_error


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
    quiet: bool
    verbose: bool

    @property
    def question(self) -> Question:
        return Question(self.commands, self.depth)

    def read_allow_list(self) -> AllowList:
        return read_allow_list(self.allow_list) if self.allow_list else {}


def print_plans(names: Sequence[str], options: AskOptions) -> int:
    """Print what would run; the exit code. Nothing runs."""
    store = Store()
    planned_paths: list[str] = []

    def print_plan(program: OpenProgram) -> None:
        lines = map(escape_controls, _plan_lines(program, options, store))
        print_result("".join(f"{line}\n" for line in lines))
        planned_paths.append(program.path)

    code = _for_each(names, options, print_plan)
    if planned_paths and not options.quiet:
        print_message("nothing was run; --run runs it")
    return code


def _plan_lines(program: OpenProgram, options: AskOptions, store: Store) -> Iterator[str]:
    yield f"{program.path}"
    yield f"  sha256: {program.fingerprint.sha256}"
    yield f"  would run: {' '.join((program.path, *options.question.words))}"
    if program.interpreters:
        yield f"  by: {', '.join(program.interpreters)}"
    if_permitted = "" if options.isolation else " (if the system permits it)"
    yield f"  isolation: {plan_isolation(options.isolation)}{if_permitted}"
    bounds = RunBounds(options.timeout)
    yield f"  bounds: {bounds.seconds:g} s, {bounds.stdout >> 20} MiB of output, an empty folder, no variables of yours"
    if options.verbose:
        for note in program.notes:
            yield f"  note: {note}"
    answer = store.find_answer(program.fingerprint, *options.question)
    if answer is not None and not options.refresh:
        yield f"  kept: it answered at {answer.provenance.time}, and would be asked again with --refresh only"


def ask_programs(names: Sequence[str], options: AskOptions) -> int:
    """Ask programs, and print what they answer; the exit code."""
    replies: list[Reply] = []
    store = Store()
    bounds = RunBounds(options.timeout)

    def ask_one(program: OpenProgram) -> None:
        reply = ask(
            program,
            options.question,
            store=store,
            bounds=bounds,
            isolation=options.isolation,
            refresh=options.refresh,
            any_name=options.any_name,
            as_root=options.as_root,
        )
        replies.append(reply)
        if not options.quiet:
            for line in _reply_lines(program, reply, options.verbose):
                print_message(line)

    code = _for_each(names, options, ask_one)
    if len(names) == 1:
        print_result("".join(reply.text for reply in replies))
    else:
        print_result(serialization.dump_json_lines([serialization.load(reply.text).data for reply in replies]))
    return code


def _reply_lines(program: OpenProgram, reply: Reply, verbose: bool) -> Iterator[str]:
    answer = reply.answer
    yield f"{program.path}: {_describe_answer(answer, reply.is_kept)}"
    if reply.tool.discovery is not None:
        yield f"{program.path}: this is a part of what it can do"
    for warning in reply.warnings:
        yield f"{program.path}: {warning}"
    if verbose:
        for note in program.notes:
            yield f"{program.path}: {note}"


def _describe_answer(answer: Answer, is_kept: bool) -> str:
    provenance = answer.provenance
    if is_kept:
        return f"it answered at {provenance.time}; --refresh asks again"
    return f"ran {' '.join(provenance.argv)} (isolation: {provenance.isolation})"


def _for_each(names: Sequence[str], options: AskOptions, work: Callable[[OpenProgram], None]) -> int:
    """Do something with each program; what fails is named, and hides no other."""
    allow_list = options.read_allow_list()
    code = Exit.DONE
    for name in names:
        try:
            with open_program(name, allow_list) as program:
                work(program)
        except Error as error:
            error.source = error.source or name
            print_message(str(from_error(error)))
            code = Exit.FAILED
    return code
