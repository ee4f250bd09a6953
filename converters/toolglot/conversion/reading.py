"""Sources to tools: parse, detect, take the containers apart, check what the reader needs, read, restore.

A record may carry the remainder of a lossless conversion. It is believed only if it proves itself: written again
in the record's own format it must give exactly the visible fields. What was edited by hand, or would make the
tool look safer than the visible fields say, does not, and the visible fields win.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import wraps
from typing import Any, NamedTuple, ParamSpec, TypeVar

import msgspec

from toolglot import formats, safety
from toolglot.conversion.offers import OfferOptions, plan, possible_names
from toolglot.conversion.selection import Choice
from toolglot.conversion.writing import Written, express
from toolglot.errors import Error, LimitError, ParseError, ReadError, SchemaError, escape
from toolglot.formats import Container, Format, Record
from toolglot.formats.detection import detect
from toolglot.formats.kit.names import UNQUALIFIED, Qualifier
from toolglot.hub.model import Leaf, Tool, from_json, merge, to_json
from toolglot.schema import canonical
from toolglot.schema.newest import restated
from toolglot.text import serialization

SLOT = "x-toolglot"  # beside the records, for formats that have no slot inside them


_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")
_Fault = TypeVar("_Fault", bound=Error)


def undisturbed(verb: Callable[_Arguments, _Result]) -> Callable[_Arguments, _Result]:
    """The same verb with Python's collector of cycles paused.

    Tools make no cycles, but so many objects at once that the collector looks through them, and through everything
    else in the process, again and again: a fifth of the time of a large program.
    """

    @wraps(verb)
    def run(*args: _Arguments.args, **named: _Arguments.kwargs) -> _Result:
        if not gc.isenabled():
            return verb(*args, **named)
        gc.disable()
        try:
            return verb(*args, **named)
        finally:
            gc.enable()

    return run


class WholeReading(NamedTuple):
    """What a reading was chosen from.

    Attributes:
        reading: with all tools.
        places: for each tool that is left, its index there, and the pointers of its nodes there.
    """

    reading: Reading
    places: list[tuple[int, Mapping[str, str]]]


class Reading(NamedTuple):
    """A source that was read: its format, its document, and one tool a record."""

    format: Format
    document: serialization.Document
    records: list[Record]
    tools: list[Tool]
    restored: bool  # whether a remainder was believed
    beside: dict[str, Any]  # JSON Pointer -> what the containers say besides their records
    stale: list[str]  # pointers of records whose remainder was not
    reasons: Mapping[str, str] = {}  # JSON Pointer of a remainder that was not believed -> why
    parts: Sequence[Part | None] = ()  # where each restored tool belongs
    whole: WholeReading | None = None  # what it was chosen from, where some of its tools were not

    @property
    def is_part(self) -> bool:
        """Whether it has a part of a program, others of which may stand in other documents."""
        return not self.format.tree and any(part is not None and part.of_program for part in self.parts)


class Part(NamedTuple):
    """Where a restored tool belongs among those that were written together: its place, and the tree it is of."""

    order: int
    tree: int
    of_program: bool = False  # whether the tree has, or may have, other commands than this one


def open_document(
    source: Any, name: str | None = None, limits: serialization.Limits = serialization.DEFAULT_LIMITS
) -> serialization.Document:
    """A document from a path, from text or bytes, or from data that was parsed already."""
    if isinstance(source, serialization.Document):
        return source
    if isinstance(source, os.PathLike):
        path = os.fsdecode(source)
        document = open_document(serialization.read_file(source, limits), name or path, limits)
        document.path = path
        return document
    if not isinstance(source, str | bytes):
        return serialization.from_data(source, limits)
    try:
        return serialization.load(source, name, limits)
    except ParseError as error:
        opens = source[:3] in ("---", b"---")
        is_markdown = (name or "").lower().endswith(".md")
        if not opens and is_markdown and not isinstance(error, LimitError):
            message = "this Markdown has no front matter; a tool description opens with a line of three dashes"
            raise ReadError(message, "no-front-matter", "", 1, 1, name) from None
        raise


@undisturbed
def read_document(document: serialization.Document, format_name: str | None = None) -> Reading:
    """The tools of a document.

    Raises:
        ReadError: it has no format that is known, or not the one that was named, or breaks what a reader needs.
    """
    found = formats.parse_source(format_name) if format_name else None
    found = found or detect(document.data, document.body, document.name)
    try:
        return _read(document, found)
    except ReadError as error:
        raise at(document, error) from None


def at(document: serialization.Document, error: _Fault) -> _Fault:
    """The same error with the source's name and the position of its pointer."""
    if error.line is None and (position := document.position(error.pointer)):
        error.line, error.column = position
    error.source = error.source or document.name
    return error


def records_of(document: serialization.Document, found: Format) -> tuple[list[Record], dict[str, Any]]:
    """The records of a document, and the remainders beside them.

    Raises:
        SchemaError: the document is no container of such records.
    """
    data, beside = _take_beside(document.data)
    try:
        records = found.records(data)
        if document.body is not None:
            records = [record._replace(body=document.body) for record in records]
        if found.look_around is not None:
            records = [record._replace(around=found.look_around(record.data, document.path)) for record in records]
    except (KeyError, TypeError, AttributeError):
        raise SchemaError(f"this is not a container of {found.name} records") from None
    return records, beside


def _read(document: serialization.Document, found: Format) -> Reading:
    records, beside = records_of(document, found)
    tools: list[Tool] = []
    parts: list[Part | None] = []
    stale: list[str] = []
    reasons: dict[str, str] = {}
    used: set[str] = set()
    own_slot = "".join(f"/{escape(key)}" for key in found.slot or ())
    for index, record in enumerate(records):
        check_shape(record, found)
        visible, inside = take_slot(record, found)
        remainders = {f"{record.pointer}{own_slot}": inside} if inside else {}
        if beside:
            keys = dict.fromkeys((found.read(visible).id, str(index)))  # by its id; older documents: by its place
            remainders.update({f"/{SLOT}/{escape(key)}": beside[key] for key in keys if key in beside})
        tool, part = None, None
        wrong: dict[str, str] = {}
        for pointer, content in remainders.items():
            tool, wrong[pointer] = _restore(visible, content, found)
            if tool is not None:
                part, wrong = _part(content, index, tool), {}
                break
        if wrong:
            stale.append(record.pointer)
            reasons.update(wrong)
        used.update(remainders)
        tools.append(tool if tool is not None else _in_container(found.read(record), record.container))
        parts.append(part)
    places = {f"/{SLOT}/{escape(key)}": key for key in beside}
    reasons.update(
        {place: f"there is no definition called {key}" for place, key in places.items() if place not in used}
    )
    outside = left_over(_take_beside(document.data)[0], records)
    read = Reading(found, document, records, tools, any(parts), outside, stale, reasons, parts)
    return joined([read])[0] if read.restored else read


def _in_container(tool: Tool, container: Container) -> Tool:
    """The tool with what its containers say of it and it does not say itself."""
    facts = {name: value for name, value in container.facts.items() if getattr(tool, name) is None}
    return msgspec.structs.replace(tool, **facts) if facts else tool


def _part(content: dict[str, Any], index: int, tool: Tool) -> Part:
    order, tree = content.get("order"), content.get("tree")
    of_program = bool(tool.children) or content.get("root") is True
    if type(order) is int and type(tree) is int:
        return Part(order, tree, of_program)
    return Part(index, -1 - index, of_program)


def joined(readings: Sequence[Reading]) -> list[Reading]:
    """The same readings with the parts of one program put together, in whatever order they were read.

    A part stays where the first part of its program was read. Parts belong together if they were written together and
    say the same of their program; parts that cannot be told apart once they are together stay apart.
    """
    places = [(number, index) for number, reading in enumerate(readings) for index in range(len(reading.tools))]
    groups: dict[Any, list[tuple[Part, tuple[int, int]]]] = {}
    roots: dict[int, list[Tool]] = {}
    for number, index in places:
        reading = readings[number]
        part = reading.parts[index] if reading.parts else None
        if part is not None and part.of_program and reading.is_part:
            root = msgspec.structs.replace(reading.tools[index], children=None, inputs=None, bindings=None)
            alike = roots.setdefault(part.tree, [])
            if root not in alike:
                alike.append(root)
            groups.setdefault((part.tree, alike.index(root)), []).append((part, (number, index)))
    tools: dict[tuple[int, int], Tool | None] = {}
    for group in groups.values():
        ordered = [place for _, place in sorted(group)]
        before = [readings[number].tools[index] for number, index in ordered]
        whole = merge(before)
        if len(whole) == 1 and len(list(whole[0].leaves())) == sum(len(list(tool.leaves())) for tool in before):
            tools.update(dict.fromkeys(ordered))
            tools[min(ordered)] = whole[0]
    if all(tool is not None for tool in tools.values()):
        return list(readings)
    return [_with_tools(reading, number, tools) for number, reading in enumerate(readings)]


def _with_tools(reading: Reading, number: int, tools: dict[tuple[int, int], Tool | None]) -> Reading:
    """A reading whose tools at these places are others, or gone."""
    now = [tools.get((number, index), tool) for index, tool in enumerate(reading.tools)]
    kept = [index for index, tool in enumerate(now) if tool is not None]
    return reading._replace(
        tools=[tool for tool in now if tool is not None],
        parts=[reading.parts[index] for index in kept] if reading.parts else (),
    )


def choose(reading: Reading, choice: Choice, marked: bool) -> Reading:
    """The reading with only the tools, and of programs the commands, that are meant; `marked` as for `Choice.cut`."""
    if not choice:
        return reading
    found = [(index, choice.cut(tool, marked)) for index, tool in enumerate(reading.tools)]
    cuts = [(index, cut) for index, cut in found if cut is not None]
    return reading._replace(
        tools=[cut.tool for _, cut in cuts],
        parts=[reading.parts[index] for index, _ in cuts] if reading.parts else (),
        whole=WholeReading(reading, [(index, cut.pointers) for index, cut in cuts]),
    )


def left_over(data: Any, records: Iterable[Record]) -> dict[str, Any]:
    """What a document says outside its records and not of them, by JSON Pointer; each value as large as it can be.

    >>> group = {"type": "namespace", "tools": [{"name": "a"}]}
    >>> left_over({"model": "m", "tools": [group]}, [Record({"name": "a"}, None, "/tools/0/tools/0")])
    {'/model': 'm', '/tools/0/type': 'namespace'}
    """
    taken: dict[str, Any] = {}
    for record in records:
        if not record.pointer:
            return {}
        for pointer in (record.pointer, *record.container.places):
            inside = taken
            for token in pointer[1:].split("/"):
                inside = inside.setdefault(token, {})
    return {pointer: value for pointer, value in _outside(data, taken, "") if pointer != "/toolglot"}


def _outside(node: Any, taken: dict[str, Any], pointer: str) -> Iterator[tuple[str, Any]]:
    entries = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in entries:
        token = escape(str(key))
        if token not in taken:
            yield f"{pointer}/{token}", value
        elif taken[token]:
            yield from _outside(value, taken[token], f"{pointer}/{token}")


def check_shape(record: Record, found: Format) -> None:
    """Refuse a record that the reader could not walk.

    Raises:
        SchemaError: the first fault, with its pointer into the document.
    """
    name = f"{found.name}/{canonical.READING}"
    if canonical.is_valid(record.data, name):
        return
    first = next(canonical.problems(record.data, name), None)
    if first is None:
        raise SchemaError("the record cannot be checked", pointer=record.pointer)
    raise SchemaError(
        first.message,
        code=first.code,
        pointer=record.pointer + first.pointer,
        hint=first.hint,
    )


# -- the remainder of a lossless conversion -------------------------------------------------------------------


def _hides_danger(visible: Tool, stored: Tool) -> bool:
    """Whether the visible fields call for more caution than the stored facts that they were written from.

    They can only if the danger hides in what is copied without being understood: extensions, or plain text.
    """
    shown, kept = list(visible.leaves()), list(stored.leaves())
    return len(shown) != len(kept) or any(map(_is_unknown_danger, shown, kept))


def _is_unknown_danger(shown: Leaf, kept: Leaf) -> bool:
    """Whether a command shows a danger that is stored neither for it nor for a group above it.

    A group's text warns of all its commands where a format has no field in which one of them denies it.
    """
    wanted = safety.caution(shown.tool)
    unknown = [set(safety.hidden(wanted, safety.caution(node))) for node in (kept.tool, *kept.ancestors)]
    return bool(set.intersection(*unknown))


def _origins(tool: Tool) -> Iterator[str | None]:
    yield tool.origin
    for child in tool.children or ():
        yield from _origins(child)


def remainder(
    tool: Tool,
    order: int,
    tree: int,
    version: str | None,
    strict: bool,
    how: OfferOptions,
    root: bool = False,
    qualifier: Qualifier = UNQUALIFIED,
) -> dict[str, Any]:
    """What a record carries so that reading it gives back `tool`, a part of the `tree`-th tool of the source.

    `strict` and `how` are how a provider was offered it, and `qualifier` is what its id took up, without which it
    would not be written the same again. `root` is whether it is a program that can be called by itself and has lost
    its commands, which nothing else shows.
    """
    content: dict[str, Any] = {"toolglot": 1, "order": order, "tree": tree, "tool": to_json(tool)}
    content |= {"root": root, "version": version, "strict": strict, "profile": how.profile}
    content |= {"examples": how.examples, "safety_text": how.safety_text, "with_globals": how.with_globals}
    content |= qualifier._asdict()
    return {name: value for name, value in content.items() if value or name in _ALWAYS}


_ALWAYS = ("toolglot", "order", "tree", "tool")


def put_slot(record: Record, found: Format, content: dict[str, Any]) -> Record:
    """The record with the remainder in the format's own slot."""
    assert found.slot is not None
    data = dict(record.data)
    node = data
    for key in found.slot[:-1]:
        if key not in node:
            content = {**content, "alone": True}  # so that taking the slot away takes its holder away too
        node[key] = dict(node.get(key, {}))
        node = node[key]
    node[found.slot[-1]] = content
    return record._replace(data=data)


def take_slot(record: Record, found: Format) -> tuple[Record, dict[str, Any] | None]:
    """The record without its remainder, and the remainder, `None` if there is none.

    What else we put in a slot, such as where a record of a catalogue comes from, is part of the record.
    """
    bare, content = without_slot(record, found)
    return (bare, content) if content is not None and "tool" in content else (record, None)


def without_slot(record: Record, found: Format) -> tuple[Record, dict[str, Any] | None]:
    """The record without what we put into its slot, and that content, `None` if there is none."""
    if found.slot is None:
        return record, None
    *holders, last = found.slot
    node: Any = record.data
    for key in holders:
        node = node.get(key) if isinstance(node, dict) else None
    content = node.get(last) if isinstance(node, dict) else None
    if not isinstance(content, dict) or content.get("toolglot") != 1:
        return record, None
    return record._replace(data=_without(record.data, found.slot, content.get("alone") is True)), content


def _without(data: dict[str, Any], path: tuple[str, ...], alone: bool) -> dict[str, Any]:
    key, *rest = path
    if not rest:
        return {name: value for name, value in data.items() if name != key}
    inner = _without(data[key], tuple(rest), alone)
    if not inner and alone:
        return {name: value for name, value in data.items() if name != key}
    return {**data, key: inner}


def _take_beside(data: Any) -> tuple[Any, dict[str, Any]]:
    if not (isinstance(data, dict) and isinstance(data.get(SLOT), dict) and isinstance(data.get("tools"), list)):
        return data, {}
    beside = {key: value for key, value in data[SLOT].items() if isinstance(value, dict) and "tool" in value}
    if not beside:
        return data, {}  # where the records of a catalogue come from: nothing that restores one
    return {key: value for key, value in data.items() if key != SLOT}, beside


def _restore(visible: Record, content: dict[str, Any], found: Format) -> tuple[Tool | None, str]:
    """The tool that the remainder holds, if writing it gives the visible record; else `None` and why not."""
    try:
        stored = from_json(content.get("tool"))
        if restated(stored) is not stored:
            return None, "no reader leaves schemas of another dialect"
        if found.name in _origins(stored):  # caution would be skipped for it
            return None, "nothing of the record's own format has a remainder"
        written = _written_again(stored, visible, content, found)
        if len(written.records) != 1:
            return None, "it holds another tool"
        difference = _difference(written.records[0].data, visible.data)
        if difference is not None:
            return None, f"`{difference}` is not what it was"
        if (written.records[0].body or None) != (visible.body or None):
            return None, "the text after the record is not what it was"
        if _hides_danger(found.read(visible), written.said[0]):
            return None, "the record states a danger that it does not"
        return stored, ""
    except (msgspec.ValidationError, Error, KeyError, TypeError, ValueError, AttributeError):
        # A remainder is untrusted data; whatever is wrong with it, the visible fields stand.
        return None, "it is not what a lossless conversion writes"


def _difference(one: Any, other: Any, pointer: str = "") -> str | None:
    """Where two values of JSON differ first; `None` where they are equal."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in {**one, **other}:
            here = f"{pointer}/{escape(str(key))}"
            if key not in one or key not in other:
                return here
            if (found := _difference(one[key], other[key], here)) is not None:
                return found
        return None
    return None if one == other else pointer


def _written_again(stored: Tool, visible: Record, content: dict[str, Any], found: Format) -> Written:
    version = content.get("version")
    qualifier = Qualifier(content.get("namespace"), content.get("major"))
    if not found.profiles:
        return express(stored, found, version, None, qualifier=qualifier)
    how = OfferOptions(
        strict=content.get("strict"),
        profile=content.get("profile"),
        examples=content.get("examples") is True,
        safety_text=content.get("safety_text"),
        with_globals=content.get("with_globals") is True,
    )
    (offers,) = plan([stored], found, version, how)
    # The name may carry a hash because of what else was in the request; any that this tool can get will do.
    shown = found.read(visible).id
    offers = [
        offer._replace(name=shown) if shown in possible_names(offer, found, version, how, qualifier) else offer
        for offer in offers
    ]
    return express(stored, found, version, None, offers)
