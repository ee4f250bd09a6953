"""Plain data to text: JSON, JSON lines, YAML, and YAML front matter with a body."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from toolglot.converter.text import json_reader
from toolglot.converter.text.document_reader import from_data
from toolglot.errors import LimitError, ParseError


def dump_json(data: Any, indent: int | None = 2) -> str:
    """JSON text that ends with a newline: keys in their order, integers exact, all characters as they are.

    Args:
        data: as `load` or `from_data` give it.
        indent: blanks per level, or `None` for a single line; default 2.

    Raises:
        ParseError: NaN, an infinity; code `"not-json-data"`.
        LimitError: nested too deeply, an integer too long.

    >>> print(dump_json({"title": "Größe", "big": 10**20}), end="")
    {
      "title": "Größe",
      "big": 100000000000000000000
    }
    """
    try:
        return json_reader.dump(data, indent).decode() + "\n"
    except (ValueError, TypeError, RecursionError) as error:
        raise _undumpable(data, error) from None


def dump_json_line(data: Any) -> str:
    """JSON on one line, without its end; arguments and errors as `dump_json`.

    >>> dump_json_line({"id": [1, "a"]})
    '{"id":[1,"a"]}'
    """
    return dump_json(data, None)[:-1]


def dump_json_lines(records: Iterable[Any]) -> str:
    """One JSON value per line; arguments and errors as `dump_json`.

    >>> dump_json_lines([{"id": 1}, {"id": 2}])
    '{"id":1}\\n{"id":2}\\n'
    """
    return "".join(dump_json(record, None) for record in records)


def dump_yaml(data: Any) -> str:
    """YAML that YAML 1.1 and 1.2 readers take for the same data, with a final newline.

    Strings that some reader takes for a number, a boolean or a date are quoted; keys keep their order.

    Args:
        data: as `load` or `from_data` give it.

    Raises:
        ParseError: NaN, an infinity; code `"not-json-data"`.
        LimitError: nested too deeply, an integer too long.

    >>> print(dump_yaml({"version": "1.0", "answer": "no", "notes": "a\\nb"}), end="")
    version: '1.0'
    answer: 'no'
    notes: |-
      a
      b
    """
    from toolglot.converter.text import yaml_writer  # 10 ms that writing JSON does not need

    try:
        return yaml_writer.dump(data)
    except (ValueError, TypeError, RecursionError) as error:
        raise _undumpable(data, error) from None


# What stands in the place of characters that no document may hold as they are.
_HIDDEN = dict.fromkeys((*range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20), *range(0x7F, 0xA0), 0xFEFF), "\ufffd")


def printable(text: str) -> str:
    """A text as Markdown below front matter may hold it, with a mark in the place of every control character.

    >>> printable("a\\x00b") == "a\\ufffdb"
    True
    """
    return text.translate(_HIDDEN)


def dump_front_matter(data: dict[str, Any], body: str) -> str:
    """YAML between `---` lines and a body; `load` reads back the same data, and the body byte for byte.

    Args:
        data: a mapping as `load` gives it.
        body: the text after the closing line, as it is.

    Raises:
        ParseError: NaN, an infinity; code `"not-json-data"`.
        LimitError: nested too deeply, an integer too long.

    >>> dump_front_matter({"id": "greet"}, "# Greet\\n")
    '---\\nid: greet\\n---\\n# Greet\\n'
    """
    return f"---\n{dump_yaml(data)}---\n{body}"


def _undumpable(data: Any, error: Exception) -> ParseError:
    """Why data cannot be written, as `from_data` would have said."""
    try:
        from_data(data)
    except ParseError as reason:
        return reason
    if isinstance(error, RecursionError):
        return LimitError("nested too deeply to be written; flatten it", "too-deep")
    return ParseError(f"not JSON data: {error}", "not-json-data")
