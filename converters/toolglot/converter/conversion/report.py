"""The changes of a conversion as records: a `Report` holds a `Change` for every difference.

Prose, JSON, severity and exit code are derived from these records. `leaf_comparison` makes most of them. This module
makes those for what no comparison shows.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

import msgspec
from msgspec.structs import replace

from toolglot.converter import safety
from toolglot.converter.conversion import report_wording
from toolglot.converter.conversion.categories import ACTIONS, DANGERS, LOSING_ACTIONS, LOSSES, Category, category_of
from toolglot.converter.hub.fields import PARAMETERS, noun_of
from toolglot.converter.hub.model import Leaf, to_json
from toolglot.converter.text.digests import hex_digest
from toolglot.converter.text.wording import count_noun


def code_of_refusal(field: str) -> str:
    """The code of a change that tells that an asserted fact does not count.

    >>> code_of_refusal("safety_tier"), is_refusal("refused-safety-tier")
    ('refused-safety-tier', True)
    """
    return f"{_REFUSED}{field.replace('_', '-')}"


def is_refusal(code: str) -> bool:
    """Whether a code tells that an asserted fact does not count."""
    return code.startswith(_REFUSED)


_REFUSED = "refused-"


class Change(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One difference between what was read and what the target says.

    The attributes from `field` on are known once the places are found.

    Attributes:
        action: what happened; `categories.ACTIONS` has all.
        path: JSON Pointer into the hub, from the tool.
        before, after: the values on both sides; `None` where a side has none.
        direction: `safer`, `neutral` or `riskier`, seen from the user.
        code: stable identifier, such as `dropped-tags`.
        note: what happened, in words.
        tool: id of the tool; empty for what stands beside the tools.
        command: the words of the command that `path` leads to; empty where it leads to none below the tool.
        source: name of the document.
        line, column: where the source says the value, or else describes the tool; counted from 1.
        field: the name of the value in the source, or in the target where the source does not say it.
        spelled: the word that stands there.
        result: number of a document of the result and line in it where the target says the value, if requested.
        because: the reason in few words.
        bookkeeping: whether the change only follows from how the formats spell things.
        says_danger: whether the target says a danger in words.
        is_marked: whether the document marks the value as made up.
        is_own: whether the tool has the target's own format.
        is_carried: whether it is no loss, because a slot keeps the value.
    """

    action: str
    path: str
    before: Any = None
    after: Any = None
    direction: str = "neutral"
    severity: str = "info"
    code: str
    note: str
    tool: str = ""
    command: str = ""
    source: str | None = None
    line: int | None = None
    column: int | None = None
    field: str = ""
    spelled: Any = None
    result: tuple[int, int] | None = None
    because: str = ""
    bookkeeping: bool | None = None
    says_danger: bool = False
    is_marked: bool = False
    is_own: bool = False
    is_carried: bool = False

    def to_json(self) -> dict[str, Any]:
        """The entry under the names of `schemas/report`: `before` and `after` are called `from` and `to`."""
        data = to_json(self)
        data["from"], data["to"] = data.pop("before"), data.pop("after")
        data["fingerprint"] = self.fingerprint
        return {key: data[key] for key in _JSON_ORDER if key not in _SILENT or data[key] != _SILENT[key]}

    @property
    def fingerprint(self) -> str:
        """Twelve hexadecimal digits. They stay the same as long as the change does, wherever it stands in the file.

        >>> Change(action="dropped", code="dropped-tags", note="", path="/tags", before=("a",), line=3).fingerprint
        '0a0f0b11c572'
        """
        return fingerprint_of(self.identity)

    @property
    def identity(self) -> tuple[Any, ...]:
        """What the fingerprint is made of: the kind of change, the tool and the values, but not the line."""
        return self.code, self.tool, self.command, self.path, self.before, self.after

    @property
    def category(self) -> Category:
        """The category of the change for people.

        >>> Change(action="assumed", code="assumed-version", note="", path="/version", tool="a").category
        <Category.FILLED_IN: 'filled in'>
        >>> Change(action="assumed", code="assumed-mutates", note="", path="/mutates", tool="a").category
        <Category.UNSTATED: 'not stated'>
        """
        category = category_of(self.action, self.code)
        if category in DANGERS:
            return category
        if self.is_carried:
            return Category.SPELLING
        if self.says_danger:
            return Category.SAID
        if category is Category.FILLED_IN and safety.facets_of(self.fact):
            return Category.UNSTATED
        return category

    @property
    def fact(self) -> str:
        """The hub field that the change is about; empty for a part of a field, and for what stands beside the tools.

        >>> Change(action="", code="", note="", path="/children/0/network", tool="a").fact
        'network'
        >>> Change(action="", code="", note="", path="/network").fact
        ''
        """
        _, field, rest = split_path(self.path)
        return "" if rest or not self.tool else field

    @property
    def fits_slot(self) -> bool:
        """Whether the change is a loss that a slot could keep.

        Only tools that are written have a slot: not what stands beside the tools, not a tool that is left out, and not
        a tool of the target's own format.
        """
        is_loss = self.action in LOSING_ACTIONS and self.action != "excluded"
        return is_loss and bool(self.tool) and not self.is_own

    @property
    def place(self) -> str:
        """The place for people: the words of the command, and the path from there.

        >>> Change(action="", code="", note="", path="/children/0/title", command="gh auth").place
        'gh auth /title'
        """
        if self.command:
            return f"{self.command} {self.path[len(split_path(self.path)[0]) :]}"
        return self.path


REPORT_KEY = "toolglot-report"
"""What a report begins with as JSON."""

_JSON_ORDER = (
    "action", "path", "field", "from", "to", "direction", "severity", "code", "note", "because", "bookkeeping", "tool",
    "command", "source", "line", "column", "fingerprint",
)  # fmt: skip
# What is left out where it is not known.
_SILENT: dict[str, Any] = {
    **dict.fromkeys(("source", "line", "column", "bookkeeping")),
    **dict.fromkeys(("command", "field", "because"), ""),
}


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """Every difference of one conversion, or of several.

    >>> report = Report(origin="a", target="b", tools=1)
    >>> bool(report), report.losses
    (False, ())
    >>> report
    <Report of 1 tool, a to b: no change>
    >>> Report(origin="", target="b", tools=2)  # of tools that stand in no document
    <Report of 2 tools, to b: no change>
    """

    origin: str
    target: str
    tools: int
    changes: tuple[Change, ...] = ()
    lossless: bool = False  # whether the slot of the target holds the tool
    sources: tuple[str, ...] = ()  # names of the documents

    def __bool__(self) -> bool:
        return bool(self.changes)

    def __repr__(self) -> str:
        counts = Counter(change.action for change in self.changes)
        numbers = ", ".join(f"{counts[action]} {action}" for action in ACTIONS if counts[action])
        formats = f"{self.origin} to {self.target}".lstrip()
        return f"<Report of {count_noun(self.tools, 'tool')}, {formats}: {numbers or 'no change'}>"

    @property
    def losses(self) -> tuple[Change, ...]:
        """The changes that are losses, without those that a slot keeps."""
        return tuple(change for change in self.changes if change.category in LOSSES)

    @property
    def silent_tools(self) -> int:
        """The number of tools whose effects nobody states."""
        return sum(change.action == "unstated" for change in self.changes)

    @property
    def categories(self) -> Counter[Category]:
        """Category -> number of changes, without bookkeeping."""
        return Counter(change.category for change in self.changes if not change.bookkeeping)

    def counts(self) -> Counter[tuple[str, str, str]]:
        """(severity, action, code) -> number of changes."""
        return Counter((change.severity, change.action, change.code) for change in self.changes)

    def to_json(self) -> dict[str, Any]:
        """The report as JSON data, valid under `schemas/report/1.schema.json`."""
        counts = Counter(change.action for change in self.changes)
        return {
            REPORT_KEY: 1,
            "from": self.origin,
            "to": self.target,
            "tools": self.tools,
            "lossless": self.lossless,
            "summary": {action: counts[action] for action in ACTIONS if counts[action]},
            "changes": [change.to_json() for change in self.changes],
        }


def fingerprint_of(parts: tuple[Any, ...]) -> str:
    """Twelve hexadecimal digits that equal parts share."""
    values = [to_json(part) for part in parts]
    return hex_digest(json.dumps(values, sort_keys=True, default=str), 12)


def merge_reports(reports: Iterable[Report]) -> Report:
    """One report of several; formats that differ are joined by a comma.

    >>> streams = [Report(origin=origin, target="hub", tools=1) for origin in ("mcp, atdf", "atdf, atip")]
    >>> merge_reports(streams).origin
    'mcp, atdf, atip'
    """
    reports = list(reports)
    return Report(
        origin=", ".join(dict.fromkeys(origin for report in reports for origin in report.origin.split(", "))),
        target=", ".join(dict.fromkeys(report.target for report in reports)),
        tools=sum(report.tools for report in reports),
        changes=tuple(change for report in reports for change in report.changes),
        lossless=any(report.lossless for report in reports),
        sources=tuple(dict.fromkeys(source for report in reports for source in report.sources)),
    )


_PATH = re.compile(r"((?:/children/[0-9]+)*)/([^/]*)(.*)", re.DOTALL)


def split_path(path: str) -> tuple[str, str, str]:
    """The path of a change in three parts: pointer of the node, name of the field, and pointer in the field's value.

    >>> split_path("/children/0/inputs/properties/children/type")
    ('/children/0', 'inputs', '/properties/children/type')
    """
    match = _PATH.fullmatch(path)
    if match is None:
        return "", "", path
    return match[1], match[2], match[3]


def change_of(
    action: str, tool: str, node: str, name: str, before: Any = None, after: Any = None, rest: str = "", **others: Any
) -> Change:
    """A change of one field. Code, note and severity are those of its kind.

    Args:
        node: JSON Pointer of the node that states the field.
        name: name of the field.
        rest: JSON Pointer in the value of the field.
        others: attributes of the change that differ from those of its kind.

    >>> change = change_of("dropped", "t", "/children/0", "when_to_use")
    >>> change.code, change.path, change.severity, change.note
    ('dropped-when-to-use', '/children/0/when_to_use', 'warning', 'the target has no place for it')
    """
    code, note, severity = _words_of_kind(action, name)
    change = Change(
        action=action,
        path=f"{node}/{name}{rest}",
        before=before,
        after=after,
        severity=severity,
        code=code,
        note=note,
        tool=tool,
    )
    return replace(change, **others) if others else change


@lru_cache(4096)  # without it a record of a stream takes 1 % longer
def _words_of_kind(action: str, name: str) -> tuple[str, str, str]:
    """Code, note and severity."""
    kind = ACTIONS[action]
    note = report_wording.NOTES.get((action, name), kind.meaning)
    word = noun_of(name) if name in PARAMETERS else name  # other fields are called as a format calls them
    return f"{action}-{word.replace('_', '-')}", note, kind.severity


def change_of_override(leaf: Leaf, name: str, value: Any) -> Change:
    """The change for a fact that the user asserts instead of the source."""
    tool = leaf.tool
    new_tool = replace(tool, **{name: value})
    is_weaker = safety.weaker_facets(safety.caution(tool), safety.caution(new_tool))
    words = {"code": f"vouched-{name.replace('_', '-')}", "note": report_wording.ASSERTED, "severity": "warning"}
    direction = "riskier" if is_weaker else "neutral"
    return change_of(
        "assumed", leaf.path[0], leaf.pointer, name, getattr(tool, name), value, direction=direction, **words
    )


def change_of_refusal(leaf: Leaf, name: str, value: Any, reason: str) -> Change:
    """The change for a fact that the user asserts and that does not count."""
    words = {"code": code_of_refusal(name), "note": reason, "severity": "error"}
    return change_of("assumed", leaf.path[0], leaf.pointer, name, getattr(leaf.tool, name), value, **words)


def changes_of_unknown_actions(leaves: Iterable[Leaf], reason: str | None) -> Iterator[Change]:
    """The changes for actions that tools implement and that were not found.

    Args:
        reason: where the action was looked for; `None` where nobody looked.
    """
    words = {"code": "not-found", "note": reason or report_wording.NOT_FOUND, "severity": "error"}
    for leaf in leaves:
        if not safety.is_action_known(leaf.tool):
            action = leaf.tool.implements
            yield change_of("assumed", leaf.path[0], leaf.pointer, "implements", action, direction="safer", **words)


def change_beside_tools(pointer: str, code: str, note: str, value: Any = None) -> Change:
    """The change for data beside the tools of a document. Only here the path leads into the document."""
    severity = ACTIONS["dropped"].severity
    return Change(action="dropped", path=pointer, before=value, severity=severity, code=code, note=note)
