"""Several commands as one tool whose parameter `action` chooses among them (ATIP RFC, section 8.2, strategy B)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from toolglot import safety
from toolglot.fitting import dialects, references
from toolglot.fitting.keywords import rebuild
from toolglot.model import Leaf, Tool

Member = tuple[str, Leaf]


def combine(tool: Tool, leaves: Sequence[Leaf]) -> tuple[Tool, tuple[Member, ...], str]:
    """One tool for all callable nodes of a program.

    Returns:
        The tool, its commands by the value that chooses them, and the name of the parameter that does.

    >>> gh = Tool(id="gh", children=(Tool(id="list"), Tool(id="delete", destructive=True)))
    >>> together, members, chooser = combine(gh, list(gh.leaves()))
    >>> [value for value, _ in members], chooser, together.flags
    (['list', 'delete'], 'action', ('destructive',))
    """
    members = tuple(("/".join(leaf.path[1:]) or leaf.path[0], leaf) for leaf in leaves)
    prepared = [_prepared(leaf.tool.inputs) for leaf in leaves]
    taken = {key for schema in prepared for key in schema.get("properties", {})}
    chooser = next(name for name in ("action", "command", *(f"action_{n}" for n in range(9_999))) if name not in taken)
    definitions: dict[str, Any] = {}
    branches = []
    for index, (value, _) in enumerate(members):
        branches.append(_branch(prepared[index], value, chooser, f"{index}", definitions))
    inputs: dict[str, Any] = {"type": "object", "oneOf": branches}
    if definitions:
        inputs["$defs"] = definitions
    flags = safety.in_order(flag for leaf in leaves for flag in safety.express(leaf.tool, (), None).flags or ())
    lines = [f"- {value}: {_line(leaf.tool)}" for value, leaf in members]
    about = tool.description or tool.summary or tool.title or tool.id
    text = "\n".join([about, "", f"Commands, chosen by `{chooser}`:", *lines])
    return Tool(id=tool.id, title=tool.title, description=text, inputs=inputs, flags=flags or None), members, chooser


def _line(tool: Tool) -> str:
    """What a command does, with its own warnings, so that the dangerous ones can be told from the others."""
    words = [safety.WORDS[flag].words for flag in safety.express(tool, (), None).flags or ()]
    text = " ".join((tool.description or tool.summary or tool.title or tool.id or "the program itself").split())
    return f"{text} ({'; '.join(words)})" if words else text


def _prepared(schema: Any) -> dict[str, Any]:
    plain, _ = dialects.normalise(schema if schema is not None else {"type": "object"})
    resolved, _ = references.resolve(plain if isinstance(plain, dict) else {})
    return resolved


def _branch(
    schema: dict[str, Any], value: str, chooser: str, prefix: str, definitions: dict[str, Any]
) -> dict[str, Any]:
    """The schema of one command, with its definitions moved to the whole under names of their own."""

    def moved(node: Any, pointer: str = "") -> Any:
        out = rebuild(node, moved)
        if isinstance(out, dict) and isinstance(out.get("$ref"), str):
            name = out["$ref"].removeprefix("#/$defs/") if out["$ref"] != "#" else "whole"
            uses_whole.append(name == "whole")
            out["$ref"] = f"#/$defs/{prefix}.{name}"
        return out

    uses_whole: list[bool] = []
    plain = {key: item for key, item in schema.items() if key != "$defs"}
    branch = moved(plain)
    for name, found in schema.get("$defs", {}).items():
        definitions[f"{prefix}.{name}"] = moved(found)
    if any(uses_whole):
        definitions[f"{prefix}.whole"] = branch
    choice = {chooser: {"const": value}}
    return {
        **branch,
        "type": "object",
        "properties": {**choice, **branch.get("properties", {})},
        "required": [chooser, *branch.get("required", [])],
    }
