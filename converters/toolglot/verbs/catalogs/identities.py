"""Settles the entries of a catalogue: each tool once, equal names refused, and translations joined."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from operator import attrgetter
from typing import Any

import msgspec
from msgspec.structs import replace

from toolglot.converter import formats, safety
from toolglot.converter.conversion import report_wording
from toolglot.converter.conversion.namespaces import file_namespace
from toolglot.converter.files.spill import KeyGroup, Spill, SpillKeys
from toolglot.converter.formats import Record
from toolglot.converter.hub.fields import fields_with
from toolglot.converter.hub.model import Tool
from toolglot.converter.schema.keywords import without_keywords
from toolglot.converter.text.wording import to_short_json
from toolglot.errors import UsageError
from toolglot.verbs.catalogs.catalog_entries import AS_USUAL, CatalogOptions, Entry, convert_tool
from toolglot.verbs.catalogs.copies import provenance_with, without_copies
from toolglot.verbs.catalogs.translations import LOCALISED, language_of, texts_of, translate
from toolglot.verbs.diagnostics.diagnostic import Diagnostic

_MOST_NAMED = 10  # places and identities in one message

Locate = Callable[[Entry], tuple[int, int] | None]


def settle(
    entries: Iterable[Entry],
    to: str,
    options: CatalogOptions = AS_USUAL,
    locate: Locate = lambda entry: None,
    held: Collection[tuple[str, str]] = (),
) -> SettledEntries:
    """Each tool once: translations and copies are joined, and entries with equal names are left out.

    Args:
        entries: the entries; a store from `spill_for` need not fit in memory.
        locate: entry -> line and column, for messages.
        held: file and identity of the entries that the catalogue had before; a new entry never replaces one of these.
    """
    if isinstance(entries, Spill):
        tools = entries
    else:
        tools = spill_for(to, stays_in_memory=True)
        tools.extend(entries)
    settled = SettledEntries(to, options, locate, held, tools)
    tools.settle(0, settled.one_of_each)
    tools.settle(1, settled.one_of_name)
    if options.assertions:
        settled.notes += chain.from_iterable(map(_notes_of_assertions, tools))
    return settled


def spill_for(to: str, stays_in_memory: bool = False) -> Spill[Entry]:
    """A store for the entries of a catalogue, which need not fit in memory, for `settle`.

    Args:
        to: `FORMAT[@VERSION]` of the catalogue.
        stays_in_memory: keep all entries in memory. Entries with a reading have to: on disk each would have a copy.
    """
    target = formats.target_of(to)

    def keys_of(entry: Entry) -> SpillKeys:
        identity = entry.namespace or "", entry.identity
        name: tuple[str, ...] = (entry.name,)
        if entry.record is None:
            name = command_words(entry)
        elif target.holds_everything:
            name = identity  # its records say whose they are, and of which version
        return identity, name

    return Spill(keys_of, sys.maxsize) if stays_in_memory else Spill(keys_of)


_file_of = attrgetter("file")


class SettledEntries(msgspec.Struct):
    """Settled entries in the order of namespace and identity.

    Attributes:
        entries: the entries, in memory or on disk; they can be iterated more than once.
        notes: what translations say without a place for it, and what a person asserted.
        problems: the errors for tools with the same identity or name; code `"id-collision"`. Only the one that the
            catalogue had before is among the entries: if any of them won, it could hide the dangerous one.
        left_out: the number of entries that were left out.
    """

    to: str
    options: CatalogOptions
    locate: Locate
    held: Collection[tuple[str, str]]
    entries: Spill[Entry]
    notes: list[Diagnostic] = []
    problems: list[UsageError] = []
    left_out: int = 0

    # -- one identity ----------------------------------------------------------------------------------------

    def one_of_each(self, group: KeyGroup) -> list[Entry]:
        """The tools among the entries with one namespace and identity, mostly one."""
        same: list[Entry] = sorted(group.items, key=_file_of)
        if group.total > len(same):  # to let one win among those that nobody looked at could hide a dangerous one
            problem = f"describe {same[0].identity}, which is more than are compared"
            return self.leave_out(same, self.collision(same, problem), group.total)
        different = without_copies(same)
        if len(different) == 1:
            return different
        languages = {entry.file: language_of(entry.file) for entry in different}
        # Programs of several commands are not merged.
        is_one_tool = all(len(entry.path) <= 1 for entry in different)
        if is_one_tool and len(set(languages.values())) == len(different):
            try:
                return [self.join_languages(different, languages)]
            except UsageError as error:
                return self.leave_out(different, error)
        return self.leave_out(different, self.collision(different, f"describe {different[0].identity}"))

    def join_languages(self, same: Sequence[Entry], languages: Mapping[str, str | None]) -> Entry:
        """Join files with one tool in several languages. The one without a language is the base, else the English one.

        Raises:
            UsageError: they differ in more than their texts.
        """
        base, *others = sorted(same, key=lambda entry: _rank_language(languages[entry.file]))
        contract = _contract(base)
        texts: dict[str, dict[str, Any]] = {}
        for other in others:
            of_other = _contract(other)
            differing = [name for name, value in contract.items() if value != of_other[name]]
            if differing:
                problem = f"describe {base.identity}, and differ in more than their language ({', '.join(differing)})"
                raise self.collision([base, other], problem)
            translation = _tool_of(other)
            texts |= {**(translation.localizations or {}), languages[other.file] or "": texts_of(translation)}
            self.notes += _notes_of_translation(base, other)
        tool = _tool_of(base)
        tool = replace(tool, localizations={**texts, **(tool.localizations or {})})
        tool, note = translate(tool, self.options.languages, languages[base.file])
        if note:
            self.note("other-language", note, base)
        reading = base.reading and replace(base.reading, tools=[tool])
        whole = base._replace(tool=tool, reading=reading, provenance=provenance_with(base, localised_from=others))
        if base.record is None:
            return whole
        return whole._replace(record=self.record_of(whole))

    def record_of(self, entry: Entry) -> Record:
        """The record of an entry in several languages; languages that it has no place for are noted."""
        conversion = convert_tool(_tool_of(entry), self.to, entry.qualifier, self.options)
        for change in conversion.report_without_lines.changes:
            if change.path.startswith("/localizations"):
                self.note(change.code, f"of its translations: {change.note}", entry, change.severity)
        return conversion.output.records[0]

    def note(self, code: str, message: str, entry: Entry, severity: str = "warning") -> None:
        self.notes.append(Diagnostic(code=code, severity=severity, message=message, source=entry.file))

    # -- one name --------------------------------------------------------------------------------------------

    def one_of_name(self, group: KeyGroup) -> list[Entry]:
        """The entry that may keep a name that several have. Names never depend on other tools, so none gets another."""
        namesakes: Sequence[Entry] = group.items
        all_identities = list(dict.fromkeys(entry.identity for entry in namesakes))
        identities = _enumerate_some(all_identities[:_MOST_NAMED], len(all_identities))
        target = formats.target_of(self.to)
        name = " ".join(command_words(namesakes[0])) if target.tree else namesakes[0].name
        collision = self.collision(namesakes, f"{identities} would be {name} in {target.name}")
        return self.leave_out(namesakes, collision, group.total)

    def leave_out(self, entries: Sequence[Entry], problem: UsageError, count: int = 0) -> list[Entry]:
        """Leave out entries that cannot be told apart, except for the one that the catalogue had before."""
        self.problems.append(problem)
        holders = [entry for entry in entries if (entry.file, entry.identity) in self.held]
        kept = holders if len(holders) == 1 else []
        self.left_out += max(count, len(entries)) - len(kept)
        return kept

    def collision(self, entries: Sequence[Entry], problem: str) -> UsageError:
        """The error for entries that a catalogue cannot have side by side, with the place of each."""
        first, *rest = sorted(entries, key=_file_of)
        other_places = _enumerate_some([self.place(entry) for entry in rest[:_MOST_NAMED]], len(rest))
        own, advice = _server(first), "rename one"
        if len({file_namespace(entry.file) for entry in entries}) == len(entries):
            advice = "tell them apart by --namespace file, or rename one"
        message = f"this{own} and {other_places} {problem}; left out; {advice}"
        line, column = self.locate(first) or (None, None)
        return UsageError(message, "id-collision", source=first.file, line=line, column=column)

    def place(self, entry: Entry) -> str:
        position = self.locate(entry) or ()
        place = ":".join([entry.file, *map(str, position)])
        return f"{place}{_server(entry)}"


def _enumerate_some(words: Sequence[str], number: int) -> str:
    """The first of several words, and how many more there are.

    >>> _enumerate_some(["a", "b"], 2), _enumerate_some(["a", "b"], 2_000)
    ('a and b', 'a and b and 1,998 more')
    """
    rest = number - len(words)
    if rest:
        words = [*words, f"{rest:,} more"]
    return " and ".join(words)


def _server(entry: Entry) -> str:
    return f" (of {entry.namespace})" if entry.namespace else ""


def command_words(entry: Entry) -> tuple[str, ...]:
    """The words of an entry as a command of one program for all: `mail.archive` is `archive` of `mail`."""
    qualifier = entry.qualifier
    words = words_between_dots(".".join(entry.path)) or [entry.name]
    if qualifier.major:
        words[-1] += f"-v{qualifier.major}"
    if qualifier.namespace:
        words.insert(0, qualifier.namespace)
    return tuple(words)


def words_between_dots(text: str) -> list[str]:
    """The words of an id, or of several joined by dots, as commands of a program.

    >>> words_between_dots("mail.archive")
    ['mail', 'archive']
    """
    return [word for word in text.split(".") if word]


def _notes_of_assertions(entry: Entry) -> Iterator[Diagnostic]:
    """A note for each fact that a person asserts of an entry."""
    for field, fact in entry.provenance.get("asserted", {}).items():
        code = f"vouched-{field.replace('_', '-')}"
        message = f"{entry.name}: {field} {to_short_json(fact)} stands there {report_wording.ASSERTED}"
        yield Diagnostic(code=code, severity="warning", message=message, source=entry.file)


def _tool_of(entry: Entry) -> Tool:
    assert entry.tool is not None  # it has a path, so it was read in this run
    return entry.tool


def _rank_language(language: str | None) -> tuple[bool, bool, str]:
    return language is not None, language != "en", language or ""


def _notes_of_translation(base: Entry, other: Entry) -> Iterator[Diagnostic]:
    """Notes about what a translation says beside the two texts that a localisation has a place for."""
    original, translation = _tool_of(base), _tool_of(other)
    fields = [
        field
        for field in (*_ABOUT, "inputs", "outputs")
        if field not in (*LOCALISED, "localizations")
        and getattr(translation, field) not in (None, getattr(original, field))
    ]
    if fields:
        message = f"what it says of {', '.join(fields)} is left out: a localisation is a description and when to use it"
        yield Diagnostic(code="untranslated", severity="warning", message=message, source=other.file)


# What a translation changes, and what says nothing about a call.
_ABOUT = (*fields_with(is_wording=True), "extensions", "errors", "bindings")
_ANNOTATIONS = frozenset({"title", "description", "examples", "$comment"})


def _contract(entry: Entry) -> dict[str, Any]:
    """Field -> value that a translation must not change; `dangers` are the warnings in its texts."""
    tool = _tool_of(entry)
    contract = {name: getattr(tool, name) for name in Tool.__struct_fields__ if name not in _ABOUT}
    contract["inputs"] = without_keywords(tool.inputs, *_ANNOTATIONS)
    contract["outputs"] = without_keywords(tool.outputs, *_ANNOTATIONS)
    contract["errors"] = [error.code for error in tool.errors or ()]
    contract["dangers"] = safety.caution(tool)
    return contract
