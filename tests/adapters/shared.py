"""What the tests of all frameworks have in common: tools, what runs them, and what each framework has to keep to."""

from __future__ import annotations

from typing import Any

from toolglot.converter.hub.model import Tool
from toolglot.errors import ToolFailure

FIND = Tool(
    id="find",
    description="Find lines.",
    inputs={
        "type": "object",
        # What frameworks call their own, a union, a pattern that few providers take, and a default.
        "properties": {
            "config": {"type": "string", "pattern": "^(?!-)"},
            "run_manager": {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": 3},
        },
        "required": ["config"],
        "additionalProperties": False,
    },
    outputs={"type": "object", "properties": {"lines": {"type": "array"}}},
    tags=("text",),
    timeout_ms=5000,
    safety_tier="read",
    destructive=False,
    reversible=True,
    subprocess=False,
    billable=False,
    deletes_files=False,
    deletes=(),
)
ERASE = Tool(
    id="erase",
    description="Erase a disk.",
    inputs={"type": "object", "properties": {"disk": {"type": "string"}}, "required": ["disk"]},
    destructive=True,
    reversible=False,
    approval="always",
)
TOOLS = [FIND, ERASE]
PICTURE = {
    "content": [{"type": "text", "text": "a dot"}, {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}]
}
RESULTS: dict[str, Any] = {
    "text": "a.txt",
    "data": {"lines": ["a", "b"]},
    "picture": PICTURE,
    "not-found": ToolFailure("no such file", "not_found"),
}


class Runner:
    """Gives the result that a call names, and remembers the calls."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, dict[str, Any]]] = []

    def __call__(self, invocation: Any) -> Any:
        self.calls.append((invocation.tool.id, invocation.arguments))
        result = RESULTS.get(invocation.arguments.get("config", ""), "done")
        if isinstance(result, ToolFailure):
            raise result
        return result


class AsyncRunner(Runner):
    """The same, asynchronous."""

    async def __call__(self, invocation: Any) -> Any:
        return super().__call__(invocation)
