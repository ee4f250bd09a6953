"""What a format declares to the rest of toolglot: `Format`, and the records for its optional parts."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from toolglot.converter.fitting.provider_rules import ProviderRules
from toolglot.converter.formats.kit.field_tables import Table
from toolglot.converter.formats.kit.places import Places
from toolglot.converter.formats.kit.tool_ids import Name
from toolglot.converter.formats.kit.unreadable_facts import (
    Doubt,
    aliases,
    dangers_elsewhere,
    doubts,
    keys_in,
)
from toolglot.converter.formats.records import Finding, LinkedFacts, MigratedRecord, MigrationRequest, Omission, Record
from toolglot.converter.hub.fields import EVERY_FIELD
from toolglot.converter.hub.model import Binding, Tool, map_nodes
from toolglot.converter.safety import NAMES_BELOW, ForeignDanger, SafetyWords
from toolglot.converter.text.pointers import pointer_of
from toolglot.errors import UsageError

if TYPE_CHECKING:
    from toolglot.converter.formats.kit.request_templates import RequestTemplate
    from toolglot.converter.hub.calls import Calls

DocumentTest = Callable[[Any, "str | None", str], bool]
"""(data, body, file name) -> whether the document is of some kind; the name is empty where there is no file."""


def has_keys(*keys: str) -> DocumentTest:
    """A test that is true of documents with all of these keys."""
    return lambda data, body, file_name: all(key in data for key in keys)


class Manifest(msgspec.Struct, frozen=True):
    """How `check` treats a document that describes no tool.

    Attributes:
        schema: the canonical schema of the document.
        module: the module whose `find_faults_of_manifest` looks for faults that no schema can say; empty: none does.
    """

    schema: str
    module: str = ""

    def find_faults(self, data: Any, path: str | None) -> Iterable[Finding]:
        """The faults of the data, or of the lines of a log. The module is imported here: conversions never need it."""
        if not self.module:
            return ()
        findings: Iterable[Finding] = importlib.import_module(self.module).find_faults_of_manifest(data, path)
        return findings


class LookAlike(msgspec.Struct, frozen=True):
    """A kind of document that describes no tool: its name, and what to do with such a document."""

    name: str
    matches: DocumentTest
    advice: str
    manifest: Manifest | None = None


class Marks(msgspec.Struct, frozen=True, kw_only=True):
    """How the documents of a format are recognised.

    To find out the format of a document, the marks of all formats are loaded, and then the rest of one format. So the
    module with the marks of a format imports neither its reader nor its writer.

    Attributes:
        patterns: the usual file names, as globs.
        aliases: other names that people use for the format.
        is_searched: whether a search of folders goes by `patterns`. False: most files of these names are no tool.
        folders: hidden folders that a search enters, because files of the format usually stand there.
        has_body: whether Markdown may follow the data. False: a document with such a text has another format.
        sniff: whether a document looks like the format.
        look_alikes: documents from the same project as the format that describe no tool.
    """

    patterns: tuple[str, ...]
    aliases: tuple[str, ...] = ()
    is_searched: bool = True
    folders: tuple[str, ...] = ()
    has_body: bool = False
    sniff: DocumentTest
    look_alikes: tuple[LookAlike, ...] = ()

    @property
    def searched_patterns(self) -> tuple[str, ...]:
        """The file names by which a search finds the format, and by which a file is taken for it."""
        return self.patterns if self.is_searched else ()

    @property
    def suffix(self) -> str | None:
        """The ending of the name of a file with several tools, from the first pattern that has one."""
        return next((pattern.removeprefix("*") for pattern in self.patterns if pattern.startswith("*.")), None)


class ExtensionSlot(msgspec.Struct, frozen=True):
    """Where a format lets others put data of their own. A lossless conversion keeps there what has no field.

    Attributes:
        path: the keys in a record that lead there; empty: the data stand beside the records.
        dump: content -> the value that is written, such as a text where the format allows nothing else.
        load: the value that was found -> content. What is no mapping was not written by toolglot.
    """

    path: tuple[str, ...] = ()
    dump: Callable[[dict[str, Any]], Any] = lambda content: content
    load: Callable[[Any], Any] = lambda value: value


class Spelling(msgspec.Struct, frozen=True):
    """The parts of a document that state no fact of their own. Reports and `diff` pass over them.

    Attributes:
        keys: keys of the format's extension that only say how a document spells things, or name its version.
        formal: hub fields that the format demands although most values state nothing.
        echoes: tool -> JSON Pointers into the format's extension whose values repeat other fields.
        has_unread: whether the spelling of a parameter says something that no field says.
        repeats_fields: whether the body of a tool only repeats its fields.
    """

    keys: Collection[str] = ()
    formal: Collection[str] = ()
    echoes: Callable[[Tool], Iterable[str]] = lambda tool: ()
    has_unread: Callable[[Binding], bool] = lambda binding: False
    repeats_fields: Callable[[Tool], bool] = lambda tool: False


class Checks(msgspec.Struct, frozen=True):
    """What `check` looks for in documents of a format, beyond their schema.

    Attributes:
        module: the module with the rules of the format (`RULES`). It may have `find_faults`, for the faults of a tool,
            and `find_faults_of_document`, for those of a whole document.
        of_tool: the faults of a tool that a table can say.
        is_of_document: whether schemas and the rules about texts look at whole documents, and not at their records.
        identity: tool -> its identity; tools of one identity have to say the same.
        older_keys: keys of a version that is no longer read. The reader refuses a record that has any, and names all.
    """

    module: str | None = None
    of_tool: Callable[[Tool], Iterable[Finding]] = lambda tool: ()
    is_of_document: bool = False
    identity: Callable[[Tool], str | None] = lambda tool: None
    older_keys: tuple[str, ...] = ()

    def load(self) -> Any:
        """The module, which only `check` needs; `None` where there is none."""
        return None if self.module is None else importlib.import_module(self.module)

    def find_faults(self, tool: Tool) -> Iterator[Finding]:
        """The faults of a tool."""
        yield from self.of_tool(tool)
        yield from getattr(self.load(), "find_faults", lambda tool: ())(tool)


class MigrationRules(msgspec.Struct, frozen=True):
    """How a format brings a record to another of its versions.

    Attributes:
        module: the module whose `migrate` does it; `None`: the record is read, and written in the other version.
        kinds: the values that `MigrationRequest.kind` may have.
        fills: the keys that `MigrationRequest.fill` may have.
    """

    module: str | None = None
    kinds: tuple[str, ...] = ()
    fills: tuple[str, ...] = ()

    @property
    def migrate(self) -> Callable[[Record, MigrationRequest], MigratedRecord] | None:
        """The migration. It is imported here, because reading and writing do not need it."""
        return importlib.import_module(self.module).migrate if self.module else None


class Provider(msgspec.Struct, frozen=True, kw_only=True):
    """The provider whose models get the definitions of a format, and call tools by them.

    Attributes:
        profiles: the rules for definitions that the provider accepts; the first row for a version is the default. A
            format without profiles is offered to no model.
        calls_module: the module whose `CALLS` say how models call tools.
        is_api: whether every request to the provider has the definitions, which are charged by the word. Descriptions
            are short there: they say READ-ONLY where every effect is denied, and of danger only what every target has
            to say.
        request_keys: the keys of the format's extension that the API accepts.
        is_hosted: whether the provider itself defines a tool, or runs it.
        approval_settings: tool name -> whether a person has to be asked before the provider calls that tool of a
            server by itself; given that, the part of a request that says so. `None`: the provider has no such setting.
    """

    profiles: tuple[ProviderRules, ...] = ()
    calls_module: str | None = None
    is_api: bool = False
    request_keys: frozenset[str] = frozenset()
    is_hosted: Callable[[Tool], bool] = lambda tool: False
    approval_settings: Callable[[Mapping[str, bool]], dict[str, Any]] | None = None

    @property
    def calls(self) -> Calls | None:
        """How models call tools. It is imported here: that takes 2 ms, and conversions do not need it."""
        return importlib.import_module(self.calls_module).CALLS if self.calls_module else None


class Claim(msgspec.Struct, frozen=True):
    """A claim that a tool is harmless. It is no fact as long as nobody vouches for it.

    Attributes:
        facts: hub field -> the value that the claim would give it.
        is_made: whether a tool makes the claim.
        is_method: whether the claim is the method of an HTTP request, such as GET, which servers may use otherwise.
    """

    facts: Mapping[str, Any]
    is_made: Callable[[Tool], bool]
    is_method: bool = False


CLAIMS_IN_TEXTS: Mapping[str, Claim] = MappingProxyType(
    {
        "READ-ONLY": Claim(
            {"safety_tier": "read", "destructive": False}, lambda tool: "read-only" in (tool.flags or ())
        ),
    }
)
"""The claims that texts make. Every format has texts."""


class ScopedIds(msgspec.Struct, frozen=True):
    """How ids get the scope that they begin with. An id with a scope also has the namespace, where one is known.

    Attributes:
        scope_for: (path of a callable node, requested scope, kind of source behind it) -> scope; `None` where the id
            keeps the scope that it has. It raises `WriteError` for a scope that contradicts the source.
        source_of: (tool, requested scope) -> the kind of source behind a tool that does not say it.
    """

    scope_for: Callable[[tuple[str, ...], str | None, str | None], str | None]
    source_of: Callable[[Tool, str | None], str | None]


class Definitions(msgspec.Struct, frozen=True):
    """How Python code states what a document of the format states. Keys are in `snake_case`; values are the format's.

    Both functions raise `UsageError` (code `bad-definition`) for what the format refuses.

    Attributes:
        tool: makes a tool of its contract, and of a text that is used where that has no description: a docstring,
            which may be longer than the format's descriptions are.
        action: makes the manifest of an action, which tools can implement.
    """

    tool: Callable[[dict[str, Any], str | None], Tool]
    action: Callable[[dict[str, Any]], dict[str, Any]]


def _refuse_to_write(tool: Tool, version: str | None) -> Record:
    raise UsageError("this format can be read, not written", code="read-only-format")


class Format(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that the rest of toolglot knows about a format. No code outside of its folder compares its name.

    A format gives every field that has no default, and of the others only those in which it differs from most formats.
    `read` and `write` are inverse: `write(read(record), version_of(record)) == record` for every record that is
    valid under the format's canonical schema (law 1). A format that is only read leaves `writes` empty and has no
    `write`: it is a source and never a target.
    """

    name: str
    title: str
    url: str
    marks: Marks
    versions: tuple[str, ...]  # that can be read, oldest first
    writes: tuple[str, ...] = ()  # versions that can be written, the default last; empty: the format is only read
    schemas: str | None = None  # folder with the schemas of an installed format; None: they are among toolglot's
    described_by: Callable[[str], str] = lambda version: version  # version -> the version whose schema describes it

    # documents and their records
    one_per_file: bool = False
    tree: bool = False  # whether one document holds a program with nested commands
    records: Callable[[Any], list[Record]] = lambda data: [Record(data)]  # takes the containers of a document apart
    wrap: Callable[[list[dict[str, Any]]], Any] = lambda records: records[0]  # puts records into the usual container
    version_of: Callable[[dict[str, Any]], str]
    file_name: Callable[[str], str] = lambda identifier: identifier  # id of a tool -> relative path of its file

    # records and their tools
    holds: frozenset[str]  # hub fields that have a place in the format
    places: Places
    read: Callable[[Record], Tool]
    write: Callable[[Tool, str | None], Record] = _refuse_to_write  # version None: that of the tool, else the newest
    identify: Callable[[Name], str] = lambda name: " ".join(name.path)  # name of a callable node -> its id
    schema_draft: int | None = None  # draft of JSON Schema where a schema declares none; None: the format does not say
    shares_schemas: bool = False  # whether `#` in a `$ref` means the whole document, and not the schema itself
    known_keys: Table = {}  # keys of a record; a key like one of them, or a value that was not read, may be a danger
    takes_any_key: bool = False  # whether programs add keys of their own to a record
    names_below: frozenset[str] = NAMES_BELOW  # keys with a mapping by name below them; such names state no danger
    doubts: Callable[[Tool], Iterable[Doubt]] = lambda node: ()  # further statements about safety that cannot be read
    # fields with a danger under an unknown key -> those of them for which it counts
    believed: Callable[[set[str]], set[str]] = lambda fields: fields

    # optional parts; the class of each says what it is for
    slot: ExtensionSlot = ExtensionSlot()
    spelling: Spelling = Spelling()
    safety_words: SafetyWords = SafetyWords()
    checks: Checks = Checks()
    migration: MigrationRules = MigrationRules()
    provider: Provider = Provider()
    claims: Mapping[str, Claim] = CLAIMS_IN_TEXTS  # by name

    # parts that only one or two formats have; they stand here because callers have documents of any format at hand
    scoped_ids: ScopedIds | None = None  # writing: how ids get a scope; None: ids have none
    # reading: (data of a record, path of its file) -> facts of the files that it refers to; None: it refers to none
    follow_links: Callable[[dict[str, Any], str | None], LinkedFacts] | None = None
    # editors: (data of a document, path of its file) -> JSON Pointer -> files that the value there refers to
    find_files: Callable[[dict[str, Any], str], Mapping[str, Sequence[str]]] | None = None
    # `check`: (record, hub field, JSON Pointer in its value) -> JSON Pointer in the document of a part to which the
    # record only refers; empty where it is not known
    find_referenced: Callable[[Record, str, str], str] = lambda record, field, rest: ""
    untold: frozenset[str] = frozenset()  # writing: texts that neither a field nor the description has room for
    notes: Mapping[str, str] = {}  # reading: keys that the reader adds to what it could not read -> their meaning
    also_states: frozenset[str] = frozenset()  # `diff`: fields that only some tools of the format can state
    default_timeout_ms: int | None = None  # `diff`: the timeout of a tool that states none; None: it is not known
    # bridge: tool -> the HTTP request that a call of it becomes; None: its calls are no requests
    request_of: Callable[[Tool], RequestTemplate | None] = lambda tool: None
    definitions_module: str | None = None  # functions: the module whose `DEFINITIONS` make tools of Python code
    # a program that describes only a part of itself -> what the hub field `discovery` says about that
    omission_facts: Callable[[Omission], dict[str, Any]] = lambda omission: {"partial": True}

    def claims_of(self, tool: Tool) -> dict[str, Mapping[str, Any]]:
        """The claims that a tool makes: name -> the facts that the claim would state.

        >>> from toolglot.converter.formats import get
        >>> get("hub").claims_of(Tool(id="ls", flags=("read-only",)))
        {'READ-ONLY': {'safety_tier': 'read', 'destructive': False}}
        """
        return {name: claim.facts for name, claim in self.claims.items() if claim.is_made(tool)}

    @property
    def noun(self) -> str:
        """What a document is called in a sentence: `a TOOL.md` where all files have that name, else the format."""
        file_name = self.marks.patterns[0]
        return f"a {file_name}" if self.one_per_file and "*" not in file_name else self.name

    def tool_of(self, record: Record) -> Tool:
        """The tool of a record. A danger that is stated in a way that nobody can read makes a field unclear."""
        return map_nodes(self.read(record), self._with_unclear_fields)

    def _with_unclear_fields(self, node: Tool) -> Tool:
        """A node with the names of its unclear fields.

        A danger under an unknown key is not put into the field: the writer would then say it twice.
        """
        unclear = {doubt.field for doubt in self.doubts(node)}
        rest = node.extension(self.name)
        if rest:
            dangers = list(self.dangers_elsewhere(node))
            unclear.update([doubt.field for doubt in doubts(rest, self.known_keys, dangers)])
            unclear |= self.believed({danger.field for danger in dangers})
        if not unclear:
            return node
        return replace(node, unclear=tuple(sorted(unclear.union(node.unclear or ()))))

    def doubts_of(self, node: Tool) -> Iterator[Doubt]:
        """The statements of one node about safety that nobody can read."""
        yield from doubts(node.extension(self.name), self.known_keys, self.dangers_elsewhere(node))
        yield from self.doubts(node)

    @property
    def known_places(self) -> Iterator[str]:
        """JSON Pointers of all keys that the format knows, with and without a hub field."""
        yield from self.places.fields.values()
        yield from (pointer_of(path) for _, path in aliases(self.known_keys))
        yield from (pointer_of(path) for path in keys_in(self.known_keys))

    def dangers_elsewhere(self, node: Tool) -> Iterator[ForeignDanger]:
        """The dangers that one node states under keys that the format does not know."""
        return dangers_elsewhere(node.extension(self.name), self.known_keys, self.takes_any_key)

    @property
    def definitions(self) -> Definitions | None:
        """How Python code states tools of this format; `None` where it cannot."""
        return importlib.import_module(self.definitions_module).DEFINITIONS if self.definitions_module else None

    @property
    def syntax(self) -> str:
        """The syntax of a document: "json" or "front-matter"; of a format that is only read, its usual file ending."""
        if not self.is_written:
            return self.marks.patterns[0].rpartition(".")[2]
        return "front-matter" if self.marks.has_body else "json"

    @property
    def describes_one_program(self) -> bool:
        """Whether a document is what a program prints about itself. `toolglot --agent` prints this format."""
        return self.tree and self.one_per_file

    @property
    def holds_everything(self) -> bool:
        """Whether every hub field has a place, so that nothing has to be said in other words."""
        return self.holds >= EVERY_FIELD

    @property
    def suffix(self) -> str:
        """The ending of the name of a file with several tools, such as `.mcp.json`."""
        return self.marks.suffix or f".{self.name}"

    @property
    def is_written(self) -> bool:
        """Whether the format can be written, and not only read."""
        return bool(self.writes)

    def version(self, requested: str | None) -> str | None:
        """The requested version, after a check that it can be written.

        Raises:
            UsageError: it cannot be written.
        """
        if not self.is_written:
            raise UsageError(f"{self.name} can be read, not written", code="read-only-format")
        if requested is None or requested in self.writes:
            return requested
        raise UsageError(
            f"{self.name} cannot be written as version {requested!r}; choose one of {', '.join(self.writes)}",
            code="unknown-version",
        )
