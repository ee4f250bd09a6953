"""The hints in the annotations of a tool: which are believed, which state no fact, and which its facts prove."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from toolglot.converter.formats import Claim
from toolglot.converter.formats.kit.field_tables import Row, Table, is_bool
from toolglot.converter.hub.model import Tool
from toolglot.converter.safety import SAFE, UNSAFE, Levels, caution
from toolglot.converter.text.pointers import mapping_at, without_keys, without_nulls

# -- read -----------------------------------------------------------------------------------------------------


def _states_nothing(value: Any) -> bool:
    """A hint of the right type that is not believed, or null, which many servers write for absent."""
    return value is None or is_bool(value)


def _hint(word: str, field: str, danger: bool, **more: Any) -> Row:
    """A hint that is believed where it states a danger, and where servers say it too.

    That is without its ending, in `_meta`, and as Azure's servers keep it.
    """
    places = ("annotations", word), ("_meta", "annotations", f"{word}Hint"), ("toolMetadata", word, "value")
    return Row(field, lambda value: value is danger, is_silent=_states_nothing, aliases=places, **more)


HINTS: Table = {
    "readOnlyHint": _hint(
        "readOnly",
        "safety_tier",
        False,
        load=lambda value: "write",
        dump=lambda tier: tier in ("pure", "read"),
        about=("modifies",),
    ),
    "destructiveHint": _hint("destructive", "destructive", True),
    "idempotentHint": _hint("idempotent", "idempotent", False),
    "openWorldHint": _hint("openWorld", "network", True),
}
# The value of a hint that makes a tool look harmless, and what it would state.
_HARMLESS: dict[str, tuple[bool, dict[str, Any]]] = {
    "readOnlyHint": (True, {"safety_tier": "read", "destructive": False}),
    "destructiveHint": (False, {"destructive": False}),
    "idempotentHint": (True, {"idempotent": True}),
    "openWorldHint": (False, {"network": False}),
}


def claims_at(origin: str, key: str) -> dict[str, Claim]:
    """The claims of the hints under a key of a format's records."""
    return {name: Claim(facts, _says(origin, key, name, value)) for name, (value, facts) in _HARMLESS.items()}


def _says(origin: str, key: str, name: str, value: bool) -> Callable[[Tool], bool]:
    return lambda tool: mapping_at(tool.extension(origin), key).get(name) is value


def believed_hints(flags: Collection[str], annotations: Mapping[str, Any]) -> Table:
    """Which hints of a record are believed, whose text has these flags."""
    others: list[str] = []
    if "runs-programs" in flags:
        # "write" beside a text that says more would be taken for the whole truth, and exec would come back as write.
        others.append("readOnlyHint")
    if annotations.get("readOnlyHint") is not False:
        others.append("idempotentHint")  # it has no meaning elsewhere (MCP, ToolAnnotations)
    return without_keys(HINTS, *others)


def believed_elsewhere(fields: set[str]) -> set[str]:
    """Of the fields about which a record states a danger elsewhere, those that count: it is as with the hints."""
    return fields if "modifies" in fields else fields - {"idempotent"}


# -- write ----------------------------------------------------------------------------------------------------

_TRUE_IF_SAFE = {SAFE: True, UNSAFE: False}
_TRUE_IF_UNSAFE = {SAFE: False, UNSAFE: True}


def proven_hints(tool: Tool) -> dict[str, bool]:
    """The hints for hosts that a tool's facts prove: read-only, destructive, idempotent, open-world.

    Source: MCP, ToolAnnotations; openwop RFC 0204 for tiers. What nobody says is left out, because a host reads an
    absent hint as the dangerous value. A `replay` of `idempotent` is what a host promises for calls with a key, and
    to write it as `idempotentHint` would promise more than the source does.

    >>> proven_hints(Tool(id="ls", mutates=()))
    {'readOnlyHint': True, 'destructiveHint': False}
    >>> proven_hints(Tool(id="gh", network=True, idempotent=True, destructive=False))
    {'idempotentHint': True, 'openWorldHint': True}
    """
    levels = caution(tool)
    hints = {
        "readOnlyHint": _TRUE_IF_SAFE.get(levels["changes"]),
        "destructiveHint": _is_destructive(tool, levels),
        "idempotentHint": _TRUE_IF_SAFE.get(levels["unrepeatable"]),
        "openWorldHint": _TRUE_IF_UNSAFE.get(levels["network"]),
    }
    if levels["executes"] == UNSAFE and levels["network"] == SAFE:
        del hints["openWorldHint"]  # another program goes where it likes
    if hints["readOnlyHint"] is not False and hints["idempotentHint"] is False:
        del hints["idempotentHint"]  # it has no meaning elsewhere (MCP, ToolAnnotations)
    return without_nulls(hints)


def _is_destructive(tool: Tool, levels: Levels) -> bool | None:
    """Whether more is done than adding; `destructive` alone denies only that data is lost for good."""
    if UNSAFE in (levels["destructive"], levels["deletes"]):
        return True
    if levels["changes"] == SAFE:
        return False
    if tool.unclear or UNSAFE in (levels["irreversible"], levels["executes"]):
        return None
    loses_nothing = levels["destructive"] == SAFE and levels["deletes_files"] == SAFE
    only_adds = tool.modifies == () and tool.deletes == () and not tool.mutates
    if loses_nothing and only_adds:
        return False
    return None
