"""Our own state: what programs answered, and which programs were known when somebody asked for a registry.

One folder, `programs.json` in it and `documents/`. Names of files come from hashes alone, because a document may call
itself `../x`. The files of other tools are never written here: several tools share those, in shapes that differ.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from toolglot.converter.files.state_files import State, StateFile
from toolglot.converter.text.digests import sha256_of
from toolglot.converter.text.document_reader import read_file
from toolglot.errors import ReadError, UsageError
from toolglot.runtime.inventory.fingerprints import Fingerprint, is_sha256

_DOCUMENTS = "documents"
MAX_RECORDS = 50_000
"""How many answers, and how many programs, are kept; the oldest go first."""

Obtained: TypeAlias = Literal["probe", "file", "help"]
"""How a document was obtained: a program was asked for it, a file held it, or a help text was read."""


def current_time() -> str:
    """The time, as RFC 3339 has it, in UTC and without fractions of a second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class Provenance(msgspec.Struct, frozen=True):
    """Where a document comes from. What the document says of itself decides nothing here.

    Attributes:
        obtained: how it was obtained.
        program: the program that it is about; `None` where that is not known.
        time: when, RFC 3339 in UTC.
        argv: what ran; empty where nothing did.
        isolation: what the program was kept from while it ran; empty where nothing ran.
    """

    obtained: Obtained
    program: Fingerprint | None
    time: str
    argv: tuple[str, ...] = ()
    isolation: str = ""


class Answer(msgspec.Struct, frozen=True):
    """A document that was kept.

    Attributes:
        document: the hash of its bytes, which `Store.read_document` takes.
        provenance: where it comes from.
        partial: whether it leaves out commands.
        commands: the top-level commands that were asked for; empty is all of them.
        depth: how many levels of commands were asked for; `None` is all of them.
    """

    document: str
    provenance: Provenance
    partial: bool = False
    commands: tuple[str, ...] = ()
    depth: int | None = None


class KnownProgram(msgspec.Struct, frozen=True):
    """A program that was known when the registry was written.

    Attributes:
        name: what it is called.
        program: the file that it was; `None` where there was none.
    """

    name: str
    program: Fingerprint | None


class _StateContent(State, frozen=True, kw_only=True):
    answers: tuple[Answer, ...] = ()
    programs: tuple[KnownProgram, ...] = ()


class Store(StateFile[_StateContent]):
    """The file that says what is kept, and beside it the documents.

    Args:
        folder: by default `$XDG_STATE_HOME/toolglot`; it is made when something is kept.
    """

    name = "programs.json"
    kind = _StateContent

    def answers(self) -> tuple[Answer, ...]:
        """Everything that was answered, the oldest first.

        Raises:
            ReadError: the state is damaged, or of a newer toolglot.
        """
        return self.read().answers

    def programs(self) -> tuple[KnownProgram, ...]:
        """What `save_programs` kept last; errors as for `answers`."""
        return self.read().programs

    def find_answer(
        self, program: Fingerprint, commands: Sequence[str] = (), depth: int | None = None
    ) -> Answer | None:
        """What a program answered to the same question, unless the program changed since; errors as for `answers`."""
        question = (program.path, program.sha256, tuple(commands), depth)
        for answer in reversed(self.answers()):
            then = answer.provenance.program
            if then and question == (then.path, then.sha256, answer.commands, answer.depth):
                return answer
        return None

    def document_path(self, answer: Answer) -> str:
        """The file that holds the bytes of an answer.

        Raises:
            UsageError: what names it is no hash, and might lead anywhere.
        """
        if not is_sha256(answer.document):
            raise UsageError("not a SHA-256 hash: 64 digits in lower case are expected", "bad-hash")
        return os.path.join(self.folder, _DOCUMENTS, f"{answer.document}.json")

    def read_document(self, answer: Answer) -> bytes:
        """The bytes of an answer, as they were given.

        Raises:
            ReadError: the file is gone (code `"unreadable"`), or holds something else (`"changed-document"`).
        """
        path = self.document_path(answer)
        data = read_file(path)
        if sha256_of(data) != answer.document:
            message = "the document was changed since it was kept; ask the program again"
            raise ReadError(message, "changed-document", source=path)
        return data

    def save_answer(
        self,
        document: bytes,
        provenance: Provenance,
        partial: bool = False,
        commands: Sequence[str] = (),
        depth: int | None = None,
    ) -> Answer:
        """Keep a document. It replaces what the same program answered to the same question.

        Args:
            document: its bytes, as they were given.
            partial, commands, depth: see `Answer`.

        Raises:
            ReadError: as for `answers`.
            WriteError: the system refuses it.
        """
        answer = Answer(sha256_of(document), provenance, partial, tuple(commands), depth)
        with self.commit() as files:
            before = self.read()
            others = [other for other in before.answers if _question(other) != _question(answer)]
            after = replace(before, answers=(*others, answer)[-MAX_RECORDS:])
            files.put(self.document_path(answer), document)
            self.put(files, after)
            paths, kept_paths = (set(map(self.document_path, state.answers)) for state in (before, after))
            for path in paths - kept_paths:
                files.remove(path)
        return answer

    def save_programs(self, programs: Sequence[KnownProgram]) -> None:
        """Keep which programs are known now, instead of those that were known; errors as for `save_answer`."""
        first_programs = tuple(programs)[:MAX_RECORDS]
        self.change(lambda state: replace(state, programs=first_programs))


def _question(answer: Answer) -> tuple[object, ...]:
    """What answers are told apart by: the program, and what it was asked for."""
    program = answer.provenance.program
    about = program.path if program is not None else answer.document
    return about, answer.provenance.obtained, answer.commands, answer.depth
