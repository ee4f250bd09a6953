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
    """Whether a hint states nothing: a boolean that is not believed, or null, which many servers write for absent."""
    return value is None or is_bool(value)


def _hint(word: str, field: str, danger: bool, **more: Any) -> Row:
    """The row of a hint, which is believed only if it states the danger.

    Its aliases are where some servers state it: without the ending `Hint`, in `_meta`, and as Azure's servers do.
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
# Hint -> the value that makes a tool look harmless, and the facts that it would state.
_HARMLESS: dict[str, tuple[bool, dict[str, Any]]] = {
    "readOnlyHint": (True, {"safety_tier": "read", "destructive": False}),
    "destructiveHint": (False, {"destructive": False}),
    "idempotentHint": (True, {"idempotent": True}),
    "openWorldHint": (False, {"network": False}),
}


def claims_at(origin: str, key: str) -> dict[str, Claim]:
    """The claims that the hints under a key of a format's records make: name of the hint -> claim."""
    return {name: Claim(facts, _has_hint(origin, key, name, value)) for name, (value, facts) in _HARMLESS.items()}


def _has_hint(origin: str, key: str, name: str, value: bool) -> Callable[[Tool], bool]:
    return lambda tool: mapping_at(tool.extension(origin), key).get(name) is value


def believed_hints(flags: Collection[str], annotations: Mapping[str, Any]) -> Table:
    """The rows of the hints that are believed.

    Args:
        flags: those that the description of the record states.
        annotations: those of the record.
    """
    ignored: list[str] = []
    if "runs-programs" in flags:
        # The description says more than the tier "write" of this hint, which would come back instead of "exec".
        ignored.append("readOnlyHint")
    if annotations.get("readOnlyHint") is not False:
        ignored.append("idempotentHint")  # it has a meaning only beside `readOnlyHint: false` (MCP, ToolAnnotations)
    return without_keys(HINTS, *ignored)


def believed_elsewhere(fields: set[str]) -> set[str]:
    """The fields whose danger under an unknown key counts: `idempotent` only beside a change, as with the hints."""
    return fields if "modifies" in fields else fields - {"idempotent"}


# -- write ----------------------------------------------------------------------------------------------------

_TRUE_IF_SAFE = {SAFE: True, UNSAFE: False}
_TRUE_IF_UNSAFE = {SAFE: False, UNSAFE: True}


def proven_hints(tool: Tool) -> dict[str, bool]:
    """The hints for hosts that a tool's facts prove: read-only, destructive, idempotent, open-world.

    Source: MCP, ToolAnnotations; openwop RFC 0204 for tiers. An unknown fact gives no hint, because a host reads an
    absent hint as the dangerous value. A `replay` of `idempotent` is a promise of the host for calls with a key; it
    gives no `idempotentHint`, which would promise more.

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
        del hints["openWorldHint"]  # the programs that it runs may use the network
    if hints["readOnlyHint"] is not False and hints["idempotentHint"] is False:
        del hints["idempotentHint"]  # it has a meaning only beside `readOnlyHint: false` (MCP, ToolAnnotations)
    return without_nulls(hints)


def _is_destructive(tool: Tool, levels: Levels) -> bool | None:
    """Whether a tool does more than add; `None` if that is unknown.

    `destructive: False` alone is no proof: it only denies that data is lost for good.
    """
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
