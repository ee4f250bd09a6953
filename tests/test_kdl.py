"""KDL: what a document says, where it says it, and what no document can do to its reader."""

from __future__ import annotations

import time
from contextlib import suppress

import pytest

from rows import for_each
from toolglot.converter.text import document_reader
from toolglot.errors import ParseError

DOCUMENT = """// KDL 2.
name "Öl"; bin oil
flag "-f --force" global=#true effect="destructive" /- hide=#true /- "y"
cmd "list" effect=("a)b")"read" {
  arg "<file>..." default="a;b" var=#true
  /- flag "--no" { choices 1 }
  flag "--one <one>" { choices "a" "b" }
  example "a" #\"\"\"
  x "q" } //
  \"\"\"#
}
/* one /* two */ */ about #"C:\\"# \\
  help="\\"w\\""
"""
PLACES = [
    ("/nodes/0/arguments/0", (2, 6), "Öl"),
    ("/nodes/1/arguments/0", (2, 16), "oil"),
    ("/nodes/2/properties/effect", (3, 39), "destructive"),
    ("/nodes/3/properties/effect", (4, 26), "read"),
    ("/nodes/3/children/0/properties/var", (5, 37), True),
    ("/nodes/3/children/1/children/0/arguments/1", (7, 36), "b"),
    ("/nodes/3/children/2/arguments/1", (8, 15), 'x "q" } //'),
    ("/nodes/4/arguments/0", (12, 27), "C:\\"),
    ("/nodes/4/properties/help", (13, 8), '"w"'),
]


@for_each(("pointer", "position", "value"), PLACES)
def test_every_value_has_its_place(pointer: str, position: tuple[int, int], value: object) -> None:
    document = document_reader.load(DOCUMENT, "a.kdl")
    found = document.data
    for token in pointer[1:].split("/"):
        found = found[int(token) if isinstance(found, list) else token]
    assert found == value
    assert document.position(pointer) == position


def test_the_first_version_of_kdl_is_read() -> None:
    data = document_reader.load('flag "-f" hide=true default=null\nabout r"C:\\" r#"a "b""#\n', "a.kdl").data
    assert data["nodes"][0]["properties"] == {"hide": True, "default": None}
    assert data["nodes"][1]["arguments"] == ["C:\\", 'a "b"']


def test_what_is_taken_out_is_not_there() -> None:
    data = document_reader.load(DOCUMENT, "a.kdl").data
    assert data["nodes"][2]["arguments"] == ["-f --force"]
    assert [node["name"] for node in data["nodes"][3]["children"]] == ["arg", "flag", "example"]


def test_it_is_known_without_a_name_where_it_is_no_yaml() -> None:
    assert document_reader.load(DOCUMENT).syntax == "kdl"
    assert document_reader.load("a: 'b'").syntax == "yaml"
    for prose in ("He said so.", 'say "it" and: "more": x', 'a "b'):
        with pytest.raises(ParseError) as caught:
            document_reader.load(prose)
        assert not str(caught.value.code).startswith("kdl")


HOSTILE = {
    "many nodes": "a\n" * 40_000,
    "many values": "a " + "b " * 100_000,
    "a long text": 'a "' + "x" * 100_000 + '"',
    "a text without an end": 'a "' + "x" * 100_000,
    "texts without an end": 'a """' + 'x"' * 100_000,
    "a raw text without an end": "#" * 20_000 + '"' + "x" * 20_000,
    "raw texts": 'a #"' + '"' * 20_000,
    "comments without an end": "/* " * 20_000,
    "open braces": "a {" * 20_000,
    "slashes": "a/" * 20_000,
    "open annotations": "a (" * 20_000,
    "lines that go on": "a" + " \\\n" * 20_000,
}


@for_each("name", HOSTILE)
def test_a_hostile_text_takes_seconds_at_most(name: str) -> None:
    begin = time.thread_time()
    with suppress(ParseError):
        document_reader.load(HOSTILE[name], "a.kdl")
    assert time.thread_time() - begin < 4
