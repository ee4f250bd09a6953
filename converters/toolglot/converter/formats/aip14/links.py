"""What a tool inherits from the files around it: the action that it implements, and the drivers that run it."""

from __future__ import annotations

from typing import Any

from toolglot.converter.formats import LinkedFacts
from toolglot.converter.formats.aip14.actions import facts_of_action
from toolglot.converter.formats.aip14.drivers import (
    drivers_of,
    find_missing_driver,
    linked_driver,
    with_facts_of_drivers,
)
from toolglot.converter.formats.aip14.repository import Surroundings


def follow_links(data: dict[str, Any], path: str | None) -> LinkedFacts:
    """What a tool inherits, and what is wrong with its references.

    Args:
        data: the front matter.
        path: its file, `None` where it is a text without surroundings.
    """
    files = Surroundings(path) if path else None
    facts, findings = facts_of_action(data, files)
    not_found = next((finding.message for finding in findings if finding.code == "action-unresolvable"), None)
    if files is None:
        return LinkedFacts(facts, tuple(findings), not_found=not_found)
    drivers = tuple(map(linked_driver, drivers_of(data, files)))
    facts = with_facts_of_drivers(facts, data, drivers)
    findings += find_missing_driver(data, files)
    return LinkedFacts(facts, tuple(findings), drivers, tuple(files.places), not_found)
