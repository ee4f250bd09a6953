"""Workflows that tools for agents share. They are read and listed, never carried out and never merged."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from toolglot.converter.text.pointers import as_list, as_mapping
from toolglot.runtime.inventory.file_reader import FileReader, text_in


class Workflow(NamedTuple):
    """A workflow made of several commands.

    Attributes:
        name: its name.
        description: its purpose.
        steps: its commands, as the file has them.
        file: the file that it stands in.
    """

    name: str
    description: str | None
    steps: tuple[str, ...]
    file: str


def is_workflow(data: Any) -> bool:
    """Whether data is a workflow or a list of workflows, and not a program that has workflows."""
    if isinstance(data, list):
        return any("steps" in as_mapping(entry) for entry in data)
    if not isinstance(data, dict):
        return False
    return "steps" in data or ("patterns" in data and "name" not in data)


def read_workflows(reader: FileReader, path: str, data: Any) -> Iterator[Workflow]:
    """The workflows of a file: one, a list of them, or an object that has the list under `patterns`."""
    place = ""
    if "patterns" in as_mapping(data):
        data, place = data["patterns"], "/patterns"
    for index, entry in enumerate(reader.first_of(as_list(data), path)):
        name = text_in(entry, "name")
        steps = as_mapping(entry).get("steps")
        if name is None or not isinstance(steps, list):
            pointer = f"{place}/{index}" if isinstance(data, list) else place
            reader.refuse("not-a-workflow", "an object with a name and steps is expected here", path, pointer)
            continue
        commands = [text_in(step, "command") for step in steps]
        yield Workflow(name, text_in(entry, "description"), tuple(filter(None, commands)), path)
