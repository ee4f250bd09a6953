"""A rule of `check` as it is declared: what it finds, why that matters, what to do, and the function that looks.

A rule stands beside its function in the module of its family (`diagnostics.rules`), or in the folder of the
format whose own it is (`Checks.rules_module`). Messages, manual pages, tables and reports for other programs all come
from this one record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec

from toolglot.converter.hub.model import JsonSchema, Tool
from toolglot.converter.schema.arguments import Schema

Severity = Literal["error", "warning", "info"]
SEVERITIES: tuple[Severity, ...] = ("info", "warning", "error")
"""From the mildest on."""


class Hit(msgspec.Struct, frozen=True):
    """One place where a rule applies.

    Attributes:
        values: what the message of the rule names.
        field: the hub field that it is about; of a rule about schemas it is known already.
        inner: the JSON Pointer in that field, or from the schema that was looked at.
        severity: where it is another than the rule's.
    """

    values: Mapping[str, object] = {}
    field: str = ""
    inner: str = ""
    severity: Severity | None = None


class ScannedText(msgspec.Struct, frozen=True):
    """A text somewhere in a document: a value with the key that it stands under, or a key itself.

    `may_say_read_only`: whether it describes a definition for an API, which has no field that says so.
    """

    value: str
    key: str
    is_key: bool
    may_say_read_only: bool = False


class AllTexts(msgspec.Struct, frozen=True):
    """The texts and keys of a record together, on lines of their own: as they are, and in lower case."""

    text: str
    lower_text: str

    def have_any(self, parts: Iterable[str]) -> bool:
        """Whether one of some parts of words, in small letters, is anywhere in them.

        Nearly every text has none, and this is asked for every record: an expression takes a hundred times as long.
        """
        return any(map(self.lower_text.__contains__, parts))


TextHits = Iterator[Mapping[str, object]]
"""What the message names, once for each finding in one text, and under `at` where in the text it begins."""


class TextTest(msgspec.Struct, frozen=True):
    """How a rule looks at texts.

    Attributes:
        may_occur: whether it is worth looking at the texts one by one; yes too often rather than too seldom.
        find: what the message names, once for each finding in one text, and under `at` where in the text it begins.
    """

    may_occur: Callable[[AllTexts], bool]
    find: Callable[[ScannedText], Iterable[Mapping[str, object]]]


class Subject(msgspec.Struct, frozen=True):
    """A tool that can be called, as rules look at it.

    Attributes:
        tool: with what it inherits from the program that it belongs to.
        own: without that.
        claims: hub field -> what its fields and the hints about it state, whether or not a reader believes a hint.
        is_command: whether it is a command of a program.
        document_schemas: the schemas of its arguments and of its results as the document has them, by hub field, where
            they are spelled otherwise than the hub's.
        schema_draft: the draft of those that declare none, if the format says which.
        shares_schemas: whether a reference in them leads from the document, and not from the schema that has it.
    """

    tool: Tool
    own: Tool
    claims: Mapping[str, Any]
    is_command: bool
    document_schemas: Mapping[str, JsonSchema]
    schema_draft: int | None
    shares_schemas: bool


class SchemaPlace(msgspec.Struct, frozen=True):
    """One schema inside the schema of a tool.

    Attributes:
        schema: the node.
        pointer: where it stands in the whole.
        whole: what it is part of, and `judge`, what tells whether a value obeys that.
        owner: the schema that has it as a property, and `name`, the name of that property.
    """

    schema: JsonSchema
    pointer: str
    whole: JsonSchema
    judge: Schema
    owner: JsonSchema | None = None
    name: str = ""


class SchemaTest(msgspec.Struct, frozen=True):
    """How a rule looks at schemas: only at nodes with one of the keywords.

    `is_of_inputs`: whether it is about what a model fills in, and says nothing of results.
    """

    keywords: tuple[str, ...]
    find: Callable[[SchemaPlace], Iterable[Hit]]
    is_of_inputs: bool = False


SetHits = Iterator[tuple[int, Hit]]
"""What is wrong between the tools of a document, each with the index of the tool."""


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """One rule of `check`.

    Attributes:
        code: its name, which stays what it is.
        family: the rules that it is one of; they are chosen together. Where the rules of a module are of one family,
            `diagnostics.rules` says which.
        severity: `info` is said only on request.
        message: what is said, with the names of values in braces.
        why: what happens to whoever leaves it so.
        mend: what to do.
        citation: whose rule it is too, or where it was measured.
        definition: what exactly it finds, where a message says too little; what it misses stands in `misses`.
        bad, good: a tool in the hub's form (of several, a list) that has the finding, and the same put right; a text
            is a whole document. `None` where no single document shows it.
        fixable: whether `check --fix` puts it right.
        is_on_request: whether it is applied only on request, because whoever it speaks for is not everybody's reader.
        extends: the code of a rule for everybody that this one, on request, goes on from: a finding of that one
            says how many tools this one would name.
        is_last_resort: whether it says nothing of a text that another rule warns of, or of a place in a schema that the
            format itself has a finding for.
        raises: codes of other rules that are errors where this one is applied.
        of_text, of_tool, of_schema, of_set: what looks for it; none where reading finds it.
    """

    code: str
    family: str = ""
    severity: Severity = "warning"
    message: str
    why: str = ""
    mend: str
    citation: str = ""
    definition: str = ""
    misses: str = ""
    bad: Any = None
    good: Any = None
    fixable: bool = False
    is_on_request: bool = False
    extends: str = ""
    is_last_resort: bool = False
    raises: tuple[str, ...] = ()
    of_text: TextTest | None = None
    of_tool: Callable[[Subject], Iterator[Hit]] | None = None
    of_schema: SchemaTest | None = None
    of_set: Callable[[Sequence[Subject]], SetHits] | None = None


def declare_rules(family: str, citation: str, table: Mapping[str, tuple[Severity, str, str, str]]) -> tuple[Rule, ...]:
    """Rules whose findings somebody else makes: code -> severity, what is wrong, why it matters, and what to do.

    >>> declare_rules("x", "X 1", {"two-ids": ("error", "two ids differ", "No tool is read.", "Keep one.")})[0].family
    'x'
    """
    return tuple(
        Rule(code=code, family=family, citation=citation, severity=severity, message=message, why=why, mend=mend)
        for code, (severity, message, why, mend) in table.items()
    )
