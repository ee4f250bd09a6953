"""The rules of `check` by their codes: a module for each family or part of one, and those that the formats declare.

    syntax             whether a text can be read as data, and as a tool
    document_schema    whether it obeys the canonical schema of its format
    provider           what providers refuse
    safety             facts and hints about danger that are contradicted, unreadable, or missing
    tool_descriptions  whether a model can tell what a tool does
    parameters         whether it can tell what the parameters mean
    contradictory_schemas  schemas that contradict themselves, and defaults and examples that contradict their schema
        enumerations   the values of `enum` and `const`
        malformed_keywords  values that a keyword cannot have, and misspelt keywords
        loose_schemas  schemas that say too little, or are too much, for a model
    tool_names         names that stand for two tools
    flags_and_arguments  those that stand for two parameters
    size               what definitions cost
    secrets            credentials, and parameters that take secrets or the conversation
    phrases            what rules look for in texts, and how a message quotes it

Texts that manipulate a model have a folder of their own (`diagnostics.manipulation`), and the rule about
comments that ignore findings stands with what reads these. A family that is called like a format holds
that format's own rules; one that is called like a directory or a provider holds what that one demands, and is applied
only on request (`Rule.is_on_request`).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from itertools import chain

from msgspec.structs import replace

from toolglot.converter import formats
from toolglot.converter.formats import Format
from toolglot.converter.formats.kit.rule import Rule

# The modules, each with the family of those of its rules that name none.
_MODULES = {
    ".syntax": "",
    ".document_schema": "",
    "..suppressions": "suppressions",
    ".provider": "",
    "..manipulation.characters": "text",
    "..manipulation.decided": "text",
    "..manipulation.weighed": "text",
    ".secrets": "text",
    "..manipulation.links_and_imitated_flags": "text",
    ".safety": "safety",
    ".tool_descriptions": "meaning",
    ".parameters": "meaning",
    ".contradictory_schemas": "tool-schemas",
    ".enumerations": "tool-schemas",
    ".loose_schemas": "tool-schemas",
    ".malformed_keywords": "tool-schemas",
    ".flags_and_arguments": "identity",
    ".tool_names": "identity",
    ".size": "size",
}


@cache
def rules() -> Mapping[str, Rule]:
    """Every rule by its code.

    >>> rules()["hidden-character"].family
    'text'
    """
    own_rules = [
        replace(rule, family=rule.family or family)
        for name, family in _MODULES.items()
        for rule in import_module(name, __name__).RULES
    ]
    of_formats = map(rules_of, formats.every())
    return {rule.code: rule for rule in chain(own_rules, *of_formats)}


def rules_of(source_format: Format) -> tuple[Rule, ...]:
    """The rules that a format declares."""
    own_rules: tuple[Rule, ...] = getattr(source_format.checks.load(), "RULES", ())
    return own_rules
