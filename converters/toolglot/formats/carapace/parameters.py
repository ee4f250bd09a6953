"""The flags and positional arguments of a carapace-spec command, as entries that say one thing a key.

What may stand behind a flag is said elsewhere, in `completion` and `documentation`. Positional arguments have no
names: only what completes them is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from toolglot.formats.carapace.flags import parse_flag
from toolglot.formats.kit.command_trees import optional_value
from toolglot.formats.kit.parameters import NamedParameter, stated_text
from toolglot.hub.model import Binding, JsonSchema

_PATHS = {"$files": "file-path", "$directories": "directory-path"}  # what completes any path; the hub's word for it
MANY = -1  # how many values a flag has that takes all that follow


def entries_of_flags(flags: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The entries of a mapping from flags to what they mean."""
    for text, meaning in flags.items():
        entry = parse_flag(text) or {"name": text}
        others = {"description": meaning}
        if isinstance(meaning, dict):
            others = dict(meaning)
        for key in ("description", "nargs"):
            value = others.pop(key, None)
            if value is not None:
                entry[key] = value
        if others:
            entry["others"] = others
        yield entry


def complete(entry: dict[str, Any], completion: list[str] | None, words: str | None) -> dict[str, Any]:
    """An entry with what completes it, sorted by who understands it, and with what the documentation says of it."""
    if words is not None:
        summary = {"summary": entry["description"]} if "description" in entry else {}
        entry = {**entry, **summary, "description": words}
    for item in completion or ():
        if item in _PATHS and "path" not in entry:
            entry["path"] = _PATHS[item]
        elif item.startswith("$"):
            entry.setdefault("macros", []).append(item)
        else:
            entry.setdefault("values", []).append(item)
    return entry


def load_parameter(entry: dict[str, Any], kind: str | None) -> NamedParameter:
    """An entry as a parameter; macros, which a shell may have to run, say nothing."""
    schema = _schema_of(entry, kind)
    words = stated_text(entry, "description", "summary")
    if words is not None:
        schema["description"] = words
    flags: list[str] = entry.get("flags", [])
    is_required = entry.get("required") is True
    is_repeated = schema.get("type") == "array"
    if entry.get("nargs", 1) not in (0, 1):
        # Several values behind one flag are no form of a command line that a binding can state.
        flags, is_repeated = [], False
    binding = Binding(
        kind=kind,
        flags=tuple(flags) or None,
        required=is_required or None,
        variadic=is_repeated or None,
        excludes=tuple(entry.get("exclusive", ())) or None,
    )
    return NamedParameter(entry["name"], schema, is_required, binding)


def _schema_of(entry: dict[str, Any], kind: str | None) -> JsonSchema:
    count = entry.get("nargs", 1)
    value: JsonSchema = {"type": "string"}
    if isinstance(entry.get("path"), str):
        value["format"] = entry["path"]
    if isinstance(entry.get("values"), list):
        value["examples"] = [item.partition("\t")[0] for item in entry["values"]]
    if kind == "option" and entry.get("optional"):
        value = optional_value(value)
    elif kind == "option" and not entry.get("value") and count in (0, 1):
        value = {"type": "boolean"}
    if isinstance(count, int) and count not in (0, 1):
        several: JsonSchema = {"type": "array", "items": value}
        if count == MANY:
            return several
        return {**several, "minItems": abs(count), "maxItems": abs(count)}
    if entry.get("repeatable"):
        return {"type": "array", "items": value}
    return value
