"""What a document states about one tool, and what that says about each facet of danger."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

SAFE, UNKNOWN, DANGER = 0, 1, 2
NEVER, SOMETIMES, ALWAYS = 0, 2, 3  # approval: 1 is unknown

# A fact that is stated as dangerous is a danger on these facets. "removes" is the deletion of anything, "deletes" of
# files; whoever destroys or deletes also changes.
RAISES: dict[str, tuple[str, ...]] = {
    "destructive": ("destructive", "changes"),
    "irreversible": ("irreversible", "changes"),
    "unrepeatable": ("unrepeatable",),
    "billable": ("billable",),
    "deletes": ("deletes", "removes", "changes"),
    "removes": ("removes", "changes"),
    "writes": ("writes", "changes"),
    "creates": ("changes",),
    "modifies": ("changes",),
    "changes": ("changes",),
    "executes": ("executes", "changes"),
    "network": ("network",),
    "credentials": ("credentials",),
    "secrets": ("credentials",),
    "methods": ("credentials",),
    "risk": ("destructive", "irreversible", "changes"),
    "exec": ("executes", "destructive", "irreversible", "unrepeatable", "changes"),
    "stdin": ("interactive",),
    "password": ("interactive", "credentials"),
    "prompts": ("interactive",),
    "tty": ("interactive",),
    "interactive": ("interactive",),
    # What further fields of one node say. Each is handed down by itself, so each is a fact of its own.
    "mutates": ("changes",),
    "workspace": ("writes", "changes"),
    "network scope": ("network", "changes"),
    "sandbox": ("executes", "changes"),
    "hosts": ("network",),
    "egress": ("network",),
    "tier": ("changes",),
    "low risk": ("changes",),
    "cost": ("billable",),
}
FACETS = (
    "destructive", "irreversible", "deletes", "removes", "executes", "billable", "unrepeatable", "approval",
    "changes", "writes", "network", "credentials", "interactive",
)  # fmt: skip

# What every target says, by a field, a flag of the ATIP RFC or a word.
SAID_BY_ALL = frozenset(FACETS[:8])

READS_ONLY = frozenset({"changes", "destructive", "deletes", "removes", "writes"})


@dataclass
class Statement:
    """What is stated about one tool.

    Attributes:
        name: its id or name, or the path of its command.
        texts: what a model or a person reads about it; the first is its own description.
        dangers: facts stated as dangerous.
        denials: facts stated as safe, which a careful host believes.
        claims: facts that a host of this format takes as safe: the denials, hints, and what an absent field means.
        entailed: facets that several denials together make safe, such as reading only.
        stated: further facts that it speaks about, so that it takes nothing about them from above.
        unclear: facts about which something is said that cannot be understood; dangerous until known.
        doubtful: facets that its reader may take for dangerous, and need not.
        asks: how often a person is asked, `None` where nobody says.
        may_ask_claim: the same as a host takes it, an absent field included.
        tier: the effect class, where the format has one.
        warnings: the words of danger that the texts hold.
        additive: whether it is stated to add things and to do nothing else.
        says_read_only: whether a text has the flag READ-ONLY, which is no fact.
    """

    name: str
    texts: list[str] = field(default_factory=list)
    dangers: set[str] = field(default_factory=set)
    denials: set[str] = field(default_factory=set)
    claims: set[str] = field(default_factory=set)
    entailed: set[str] = field(default_factory=set)
    stated: set[str] = field(default_factory=set)
    unclear: set[str] = field(default_factory=set)
    doubtful: set[str] = field(default_factory=set)
    asks: int | None = None
    asks_by_default: int | None = None
    tier: str | None = None
    warnings: list[str] = field(default_factory=list)
    additive: bool = False
    says_read_only: bool = False

    def state(self, fact: str, value: Any, danger: Any = True) -> None:
        """A fact from a field that holds a truth value; `danger` is the value that is dangerous. Null is silence."""
        if value is None:
            return
        if not isinstance(value, bool):
            self.unclear.add(fact)
        elif value is danger:
            self.dangers.add(fact)
        else:
            self.deny(fact)

    def deny(self, *facts: str) -> None:
        self.denials.update(facts)
        self.claims.update(facts)

    def ask(self, level: int | None) -> None:
        """Approval is asked for at least so often."""
        if level is not None:
            self.asks = level if self.asks is None else max(self.asks, level)

    def alarms(self) -> set[str]:
        """The facets on which a careful host is alarmed."""
        found = {facet for fact in self.dangers | self.unclear for facet in RAISES.get(fact, ())}
        return found | ({"approval"} if (self.asks or 0) >= SOMETIMES or "approval" in self.unclear else set())

    def unsure(self) -> set[str]:
        """The facets on which a reader may be alarmed, and need not."""
        is_contradicted = self.asks == NEVER and "changes" in self.alarms()  # read as `on-mutate`
        return self.doubtful | ({"approval"} if is_contradicted else set())

    def promises(self, facet: str) -> bool:
        """Whether a host takes the facet for safe."""
        if facet == "approval":
            return self.asks == NEVER
        return facet in (self.safe() | self.claims) - self.alarms()

    def safe(self) -> set[str]:
        """The facets that are stated to be safe, by nothing else denied."""
        return (self.denials | self.entailed) - self.alarms()

    def level(self, facet: str) -> int:
        if facet == "approval":
            return self.approval()
        if facet in self.alarms():
            return DANGER
        return SAFE if facet in self.safe() else UNKNOWN

    def approval(self) -> int:
        level = UNKNOWN if self.asks is None else self.asks
        return max(level, ALWAYS) if "approval" in self.unclear else level

    def inherit(self, above: Sequence[Statement], root: Statement | None) -> None:
        """Unsafe facts of the root always, of groups where this one is silent on that very fact (specs 1.7 row 15).

        Safe facts are never inherited. How to sign in is no effect: there what is nearest holds.
        """
        own = self.dangers | self.denials | self.unclear | self.stated | self.entailed
        if self.asks is not None:
            own |= {"approval"}
        nearest = [*reversed(above), *([root] if root else [])]
        signing_in = next(
            (node for node in nearest if "credentials" in node.dangers | node.denials | node.unclear), None
        )
        for node in nearest:  # what this one denies, a target may still say of the group
            self.doubtful |= node.alarms() | node.unsure()
        is_denied = signing_in is not None and "credentials" in signing_in.denials - signing_in.dangers
        if is_denied and "credentials" not in own - self.stated:
            self.deny("credentials")
            own |= {"credentials"}
        for group in reversed(above):
            self.dangers |= group.dangers - own
            self.unclear |= group.unclear - own
            if self.asks is None and group.asks != NEVER:
                self.ask(group.asks)
            own |= {"credentials"} & (group.dangers | group.denials | group.unclear | group.stated)
        if root is not None:
            self.warnings = [*self.warnings, *root.warnings]  # what a program says reaches its commands
            self.dangers |= root.dangers - (own & {"credentials"})
            self.unclear |= root.unclear - (own & {"credentials"})
            if root.asks not in (None, NEVER):
                self.ask(root.asks)
