"""The card of a tool: what a person wants to see before using it, as plain values that every rendering takes.

A field of the hub that nothing says has no row. What has to be known of every tool is a badge, and says when it is not
stated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET

from toolglot.converter import formats
from toolglot.converter.conversion.positions import SourcePlaces
from toolglot.converter.conversion.reading import Reading
from toolglot.converter.conversion.vouched_facts import Assertion, vouched_of, with_assertions
from toolglot.converter.formats import LinkedDriver, Record
from toolglot.converter.hub.fields import fields_with
from toolglot.converter.hub.model import Example, JsonSchema, Parameters, Tool, to_json
from toolglot.converter.hub.trees import all_parameters
from toolglot.converter.safety.inheritance import leaves_of
from toolglot.converter.safety.reasons_to_ask import ApprovalQuestion, policy_that_answers, questions_before_call
from toolglot.converter.text.digests import sha256_of
from toolglot.converter.text.pointers import without_nulls
from toolglot.converter.text.sentences import first_sentence
from toolglot.converter.text.serialization import dump_json_line
from toolglot.converter.text.similar_names import letters_of
from toolglot.verbs.cards.badges import NOT_STATED, Badge, badges_of
from toolglot.verbs.cards.parameter_rows import ROW_HEADS, ParameterRow, rows_of
from toolglot.verbs.cards.safety_facts import NOBODY, SafetyFact, safety_facts
from toolglot.verbs.tokens.estimate import estimate_tokens


class Fact(NamedTuple):
    """One row of a list of facts."""

    label: str
    value: str


class CardSection(NamedTuple):
    """A part of a card: a text, and rows below it, of which the first cell is a name.

    Attributes:
        heads: of the columns of the rows; empty for names with their values.
    """

    title: str
    heads: tuple[str, ...] = ()
    rows: Sequence[tuple[str, ...]] = ()
    text: str = ""

    def without_blank_columns(self) -> CardSection:
        """The same without the columns that are blank in every row."""
        kept = [index for index, column in enumerate(zip(*self.rows, strict=True)) if any(column)]
        rows = [tuple(row[index] for index in kept) for row in self.rows]
        return self._replace(heads=tuple(self.heads[index] for index in kept) if self.heads else (), rows=rows)


class Pin(msgspec.Struct, frozen=True, omit_defaults=True):
    """Whether a lock of servers pins a tool, as it is here, with another text, or not at all; and as whose tool."""

    lock: str
    state: str
    server: str = ""


PINNED, CHANGED, NOT_PINNED = "pinned", "changed since", "not pinned"


class CardOrigin(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where a tool comes from.

    Attributes:
        path: of the file.
        format: the name of its format.
        sha256: of the file.
        line: where the file describes the tool; `None` where that is not known.
        server: whose tool it is; empty where nothing says so.
        pin: `None` where no lock was asked.
    """

    path: str
    format: str
    sha256: str
    line: int | None = None
    server: str = ""
    pin: Pin | None = None

    @property
    def format_title(self) -> str:
        """What people call the format."""
        return formats.get(self.format).title

    @property
    def place(self) -> str:
        """The file and the line."""
        return ":".join(map(str, filter(None, (self.path, self.line))))


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


_ASKS = {
    "never": "A session asks nobody before a call.",
    "once": "A session asks once: {}.",
    "always": "A session asks before every call: {}.",
}


class ToolCard(msgspec.Struct, dict=True, eq=False):
    """One tool.

    Attributes:
        tool: a callable node, with what it inherits and what is vouched for.
        name: the words that it is called by.
        safety: what is said about its danger, and by whom.
        drivers: what can carry it out, as files beside its own say.
    """

    tool: Tool
    name: str
    origin: CardOrigin
    safety: Sequence[SafetyFact] = ()
    drivers: Sequence[LinkedDriver] = ()

    @property
    def server(self) -> str:
        """Whose tool it is; empty where nothing says so."""
        return self.origin.server

    @property
    def title(self) -> str:
        """Its name for people, where that says more than its id."""
        title = self.tool.title or ""
        return "" if letters_of(title) == letters_of(self.name) else title

    @cached_property
    def summary(self) -> str:
        """What it does, in one sentence; empty where nothing says so."""
        return self.tool.summary or first_sentence(self.tool.description or "")

    @property
    def description(self) -> str:
        """What it does, as Markdown; empty where the summary has it all."""
        description = self.tool.description or ""
        return "" if description.strip() == self.summary else description

    @property
    def texts(self) -> list[Fact]:
        """What is written about it for whoever calls it; the first text, which has no label, is what it does."""
        texts = {
            "": self.tool.description or self.summary or "Nothing says what it does.",
            "When to use it": self.tool.when_to_use,
            "How to use it": self.tool.guidance,
        }
        return [Fact(label, text) for label, text in texts.items() if text]

    @cached_property
    def badges(self) -> list[Badge]:
        """What has to be known at a glance."""
        return badges_of(self.tool)

    # -- what it takes and gives --------------------------------------------------------------------------------

    @cached_property
    def _all_parameters(self) -> Parameters:
        """Its own parameters, and the options of its program."""
        return all_parameters(self.tool)

    @cached_property
    def parameters(self) -> list[ParameterRow]:
        """The rows of its inputs."""
        return rows_of(*self._all_parameters)

    @property
    def schemas(self) -> list[Fact]:
        """Its schemas as JSON, each under its name."""
        schemas = {"inputs": self._all_parameters.inputs, "context": self.tool.context, "outputs": self.tool.outputs}
        return [Fact(f"Schema of its {name}", _json(schema)) for name, schema in schemas.items() if schema]

    @property
    def usages(self) -> list[Usage]:
        """Its examples."""
        return [_usage(example) for example in self.tool.examples or ()]

    @property
    def translations(self) -> list[LocalisedText]:
        """What it says in other languages, by their tags."""
        return [
            LocalisedText(tag, str(texts.get("description") or ""), str(texts.get("when_to_use") or ""))
            for tag, texts in sorted((self.tool.localizations or {}).items())
        ]

    @cached_property
    def tokens(self) -> int:
        """About how many tokens its name, its description and its parameters cost in every request that offers it."""
        definition = {"name": self.name, "description": self.tool.description, "parameters": self.tool.inputs}
        return estimate_tokens(without_nulls(definition))

    # -- facts ----------------------------------------------------------------------------------------------------

    @property
    def said_facts(self) -> list[SafetyFact]:
        """What somebody says about its danger."""
        return [fact for fact in self.safety if fact.by != NOBODY]

    @property
    def unstated(self) -> list[str]:
        """The dangers of which nobody says whether it has them, in words."""
        return [fact.fact for fact in self.safety if fact.by == NOBODY]

    @cached_property
    def questions(self) -> list[ApprovalQuestion]:
        """What a session asks a person before a call, if no policy answers."""
        return list(questions_before_call(self.tool))

    @property
    def frequency(self) -> str:
        """How often a session asks: `"never"`, `"once"`, where a yes holds to its end, or `"always"`."""
        if not self.questions:
            return "never"
        return "once" if all(question.is_asked_once for question in self.questions) else "always"

    @property
    def asks(self) -> str:
        """How often a session asks, why, and what answers in place of a person, in words."""
        reasons = "; ".join(question.reason for question in self.questions)
        text = _ASKS[self.frequency].format(reasons)
        policy = policy_that_answers(self.questions)
        if policy:
            text += f" With the policy {dump_json_line(policy)} it asks nobody."
        return text

    @property
    def sections(self) -> list[CardSection]:
        """Its parts, as every rendering shows them; what says nothing is left out."""
        tool = self.tool
        parameters, results = [row.cells for row in self.parameters], [row.cells for row in rows_of(tool.outputs)]
        no_parameters = "The source does not describe the arguments."
        if self._all_parameters.inputs is not None:
            no_parameters = "It takes no arguments."
        errors = [(error.code, error.description or "", error.action or "") for error in tool.errors or ()]
        said = [(label_of(fact.fact), _with_meaning(fact), fact.words) for fact in self.said_facts]
        unstated = f"Nobody says yes or no to: {', '.join(self.unstated)}." if self.unstated else ""
        sections = [
            CardSection("Parameters", ROW_HEADS, parameters, "" if parameters else no_parameters),
            CardSection("Result", ROW_HEADS, results, tool.success or ""),
            CardSection("Errors", ("Code", "When", "What to do"), errors),
            CardSection("Safety", ("Fact", "Value", "Who says it"), said, unstated),
            CardSection("Before a call", text=self.asks),
            *(CardSection(title, (), self._facts_of(title)) for title in FACT_GROUPS),
            CardSection("Drivers", ("Driver", "Kind", "Egress", "Default"), self._drivers()),
            CardSection("Origin", (), self.origin_facts),
        ]
        return [section.without_blank_columns() for section in sections if section.rows or section.text]

    def _facts_of(self, title: str) -> list[tuple[str, ...]]:
        """What else is stated of it under a heading."""
        shown = {fact.fact for fact in self.safety}
        values = [(field, getattr(self.tool, field)) for field in FACT_GROUPS[title] if field not in shown]
        facts: list[tuple[str, ...]] = [
            (label_of(field), phrase(to_json(value))) for field, value in values if value is not None
        ]
        if title == "About":
            facts.append(("tokens in a request", f"about {self.tokens:,}"))
        return facts

    def _drivers(self) -> list[tuple[str, ...]]:
        """What can carry it out; the default stands first, also where no file describes it."""
        default = self.tool.default_implementation
        rows = {
            driver.id: (driver.kind or NOT_STATED, ", ".join(driver.facts.get("hosts", ())) or "none")
            for driver in self.drivers
        }
        if default:
            rows = {default: rows.get(default, (NOT_STATED, NOT_STATED)), **rows}
        return [(name, *row, "yes" if name == default else "no") for name, row in rows.items()]

    @property
    def origin_facts(self) -> list[tuple[str, str]]:
        """Where it comes from, and whether it is pinned."""
        origin = self.origin
        facts = [
            ("file", origin.place),
            ("SHA-256", origin.sha256),
            ("format", origin.format_title),
            ("server", origin.server or NOT_STATED),
        ]
        if origin.pin is not None:
            facts.append(("lock", f"{origin.pin.lock}: {origin.pin.state}"))
        return facts

    def to_json(self) -> dict[str, Any]:
        """The card as JSON data, an entry of `cards` in `schemas/card`."""
        card = {
            "name": self.name,
            "title": self.title,
            "description": self.tool.description or self.summary,
            "when_to_use": self.tool.when_to_use or "",
            "parameters": self.parameters,
            "result": self.tool.success or "",
            "outputs": rows_of(self.tool.outputs),
            "safety": self.said_facts,
            "unstated": self.unstated,
            "asks": self.frequency,
            "questions": [
                {"reason": question.reason, "policy": policy_that_answers([question])} for question in self.questions
            ],
            "origin": self.origin,
        }
        data: dict[str, Any] = msgspec.to_builtins({key: value for key, value in card.items() if value != ""})
        return data


def cards_of(
    reading: Reading,
    assertions: Sequence[Assertion] = (),
    pin_of: Callable[[str, Record], Pin | None] = lambda server, record: None,
) -> Iterator[ToolCard]:
    """A card for each callable node of a document.

    Args:
        assertions: what the person who runs this vouches for.
        pin_of: whether a lock pins a tool, given its server and its record.

    >>> from toolglot.converter.conversion.sources import open_document, read_document
    >>> [card] = cards_of(read_document(open_document({"name": "ls", "inputSchema": {}}, "ls.mcp.json")))
    >>> card.name, card.asks.partition(":")[0]
    ('ls', 'A session asks once')
    """
    document = reading.document
    path = document.name or ""
    sha256 = sha256_of(document.file_content)
    for index, tool in enumerate(reading.tools):
        record, places = reading.record_of(index), SourcePlaces(reading, index)
        server, pin, linked = tool.namespace or "", None, None
        if record is not None:
            pin, linked = pin_of(server, record), record.linked_facts
        if pin is not None:
            server = server or pin.server
        for leaf, own in zip(leaves_of(with_assertions(tool, assertions, record)), leaves_of(tool), strict=True):
            line = places.find(leaf.pointer, "", "").line
            origin = CardOrigin(path, reading.format.name, sha256, line, server, pin)
            vouched = vouched_of(own, assertions, record).facts
            yield ToolCard(
                leaf.tool,
                leaf.words or leaf.tool.id,
                origin,
                tuple(safety_facts(leaf.tool, reading.format, vouched, places, leaf.pointer)),
                () if linked is None else linked.drivers,
            )


def label_of(field: str) -> str:
    """The name of a fact as people read it."""
    return field.replace("_", " ")


def phrase(value: Any) -> str:
    """A value in words; a list or an object by its entries."""
    if value is True:
        return "yes"
    if value is False:
        return "no"
    if isinstance(value, dict):
        return "; ".join(f"{label_of(key)}: {phrase(entry)}" for key, entry in value.items()) or "none"
    if isinstance(value, list):
        separator = "; " if any(isinstance(entry, dict) for entry in value) else ", "
        return separator.join(map(phrase, value)) or "none"
    return str(value)


def _with_meaning(fact: SafetyFact) -> str:
    """What is said, and the dangers that it stands for."""
    value = "unclear" if fact.value is None else phrase(fact.value)
    return ": ".join(filter(None, (value, ", ".join(fact.means))))


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
        parts = [f"{dump_json_line(key)}: {_wide_json(item, inner)}" for key, item in value.items()]
        opening, closing = "{}"
    elif value and isinstance(value, list):
        parts = [_wide_json(item, inner) for item in value]
        opening, closing = "[]"
    else:
        return dump_json_line(value)
    line = f"{opening}{', '.join(parts)}{closing}"
    if "\n" not in line and len(line) <= _WIDEST:
        return line
    return f"{opening}{inner}{f',{inner}'.join(parts)}{indent}{closing}"


_WIDEST = 100  # characters of a line of JSON
