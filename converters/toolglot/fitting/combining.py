"""Several commands as one tool whose parameter `action` chooses among them (ATIP RFC, section 8.2, strategy B).

Each command is fitted by itself first, so that its arguments come home through its own codec; what the model sees is
the union of what they accept, and the parameter that chooses.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from toolglot import safety
from toolglot.fitting import names
from toolglot.fitting.fitted import Fitted
from toolglot.hub.model import Leaf, Tool
from toolglot.schema.keywords import rebuild


class Member(NamedTuple):
    """One command of a combined tool: the value that chooses it, the command, and its own fitted schema."""

    value: str
    leaf: Leaf
    fitted: Fitted


def values_of(leaves: Sequence[Leaf]) -> list[str]:
    """The values that choose among commands: their paths below the program, one each.

    >>> gh = Tool(id="gh", children=(Tool(id="list"), Tool(id="pr", children=(Tool(id="list"),))))
    >>> values_of(list(gh.leaves()))
    ['list', 'pr/list']
    """
    wanted = [("/".join(leaf.path[1:]) or leaf.path[0], leaf.path) for leaf in leaves]
    anything = r"\s\S"
    return names.allot(wanted, anything, anything, 1_000)


def combine(tool: Tool, members: Sequence[Member], short: bool = False) -> tuple[Tool, str]:
    """One tool for several commands of a program, and the name of the parameter that chooses.

    The list of commands, each with its own warnings, stands with that parameter, because the description of a tool
    may be cut and this may not.
    """
    schemas = [member.fitted.schema or {"type": "object"} for member in members]
    taken = {key for schema in schemas for key in schema.get("properties", {})}
    candidates = ("action", "command", *(f"action_{number}" for number in range(len(taken) + 1)))
    chooser = next(name for name in candidates if name not in taken)
    lines = "\n".join(f"- {member.value}: {_line(member.leaf.tool, short)}" for member in members)
    choice = {"type": "string", "enum": [member.value for member in members], "description": f"The command.\n{lines}"}
    definitions: dict[str, Any] = {}
    branches = [
        _branch(schema, member.value, chooser, f"{index}", definitions)
        for index, (schema, member) in enumerate(zip(schemas, members, strict=True))
    ]
    inputs: dict[str, Any] = {"type": "object", "properties": {chooser: choice}, "oneOf": branches}
    if definitions:
        inputs["$defs"] = definitions
    warned = [_warnings(member.leaf.tool, short) for member in members]
    flags = list(safety.in_order(flag for some in warned for flag in some))
    if all(safety.reads_only(member.leaf.tool) for member in members):
        flags.append("read-only")
    about = tool.description or tool.summary or tool.title or tool.id
    told = safety.in_order(flags) or None
    return Tool(id=tool.id, title=tool.title, description=about, inputs=inputs, flags=told), chooser


def _warnings(tool: Tool, short: bool) -> tuple[str, ...]:
    return safety.express(tool, (), None, short=short).flags or ()


def _line(tool: Tool, short: bool) -> str:
    words = [safety.WORDS[flag].words for flag in _warnings(tool, short)]
    text = " ".join((tool.description or tool.summary or tool.title or tool.id or "the program itself").split())
    return f"{text} ({'; '.join(words)})" if words else text


def _branch(
    schema: dict[str, Any], value: str, chooser: str, prefix: str, definitions: dict[str, Any]
) -> dict[str, Any]:
    """The schema of one command, with its definitions moved to the whole under names of their own."""
    refers_to_whole = []

    def moved(node: Any, pointer: str = "") -> Any:
        out = rebuild(node, moved)
        if isinstance(out, dict) and isinstance(out.get("$ref"), str):
            whole = out["$ref"] == "#"
            refers_to_whole.append(whole)
            out["$ref"] = f"#/$defs/{prefix}." + ("whole" if whole else out["$ref"].removeprefix("#/$defs/"))
        return out

    branch = moved({key: item for key, item in schema.items() if key != "$defs"})
    definitions.update({f"{prefix}.{name}": moved(found) for name, found in schema.get("$defs", {}).items()})
    if any(refers_to_whole):
        definitions[f"{prefix}.whole"] = branch
    return {
        **branch,
        "properties": {chooser: {"const": value}, **branch.get("properties", {})},
        "required": [chooser, *branch.get("required", [])],
    }
