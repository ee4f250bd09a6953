"""What the functions of a format take and return: records, and what is around, behind and wrong in them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from toolglot.converter.hub.model import Tool


class Finding(msgspec.Struct, frozen=True):
    """What a format's own rule found in a record: a stable code, where, and a sentence.

    `severity` is how grave it is, where that is not what its rule says.
    """

    code: str
    pointer: str
    message: str
    severity: str | None = None


class LinkedDriver(msgspec.Struct, frozen=True):
    """One way in which a tool is carried out, as a file beside its document describes it.

    Attributes:
        kind: how it runs, in the format's words; `None` where the file does not say.
        facts: what it says of its tools, as fields of the hub.
    """

    id: str
    kind: str | None
    facts: Mapping[str, Any]


class LinkedFacts(msgspec.Struct, frozen=True):
    """What stands behind a record: what its references lead to, and what the files beside its document say of it.

    Attributes:
        inherits: facts that hold for the tool too; `None` where there are none.
        findings: what is wrong with the references and the files.
        drivers: what can carry the tool out.
        places: the files and folders that were looked at, whether or not they are there.
        not_found: why what stands behind it is not known; `None` where it is, or where there is nothing.
    """

    inherits: Tool | None = None
    findings: tuple[Finding, ...] = ()
    drivers: tuple[LinkedDriver, ...] = ()
    places: tuple[str, ...] = ()
    not_found: str | None = None


class Container(msgspec.Struct, frozen=True):
    """What stands around a record and is said of it too, as the name of the server that lists it.

    Attributes:
        facts: hub field -> value; they hold where the record itself does not say, and dangers in any case.
        places: where the document says so: JSON Pointer -> hub field.
        sources: JSON Pointers of what else in the document its records are read from, or say how they were asked for.
    """

    facts: Mapping[str, Any] = {}
    places: Mapping[str, str] = {}
    sources: Collection[str] = ()

    def within(self, outer: Container) -> Container:
        """This container inside another, which speaks for it only where it does not say whose tools it holds."""
        speaker = self if "namespace" in self.facts else outer
        sources = (*outer.sources, *self.sources)
        if len(speaker.sources) == len(sources):
            return speaker
        return replace(speaker, sources=sources)


NO_CONTAINER = Container()
_LONGEST = 256  # characters of what is said once and holds for every tool, so that a result stays in proportion


def is_short_text(value: Any) -> bool:
    """Whether a value can say something of every tool of a container: a text as short as names and addresses are.

    >>> is_short_text("github"), is_short_text(""), is_short_text("x" * 300)
    (True, False, False)
    """
    return isinstance(value, str) and 0 < len(value) <= _LONGEST


def in_namespace(name: Any, places: Mapping[str, str] | None = None) -> Container:
    """A container that says whose its tools are; none where that is no name."""
    return Container({"namespace": name}, places or {}) if is_short_text(name) else NO_CONTAINER


class Record(msgspec.Struct, frozen=True, gc=False):
    """One tool as a format writes it: its data, the Markdown after it, and where it stands in its document.

    `linked_facts` is what stands behind it; `None` where nobody has looked. `context` is what else of its document the
    reader of the format looks at.
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
        kind: how the implementation of a tool runs, where a file about it has to be made and nothing tells.
        fill: texts for keys (of `MigrationRules.fills`) that the version needs and that a document lacks.
        path: the document's file, `None` where it is a text without surroundings.
    """

    version: str | None = None
    kind: str | None = None
    fill: Mapping[str, str] = {}
    path: str | None = None


class CompanionFile(msgspec.Struct, frozen=True):
    """A file that appears beside a migrated one: its bare name, front matter, and Markdown.

    `origins` says which comments travel with what: JSON Pointer in `data` -> JSON Pointer in the old record.
    """

    name: str
    data: dict[str, Any]
    body: str = ""
    origins: Mapping[str, str] = {}


class MigratedRecord(msgspec.Struct, frozen=True):
    """A record in another version of its own format.

    Attributes:
        data: the record's data as it should be; equal to the old data where nothing has to change.
        new_keys: JSON Pointer in the old record -> the key that the same value has now. What is not named here and
            stands elsewhere than before was removed and added.
        companions: files that appear together with it.
        notes: what a person has to look at.
        before: the old data as its reader understands it, where the reader refuses the old data itself.
    """

    data: dict[str, Any]
    new_keys: Mapping[str, str] = {}
    companions: tuple[CompanionFile, ...] = ()
    notes: tuple[Finding, ...] = ()
    before: dict[str, Any] | None = None


class Omission(msgspec.Struct, frozen=True):
    """What a description of a part of a program leaves out.

    Attributes:
        commands: names of the commands that were asked for; `None` for all.
        depth: how many levels of commands were asked for; `None` for all.
        total: how many commands of the program can be called.
        included: how many of them are shown.
    """

    commands: tuple[str, ...] | None
    depth: int | None
    total: int
    included: int
