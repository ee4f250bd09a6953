"""Reading untrusted text: what is accepted, what is refused with which code and where, and round trips."""

from __future__ import annotations

import json
import os
import pickle
import sys
import time
from contextlib import suppress
from pathlib import Path
from threading import Timer
from typing import Any
from unittest.mock import patch

import frontmatter
import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

import toolglot
from rows import for_each
from systems import needs_proc
from toolglot.converter.text import json_reader, yaml_reader
from toolglot.converter.text.document_reader import DEFAULT_LIMITS, Limits, from_data, load, read_file
from toolglot.converter.text.serialization import dump_front_matter, dump_json, dump_json_lines, dump_yaml
from toolglot.converter.text.source_text import SourceText
from toolglot.errors import LimitError, ParseError, ReadError

DEEP = 100_000
BIG = 10**400
SUN = "\U0001f31e"


def bomb(width: int, levels: int) -> str:
    lines = ["a0: &a0 [" + ", ".join(["x"] * width) + "]"]
    lines += [f"a{n}: &a{n} [" + ", ".join([f"*a{n - 1}"] * width) + "]" for n in range(1, levels)]
    return "\n".join(lines)


# --- accepted ------------------------------------------------------------------------------------------

ACCEPTED: dict[str, tuple[str | bytes, Any]] = {
    "json object": (
        '{"a": [1, -2, 0.5, true, false, null, "x"]}',
        {"a": [1, -2, 0.5, True, False, None, "x"]},
    ),
    "json list": (" \r\n\t[]", []),
    "json in bytes": (b'{"a": 1}', {"a": 1}),
    "json big integer": (f'{{"a": {BIG}, "b": -{BIG}}}', {"a": BIG, "b": -BIG}),
    "json integers of 64 bits": ("[9223372036854775808, 18446744073709551616]", [2**63, 2**64]),
    "json exponent": ("[1e3, 1E-2, -0.0]", [1000.0, 0.01, -0.0]),
    "json escapes": (r'["\u00e9\ud83c\udf1e\n\/\\"]', [f"é{SUN}\n/\\"]),
    "json key that ends in a backslash": (r'{"a\\": 1, "b\\" : 2}', {"a\\": 1, "b\\": 2}),
    "json in a string": ('{"a": "say {\\"b\\": 1}", "c" : "d"}', {"a": 'say {"b": 1}', "c": "d"}),
    "colon after a quote in a string": ('{"a": ": b", "c": ":"}', {"a": ": b", "c": ":"}),
    "json blank before colon": ('{"a"\r\n\t : 1}', {"a": 1}),
    "json empty key": ('{"": 1}', {"": 1}),
    "json bom": (b'\xef\xbb\xbf{"a": 1}', {"a": 1}),
    "yaml mapping": ("a: 1\nb: [x, 'y', \"z\"]\n", {"a": 1, "b": ["x", "y", "z"]}),
    "yaml list": ("- a\n- b: 1\n", ["a", {"b": 1}]),
    "yaml booleans of 1.1": ("a: [yes, no, on, off, y, n]", {"a": ["yes", "no", "on", "off", "y", "n"]}),
    "yaml booleans": (
        "a: [true, True, TRUE, false, False, FALSE, tRUE]",
        {"a": [True] * 3 + [False] * 3 + ["tRUE"]},
    ),
    "yaml nulls": (
        "a:\nb: ~\nc: null\nd: Null\ne: NULL\nf: nUll\n",
        {"a": None, "b": None, "c": None, "d": None, "e": None, "f": "nUll"},
    ),
    "yaml dates": (
        "a: 2026-04-28\nb: 2001-12-14T21:59:43Z",
        {"a": "2026-04-28", "b": "2001-12-14T21:59:43Z"},
    ),
    "yaml sexagesimals": ("a: 12:30:45\nb: 1:30", {"a": "12:30:45", "b": "1:30"}),
    "yaml integers": (
        "a: [0o17, 017, 1_000, 0x1F, +3, -0, 0b11]",
        {"a": [15, 17, "1_000", 31, 3, 0, "0b11"]},
    ),
    "yaml floats": (
        "a: [1e3, .5, 5., -1.5E-1, 1.0.0, 1., ., +, -]",
        {"a": [1000.0, 0.5, 5.0, -0.15, "1.0.0", 1.0, ".", "+", "-"]},
    ),
    "yaml big integer": (f"a: {BIG}", {"a": BIG}),
    "yaml quoted": (
        "a: '1'\nb: \"true\"\nc: |\n  null\nd: >-\n  1\n  2\n",
        {"a": "1", "b": "true", "c": "null\n", "d": "1 2"},
    ),
    "yaml keys as written": (
        "1: a\ntrue: b\n~: c\n1.0: d\n?\n: e\n",
        {"1": "a", "true": "b", "~": "c", "1.0": "d", "": "e"},
    ),
    "yaml string tag": ("a: !!str 1\nb: !!str\n", {"a": "1", "b": ""}),
    "yaml quoted merge key": ("'<<': 1\n", {"<<": 1}),
    "yaml merge sign as value": ("a: <<\n", {"a": "<<"}),
    "yaml explicit key": ("? a\n: 1\n", {"a": 1}),
    "yaml exclamation marks": ("a: Hello! World\nb: 12\n", {"a": "Hello! World", "b": 12}),
    "yaml aliases": (
        "a: &x {k: [1]}\nb: *x\nc: &y 1\nd: *y\ne: &z ~\nf: [*z]\n",
        {"a": {"k": [1]}, "b": {"k": [1]}, "c": 1, "d": 1, "e": None, "f": [None]},
    ),
    "yaml crlf": ("a: 1\r\nb: |\r\n  x\r\n  y\r\n", {"a": 1, "b": "x\ny\n"}),
    "yaml document start": ("---\na: 1\n", {"a": 1}),
    "yaml closing line only": ("a: 1\n---\n", {"a": 1}),
    "yaml document end": ("a: 1\n...\n", {"a": 1}),
    "yaml directive": ("%YAML 1.2\n---\na: 1\n", {"a": 1}),
    "yaml comment first": ("# c\n\na: 1\n", {"a": 1}),
    "yaml emoji": (f"a: {SUN} x\n".encode(), {"a": f"{SUN} x"}),
}


@for_each(("source", "data"), ACCEPTED.values(), ids=ACCEPTED.keys())
def test_accepted(source: str | bytes, data: Any) -> None:
    read = load(source).data
    assert read == data
    assert json.dumps(read) == json.dumps(data), "1, 1.0 and True are equal but not the same"


without_c_extension = patch.object(yaml_reader, "EventParser", yaml.BaseLoader)


@for_each(("source", "data"), ACCEPTED.values(), ids=ACCEPTED.keys())
def test_without_the_c_extension(source: str | bytes, data: Any) -> None:
    with without_c_extension:
        assert json.dumps(load(source).data) == json.dumps(data)


@for_each(("source", "data"), ACCEPTED.values(), ids=ACCEPTED.keys())
def test_both_json_readers_agree(source: str | bytes, data: Any) -> None:
    document = load(source)
    if document.syntax == "json":
        text = SourceText(document.text, None)
        assert json.dumps(json_reader.read_carefully(text, 0, len(document.text))[0]) == json.dumps(data)


# --- refused -------------------------------------------------------------------------------------------

REFUSED: dict[str, tuple[str | bytes, str, int | None, int | None]] = {
    "empty": ("", "empty", 1, 1),
    "blank": (" \n\t\r\n", "empty", 1, 1),
    "only bom": (b"\xef\xbb\xbf", "empty", 1, 1),
    "only comments": ("# a\n# b\n", "empty", 1, 1),
    "only a marker": ("---\n", "empty", 1, 1),
    "prose": ("Hello, world", "not-a-document", 1, 1),
    "shell": ("#!/bin/sh\necho hello\n", "not-a-document", 2, 1),
    "scalar null": ("null", "not-a-document", 1, 1),
    "scalar number": ("12", "not-a-document", 1, 1),
    "scalar quoted empty": ('""', "not-a-document", 1, 1),
    # JSON
    "json duplicate": ('{"a": 1,\n "b": {}, "a": 2}', "duplicate-key", 2, 11),
    "json duplicate, escaped": ('{"a": 1, "\\u0061": 2}', "duplicate-key", 1, 10),
    "json duplicate, inner": ('[{"x": {"a" : 1, "a" : 1}}]', "duplicate-key", 1, 18),
    "json duplicate hidden by prose": ('{"a": ":", "a": 1}', "duplicate-key", 1, 12),
    "json duplicate with backslash": (r'{"a\\": 1, "a\\": 1}', "duplicate-key", 1, 12),
    "json nan": ("[1, NaN]", "non-finite-number", 1, 5),
    "json infinity": ('{"a": -Infinity}', "non-finite-number", 1, 7),
    "json overflow": ("[1e999]", "non-finite-number", 1, 2),
    "json long float": ("[" + "9" * 5000 + ".0]", "non-finite-number", 1, 2),
    "json long integer": ("[" + "9" * 5000 + "]", "number-too-long", 1, 2),
    "json lone surrogate": ('["a",\n "\\ud800"]', "lone-surrogate", 2, 3),
    "json lone low surrogate": (r'["\ud83c\udf1e\udf1e"]', "lone-surrogate", 1, 15),
    "json surrogates swapped": (r'["\\\udf1e\ud83c"]', "lone-surrogate", 1, 5),
    "json surrogate in a key": (r'{"\ud800": 1}', "lone-surrogate", 1, 3),
    "json comment": ('{\n  // no\n  "a": 1}', "json-syntax", 2, 3),
    "json block comment": ("[1 /* no */]", "json-syntax", 1, 4),
    "json trailing comma": ("[1,]", "json-syntax", 1, 4),
    "json trailing comma, object": ('{"a": 1,\n}', "json-syntax", 2, 1),
    "json elision": ("[1,,2]", "json-syntax", 1, 4),
    "json single quotes": ("{'a': 1}", "json-syntax", 1, 2),
    "json bare key": ("{a: 1}", "json-syntax", 1, 2),
    "json no colon": ('{"a" 1}', "json-syntax", 1, 6),
    "json no comma": ('["a" "b"]', "json-syntax", 1, 6),
    "json wrong bracket": ("[1}", "json-syntax", 1, 3),
    "json unfinished": ('{"a": [1', "json-syntax", 1, 9),
    "json unfinished string": ('["a', "json-syntax", 1, 2),
    "json bad escape": (r'["\x"]', "json-syntax", 1, 3),
    "json newline in string": ('["a\nb"]', "json-syntax", 1, 4),
    "json leading zero": ("[01]", "json-syntax", 1, 3),
    "json leading plus": ("[+1]", "json-syntax", 1, 2),
    "json undefined": ("[undefined]", "json-syntax", 1, 2),
    "json extra": ('{"a": 1} x', "json-extra-data", 1, 10),
    "json two values on a line": ('{"a": 1} {"a": 2}', "json-extra-data", 1, 10),
    "json lines, one broken": ('{"a": 1}\n{"a": \n', "json-extra-data", 2, 1),
    "json lines, a duplicate": ('{"a": 1}\n{"a": 1, "a": 2}\n', "duplicate-key", 2, 10),
    "json deep": ("[" * DEEP + "]" * DEEP, "too-deep", 1, 65),
    "json deep, unclosed": ('{"a":' * DEEP, "too-deep", 1, 5 * 64 + 1),
    # YAML
    "yaml duplicate": ("a: 1\nb:\n  c: 1\n  c: 2\n", "duplicate-key", 4, 3),
    "yaml duplicate, quoted": ("1: a\n'1': b\n", "duplicate-key", 2, 1),
    "yaml duplicate, flow": ("x: {a: 1, a: 2}", "duplicate-key", 1, 11),
    "yaml nan": ("a: .nan", "non-finite-number", 1, 4),
    "yaml infinity": ("a: [-.inf]", "non-finite-number", 1, 5),
    "yaml overflow": ("a: 1e999", "non-finite-number", 1, 4),
    "yaml long integer": ("a: " + "9" * 5000, "number-too-long", 1, 4),
    "yaml long hexadecimal": ("a: 0x" + "f" * 4000, "number-too-long", 1, 4),
    "yaml long octal": ("a: 0o" + "7" * 100_000, "number-too-long", 1, 4),
    "yaml list as key": ("? [a]\n: 1\n", "yaml-complex-key", 1, 3),
    "yaml mapping as key": ("{? {a: 1} : 1}".replace("{?", "x: {?"), "yaml-complex-key", 1, 7),
    "yaml alias as key": ("a: &x b\n*x : 1\n", "yaml-complex-key", 2, 1),
    "yaml python tag": ("a: !!python/object/apply:os.system [x]", "yaml-tag", 1, 4),
    "yaml custom tag": ("a: !custom x", "yaml-tag", 1, 4),
    "yaml integer tag": ("a: !!int 1", "yaml-tag", 1, 4),
    "yaml tag on mapping": ("!!map {a: 1}", "yaml-tag", 1, 1),
    "yaml tag on key": ("!!int 1: a", "yaml-tag", 1, 1),
    "yaml bare tag": ("a: ! 12", "yaml-tag", 1, 4),
    "yaml bare tag and anchor": ("a: &x ! 12", "yaml-tag", 1, 4),
    "yaml merge": ("a: &x {b: 1}\nc:\n  <<: *x\n", "yaml-merge-key", 3, 3),
    "yaml documents": ("a: 1\n---\nb: 2\n", "yaml-multiple-documents", 2, 1),
    "yaml documents, scalar": ("a: 1\n--- ''\n", "yaml-multiple-documents", 2, 1),
    "yaml documents, three": ("a: 1\n---\n---\n", "yaml-multiple-documents", 2, 1),
    "yaml unknown alias": ("a: *x", "yaml-syntax", 1, 4),
    "yaml self alias": ("a: &x [*x]", "too-many-aliases", 1, 8),
    "yaml inner self alias": ("&x a: [{b: 1}, &y {c: [*y]}]", "too-many-aliases", 1, 24),
    "yaml bomb": (bomb(10, 10), "too-many-aliases", None, None),
    "yaml wide bomb": (bomb(1000, 3), "too-many-aliases", None, None),
    "yaml string bomb": (f"a: &a {'x' * 10_000}\nb: [{'*a, ' * 20_000}]", "too-many-aliases", 2, None),
    "yaml deep through aliases": (bomb(1, 80), "too-deep", 64, None),
    "yaml deep flow": ("a: " + "[" * DEEP, "too-deep", 1, None),  # libyaml may refuse it further on
    "yaml deep flow mapping": ("a: " + "{b: " * DEEP, "too-deep", 1, None),
    "yaml deep block": ("- " * DEEP, "too-deep", 1, 129),
    "yaml syntax": ("a: 1\n b: 2\n", "yaml-syntax", 2, 3),
    "yaml tab": ("a:\n\t- b\n", "yaml-syntax", 2, 1),
    "yaml unclosed": ("a: [1, 2\n", "yaml-syntax", 2, 1),
    "yaml c1 control": ("a: 1\nb: \x9b\n", "control-character", 2, 4),
    "yaml noncharacter": ("a: \uffff", "control-character", 1, 4),
    # front matter
    "front matter empty": ("---\n---\nx", "front-matter", 2, 1),
    "front matter blank": ("---\n\n---\nx", "front-matter", 2, 1),
    "front matter comments": ("---\n# a\n---\n", "front-matter", 2, 1),
    "front matter list": ("---\n- a\n---\n", "front-matter", 2, 1),
    "front matter prose": ("---\nhello\n---\n", "front-matter", 2, 1),
    "front matter json": ('---json\n{"a": 1}\n---\n', "front-matter", 1, 4),
    "front matter javascript": ("--- js \nmodule.exports = {}\n---\n", "front-matter", 1, 4),
    "front matter duplicate": ("---\na: 1\na: 2\n---\n", "duplicate-key", 3, 1),
    "front matter syntax": ("---\na: [\n---\nbody", "yaml-syntax", 3, 1),
    "front matter, control in body": ("---\na: 1\n---\nx\x1b[31m", "control-character", 4, 2),
    # encodings and characters
    "utf-16 with bom": ('{"a": 1}'.encode("utf-16"), "not-utf-8", 1, 1),
    "utf-16 little": ('{"a": 1}'.encode("utf-16-le"), "not-utf-8", 1, 1),
    "utf-16 big": ("a: 1".encode("utf-16-be"), "not-utf-8", 1, 1),
    "utf-32": ("a: 1".encode("utf-32"), "not-utf-8", 1, 1),
    "latin-1": ("a: 1\nb: é".encode("latin-1"), "not-utf-8", 2, 4),
    "latin-1 after bom": (b"\xef\xbb\xbfa: \xe9", "not-utf-8", 1, 4),
    "encoded surrogate": (b'{"a": "\xed\xa0\x80"}', "not-utf-8", 1, 8),
    "lone surrogate": ("a: 1\nb: \ud800", "lone-surrogate", 2, 4),
    "nul in yaml": ("a: 1\nb: \0", "control-character", 2, 4),
    "nul in json": ('{"a": "\0"}', "control-character", 1, 8),
    "nul outside json": ("[1]\0", "control-character", 1, 4),
    "escape in yaml": ("a: \x1b[0m", "control-character", 1, 4),
    "form feed": ("a: 1\f", "control-character", 1, 5),
}


YAML_REMEDIES = [
    ("name: a: b", "colon in quotes"), ("a:\n\t- b", "blanks"), ("a: 1\n\tb: 2", "blanks"), ("a: @b", "needs quotes"),
    ('a: "b', "close the quotation mark"), ('a: "b" c', "whole text in quotes"), ("a: [1", "close the bracket"),
    ("a: {b: 1", "close the brace"), ("a: *b*", "in quotes"), ("a: 1\nb\nc: 2", "add the colon"),
    ('a: "\\q"', "two backslashes"),
]  # fmt: skip


@for_each(("source", "remedy"), YAML_REMEDIES)
def test_a_mistake_in_yaml_comes_with_what_to_do(source: str, remedy: str) -> None:
    with pytest.raises(ParseError, match=remedy):
        load(source + "\n")


@for_each(("source", "code", "line", "column"), REFUSED.values(), ids=REFUSED.keys())
@pytest.mark.usefixtures("no_garbage")
def test_refused(source: str | bytes, code: str, line: int | None, column: int | None) -> None:
    began = time.thread_time()
    with pytest.raises(ParseError) as caught:
        load(source, "in.txt")
    took = time.thread_time() - began
    error = caught.value
    assert error.code == code, str(error)
    assert line in (None, error.line), str(error)
    assert column in (None, error.column), str(error)
    assert (error.line, error.column, error.source) != (None, None, None)
    assert isinstance(error, LimitError) == (code in ("too-deep", "too-many-aliases", "number-too-long"))
    assert str(error).isprintable(), "a message reaches terminals"
    assert len(str(error)) < 300
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
    assert took < 3  # of minutes, or for ever


NAMED = {
    "front matter that is not closed": ("---\nid: a\nname: A\n", "TOOL.md", "front matter is not closed"),
    "a comment before JSON": ('// our tools\n{"a": 1}', "tools.json", "JSON has no comments"),
    "a comment before JSON that calls itself so": ('// our tools\n{"a": 1}', "tools.jsonc", "JSON has no comments"),
}


@pytest.mark.parametrize(("text", "name", "words"), NAMED.values(), ids=NAMED.keys())
def test_refused_by_the_name_of_its_file(text: str, name: str, words: str) -> None:
    with pytest.raises(ParseError, match=words):
        load(text, name)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("tools/danger.mcp.json", "for a file give a pathlib.Path"),
        (load, "@toolglot.tool"),
        ([toolglot.Tool(id="a")], "toolglot.write makes one of it"),
    ],
)
def test_what_python_programs_give_by_mistake(source: Any, words: str) -> None:
    with pytest.raises(ParseError, match=words):
        toolglot.read(source)


@for_each("case", [name for name in REFUSED if not name.startswith("json")])
def test_refused_without_the_c_extension(case: str) -> None:
    source, code, _, _ = REFUSED[case]
    with without_c_extension, pytest.raises(ParseError) as caught:
        load(source)
    assert caught.value.code == code


def test_messages_say_what_to_do() -> None:
    with pytest.raises(ParseError, match=r"in\.yaml:3:1: the key 'a' is already at line 1, column 1; keep"):
        load("a: 1\nb: 2\na: 3\n", "in.yaml")
    with pytest.raises(ParseError, match="not UTF-8 at byte 4"):
        load(b"a: '\xff'")
    with pytest.raises(
        ParseError, match=r"1:9: in a JSON string: a line break or a tab stands there as it is, and not as"
    ):
        load('{"a": "b\nc"}')
    with pytest.raises(ParseError, match="one value per line is read too"):
        load('{"a": 1}\nnonsense\n')


def test_duplicate_keys_survive_no_layout() -> None:
    """The proof by counting that msgspec dropped no key, against every way to write a colon."""
    keys = ["a", "a\\\\", '\\"', ":", '\\":', "\\\\\\\\"]
    for key in keys:
        for gap in ("", " ", "\n\t", "\r\n  "):
            for decoy in ('":"', '"\\":"', '"x\\\\"', '": "', "1"):
                pair = f'"{key}"{gap}:{gap}{decoy}'
                assert load(f'{{"z":{{{pair}}}}}').data == json.loads(f'{{"z":{{{pair}}}}}')
                with pytest.raises(ParseError) as caught:
                    load(f'{{"z":{{{pair},"b":{decoy},{pair}}}}}')
                assert caught.value.code == "duplicate-key"


def test_a_lower_limit_of_python_for_integers() -> None:
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(1000)
    try:
        for text in ("[" + "9" * 2000 + "]", "a: " + "9" * 2000):
            with pytest.raises(LimitError):
                load(text)
    finally:
        sys.set_int_max_str_digits(before)


# --- limits --------------------------------------------------------------------------------------------


def test_depth_is_counted_alike_everywhere() -> None:
    limits = Limits(max_depth=3)
    fits: Any = {"a": [{"b": 1}]}
    deep: Any = {"a": [{"b": []}]}
    lines = dump_json_lines([fits])
    assert load(lines, "x.jsonl", limits).data == [fits]
    assert from_data(fits, limits).data is fits
    for dump in (dump_json, dump_yaml):
        assert load(dump(fits), limits=limits).data == fits
        with pytest.raises(LimitError):
            load(dump(deep), limits=limits)
    with pytest.raises(LimitError):
        load(dump_json_lines([deep]), "x.jsonl", limits)
    with pytest.raises(LimitError):
        from_data(deep, limits)
    aliased = "a: &x [1]\nb: {c: *x}\n"
    assert load(aliased, limits=limits).data["b"] == {"c": [1]}
    with pytest.raises(LimitError):
        load(aliased, limits=Limits(max_depth=2))


def test_a_higher_depth_limit_does_not_recurse() -> None:
    limits = Limits(max_depth=20_000)
    document = load("[" * 20_000 + "]" * 20_000, limits=limits)
    assert document.position("/0" * 19_999) == (1, 20_000)
    for dump in (dump_json, dump_yaml):
        with pytest.raises(LimitError) as caught:
            dump(document.data)
        assert caught.value.code == "too-deep"
    with suppress(LimitError):  # which some releases of libyaml say below our bound
        load("- " * 15_000 + "a", limits=limits)


def test_size() -> None:
    text = '["' + "é" * 10 + '"]'
    for source in (text, text.encode()):
        assert load(source, limits=Limits(max_bytes=24)).data == ["é" * 10]
        with pytest.raises(LimitError, match=r"raise Limits\.max_bytes") as caught:
            load(source, limits=Limits(max_bytes=23))
        assert caught.value.code == "too-large"
    with pytest.raises(LimitError):
        load(b"\xff" * 30, limits=Limits(max_bytes=29))


def test_aliases_do_not_share() -> None:
    data = load("a: &x {k: [1, {}]}\nb: *x\nc: [*x, *x]\n").data
    data["a"]["k"][1]["changed"] = True
    data["c"][0]["k"].append(2)
    assert data["b"] == data["c"][1] == {"k": [1, {}]}


def test_alias_limit_is_adjustable() -> None:
    small = bomb(10, 3)
    assert len(load(small).data["a2"]) == 10
    with pytest.raises(LimitError):
        load(small, limits=Limits(max_nodes=100))


# --- documents -----------------------------------------------------------------------------------------

BODIES: dict[str, tuple[bytes, Any, str | None, str, bool]] = {
    "plain": (b"---\na: 1\n---\n# T\n", {"a": 1}, "# T\n", "\n", False),
    "crlf": (b"---\r\na: 1\r\n---\r\n# T\r\nx\ny", {"a": 1}, "# T\r\nx\ny", "\r\n", False),
    "bom": (b"\xef\xbb\xbf---\na: 1\n---\nx", {"a": 1}, "x", "\n", True),
    "no body": (b"---\na: 1\n---", {"a": 1}, "", "\n", False),
    "empty body": (b"---\na: 1\n---\n", {"a": 1}, "", "\n", False),
    "dashes in the body": (
        b"---\na: 1\n---\nx\n---\ny: 2\n---\n",
        {"a": 1},
        "x\n---\ny: 2\n---\n",
        "\n",
        False,
    ),
    "blanks after the dashes": (b"--- \t\na: 1\n---  \r\nx", {"a": 1}, "x", "\n", False),
    "dots": (b"---\na: 1\n...\nx", {"a": 1}, "x", "\n", False),
    "longer rules do not close": (
        b"---\na: |\n  b\n\n  ----\n#----\n---\nx",
        {"a": "b\n\n----\n"},
        "x",
        "\n",
        False,
    ),
    "empty mapping": (b"---\n{}\n---\n\n", {}, "\n", "\n", False),
    "blank lines kept": (b"---\na: 1\n---\n\n\n x \n\n", {"a": 1}, "\n\n x \n\n", "\n", False),
    "not at the top": (b"\n---\na: 1\n---\n", {"a": 1}, None, "\n", False),
    "unclosed": (b"---\na: 1\n", {"a": 1}, None, "\n", False),
}


@for_each(("source", "data", "body", "newline", "bom"), BODIES.values(), ids=BODIES.keys())
def test_front_matter(source: bytes, data: Any, body: str | None, newline: str, bom: bool) -> None:
    document = load(source)
    assert (document.data, document.body, document.newline, document.bom) == (data, body, newline, bom)
    assert document.syntax == ("yaml" if body is None else "front-matter")
    assert document.text.encode() == source.removeprefix(b"\xef\xbb\xbf")


def test_json_lines() -> None:
    text = '{"a": 1}\r\n\r\n  [2]\r\n"x"\r\n3'
    for document in (load(text), load(text.encode(), "a.txt"), load(text, "a.jsonl")):
        assert document.data == [{"a": 1}, [2], "x", 3]
        assert document.syntax == "json-lines"
        assert document.position("/0/a") == (1, 7)
        assert document.position("/1/0") == (3, 4)
        assert document.position("/3/none") == (5, 1)
        assert document.position("") == document.position("/9") == (1, 1)
    assert load('{"a": 1}', "A.NDJSON").data == [{"a": 1}]
    with pytest.raises(ParseError) as caught:
        load('{"a":\n1}', "a.jsonl")
    assert (caught.value.code, caught.value.line) == ("json-syntax", 1)
    assert load('"\u2028"\n"\x85"\n', "a.jsonl").data == ["\u2028", "\x85"]


NESTED = {"a/b": {"m~n": [10, {"x": "y"}]}, "": {"e": None}, "~1": 1}
POSITIONS: dict[str, tuple[str, dict[str, tuple[int, int]]]] = {
    "json": (
        '{\n  "a/b": {"m~n": [10,\n    {"x": "y"}]},\n  "": {"é": null}, "~1": 1\n}',
        {
            "": (1, 1),
            "/a~1b": (2, 10),
            "/a~1b/m~0n/0": (2, 19),
            "/a~1b/m~0n/1/x": (3, 11),
            "//é": (4, 13),
            "/~01": (4, 26),
        },
    ),
    "yaml": (
        "# c\na/b:\n  m~n:\n  - 10\n  - x: y\n'': {é: ~}\n~1: 1\n",
        {
            "": (2, 1),
            "/a~1b": (3, 3),
            "/a~1b/m~0n": (4, 3),
            "/a~1b/m~0n/1/x": (5, 8),
            "//é": (6, 9),
            "/~01": (7, 5),
        },
    ),
    "yaml crlf": ("a:\r\n  b: |\r\n    x\r\n  c: [1]\r\n", {"/a/b": (2, 6), "/a/c/0": (4, 7)}),
    "yaml separators": ("a: \"\u2028\"\nb: ' \x85'\nc: 1\n", {"/b": (2, 4), "/c": (3, 4)}),
    "yaml aliases": ("a: &x\n  k: [1]\nb: *x\n", {"/b": (3, 4), "/b/k/0": (2, 7)}),
    "yaml astral": (f"a: [{SUN}, {SUN}, z]\n", {"/a/2": (1, 11)}),
    "front matter": ("---\r\na: 1\r\nb: [x, y]\r\n---\r\n", {"": (2, 1), "/a": (2, 4), "/b/1": (3, 8)}),
    "nearest": (
        '{"a": [1, {"b": 2}]}',
        {
            "/a/7": (1, 7),
            "/a/x": (1, 7),
            "/a/1/c/d": (1, 11),
            "/a/0/0": (1, 8),
            "/zz": (1, 1),
            "/a/-": (1, 7),
            "/a/" + "9" * 5000: (1, 7),
            "/a/²": (1, 7),
        },
    ),
}


@for_each(("text", "expected"), POSITIONS.values(), ids=POSITIONS.keys())
def test_positions(text: str, expected: dict[str, tuple[int, int]]) -> None:
    document = load(text)
    assert {pointer: document.position(pointer) for pointer in expected} == expected
    assert {pointer: load("\ufeff" + text).position(pointer) for pointer in expected} == expected


def test_unnamed_source_in_messages() -> None:
    with pytest.raises(ParseError, match=r"^<text>:1:2: "):
        load("[,]")


# --- data given directly -------------------------------------------------------------------------------


class Text(str):
    __slots__ = ()


@for_each(
    ("data", "pointer"),
    [
        ({"a": [1, float("nan")]}, "/a/1"),
        (float("inf"), ""),
        ({"a": {1: 2}}, "/a"),
        ({"a/b": {"~": ("x",)}}, "/a~1b/~0"),
        ([{1, 2}], "/0"),
        ([b"x"], "/0"),
        ([Text("x")], "/0"),
        ({Text("x"): 1}, ""),
        (["\ud800"], "/0"),
        ({"\ud800": 1}, ""),
        ([...], "/0"),
        ((1,), ""),
    ],
    ids=repr,
)
def test_not_json_data(data: Any, pointer: str) -> None:
    with pytest.raises(ParseError) as caught:
        from_data(data)
    assert (caught.value.code, caught.value.pointer) == ("not-json-data", pointer)
    assert caught.value.line is None


def test_data_given_directly() -> None:
    data: dict[str, Any] = {"a": [1, 2.5, True, None, "é", BIG, {}]}
    document = from_data(data)
    assert document.data is data
    assert (document.syntax, document.body, document.text, document.name) == ("data", None, "", None)
    assert document.position("/a") is None
    assert "data" in repr(document)

    endless: list[Any] = []
    endless.append(endless)
    doubled: list[Any] = []
    for _ in range(60):
        doubled = [doubled, doubled]
    with pytest.raises(LimitError, match="deeper than 64"):
        from_data(endless)
    with pytest.raises(LimitError, match="more than 10000 values"):
        from_data(doubled, Limits(max_nodes=10_000))
    with pytest.raises(LimitError):
        from_data(10**5000)


# --- files ---------------------------------------------------------------------------------------------


def test_read_file(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"[1]" + b" " * 200_000)
    assert read_file(path) == read_file(str(path)) == path.read_bytes()
    (tmp_path / "link").symlink_to(path)
    assert read_file(tmp_path / "link")[:3] == b"[1]"
    assert read_file(path, Limits(max_bytes=200_003))
    with pytest.raises(LimitError) as caught:
        read_file(path, Limits(max_bytes=200_002))
    assert (caught.value.code, caught.value.source) == ("too-large", str(path))


@pytest.mark.usefixtures("no_garbage")
def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.json"
    path.touch()
    os.truncate(path, 200 * 1024 * 1024)
    began = time.thread_time()
    with pytest.raises(LimitError):
        read_file(path, DEFAULT_LIMITS)
    assert time.thread_time() - began < 0.1


@needs_proc
def test_size_is_checked_while_reading() -> None:
    assert read_file("/proc/self/status")
    with pytest.raises(LimitError):
        read_file("/proc/self/status", Limits(max_bytes=10))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
def test_only_regular_files(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, Path("/dev/zero")):
        with pytest.raises(ParseError) as caught:
            read_file(path)
        assert (caught.value.code, caught.value.source) == ("not-a-file", str(path))


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="needs descriptors with names")
def test_a_pipe_that_the_shell_opened_is_waited_for() -> None:
    read, write = os.pipe()

    def answer() -> None:
        with os.fdopen(write, "wb") as pipe:
            pipe.write(b"[]")

    Timer(0.05, answer).start()
    with os.fdopen(read):
        assert read_file(f"/dev/fd/{read}") == b"[]"


@pytest.mark.parametrize("name", ["missing.json", "a\0b", "x" * 5000])
def test_unreadable_files(tmp_path: Path, name: str) -> None:
    with pytest.raises(ReadError) as caught:
        read_file(tmp_path / name)
    assert caught.value.code == "unreadable"
    assert not isinstance(caught.value, ParseError)


# --- writing -------------------------------------------------------------------------------------------


@for_each("data", [{}, [], {"a": {}, "b": []}, [[], [{}]], {"a": "x/\x7f\u2028"}, "x", None, [1e16, 1e-7]])
@for_each("indent", [None, 2, 4])
def test_json_is_laid_out_as_by_the_standard_library(data: Any, indent: int | None) -> None:
    separators = (",", ":") if indent is None else None
    expected = json.dumps(data, ensure_ascii=False, indent=indent, separators=separators) + "\n"
    assert dump_json(data, indent).replace("e16", "e+16").replace("e-7", "e-07") == expected


def test_json_of_what_is_rare() -> None:
    assert dump_json({"b": BIG, "a": "é\u2028"}, None) == f'{{"b":{BIG},"a":"é\u2028"}}\n'
    assert json.loads(dump_json([[1, BIG]])) == [[1, BIG]]
    assert dump_json(["\ud800é"], None) == '["\\ud800é"]\n'
    assert dump_json(["null", None]) == '[\n  "null",\n  null\n]\n'
    assert dump_json_lines([]) == ""


@for_each("value", [float("nan"), float("inf"), -float("inf")])
@for_each("around", [lambda x: [x], lambda x: {"a": [None, {"b": x}]}, lambda x: [BIG, x], lambda x: x])
def test_no_nan_is_written(value: float, around: Any) -> None:
    for dump in (dump_json, dump_yaml):
        with pytest.raises(ParseError) as caught:
            dump(around(value))
        assert caught.value.code == "not-json-data"


def test_what_cannot_be_written() -> None:
    for dump in (dump_json, dump_yaml):
        with pytest.raises(LimitError):
            dump([10**5000])
        with pytest.raises(ParseError):
            dump({"a": object()})
    with pytest.raises(ParseError):
        dump_yaml({1: "a"})


YAML_LINES = {
    "Send a message: now": "'Send a message: now'",
    "it's # one": '"it\'s # one"',
    "it's": "it's",
    "1.0.0": "1.0.0",
    "2026-04-28": "'2026-04-28'",
    "": "''",
    "~/x": "~/x",
    "~": "'~'",
    "- a": "'- a'",
    f"{SUN} sun": f"{SUN} sun",
    "a\tb": '"a\\tb"',
    "a\nb\n": "|\n  a\n  b",
    "a\n\nb": "|-\n  a\n\n  b",
    "a\n\n": "|+\n  a\n",
    " a\nb": '" a\\nb"',
    "a \nb": '"a \\nb"',
    "\ufeff": '"\\ufeff"',
}


@for_each(("text", "expected"), YAML_LINES.items(), ids=repr)
def test_yaml_style(text: str, expected: str) -> None:
    written = dump_yaml({"k": text})
    assert written == f"k: {expected}\n"
    assert load(written).data == {"k": text}


def test_yaml_layout() -> None:
    data = {"z": {"b": [1, {"c": 1, "d": [[2, 3]]}], "a": {}}, "w": [], "x": "l1\nl2"}
    assert dump_yaml(data) == (
        "z:\n  b:\n    - 1\n    - c: 1\n      d:\n        - - 2\n          - 3\n  a: {}\nw: []\nx: |-\n  l1\n  l2\n"
    )


# What YAML readers, terminals and editors have tripped over.
NASTY = [
    "no", "Yes", "ON", "off", "y", "N", "true", "~", "null", "", " ", " a", "a ", "\n", "\r\n", "a\r\nb",
    "a\nb\n\n", "\n a", "1:30", "12:30:45", "2024-01-01", "2001-12-14t21:59:43.10-05:00", "017", "0o17",
    "0x1F", "1_000", "1e3", "1.", ".5", "+1", "-", "---", "...", "--- a", "a\n---\nb", "a\n...\n", "<<",
    "=", "!x", "&a", "*a", "%a", "@a", "`a`", "# a", "a #b", "a: b", "a:", ":a", "? a", "- a", "[a]",
    "{a}", "'", "''", '"', '"a', "it's", "\\", "a\\n", ",", "|", ">", "\t", "a\tb", "\ta\nb", "a\n\tb",
    "a\n b", "a\n \nb", "\u2028", "a\u2028b\n", "\x85", "\x7f", "\xa0", "\ufeff", "a\ufeff", "\ufffe",
    "\uffff", "\U0001f31e", "a\n\U0001f31e", "\u200b\u202e", "x" * 5000, "x y " * 2000, "x: " * 900, "\0",
    "\x1b[0m", ".inf", "-.INF", ".nan", "0b1", "1__0", "190:20:30.15",
]  # fmt: skip
TEXTS = st.one_of(st.sampled_from(NASTY), st.text(max_size=20), st.text(alphabet=" \n\t:-#'\"a1.é\r", max_size=12))
LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(min_value=-(10**60), max_value=10**60),
    st.floats(allow_nan=False, allow_infinity=False),
    TEXTS,
)


def containers(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4)


VALUES = st.recursive(LEAVES, containers, max_leaves=12)
DOCUMENTS = containers(VALUES)
MAPPINGS = st.dictionaries(TEXTS, VALUES, max_size=4)


def same(left: Any, right: Any) -> bool:
    """Equality that tells 1 from 1.0 and True, 0.0 from -0.0, and orders of keys apart."""
    return json.dumps(left) == json.dumps(right)


several = settings(max_examples=4 * settings().max_examples)


@several
@given(DOCUMENTS)
def test_json_round_trip(data: Any) -> None:
    for indent in (None, 2):
        text = dump_json(data, indent)
        assert same(load(text.encode()).data, data)
        assert same(json.loads(text), data)
    assert same(load(json.dumps(data)).data, data)
    assert same(load(dump_json_lines([data, data]), "a.jsonl").data, [data, data])


@several
@given(DOCUMENTS)
def test_yaml_round_trip(data: Any) -> None:
    text = dump_yaml(data)
    if not text.startswith(("{", "[")):
        assert same(load(text.encode()).data, data)
        assert load(text.replace("\n", "\r\n").encode()).data == data
    for loader in (yaml.CSafeLoader, yaml.SafeLoader):
        assert same(yaml.load(text, Loader=loader), data), "readers of YAML 1.1 see the same"


@for_each("text", NASTY, ids=ascii)
def test_nasty_strings_in_every_place(text: str) -> None:
    data = {text: text, "list": [text, [text, {"k": text}]], "last": text}
    assert same(load(dump_yaml(data)).data, data)
    assert same(yaml.load(dump_yaml(data), Loader=yaml.CSafeLoader), data)
    assert same(load(dump_json(data)).data, data)
    assert same(load(dump_front_matter(data, "---\n")).data, data)


@several
@given(MAPPINGS, TEXTS.map(lambda text: "".join(c for c in text if c >= " " or c in "\t\r\n")))
def test_front_matter_round_trip(data: dict[str, Any], body: str) -> None:
    document = load(dump_front_matter(data, body).encode())
    assert document.syntax == "front-matter"
    assert same(document.data, data)
    assert document.body == body


@several
@example(b"\x1f\x8b")
@given(st.one_of(st.binary(max_size=60), st.text(alphabet="{}[]\",:\\-?!&*#|>'%@ \n\t0a1e.u~<", max_size=40)))
def test_any_input_is_data_or_a_parse_error(source: str | bytes) -> None:
    try:
        document = load(source)
    except ParseError as error:
        has_place = None not in (error.line, error.column)
        if error.code == "compressed":  # what cannot be unpacked has no lines
            assert not has_place
            return
    else:
        has_place = document.position("") is not None
        from_data(document.data)
        assert same(load(dump_json(document.data)).data, document.data)
    assert has_place


@several
@given(st.text(alphabet='{}[]",:\\ \n0a1e.-', max_size=30).map(lambda text: "[" + text))
def test_json_is_what_the_standard_library_accepts(text: str) -> None:
    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) != len(pairs):
            raise ValueError("duplicate")
        return dict(pairs)

    def finite(literal: str) -> float:
        if float(literal) in (float("inf"), float("-inf")):
            raise ValueError("overflow")
        return float(literal)

    try:
        expected = json.loads(text, object_pairs_hook=unique, parse_float=finite)
    except ValueError:
        with pytest.raises(ParseError):
            json_reader.read(SourceText(text, None), text.encode())
    else:
        assert same(load(text).data, expected)


def test_the_front_matter_that_we_write_is_read_alike_by_python_frontmatter() -> None:
    data = {
        "name": "no",
        "when": "2024-01-01",
        "at": "1:30",
        "list": [1, "2", None],
        "text": "a\nb\n",
        "nested": {"x": True},
    }
    post = frontmatter.loads(dump_front_matter(data, "\n# Title\n\nBody.\n"))
    assert post.metadata == data
    assert post.content == "# Title\n\nBody."
