"""The declaration of a rule of `check`: what it finds, why that matters, what to do, and the function that looks.

A rule stands beside its function, in the module of its family (`diagnostics.rules`) or in the folder of its format
(`Checks.module`). Messages, manual pages, tables and reports for other programs are all made from this record.
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
        values: the values for the braces in the rule's message.
        field: the hub field that it is about; a rule about schemas need not say it.
        inner: JSON Pointer in that field, or from the schema that was tested.
        severity: a severity other than the rule's.
    """

    values: Mapping[str, object] = {}
    field: str = ""
    inner: str = ""
    severity: Severity | None = None


class ScannedText(msgspec.Struct, frozen=True):
    """A text somewhere in a document: a value with its key, or a key itself.

    `may_say_read_only`: whether it describes a definition for an API without a field that says READ-ONLY.
    """

    value: str
    key: str
    is_key: bool
    may_say_read_only: bool = False


class AllTexts(msgspec.Struct, frozen=True):
    """All texts and keys of a record, joined by line breaks: as they are, and in lower case."""

    text: str
    lower_text: str

    def have_any(self, parts: Iterable[str]) -> bool:
        """Whether they contain one of some parts of words, given in lower case.

        This is asked for every record, and nearly all have none. An expression would take a hundred times as long.
        """
        return any(map(self.lower_text.__contains__, parts))


TextHits = Iterator[Mapping[str, object]]
"""What the message names, once for each finding in one text, and under `at` where in the text it begins."""


class TextTest(msgspec.Struct, frozen=True):
    """How a rule tests texts.

    Attributes:
        may_occur: whether the texts need a test one by one; it may be true too often, and never too seldom.
        find: for each finding in a text, the values for the message; `at` is the offset in the text.
    """

    may_occur: Callable[[AllTexts], bool]
    find: Callable[[ScannedText], Iterable[Mapping[str, object]]]


class Subject(msgspec.Struct, frozen=True):
    """A callable tool, with what rules need to know about it.

    Attributes:
        tool: the tool with what it inherits from its program.
        own: the tool without what it inherits.
        claims: hub field -> what fields and hints state, whether or not a hint is believed.
        is_command: whether it is a command of a program.
        document_schemas: hub field -> schema of arguments or results in the document's own spelling, where it differs.
        schema_draft: the draft of schemas that declare none, if the format says it.
        shares_schemas: whether `#` in a reference means the document, and not the schema around it.
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
        schema: the schema.
        pointer: its JSON Pointer in the whole.
        whole: the whole schema.
        judge: tests whether a value obeys the whole.
        owner: the schema that has it as a property.
        name: the name of that property.
    """

    schema: JsonSchema
    pointer: str
    whole: JsonSchema
    judge: Schema
    owner: JsonSchema | None = None
    name: str = ""


class SchemaTest(msgspec.Struct, frozen=True):
    """How a rule tests schemas: only those with one of the keywords.

    `is_of_inputs`: whether the rule is only about arguments, and not about results.
    """

    keywords: tuple[str, ...]
    find: Callable[[SchemaPlace], Iterable[Hit]]
    is_of_inputs: bool = False


SetHits = Iterator[tuple[int, Hit]]
"""What is wrong between the tools of a document, each with the index of the tool."""


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """One rule of `check`.

    Attributes:
        code: the stable name of the rule.
        family: the family of rules that it belongs to; families are chosen as a whole. Where a module has the rules of
            one family, `diagnostics.rules` says which.
        severity: findings of `info` are reported only on request.
        message: the message, with the names of values in braces.
        why: what happens if nothing is done.
        mend: what to do.
        citation: who else has this rule, or where it was measured.
        definition: what the rule finds exactly, where the message says too little.
        misses: what it does not find.
        bad, good: a tool with the finding in the hub's JSON form (several as a list), and the same tool put right; a
            text is a whole document. `None`: no single document shows it.
        fixable: whether `check --fix` puts it right.
        is_on_request: whether it is applied only on request, because it matters only to some readers.
        extends: the code of a rule that is always applied, and of which this one gives the details on request.
        is_last_resort: whether it is silent about a text or a place that another rule has a finding for.
        raises: codes of other rules whose findings are errors where this rule is applied.
        of_text, of_tool, of_schema, of_set: the test of the rule; none where reading finds the fault.
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
    """Rules without a test, whose findings come from readers: code -> severity, message, why it matters, what to do.

    >>> declare_rules("x", "X 1", {"two-ids": ("error", "two ids differ", "No tool is read.", "Keep one.")})[0].family
    'x'
    """
    return tuple(
        Rule(code=code, family=family, citation=citation, severity=severity, message=message, why=why, mend=mend)
        for code, (severity, message, why, mend) in table.items()
    )
