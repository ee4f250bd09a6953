"""What is shown of a tool, as plain values: the one model that every rendering takes.

A field of the hub that nothing says has no row. What has to be known of every tool is a badge, and says when it is not
stated.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET

from toolglot.converter import formats
from toolglot.converter.hub.fields import fields_with
from toolglot.converter.hub.model import Binding, ErrorCode, Example, JsonSchema, Parameters, Tool, to_json
from toolglot.converter.hub.trees import join_parameters
from toolglot.converter.safety import states_nothing
from toolglot.converter.schema import keyword_sentences
from toolglot.converter.text.digests import hex_digest
from toolglot.converter.text.pointers import list_at, mapping_at, without_keys
from toolglot.converter.text.sentences import first_sentence, one_line
from toolglot.converter.text.serialization import dump_json
from toolglot.converter.text.wording import to_short_json
from toolglot.verbs.catalogs.catalog_entries import Entry
from toolglot.verbs.catalogs.identities import command_words
from toolglot.verbs.catalogs.pages.badges import (
    EFFECTS_NOT_STATED,
    NOT_STATED,
    Badge,
    approval_of,
    badges_of,
    dangers_of,
)
from toolglot.verbs.tokens.estimate import estimate_tokens


class Fact(NamedTuple):
    """One row of a list of facts."""

    label: str
    value: str


class FactGroup(NamedTuple):
    """Facts under one heading."""

    title: str
    facts: list[Fact]


class FileOrigin(NamedTuple):
    """A file that tools come from."""

    path: str
    format: str
    sha256: str


class DriverRow(NamedTuple):
    """One way in which a tool is carried out."""

    id: str
    kind: str
    egress: str
    is_default: bool


class Usage(NamedTuple):
    """An example: what it shows, and its parts by their labels."""

    title: str
    parts: list[Fact]
    note: str


class LocalisedText(NamedTuple):
    """What a tool says in another language."""

    language: str
    description: str
    when_to_use: str


# The fields of the hub that are facts, in the order of the hub; the rest has a place of its own on the page.
FACT_GROUPS = {
    "Effects": fields_with(group="effects"),
    "Care": fields_with(group="care"),
    "Prerequisites": fields_with(group="needs"),
    "About": fields_with(group="about"),
}


class ToolCard:
    """One tool of a catalogue.

    Args:
        entry: as it was gathered.
        slug: what it is called in addresses and paths.
    """

    def __init__(self, entry: Entry, slug: str) -> None:
        assert entry.tool is not None
        self.entry = entry
        self.slug = slug
        self.tool: Tool = entry.tool

    @cached_property
    def name(self) -> str:
        """The words that it is called by."""
        return " ".join(filter(None, self.entry.path)) or self.entry.name

    @property
    def server(self) -> str:
        """Whose tool it is; empty where nothing says so."""
        return self.entry.namespace or ""

    @property
    def group(self) -> str:
        """The server or the file that it belongs to."""
        return self.server or self.entry.file

    @property
    def title(self) -> str:
        """Its name for people, where that says more than its id."""
        title = self.tool.title or ""
        return "" if _letters(title) == _letters(self.name) else title

    @cached_property
    def summary(self) -> str:
        """What it does, in one sentence; empty where nothing says so."""
        return self.tool.summary or first_sentence(self.tool.description or "")

    @property
    def description(self) -> str:
        """What it does, as Markdown; empty where the summary has it all."""
        description = self.tool.description or ""
        return "" if description.strip() == self.summary else description

    @cached_property
    def badges(self) -> list[Badge]:
        """What has to be known at a glance."""
        return badges_of(self.tool)

    # -- what it takes and gives --------------------------------------------------------------------------------

    @cached_property
    def _all_parameters(self) -> Parameters:
        """Its own parameters, and the options of its program."""
        own = Parameters(self.tool.inputs, self.tool.bindings)
        global_parameters = Parameters(self.tool.global_inputs, self.tool.global_bindings)
        return join_parameters(own, global_parameters)

    @cached_property
    def parameters(self) -> list[ParameterRow]:
        """The rows of its inputs."""
        return _rows_of(*self._all_parameters)

    @property
    def has_defaults(self) -> bool:
        """Whether a parameter has one; else their column would be blank."""
        return any(row.default for row in self.parameters)

    @property
    def no_parameters(self) -> str:
        """Why there are no rows."""
        if self._all_parameters.inputs is None:
            return "The source does not describe the arguments."
        return "It takes no arguments."

    @property
    def schemas(self) -> list[Fact]:
        """Its schemas as JSON, each under its name."""
        schemas = {"inputs": self._all_parameters.inputs, "context": self.tool.context, "outputs": self.tool.outputs}
        return [Fact(f"Schema of its {name}", _json(schema)) for name, schema in schemas.items() if schema]

    @property
    def errors(self) -> tuple[ErrorCode, ...]:
        """The failures that a caller can meet."""
        return self.tool.errors or ()

    @property
    def usages(self) -> list[Usage]:
        """Its examples."""
        return [_usage(example) for example in self.tool.examples or ()]

    @property
    def translations(self) -> list[LocalisedText]:
        """What it says in other languages, by their tags."""
        rows: list[LocalisedText] = []
        for tag, texts in sorted((self.tool.localizations or {}).items()):
            description, when_to_use = texts.get("description") or "", texts.get("when_to_use") or ""
            rows.append(LocalisedText(tag, str(description), str(when_to_use)))
        return rows

    @cached_property
    def tokens(self) -> int:
        """About how many tokens its name, its description and its parameters cost in every request that offers it."""
        definition: dict[str, Any] = {"name": self.name}
        if self.tool.description is not None:
            definition["description"] = self.tool.description
        if self.tool.inputs is not None:
            definition["parameters"] = self.tool.inputs
        return estimate_tokens(definition)

    # -- facts ----------------------------------------------------------------------------------------------------

    @property
    def groups(self) -> list[FactGroup]:
        """What is stated of it, under headings."""
        groups = {title: list(_facts(self.tool, fields)) for title, fields in FACT_GROUPS.items()}
        groups["About"].append(Fact("tokens in a request", f"about {self.tokens:,}"))
        claims = formats.get(self.entry.provenance["format"]).claims_of(self.tool)  # no facts
        groups["Claims"] = [Fact(name, "claimed by the source; nobody vouches for it") for name in claims]
        return [FactGroup(title, facts) for title, facts in groups.items() if facts]

    @property
    def drivers(self) -> list[DriverRow]:
        """What can carry it out; the default stands first, also where no file describes it."""
        default = self.tool.default_implementation
        rows: list[DriverRow] = []
        for driver in self.entry.drivers:
            hosts = ", ".join(driver.facts.get("hosts", ())) or "none"
            rows.append(DriverRow(driver.id, driver.kind or NOT_STATED, hosts, driver.id == default))
        defaults = [row for row in rows if row.is_default]
        if default and not defaults:
            defaults = [DriverRow(default, NOT_STATED, NOT_STATED, is_default=True)]
        return defaults + [row for row in rows if not row.is_default]

    @property
    def source(self) -> FileOrigin:
        """The file that it comes from."""
        provenance = self.entry.provenance
        return FileOrigin(self.entry.file, formats.get(provenance["format"]).title, provenance["sha256"])

    @property
    def place(self) -> str:
        """The file that it comes from, and the line."""
        return ":".join(map(str, filter(None, (self.entry.file, self.entry.line))))

    @property
    def other_origins(self) -> list[Fact]:
        """What else it comes from: each file with its hash."""
        provenance = self.entry.provenance
        rows: list[Fact] = []
        for key, label in (("localised_from", "translation"), ("also_from", "also in")):
            rows += [Fact(label, f"{other['path']} (SHA-256 {other['sha256']})") for other in provenance.get(key, ())]
        if "asserted" in provenance:
            rows.append(Fact("asserted", _phrase(provenance["asserted"])))
        return rows

    @cached_property
    def facets(self) -> dict[str, list[str]]:
        """What it is found by, under the keys of `FACETS`."""
        dangers = [badge.text for badge in dangers_of(self.tool)]
        if states_nothing(self.tool):  # which is no absence of danger
            dangers.append(EFFECTS_NOT_STATED)
        return {
            "danger": dangers or ["no danger stated"],
            "tier": [self.tool.safety_tier or NOT_STATED],
            "approval": [approval_of(self.tool) or NOT_STATED],
            "egress": [self.tool.egress or NOT_STATED],
            "format": [formats.get(self.entry.provenance["format"]).title],
            "server": [self.server or NOT_STATED],
            "tag": list(dict.fromkeys(self.tool.tags or ())),
            "source": [self.entry.file],
        }


FACETS = {
    "danger": "Danger",
    "tier": "Safety tier",
    "approval": "Approval",
    "egress": "Egress",
    "format": "Format",
    "server": "Server",
    "tag": "Tag",
    "source": "Source",
}
"""What tools are found by: key in addresses -> heading."""


class FacetOption(NamedTuple):
    """One value of a facet: its number on the page, and how many tools have it."""

    value: str
    number: int
    tools: int


class Facet(NamedTuple):
    """Values of one kind, the most frequent first."""

    key: str
    label: str
    options: list[FacetOption]


def count_facets(cards: Iterable[ToolCard]) -> list[Facet]:
    """The facets in which tools differ."""
    counts: dict[str, Counter[str]] = {key: Counter() for key in FACETS}
    for card in cards:
        for key, values in card.facets.items():
            counts[key].update(values)
    facets: list[Facet] = []
    number = 0
    for key, label in FACETS.items():
        if len(counts[key]) < 2:
            continue
        options: list[FacetOption] = []
        for value, count in sorted(counts[key].items(), key=lambda item: (-item[1], item[0])):
            options.append(FacetOption(value, number, count))
            number += 1
        facets.append(Facet(key, label, options))
    return facets


def cards_of(entries: Sequence[Entry]) -> list[ToolCard]:
    """The cards of settled entries, each with an address of its own."""
    used_slugs = dict.fromkeys(("tools", "none", "finder", "query", "count"), 1)  # what pages call parts of themselves
    return [ToolCard(entry, unique_slug(" ".join(command_words(entry)), used_slugs)) for entry in entries]


def unique_slug(text: str, used_slugs: dict[str, int]) -> str:
    """A text as a part of an address, and of a path on every system; no two are the same.

    Args:
        used_slugs: those that are taken -> the last number that was put behind each.

    >>> taken = {}
    >>> [unique_slug(text, taken) for text in ("gh pr list", "../../etc", "con", "con.x", "日本")]
    ['gh-pr-list', 'etc', 'con-1143da', 'con-x', 'tool-cf2abf']
    """
    plain = re.sub(r"[^a-z0-9_]+", "-", text.lower()).strip("-_")
    slug = plain[:_LONGEST].rstrip("-_") or "tool"
    # Of what was cut, or is no name of a file (`nul` is a device), a hash tells what it was.
    if slug != plain or slug in used_slugs or _DEVICE.fullmatch(slug):
        slug = f"{slug}-{hex_digest(text, 6)}"
    base = slug
    while slug in used_slugs:
        used_slugs[base] += 1
        slug = f"{base}-{used_slugs[base]}"
    used_slugs[slug] = 1
    return slug


_LONGEST = 60
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])")


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).lower()


def _facts(tool: Tool, fields: Iterable[str]) -> Iterator[Fact]:
    for field in fields:
        value = getattr(tool, field)
        if value is not None:
            yield Fact(field.replace("_", " "), _phrase(to_json(value)))


def _phrase(value: Any) -> str:
    """A value in words; a list or an object by its entries."""
    if value is True:
        return "yes"
    if value is False:
        return "no"
    if isinstance(value, dict):
        return "; ".join(f"{key}: {_phrase(entry)}" for key, entry in value.items()) or "none"
    if isinstance(value, list):
        separator = "; " if any(isinstance(entry, dict) for entry in value) else ", "
        return separator.join(map(_phrase, value)) or "none"
    return str(value)


def _usage(example: Example) -> Usage:
    parts = [Fact("Command", example.command)] if example.command else []
    values = {"Input": example.input, "Output": example.output}
    parts += [Fact(label, _json(value)) for label, value in values.items() if value is not UNSET]
    return Usage(example.title or "", parts, example.note or "")


def _json(value: JsonSchema | Any) -> str:
    return _wide_json(msgspec.to_builtins(value))


def _wide_json(value: Any, indent: str = "\n") -> str:
    """JSON in which what fits stands on one line: half as long as with a line for everything.

    >>> print(_wide_json({"type": "object", "properties": {"a": {"type": "string", "description": "x" * 50}}}))
    {
     "type": "object",
     "properties": {"a": {"type": "string", "description": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}}
    }
    """
    inner = f"{indent} "
    if value and isinstance(value, dict):
        parts = [f"{dump_json(key, None)[:-1]}: {_wide_json(item, inner)}" for key, item in value.items()]
        opening, closing = "{}"
    elif value and isinstance(value, list):
        parts = [_wide_json(item, inner) for item in value]
        opening, closing = "[]"
    else:
        return dump_json(value, None)[:-1]
    line = f"{opening}{', '.join(parts)}{closing}"
    if "\n" not in line and len(line) <= _WIDEST:
        return line
    return f"{opening}{inner}{f',{inner}'.join(parts)}{indent}{closing}"


_WIDEST = 100  # characters of a line of JSON


# -- parameters -------------------------------------------------------------------------------------------------------

_MOST_ROWS = 200
_DEEPEST = 4
_ELSEWHERE = ("default", "description", "examples", "title", "properties", "required")


class ParameterRow(NamedTuple):
    """One parameter.

    Attributes:
        path: its name below those that hold it: `filter.from`, `items[].id`.
        spellings: how it stands on a command line, where it does.
        accepts: what it takes, in words.
        default: as JSON; empty where there is none.
    """

    path: str
    spellings: tuple[str, ...]
    is_required: bool
    accepts: str
    default: str
    description: str


def _rows_of(schema: JsonSchema | None, bindings: Mapping[str, Binding] | None = None) -> list[ParameterRow]:
    """The parameters of a schema, at most `_MOST_ROWS`, nested ones below the one that holds them.

    >>> [row.path for row in _rows_of({"properties": {"a": {"items": {"properties": {"b": {}}}}}})]
    ['a', 'a[].b']
    """
    return list(islice(_inner_rows(schema, "", bindings or {}, _DEEPEST), _MOST_ROWS))


def _inner_rows(schema: Any, prefix: str, bindings: Mapping[str, Binding], depth: int) -> Iterator[ParameterRow]:
    if not isinstance(schema, dict) or not depth:
        return
    required = list_at(schema, "required")
    for name, part in mapping_at(schema, "properties").items():
        path = f"{prefix}{name}"
        yield _row(path, part, name in required, bindings.get(name))
        if isinstance(part, dict):
            yield from _inner_rows(part, f"{path}.", {}, depth - 1)
            yield from _inner_rows(part.get("items"), f"{path}[].", {}, depth - 1)


def _row(path: str, schema: Any, is_required: bool, binding: Binding | None) -> ParameterRow:
    spellings = (binding and binding.flags) or ()
    if not isinstance(schema, dict):
        return ParameterRow(path, spellings, is_required, keyword_sentences.rule(schema), "", "")
    accepts = keyword_sentences.rule(without_keys(schema, *_ELSEWHERE))
    default = to_short_json(schema["default"]) if "default" in schema else ""
    description = schema.get("description")
    text = one_line(description) if isinstance(description, str) else ""
    return ParameterRow(path, spellings, is_required, accepts, default, text)
