"""`PROGRAM --agent`: a program describes itself.

The option is reserved by nobody. Most programs that know one called so mean something else by it, and some act on it.
So a program is asked only where somebody named it and said that it may run; it is asked once, with nothing else tried.
What it answers is untrusted: it may be late, endless, or call itself like another program.
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
"""How long a program may be given."""

_MOST_SHOWN = 500  # characters of what a program wrote to stderr


BOUNDS = RunBounds()


class Reply(NamedTuple):
    """What a program answered.

    Attributes:
        tool: what it says; a part says that it is one.
        text: the same as a document.
        answer: where it comes from, as it was kept.
        is_kept: whether it was kept from an earlier run, so that nothing ran now.
        warnings: what whoever reads it should know.
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
    """Ask a program to describe itself, unless it did already: it runs.

    Args:
        program: from `open_program`.
        question: the whole, or a part; of a part it is known from then on that it is one.
        store: where the answer is kept, and looked up by the hash of the program.
        bounds: what the run may take; at most 10 s.
        isolation: the one to use, and no other; by default the best that the system permits.
        refresh: whether to ask although an answer was kept.
        any_name: whether it may call itself as it likes.
        as_root: whether it may run as root.

    Raises:
        ProgramError: it may not be run, or its answer is none; the code says why. Nothing is kept then.
        UsageError: the question cannot be asked.
        ReadError, WriteError: what was kept is damaged, or the system refuses to keep more.
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
    """Make sure that what is asked for is one word each, and not waited for too long.

    Raises:
        UsageError: it is not.
    """
    for name in question.commands:
        if not name or "," in name or not name.isprintable() or name != name.strip():
            raise UsageError(f"{name!r} is not the name of a command", "bad-command-name")
    if question.depth is not None and question.depth < 1:
        raise UsageError("the depth is 1 or more; 0 means everything to some programs", "bad-depth")
    require_seconds("seconds", bounds.seconds, LONGEST_SECONDS)


# -- the answer ---------------------------------------------------------------------------------------------------


def _check_outcome(outcome: RunOutcome, bounds: RunBounds, path: str) -> None:
    """Make sure that a program ended well; what it printed otherwise counts nothing, however valid it looks.

    Raises:
        ProgramError: it did not.
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
    """The beginning of what a program wrote for people, on one line, with nothing a terminal would act on."""
    text = " ".join(stderr.decode("utf-8", "replace").split())
    return escape_unseen(text[:_MOST_SHOWN])


def parse_answer(answer: bytes, path: str) -> Document:
    """What a program printed, if it is one JSON object and nothing else.

    Args:
        path: of the program, for messages.

    Raises:
        ProgramError: it is not; for each way to get it wrong there is a code of its own.

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
    """What an answer says.

    Raises:
        ProgramError: it does not describe a program, or describes another one.
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
    """The document; where a part was asked for it says so, even if the program does not.

    It says so before it is read: a group whose commands are cut off looks like a command that takes nothing.
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
        selection.setdefault("depth", None)  # nobody says that anything below these commands is cut
    return document_reader.from_data({**data, "partial": True, "filter": selection})
