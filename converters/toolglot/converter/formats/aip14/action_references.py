"""Which action a tool refers to: by its address, its name, or the path of a file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from toolglot.converter.formats import Finding
from toolglot.converter.formats.aip14.actions import action_of
from toolglot.converter.formats.aip14.repository import Surroundings
from toolglot.converter.formats.aip14.standard_actions import STANDARD, STANDARD_BY_ADDRESS
from toolglot.converter.hub.model import Tool
from toolglot.converter.safety.inheritance import join_facts
from toolglot.converter.text.pointers import is_text, pointer_below, texts_at


def look_up_action(reference: Any, files: Surroundings | None) -> tuple[Tool | None, list[Finding]]:
    """The action that the `implements` of a tool leads to, and what is wrong; `None` where it is not found.

    Args:
        reference: an id, a path, or a block of one of `ref`, `file` and `inline`.
        files: the repository around the tool; `None` where the tool is a text without a file.

    >>> action, _ = look_up_action("storage:push", None)
    >>> action.mutates
    ('storage:*', 'network:*')
    """
    kind, value, place = _parse_reference(reference)
    if kind == "inline":
        action, faults = action_of(value)
        return action, [Finding("action-invalid", place + at, message) for at, message in faults.items()]
    manifest = value if kind == "none" else _find_manifest(kind, value, files)
    standard = STANDARD.get(value) if kind == "id" else None
    if isinstance(manifest, str):
        if standard is not None:
            return standard, []
        message = f"what it implements was not found: {manifest}; it counts as dangerous as any action may be"
        return None, [Finding("action-unresolvable", place, message)]
    action, faults = action_of(manifest)
    if standard is not None:  # a repository may define a standard action anew, but not with less danger
        own, known = action.extension("aip14"), standard.extension("aip14")
        events = [*known["fires_events"], *texts_at(own, "fires_events")]
        rest = {**known, **own, "fires_events": list(dict.fromkeys(events))}
        action = Tool(id=action.id, extensions={"aip14": rest}, **join_facts(action, standard))
    return action, [Finding("action-invalid", place, f"in {value}: {message}") for message in faults.values()]


def _parse_reference(reference: Any) -> tuple[str, Any, str]:
    """The kind of a reference (`id`, `path`, `inline` or `none`), its value, and its JSON Pointer.

    Of the kind `none` the value is the reason why it is no reference.
    """
    if isinstance(reference, str):
        return *_reference_by_name(reference), "/implements"
    if not isinstance(reference, dict) or len(reference) != 1:
        return "none", "it is an id, a path, or a block of one of `ref`, `file` and `inline`", "/implements"
    ((key, value),) = reference.items()
    place = pointer_below("/implements", key)
    if key == "inline" and isinstance(value, dict):
        return "inline", value, place
    if key == "file" and is_text(value):
        return "path", value, place
    if key == "ref" and is_text(value):
        return *_reference_by_name(value), place
    return "none", f"`{key}` does not say what", place


def _reference_by_name(name: str) -> tuple[str, str]:
    """The kind and the value of a reference that is a text."""
    if name in STANDARD_BY_ADDRESS:
        return "id", STANDARD_BY_ADDRESS[name]
    if name.startswith("@"):
        return "none", "it stands in a registry, and nothing is fetched"
    return ("path" if name.startswith((".", "/")) or name.lower().endswith(".md") else "id"), name


def _find_manifest(kind: str, value: str, files: Surroundings | None) -> dict[str, Any] | str:
    """The front matter of the file that a reference leads to, or why there is none."""
    if files is None:
        subject = f"{value!r} is no standard action, and " if kind == "id" else ""
        return f"{subject}a text has no files around it"
    for _, data in _files_of(kind, value, files):
        return data
    if kind == "path":
        return f"there is no file {value!r} in {files.extent}"
    return f"no ACTION.md in `.actions` or `actions` of {files.extent} has the id {value!r}"


def _files_of(kind: str, value: Any, files: Surroundings) -> Iterator[tuple[str, dict[str, Any] | str]]:
    """The files that a reference leads to, each with its front matter, or the reason why that cannot be read."""
    if kind == "path":
        yield from ((path, files.read(path)) for path in filter(None, [files.resolve(value)]))
    elif kind == "id":
        yield from (found for found in files.manifests("actions", "ACTION.md") if found[1].get("id") == value)


def action_files(reference: Any, files: Surroundings) -> list[str]:
    """The files that the `implements` of a tool leads to."""
    kind, value, _ = _parse_reference(reference)
    return [path for path, _ in _files_of(kind, value, files)]
