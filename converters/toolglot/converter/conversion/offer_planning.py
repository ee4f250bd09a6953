"""Which tools of a request are offered to a provider: under which names, in which mode, and with which schema.

A provider refuses a whole request for one bad tool, and limits count over all tools. So all are planned before any is
written. Names do not depend on the order of the tools; which of them stay strict within a limit does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, islice
from typing import Any

from msgspec.structs import replace

from toolglot.converter.conversion import report_wording
from toolglot.converter.conversion.offers import (
    FLATTEN,
    SAFETY_TEXTS,
    Offer,
    ProviderModes,
    TargetRequest,
    find_modes,
    inputs_of,
    names_of,
    naming_of,
    qualifiers_of,
    with_globals,
)
from toolglot.converter.fitting.argument_codec import Fitted
from toolglot.converter.fitting.commands_as_one_tool import Member, combine, member_of, values_of
from toolglot.converter.fitting.fit import fit, fit_again
from toolglot.converter.fitting.provider_rules import Budget, ProviderRules
from toolglot.converter.fitting.schema_size import budget_of
from toolglot.converter.formats import Format
from toolglot.converter.formats.kit.tool_ids import UNQUALIFIED, Qualifier, named_parts
from toolglot.converter.hub.model import Example, JsonSchema, Leaf, Tool
from toolglot.converter.hub.trees import with_hidden_options, without_hidden_options
from toolglot.converter.text.caches import Same
from toolglot.converter.text.pointers import only_keys
from toolglot.converter.text.sequences import group_by
from toolglot.converter.text.wording import with_original_name
from toolglot.errors import FitError
from toolglot.option_checks import require_choice, require_flag


def plan_offers(tools: Sequence[Tool], request: TargetRequest) -> list[list[Offer]]:
    """The offers of every tool.

    Raises:
        UsageError: the options ask for what the provider does not have.
    """
    target, options = request.target, request.options
    require_choice("flatten", options.flatten, FLATTEN)
    if options.safety_text is not None:
        require_choice("safety_text", options.safety_text, SAFETY_TEXTS)
    for name in ("strict", "examples", "with_globals", "compact"):
        require_flag(name, getattr(options, name))
    version = _version_of_new(tools, request)
    modes = find_modes(target, version, options.profile)
    if options.compact:
        modes = ProviderModes(modes.strict and _compact(Same(modes.strict)), _compact(Same(modes.loose)))
    drafts = [_draft_offers(tool, request, modes) for tool in tools]
    if request.own_definitions == "if-valid":
        drafts = _without_equals(drafts)
    naming = request.naming or naming_of(tools)
    qualifiers = qualifiers_of(([draft.leaf for draft in of_tool] for of_tool in drafts), naming)
    qualified_drafts: list[Offer] = []
    for of_tool, qualifier in zip(drafts, qualifiers, strict=True):
        qualified_drafts += [_qualify_draft(draft, qualifier, target) for draft in of_tool]
    request = replace(request, version=version)
    offers = _without_twins(_within_budget(_name_drafts(qualified_drafts, modes.loose), request, modes))
    if options.examples:
        offers = [replace(offer, examples=offer.fitted is not None) for offer in offers]
    in_order = iter(offers)
    return [list(islice(in_order, len(of_tool))) for of_tool in drafts]


def _version_of_new(tools: Iterable[Tool], request: TargetRequest) -> str | None:
    """The version of definitions that are written anew: the requested one, else that of the provider's own definitions.

    No API accepts definitions in the shapes of two versions in one list.
    """
    target = request.target
    if request.version is None and request.own_definitions == "as-read" and target.provider.is_api:
        for tool in tools:
            if tool.origin == target.name and not target.provider.is_hosted(tool):
                return target.version_of(target.write(tool, None).data)
    return request.version


# -- drafts: offers that have to be fitted yet, which have no mode, and definitions of the provider's own that stay ----


def _without_equals(drafts: list[list[Offer]]) -> list[list[Offer]]:
    """The drafts; those that keep a name that another has are written anew: a provider refuses two of one name."""
    paths = Counter(draft.leaf.path for draft in chain.from_iterable(drafts))
    return [
        [draft if paths[draft.leaf.path] == 1 else replace(draft, mode="") for draft in of_tool] for of_tool in drafts
    ]


def _qualify_draft(draft: Offer, qualifier: Qualifier, target: Format) -> Offer:
    """A draft with a longer name. So it is written anew, unless the provider itself named it."""
    if draft.mode and (qualifier == UNQUALIFIED or target.provider.is_hosted(draft.leaf.tool)):
        return draft
    return replace(draft, mode="", qualifier=qualifier)


@cache
def _compact(rules: Same[ProviderRules]) -> ProviderRules:
    """The rules that leave out idle keywords. Equal rules give one object, by which fitted schemas are remembered."""
    return replace(rules.value, idle_keywords=False)


def _draft_offers(tool: Tool, request: TargetRequest, modes: ProviderModes) -> list[Offer]:
    options = request.options
    leaves = list(options.choice.among(tool))
    if options.with_globals:
        leaves = list(map(with_globals, leaves))
    if request.shows_hidden and request.own_definitions == "if-valid":  # whoever judges a call asks what was offered
        leaves = list(map(with_hidden_options, leaves))
    if not leaves:
        return []
    if _stays(tool, request, modes):
        return [Offer(leaves[0], mode="strict" if _is_strict(tool, request.target) else "loose")]
    if options.flatten == "discrete":
        return list(map(Offer, leaves))
    end = 1 if options.flatten == "action" else -1
    leaves_by_group = group_by(leaves, lambda leaf: leaf.path[:end] or leaf.path)
    return [_draft_of_group(tool, path, members) for path, members in leaves_by_group.items()]


def _draft_of_group(tool: Tool, path: tuple[str, ...], members: Sequence[Leaf]) -> Offer:
    """One definition for the commands of a group or a program; a single command is offered as itself."""
    first = members[0]
    if len(members) == 1:
        return Offer(first)
    level = len(path)
    group_node = (tool, *first.ancestors[1:])[level - 1]
    group = Leaf(path, first.pointers[level - 1], group_node, first.ancestors[: level - 1])
    return Offer(group, leaves=tuple(members))


def _stays(tool: Tool, request: TargetRequest, modes: ProviderModes) -> bool:
    """Whether a tool is a definition in the provider's own format that stays as it is."""
    target = request.target
    if tool.origin != target.name or tool.children:
        return False
    if target.provider.is_hosted(tool):
        return True
    if request.options.asks_for_changes:
        return False
    if request.own_definitions == "as-read" and _has_shape_of_version(tool, request):
        return True
    return _obeys(tool, target, modes)


def _has_shape_of_version(tool: Tool, request: TargetRequest) -> bool:
    """Whether a tool already has the shape of the requested version; several versions can share one shape."""
    target = request.target
    return not target.provider.is_api or request.version in (None, target.version_of(target.write(tool, None).data))


def _obeys(tool: Tool, target: Format, modes: ProviderModes) -> bool:
    from toolglot.converter.fitting.provider_violations import (  # what most do without
        description_violations,
        name_violations,
        violations,
    )

    row = modes.strict if _is_strict(tool, target) else modes.loose
    if row is None or not tool.extension(target.name).keys() <= target.provider.request_keys:
        return False
    text = target.write(tool, None).data
    text_violations = [*name_violations(tool.id, row), *description_violations(_description(text), row)]
    return not text_violations and not violations(tool.inputs, row)


def _description(definition: dict[str, Any]) -> str | None:
    """The description in a definition, in whichever place its shape has it."""
    for holder in (definition, *definition.values()):
        if isinstance(holder, dict) and "description" in holder:
            description = holder["description"]
            return description if isinstance(description, str) else None
    return None


def _is_strict(tool: Tool, target: Format) -> bool:
    return tool.extension(target.name).get("strict") is True


def _name_drafts(drafts: Sequence[Offer], rules: ProviderRules) -> list[Offer]:
    qualified = [(draft.leaf, draft.qualifier) for draft in drafts]
    names = names_of(qualified, rules.name_first, rules.name_rest, rules.name_limit)
    return [replace(draft, name=name) for draft, name in zip(drafts, names, strict=True)]


def _offer(draft: Offer, request: TargetRequest, modes: ProviderModes, over: Sequence[str]) -> Offer:
    """One draft with its schema fitted.

    Args:
        over: the limits of the request that would be exceeded if this tool were strict as well.
    """
    target, options = request.target, request.options
    if not draft.leaves and request.hides(draft.leaf):
        return replace(draft, mode="excluded", reason=report_wording.HIDDEN)
    if draft.mode:
        return replace(draft, name=draft.leaf.tool.id)
    short = target.provider.is_api if options.safety_text is None else options.safety_text == "flags"
    plain = replace(draft, mode="loose", short_text=short, version=request.version)
    reason: str | None = None
    is_strict = options.strict
    if is_strict is None:  # a definition of the provider's own that is written anew stays in its mode
        is_strict = draft.leaf.tool.origin == target.name and _is_strict(draft.leaf.tool, target)
    if is_strict and over:
        reason = report_wording.BUDGET_SPENT.format(" and ".join(over))
    elif is_strict and modes.strict is not None:
        try:
            return _fit_draft(replace(plain, mode="strict"), modes.strict, request)
        except FitError as error:
            reason = f"{error.message} [{error.code}]"
    elif is_strict:
        reason = report_wording.NO_STRICT_MODE.format(modes.loose.profile)
    try:
        return _fit_draft(replace(plain, reason=reason), modes.loose, request)
    except FitError as error:
        return replace(plain, mode="excluded", reason=f"{error.message} [{error.code}]")
    except RecursionError:
        return replace(plain, mode="excluded", reason=report_wording.NESTED_TOO_DEEPLY)


def _fit_draft(plain: Offer, rules: ProviderRules, request: TargetRequest) -> Offer:
    if not plain.leaves:
        return replace(plain, fitted=fit_again(_offered_inputs(plain.leaf, request), rules))
    members: list[Member] = []
    left_out = [(leaf, report_wording.HIDDEN) for leaf in plain.leaves if request.hides(leaf)]
    leaves = [leaf for leaf in plain.leaves if not request.hides(leaf)]
    for value, leaf in zip(values_of(leaves, len(plain.leaf.path)), leaves, strict=True):
        try:
            members.append(member_of(value, leaf, fit_again(_offered_inputs(leaf, request), rules)))
        except FitError as error:
            if rules.strict:
                raise
            left_out.append((leaf, f"{error.message} [{error.code}]"))
    if not members:
        raise FitError("none of the commands can be expressed", code="no-command")
    combined_tool, chooser = combine(plain.leaf.tool, members, plain.short_text)
    return replace(
        plain,
        leaf=replace(plain.leaf, tool=combined_tool),
        fitted=fit(combined_tool.inputs, rules),
        members=tuple(members),
        chooser=chooser,
        left_out=tuple(left_out),
    )


def _offered_inputs(leaf: Leaf, request: TargetRequest) -> Any:
    if request.shows_hidden:
        return inputs_of(leaf)
    return without_hidden_options(inputs_of(leaf), leaf.tool)


def _within_budget(drafts: Iterable[Offer], request: TargetRequest, modes: ProviderModes) -> Iterator[Offer]:
    """The offers; strict ones become loose once the limits of the request are reached."""
    budget = modes.strict.budget if modes.strict else Budget()
    limits = {"strict tools": budget.strict_tools, "optional parameters": budget.optional, "unions": budget.unions}
    spent = dict.fromkeys(limits, 0)
    strict_options = replace(request.options, strict=True)
    as_strict = replace(request, options=strict_options)
    for draft in drafts:
        is_spent = spent["strict tools"] == budget.strict_tools
        over = [f"{budget.strict_tools} strict tools"] if is_spent else []
        offer = _offer(draft, request, modes, over)
        if offer.mode == "strict" and any(limit is not None for limit in limits.values()):
            optional, unions = budget_of(offer.schema)
            after = {unit: spent[unit] + more for unit, more in zip(limits, (1, optional, unions), strict=True)}
            over = [f"{limit} {unit}" for unit, limit in limits.items() if limit is not None and after[unit] > limit]
            is_kept = draft.mode and request.own_definitions == "as-read"
            if over and not is_kept:
                offer = _offer(replace(draft, mode=""), as_strict, modes, over)
            else:
                spent = after
        yield offer


def _without_twins(offers: Iterable[Offer]) -> list[Offer]:
    """The offers without equal definitions: a provider refuses two definitions of one name."""
    distinct: list[Offer] = []
    names: set[str] = set()
    for offer in offers:
        if offer.name in names and offer.fitted is not None:
            offer = replace(offer, mode="excluded", reason=report_wording.OFFERED_ALREADY)
        names.add(offer.name)
        distinct.append(offer)
    return distinct


def present_tool(offer: Offer, target: Format, rules: ProviderRules) -> Tool:
    """The tool as the target's writer gets it: with its final name, and without anything that the provider refuses."""
    tool, fitted = offer.leaf.tool, offer.fitted
    if fitted is None:
        return tool
    extensions = dict(tool.extensions or {})
    own = only_keys(extensions.pop(target.name, {}), target.provider.request_keys)
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
    return replace(
        tool,
        description=with_original_name(tool.description, " ".join(named_parts(offer.leaf.path)), offer.name),
        id=offer.name,
        inputs=fitted.schema,
        outputs=outputs,
        examples=examples,
        extensions=extensions or None,
        origin=origin,
    )


def _encode_example(example: Example, fitted: Fitted) -> Example | None:
    """An example with the arguments of the fitted schema, because providers validate examples by it."""
    if not isinstance(example.input, dict):
        return example
    try:
        return replace(example, input=fitted.encode(example.input))
    except FitError:
        return None


def _fitted_outputs(outputs: JsonSchema | None, rules: ProviderRules) -> JsonSchema | None:
    """The fitted schema of results; `None` where results would have to be encoded to match it, which nobody does."""
    if outputs is None or rules.keywords is None:
        return outputs
    try:
        fitted = fit(outputs, rules)
    except FitError:
        return None
    if any(step.action == "encoded" for step in fitted.steps):
        return None
    return fitted.schema
