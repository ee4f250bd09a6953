"""What a machine knows about its programs, as tables for people and as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from toolglot.cli.terminal import align_columns, count_noun, escape_controls
from toolglot.files.names import printable_path
from toolglot.hub.model import to_json
from toolglot.inventory.agent_configuration import Setting
from toolglot.inventory.dangers import Addition
from toolglot.inventory.description_registries import RemoteRegistry
from toolglot.inventory.program_records import Inventory, ProgramRecord
from toolglot.inventory.workflows import Workflow
from toolglot.text.serialization import dump_json
from toolglot.text.wording import to_short_json

_UNKNOWN = "-"
_MOST_SHOWN = 10  # dangers that a description denies

TableRow = tuple[str, ...]


def inventory_to_json(inventory: Inventory, _: bool = False) -> str:
    """Everything; see `schemas/inventory`."""
    return dump_json(inventory.to_json())


def inventory_to_text(inventory: Inventory, verbose: bool = False) -> str:
    """A table of the programs, and one of whatever else was found.

    Args:
        verbose: whether every file is named, and all settings.
    """
    tables: dict[TableRow, list[TableRow]] = {
        ("program", "version", "obtained", "trust", "path", "known from"): [
            _row_of(program, verbose) for program in inventory.programs
        ],
        ("workflow", "commands", "file"): list(map(_row_of_workflow, inventory.workflows)),
        ("registry elsewhere", "address", "declared", "file"): list(map(_row_of_registry, inventory.registries)),
    }
    if verbose:
        tables["setting", "value", "file"] = list(map(_row_of_setting, inventory.settings))
    texts = [_table(heading, rows) for heading, rows in tables.items() if rows]
    return "\n".join(texts)


def _row_of(program: ProgramRecord, verbose: bool) -> TableRow:
    files = [printable_path(path) for path in program.known_from]
    if not verbose and len(files) > 1:
        files = [f"{files[0]} (+{len(files) - 1})"]
    path = _UNKNOWN
    if program.path is not None:
        path = printable_path(program.path)
    return (
        program.name,
        program.version or _UNKNOWN,
        _obtained_cell(program),
        _trust_cell(program),
        path,
        ", ".join(files),
    )


def _row_of_workflow(workflow: Workflow) -> TableRow:
    return workflow.name, ", ".join(workflow.steps), printable_path(workflow.file)


def _row_of_registry(registry: RemoteRegistry) -> TableRow:
    return registry.name, registry.url or _UNKNOWN, registry.declared or _UNKNOWN, printable_path(registry.file)


def _row_of_setting(setting: Setting) -> TableRow:
    return setting.key, to_short_json(setting.value), printable_path(setting.file)


def _obtained_cell(program: ProgramRecord) -> str:
    description = program.description
    if description is None:
        return f"{program.obtained}, no description"
    if description.is_lossy:
        return f"{program.obtained}, lossy"
    if description.is_partial:
        return f"{program.obtained}, partial"
    return program.obtained


def _trust_cell(program: ProgramRecord) -> str:
    """What is declared, called so; a hash that fits is no proof of that."""
    trust = program.trust
    words: list[str] = []
    if trust.declared:
        words.append(f"{trust.declared} (declared)")
    if trust.evidence:
        words.append("about this very file")
    if program.blocked_by is not None:
        words.append("blocked by a policy")
    return ", ".join(words) or _UNKNOWN


def _table(heading: TableRow, rows: Sequence[TableRow]) -> str:
    cells = [heading, *(tuple(map(escape_controls, row)) for row in rows)]
    return align_columns(cells)


def addition_lines(program: ProgramRecord, verbose: bool = False) -> Iterator[str]:
    """The dangers that other descriptions of a program say: those that its own denies, and how many more.

    Args:
        verbose: whether each is named.
    """
    additions = list(program.additions)
    if not verbose:
        additions = [addition for addition in additions if addition.is_loosening][:_MOST_SHOWN]
    for addition in additions:
        yield _describe_addition(program, addition)
    if len(program.additions) > len(additions):
        more = count_noun(len(program.additions) - len(additions), "more danger")
        yield f"{program.name}: {more} that other files say, added to its description; -v names them"


def _describe_addition(program: ProgramRecord, addition: Addition) -> str:
    after, source = to_short_json(to_json(addition.after)), printable_path(addition.source)
    text = f"{addition.command}: {addition.field}: {after}, as {source} says"
    if addition.is_loosening and program.description is not None:
        before = to_short_json(to_json(addition.before))
        text += f"; {before} in {printable_path(program.description.file)} is not believed, which would be less careful"
    return text


def summary(inventory: Inventory) -> str:
    """How much was found."""
    return ", ".join(_counts(inventory)) + "; nothing was run"


def _counts(inventory: Inventory) -> Iterator[str]:
    description_count = sum(program.description is not None for program in inventory.programs)
    yield f"{count_noun(len(inventory.programs), 'program')} known, {description_count} of them described"
    if inventory.workflows:
        yield count_noun(len(inventory.workflows), "workflow")


RENDERERS: dict[str, Callable[[Inventory, bool], str]] = {"text": inventory_to_text, "json": inventory_to_json}
