"""The way of arguments from the tool's own schema to the fitted schema, and back.

A codec is a tree beside the fitted schema; most of its nodes are `SAME`. Decoding is lenient: a model that was not held
to the schema may send a map as a map, and a value that no codec understands passes unchanged, for validation to judge.
Encoding is exact: arguments that would not come back as they were are refused. `Fitted` is a schema with its codec.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import msgspec

from toolglot.converter.hub.model import Arguments, JsonSchema
from toolglot.converter.schema.json_values import are_equal
from toolglot.converter.schema.transformation_steps import Step
from toolglot.converter.schema.validators import make_acceptor
from toolglot.converter.text.caches import Same
from toolglot.converter.text.pointers import pointer_below
from toolglot.errors import FitError

Accepts = Callable[[Any], bool]
Outcomes: TypeAlias = dict[tuple[Same[Any], Same[Any]], Any]
"""Codec and value, by identity -> the value, which keeps its identity so, and what is sent for it, or the error."""


class Codec(msgspec.Struct, eq=False, frozen=True, dict=True):
    """The codec of values that are sent as they are; the base of all others.

    Attributes:
        asks_for_text: whether the model has to send a value as JSON text, or a list of such values.
    """

    @property
    def asks_for_text(self) -> bool:
        return False

    def encode(self, value: Any, outcomes: Outcomes, pointer: str = "") -> Any:
        """The value that a model would send for `value`.

        Args:
            outcomes: the results of this run so far; empty at its beginning.

        Raises:
            FitError: the fitted schema has no value for it (code `not-expressible`).
        """
        return value

    def decode(self, value: Any, pointer: str = "") -> Any:
        """The value for the tool, from the value that a model sent.

        Raises:
            FitError: it could mean several values (code `ambiguous-arguments`).
        """
        return value


SAME = Codec()


def inexpressible(pointer: str, why: str) -> FitError:
    return FitError(f"{why}, which the fitted schema cannot say", code="not-expressible", pointer=pointer)


class Field(NamedTuple):
    """One property of an object.

    Attributes:
        key: its key in the source.
        codec: the codec of its value.
        null_is_absent: whether null means that it is not given.
        null_is_default: whether null and absence mean the same to the tool.
    """

    key: str
    codec: Codec = SAME
    null_is_absent: bool = False
    null_is_default: bool = False


class Keys(Codec, frozen=True):
    """The codec of an object: keys are renamed, null means "not given", unknown keys stand together under one name."""

    fields: Mapping[str, Field]  # under the keys in the fitted schema
    is_closed: bool
    rest: tuple[str, Codec] | None = None  # where the unknown keys stand, and the codec of all of them
    others: Codec = SAME  # of unknown keys that stand where they stood

    @cached_property
    def _names_by_key(self) -> dict[str, str]:
        return {field.key: name for name, field in self.fields.items()}

    def encode(self, value: Any, outcomes: Outcomes, pointer: str = "") -> Any:
        if not isinstance(value, dict):
            return value
        out: dict[str, Any] = {}
        unknown: dict[str, Any] = {}
        for key, item in value.items():
            name = self._names_by_key.get(key)
            if name is None:
                unknown[key] = item
                continue
            field = self.fields[name]
            if item is None and field.null_is_default:
                continue
            if item is None and field.null_is_absent:
                raise inexpressible(pointer_below(pointer, key), "null is given, and null means that nothing is")
            out[name] = field.codec.encode(item, outcomes, pointer_below(pointer, key))
        for name, field in self.fields.items():
            if field.null_is_absent:
                out.setdefault(name, None)
        if self.rest:
            out[self.rest[0]] = self.rest[1].encode(unknown, outcomes, pointer)
        elif unknown and (self.is_closed or not self.fields.keys().isdisjoint(unknown)):
            raise inexpressible(pointer_below(pointer, min(unknown)), "the key is not among the properties")
        else:
            for key, item in unknown.items():
                out[key] = self.others.encode(item, outcomes, pointer_below(pointer, key))
        return out

    def decode(self, value: Any, pointer: str = "") -> Any:
        if not isinstance(value, dict):
            return value
        out: dict[str, Any] = {}
        for name, item in value.items():
            if self.rest and name == self.rest[0]:
                entries = self._decode_rest(name, item, self.rest[1], pointer)
            else:
                field = self.fields.get(name) or Field(name, self.others)
                if item is None and field.null_is_absent:
                    continue
                entries = {field.key: field.codec.decode(item, pointer_below(pointer, name))}
            for key, value_of_key in entries.items():
                if key in out:
                    raise FitError(f"{key!r} is given twice", code="ambiguous-arguments", pointer=pointer)
                out[key] = value_of_key
        return out

    def _decode_rest(self, name: str, item: Any, codec: Codec, pointer: str) -> Arguments:
        """The unknown keys, from a list of pairs or JSON text under their common name."""
        if item is None:
            return {}
        entries = codec.decode(item, pointer_below(pointer, name))
        if not isinstance(entries, dict):
            raise FitError(f"{name!r} does not hold an object", code="ambiguous-arguments", pointer=pointer)
        for key in entries:
            if key in self._names_by_key:
                message = f"{key!r} has a place of its own and is given in {name!r}"
                raise FitError(message, code="ambiguous-arguments", pointer=pointer)
        return entries


class Items(Codec, frozen=True):
    """The codec of an array: the first items have a codec each, the rest has one together."""

    items: Codec
    first: tuple[Codec, ...] = ()

    @cached_property
    def asks_for_text(self) -> bool:
        return any(codec.asks_for_text for codec in (self.items, *self.first))

    def _codec(self, index: int) -> Codec:
        if index < len(self.first):
            return self.first[index]
        return self.items

    def encode(self, value: Any, outcomes: Outcomes, pointer: str = "") -> Any:
        if not isinstance(value, list):
            return value
        return [self._codec(index).encode(item, outcomes, f"{pointer}/{index}") for index, item in enumerate(value)]

    def decode(self, value: Any, pointer: str = "") -> Any:
        if not isinstance(value, list):
            return value
        return [self._codec(index).decode(item, f"{pointer}/{index}") for index, item in enumerate(value)]


class Pairs(Codec, frozen=True):
    """The codec of a map that is sent as a list of `{"key": ..., "value": ...}`, for providers with closed objects."""

    values: Codec

    def encode(self, value: Any, outcomes: Outcomes, pointer: str = "") -> Any:
        if not isinstance(value, dict):
            return value
        return [
            {"key": key, "value": self.values.encode(item, outcomes, pointer_below(pointer, key))}
            for key, item in value.items()
        ]

    def decode(self, value: Any, pointer: str = "") -> Any:
        if isinstance(value, dict):
            return {key: self.values.decode(item, pointer_below(pointer, key)) for key, item in value.items()}
        if not _is_pairs(value):
            return value
        out: dict[str, Any] = {}
        for index, pair in enumerate(value):
            value_of = self.values.decode(pair["value"], f"{pointer}/{index}/value")
            if pair["key"] in out and not are_equal(out[pair["key"]], value_of):
                message = f"the key {pair['key']!r} is given twice, with two values"
                raise FitError(message, code="ambiguous-arguments", pointer=f"{pointer}/{index}")
            out[pair["key"]] = value_of
        return out


def _is_pairs(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(pair, dict) and pair.keys() == {"key", "value"} and isinstance(pair["key"], str) for pair in value
    )


def is_anything(value: Any) -> bool:
    return True


class Text(Codec, frozen=True):
    """The codec of any value that is sent as JSON text, for providers that want a type where the source has none.

    Args:
        accepts: whether the tool accepts a value. A text that it accepts only unparsed is not parsed.
    """

    accepts: Accepts = is_anything

    @property
    def asks_for_text(self) -> bool:
        return True

    def encode(self, value: Any, outcomes: Outcomes, pointer: str = "") -> Any:
        try:
            return json.dumps(value, ensure_ascii=False, allow_nan=False)
        except ValueError:
            raise inexpressible(pointer, "a number is infinite or none") from None

    def decode(self, value: Any, pointer: str = "") -> Any:
        if not isinstance(value, str):
            return value
        try:
            data = json.loads(value, object_pairs_hook=_once, parse_constant=_no_number)
            json.dumps(data, ensure_ascii=False, allow_nan=False).encode("utf-8")  # 1e999 and halves of characters
        except (ValueError, RecursionError):
            return value  # plain words where JSON was asked for: the words are what was meant
        return value if self.accepts(value) and not self.accepts(data) else data


def _once(pairs: list[tuple[str, Any]]) -> Arguments:
    data = dict(pairs)
    if len(data) != len(pairs):
        raise FitError("a key is given twice in JSON text", code="ambiguous-arguments")
    return data


def _no_number(word: str) -> Any:
    raise ValueError(f"{word} is not JSON")


class OrNull(Codec, frozen=True):
    """The codec of a value that may be null."""

    other: Codec

    @property
    def asks_for_text(self) -> bool:
        return self.other.asks_for_text

    def encode(self, value: Any, outcomes: Outcomes, pointer: str = "") -> Any:
        return None if value is None else self.other.encode(value, outcomes, pointer)

    def decode(self, value: Any, pointer: str = "") -> Any:
        return None if value is None else self.other.decode(value, pointer)


class Branch(NamedTuple):
    """One alternative: what the source accepts, what the fitted schema accepts, and the codec between them."""

    source: Accepts
    fitted: Accepts
    codec: Codec


class Branches(Codec, frozen=True):
    """The codec of alternatives. The first one that accepts a value and gives it back unchanged is used."""

    branches: list[Branch]
    null_defaults: Collection[str] = ()

    @cached_property
    def asks_for_text(self) -> bool:
        return any(branch.codec.asks_for_text for branch in self.branches)

    def encode(self, value: Any, outcomes: Outcomes, pointer: str = "") -> Any:
        # Alternatives hold the same values again, so that what each of them tries anew would double at every level.
        key = Same(self), Same(value)
        if key not in outcomes:
            outcomes[key] = self._find_outcome(value, outcomes, pointer)
        outcome = outcomes[key]
        if isinstance(outcome, FitError):
            raise outcome
        return outcome

    def _find_outcome(self, value: Any, outcomes: Outcomes, pointer: str) -> Any:
        why: FitError | None = None
        for branch in self.branches:
            if not branch.source(value):
                continue
            try:
                out = branch.codec.encode(value, outcomes, pointer)
                if branch.fitted(out) and means_the_same(self.decode(out, pointer), value, self.null_defaults):
                    return out
            except FitError as error:
                why = error
        return why or inexpressible(pointer, "no alternative takes the value back as it was")

    def decode(self, value: Any, pointer: str = "") -> Any:
        for branch in self.branches:
            if branch.fitted(value):
                return branch.codec.decode(value, pointer)
        return value


class Named(Codec, frozen=True):
    """The codec of a definition. It is looked up when it is used, because definitions may contain themselves."""

    name: str
    table: Mapping[str, Codec]

    def encode(self, value: Any, outcomes: Outcomes, pointer: str = "") -> Any:
        return self.table[self.name].encode(value, outcomes, pointer)

    def decode(self, value: Any, pointer: str = "") -> Any:
        return self.table[self.name].decode(value, pointer)


class Fitted(msgspec.Struct, eq=False, frozen=True, dict=True):
    """A schema that a provider accepts.

    Attributes:
        schema: plain JSON Schema 2020-12; `None` where the provider wants no schema for a tool without parameters.
        steps: the changes that were made to fit it.
        codec: encodes and decodes the arguments.
        null_defaults: keys under which null means the same as absence.
    """

    schema: JsonSchema | None
    steps: tuple[Step, ...]
    codec: Codec
    null_defaults: frozenset[str] = frozenset()

    @cached_property
    def _accepts(self) -> Accepts:
        schema = self.schema or {}
        return make_acceptor(schema, schema)

    def __eq__(self, other: object) -> bool:
        """Whether schema and steps are equal; the codec follows from these."""
        if not isinstance(other, Fitted):
            return NotImplemented
        mine = self.schema, self.steps, self.null_defaults
        return mine == (other.schema, other.steps, other.null_defaults)

    def __hash__(self) -> int:
        return hash((len(self.steps), self.null_defaults))

    def encode(self, arguments: Arguments) -> Arguments:
        """The arguments that a model would send, for arguments that the source schema accepts.

        Raises:
            FitError: a model cannot send them (code `not-expressible`); a `narrowed` step says so too.
        """
        try:
            encoded_arguments: Arguments = self.codec.encode(arguments, {})
            if not self._accepts(encoded_arguments) or not means_the_same(
                self.codec.decode(encoded_arguments), arguments, self.null_defaults
            ):
                raise inexpressible("", "the arguments go beyond what the provider accepts")
        except RecursionError:
            raise inexpressible("", "the arguments are nested too deeply") from None
        return encoded_arguments

    def decode(self, arguments: Arguments) -> Arguments:
        """The arguments for the tool, from the arguments that a model sent.

        Raises:
            FitError: they could mean several things (code `ambiguous-arguments`).
        """
        decoded_arguments: Arguments = self.codec.decode(arguments)
        return decoded_arguments


def means_the_same(one: Any, other: Any, null_defaults: Collection[str] = ()) -> bool:
    """Whether two values mean the same to a tool: they are equal, apart from nulls that mean absence.

    Args:
        null_defaults: keys under which null means the same as absence.

    >>> means_the_same({"a": [1]}, {"a": [1.0]}), means_the_same({"a": None}, {}, ["a"])
    (True, True)
    """
    if null_defaults:
        one, other = _without_nulls(one, null_defaults), _without_nulls(other, null_defaults)
    return are_equal(one, other)


def _without_nulls(value: Any, keys: Collection[str]) -> Any:
    """A copy of a JSON value without those of these keys that are null."""
    if isinstance(value, list):
        return [_without_nulls(item, keys) for item in value]
    if not isinstance(value, dict):
        return value
    return {key: _without_nulls(item, keys) for key, item in value.items() if item is not None or key not in keys}
