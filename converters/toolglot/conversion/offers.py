"""Which tools of a request are offered to a provider: under which names, in which mode, and with which schema.

A request is refused as a whole for one bad tool, and budgets count over all of its tools, so this looks at all of
them before any is written. Names do not depend on order; which tools stay strict within a budget does.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec

from toolglot.conversion.selection import EVERYTHING, Choice
from toolglot.errors import FitError, UsageError
from toolglot.fitting.provider_rules import Budget, ProviderRules
from toolglot.formats import Format
from toolglot.formats.kit.tool_ids import UNQUALIFIED, Name, Naming, QualifiedId, Qualifier, function_name
from toolglot.hub.model import Binding, Example, JsonSchema, Leaf, Tool, to_json
from toolglot.hub.parameters import Parameters, join_parameters
from toolglot.option_values import require_flag

if TYPE_CHECKING:
    from toolglot.fitting.combining import Member
    from toolglot.fitting.fitted import Fitted

# Functions import what they need of `fitting`: 10 ms that a conversion between other formats does not pay.

FLATTEN = ("discrete", "action")
SAFETY_TEXTS = ("flags", "full")
OwnDefinitions = Literal["as-read", "if-valid"]
"""Which definitions of the provider's own format stay exactly as they are, unless the options ask for something: all of
them, as in a document that is converted; or those that obey the rules, and whose name no other one has, as in a request
that the provider has to take."""


class OfferOptions(NamedTuple):
    """How tools are offered.

    Attributes:
        strict: ask the provider to hold its models to the schema; `None` is the provider's own default, which is no.
        profile: a variant of the provider's rules, such as a cloud's; `None` is the provider itself.
        flatten: `"discrete"`, one definition a command, or `"action"`, one a program with the command as a parameter.
        examples: tell the examples in the description, where the provider has no field for them.
        safety_text: `"flags"`, the RFC's flags and words for deletion, running programs and approval, which have none,
            or `"full"`, words for every danger; `None` is what the format does by itself.
        with_globals: offer the options of the program and of the groups above a command with its own parameters.
        choice: which commands are offered.
    """

    strict: bool | None = None
    profile: str | None = None
    flatten: str = "discrete"
    examples: bool = False
    safety_text: str | None = None
    with_globals: bool = False
    choice: Choice = EVERYTHING

    @property
    def asks_for_changes(self) -> bool:
        """Whether a definition of the provider's own has to be written anew: another schema, name or text is wanted."""
        has_other_schema = self.strict is not None or self.profile is not None or self.with_globals
        return has_other_schema or self.flatten != "discrete" or self.safety_text is not None


class TargetRequest(msgspec.Struct, frozen=True):
    """What tools are to be written as.

    Attributes:
        target: the format.
        version: of the format; `None` is its newest.
        options: how a provider is offered the tools.
        own_definitions: which definitions of the provider's own stay as they are.
        naming: what ids can take up; by default what the tools say of themselves, where ids would be equal.
    """

    target: Format
    version: str | None = None
    options: OfferOptions = OfferOptions()
    own_definitions: OwnDefinitions = "as-read"
    naming: Naming | None = None


class Offer(msgspec.Struct, frozen=True):
    """One tool as a request offers it.

    Attributes:
        leaf: the callable node.
        name: what the provider calls it.
        mode: `"strict"`, `"loose"`, or `"excluded"` where no schema of the provider can say it.
        reason: why it is not what was asked for; `None` where it is.
        fitted: its schema and the codec of its arguments; `None` for a definition that stays as it was.
        members: the commands behind one definition, where it stands for several.
        chooser: the name of the parameter that chooses among them.
        left_out: commands that it does not stand for, each with the reason.
        examples: whether its description tells its examples.
        short_text: say in words only the dangers that every target has to say.
        qualifier: what the name takes up beside the path.
    """

    leaf: Leaf
    name: str
    mode: str
    reason: str | None = None
    fitted: Fitted | None = None
    members: tuple[Member, ...] = ()
    chooser: str = ""
    left_out: tuple[tuple[Leaf, str], ...] = ()
    examples: bool = False
    short_text: bool = False
    qualifier: Qualifier = UNQUALIFIED

    @property
    def schema(self) -> dict[str, Any] | None:
        """The schema of the arguments as the provider is sent it; `None` where it is sent none."""
        return self.fitted.schema if self.fitted else self.leaf.tool.inputs

    @property
    def behind(self) -> list[Leaf]:
        """The commands that a call of it can reach."""
        return [member.leaf for member in self.members] or [self.leaf]


class _Modes(msgspec.Struct, frozen=True):
    strict: ProviderRules | None
    loose: ProviderRules


def find_modes(target: Format, version: str | None, profile: str | None) -> _Modes:
    """The rules of a provider, strict (where there is such a mode) and loose.

    Raises:
        UsageError: the provider has no such profile for this version of its format.
    """
    version = version or target.writes[-1]
    rows = [row for row in target.provider.profiles if version in row.versions]
    profiles = list(dict.fromkeys(row.profile for row in rows))
    name = profiles[0] if profile is None else profile
    if name not in profiles:
        message = f"{target.name}@{version} has no profile {name!r}; choose one of {', '.join(profiles)}"
        raise UsageError(message, code="unknown-profile")
    rows_by_mode = {row.strict: row for row in rows if row.profile == name}
    return _Modes(rows_by_mode.get(True), rows_by_mode[False])


def plan_offers(tools: Sequence[Tool], request: TargetRequest) -> list[list[Offer]]:
    """The offers of every tool.

    Raises:
        UsageError: the options ask for what the provider does not have.
    """
    target, options = request.target, request.options
    if options.flatten not in FLATTEN:
        raise UsageError(f"flatten is {' or '.join(FLATTEN)}, not {options.flatten!r}", code="bad-option")
    if options.safety_text not in (None, *SAFETY_TEXTS):
        raise UsageError(f"safety_text is {' or '.join(SAFETY_TEXTS)}, not {options.safety_text!r}", code="bad-option")
    require_flag("strict", options.strict)
    require_flag("examples", options.examples)
    require_flag("with_globals", options.with_globals)
    rules = find_modes(target, request.version, options.profile)
    drafts = [_draft_offers(tool, request, rules) for tool in tools]
    if request.own_definitions == "if-valid":
        drafts = _without_equals(drafts)
    naming = request.naming or naming_of(tools)
    qualifiers = naming.apart([_unqualified_names(of_tool) for of_tool in drafts])
    qualified_drafts: list[_OfferDraft] = []
    for of_tool, qualifier in zip(drafts, qualifiers, strict=True):
        qualified_drafts += [_qualify_draft(draft, qualifier, target) for draft in of_tool]
    offers = _without_twins(_within_budget(_name_drafts(qualified_drafts, rules.loose), request, rules))
    if options.examples:
        offers = [msgspec.structs.replace(offer, examples=offer.fitted is not None) for offer in offers]
    in_order = iter(offers)
    return [list(islice(in_order, len(of_tool))) for of_tool in drafts]


def _unqualified_names(drafts: Iterable[_OfferDraft]) -> list[QualifiedId]:
    """What the drafts of one tool would be called if their paths were enough."""
    return [(draft.leaf.path, UNQUALIFIED) for draft in drafts]


def naming_of(tools: Iterable[Tool]) -> Naming:
    """What the names of tools can take up, as the tools themselves say."""
    return Naming([Qualifier(tool.namespace, tool.major) for tool in tools])


class _OfferDraft(msgspec.Struct, frozen=True):
    leaf: Leaf
    own: bool  # a definition of the provider's own that is kept as it is
    leaves: tuple[Leaf, ...] = ()  # of a program that becomes one definition
    qualifier: Qualifier = UNQUALIFIED

    @property
    def qualified_name(self) -> Name:
        """What its name is made of."""
        return Name(self.leaf.path, *self.qualifier)


def _without_equals(drafts: list[list[_OfferDraft]]) -> list[list[_OfferDraft]]:
    """The drafts, of which none keeps a name that another one has: a provider refuses two definitions of one name."""
    paths = Counter(draft.leaf.path for draft in chain.from_iterable(drafts))
    new_drafts: list[list[_OfferDraft]] = []
    for of_tool in drafts:
        drafts_of_tool: list[_OfferDraft] = []
        for draft in of_tool:
            if paths[draft.leaf.path] > 1:
                draft = msgspec.structs.replace(draft, own=False)
            drafts_of_tool.append(draft)
        new_drafts.append(drafts_of_tool)
    return new_drafts


def _qualify_draft(draft: _OfferDraft, qualifier: Qualifier, target: Format) -> _OfferDraft:
    """A draft whose name takes up more, so that it does not stay as it is unless the provider has named it."""
    own = draft.own and (qualifier == UNQUALIFIED or target.provider.is_hosted(draft.leaf.tool))
    if own:
        qualifier = UNQUALIFIED
    return msgspec.structs.replace(draft, own=own, qualifier=qualifier)


def _draft_offers(tool: Tool, request: TargetRequest, rules: _Modes) -> list[_OfferDraft]:
    options = request.options
    leaves = list(options.choice.among(tool))
    if options.with_globals:
        leaves = list(map(with_globals, leaves))
    if not leaves:
        return []
    if _stays(tool, request, rules):
        return [_OfferDraft(leaves[0], True)]
    if options.flatten == "action" and len(leaves) > 1:
        return [_OfferDraft(Leaf((tool.id,), "", tool, ()), False, tuple(leaves))]
    return [_OfferDraft(leaf, False) for leaf in leaves]


def _stays(tool: Tool, request: TargetRequest, rules: _Modes) -> bool:
    """Whether a tool is a definition of the provider's own, and stays as it is."""
    target = request.target
    if tool.origin != target.name or tool.children:
        return False
    if target.provider.is_hosted(tool):
        return True
    if request.options.asks_for_changes:
        return False
    of_this_version = request.version in (None, target.version_of(target.write(tool, None).data))
    if request.own_definitions == "as-read" and of_this_version:
        return True
    return _obeys(tool, target, rules)


def with_globals(leaf: Leaf) -> Leaf:
    """The command with the options of its program and its groups as parameters of its own.

    Of two parameters of one name its own is offered, and the other one stays the host's.
    """
    tool = leaf.tool
    if tool.global_inputs is None:
        return leaf
    own = Parameters(_inputs(leaf), tool.bindings)
    inputs, bindings = join_parameters(own, Parameters(tool.global_inputs, tool.global_bindings))
    own_properties = (own.inputs or {}).get("properties", ())
    shared_properties = tool.global_inputs.get("properties") or {}
    own_globals = {key: schema for key, schema in shared_properties.items() if key in own_properties}
    host_inputs: JsonSchema | None = None
    host_bindings: dict[str, Binding] | None = None
    if own_globals:
        host_inputs = {**tool.global_inputs, "properties": own_globals, "required": []}
        host_bindings = {key: (tool.global_bindings or {})[key] for key in own_globals}
    new_tool = msgspec.structs.replace(
        tool, inputs=inputs, bindings=bindings, global_inputs=host_inputs, global_bindings=host_bindings
    )
    return msgspec.structs.replace(leaf, tool=new_tool)


def _obeys(tool: Tool, target: Format, rules: _Modes) -> bool:
    from toolglot.fitting.verdict import description_violations, name_violations, violations

    row = rules.strict if _is_strict(tool, target) else rules.loose
    if row is None or not tool.extension(target.name).keys() <= target.provider.request_keys:
        return False
    text = target.write(tool, None).data
    text_violations = [*name_violations(tool.id, row), *description_violations(_description(text), row)]
    return not text_violations and not violations(tool.inputs, row)


def _description(definition: dict[str, Any]) -> str | None:
    """What a definition says in words, wherever its shape has it."""
    for holder in (definition, *definition.values()):
        if isinstance(holder, dict) and "description" in holder:
            description = holder["description"]
            return description if isinstance(description, str) else None
    return None


def _is_strict(tool: Tool, target: Format) -> bool:
    return tool.extension(target.name).get("strict") is True


def _name_drafts(drafts: Sequence[_OfferDraft], rules: ProviderRules) -> list[tuple[_OfferDraft, str]]:
    from toolglot.fitting import provider_names

    counts = Counter(draft.qualified_name for draft in drafts)
    originals = [original_name(draft.leaf, draft.qualifier, counts[draft.qualified_name] > 1) for draft in drafts]
    literal = [draft.qualified_name.is_plain for draft in drafts]
    names = provider_names.allot(originals, rules.name_first, rules.name_rest, rules.name_limit, literal)
    return list(zip(drafts, names, strict=True))


def original_name(leaf: Leaf, qualifier: Qualifier = UNQUALIFIED, several: bool = False) -> tuple[str, Any]:
    """The name that a leaf would have anywhere, and what tells it from others of that name."""
    content = json.dumps(to_json(leaf.tool), sort_keys=True) if several else ""
    name = Name(leaf.path, *qualifier)
    kind = leaf.path if qualifier == UNQUALIFIED else name
    return function_name("_".join(leaf.path), name), (kind, content)


def possible_names(
    offer: Offer, target: Format, version: str | None, options: OfferOptions, qualifier: Qualifier
) -> frozenset[str]:
    """Every name that the tool of an offer can get, whatever else is in the request."""
    from toolglot.fitting import provider_names

    rules = find_modes(target, version, options.profile).loose
    arguments = (rules.name_first, rules.name_rest, rules.name_limit)
    alone = provider_names.possible(original_name(offer.leaf, qualifier), *arguments)
    among_equals = provider_names.possible(original_name(offer.leaf, qualifier, several=True), *arguments)
    return frozenset(alone) | frozenset(among_equals)


def _offer(draft: _OfferDraft, name: str, request: TargetRequest, rules: _Modes, over: Sequence[str] = ()) -> Offer:
    """One draft fitted; `over` is what the request has no budget for any more."""
    target, options = request.target, request.options
    if draft.own:
        mode = "strict" if _is_strict(draft.leaf.tool, target) else "loose"
        return Offer(draft.leaf, draft.leaf.tool.id, mode)
    short = target.provider.is_api if options.safety_text is None else options.safety_text == "flags"
    plain = Offer(draft.leaf, name, "loose", short_text=short, qualifier=draft.qualifier)
    reason: str | None = None
    if options.strict and over:
        reason = f"the request has no more {' and no more '.join(over)} for strict tools [budget]"
    elif options.strict and rules.strict is None:
        reason = f"{rules.loose.profile} has no strict mode for definitions [no-strict-mode]"
    elif options.strict and rules.strict is not None:
        try:
            return _fit_draft(draft, msgspec.structs.replace(plain, mode="strict"), rules.strict)
        except FitError as error:
            reason = f"{error.message} [{error.code}]"
    try:
        return _fit_draft(draft, msgspec.structs.replace(plain, reason=reason), rules.loose)
    except FitError as error:
        return msgspec.structs.replace(plain, mode="excluded", reason=f"{error.message} [{error.code}]")
    except RecursionError:
        return msgspec.structs.replace(
            plain, mode="excluded", reason="the schema is nested too deeply [schema-too-deep]"
        )


def _fit_draft(draft: _OfferDraft, plain: Offer, rules: ProviderRules) -> Offer:
    from toolglot.fitting.combining import Member, combine, values_of
    from toolglot.fitting.fit import fit
    from toolglot.fitting.repeated import fit_again

    if not draft.leaves:
        return msgspec.structs.replace(plain, fitted=fit_again(_inputs(draft.leaf), rules))
    members: list[Member] = []
    left_out: list[tuple[Leaf, str]] = []
    for value, leaf in zip(values_of(draft.leaves), draft.leaves, strict=True):
        try:
            members.append(Member(value, leaf, fit_again(_inputs(leaf), rules)))
        except FitError as error:
            if rules.strict:
                raise
            left_out.append((leaf, f"{error.message} [{error.code}]"))
    if not members:
        raise FitError("none of the commands can be expressed", code="no-command")
    together, chooser = combine(draft.leaf.tool, members, plain.short_text)
    return msgspec.structs.replace(
        plain,
        leaf=msgspec.structs.replace(draft.leaf, tool=together),
        fitted=fit(together.inputs, rules),
        members=tuple(members),
        chooser=chooser,
        left_out=tuple(left_out),
    )


_UNDESCRIBED = {"type": "object", "additionalProperties": True}  # without a word about keys it would read as "none"


def _inputs(leaf: Leaf) -> Any:
    return leaf.tool.inputs if leaf.tool.inputs is not None else _UNDESCRIBED


def _within_budget(drafts: Iterable[tuple[_OfferDraft, str]], request: TargetRequest, rules: _Modes) -> Iterator[Offer]:
    """The offers, where later strict ones are loose once the request has spent what it may."""
    from toolglot.fitting.schema_size import budget_of

    budget = rules.strict.budget if rules.strict else Budget()
    limits = {"strict tools": budget.strict_tools, "optional parameters": budget.optional, "unions": budget.unions}
    spent = dict.fromkeys(limits, 0)
    as_strict = msgspec.structs.replace(request, options=request.options._replace(strict=True))
    for draft, name in drafts:
        full = [what for what, limit in limits.items() if what == "strict tools" and spent[what] == limit]
        offer = _offer(draft, name, request, rules, full)
        if offer.mode == "strict" and any(limit is not None for limit in limits.values()):
            optional, unions = budget_of(offer.schema)
            after = {what: spent[what] + more for what, more in zip(limits, (1, optional, unions), strict=True)}
            over = [what for what, limit in limits.items() if limit is not None and after[what] > limit]
            stays = draft.own and request.own_definitions == "as-read"
            if over and not stays:
                foreign = msgspec.structs.replace(draft, own=False)
                offer = _offer(foreign, name, as_strict, rules, over)
            else:
                spent = after
        yield offer


def _without_twins(offers: Iterable[Offer]) -> list[Offer]:
    """The offers, where what is offered already is not offered again: two definitions of one name are refused."""
    distinct: list[Offer] = []
    names: set[str] = set()
    for offer in offers:
        if offer.name in names and offer.fitted is not None:
            offer = msgspec.structs.replace(offer, mode="excluded", reason="the very same tool is offered already")
        names.add(offer.name)
        distinct.append(offer)
    return distinct


def present_tool(offer: Offer, target: Format, rules: ProviderRules) -> Tool:
    """The tool as it is handed to the target's writer: named, and with nothing that the provider refuses."""
    tool, fitted = offer.leaf.tool, offer.fitted
    if fitted is None:
        return tool
    extensions = dict(tool.extensions or {})
    own = {key: value for key, value in extensions.pop(target.name, {}).items() if key in target.provider.request_keys}
    own.pop("strict", None)
    if offer.mode == "strict":
        own["strict"] = True
    if own:
        extensions[target.name] = own
    examples = tool.examples
    if examples is not None and ("examples" in target.holds or offer.examples):
        new_examples = [_encode_example(example, fitted) for example in examples]
        examples = tuple(example for example in new_examples if example is not None) or None
    outputs, origin = tool.outputs, tool.origin
    if "outputs" in target.holds:
        outputs = _fitted_outputs(outputs, rules)
    if origin == target.name:
        origin = None  # written like anything foreign
    return msgspec.structs.replace(
        tool,
        id=offer.name,
        inputs=fitted.schema,
        outputs=outputs,
        examples=examples,
        extensions=extensions or None,
        origin=origin,
    )


def _encode_example(example: Example, fitted: Fitted) -> Example | None:
    """An example in the words of the fitted schema, which providers hold examples to."""
    if not isinstance(example.input, dict):
        return example
    try:
        return msgspec.structs.replace(example, input=fitted.encode(example.input))
    except FitError:
        return None


def _fitted_outputs(outputs: dict[str, Any] | None, rules: ProviderRules) -> dict[str, Any] | None:
    """The schema of results within the rules; none where it would take a codec, because nobody encodes results."""
    from toolglot.fitting.fit import fit

    if outputs is None or rules.keywords is None:
        return outputs
    try:
        fitted = fit(outputs, rules)
    except FitError:
        return None
    if any(step.action == "encoded" for step in fitted.steps):
        return None
    return fitted.schema
