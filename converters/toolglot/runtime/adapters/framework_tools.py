"""What every framework is given of a tool, and how its call runs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, Unpack

import msgspec

from toolglot.converter import formats
from toolglot.converter.conversion.options import CompileOptions
from toolglot.converter.formats.kit.call_results import compact_json
from toolglot.converter.formats.kit.description.facts_in_description import split_description
from toolglot.converter.hub.calls import Content, Image
from toolglot.converter.hub.model import JsonSchema, Tool, from_json, to_json
from toolglot.converter.safety import caution, foreign_dangers, hidden_facets
from toolglot.converter.text.digests import hex_digest
from toolglot.converter.text.pointers import without_empty, without_keys
from toolglot.errors import ToolFailure
from toolglot.extras import load_package
from toolglot.runtime.bridge.calls import content_of
from toolglot.runtime.bridge.compilation import Compiled
from toolglot.runtime.bridge.policy import Policy
from toolglot.runtime.bridge.runner_and_approve import Approve, Runner
from toolglot.runtime.bridge.session import Session
from toolglot.runtime.bridge.validator import Validator

METADATA = "toolglot"  # the key of what a framework's metadata hold of ours


class WrapOptions(CompileOptions, total=False):
    """The options of every `wrap_tools`: those of `toolglot.compile`, and those that `toolglot.Session` explains."""

    policy: Policy | Mapping[str, Any] | Validator | None
    approve: Approve | None
    context: Mapping[str, Any] | None


class OfferedTool(NamedTuple):
    """One tool as a provider is told of it, ready to be called.

    Attributes:
        description: with the warnings that the provider has no field for.
        schema: the JSON Schema of the arguments, fitted to the provider.
        definition: all of it, in the provider's words.
        questions: why a person is asked before it runs; empty where nobody is.
    """

    name: str
    description: str
    schema: JsonSchema
    definition: dict[str, Any]
    tool: Tool
    questions: tuple[str, ...]
    session: Session

    @property
    def is_strict(self) -> bool:
        """Whether the provider can hold its models to the schema."""
        return self.session.compiled.offers[self.name].mode == "strict"

    @property
    def timeout(self) -> float | None:
        """When to give up, in seconds."""
        return None if self.tool.timeout_ms is None else self.tool.timeout_ms / 1000

    @property
    def metadata(self) -> dict[str, Any]:
        """The whole tool, for the metadata of a framework, which no model sees."""
        return {METADATA: {"tool": to_json(self.tool), "shown": _digest(self.name, self.description, self.schema)}}

    def call(self, arguments: Any) -> Content:
        """Run a call; errors as of `Session.call`."""
        return _content(self.session.call(self.name, arguments))

    async def call_async(self, arguments: Any) -> Content:
        """The same where the runner or `approve` may be asynchronous."""
        return _content(await self.session.call_async(self.name, arguments))


def offer_tools(
    tools: Tool | Iterable[Tool] | Compiled,
    provider: str,
    runner: Runner,
    *,
    framework_asks: bool = False,
    **options: Unpack[WrapOptions],
) -> list[OfferedTool]:
    """The tools as a provider can be offered them.

    Args:
        framework_asks: whether the framework asks for approval itself, before it runs a call. Then nobody is asked a
            second time, unless `approve` is given.
    """
    asks = framework_asks and options.get("approve") is None
    if asks:
        options["approve"] = lambda invocation, reasons: True
    session = Session(tools, provider, runner=runner, **options)
    places = formats.parse_target(session.compiled.provider)[0].places
    offered_tools = []
    for definition in session.compiled.definitions:
        name = places.value_of("id", definition)
        offered_tools.append(
            OfferedTool(
                name=name,
                description=places.value_of("description", definition) or "",
                schema=places.value_of("inputs", definition) or {"type": "object", "properties": {}},
                definition=definition,
                tool=session.compiled.offers[name].tool,
                questions=session.questions(name) if asks else (),
                session=session,
            )
        )
    return offered_tools


def parts_of(content: Content, picture: Callable[[Image], Any]) -> Any:
    """A result in a framework's words: the only part of it, or a list of them.

    Args:
        picture: makes what the framework has for a picture.
    """
    parts = [part if isinstance(part, str) else picture(part) for part in content.parts]
    return parts[0] if len(parts) == 1 else parts


def failure_text(failure: ToolFailure) -> str:
    """A failure as a model is told of it: AIP-14's envelope."""
    return compact_json(failure.envelope)


def _content(result: Any) -> Content:
    """A result as what a model reads; JSON data as compact text too.

    Raises:
        ToolFailure: the result says that the call failed.
    """
    content = content_of(result)
    if content is None:
        return Content((compact_json(result),), structured=result)
    if content.failed:
        texts = [part for part in content.parts if isinstance(part, str)]
        raise ToolFailure("\n".join(texts) or "the tool failed without a message", "upstream_error")
    return content


# -- back to the hub ----------------------------------------------------------------------------------------------


def tool_of(
    name: str, description: str | None, schema: JsonSchema | None, metadata: Mapping[str, Any] | None, **facts: Any
) -> Tool:
    """The tool that a framework's object describes: what its metadata keep, if the object still shows the same.

    Metadata never make a tool look safer than the object itself does.

    Args:
        **facts: what else the object says, as fields of the hub; `None` where it is silent.
    """
    metadata, description = metadata or {}, description or ""
    parts = split_description(description, frozenset())
    facts = {**facts, **parts, "description": parts.get("description") or None}
    doubtful_fields = _fields_of_dangers(without_keys(metadata, METADATA), facts.get("extensions") or {})
    visible = Tool(id=name, inputs=schema, unclear=tuple(sorted(doubtful_fields)) or None, **facts)
    record = metadata.get(METADATA)
    if not isinstance(record, Mapping) or record.get("shown") != _digest(name, description, schema):
        return visible
    try:
        tool = from_json(record.get("tool"))
    except msgspec.ValidationError:
        return visible
    if hidden_facets(caution(visible), caution(tool)):
        return visible
    return tool


def _fields_of_dangers(metadata: Mapping[str, Any], extensions: Mapping[str, Mapping[str, Any]]) -> set[str]:
    """The fields about which an object states a danger under keys of its author."""
    nodes = ({"metadata": metadata}, *({"metadata": says, **says} for says in extensions.values()))
    return {danger.field for node in nodes for danger in foreign_dangers(node)}


def extensions_of(framework: str, facts: Mapping[str, Any], purpose: str) -> dict[str, Any] | None:
    """What only a framework says of a tool, as extensions of the hub; `None` where it says nothing.

    Args:
        framework: the extra that the framework comes with; the extension is called so too.
        facts: what it says; what is empty says nothing.
        purpose: as for `load_package`.
    """
    pydantic_core = load_package("pydantic_core", framework, purpose)
    nonempty_facts = without_empty(facts)
    if not nonempty_facts:
        return None
    return {framework: pydantic_core.to_jsonable_python(nonempty_facts, fallback=repr)}


def milliseconds(seconds: float | None) -> int | None:
    """Seconds, as frameworks state how long a tool may take, in the hub's unit."""
    return None if seconds is None else round(seconds * 1000)


def _digest(name: str, description: str, schema: JsonSchema | None) -> str:
    text = json.dumps([name, description, schema], sort_keys=True, default=str)
    return hex_digest(text)
