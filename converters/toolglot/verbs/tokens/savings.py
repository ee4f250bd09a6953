"""What a request would save: by offering fewer tools, by offering them together, and by shorter texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from toolglot.converter.conversion.selection import Choice
from toolglot.converter.text.sentences import first_sentence
from toolglot.verbs.tokens.definitions import ToolRequest, change_descriptions

_MOST_GROUPS = 3
_CHOOSING = ("read_only", "depth", "without")  # options by which fewer tools are offered
_ORDER = (*_CHOOSING, "flatten", "compact", "safety_text", "descriptions", "parameter_descriptions")
FIRST_SENTENCE = "first sentence"


class Saving(NamedTuple):
    """What one change would save.

    Attributes:
        option: of `toolglot.count_tokens`, or what would be written otherwise: `descriptions` and
            `parameter_descriptions`.
        value: of the option, or what would be left of the text.
        tokens: fewer than the request has.
    """

    option: str
    value: str | int | bool
    tokens: int

    def to_json(self) -> dict[str, Any]:
        """The saving as JSON data, an entry of `savings`."""
        return {"option": self.option.replace("_", "-"), "value": self.value, "tokens": self.tokens}


def find_savings(request: ToolRequest) -> Iterator[Saving]:
    """What each change would save, also where that is nothing or all: in a larger request it may be neither."""
    yield from _fewer_tools(request)
    yield from _other_offers(request)
    yield from _shorter_texts(request)


def choose_savings(
    savings: Mapping[tuple[str, str | int | bool], int], tokens: int, depths: Collection[int]
) -> list[Saving]:
    """Every change that saves something, and leaves a tool.

    Args:
        savings: option and value of each, and what it saves.
        tokens: of all definitions.
        depths: how deep the tools lie.
    """
    chosen = [
        Saving(option, value, saved)
        for (option, value), saved in savings.items()
        if saved > 0 and (option not in _CHOOSING or saved < tokens) and (option != "depth" or value in depths)
    ]
    # By their options, and the largest first, but depths in their order.
    chosen.sort(key=lambda saving: (_ORDER.index(saving.option), 0 if saving.option == "depth" else -saving.tokens))
    groups = [saving for saving in chosen if saving.option == "without"]
    return [saving for saving in chosen if saving not in groups[_MOST_GROUPS:]]


# -- fewer tools ------------------------------------------------------------------------------------------------------


def _fewer_tools(request: ToolRequest) -> Iterator[Saving]:
    if any(definition.offer.members for definition in request.definitions):
        return  # a definition of several commands would only become shorter
    for option, value, choice in _choices(request):
        left_out = (definition for definition in request.definitions if not choice.takes(definition.offer.leaf))
        yield Saving(option, value, sum(definition.tokens for definition in left_out))


def _choices(request: ToolRequest) -> Iterator[tuple[str, str | int | bool, Choice]]:
    """Every option that chooses among the tools, its value, and the choice that it makes."""
    yield "read_only", True, Choice(read_only=True)
    for depth in range(max((len(definition.offer.leaf.path) for definition in request.definitions), default=0)):
        yield "depth", depth, Choice(depth=depth)
    groups = Counter[str]()  # patterns of the tools that stand together: in a group of a program, or on a server
    for definition in request.definitions:
        leaf = definition.offer.leaf
        if len(leaf.path) > 2:
            groups[" ".join(leaf.path[:2])] += definition.tokens
        elif leaf.tool.namespace:
            groups[f"{leaf.tool.namespace}.*"] += definition.tokens
    for group, _ in groups.most_common(_MOST_GROUPS):
        yield "without", group, Choice(without=(group,))


# -- the same tools ---------------------------------------------------------------------------------------------------


def _other_offers(request: ToolRequest) -> Iterator[Saving]:
    options = request.form.options
    if options.flatten != "action" and any(tool.children for tool in request.tools):
        joint_request = request.with_offer_options(flatten="action")
        if len(joint_request.excluded) <= len(request.excluded):
            yield Saving("flatten", "action", request.tokens - joint_request.tokens)
    if not options.compact:
        yield Saving("compact", True, request.tokens - request.with_offer_options(compact=True).tokens)
    tells_dangers = any(definition.parts["safety_text"] for definition in request.definitions)
    if tells_dangers and options.safety_text != "flags":
        request_with_flags = request.with_offer_options(safety_text="flags")
        yield Saving("safety_text", "flags", request.tokens - request_with_flags.tokens)


def _shorter_texts(request: ToolRequest) -> Iterator[Saving]:
    descriptions = parameters = 0
    for definition in request.definitions:
        if definition.tool.description:
            short_description = first_sentence(definition.tool.description)
            descriptions += definition.tokens_saved_by(description=short_description)
        short_inputs = change_descriptions(definition.tool.inputs, first_sentence)
        parameters += definition.tokens_saved_by(inputs=short_inputs)
    yield Saving("descriptions", FIRST_SENTENCE, descriptions)
    yield Saving("parameter_descriptions", FIRST_SENTENCE, parameters)
