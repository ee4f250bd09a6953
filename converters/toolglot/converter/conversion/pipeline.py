"""The pipeline: the only module that sees all of a conversion.

bytes -> parse -> check -> read -> Tool -> caution -> write -> check -> text
                                                           \\-> read back -> compare -> Report
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from typing import Any, Unpack, cast

import msgspec
from msgspec.structs import replace

from toolglot.converter import formats
from toolglot.converter.conversion import report
from toolglot.converter.conversion.fail_on import FailOn, FailOnWords, count_failing, fail_on_of, is_failing
from toolglot.converter.conversion.namespaces import AUTO, with_file_namespace, with_namespaces
from toolglot.converter.conversion.offers import Offer, TargetRequest, naming_of
from toolglot.converter.conversion.options import (
    ConversionSettings,
    ToolOptions,
    refuse_unknown_options,
    settings_of,
    without_iterators,
)
from toolglot.converter.conversion.output import collect_output, write_files
from toolglot.converter.conversion.pattern_use import Patterns, PatternUse
from toolglot.converter.conversion.read_back import read_back, refuse_overridden, refuse_weaker
from toolglot.converter.conversion.reading import Reading, choose_tools, pick_tools
from toolglot.converter.conversion.report import Change, Report
from toolglot.converter.conversion.result import Conversion, ConvertedTool, Evidence
from toolglot.converter.conversion.selection import EVERYTHING, choice_of, nothing_chosen_error
from toolglot.converter.conversion.slots import join_programs
from toolglot.converter.conversion.sources import Source, open_document, read_document, warn_left_out
from toolglot.converter.conversion.vouched_facts import Assertion, vouched_of, with_assertions
from toolglot.converter.conversion.writing import WrittenTool, may_lose, refuse_collisions, write_tool
from toolglot.converter.formats import Format, Record
from toolglot.converter.formats.kit.tool_ids import UNQUALIFIED, Naming, QualifiedId, Qualifier
from toolglot.converter.hub.model import Tool
from toolglot.converter.hub.trees import list_tools, with_fields
from toolglot.converter.safety.inheritance import leaves_of
from toolglot.errors import Error, LossError, UsageError
from toolglot.option_checks import require_flag


class Override(msgspec.Struct, frozen=True):
    """A tool with what the user asserts of its callable nodes.

    Attributes:
        facts: JSON Pointer of a callable node -> hub field -> asserted value.
        scope: the scope that is asserted for the ids of the tool.
        changes: the assertions as entries of the report.
    """

    tool: Tool
    facts: Mapping[str, Mapping[str, Any]] = {}
    scope: str | None = None
    changes: Sequence[Change] = ()


def convert(
    source: Source,
    /,
    to: str,
    *,
    format: str | None = None,
    lossless: bool = False,
    restore: bool = False,
    fail_on: FailOnWords = (),
    skip_bad: bool = False,
    **options: Unpack[ToolOptions],
) -> Conversion:
    """Convert one source.

    Args:
        source: text (`str`, `bytes`), a file (`os.PathLike`), or data that was parsed already.
        to: `FORMAT` or `FORMAT@VERSION`.
        format: the source's format; by default it is detected from the content.
        lossless: keep what the target has no field for, in the place where its format lets others add keys.
        restore: take back what a lossless conversion kept in the source; see `toolglot.read`.
        fail_on: the changes that raise `LossError`, by one word or several. `"danger"`: a fact that somebody vouched
            for, that was refused, or that was not found. `"guessed"`: also facts about safety that nobody states.
            `"lost"`: also what is lost, or accepts more. `"any"`: all but another spelling.
        skip_bad: leave out tools that cannot be read or written, with a warning, as long as another one can be.
        **options: facts about the tools, which of them are meant, and how they are offered to a provider; see
            `conversion.options.ToolOptions`.

    Raises:
        Error: the source cannot be read, or cannot be written as `to`; see `toolglot.errors`.

    Warns:
        UserWarning: a pattern of `only`, `without` or `assertions` matches no tool, or a tool is left out. `faults` of
            the result says why.

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
    if options:
        others = ("format", "lossless", "fail_on", "restore", "skip_bad")
        refuse_unknown_options(options, ToolOptions.__optional_keys__, others)
        options = cast(ToolOptions, without_iterators(options))
    require_flag("skip_bad", skip_bad)
    reading = read_document(open_document(source, restore=restore), format, goes_on=skip_bad)
    if skip_bad:
        part, faults = convert_writable([reading], to, {"lossless": lossless, "fail_on": fail_on, **options})
        if part is None:
            raise faults[0]
        conversion = part
        conversion.faults = [*reading.faults, *faults]
        warn_left_out(conversion.faults, depth=1)
    else:
        conversion = convert_readings([reading], to, lossless=lossless, fail_on=fail_on, **options)
    if reading.tools and not conversion.tools:
        raise nothing_chosen_error(reading.tools)
    if options:
        find_pattern_use([reading], options).warn_caller(patterns_of(options), depth=1)
    return conversion


def convert_readings(
    readings: Sequence[Reading],
    to: str,
    *,
    lossless: bool = False,
    fail_on: FailOnWords = (),
    naming: Naming | None = None,
    **options: Unpack[ToolOptions],
) -> Conversion:
    """Convert sources that were read already into one result; it is empty where no tool is chosen.

    Args:
        naming: what can be added to ids; default: what the tools say of themselves, where ids would be equal.
    """
    kinds = fail_on_of(fail_on) if fail_on else ()
    target, version = formats.parse_target(to)
    settings = settings_of(options, target, lossless)
    if any(reading.is_part for reading in readings):
        readings = join_programs(readings)
    if settings.choice != EVERYTHING:
        readings = list(_choose_tools(readings, settings, target))
    readings, own_naming = _with_namespaces(readings, settings.namespace)
    places = [(reading, index) for reading in readings for index in range(len(reading.tools))]
    overrides = [
        _override_facts(reading.tools[index], settings.assertions, reading.record_of(index))
        for reading, index in places
    ]
    tools = [override.tool for override in overrides]
    scopes = [override.scope for override in overrides]
    request = TargetRequest(
        target,
        version,
        settings.offer,
        naming=naming or own_naming,
        include_hidden=lossless or settings.choice.include_hidden,
    )
    written_tools = write_all(tools, request, scopes)
    converted_tools: list[ConvertedTool] = []
    for (reading, index), override, result in zip(places, overrides, written_tools, strict=True):
        back = read_back(result, target)
        if override.facts and not target.provider.profiles:
            refuse_overridden(back, override.facts, target)
        converted_tools.append(ConvertedTool(reading, index, override.changes, back))
    if len(written_tools) > 1:  # a single tool was checked when it was written
        sources = (reading.document.name for reading, _ in places)
        _refuse_collisions(written_tools, sources)
    refuse_weaker([item.back for item in converted_tools], target)
    output = collect_output(written_tools, request, lossless)
    output = replace(output, is_bare=settings.is_bare, is_split=settings.is_split)
    is_lossless = lossless and any(may_lose(tool, target) for tool in tools)
    evidence = Evidence(readings, converted_tools, to, is_lossless)
    conversion = Conversion([tool for reading in readings for tool in reading.tools], output, evidence)
    if kinds and count_failing(conversion.report_in_detail("explained").categories, kinds):
        raise _error_of_failing(conversion.report, kinds)
    return conversion


def convert_writable(
    readings: Sequence[Reading], to: str, options: Mapping[str, Any]
) -> tuple[Conversion | None, Sequence[Error]]:
    """The conversion of sources without the tools that cannot be written, and the errors of these tools.

    The conversion is `None` where no tool can be written.

    Raises:
        LossError: a change of the tools that can be written is one that `fail_on` names.
        Error: each tool can be written alone, but not all together.
    """
    try:
        return convert_readings(readings, to, **options), ()
    except LossError:
        raise
    except Error as error:
        fault_of_all = error
    writable: list[Reading] = []
    faults: dict[str, Error] = {}  # each once: what is wrong with the request is wrong with every tool
    for reading in readings:
        indexes: list[int] = []
        for index in range(len(reading.tools)):
            try:
                convert_readings([pick_tools(reading, [index])], to, **options)
                indexes.append(index)
            except LossError:
                raise
            except Error as fault:
                fault.source = fault.source or reading.document.name
                faults.setdefault(str(fault), fault)
        if indexes:
            writable.append(pick_tools(reading, indexes))
    if not faults:
        raise fault_of_all
    conversion = convert_readings(writable, to, **options) if writable else None
    return conversion, [*faults.values()]


def patterns_of(options: Mapping[str, Any]) -> Patterns:
    """The patterns among the options of a conversion."""
    return Patterns(choice_of(options), tuple(options.get("assertions") or ()))


def find_pattern_use(readings: Sequence[Reading], options: Mapping[str, Any]) -> PatternUse:
    """Which patterns among the options of a conversion match tools of its sources."""
    patterns, use = patterns_of(options), PatternUse()
    if patterns.has_any:
        named_readings, _ = _with_namespaces(readings, options.get("namespace") or AUTO)
        for reading in named_readings:
            use.add(reading.tools, patterns)
    return use


def write_all(
    tools: Sequence[Tool], request: TargetRequest, scopes: Sequence[str | None] | None = None
) -> list[WrittenTool]:
    """Every tool as it is written. Names and offers are planned over all tools; see `plan_offers`."""
    naming, is_offered = request.naming, bool(request.target.provider.profiles)
    scopes = scopes or [None] * len(tools)
    offers: Sequence[Sequence[Offer]] = [()] * len(tools)
    if is_offered:
        # With `fitting` 4 ms that other targets do without.
        from toolglot.converter.conversion.offer_planning import plan_offers

        offers = plan_offers(tools, request)
    qualifiers = [UNQUALIFIED] * len(tools) if naming is None else naming.first
    results = [
        write_tool(tool, request, scope, of_tool, qualifier)
        for tool, scope, of_tool, qualifier in zip(tools, scopes, offers, qualifiers, strict=True)
    ]
    if not (is_offered or _are_distinct(results)):
        naming = naming or naming_of(tools)
        for index, qualifier in enumerate(naming.apart([_ids_of_records(result) for result in results])):
            if qualifier != qualifiers[index]:
                results[index] = write_tool(tools[index], request, scopes[index], qualifier=qualifier)
    return results


def _ids_of_records(result: WrittenTool) -> list[QualifiedId]:
    """The ids of records, each with the version and the namespace that tell equal ids apart."""
    return [
        (part.tool.id, Qualifier(part.tool_in_target.namespace, part.tool_in_target.major)) for part in result.parts
    ]


def _refuse_collisions(results: Sequence[WrittenTool], sources: Iterable[str | None]) -> None:
    if _are_distinct(results):
        return
    names: list[tuple[QualifiedId, str]] = []
    for result, source in zip(results, sources, strict=False):
        name = f"{result.tool.id} of {source}" if source else result.tool.id
        names += [(qualified_id, name) for qualified_id in _ids_of_records(result)]
    refuse_collisions(names)


def _are_distinct(results: Iterable[WrittenTool]) -> bool:
    ids = [identifier for result in results for identifier in result.ids]
    return len(ids) == len(set(ids))


def _error_of_failing(whole_report: Report, kinds: Sequence[FailOn]) -> LossError:
    entries = (change for change in whole_report.changes if not change.bookkeeping)
    failing = [change for change in entries if is_failing(change.category, kinds)]
    first = failing[0]
    number = "1 change" if len(failing) == 1 else f"{len(failing)} changes"
    message = f"{number} at fail_on {', '.join(kinds)}, the first: {first.place} {first.because or first.note}"
    error = LossError(message, code=first.code, pointer=first.path, line=first.line, column=first.column)
    error.source = first.source
    return error


def _choose_tools(readings: Sequence[Reading], settings: ConversionSettings, target: Format) -> Iterator[Reading]:
    """The readings with the chosen tools only. Namespaces and assertions count for the choice."""
    named_readings, _ = _with_namespaces(readings, settings.namespace)
    for reading, named_reading in zip(readings, named_readings, strict=True):
        asserted_tools = [
            with_assertions(tool, settings.assertions, reading.record_of(index))
            for index, tool in enumerate(named_reading.tools)
        ]
        yield choose_tools(reading, asserted_tools, settings.choice, target.tree)


def _with_namespaces(readings: Sequence[Reading], rule: str) -> tuple[Sequence[Reading], Naming | None]:
    """The readings with the requested namespaces, and what can be added to ids beside what the tools say."""
    if len(readings) == 1 and rule == AUTO:  # within one file, its name tells nothing apart
        return readings, None
    named_readings: list[Reading] = []
    qualifiers: list[Qualifier] = []
    for reading in readings:
        path = reading.document.name
        tools = with_namespaces(reading.tools, rule, path)
        named_readings.append(replace(reading, tools=tools))
        # The file's name tells equal ids apart. In a catalogue it does not: no name there depends on another file.
        apart = [with_file_namespace(tool, path) for tool in tools] if rule == AUTO else tools
        qualifiers += [Qualifier(tool.namespace, tool.major) for tool in apart]
    return named_readings, Naming(qualifiers)


def _override_facts(tool: Tool, assertions: Sequence[Assertion], record: Record | None) -> Override:
    if not assertions:
        return Override(tool)
    facts: dict[str, Mapping[str, Any]] = {}
    scopes: list[str | None] = []
    changes: list[Change] = []
    for leaf in leaves_of(tool):
        vouched = vouched_of(leaf, assertions, record)
        facts[leaf.pointer] = vouched.facts
        scopes.append(vouched.scope)
        for name, value in vouched.facts.items():
            if getattr(leaf.tool, name) != value:
                changes.append(report.change_of_override(leaf, name, value))
        for name, refusal in vouched.refused.items():
            changes.append(report.change_of_refusal(leaf, name, refusal.value, refusal.reason))
    scope = next(filter(None, scopes), None)
    return Override(with_fields(tool, facts), facts, scope, changes)


def write(tools: Tool | Iterable[Tool], to: str, *, lossless: bool = False) -> str:
    """Write tools as one document.

    Args:
        tools: one tool or several.
        to: `FORMAT` or `FORMAT@VERSION`.
        lossless: carry what the target cannot hold in its own extension slot.

    Raises:
        UsageError: the target has one file for each tool, and there are several tools.
        WriteError: a tool cannot be written in the target, or not without looking safer than it is.

    >>> import json
    >>> json.loads(write(Tool(id="ls", description="List files."), "atdf"))["tool_id"]
    'ls'
    """
    tools = list_tools(tools)
    require_flag("lossless", lossless)
    target, version = formats.parse_target(to)
    request = TargetRequest(target, version, include_hidden=True)  # each of them was handed over
    written_tools = write_all(tools, request)
    _refuse_collisions(written_tools, repeat(None))
    refuse_weaker([read_back(result, target) for result in written_tools], target)
    files = write_files(collect_output(written_tools, request, lossless))
    if len(files) != 1:
        raise UsageError(
            f"{target.name} has one file for each tool, and there are {len(files)} tools; write them one by one",
            code="several-files",
        )
    return files[0][1]
