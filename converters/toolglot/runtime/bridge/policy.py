"""What a host allows calls to do, and the objections of such a policy to a tool."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, NamedTuple

import msgspec

from toolglot.converter.hub.model import Tool
from toolglot.converter.safety import UNKNOWN, UNSAFE, Levels
from toolglot.converter.safety.caution_before_calls import COSTS, UNKNOWN_COST, levels_with_cost, with_constants
from toolglot.runtime.bridge.prompt import clean_line
from toolglot.runtime.bridge.stated_objects import read_record
from toolglot.runtime.bridge.violations import Objection

_TRUST = ("inferred", "user", "community", "org", "vendor", "native")  # lowest first


class Policy(msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True, omit_defaults=True):
    """What calls may do; a field that is not set allows it. In JSON the keys are `allowDestructive` and so on.

    A field that is `True` also answers the question for a person about it, see `Session`. The last three fields are not
    in the ATIP reference bridge: it has no rule for tools that wait for a person, that run other programs, or whose
    effects nobody states.

    >>> Policy(allow_destructive=False, max_cost_estimate="low").allow_network is None
    True
    """

    allow_destructive: bool | None = None
    allow_non_reversible: bool | None = None
    allow_billable: bool | None = None
    allow_network: bool | None = None
    allow_filesystem_write: bool | None = None
    allow_filesystem_delete: bool | None = None
    max_cost_estimate: Literal["free", "low", "medium", "high"] | None = None
    min_trust_level: Literal["inferred", "user", "community", "org", "vendor", "native"] | None = None
    allow_interactive: bool | None = None
    allow_subprocess: bool | None = None
    allow_unstated: bool | None = None

    @classmethod
    def from_json(cls, data: Any) -> Policy:
        """The policy in an object with the keys of the reference bridge.

        Raises:
            UsageError: a key is unknown, or a value is wrong (code `bad-policy`). If such a key were passed over, the
                policy would allow what somebody meant to forbid.

        >>> Policy.from_json({"allowDestuctive": False})
        Traceback (most recent call last):
        toolglot.errors.UsageError: 'allowDestuctive' is not a field of a policy; did you mean "allowDestructive"? \
[bad-policy]
        """
        return read_record(cls, data, "a policy as an object", "a field of a policy", "bad-policy")


class _PolicyRule(NamedTuple):
    """A field of a policy that restricts by `False`, and the facet that it is about."""

    field: str
    facet: str
    code: str
    severity: str
    words: str


# In the order of the reference bridge, which has the first six.
_RULES = (
    _PolicyRule("allow_destructive", "destructive", "DESTRUCTIVE_OPERATION", "error", "destroys data for good"),
    _PolicyRule("allow_non_reversible", "irreversible", "NON_REVERSIBLE_OPERATION", "error", "cannot be undone"),
    _PolicyRule("allow_billable", "billable", "BILLABLE_OPERATION", "error", "may incur costs"),
    _PolicyRule("allow_network", "network", "NETWORK_OPERATION", "warning", "uses the network"),
    _PolicyRule("allow_filesystem_write", "writes_files", "FILESYSTEM_WRITE", "warning", "writes files"),
    _PolicyRule("allow_filesystem_delete", "deletes_files", "FILESYSTEM_DELETE", "warning", "deletes files"),
)
_OWN_RULES = (
    _PolicyRule("allow_interactive", "interactive", "INTERACTIVE_OPERATION", "error", "waits for a person"),
    _PolicyRule("allow_subprocess", "executes", "SUBPROCESS_OPERATION", "error", "runs other programs"),
)


def read_policy(policy: Policy | Mapping[str, Any] | None) -> Policy:
    """The policy that was given as a `Policy`, as an object, or not at all.

    Raises:
        UsageError: as for `Policy.from_json`.
    """
    if policy is None:
        return Policy()
    if isinstance(policy, Policy):  # nothing has checked the values of one that was made in Python
        policy = dict(zip(policy.__struct_encode_fields__, msgspec.structs.astuple(policy), strict=True))
    return Policy.from_json(policy)


def judge_policy(policy: Policy, tool: Tool, strict: bool) -> Iterator[Objection]:
    """The objections of a policy to every call of a tool, in the order of the reference bridge.

    Args:
        strict: whether a restricted fact that the tool does not state is an objection.

    >>> [objection.code for objection in judge_policy(Policy(allow_network=False), Tool(id="a"), True)]
    ['NETWORK_OPERATION']
    """
    stated_levels = levels_with_cost(tool)
    levels = with_constants(tool, stated_levels)
    yield from _judge_trust(policy, tool, strict)
    yield from _judge_effects(policy, _RULES, levels, stated_levels, strict)
    yield from _judge_cost(policy, levels["cost"], stated_levels["cost"], strict)
    yield from _judge_effects(policy, _OWN_RULES, levels, stated_levels, strict)
    if policy.allow_unstated is False and stated_levels["changes"] == UNKNOWN:
        message = "nobody states whether it changes anything, which the policy does not allow"
        yield Objection("UNSTATED_EFFECTS", message)


def _judge_trust(policy: Policy, tool: Tool, strict: bool) -> Iterator[Objection]:
    least_trust = policy.min_trust_level
    if least_trust is None or (tool.trust is None and not strict):
        return
    source = (tool.trust or {}).get("source")
    if source not in _TRUST or _TRUST.index(source) < _TRUST.index(least_trust):
        statement = "nothing"
        if source is not None:
            statement = f"`{clean_line(str(source), 40)}`"
        message = f"expected a source of `{least_trust}` or better, found {statement}"
        yield Objection("TRUST_BELOW_THRESHOLD", message)


def _judge_effects(
    policy: Policy, rules: Iterable[_PolicyRule], levels: Levels, stated_levels: Levels, strict: bool
) -> Iterator[Objection]:
    forbidden = {rule.facet for rule in rules if getattr(policy, rule.field) is False}
    # As in the reference bridge, what destroys and cannot be undone says both, though only one is asked about.
    refused_facets = set(forbidden)
    if "destructive" in forbidden and levels["destructive"] == UNSAFE:
        refused_facets.add("irreversible")
    for rule in rules:
        level = stated_levels[rule.facet]
        counts = strict or levels[rule.facet] == UNSAFE
        if level == UNSAFE and rule.facet in refused_facets:
            yield Objection(rule.code, f"it {rule.words}, which the policy does not allow", rule.severity)
        elif level == UNKNOWN and counts and rule.facet in forbidden:
            message = f"nothing says that it does not do this: it {rule.words}"
            yield Objection(rule.code, message, rule.severity)


def _judge_cost(policy: Policy, cost: int, stated_cost: int, strict: bool) -> Iterator[Objection]:
    most = policy.max_cost_estimate
    if most is None or most == "high":
        return
    if stated_cost == UNKNOWN_COST:
        if strict or cost > COSTS[most]:
            yield Objection("COST_EXCEEDS_LIMIT", f"nothing is stated about its cost; the limit is `{most}`")
    elif cost > COSTS[most]:
        word_of_cost = next(word for word, level in COSTS.items() if level == cost)
        yield Objection("COST_EXCEEDS_LIMIT", f"its cost is `{word_of_cost}`; the limit is `{most}`")
