"""What a format tells the rest of toolglot: `Format`, and the parts that it has if it needs them."""

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
"""Whether data, with this body, in a file of this name (empty if it has none), is of some kind."""


def has_keys(*keys: str) -> DocumentTest:
    """The test whether a document has all of these keys."""
    return lambda data, body, file_name: all(key in data for key in keys)


class Manifest(msgspec.Struct, frozen=True):
    """How `check` checks a document that is no tool.

    Attributes:
        schema: its canonical schema.
        module: its `find_faults_of_manifest` says what is wrong beyond the schema; empty: nothing does.
    """

    schema: str
    module: str = ""

    def find_faults(self, data: Any, path: str | None) -> Iterable[Finding]:
        """What is wrong with the data, or of a log with its lines; conversions do without what that imports."""
        if not self.module:
            return ()
        findings: Iterable[Finding] = importlib.import_module(self.module).find_faults_of_manifest(data, path)
        return findings


class LookAlike(msgspec.Struct, frozen=True):
    """A kind of document that is no tool description: what it is called, and what to do about it."""

    name: str
    matches: DocumentTest
    advice: str
    manifest: Manifest | None = None


class Marks(msgspec.Struct, frozen=True, kw_only=True):
    """What tells the documents of a format from others.

    To say which format a document has, those of all formats are loaded, and of one the rest. So the module of these
    imports nothing of its format that reads or writes.

    Attributes:
        patterns: file names that usually hold it.
        aliases: what people call it too.
        is_searched: discovery: do folders hold it by its names? False: most called so are no tool.
        folders: discovery: hidden folders that usually hold it and what belongs to it.
        has_body: whether Markdown may stand after its data. False: documents with such a text are of another format.
        sniff: does a document look like the format?
        look_alikes: documents of its world that describe no tool.
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
        """The file names by which folders are searched for it, and a file is taken for it."""
        return self.patterns if self.is_searched else ()

    @property
    def suffix(self) -> str | None:
        """How the name of a file ends that holds several of its tools, as the first such pattern has it."""
        return next((pattern.removeprefix("*") for pattern in self.patterns if pattern.startswith("*.")), None)


class ExtensionSlot(msgspec.Struct, frozen=True):
    """Where a format lets others put data of their own, and we put what it has no field for.

    Attributes:
        path: the keys that lead there in a record; none: such data stand beside the records.
        dump: what stands there for some content: a text, where the format takes texts only.
        load: the content of what stands there; anything but a mapping is none of ours.
    """

    path: tuple[str, ...] = ()
    dump: Callable[[dict[str, Any]], Any] = lambda content: content
    load: Callable[[Any], Any] = lambda value: value


class Spelling(msgspec.Struct, frozen=True):
    """What in documents states no fact of its own, so that reports and `diff` do not take it for one.

    Attributes:
        keys: of the format's extensions, those that say how a document spells things, or its version.
        formal: fields of the hub that the format asks for and that mostly state nothing: what appears in them only
            follows from the format.
        echoes: of the format's extension of a tool, what other fields say: JSON Pointers.
        has_unread: whether the spelling of a parameter says something that no field says.
        repeats_fields: whether the body of a tool says nothing that its fields do not say.
    """

    keys: Collection[str] = ()
    formal: Collection[str] = ()
    echoes: Callable[[Tool], Iterable[str]] = lambda tool: ()
    has_unread: Callable[[Binding], bool] = lambda binding: False
    repeats_fields: Callable[[Tool], bool] = lambda tool: False


class Checks(msgspec.Struct, frozen=True):
    """What `check` says of a format's documents beyond their schema.

    Attributes:
        module: its `RULES` say what findings mean, and what others demand of its tools; its `find_faults`, if it has
            one, what is wrong with a tool, and its `find_faults_of_document` what is wrong with a whole document.
        of_tool: what is wrong with a tool, where a table says it.
        is_of_document: whether schemas and the rules about texts look at whole documents, and not at their records.
        identity: of a tool; tools of one identity have to say the same.
        older_keys: of a version that is read no more; the reader refuses a record for them, and names all that it has.
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
        """What is wrong with a tool."""
        yield from self.of_tool(tool)
        yield from getattr(self.load(), "find_faults", lambda tool: ())(tool)


class MigrationRules(msgspec.Struct, frozen=True):
    """How a format brings a record to another of its versions.

    Attributes:
        module: its `migrate` does so; `None` for reading and writing again.
        kinds: what `MigrationRequest.kind` may be.
        fills: the keys that `MigrationRequest.fill` may have.
    """

    module: str | None = None
    kinds: tuple[str, ...] = ()
    fills: tuple[str, ...] = ()

    @property
    def migrate(self) -> Callable[[Record, MigrationRequest], MigratedRecord] | None:
        """The migration; imported when asked for, because reading and writing do without it."""
        return importlib.import_module(self.module).migrate if self.module else None


class Provider(msgspec.Struct, frozen=True, kw_only=True):
    """Whose models are offered the definitions of a format, and call tools by them.

    Attributes:
        profiles: what it accepts; the first row for a version is its default. Without any, nobody is offered documents
            of the format.
        calls_module: its `CALLS` say how models call tools.
        is_api: whether an API is sent the definitions in every request, and charges for each of their words. So a
            description says READ-ONLY where every effect is denied, and of danger only what every target has to say.
        request_keys: of the format's extensions, those that the API takes.
        is_hosted: whether the provider defines a tool, or runs it itself.
        approval_settings: the part of a request by which the provider asks a person before it calls a tool of a server
            by itself, given names -> whether a person has to be asked; `None`: it has none.
    """

    profiles: tuple[ProviderRules, ...] = ()
    calls_module: str | None = None
    is_api: bool = False
    request_keys: frozenset[str] = frozenset()
    is_hosted: Callable[[Tool], bool] = lambda tool: False
    approval_settings: Callable[[Mapping[str, bool]], dict[str, Any]] | None = None

    @property
    def calls(self) -> Calls | None:
        """How models call tools; imported when asked for, because conversions do without these 2 ms."""
        return importlib.import_module(self.calls_module).CALLS if self.calls_module else None


class Claim(msgspec.Struct, frozen=True):
    """What makes a tool look harmless, and states no fact as long as nobody vouches for it.

    Attributes:
        facts: hub field -> what it would state.
        is_made: whether a tool makes it.
        is_method: whether it is the method of a request, which means what a standard says where a server keeps to it.
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
"""The claims of texts, which every format has."""


class ScopedIds(msgspec.Struct, frozen=True):
    """How ids get a scope, which they begin with. Ids with a scope also name the namespace that is known.

    Attributes:
        scope_for: the scope of a callable node, given its path, the scope that is asked for and what stands behind it;
            `None` where the id keeps what it has. It raises `WriteError` for a scope that contradicts the source.
        source_of: what stands behind a tool that does not say it, given the scope that is asked for.
    """

    scope_for: Callable[[tuple[str, ...], str | None, str | None], str | None]
    source_of: Callable[[Tool, str | None], str | None]


class Definitions(msgspec.Struct, frozen=True):
    """How programs state in code what a format's documents state: keys in `snake_case`, values as the format has them.

    Each raises `UsageError` (code `bad-definition`) for what the format refuses.

    Attributes:
        tool: the contract of a tool.
        action: the manifest of an action, which tools name as what they implement.
    """

    tool: Callable[[dict[str, Any]], Tool]
    action: Callable[[dict[str, Any]], dict[str, Any]]


def _refuse_to_write(tool: Tool, version: str | None) -> Record:
    raise UsageError("this format can be read, not written", code="read-only-format")


class Format(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that the rest of toolglot knows about a format. Nothing outside asks for its name.

    Every format says the fields without a default, and of the others those in which it differs from most.
    `read` and `write` are inverse: `write(read(record), version_of(record)) == record` for every record that is
    valid under the format's canonical schema (law 1). A format that others only read leaves `writes` empty and has no
    writer; it is a source and never a target.
    """

    name: str
    title: str
    url: str
    marks: Marks
    versions: tuple[str, ...]  # that it reads, oldest first
    writes: tuple[str, ...] = ()  # that it writes; the last is the default; none: it can be read, not written
    schemas: str | None = None  # the folder of the schemas of a format from elsewhere; None: toolglot's own
    described_by: Callable[[str], str] = lambda version: version  # the version whose schema describes a version

    # documents and their records
    one_per_file: bool = False
    tree: bool = False  # whether one document holds a program with nested commands
    records: Callable[[Any], list[Record]] = lambda data: [Record(data)]  # takes a document's containers apart
    wrap: Callable[[list[dict[str, Any]]], Any] = lambda records: records[0]  # the default container
    version_of: Callable[[dict[str, Any]], str]
    file_name: Callable[[str], str] = lambda identifier: identifier  # of one tool, relative

    # records and their tools
    holds: frozenset[str]  # fields of the hub that it has a place for
    places: Places
    read: Callable[[Record], Tool]
    write: Callable[[Tool, str | None], Record] = _refuse_to_write  # None: the version it came with, else the newest
    identify: Callable[[Name], str] = lambda name: " ".join(name.path)  # the id of a callable node
    schema_draft: int | None = None  # of JSON Schema, where a schema declares none; None: the format does not say
    shares_schemas: bool = False  # whether `#` of a `$ref` is the document of a schema, and not the schema itself
    known_keys: Table = {}  # of a record; what is left over of them, and slips of them, may state a danger
    names_below: frozenset[str] = NAMES_BELOW  # keys whose own keys are names of anything, and state nothing
    doubts: Callable[[Tool], Iterable[Doubt]] = lambda node: ()  # what else a node states so that nobody can read it
    # of the fields about which a record states a danger elsewhere, those that count
    believed: Callable[[set[str]], set[str]] = lambda fields: fields

    # parts that a format has if it needs them; the class of each says what for
    slot: ExtensionSlot = ExtensionSlot()
    spelling: Spelling = Spelling()
    safety_words: SafetyWords = SafetyWords()
    checks: Checks = Checks()
    migration: MigrationRules = MigrationRules()
    provider: Provider = Provider()
    claims: Mapping[str, Claim] = CLAIMS_IN_TEXTS  # by their names

    # what one or two formats have; all are asked for it, because who asks has documents of any format at hand
    scoped_ids: ScopedIds | None = None  # writing: how its ids get a scope; None: they have none
    # reading: what stands behind a record, given its data and the path of its file; None: nothing
    follow_links: Callable[[dict[str, Any], str | None], LinkedFacts] | None = None
    # editors: the files that the keys of a document lead to, by their JSON Pointers, given its data and its file; of
    # those that stand beside its tools as well
    find_files: Callable[[dict[str, Any], str], Mapping[str, Sequence[str]]] | None = None
    # `check`: where a document says a part of a field that a record only refers to, given the field and the JSON
    # Pointer in its value, as a JSON Pointer in the document; empty where nobody knows
    find_referenced: Callable[[Record, str, str], str] = lambda record, field, rest: ""
    untold: frozenset[str] = frozenset()  # writing: texts that it has no place for, nor a description room
    notes: Mapping[str, str] = {}  # reading: keys of what is left over that no document has, and what each means
    also_states: frozenset[str] = frozenset()  # `diff`: fields that it may state, and has no place for in every tool
    default_timeout_ms: int | None = None  # `diff`: what a tool has that says none; None: nobody knows
    # bridge: the HTTP request that a call of a tool becomes; None: its calls are no requests
    request_of: Callable[[Tool], RequestTemplate | None] = lambda tool: None
    definitions_module: str | None = None  # functions: its `DEFINITIONS` say how programs state tools in code
    # a program describes a part of itself: what the hub's `discovery` says of it
    omission_facts: Callable[[Omission], dict[str, Any]] = lambda omission: {"partial": True}

    def claims_of(self, tool: Tool) -> dict[str, Mapping[str, Any]]:
        """The harmless claims of a tool, by their names, each with the facts that it would state.

        >>> from toolglot.converter.formats import get
        >>> get("hub").claims_of(Tool(id="ls", flags=("read-only",)))
        {'READ-ONLY': {'safety_tier': 'read', 'destructive': False}}
        """
        return {name: claim.facts for name, claim in self.claims.items() if claim.is_made(tool)}

    @property
    def noun(self) -> str:
        """What one of its documents is called in a sentence: by its file, where all have one name."""
        file_name = self.marks.patterns[0]
        return f"a {file_name}" if self.one_per_file and "*" not in file_name else self.name

    def tool_of(self, record: Record) -> Tool:
        """The tool of a record, as dangerous as what nobody can read in it, and what it states under other keys."""
        return map_nodes(self.read(record), self._with_unclear_fields)

    def _with_unclear_fields(self, node: Tool) -> Tool:
        """A node; a danger elsewhere makes a field unclear, because to set it would write it twice."""
        unclear = {doubt.field for doubt in self.doubts(node)}
        rest = node.extension(self.name)
        if rest:
            dangers = list(dangers_elsewhere(rest, self.known_keys))
            unclear.update([doubt.field for doubt in doubts(rest, self.known_keys, dangers)])
            unclear |= self.believed({danger.field for danger in dangers})
        if not unclear:
            return node
        return replace(node, unclear=tuple(sorted(unclear.union(node.unclear or ()))))

    def doubts_of(self, node: Tool) -> Iterator[Doubt]:
        """What one node states about safety so that nobody can read it."""
        yield from doubts(node.extension(self.name), self.known_keys, self.dangers_elsewhere(node))
        yield from self.doubts(node)

    @property
    def known_places(self) -> Iterator[str]:
        """Where documents state its fields, and what the format has no field for and knows, as JSON Pointers."""
        yield from self.places.fields.values()
        yield from (pointer_of(path) for _, path in aliases(self.known_keys))
        yield from (pointer_of(path) for path in keys_in(self.known_keys))

    def dangers_elsewhere(self, node: Tool) -> Iterator[ForeignDanger]:
        """The dangers that one node states under other keys than those of the format."""
        return dangers_elsewhere(node.extension(self.name), self.known_keys)

    @property
    def definitions(self) -> Definitions | None:
        """How programs state tools in code, as documents of this format would; `None` where they do not."""
        return importlib.import_module(self.definitions_module).DEFINITIONS if self.definitions_module else None

    @property
    def syntax(self) -> str:
        """How it is written: "json" or "front-matter"; of what is only read, as its usual files end."""
        if not self.is_written:
            return self.marks.patterns[0].rpartition(".")[2]
        return "front-matter" if self.marks.has_body else "json"

    @property
    def describes_one_program(self) -> bool:
        """Whether a document is what a program prints about itself; `toolglot --agent` does so in this format."""
        return self.tree and self.one_per_file

    @property
    def holds_everything(self) -> bool:
        """Whether every field of the hub has a place, so that nothing has to be said in other words."""
        return self.holds >= EVERY_FIELD

    @property
    def suffix(self) -> str:
        """How the name of a file ends that holds several tools of this format, as its own pattern has it."""
        return self.marks.suffix or f".{self.name}"

    @property
    def is_written(self) -> bool:
        """Whether tools can be written in it, as opposed to only read."""
        return bool(self.writes)

    def version(self, requested: str | None) -> str | None:
        """`requested`, if the format can be written in that version.

        Raises:
            UsageError: it cannot.
        """
        if not self.is_written:
            raise UsageError(f"{self.name} can be read, not written", code="read-only-format")
        if requested is None or requested in self.writes:
            return requested
        raise UsageError(
            f"{self.name} cannot be written as version {requested!r}; choose one of {', '.join(self.writes)}",
            code="unknown-version",
        )
