"""The dangers that unknown keys state: of an operation, and of everything that it belongs to or is made of.

An operation takes over what is stated of its parameters, its body, its servers, its path, its tags and the document. It
cannot take anything back: what such keys deny is believed nowhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from toolglot import safety
from toolglot.formats import Finding, Record
from toolglot.formats.kit.dangers_in_unknown_keys import Danger, dangers_in_keys, warnings_in_text
from toolglot.formats.kit.unreadable_facts import Doubt
from toolglot.formats.kit.words_for_danger import ASKS, words_of, words_with
from toolglot.formats.mcp.hints import HINT_WORDS
from toolglot.formats.openapi.effects_of_methods import effects_of
from toolglot.formats.openapi.operations import Api, Operation, operation_records
from toolglot.text.pointers import as_mapping, escape, list_at, mapping_at
from toolglot.text.wording import to_short_json


class StatedDangers(NamedTuple):
    """What is stated: field of the hub -> its value, and -> the first place that states it, as a JSON Pointer."""

    facts: dict[str, Any]
    places: dict[str, str]


_NONE = StatedDangers({}, {})
_MOST_TAGS = 32  # one below another
_Part = tuple[str, Any]  # the place of an object, and what should be one


def records_with_dangers(data: Any) -> list[Record]:
    """The operations of a document, each with the dangers that are stated of it.

    >>> api = {"openapi": "3.1.0", "x-dangerous": True, "paths": {"/a": {"get": {"x-irreversible": True}}}}
    >>> [record] = records_with_dangers(api)
    >>> record.context.dangers, record.container.places
    ({'reversible': False, 'destructive': True}, {'/paths/~1a/get/x-irreversible': 'reversible', \
'/x-dangerous': 'destructive'})
    """
    records = operation_records(data)
    of_document = _DangersOfDocument(records)
    return [_with_dangers(record, of_document.of_operation(record)) for record in records]


def unreadable_dangers(data: Any) -> Iterator[Finding]:
    """What is stated around operations so that nobody can read it."""
    records = operation_records(data)
    of_document = _DangersOfDocument(records)
    for record in records:
        of_document.of_operation(record)
    for place, message in of_document.unreadable.items():
        yield Finding("unclear-safety", place, message, error=True)


def _with_dangers(record: Record, dangers: StatedDangers) -> Record:
    if not dangers.facts:
        return record
    operation: Operation = record.context
    of_method = effects_of(operation.method, operation.path, None)  # what they state again is not read from them
    places = {place: field for field, place in dangers.places.items() if dangers.facts[field] != of_method.get(field)}
    container = msgspec.structs.replace(record.container, places={**record.container.places, **places})
    return msgspec.structs.replace(record, container=container, context=operation._replace(dangers=dangers.facts))


class _DangersOfDocument:
    """The dangers of operations. A part that many of them share is looked at once.

    Attributes:
        unreadable: where something around operations is stated that nobody can read -> a sentence about it.
    """

    def __init__(self, records: list[Record]) -> None:
        self.unreadable: dict[str, str] = {}
        self._parts: dict[str, StatedDangers] = {}  # by place
        self._groups: dict[str, StatedDangers] = {}  # of parts, by the place of the list or object that holds them
        self._tags: dict[str, _Part] = {}
        self._of_all = _NONE
        if records:
            self._read_document(records[0].context.api)

    def _read_document(self, api: Api) -> None:
        self._references = api.references.without_trace()
        for index, tag in enumerate(list_at(api.data, "tags")):
            name = as_mapping(tag).get("name")
            if isinstance(name, str):
                self._tags[name] = f"/tags/{index}", tag
        of_parts = [self._of_part(f"/{key}", api.data.get(key)) for key in ("info", "paths")]
        self._of_all = _join([self._of_part("", api.data), *of_parts])

    def of_operation(self, record: Record) -> StatedDangers:
        operation: Operation = record.context
        own = as_mapping(record.data)
        return _join([
            self._look_at(record.pointer, own),
            self._of_parameters(record.pointer, own),
            self._of_body(f"{record.pointer}/requestBody", own.get("requestBody")),
            self._of_servers(operation, record.pointer, own),
            self._of_item(operation),
            self._of_parameters(operation.item_pointer, operation.item),
            *(self._of_tag(name) for name in list_at(own, "tags") if isinstance(name, str)),
            self._of_all,
        ])  # fmt: skip

    def _of_part(self, place: str, part: Any, reads_text: bool = False) -> StatedDangers:
        """What one object states that is no operation."""
        if place not in self._parts:
            mapping = as_mapping(part)
            self._parts[place] = self._look_at(place, mapping, reads_text)
            for doubt in unreadable_dangers_of_part(mapping, place, reads_text):
                self.unreadable[doubt.pointer] = doubt.message
        return self._parts[place]

    def _look_at(self, place: str, part: dict[str, Any], reads_text: bool = False) -> StatedDangers:
        """What one object states."""
        dangers = StatedDangers({}, {})
        for danger in _stated_dangers(part, place, reads_text):
            field, value = _fact_of(danger)
            _add(dangers, field, value, danger.place)
        return dangers

    def _of_item(self, operation: Operation) -> StatedDangers:
        """What the path of an operation states."""
        own = mapping_at(operation.api.data, "paths").get(operation.path)
        dangers = self._of_part(operation.item_pointer, operation.item)
        return self._with_reference(f"/paths/{escape(operation.path)}", own, dangers)

    # -- the parts of an operation ----------------------------------------------------------------------------------

    def _of_parameters(self, place: str, owner: dict[str, Any]) -> StatedDangers:
        """What the parameters state that stand in an operation or in a path, and their schemas."""
        key = f"{place}/parameters"
        if key not in self._groups:
            parts: list[StatedDangers] = []
            for index, parameter in enumerate(list_at(owner, "parameters")):
                here = f"{key}/{index}"
                pointer, target = self._resolve(here, parameter)
                of_parameter = self._with_reference(here, parameter, self._of_part(pointer, target))
                parts += [of_parameter, self._of_schema(f"{pointer}/schema", target.get("schema"))]
            self._groups[key] = _join(parts)
        return self._groups[key]

    def _of_body(self, place: str, body: Any) -> StatedDangers:
        pointer, target = self._resolve(place, body)
        key = f"{pointer}/content"
        if key not in self._groups:
            parts = [self._of_part(pointer, target, reads_text=True)]
            for media_type, entry in mapping_at(target, "content").items():
                here = f"{key}/{escape(media_type)}"
                media_place, media = self._resolve(here, entry)
                of_media = self._with_reference(here, entry, self._of_part(media_place, media))
                parts += [of_media, self._of_schema(f"{media_place}/schema", media.get("schema"))]
            self._groups[key] = _join(parts)
        return self._with_reference(place, body, self._groups[key])

    def _of_servers(self, operation: Operation, pointer: str, own: dict[str, Any]) -> StatedDangers:
        """What the servers nearest to an operation state."""
        for place, owner in ((pointer, own), (operation.item_pointer, operation.item), ("", operation.api.data)):
            servers = list_at(owner, "servers")
            key = f"{place}/servers"
            if servers and key not in self._groups:
                self._groups[key] = _join([
                    self._of_part(f"{key}/{index}", server, reads_text=True) for index, server in enumerate(servers)
                ])  # fmt: skip
            if servers:
                return self._groups[key]
        return _NONE

    def _of_schema(self, place: str, schema: Any) -> StatedDangers:
        """What a schema states, and the properties in it, which are arguments."""
        pointer, target = self._resolve(place, schema)
        key = f"{pointer}/properties"
        if key not in self._groups:
            properties = mapping_at(target, "properties")
            of_properties = [self._of_part(f"{key}/{escape(name)}", inner) for name, inner in properties.items()]
            self._groups[key] = _join([self._of_part(pointer, target), *of_properties])
        return self._with_reference(place, schema, self._groups[key])

    def _with_reference(self, place: str, node: Any, dangers: StatedDangers) -> StatedDangers:
        """What is stated of an object, and beside the reference that leads to it, which many readers pass over."""
        if "$ref" not in as_mapping(node) or len(node) == 1:  # as most references stand
            return dangers
        return _join([self._of_part(place, node), dangers])

    def _resolve(self, place: str, node: Any) -> tuple[str, dict[str, Any]]:
        target = self._references.resolve(node, [])
        if target is None:
            return place, {}
        return target.pointer or place, target.value

    def _of_tag(self, name: str) -> StatedDangers:
        """What a tag states, and those that it is below (`parent`, of 3.2)."""
        parts: list[StatedDangers] = []
        for _ in range(_MOST_TAGS):
            if name not in self._tags:
                break
            place, tag = self._tags[name]
            parts.append(self._of_part(place, tag, reads_text=True))
            name = str(tag.get("parent", ""))
        return _join(parts)


def _join(parts: Iterable[StatedDangers]) -> StatedDangers:
    """What several parts state together; of one fact the most dangerous value."""
    dangers = StatedDangers({}, {})
    for part in parts:
        for field, value in part.facts.items():
            _add(dangers, field, value, part.places[field])
    return dangers


def _add(dangers: StatedDangers, field: str, value: Any, place: str) -> None:
    worst = safety.worse(field, dangers.facts.get(field), value)
    dangers.facts[field] = tuple(sorted(worst)) if field == "unclear" else worst
    dangers.places.setdefault(field, place)


# -- the dangers of one part ----------------------------------------------------------------------------------

_WORDS = words_with({**HINT_WORDS, **words_of({"openai-isConsequential": ASKS})})


def _stated_dangers(part: Mapping[str, Any], pointer: str = "", reads_text: bool = False) -> Iterator[Danger]:
    """The dangers that unknown keys state of a part of a document.

    Args:
        pointer: where the part stands, as a JSON Pointer.
        reads_text: whether its description may warn of them too, because no tool gets that text.

    >>> [danger.place for danger in _stated_dangers({"x-mcp": {"destructiveHint": True}, "x-destructive": False}, "/a")]
    ['/a/x-mcp/destructiveHint']
    """
    yield from dangers_in_keys(part, _WORDS, pointer)
    if reads_text:
        yield from warnings_in_text(part.get("description"), f"{pointer}/description")


def _fact_of(danger: Danger) -> tuple[str, Any]:
    """The field of the hub that a danger states, and its value; `unclear` where nobody can read it.

    >>> [_fact_of(danger) for danger in _stated_dangers({"x-openai-isConsequential": True, "x-dangerous": "yes"})]
    [('approval', 'always'), ('unclear', ('destructive',))]
    """
    row = danger.row
    if row.accepts(danger.value):
        return row.field, row.load(danger.value)
    return "unclear", (row.doubtful_field,)


def unreadable_dangers_of_part(part: Mapping[str, Any], pointer: str = "", reads_text: bool = False) -> Iterator[Doubt]:
    """The same dangers where they are stated in a way that nobody can read."""
    for danger in _stated_dangers(part, pointer, reads_text):
        if not danger.row.accepts(danger.value):
            statement = to_short_json(danger.value)
            message = f"nobody can read {statement} as a statement about safety; it counts as dangerous"
            yield Doubt("unclear-safety", danger.place, danger.row.doubtful_field, message)
