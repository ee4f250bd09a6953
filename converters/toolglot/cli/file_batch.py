"""One runner for every command: a task for each source, over several processes, and what became of each in order.

    files -> task (in a worker) -> Outcome -> what the command does with it -> Run.add -> messages, states, exit code

One bad file, a fault of ours, or a process that dies costs no other file anything.
Below stands what several commands begin with: to read all sources, one after the other in this process.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec
from msgspec.structs import replace

from toolglot.cli.exit_codes import Exit
from toolglot.cli.late_modules import line_sources, record_stream, row_files, writing
from toolglot.cli.opened_sources import (
    SourceFile,
    find_sources,
    is_one_of,
    is_unparsed,
    no_tools_error,
    open_source,
    why_other_file,
)
from toolglot.cli.options import SourceRequest
from toolglot.cli.progress import ProgressLine
from toolglot.cli.terminal import print_message
from toolglot.converter.conversion.pattern_use import Patterns, PatternUse
from toolglot.converter.conversion.reading import Reading
from toolglot.converter.file_search import STDIN
from toolglot.converter.files.existing_targets import refuse_foreign
from toolglot.converter.text.wording import count_noun, join_first
from toolglot.errors import Error, ReadError, reportable_error
from toolglot.verbs.diagnostics.diagnostic import Diagnostic, from_error
from toolglot.verbs.streams import workers

if TYPE_CHECKING:
    from toolglot.cli.line_sources import IsStream
    from toolglot.converter.files.row_files import WriteRows
    from toolglot.verbs.streams.json_lines import Part

PASSED_OVER, REFUSED = "passed over", "refused"  # states of every command; the others are a command's own
CONVERTED = "converted"  # of records too
READ = "read"

_IN_PROCESS = 48  # files that one process is done with before a second one has been made
_MOST_NOTED = 10  # a folder of prose says the same a hundred times
_MOST_NAMED = 3  # on one line
MOST_OF_RECORDS = 20  # messages about records of JSON Lines

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
        is_unparsed: whether it was passed over because it cannot be read, and not because it is something else; `None`
            where it was not, or for another reason.
        is_noted: whether people are told the reason without asking.
        pattern_use: which patterns of the user mean one of its tools, where there are some.
        faults: why some of its tools are left out.
        line: the number of its line, where it is a record of JSON Lines.
        id: what a record that is refused calls itself.
        is_part: whether it is of a chunk of JSON Lines.
    """

    state: str
    result: R | None = None
    source: str = ""
    problem: Diagnostic | None = None
    reason: str = ""
    exit_code: Exit = Exit.DONE
    is_unparsed: bool | None = None
    is_noted: bool = False
    pattern_use: PatternUse | None = None
    faults: Sequence[Diagnostic] = ()
    line: int | None = None
    id: str | None = None
    is_part: bool = False


Performed = tuple[S, list[Outcome[R]]]
"""A source, and its outcome or one for each of its lines."""

Task = Callable[[S], Outcome[R]]
"""What is done with a source in a worker: a function that can be pickled, and that may raise any `Error`."""


def refuse(error: Error, source: str) -> Outcome[Any]:
    """The outcome of a source that cannot be read, or whose result cannot be written."""
    error.source = error.source or source
    return Outcome(REFUSED, source=source, problem=from_error(error), exit_code=Exit.FAILED)


def refuse_lost(outcome: Outcome[R]) -> Outcome[R]:
    """A file that held a tool before: a missing comma must not take the tool away unseen."""
    if not outcome.reason:
        return outcome
    message = f"it held a tool before, and now {outcome.reason}"
    return refuse(Error(message, "no-tool-any-more"), outcome.source)


class Run:
    """A command at work: it carries out tasks, tells people what goes wrong, and counts.

    Args:
        request: the sources, and how much people want to hear.
        jobs: how many processes; `None` is one a core, and for a few files none but this one.
        counts_files: whether people are shown how many files are done.
        write_errors: takes a row for each source and each record that is refused, if anybody keeps them.

    Attributes:
        request, jobs, write_errors: as they were given.
        states: how many sources came to each state.
        record_states: how many records of JSON Lines did.
        exit_code: what the command ends with, the highest so far.
        pattern_use: which patterns of the user mean a tool of one of them.
        unparsed: sources that were passed over because they cannot be read.
        progress: the line that says how far it is.
    """

    def __init__(
        self,
        request: SourceRequest,
        jobs: int | None = 1,
        counts_files: bool = False,
        write_errors: WriteRows | None = None,
    ) -> None:
        self.states: Counter[str] = Counter()
        self.record_states: Counter[str] = Counter()
        self.exit_code: int = Exit.DONE
        self.pattern_use = PatternUse()
        self.request = request
        self.jobs = jobs
        self._counts_files = counts_files
        self._file_count = 0
        self.progress = ProgressLine(request.quiet)
        self.write_errors = write_errors
        self._streams: dict[str, str] = {}  # files of JSON Lines, and what they count as
        self._record_messages = 0
        self.unparsed: list[str] = []
        self._note_count = 0
        self._unshown_reasons: dict[str, list[str]] = defaultdict(list)  # and the sources of each

    def perform(
        self,
        task: Task[S, R],
        files: Iterable[S],
        prepare: Callable[[], None] | None = None,
        by_record: bool = False,
        of_chunk: Task[S, R] | None = None,
        is_stream: IsStream | None = None,
    ) -> Iterator[tuple[S, Outcome[R]]]:
        """Every file and what its task made of it, in the order of the files.

        Args:
            files: a list, or an iterator, which this process takes lazily.
            prepare: loads what every worker would load by itself; called once where there are several, before they
                are forked.
            by_record: whether the task is given each record of JSON Lines by itself; then there are as many outcomes
                of such a file.
            of_chunk: what is done with a chunk of such a file instead, where whole chunks are wanted.
            is_stream: which files are such; by default all that are called like JSON Lines.
        """
        if is_stream is None and (by_record or of_chunk is not None):
            is_stream = line_sources.is_lined
        number, jobs = 0, 1
        if isinstance(files, list):
            number, jobs = len(files), self._jobs_for(files, is_stream)
            self._file_count += number
        if jobs > 1 and prepare is not None:
            prepare()
        units, travelling = files, workers.CHUNK
        if is_stream is not None:
            units, travelling = line_sources.with_chunks(files, is_stream), 1
        perform = partial(_perform_unit, task=task, of_chunk=of_chunk)
        on_crash = partial(_refuse_deadly, perform=perform)
        results = workers.run(perform, units, jobs, on_crash, travelling, line_sources.divide)
        for _, parts in groupby(results, key=lambda result: result[0].path):
            for file, outcomes in parts:
                for outcome in outcomes:
                    yield file, outcome
            if self._counts_files and number > 1:
                self.progress.count(1, "files", self._file_count)

    def _jobs_for(self, files: list[S], is_stream: IsStream | None) -> int:
        """How many processes work on these files, of which some are streams."""
        for file in files:
            if file.path == STDIN and (is_stream is None or not is_stream(file)):
                return 1  # a worker has no stdin; chunks of it are read here
        if self.jobs:
            return self.jobs
        are_many = len(files) >= _IN_PROCESS
        if is_stream is not None:
            are_many = are_many or any(line_sources.has_several_chunks(file) for file in files)
        return workers.default_jobs() if are_many else 1

    def results(self, task: Task[S, R], files: Iterable[S], by_record: bool = False) -> Iterator[R]:
        """What the task makes of the files, as in `perform`; what becomes of each is counted and told."""
        for _, outcome in self.perform(task, files, by_record=by_record):
            self.add(outcome)
            if outcome.result is not None:
                yield outcome.result

    def add(self, outcome: Outcome[Any]) -> None:
        """Count an outcome; say why a source was refused or left alone."""
        self._count_state(outcome)
        if outcome.pattern_use is not None:
            self.pattern_use.merge(outcome.pattern_use)
        if outcome.line is not None:
            self._add_record(outcome)
            return
        self.fail(code=outcome.exit_code)
        for fault in outcome.faults:
            self.exit_code = Exit.FAILED
            print_message(str(fault))
        if outcome.is_unparsed:
            self.unparsed.append(outcome.source)
        self.keep_errors(_problems_of(outcome))
        if outcome.problem is not None:
            print_message(str(outcome.problem))
        elif outcome.reason:
            self._print_reason(outcome)

    def _add_record(self, outcome: Outcome[Any]) -> None:
        """Count a record, and say and keep why it is refused."""
        self.record_states[outcome.state] += 1
        problems = _problems_of(outcome)
        self.fail(code=Exit.FAILED if problems else outcome.exit_code)
        self.tell_of_records(problems, len(problems))
        self.keep_errors(problems, outcome.id)
        self.progress.count(1, "records")

    def _count_state(self, outcome: Outcome[Any]) -> None:
        """Count a file. One of JSON Lines counts once, as what its first part is that is not refused."""
        earlier = None
        if outcome.line is not None or outcome.is_part:
            earlier = self._streams.get(outcome.source)
            if earlier is not None and (earlier != REFUSED or outcome.state == REFUSED):
                return
            self._streams[outcome.source] = outcome.state
        self.states[outcome.state] += 1
        if earlier is not None:
            self.states -= Counter([earlier])

    def keep_errors(self, problems: Iterable[Diagnostic], identifier: str | None = None) -> None:
        """Keep why something is refused, if anybody wants all of it."""
        if self.write_errors is not None:
            self.write_errors([record_stream.error_row(problem, identifier) for problem in problems])

    def add_part(self, part: Part) -> None:
        """Say and keep why some records of a part of a stream are refused."""
        self.tell_of_records(part.tally.errors, part.tally.refused)
        self.pattern_use.merge(part.tally.pattern_use)
        if self.write_errors is not None:
            self.write_errors(part.errors)
        self.progress.count(part.tally.records, "records")

    def tell_of_records(self, diagnostics: Sequence[Diagnostic], number: int) -> None:
        """One line about each record, as long as they are among the first.

        Args:
            number: how many records there are to tell of.
        """
        for diagnostic in diagnostics[: max(MOST_OF_RECORDS - self._record_messages, 0)]:
            print_message(str(diagnostic).replace("Limits.max_bytes", "--max-size"))  # as the library calls it
        self._record_messages += number

    def tell_of_more_records(self) -> None:
        """How many records there were to tell of beside the first."""
        if self._record_messages > MOST_OF_RECORDS:
            rest = count_noun(self._record_messages - MOST_OF_RECORDS, "more error")
            advice = "; --errors FILE has all of them" if self.write_errors is None else ""
            print_message(f"and {rest}{advice}")

    def fail(self, text: str = "", code: int = Exit.NO) -> None:
        """Say what went wrong, or that the answer is no, and end with this exit code or a higher one."""
        if text:
            print_message(text)
        self.exit_code = max(self.exit_code, code)

    def tell(self, text: str) -> None:
        """One line for people, unless they want to hear of nothing but errors."""
        if not self.request.quiet:
            print_message(text)

    def finish(self, nothing: Error | None = None) -> None:
        """Say which files were passed over without a word: nobody should lose a tool and not know it.

        Args:
            nothing: what is wrong where there is no result; by default that no source was a tool description.

        Raises:
            Error: there is no result, and one has to be.
        """
        self.tell_of_more_records()
        if self._note_count > _MOST_NOTED:
            more = self._note_count - _MOST_NOTED
            print_message(f"and {more} more that are called like tool descriptions are passed over; -v names them")
        if self.unparsed and not self.request.verbose:
            files = count_noun(len(self.unparsed), "file")
            names = join_first(self.unparsed, _MOST_NAMED)
            print_message(f"{files} passed over as unreadable: {names}; -v says why")
        if self.found_nothing and not (self.request.quiet or self.request.skips_others):
            self._tell_reasons()
        if self.found_nothing and not self.request.skips_others:
            raise nothing or no_tools_error(self.request)

    def finish_reading(self) -> None:
        """As `finish`, of a command that goes on with what there is: that there is nothing is said, too."""
        try:
            self.finish()
        except ReadError as error:
            self.fail(str(from_error(error)), Exit.FAILED)

    @property
    def found_nothing(self) -> bool:
        """Whether no source was a tool description."""
        return self.states.total() == self.states[PASSED_OVER]

    def _print_reason(self, outcome: Outcome[Any]) -> None:
        """All reasons with `-v`, else the first of those that people are told without asking."""
        is_shown = self.request.verbose
        if outcome.is_noted and not (self.request.verbose or self.request.quiet):
            self._note_count += 1
            is_shown = self._note_count <= _MOST_NOTED
        if is_shown:
            print_message(f"{outcome.source}: {outcome.state}: {outcome.reason}")
        elif outcome.is_unparsed is False and not outcome.is_noted:
            self._unshown_reasons[outcome.reason].append(outcome.source)

    def _tell_reasons(self) -> None:
        """Why there is no result: what holds for most files, and of a single one its name."""
        reasons = sorted(self._unshown_reasons.items(), key=lambda item: -len(item[1]))
        for reason, names in reasons[:_MOST_NAMED]:
            which = f"{names[0]}:" if len(names) == 1 else f"{len(names)} files"
            print_message(f"{which} passed over: {reason}")


def _problems_of(outcome: Outcome[Any]) -> list[Diagnostic]:
    """Why something of a source is refused."""
    return [*outcome.faults, *filter(None, [outcome.problem])]


@contextmanager
def open_errors(path: str | None) -> Iterator[WriteRows | None]:
    """What takes a row for every source, and every record of JSON Lines, that is refused: the file of `--errors`.

    The file is there, and whole, when the block ends.

    Raises:
        UsageError: the name is none for rows, or something else is there already.
        WriteError: it cannot be written.
    """
    if path is None:
        yield None
        return
    row_files.check_row_file(path)
    refuse_foreign(path, "pointer")
    with (
        writing.open_atomically(path) as stream,
        row_files.rows_into(stream, path, record_stream.ERROR_COLUMNS) as write,
    ):
        yield write


def count_states(states: Counter[str], order: Iterable[str], planned: Collection[str] = (), noun: str = "file") -> str:
    """How many files, or other things, came to each state, or would.

    >>> count_states(Counter({"refused": 1, "converted": 2}), ("converted", "refused", "passed over"), ["converted"])
    '2 files would be converted, 1 file refused'
    """
    words = {state: f"would be {state}" for state in planned}
    return ", ".join(f"{count_noun(states[state], noun)} {words.get(state, state)}" for state in order if states[state])


def _perform_unit(file: S, task: Task[S, R], of_chunk: Task[S, R] | None) -> Performed[S, R]:
    """The file, without what was read of it, and its outcome, or one for each of the lines that are meant."""
    if file.chunk is None:
        return file, [_perform_task(file, task)]
    bare = replace(file, chunk=None)
    if of_chunk is not None:
        return bare, [_perform_task(file, of_chunk)]
    return bare, [_perform_task(line, task) for line in line_sources.lines_of(file)]


def _perform_task(file: S, task: Task[S, R]) -> Outcome[R]:
    """The outcome of one file, or of one line, in a worker."""
    try:
        return replace(task(file), source=file.name, line=file.line, is_part=file.chunk is not None)
    except Error as error:
        why_other = why_other_file(error, file)
        if why_other is None:
            return _refuse_file(error, file)
        return Outcome(
            PASSED_OVER,
            source=file.name,
            reason=why_other.message,
            is_unparsed=is_unparsed(why_other, file),
            is_noted=file.has_usual_name,
        )
    except Exception as error:
        return _refuse_file(reportable_error(error, "file" if file.line is None else "record"), file)


def _refuse_file(error: Error, file: SourceFile) -> Outcome[Any]:
    error.line = error.line or file.line
    outcome = refuse(error, file.name)
    if file.line is None:
        return outcome
    return replace(outcome, line=file.line, id=line_sources.id_of_line(file))


def _refuse_deadly(file: S, perform: Callable[[S], Performed[S, R]]) -> Performed[S, R]:
    """The outcome of a file, or of a line, whose worker died."""
    if file.chunk is None:
        return file, [refuse(workers.death(), file.name)]
    return perform(replace(file, chunk=file.chunk.lose()))


# -- what all sources say ----------------------------------------------------------------------------------------------


def read_sources(run: Run, results: Collection[str | None] = ()) -> list[Reading]:
    """What every source says, in order; what cannot be read is named on stderr.

    Args:
        results: files that the command writes; what an earlier run wrote is no source, unless it is named.
    """
    files = [file for file in find_sources(run.request) if file.is_named or not is_one_of(file.path, results)]
    return read_files(run, files)


def read_files(run: Run, files: Iterable[SourceFile]) -> list[Reading]:
    """What every file says, in order; what cannot be read is named on stderr."""
    readings = list(run.results(read_file, files))
    run.finish_reading()
    return readings


def print_unused(use: PatternUse, patterns: Patterns) -> None:
    """Warn, however quiet a run is to be, of patterns that mean no tool: what was to be left out is in the result."""
    for warning in use.warnings(patterns):
        print_message(f"warning: {warning}")


def read_file(file: SourceFile) -> Outcome[Reading]:
    """What one file, or one line, says, and why some of its tools are left out; in a worker."""
    reading = open_source(file).read()
    return Outcome(READ, reading, faults=list(map(from_error, reading.faults)))
