"""What a tool inherits from the files around it: the action that it implements, and the drivers that run it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import starmap
from typing import Any

from toolglot.converter.formats import Finding, LinkedFacts
from toolglot.converter.formats.aip14.action_references import action_files
from toolglot.converter.formats.aip14.drivers import (
    drivers_of,
    find_missing_driver,
    implementation_files,
    linked_driver,
    tool_files,
    with_facts_of_drivers,
)
from toolglot.converter.formats.aip14.inherited_actions import facts_of_action
from toolglot.converter.formats.aip14.keys import with_present_keys
from toolglot.converter.formats.aip14.repository import Surroundings
from toolglot.converter.text.pointers import as_mapping, list_at
from toolglot.converter.text.similar_names import letters_of


def follow_links(data: dict[str, Any], path: str | None) -> LinkedFacts:
    """What a tool inherits, and what is wrong with its references.

    Args:
        data: the front matter.
        path: its file; `None` where it is a text without a file.
    """
    files = Surroundings(path) if path else None
    facts, findings = facts_of_action(data, files)
    not_found = next((finding.message for finding in findings if finding.code == "action-unresolvable"), None)
    if files is None:
        return LinkedFacts(facts, tuple(findings), not_found=not_found)
    drivers = tuple(starmap(linked_driver, drivers_of(data, files)))
    facts = with_facts_of_drivers(facts, with_present_keys(data), drivers, files.is_whole)
    findings += find_missing_driver(data, files)
    findings += _find_misnamed_folder(data, files)
    return LinkedFacts(facts, tuple(findings), drivers, tuple(files.places), not_found)


def find_files(data: dict[str, Any], path: str) -> dict[str, list[str]]:
    """JSON Pointer of a key of a tool or a driver -> the files that its value leads to.

    Args:
        data: the front matter.
        path: its file.
    """
    files = Surroundings(path)
    drivers = [driver for driver, _ in drivers_of(data, files)]
    found = {
        "/id": drivers,
        "/driver_constraints": drivers,
        "/default_implementation": list(implementation_files(data.get("default_implementation"), files)),
        "/implements": action_files(data.get("implements"), files),
    }
    for index, entry in enumerate(list_at(data, "implements")):
        found[f"/implements/{index}"] = list(tool_files(str(as_mapping(entry).get("tool", "")), files))
    return found


def _find_misnamed_folder(data: dict[str, Any], files: Surroundings) -> Iterator[Finding]:
    """A finding where the name of the tool's folder has other letters than its id; separators may differ."""
    folder, name = os.path.split(files.path)
    folder = os.path.basename(folder)
    identifier = data.get("id")
    if name == "TOOL.md" and isinstance(identifier, str) and letters_of(folder) != letters_of(identifier):
        message = f"the folder of this tool is called {folder!r}; people look for it in one called like its id"
        yield Finding("folder-name", "/id", message)
