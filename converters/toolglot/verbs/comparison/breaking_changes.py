"""Which changes of contracts break callers: the rules, with the class of each change and the bump it needs.

Sources: AIP-14, "Identity and breaking changes"; AIP-39, narrowing; the list of the ATIP RFC for command lines. AIP-14
names only two breaking changes. The others are breaking because a call that was right is refused, or an answer may
surprise its reader.
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
    """One rule: its id, the class of its changes, a sentence, and its source."""

    id: str
    kind: str
    sentence: str
    citation: str

    @property
    def bump(self) -> str:
        """The part of the version that has to be raised."""
        return "none" if self.id == CONFIRMED else BUMP_OF_CLASS[self.kind]

    @property
    def direction(self) -> str:
        """Whether the new tool asks for more care (`safer`), the same (`neutral`), or less (`riskier`)."""
        if self.id in _SAFER:
            return "safer"
        if self.kind == SAFETY:
            return "riskier"
        return "neutral"


_AIP14 = "AIP-14, identity and breaking changes"
_AIP39 = "AIP-39, narrowing"
_DIFF = "toolglot, after AIP-14"
_ATIP = "ATIP, differences of command lines"

_SENTENCES: dict[tuple[str, str], dict[str, str]] = {
    (BREAKING, _AIP14): {
        "input-required-added": "a new input has to be given",
        "input-made-required": "an input that could be left out has to be given",
        "output-type-narrowed": "the type of a result became narrower",
        "idempotence-lost": "it is no longer safe to call again",
        "danger-added": "it does something dangerous that was ruled out",
        "timeout-reduced": "it is given less time",
        "drivers-restricted": "fewer implementations may be used",
        REMOVED: "the tool is gone",
        "version-lowered": "the version went back, or is gone",
    },
    (BREAKING, _AIP39): {
        "mutates-added": "it changes something that it did not change",
        "risk-raised": "the risk is higher",
        "approval-tightened": "approval is asked for more often",
        "policy-changed": "another policy decides about approval",
        "requires-added": "it needs something that it did not need",
    },
    (BREAKING, _ATIP): {
        "binding-changed": "a parameter is given in another way on the command line",
        "flag-removed": "a flag is gone",
        "flag-moved": "a flag means another parameter now",
        "position-changed": "a positional argument stands in another place",
        "variadic-removed": "the parameter takes one value only",
        "environment-removed": "an environment variable is no longer read",
        "exclusion-added": "two options can no longer be given together",
    },
    (BREAKING, _DIFF): {
        "input-removed": "an input is gone",
        "input-closed": "inputs that are not named are refused now",
        "input-narrowed": "fewer values are accepted",
        "input-changed": "some values are no longer accepted, and others are",
        "input-unclear": "whether old calls are still accepted cannot be told",
        "input-undescribed": "the inputs are no longer described",
        "default-changed": "a call that leaves the input out means something else",
        "default-removed": "nobody says what a call means that leaves the input out",
        "output-removed": "a result is gone",
        "output-made-optional": "a result may be missing now",
        "output-widened": "callers meet values that could not occur",
        "output-opened": "callers meet results that nobody names",
        "output-added-to-closed": "a new result, where others were ruled out",
        "output-changed": "callers meet other values",
        "output-unclear": "whether callers meet other values cannot be told",
        "output-undescribed": "the results are no longer described",
        "error-removed": "an error code is gone, or has another name",
        "request-changed": "a call is another request now",
    },
    (SAFETY, _AIP14): {
        "mutates-removed": "it is no longer said to change something",
        "risk-lowered": "the risk is said to be lower",
        "approval-relaxed": "approval is asked for less often",
        "drivers-opened": "implementations may be used that were ruled out",
    },
    (SAFETY, _AIP39): {
        "policy-changed-safety": "nobody can tell whether the new policy asks as often",
        "gate-removed": "a condition or a bound is gone",
    },
    (SAFETY, _DIFF): {
        "safety-weaker": "it looks safer than before",
        "danger-unread": "a key sounds like a danger, and nobody reads it",
        "fact-unclear": "what is said of it cannot be read, and counts as the danger",
        DANGEROUS_TOOL: "the new tool is dangerous",
        SUSPICIOUS: "`check` warns of its new words",
        STRICTER: "it calls for more care than before",
        "namespace-lost": "nobody says any more whose tool it is",
        "namespace-changed": "it is said to be somebody else's tool",
    },
    (COMPATIBLE, _AIP14): {
        "timeout-changed": "it is given more time, or the time is said",
        "tool-added": "the tool is new",
    },
    (COMPATIBLE, _AIP39): {
        "requires-removed": "it needs less",
    },
    (COMPATIBLE, _ATIP): {
        "flag-added": "there is a new flag",
        "variadic-added": "the parameter takes several values",
        "environment-added": "an environment variable is read",
        "exclusion-removed": "two options can be given together",
    },
    (COMPATIBLE, _DIFF): {
        "default-added": "it is said what a call means that leaves the input out",
        "input-added": "there is a new optional input",
        "input-made-optional": "the input may be left out",
        "input-opened": "inputs that are not named are accepted now",
        "input-widened": "more values are accepted",
        "output-added": "there is a new result",
        "output-made-required": "the result is always there",
        "output-closed": "results that are not named are ruled out",
        "output-narrowed": "fewer values can occur",
        "output-described": "the results are described now",
        "error-added": "there is a new error code",
        "fact-changed": "something else is said about it",
        "claim-changed": "it claims something else, for which nobody vouches",
    },
    (EDITORIAL, _DIFF): {
        CONFIRMED: "what a conversion had supposed is confirmed",
        WORDING: "it is described in other words",
    },
}
"""Class of changes and who says so -> by rule the sentence that it tells."""

BRINGING_WORDS = frozenset({
    "tool-added", "input-added", "input-required-added", "output-added", "output-added-to-closed", "output-described",
    "default-added", "default-changed", "error-added",
})  # fmt: skip
"""The rules for what is new, with words that a model then reads."""

_SAFER = frozenset({STRICTER, "danger-added", "mutates-added", "risk-raised", "approval-tightened"})
RULES = {
    code: ContractRule(code, kind, sentence, citation)
    for (kind, citation), sentences in _SENTENCES.items()
    for code, sentence in sentences.items()
}


def largest(bumps: Iterable[str]) -> str:
    """The largest of some bumps.

    >>> largest(["patch", "major"]), largest([])
    ('major', 'none')
    """
    return max(bumps, key=BUMPS.index, default="none")
