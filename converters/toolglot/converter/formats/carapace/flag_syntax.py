"""A flag of a carapace-spec command: a text such as `-o, --output=*!`, whose signs say what the flag takes."""

from __future__ import annotations

from typing import Any

from toolglot.regexes import compile_later

_FLAG = compile_later(
    r"(?P<names>-[^\s=*?&!{},]*(?:, -[^\s=*?&!{},]+)?)"
    r"(?P<signs>[=*?&!]*)(?:\{(?P<count>-?[0-9]{1,3})\})?(?P<more>[=*?&!]*)"
)
_SIGNS = {"=": "value", "?": "optional", "*": "repeatable", "!": "required", "&": "hidden"}


def parse_flag(text: str) -> dict[str, Any] | None:
    """The entry of a flag: its name, its spellings and what its signs say; `None` where the text is no flag.

    >>> parse_flag("-o, --output=!")
    {'name': 'output', 'flags': ['-o', '--output'], 'value': True, 'required': True}
    """
    match = _FLAG.fullmatch(text)
    if match is None:
        return None
    names = match["names"].split(", ")
    name = names[-1].lstrip("-")
    if not name:
        return None
    entry: dict[str, Any] = {"name": name, "flags": names}
    signs = match["signs"] + match["more"]
    for sign, word in _SIGNS.items():
        if sign in signs:
            entry[word] = True
    if match["count"]:
        entry["nargs"] = int(match["count"])
    return entry
