"""The namespace of a document's tools: the document states it, or else the name of its file.

It tells equal ids of several servers apart. Such a name is never split again: `a__b` could be `b` of `a`, or a tool
called `a__b`. Reports and catalogues keep both parts.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from msgspec.structs import replace

from toolglot.converter import formats
from toolglot.converter.hub.model import Tool

AUTO, FILE, NONE = "auto", "file", "none"

# Usual names of files with tools, beside the names of formats. They say nothing about the owner of the tools.
_GENERIC = frozenset(
    {"", "catalog", "catalogue", "definitions", "descriptors", "functions", "index", "list", "manifest", "schema",
     "server", "tool", "toolset", "tools"}
)  # fmt: skip
_SYNTAXES = frozenset({"json", "jsonl", "ndjson", "yaml", "yml", "md"})
_MOST_EXTENSIONS = 3  # one for the format, one for the syntax, one for a packed file


def with_namespaces(tools: Iterable[Tool], rule: str, path: str | None) -> list[Tool]:
    """The tools of a document with the requested namespace.

    Args:
        rule: `"auto"`: the namespaces that the document states; `"file"`: the name of the file; `"none"`: none; any
            other text: that namespace.
        path: path of the file; `None` where there is none.

    >>> [tool] = with_namespaces([Tool(id="search", namespace="GitHub")], "file", "servers/github/tools.json")
    >>> tool.namespace
    'github'
    """
    if rule == AUTO:
        return list(tools)
    of_file = file_namespace(path) if path else None
    namespace = {FILE: of_file, NONE: None}.get(rule, rule)
    return [replace(tool, namespace=namespace) for tool in tools]


def with_file_namespace(tool: Tool, path: str | None) -> Tool:
    """A tool with the namespace of its file, where it states none.

    >>> with_file_namespace(Tool(id="search"), "servers/github/tools.json").namespace
    'github'
    """
    return replace(tool, namespace=tool.namespace or (file_namespace(path) if path else None))


def file_namespace(path: str) -> str | None:
    """The namespace in the path of a file: its name, or the name of its folder where the file has a usual name.

    >>> file_namespace("github.mcp.json"), file_namespace("servers/github/tools.json"), file_namespace("<stdin>")
    ('github', 'github', None)
    """
    folder, name = os.path.split(path)
    if name.startswith("<"):
        return None
    stem = _without_extensions(name)
    generic = _GENERIC.union(formats.names())
    is_generic = generic.issuperset(re.split(r"[-_. ]", stem.lower()))
    above = os.path.basename(folder).strip(".")
    if is_generic and above:
        return above
    return stem or None


def _without_extensions(name: str) -> str:
    """The name of a file without the endings for format and syntax; other dots belong to the name."""
    suffixes = set(_SYNTAXES)
    for format_name in formats.names():
        suffixes.update((formats.marks_of(format_name).suffix or format_name).split("."))
    stem, extension = os.path.splitext(name)
    for _ in range(_MOST_EXTENSIONS - 1):
        rest, extension = os.path.splitext(stem)
        if extension[1:].lower() not in suffixes:
            break
        stem = rest
    return stem
