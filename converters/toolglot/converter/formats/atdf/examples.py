"""Examples of a record: a goal, the values that go in, and one text for what comes out."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from toolglot.converter.formats.atdf.usage import COMPLETED
from toolglot.converter.formats.atdf.versions import EXAMPLE_KEYS
from toolglot.converter.hub.model import Example
from toolglot.converter.text.pointers import as_mapping
from toolglot.converter.text.sentences import first_sentence

_COMMAND_KEY = "command"  # toolglot's own key: the command line, beside its arguments
_NOTE_KEY = "description"  # of the specification's text; a note without an output is the required `expected_result`
_FIRST_OF_JSON = ("{", "[", '"')  # of an object, a list or a text; a number or a word is read as a note


def load_example(entry: dict[str, Any]) -> Example:
    """An example of a record.

    A part that has another key than the schema's, or several keys, also stays in the extensions: it is written back
    under the same keys.
    """
    rest = dict(entry)
    fields: dict[str, Any] = {}
    for field, keys in EXAMPLE_KEYS.items():
        present = [key for key in keys if key in entry]
        if not present:
            continue
        key = present[0]
        if field == "title" and not isinstance(entry[key], str):
            continue
        if field == "note":
            fields.update(_load_result(entry[key]))
        else:
            fields[field] = entry[key]
        if present == [keys[0]]:
            del rest[key]
    if "input" in fields and isinstance(rest.get(_COMMAND_KEY), str):
        fields["command"] = rest.pop(_COMMAND_KEY)
    if "output" in fields and isinstance(rest.get(_NOTE_KEY), str):
        fields["note"] = rest.pop(_NOTE_KEY)
    return Example(**fields, extensions=rest or None)


def _load_result(result: Any) -> dict[str, Any]:
    """The result of an example: an output, if the text is the JSON that would be written for one, else a note."""
    if result == COMPLETED:
        return {}
    if not isinstance(result, str):
        return {"output": result}
    if not result.startswith(_FIRST_OF_JSON):
        return {"note": result}
    try:
        output = msgspec.json.decode(result)
        if msgspec.json.encode(output).decode() == result:
            return {"output": output}
    except (msgspec.DecodeError, RecursionError):
        pass
    return {"note": result}


def dump_examples(examples: tuple[Example, ...]) -> list[dict[str, Any]]:
    """The entries that `load_example` reads. A command line whose arguments are not known gets none."""
    entries = []
    for example in examples:
        if example.command is not None and example.input is UNSET:
            continue  # without arguments the entry would show a call that the tool refuses
        entry: dict[str, Any] = {"goal": example.title}
        entry["input_values"] = as_mapping(example.input)
        entry["expected_result"] = COMPLETED if example.note is None else example.note
        if example.output is not UNSET:
            entry["expected_result"] = msgspec.json.encode(example.output).decode()
            if example.note is not None:
                entry[_NOTE_KEY] = example.note
        if example.command is not None:
            entry[_COMMAND_KEY] = example.command
        rest = example.extensions or {}
        for first, *others in EXAMPLE_KEYS.values():
            if first not in rest and not rest.keys().isdisjoint(others):  # the source has another key for the part
                entry.pop(first, None)
        entries.append({**rest, **entry})
    return entries


def with_goal(example: Example, description: str) -> Example:
    """The example with a title, which a record needs: its own, its note, its command line, or what the tool does."""
    goal = example.title or example.note or example.command or first_sentence(description)
    return replace(example, title=goal)


def without_goal(example: Example, description: str) -> Example:
    """The example without a title that `with_goal` made up."""
    untitled = replace(example, title=None)
    is_made_up = example.note is None and example == with_goal(untitled, description)
    return untitled if is_made_up else example
