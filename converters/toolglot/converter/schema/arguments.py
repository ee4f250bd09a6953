"""Validates the arguments that a model sent by the input schema of the tool. Neither of the two can be trusted.

The verdict is that of `jsonschema-rs`. It fetches no reference, and most patterns take it linear time. The work is
counted first, because a chain of references that each repeat the next one twice doubles it at every link.

`document_problems` explains refusals too, by other rules: it repeats what was found, and knows every keyword of our own
schemas. Here no value may be repeated and the schemas are anybody's, so the sentences are those of the library.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from functools import cached_property
from itertools import islice
from typing import Any
from urllib.parse import quote

import msgspec

from toolglot.converter.hub.model import Arguments, JsonSchema, Tool
from toolglot.converter.hub.trees import without_hidden_options
from toolglot.converter.schema.json_values import as_typed, stated_types, type_of
from toolglot.converter.schema.keywords import schemas_in_place, walk
from toolglot.converter.schema.newest_dialect import newest
from toolglot.converter.schema.references import FAR, resolve
from toolglot.converter.schema.validators import HERE, registry, validator
from toolglot.converter.text import document_reader
from toolglot.converter.text.pointers import (
    decode_fragment,
    list_at,
    mapping_at,
    pointer_below,
    pointer_of,
    texts_at,
    texts_of,
    tokens_of,
    value_at,
    without_keys,
)
from toolglot.converter.text.sequences import group_by
from toolglot.converter.text.wording import join_first, join_names, suggestion
from toolglot.errors import Error, escape_unseen

PATH_FORMATS = frozenset({"file-path", "directory-path", "path"})  # the hub's two, and pydantic's for either

_MOST_STEPS = 200_000  # schemas applied to the values of one call
_MOST_STEPS_OF_A_DOCUMENT = 1_000_000  # to all values in it
_MOST_AT_ONE_VALUE = 1_000  # references and combinators, one after another; more lead back to where they began
_MOST_FAULTS = 50
_MOST_NAMES = 500  # of parameters that an unknown name is compared with
_ALTERNATIVES = ("anyOf", "oneOf")
_BY_THE_WAY = frozenset({"$dynamicRef", "$recursiveRef"})  # references that depend on it
_REFERENCES = _BY_THE_WAY | {"$ref"}
_TAGS = ("const", "enum")  # what tells alternatives apart, as their types do
_MOST_ALTERNATIVES = 4  # of which a message says why they do not fit
_MOST_BACKTRACKS = 100_000
_TOO_MUCH_WORK = "its schema asks for too much work"
_ARGUMENTS = document_reader.Limits(max_depth=64, max_nodes=100_000)
_SCHEMA = document_reader.Limits(max_depth=200, max_nodes=100_000)


class ArgumentFault(msgspec.Struct, frozen=True):
    """A fault of arguments: its JSON Pointer, and a sentence that repeats no value."""

    pointer: str
    message: str

    def say(self, place: str = "") -> str:
        """The sentence with the place of the fault, unless that is `place`.

        >>> fault = ArgumentFault("/a", "nothing may be given here")
        >>> fault.say(), fault.say("/a")
        ('nothing may be given here at /a', 'nothing may be given here')
        """
        return f"{self.message} at {self.pointer}".removesuffix(f" at {place}")


class Unusable(Exception):
    """The schema cannot be used, or validating these arguments by it would take too long."""


class JudgingBudget:
    """The number of times that schemas may still be applied to values."""

    def __init__(self, steps: int = _MOST_STEPS_OF_A_DOCUMENT) -> None:
        self._steps_left = steps

    @property
    def is_spent(self) -> bool:
        """Whether something was not judged, because the steps were used up."""
        return self._steps_left < 0

    def spend(self, steps: int) -> None:
        """Count steps.

        Raises:
            Unusable: there were too many.
        """
        self._steps_left -= steps
        if self._steps_left < 0:
            raise Unusable(_TOO_MUCH_WORK)


def find_shape_fault(value: Any) -> ArgumentFault | None:
    """Why a value is no object of JSON data within the limits; `None` if it is one."""
    if type(value) is not dict:
        return ArgumentFault("", f"expected an object of arguments, found {type(value).__name__}")
    try:
        document_reader.from_data(value, _ARGUMENTS)
    except Error as error:
        return ArgumentFault(error.pointer, error.message)
    return None


class Inputs:
    """The parameters that a model may give to a tool: its own ones that help shows.

    Options that a command shares with others do not belong to these. A model is not shown them, and must not change
    what a host sets.

    Attributes:
        is_described: whether the tool describes its parameters at all.
    """

    def __init__(self, tool: Tool) -> None:
        self.is_described = tool.inputs is not None
        self._own = Schema(without_hidden_options(tool.inputs or {}, tool))
        self._shared = Schema(tool.global_inputs or {}).keys

    def faults(self, arguments: Arguments) -> list[ArgumentFault]:
        """The faults of arguments, at most the first 50."""
        return list(islice(self._find_faults(arguments), _MOST_FAULTS))

    def _find_faults(self, arguments: Arguments) -> Iterator[ArgumentFault]:
        strangers = dict.fromkeys(self._own.strangers(arguments, self._shared))
        for key in strangers:
            yield self._own.unexpected("", key)
        known_faults: set[ArgumentFault] = set()
        for fault in self._own.faults(without_keys(arguments, *strangers)):
            if fault not in known_faults:
                known_faults.add(fault)
                yield fault

    def paths(self, arguments: Arguments) -> list[tuple[str, str]]:
        """Every path of a file or directory among the arguments, with its JSON Pointer."""
        return list(self._own.paths(arguments))


class Schema:
    """One untrusted schema, compiled when it is first needed.

    Args:
        budget: the budget for all refusals of a document; by default each call has its own.
    """

    def __init__(self, schema: JsonSchema, budget: JudgingBudget | None = None) -> None:
        self._root = schema
        self.budget = budget
        self._whole: Schema | None = None
        self._pointer = ""

    @cached_property
    def keys(self) -> frozenset[str]:
        """The names of its parameters, including required ones that are not declared."""
        return frozenset((*mapping_at(self._root, "properties"), *texts_at(self._root, "required")))

    @cached_property
    def _places(self) -> list[Any]:
        return [schema for _, schema in walk(self._root) if isinstance(schema, dict)]

    @cached_property
    def anchors(self) -> frozenset[str]:
        """The names of the anchors in it."""
        found = [schema.get(keyword) for schema in self._places for keyword in ("$anchor", "$dynamicAnchor")]
        return frozenset(texts_of(found))

    @cached_property
    def has_addresses(self) -> bool:
        """Whether a part of it has an `$id`, so that references in it may lead elsewhere than in the whole."""
        return any("$id" in schema for schema in self._places)

    def strangers(self, arguments: Arguments, of_host: Container[str] = ()) -> list[str]:
        """The keys of arguments for which this schema has no parameter, though it names parameters.

        Named parameters are enough to refuse others, because a model was told of no others. A schema that allows more
        keys, or may do so in a way that is not looked into here, refuses only the keys that belong to the host.

        >>> Schema({"properties": {"a": True}}).strangers({"a": 1, "b": 2})
        ['b']
        """
        is_closed = self.is_closed or (bool(self.keys) and not self.has_room)
        return [key for key in arguments if key not in self.keys and (key in of_host or is_closed)]

    @property
    def has_room(self) -> bool:
        """Whether it allows, or may allow, keys beside those that it names."""
        return any(self._root.get(keyword, False) is not False for keyword in _SAY_MORE)

    @property
    def is_closed(self) -> bool:
        """Whether it says that there are no keys beside those that it names."""
        return self._root.get("additionalProperties") is False and not self.has_room

    def part(self, pointer: str) -> Schema:
        """The schema at a JSON Pointer in this one; its references lead to the same targets as in the whole.

        >>> whole = Schema({"items": {"$ref": "#/$defs/a"}, "$defs": {"a": {"type": "integer"}}})
        >>> whole.part("/items").refusal("x")
        'the value is not of type "integer"'
        """
        part = Schema(self._root, self.budget)
        part._whole, part._pointer = self, pointer
        return part

    def refusal(self, value: Any) -> str | None:
        """Why a value is refused; `None` where it is not, or where that cannot be decided.

        >>> Schema({"type": "integer"}).refusal("x"), Schema({"type": "dict"}).refusal("x")
        ('the value is not of type "integer"', None)
        """
        try:
            if self._whole is not None and self.budget is not None:
                self.budget.spend(len(self._whole._places))  # to compile a part with what it refers to
            for _ in self.applications(value, self.budget):
                pass  # ends in Unusable where the work would not end
            sentences = (
                fault.say() for error in self._validator.iter_errors(value) for fault in self._faults_of(error)
            )
            return next(sentences, None)
        except (Unusable, ValueError):
            return None

    def faults(self, value: Arguments) -> Iterator[ArgumentFault]:
        """The faults of a value; one that cannot be judged has a fault too."""
        try:
            asked = self.types_asked_for(value)  # ends in Unusable where the work would not end
            for error in self._validator.iter_errors(value):
                for fault in self._faults_of(error):
                    yield _fault_of_text(fault, error.instance, asked.get(fault.pointer, set()))
        except (Unusable, ValueError) as error:
            yield ArgumentFault("", f"the arguments cannot be checked: {_one_line(str(error))}")

    def types_asked_for(self, value: Any) -> dict[str, set[str]]:
        """JSON Pointer in a value -> the types that the schema names for it."""
        asked: dict[str, set[str]] = {}
        for pointer, node, _ in self.applications(value):
            asked.setdefault(pointer, set()).update(stated_types(node))
        return asked

    def paths(self, value: Arguments) -> Iterator[tuple[str, str]]:
        """Each text that some schema calls a path, once, with its JSON Pointer."""
        try:
            places = dict.fromkeys(
                (pointer, item)
                for pointer, node, item in self.applications(value)
                if isinstance(item, str) and _is_path(node)
            )
        except Unusable:
            return  # reported by `faults`
        yield from places

    @cached_property
    def _judged(self) -> JsonSchema:
        """The schema with JSON Pointers for references; the schema of a part stays as it is.

        A reference that leads nowhere in the document accepts everything, as in the definition for the model. Where a
        reference leads out of the document, all stay as they are, and there is no verdict.
        """
        refers = any(not _REFERENCES.isdisjoint(place) for place in self._places)
        try:
            document_reader.from_data(self._root, _SCHEMA)
            if not refers or self._whole is not None:
                return self._root
            resolved, steps = resolve(newest(self._root))
        except Error as error:
            raise Unusable(f"its schema is no schema: {error.message}") from None
        return self._root if any(step.note == FAR for step in steps) else resolved

    @cached_property
    def _validator(self) -> Any:
        if self._whole is not None:
            reference = {"$ref": f"{HERE}#{quote(self._pointer)}"}
            return _compile(reference, registry=self._whole._registry)
        return _compile(self._judged, any_draft=True)

    @cached_property
    def _registry(self) -> Any:
        """The schema as a resource that its parts refer to. To compile it anew for each part would take too long."""
        return registry(self._root)

    def _faults_of(self, error: Any) -> Iterator[ArgumentFault]:
        pointer = pointer_of(error.instance_path)
        kind = error.kind
        if kind.name == "additionalProperties":
            yield from (self.unexpected(pointer, key) for key in kind.unexpected)
        elif kind.name == "falseSchema":
            yield ArgumentFault(pointer, "nothing may be given here")
        elif kind.name == "required":
            yield ArgumentFault(pointer, f"`{_one_line(kind.property)}` is missing")
        elif kind.name in _ALTERNATIVES and all(kind.context):  # else several fit a `oneOf`, and these lack nothing
            reasons = dict.fromkeys(next(self._faults_of(first)).say(pointer) for first in _first_faults(error))
            said = join_first(list(reasons), _MOST_ALTERNATIVES)
            yield ArgumentFault(pointer, _one_line(f"the value fits no alternative: {said}"))
        elif kind.name == "enum":
            yield ArgumentFault(pointer, _one_line(f"the value is not one of {join_names(kind.options, 'or')}"))
        else:
            yield ArgumentFault(pointer, _message_of(error))

    def unexpected(self, parent: str, key: str) -> ArgumentFault:
        """The fault of a key that should not be there."""
        message = f"`{_one_line(key)}` is not known"
        hint: str | None = None
        if not parent and len(self.keys) <= _MOST_NAMES:
            hint = suggestion(key[:100], self.keys, mark="`")
        if hint is not None:
            message += f"; {hint}"
        return ArgumentFault(pointer_below(parent, key), message)

    def applications(self, value: Any, budget: JudgingBudget | None = None) -> Iterator[tuple[str, JsonSchema, Any]]:
        """Every schema that is applied to a value inside `value`, as often as it is, with the value's pointer.

        More rather than less: conditions and patterns are taken to hold, because nobody should wait for them here.
        """
        budget = budget or JudgingBudget(_MOST_STEPS)
        start = self._schema_at(f"#{quote(self._pointer)}")
        waiting: list[tuple[str, JsonSchema, Any, int]] = [("", start, value, 0)]
        while waiting:
            budget.spend(1)
            pointer, node, item, depth = waiting.pop()
            if depth > _MOST_AT_ONE_VALUE:
                raise Unusable(_TOO_MUCH_WORK)
            yield pointer, node, item
            for inner in self._applied_beside(node):
                if isinstance(inner, dict):
                    waiting.append((pointer, inner, item, depth + 1))
            for key, inner, part in _applied_to_parts(node, item):
                if isinstance(inner, dict):
                    waiting.append((pointer_below(pointer, key), inner, part, 0))

    def _applied_beside(self, node: JsonSchema) -> Iterator[Any]:
        """The schemas that are applied to the same value."""
        if self._leads_elsewhere(node):
            raise Unusable(_ELSEWHERE)
        if "$ref" in node:
            yield self._schema_at(node["$ref"])
        yield from schemas_in_place(node)
        yield from mapping_at(node, "dependencies").values()  # before 2019-09

    def _leads_elsewhere(self, node: JsonSchema) -> bool:
        """Whether a schema refers to something by another way than a JSON Pointer in the whole."""
        reference = node.get("$ref", "#")
        has_pointer = isinstance(reference, str) and (reference == "#" or reference.startswith("#/"))
        has_address = "$id" in node and node is not self._root
        return has_address or not has_pointer or not _BY_THE_WAY.isdisjoint(node)

    def _schema_at(self, reference: str) -> Any:
        return value_at(self._judged, decode_fragment(reference).removeprefix("#"))


def _first_faults(error: Any) -> list[Any]:
    """The first fault of each alternative that a value may be meant for: those that miss the fewest types and tags."""

    def tells(fault: Any) -> bool:
        return fault.kind.name in _TAGS or (fault.kind.name == "type" and fault.instance_path == error.instance_path)

    alternatives = group_by(error.kind.context, lambda faults: sum(map(tells, faults)))
    return [max(faults, key=tells) for faults in alternatives[min(alternatives)]]


def _fault_of_text(fault: ArgumentFault, value: Any, asked: set[str]) -> ArgumentFault:
    """A fault of a text that holds as JSON what is asked for, as the sentence that keeps a model from sending it again.

    Args:
        asked: the types that are accepted there.
    """
    held = as_typed(value, asked - {"string"})
    if held is value:
        return fault
    name, kind = (tokens_of(fault.pointer) or ["it"])[-1], type_of(held).replace("array", "list")
    return ArgumentFault(fault.pointer, f"`{_one_line(name)}` is text that holds a JSON {kind}; send the {kind} itself")


# What can make room for keys that `properties` does not list.
_SAY_MORE = (
    "additionalProperties", "unevaluatedProperties", "patternProperties", "dependentSchemas", "dependencies", "$ref",
    "$dynamicRef", "$recursiveRef", "allOf", "anyOf", "oneOf", "if",
)  # fmt: skip


def _compile(schema: JsonSchema, **options: Any) -> Any:
    import jsonschema_rs  # 11 ms that only a validator pays

    linear = jsonschema_rs.RegexOptions()
    backtracking = jsonschema_rs.FancyRegexOptions(backtrack_limit=_MOST_BACKTRACKS)
    try:
        return validator(schema, mask=_MASK, pattern_options=linear, **options)
    except ValueError:  # a pattern that looks around, say
        pass
    try:
        return validator(schema, mask=_MASK, pattern_options=backtracking, **options)
    except jsonschema_rs.ValidationError as error:  # which is of the schema, as if that were a value
        place = pointer_of(error.instance_path)  # older releases tell none
        where = f"its schema at {place}" if place else "its schema"
        raise Unusable(f"{where}: {_message_of(error)}") from None


_ELSEWHERE = "its schema refers to other places than JSON Pointers in itself"
_MASK = "the value"  # what a model sent can be a secret, and messages are logged


def _message_of(error: Any) -> str:
    return _one_line(error.message[:1].lower() + error.message[1:])


def _one_line(words: str) -> str:
    line = escape_unseen(words[:400].partition("\n")[0])
    return line if len(line) <= 200 else line[:197] + "..."


def _is_path(node: JsonSchema) -> bool:
    format_name = node.get("format")
    return isinstance(format_name, str) and format_name in PATH_FORMATS


def _applied_to_parts(node: JsonSchema, value: Any) -> Iterator[tuple[str | int, Any, Any]]:
    """The applications of schemas to the parts of a value: key of the part, schema, part."""
    if isinstance(value, dict):
        properties = mapping_at(node, "properties")
        others = [node.get("additionalProperties"), node.get("unevaluatedProperties")]
        patterns = mapping_at(node, "patternProperties").values()
        for key, part in value.items():
            yield key, node.get("propertyNames"), key
            own = [properties[key]] if key in properties else others
            for schema in (*patterns, *own):
                yield key, schema, part
    elif isinstance(value, list):
        items = node.get("items")
        if isinstance(items, list):  # before 2020-12
            first = items
        else:
            first = list_at(node, "prefixItems")
        others = [items, node.get("additionalItems"), node.get("unevaluatedItems")]
        for index, part in enumerate(value):
            yield index, node.get("contains"), part
            own = [first[index]] if index < len(first) else others
            for schema in own:
                yield index, schema, part


def refused_examples(tool: Tool, budget: JudgingBudget | None = None) -> Iterator[ArgumentFault]:
    """The faults of the examples that a tool's own schemas refuse; pointers begin at the list of examples."""
    schemas = {"input": tool.inputs, "output": tool.outputs}
    sides = [(side, Schema(schema, budget)) for side, schema in schemas.items() if schema]
    for index, example in enumerate(tool.examples or ()):
        for side, judge in sides:
            value = getattr(example, side)
            why = None if value is msgspec.UNSET else judge.refusal(value)
            if why is not None:
                yield ArgumentFault(f"/{index}/{side}", f"the schema refuses it: {why}")
