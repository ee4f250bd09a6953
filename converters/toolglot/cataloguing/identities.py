"""Every tool of a catalogue once: identities, collisions, and files that say the same in another language."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from toolglot import formats, safety
from toolglot.cataloguing.entries import Entry, convert_tools
from toolglot.diagnostics import Diagnostic
from toolglot.errors import UsageError
from toolglot.model import Tool


class Settled(NamedTuple):
    """Entries in order of identity, each once.

    Attributes:
        notes: what translations say that has no place.
        problems: which files describe tools of one identity, or of one name in the catalogue's format; code
            `"id-collision"`. As long as there is one, there is no catalogue.
    """

    entries: list[Entry]
    notes: list[Diagnostic]
    problems: list[UsageError]


def settle(entries: Iterable[Entry], to: str) -> Settled:
    """Every tool once; what is a translation of another file becomes part of it."""
    target, _ = formats.parse_target(to)
    by_identity: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        by_identity[entry.identity].append(entry)
    found = Settled([], [], [])
    for identity in sorted(by_identity):
        try:
            found.entries.append(_one(sorted(by_identity[identity], key=lambda entry: entry.file), to, found.notes))
        except UsageError as error:
            found.problems.append(error)
    by_name: dict[tuple[str, str], Entry] = {}
    for entry in found.entries if not target.tree else ():
        # Two majors of a tool can stand side by side only where the records say which is which.
        major = entry.identity.rpartition("@")[2] if "version" in target.holds and "@" in entry.identity else ""
        other = by_name.setdefault((entry.name, major), entry)
        if other is not entry:
            what = f"{other.identity} and {entry.identity} are both {entry.name} in {target.name}"
            found.problems.append(collision(other, entry, what))
    return found


def _one(same: list[Entry], to: str, notes: list[Diagnostic]) -> Entry:
    if len(same) == 1:
        return same[0]
    languages = {entry.file: language_of(entry.file) for entry in same}
    if len(set(languages.values())) < len(same) or any(len(entry.path) != 1 for entry in same):
        raise collision(same[0], same[1], f"both describe {same[0].identity}")
    return _localised(same, languages, to, notes)


_LANGUAGE = re.compile(r"[._-](([a-z]{2})(?:-[A-Z]{2})?)(?:\.[a-z0-9]{3,})*\.[a-z0-9]+\Z")

# ISO 639-1; two letters alone could as well be `up`, `go` or `v2`, and two tools would be taken for one.
_LANGUAGES = (
    "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en "
    "eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv "
    "ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne "
    "ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st "
    "su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu"
)


def language_of(file: str) -> str | None:
    """The language that a file's name ends with, before its extensions.

    >>> language_of("tools/drill_es.atdf.json"), language_of("drill.pt-BR.yaml"), language_of("drill.json")
    ('es', 'pt-BR', None)
    """
    found = _LANGUAGE.search(file)
    return found[1] if found and found[2] in _LANGUAGES.split() else None


def _localised(same: list[Entry], languages: Mapping[str, str | None], to: str, notes: list[Diagnostic]) -> Entry:
    """One entry of files that describe one tool in several languages: the one without a language, or English, leads.

    Raises:
        UsageError: they differ in more than their texts.
    """
    base, *others = sorted(same, key=lambda entry: _rank(languages[entry.file]))
    texts: dict[str, dict[str, Any]] = {}
    for other in others:
        if _contract(base) != _contract(other):
            raise collision(base, other, f"both describe {base.identity}, and differ in more than their language")
        texts.update(_texts(other, languages[other.file] or ""))
        notes += _unsaid(base, other)
    tool = _tool(base)
    tool = msgspec.structs.replace(tool, localizations={**texts, **(tool.localizations or {})})
    origins = [{"path": entry.file, "sha256": entry.provenance["sha256"]} for entry in others]
    record = None
    if base.record is not None:
        conversion = convert_tools([tool], to)
        record = conversion.output.records[0]
        lost = [change for change in conversion.unlocated.changes if change.path.startswith("/localizations")]
        for change in lost:
            message = f"of its translations: {change.note}"
            notes.append(Diagnostic(code=change.code, severity=change.severity, message=message, source=base.file))
    provenance = {key: value for key, value in base.provenance.items() if key != "seal"}  # nothing is taken over of it
    return base._replace(record=record, tool=tool, provenance={**provenance, "localised_from": origins})


def _tool(entry: Entry) -> Tool:
    assert entry.tool is not None  # it has a path, so it was read in this run
    return entry.tool


def _rank(language: str | None) -> tuple[bool, bool, str]:
    return language is not None, language != "en", language or ""


def _texts(entry: Entry, language: str) -> dict[str, dict[str, Any]]:
    tool = _tool(entry)
    said = {"description": tool.description or tool.summary, "when_to_use": tool.when_to_use}
    return {**(tool.localizations or {}), language: {key: value for key, value in said.items() if value}}


def _unsaid(base: Entry, other: Entry) -> Iterator[Diagnostic]:
    """What a translation says besides the two texts that a localisation has a place for."""
    one, two = _tool(base), _tool(other)
    fields = [name for name in (*_ABOUT, "inputs", "outputs") if name not in _TRANSLATED]
    lost = [name for name in fields if getattr(two, name) not in (None, getattr(one, name))]
    if lost:
        message = f"what it says of {', '.join(lost)} is left out: a localisation is a description and when to use it"
        yield Diagnostic(code="untranslated", severity="warning", message=message, source=other.file)


_TRANSLATED = ("description", "when_to_use", "localizations")

# What a translation changes, and what says nothing about a call.
_ABOUT = (
    "description", "when_to_use", "guidance", "summary", "title", "success", "localizations", "examples", "tags",
    "extensions", "errors", "bindings", "updated", "created", "author",
)  # fmt: skip
_ANNOTATIONS = frozenset({"title", "description", "examples", "$comment"})


def _contract(entry: Entry) -> Any:
    """Everything that a translation may not change."""
    tool = _tool(entry)
    codes = [error.code for error in tool.errors or ()]
    schemas = [_silent(tool.inputs), _silent(tool.outputs)]
    silent = msgspec.structs.replace(tool, inputs=None, outputs=None, **dict.fromkeys(_ABOUT))
    return silent, codes, schemas, safety.caution(tool)


def _silent(node: Any, is_map: bool = False) -> Any:
    """A schema without its texts."""
    if isinstance(node, dict):
        return {
            key: _silent(value, not is_map and key in ("properties", "patternProperties", "$defs"))
            for key, value in node.items()
            if is_map or key not in _ANNOTATIONS
        }
    return [_silent(item) for item in node] if isinstance(node, list) else node


def collision(one: Entry, other: Entry, what: str) -> UsageError:
    """The error for two entries that a catalogue cannot both hold."""
    first, second = sorted([one.file, other.file])
    also = f" and {second}" if second != first else ""
    message = f"this{also}: {what}; rename one, or leave one out (--extend-exclude)"
    return UsageError(message, "id-collision", source=first)
