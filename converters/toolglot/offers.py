"""Which tools of a request are offered to a provider: under which names, in which mode, and with which schema.

A request is refused as a whole for one bad tool, and budgets count over all of its tools, so this looks at all of
them before any is written. Names do not depend on order; which tools stay strict within a budget does.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import msgspec

from toolglot.errors import FitError, UsageError
from toolglot.fitting import names
from toolglot.fitting.combining import combine
from toolglot.fitting.fit import Fitted, fit
from toolglot.fitting.rules import Rules
from toolglot.fitting.verdict import request_violations, violations
from toolglot.formats import Format
from toolglot.model import Leaf, Tool, to_json

FLATTEN = ("discrete", "action")


class How(NamedTuple):
    """How tools are offered.

    Attributes:
        strict: ask the provider to hold its models to the schema; `None` is the provider's own default, which is no.
        profile: a variant of the provider's rules, such as a cloud's; `None` is the provider itself.
        flatten: `"discrete"`, one definition a command, or `"action"`, one a program with the command as a parameter.
    """

    strict: bool | None = None
    profile: str | None = None
    flatten: str = "discrete"

    @property
    def asked(self) -> bool:
        """Whether anything is wanted that a document may not have been written with."""
        return self != How()


class Offer(NamedTuple):
    """One tool as a request offers it.

    Attributes:
        leaf: the callable node.
        name: what the provider calls it.
        mode: `"strict"`, `"loose"`, or `"excluded"` where no schema of the provider can say it.
        reason: why it is not what was asked for; `None` where it is.
        fitted: its schema and the codec of its arguments; `None` for a definition that stays as it was.
        members: the commands behind one definition, with the values of the parameter that chooses one.
        chooser: the name of that parameter.
    """

    leaf: Leaf
    name: str
    mode: str
    reason: str | None = None
    fitted: Fitted | None = None
    members: tuple[tuple[str, Leaf], ...] = ()
    chooser: str = ""


class _Modes(NamedTuple):
    strict: Rules | None
    loose: Rules


def modes(target: Format, version: str | None, profile: str | None) -> _Modes:
    """The rules of a provider, strict (where there is such a mode) and loose.

    Raises:
        UsageError: the provider has no such profile for this version of its format.
    """
    version = version or target.writes[-1]
    rows = [row for row in target.profiles if version in row.versions]
    known = list(dict.fromkeys(row.profile for row in rows))
    wanted = profile or known[0]
    if wanted not in known:
        message = f"{target.name}@{version} has no profile {wanted!r}; choose one of {', '.join(known)}"
        raise UsageError(message, code="unknown-profile")
    chosen = {row.strict: row for row in rows if row.profile == wanted}
    return _Modes(chosen.get(True), chosen[False])


def plan(tools: Sequence[Tool], target: Format, version: str | None, how: How, keep: bool = True) -> list[list[Offer]]:
    """The offers of every tool.

    Args:
        keep: leave definitions of the provider's own format exactly as they are unless `how` asks for something;
            otherwise only those that obey the rules stay.

    Raises:
        UsageError: `how` asks for what the provider does not have.
    """
    if how.flatten not in FLATTEN:
        raise UsageError(f"flatten is {' or '.join(FLATTEN)}, not {how.flatten!r}", code="bad-option")
    rules = modes(target, version, how.profile)
    drafts = [_drafts(tool, target, how, rules, keep) for tool in tools]
    named = _name([draft for several in drafts for draft in several], rules.loose)
    offers = iter(_without_twins(_within_budget([_offer(draft, name, how, rules) for draft, name in named], rules)))
    return [[next(offers) for _ in several] for several in drafts]


class _Draft(NamedTuple):
    leaf: Leaf
    own: bool  # a definition of the provider's own that is kept as it is
    members: tuple[tuple[str, Leaf], ...] = ()
    chooser: str = ""


def _drafts(tool: Tool, target: Format, how: How, rules: _Modes, keep: bool) -> list[_Draft]:
    leaves = list(tool.leaves())
    own = tool.origin == target.name and not tool.children and not how.asked
    if own and (keep or _obeys(tool, target, rules)):
        return [_Draft(leaves[0], True)]
    if how.flatten == "action" and len(leaves) > 1:
        together, members, chooser = combine(tool, leaves)
        return [_Draft(Leaf((tool.id,), "", together, ()), False, members, chooser)]
    return [_Draft(leaf, False) for leaf in leaves]


def _obeys(tool: Tool, target: Format, rules: _Modes) -> bool:
    row = rules.strict if _is_strict(tool, target) else rules.loose
    return row is not None and not violations(tool.inputs, row)


def _is_strict(tool: Tool, target: Format) -> bool:
    return (tool.extensions or {}).get(target.name, {}).get("strict") is True


def _name(drafts: Sequence[_Draft], rules: Rules) -> list[tuple[_Draft, str]]:
    paths = Counter(draft.leaf.path for draft in drafts)
    originals = [original(draft.leaf, paths[draft.leaf.path] > 1) for draft in drafts]
    literal = [len(draft.leaf.path) == 1 for draft in drafts]
    found = names.allot(originals, rules.name_first, rules.name_rest, rules.name_limit, literal)
    return list(zip(drafts, found, strict=True))


def original(leaf: Leaf, several: bool = False) -> tuple[str, Any]:
    """The name that a leaf would have anywhere, and what tells it from others of that name."""
    content = json.dumps(to_json(leaf.tool), sort_keys=True) if several else ""
    return "_".join(leaf.path), (leaf.path, content)


def possible_names(offer: Offer, target: Format, version: str | None, how: How) -> frozenset[str]:
    """Every name that the tool of an offer can get, whatever else is in the request."""
    rules = modes(target, version, how.profile).loose
    arguments = (rules.name_first, rules.name_rest, rules.name_limit)
    return names.possible(original(offer.leaf), *arguments) | names.possible(original(offer.leaf, True), *arguments)


def _offer(draft: _Draft, name: str, how: How, rules: _Modes) -> Offer:
    if draft.own:
        return Offer(draft.leaf, draft.leaf.tool.id, "loose")
    plain = Offer(draft.leaf, name, "loose", members=draft.members, chooser=draft.chooser)
    schema = draft.leaf.tool.inputs if draft.leaf.tool.inputs is not None else {"type": "object"}
    reason: str | None = None
    if how.strict:
        try:
            if rules.strict is not None:
                return plain._replace(mode="strict", fitted=fit(schema, rules.strict))
            reason = f"{rules.loose.profile} has no strict mode for definitions"
        except FitError as error:
            reason = f"{error.message} [{error.code}]"
    try:
        return plain._replace(fitted=fit(schema, rules.loose), reason=reason)
    except FitError as error:
        return plain._replace(mode="excluded", reason=f"{error.message} [{error.code}]")


def _within_budget(offers: Iterable[Offer], rules: _Modes) -> list[Offer]:
    """The offers, where later strict ones are loose once the request has spent what it may."""
    kept: list[Offer] = []
    spent: list[tuple[dict[str, Any] | None, bool]] = []
    budget = rules.strict.budget if rules.strict else None
    for offer in offers:
        schema = offer.fitted.schema if offer.fitted else None
        if offer.mode == "strict" and rules.strict and budget:
            over = request_violations([*spent, (schema, True)], rules.strict)
            if over:
                source = offer.leaf.tool.inputs if offer.leaf.tool.inputs is not None else {"type": "object"}
                offer = offer._replace(mode="loose", fitted=fit(source, rules.loose), reason=over[0].message)
            else:
                spent.append((schema, True))
        kept.append(offer)
    return kept


def _without_twins(offers: Iterable[Offer]) -> list[Offer]:
    """The offers, where what is offered already is not offered again: two definitions of one name are refused."""
    kept: list[Offer] = []
    seen: set[str] = set()
    for offer in offers:
        twin = offer.name in seen and offer.fitted is not None
        kept.append(offer._replace(mode="excluded", reason="the very same tool is offered already") if twin else offer)
        seen.add(offer.name)
    return kept


def presented(offer: Offer, target: Format) -> Tool:
    """The tool as it is handed to the target's writer: named, with the schema that the provider accepts."""
    tool = offer.leaf.tool
    if offer.fitted is None:
        return tool
    extensions = dict(tool.extensions or {})
    if offer.mode == "strict":
        extensions[target.name] = {**extensions.get(target.name, {}), "strict": True}
    elif _is_strict(tool, target):
        extensions[target.name] = {key: value for key, value in extensions[target.name].items() if key != "strict"}
    return msgspec.structs.replace(tool, id=offer.name, inputs=offer.fitted.schema, extensions=extensions or None)
