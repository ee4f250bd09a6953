"""Calls that arrive in a stream: which call each event belongs to. The input is untrusted and bounded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import groupby
from operator import attrgetter
from typing import Any

import msgspec

from toolglot.converter.formats.kit.call_arguments import LIMITS
from toolglot.converter.formats.kit.call_faults import AGAIN, AS_SENT, FINISHED_CALL, call_error, describe_value
from toolglot.converter.formats.kit.calls import (
    END_OF_STREAM,
    CallShape,
    Draft,
    Ending,
    ResponsePart,
    Stop,
    draft_call,
    mark_cut_off,
    wire,
    word_at,
)
from toolglot.converter.hub.calls import ToolCall
from toolglot.converter.text.pointers import as_mapping
from toolglot.converter.text.wording import quote_text

_ONE_CALL = "arguments under the index, the id or the name of their call"


class StreamEntry(msgspec.Struct):
    """An entry of a stream that has begun.

    Attributes:
        index: the index in the events; 0 where they have none.
        identifier: the id; empty where the server gave none.
        draft: `None` for an entry that is no call, such as a text: its pieces do not matter.
        is_stray: whether it may be the rest of another call: it has no name, and no call has its index or its id.
        is_open: whether more pieces may come.
    """

    index: int
    identifier: str
    draft: Draft | None
    is_stray: bool
    is_open: bool = True

    @property
    def is_only_an_id(self) -> bool:
        """Whether neither a name nor arguments came."""
        return self.is_stray and self.draft is not None and not (self.draft.text or self.draft.value)


class StreamEntries:
    """The entries of one stream. An event belongs to the last entry with its index, unless that has another id.

    Some servers give all calls the same index, or none. Then ids tell the calls apart.

    >>> entries = StreamEntries()
    >>> first, second = entries.begin(0, "a", None), entries.begin(0, "b", None)
    >>> entries.find(0) is second, entries.find(None, "a") is first, entries.find(0, "c")
    (True, True, None)
    """

    def __init__(self) -> None:
        self._begun: list[StreamEntry] = []
        self._by_index: dict[int | None, StreamEntry] = {}
        self._by_id: dict[str, StreamEntry] = {}
        self._size = 0

    def begin(self, index: int | None, identifier: str, draft: Draft | None, is_stray: bool = False) -> StreamEntry:
        """Add an entry that begins."""
        entry = StreamEntry(index or 0, identifier, draft, is_stray)
        self._begun.append(entry)
        self._by_index[index] = self._by_index[None] = self._by_id[identifier] = entry
        return entry

    def find(self, index: int | None, identifier: str = "") -> StreamEntry | None:
        """The entry to which an event with this index and id belongs; `None` where there is none."""
        entry = self._by_index.get(index)
        if entry is None or identifier in ("", entry.identifier):
            return entry
        return self._by_id.get(identifier)

    def add(self, draft: Draft | None, piece: str, pointer: str = "") -> None:
        """Add a piece of the arguments, within the limit of the whole stream."""
        if draft is None:
            return
        self._size += len(piece)
        if self._size <= LIMITS.max_bytes:
            draft.pieces.write(piece)
        elif draft.error is None:
            expected = f"at most {LIMITS.max_bytes} characters of arguments in one stream"
            draft.error = call_error(expected, "more", AGAIN, pointer, "too-large")

    def rest(self) -> list[Draft]:
        """Close every call that is still open. They are given in the order of their indexes."""
        self._join_strays()
        drafts: list[Draft] = []
        for entry in sorted(self._begun, key=attrgetter("index")):
            if entry.is_open and entry.draft is not None:
                entry.is_open = False
                drafts.append(entry.draft)
        return drafts

    def _join_strays(self) -> None:
        """Give arguments that came without a name to the call before them that lacks arguments.

        Some servers send every piece with a new index or id. Where it is not certain which call a piece belongs to, no
        call that lacks arguments may run: where several calls lack some, where a call has been given some and still
        lacks more, and where the arguments are a free text.
        """
        lacking: list[Draft] = []
        given: Draft | None = None
        for is_stray, entries in groupby(self._begun, attrgetter("is_stray")):
            open_entries = [entry for entry in entries if entry.is_open]
            drafts = [entry.draft for entry in open_entries if entry.draft is not None]
            if not is_stray:
                lacking += drafts
                continue
            lacking = [draft for draft in lacking if draft.lacks_arguments]
            if not lacking:
                continue
            if len(lacking) > 1 or lacking[0] is given or lacking[0].is_free:
                for draft in lacking:
                    draft.error = call_error(_ONE_CALL, "some of which it is not certain", AGAIN, draft.pointer)
            else:
                given = lacking[0]
                for draft in drafts:
                    given.take(draft)
            for entry in open_entries:
                entry.is_open = False

    def finish(self) -> list[ToolCall]:
        """The calls that are open when the stream ends.

        A JSON object shows that it is whole, even where the event that ends it was lost. A free text does not, nor do
        absent arguments: such a call may have been cut off, and must not run.
        """
        drafts = self.rest()
        for draft in drafts:
            if not draft.value and draft.may_be_cut_off:
                mark_cut_off(draft, f"the end of the call of {quote_text(draft.call.name)}", END_OF_STREAM)
        return [draft.complete() for draft in drafts]


def draft_of(entry: StreamEntry | None, pointer: str = "") -> Draft | None:
    """The draft of an entry that is still open.

    Raises:
        CallError: it has ended, or never began.
    """
    if entry is not None and entry.is_open:
        return entry.draft
    state = "none" if entry is None else "one that has ended"
    raise call_error("a call that began", state, "feed all events in their order", pointer)


def end_of(entry: StreamEntry | None) -> Draft | None:
    """The draft of an entry, which is closed by this. Raises as `draft_of`."""
    draft = draft_of(entry)
    if entry is not None and draft is not None:
        entry.is_open = False
    return draft


class StreamEvents(msgspec.Struct, frozen=True, kw_only=True):
    """The events of a provider's streams: what each kind does, and the keys of its parts.

    Attributes:
        expected: what an event of the provider is, for messages.
        kind: key of the name of an event.
        steps: name of an event -> what it does. Other events have nothing to do with calls.
        shapes: type of an entry that is a call -> its shape.
        entry: key of the entry that an event begins or repeats.
        index: key of the index of an entry.
        piece: key of a piece of the arguments.
        within: key of the object that has the piece; empty where the event itself has it.
        piece_type: the type of that object, where others can stand there.
        id: key of the id of the entry that an event continues; empty where only its index says which.
        closing: key of the object that says why the response stops.
        ending: the reasons that are no normal end.
        may_be_undone: whether a call that has ended counts as cut off where the response was cut off. By default this
            is a call without any arguments, or with arguments that are no whole object.
    """

    expected: str
    kind: str
    steps: Mapping[str, Callable[[Any, ResponsePart], list[ToolCall]]]
    shapes: Mapping[str, CallShape]
    entry: str
    index: str
    piece: str
    within: str = ""
    piece_type: str = ""
    id: str = ""
    closing: str = ""
    ending: Ending = Ending("", {})
    may_be_undone: Callable[[Draft], bool] = lambda draft: not draft.text or draft.lacks_arguments


class StreamBuilder:
    """Puts calls together from the events of a stream.

    A call that has ended may wait for the next event, because that may say that the response was cut off.
    """

    def __init__(self, events: StreamEvents) -> None:
        self._events = events
        self._entries = StreamEntries()
        self._waiting: list[Draft] = []

    def feed(self, event: Any) -> list[ToolCall]:
        events = self._events
        part = ResponsePart.of(event, "", events.expected)
        part.refuse_failure()
        kind = part.get(events.kind)
        if not isinstance(kind, str):
            raise call_error(events.expected, describe_value(kind), AS_SENT, f"/{events.kind}")
        step = events.steps.get(kind)
        return [] if step is None else step(self, part)

    def finish(self) -> list[ToolCall]:
        return [*self._release(), *self._entries.finish()]

    def begin(self, event: ResponsePart) -> list[ToolCall]:
        """Step: an entry begins; its arguments may come later."""
        entry = self._entry(event)
        index, identifier = self._index(event), self._identifier(event)
        if self._entries.find(index, identifier) is not None:
            raise call_error("one beginning of a call", "a second one", "feed every event once")
        self._entries.begin(index, identifier, self._draft(event, entry))
        return self._release()

    def add(self, event: ResponsePart) -> list[ToolCall]:
        """Step: a piece of the arguments of an entry."""
        events = self._events
        holder = event.part(events.within) if events.within else event
        if events.piece_type in ("", holder.get("type")):
            self._entries.add(draft_of(self._find(event)), holder.piece(events.piece))
        return []

    def end(self, event: ResponsePart) -> list[ToolCall]:
        """Step: an entry ends."""
        draft = end_of(self._find(event))
        return [] if draft is None else self._return(draft)

    def close(self, event: ResponsePart) -> list[ToolCall]:
        """Step: the response ends, or says why it will end."""
        ending, holder = self._events.ending, event.part_if_any(self._events.closing)
        self._cut_off_waiting(ending.stop_in(holder.data))
        return self._release() if holder.word(ending.key) else []

    def _entry(self, event: ResponsePart) -> ResponsePart:
        return event.part(self._events.entry)

    def _draft(self, event: ResponsePart, entry: ResponsePart) -> Draft | None:
        """The draft of an entry; `None` where it is no call."""
        shape = self._events.shapes.get(entry.word("type"))
        return None if shape is None else draft_call(entry.data, shape, entry.pointer)

    def _index(self, event: ResponsePart) -> int | None:
        """The index; `None` where a server leaves it out, which does no harm in events that have an id too."""
        key = self._events.index
        return None if self._events.id and event.get(key) is None else event.index_at(key)

    def _identifier(self, event: ResponsePart) -> str:
        if not self._events.id:
            return ""
        identifier = event.word(self._events.id)
        if identifier:
            return identifier
        entry = as_mapping(wire(event.get(self._events.entry)))
        return word_at(entry, "id") or word_at(entry, "call_id")

    def _find(self, event: ResponsePart) -> StreamEntry | None:
        """The entry that an event continues: the one with its id, else the one with its index."""
        index = self._index(event)
        return self._entries.find(index, self._identifier(event)) or self._entries.find(index)

    def _return(self, draft: Draft) -> list[ToolCall]:
        """The calls that no later event can cut off, now that another call has ended."""
        before, self._waiting = self._release(), [draft]
        return before

    def _cut_off_waiting(self, stop: Stop | None) -> None:
        for draft in self._waiting:
            if stop and (stop.is_refusal or self._events.may_be_undone(draft)):
                mark_cut_off(draft, FINISHED_CALL, stop)

    def _release(self) -> list[ToolCall]:
        drafts, self._waiting = self._waiting, []
        return [draft.complete() for draft in drafts]
