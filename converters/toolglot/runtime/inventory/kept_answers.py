"""Our own state: what programs answered, and which programs were known when `--write-registry` was given.

It is one folder with `programs.json` and `documents/`. The files there are called after their hashes: a document may
call its program `../x`. Files of other tools are never written: several tools share those, each with its own shape.
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
    """The time now, by RFC 3339: in UTC, without fractions of a second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class Provenance(msgspec.Struct, frozen=True):
    """Where a document comes from, whatever the document says itself.

    Attributes:
        obtained: how the document was obtained.
        program: the program that it is about; `None` where that is not known.
        time: when it was obtained, RFC 3339 in UTC.
        argv: the command line that ran; empty where nothing ran.
        isolation: what the program was kept from while it ran; empty where nothing ran.
    """

    obtained: Obtained
    program: Fingerprint | None
    time: str
    argv: tuple[str, ...] = ()
    isolation: str = ""


class Answer(msgspec.Struct, frozen=True):
    """What a program answered: a document that is kept, and the question.

    Attributes:
        document: the hash of the document's bytes, after which its file is called.
        provenance: where the document comes from.
        partial: whether it leaves out commands.
        commands: the top-level commands that were asked for; empty for all.
        depth: how many levels of commands were asked for; `None` for all.
    """

    document: str
    provenance: Provenance
    partial: bool = False
    commands: tuple[str, ...] = ()
    depth: int | None = None


class KnownProgram(msgspec.Struct, frozen=True):
    """A program that was known when the registry was written.

    Attributes:
        name: its name.
        program: the file that it was then; `None` where there was no file.
    """

    name: str
    program: Fingerprint | None


class _StateContent(State, frozen=True, kw_only=True):
    answers: tuple[Answer, ...] = ()
    programs: tuple[KnownProgram, ...] = ()


class Store(StateFile[_StateContent]):
    """Our state: the file that lists what is kept, and the documents beside it.

    Args:
        folder: the folder of both, by default `$XDG_STATE_HOME/toolglot`; it is made when something is kept.
    """

    name = "programs.json"
    kind = _StateContent

    def answers(self) -> tuple[Answer, ...]:
        """All answers, the oldest first.

        Raises:
            ReadError: the state is damaged, or of a newer toolglot.
        """
        return self.read().answers

    def programs(self) -> tuple[KnownProgram, ...]:
        """The programs that `save_programs` kept last; errors as for `answers`."""
        return self.read().programs

    def find_answer(
        self, program: Fingerprint, commands: Sequence[str] = (), depth: int | None = None
    ) -> Answer | None:
        """The program's last answer to this question; `None` if it changed since; errors as for `answers`."""
        question = (program.path, program.sha256, tuple(commands), depth)
        for answer in reversed(self.answers()):
            asked = answer.provenance.program
            if asked and question == (asked.path, asked.sha256, answer.commands, answer.depth):
                return answer
        return None

    def document_path(self, answer: Answer) -> str:
        """The path of the file with the document of an answer.

        Raises:
            UsageError: `document` is no hash; a path made of it could lead anywhere.
        """
        if not is_sha256(answer.document):
            raise UsageError("not a SHA-256 hash: 64 digits in lower case are expected", "bad-hash")
        return os.path.join(self.folder, _DOCUMENTS, f"{answer.document}.json")

    def read_document(self, answer: Answer) -> bytes:
        """The bytes of an answer's document, as the program gave them.

        Raises:
            ReadError: the file is gone (code `"unreadable"`), or was changed (`"changed-document"`).
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
        """Keep a document. It replaces the same program's answer to the same question.

        Args:
            document: the bytes, as the program gave them.
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
        """Keep these programs as the known ones, in place of those before; errors as for `save_answer`."""
        first_programs = tuple(programs)[:MAX_RECORDS]
        self.change(lambda state: replace(state, programs=first_programs))


def _question(answer: Answer) -> tuple[object, ...]:
    """The key of an answer: the program, how it was asked, and what it was asked for."""
    program = answer.provenance.program
    about = program.path if program is not None else answer.document
    return about, answer.provenance.obtained, answer.commands, answer.depth
