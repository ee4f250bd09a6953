"""Documents that are refused: `fixtures/invalid/<format>/<name>.<ext>` beside `<name>.<ext>.error`.

The first line of an `.error` file is the code and the JSON Pointer, the second what the user reads; an `.also` file
has what `check` says beside it, because one fault hides no other. The folder
`detection` holds what belongs to no format; the documents of the other folders are read as that format.
"""

from __future__ import annotations

import os
import pickle
from pathlib import Path
from typing import Any

import pytest

import toolglot
from golden import FIXTURES, same_file
from rows import for_each
from toolglot.converter import formats
from toolglot.converter.text import document_reader
from toolglot.errors import DetectionError, ParseError

FOLDER = FIXTURES / "invalid"
BESIDE = (".error", ".also")
DOCUMENTS = sorted(
    Path(folder, name) for folder, _, names in os.walk(FOLDER) for name in names if not name.endswith(BESIDE)
)


def label(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


def plain(path: Path) -> Any:
    """The data of a document that consists of nothing else; `None` if it cannot be parsed or has a body."""
    try:
        document = document_reader.load(path.read_bytes(), path.name)
    except ParseError:
        return None
    return document.data if document.body is None else None


every = for_each("path", DOCUMENTS, ids=label)


def named(path: Path) -> str | None:
    """The format that the document is read as; `None` to detect it."""
    return path.parent.name if path.parent.name in formats.names() else None


def refusal(path: Path) -> toolglot.Error:
    with pytest.raises(toolglot.Error) as caught:
        toolglot.read(path, named(path))
    return caught.value


def test_every_format_refuses_something() -> None:
    counts = {name: len(list((FOLDER / name).glob("*.error"))) for name in [*formats.names(), "detection"]}
    assert min(counts.values()) >= 8, counts


@pytest.mark.golden
@every
def test_refused_with_this_error(path: Path) -> None:
    error = refusal(path)
    message = str(error).replace(f"{path.parent}{os.sep}", "")
    same_file(path.with_name(f"{path.name}.error"), f"{error.code} {error.pointer}".rstrip() + f"\n{message}\n")
    assert error.source == str(path)
    if not isinstance(error, DetectionError):  # that is about the document as a whole
        assert error.line, "the text is known, and so is the line"
        assert error.column
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again)) == (type(error), str(error))


@pytest.mark.golden
@every
def test_check_says_the_same(path: Path) -> None:
    error = refusal(path)
    found = toolglot.check(path, named(path))
    said = (error.code, error.message, error.pointer, error.line)
    same = [item for item in found if (item.code, item.message, item.pointer, item.line) == said]
    if error.code != "foreign-format" or same:  # what is no tool may be checked as what it is
        assert [item.severity for item in same] == ["error"]
    lines = [f"{item.severity} {item.code} {item.pointer}".rstrip() + "\n" for item in found if item not in same]
    beside = path.with_name(f"{path.name}.also")
    if lines:
        same_file(beside, "".join(lines))
    assert beside.exists() == bool(lines)


@every
def test_parsed_data_is_refused_alike_and_not_modified(path: Path) -> None:
    data = plain(path)
    if data is None:
        return
    with pytest.raises(toolglot.Error) as caught:
        toolglot.read(data, named(path))
    assert (caught.value.code, caught.value.pointer) == (refusal(path).code, refusal(path).pointer)
    assert data == plain(path)
