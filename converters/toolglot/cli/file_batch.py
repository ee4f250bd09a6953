"""One runner for every command: a task for each source, over several processes, and what became of each in order.

    files -> task (in a worker) -> Outcome -> what the command does with it -> Run.add -> messages, states, exit code

One bad file, a fault of ours, or a process that dies costs no other file anything.
Below stands what several commands begin with: to read all sources, one after the other in this process.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import tee
from typing import Any, Generic, TypeVar

import msgspec

from toolglot.cli.exit_codes import Exit
from toolglot.cli.file_search import STDIN, SourceFile
from toolglot.cli.options import SourceRequest
from toolglot.cli.progress import ProgressBar, show_progress
from toolglot.cli.source_files import (
    find_sources,
    is_one_of,
    is_unparsed,
    no_tools_error,
    open_source,
    source_name,
    why_other_file,
)
from toolglot.cli.terminal import count_noun, describe_internal_error, print_message
from toolglot.converter.conversion.pattern_use import Patterns, PatternUse
from toolglot.converter.conversion.reading import Reading
from toolglot.converter.conversion.sources import read_document
from toolglot.converter.hub.model import Tool
from toolglot.errors import Error, ReadError
from toolglot.verbs.diagnostics.diagnostic import Diagnostic, from_error
from toolglot.verbs.streams import workers

PASSED_OVER, REFUSED = "passed over", "refused"  # states of every command; the others are a command's own

_IN_PROCESS = 48  # files that one process is done with before a second one has been made
_MOST_NOTED = 10  # a folder of prose says the same a hundred times
_MOST_NAMED = 3  # on one line

R = TypeVar("R")
S = TypeVar("S", bound=SourceFile)


class Outcome(msgspec.Struct, Generic[R], frozen=True):
    """What became of one source.

    Attributes:
        state: a word of the command such as `converted`, or `refused` or `passed over`.
        result: what the task made of it, if anything.
        source: its name in messages; the runner fills it in.
        problem: why it was refused.
        reason: why it was left alone, where that is not plain.
        exit_code: what it means for the run.
        is_unparsed: whether it was passed over because nothing could be parsed.
        is_other: whether it was passed over because it is something else.
        is_noted: whether people are told the reason without asking.
        pattern_use: which patterns of the user mean one of its tools, where there are some.
        faults: why some of its tools are left out.
    """

    state: str
    result: R | None = None
    source: str = ""
    problem: Diagnostic | None = None
    reason: str = ""
    exit_code: Exit = Exit.DONE
    is_unparsed: bool = False
    is_other: bool = False
    is_noted: bool = False
    pattern_use: PatternUse | None = None
    faults: Sequence[Diagnostic] = ()


Task = Callable[[S], Outcome[R]]
"""What is done with a source in a worker: a function that can be pickled, and that may raise any `Error`."""


def refuse(error: Error, source: str) -> Outcome[Any]:
    """The outcome of a source that cannot be read, or whose result cannot be written."""
    error.source = error.source or source
    return Outcome(REFUSED, source=source, problem=from_error(error), exit_code=Exit.FAILED)


class Run:
    """A command at work: it carries out tasks, tells people what goes wrong, and counts.

    Args:
        request: the sources, and how much people want to hear.
        jobs: how many processes; `None` is one a core, and for a few files none but this one.
        has_bar: whether a bar shows how far the run is.

    Attributes:
        request: as it was given.
        states: how many sources came to each state.
        exit_code: what the command ends with, the highest so far.
        pattern_use: which patterns of the user mean a tool of one of them.
        unparsed: sources that were passed over because nothing could be parsed.
    """

    def __init__(self, request: SourceRequest, jobs: int | None = 1, has_bar: bool = False) -> None:
        self.states: Counter[str] = Counter()
        self.exit_code: int = Exit.DONE
        self.pattern_use = PatternUse()
        self.request = request
        self._jobs = jobs
        self._has_bar = has_bar and not request.quiet
        self._bar = ProgressBar(None)
        self.unparsed: list[str] = []
        self._note_count = 0
        self._unshown_reasons: Counter[str] = Counter()

    def perform(
        self, task: Task[S, R], files: Iterable[S], prepare: Callable[[], None] | None = None
    ) -> Iterator[tuple[S, Outcome[R]]]:
        """Every file and what its task made of it, in the order of the files.

        Args:
            files: a list, or an iterator, which this process takes lazily.
            prepare: loads what every worker would load by itself; called once where there are several, before they
                are forked.
        """
        number, jobs = 0, 1
        if isinstance(files, list):
            number = len(files)
            if all(file.path != STDIN for file in files):  # which a worker does not have
                jobs = self._jobs or (1 if number < _IN_PROCESS else workers.default_jobs())
        if jobs > 1 and prepare is not None:
            prepare()
        files, sources = tee(files)
        outcomes = workers.run(
            partial(_perform_task, task=task, request=self.request),
            sources,
            jobs,
            partial(_refuse_deadly, request=self.request),
        )
        with show_progress(number, self._has_bar) as self._bar:
            for file, outcome in zip(files, outcomes, strict=True):
                yield file, outcome
                self._bar.advance()
        self._bar = ProgressBar(None)

    def add(self, outcome: Outcome[Any]) -> None:
        """Count an outcome; say why a source was refused or left alone."""
        self.states[outcome.state] += 1
        self.fail(code=outcome.exit_code)
        if outcome.pattern_use is not None:
            self.pattern_use.merge(outcome.pattern_use)
        for fault in outcome.faults:
            self.exit_code = Exit.FAILED
            self.print_message(str(fault))
        if outcome.is_unparsed:
            self.unparsed.append(outcome.source)
        if outcome.problem is not None:
            self.print_message(str(outcome.problem))
        elif outcome.reason:
            self._print_reason(outcome)

    def fail(self, text: str = "", code: int = Exit.NO) -> None:
        """Say what went wrong, or that the answer is no, and end with this exit code or a higher one."""
        if text:
            self.print_message(text)
        self.exit_code = max(self.exit_code, code)

    def tell(self, text: str) -> None:
        """One line for people, unless they want to hear of nothing but errors."""
        if not self.request.quiet:
            self.print_message(text)

    def finish(self, nothing: Error | None = None) -> None:
        """Say which files were passed over without a word: nobody should lose a tool and not know it.

        Args:
            nothing: what is wrong where there is no result; by default that no source was a tool description.

        Raises:
            Error: there is no result, and one has to be.
        """
        if self._note_count > _MOST_NOTED:
            more = self._note_count - _MOST_NOTED
            print_message(f"and {more} more that are called like tool descriptions are passed over; -v names them")
        if self.unparsed and not self.request.verbose:
            files = count_noun(len(self.unparsed), "file")
            names = ", ".join(self.unparsed[:_MOST_NAMED])
            if len(self.unparsed) > _MOST_NAMED:
                names += ", ..."
            print_message(f"{files} passed over because nothing could be parsed: {names}; -v says why")
        if self.found_nothing and self._unshown_reasons and not (self.request.quiet or self.request.skips_others):
            [(reason, number)] = self._unshown_reasons.most_common(1)
            print_message(f"{count_noun(number, 'file')} passed over: {reason}")
        if self.found_nothing and not self.request.skips_others:
            raise nothing or no_tools_error(self.request)

    @property
    def found_nothing(self) -> bool:
        """Whether no source was a tool description."""
        return self.states.total() == self.states[PASSED_OVER]

    def print_message(self, text: str) -> None:
        """One line for people, which does not run into the bar."""
        self._bar.print_message(text)

    def _print_reason(self, outcome: Outcome[Any]) -> None:
        """All reasons with `-v`, else the first of those that people are told without asking."""
        is_shown = self.request.verbose
        if outcome.is_noted and not (self.request.verbose or self.request.quiet):
            self._note_count += 1
            is_shown = self._note_count <= _MOST_NOTED
        if is_shown:
            self.print_message(f"{outcome.source}: {outcome.state}: {outcome.reason}")
        elif outcome.is_other and not outcome.is_noted:
            self._unshown_reasons[outcome.reason] += 1


def count_states(states: Counter[str], order: Iterable[str], planned: Collection[str] = ()) -> str:
    """How many files came to each state, or would.

    >>> count_states(Counter({"refused": 1, "converted": 2}), ("converted", "refused", "passed over"), ["converted"])
    '2 files would be converted, 1 file refused'
    """
    words = {state: f"would be {state}" for state in planned}
    return ", ".join(
        f"{count_noun(states[state], 'file')} {words.get(state, state)}" for state in order if states[state]
    )


def _perform_task(file: S, task: Task[S, R], request: SourceRequest) -> Outcome[R]:
    """The outcome of one file, in a worker."""
    name = source_name(file.path, request)
    try:
        return msgspec.structs.replace(task(file), source=name)
    except Error as error:
        why_other = why_other_file(error, file, request)
        if why_other is None:
            return refuse(error, name)
        return Outcome(
            PASSED_OVER,
            source=name,
            reason=why_other.message,
            is_unparsed=is_unparsed(why_other, file),
            is_other=not is_unparsed(why_other, file),
            is_noted=file.has_usual_name,
        )
    except Exception as error:
        message = f"{describe_internal_error(error)}; please report it with the file"
        return refuse(Error(message, "internal-error"), name)


def _refuse_deadly(file: SourceFile, request: SourceRequest) -> Outcome[Any]:
    """The outcome of a file whose worker died."""
    message = "the process that read it was killed or ran out of memory; look at it alone, or lower --max-size"
    return refuse(Error(message, "worker-died"), source_name(file.path, request))


# -- what all sources say ----------------------------------------------------------------------------------------------


def read_tools(request: SourceRequest) -> tuple[list[Tool], int]:
    """Every tool of the sources, in order, and the exit code so far; what cannot be read is named on stderr."""
    run, readings = read_sources(request)
    return [tool for reading in readings for tool in reading.tools], run.exit_code


def read_sources(request: SourceRequest, results: Collection[str] = ()) -> tuple[Run, list[Reading]]:
    """What every source says, in order; what cannot be read is named on stderr.

    Args:
        results: files that the command writes; what an earlier run wrote is no source, unless it is named.
    """
    run = Run(request)
    files = [file for file in find_sources(request) if file.is_named or not is_one_of(file.path, results)]
    return run, read_files(run, files)


def read_files(run: Run, files: Iterable[SourceFile]) -> list[Reading]:
    """What every file says, in order; what cannot be read is named on stderr."""
    readings: list[Reading] = []
    for _, outcome in run.perform(partial(_read_file, request=run.request), files):
        if outcome.result is not None:
            readings.append(outcome.result)
        run.add(outcome)
    try:
        run.finish()
    except ReadError as error:
        run.fail(str(from_error(error)), Exit.FAILED)
    return readings


def print_unused(use: PatternUse, patterns: Patterns) -> None:
    """Warn, however quiet a run is to be, of patterns that mean no tool: what was to be left out is in the result."""
    for warning in use.warnings(patterns):
        print_message(f"warning: {warning}")


def _read_file(file: SourceFile, request: SourceRequest) -> Outcome[Reading]:
    source = open_source(file, request)
    reading = read_document(source.document, source.format.name, goes_on=True)
    return Outcome("read", reading, faults=list(map(from_error, reading.faults)))
