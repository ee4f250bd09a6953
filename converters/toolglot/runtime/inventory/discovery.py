"""`discover`: what a machine knows about its programs, from files alone. Nothing runs, and nothing is fetched."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence

from toolglot.errors import Error
from toolglot.option_checks import read_named_texts, read_path, require, require_items
from toolglot.runtime.inventory.blocked_programs import OrganizationPolicy
from toolglot.runtime.inventory.file_reader import FileReader
from toolglot.runtime.inventory.inventory_document import Inventory
from toolglot.runtime.inventory.kept_answers import KnownProgram, Store
from toolglot.runtime.inventory.machine_files import Search, home_folder, machine_folders
from toolglot.runtime.inventory.program_matching import match_programs
from toolglot.runtime.inventory.program_records import ProgramRecord


def discover(
    paths: Sequence[str | os.PathLike[str]] = (),
    *,
    environment: Mapping[str, str] | None = None,
    store: Store | None = None,
) -> Inventory:
    """What files say about programs. Nothing runs, and nothing is fetched.

    Of several descriptions of a program the first counts: what the program answered to us, then the user's data, then
    the machine's. The user's overrides are laid over it. The other descriptions only add danger. What a description
    says about its own trust decides nothing.

    Args:
        paths: files and folders; by default the folders of this machine and user that tools for agents share.
        environment: the environment variables that say where these folders are; by default those of this process.
        store: our own state, which counts too; by default that of this user where no `paths` are given, else none.

    Returns:
        What was found. A file that cannot be read is among the `problems`; the others are read all the same.
    """
    if isinstance(paths, str | os.PathLike):
        paths = (paths,)
    require_items("paths", paths, "a list of paths")
    named_paths = [read_path("one of paths", path) for path in paths]
    environment = os.environ if environment is None else read_named_texts("environment", environment)
    if store is not None:
        require("store", store, Store, "a `Store`")
    search = Search(home_folder(environment))
    if store is None and not named_paths:
        store = Store()
    if store is not None:
        search.add_answers(store)
    for number, path in enumerate(named_paths):
        search.add_path(path, number)
    if not named_paths:
        search.add_places(machine_folders(environment))
    facts = search.facts
    programs = match_programs(facts, search.reader)
    if store is not None:
        _warn_of_changed_programs(programs, store, search.reader)
    return Inventory(
        tuple(_with_blocking_files(programs, facts.policies)),
        tuple(facts.workflows),
        tuple(facts.registries),
        tuple(facts.settings),
        tuple(search.reader.problems),
    )


def _with_blocking_files(
    programs: Sequence[ProgramRecord], policies: Iterable[OrganizationPolicy]
) -> Iterator[ProgramRecord]:
    """The programs, each with the file of the first policy that blocks it."""
    names = {program.name for program in programs}
    files: dict[str, str] = {}
    for policy in policies:
        files = {**dict.fromkeys(policy.find_blocked(names), policy.file), **files}
    for program in programs:
        yield program._replace(blocked_by=files.get(program.name))


def _warn_of_changed_programs(programs: Iterable[ProgramRecord], store: Store, reader: FileReader) -> None:
    """Warn of programs that were changed since our registry was written."""
    try:
        known_programs = store.programs()
    except Error:
        return  # `add_answers` read the same file before, and has reported the error
    fingerprints = {known.program.path: known.program for known in known_programs if known.program is not None}
    for program in programs:
        before = fingerprints.get(os.path.realpath(program.path or ""))
        now = before and reader.fingerprint(before.path)
        if before and now and before.sha256 != now.sha256:
            reader.warn("changed-program", f"{program.name!r} was changed since --write-registry", now.path)


def with_files(programs: Sequence[ProgramRecord]) -> list[ProgramRecord]:
    """The programs, each with the fingerprint of its file where there is one; hashing only reads, nothing runs."""
    reader = FileReader()
    records = []
    for program in programs:
        if program.file is None and program.path is not None:
            program = program._replace(file=reader.fingerprint(program.path))
        records.append(program)
    return records


def write_registry(programs: Sequence[ProgramRecord], store: Store) -> int:
    """Keep in our own state which programs are known, with their files.

    Returns:
        The number of programs.

    Raises:
        ReadError: our state is damaged, or of a newer toolglot.
        WriteError: the system refuses it.
    """
    known_programs = [KnownProgram(program.name, program.file) for program in with_files(programs)]
    store.save_programs(known_programs)
    return len(known_programs)
