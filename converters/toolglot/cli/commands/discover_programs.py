"""`discover`: what files say about programs, as a list, as a registry, or converted."""

from __future__ import annotations

from collections.abc import Iterator

from toolglot.cli.commands.convert_readings import convert_readings
from toolglot.cli.commands.end_conversion import ConvertCommandOptions
from toolglot.cli.destinations import Destination, write_results
from toolglot.cli.exit_codes import Exit
from toolglot.cli.file_batch import Run
from toolglot.cli.options import SourceRequest
from toolglot.cli.terminal import align_columns, print_message
from toolglot.converter.conversion.reading import Reading
from toolglot.converter.files.names import printable_path
from toolglot.converter.hub.model import to_json
from toolglot.converter.text.serialization import dump_json
from toolglot.converter.text.wording import count_noun, to_short_json
from toolglot.errors import escape_unseen
from toolglot.runtime.inventory import discovery
from toolglot.runtime.inventory.inventory_document import Inventory
from toolglot.runtime.inventory.kept_answers import Store, current_time
from toolglot.runtime.inventory.program_records import OF_OTHERS, ProgramRecord
from toolglot.runtime.inventory.program_registries import upstream_registry

_UNKNOWN = "-"
_MOST_SHOWN = 10  # dangers that a description denies

_TableRow = tuple[str, ...]


def discover_programs(
    request: SourceRequest,
    location: tuple[str, ...],
    style: str,
    to: str | None,
    output: str | None,
    force: bool,
    writes_registry: bool,
) -> int:
    """Look at the files, and print, write or convert what they say; the exit code.

    Args:
        location: files and folders in the place of those of this machine.
        to: the format that what describes them is converted to.
    """
    request = request._replace(paths=location)
    run = Run(request)
    inventory = discovery.discover(location)
    for problem in inventory.problems:
        if problem.severity == "error":
            run.fail(str(problem), Exit.NO if problem.code in OF_OTHERS else Exit.FAILED)
        else:
            run.tell(str(problem))
    for program in inventory.programs:
        for line in _addition_lines(program, request.verbose):
            run.tell(line)
    if writes_registry:
        store = Store()
        number = discovery.write_registry(inventory.programs, store)
        print_message(f"{count_noun(number, 'program')} kept in {store.path}")
    if to is None:
        if style == "registry":
            text = _registry(inventory)
        elif style == "json":
            text = dump_json(inventory.to_json())  # see `schemas/inventory`
        else:
            text = inventory_to_text(inventory, request.verbose)
        run.fail(code=write_results([Destination(output, text)], force, request.verbose))
    else:
        run.fail(code=_convert(inventory, request, ConvertCommandOptions(to, {}, output, force)))
    described_count = sum(program.description is not None for program in inventory.programs)
    summary = f"{count_noun(len(inventory.programs), 'program')} known, {described_count} of them described"
    if inventory.workflows:
        summary += f", {count_noun(len(inventory.workflows), 'workflow')}"
    run.tell(f"{summary}; nothing was run")
    return run.exit_code


def _registry(inventory: Inventory) -> str:
    """A registry for other tools, which says which file each program is; what has no file is left out."""
    programs = discovery.with_files(inventory.programs)
    entries = [(one.name, one.file, one.obtained == "probe") for one in programs if one.file is not None]
    names = {name for name, _, _ in entries}
    left_out = {
        "there is no file to hash": len(programs) - len(entries),
        "it has room for one of a name": len(entries) - len(names),
    }
    for reason, number in left_out.items():
        if number:
            print_message(f"{count_noun(number, 'program')} left out: {reason}")
    return dump_json(upstream_registry(entries, current_time()))


def _convert(inventory: Inventory, request: SourceRequest, options: ConvertCommandOptions) -> int:
    """Convert what describes the programs, of several versions of one the first."""
    readings: dict[str, Reading] = {}
    for program in inventory.programs:
        if program.blocked_by is not None:
            print_message(f"{program.name}: left out, because {printable_path(program.blocked_by)} does not allow it")
        elif program.description is not None:
            if program.name in readings:
                print_message(f"{program.name}: another program of that name is left out")
            readings.setdefault(program.name, program.description.reading)
    if not readings:
        print_message("nothing describes a program, so nothing was converted")
        return Exit.DONE
    return convert_readings(list(readings.values()), Run(request), options)


# -- what is printed ---------------------------------------------------------------------------------------------------


def inventory_to_text(inventory: Inventory, verbose: bool) -> str:
    """A table of the programs, and one of whatever else was found.

    Args:
        verbose: whether every file is named, and all settings.
    """
    tables: dict[_TableRow, list[_TableRow]] = {
        ("program", "version", "obtained", "trust", "path", "known from"): [
            _row_of(program, verbose) for program in inventory.programs
        ],
        ("workflow", "commands", "file"): [
            (flow.name, ", ".join(flow.steps), printable_path(flow.file)) for flow in inventory.workflows
        ],
        ("registry elsewhere", "address", "declared", "file"): [
            (one.name, one.url or _UNKNOWN, one.declared or _UNKNOWN, printable_path(one.file))
            for one in inventory.registries
        ],
    }
    if verbose:
        tables["setting", "value", "file"] = [
            (setting.key, to_short_json(setting.value), printable_path(setting.file)) for setting in inventory.settings
        ]
    return "\n".join(
        align_columns([heading, *(tuple(map(escape_unseen, row)) for row in rows)])
        for heading, rows in tables.items()
        if rows
    )


def _row_of(program: ProgramRecord, verbose: bool) -> _TableRow:
    files = [printable_path(path) for path in program.known_from]
    if not verbose and len(files) > 1:
        files = [f"{files[0]} (+{len(files) - 1})"]
    path = _UNKNOWN
    if program.path is not None:
        path = printable_path(program.path)
    obtained: str = program.obtained
    description = program.description
    if description is None:
        obtained += ", no description"
    elif description.is_lossy:
        obtained += ", lossy"
    elif description.is_partial:
        obtained += ", partial"
    trust: list[str] = []
    if program.trust.declared:  # called so; a hash that fits is no proof of it
        trust.append(f"{program.trust.declared} (declared)")
    if program.trust.evidence:
        trust.append("about this very file")
    if program.blocked_by is not None:
        trust.append("blocked by a policy")
    return (program.name, program.version or _UNKNOWN, obtained, ", ".join(trust) or _UNKNOWN, path, ", ".join(files))


def _addition_lines(program: ProgramRecord, verbose: bool) -> Iterator[str]:
    """The dangers that other descriptions of a program say: those that its own denies, and how many more.

    Args:
        verbose: whether each is named.
    """
    additions = list(program.additions)
    if not verbose:
        additions = [addition for addition in additions if addition.is_loosening][:_MOST_SHOWN]
    for addition in additions:
        after, source = to_short_json(to_json(addition.after)), printable_path(addition.source)
        text = f"{addition.command}: {addition.field}: {after}, as {source} says"
        if addition.is_loosening and program.description is not None:
            before = f"{to_short_json(to_json(addition.before))} in {printable_path(program.description.file)}"
            text += f"; {before} is not believed, which would be less careful"
        yield text
    if len(program.additions) > len(additions):
        more = count_noun(len(program.additions) - len(additions), "more danger")
        yield f"{program.name}: {more} that other files say, added to its description; -v names them"
