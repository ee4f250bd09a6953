"""Rules about what providers refuse: of their own definitions always, of other formats on request.

The family `provider` speaks of definitions that are written for a provider. A family that is called like a provider
(`--require openai`) holds any tool to what that provider takes, as data in the `provider_limits.py` of its format says;
`toolglot convert` writes definitions that obey.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from toolglot.converter import formats
from toolglot.converter.fitting.provider_rules import ProviderRules
from toolglot.converter.fitting.provider_violations import violations_as_spelled
from toolglot.converter.formats.kit.rule import Hit, Rule, Subject, declare_rules
from toolglot.errors import FitError

_MOST = 10  # faults of one schema

_PARTS = {
    "all-required": "a property is not in `required`",
    "any-of-alone": "something stands beside `anyOf`",
    "booleans": "a schema is true or false",
    "declared": "a name in `required` is not declared",
    "empty-enum-text": "an enum has the empty text",
    "empty-objects": "an object has no properties",
    "enum": "a value of an enum is not of the type beside it",
    "enum-beside-type-list": "an enum stands beside a list of types",
    "enum-types": "an enum has values of a type that it may not have",
    "formats": "a format of texts is not known",
    "items": "an array does not say what it holds",
    "key-first": "a key has characters that it may not have",
    "key-limit": "a key is too long",
    "keywords": "a keyword is not known",
    "limits": "the schema is too large",
    "limits.characters": "the names and values of the schema are too long together",
    "limits.depth": "the schema is nested too deeply",
    "limits.enum-values": "the enums of the schema have too many values",
    "limits.long-enum": "an enum is too long",
    "limits.properties": "the schema has too many properties",
    "most-min-items": "`minItems` is too large",
    "objects": "an object is open that has to be closed, or the other way round",
    "optional-recursion": "the schema contains itself where nothing may be left out",
    "pattern": "a pattern is more than is understood",
    "properties": "an object has no `properties`",
    "recursion": "the schema contains itself",
    "references": "a reference leads where it may not",
    "root": "the root of the schema is no object",
    "root-combinators": "the root of the schema is put together of alternatives",
    "type-lists": "a list of types stands where one type may stand",
    "typed": "a schema does not say its type",
}


_WHY = "The provider refuses the request, and with it every other tool in it."
_MEND = (
    "`toolglot convert` with the `--to` and the `--profile` of the message rewrites the definition so that it is taken."
)
_OF_DEFINITIONS = declare_rules(
    "provider",
    "`provider_limits.py` of the format, row by row",
    {f"provider-{part}": ("warning", message, _WHY, _MEND) for part, message in _PARTS.items()},
)


def _find_bad_name(row: ProviderRules, subject: Subject) -> Iterator[Hit]:
    pattern = f"[{row.name_first}][{row.name_rest}]*"
    name = subject.own.id
    if len(name) > row.name_limit or not re.fullmatch(pattern, name, re.ASCII):
        yield Hit({"name": name, "pattern": pattern, "most": row.name_limit}, "id")


def _find_long_description(row: ProviderRules, subject: Subject) -> Iterator[Hit]:
    length = len(subject.own.description or "")
    if row.description_limit is not None and length > row.description_limit:
        yield Hit({"length": length, "most": row.description_limit}, "description")


def _find_bad_schema(row: ProviderRules, subject: Subject) -> Iterator[Hit]:
    inputs = subject.own.inputs
    if inputs is None:
        return
    try:
        faults = violations_as_spelled(inputs, row)
    except FitError as error:
        yield Hit({"fault": error.message}, "inputs")
        return
    for fault in faults[:_MOST]:
        yield Hit({"fault": fault.message}, "inputs", fault.pointer)


def _of_profile(row: ProviderRules) -> Iterator[Rule]:
    name = row.profile
    rule = partial(
        Rule,
        family=name,
        mend=f"`toolglot convert --to {row.format} --profile {name}` writes what is taken.",
        citation=f"`provider_limits.py` of {row.format}",
        is_on_request=True,
    )
    yield rule(
        code=f"{name}-name",
        message=f"{name} refuses the name {{name}}: it takes at most {{most}} characters of {{pattern}}",
        why="The provider refuses the request.",
        of_tool=partial(_find_bad_name, row),
    )
    yield rule(
        code=f"{name}-schema",
        message=f"{name} refuses the schema: {{fault}}",
        why="The provider refuses the request.",
        of_tool=partial(_find_bad_schema, row),
    )
    if row.description_limit is not None:
        yield rule(
            code=f"{name}-description",
            message=f"{name} takes descriptions of at most {{most}} characters, and this has {{length}}",
            why="The provider refuses the request, or cuts the text.",
            of_tool=partial(_find_long_description, row),
        )


_PROVIDERS = [each.provider for each in formats.every()]
# Of each profile the row that is not strict, for the newest version of its format.
_ROWS = {row.profile: row for provider in _PROVIDERS if provider.is_api for row in provider.profiles if not row.strict}

RULES = (*_OF_DEFINITIONS, *(rule for row in _ROWS.values() for rule in _of_profile(row)))
