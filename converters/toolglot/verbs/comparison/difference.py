"""The result of a comparison of contracts: changes, tool by tool, with the rule behind each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from toolglot.converter.conversion.fail_on import FailOn, FailOnWords, fail_on_of
from toolglot.converter.conversion.report import Change, split_path
from toolglot.converter.hub.model import to_json
from toolglot.converter.safety import SAFETY_FIELDS
from toolglot.converter.schema.json_values import holds_text
from toolglot.verbs.comparison.breaking_changes import (
    BREAKING,
    BRINGING_WORDS,
    CLASSES,
    REMOVED,
    RULES,
    SAFETY,
    WORDING,
    ContractRule,
    largest,
)


class ContractChange(Change, frozen=True, kw_only=True, gc=False):
    """A change of a contract: its `code` is the id of a rule, which says what it means to callers.

    `path` is a JSON Pointer into the tool in the form of the hub; `line` and `column` are where the new side says it.

    >>> change = change_by_rule("flag-removed", "/bindings/all/flags", ["-a"], note="-a")
    >>> change.kind, change.note, change.category
    ('breaking', 'a flag is gone (-a)', <Category.GONE: 'gone'>)
    """

    @property
    def rule(self) -> ContractRule:
        """The rule of the change: what it means, and its source."""
        return RULES[self.code]

    @property
    def kind(self) -> str:
        """The class of the change, one of `CLASSES`."""
        return self.rule.kind

    @property
    def has_other_words(self) -> bool:
        """Whether a model reads other words there, or new ones."""
        if self.code == WORDING:
            return True
        brings_words = self.code in BRINGING_WORDS or self.path.endswith(_LISTED_VALUES)
        return brings_words and holds_text(self.after)

    def is_failing(self, kinds: Iterable[FailOn]) -> bool:
        """Whether the change fails a comparison that fails on these kinds."""
        return any(_FAILING[FailOn.DANGER](self) or _FAILING[kind](self) for kind in kinds)

    def to_json(self) -> dict[str, Any]:
        """The entry under the names of `schemas/difference`: `before` and `after` are called `from` and `to`."""
        entry = {
            "class": self.kind,
            "rule": self.code,
            "because": self.rule.citation,
            "needs": self.rule.bump,
            "pointer": self.path,
            "from": to_json(self.before),
            "to": to_json(self.after),
            "direction": self.direction,
            "message": self.note,
        }
        for name in ("source", "line", "column"):
            place = getattr(self, name)
            if place is not None:
                entry[name] = place
        return entry


def change_by_rule(
    rule: str, pointer: str, before: Any = None, after: Any = None, note: str = "", tool: str = ""
) -> ContractChange:
    """A change with the id of its rule.

    Args:
        note: a remark beside the sentence of the rule.
    """
    about = RULES[rule]
    reason = f"{about.sentence} ({note})" if note else about.sentence
    action = "changed"
    if rule == REMOVED or (before is not None and after is None):
        action = "gone"
    elif before is None:
        action = "new"
    return ContractChange(
        action=action,
        path=pointer,
        before=before,
        after=after,
        direction=about.direction,
        severity="warning" if about.kind in (BREAKING, SAFETY) else "info",
        code=rule,
        note=reason,
        tool=tool,
        field=pointer[1:].replace("/", "."),
        because=f"{about.kind}: {reason}",
    )


_LISTED_VALUES = ("/enum", "/const")

# Every kind holds the dangers, as in a conversion.
_FAILING: Mapping[FailOn, Callable[[ContractChange], bool]] = {
    FailOn.DANGER: lambda change: change.kind == SAFETY,
    FailOn.GUESSED: lambda change: change.action == "gone" and split_path(change.path)[1] in SAFETY_FIELDS,
    FailOn.LOST: lambda change: change.action == "gone",
    FailOn.ANY: lambda change: True,
    FailOn.BREAKING: lambda change: change.kind == BREAKING,
    FailOn.WORDS: lambda change: change.has_other_words,
}
"""What a comparison can be told to fail on -> whether it then fails on a change."""


class ToolDifference(msgspec.Struct, frozen=True, kw_only=True):
    """What happened to one tool.

    Attributes:
        id: the words of its path, such as `gh pr list`.
        status: `changed`, `added` or `removed`.
        old_version, new_version: the versions as they are written.
        needs: the part of the version that has to be raised, one of `BUMPS`.
        given: the part that was raised, `lowered`, or `unknown`.
        follows: whether the version follows the changes.
        warning: a remark about the version.
        looks_like: of a tool that is gone: the new tool with the same contract; of a new one, the one that is gone.
    """

    id: str
    status: str
    changes: tuple[ContractChange, ...]
    old_version: str | None = None
    new_version: str | None = None
    needs: str = "none"
    given: str = "unknown"
    follows: bool = True
    warning: str = ""
    looks_like: str | None = None

    @property
    def kind(self) -> str:
        """The gravest class of its changes."""
        return min((change.kind for change in self.changes), key=CLASSES.index, default=CLASSES[-1])

    def of_server(self, name: str) -> ToolDifference:
        """The same for a tool of a server, whose name stands before its id."""
        tool = f"{name} {self.id}"
        changes = tuple(replace(change, tool=tool) for change in self.changes)
        return replace(self, id=tool, changes=changes)

    def to_json(self) -> dict[str, Any]:
        """The entry as JSON data."""
        entry: dict[str, Any] = {}
        for name in _TOOL_FIELDS:
            fact = getattr(self, name)
            if fact not in (None, ""):
                entry[name.replace("_", "-")] = fact
        entry["changes"] = [change.to_json() for change in self.changes]
        return entry


_TOOL_FIELDS = (
    "id", "status", "old_version", "new_version", "needs", "given", "follows", "warning", "looks_like",
)  # fmt: skip


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """Every change between two sets of tools, the gravest tools first.

    `not_comparable` are the fields of the hub that only one of the two formats can say, and that a tool does say.

    >>> bool(Difference(tools=(), compared=3))
    False
    """

    tools: tuple[ToolDifference, ...]
    compared: int  # tools that both sides have
    not_comparable: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.tools)

    @property
    def changes(self) -> tuple[ContractChange, ...]:
        """The changes of all tools."""
        return tuple(change for tool in self.tools for change in tool.changes)

    @property
    def needs(self) -> str:
        """The largest bump that a tool needs."""
        return largest(tool.needs for tool in self.tools)

    @property
    def follows(self) -> bool:
        """Whether every version follows what changed."""
        return all(tool.follows for tool in self.tools)

    @property
    def weaker(self) -> tuple[ContractChange, ...]:
        """The changes after which a tool asks for less care than before."""
        return tuple(change for change in self.changes if change.kind == SAFETY and change.direction == "riskier")

    def failing(self, fail_on: FailOnWords) -> tuple[ContractChange, ...]:
        """The changes that a comparison fails on.

        Args:
            fail_on: `"danger"` is what is safety-relevant; `"guessed"` is that, and a fact of safety that nobody states
                any more; `"lost"` is danger, and what is gone; `"breaking"` is danger, and what breaks callers;
                `"words"` is danger, and other words for models; `"any"` is everything. One word, or several.

        Raises:
            UsageError: it is no such word; code `"bad-option"`.

        >>> change = change_by_rule("wording-changed", "/description", "Read.", "Read all.")
        >>> tool = ToolDifference(id="a", status="changed", changes=(change,))
        >>> difference = Difference(tools=(tool,), compared=1)
        >>> len(difference.failing("words")), len(difference.failing(["danger", "breaking"]))
        (1, 0)
        """
        kinds = fail_on_of(fail_on, tuple(FailOn))
        return tuple(change for change in self.changes if change.is_failing(kinds))

    @property
    def words(self) -> tuple[ContractChange, ...]:
        """The changes by which a model reads other words."""
        return tuple(change for change in self.changes if change.has_other_words)

    def counts(self) -> dict[str, int]:
        """How many changes there are of each class, the gravest first; classes without any are left out."""
        numbers = Counter(change.kind for change in self.changes)
        return {kind: numbers[kind] for kind in CLASSES if numbers[kind]}

    def to_json(self) -> dict[str, Any]:
        """The difference as JSON data, valid under `schemas/difference/1.schema.json`."""
        return {
            "toolglot-difference": 1,
            "compared": self.compared,
            "needs": self.needs,
            "follows": self.follows,
            "summary": self.counts(),
            "not-comparable": list(self.not_comparable),
            "tools": [tool.to_json() for tool in self.tools],
        }


def gravest_first(tools: Iterable[ToolDifference]) -> tuple[ToolDifference, ...]:
    """Tools whose version does not follow first, then in the order of their gravest change, and by id."""
    return tuple(sorted(tools, key=lambda tool: (tool.follows, CLASSES.index(tool.kind), tool.id, tool.status)))
