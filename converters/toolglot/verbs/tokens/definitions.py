"""The definitions of tools as one request to a provider offers them, and what each part costs: name, description ..."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from msgspec.structs import replace

from toolglot.converter.conversion.offers import Offer, TargetRequest
from toolglot.converter.conversion.pipeline import write_all
from toolglot.converter.conversion.writing import WrittenRecord
from toolglot.converter.hub.model import Tool
from toolglot.converter.schema.keywords import rebuild

Count = Callable[[Any], int]
"""Says how many tokens a text or JSON data is."""

PARTS = ("name", "description", "safety_text", "parameters", "parameter_descriptions", "results", "examples", "other")
"""What the tokens of a definition are spent on; `other` is what holds it together."""

_FIELDS = {"name": "id", "results": "outputs", "examples": "examples"}  # part -> hub field


class ToolRequest:
    """The definitions of tools, as one request to a provider offers them.

    Args:
        form: how tools are offered, and to whom.
        count: how tokens are counted.

    Attributes:
        definitions: in order.
        excluded: the offers that have no definition, each with its reason.
    """

    def __init__(self, tools: Sequence[Tool], form: TargetRequest, count: Count) -> None:
        self.tools = tools
        self.form = form
        self.count = count
        self.definitions: list[Definition] = []
        self.excluded: list[Offer] = []
        number = 0
        for result in write_all(tools, form):
            parts = iter(result.parts)
            for offer in result.offers:
                if offer.mode == "excluded":
                    self.excluded.append(offer)
                else:
                    self.definitions.append(Definition(number, offer, next(parts), self))
                number += 1

    @cached_property
    def tokens(self) -> int:
        """Of the definitions in the container that the provider's API takes; 0 without definitions."""
        if not self.definitions:
            return 0
        return self.count(self.form.target.wrap([definition.data for definition in self.definitions]))

    def with_offer_options(self, **changes: Any) -> ToolRequest:
        """The same tools, offered in another way."""
        options = replace(self.form.options, **changes)
        return ToolRequest(self.tools, replace(self.form, options=options), self.count)


class Definition:
    """One definition of a request.

    Attributes:
        number: its place among the offers of the request, the excluded ones included: the same for every provider.
        offer: how the tool behind it is offered.
        tool: what it was written from: named, fitted, and with the warnings that its text has to state.
    """

    def __init__(self, number: int, offer: Offer, result: WrittenRecord, request: ToolRequest) -> None:
        self.number = number
        self.offer = offer
        self.data = result.record.data
        self.tool = result.tool
        self._request = request

    @cached_property
    def tokens(self) -> int:
        """Of the whole definition."""
        return self._request.count(self.data)

    def tokens_saved_by(self, **changes: Any) -> int:
        """How many tokens it would be shorter if the tool had other values in these fields of the hub."""
        return self.tokens - self._count(self._with(changes))

    def _with(self, changes: dict[str, Any]) -> dict[str, Any]:
        """The definition of the tool with other values."""
        if all(getattr(self.tool, field) == value for field, value in changes.items()):
            return self.data
        form = self._request.form
        return form.target.write(replace(self.tool, **changes), form.version).data

    @cached_property
    def parts(self) -> dict[str, int]:
        """The tokens of each of `PARTS`; together they are all."""
        without_warnings = self._with({"flags": None})
        value_of = self._request.form.target.places.value_of  # what a definition has for a field of the hub
        schema = value_of("inputs", self.data)
        parameters = self._count(change_descriptions(schema, lambda text: None))
        parts = {
            "description": self._count(value_of("description", without_warnings)),
            "safety_text": self.tokens - self._count(without_warnings),
            "parameters": parameters,
            "parameter_descriptions": self._count(schema) - parameters,
        }
        for part, field in _FIELDS.items():
            parts[part] = self._count(value_of(field, self.data))
        parts["other"] = self.tokens - sum(parts.values())
        return {part: parts[part] for part in PARTS}

    def _count(self, value: Any) -> int:
        if value is None:
            return 0
        if value is self.data:
            return self.tokens
        return self._request.count(value)


def change_descriptions(schema: Any, change: Callable[[str], str | None]) -> Any:
    """A schema with other descriptions, or without those for which `change` has none."""
    if not isinstance(schema, dict):
        return schema
    new_schema = rebuild(schema, lambda inner, pointer: change_descriptions(inner, change))
    text = new_schema.get("description")
    if isinstance(text, str):
        del new_schema["description"]
        description = change(text)
        if description is not None:
            new_schema["description"] = description
    return new_schema
