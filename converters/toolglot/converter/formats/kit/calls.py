"""Reading the calls in a response of a model: what all providers have in common. The input is untrusted and bounded."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from typing import Any, NamedTuple

import msgspec

from toolglot.converter.formats.kit.call_arguments import arguments_of, says_nothing
from toolglot.converter.formats.kit.call_faults import (
    AGAIN,
    AS_SENT,
    FINISHED_CALL,
    OTHER_PROMPT,
    call_error,
    describe_value,
)
from toolglot.converter.hub.calls import ToolCall, join_surrogates
from toolglot.converter.text.plain_data import dump_object
from toolglot.converter.text.wording import quote_text
from toolglot.errors import CallError, ParseError

MAX_ITEMS = 4096
"""The most calls, blocks or items that one response may have."""


def wire(value: Any, as_sent: bool = True) -> Any:
    """An object of a vendor's library as JSON data; any other value as it is.

    Args:
        as_sent: leave out the fields that the response did not have, and that the library filled in.
    """
    try:
        return dump_object(value, only_set=as_sent)
    except ParseError as error:
        subject = f"an object that raises {type(error.__cause__).__name__}"
        raise call_error("an object that can be turned into JSON data", subject, "pass it as a dict") from error


def word_at(data: dict[str, Any], key: str) -> str:
    """The text at `key`, or `""` where something else stands there."""
    word = data.get(key)
    return word if isinstance(word, str) else ""


class ResponsePart(NamedTuple):
    """An object in a response, and its JSON Pointer. Where an object is expected, another value raises `CallError`."""

    data: dict[str, Any]
    pointer: str

    @classmethod
    def of(cls, value: Any, pointer: str, expected: str = "an object") -> ResponsePart:
        """The object that a value has to be."""
        data = wire(value)
        if isinstance(data, dict):
            return cls(data, pointer)
        raise call_error(expected, describe_value(data), AS_SENT, pointer)

    @classmethod
    def whole(cls, value: Any, expected: str) -> ResponsePart:
        """A whole response. An empty one and an error of the API are refused here.

        Otherwise an empty response would be refused for the first key that it lacks, which tells nobody what is wrong.
        """
        response = cls.of(value, "", expected)
        if not response.data:
            raise call_error(expected, "an empty object", AS_SENT)
        response.refuse_failure()
        return response

    def get(self, key: str) -> Any:
        """The value at `key`, of any kind; `None` where the key is absent."""
        return self.data.get(key)

    def part(self, key: str) -> ResponsePart:
        """The object at `key`."""
        return ResponsePart.of(self.get(key), f"{self.pointer}/{key}")

    def part_if_any(self, key: str) -> ResponsePart:
        """The object at `key`; an empty one where the key is absent."""
        return ResponsePart.of(self.get(key) or {}, f"{self.pointer}/{key}")

    def parts(self, key: str) -> Iterator[ResponsePart]:
        """The objects of the list at `key`; none where there is no list."""
        for at, value in self.entries(key):
            yield ResponsePart.of(value, at)

    def entries(self, key: str) -> Iterator[tuple[str, Any]]:
        """The values in the list at `key`, each behind its JSON Pointer; none where there is no list."""
        values = self.get(key)
        if values is None:
            return
        if not isinstance(values, list):
            raise call_error(f"a list at {key!r}", describe_value(values), AS_SENT, f"{self.pointer}/{key}")
        for index, value in enumerate(values):
            yield f"{self.pointer}/{key}/{index}", value

    def word(self, key: str) -> str:
        """The text at `key`, or `""` for anything else."""
        return word_at(self.data, key)

    def name(self) -> str:
        """The name of the tool that is called; it must not be empty."""
        name = self.get("name")
        if isinstance(name, str) and name:
            return name
        raise call_error("a text at 'name'", describe_value(name), AGAIN, f"{self.pointer}/name")

    def piece(self, key: str) -> str:
        """The text at `key`, or `""` where the key is absent; any other value is refused."""
        piece = self.get(key)
        if piece is None or isinstance(piece, str):
            return piece or ""
        raise call_error(f"a text at {key!r}", describe_value(piece), AGAIN, f"{self.pointer}/{key}")

    def index_at(self, key: str) -> int:
        """The index at `key`; one beyond `MAX_ITEMS` is refused."""
        index = self.get(key)
        if type(index) is int and 0 <= index < MAX_ITEMS:
            return index
        if type(index) is int and abs(index) < 10**18:
            actual = f"the number {index}"
        else:
            actual = describe_value(index)
        expected = f"an index from 0 to {MAX_ITEMS - 1} at {key!r}"
        raise call_error(expected, actual, "feed the events as they came", f"{self.pointer}/{key}")

    def refuse_failure(self) -> None:
        """Refuse an error that the API sent in place of a response. It would look like a response without calls."""
        error = self.get("error")
        if isinstance(error, dict):
            reason = next((error[key] for key in ("message", "code", "type", "status") if error.get(key)), "")
            failure = f"an error of the API: {quote_text(str(reason))}"
            action = "ask again when its cause is gone"
            raise call_error("a response", failure, action, f"{self.pointer}/error", "failed-response")


class Draft(msgspec.Struct):
    """A call whose arguments arrive in pieces.

    Attributes:
        call: the call without its arguments.
        pointer: JSON Pointer of the call in the event that began it.
        value: arguments that came whole; they count only where no piece came.
        is_free: as in `CallShape`.
        error: why the call cannot run, as far as that is known before its end.
        pieces: the pieces of the arguments, as text.
    """

    call: ToolCall
    pointer: str
    value: Any = None
    is_free: bool = False
    error: CallError | None = None
    pieces: StringIO = msgspec.field(default_factory=StringIO)

    @property
    def text(self) -> str:
        return join_surrogates(self.pieces.getvalue())

    @property
    def may_be_cut_off(self) -> bool:
        """Whether the arguments do not show by themselves that they are whole, as JSON does by its last brace."""
        return self.is_free or says_nothing(self.text or self.value or None)

    @property
    def lacks_arguments(self) -> bool:
        """Whether more arguments may have to come; not where something else is wrong with the call."""
        return self.error is None and (self.may_be_cut_off or self.complete().error is not None)

    def take(self, rest: Draft) -> None:
        """Add the arguments of another draft, which turned out to be the rest of this one."""
        self.pieces.write(rest.pieces.getvalue())
        self.value = self.value or rest.value

    def is_said_again(self, piece: str) -> bool:
        """Whether a piece repeats all arguments, as they are or encoded as a JSON string: so some servers end a stream.

        Nearly all pieces are too short to do so; these are not compared.
        """
        if not 0 < self.pieces.tell() <= len(piece) or self.lacks_arguments:
            return False
        return piece in (self.text, json.dumps(self.text), json.dumps(self.text, ensure_ascii=False))

    def complete(self) -> ToolCall:
        """The call after its last piece. Where the arguments cannot be read, its `error` says why."""
        try:
            return self.call._replace(arguments=self._arguments())
        except CallError as error:
            return self.call._replace(arguments=None, error=error)

    def _arguments(self) -> dict[str, Any]:
        if self.error is not None:
            raise self.error
        value = self.text or self.value
        if not self.is_free:
            return arguments_of(value, self.call.name, self.pointer)
        if isinstance(value, str):
            return {"input": value}
        raise call_error(
            f"the input of {quote_text(self.call.name)} as a text", describe_value(value), AGAIN, self.pointer
        )


class CallShape(NamedTuple):
    """The keys under which one kind of entry in a response holds the parts of a call.

    Attributes:
        arguments: key of the arguments.
        id: key of the id, which always stands in the entry itself.
        within: key of the object that has the name and the arguments; empty where the entry itself has them.
        namespace: key of the group that the name belongs to.
        caller: key of the program that called.
        kind: the provider's own word for such a call.
        is_free: whether the arguments are any text, which becomes the one argument `input`.
    """

    arguments: str
    id: str = "id"
    within: str = ""
    namespace: str = ""
    caller: str = ""
    kind: str = ""
    is_free: bool = False


def draft_call(value: Any, shape: CallShape, pointer: str, stand_in: str = "") -> Draft:
    """The draft of one entry of a response. A fault does not raise: it becomes the `error` of the draft.

    So every call can be answered, and one broken call does not stop the others of its response.

    Args:
        stand_in: the id of a call to which the server gave none; by default a random one.
    """
    call = ToolCall(stand_in or f"call_{secrets.token_hex(12)}", "", None, kind=shape.kind)
    try:
        part = ResponsePart.of(value, pointer)
        call = call._replace(id=part.word(shape.id) or call.id, name=part.word("name"))
        if shape.within:
            pointer = f"{pointer}/{shape.within}"
            part = part.part(shape.within)
        call = call._replace(name=part.name())
        if shape.namespace:
            call = call._replace(namespace=part.piece(shape.namespace) or None)
        if shape.caller and part.get(shape.caller) is not None:
            call = call._replace(caller=part.part(shape.caller).data)
        return Draft(call, f"{pointer}/{shape.arguments}", part.get(shape.arguments), shape.is_free)
    except CallError as error:
        return Draft(call, pointer, error=error)


def draft_calls(response: ResponsePart, key: str, shapes: Mapping[str, CallShape]) -> list[Draft | None]:
    """The drafts of the entries in the list at `key`, read by the shape of their `type`; `None` for other entries."""
    return [
        draft_call(entry.data, shapes[entry.word("type")], entry.pointer) if entry.word("type") in shapes else None
        for entry in response.parts(key)
    ]


class Stop(NamedTuple):
    """Why a response stopped before its end.

    Attributes:
        found: what stands in the response in place of a normal end.
        action: what to do about it.
    """

    found: str
    action: str = AGAIN

    @property
    def is_refusal(self) -> bool:
        """Whether the provider withheld the answer. Then even a complete call must not run."""
        return self.action == OTHER_PROMPT


END_OF_STREAM = Stop("the end of the stream")


def mark_cut_off(draft: Draft, expected: str, stop: Stop) -> None:
    """Give a call the error that its end is missing, unless it has an error already."""
    draft.error = draft.error or call_error(expected, stop.found, stop.action, draft.pointer)


class Ending(NamedTuple):
    """Where a response says why it stopped, and which of the reasons leave its last call incomplete.

    Attributes:
        key: key of the reason.
        actions: reason that is no normal end -> what to do about it.
        cuts_objects: whether arguments that were cut off can look whole, as an object with less in it than was meant.
    """

    key: str
    actions: Mapping[str, str]
    cuts_objects: bool = False

    def stop_in(self, data: dict[str, Any]) -> Stop | None:
        """Why a response stopped before its end; `None` where it did not."""
        reason = word_at(data, self.key)
        return Stop(f"{self.key} {reason}", self.actions[reason]) if reason in self.actions else None

    def complete(self, data: dict[str, Any], drafts: Sequence[Draft | None]) -> list[ToolCall]:
        """The calls of a whole response, of which the last may be cut off.

        JSON text that was cut off does not parse. A free text shows nothing, nor do absent arguments: there the reason
        of the stop decides. Some servers repeat a call with its id. The repetition is left out, because no API takes
        two answers to one id.
        """
        stop = self.stop_in(data)
        last = drafts[-1] if drafts else None
        if stop and last is not None and (stop.is_refusal or self.cuts_objects or last.lacks_arguments):
            mark_cut_off(last, FINISHED_CALL, stop)
        calls = [draft.complete() for draft in drafts if draft is not None]
        first = {call.id: call for call in reversed(calls)}
        return [call for call in calls if call is first[call.id] or call != first[call.id]]
