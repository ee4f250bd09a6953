"""Migration within ATDF: from 0.1 (its schema 1.x) and other keys in use to 0.2 (2.x), and back if nothing is lost.

Where the ATDF specification and its schemas disagree, the schemas decide. Two facts shape the rules: an input of 0.2
states whether it is required, and every input of 0.1 is; and the schemas of both refuse unknown keys under
`how_to_use`, so constraints and comments that people wrote there need another place.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from toolglot.converter.formats import Finding, MigratedRecord, MigrationRequest, Record
from toolglot.converter.formats.atdf.versions import (
    BASIC_KEYS,
    EXAMPLE_KEYS,
    SCHEMA_VERSION,
    UNKNOWN_TYPE,
    absent_is_required,
    inputs_of,
    stated_major,
    stated_version,
    version_of,
)
from toolglot.converter.formats.kit.key_order import insert, rename
from toolglot.converter.formats.kit.migrations import leave_alone, refuse_new_faults
from toolglot.converter.schema.keywords import ANNOTATIONS, APPLICATORS, ASSERTIONS
from toolglot.converter.text.pointers import escape, only_keys, pointer_below, without_keys
from toolglot.converter.text.sentences import says_optional
from toolglot.converter.text.wording import join_first
from toolglot.errors import UnsaidError, WriteError

_EXAMPLE_TYPES = {"title": str, "input": dict, "note": str}  # field of an example -> the type that the schema accepts
_INPUT_KEYS = ("name", "type", "description", "schema", "required")
_KEYWORDS = ANNOTATIONS | APPLICATORS | ASSERTIONS
_ELSEWHERE = "other_keys"  # in `metadata`, which may have any key: JSON Pointer in the record -> value from there


class _AtdfMigration(NamedTuple):
    """The state of one migration.

    Attributes:
        notes: what a person has to look at.
        new_keys: JSON Pointer in the old record -> the new key of the same value.
        elsewhere: JSON Pointer in the old record -> value that the schema refuses there, and that needs another place.
        fill: texts for keys that the new version needs.
    """

    notes: list[Finding]
    new_keys: dict[str, str]
    elsewhere: dict[str, Any]
    fill: Mapping[str, str]

    def note(self, code: str, pointer: str, message: str) -> None:
        self.notes.append(Finding(code, pointer, message))


def migrate(record: Record, request: MigrationRequest) -> MigratedRecord:
    """The record in the requested version, `0.2` or `0.1`. Pointers in the notes lead into the old record.

    Raises:
        UnsaidError: `result-needed`: an example needs an `expected_result`.
        WriteError: `would-lose`: the version cannot state something; `unfit-for-version`: 0.2 refuses something.

    >>> record = Record({"id": "a", "description": "b", "when_to_use": "c", "how_to_use": {"inputs": []}})
    >>> migrate(record, MigrationRequest()).data
    {'schema_version': '2.0.0', 'tool_id': 'a', 'description': 'b', 'when_to_use': 'c', 'how_to_use': {'inputs': []}}
    """
    old = record.data
    if stated_major(old) > 2:
        return leave_alone(old, "schema_version")
    run = _AtdfMigration([], {}, {}, request.fill)
    version, old_version = request.version or "0.2", version_of(old)
    data = old
    if "id" in old and "tool_id" not in old:  # every reader knows `tool_id`; of two keys the author has to choose one
        run.new_keys["/id"] = "tool_id"
        data = rename(old, "id", "tool_id")
    if version == "0.2":
        data = _migrate_to_newest(data, old_version == "0.1", run)
    elif old_version == "0.2":
        _refuse_losses(record)
        data = _migrate_to_oldest(data)
    if data == old:
        return MigratedRecord(old)
    refuse_new_faults(record, data, f"atdf/{old_version}", f"atdf/{version}")
    return MigratedRecord(data, run.new_keys, notes=tuple(run.notes))


# -- 0.1 to 0.2 -------------------------------------------------------------------------------------------------


def _migrate_to_newest(data: dict[str, Any], was_basic: bool, run: _AtdfMigration) -> dict[str, Any]:
    declared = stated_version(data)
    is_newest = declared.startswith("2")
    new_version = declared if is_newest else SCHEMA_VERSION["0.2"]
    if "schema_version" in data:
        data = {**data, "schema_version": new_version}
    elif was_basic:
        data = insert(data, "schema_version", new_version, [])
    is_older = was_basic or ("schema_version" in data and not is_newest)
    data = {**data, "how_to_use": _migrate_how_to_use(data["how_to_use"], is_older, run)}
    if isinstance(data.get("examples"), list):
        examples = [_migrate_example(entry, f"/examples/{index}", run) for index, entry in enumerate(data["examples"])]
        data = {**data, "examples": examples}
    return _with_elsewhere(data, run)


def _migrate_how_to_use(usage: dict[str, Any], is_older: bool, run: _AtdfMigration) -> dict[str, Any]:
    """`how_to_use` as 0.2 has it; keys that its schema refuses go to `run.elsewhere`."""
    usage = _without_unknown_keys(usage, ("inputs", "outputs"), "/how_to_use", run)
    if "inputs" in usage:
        defaults: dict[str, bool] = {}
        if is_older:  # every input states `required` then, because a reader of 0.2 could guess wrong without it
            defaults["required"] = absent_is_required(usage["inputs"])
        inputs = [
            _migrate_input(entry, f"/how_to_use/inputs/{index}", defaults, run)
            for index, entry in enumerate(usage["inputs"])
        ]
        usage = {**usage, "inputs": inputs}
    if "outputs" in usage:
        outputs = _without_unknown_keys(usage["outputs"], ("success", "failure"), "/how_to_use/outputs", run)
        if "failure" in outputs:
            outputs["failure"] = [
                _without_unknown_keys(entry, ("code", "description"), f"/how_to_use/outputs/failure/{index}", run)
                for index, entry in enumerate(outputs["failure"])
            ]
        usage = {**usage, "outputs": outputs}
    return usage


def _without_unknown_keys(
    node: dict[str, Any], known_keys: tuple[str, ...], here: str, run: _AtdfMigration
) -> dict[str, Any]:
    """`node` without the keys that its schema refuses, which go to `run.elsewhere`."""
    run.elsewhere.update({pointer_below(here, key): node[key] for key in node if key not in known_keys})
    return only_keys(node, known_keys)


def _is_keyword(key: str, value: Any) -> bool:
    """Whether a key of an input is a keyword of JSON Schema, as `type` and `required` are with a list as value."""
    if key not in _INPUT_KEYS:
        return key in _KEYWORDS
    return key in ("type", "required") and isinstance(value, list)


def _migrate_input(entry: dict[str, Any], here: str, defaults: dict[str, bool], run: _AtdfMigration) -> dict[str, Any]:
    """An input with its constraints under `schema`, with a `type`, and with `defaults` if it states no `required`."""
    own = entry.get("schema", {})
    keywords = {
        key: value
        for key, value in entry.items()
        if isinstance(own, dict) and _is_keyword(key, value) and own.get(key, value) == value
    }
    entry = _without_unknown_keys(without_keys(entry, *keywords), _INPUT_KEYS, here, run)
    if "type" not in entry:
        entry = insert(entry, "type", _only_type(keywords.get("type")), ["name"])
    if keywords:
        run.note("moved-constraint", here, f"{', '.join(keywords)}: 0.2 has them under `schema`, where they hold now")
        entry = {**entry, "schema": {**own, **keywords}}
    if "required" in entry:
        return entry
    text = entry.get("description")
    if defaults.get("required") and isinstance(text, str) and says_optional(text):
        message = "its text says that it is optional, and in this version silence means required; write which is true"
        run.note("required-says-optional", here, message)
    return {**entry, **defaults}


def _only_type(types: Any) -> str:
    """The word for a union of types (specs 4.2 #7): its only member besides `null`, if there is just one."""
    if not isinstance(types, list):
        return UNKNOWN_TYPE
    words = [word for word in types if word != "null"]
    if len(words) == 1 and isinstance(words[0], str) and words[0]:
        return words[0]
    return UNKNOWN_TYPE


def _migrate_example(item: Any, here: str, run: _AtdfMigration) -> Any:
    """An example with the keys of the schema; other keys for a part that has the schema's key already stay."""
    if not isinstance(item, dict):
        return item
    before = item
    for part, (key, *others) in EXAMPLE_KEYS.items():
        present = [other for other in others if isinstance(item.get(other), _EXAMPLE_TYPES[part])]
        if key not in item and present:
            item = rename(item, present[0], key)
            run.new_keys[f"{here}/{present[0]}"] = key
    if item is not before and "expected_result" not in item and {"goal", "input_values"} <= item.keys():
        item = _with_result(item, here, run)
    return item


def _with_result(item: dict[str, Any], here: str, run: _AtdfMigration) -> dict[str, Any]:
    """The example with its result as text, as 0.2 needs it; a structured result stays as well, so nothing is lost."""
    others = [key for key in EXAMPLE_KEYS["note"] if key in item]
    if others:
        result = json.dumps(item[others[0]], ensure_ascii=False, separators=(",", ":"))
        message = f"`{others[0]}` is no text; its JSON stands under `expected_result` now"
        run.note("filled-result", here, message)
    elif "expected_result" in run.fill:
        result = run.fill["expected_result"]
    else:
        message = "nothing says what comes out of this example; write it, or give --fill expected_result=TEXT"
        raise UnsaidError(message, "result-needed", here)
    return insert(item, "expected_result", result, ["goal", "input_values", *others])


def _with_elsewhere(data: dict[str, Any], run: _AtdfMigration) -> dict[str, Any]:
    """The record with the values of `run.elsewhere` in its `metadata`."""
    if not run.elsewhere:
        return data
    metadata = data.get("metadata", {})
    if not isinstance(metadata, dict) or not isinstance(metadata.get(_ELSEWHERE, {}), dict):
        raise WriteError(
            "`metadata` is no object, or its `other_keys` is none, so what 0.2 refuses elsewhere finds no place there",
            code="would-lose",
            pointer=next(iter(run.elsewhere)),
        )
    for pointer in run.elsewhere:
        run.note("moved-key", pointer, f"0.2 refuses it there; it stands under /metadata/{_ELSEWHERE} now")
    other_keys = {**metadata.get(_ELSEWHERE, {}), **run.elsewhere}
    return {**data, "metadata": {**metadata, _ELSEWHERE: other_keys}}


# -- 0.2 to 0.1 -------------------------------------------------------------------------------------------------


def _refuse_losses(record: Record) -> None:
    losses = list(_find_losses(record.data))
    if losses:
        phrases = join_first([words for _, words in losses], 5)
        message = f"0.1 cannot say {phrases}; keep 0.2, or take that away first"
        raise WriteError(message, code="would-lose", pointer=record.pointer + losses[0][0])


def _find_losses(data: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """What 0.1 cannot state, as JSON Pointer and words; also that an input is optional, for in 0.1 none is."""
    for key in data:
        if key not in BASIC_KEYS:
            yield f"/{escape(key)}", f"`{key}`"
    inputs = inputs_of(data)
    default_required = absent_is_required(inputs)
    for index, entry in enumerate(inputs):
        here = f"/how_to_use/inputs/{index}"
        schema = entry.get("schema", {})
        if not isinstance(schema, dict) or not schema.items() <= only_keys(entry, ("type", "description")).items():
            yield f"{here}/schema", f"the `schema` of `{entry['name']}`"
        if entry.get("required", default_required) is not True:
            place = f"{here}/required" if "required" in entry else here
            yield place, f"that `{entry['name']}` is optional"


def _migrate_to_oldest(data: dict[str, Any]) -> dict[str, Any]:
    if "schema_version" in data:
        data = {**data, "schema_version": SCHEMA_VERSION["0.1"]}
    usage = data["how_to_use"]
    if "inputs" not in usage:
        return data
    inputs = [without_keys(entry, "schema", "required") for entry in usage["inputs"]]
    return {**data, "how_to_use": {**usage, "inputs": inputs}}
