"""Law 3 by the judge: what the last document of a chain says about each tool, held against what the first one says.

(a) What is stated as dangerous never looks safer. (b) What nobody states, no chain states: neither a danger nor its
absence. (c) No claim makes anything look safer than unknown: `calmer` compares a document with the same one without.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from judge.statements import DANGER, FACETS, NEVER, SAFE, SAID_BY_ALL, UNKNOWN, Statement
from judge.words import hear

PROVIDERS = frozenset({"openai", "anthropic", "gemini"})
_OPEN = ("hub",)  # a document of it keeps which format it came from, and goes back there unchanged
_FLAGS = frozenset({"aip14", "tool-descriptor", "mcp", "atdf", "a2a", "skill", *PROVIDERS})  # say danger in texts


class Coarse(NamedTuple):
    """A word of some targets that says more than was stated: one line of the closed table of the design."""

    name: str
    stated: frozenset[str]  # facets of which one has to be an alarm; with none, the word is there for unknown too
    targets: frozenset[str]
    says: frozenset[str]


COARSE = (
    Coarse("unknown as write", frozenset(), frozenset({"tool-descriptor"}), frozenset({"changes"})),
    Coarse("deletion as destruction", frozenset({"deletes", "removes"}), _FLAGS, frozenset({"destructive", "changes"})),
    Coarse(
        "irreversibility as destruction", frozenset({"irreversible"}), frozenset({"mcp", "aip14"}),
        frozenset({"destructive"}),
    ),
    Coarse("deletion of files as change of them", frozenset({"deletes"}), frozenset({"aip14"}), frozenset({"writes"})),
    Coarse("destruction as risk 3", frozenset({"destructive"}), frozenset({"aip14"}), frozenset({"irreversible"})),
    Coarse(
        "execution as everything", frozenset({"executes"}), _FLAGS,
        frozenset({"changes", "destructive", "irreversible", "unrepeatable", "approval"}),
    ),
)  # fmt: skip


class Fault(NamedTuple):
    """One tool that came out looking safer: how, on which facet, and which one."""

    kind: str
    facet: str
    tool: str


def faults(first: Statement, last: Statement, chain: Sequence[str]) -> list[Fault]:
    """Where a tool looks safer at the end of a chain of formats than at its beginning, or is warned of more often.

    A danger may fade to unknown only on a facet that a provider on the way leaves out, and never to a safe statement.
    """
    found = [Fault("faded", facet, first.name) for facet in _faded(first, last, chain)]
    found += [Fault("invented", facet, first.name) for facet, word in surplus(first, last, chain) if word is None]
    found += [Fault("twice", words, first.name) for words in _repeated(first, last)]
    if not set(chain) <= {chain[0], *_OPEN}:  # what stays in its format says what it said
        found += [Fault("denied", facet, first.name) for facet in _denied(first, last)]
    return found


def _faded(first: Statement, last: Statement, chain: Sequence[str]) -> list[str]:
    silent = PROVIDERS & set(chain[1:])
    found = []
    for facet in FACETS:
        if silent and facet not in SAID_BY_ALL:
            continue
        if facet == "approval":
            asked = first.approval()
            if asked > UNKNOWN and last.approval() < asked:
                found.append(facet)
        elif first.level(facet) == DANGER and not _is_said(last, facet):
            found.append(facet)
    return found


def surplus(first: Statement, last: Statement, chain: Sequence[str]) -> Iterator[tuple[str, str | None]]:
    """The alarms of the last document that the first does not have, each with the coarse word that says it, if any."""
    alarms = first.alarms() | first.unsure()
    words: dict[str, str] = {}
    for target in chain[1:]:
        said = alarms | words.keys()
        for coarse in COARSE:
            if target in coarse.targets and (not coarse.stated or said & coarse.stated):
                for facet in coarse.says - said:
                    words.setdefault(facet, coarse.name)
    for facet in sorted(last.alarms() - alarms):
        if facet != "removes" or "destructive" not in alarms | words.keys():  # what destroys data deletes it
            yield facet, words.get(facet)


def calmer(one: Statement, other: Statement, believing: bool) -> list[str]:
    """The facets on which one document calls for less caution than another one.

    Args:
        believing: whether a host takes hints and absent fields as its format means them.
    """
    return [facet for facet in FACETS if _caution(one, facet, believing) < _caution(other, facet, believing)]


def _caution(tool: Statement, facet: str, believing: bool) -> int:
    if facet == "approval":
        asked = tool.approval()
        return NEVER if believing and asked == UNKNOWN and tool.asks_by_default == NEVER else asked
    level = tool.level(facet)
    return SAFE if believing and level != DANGER and facet in tool.claims else level


def _repeated(first: Statement, last: Statement) -> list[str]:
    """Warnings that the last description has more than once, and more often than all the first texts together."""
    description = Statement(last.name)
    hear(description, *last.texts[:1])
    said, whole = Counter(first.warnings), " ".join(first.texts).lower()
    return [
        words
        for words, count in Counter(description.warnings).items()
        if count > max(1, said[words], whole.count(words.lower()))
    ]


def _is_said(last: Statement, facet: str) -> bool:
    if facet == "removes" and last.level("destructive") == DANGER:
        return True  # whoever is told that data is destroyed is told that it is deleted
    return last.level(facet) == DANGER


def _denied(first: Statement, last: Statement) -> list[str]:
    """Safe statements of the last document that the first one does not make."""
    safe = first.safe()
    found = [facet for facet in FACETS if facet in last.claims and facet not in safe]
    if "additive" in last.claims and not first.additive:
        found.append("additive")
    if "replay" in last.claims - first.claims and "unrepeatable" not in safe:
        found.append("replay")
    if "closed" in last.claims and first.level("executes") == DANGER:
        found.append("closed")
    never = NEVER in (last.asks, last.asks_by_default if last.asks is None else None)
    if never and first.approval() != NEVER and "approval" not in found:
        found.append("approval")
    if last.says_read_only and not first.says_read_only and not {"network", "writes"} <= safe:
        found.append("read-only")
    return found
