"""What an entry of a report tells people: its place, its name there, its reason, and whether it matters.

An entry is *bookkeeping* where it only follows from how two formats spell the same thing, or repeats another entry. A
loss, a looser schema and a guess about danger never are bookkeeping.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from toolglot.converter import formats, safety
from toolglot.converter.conversion import report_wording
from toolglot.converter.conversion.categories import ACTIONS, DANGERS, category_of
from toolglot.converter.conversion.leaf_comparison import LeafPair, fields_about, pair_leaves
from toolglot.converter.conversion.offers import OfferOptions
from toolglot.converter.conversion.positions import SourcePlace, SourcePlaces, WrittenDocuments, dotted, find_place
from toolglot.converter.conversion.read_back import ReadBack
from toolglot.converter.conversion.report import Change, is_refusal, split_path
from toolglot.converter.formats import Format
from toolglot.converter.formats.contract import Claim
from toolglot.converter.formats.kit.description.facts_in_description import LABELLED
from toolglot.converter.formats.kit.suppositions import MARK
from toolglot.converter.hub.fields import PARAMETERS, WORDING, noun_of
from toolglot.converter.hub.model import SCHEMAS, Leaf, Tool, parameter_names, to_json
from toolglot.converter.schema.titles import is_in_name
from toolglot.converter.text.document_reader import Document
from toolglot.converter.text.pointers import unescape, value_at

_BLANK: tuple[Any, ...] = (None, "", (), [], {})
_PARAMETERS = frozenset(PARAMETERS) - {"inputs"}
# `safety.statements_for_targets` derives these from other fields; by themselves they state no danger.
_DERIVED = frozenset({"paths", "latency_hint"})
_ASKED_FOR = frozenset(OfferOptions.__struct_fields__)
_LONGEST_NOTE = 80  # characters of a note that says by itself why
_REASONS_IN_FULL = {"excluded-tool": "left out: {}", "widened-mode": "{}"}
"""Code of what concerns a whole tool -> its reason, however long: without it nobody knows what to do."""
_REASONS_AS_NOTES = (report_wording.NO_SUCH_SCHEMA, report_wording.HIDDEN)


class _Case(msgspec.Struct, frozen=True):
    """A change, with what is needed to explain it.

    Attributes:
        fact: the hub field that the change is about; empty for a part of one.
        node, name, rest: JSON Pointer of the node, name of the field, and JSON Pointer in its value.
        back: the tool.
        pair: the callable node on both sides; two empty ones where the tool has no such node.
    """

    change: Change
    fact: str
    node: str
    name: str
    rest: str
    target: Format
    back: ReadBack
    pair: LeafPair

    @property
    def data(self) -> dict[str, Any]:
        """The record of the target for the node, where the target has no trees."""
        if self.target.tree or not self.back.pairs:
            return {}
        return self.back.result.records[self.pair.record].data

    @property
    def before(self) -> Tool:
        """The node as it was read."""
        return self.pair.before.tool

    @property
    def is_marked(self) -> bool:
        """Whether the document of the target marks the value as made up."""
        return self.change.action == "assumed" and self.fact in (self.pair.after.tool.assumed or ())

    @property
    def is_of_new_field(self) -> bool:
        """Whether the change is about a whole field that the source does not have."""
        return self.change.before is None and not self.rest

    def place_in_target(self, name: str, rest: str = "") -> str:
        """JSON Pointer of the place of a field in the target; empty where it has none."""
        return find_place(self.target, self.data, name, rest, would_say=True)


def explain_document(changes: Iterable[Change], document: Document, has_lines: bool) -> Iterator[Change]:
    """The changes beside the tools of a document, with their places and explanations."""
    for change in changes:
        line, column = (document.position(change.path) if has_lines else None) or (None, None)
        yield replace(
            change,
            source=document.name,
            line=line,
            column=column,
            field=dotted(change.path),
            because=_reason_of_note(change),
            bookkeeping=False,
        )


def explain_changes(
    changes: Iterable[Change],
    back: ReadBack,
    source: SourcePlaces,
    target: Format,
    has_lines: bool = True,
    documents: WrittenDocuments | None = None,
) -> Iterator[Change]:
    """The changes of one tool, with their places and explanations.

    Args:
        has_lines: whether lines and columns are wanted; to find them the text is read once more.
        documents: the documents of the result, if the places in them are wanted.
    """
    pairs = _pairs_by_node(back)
    for change in changes:
        node, name, rest = split_path(change.path)
        case = _Case(change, change.fact, node, name, rest, target, back, pairs.get(node, pairs[""]))
        path, command = source.path_and_words(node, change.path)
        place = _place_in_source(case, source)
        line, column = (_place_of_cause(case, source, place).position if has_lines else None) or (None, None)
        field, spelled = _name_in_source(case, source, place) if place.spelling else _name_in_target(case)
        reason, where = _why(case)
        says_danger = bool(where) and where in ("flags", case.fact) and safety.is_unsafe(case.fact, change.before)
        result = None
        if documents is not None and back.pairs and _is_left(change):
            result = documents.place(back, case.pair, where or name, "" if where else rest)
        yield replace(
            change,
            path=path,
            note=reason if reason in _REASONS_AS_NOTES else change.note,
            command=command,
            source=source.document.name,
            line=line,
            column=column,
            field=field,
            spelled=spelled,
            result=result,
            because=reason,
            bookkeeping=_is_bookkeeping(case, says_danger),
            says_danger=says_danger,
            is_marked=case.is_marked,
        )


def _place_in_source(case: _Case, source: SourcePlaces) -> SourcePlace:
    """The place of the value in the source; where the source does not say it, the place of the command."""
    name = "" if case.is_of_new_field else case.name
    return source.find(case.node, name, case.rest, None if case.rest else case.change.before)


def _place_of_cause(case: _Case, source: SourcePlaces, place: SourcePlace) -> SourcePlace:
    """The place in the source of a fact that the target says in another field."""
    if case.change.action == "renamed" and case.is_of_new_field:
        stated_by = fields_about(safety.facets_of(case.name), case.before)
        if stated_by:
            return source.find(case.node, stated_by[0], "")
    return place


def _name_in_source(case: _Case, source: SourcePlaces, place: SourcePlace) -> tuple[str, Any]:
    """The name of the value in the source, and the word that stands there."""
    field = place.spelling
    if case.rest and case.name in SCHEMAS and field == source.find(case.node, case.name, "").spelling:
        field += case.rest  # the source refers to a schema elsewhere, and has no place for a part
    return dotted(field), place.word


def _is_left(change: Change) -> bool:
    """Whether the target still has something of the value, or another value in its place."""
    return change.action not in ("dropped", "excluded") and (change.after is not None or change.action == "moved")


def _name_in_target(case: _Case) -> tuple[str, Any]:
    """The name in the target of a value that the source does not say, and the word that stands there."""
    change = case.change
    place = "" if is_refusal(change.code) else case.place_in_target(case.name, case.rest)
    spelled = None
    if place and case.is_of_new_field:
        spelled = value_at(case.data, place)
    elif change.action == "unstated":
        spelled, _ = _claim_of_harmlessness(case.before)
    return dotted(place or f"/{noun_of(case.name)}{case.rest}"), spelled


_SILENT = Leaf(("",), "", Tool(id=""), ())


def _pairs_by_node(back: ReadBack) -> dict[str, LeafPair]:
    """JSON Pointer -> callable node. The pointer of a group leads to the first callable node below it.

    That node shows what became of the statements of the group.
    """
    pairs = {pair.before.pointer: pair for pair in back.pairs}
    for pair in back.pairs or pair_leaves([_SILENT], [_SILENT]):
        for pointer in pair.before.pointers:
            pairs.setdefault(pointer, pair)
    return pairs


# -- why --------------------------------------------------------------------------------------------------------


def _why(case: _Case) -> tuple[str, str]:
    """The reason in few words, and the hub field that says it in the target, where that is another field."""
    change = case.change
    reason = report_wording.CARRIED if change.is_carried else _reason_of_note(change)
    if reason:
        return reason, ""
    where = ""
    if change.action == "moved":
        reason, where = _where_said(case, case.pair.after.tool)
    elif change.action in _EXPLAINERS:
        reason = _EXPLAINERS[change.action](case)
    else:
        reason = report_wording.REASONS[change.action]
    origin = change.note.partition("; inherited from ")[2]
    if origin:
        reason += f"; inherited from {origin}"
    return reason, where


def _reason_of_loss(case: _Case) -> str:
    key = case.change.path.rpartition("/")[2]
    if case.name == "extensions" and _is_of_target(case):
        return report_wording.REFUSED_BY_SCHEMA
    if case.name == "extensions" and _is_hosted(case):
        return report_wording.KIND_OF_VENDOR
    meaning = _notes_of_reader(case).get(key)
    if case.name == "extensions" and meaning is not None:
        return f"{report_wording.REASONS['dropped']}; {meaning}"
    if _is_of_hidden_option(case):
        return report_wording.HIDDEN
    if key in _ASKED_FOR & case.target.provider.request_keys:
        return report_wording.NOT_ASKED_FOR.format(key)
    if case.fact in _PARAMETERS:
        return _reason_of_lost_parameters(case)
    if case.fact == "outputs" and case.place_in_target("outputs"):
        return report_wording.NO_SUCH_SCHEMA  # results are not encoded, so that it cannot be fitted
    if _loses_danger(case) and any(offer.short_text for offer in case.back.result.offers):
        return report_wording.IN_FULL_TEXT
    return report_wording.REASONS["dropped"]


def _reason_of_silence(case: _Case) -> str:
    reason = report_wording.REASONS["unstated"]
    word, claim = _claim_of_harmlessness(case.before)
    if claim is not None:
        verb, _, doubt = report_wording.OF_METHOD if claim.is_method else report_wording.OF_HINT
        reason += f"; it {verb} {word}{doubt}"
    return reason


def _is_of_target(case: _Case) -> bool:
    """Whether the source has the target's format. Then its own data are written, unless they are invalid."""
    return case.before.origin == case.target.name


def _is_hosted(case: _Case) -> bool:
    """Whether only the vendor of the source knows this kind of tool. Mostly the vendor runs such a tool itself."""
    tool = case.before
    origin = formats.find(tool.origin)
    return origin is not None and origin.provider.is_hosted(tool)


def _notes_of_reader(case: _Case) -> Mapping[str, str]:
    """The keys that the reader of the source adds for its own notes -> their meaning."""
    origin = formats.find(case.before.origin)
    return {} if origin is None else origin.notes


def _is_of_hidden_option(case: _Case) -> bool:
    """Whether a parameter is gone because the help of the program hides its option."""
    bindings = case.before.bindings if case.name == "inputs" else None
    binding = (bindings or {}).get(unescape(case.rest.removeprefix("/properties/")))
    return binding is not None and bool(binding.hidden)


def _claim_of_harmlessness(tool: Tool) -> tuple[str | None, Claim | None]:
    """The claim that a tool changes nothing, and its name in the source; `None` where the tool makes none."""
    origin = formats.find(tool.origin)
    if origin is not None:
        for name, claim in origin.claims.items():
            is_harmless = any(safety.levels_of(*fact).get("changes") == safety.SAFE for fact in claim.facts.items())
            if is_harmless and claim.is_made(tool):
                return origin.places.key_word(tool, "mutates") if claim.is_method else name, claim
    return None, None


def _loses_danger(case: _Case) -> bool:
    """Whether a danger that the source states is stated nowhere in the target."""
    if not safety.is_unsafe(case.fact, case.change.before):
        return False
    levels_after = case.pair.levels_after
    levels = safety.caution(Tool(id="", **{case.fact: case.change.before}))
    return any(levels_after[facet] < level for facet, level in levels.items() if level == safety.UNSAFE)


def _reason_of_supposed(case: _Case) -> str:
    reason = report_wording.REASONS["assumed"].format(case.target.noun)
    if case.fact in WORDING:
        reason += report_wording.MADE_UP
    elif safety.facets_of(case.fact) or case.is_marked:
        reason += report_wording.CAUTIOUS
    if case.is_marked:
        reason += report_wording.MARKED.format(".".join((*case.target.slot.path, MARK)))
    return reason


def _reason_of_lost_parameters(case: _Case) -> str:
    """The reason where something is lost of how parameters are given on a command line."""
    lost = case.change.before
    if case.fact == "bindings":
        has_kinds = any(binding.kind for binding in lost.values())
        return report_wording.NO_COMMAND_LINE if has_kinds else report_wording.NO_SUCH_WORD
    shared = lost if case.fact == "global_bindings" else parameter_names(lost)
    own_names = parameter_names(case.before.inputs)
    if case.target.provider.profiles and not set(own_names).issuperset(shared):
        return report_wording.CAN_BE_OFFERED
    return report_wording.LEFT_TO_THE_HOST


_EXPLAINERS = {"dropped": _reason_of_loss, "unstated": _reason_of_silence, "assumed": _reason_of_supposed}
"""What happened -> what says why, where it takes a look at the case."""


def _reason_of_note(change: Change) -> str:
    """The note of the change, where it is short and says more than the action; else empty."""
    note = change.note.partition("; inherited from ")[0]
    if category_of(change.action, change.code) in DANGERS:
        return note  # however long: it says what to do, or where to look
    if change.code in _REASONS_IN_FULL:
        return _REASONS_IN_FULL[change.code].format(note)
    is_long = len(note) > _LONGEST_NOTE and not note.startswith(report_wording.CUT.format(""))
    if note in (ACTIONS[change.action].meaning, "") or is_long:
        return ""
    return f"{report_wording.REASONS['widened']}; {note}" if change.action == "widened" else note


def _where_said(case: _Case, after: Tool) -> tuple[str, str]:
    """Where the target says a fact that it has no field for, in words, and the hub field that has it."""
    fact, target = case.fact, case.target
    levels_before = safety.levels_of(fact, case.change.before)
    if fact in LABELLED or fact in target.places.in_prose:
        return report_wording.AS_SENTENCE, fact
    if not levels_before:
        return _where_retold(case, after)
    words = _words_for(levels_before, after.flags or ())
    if words:
        return ", ".join(words), "flags"
    for other in sorted(target.holds & safety.SAFETY_FIELDS):
        statement = getattr(after, other)
        if statement is None or not _covers(safety.levels_of(other, statement), levels_before):
            continue
        place = case.place_in_target(other)
        if place:
            value = json.dumps(to_json(statement), ensure_ascii=False, default=str)
            return report_wording.AS_FIELD.format(dotted(place), value), other
    for hint, facts in target.claims_of(after).items():
        for other, statement in facts.items():
            if _covers(safety.levels_of(other, statement), levels_before):
                return report_wording.AS_HINT.format(hint), other
    return report_wording.REASONS["moved"], ""


def _where_retold(case: _Case, after: Tool) -> tuple[str, str]:
    """The same for anything but facts about safety."""
    if case.fact == "title" and is_in_name(case.change.before, after.id):
        return report_wording.AS_NAME, "id"
    if case.fact == "body" or not isinstance(case.change.before, str):
        return report_wording.REASONS["moved"], ""
    return report_wording.AS_TEXT, "description"


def _words_for(levels: safety.Levels, flags: Iterable[str]) -> list[str]:
    """The words of the warnings that say a whole danger, or else of those that say a part of it."""
    notes = [safety.WORDS[flag] for flag in flags]
    whole = [note.words for note in notes if levels.items() <= note.levels.items()]
    return whole or [note.words for note in notes if _covers(note.levels, levels)]


def _covers(levels: safety.Levels, needed_levels: safety.Levels) -> bool:
    """Whether a statement says the danger of another one as gravely; where that has none, whether it says the same."""
    grave = {
        facet: level for facet, level in needed_levels.items() if level > safety.UNKNOWN_LEVELS[facet]
    } or needed_levels
    return any(facet in levels and levels[facet] >= level for facet, level in grave.items())


# -- whether it matters -----------------------------------------------------------------------------------------


def _is_bookkeeping(case: _Case, says_danger: bool) -> bool:
    change = case.change
    if change.direction == "riskier" or change.severity == "error":
        return False
    if change.action in ("encoded", "described", "moved"):
        return not says_danger  # what a text still says nobody misses
    if change.action == "renamed":
        return case.name != "id" and not (safety.facets_of(case.name) and change.after not in _BLANK)
    if change.action == "unstated":
        return _demands_effects(case.pair)
    return change.action == "assumed" and _follows(case)


def _demands_effects(pair: LeafPair) -> bool:
    """Whether the target has a cautious value for effects that nobody states. Another entry tells so."""
    return "mutates" in (pair.after.tool.assumed or ()) or pair.levels_after["changes"] > safety.UNKNOWN


def _follows(case: _Case) -> bool:
    """Whether a value that is new in the target only follows from its format or the request, or repeats a fact."""
    name, value, target = case.name, case.change.after, case.target
    if name in SCHEMAS:
        return bool(case.rest) or not (isinstance(value, dict) and value.get("properties"))
    if name == "flags":
        return all(_is_known(flag, case.pair.levels_before) for flag in value)
    if name == "extensions":
        key = unescape(case.rest.split("/")[2]) if case.rest.count("/") > 1 else ""
        if key in target.spelling.keys or key in _ASKED_FOR & target.provider.request_keys:
            return True
        is_echo = case.rest.removeprefix(f"/{target.name}") in target.spelling.echoes(case.pair.after.tool)
        return is_echo or value in _BLANK or _is_hints(value, target)
    if safety.facets_of(name):
        return _restates(name, value, case.pair.levels_before)
    return name in target.spelling.formal or name in _DERIVED or value in _BLANK


def _restates(name: str, value: Any, before: safety.Levels) -> bool:
    """Whether a value only says what the source says in other fields."""
    levels = safety.levels_of(name, value)
    is_same = all(before[facet] == level != safety.UNKNOWN_LEVELS[facet] for facet, level in levels.items())
    return bool(levels) and is_same


def _is_known(flag: str, before: safety.Levels) -> bool:
    """Whether a warning only says what the source says elsewhere."""
    return all(before[facet] >= level for facet, level in safety.WORDS[flag].levels.items())


def _is_hints(value: Any, target: Format) -> bool:
    """Whether a value holds nothing but hints, which are written where facts prove them."""
    return isinstance(value, dict) and bool(value) and value.keys() <= target.claims.keys()
