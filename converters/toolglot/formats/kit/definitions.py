"""What the function definitions of model providers share: their containers, names, and arguments.

Real files wrap definitions in many ways: a list, a request with `tools`, a map keyed by name, one line a question of
a data set. All are taken apart; where nothing tells a container, the document itself is the definition.

The keys of all providers stand here together, because files mix them: which provider a document is for shows only
when its definitions have been found. Keys in the folder of each provider would have to be gathered here again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import msgspec

from toolglot.errors import FitError
from toolglot.fitting.rules import Rules
from toolglot.formats import NO_CONTAINER, Container, Finding, Record, in_namespace
from toolglot.formats.kit.description.tail import join_description, limited_description
from toolglot.formats.kit.key_order import rename
from toolglot.formats.kit.mapping import as_spelled
from toolglot.formats.kit.tool_ids import Name, function_name, named_parts
from toolglot.hub.model import JsonSchema, Tool
from toolglot.text.pointers import escape

NO_ARGUMENTS: JsonSchema = {"type": "object", "properties": {}}

_OBJECT: JsonSchema = {"type": "object"}

NAME = "a-zA-Z0-9_-"  # characters, as inside [...] of a regular expression
_MOST_FINDINGS = 20  # of one tool
_NAME_LIMIT = 64  # what every provider and every gateway in front of one accepts

_SCHEMA_KEYS = ("parameters", "input_schema", "inputSchema", "parametersJsonSchema", "parameters_json_schema")
_HOLDERS = dict.fromkeys((
    "tools", "functions", "function", "functionDeclarations", "function_declarations",
    "available_tools", "answer_generation",  # as ToolBench has them
))  # fmt: skip
_OF_A_SERVER = ("tools", "functions")  # whose key in a map is a name; that of a question in a data set is none
_LOOKED_AT = 64  # definitions that may stand before the first that shows its provider


# -- containers -----------------------------------------------------------------------------------------------


def definitions(node: Any, pointer: str = "", container: Container = NO_CONTAINER) -> Iterator[Record]:
    """The definitions in a document, each with its JSON Pointer.

    A definition that stands in a map under its name gets that name; its schema may be called `params` there.

    >>> [record.pointer for record in definitions({"tools": [{"type": "namespace", "tools": [{"name": "a"}]}]})]
    ['/tools/0/tools/0']
    >>> next(definitions({"type": "namespace", "name": "crm", "tools": [{"name": "a", "type": "x"}]})).container.facts
    {'namespace': 'crm'}
    >>> next(definitions({"ls": {"description": "List.", "params": {}}})).data
    {'name': 'ls', 'description': 'List.', 'parameters': {}}
    """
    if isinstance(node, list):
        for index, item in enumerate(node):
            yield from definitions(item, f"{pointer}/{index}", container)
        return
    if not isinstance(node, dict) or _is_definition(node):
        yield Record(node, None, pointer, container=container)
        return
    holders = _holders_in(node)
    if holders:
        # A namespace, or whatever else has a name of its own.
        here = in_namespace(node.get("name"), {f"{pointer}/name": "namespace"}).within(container)
        for key in holders:
            yield from definitions(node[key], f"{pointer}/{key}", here)
    elif _is_definition_map(node):
        for name, item in node.items():
            inside = container
            if _is_group(item, _OF_A_SERVER):
                inside = in_namespace(name)
            yield from definitions(_with_name(name, item), f"{pointer}/{escape(name)}", inside)
    else:
        yield Record(node, None, pointer, container=container)


def _holders_in(node: dict[str, Any]) -> list[str]:
    """The keys of a node under which there are definitions."""
    if _HOLDERS.keys().isdisjoint(node):  # as most nodes are
        return []
    return [key for key in _HOLDERS if isinstance(node.get(key), list | dict)]


def _is_definition(node: dict[str, Any]) -> bool:
    if isinstance(node.get("name"), str):
        kind = node.get("type")
        return _has_schema(node) or (isinstance(kind, str) and kind != "namespace")
    return isinstance(node.get("function"), dict) and (node.get("type") == "function" or len(node) == 1)


def _has_schema(node: dict[str, Any], keys: Collection[str] = _SCHEMA_KEYS) -> bool:
    return not node.keys().isdisjoint(keys) and any(isinstance(node.get(key), dict) for key in keys)


def _is_definition_map(node: dict[str, Any]) -> bool:
    """Whether every value is a definition, or holds some."""
    return bool(node) and all(_is_described(item) or _is_group(item) for item in node.values())


def _is_described(item: Any) -> bool:
    """Whether a value in a map is a definition; a description is asked for, because a schema alone is none."""
    if not isinstance(item, dict) or not isinstance(item.get("description"), str):
        return False
    return _has_schema(item, (*_SCHEMA_KEYS, "params"))


def _is_group(item: Any, keys: Iterable[str] = _HOLDERS) -> bool:
    return isinstance(item, dict) and any(isinstance(item.get(key), list) for key in keys)


def _with_name(name: str, item: dict[str, Any]) -> dict[str, Any]:
    if "name" in item or not _has_schema(item, (*_SCHEMA_KEYS, "params")):
        return item
    if "parameters" not in item:
        item = rename(item, "params", "parameters")
    return {"name": name, **item}


def first_definition(data: Any) -> Record:
    """The first definition that shows which provider it is for, else the first of all.

    Tools that a provider runs itself, and functions without parameters, show nothing.

    >>> first_definition([{"type": "web_search"}, {"name": "ls", "input_schema": {}}]).pointer
    '/1'
    """
    records = [record for record in islice(definitions(data), _LOOKED_AT) if isinstance(record.data, dict)]
    for record in records:
        if _shows_provider(record.data):
            return record
    if not records:
        return Record({})
    return records[0]


def _shows_provider(node: dict[str, Any]) -> bool:
    inner = isinstance(node.get("function"), dict) or isinstance(node.get("custom"), dict)
    return inner or node.get("type") == "function" or _has_schema(node)


# -- definitions ----------------------------------------------------------------------------------------------


def function_id(name: Name, first: str = NAME, rest: str = NAME) -> str:
    """The parts of a path joined by `_`, as a name that the provider accepts.

    >>> function_id(Name(("gh", "pr", "create"))), function_id(Name(("math.factorial",)))
    ('gh_pr_create', 'math_factorial')
    >>> function_id(Name(("9lives",)), "a-zA-Z_"), function_id(Name(("search",), "github"))
    ('_9lives', 'github__search')
    """
    from toolglot.fitting import provider_names

    own = "_".join(named_parts(name.path))
    return provider_names.allot([(function_name(own, name), name)], first, rest, _NAME_LIMIT)[0]


def write_description(tool: Tool, holds: Collection[str], own: bool, limit: int | None = None) -> str | None:
    """The description to write, at most `limit` UTF-16 units long unless it is the format's own."""
    if own:
        return join_description(tool, holds)
    if not tool.description and tool.summary:
        tool = msgspec.structs.replace(tool, description=tool.summary)
    if limit is None:
        return join_description(tool, holds) or None
    return limited_description(tool, holds, limit) or None


def argument_schema(inputs: JsonSchema | None) -> JsonSchema:
    """A schema for arguments, which are an object with every provider, whatever the schema says or leaves open.

    >>> argument_schema({"$ref": "#/$defs/a"}), argument_schema(None)
    ({'type': 'object', '$ref': '#/$defs/a'}, {'type': 'object', 'properties': {}})
    """
    if inputs is None:
        return dict(NO_ARGUMENTS)
    if inputs.get("type") == "object":
        return inputs
    return {**_OBJECT, **inputs, **_OBJECT}


def name_by_type(data: dict[str, Any]) -> str:
    """What a tool is called that has no name: its type, or the key that stands for it.

    >>> name_by_type({"type": "web_search"}), name_by_type({"googleSearch": {}})
    ('web_search', 'googleSearch')
    """
    kind = data.get("type")
    if isinstance(kind, str):
        return kind
    return next(iter(data), "tool")


RUNS_PROGRAMS = {"subprocess": True}
CHANGES_FILES = {"writes_files": True, "deletes_files": True}
USES_NETWORK = {"network": True}


def facts_by_type(data: dict[str, Any], facts_of: Mapping[str, dict[str, bool]]) -> dict[str, bool]:
    """What is known to be dangerous about a tool that a provider defines itself, by the beginning of its type.

    >>> facts_by_type({"type": "bash_20250124", "name": "bash"}, {"bash_": {"subprocess": True}})
    {'subprocess': True}
    """
    kind = name_by_type(data) if data else ""
    return next((facts for beginning, facts in facts_of.items() if kind.startswith(beginning)), {})


def refusals_of(rows: Sequence[Rules], place: Callable[[Tool], tuple[str, str]]) -> Callable[[Tool], Iterator[Finding]]:
    """What `check` says of a definition beyond its schema: what the provider would refuse of it.

    Args:
        rows: the provider's rules; of those for a version the first, its default profile, counts.
        place: the version that a tool was written in, and the JSON Pointer of its input schema in a record.
    """

    def rules(tool: Tool) -> Iterator[Finding]:
        from toolglot.fitting.verdict import violations
        from toolglot.schema import dialects, references  # with what they need 10 ms that only `check` pays

        inputs = _schema_as_written(tool, rows[0].format)
        if inputs is None or inputs.get("type") != "object":
            return  # the format's own schema speaks of that
        version, pointer = place(tool)
        strict = tool.extension(rows[0].format).get("strict") is True
        rows_of_version = [row for row in rows if version in row.versions]
        row = next((row for row in rows_of_version if row.strict == strict), rows_of_version[0])
        try:
            plain = dialects.normalise(inputs)[0]
            schema = references.resolve(plain)[0] if isinstance(plain, dict) else {}
        except FitError as error:
            yield Finding(error.code, pointer, error.message)
            return
        mode = "strict" if strict else "any mode"
        for violation in violations(schema, row)[:_MOST_FINDINGS]:
            if violation.rule not in _OF_THE_SPELLING:
                message = (
                    f"{row.profile} refuses this in {mode}: {violation.message}; `toolglot convert` can rewrite it"
                )
                yield Finding(f"provider-{violation.rule.replace('_', '-')}", pointer + violation.pointer, message)

    return rules


def _schema_as_written(tool: Tool, owner: str) -> JsonSchema | None:
    """The schema of the arguments as its document spells it, which is kept where that is another dialect."""
    for spelling in tool.extension(owner).values():
        if isinstance(spelling, dict) and tool.inputs is not None and as_spelled(tool.inputs, spelling) is spelling:
            return spelling
    return tool.inputs


# Whether there is a schema at all, and whether it is one of the newest draft: what was read here is a copy in plain
# words, and the format's own schema has looked at the original.
_OF_THE_SPELLING = frozenset({"dialect", "no_arguments"})
