"""`discover`: what files say about programs, as a list, as a registry, or converted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from toolglot import catalogs
from toolglot.catalogs import CatalogOptions
from toolglot.catalogs.pages import RENDERINGS
from toolglot.cli.commands.catalog_files import (
    CatalogCommandOptions,
    GatheredFiles,
    catalog_path,
    check_options,
    outcome_of,
    write_gathered,
)
from toolglot.cli.commands.convert import ConvertCommandOptions
from toolglot.cli.commands.convert_together import write_together
from toolglot.cli.destinations import Destination, write_results
from toolglot.cli.discovery import PathFilter
from toolglot.cli.exit_codes import Exit
from toolglot.cli.file_batch import Run
from toolglot.cli.inventory_output import RENDERERS, addition_lines, summary
from toolglot.cli.reports.entry_tally import EntryTally
from toolglot.cli.source_request import SourceRequest
from toolglot.cli.terminal import count_noun, print_message, print_result
from toolglot.conversion.reading import Reading
from toolglot.errors import UsageError
from toolglot.files.names import printable_path
from toolglot.inventory import discovery
from toolglot.inventory.program_records import OF_OTHERS, Inventory, ProgramRecord
from toolglot.inventory.program_registries import upstream_registry
from toolglot.inventory.program_store import Store, current_time
from toolglot.text.serialization import dump_json


class DiscoverOptions(NamedTuple):
    """What the arguments and options of `discover` say."""

    paths: tuple[str, ...]
    style: str
    to: str | None
    is_catalog: bool
    output: str | None
    force: bool
    writes_registry: bool
    registry_format: str | None
    quiet: bool
    verbose: bool

    @property
    def request(self) -> SourceRequest:
        """The same, for what takes sources."""
        return SourceRequest(self.paths, None, None, None, self.quiet, self.verbose, False, PathFilter())


def discover_programs(options: DiscoverOptions) -> int:
    """Look at the files, and print, write or convert what they say; the exit code."""
    _check_options(options)
    inventory = discovery.discover(options.paths)
    _print_problems(inventory, options)
    code = max((_exit_code(problem.severity, problem.code) for problem in inventory.problems), default=Exit.DONE)
    if options.writes_registry:
        store = Store()
        number = discovery.write_registry(inventory.programs, store)
        print_message(f"{count_noun(number, 'program')} kept in {store.path}")
    if options.to is None:
        if options.registry_format:
            text = _registry(inventory)
        else:
            text = RENDERERS[options.style](inventory, options.verbose)
        code_of_writing = _write_text(text, options)
    elif options.is_catalog or options.to in RENDERINGS:
        code_of_writing = _write_catalog(inventory, options.to, options)
    else:
        code_of_writing = _convert(inventory, options.to, options)
    if not options.quiet:
        print_message(summary(inventory))
    return max(code, code_of_writing)


def _check_options(options: DiscoverOptions) -> None:
    """Whether these options go together.

    Raises:
        UsageError: they do not.
    """
    if options.to is not None and options.registry_format:
        raise UsageError("a registry is not converted; leave out --to, or --registry-format", "bad-option")
    if options.is_catalog and options.to is None:
        raise UsageError("say in which format the catalogue is written; give --to", "bad-option")


def _exit_code(severity: str, code: str) -> Exit:
    if severity != "error":
        return Exit.DONE
    return Exit.NO if code in OF_OTHERS else Exit.FAILED


def _print_problems(inventory: Inventory, options: DiscoverOptions) -> None:
    """What was left out, always; what is doubtful, and the dangers that were added, unless nobody wants to know."""
    for problem in inventory.problems:
        if problem.severity == "error" or not options.quiet:
            print_message(str(problem))
    if options.quiet:
        return
    for program in inventory.programs:
        for line in addition_lines(program, options.verbose):
            print_message(line)


def _write_text(text: str, options: DiscoverOptions) -> int:
    if options.output is None:
        print_result(text)
        return Exit.DONE
    return write_results([Destination(options.output, text)], options.force, options.verbose)


def _registry(inventory: Inventory) -> str:
    """A registry for other tools, which says which file each program is; what has no file is left out."""
    programs = discovery.with_files(inventory.programs)
    entries = [(one.name, one.file, one.obtained == "probe") for one in programs if one.file is not None]
    if len(entries) < len(programs):
        print_message(f"{count_noun(len(programs) - len(entries), 'program')} left out: there is no file to hash")
    names = {name for name, _, _ in entries}
    if len(names) < len(entries):
        print_message(f"{count_noun(len(entries) - len(names), 'program')} left out: it has room for one of a name")
    return dump_json(upstream_registry(entries, current_time()))


def _find_readings(inventory: Inventory) -> Iterator[tuple[ProgramRecord, Reading]]:
    for program in inventory.programs:
        if program.blocked_by is not None:
            print_message(f"{program.name}: left out, because {printable_path(program.blocked_by)} does not allow it")
        elif program.description is not None:
            yield program, program.description.reading


def _convert(inventory: Inventory, to: str, options: DiscoverOptions) -> int:
    """Convert what describes the programs, of several versions of one the first."""
    readings: dict[str, Reading] = {}
    for program, reading in _find_readings(inventory):
        if program.name in readings:
            print_message(f"{program.name}: another program of that name is left out; --catalog has room for both")
        readings.setdefault(program.name, reading)
    if not readings:
        print_message("nothing describes a program, so nothing was converted")
        return Exit.DONE
    convert_options = ConvertCommandOptions(
        to=to, options={}, output=options.output, force=options.force, fails_on_loss=False, report="text", jobs=1
    )
    return write_together(list(readings.values()), Exit.DONE, options.request, convert_options)


def _write_catalog(inventory: Inventory, to: str, options: DiscoverOptions) -> int:
    command = CatalogCommandOptions(
        to=to,
        output=options.output,
        is_check=False,
        program=None,
        since=None,
        is_bare=False,
        languages=(),
        assertions_file=None,
        namespace=None,
        choice={},
        jobs=1,
    )
    check_options(command)
    run = Run(options.request)
    gathered_files = GatheredFiles([], EntryTally(), 0, run)
    catalog_options = CatalogOptions()
    for program, reading in _find_readings(inventory):
        path = catalog_path(program.known_from[0])
        is_shown = command.rendering is not None
        of_program = catalogs.gather_reading(reading, command.entry_format, path, catalog_options, is_shown)
        for note in of_program.notes:
            run.print_message(str(note))
        outcome = outcome_of(of_program, with_changes=not options.quiet)
        run.add(outcome)
        gathered_files.entries.extend(of_program.entries)
        if outcome.result is not None:
            gathered_files.changes.merge(outcome.result.changes)
    return write_gathered(gathered_files, options.request, command, catalog_options)
