"""Tools as one request to a provider offers them, and the way of a call back to its tool.

`convert` writes documents. `compile` also keeps what a program needs at run time: the command behind each definition,
and the codec of its arguments.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Unpack

import msgspec
from msgspec.structs import replace

from toolglot.converter import formats
from toolglot.converter.conversion import schema_changes
from toolglot.converter.conversion.garbage_collection import gc_paused
from toolglot.converter.conversion.offers import Offer, TargetRequest, find_modes
from toolglot.converter.conversion.options import CompileOptions, offer_options_of, refuse_unknown_options
from toolglot.converter.conversion.pattern_use import Patterns, PatternUse
from toolglot.converter.conversion.pipeline import write_all
from toolglot.converter.conversion.read_back import ReadBack, changes_of, read_back, refuse_weaker
from toolglot.converter.conversion.report import Change, Report
from toolglot.converter.conversion.selection import EVERYTHING, choice_of, nothing_chosen_error
from toolglot.converter.conversion.sources import warn_left_out
from toolglot.converter.fitting.argument_codec import inexpressible
from toolglot.converter.fitting.commands_as_one_tool import Member
from toolglot.converter.hub.model import Arguments, JsonSchema, Leaf, LeafBase, Tool
from toolglot.converter.hub.trees import list_tools
from toolglot.converter.schema.arguments import Schema, find_shape_fault
from toolglot.converter.schema.meant_arguments import as_meant
from toolglot.converter.text.pointers import escape
from toolglot.converter.text.wording import join_first, suggestion
from toolglot.errors import Error, FitError, UsageError, WriteError
from toolglot.runtime.bridge.compilation_cache import Offering, RecentOfferings, copy_definitions, encode_content
from toolglot.runtime.bridge.unknown_names import unknown_tool

RECENT = RecentOfferings()


class Resolved(LeafBase, msgspec.Struct, frozen=True):
    """A decoded call: the command that it is for, and the arguments that the command accepts."""

    leaf: Leaf
    arguments: dict[str, Any]


class Compiled:
    """The definitions of one request.

    Attributes:
        provider: the format of the definitions, with the version if one was requested.
        faults: the errors of tools that were left out because they cannot be written.
    """

    def __init__(self, provider: str, offering: Offering, faults: Sequence[Error] = ()) -> None:
        self.provider = provider
        self.faults = faults
        self._offering = offering

    def __repr__(self) -> str:
        """
        >>> compile([Tool(id="ls"), Tool(id="rm")], "openai")
        <Compiled for openai: ls, rm>
        """
        return f"<Compiled for {self.provider}: {join_first(list(self.offers))}>"

    @cached_property
    def definitions(self) -> list[dict[str, Any]]:
        """One definition for each tool that can be offered; `request` has them in the form for the vendor's client."""
        return copy_definitions(self._offering.definitions)

    @cached_property
    def offers(self) -> dict[str, Offer]:
        """Name -> the tool behind it, with its fitted schema and the steps of fitting; excluded tools are included."""
        offers: dict[str, Offer] = {}
        for back in self._offering.proven:
            for offer in back.result.offers:
                offers.setdefault(offer.name, offer)  # of twins the first, which is the one that is offered
        return offers

    @property
    def tools(self) -> Mapping[str, Offer]:
        """The same as `offers`."""
        return self.offers

    @property
    def text(self) -> str:
        """The definitions as JSON, in the container that the provider's API accepts."""
        return self._offering.text

    @property
    def request(self) -> list[Any]:
        """The definitions for the vendor's client: the value of its parameter `tools`."""
        container: dict[str, list[Any]] = self._offering.target.wrap(self.definitions)
        return container["tools"]

    @cached_property
    @gc_paused
    def report(self) -> Report:
        """Every difference between the tools and their definitions."""
        offering = self._offering
        count = len(offering.definitions)
        changes: list[Change] = []
        for back in offering.proven:
            changes += changes_of(back)
        changes += schema_changes.changes_of_budget(count, offering.tool_limit)
        origins = dict.fromkeys(tool.origin or "" for tool in offering.tools)
        return Report(origin=", ".join(origins), target=self.provider, tools=count, changes=tuple(changes))

    def encode(
        self, name: str, arguments: dict[str, Any] | None, path: tuple[str, ...] | None = None
    ) -> dict[str, Any]:
        """The arguments that a model would send to call a tool with these arguments.

        Args:
            path: the command, where one name stands for several.

        Raises:
            FitError: no arguments of the provider's schema stand for them (code `not-expressible`), or they are no JSON
                object (`not-an-object`).
            UsageError: no tool is offered under that name.
        """
        offer = self._offer(name)
        arguments = _checked(arguments)
        if offer.members:
            member = next((member for member in offer.members if member.leaf.path == path), None)
            if member is None:
                paths = ", ".join(" ".join(leaf.path) for leaf in offer.behind[:10])
                raise UsageError(f"{name!r} stands for several commands; say which: {paths}", code="unknown-path")
            arguments = _without_absent(member.fitted.encode(arguments), member, offer.members)
            if offer.chooser in arguments:
                raise inexpressible(f"/{offer.chooser}", "an argument is called like the parameter that chooses")
            arguments = {offer.chooser: member.value, **arguments}
        if offer.fitted is None:
            return arguments
        return offer.fitted.encode(arguments)

    def decode(self, name: str, arguments: dict[str, Any] | None) -> dict[str, Any]:
        """The arguments for the tool, from the arguments that a model sent, without nulls that mean absence.

        `None` counts as `{}`.

        Raises:
            FitError: they could mean several things (code `ambiguous-arguments`), are no JSON object (`not-an-object`),
                or have a parameter that the model was not offered (`not-offered`), such as an option of the program
                that only the host decides about.
            UsageError: no tool is offered under that name.
        """
        return self.resolve(name, arguments).arguments

    def resolve(self, name: str, arguments: dict[str, Any] | None) -> Resolved:
        """The command that a model called, and its arguments; errors as in `decode`."""
        offer = self._offer(name)
        arguments = _checked(arguments)
        _refuse_strangers(arguments, offer.schema, offer.name, offer.tool)
        new_arguments = dict(arguments)
        if offer.fitted is not None:
            new_arguments = dict(offer.fitted.decode(arguments))
        if not offer.members:
            return _resolved(offer.leaf, new_arguments)
        member = self._member(offer, new_arguments.pop(offer.chooser, None))
        _refuse_strangers(new_arguments, member.fitted.schema, f"{offer.name} {member.value}", member.leaf.tool)
        return _resolved(member.leaf, member.fitted.decode(new_arguments))

    def _member(self, offer: Offer, command: Any) -> Member:
        for member in offer.members:
            if member.value == command:
                return member
        commands = ", ".join(member.value for member in offer.members[:20])
        raise UsageError(f"{offer.chooser} is one of {commands}, not {command!r}", code="unknown-command")

    def _offer(self, name: str) -> Offer:
        if not isinstance(name, str):
            raise UsageError(f"a tool is called by its name, not by {type(name).__name__}", code="unknown-tool")
        offer = self.offers.get(name)
        if offer is not None and offer.mode != "excluded":
            return offer
        if offer is None or offer.leaf.hidden:  # which models are not told of
            raise unknown_tool(name, [other.name for other in self.offers.values() if other.mode != "excluded"])
        raise UsageError(f"{name!r} is not offered", code="unknown-tool", hint=offer.reason)


def _resolved(leaf: Leaf, arguments: Arguments) -> Resolved:
    return Resolved(leaf, as_meant(Schema(leaf.tool.inputs or {}), arguments))


def _without_absent(arguments: Arguments, member: Member, members: Iterable[Member]) -> Arguments:
    """The encoded arguments of a command without nulls for parameters that other commands of the tool do not have.

    The combined tool adds these nulls itself. A null that the command accepts stays.
    """
    keys_of_members = [(other.fitted.schema or {}).get("properties", {}).keys() for other in members]
    shared_keys = set.intersection(*map(set, keys_of_members))
    given = {key: value for key, value in arguments.items() if value is not None or key in shared_keys}
    return given if member.fitted.decode(given) == member.fitted.decode(arguments) else arguments


def _checked(arguments: Arguments | None) -> Arguments:
    """The arguments of a call; `None` is an empty object.

    Raises:
        FitError: they are no JSON object, such as one with a number as a key, or are too large.
    """
    if arguments is None:
        return {}
    fault = find_shape_fault(arguments)
    if fault is not None:
        message = f"the arguments of a call are an object of JSON data: {fault.message}"
        raise FitError(message, code="not-an-object", pointer=fault.pointer)
    return arguments


def _refuse_strangers(arguments: Arguments, offered_schema: JsonSchema | None, name: str, tool: Tool) -> None:
    schema = Schema(offered_schema or {})
    of_host = Schema(tool.global_inputs or {}).keys
    strangers = schema.strangers(arguments, of_host)
    if Schema(tool.inputs or {}).has_room and not schema.is_closed:  # what a provider cannot express is sent in words
        strangers = [key for key in strangers if key in of_host]
    for key in strangers:
        hint = suggestion(key, schema.keys, "leave it out")
        message = f"{name!r} was offered without a parameter {key[:100]!r}"
        raise FitError(message, code="not-offered", pointer=f"/{escape(key)}", hint=hint)


@gc_paused
def compile(tools: Tool | Iterable[Tool], provider: str, **options: Unpack[CompileOptions]) -> Compiled:
    """Offer tools to a provider.

    Args:
        tools: one tool or several; of a program every callable command is offered.
        provider: `FORMAT` or `FORMAT@VERSION`, a format whose provider restricts schemas.
        **options: all may be left out.
            `strict`: ask the provider to hold its models to the schema. A tool that has no strict schema is offered
                loose and `tools` says why. `None` is the provider's own default: loose.
            `profile`: a variant of the provider, such as `azure`; `None` is the provider itself.
            `flatten`: `"discrete"` (a definition a command; so it is without this), or with a parameter that chooses
                `"group"` (one a group) or `"action"` (one a program).
            `examples`: tell the examples in descriptions, where the provider has no field for them.
            `safety_text`: `"flags"` (the RFC's flags, and words for deletion, running programs and approval) or
                `"full"` (words for every danger); `None` is what the provider's format does by itself.
            `with_globals`: offer the options of a program and of its groups with the parameters of every command.
                Without it they are the host's, and a call that gives one is refused.
            `compact`: leave out what tells a model nothing in schemas: titles that repeat the key or the description,
                and keywords whose value says as much as their absence, such as `required: []`.
            `only`, `without`, `depth`, `read_only`, `without_effects`, `include_hidden`: which of the commands are
                offered (`conversion.selection.Choice`).

    Raises:
        UsageError: there is no such provider, profile or way to flatten, or no command is chosen.
        SafetyError, WriteError: no definition can be written, or only one that makes its tool look safer than it is.

    Warns:
        UserWarning: a pattern of `only` or `without` matches no tool, or a tool that cannot be written is left out; the
            `faults` of the result say why.

    >>> rm = Tool(id="rm", description="Remove a file.", destructive=True)
    >>> compiled = compile(rm, "openai")
    >>> compiled.definitions[0]["function"]["name"], compiled.tools["rm"].mode
    ('rm', 'loose')
    """
    target, version = formats.parse_provider(provider)
    tool_list = list_tools(tools)
    refuse_unknown_options(options, CompileOptions.__optional_keys__)
    offer_options = replace(offer_options_of(options), choice=choice_of(options))
    choice = offer_options.choice
    if choice != EVERYTHING and not any(choice.among(tool) for tool in tool_list):
        raise nothing_chosen_error(tool_list)
    limit = find_modes(target, version, offer_options.profile).loose.budget.tools
    asked = target.name, version, offer_options
    request = encode_content([*asked, tool_list])
    if request is not None:
        recent = RECENT.find(request, asked, tool_list)
        if recent is not None:
            return Compiled(provider, recent)
    patterns = Patterns(choice)
    PatternUse.of(tool_list, patterns).warn_caller(patterns, depth=2)
    target_request = TargetRequest(target, version, offer_options, own_definitions="if-valid")
    faults: list[Error] = []
    try:
        proven = _prove(tool_list, target_request)
    except WriteError:
        tool_list, faults = _without_bad(tool_list, target_request)
        proven = _prove(tool_list, target_request)
        warn_left_out(faults, depth=2)
    offering = Offering(tool_list, proven, target, limit)
    if request is not None and not faults:  # the next caller is warned, too
        RECENT.keep(request, offering)
    return Compiled(provider, offering, faults)


def _prove(tools: list[Tool], request: TargetRequest) -> list[ReadBack]:
    """The tools as a provider reads them, with the proof of law 3.

    Raises:
        WriteError: one of them cannot be written.
        SafetyError: a definition would make a tool look safer than it is.
    """
    proven = [read_back(result, request.target) for result in write_all(tools, request)]
    refuse_weaker(proven, request.target)
    return proven


def _without_bad(tools: list[Tool], request: TargetRequest) -> tuple[list[Tool], list[Error]]:
    """The tools that can be offered, and the errors of the others.

    Raises:
        WriteError: no tool is left.
    """
    good: list[Tool] = []
    faults: list[Error] = []
    for tool in tools:
        try:
            _prove([tool], request)
            good.append(tool)
        except WriteError as error:
            error.source = error.source or tool.id
            faults.append(error)
    if not good:
        raise faults[0]
    return good, faults
