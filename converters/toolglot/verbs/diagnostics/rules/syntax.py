"""Rules of the family `syntax`: whether a text can be read as data, and the data as a description of tools.

Reading finds these, and no option takes them away: what was not read was not checked.
"""

from __future__ import annotations

from toolglot.converter.formats.kit.rule import Rule

_NO_DATA = "Nothing of the document was read, and nothing in it was checked."
_NO_TOOL = "No tool was read from the document."
_TWO_READINGS = "Readers disagree about what it says, so that what one has checked another reads otherwise."

# Code -> what is wrong, why it matters, what to do, and a document that shows it.
_FAULTS: dict[str, tuple[str, str, str, str | None]] = {
    "unreadable": ("the file cannot be read", _NO_DATA, "Look at the path and its permissions.", None),
    "not-a-file": ("the path is no file", _NO_DATA, "Name a file or a folder.", None),
    "not-utf-8": ("the text is not UTF-8", _NO_DATA, "Save it as UTF-8.", None),
    "empty": ("the document is empty", _NO_DATA, "Write a description, or remove the file.", ""),
    "json-syntax": ("the text is no JSON", _NO_DATA, "Correct it at the line that is named.", '{"id": '),
    "json-extra-data": (
        "something stands after the JSON value",
        _NO_DATA,
        "Take it out, or name the file .jsonl.",
        None,
    ),
    "yaml-syntax": ("the text is no YAML", _NO_DATA, "Correct it at the line that is named.", None),
    "yaml-tag": ("a YAML tag asks for a type of a program", _TWO_READINGS, "Write plain data.", None),
    "yaml-complex-key": ("a YAML key is a list or a mapping", _TWO_READINGS, "Write a text.", None),
    "yaml-merge-key": ("YAML merges a mapping into another (`<<`)", _TWO_READINGS, "Write the keys out.", None),
    "yaml-multiple-documents": (
        "several YAML documents stand in one file",
        _TWO_READINGS,
        "Make a file of each.",
        None,
    ),
    "kdl-syntax": ("the text is no KDL", _NO_DATA, "Correct it at the line that is named.", None),
    "missing-extra": ("reading it needs a package", _NO_DATA, "Install the extra that the message names.", None),
    "duplicate-key": ("a key stands in an object twice", _TWO_READINGS, "Take one out.", '{"id": "a", "id": "b"}'),
    "control-character": ("a control character stands in the text", _TWO_READINGS, "Take it out.", None),
    "lone-surrogate": ("half of a character stands in the text", _TWO_READINGS, "Take it out.", None),
    "non-finite-number": (
        "a number is infinite, too large, or none",
        _TWO_READINGS,
        "Write a number, or leave it out.",
        None,
    ),
    "number-too-long": ("a number has too many digits", _TWO_READINGS, "Write it as a text.", None),
    "not-a-document": ("the text is a single value", _NO_DATA, "Write an object, or a list of objects.", "7"),
    "front-matter": ("the front matter has no end", _NO_DATA, "Close it with a line of three dashes.", None),
    "no-front-matter": ("the Markdown has no front matter", _NO_TOOL, "Open it with a line of three dashes.", None),
    "misplaced-text": (
        "text stands where the format has no place for any",
        _NO_TOOL,
        "Take it out, or say it in the description.",
        None,
    ),
    "code-in-front-matter": ("the front matter is code", _NO_DATA, "Write YAML.", None),
    "too-large": ("the document is larger than what is read", _NO_DATA, "Raise `--max-size`, or split it.", None),
    "too-deep": ("the document is nested too deeply", _NO_DATA, "Flatten it.", None),
    "too-many-values": ("the document holds too many values", _NO_DATA, "Split it.", None),
    "too-many-aliases": ("the aliases of YAML repeat too much", _NO_DATA, "Write the values out.", None),
    "compressed": ("the file is compressed", _NO_DATA, "Unpack it.", None),
    "damaged-gzip": ("the compressed file is damaged", _NO_DATA, "Fetch it again.", None),
    "damaged-zstd": ("the compressed file is damaged", _NO_DATA, "Fetch it again.", None),
    "unknown-format": ("nothing tells which format it is", _NO_TOOL, "Name the format with `--from`.", '{"a": 1}'),
    "ambiguous-format": ("it looks like several formats", _NO_TOOL, "Name the format with `--from`.", None),
    "foreign-format": ("it is another kind of document", _NO_TOOL, "Do what the message says.", '{"mcpServers": {}}'),
    "other-format": ("it is another format than was asked for", _NO_TOOL, "Leave `--from` out.", None),
    "no-sources": ("no tool description was found", _NO_TOOL, "Name a file, or another folder.", None),
    "internal-error": ("toolglot has a fault", _NO_DATA, "Report it with the file.", None),
    "worker-died": ("the process that read it ended", _NO_DATA, "Look at it alone, or lower `--max-size`.", None),
    "schema": ("it is no container of such records", _NO_TOOL, "Look at the format's own examples.", None),
}

FAMILY = "syntax"
RULES = tuple(
    Rule(code=code, family=FAMILY, severity="error", message=message, why=why, mend=mend, bad=bad)
    for code, (message, why, mend, bad) in _FAULTS.items()
)
