"""`PROGRAM --agent`: a program describes itself.

Nobody has reserved the option. Most programs that have an `--agent` mean something else by it, and some act on it. So a
program is asked only where somebody named it and said that it may run. It is asked once, and no other option is tried.
Its answer is untrusted: it may be late or endless, or claim to be another program.
"""

from __future__ import annotations

import codecs
import signal
from typing import NamedTuple

from toolglot.converter.conversion.sources import read_document
from toolglot.converter.formats.detection import detect
from toolglot.converter.hub.model import Tool
from toolglot.converter.text import document_reader, serialization
from toolglot.converter.text.document_reader import Document
from toolglot.converter.text.pointers import mapping_at
from toolglot.errors import Error, ParseError, ProgramError, UsageError, escape_unseen
from toolglot.option_checks import require_seconds
from toolglot.runtime.agent.requests import WHOLE, PartRequest
from toolglot.runtime.inventory.kept_answers import Answer, Provenance, Store, current_time
from toolglot.runtime.programs.environment import closed_environment, private_folder
from toolglot.runtime.programs.isolation import choose_isolation, run_isolated
from toolglot.runtime.programs.processes import RunBounds, RunOutcome
from toolglot.runtime.programs.resolution import HINT_OF_NAME, OpenProgram, refuse_root

LONGEST_SECONDS = 10.0
"""The most time that a program may be given."""

_MOST_SHOWN = 500  # characters of stderr in a message


BOUNDS = RunBounds()


class Reply(NamedTuple):
    """What a program answered.

    Attributes:
        tool: the program as it describes itself; a part of it is marked as one.
        text: the same description as JSON text.
        answer: the record of the answer in our state.
        is_kept: whether the answer is from an earlier run, so that nothing ran now.
        warnings: sentences for whoever reads the answer.
    """

    tool: Tool
    text: str
    answer: Answer
    is_kept: bool = False
    warnings: tuple[str, ...] = ()


def ask(
    program: OpenProgram,
    question: PartRequest = WHOLE,
    *,
    store: Store,
    bounds: RunBounds = BOUNDS,
    isolation: str | None = None,
    refresh: bool = False,
    any_name: bool = False,
    as_root: bool = False,
) -> Reply:
    """Run a program to have it describe itself, unless its answer to the question is kept.

    Args:
        program: an open program, from `open_program`.
        question: the whole description, or a part; the answer to a part is marked as a part.
        store: the state in which the answer is kept, under the hash of the program.
        bounds: the bounds of the run; at most 10 s.
        isolation: the isolation to use, and no other; by default the best that the system permits.
        refresh: whether to run the program although an answer is kept.
        any_name: whether the program may give itself any name.
        as_root: whether the program may run as root.

    Raises:
        ProgramError: the program may not be run, or its answer is no description; the code says why. Nothing is kept.
        UsageError: the question cannot be asked.
        ReadError, WriteError: our state is damaged, or the system refuses to write it.
    """
    _check_question(question, bounds)
    kept_answer = None if refresh else store.find_answer(program.fingerprint, *question)
    if kept_answer is not None:
        printed = store.read_document(kept_answer)
    else:
        refuse_root(as_root)
        isolation_in_use = choose_isolation(isolation)
        vector = (program.path, *question.words)
        with private_folder() as folder:
            environment = closed_environment(folder)
            outcome = run_isolated(isolation_in_use, program, vector, [folder], environment, bounds)
        program.verify()
        _check_outcome(outcome, bounds, program.path)
        printed = outcome.stdout
    printed_document = parse_answer(printed, program.path)
    document = _mark_part(printed_document, question)
    tool = _read_tool(document, program, any_name)
    text = serialization.dump_json(document.data)
    if kept_answer is not None:
        return Reply(tool, text, kept_answer, is_kept=True)
    provenance = Provenance("probe", program.fingerprint, current_time(), vector, isolation_in_use.name)
    is_partial = question.is_partial or tool.discovery is not None
    answer = store.save_answer(printed, provenance, is_partial, *question)
    warnings = ["its answer begins with a byte order mark"] if printed_document.bom else []
    stderr = _shown_text(outcome.stderr)
    if stderr:
        warnings.append(f"it also wrote to stderr: {stderr}")
    return Reply(tool, text, answer, warnings=tuple(warnings))


def _check_question(question: PartRequest, bounds: RunBounds) -> None:
    """Make sure that each command is a plain name, the depth is positive, and the time is allowed.

    Raises:
        UsageError: one of them is not so.
    """
    for name in question.commands:
        if not name or "," in name or not name.isprintable() or name != name.strip():
            raise UsageError(f"{name!r} is not the name of a command", "bad-command-name")
    if question.depth is not None and question.depth < 1:
        raise UsageError("the depth is 1 or more; 0 means everything to some programs", "bad-depth")
    require_seconds("seconds", bounds.seconds, LONGEST_SECONDS)


# -- the answer ---------------------------------------------------------------------------------------------------


def _check_outcome(outcome: RunOutcome, bounds: RunBounds, path: str) -> None:
    """Make sure that a program ended with exit code 0; else its output is not read, however valid it looks.

    Raises:
        ProgramError: it ended otherwise.
    """
    stderr = _shown_text(outcome.stderr)
    stderr_note = f"; it wrote to stderr: {stderr}" if stderr else ""
    if outcome.end == "timeout":
        raise ProgramError(
            f"it did not end within {bounds.seconds:g} s and was killed{stderr_note}", "answer-late", source=path
        )
    if outcome.end == "flood":
        raise ProgramError(
            f"it wrote more than {bounds.stdout} bytes and was killed{stderr_note}", "answer-too-large", source=path
        )
    if outcome.code < 0:
        raise ProgramError(
            f"it was ended by signal {_signal_name(-outcome.code)}{stderr_note}", "answer-failed", source=path
        )
    if outcome.code:
        raise ProgramError(
            f"it ended with exit code {outcome.code}, so that what it printed is no description{stderr_note}",
            "answer-failed",
            source=path,
        )


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)


def _shown_text(stderr: bytes) -> str:
    """The beginning of a program's stderr, on one line, with control characters escaped."""
    text = " ".join(stderr.decode("utf-8", "replace").split())
    return escape_unseen(text[:_MOST_SHOWN])


def parse_answer(answer: bytes, path: str) -> Document:
    """The document that a program printed: one JSON object and nothing else.

    Args:
        path: the path of the program, for messages.

    Raises:
        ProgramError: it printed something else; each kind of mistake has its own code.

    >>> parse_answer(b'{"a": 1} {"a": 2}', "/bin/x")
    Traceback (most recent call last):
    toolglot.errors.ProgramError: /bin/x: it printed more than one JSON value [answer-several]
    """
    text = answer.removeprefix(codecs.BOM_UTF8).strip()
    if not text:
        raise ProgramError("it printed nothing", "answer-empty", source=path)
    if text.startswith(b"["):
        raise ProgramError("it printed a JSON array; a description is one object", "answer-array", source=path)
    if not text.startswith(b"{"):
        raise ProgramError("it printed something else than a JSON object", "answer-not-json", source=path)
    try:
        document = document_reader.load(answer, path)
    except ParseError as error:
        if error.code != "json-extra-data":
            message = f"what it printed is not valid: {error.message}"
            raise ProgramError(message, "answer-malformed", "", error.line, error.column, path) from error
        if not text.endswith((b"}", b"]")):
            raise ProgramError("it printed text behind the JSON object", "answer-trailing-text", source=path) from error
        raise ProgramError("it printed more than one JSON value", "answer-several", source=path) from error
    if document.syntax != "json":  # one value a line
        raise ProgramError("it printed more than one JSON value", "answer-several", source=path)
    return document


def _read_tool(document: Document, program: OpenProgram, any_name: bool) -> Tool:
    """The tool that an answer describes.

    Raises:
        ProgramError: the answer does not describe a program, or describes another one.
    """
    try:
        document_format = detect(document.data, None, None)
        if not document_format.describes_one_program:
            raise ProgramError(
                f"this is {document_format.name}, which no program prints about itself",
                "answer-no-description",
                source=program.path,
            )
        [tool] = read_document(document, document_format.name).tools
    except ProgramError:
        raise
    except Error as error:
        raise ProgramError(
            f"what it printed describes no program: {error.message}",
            "answer-no-description",
            error.pointer,
            source=program.path,
        ) from error
    if not any_name and (names := program.other_names(tool.id)):
        message = f"it calls itself {tool.id!r}, expected {names}"
        raise ProgramError(message, "answer-other-name", source=program.path, hint=HINT_OF_NAME)
    return tool


def _mark_part(document: Document, question: PartRequest) -> Document:
    """The document; where a part was asked for, it is marked as partial even if the program did not mark it.

    The mark has to be there before the document is read: without it, a group whose commands are cut off is read as a
    command that takes no arguments.
    """
    if not question.is_partial:
        return document
    data = document.data
    selection = dict(mapping_at(data, "filter"))
    if question.commands:
        selection["commands"] = list(question.commands)
    if question.depth is not None:
        selection["depth"] = question.depth
    elif data.get("partial") is not True:
        selection.setdefault("depth", None)  # neither the question nor the program cuts anything below these commands
    return document_reader.from_data({**data, "partial": True, "filter": selection})
