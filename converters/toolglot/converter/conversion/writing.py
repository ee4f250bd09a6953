"""From tools to records of a target: flatten trees, express caution, write, and obey the target's schema.

Caution is expressed in one pass, and only for foreign tools: a tool that returns to its own format says what it said.
A tool that was made in code is foreign to every format (`_is_foreign`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from operator import itemgetter
from typing import Any

import msgspec
from msgspec.structs import replace

from toolglot.converter import safety
from toolglot.converter.conversion import report_wording
from toolglot.converter.conversion.extension_slots import SLOT, without_ours
from toolglot.converter.conversion.leaf_comparison import find_weaker_tools, pair_leaves
from toolglot.converter.conversion.offers import Offer, TargetRequest, find_modes
from toolglot.converter.formats import Format, Record
from toolglot.converter.formats.kit.description.guidance import describe_fully, with_examples
from toolglot.converter.formats.kit.parameters import describe_exclusions
from toolglot.converter.formats.kit.tool_ids import UNQUALIFIED, Name, Qualifier, named_parts, qualifier_of
from toolglot.converter.hub.model import SCHEMAS, JsonObject, Leaf, Tool, map_nodes, without_spelling
from toolglot.converter.hub.trees import walk_nodes, with_fields, without_hidden_options
from toolglot.converter.safety.inheritance import leaves_of
from toolglot.converter.schema import canonical
from toolglot.converter.schema.document_problems import Problem, find_problems
from toolglot.converter.schema.metaschemas import declared_draft, is_of_draft
from toolglot.converter.schema.newest_dialect import restate_tool
from toolglot.converter.text.pointers import NOTHING, way_to, with_values, without_keys
from toolglot.converter.text.sequences import group_by
from toolglot.converter.text.wording import with_original_name
from toolglot.errors import LimitError, UsageError, WriteError

_MAX_REPAIRS = 64


class WrittenRecord(msgspec.Struct, frozen=True, gc=False):
    """One record of a target.

    Attributes:
        tool: the tool that the target's writer got, with caution expressed and the id of the record.
        tool_in_target: the tool that the target's reader reads in the record.
    """

    tool: Tool
    record: Record
    tool_in_target: Tool


class WrittenTool(msgspec.Struct, frozen=True):
    """One tool in a target format: a record for each leaf, or one for the whole tree.

    Attributes:
        tool: the tool as it was read from the source.
        leaves: its callable nodes, as they were read.
        parts: its records.
        offers: for a provider one for each leaf; for another target only those that were left out and have no record.
    """

    tool: Tool
    leaves: list[Leaf]
    parts: list[WrittenRecord]
    offers: Sequence[Offer] = ()

    @property
    def records(self) -> list[Record]:
        """The records without what they were written from."""
        return [part.record for part in self.parts]

    @property
    def ids(self) -> list[str]:
        """The ids of the records."""
        return [part.tool.id for part in self.parts]

    @property
    def behind(self) -> list[list[Leaf]]:
        """For each record, the commands that it describes."""
        offered = [offer.behind for offer in self.offers if offer.mode != "excluded"]
        alone = [self.leaves] if len(self.parts) == 1 else [[leaf] for leaf in self.leaves]
        return offered or alone


def write_tool(
    tool: Tool,
    request: TargetRequest,
    scope: str | None = None,
    offers: Sequence[Offer] = (),
    qualifier: Qualifier = UNQUALIFIED,
) -> WrittenTool:
    """Write one of the tools of a request.

    Args:
        scope: the beginning of ids that the user asserts.
        offers: the offers of the tool from `plan_offers`; empty for a target that is no provider.
        qualifier: what is added to the path in ids; for a provider it is in the offers.

    Raises:
        UsageError: the target's ids have no scope.
        WriteError: the target's canonical schema refuses the result, or two leaves would get the same id.
    """
    target = request.target
    if scope is not None and target.scoped_ids is None:
        raise UsageError(f"the ids of {target.name} have no scope; leave out {scope!r}", code="bad-option")
    if target.provider.profiles:
        return _write_offers(tool, request, offers)
    source, leaves = tool, list(leaves_of(tool))
    if tool.origin is None:  # what no reader has read
        tool = restate_tool(tool)
    if target.tree:
        root = target.identify(Name((tool.id,), *qualifier))
        if qualifier != UNQUALIFIED:
            tool = replace(tool, id=root)
        whole = _write_record(_express_caution_of_tree(tool, target), request)
        whole = replace(whole, tool=replace(whole.tool, id=root))
        return WrittenTool(source, leaves, [whole])
    named_tools: list[Tool] = []
    shown: list[Leaf] = []
    left_out: list[Offer] = []
    for leaf, own in zip(leaves, leaves_of(tool), strict=True):
        if request.hides(leaf):
            left_out.append(Offer(leaf, leaf.tool.id, "excluded", report_wording.HIDDEN))
            continue
        own_tool = _with_tool_source(own.tool, target, scope)
        if not request.shows_hidden:
            own_tool = replace(own_tool, inputs=without_hidden_options(own_tool.inputs, own_tool))
        cautious = _express_caution(own_tool, target, leaf=own)
        identifier = identify_leaf(leaf, target, scope, qualifier, cautious.source)
        if cautious.id != identifier:
            description = with_original_name(cautious.description, " ".join(named_parts(leaf.path)), identifier)
            cautious = replace(cautious, id=identifier, description=description)
        shown.append(leaf)
        named_tools.append(cautious)
    if len(shown) > 1:
        refuse_collisions((named.id, " ".join(leaf.path)) for named, leaf in zip(named_tools, shown, strict=True))
    parts = [_write_record(named_tool, request) for named_tool in named_tools]
    return WrittenTool(source, shown, parts, left_out)


def _write_offers(tool: Tool, request: TargetRequest, offers: Sequence[Offer]) -> WrittenTool:
    # With `fitting` 4 ms that other targets do without.
    from toolglot.converter.conversion.offer_planning import present_tool

    target = request.target
    offers_in_request = [offer for offer in offers if offer.mode != "excluded"]
    parts: list[WrittenRecord] = []
    for offer in offers_in_request:
        own_request = request if offer.fitted is None else replace(request, version=offer.version)
        rules = find_modes(target, own_request.version, None).loose
        presented_tool = present_tool(offer, target, rules)
        cautious = _express_caution(presented_tool, target, offer.short_text, offer.leaf)
        part = _write_record(cautious, own_request, offer.short_text)
        if offer.examples:
            shown = [example.input for example in part.tool_in_target.examples or ()]
            untold = tuple(example for example in cautious.examples or () if example.input not in shown)
            told = replace(cautious, examples=untold)
            told = with_examples(told, target.holds, rules.description_limit)
            told = replace(told, examples=cautious.examples)
            part = _write_record(told, own_request, offer.short_text)
        parts.append(part)
    refuse_collisions((offer.name, " ".join(offer.leaf.path)) for offer in offers_in_request)
    return WrittenTool(tool, [offer.leaf for offer in offers_in_request], parts, list(offers))


def identify_leaf(
    leaf: Leaf,
    target: Format,
    scope: str | None = None,
    qualifier: Qualifier = UNQUALIFIED,
    tool_source: str | None = None,
) -> str:
    """The id of a callable node in a target. The id of a tool in the target's own format stays, unless told otherwise.

    Args:
        scope: the beginning of the id that the user asserts.
        qualifier: what is added to the path; an id with a scope always has the namespace and the major version.
        tool_source: the kind of source behind the tool; default: what its own format and the scope say.

    Raises:
        WriteError: the scope contradicts the source of the tool.
    """
    scoped_ids = target.scoped_ids
    if scoped_ids is not None:
        own = qualifier_of(leaf.tool)
        qualifier = Qualifier(qualifier.namespace or own.namespace, own.major)
    is_own = leaf.tool.origin == target.name and not leaf.ancestors
    if is_own and scope is None and qualifier == UNQUALIFIED:
        return leaf.tool.id
    if scoped_ids is not None:
        tool_source = tool_source or _with_tool_source(leaf.tool, target, scope).source
        return target.identify(Name(leaf.path, *qualifier, scoped_ids.scope_for(leaf.path, scope, tool_source)))
    return target.identify(Name(leaf.path, *qualifier))


def _with_tool_source(tool: Tool, target: Format, scope: str | None) -> Tool:
    """The tool with the kind of its source, taken from the scope or from its own format where it does not say one."""
    if target.scoped_ids is None or tool.source is not None or tool.origin == target.name:
        return tool
    return replace(tool, source=target.scoped_ids.source_of(tool, scope))


def refuse_collisions(ids_and_names: Iterable[tuple[Any, str]]) -> None:
    """Refuse tools that would share an id, because letting one win could hide the dangerous one.

    Args:
        ids_and_names: pairs of the id in the target (alone, or with namespace and version) and the name of the tool for
            people.

    Raises:
        WriteError: two ids are equal; the message names all tools with equal ids.
    """
    collisions: list[str] = []
    for identifier, pairs in group_by(ids_and_names, itemgetter(0)).items():
        if len(pairs) > 1:
            key = identifier if isinstance(identifier, str) else identifier[0]
            collisions.append(f"{' and '.join([repr(name) for _, name in pairs])} would both be called {key!r}")
    if collisions:
        raise WriteError(f"{'; '.join(collisions)}; rename one", code="id-collision")


def _is_foreign(tool: Tool, target: Format) -> bool:
    """Whether a tool was not read from the target's format: it comes from another one, or from code."""
    return tool.origin != target.name


def may_lose(tool: Tool, target: Format) -> bool:
    """Whether a record of the target may hold less than the tool says."""
    return _is_foreign(tool, target) and not target.holds_everything


def _express_caution(tool: Tool, target: Format, short: bool = False, leaf: Leaf | None = None) -> Tool:
    """A foreign tool in the target's words, with all of its dangers and those it inherits."""
    if not may_lose(tool, target):
        return tool
    described_tool = describe_fully(tool, target.holds | target.untold, leaf)
    cautious_tool = safety.express_safety(described_tool, target.holds, target.safety_words, short)
    if target.provider.is_api and safety.is_read_only(tool):
        return safety.with_read_only_flag(cautious_tool)
    return cautious_tool


def _express_caution_of_tree(tool: Tool, target: Format) -> Tool:
    """A foreign tree in the target's words: every callable node with all of its dangers, groups as they are."""
    if not may_lose(tool, target):
        return tool
    tools_by_pointer = {"": tool}
    if tool.children:
        tools_by_pointer = {leaf.pointer: leaf.tool for leaf in leaves_of(tool)}

    def walk(node: Tool, pointer: str) -> Tool:
        children = tuple(walk(child, f"{pointer}/children/{index}") for index, child in enumerate(node.children or ()))
        new_node = replace(node, children=children or None, origin=node.origin or tool.origin)
        if pointer in tools_by_pointer:
            # What several nodes say together (a group asks for approval, its command makes the change) has to be
            # said where it holds, because the target may have no field for one half of it.
            whole = safety.stated_facts(tools_by_pointer[pointer])
            return _express_caution(replace(new_node, **whole), target)
        if not safety.stated_facts(node):
            return describe_fully(new_node, target.holds)
        # Each command says in words what it inherits. A group that said it too would speak for the commands that
        # deny it, where the target has no field for their denial.
        return replace(_express_caution(new_node, target), flags=new_node.flags)

    return walk(tool, "")


def _write_record(tool: Tool, request: TargetRequest, short: bool = False) -> WrittenRecord:
    """One record of a tool. A tool of the target's own format is written as it was, if that is valid and no safer."""
    target = request.target
    if _is_foreign(tool, target):
        return _write_foreign(tool, request, short)
    foreign = _as_foreign(tool, target)
    # First as it was, then with the values that the version demands.
    spellings = [_without_broken_schemas(tool, target)]
    if not any(node.unclear for _, node in walk_nodes(tool)):  # only its own spelling says what is unclear
        spellings.append(foreign)
    for written in spellings:
        result = _write_own(written, request)
        if result is not None:
            return replace(result, tool=tool)
    foreign = _express_caution_of_tree(foreign, target)
    return replace(_write_foreign(foreign, request), tool=tool)


def _without_broken_schemas(tool: Tool, target: Format) -> Tool:
    """A tool without the source's spelling of schemas that break their own draft: the restated ones are written."""
    kept = tool.extension(target.name)
    broken = [key for key in map(target.places.fields.get, SCHEMAS) if key and _is_broken(kept.get(key[1:]), target)]
    if not broken:
        return tool
    rest = without_keys(kept, *(key[1:] for key in broken))
    return replace(tool, extensions={**(tool.extensions or {}), target.name: rest})


def _is_broken(schema: Any, target: Format) -> bool:
    if not isinstance(schema, dict):
        return False
    draft = declared_draft(schema, target.schema_draft)
    return draft is not None and not is_of_draft(schema, draft)


def _write_own(tool: Tool, request: TargetRequest) -> WrittenRecord | None:
    """The record of a tool of the target's own format; `None` where it breaks the schema, or would look safer."""
    record = _without_unknown_keys(request.target.write(tool, request.version), tool, request)
    if not is_valid_record(record, request):
        return None
    tool_in_target = request.target.tool_of(record)
    # An edited tool may say more than the fields of its own format show.
    before, after = list(leaves_of(tool)), list(leaves_of(tool_in_target))
    if len(before) != len(after) or find_weaker_tools(pair_leaves(before, after)):
        return None
    return WrittenRecord(tool, record, tool_in_target)


def _as_foreign(tool: Tool, target: Format) -> Tool:
    """A tool of the target's own format, made foreign."""
    foreign = map_nodes(without_spelling(tool), lambda node: _without_misfits(node, target))
    foreign = replace(foreign, origin=None)
    if target.tree:
        return foreign
    return replace(foreign, id=target.identify(Name((tool.id,))))


def _write_foreign(tool: Tool, request: TargetRequest, short: bool = False) -> WrittenRecord:
    """The record of a foreign tool. A warning in a text that the writer cut is put at the end of a text.

    This takes a second pass, because only the writer knows which texts it shortens or leaves out.
    """
    result = _write_valid(tool, request)
    if request.target.holds_everything:
        return result
    flags = _flags_of_missing_warnings(tool, result.tool_in_target, short)
    if not flags:
        return result
    return _write_valid(with_fields(tool, flags), request)


def _write_valid(tool: Tool, request: TargetRequest) -> WrittenRecord:
    target = request.target
    if tool.bindings and "bindings" not in target.holds:
        tool = describe_exclusions(tool)
    try:
        record = _remove_refused_values(target.write(tool, request.version), request)
        return WrittenRecord(tool, record, target.tool_of(record))
    except (LimitError, WriteError) as error:  # only here it is known which of many tools is at fault
        error.message = f"{target.name} cannot hold {tool.id!r}: {error.message}"
        raise


def _flags_of_missing_warnings(tool: Tool, tool_in_target: Tool, short: bool) -> dict[str, JsonObject]:
    """JSON Pointer of a node -> its flags, with the warnings that cannot be read back from the target."""
    leaves = list(leaves_of(tool))
    if not any(safety.text_warnings(node) for leaf in leaves for node in (leaf.tool, *leaf.ancestors)):
        return {}
    own_nodes = dict(walk_nodes(tool))
    flags: dict[str, JsonObject] = {}
    for leaf, leaf_back in zip(leaves, leaves_of(tool_in_target), strict=False):
        stated = safety.gist_of(safety.without_constants(leaf.tool))
        missing = safety.missing_warnings(stated, safety.gist_of(leaf_back.tool), short)
        if missing:
            own_flags = own_nodes[leaf.pointer].flags or ()
            flags[leaf.pointer] = {"flags": safety.sort_warnings((*own_flags, *missing))}
    return flags


def _without_unknown_keys(record: Record, tool: Tool, request: TargetRequest) -> Record:
    """A record of the tool's own format without the keys that its schema refuses.

    Otherwise one unknown key would have the whole record written in other words. Keys that may state a danger stay.
    """
    if is_valid_record(record, request):
        return record
    target = request.target
    places_of_danger = {place for name, place in target.places.fields.items() if name in safety.SAFETY_FIELDS}
    places_of_danger.update(doubt.pointer for doubt in target.doubts_of(tool))
    ways_to_danger = set(chain.from_iterable(map(way_to, places_of_danger)))
    unknown: list[str] = []
    for problem in find_problems(record.data, _schema(record, request)):
        is_danger = problem.pointer in ways_to_danger or not places_of_danger.isdisjoint(way_to(problem.pointer))
        if problem.keyword == "additionalProperties" and not is_danger:
            unknown.append(problem.pointer)
    return replace(record, data=with_values(record.data, dict.fromkeys(unknown, NOTHING)))


def _without_misfits(node: Tool, target: Format) -> Tool:
    """A node without values of its own format that could not be read as a field, and without its slot.

    They belong to the old record, and would contradict the one that is written in other words.
    """
    if not node.extensions:
        return node
    rest = without_ours(Record(node.extension(target.name)), target, SLOT).data
    rest = with_values(rest, dict.fromkeys(target.places.fields.values(), NOTHING))
    return replace(node, extensions={**node.extensions, target.name: rest})


def _schema(record: Record, request: TargetRequest) -> str:
    return f"{request.target.name}/{request.version or request.target.version_of(record.data)}"


def is_valid_record(record: Record, request: TargetRequest) -> bool:
    """Whether a record is valid in the version asked for, or else in the one that it is written in."""
    return canonical.is_valid(record.data, _schema(record, request))


def _remove_refused_values(record: Record, request: TargetRequest) -> Record:
    """Take away what the target's schema refuses, as long as that is few values; the report shows what went.

    Raises:
        WriteError: what is refused cannot be taken away, such as a missing key, or is too much.
    """
    first: Problem | None = None
    repairs = 0
    while not is_valid_record(record, request):
        problems = [*find_problems(record.data, _schema(record, request))]
        first = first or next(iter(problems), None)
        pointers = dict.fromkeys(problem.pointer for problem in problems)
        repairs += len(pointers)
        if not pointers or "" in pointers or repairs > _MAX_REPAIRS:
            message = first.message if first else "its schema refuses the result"
            raise WriteError(message, code="invalid-output", pointer=first.pointer if first else "")
        record = replace(record, data=with_values(record.data, dict.fromkeys(pointers, NOTHING)))
    return record
