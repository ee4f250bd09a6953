"""The values that the functions of a format take and return: records, containers, linked facts, findings."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from toolglot.converter.hub.model import Tool


class Finding(msgspec.Struct, frozen=True):
    """What a rule of a format found in a record.

    Attributes:
        code: the code of the rule, which never changes.
        pointer: JSON Pointer of the place.
        message: a sentence for people.
        severity: how grave the finding is; `None`: as grave as its rule says.
    """

    code: str
    pointer: str
    message: str
    severity: str | None = None


class LinkedDriver(msgspec.Struct, frozen=True):
    """An implementation (driver) of a tool, as a file beside the tool's document describes it.

    Attributes:
        kind: how the driver runs, in the format's words; `None` where the file does not say.
        facts: hub field -> value, as the file states it for all tools of the driver.
    """

    id: str
    kind: str | None
    facts: Mapping[str, Any]


class LinkedFacts(msgspec.Struct, frozen=True):
    """What other files say about a record: those that it refers to, and those beside its document.

    Attributes:
        inherits: facts of these files that hold for the tool too; `None` where there are none.
        findings: what is wrong with the references and the files.
        drivers: the implementations of the tool.
        places: the files and folders that were looked at, whether or not they are there.
        not_found: why the files could not be read; `None` where they could, or where there are none.
    """

    inherits: Tool | None = None
    findings: tuple[Finding, ...] = ()
    drivers: tuple[LinkedDriver, ...] = ()
    places: tuple[str, ...] = ()
    not_found: str | None = None


class Container(msgspec.Struct, frozen=True):
    """What a document says about all records in it, such as the name of the server that lists them.

    Attributes:
        facts: hub field -> value. A record that states the field keeps its value, unless this one is more dangerous.
        places: where the document states the facts: JSON Pointer -> hub field.
        sources: JSON Pointers of other parts of the document that the records are read from, or that say how they were
            requested.
    """

    facts: Mapping[str, Any] = {}
    places: Mapping[str, str] = {}
    sources: Collection[str] = ()

    def within(self, outer: Container) -> Container:
        """This container inside an outer one: only the facts of one count, with the sources of both.

        They are its own facts if they have a namespace, else those of the outer container.
        """
        chosen = self if "namespace" in self.facts else outer
        sources = (*outer.sources, *self.sources)
        if len(chosen.sources) == len(sources):
            return chosen
        return replace(chosen, sources=sources)


NO_CONTAINER = Container()
_LONGEST_FACT = 256  # characters; every tool of the container repeats the fact, so a long one would swell the result


def is_short_text(value: Any) -> bool:
    """Whether a value is a text short enough to be repeated for every tool of a container, as names and addresses are.

    >>> is_short_text("github"), is_short_text(""), is_short_text("x" * 300)
    (True, False, False)
    """
    return isinstance(value, str) and 0 < len(value) <= _LONGEST_FACT


def in_namespace(name: Any, places: Mapping[str, str] | None = None) -> Container:
    """A container whose tools are in the namespace `name`; `NO_CONTAINER` where `name` is no short text."""
    return Container({"namespace": name}, places or {}) if is_short_text(name) else NO_CONTAINER


class Record(msgspec.Struct, frozen=True, gc=False):
    """One tool as a format writes it.

    Attributes:
        data: the object that describes the tool.
        body: the Markdown after the data; `None` where there is none.
        pointer: JSON Pointer of the data in the document.
        linked_facts: what other files say about the tool; `None` where nobody has looked.
        container: what the document says about all of its records.
        context: other parts of the document that the reader of the format needs.
    """

    data: dict[str, Any]
    body: str | None = None
    pointer: str = ""
    linked_facts: LinkedFacts | None = None
    container: Container = NO_CONTAINER
    context: Any = None


class MigrationRequest(msgspec.Struct, frozen=True):
    """What a migration is asked for: a version (`None`: the newest), and facts that no document states.

    Attributes:
        version: one of `Format.writes`, or `None`.
        kind: how the implementation of a tool runs, for a file about it that has to be made where no document says it.
        fill: texts for keys (of `MigrationRules.fills`) that the version needs and that a document lacks.
        path: the document's file, `None` where it is a text without surroundings.
    """

    version: str | None = None
    kind: str | None = None
    fill: Mapping[str, str] = {}
    path: str | None = None


class CompanionFile(msgspec.Struct, frozen=True):
    """A file that a migration adds beside the migrated one.

    Attributes:
        name: its bare name.
        data: its front matter.
        body: its Markdown.
        origins: JSON Pointer in `data` -> JSON Pointer in the old record, whose comments move along.
    """

    name: str
    data: dict[str, Any]
    body: str = ""
    origins: Mapping[str, str] = {}


class MigratedRecord(msgspec.Struct, frozen=True):
    """A record in another version of its own format.

    Attributes:
        data: the record's data as it should be; equal to the old data where nothing has to change.
        new_keys: JSON Pointer in the old record -> the key that the same value has now. Any other value that moved
            counts as removed and added.
        companions: files that are added beside it.
        notes: what a person has to look at.
        before: the old data in a form that the reader accepts; `None` where it accepts the old data itself.
    """

    data: dict[str, Any]
    new_keys: Mapping[str, str] = {}
    companions: tuple[CompanionFile, ...] = ()
    notes: tuple[Finding, ...] = ()
    before: dict[str, Any] | None = None


class Omission(msgspec.Struct, frozen=True):
    """How much of a program a description leaves out.

    Attributes:
        commands: names of the commands that were asked for; `None` for all.
        depth: how many levels of commands were asked for; `None` for all.
        total: how many commands of the program can be called.
        included: how many of these the description has.
    """

    commands: tuple[str, ...] | None
    depth: int | None
    total: int
    included: int
