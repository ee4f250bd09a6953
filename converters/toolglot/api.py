"""The verbs that only read. The others stand where their work is done; `toolglot.__init__` says where."""

from __future__ import annotations

from toolglot.conversion.sources import Source, open_document, read_document
from toolglot.errors import ReadError
from toolglot.formats.detection import detect as find
from toolglot.hub.model import Tool


def read(source: Source, format: str | None = None) -> list[Tool]:
    """Every tool that a source describes.

    Args:
        source: text, a path, parsed data, or objects of vendors' packages (pydantic models), also in lists.
        format: name of its format; by default it is detected from the content.

    Raises:
        ReadError: the source cannot be parsed, has no known format, or lacks what a reader needs.

    >>> [tool.id for tool in read('[{"toolId": "a", "source": "mcp", "safetyTier": "read"}]')]
    ['a']
    """
    return read_document(open_document(source), format).tools


def read_one(source: Source, format: str | None = None) -> Tool:
    """The only tool of a source; arguments as in `read`.

    Raises:
        ReadError: as in `read`, or the source describes no tool or several.

    >>> read_one({"toolId": "a", "source": "mcp", "safetyTier": "read"}).safety_tier
    'read'
    """
    tools = read(source, format)
    if len(tools) != 1:
        raise ReadError(f"expected one tool, found {len(tools)}", code="not-one-tool")
    return tools[0]


def detect(source: Source) -> str:
    """The name of the format that a source has, judged by its content alone.

    Raises:
        ReadError: the source cannot be parsed.
        DetectionError: it has no format that is known, or several.

    >>> detect({"toolId": "a", "source": "mcp", "safetyTier": "read"})
    'tool-descriptor'
    """

    document = open_document(source)
    return find(document.data, document.body, document.name).name
