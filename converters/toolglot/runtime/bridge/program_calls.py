"""Carries out a call with its program: validated, confirmed by somebody, run within bounds, its result filtered.

A description says how a program is called, never which file it is. Whoever runs it names the file, which has to obey
the rules of `programs.resolution`. Nothing runs before `confirm` agreed, and `confirm` is shown exactly what will run.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from threading import Event
from typing import Any, NamedTuple

from toolglot.converter.hub.model import Leaf, Tool
from toolglot.converter.hub.trees import with_hidden_options
from toolglot.converter.safety import UNSAFE
from toolglot.converter.safety.caution_before_calls import levels_with_cost
from toolglot.converter.safety.reasons_to_ask import ApprovalQuestion
from toolglot.converter.text.pointers import texts_at
from toolglot.converter.text.wording import data_of_text, join_names
from toolglot.errors import TO_RESTORE, ProgramError, ToolFailure, UsageError
from toolglot.option_checks import read_path, read_texts, require_flag, require_function, require_seconds
from toolglot.runtime.bridge.approval import questions_about, reasons_of
from toolglot.runtime.bridge.command_line.argv import argv
from toolglot.runtime.bridge.command_line.given_arguments import bindings_on_line
from toolglot.runtime.bridge.naming import NamedCommand, only_leaf
from toolglot.runtime.bridge.policy import Policy
from toolglot.runtime.bridge.result_filter import ResultFilter
from toolglot.runtime.bridge.validator import Validator
from toolglot.runtime.bridge.violations import Violation, refuse_violations
from toolglot.runtime.programs.allow_list import AllowList
from toolglot.runtime.programs.environment import closed_environment, private_folder
from toolglot.runtime.programs.isolation import NONE, Isolation, choose_isolation, run_isolated
from toolglot.runtime.programs.processes import RunBounds, RunOutcome
from toolglot.runtime.programs.resolution import HINT_OF_NAME, OpenProgram, open_program, refuse_root

DEFAULT_SECONDS = 30.0
"""How long a call may last that says nothing about it."""
LONGEST_SECONDS = 3600.0
"""How long it may last at most, whatever its description says."""

_YES = frozenset({"--yes", "--assume-yes", "-y"})  # flags that answer what a program asks, where a caller gives them

_ABOUT_SHELLS = "SHELL_METACHARACTERS"  # advice for hosts that have one


class PlannedRun(NamedTuple):
    """What is about to run, for `confirm`.

    Attributes:
        leaf: the command.
        program: the file that runs, with its hash.
        vector: the argument vector; its first word is the path of the file.
        questions: the questions for a person; empty where nobody has to be asked.
        advice: violations that do not stop the call, but that whoever confirms it should know.
        seconds: the longest time that it may take.
        isolation: what the program is kept from.
        environment: the environment variables of the program.
        folder: the folder in which it runs.
    """

    leaf: Leaf
    program: OpenProgram
    vector: tuple[str, ...]
    questions: tuple[ApprovalQuestion, ...]
    advice: tuple[Violation, ...]
    seconds: float
    isolation: Isolation
    environment: Mapping[str, str]
    folder: str

    @property
    def reasons(self) -> tuple[str, ...]:
        """The reasons for which a person has to be asked."""
        return reasons_of(self.questions)


class RunResult(NamedTuple):
    """The result of a call.

    Attributes:
        value: the output of the program without secrets: data, if it is JSON, else text.
        stderr: the error output, without secrets.
    """

    value: Any
    stderr: str


def run(
    tool: Tool | NamedCommand,
    arguments: Mapping[str, Any],
    *,
    confirm: Callable[[PlannedRun], object],
    program: str | os.PathLike[str] | None = None,
    allow_list: AllowList | None = None,
    policy: Policy | Mapping[str, Any] | Validator | None = None,
    strict: bool = False,
    root: str | os.PathLike[str] | None = None,
    host: Mapping[str, Any] | None = None,
    folder: str | os.PathLike[str] | None = None,
    variables: Iterable[str] = (),
    seconds: float | None = None,
    isolation: str = NONE.name,
    result_filter: ResultFilter | None = None,
    any_name: bool = False,
    as_root: bool = False,
    stop: Event | None = None,
) -> RunResult:
    """Carry out a call with the program that it is for. No shell is involved.

    Args:
        tool, arguments, host: as in `argv`.
        confirm: called last, with what is about to run; only `True` runs it. Where `reasons` is not empty, a person has
            to be asked.
        program: the absolute path of the program. `None`: its name is looked up in the allow list.
        allow_list: names of programs with their paths and hashes; see `programs.allow_list`.
        policy, strict, root: as in `Validator`; `policy` may also be a `Validator` that knows the tool.
        folder: the folder in which the program runs; default: the current one.
        variables: names of environment variables that it gets beside `PATH`, `LANG`, `HOME` and `TMPDIR`.
        seconds: the longest time that it may take; default: the timeout in the description, else 30 s.
        isolation: what it is kept from, one of `programs.isolation.NAMES`; default: nothing, because its effects are
            what it was called for.
        result_filter: the filter for the result; the default takes out secrets and cuts at 100,000 characters.
        any_name: whether the file may have another name than the description says.
        as_root: whether it may run as root.
        stop: an event of another thread that kills the program, or keeps it from starting.

    Raises:
        ToolFailure: it did not run, or failed, with AIP-14's codes: `input_invalid`, `input_unsupported` (it waits for
            a person), `policy_violation`, `cancelled` (not confirmed, or stopped), `timeout`, `upstream_error`.
        ProgramError: the program may not be run.
        ArgumentError, UsageError: as for `argv` and `Validator`.

    >>> from toolglot.converter.hub.model import Binding
    >>> inputs = {"type": "object", "properties": {"path": {"type": "string"}}}
    >>> tool = Tool(id="basename", inputs=inputs, bindings={"path": Binding(kind="argument")}, origin="atip")
    >>> run(tool, {"path": "/a/b"}, program="/usr/bin/basename", confirm=lambda plan: True, as_root=True).value
    'b\\n'
    """
    require_function("confirm", confirm)
    require_flag("any_name", any_name)
    require_flag("as_root", as_root)
    leaf = only_leaf(tool)
    if isinstance(arguments, Mapping):  # what else a model sent is judged as it came
        arguments = dict(arguments)
    _refuse_unfit(leaf, arguments if isinstance(arguments, dict) else {}, host)
    if isinstance(policy, Validator):
        validator = policy
    else:
        # Whoever writes a call of a program may use all of its options.
        validator = Validator({"tool": with_hidden_options(leaf)}, policy, strict, root=root)
    verdict = validator.validate(leaf.path, arguments)
    refuse_violations(verdict)
    name, *words = argv(leaf, arguments, host=host)
    if program is None:
        program = name
    if folder is None:
        folder = os.curdir
    if result_filter is None:
        result_filter = ResultFilter()
    with ExitStack() as stack:
        program_file = stack.enter_context(open_program(read_path("program", program), allow_list))
        if not any_name and (names := program_file.other_names(name)):
            message = f"the description is about {name!r}, and this is {names}"
            raise ProgramError(message, "program-other-name", source=program_file.path, hint=HINT_OF_NAME)
        refuse_root(as_root)
        scratch = stack.enter_context(private_folder())
        plan = PlannedRun(
            leaf=leaf,
            program=program_file,
            vector=(program_file.path, *words),
            questions=questions_about(leaf.tool, validator.policy),
            advice=tuple(advice for advice in verdict.advice if advice.code != _ABOUT_SHELLS),
            seconds=_seconds(leaf.tool, seconds),
            isolation=choose_isolation(isolation),
            environment=_environment(variables, scratch),
            folder=os.path.realpath(read_path("folder", folder)),
        )
        if confirm(plan) is not True:
            raise ToolFailure("this was not confirmed", "cancelled")
        program_file.verify()  # somebody may have taken their time
        if stop is not None and stop.is_set():
            raise _stop_failure()
        bounds = RunBounds(plan.seconds, strict=False)
        folders = (plan.folder, scratch)
        outcome = run_isolated(plan.isolation, program_file, plan.vector, folders, plan.environment, bounds, stop)
    return _result(outcome, bounds, result_filter)


def _refuse_unfit(leaf: Leaf, arguments: Mapping[str, Any], host: Mapping[str, Any] | None) -> None:
    """Refuse a call that no program can carry out.

    Raises:
        ToolFailure: nobody wrote its command line, or the program waits for a person. We neither answer nor add an
            option that answers everything with yes, because that would decide in place of the person; a caller may.
    """
    tool = leaf.tool
    if tool.is_invented:
        message = f"its command line was made up by a conversion; {TO_RESTORE}, or describe the program that it is for"
        raise ToolFailure(message, "no_route", False)
    if levels_with_cost(tool)["interactive"] == UNSAFE and not _answers(leaf, {**(host or {}), **arguments}):
        message = "it waits for a person (it asks questions, needs a terminal, or reads standard input)"
        if asked := _asked_for(leaf):
            message += f"; of a call that gives {join_names(asked)} it asks nothing"
        raise ToolFailure(message, "input_unsupported", False)


def _answers(leaf: Leaf, arguments: Mapping[str, Any]) -> bool:
    """Whether a call gives all that the command could ask for, so that it runs with standard input closed.

    Where the description does not say what the command asks for, the call has to give every parameter, or a flag that
    answers with yes.
    """
    tool = leaf.tool
    if tool.tty or tool.stdin == "required" or not (tool.prompts or tool.stdin == "password"):
        return False
    given: set[str] = set()
    for key, binding in bindings_on_line(tool, arguments).items():
        given.update((binding.name or key, *(binding.flags or ())))
    asked = _asked_for(leaf) or [binding.name or key for key, binding in (tool.bindings or {}).items()]
    return (bool(asked) and given.issuperset(asked)) or not given.isdisjoint(_YES)


def _asked_for(leaf: Leaf) -> list[str]:
    """The parameters that a program asks for where a call leaves them out."""
    nodes = [leaf.tool, *leaf.ancestors]
    return sorted({name for node in nodes for name in texts_at(node.syntax or {}, "asks_for")})


def _seconds(tool: Tool, seconds: float | None) -> float:
    """The longest time that a call may take, in seconds.

    Raises:
        UsageError: the given value is no time, or more than an hour.
    """
    if seconds is not None:
        require_seconds("seconds", seconds, LONGEST_SECONDS)
        return seconds
    if tool.timeout_ms:
        return min(tool.timeout_ms / 1000, LONGEST_SECONDS)
    return DEFAULT_SECONDS


def _environment(variables: Iterable[str], scratch: str) -> dict[str, str]:
    """The environment variables of a program: of ours only a few, and those that the caller names.

    Raises:
        UsageError: a named variable is not set.
    """
    environment = {**closed_environment(scratch), "HOME": os.path.expanduser("~")}
    own = dict(os.environ)
    for name in read_texts("variables", variables, "GH_TOKEN"):
        if name not in own:
            raise UsageError(f"there is no environment variable {name}", code="unknown-variable")
        environment[name] = own[name]
    return environment


def _result(outcome: RunOutcome, bounds: RunBounds, result_filter: ResultFilter) -> RunResult:
    """The result of a program that ended well.

    Raises:
        ToolFailure: it did not end well.
    """
    stderr = result_filter.filter(outcome.stderr.decode("utf-8", "replace"))
    cause = stderr.strip() or None
    if outcome.end == "timeout":
        raise ToolFailure(f"it did not end within {bounds.seconds:g} s and was killed", "timeout", True, cause)
    if outcome.end == "stop":
        raise _stop_failure(cause)
    if outcome.end == "flood":
        raise ToolFailure(f"it printed more than {bounds.stdout} bytes and was killed", "upstream_error", None, cause)
    if outcome.code:
        if outcome.code > 0:
            ending = f"ended with exit code {outcome.code}"
        else:
            ending = f"was ended by signal {-outcome.code}"
        raise ToolFailure(f"the program {ending}", "upstream_error", None, cause)
    text = result_filter.filter(outcome.stdout.decode("utf-8", "replace"))
    is_list_or_object = text.lstrip()[:1] in ("{", "[")  # a number or a word is a text to whoever printed it
    return RunResult(data_of_text(text) if is_list_or_object else text, stderr)


def _stop_failure(cause: str | None = None) -> ToolFailure:
    return ToolFailure("it was stopped", "cancelled", None, cause)
