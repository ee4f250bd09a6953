"""Laws 3 and 4 at scale, judged by `tests/judge`: `python tests/judged_laws.py LEAVES [SEED]`.

Every document goes to every format, through one chain of up to six, lossless there and back, and lossless with an edit
and with forged slots on the way; without its claims, it goes the same ways. What comes out is held against the bytes
that went in. Prints how much was tried, which coarse words were said, what broke, by class, with the smallest document
of each, and which documents were refused, by error code, with what defends it.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache, partial
from random import Random
from typing import Any, NamedTuple

import judge
import toolglot
from judge import documents
from judge.documents import Document
from judge.laws import PROVIDERS
from judge.shrinking import shrink
from judge.slots import ALARMS, FORGERIES, calm_parts, with_slots, without_slots
from judge.statements import DANGER
from toolglot.converter import formats
from toolglot.converter.conversion.result import Conversion
from toolglot.converter.schema import canonical
from toolglot.converter.text import document_reader

_MARKER = re.compile(r"mk\d+x")

# Why a valid document may be refused, by error code. A refusal that is not listed here is a fault.
DEFENDED = {
    "id-collision": "two tools get one name in the target, and to let one of them win could hide the dangerous one",
}
BLOCK = 54  # documents that one seed makes


class Broken(NamedTuple):
    """One fault: its class, the way of the conversion, and the document."""

    kind: str
    facet: str
    chain: tuple[str, ...]
    document: Document
    detail: str = ""
    lossless: bool = False

    @property
    def group(self) -> str:
        return f"{self.kind} {self.facet}"


class Tally:
    """What some documents came to."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.coarse: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.broken: list[Broken] = []
        self.examples: dict[str, Document] = {}

    def add(self, other: Tally) -> None:
        self.counts += other.counts
        self.coarse += other.coarse
        self.refused += other.refused
        self.broken += other.broken
        for code, example in other.examples.items():
            known = self.examples.setdefault(code, example)
            if len(example.content) < len(known.content):
                self.examples[code] = example

    @property
    def undefended(self) -> list[str]:
        """The refusals of valid documents for which there is no reason, and of any document that was spoiled first."""
        valid = [key for key in self.refused if key.startswith("valid ") and key.removeprefix("valid ") not in DEFENDED]
        return [*valid, *(key for key in self.refused if key == "invalid weaker-safety")]

    def refuse(self, code: str, document: Document) -> None:
        valid = is_valid(document)
        key = f"{'valid' if valid else 'invalid'} {code}"
        self.refused[key] += 1
        known = self.examples.setdefault(key, document)
        if len(document.content) < len(known.content):
            self.examples[key] = document


@lru_cache(maxsize=16)
def is_valid(document: Document) -> bool:
    """Whether the canonical schema of its format accepts a document."""
    origin = formats.get(document.format)
    try:
        records = origin.records(document_reader.load(document.content).data)
        return all(
            canonical.is_valid(record.data, f"{origin.name}/{origin.version_of(record.data)}") for record in records
        )
    except Exception:  # not even a container of the format
        return False


@lru_cache(maxsize=256)
def statements_of(format: str, content: bytes) -> list[judge.Statement]:
    """What the judge reads; several laws ask about one text, and to read it takes as long as to write it."""
    return judge.read(format, content)


def by_marker(format: str, contents: list[bytes]) -> dict[str, judge.Statement]:
    """The statements of some documents by the markers of their tools."""
    found = {}
    for content in contents:
        for statement in statements_of(format, content):
            marks = filter(None, map(_MARKER.search, statement.texts))
            mark = next(marks, None)
            marker = mark[0] if mark else statement.name
            found[marker] = statement
    return found


def through(document: Document, chain: tuple[str, ...], lossless: bool = False) -> list[bytes]:
    """What a chain of conversions makes of a document. The first element is the document's own format."""
    contents, origin = [document.content], chain[0]
    for step in chain[1:]:
        contents, origin = [made for content in contents for made in converted(content, origin, step, lossless)], step
    return contents


@lru_cache(maxsize=256)
def convert(content: bytes, origin: str, target: str, lossless: bool = False) -> Conversion:
    """A conversion; a document begins several ways with the same step, and its report is asked for too."""
    return toolglot.convert(content, target, format=origin, lossless=lossless)


def restored(content: bytes, origin: str, target: str) -> Conversion:
    """A conversion that takes tools from their slots."""
    return toolglot.convert(content, target, format=origin, restore=True)


def converted(content: bytes, origin: str, target: str, lossless: bool = False) -> list[bytes]:
    """What a conversion writes."""
    return [made.encode() for _, made in convert(content, origin, target, lossless).files]


def law_3(
    document: Document,
    chain: tuple[str, ...],
    first: dict[str, judge.Statement],
    tally: Tally,
    lossless: bool = False,
) -> Iterator[Broken]:
    """No danger fades, none is invented, and nothing harmless is said that nobody stated."""
    last = by_marker(chain[-1], through(document, chain, lossless))
    lost = first.keys() - last.keys()
    if lost:
        yield Broken("lost", "tool", chain, document, ", ".join(sorted(lost)))
    for marker in first.keys() & last.keys():
        for fault in judge.faults(first[marker], last[marker], chain):
            yield Broken(fault.kind, fault.facet, chain, document, marker, lossless)
        said = judge.surplus(first[marker], last[marker], chain)
        tally.coarse.update({word for _, word in said if word is not None})


def claims(document: Document, chain: tuple[str, ...]) -> Iterator[Broken]:
    """Metamorphic: without its claims a document calls for no more caution at the end of a chain than with them."""
    silent = judge.without_claims(document)
    if documents.opened(silent) == documents.opened(document) or set(chain) <= {document.format, "hub"}:
        return  # what stays in its format says what it said, and what a format demands is completed
    claiming = by_marker(chain[-1], through(document, chain))
    believing = chain[-1] != document.format  # what comes home may still say what it claimed
    for marker, statement in by_marker(chain[-1], through(silent, chain)).items():
        for facet in judge.calmer(claiming[marker], statement, believing) if marker in claiming else ():
            yield Broken("claimed", facet, chain, document, marker)


def slots(document: Document, target: str) -> Iterator[Broken]:
    """Without `restore` a slot raises caution, and nothing else comes of it, whoever wrote it."""
    there = converted(document.content, document.format, target, lossless=True)
    if len(there) != 1:
        return
    for name, forge in FORGERIES.items():
        filled = with_slots(Document(target, there[0]), forge)
        bare = without_slots(filled)
        if documents.opened(bare) == documents.opened(filled):
            continue  # the format has no slot, or it was not needed
        for last in ("hub", document.format):
            chain = (document.format, target, last)
            with_slot, without = (converted(one.content, target, last) for one in (filled, bare))
            believed, silent = by_marker(last, with_slot), by_marker(last, without)
            for marker in believed.keys() & silent.keys():
                calmer = judge.calmer(believed[marker], silent[marker], believing=last != target)
                if last != "hub":  # its words may be finer for what a slot states than for what nobody does
                    calmer = [facet for facet in calmer if believed[marker].promises(facet)]
                for facet in calmer:
                    yield Broken("slot believed", f"{facet}, {name} slot", chain, document, marker)
                for facet in ALARMS - believed[marker].alarms() if (name, last) == ("alarming", "hub") else ():
                    yield Broken("slot not heard", facet, chain, document, marker)
            if last == "hub" and [*map(calm_parts, with_slot)] != [*map(calm_parts, without)]:
                yield Broken("slot believed", f"fields, {name} slot", chain, document)


# Fields of the hub that an entry about a facet names, where a provider leaves the facet out.
_TEXTS = {"title", "summary", "description", "when_to_use", "body", "flags", "unclear"}
_FIELDS = {
    "network": {"network", "hosts", "egress", "mutates", "openWorldHint", *_TEXTS},
    "credentials": {"auth_required", "auth_methods", "secrets", "stdin", *_TEXTS},
    "interactive": {"stdin", "prompts", "tty", *_TEXTS},
}


def told(document: Document, target: str, first: dict[str, judge.Statement]) -> Iterator[Broken]:
    """What a provider leaves out is in the report."""
    conversion = convert(document.content, document.format, target)
    last = by_marker(target, [content.encode() for _, content in conversion.files])
    named = {part for change in conversion.report.changes for part in change.path.split("/")}
    for marker in first.keys() & last.keys():
        for facet, fields in _FIELDS.items():
            lost = first[marker].level(facet) > last[marker].level(facet)
            if lost and not fields & named:
                yield Broken("silent", facet, (document.format, target), document, marker)


def law_4(document: Document, target: str) -> Iterator[Broken]:
    """Lossless there and restored on the way back gives the same data."""
    there = converted(document.content, document.format, target, lossless=True)
    if len(there) != 1:  # a folder comes home as a whole, and is tried elsewhere
        return
    try:
        back = restored(there[0], target, document.format)
    except toolglot.Error as error:  # what went there can come back
        yield Broken("not restored", error.code or "", (document.format, target), document)
        return
    was, now = _records(document.format, document.content), _records(document.format, back.text.encode())
    if was != now:
        yield Broken("not identical", "lossless", (document.format, target), document)


_SLOTS = ("x-toolglot", "_meta", "toolglot", "extensions")  # where a slot travels; nobody edits that by hand
_DANGERS: dict[str, tuple[tuple[str, ...], Any]] = {
    "atip": (("effects", "destructive"), True),
    "aip14": (("risk_level",), 3),
    "tool-descriptor": (("egress",), "host-owned"),
    "mcp": (("annotations", "destructiveHint"), True),
    "hub": (("destructive",), True),
}


def edited(document: Document, target: str, by_field: bool) -> Iterator[Broken]:
    """What a user changes after a lossless conversion stays, also where a slot is to be restored.

    That is a word, and a danger in a text or in a field.
    """
    chain = (document.format, target)
    there = converted(document.content, document.format, target, lossless=True)
    if len(there) != 1 or (by_field and target not in _DANGERS):
        return
    loaded = document_reader.load(there[0])
    path, value = _DANGERS[target] if by_field else ((), None)
    marker = _edit(loaded.data, path, value)
    if marker is None:
        return
    changed = _tool_md(loaded.data, loaded.body or "") if target == "aip14" else json.dumps(loaded.data)
    facet = "network" if path == ("egress",) else "destructive"
    way = "by field" if by_field else "by text"
    for back in sorted({document.format, "hub", "openai"}):
        for read in (convert, restored):
            files = read(changed.encode(), target, back).files
            found = by_marker(back, [content.encode() for _, content in files])
            if not any("EDITED" in content for _, content in files):
                yield Broken("edit lost", "text", (*chain, back), document)
            if found[marker].level(facet) != DANGER and not (back in PROVIDERS and facet not in judge.SAID_BY_ALL):
                yield Broken("edit lost", f"{facet} {way}", (*chain, back), document)


def _edit(data: Any, path: tuple[str, ...], value: Any) -> str | None:
    """Change the description of the first tool that has a marker; with a path, also a field beside it."""
    if isinstance(data, list):
        return _edit_first(data, path, value)
    if not isinstance(data, dict):
        return None
    words = data.get("description")
    inner = [item for key, item in data.items() if key not in _SLOTS and isinstance(item, dict | list)]
    marker = _edit_first(inner, path, value)
    if marker:
        return marker  # a program's own description may be about another tool than its commands
    if not isinstance(words, str):
        return None
    mark = _MARKER.search(words)
    if mark is None:
        return None
    warning = "" if path else " [⚠️ DESTRUCTIVE]"
    data["description"] = words.replace(mark[0], f"{mark[0]} EDITED{warning}", 1)
    for key in path[:-1]:
        data = data.setdefault(key, {})
    if path:
        data[path[-1]] = value
    return mark[0]


def _edit_first(items: list[Any], path: tuple[str, ...], value: Any) -> str | None:
    """`_edit` of the first item in which there is something to change."""
    return next(filter(None, (_edit(item, path, value) for item in items)), None)


def _tool_md(data: dict[str, Any], body: str) -> str:
    # As JSON, whose texts are quoted: PyYAML writes a digest such as 12e345 bare, which is a number in YAML 1.2.
    return f"---\n{json.dumps(data, ensure_ascii=False)}\n---\n{body}"


def _records(format: str, content: bytes) -> list[str]:
    loaded = document_reader.load(content)
    records = formats.get(format).records(loaded.data)
    return [json.dumps([_plain(record.data), loaded.body or ""], sort_keys=True) for record in records]


def _plain(data: Any) -> Any:
    """The data with every number as JSON means it: 2.0 is 2."""
    if isinstance(data, dict):
        return {key: _plain(value) for key, value in data.items()}
    if isinstance(data, list):
        return [_plain(value) for value in data]
    return int(data) if isinstance(data, float) and data.is_integer() else data


def every_way(document: Document, targets: Sequence[str] = judge.FORMATS) -> Tally:
    """The laws over one document: to every format, there and back, and on to another one."""
    tally, origin = Tally(), document.format
    first = by_marker(origin, [document.content])
    for target in targets:
        for chain in ((origin, target), (origin, target, origin), (origin, target, "hub"), (origin, "hub", target)):
            _try(tally, document, law_3(document, chain, first, tally))
            _try(tally, document, claims(document, chain))
        _try(tally, document, law_3(document, (origin, target, origin), first, tally, lossless=True))
        if target in PROVIDERS:
            _try(tally, document, told(document, target, first))
        if target != origin and is_valid(document):
            _try(tally, document, law_4(document, target))
            _try(tally, document, slots(document, target))
            for by_field in (True, False):
                _try(tally, document, edited(document, target, by_field))
    return tally


def block(seed: int, amount: int = BLOCK) -> Tally:
    """The laws over the documents of one seed."""
    rng, tally = Random(seed), Tally()
    for number in range(amount):
        document = documents.document(rng, documents.FORMATS[number % len(documents.FORMATS)])
        first = by_marker(document.format, [document.content])
        tally.counts["documents"] += 1
        tally.counts["leaves"] += len(first)
        for target in judge.FORMATS:
            tally.counts["conversions"] += 1
            _try(tally, document, law_3(document, (document.format, target), first, tally))
            _try(tally, document, claims(document, (document.format, target)))
            if target in PROVIDERS:
                _try(tally, document, told(document, target, first))
        target = rng.choice([name for name in judge.FORMATS if name != document.format])
        if is_valid(document):
            tally.counts["lossless"] += 1
            _try(tally, document, law_4(document, target))
            tally.counts["edits"] += 1
            _try(tally, document, edited(document, target, by_field=rng.random() < 0.5))
            tally.counts["slots"] += 1
            _try(tally, document, slots(document, target))
        chain = (document.format, *(rng.choice(judge.FORMATS) for _ in range(rng.randint(2, 5))))
        tally.counts["chains"] += 1
        _try(tally, document, law_3(document, chain, first, tally, lossless=rng.random() < 0.3))
        _try(tally, document, claims(document, chain))
    return tally


def _try(tally: Tally, document: Document, broken: Iterator[Broken]) -> None:
    try:
        tally.broken += broken
    except toolglot.Error as error:
        tally.refuse(error.code or type(error).__name__, document)
    except Exception as error:
        tally.broken.append(Broken("traceback", type(error).__name__, (document.format,), document, str(error)))


def run(leaves: int, seed: int = 0) -> Tally:
    """The laws over at least so many leaves, on two cores."""
    tally = Tally()
    with ProcessPoolExecutor(2) as pool:
        step = 8
        for start in range(seed, seed + 1_000_000, step):
            for found in pool.map(block, range(start, start + step)):
                tally.add(found)
            if tally.counts["leaves"] >= leaves:
                return tally
    return tally


def shows(broken: Broken) -> Callable[[Document], bool]:
    """Whether a document has the fault of another one, on the same way."""

    def show_it(document: Document) -> bool:
        tally = Tally()
        try:
            first = by_marker(document.format, [document.content])
        except Exception:
            return False
        if broken.kind in ("not identical", "not restored"):
            if is_valid(document):
                _try(tally, document, law_4(document, broken.chain[1]))
        elif broken.kind == "edit lost":
            _try(tally, document, edited(document, broken.chain[1], by_field="field" in broken.facet))
        elif broken.kind == "silent":
            _try(tally, document, told(document, broken.chain[-1], first))
        elif broken.kind == "claimed":
            _try(tally, document, claims(document, broken.chain))
        elif broken.kind in ("slot believed", "slot not heard"):
            if is_valid(document):
                _try(tally, document, slots(document, broken.chain[1]))
        else:
            _try(tally, document, law_3(document, broken.chain, first, tally, broken.lossless))
        return any(found.group == broken.group for found in tally.broken)

    return show_it


def smallest(some: list[Broken], amount: int) -> list[Broken]:
    """A few of the faults, reduced, no two of them alike."""
    found: dict[str, Broken] = {}
    for broken in sorted(some, key=lambda broken: (len(broken.chain), len(broken.document.content)))[:amount]:
        least = broken._replace(document=shrink(broken.document, shows(broken)))
        found.setdefault(_MARKER.sub("mk", least.document.content.decode()), least)
    return list(found.values())[:amount]


def show(tally: Tally, amount: int = 1) -> None:
    print(", ".join(f"{count:,} {name}" for name, count in tally.counts.items()))
    print("coarse words: " + ", ".join(f"{word} {tally.coarse[word]:,}" for word in sorted(tally.coarse)))
    groups: dict[tuple[str, str], list[Broken]] = {}
    for broken in tally.broken:
        groups.setdefault((broken.group, broken.chain[0]), []).append(broken)
    print(f"broken: {len(tally.broken):,}")
    for (name, origin), some in sorted(groups.items(), key=lambda item: -len(item[1])):
        ways = Counter(broken.chain[-1] for broken in some if len(broken.chain) == 2)
        to = ", ".join(f"{way} {count}" for way, count in ways.most_common())
        print(f"  {name}, from {origin}: {len(some):,}; to {to}")
        for least in smallest(some, amount):
            print(
                f"    {' -> '.join(least.chain)}{' (lossless)' * least.lossless}: {least.document.content.decode()!r}"
            )
    print(f"refused: {sum(tally.refused.values()):,}")
    for code, count in tally.refused.most_common():
        example = tally.examples[code]
        print(f"  {code}: {count:,}")
        if code.startswith("valid "):
            print(f"    {DEFENDED.get(code.removeprefix('valid '), 'nothing defends it: a fault')}")
            example = shrink(example, partial(_refuses, code))
        print(f"    {example.format} {example.content.decode()[:600]!r}")


def _refuses(code: str, document: Document) -> bool:
    for target in judge.FORMATS:
        try:
            by_marker(document.format, [document.content])
            toolglot.convert(document.content, target, format=document.format)
        except toolglot.Error as error:
            valid = "valid" if is_valid(document) else "invalid"
            if f"{valid} {error.code}" == code:
                return True
        except Exception:
            return False
    return False


if __name__ == "__main__":
    start = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    outcome = run(int(sys.argv[1]), start)
    show(outcome)
    sys.exit(bool(outcome.broken or outcome.undefended))
