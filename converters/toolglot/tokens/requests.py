"""The definitions of tools, as one request to a provider offers them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import msgspec

from toolglot.conversion.offers import Offer, TargetRequest
from toolglot.conversion.pipeline import write_all
from toolglot.hub.model import Tool
from toolglot.tokens.definition_parts import Definition, RequestOptions


class ToolRequest:
    """The definitions of tools, as one request to a provider offers them.

    Attributes:
        definitions: in order.
        excluded: the offers that have no definition, each with its reason.
    """

    def __init__(self, tools: Sequence[Tool], options: RequestOptions) -> None:
        self.tools = tools
        self.options = options
        self.definitions: list[Definition] = []
        self.excluded: list[Offer] = []
        number = 0
        request = TargetRequest(options.target, options.version, options.offer, own_definitions="if-valid")
        for _, result in write_all(tools, request):
            parts = iter(result.parts)
            for offer in result.offers:
                if offer.mode == "excluded":
                    self.excluded.append(offer)
                else:
                    self.definitions.append(Definition(number, offer, next(parts), options))
                number += 1

    @cached_property
    def tokens(self) -> int:
        """Of the definitions in the container that the provider's API takes; 0 without definitions."""
        if not self.definitions:
            return 0
        return self.options.count(self.options.target.wrap([definition.data for definition in self.definitions]))

    def with_offer_options(self, **changes: Any) -> ToolRequest:
        """The same tools, offered in another way."""
        offer = msgspec.structs.replace(self.options.offer, **changes)
        return ToolRequest(self.tools, self.options._replace(offer=offer))
