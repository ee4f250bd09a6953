"""What the function definitions of all model providers share: names, descriptions and arguments."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from toolglot.converter.fitting import provider_names
from toolglot.converter.fitting.provider_rules import ProviderRules
from toolglot.converter.formats import Finding
from toolglot.converter.formats.kit.description.facts_in_description import join_description
from toolglot.converter.formats.kit.description.shortening import limited_description
from toolglot.converter.formats.kit.field_tables import Table, as_spelled, echoes
from toolglot.converter.formats.kit.tool_ids import Name, function_name, named_parts
from toolglot.converter.hub.model import JsonSchema, Tool
from toolglot.errors import FitError

NO_ARGUMENTS: JsonSchema = {"type": "object", "properties": {}}

_OBJECT: JsonSchema = {"type": "object"}

NAME = "a-zA-Z0-9_-"  # characters, as inside [...] of a regular expression
_MOST_FINDINGS = 20  # of one tool
_NAME_LIMIT = 64  # what every provider and every gateway in front of one accepts


def function_id(name: Name, first: str = NAME, rest: str = NAME) -> str:
    """The parts of a path joined by `_`, as a name that the provider accepts.

    >>> function_id(Name(("gh", "pr", "create"))), function_id(Name(("math.factorial",)))
    ('gh_pr_create', 'math_factorial')
    >>> function_id(Name(("9lives",)), "a-zA-Z_"), function_id(Name(("search",), "github"))
    ('_9lives', 'github__search')
    """
    own = "_".join(named_parts(name.path))
    return provider_names.allot([(function_name(own, name), name)], first, rest, _NAME_LIMIT)[0]


def put_description(
    data: dict[str, Any], tool: Tool, holds: Collection[str], own: bool, limit: int | None = None
) -> None:
    """Put the description into a definition. It has at most `limit` UTF-16 units, unless it is in the own format."""
    if own or limit is None:
        description = join_description(tool, holds)
    else:
        description = limited_description(tool, holds, limit)
    if description or (own and description is not None):
        data["description"] = description


def argument_schema(inputs: JsonSchema | None) -> JsonSchema:
    """The schema of arguments, with the type object: for every provider arguments are an object.

    >>> argument_schema({"$ref": "#/$defs/a"}), argument_schema(None)
    ({'type': 'object', '$ref': '#/$defs/a'}, {'type': 'object', 'properties': {}})
    """
    if inputs is None:
        return dict(NO_ARGUMENTS)
    if inputs.get("type") == "object":
        return inputs
    return {**_OBJECT, **inputs, **_OBJECT}


def name_by_type(data: dict[str, Any]) -> str:
    """The name of a tool without a name: its type, or the key that stands for the type.

    >>> name_by_type({"type": "web_search"}), name_by_type({"googleSearch": {}})
    ('web_search', 'googleSearch')
    """
    kind = data.get("type")
    if isinstance(kind, str):
        return kind
    return next(iter(data), "tool")


def definition_echoes(origin: str, table: Table, usual_type: str) -> Callable[[Tool], list[str]]:
    """A function that gives the JSON Pointers in an extension that repeat a field or a default of every provider.

    >>> definition_echoes("x", {}, "function")(Tool(id="a", extensions={"x": {"type": "function", "strict": True}}))
    ['/type']
    """
    of_table, usual = echoes(table), {"type": usual_type, "strict": False}
    return lambda tool: [
        *of_table(tool),
        *(f"/{key}" for key, value in usual.items() if tool.extension(origin).get(key) == value),
    ]


RUNS_PROGRAMS = {"subprocess": True}
CHANGES_FILES = {"writes_files": True, "deletes_files": True}
USES_NETWORK = {"network": True}


def facts_by_type(data: dict[str, Any], facts_of: Mapping[str, dict[str, bool]]) -> dict[str, bool]:
    """The known dangers of a tool that a provider defines itself, by the beginning of its type.

    >>> facts_by_type({"type": "bash_20250124", "name": "bash"}, {"bash_": {"subprocess": True}})
    {'subprocess': True}
    """
    kind = name_by_type(data) if data else ""
    return next((facts for beginning, facts in facts_of.items() if kind.startswith(beginning)), {})


def find_refusals(
    tool: Tool, rows: Sequence[ProviderRules], place: Callable[[Tool], tuple[str, str]]
) -> Iterator[Finding]:
    """The findings of `check` about a definition that its provider would refuse, although the schema accepts it.

    Args:
        rows: the rules of the provider; the first row for a version is its default profile, which counts.
        place: tool -> the version that it was written in, and the JSON Pointer of its input schema in a record.
    """
    from toolglot.converter.fitting.provider_violations import violations_as_spelled  # 5 ms that only `check` pays

    inputs = _schema_as_written(tool, rows[0].format)
    if inputs is None or inputs.get("type") != "object":
        return  # the format's own schema speaks of that
    version, pointer = place(tool)
    strict = tool.extension(rows[0].format).get("strict") is True
    rows_of_version = [row for row in rows if version in row.versions]
    row = next((row for row in rows_of_version if row.strict == strict), rows_of_version[0])
    try:
        found = violations_as_spelled(inputs, row)
    except FitError as error:
        yield Finding(error.code, pointer, error.message)
        return
    mode = "strict" if strict else "any mode"
    mend = f"`toolglot convert --to {row.format} --profile {row.profile}` rewrites it"
    for violation in found[:_MOST_FINDINGS]:
        if violation.rule not in _OF_THE_SPELLING:
            message = f"{row.profile} refuses this in {mode}: {violation.message}; {mend}"
            yield Finding(f"provider-{violation.rule.replace('_', '-')}", pointer + violation.pointer, message)


def _schema_as_written(tool: Tool, owner: str) -> JsonSchema | None:
    """The schema of the arguments as the document spells it; the spelling is kept where it is another dialect."""
    for spelling in tool.extension(owner).values():
        if isinstance(spelling, dict) and tool.inputs is not None and as_spelled(tool.inputs, spelling) is spelling:
            return spelling
    return tool.inputs


# Whether there is a schema at all, and whether it is one of the newest draft: what was read here is a copy in plain
# words, and the format's own schema has looked at the original.
_OF_THE_SPELLING = frozenset({"dialect", "no_arguments"})
