"""The rules of changes: what each means to callers, whether it is breaking, the bump it needs, and why.

Sources: AIP-14, "Identity and breaking changes"; AIP-39, narrowing; the ATIP RFC's own list for command
lines. AIP-14 names two breaking changes only; the others are those after which a call that was right is refused, or an
answer is one that its reader did not expect.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

BREAKING, SAFETY, COMPATIBLE, EDITORIAL = "breaking", "safety-relevant", "compatible", "editorial"
CLASSES = (BREAKING, SAFETY, COMPATIBLE, EDITORIAL)
"""The classes of changes, the gravest first."""

BUMPS = ("none", "patch", "minor", "major")
"""The parts of a version that a change can ask for, the smallest first."""

BUMP_OF_CLASS = {BREAKING: "major", SAFETY: "minor", COMPATIBLE: "minor", EDITORIAL: "patch"}
"""The part of the version that a change of each class asks for."""

STRICTER = "safety-stricter"
"""The rule for what calls for more care, which is often breaking by another rule as well."""


REMOVED = "tool-removed"
"""The rule for a tool that is gone."""

WORDING = "wording-changed"
"""The rule for words that only people and models read."""

SUSPICIOUS = "words-suspicious"
"""The rule for new words that `check` warns of."""

DANGEROUS_TOOL = "dangerous-tool-added"
"""The rule for a new tool that states a danger that a person is asked about."""

CONFIRMED = "confirmed"
"""The rule for what somebody states as their own that a conversion had made up; no version has to say so."""


class ContractRule(NamedTuple):
    """One rule: its id, the class of the changes that it is about, a sentence, and who says so."""

    id: str
    kind: str
    sentence: str
    citation: str

    @property
    def bump(self) -> str:
        """The part of the version that has to grow."""
        return "none" if self.id == CONFIRMED else BUMP_OF_CLASS[self.kind]

    @property
    def direction(self) -> str:
        """Whether the tool then asks for more care (`safer`), for as much (`neutral`), or for less (`riskier`)."""
        if self.id in _SAFER:
            return "safer"
        if self.kind == SAFETY:
            return "riskier"
        return "neutral"


_AIP14 = "AIP-14, identity and breaking changes"
_AIP39 = "AIP-39, narrowing"
_DIFF = "toolglot, after AIP-14"
_ATIP = "ATIP, differences of command lines"

_RULES = (
    # inputs: what a caller may send
    ContractRule("input-required-added", BREAKING, "a new input has to be given", _AIP14),
    ContractRule("input-made-required", BREAKING, "an input that could be left out has to be given", _AIP14),
    ContractRule("input-removed", BREAKING, "an input is gone", _DIFF),
    ContractRule("input-closed", BREAKING, "inputs that are not named are refused now", _DIFF),
    ContractRule("input-narrowed", BREAKING, "fewer values are accepted", _DIFF),
    ContractRule("input-changed", BREAKING, "some values are no longer accepted, and others are", _DIFF),
    ContractRule("input-unclear", BREAKING, "whether old calls are still accepted cannot be told", _DIFF),
    ContractRule("input-undescribed", BREAKING, "the inputs are no longer described", _DIFF),
    ContractRule("default-changed", BREAKING, "a call that leaves the input out means something else", _DIFF),
    ContractRule("default-removed", BREAKING, "nobody says what a call means that leaves the input out", _DIFF),
    ContractRule("default-added", COMPATIBLE, "it is said what a call means that leaves the input out", _DIFF),
    ContractRule("input-added", COMPATIBLE, "there is a new optional input", _DIFF),
    ContractRule("input-made-optional", COMPATIBLE, "the input may be left out", _DIFF),
    ContractRule("input-opened", COMPATIBLE, "inputs that are not named are accepted now", _DIFF),
    ContractRule("input-widened", COMPATIBLE, "more values are accepted", _DIFF),
    # outputs: what a caller may rely on
    ContractRule("output-removed", BREAKING, "a result is gone", _DIFF),
    ContractRule("output-made-optional", BREAKING, "a result may be missing now", _DIFF),
    ContractRule("output-type-narrowed", BREAKING, "the type of a result became narrower", _AIP14),
    ContractRule("output-widened", BREAKING, "callers meet values that could not occur", _DIFF),
    ContractRule("output-opened", BREAKING, "callers meet results that nobody names", _DIFF),
    ContractRule("output-added-to-closed", BREAKING, "a new result, where others were ruled out", _DIFF),
    ContractRule("output-changed", BREAKING, "callers meet other values", _DIFF),
    ContractRule("output-unclear", BREAKING, "whether callers meet other values cannot be told", _DIFF),
    ContractRule("output-undescribed", BREAKING, "the results are no longer described", _DIFF),
    ContractRule("output-added", COMPATIBLE, "there is a new result", _DIFF),
    ContractRule("output-made-required", COMPATIBLE, "the result is always there", _DIFF),
    ContractRule("output-closed", COMPATIBLE, "results that are not named are ruled out", _DIFF),
    ContractRule("output-narrowed", COMPATIBLE, "fewer values can occur", _DIFF),
    ContractRule("output-described", COMPATIBLE, "the results are described now", _DIFF),
    ContractRule("error-removed", BREAKING, "an error code is gone, or has another name", _DIFF),
    ContractRule("error-added", COMPATIBLE, "there is a new error code", _DIFF),
    # the command line
    ContractRule("binding-changed", BREAKING, "a parameter is given in another way on the command line", _ATIP),
    ContractRule("flag-removed", BREAKING, "a flag is gone", _ATIP),
    ContractRule("flag-moved", BREAKING, "a flag means another parameter now", _ATIP),
    ContractRule("flag-added", COMPATIBLE, "there is a new flag", _ATIP),
    ContractRule("position-changed", BREAKING, "a positional argument stands in another place", _ATIP),
    ContractRule("variadic-removed", BREAKING, "the parameter takes one value only", _ATIP),
    ContractRule("variadic-added", COMPATIBLE, "the parameter takes several values", _ATIP),
    ContractRule("environment-removed", BREAKING, "an environment variable is no longer read", _ATIP),
    ContractRule("environment-added", COMPATIBLE, "an environment variable is read", _ATIP),
    ContractRule("exclusion-added", BREAKING, "two options can no longer be given together", _ATIP),
    ContractRule("exclusion-removed", COMPATIBLE, "two options can be given together", _ATIP),
    # the HTTP request
    ContractRule("request-changed", BREAKING, "a call is another request now", _DIFF),
    # the side-effect profile
    ContractRule("mutates-added", BREAKING, "it changes something that it did not change", _AIP39),
    ContractRule("mutates-removed", SAFETY, "it is no longer said to change something", _AIP14),
    ContractRule("risk-raised", BREAKING, "the risk is higher", _AIP39),
    ContractRule("risk-lowered", SAFETY, "the risk is said to be lower", _AIP14),
    ContractRule("approval-tightened", BREAKING, "approval is asked for more often", _AIP39),
    ContractRule("approval-relaxed", SAFETY, "approval is asked for less often", _AIP14),
    ContractRule("policy-changed", BREAKING, "another policy decides about approval", _AIP39),
    ContractRule("policy-changed-safety", SAFETY, "nobody can tell whether the new policy asks as often", _AIP39),
    ContractRule("idempotence-lost", BREAKING, "it is no longer safe to call again", _AIP14),
    ContractRule("danger-added", BREAKING, "it does something dangerous that was ruled out", _AIP14),
    ContractRule("requires-added", BREAKING, "it needs something that it did not need", _AIP39),
    ContractRule("requires-removed", COMPATIBLE, "it needs less", _AIP39),
    ContractRule("gate-removed", SAFETY, "a condition or a bound is gone", _AIP39),
    ContractRule("timeout-reduced", BREAKING, "it is given less time", _AIP14),
    ContractRule("timeout-changed", COMPATIBLE, "it is given more time, or the time is said", _AIP14),
    ContractRule("drivers-restricted", BREAKING, "fewer implementations may be used", _AIP14),
    ContractRule("drivers-opened", SAFETY, "implementations may be used that were ruled out", _AIP14),
    ContractRule("safety-weaker", SAFETY, "it looks safer than before", _DIFF),
    ContractRule("danger-unread", SAFETY, "a key sounds like a danger, and nobody reads it", _DIFF),
    ContractRule("fact-unclear", SAFETY, "what is said of it cannot be read, and counts as the danger", _DIFF),
    ContractRule(DANGEROUS_TOOL, SAFETY, "the new tool is dangerous", _DIFF),
    ContractRule(SUSPICIOUS, SAFETY, "`check` warns of its new words", _DIFF),
    ContractRule(STRICTER, SAFETY, "it calls for more care than before", _DIFF),
    # the rest
    ContractRule(REMOVED, BREAKING, "the tool is gone", _AIP14),
    ContractRule("namespace-lost", SAFETY, "nobody says any more whose tool it is", _DIFF),
    ContractRule("namespace-changed", SAFETY, "it is said to be somebody else's tool", _DIFF),
    ContractRule("version-lowered", BREAKING, "the version went back, or is gone", _AIP14),
    ContractRule("tool-added", COMPATIBLE, "the tool is new", _AIP14),
    ContractRule("fact-changed", COMPATIBLE, "something else is said about it", _DIFF),
    ContractRule("claim-changed", COMPATIBLE, "it claims something else, for which nobody vouches", _DIFF),
    ContractRule(CONFIRMED, EDITORIAL, "what a conversion had supposed is confirmed", _DIFF),
    ContractRule(WORDING, EDITORIAL, "it is described in other words", _DIFF),
)
BRINGING_WORDS = frozenset({
    "tool-added", "input-added", "input-required-added", "output-added", "output-added-to-closed", "output-described",
    "default-added", "default-changed", "error-added",
})  # fmt: skip
"""The rules for what is new, with words that a model then reads."""

_SAFER = frozenset({STRICTER, "danger-added", "mutates-added", "risk-raised", "approval-tightened"})
RULES = {rule.id: rule for rule in _RULES}


def largest(bumps: Iterable[str]) -> str:
    """The largest of some bumps.

    >>> largest(["patch", "major"]), largest([])
    ('major', 'none')
    """
    return max(bumps, key=BUMPS.index, default="none")
