"""The options of a conversion: as a caller gives them, and as one record that was checked against the target."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypedDict

import msgspec

from toolglot.converter.conversion.fail_on import FailOnWords
from toolglot.converter.conversion.namespaces import AUTO
from toolglot.converter.conversion.offers import Flatten, OfferOptions, SafetyText
from toolglot.converter.conversion.selection import EVERYTHING, Choice, choice_of
from toolglot.converter.conversion.vouched_facts import FACTS, Assertion, scope_fault, trust_in_methods, words_of_field
from toolglot.converter.formats import Format
from toolglot.converter.text.pointers import only_keys, without_nulls
from toolglot.converter.text.wording import suggestion
from toolglot.errors import UsageError
from toolglot.option_checks import refuse, require, require_choice, require_flag, require_items

_AS_USUAL = OfferOptions()


class ChoiceOptions(TypedDict, total=False):
    """The options that choose tools; `conversion.selection.Choice` says what each does."""

    only: str | Iterable[str] | None
    without: str | Iterable[str] | None
    depth: int | None
    read_only: bool | None
    without_effects: str | Iterable[str] | None
    include_hidden: bool | None


class ProviderOptions(TypedDict, total=False):
    """The options for offering tools to a provider; `conversion.offers.OfferOptions` says what each does."""

    strict: bool | None
    profile: str | None
    flatten: Flatten
    examples: bool
    safety_text: SafetyText | None
    with_globals: bool
    compact: bool


class CompileOptions(ProviderOptions, ChoiceOptions, total=False):
    """The options of `toolglot.compile`."""


class ToolOptions(ProviderOptions, ChoiceOptions, total=False):
    """The options of `toolglot.convert` about the tools.

    Attributes:
        source, safety_tier, scope: facts about all tools that only the host can know.
        assertions: such facts about some tools (`conversion.vouched_facts.parse_assertions`).
        trust_methods: whether servers keep to the meaning that HTTP gives to methods: GET changes nothing, PUT can be
            repeated.
        namespace: the owner of ids, which tells equal ids apart (`conversion.namespaces.with_namespaces`).
        bare: write an array of records without anything around it.
        one_per_tool: write a file for each tool, even where one file could hold them all.
    """

    source: str | None
    safety_tier: str | None
    scope: str | None
    namespace: str | None
    assertions: Iterable[Assertion] | None
    trust_methods: bool | None
    bare: bool | None
    one_per_tool: bool | None


class ConvertOptions(ToolOptions, total=False):
    """The options of `toolglot.convert`."""

    lossless: bool
    fail_on: FailOnWords


class ConversionSettings(msgspec.Struct, frozen=True):
    """Options that were checked.

    Attributes:
        offer: how the tools are offered to a provider.
        choice: which tools are meant.
        namespace: the rule for namespaces, as in `namespaces.with_namespaces`.
        is_bare: whether the result is an array of records without anything around it.
        is_split: whether each tool gets a file of its own.
        assertions: facts about all tools first, then those about some.
    """

    offer: OfferOptions = _AS_USUAL
    choice: Choice = EVERYTHING
    namespace: str = AUTO
    is_bare: bool = False
    is_split: bool = False
    assertions: tuple[Assertion, ...] = ()


_DEFAULTS = ConversionSettings()


def without_iterators(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options with a tuple for each iterator, which would be empty for the second reader.

    >>> without_iterators({"without": iter(["rm"]), "depth": 1})
    {'without': ('rm',), 'depth': 1}
    """
    return {name: tuple(value) if isinstance(value, Iterator) else value for name, value in options.items()}


def refuse_unknown_options(
    options: Mapping[str, Any], known_names: frozenset[str], parameters: Iterable[str] = ()
) -> None:
    """Refuse options that do not exist, even where their value asks for nothing.

    Args:
        parameters: the other parameters of the function, one of which may have been meant.

    Raises:
        UsageError: an option does not exist.
    """
    unknown = options.keys() - known_names
    if unknown:
        name = min(unknown)
        hint = suggestion(name, (*sorted(known_names), *parameters))
        raise UsageError(f"unknown option {name!r}", code="bad-option", hint=hint)


def settings_of(options: Mapping[str, Any], target: Format, lossless: bool) -> ConversionSettings:
    """The options of one conversion.

    Raises:
        UsageError: an option is unknown, has a wrong value, or does not fit the target.
    """
    if lossless is False and not options:  # of every record of a stream
        return _DEFAULTS
    require_flag("lossless", lossless)
    refuse_unknown_options(options, ToolOptions.__optional_keys__)
    stated_options = without_nulls(options)
    namespace = stated_options.get("namespace", AUTO)
    require("namespace", namespace, str, "a text")
    is_bare = stated_options.get("bare", False)
    require_flag("bare", is_bare)
    is_split = stated_options.get("one_per_tool", False)
    require_flag("one_per_tool", is_split)
    if is_bare:
        refuse(
            (target.one_per_file or target.tree, f"a document of {target.name} is no list; leave out bare"),
            (
                lossless and not target.slot.path,
                f"an array of {target.name} has no place for a slot; leave out bare",
            ),
        )
    return ConversionSettings(
        offer=_offer_options(stated_options, target, lossless),
        choice=choice_of(stated_options),
        namespace=namespace or AUTO,
        is_bare=is_bare,
        is_split=is_split,
        assertions=_assertions(stated_options),
    )


def offer_options_of(options: Mapping[str, Any]) -> OfferOptions:
    """The offer options among the options of a conversion."""
    return OfferOptions(**only_keys(options, ProviderOptions.__optional_keys__))


def _offer_options(options: Mapping[str, Any], target: Format, lossless: bool) -> OfferOptions:
    """The offer options, after a check that they fit the target."""
    names = sorted(ProviderOptions.__optional_keys__ & options.keys())
    offer = offer_options_of(options)
    refuse(
        (
            offer != _AS_USUAL and not target.provider.profiles,
            f"{target.name} takes every schema; leave out {', '.join(names)}",
        ),
        (
            lossless and offer.flatten != "discrete",
            "a definition of several commands cannot be lossless; use discrete",
        ),
    )
    return offer


def _assertions(options: Mapping[str, Any]) -> tuple[Assertion, ...]:
    """The assertions among the options: about every tool first, then about some."""
    assertions = options.get("assertions", ())
    require_items("assertions", assertions, "a list of `conversion.vouched_facts.Assertion`")
    assertions = tuple(assertions)
    for assertion in assertions:
        require("one of assertions", assertion, Assertion, "an `Assertion`")
    require_flag("trust_methods", options.get("trust_methods"))
    if options.get("trust_methods"):
        assertions = (trust_in_methods(), *assertions)
    facts = only_keys(options, FACTS.values())
    for name, value in facts.items():
        require_choice(name, value, words_of_field(name))
    return (*assertions_of_every_tool(options.get("scope"), facts), *assertions)


def assertions_of_every_tool(scope: str | None, facts: Mapping[str, Any] | None = None) -> tuple[Assertion, ...]:
    """The assertion about every tool; empty where nothing is asserted.

    Raises:
        UsageError: the scope is no valid one.
    """
    fault = scope_fault(scope) if scope is not None else None
    refuse((fault is not None, f"scope is {fault}, not {scope!r}"))
    if not facts and scope is None:
        return ()
    return (Assertion("*/*", facts or {}, scope),)
