"""What an entry of a report tells people: the target's name for a field, why in few words, and whether it matters.

An entry is *bookkeeping* where it only follows from how two formats spell the same thing, or says again what another
entry says. Nothing that is lost, looser or a guess about danger is.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from toolglot import formats, safety
from toolglot.conversion import report_wording
from toolglot.conversion.categories import ACTIONS, DANGERS, Category
from toolglot.conversion.leaf_comparison import LeafPair
from toolglot.conversion.moved_texts import TEXTS
from toolglot.conversion.positions import WrittenDocuments, dotted, find_place
from toolglot.conversion.read_back import ReadBack
from toolglot.conversion.report import Change, split_path
from toolglot.formats import Format
from toolglot.formats.kit.description.labelled_facts import LABELLED
from toolglot.formats.kit.suppositions import MARK
from toolglot.hub.model import SCHEMAS, Tool, parameter_names, to_json
from toolglot.schema.titles import is_in_name
from toolglot.text.pointers import unescape, value_at

_BLANK: tuple[Any, ...] = (None, "", (), [], {})
_PARAMETERS = frozenset({"bindings", "global_bindings", "global_inputs"})
# `safety.danger_in_targets` derives these from other fields; by themselves they state no danger.
_DERIVED = frozenset({"paths", "latency_hint"})
# What people call a field of the hub, where neither the source nor the target has a word for it.
_NOUNS = {"mutates": "effects", "auth_required": "credentials", "auth_methods": "credentials"}
_LONGEST_NOTE = 80  # characters of a note that says by itself why
_REASONS_IN_FULL = {"excluded-tool": "left out: {}", "widened-mode": "{}"}
"""Code of what concerns a whole tool -> its reason, however long: without it nobody knows what to do."""


def with_details(
    changes: Iterable[Change], target: Format, back: ReadBack | None, documents: WrittenDocuments | None = None
) -> Iterator[Change]:
    """The changes of one tool, or of a document (`back` is `None`), with what they tell people.

    `field` is set as the target spells it; where the source says it, its own spelling takes that place later.

    Args:
        documents: the results, if it is wanted where they say what became of a value.
    """
    if back is None:
        for change in changes:
            yield msgspec.structs.replace(
                change, field=dotted(change.path), because=_reason_of_note(change), bookkeeping=False
            )
        return
    pairs = {pair.before.pointer: pair for pair in back.pairs}
    numbers, records = _records_of_pairs(back, target), back.result.records
    first_leaves = _first_leaves(back)
    for change in changes:
        pointer, name, rest = split_path(change.path)
        if pointer not in pairs:  # what a group says; a leaf below it shows what became of it
            pointer = first_leaves.get(pointer, first_leaves[""])
        pair = pairs.get(pointer)
        record = numbers.get(pointer)
        node: dict[str, Any] = {}
        if record is not None and not target.tree:
            node = records[record].data
        place = "" if change.category is Category.REFUSED else find_place(target, node, name, rest, would_say=True)
        reason, where = _why(change, back, target, node, pair)
        if reason == report_wording.NO_SUCH_SCHEMA:
            change = msgspec.structs.replace(change, note=reason)
        says_danger = bool(where) and where in ("flags", change.fact) and _is_danger(change)
        spelling = None if change.action != "unstated" or pair is None else _trusted_method(pair.before.tool)
        if place and change.before is None and not rest:
            spelling = value_at(node, place)
        result = _place_of_result(documents, change, back, pair, record, where or name, "" if where else rest)
        yield msgspec.structs.replace(
            change,
            field=dotted(place) or f"{_NOUNS.get(name, name)}{dotted(rest)}",
            because=reason,
            bookkeeping=_is_bookkeeping(change, name, rest, target, pair, says_danger),
            says_danger=says_danger,
            is_marked=_is_marked(change, pair),
            spelled=spelling,
            result=result,
        )


def _first_leaves(back: ReadBack) -> dict[str, str]:
    """The pointer of each group -> that of the first leaf below it; of the whole tool, the first of all."""
    leaves: dict[str, str] = {"": next((pair.before.pointer for pair in back.pairs), "")}
    for pair in back.pairs:
        group = pair.before.pointer
        while group:
            group = group.rpartition("/children/")[0]
            leaves.setdefault(group, pair.before.pointer)
    return leaves


def _records_of_pairs(back: ReadBack, target: Format) -> dict[str, int]:
    """Pointer of a callable node in the source -> which of the tool's records in the target tells of it."""
    pointers = [pair.before.pointer for pair in back.pairs]
    if target.tree or len(back.result.records) == 1:
        return dict.fromkeys(pointers, 0)
    if not back.result.offers:
        return {pointer: number for number, pointer in enumerate(pointers)}
    offers = [offer for offer in back.result.offers if offer.mode != "excluded"]
    numbers: dict[str, int] = {}
    for number, offer in enumerate(offers):
        numbers.update((leaf.pointer, number) for leaf in offer.behind)
    return numbers


def _place_of_result(
    documents: WrittenDocuments | None,
    change: Change,
    back: ReadBack,
    pair: LeafPair | None,
    record: int | None,
    name: str,
    rest: str,
) -> tuple[int, int] | None:
    """Which result says what became of a value, and in which line; `None` where none does, or nobody asks."""
    is_gone = change.action in ("dropped", "excluded") or (change.after is None and change.action != "moved")
    if documents is None or pair is None or record is None or is_gone:
        return None
    return documents.place(back, pair, record, name, rest)


# -- why --------------------------------------------------------------------------------------------------------


def _why(
    change: Change, back: ReadBack, target: Format, node: dict[str, Any], pair: LeafPair | None
) -> tuple[str, str]:
    """Why, in few words, and the field of the hub that says it in the target, where that is another one."""
    reason = report_wording.CARRIED if change.is_carried else _reason_of_note(change)
    if reason:
        return reason, ""
    where, origin = "", change.note.partition("; inherited from ")[2]
    reason = ACTIONS[change.action].because
    if change.action == "moved" and pair is not None:
        reason, where = _where_said(change, target, node, pair.after.tool)
    elif change.action == "dropped" and change.fact in _PARAMETERS:
        reason = _reason_of_lost_parameters(change, target, pair)
    elif (
        change.action == "dropped" and change.fact == "outputs" and find_place(target, node, "outputs", would_say=True)
    ):
        reason = report_wording.NO_SUCH_SCHEMA  # results are not encoded, so that it cannot be fitted
    elif (
        change.action == "dropped"
        and _loses_danger(change, pair)
        and any(offer.short_text for offer in back.result.offers)
    ):
        reason = report_wording.IN_FULL_TEXT
    elif change.action == "unstated" and pair is not None:
        method = _trusted_method(pair.before.tool)
        if method:
            reason += report_wording.OF_METHOD.format(method) + report_wording.BELIEVABLE
    elif change.action == "assumed":
        reason = _reason_of_supposed(change, target, _is_marked(change, pair))
    if origin:
        reason += f"; inherited from {origin}"
    return reason, where


def _trusted_method(tool: Tool) -> str | None:
    """The method that would say that a tool changes nothing, if a person vouched for it."""
    if tool.origin not in formats.names():
        return None
    origin = formats.get(tool.origin or "")
    made = [claim for claim in origin.claims.values() if claim.is_method and claim.is_made(tool)]
    facts = [fact for claim in made for fact in claim.facts.items()]
    if any(safety.levels_of(*fact).get("changes") == safety.SAFE for fact in facts):
        return origin.places.key_word(tool, "mutates")
    return None


def _loses_danger(change: Change, pair: LeafPair | None) -> bool:
    """Whether a danger that the source states is stated nowhere in the target."""
    levels_after = pair.levels_after if pair is not None else safety.UNKNOWN_LEVELS
    levels = safety.caution(Tool(id="", **{change.fact: change.before})) if _is_danger(change) else {}
    return any(levels_after[facet] < level for facet, level in levels.items() if level == safety.UNSAFE)


def _is_danger(change: Change) -> bool:
    return safety.is_unsafe(change.fact, change.before)


def _is_marked(change: Change, pair: LeafPair | None) -> bool:
    """Whether the document of the target names the value as one that nobody states."""
    return change.action == "assumed" and pair is not None and change.fact in (pair.after.tool.assumed or ())


def _reason_of_supposed(change: Change, target: Format, is_marked: bool) -> str:
    reason = ACTIONS["assumed"].because.format(target.noun)
    if change.fact in TEXTS:
        reason += report_wording.MADE_UP
    elif safety.facets_of(change.fact) or is_marked:
        reason += report_wording.CAUTIOUS
    if is_marked:
        reason += report_wording.MARKED.format(".".join((*target.slot.path, MARK)))
    return reason


def _reason_of_lost_parameters(change: Change, target: Format, pair: LeafPair | None) -> str:
    """What it means that something is lost of how parameters are given."""
    if change.fact == "bindings":
        has_kinds = any(binding.kind for binding in change.before.values())
        return report_wording.NO_COMMAND_LINE if has_kinds else report_wording.NO_SUCH_WORD
    shared = change.before if change.fact == "global_bindings" else parameter_names(change.before)
    own_names = [] if pair is None else parameter_names(pair.before.tool.inputs)
    if target.provider.profiles and not set(own_names).issuperset(shared):
        return report_wording.CAN_BE_OFFERED
    return report_wording.LEFT_TO_THE_HOST


def _reason_of_note(change: Change) -> str:
    """The note, where it is short and says more than the action; else nothing."""
    note = change.note.partition("; inherited from ")[0]
    if change.category in DANGERS:
        return note  # however long: it says what to do, or where to look
    if change.code in _REASONS_IN_FULL:
        return _REASONS_IN_FULL[change.code].format(note)
    is_known = note in (ACTIONS[change.action].meaning, "") or change.action == "widened"
    is_long = len(note) > _LONGEST_NOTE and not note.startswith(report_wording.CUT.format(""))
    return "" if is_known or is_long else note


def _where_said(change: Change, target: Format, node: dict[str, Any], after: Tool) -> tuple[str, str]:
    """In words where the target says what it has no field for, and the field of the hub in which."""
    levels_before = safety.levels_of(change.fact, change.before)
    if change.fact in LABELLED or change.fact in target.places.in_prose:
        return report_wording.AS_SENTENCE, change.fact
    if not levels_before:
        return _where_retold(change, after)
    words = _words_for(levels_before, after.flags or ())
    if words:
        return ", ".join(words), "flags"
    for other in sorted(target.holds & safety.SAFETY_FIELDS):
        statement = getattr(after, other)
        if statement is None or not _covers(safety.levels_of(other, statement), levels_before):
            continue
        place = find_place(target, node, other, would_say=True)
        if place:
            return report_wording.AS_FIELD.format(dotted(place), _dump(statement)), other
    for hint, facts in target.claims_of(after).items():
        for other, statement in facts.items():
            if _covers(safety.levels_of(other, statement), levels_before):
                return report_wording.AS_HINT.format(hint), other
    return ACTIONS["moved"].because, ""


def _where_retold(change: Change, after: Tool) -> tuple[str, str]:
    """In words where the target tells what is no fact about safety, and the field of the hub in which."""
    if change.fact == "title" and is_in_name(change.before, after.id):
        return report_wording.AS_NAME, "id"
    if change.fact == "body" or not isinstance(change.before, str):
        return ACTIONS["moved"].because, ""
    return report_wording.AS_TEXT, "description"


def _words_for(levels: safety.Levels, flags: Iterable[str]) -> list[str]:
    """The words of the warnings that say all of a danger, or else of those that say some of it."""
    notes = [safety.WORDS[flag] for flag in flags]
    whole = [note.words for note in notes if levels.items() <= note.levels.items()]
    return whole or [note.words for note in notes if _covers(note.levels, levels)]


def _covers(levels: safety.Levels, needed_levels: safety.Levels) -> bool:
    """Whether a statement speaks of the danger that another one states, as gravely; of its safety where it has none."""
    grave = {
        facet: level for facet, level in needed_levels.items() if level > safety.UNKNOWN_LEVELS[facet]
    } or needed_levels
    return any(facet in levels and levels[facet] >= level for facet, level in grave.items())


def _dump(value: Any) -> str:
    return json.dumps(to_json(value), ensure_ascii=False, default=str)


# -- whether it matters -----------------------------------------------------------------------------------------


def _is_bookkeeping(
    change: Change, name: str, rest: str, target: Format, pair: LeafPair | None, says_danger: bool
) -> bool:
    if change.direction == "riskier" or change.severity == "error":
        return False
    if change.action in ("encoded", "described", "moved"):
        return not says_danger  # what a text still says nobody misses
    if change.action == "renamed":
        return name != "id" and not (safety.facets_of(name) and change.after not in _BLANK)
    if change.action == "unstated":
        return _demands_effects(target, pair)
    return change.action == "assumed" and _follows(change, name, rest, target, pair)


def _demands_effects(target: Format, pair: LeafPair | None) -> bool:
    """Whether the target has a cautious value for what nobody states, of which another entry tells."""
    if pair is None:
        return False
    return "mutates" in (pair.after.tool.assumed or ()) or pair.levels_after["changes"] > safety.UNKNOWN


def _follows(change: Change, name: str, rest: str, target: Format, pair: LeafPair | None) -> bool:
    """Whether what the target says and the source does not only follows from the format, or says a fact again."""
    if name in SCHEMAS:
        is_object = isinstance(change.after, dict)
        return bool(rest) or not (is_object and change.after.get("properties"))
    if name == "flags":
        return pair is not None and all(_is_known(flag, pair.levels_before) for flag in change.after)
    if name == "extensions":
        key = unescape(rest.split("/")[2]) if rest.count("/") > 1 else ""
        return key in target.spelling.keys or change.after in _BLANK or _is_hints(change.after, target)
    if safety.facets_of(name):
        return pair is not None and _restates(name, change.after, pair.levels_before)
    return name in target.spelling.formal or name in _DERIVED or change.after in _BLANK


def _restates(name: str, value: Any, before: safety.Levels) -> bool:
    """Whether a value says just what the source says in other fields."""
    levels = safety.levels_of(name, value)
    is_same = all(before[facet] == level != safety.UNKNOWN_LEVELS[facet] for facet, level in levels.items())
    return bool(levels) and is_same


def _is_known(flag: str, before: safety.Levels) -> bool:
    """Whether a warning only says what the source says elsewhere."""
    return all(before[facet] >= level for facet, level in safety.WORDS[flag].levels.items())


def _is_hints(value: Any, target: Format) -> bool:
    """Whether a value holds nothing but hints, which are written where facts prove them."""
    return isinstance(value, dict) and bool(value) and value.keys() <= target.claims.keys()
