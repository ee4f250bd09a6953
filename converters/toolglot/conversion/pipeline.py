"""The pipeline: the only module that sees all of a conversion.

bytes -> parse -> check -> read -> Tool -> caution -> write -> check -> text
                                                           \\-> read back -> compare -> Report
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple

import msgspec

from toolglot import formats
from toolglot.conversion import report
from toolglot.conversion.assertions import FACTS, Assertion, claim_of, scope_fault, words_of
from toolglot.conversion.garbage import gc_paused
from toolglot.conversion.namespaces import AUTO, with_namespaces
from toolglot.conversion.offers import OfferOptions, modes, naming_of, plan
from toolglot.conversion.positions import located
from toolglot.conversion.reading import Reading, choose_tools
from toolglot.conversion.remainder import join_programs, remainder_of
from toolglot.conversion.report import Change, Report
from toolglot.conversion.selection import choice_of, nothing_chosen
from toolglot.conversion.slots import SLOT, put_slot
from toolglot.conversion.sources import Source, open_document, read_document
from toolglot.conversion.writing import Written, express, groups, obeys, refuse_collisions
from toolglot.errors import LossError, SafetyError, UsageError, WriteError
from toolglot.formats import NO_CONTAINER, Container, Format, Record
from toolglot.formats.kit.names import Naming, Qualifier, Said
from toolglot.hub.model import Leaf, Tool, prune
from toolglot.text import serialization

_AS_USUAL = OfferOptions()


class Output(NamedTuple):
    """What a conversion writes.

    Attributes:
        target: the format.
        records: one a tool, with its remainder where the target has a slot for it.
        names: the id of each.
        beside: remainders of targets without a slot: id of the record -> content.
        is_bare: whether a document is an array of records, and nothing around it.
    """

    target: Format
    records: list[Record]
    names: list[str]
    beside: dict[str, Any]
    is_bare: bool = False


class Conversion:
    """What a conversion gave.

    Attributes:
        tools: what was read.
        output: the result before it becomes text.
    """

    def __init__(self, tools: list[Tool], output: Output, find_report: Callable[[bool], Report]) -> None:
        self.tools = tools
        self.output = output
        self._find_report = find_report

    @cached_property
    def files(self) -> list[tuple[str, str]]:
        """The result as `(name, text)`: one file, or one a tool for formats of one file a tool."""
        return _files(self.output)

    @cached_property
    @gc_paused
    def report(self) -> Report:
        """Every difference between what was read and what was written.

        Lines and columns need a second look at the source, which a run that prints no report does not pay for.
        """
        return self._find_report(True)

    @cached_property
    def unlocated(self) -> Report:
        """The report without lines and columns, for those who only count."""
        return self._find_report(False)

    @property
    def text(self) -> str:
        """The result, where it is one text.

        Raises:
            UsageError: the target takes one file a tool and there are several.
        """
        if len(self.files) != 1:
            raise UsageError(f"the result is {len(self.files)} files; use .files", code="several-files")
        return self.files[0][1]


def convert(
    source: Source,
    /,
    to: str,
    *,
    format: str | None = None,
    lossless: bool = False,
    on_loss: str = "report",
    **options: Any,
) -> Conversion:
    """Convert one source.

    Args:
        source: text (`str`, `bytes`), a file (`os.PathLike`), or data that was parsed already.
        to: `FORMAT` or `FORMAT@VERSION`.
        format: the source's format; by default it is detected from the content.
        lossless: carry what the target cannot hold in its own extension slot.
        on_loss: `"report"`, or `"fail"` to raise `LossError` if anything is dropped, widened or narrowed and not
            carried by `lossless`.
        **options: `source`, `safety_tier`, `scope`: facts that only the host can know; `namespace`: whose ids they are
            where equal ones meet (`toolglot.conversion.namespaces.with_namespaces`); `assertions`: facts of some tools
            (`toolglot.conversion.assertions.load`); `bare`: an array of records, and nothing around it; `strict`,
            `profile`, `flatten`, `examples`, `safety_text`, `with_globals`: how a provider is offered the tools
            (`toolglot.conversion.offers.OfferOptions`); `only`, `without`, `depth`, `read_only`, `without_effects`:
            which tools (`toolglot.conversion.selection.Choice`).

    Raises:
        Error: the source cannot be read, or not be written as `to`; see `toolglot.errors`.

    >>> record = {"toolId": "mcp:fs.rm", "source": "mcp", "safetyTier": "write", "description": "Remove a file."}
    >>> conversion = convert(record, "aip14")
    >>> print(conversion.text.split("inputs")[0])
    ---
    name: mcp fs rm
    id: mcp.fs.rm
    description: Remove a file.
    version: 0.0.0
    mutates:
      - external:*
    approval: on-mutate
    risk_level: 2
    cost_class: metered
    <BLANKLINE>
    """
    reading = read_document(open_document(source), format)
    conversion = convert_readings([reading], to, lossless=lossless, on_loss=on_loss, **options)
    if reading.tools and not conversion.tools:
        raise nothing_chosen()
    return conversion


@gc_paused
def convert_readings(
    readings: Sequence[Reading],
    to: str,
    *,
    lossless: bool = False,
    on_loss: str = "report",
    naming: Naming | None = None,
    **options: Any,
) -> Conversion:
    """Convert sources that were read already into one result, which is empty if no tool is chosen; as `convert`.

    Args:
        naming: what ids take up, and can; by default what the tools say of themselves, where equal ids meet.
    """
    if on_loss not in ("report", "fail"):
        raise UsageError(f"on_loss is 'report' or 'fail', not {on_loss!r}", code="bad-option")
    target, version = formats.parse_target(to)
    how = _how(options, target, lossless)
    choice = choice_of(options)
    readings = [choose_tools(reading, choice, target.tree) for reading in join_programs(readings)]
    readings, known = _with_namespaces(readings, options.pop("namespace", None) or AUTO)
    is_bare = _is_bare(options.pop("bare", None) is True, target, lossless)
    assertions = _assertions(options)
    places = [(reading, index) for reading in readings for index in range(len(reading.tools))]
    overrides = [_override(reading.tools[index], assertions) for reading, index in places]
    tools = [override.tool for override in overrides]
    scopes = [override.scope for override in overrides]
    written = write_all(tools, target, version, scopes, how, naming=naming or known)
    found: list[tuple[Reading, int, list[Change]]] = []
    found += [(reading, -1, [report.left_out(*item)]) for reading in readings for item in reading.leftover.items()]
    found += [(reading, -1, [report.unbelieved(*item)]) for reading in readings for item in reading.reasons.items()]
    weaker: list[str] = []
    lost: set[tuple[int, str]] = set()
    for (reading, index), override, (tool, result) in zip(places, overrides, written, strict=True):
        changes, lowered = compare(tool, result, target, override.facts)
        found.append((reading, index, [*override.changes, *_once(changes, reading, index, lost)]))
        weaker += lowered
    if len(written) > 1:  # what one tool becomes has been looked at when it was written
        _refuse_collisions(readings, written, target)
    refuse_weaker(weaker, target)

    def full_report(placed: bool) -> Report:
        changes = chain.from_iterable(located(*place) if placed else place[2] for place in found)
        return Report(
            origin=", ".join(dict.fromkeys([reading.format.name for reading in readings])),
            target=to,
            tools=sum([len(result.before) for _, result in written]),
            changes=(*changes, *(_over_budget(written, target, version) if target.profiles else ())),
            lossless=lossless and all(_has_remainder(tool, target) for tool, _ in written),
        )

    output = _output(written, target, version, lossless, how)._replace(is_bare=is_bare)
    conversion = Conversion([tool for reading in readings for tool in reading.tools], output, full_report)
    if on_loss == "fail" and conversion.unlocated.losses:
        raise _loss(conversion.report)
    return conversion


def _once(changes: list[Change], reading: Reading, index: int, lost: set[tuple[int, str]]) -> Iterator[Change]:
    """The changes of a tool; what its container says of all its tools is lost once, not once for each of them.

    Args:
        lost: what has been reported already: the identity of a reading, and a place in its document.
    """
    places = {f"/{field}": place for place, field in _container(reading, index).places.items()}
    for change in changes:
        place = places.get(change.path) if change.action == "dropped" else None
        if place is None:
            yield change
        elif (id(reading), place) not in lost:
            lost.add((id(reading), place))
            yield change


def _container(reading: Reading, index: int) -> Container:
    """What stands around the record of a tool; nothing where tools and records are not one to one."""
    return reading.records[index].container if len(reading.records) == len(reading.tools) else NO_CONTAINER


def write_all(
    tools: Sequence[Tool],
    target: Format,
    version: str | None,
    scopes: Sequence[str | None] | None,
    how: OfferOptions,
    keep: bool = True,
    naming: Naming | None = None,
) -> list[tuple[Tool, Written]]:
    """Every tool as it is written; names, and what a provider is offered, are planned over all. See `offers.plan`."""
    naming, scopes = naming or naming_of(tools), scopes or [None] * len(tools)
    if target.profiles:
        offers = plan(tools, target, version, how, keep, naming)
        each = zip(tools, scopes, offers, strict=True)
        return [(tool, express(tool, target, version, scope, some)) for tool, scope, some in each]
    ready = zip(tools, scopes, naming.first, strict=True)
    written = [express(tool, target, version, scope, qualifier=qualifier) for tool, scope, qualifier in ready]
    for index, qualifier in enumerate(_apart(written, target, naming)):
        if qualifier != written[index].qualifier:
            written[index] = express(tools[index], target, version, scopes[index], qualifier=qualifier)
    return list(zip(tools, written, strict=True))


def _apart(written: Sequence[Written], target: Format, naming: Naming) -> list[Qualifier]:
    """What the ids of tools take up so that no two are the same."""
    if _are_distinct(written):
        return naming.first
    return naming.apart([said_ids(result, target) for result in written])


def said_ids(result: Written, target: Format) -> list[Said]:
    """The ids of records, each with what the record says beside it, by which a reader can tell equal ids apart."""
    back = [target.read(record) for record in result.records]
    return [
        (identifier, Qualifier(tool.namespace, tool.major)) for identifier, tool in zip(result.ids, back, strict=True)
    ]


def _over_budget(written: list[tuple[Tool, Written]], target: Format, version: str | None) -> list[Change]:
    from toolglot.conversion import explanation  # what only a provider's targets need

    limit = modes(target, version, None).loose.budget.tools
    return explanation.over_budget(sum(len(result.records) for _, result in written), limit)


def refuse_weaker(weaker: list[str], target: Format) -> None:
    if weaker:
        raise SafetyError(f"{target.name} would make {', '.join(weaker[:5])} look safer than the source says")


def _refuse_collisions(readings: Sequence[Reading], written: list[tuple[Tool, Written]], target: Format) -> None:
    if _are_distinct(result for _, result in written):
        return
    sources = (reading.document.name for reading in readings for _ in reading.tools)
    names = [
        (said, f"{tool.id} of {source}" if source else tool.id)
        for source, (tool, result) in zip(sources, written, strict=True)
        for said in said_ids(result, target)
    ]
    refuse_collisions(names)


def _are_distinct(written: Iterable[Written]) -> bool:
    ids = [identifier for result in written for identifier in result.ids]
    return len(ids) == len(set(ids))


def _loss(found: Report) -> LossError:
    first = found.losses[0]
    message = f"{len(found.losses)} losses, the first: {first.place} {first.note}"
    error = LossError(message, code=first.code, pointer=first.path, line=first.line, column=first.column)
    error.source = first.source
    return error


def _with_namespaces(readings: Sequence[Reading], wanted: str) -> tuple[list[Reading], Naming]:
    """The readings with the namespaces that are asked for, and what ids can take up."""
    is_file = len(readings) > 1 or wanted != AUTO  # within one file, its name tells nothing apart
    found = [with_namespaces(reading.tools, wanted, reading.document.name if is_file else None) for reading in readings]
    known = [Qualifier(tool.namespace or some.fallback, tool.major) for some in found for tool in some.tools]
    pairs = zip(readings, found, strict=True)
    return [reading._replace(tools=some.tools) for reading, some in pairs], Naming(known)


def _how(options: dict[str, Any], target: Format, lossless: bool) -> OfferOptions:
    """What `options` say about offering, taken out of them."""
    given = {name: options.pop(name) for name in OfferOptions._fields if options.get(name) is not None}
    how = OfferOptions(**given) if given else _AS_USUAL
    if given and how != _AS_USUAL and not target.profiles:
        raise UsageError(f"{target.name} takes every schema; leave out {', '.join(sorted(given))}", code="bad-option")
    if lossless and how.flatten != "discrete":
        raise UsageError("a definition of several commands cannot be lossless; use discrete", code="bad-option")
    return how


def _is_bare(wanted: bool, target: Format, lossless: bool) -> bool:
    """Whether an array of records is wanted.

    Raises:
        UsageError: the target has no such documents, or no place in them for a remainder.
    """
    if wanted and (target.one_per_file or target.tree):
        raise UsageError(f"a document of {target.name} is no list; leave out bare", code="bad-option")
    if wanted and lossless and target.slot is None:
        raise UsageError(f"an array of {target.name} has no place for a remainder; leave out bare", code="bad-option")
    return wanted


def _assertions(options: dict[str, Any]) -> tuple[Assertion, ...]:
    """What `options` assert: of every tool, and of those that an assertion names; they were given last."""
    options = {name: value for name, value in options.items() if value is not None}
    assertions = tuple(options.pop("assertions", ()))
    scope = options.pop("scope", None)
    unknown = options.keys() - FACTS.values()
    if unknown:
        raise UsageError(f"unknown option {min(unknown)!r}", code="bad-option")
    for name, value in options.items():
        words = words_of(name)
        if value not in words:
            raise UsageError(f"{name} is one of {', '.join(words)}, not {value!r}", code="bad-option")
    if scope is not None and (fault := scope_fault(scope)):
        raise UsageError(f"scope is {fault}, not {scope!r}", code="bad-option")
    if not options and scope is None:
        return assertions
    return (Assertion("*/*", options, scope), *assertions)


class _Override(NamedTuple):
    """A tool with what the user asserts of its callable nodes.

    Attributes:
        facts: JSON Pointer of a node -> hub field -> value.
    """

    tool: Tool
    facts: Mapping[str, Mapping[str, Any]] = {}
    scope: str | None = None
    changes: Sequence[Change] = ()


def _override(tool: Tool, assertions: Sequence[Assertion]) -> _Override:
    if not assertions:
        return _Override(tool)
    facts: dict[str, Mapping[str, Any]] = {}
    scopes: list[str | None] = []
    changes: list[Change] = []
    for leaf in tool.leaves():
        claim = claim_of(leaf, assertions)
        facts[leaf.pointer] = claim.facts
        scopes.append(claim.scope)
        news = [item for item in claim.facts.items() if getattr(leaf.tool, item[0]) != item[1]]
        changes += [report.overridden(leaf.pointer, name, leaf, value) for name, value in news]
    return _Override(_with_facts(tool, facts), facts, next(filter(None, scopes), None), changes)


def _with_facts(tool: Tool, facts: Mapping[str, Mapping[str, Any]], pointer: str = "") -> Tool:
    """The tree with other facts at the nodes that are named by their pointers."""
    changed: dict[str, Any] = dict(facts.get(pointer, {}))
    if tool.children:
        below = enumerate(tool.children)
        changed["children"] = tuple(_with_facts(child, facts, f"{pointer}/children/{index}") for index, child in below)
    return msgspec.structs.replace(tool, **changed) if changed else tool


def compare(
    tool: Tool, result: Written, target: Format, asserted: Mapping[str, Mapping[str, Any]]
) -> tuple[list[Change], list[str]]:
    """Read back what was written and compare it with what was read: law 2 and law 3.

    Args:
        asserted: JSON Pointer of a callable node -> the facts of it that a person asserts.

    Returns:
        The changes, and the ids of tools that would look safer than before.
    """
    if target.profiles:
        return compare_offers(tool, result, *told(result, target))
    back = [target.read(record) for record in result.records]
    after = [leaf for item in back for leaf in item.leaves()]
    if len(after) != len(result.before):
        message = (
            f"{tool.id!r}: {target.name} cannot keep its {len(result.before)} callable nodes apart; rename those alike"
        )
        raise WriteError(message, code="miscounted")
    for was, now in zip(result.before, after, strict=True):
        for name, value in asserted.get(was.pointer, {}).items():
            if name in target.holds and getattr(now.tool, name) != value:
                message = f"{name} {value!r} does not fit what {tool.id!r} does; leave it to the conversion"
                raise WriteError(message, code="override-refused", pointer=f"/{name}")
    changes, weaker = report.diff(result.before, after)
    if tool.children:
        changes += _compare_groups(tool, result.before, after, back[0] if target.tree else None)
    return _respelled(changes, result.before), weaker


_GONE_EXTENSIONS = ("dropped-extensions", "renamed-extensions")


def _respelled(changes: list[Change], before: Sequence[Leaf]) -> list[Change]:
    """The changes, with what they mean for schemas that were read from another dialect."""
    if not any(change.code in _GONE_EXTENSIONS for change in changes):
        return changes
    from toolglot.conversion import explanation  # what documents of one dialect do without

    return explanation.respelled(changes, before)


def told(result: Written, target: Format) -> tuple[list[Leaf], list[Leaf]]:
    """Every command that is offered, and beside it what the provider is told, read back."""
    records = iter(result.records)
    before: list[Leaf] = []
    after: list[Leaf] = []
    for offer in result.offers:
        if offer.mode != "excluded":
            (seen,) = target.read(next(records)).leaves()
            before += offer.behind
            after += [seen] * len(offer.behind)
    return before, after


def compare_offers(
    tool: Tool, result: Written, before: list[Leaf], after: list[Leaf]
) -> tuple[list[Change], list[str]]:
    """What the provider is told, as `told` has it, against every command that stands behind it.

    Schemas are compared in the words of their steps; what is returned is as for `compare`.
    """
    from toolglot.conversion import explanation  # what only a provider's targets need

    found, weaker = report.diff(before, after)
    changes: list[Change] = []
    of_schemas: dict[str, list[Change]] = {}
    for change in found:
        if "/inputs" not in change.path:  # four of five
            changes.append(change)
            continue
        pointer, field, _ = report.split_path(change.path)
        (of_schemas.setdefault(pointer, []) if field == "inputs" else changes).append(change)
    for offer in result.offers:
        changes += explanation.offered(offer, tool.id, of_schemas.get(offer.leaf.pointer, []))
    if tool.children:
        changes += _compare_groups(tool, before, after, None)
    return _respelled(changes, before), weaker


def _compare_groups(tool: Tool, before: list[Leaf], after: list[Leaf], back: Tool | None) -> list[Change]:
    """What a node that only groups others says, and no leaf inherits."""
    kept = dict(groups(back)) if back is not None else {}
    changes = []
    reached: dict[str, set[int]] = {}  # field -> the identities of what leaves say, for the fields that groups state
    for pointer, group in groups(tool):
        other = kept.get(pointer)
        for name in Tool.__struct_fields__:
            value = getattr(group, name)
            if value is None or name in ("id", "origin", "children") or (other and getattr(other, name) == value):
                continue
            if other is None and name in _SHARED:
                continue  # options, which the leaves share or were offered with
            if other is None and _is_inherited(name, value, after):
                continue
            if other is None and name not in reached:
                reached[name] = {id(getattr(leaf.tool, name)) for leaf in before}
            if other is not None or id(value) not in reached[name]:
                changes += report.group_changes(pointer, tool.id, group, name, other)
    return changes


_SHARED = ("inputs", "bindings", "global_inputs", "global_bindings")


def _is_inherited(name: str, value: Any, after: Iterable[Leaf]) -> bool:
    return any(
        getattr(leaf.tool, name) == value or (name == "description" and leaf.tool.summary == value) for leaf in after
    )


def _output(
    written: list[tuple[Tool, Written]], target: Format, version: str | None, lossless: bool, how: OfferOptions
) -> Output:
    records: list[Record] = []
    names: list[str] = []
    beside: dict[str, Any] = {}
    for tree, (tool, result) in enumerate(written):
        offered = [offer for offer in result.offers if offer.mode != "excluded"]
        for index, (record, identifier) in enumerate(zip(result.records, result.ids, strict=True)):
            if lossless and _has_remainder(tool, target):
                stored = tool if target.tree else prune(tool, result.before[index])
                strict = bool(offered) and offered[index].mode == "strict"
                root = bool(tool.children) and not stored.children
                content = remainder_of(stored, len(records), tree, version, strict, how, root, result.qualifier)
                if target.slot is None:
                    beside[identifier] = content
                else:
                    record = _with_remainder(record, content, target, version)
            records.append(record)
            names.append(identifier)
    return Output(target, records, names, beside)


def _with_remainder(record: Record, content: dict[str, Any], target: Format, version: str | None) -> Record:
    """The record with a remainder in it.

    Raises:
        WriteError: this version of the target has no place for one.
    """
    record = put_slot(record, target, content)
    if not obeys(record, target, version):
        message = f"{target.name}@{version} has no place for a remainder; leave out lossless, or the version"
        raise WriteError(message, code="no-slot")
    return record


def _files(output: Output) -> list[tuple[str, str]]:
    target, records, names, beside, is_bare = output
    if target.one_per_file:
        return [
            (target.file_name(formats.file_stem(name)), _dump(record.data, record.body, target))
            for name, record in zip(names, records, strict=True)
        ]
    found = [record.data for record in records]
    data = found if is_bare else target.wrap(found)
    if beside:
        data = {**(data if isinstance(data, dict) else {"tools": data}), SLOT: beside}
    stem = formats.file_stem(names[0]) if len(names) == 1 else "tools"
    return [(stem + target.suffix, _dump(data, None, target))]


def _has_remainder(tool: Tool, target: Format) -> bool:
    return tool.origin != target.name and not target.holds_everything


def _dump(data: Any, body: str | None, target: Format) -> str:
    if target.syntax == "front-matter":
        return serialization.dump_front_matter(data, body or "")
    return serialization.dump_json(data)


def write(tools: Tool | Iterable[Tool], to: str, *, lossless: bool = False) -> str:
    """Write tools as one document.

    Args:
        tools: one tool or several.
        to: `FORMAT` or `FORMAT@VERSION`.
        lossless: carry what the target cannot hold in its own extension slot.

    Raises:
        UsageError: the target takes one file a tool and there are several.
        WriteError: a tool cannot be written in the target, or not without looking safer than it is.

    >>> import json
    >>> json.loads(write(Tool(id="ls", description="List files."), "atdf"))["tool_id"]
    'ls'
    """
    tools = [tools] if isinstance(tools, Tool) else list(tools)
    target, version = formats.parse_target(to)
    written = write_all(tools, target, version, None, OfferOptions())
    refuse_collisions((said, tool.id) for tool, result in written for said in said_ids(result, target))
    for _, result in written:
        after = [leaf for record in result.records for leaf in target.read(record).leaves()]
        refuse_weaker(report.weaker(result.before, after), target)
    files = _files(_output(written, target, version, lossless, OfferOptions()))
    if len(files) != 1:
        raise UsageError(
            f"{target.name} takes one file a tool, and these are {len(files)}; write them one by one",
            code="several-files",
        )
    return files[0][1]
