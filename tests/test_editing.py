"""Rewriting texts in place: what they say afterwards, and that everything else is as it was."""

from __future__ import annotations

import copy
import json
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corpus
import suites
from rows import for_each
from toolglot.converter.text.document_reader import Document, Limits, load
from toolglot.converter.text.pointers import escape, keyed_values
from toolglot.converter.text.serialization import dump_json
from toolglot.converter.text.source_text import SourceText
from toolglot.errors import Error, LimitError, ParseError, WriteError
from toolglot.verbs.migration.edit.edited_text import edit
from toolglot.verbs.migration.edit.entry_texts import EntryTexts
from yaml_texts import Writer

Path = tuple[str | int, ...]
Change = Callable[[Any], Any]
T = TypeVar("T")


class Case(NamedTuple):
    """`change` works on a copy of the data, and may return other data instead."""

    what: str
    before: str
    change: Change
    after: str
    renamed: Mapping[str, str] = {}


def put(value: Any, *path: str | int) -> Change:
    def change(data: Any) -> None:
        parent(data, path)[path[-1]] = value

    return change


def drop(*path: str | int) -> Change:
    def change(data: Any) -> None:
        del parent(data, path)[path[-1]]

    return change


def insert(index: int, key: str | None, value: Any, *path: str | int) -> Change:
    """Insert an entry into the collection at `path`; the key of a list item is `None`."""

    def change(data: Any) -> None:
        target = parent(data, (*path, ""))
        if isinstance(target, list):
            target.insert(index, value)
        else:
            entries = list(target.items())
            entries.insert(index, (str(key), value))
            target.clear()
            target.update(entries)

    return change


def rename(new: str, *path: str | int) -> Change:
    def change(data: Any) -> None:
        target = parent(data, path)
        entries = [*target.items()]
        target.clear()
        for key, value in entries:
            target[new if key == path[-1] else key] = value

    return change


def both(*changes: Change) -> Change:
    def change(data: Any) -> None:
        for each in changes:
            each(data)

    return change


def parent(data: Any, path: Path) -> Any:
    for key in path[:-1]:
        data = data[key]
    return data


def changed(data: Any, change: Change) -> Any:
    new = copy.deepcopy(data)
    result = change(new)
    return new if result is None else result


LIST = "a: [\n  1, # one\n  # above two\n  2 # two\n]\n"
TWO = "# about a\na: 1 # beside a\n\n# about b\nb: 2\n"
NESTED = "a:\n  # about x\n  x: 1\n  # after x\nb: 2\n"
TABS = '{\n\t"a": 1,\n\t"b": {}\n}'

CASES = [
    # scalars keep their quotes where the new value allows it
    Case("plain", "a: b # c\n", put("x", "a"), "a: x # c\n"),
    Case("plain that needs quotes", "a: b\n", put("no", "a"), "a: 'no'\n"),
    Case("single quotes", "a: 'b'  # c\n", put("x", "a"), "a: 'x'  # c\n"),
    Case("single quotes doubled", "a: 'b'\n", put("it's", "a"), "a: 'it''s'\n"),
    Case("double quotes", 'a: "b"\n', put('\\ "x"', "a"), 'a: "\\\\ \\"x\\""\n'),
    Case("no longer a string", "a: 'b'\n", put(12, "a"), "a: 12\n"),
    Case("a number becomes a string", "a: 1\n", put("1", "a"), "a: '1'\n"),
    Case("a boolean is no number", "a: 1\n", put(True, "a"), "a: true\n"),
    Case("a float is no integer", "a: 1\n", put(1.0, "a"), "a: 1.0\n"),
    Case("empty value", "a:\nb: 2\n", put("x", "a"), "a: x\nb: 2\n"),
    Case("empty value before a comment", "a: # c\nb: 2\n", put("x", "a"), "a: x # c\nb: 2\n"),
    Case("empty item", "-\n- a\n", put("x", 0), "- x\n- a\n"),
    Case("plain in two lines", "a: b\n  c # d\ne: 1\n", put("x", "a"), "a: x # d\ne: 1\n"),
    Case("quoted in two lines", "a: 'b\n\n  c' # d\n", put("x", "a"), "a: 'x' # d\n"),
    Case("below its key", "a: # c\n  b # d\n", put("x", "a"), "a: # c\n  x # d\n"),
    Case("block scalar", "a: | # c\n  b\n  c\n\nd: 1\n", put("x\ny\n", "a"), "a: | # c\n  x\n  y\n\nd: 1\n"),
    Case("block scalar to one line", "a: |2- # c\n   b\n\nd: 1\n", put("x", "a"), "a: x # c\n\nd: 1\n"),
    Case("one line to block scalar", "a: x # c\nd: 1\n", put("b\nc", "a"), "a: |- # c\n  b\n  c\nd: 1\n"),
    Case("kept blank lines", "a: |+\n  b\n\nc: 1\n", put(2, "c"), "a: |+\n  b\n\nc: 2\n"),
    Case("unicode", "é: 😀 # 😀\nb: 1\n", put(2, "b"), "é: 😀 # 😀\nb: 2\n"),
    Case("string tag", "a: !!str 12\n", put("13", "a"), "a: !!str '13'\n"),
    # values that change their kind
    Case("scalar to mapping", "a: 1 # c\nb: 2\n", put({"x": [1]}, "a"), "a: # c\n  x:\n    - 1\nb: 2\n"),
    Case("mapping to scalar", NESTED, put(5, "a"), "a: 5\nb: 2\n"),
    Case("mapping to nothing", NESTED, put({}, "a"), "a: {}\nb: 2\n"),
    Case("nothing to mapping", "a: {} # c\nb: 2\n", put({"x": 1}, "a"), "a: # c\n  x: 1\nb: 2\n"),
    Case("flow to block", "a: [1, 2] # c\n", put({"x": {"z": 1}}, "a"), "a: # c\n  x:\n    z: 1\n"),
    Case("item to mapping", "-   a\n- b\n", put({"x": 1, "z": 2}, 0), "-   x: 1\n    z: 2\n- b\n"),
    Case("compact mapping to scalar", "- x: 1 # c\n  z: 2\n- b\n", put("a", 0), "- a\n- b\n"),
    # entries that go
    Case("first", TWO, drop("a"), "\n# about b\nb: 2\n"),
    Case("last", TWO, drop("b"), "# about a\na: 1 # beside a\n\n"),
    Case("last without final newline", "a: 1\nb: 2", drop("b"), "a: 1"),
    Case("nested, the comment after it stays", NESTED.replace("b:", "  y1: 3\nb:"), drop("a", "x"),
         "a:\n  # after x\n  y1: 3\nb: 2\n"),
    Case("the last of a mapping", NESTED, drop("a", "x"), "a: {}\nb: 2\n"),
    Case("beside a dash", "-   a: 1 # c\n    b: 2\n- x\n", drop(0, "a"), "-   b: 2\n- x\n"),
    Case("beside a dash, with a comment below", "- a: 1\n  # b\n  b: 2\n", drop(0, "a"), "- # b\n  b: 2\n"),
    Case("nested lists", "- - a\n  - b\n- c\n", drop(0, 0), "- - b\n- c\n"),
    Case("item of a list under its key", "k:\n- a\n# b\n- b\n- c\nz: 1\n", drop("k", 1), "k:\n- a\n- c\nz: 1\n"),
    Case("complex key", "? a\n: 1\n? b\n: 2\n", drop("a"), "? b\n: 2\n"),
    Case("block scalar", "a: |+\n  x\n\nb: |\n  z\n\nc: 1\n", drop("b"), "a: |+\n  x\n\nc: 1\n"),
    Case("below a block scalar without final newline", "a: |\n  x\nb: 1", drop("b"), "a: |\n  x\n"),
    Case("after a block scalar without final newline", "a: |\n   x", insert(1, "m", 0), "a: x\nm: 0"),
    Case("a block scalar would take the comment in", "- a: x\n     # c\n- b\n", put("p\nq", 0, "a"),
         '- a: "p\\nq"\n     # c\n- b\n'),
    Case("deeper comments go too", "a: 1\n   # inside\n\n   # inside\n# apart\n\nb: 2\n", drop("a"),
         "# apart\n\nb: 2\n"),
    Case("of a flow", "a: {k: 1, l: 2, m: 3} # c\n", drop("a", "l"), "a: {k: 1, m: 3} # c\n"),
    Case("the last of a flow", "a: { k: 1, l: 2 }\n", drop("a", "l"), "a: { k: 1 }\n"),
    Case("after a comma at the end", "a: [1, 2,]\n", drop("a", 1), "a: [1,]\n"),
    Case("of a flow in lines", LIST, drop("a", 0), "a: [\n  # above two\n  2 # two\n]\n"),
    Case("the last of a flow in lines", LIST, drop("a", 1), "a: [\n  1 # one\n]\n"),
    Case("all of a flow", "a: [1] # c\n", drop("a", 0), "a: [] # c\n"),
    # entries that come
    Case("after another", TWO, insert(1, "m", {"x": "b\nc"}),
         "# about a\na: 1 # beside a\nm:\n  x: |-\n    b\n    c\n\n# about b\nb: 2\n"),
    Case("first", TWO, insert(0, "m", 0), f"m: 0\n{TWO}"),
    Case("at the end", "a: 1", insert(1, "m", 0), "a: 1\nm: 0"),
    Case("after a block scalar", "a: |\n  x\n\nb: 1\n", insert(1, "m", 0), "a: |\n  x\nm: 0\n\nb: 1\n"),
    Case("after kept blank lines", "a: |+\n  x\n\nb: 1\n", insert(1, "m", 0), "a: |+\n  x\n\nm: 0\nb: 1\n"),
    Case("beside a dash", "-   a: 1\n", insert(0, "m", 0, 0), "-   m: 0\n    a: 1\n"),
    Case("item", "k:\n  - a # c\nz: 1\n", insert(1, None, {"x": 1, "z": [2]}, "k"),
         "k:\n  - a # c\n  - x: 1\n    z:\n      - 2\nz: 1\n"),
    Case("nested list", "- - a\n", insert(0, None, "m", 0), "- - m\n  - a\n"),
    Case("in a flow", "a: {k: 1}\n", insert(1, "m", {"x": ["b, c", "d\ne"]}, "a"),
         'a: {k: 1, m: {x: [\'b, c\', "d\\ne"]}}\n'),
    Case("in a tight flow", "a: [1,2]\n", insert(2, None, 3, "a"), "a: [1,2,3]\n"),
    Case("in a flow in lines", LIST, insert(2, None, 3, "a"), LIST.replace("2 # two", "2, # two\n  3")),
    Case("first in a flow in lines", LIST, insert(0, None, 0, "a"), LIST.replace("[\n", "[\n  0,\n")),
    Case("a key that is too long for a line", "a: 1\n", insert(1, "m" * 1100, 0), f"a: 1\n? {'m' * 1100}\n: 0\n"),
    Case("in a flow, too long for a line", "a: {b: 1}\n", insert(1, "m" * 1100, 0, "a"),
         f"a: {{b: 1, ? {'m' * 1100} : 0}}\n"),
    # entries that are renamed keep their place, and may change inside
    Case("key", TWO, rename("m", "a"), TWO.replace("a: 1", "m: 1"), {"/a": "m"}),
    Case("quoted key", "'a' : 1\n", rename("it's", "a"), "'it''s' : 1\n", {"/a": "it's"}),
    Case("complex key", "? a # c\n: 1\n", rename("m", "a"), "? m # c\n: 1\n", {"/a": "m"}),
    Case("key that needs quotes", "a: 1\n", rename("no", "a"), "'no': 1\n", {"/a": "no"}),
    Case("key in a flow", "a: {k: 1}\n", rename("m, m", "a", "k"), "a: {'m, m': 1}\n", {"/a/k": "m, m"}),
    Case("key and its value", NESTED, both(put(5, "a", "x"), rename("m", "a")),
         NESTED.replace("a:", "m:").replace("x: 1", "x: 5"), {"/a": "m"}),
    Case("two keys change places", "a: 1 # a\nb: 2 # b\n", lambda data: {"b": 1, "a": 2}, "b: 1 # a\na: 2 # b\n",
         {"/a": "b", "/b": "a"}),
    Case("over a key that goes", "a: 1 # a\nb: 2 # b\n", lambda data: {"b": 1}, "b: 1 # a\n", {"/a": "b"}),
    Case("pointer with escapes", "a/b: {c~d: 1}\n", lambda data: {"a/b": {"m": 1}}, "a/b: {m: 1}\n",
         {"/a~1b/c~0d": "m"}),
    Case("keys that look alike", "1: a\n'1.0': b\n1.0e: c\n", rename("2", "1.0"),
         "1: a\n'2': b\n1.0e: c\n", {"/1.0": "2"}),
    # order
    Case("keys in another order", "a: 1 # a\nb: 2 # b\nc: 3 # c\n", lambda data: {"c": 3, "a": 1, "b": 2},
         "c: 3 # c\na: 1 # a\nb: 2 # b\n"),
    Case("items in another order", "a:\n  # x\n  - 'x'\n  - \"y\"  # y\n  # z\n  - [z, 'w']\n",
         lambda data: {"a": [["z", "w"], "x", "y"]}, "a:\n  # z\n  - [z, 'w']\n  # x\n  - 'x'\n  - \"y\"  # y\n"),
    Case("a key goes deeper", "a:\n  # why\n  least: 'x'  # beside\n  z: [1, \"2\"]\n",
         lambda data: {"a": {"m": {"least": "x"}, "z": [1, "2"]}},
         "a:\n  m:\n    # why\n    least: 'x'  # beside\n  z: [1, \"2\"]\n"),
    Case("a block goes deeper", "a:\n  t: |\n    x\n\n      y\n  l:\n  - 1 # c\n  z: 1\n",
         lambda data: {"a": {"m": {"t": "x\n\n  y\n", "l": [1]}, "z": 1}},
         "a:\n  m:\n    t: |\n      x\n\n        y\n    l:\n    - 1 # c\n  z: 1\n"),
    # the text around
    Case("document marks", "%YAML 1.2\n--- # c\na: 1\n...\n", put(2, "a"), "%YAML 1.2\n--- # c\na: 2\n...\n"),
    Case("CRLF", "a: 1\r\nb: 2\r\n", both(drop("b"), insert(1, "m", ["x"])), "a: 1\r\nm:\r\n  - x\r\n"),
    Case("mixed line breaks stay", "a: 1\nb: 2\r\nc: 3\n", insert(3, "m", 0), "a: 1\nb: 2\r\nc: 3\nm: 0\n"),
    Case("front matter", "---\na: 1\n---\na: 1\n\n# b", put(2, "a"), "---\na: 2\n---\na: 1\n\n# b"),
    Case("front matter that ends in dots", "---\r\na: 1\r\n...\r\n# b\r\n", insert(1, "m", 0),
         "---\r\na: 1\r\nm: 0\r\n...\r\n# b\r\n"),
    Case("the whole root", "# c\na: 1\n", lambda data: ["x"], "# c\n- x\n"),
    Case("nothing left", "a: 1\n# c\n", drop("a"), "--- {}\n# c\n"),
    # anchors: what an alias repeats
    Case("both places", "a: &x {p: 1}\nb: *x\n", both(put(2, "a", "p"), put(2, "b", "p")), "a: &x {p: 2}\nb: *x\n"),
    Case("only the anchor's", "a: &x {p: 1}\nb: *x\n", put(2, "a", "p"), "a: &x {p: 2}\nb:\n  p: 1\n"),
    Case("only the alias's", "a: &x {p: 1}\nb: *x # c\n", put(2, "b", "p"), "a: &x {p: 1}\nb: # c\n  p: 2\n"),
    Case("the anchor goes", "a: &x [1]\nb: [*x, *x]\n", drop("a"), "b: [[1], [1]]\n"),
    Case("a key's anchor", "&x a: 1\nb: *x\n", rename("m", "a"), "&x m: 1\nb: a\n", {"/a": "m"}),
    Case("a scalar's anchor", "a: &x 1\nb: *x\n", both(put(2, "a"), put(2, "b")), "a: &x 2\nb: *x\n"),
    Case("an anchor above its block", "a: &x\n  p: 1\nb: *x\n", put("s", "a"), "a: &x s\nb:\n  p: 1\n"),
    # JSON
    Case("tabs", TABS, put({"m": [1, {}]}, "b"),
         '{\n\t"a": 1,\n\t"b": {\n\t\t"m": [\n\t\t\t1,\n\t\t\t{}\n\t\t]\n\t}\n}'),
    Case("one line", '{"a": 1, "b": [1, 2]}', insert(1, "m", {"x": [1]}), '{"a": 1, "m": {"x": [1]}, "b": [1, 2]}'),
    Case("tight", '{"a":1,"b":2}\n', insert(2, "m", {"x": [1, 2]}), '{"a":1,"b":2,"m":{"x":[1,2]}}\n'),
    Case("tight with one entry", '{"a":1}', insert(0, "m", []), '{"m":[],"a":1}'),
    Case("list of words on one line", '{\n  "a": ["x", "z"]\n}\n', put(["z"], "a"), '{\n  "a": ["z"]\n}\n'),
    Case("last in lines", '{\n  "a": 1,\n  "b": 2\n}\n', drop("b"), '{\n  "a": 1\n}\n'),
    Case("first in lines", '{\r\n  "a": 1,\r\n  "b": 2\r\n}', drop("a"), '{\r\n  "b": 2\r\n}'),
    Case("added in lines", '{\n    "a": 1\n}\n', insert(1, "m", {"x": 1}),
         '{\n    "a": 1,\n    "m": {\n        "x": 1\n    }\n}\n'),
    Case("brackets beside each other", '[{\n  "a": 1\n}, {\n  "a": 2\n}]', drop(1), '[{\n  "a": 1\n}]'),
    Case("escapes stay", '{"a": "\\u00e9", "b": 1e2, "c": 1}', put(2, "c"), '{"a": "\\u00e9", "b": 1e2, "c": 2}'),
    Case("lost characters", '{"a": "\\u00e9\\u200B\\\\u200b \u200b\\ud83d\\ude00\\u001b"}', put("é\\u200b 😀", "a"),
         '{"a": "\\u00e9\\\\u200b \\ud83d\\ude00"}'),
    Case("lost characters of lines", "a: &x >-  # why\n  one\n  t\u200bwo\nb: 't\u200brue'\nc: t\u200brue\n",
         both(put("one two", "a"), both(put("true", "b"), put("true", "c"))),
         "a: &x >-  # why\n  one\n  two\nb: 'true'\nc: 'true'\n"),
    Case("escaped key", '{"\\u0061": 1}', rename('m"', "a"), '{"m\\"": 1}', {"/a": 'm"'}),
    Case("empty root", "{}\n", put(1, "m"), '{\n  "m": 1\n}\n'),
    Case("big integers", '{"a": 1, "b": 100000000000000000001}', put(10**30, "a"),
         '{"a": 1000000000000000000000000000000, "b": 100000000000000000001}'),
    Case("JSON lines", '{"a":1}\n\n{"a":2}\n{"a":3}\n', both(put(5, 0, "a"), drop(1)), '{"a":5}\n\n{"a":3}\n'),
    Case("more JSON lines", '{"a":1}\n{"a":2}', insert(2, None, {"a": [3, 4]}), '{"a":1}\n{"a":2}\n{"a":[3,4]}'),
]  # fmt: skip


@for_each("case", CASES, ids=lambda case: f"{case.what}: {case.before[:20]!r}")
def test_the_text_changes_in_one_place(case: Case) -> None:
    document = load(case.before)
    data = changed(document.data, case.change)
    assert edit(document, data, case.renamed) == case.after
    again = load(case.after)
    assert edit(again, data) == case.after
    assert_says(again, data)


def assert_says(document: Document, data: Any) -> None:
    """Exactly: `1`, `1.0` and `true` differ, and so does the order of keys."""
    assert dump_json(document.data) == dump_json(data)


REFUSED = [
    ("a.md", "a: 1\n", {"a": float("nan")}, ParseError, "not-json-data"),
    ("a.md", "a: 1\n", {"a": ("x",)}, ParseError, "not-json-data"),
    ("a.md", "---\na: 1\n---\nbody", [1], WriteError, "unfaithful-edit"),  # front matter is a mapping
    ("a.jsonl", '{"a": 1}\n{"a": 2}\n', [], WriteError, "unfaithful-edit"),  # no records are no document
]


@pytest.mark.parametrize(("name", "before", "data", "error", "code"), REFUSED)
def test_what_the_text_cannot_say_is_refused(name: str, before: str, data: Any, error: type[Error], code: str) -> None:
    with pytest.raises(error) as raised:
        edit(load(before, name), data)
    assert raised.value.code == code


def test_data_without_a_text_is_refused() -> None:
    document = Document({}, None, SourceText("", None), "data")
    with pytest.raises(WriteError, match="not read from a text"):
        edit(document, {"a": 1})
    assert EntryTexts(document).comments("") == []


# --- comments -----------------------------------------------------------------------------------------

COMMENTED = """\
# of the file

# above a
# above a too
a: # beside a
  # above x
  x: 1 # beside x

  # inside a
# above b
b: | # beside the header
  # content
c: [
  # above one
  1, # beside one
  '# content' # beside two
]
# the end
"""


@for_each(
    ("pointer", "expected"),
    [
        ("/a", ["# above a", "# above a too", "# beside a", "# above x", "# beside x", "# inside a"]),
        ("/a/x", ["# above x", "# beside x"]),
        ("/b", ["# above b", "# beside the header"]),
        ("/c", ["# above one", "# beside one", "# beside two"]),
        ("/c/0", ["# above one", "# beside one"]),
        ("/c/1", ["# beside two"]),
        ("/nowhere", []),
        ("/c/2", []),
        ("/b/0", []),
    ],
)
@for_each("newline", ["\n", "\r\n"])
def test_comments_belong_to_the_entry_around_or_below_them(pointer: str, expected: list[str], newline: str) -> None:
    document = load(COMMENTED.replace("\n", newline))
    assert EntryTexts(document).comments(pointer) == expected


def test_all_comments_of_a_text_and_none_of_its_body() -> None:
    all_of_them = re.findall("# (?!content)[a-z ]+", COMMENTED)
    assert EntryTexts(load(COMMENTED)).comments("") == all_of_them
    assert EntryTexts(load(f"---\n{COMMENTED}---\n# a title\n")).comments("") == all_of_them
    assert EntryTexts(load('{"a": "# no comment"}')).comments("") == []


# --- real documents -------------------------------------------------------------------------------------

REAL = [path for folder in ("aip14", "atip", "atdf") for path in corpus.files(folder) if path.stat().st_size < 30_000]
NEW = {"id": "new", "text": "one\ntwo\n", "list": [{"a": [1]}, "no"]}


def test_every_key_of_real_documents_is_removed_replaced_renamed_and_followed_by_another() -> None:
    edits = 0
    for path in REAL[:: max(1, suites.STEP // 2)]:
        try:
            document = load(path.read_bytes(), path.name)
        except ParseError:
            continue
        assert edit(document, copy.deepcopy(document.data)) == document.text
        before = EntryTexts(document).comments("")
        for number, where in enumerate(place for place in places(document.data) if len(place) == 1):
            kinds = list(changes_at(document, where))
            if document.syntax == "json":  # these have no comments and no styles; one kind for each key is enough
                kinds = kinds[number % len(kinds) :][:1]
            for change, renamed in kinds:
                edits += 1
                check_one_change(document, before, where, change, renamed)
    assert edits >= corpus.at_least(200)


def changes_at(document: Document, where: Path) -> Iterator[tuple[Change, dict[str, str]]]:
    container = parent(document.data, where)
    if len(container) > 1:
        yield drop(*where), {}
    yield put(NEW, *where), {}
    if isinstance(container, dict):
        yield insert(list(container).index(where[-1]) + 1, "a new key", NEW, *where[:-1]), {}
        yield rename("a new key", *map(str, where)), {pointer_of(where): "a new key"}


def places(data: Any, path: Path = ()) -> Iterator[Path]:
    """The paths of all values, outermost first."""
    yield path
    for key, value in keyed_values(data):
        yield from places(value, (*path, key))


def pointer_of(path: Path) -> str:
    return "".join(f"/{escape(str(key))}" for key in path)


def check_one_change(
    document: Document, before: list[str], where: Path, change: Change, renamed: dict[str, str]
) -> None:
    """Edit one entry, and look at the data, at the comments, and at where the texts differ."""
    data = changed(document.data, change)
    after = edit(document, data, renamed)
    result = load(after, document.name)
    assert_says(result, data)
    assert result.body == document.body
    own = EntryTexts(document).comments(pointer_of(where))
    left = EntryTexts(result).comments("")
    assert [each for each in before if each not in own] == [each for each in left if each not in own]
    assert_nothing_else_changed(document, where, after)


def assert_nothing_else_changed(document: Document, where: Path, after: str) -> None:
    """No value outside of the entry starts in the part of the text that differs."""
    before = document.text
    head = len(common_start(before, after))
    tail = len(common_start(before[head:][::-1], after[head:][::-1]))
    starts = [0]
    for line in before.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    for place in places(document.data):
        if place[: len(where)] == where or where[: len(place)] == place:
            continue
        line_number, column = document.position(pointer_of(place)) or (1, 1)
        offset = starts[line_number - 1] + column - 1
        assert not head < offset < len(before) - tail, f"{pointer_of(place)} was touched"


def common_start(one: str, other: str) -> str:
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[:middle] == other[:middle] else (low, middle - 1)
    return one[:low]


# --- random documents and changes -------------------------------------------------------------------------

VALUES: tuple[Any, ...] = (
    "x", "no", "1.0", "a: b", "b, c]", "# c", "it's \"q\"", "m\nl\n", "two\nlines", "  lead\n x", "tail ", "",
    "\u2028\x7f😀",
    None, True, 12, 1.5, 10**30, [], {}, {"n": {"o": [1, "x\ny"]}, "z": 2}, ["x", {"q": 1, "r": [2]}], [[1], [2]],
)  # fmt: skip
KEYS = ("new", "no", "1", "x y", "a, b", "it's", "a\nb", "#c")


@given(st.data())
def test_random_yaml_says_the_new_data_and_keeps_its_comments(data: st.DataObject) -> None:
    def choose(options: Sequence[T]) -> T:
        return data.draw(st.sampled_from(options))

    writer = Writer(choose)
    text = writer.document()
    document = load(text)
    everything = EntryTexts(document).comments("")
    content = re.findall(r"# comment \d+", json.dumps(document.data))
    assert sorted(everything + content) == sorted([*all_comments(writer), *edges(everything)])

    path = choose(list(places(document.data)))
    kind = choose(("drop", "put", "insert", "rename"))
    container = parent(document.data, path) if path else document.data
    own = EntryTexts(document).comments(pointer_of(path)) if path else everything
    renamed: dict[str, str] = {}
    if not path or kind == "insert":
        path, own = path[:-1], []
        change = insert(choose(range(len(container) + 1)), choose(KEYS), choose(VALUES), *path)
    elif kind == "drop":
        change = drop(*path)
        if len(container) == 1:
            own = EntryTexts(document).comments(pointer_of(path[:-1]))
        elif isinstance(container, list) and container.count(container[int(path[-1])]) > 1:
            return  # which of two equal items has gone, nobody can tell
    elif kind == "put" or isinstance(container, list):
        change = put(choose(VALUES), *path)
    else:
        new_key = choose(KEYS)
        own, renamed = [], {pointer_of(path): new_key}
        change = rename(new_key, *path)
    new = changed(document.data, change)
    after = edit(document, new, renamed)
    result = load(after)
    assert_says(result, new)
    left = EntryTexts(result).comments("")
    assert not [comment for comment in everything if comment not in own and comment not in left]
    if kind == "drop":
        assert not [comment for comment in own if comment in left and len(container) > 1]


def all_comments(writer: Writer) -> list[str]:
    return [f"# comment {number}" for number in range(1, writer.comments + 1)]


def edges(found: list[str]) -> list[str]:
    return [comment for comment in found if not comment.startswith("# comment")]


JSON = st.recursive(
    st.sampled_from([value for value in VALUES if not isinstance(value, (dict, list))]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=12,
)


@given(
    st.lists(JSON, min_size=1, max_size=3) | st.dictionaries(st.sampled_from(KEYS), JSON, min_size=1),
    st.sampled_from([None, 0, 1, 2, 4, "\t"]),
    st.sampled_from(["\n", "\r\n"]),
    st.data(),
)
def test_random_json_says_the_new_data(before: Any, indent: Any, newline: str, data: st.DataObject) -> None:
    separators = (",", ":") if indent is None else None
    text = json.dumps(before, indent=indent or None, separators=separators).replace("\n", newline)
    document = load(text)
    new = copy.deepcopy(before)
    for _ in range(data.draw(st.integers(1, 4))):
        path = data.draw(st.sampled_from(list(places(new))))
        value = data.draw(JSON)
        if not path:
            continue
        data.draw(st.sampled_from([drop(*path), put(value, *path), insert(0, "first", value, *path[:-1])]))(new)
    after = edit(document, new)
    assert_says(load(after), new)
    if indent is None:
        shows_none = text == json.dumps(before)  # which has blanks after its separators: there are none to see
        assert after == dump_json(new, None)[:-1] or "\\u" in text or shows_none
    if newline == "\r\n":
        assert after.count("\n") == after.count("\r\n")


# --- hostile and large texts ----------------------------------------------------------------------------

MANY = 2000


def half(data: dict[str, Any]) -> dict[str, Any]:
    return {key: value for index, (key, value) in enumerate(data.items()) if index % 2}


@pytest.mark.parametrize(
    ("text", "change"),
    [
        ("{" + ",".join(f'"k{index}":[1]' for index in range(MANY)) + "}", half),
        ("{\n" + ",".join(f'"k{index}":[1]' for index in range(MANY)) + "}", lambda data: dict.fromkeys(data, 2)),
        ("[" + ",".join(f"{index}" for index in range(MANY)) + "]", lambda data: data[::-1]),
        ("[" + ",".join(f"{index}" for index in range(MANY)) + "]", lambda data: [*data[1:], 0, *data]),
        ("\n".join(f"# c\nk{index}: {index}" for index in range(MANY)), half),
        ("a: &a {x: 1}\n" + "\n".join(f"k{index}: *a" for index in range(MANY)), put(2, "a", "x")),
        ("a: 1\n" + "\n" * 40_000 + "b: 2\n", drop("a")),
        ("a: 1\n" + "  # c\n" * 20_000 + "b: 2\n", drop("a")),
        ("a: 1" + " " * 80_000 + "\nb: 2\n", put(2, "a")),
    ],
    ids=range(9),
)
@pytest.mark.usefixtures("no_garbage")
def test_time_grows_with_the_text_and_not_faster(text: str, change: Change) -> None:
    document = load(text)
    data = changed(document.data, change)
    start = time.thread_time()
    after = edit(document, data)
    assert time.thread_time() - start < 2
    assert_says(load(after), data)


DEEP = Limits(max_depth=300)


@for_each("levels", [10, 64, 120])
@for_each("opening", ['{"a":', "- "])
def test_deep_texts_are_changed_at_their_deepest_place(opening: str, levels: int) -> None:
    path: Path = ("a",) * levels
    deepest = "{}" + "}" * levels
    if opening == "- ":
        path, deepest = (0,) * levels, "- a"
    document = load(opening * levels + deepest, limits=DEEP)
    data = changed(document.data, put({"deepest": 1}, *path))
    assert_says(load(edit(document, data), limits=DEEP), data)


def test_what_is_too_deep_is_refused() -> None:
    with pytest.raises(LimitError):
        edit(load("{}"), json.loads("[" * 200 + "]" * 200))
    with pytest.raises(LimitError):
        edit(load("[" * 200 + "]" * 200, limits=DEEP), {})


@for_each("gap", ["", " "])
@for_each("text", ['{"a":~["x"]}', '[["x"],~2]', '{"b":~{"a":~["x"]}}', '{"b":~1,~"a":~["x"]}'])
def test_a_list_of_one_grows_as_the_text_around_it_is_written(text: str, gap: str) -> None:
    before = text.replace("~", gap)
    after = before.replace('["x"]', f'["x",{gap}{{"y":{gap}1}}]')
    assert edit(load(before), json.loads(after)) == after
