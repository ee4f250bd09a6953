"""What tells a carapace-spec from other documents."""

from __future__ import annotations

from typing import Any

from toolglot.converter.formats import Marks
from toolglot.converter.formats.carapace.flag_syntax import parse_flag
from toolglot.converter.text.pointers import list_at, mapping_at

_KEYS = frozenset(
    {
        "name",
        "aliases",
        "description",
        "group",
        "hidden",
        "parsing",
        "flags",
        "persistentflags",
        "exclusiveflags",
        "run",
    }
    | {"completion", "commands", "documentation", "examples"}
)
_COMPLETIONS = frozenset({"flag", "positional", "positionalany", "dash", "dashany"})
_ENDINGS = (".carapace.yaml", ".carapace.yml")


def _sniff(data: Any, body: str | None, file_name: str) -> bool:
    """Only keys of the format, and either its usual file name or syntax of its own.

    The keys alone are not enough: many formats have names and commands.
    """
    if body is not None or not isinstance(data, dict) or not isinstance(data.get("name"), str):
        return False
    return data.keys() <= _KEYS and (_has_own_syntax(data) or file_name.endswith(_ENDINGS))


def _has_own_syntax(data: dict[str, Any]) -> bool:
    """Whether a command, or one below it, has flags or completions in the syntax of carapace-spec."""
    flags = {**mapping_at(data, "flags"), **mapping_at(data, "persistentflags")}
    completion = mapping_at(data, "completion")
    if (flags and all(map(parse_flag, flags))) or (completion and completion.keys() <= _COMPLETIONS):
        return True
    return any(isinstance(command, dict) and _has_own_syntax(command) for command in list_at(data, "commands"))


MARKS = Marks(patterns=tuple(f"*{ending}" for ending in _ENDINGS), sniff=_sniff)
