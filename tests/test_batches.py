"""Verbs over batches: what each says of a record is what it says of it anywhere else. Shards are in `tests/engines`."""

from __future__ import annotations

import json
import pickle
from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rows import for_each
from toolglot import check, convert_records, count_tokens, extras, read, streams
from toolglot.converter.conversion.sources import read_document
from toolglot.converter.text import document_reader
from toolglot.errors import UsageError
from toolglot.streams import COLUMNS, catalog_batch, check_batch, convert_batch, tokens_batch
from toolglot.verbs.catalogs import Entry, FileEntries
from toolglot.verbs.streams.batches import map_batch
from toolglot.verbs.streams.line_reader import Chunk
from toolglot.verbs.streams.tasks import RESULT_COLUMNS, catalog_task, check_task, convert_task, tokens_task

GOOD = {"toolId": "mcp:a", "source": "mcp", "safetyTier": "write", "description": "Add a line."}
TWO = {"tools": [GOOD, {**GOOD, "toolId": "mcp:b"}]}
LINES = [json.dumps(GOOD), "{", "", json.dumps(TWO), json.dumps({**GOOD, "safetyTier": "reed"})]
BATCHES: dict[str, Callable[..., dict[str, list[Any]]]] = {
    "convert": lambda batch, **options: convert_batch(batch, "mcp", **options),
    "check": check_batch,
    "tokens": lambda batch, **options: tokens_batch(batch, "openai", **options),
    "catalog": lambda batch, **options: catalog_batch(batch, "mcp", **options),
}


@for_each("verb", sorted(BATCHES))
def test_all_other_columns_travel_along_and_no_record_costs_another_one(verb: str) -> None:
    table = {"id": [f"r{at}" for at in range(len(LINES))], "value": LINES, "at": [*range(len(LINES))]}
    done = BATCHES[verb](table, column="value")
    assert list(done) == ["id", "at", *COLUMNS[verb]]
    assert len({len(column) for column in done.values()}) == 1
    assert [f"r{at}" for at in done["at"]] == done["id"]
    assert {2} & {*done["at"]} == set()
    refused = {at: error for at, error in zip(done["at"], done["error"], strict=True) if error is not None}
    assert refused == {1: "json-syntax"} | ({} if verb == "check" else {4: "schema-enum"})
    alone = [
        BATCHES[verb]({name: [column[at]] for name, column in table.items()}, column="value") for at in table["at"]
    ]
    assert {name: [value for one in alone for value in one[name]] for name in done} == done
    assert BATCHES[verb](LINES) == {name: done[name] for name in COLUMNS[verb]}


@given(lines=st.lists(st.sampled_from(LINES)))
def test_counts_are_those_of_the_rows(lines: list[str]) -> None:
    mapped = map_batch(convert_task("mcp", report=True), Chunk([*enumerate(lines)]))
    every = [one for one in convert_records(lines, "mcp") if one.error is None]
    codes = Counter(change.code for one in every if one.report for change in one.report.changes)
    assert {name: mapped.tally[name] for name in codes} == codes
    assert mapped.tally["rows"] == sum(len(one.texts) for one in every)
    assert mapped.tally["records"] + mapped.tally["blank"] == len(lines)
    assert mapped.tally["refused"] == sum("error" in row for row in mapped.rows)


def test_a_report_is_made_only_where_it_is_asked_for() -> None:
    assert convert_batch(LINES, "mcp")["changes"] == [None] * 5
    assert [bool(said) for said in convert_batch(LINES, "mcp", report=True)["changes"]] == [
        True,
        False,
        True,
        False,
        False,
    ]


def test_each_verb_says_what_it_says_alone() -> None:
    findings = check(LINES[4])
    done = check_batch([LINES[4]])
    assert done["code"] == [one.code for one in findings]
    assert done["message"] == [one.message for one in findings]
    assert check_batch([LINES[4]], select="schema-*")["code"] == ["schema-enum"]  # one text is no list of characters
    costs = count_tokens(read(GOOD), "openai")
    done = tokens_batch([GOOD], "openai")
    assert (done["definition"], done["tokens"]) == (["mcp_a"], [costs.definitions[0].tokens])
    assert {name: done[name][0] for name in costs.parts} == costs.parts
    document = document_reader.load(LINES[3])
    entries = FileEntries(read_document(document, "tool-descriptor"), "mcp", "").entries
    done = catalog_batch([LINES[3]], "mcp")
    assert done["identity"] == ["mcp:a", "mcp:b"]
    found = [msgspec.convert(json.loads(text), Entry) for text in done["entry"]]
    assert [(one.tool, one.provenance) for one in found] == [(entry.tool, entry.provenance) for entry in entries]


def test_an_entry_keeps_large_numbers() -> None:
    schema = {"type": "object", "properties": {"n": {"default": 10**30}}}
    record = json.dumps({"name": "a", "inputSchema": schema})
    done = catalog_batch([record], "mcp")
    assert done["error"] == [None]
    entry = msgspec.convert(json.loads(done["entry"][0]), Entry)
    assert entry.tool is not None
    assert entry.tool.inputs == schema


@for_each("function", [convert_batch, check_batch, tokens_batch, catalog_batch, streams.convert_shards])
def test_a_function_travels_under_its_name(function: Callable[..., object]) -> None:
    assert pickle.loads(pickle.dumps(function)) is function
    assert getattr(streams, function.__name__) is function
    assert function.__doc__


def test_bytes_and_text_are_blank_alike() -> None:
    for text in ("\u2028", "\x85", "\x1f"):
        [of_text, of_bytes] = convert_batch([text, text.encode()], "mcp")["error"]
        assert of_text == of_bytes is not None
    assert convert_batch([" \t\r\n\v\f", b" \t\r\n\v\f"], "mcp")["error"] == []


def test_a_field_of_a_dict_in_a_column_without_a_value_is_absent_and_null_is_null_elsewhere() -> None:
    record = {**GOOD, "title": None}
    filled = {**record, "auth": float("nan")}
    assert convert_batch({"value": [filled]}, "mcp", column="value") == convert_batch([GOOD], "mcp")
    assert convert_batch([record], "mcp")["error"] == ["schema-type"]
    assert convert_batch({"value": [json.dumps(record)]}, "mcp", column="value")["error"] == ["schema-type"]
    schema = {"type": "object", "properties": {"a": {"default": None}}}
    [text] = convert_batch({"value": [{**GOOD, "inputSchema": schema}]}, "mcp", column="value")["output"]
    assert json.loads(text)["inputSchema"]["properties"] == {"a": {}}
    [text] = convert_batch([{**GOOD, "inputSchema": schema}], "mcp")["output"]
    assert json.loads(text)["inputSchema"]["properties"] == schema["properties"]


def test_a_record_that_is_none_is_refused() -> None:
    done = convert_batch({"value": [None, float("nan"), GOOD]}, "mcp", column="value")
    assert done["error"] == ["no-record", "no-record", None]


def test_a_dict_that_is_too_deep_is_refused_in_a_column_too() -> None:
    itself: dict[str, Any] = {}
    itself["a"] = itself
    depths: list[Any] = [itself]
    for levels in (63, 64, 65, 100_000):
        record: Any = None
        for _ in range(levels):
            record = {"a": record, "b": 1}
        depths.append(record)
    alone = convert_batch(depths, "mcp")
    assert alone["error"] == ["too-deep", *["unknown-format"] * 2, *["too-deep"] * 2]
    in_column = convert_batch({"value": depths}, "mcp", column="value")
    assert (in_column["error"], in_column["message"]) == (alone["error"], alone["message"])


def test_every_record_of_a_batch_that_killed_its_process_is_refused() -> None:
    mapped = map_batch(check_task(), Chunk([*enumerate(LINES)]).lose(), "a.jsonl")
    assert [(row["index"], row["error"]) for row in mapped.rows] == [(at, "worker-died") for at in range(5)]
    assert (mapped.tally["refused"], mapped.tally["error worker-died"]) == (5, 5)


@for_each(
    "task", [convert_task("mcp"), check_task(), tokens_task("openai"), catalog_task("mcp")], ids=lambda one: one.verb
)
def test_a_task_travels(task: Any) -> None:
    copy = pickle.loads(pickle.dumps(task))
    assert copy == task
    assert map_batch(copy, Chunk([*enumerate(LINES)])) == map_batch(task, Chunk([*enumerate(LINES)]))
    assert {*RESULT_COLUMNS[task.verb]} < {*COLUMNS[task.verb]}


def test_the_package_for_folders_is_named_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"pip install '\.\[ray\]'"):
        streams.convert_shards(streams.Shards("in", "out"), "mcp")


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda: convert_batch([], "nonsense"), "unknown-format"),
        (lambda: convert_batch([], "mcp", format="nonsense"), "unknown-format"),
        (lambda: check_batch([], select=["nonsense"]), "unknown-rule"),
        (lambda: check_batch([], format="nonsense"), "unknown-format"),
        (lambda: BATCHES["check"]([], restore="no"), "bad-option"),
        (lambda: BATCHES["catalog"]([], limits=64), "bad-option"),
        (lambda: tokens_batch([], "atdf"), "not-a-provider"),
        (lambda: catalog_batch([], "aip14"), "bad-option"),
        (lambda: convert_batch({"a": []}, "mcp", column="b"), "no-column"),
        (lambda: convert_batch({"a": [], "b": []}, "mcp"), "no-column"),
        (lambda: convert_batch({"a": LINES, "b": [1, 2]}, "mcp", column="a"), "column-length"),
        (lambda: convert_batch({"a": [], "error": []}, "mcp", column="a"), "column-name"),
    ],
)
def test_what_is_wrong_with_the_call_is_said_at_once(call: Callable[[], object], code: str) -> None:
    with pytest.raises(UsageError) as caught:
        call()
    assert caught.value.code == code
