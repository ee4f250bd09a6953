"""OpenAPI and Swagger documents: what their specifications say about the dangers of each operation.

A request uses the network. RFC 9110 (9.3.5) says what DELETE asks for; no other method states anything. Keys of vendors
count as foreign ones do everywhere, such as `x-openai-isConsequential` and the hints in `x-mcp-annotations`; on the
document and on a path they hold for all operations there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from judge.keys import hear_foreign
from judge.statements import Statement
from judge.words import hear

_METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")


def read(data: dict[str, Any]) -> list[Statement]:
    """A statement for each operation, in the order of the document."""
    statements: list[Statement] = []
    for path, item in data.get("paths", {}).items():
        if not path.startswith("x-"):
            operations = _operations(_resolve(data, item))
            statements += [_operation(data, item, method, operation) for method, operation in operations]
    return statements


def _operations(item: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for key, value in item.items():
        if key in _METHODS:
            yield key, {**{name: item[name] for name in ("summary", "description") if name in item}, **value}
        elif key == "additionalOperations":
            yield from value.items()


def _resolve(data: Any, item: dict[str, Any]) -> dict[str, Any]:
    reference = item.get("$ref")
    if not isinstance(reference, str):
        return item
    if not reference.startswith("#/"):
        return {}  # elsewhere
    for word in reference[2:].split("/"):
        data = data[word.replace("~1", "/").replace("~0", "~")]
    return dict(data)


def _operation(data: dict[str, Any], item: dict[str, Any], method: str, operation: dict[str, Any]) -> Statement:
    tool = Statement(str(operation.get("operationId", method)))
    texts = (operation.get("description"), operation.get("summary"))
    tool.texts = [text for text in texts if isinstance(text, str)]
    hear(tool, *tool.texts)
    tool.dangers.add("network")
    if method.lower() == "delete":
        tool.dangers.add("removes")
    for part in (data, item, operation):
        hear_foreign(tool, part)
    security = operation["security"] if "security" in operation else data.get("security")
    if security == []:
        tool.deny("credentials")
    elif isinstance(security, list) and all(security):  # an empty alternative makes the others optional
        tool.dangers.add("methods")
    return tool
