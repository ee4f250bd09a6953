"""Compares what servers offer now with a lock.

A model reads the description each time, and a server may send another one tomorrow.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from toolglot.converter.conversion.fail_on import FailOn
from toolglot.converter.conversion.report import Change
from toolglot.converter.schema.accepted_values.keywords_in_reports import is_neutral
from toolglot.converter.schema.json_values import are_equal, differing_parts, have_same_spelling, holds_text
from toolglot.converter.schema.keywords import rebuild
from toolglot.converter.text import serialization
from toolglot.converter.text.pointers import list_at, mapping_at, without_keys
from toolglot.converter.text.wording import describe_replacement, to_short_json, to_whole_json
from toolglot.errors import ReadError
from toolglot.runtime.servers.pulled_document import OURS, PulledServer
from toolglot.runtime.servers.same_servers import as_pinned, same_origin
from toolglot.verbs.comparison.breaking_changes import WORDING
from toolglot.verbs.comparison.contract_comparison import diff
from toolglot.verbs.comparison.difference import Difference, ToolDifference, change_by_rule, gravest_first
from toolglot.verbs.comparison.suspicious_words import suspicious_changes

# What a server says beside its tools, and what `--fail-on` calls another value. Models read instructions and what a
# server says of itself; its name and version tell people who answered, and change with each version.
_SPOKEN = ("instructions", "capabilities", "serverInfo")
_FORMAL = ("name", "version")  # of a server


class LockFinding(NamedTuple):
    """A difference from a lock that is no change of a contract.

    Attributes:
        kind: its word for `--fail-on`; empty for a difference that is only reported.
    """

    server: str
    message: str
    kind: FailOn | None = FailOn.DANGER

    @property
    def fails(self) -> bool:
        """Whether the difference counts."""
        return self.kind is not None


class LockComparison(NamedTuple):
    """The differences from a lock: changes of contracts, new texts for models, and the rest.

    A text is one that a model reads now and did not read before. It is named by server, tool, and JSON Pointer in the
    tool.
    """

    difference: Difference
    texts: tuple[Change, ...]
    findings: tuple[LockFinding, ...]

    @property
    def holds(self) -> bool:
        """Whether nothing that counts has changed."""
        return not self.count_failing((FailOn.ANY,))

    def count_failing(self, kinds: Collection[FailOn]) -> int:
        """The number of differences of these kinds."""
        named = {FailOn.DANGER, *(FailOn if FailOn.ANY in kinds else kinds)}
        findings = [finding for finding in self.findings if finding.kind in named]
        return len(self.difference.failing(kinds)) + len(findings)


def compare_with_lock(
    servers_of_lock: Mapping[str, PulledServer],
    servers: Sequence[PulledServer],
    *,
    is_whole: bool = False,
    source: str | None = None,
) -> LockComparison:
    """Compare what servers offer now with a lock.

    Args:
        servers: the servers that were asked.
        is_whole: whether all servers of the lock were asked; otherwise the others in it do not matter.
        source: the name of the lock in messages.

    Raises:
        ReadError: the lock has something that is no tool.
    """
    differences: list[ToolDifference] = []
    texts: list[Change] = []
    findings: list[LockFinding] = []
    tool_count = 0
    servers = [as_pinned(server, servers_of_lock) for server in servers]
    for server in servers:
        before = servers_of_lock.get(server.name)
        if before is None:
            findings.append(LockFinding(server.name, "is not in the lock; look at it, then pull it with --pin"))
            continue
        try:
            reading_of_lock = before.reading()
        except ReadError as error:
            error.source = source
            raise
        difference = diff([reading_of_lock], [server.reading()])
        tool_count += difference.compared
        changed_tools = {tool.id for tool in difference.tools}
        differences += [tool.of_server(server.name) for tool in difference.tools]
        texts += _texts(before, server, changed_tools)
        findings += _findings(before, server, changed_tools)
    if is_whole:
        for name in sorted(servers_of_lock.keys() - {server.name for server in servers}):
            findings.append(LockFinding(name, "is in the lock, and was not asked or did not answer"))
    difference = Difference(tools=gravest_first(differences), compared=tool_count)
    return LockComparison(difference, tuple(texts), tuple(findings))


_NOT_READ = frozenset({"_meta", "icons"})  # by models


def _texts(before: PulledServer, after: PulledServer, changed_tools: set[str]) -> Iterator[Change]:
    """The new texts of the tools whose contracts differ; of a new tool all texts.

    The change of a contract only names a new input. Its description, which may give orders to the model, is shown here.
    """
    old_tools = {tool.get("name"): without_keys(tool, *_NOT_READ) for tool in before.tools}
    for tool in after.tools:
        name = tool["name"]
        if name in changed_tools:
            for pointer, old, new in differing_parts(old_tools.get(name), without_keys(tool, *_NOT_READ)):
                if holds_text(old) or holds_text(new):
                    yield change_by_rule(WORDING, pointer, old, new, tool=f"{after.name} {name}")


def _findings(before: PulledServer, after: PulledServer, changed_tools: set[str]) -> Iterator[LockFinding]:
    """The differences beside contracts; `changed_tools` are the tools whose contracts differ."""
    for key in (*_SPOKEN, "protocolVersion"):
        old, new = before.data.get(key), after.data.get(key)
        if have_same_spelling(old, new):
            continue
        is_formal = key not in _SPOKEN or have_same_spelling(_without_formal(old), _without_formal(new))
        kind = None if is_formal else FailOn.WORDS
        show = to_whole_json if kind else to_short_json
        yield LockFinding(after.name, f"{key}: {describe_replacement(old, new, show)}", kind)
        for change in suspicious_changes({key: old}, {key: new}):
            yield LockFinding(after.name, f"{change.path[1:]}: {change.note}")
    if not same_origin(before, after):
        yield LockFinding(after.name, "is started or reached in another way than when it was locked")
    if not have_same_spelling(_refused_entries(before), _refused_entries(after)):
        yield LockFinding(after.name, "its tools that cannot be read are others than when it was locked")
    old_tools = {tool.get("name"): tool for tool in before.tools}
    for tool in after.tools:
        name = tool["name"]
        if name in changed_tools or name not in old_tools:
            continue
        if not _say_the_same(old_tools[name], tool):
            message = f"{name} differs in what no rule weighs, such as `_meta` or icons"
            yield LockFinding(after.name, message, FailOn.ANY)


def _without_formal(value: Any) -> Any:
    """What a server says of itself, without name and version; `None` where that is nothing."""
    return (without_keys(value, *_FORMAL) or None) if isinstance(value, dict) else value


def _say_the_same(old: dict[str, Any], new: dict[str, Any]) -> bool:
    """Whether two tools say the same.

    In schemas 1.0 equals 1, sets have no order, and some keywords say nothing. Values under other keys have to be equal
    to the letter, because their meaning is unknown.
    """
    others = (without_keys(tool, *_SCHEMAS) for tool in (old, new))
    schemas = ([_plain_schema(tool.get(key)) for key in _SCHEMAS] for tool in (old, new))
    return have_same_spelling(*others) and are_equal(*schemas)


def _plain_schema(schema: Any, token: str = "") -> Any:
    plain = rebuild(schema, _plain_schema)
    if not isinstance(plain, dict):
        return plain
    for keyword in _SETS & plain.keys():
        if isinstance(plain[keyword], list):
            plain[keyword] = sorted(plain[keyword], key=serialization.dump_json)
    return {keyword: value for keyword, value in plain.items() if not is_neutral(keyword, value)}


_SCHEMAS = ("inputSchema", "outputSchema")
_SETS = frozenset({"required", "enum", "type"})


def _refused_entries(server: PulledServer) -> Any:
    entries = list_at(mapping_at(server.data, OURS), "refused")
    return sorted(serialization.dump_json(entry, indent=None) for entry in entries)
