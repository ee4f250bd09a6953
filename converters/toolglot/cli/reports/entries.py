"""The entries of a report in one shape, whatever they report: what happened, to which tool, and why."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from toolglot import formats, safety
from toolglot.cli.terminal import count_noun
from toolglot.conversion.report import Change, Report, fingerprint_of, split_path
from toolglot.conversion.report_wording import CARRIED, LOSSES
from toolglot.errors import escape_unseen
from toolglot.hub.model import to_json
from toolglot.text.pointers import as_mapping, unescape

LOST, LOOSER, TEXT_ONLY, GUESSED, RENAMED = "-", "~", ">", "+", "="
# mark -> what happened
MEANINGS = {
    LOST: "lost",
    LOOSER: "looser",
    TEXT_ONLY: "in other words",
    GUESSED: "guessed",
    RENAMED: "renamed",
}
MARKS = {
    "dropped": LOST,
    "excluded": LOST,
    "narrowed": LOST,
    "widened": LOOSER,
    "moved": TEXT_ONLY,
    "described": TEXT_ONLY,
    "assumed": GUESSED,
    "renamed": RENAMED,
    "encoded": RENAMED,
}

_BINDINGS = ("bindings", "global_bindings")  # how a parameter is given; what it is stays

RISKIER, DANGER, WIDER, SAFETY, OTHER = range(5)
"""How much an entry matters: the tool looks safer; a danger is lost; more is accepted, or a tool is left out; it is
about safety; it is not."""

LONGEST_VALUE = 48  # characters of a value
LONGEST_FIELD = 60


class ReportEntry(msgspec.Struct, frozen=True):
    """One line of a report.

    Attributes:
        weight: `RISKIER`, `DANGER`, `WIDER`, `SAFETY` or `OTHER`.
        mark: what happened, as a key of `MEANINGS`.
        kind: what entries have in common that tell the same of several tools.
        tool: the id, or the words of the command.
        field: as the source spells it.
        before, after: the values; `None` where one side is silent.
        identity: what the fingerprint is made of.
        result: which result says it, and in which line.
        is_gone: whether nothing is left of what stands there.
        is_carried: whether it is no loss, because a remainder holds it.
        changes: how many it stands for; more than one in the report of many sources only.
        tool_bits: the tools of those, a bit each; nothing where `tool` is the only one.
    """

    weight: int
    mark: str
    kind: str
    tool: str
    field: str
    before: Any
    after: Any
    because: str
    severity: str
    code: str
    identity: tuple[Any, ...]
    source: str | None = None
    line: int | None = None
    column: int | None = None
    result: tuple[int, int] | None = None
    is_gone: bool = False
    is_carried: bool = False
    changes: int = 1
    tool_bits: int = 0

    @property
    def fingerprint(self) -> str:
        """By which the same entry is known in another report."""
        return fingerprint_of(self.identity)

    @property
    def rank(self) -> tuple[int, int]:
        """The order of a report: safety first, then losses before what is only said otherwise."""
        return self.weight, list(MEANINGS).index(self.mark)

    def value(self, longest: int = LONGEST_VALUE) -> str:
        """The value that matters, as short JSON; both where one became the other; nothing where there is none."""
        if self.before is None and self.after is None:
            return ""
        if self.before is None:
            return short_json(self.after, longest)
        if self.after is None or self.mark == LOST:
            return short_json(self.before, longest)
        return f"{short_json(self.before, longest)} -> {short_json(self.after, longest)}"


def entries_of(report: Report) -> list[ReportEntry]:
    """The entries of a conversion but for its bookkeeping, safety first."""
    entries: list[ReportEntry] = []
    for change in report.changes:
        if change.bookkeeping:
            continue
        entry = entry_of(change)
        if change.action in LOSSES and report.carries(change):
            entry = msgspec.structs.replace(entry, because=CARRIED, weight=max(entry.weight, SAFETY), is_carried=True)
        entries.append(entry)
    return sorted(entries, key=lambda entry: entry.rank)


def entry_of(change: Change) -> ReportEntry:
    """One change as an entry."""
    _, name, rest = split_path(change.path)
    inside = "" if rest else name
    spelling = None if rest else change.spelled
    after_spelling = spelling if change.before is None else None
    return ReportEntry(
        weight=_weight(change),
        mark=MARKS[change.action],
        kind=f"{change.code} {change.path.rpartition('/')[2]}",
        tool=change.command or change.tool,
        field=_shorten_path(change.field),
        before=_value(change.before, inside, spelling),
        after=_value(change.after, inside, after_spelling),
        because=change.because or change.note,
        severity=change.severity,
        code=change.code,
        identity=change.identity,
        source=change.source,
        line=change.line,
        column=change.column,
        result=change.result,
        is_gone=change.action == "dropped" and inside not in _BINDINGS,
    )


def _value(value: Any, name: str, spelling: Any) -> Any:
    """A value as people know it: a word as its format spells it, the parameters of a command line by their names."""
    if value is None:
        return None
    if name in _BINDINGS:
        return list(value)
    if name == "global_inputs" and isinstance(value, dict):
        return list(value.get("properties", value))
    is_word = isinstance(spelling, bool | int | str) and isinstance(value, bool | int | str)
    return spelling if is_word else to_json(value)


def _shorten_path(field: str) -> str:
    """The two ends of a long way into a schema."""
    if len(field) <= LONGEST_FIELD:
        return field
    return f"{field[: LONGEST_FIELD // 2]}…{field[-LONGEST_FIELD // 2 :]}"


def _weight(change: Change) -> int:
    if change.direction == "riskier":
        return RISKIER
    if change.loses_danger:
        return DANGER
    if change.action in ("widened", "excluded"):
        return WIDER
    if change.fact == "flags" or safety.facets_of(change.fact) or _has_hints(change):
        return SAFETY
    return OTHER


def _has_hints(change: Change) -> bool:
    """Whether what the hub does not model holds hints about safety, which state no fact."""
    _, name, rest = split_path(change.path)
    owner, *keys = map(unescape, rest.split("/")[1:] or [""])
    if name != "extensions" or owner not in formats.names():
        return False
    for value in (change.before, change.after):
        keys += as_mapping(value)
    return not formats.get(owner).claims.keys().isdisjoint(keys)


def short_json(value: Any, longest: int = LONGEST_VALUE) -> str:
    """A value as JSON on one line; how much there is of what is too long.

    >>> short_json("a" * 50)
    '"aaaaaaaaaaaaaaaaaaaaaaaa…" (24 of 50)'
    >>> short_json(["a" * 30, "b" * 30]), short_json({"es": "x" * 30, "pt": {}})
    ('[2 items]', '{"es", "pt"}')
    """
    text = escape_unseen(json.dumps(value, ensure_ascii=False, default=str))
    if len(text) <= longest:
        return text
    if isinstance(value, str):
        half = longest // 2
        return f'{escape_unseen(json.dumps(value[:half], ensure_ascii=False))[:-1]}…" ({half} of {len(value):,})'
    if isinstance(value, dict):
        keys = "{" + escape_unseen(", ".join(json.dumps(key, ensure_ascii=False) for key in value)) + "}"
        if len(keys) <= longest:
            return keys
        return f"{{{count_noun(len(value), 'key')}}}"
    if isinstance(value, list):
        return f"[{count_noun(len(value), 'item')}]"
    return f"{text[:longest]}…"
