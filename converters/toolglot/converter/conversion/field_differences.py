"""How two values of one field differ, and what each difference means: is something lost, or only said otherwise?

`leaf_comparison` compares tools field by field. This module compares values that have parts: schemas, the parameters
of a command line, texts, and data that no hub field holds. No difference is passed over. One by which nothing is lost
(a keyword that accepts everything, a null, a second spelling of what another field says) is `renamed`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import product
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from toolglot.converter import formats
from toolglot.converter.conversion.extension_slots import SLOT, stated_extension
from toolglot.converter.formats.kit.description.facts_in_description import LABELLED, split_description
from toolglot.converter.hub.durations import parse_span
from toolglot.converter.hub.fields import TEXT, fields_with
from toolglot.converter.hub.model import Binding, JsonSchema, Tool
from toolglot.converter.schema.accepted_values.acceptance import NEITHER, Sense
from toolglot.converter.schema.accepted_values.keywords_in_reports import (
    BOUNDS_BY_ABSENCE,
    is_assertion,
    is_neutral,
    sense_of_keyword,
)
from toolglot.converter.schema.keywords import IN_PLACE, MANY, NAMED, ONE, expand_boolean_schema
from toolglot.converter.schema.titles import is_idle_title, is_in_name
from toolglot.converter.text.pointers import NOTHING, as_mapping, escape, keyed_values, pointer_below
from toolglot.converter.text.sentences import is_told

if TYPE_CHECKING:
    from toolglot.converter.schema.accepted_values.schema_comparison import SchemaComparison


class FieldDifference(msgspec.Struct, frozen=True):
    """One difference inside a field: its JSON Pointer in the value, the value on both sides, and what happened."""

    path: str
    before: Any
    after: Any
    action: str


# -- schemas ----------------------------------------------------------------------------------------------------

_MAPS = NAMED | {"definitions"}
_LISTS = MANY | {"items"}
_ANYTHING: tuple[Any, ...] = (True, {})
# What says which members a value may have -> what refuses all others, and so these where it stands alone.
_CLOSES = {"patternProperties": "additionalProperties", "prefixItems": "items"}
_IN_DOUBT = frozenset({"narrowed", "widened"})
# Keywords that say otherwise what others say, so that all of a schema has to be asked what became of them.
_STRUCTURE = IN_PLACE | {"$ref"}


def compare_schema_fields(field: str, before: Tool, after: Tool) -> Iterator[FieldDifference]:
    """The differences between the JSON Schemas of two tools, keyword by keyword.

    "inputs changed" would tell nobody what to look at. `schema.accepted_values` says what a difference means: by the
    keyword alone, or by the whole schema where other keywords may say the same.

    Args:
        field: the field with the schemas. `inputs` describes an object of arguments; a target may refuse further keys
            in it where the source says nothing about them.

    >>> was, now = {"properties": {"a": {"minLength": 1}}}, {"type": "object", "properties": {"a": {}}}
    >>> [*compare_schema_fields("inputs", Tool(id="t", inputs=was), Tool(id="t", inputs=now))]
    [FieldDifference(path='/properties/a/minLength', before=1, after=None, action='widened'), \
FieldDifference(path='/type', before=None, after='object', action='assumed')]
    """
    was, now, name = getattr(before, field), getattr(after, field), before.id.rpartition(":")[2]
    walk = _SchemaWalk(was, now)
    for difference in walk.compare("", was, now, name, arguments=field == "inputs"):
        if (
            difference.after is None
            and difference.path == "/description"
            and is_said("description", difference.before, after)
        ):
            yield replace(difference, action="moved")
        elif _are_definitions_at_root(difference, now):
            yield replace(difference, action="renamed")
            for key, definition in difference.before.items():
                yield from walk.compare(pointer_below(difference.path, key), definition, now["$defs"][key], key)
        else:
            yield difference


def _are_definitions_at_root(difference: FieldDifference, now: JsonSchema) -> bool:
    """Whether the difference only is that definitions moved from a part of the schema to its root."""
    is_gone = difference.after is None and difference.path.endswith("/$defs")
    return is_gone and difference.before.keys() <= now.get("$defs", {}).keys()


class _SchemaWalk:
    """A walk over two schemas side by side, which compares them part by part."""

    def __init__(self, was: Any, now: Any) -> None:
        self.roots = was, now

    @cached_property
    def parts(self) -> SchemaComparison | None:
        """The comparison of what parts accept. It is made only where a difference is in doubt, which is seldom."""
        from toolglot.converter.schema.accepted_values.schema_comparison import compare_parts  # 3 ms that few need

        return compare_parts(*self.roots)

    def compare(self, path: str, was: Any, now: Any, name: str = "", arguments: bool = False) -> list[FieldDifference]:
        """The differences of two schemas at a place.

        Args:
            name: the name of the property, the definition or the tool that has the schema.
        """
        if not (isinstance(was, dict) and isinstance(now, dict)):
            action = "renamed" if expand_boolean_schema(was) == expand_boolean_schema(now) else "widened"
            return [FieldDifference(path, was, now, action)]
        by_key: dict[str, list[FieldDifference]] = {}
        are_settled: dict[str, Any] = {}  # what is told elsewhere, or nobody's statement
        for key, here, old, new in _differing_keys(path, was, now):
            if key == "required" and sense_of_keyword(key, was, now) == NEITHER:
                continue
            if old is not NOTHING and new is not NOTHING and _holds_schemas(key, old, new):
                by_key[key] = [*self.compare_inside(here, key, old, new)]
                if key not in IN_PLACE:
                    are_settled[key] = new
                continue
            action = _of_keyword(key, was, now, name)
            if arguments and _is_about_all_arguments(key, was, now):
                action = "renamed" if old is False else "assumed"
                are_settled[key] = new
            by_key[key] = [FieldDifference(here, was.get(key), now.get(key), action)]
        doubted = {
            key: found
            for key, found in by_key.items()
            if key not in are_settled and any(item.action in _IN_DOUBT for item in found)
        }
        if doubted and _may_be_the_same(doubted, was) and self.parts is not None:
            settled = {key: value for key, value in {**was, **are_settled}.items() if value is not NOTHING}
            sense = self.parts.sense_of(settled, now)
            by_key |= {key: [_without_doubt(item, sense) for item in found] for key, found in doubted.items()}
        return [difference for found in by_key.values() for difference in found]

    def compare_inside(self, here: str, key: str, old: Any, new: Any) -> Iterator[FieldDifference]:
        """The differences of the schemas under a keyword.

        A keyword such as `oneOf` counts the schemas that accept a value: if one of them accepts more, the whole may
        accept less.
        """
        if key in _MAPS:
            yield from self.compare_maps(here, old, new)
            return
        pairs = [(here, old, new, key)]
        if isinstance(old, list):
            pairs = [(f"{here}/{index}", *pair, "") for index, pair in enumerate(zip(old, new, strict=True))]
        for place, one, other, name in pairs:
            for difference in self.compare(place, one, other, name) if one != other else ():
                yield difference
                if key in ("oneOf", "not", "if") and difference.action in _IN_DOUBT:
                    yield replace(difference, action="narrowed" if difference.action == "widened" else "widened")

    def compare_maps(self, path: str, was: JsonSchema, now: JsonSchema) -> Iterator[FieldDifference]:
        """The differences of two maps of schemas."""
        for name, here, old, new in _differing_keys(path, was, now):
            if new is NOTHING:
                yield FieldDifference(here, old, None, "dropped")
            elif old is NOTHING:
                yield FieldDifference(here, None, new, "assumed")
            else:
                yield from self.compare(here, old, new, name)


def _differing_keys(path: str, was: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[tuple[str, str, Any, Any]]:
    """The keys under which two objects differ, each with its pointer and its value in both, or `NOTHING`."""
    for key in {**was, **now}:
        old, new = was.get(key, NOTHING), now.get(key, NOTHING)
        if old != new:
            yield key, pointer_below(path, key), old, new


def _is_about_all_arguments(key: str, was: JsonSchema, now: JsonSchema) -> bool:
    """Whether a keyword only says what is true of the arguments of any tool, so that its absence states nothing.

    Arguments always are an object; a source that is silent about further ones states nothing about them; and a tool
    without arguments is read as one without properties.
    """
    if key not in was:
        return (key, now[key]) in (("type", "object"), ("additionalProperties", False))
    return key == "additionalProperties" and was[key] is False and now == {"type": "object", "properties": {}}


def _holds_schemas(key: str, old: Any, new: Any) -> bool:
    if isinstance(old, list) and isinstance(new, list):
        return key in _LISTS and len(old) == len(new)
    return (key in _MAPS or key in ONE) and isinstance(old, dict) and isinstance(new, dict)


def _may_be_the_same(doubted: Mapping[str, Iterable[FieldDifference]], was: Mapping[str, Any]) -> bool:
    """Whether other keywords may say what is in doubt: a keyword that holds schemas, or one that replaces another."""
    actions = {difference.action for found in doubted.values() for difference in found}
    return actions >= _IN_DOUBT or not _STRUCTURE.isdisjoint((*doubted, *was))


def _without_doubt(difference: FieldDifference, sense: Sense) -> FieldDifference:
    """A difference that was in doubt, decided by whether the schema around it accepts less or more now."""
    is_less, _ = sense
    is_part = difference.action == "narrowed" and difference.before is None and not is_less  # of what others said
    is_cleared = difference.action in _IN_DOUBT and (sense == NEITHER or is_part)
    return replace(difference, action="renamed") if is_cleared else difference


def _of_keyword(key: str, was: JsonSchema, now: JsonSchema, name: str) -> str:
    """The action of a keyword that differs: `renamed` where both sides accept the same and tell people the same."""
    if not is_assertion(key):
        return _of_words(key, was, now, name)
    less, more = sense_of_keyword(key, was, now)
    if more and key in was:  # also where only a person could tell
        return "dropped" if key not in now and now.get(_CLOSES.get(key, "")) is False else "widened"
    if not less or (key not in now and key not in BOUNDS_BY_ABSENCE):
        return "renamed"
    if key == "properties" and key not in was and all(item in _ANYTHING for item in now[key].values()):
        return "assumed"
    return "narrowed"


def _of_words(key: str, was: JsonSchema, now: JsonSchema, name: str) -> str:
    """The action of a keyword that differs and only tells people something."""
    if all(key not in schema or is_neutral(key, schema[key]) for schema in (was, now)):
        return "renamed"
    old, new = was.get(key), now.get(key)
    if key not in was:
        return "assumed"
    if key not in now:  # a difference between dialects is one of other keywords
        return "renamed" if key == "$schema" or (key == "title" and is_idle_title(was, name)) else "dropped"
    if key == "description" and isinstance(old, str) and isinstance(new, str):
        return "renamed" if is_told(old, new) else "narrowed"
    return "renamed"


# -- what the hub does not model --------------------------------------------------------------------------------

_SAID, _EMPTY, _GONE = "said", "empty", "gone"


def compare_extensions(before: Tool, after: Tool | None) -> Iterator[FieldDifference]:
    """The differences between the extensions of two tools.

    No loss are a null, an empty object, a value that another field repeats, and the spelling of the document; the
    format knows the last two (`Format.spelling`).

    >>> found = compare_extensions(Tool(id="a", extensions={"x": {"key": None, "flag": 1}}), None)
    >>> [(difference.path, difference.action) for difference in found]
    [('/x/key', 'renamed'), ('/x/flag', 'dropped')]
    """
    after = after or _NOBODY
    was, now = before.extensions or {}, after.extensions or {}
    asked = frozenset(f"/{key}" for key in _asked_alike(was, now))
    for owner in {**was, **now}:
        if was.get(owner) == now.get(owner):
            continue
        own, other = stated_extension(owner, before, SLOT), stated_extension(owner, after, SLOT)
        echoes, claims = _echoes_and_claims(owner, before)
        for part in _compare_values("", own, other, echoes | asked, claims):
            if part.action != "assumed" or part.path not in asked:
                yield replace(part, path=f"/{escape(owner)}{part.path}")


def _asked_alike(was: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """The keys under which both ask their providers for the same, such as `strict`."""
    for owner, other in product(was.keys() & formats.names(), now.keys() & formats.names()):
        keys = formats.get(owner).provider.request_keys & formats.get(other).provider.request_keys
        if owner != other:
            yield from (key for key in keys if key in was[owner] and was[owner][key] == now[other].get(key))


_NOBODY = Tool(id="")


def _echoes_and_claims(owner: str, tool: Tool) -> tuple[frozenset[str], frozenset[str]]:
    """JSON Pointers in the extension of a tool that only repeat other fields or spell the document, and the names of
    the format's claims."""
    owner_format = formats.find(owner)
    if owner_format is None:
        return frozenset(), frozenset()
    rest, spelling = tool.extension(owner), owner_format.spelling
    keys = [f"/{escape(key)}" for key in spelling.keys if not isinstance(rest.get(key), dict | list)]
    return frozenset((*keys, *spelling.echoes(tool))), frozenset(owner_format.claims)


def _compare_values(
    path: str, was: Any, now: Any, echoes: frozenset[str], claims: frozenset[str]
) -> Iterator[FieldDifference]:
    for _, here, old, new in _differing_keys(path, was, now):
        if old is NOTHING:
            yield FieldDifference(here, None, new, "assumed")
        elif new is NOTHING:
            yield from _missing_parts(here, old, echoes, claims)
        elif here in echoes:
            yield FieldDifference(here, old, new, "renamed")
        elif isinstance(old, dict) and isinstance(new, dict):
            yield from _compare_values(here, old, new, echoes, claims)
        else:
            action = "narrowed" if _GONE in _states_of_parts(here, old, echoes) else "renamed"
            yield FieldDifference(here, old, new, action)


def _missing_parts(path: str, value: Any, echoes: frozenset[str], claims: frozenset[str]) -> Iterator[FieldDifference]:
    """What is missing now: one entry, or one for each part where only some parts are said elsewhere.

    A claim has an entry of its own: people look for `readOnlyHint`, and "annotations are gone" tells them nothing.
    """
    states = _states_of_parts(path, value, echoes)
    if not states >= {_SAID, _GONE} and claims.isdisjoint(as_mapping(value)):
        action = "dropped" if _GONE in states else "renamed"
        yield FieldDifference(path, value, None, action)
        return
    for key, item in keyed_values(value):
        yield from _missing_parts(pointer_below(path, key), item, echoes, claims)


def _states_of_parts(path: str, value: Any, echoes: frozenset[str]) -> set[str]:
    """The states that parts of a value have: said elsewhere, saying nothing, or gone."""
    if path in echoes:
        return {_SAID}
    if value is None or value == {}:
        return {_EMPTY}
    inner = [(pointer_below(path, key), item) for key, item in keyed_values(value)]
    return {state for part in inner for state in _states_of_parts(*part, echoes)} or {_GONE}


# -- parameters of a command line -------------------------------------------------------------------------------


def compare_bindings(origin: str | None, was: Mapping[str, Binding], now: Mapping[str, Binding]) -> str:
    """The action for parameters of a command line that differ.

    Whether a parameter is required is for the schema to say. A spelling of the document is no loss, unless it says
    something that no field says.

    Args:
        origin: the format that the parameters were read from.

    >>> compare_bindings(None, {"a": Binding(required=True)}, {})
    'renamed'
    >>> compare_bindings(None, {"a": Binding(flags=("-a",))}, {})
    'dropped'
    """
    if any(_loses(origin, binding, now.get(key, _SILENT)) for key, binding in was.items()):
        return "narrowed" if now else "dropped"
    adds = any(_adds(binding, was.get(key, _SILENT)) for key, binding in now.items())
    return "assumed" if adds else "renamed"


def _adds(now: Binding, was: Binding) -> bool:
    return _loses(None, now, was) or now.stand_in not in (None, was.stand_in)


def _loses(origin: str | None, was: Binding, now: Binding) -> bool:
    old_values, new_values = _on_a_command_line(was), _on_a_command_line(now)
    if old_values != new_values and any(
        old not in (None, False, new) for old, new in zip(old_values, new_values, strict=True)
    ):
        return True
    if was.spelling in (None, now.spelling):
        return False
    origin_format = formats.find(origin)
    return origin_format is not None and origin_format.spelling.has_unread(was)


_SILENT = Binding()
_on_a_command_line = attrgetter("kind", "name", "flags", "variadic", "hidden", "together", "env", "excludes")


# -- texts and lists ---------------------------------------------------------------------------------------------

_TEXTS = tuple(name for name in fields_with(kind=TEXT, warns=True) if name != "body")


def is_said(name: str, value: Any, tool: Tool) -> bool:
    """Whether the words of a text still stand in some field of the tool; for a title, the name of the tool counts too.

    >>> is_said("title", "List Files", Tool(id="list_files")), is_said("title", "All", Tool(id="ls"))
    (True, False)
    >>> is_said("version", "1.2", Tool(id="ls", version="1.2.0"))
    True
    >>> is_said("duration", "5s", Tool(id="ls", duration="5-5s"))
    True
    >>> weed = Tool(id="weed", description="Weeds.\\n\\nRequires: The bed is dry.")
    >>> is_said("conditions", ("The bed is dry.",), weed), is_said("conditions", ("It is day.",), weed)
    (True, False)
    """
    if name == "duration" and tool.duration is not None:
        return parse_span(value) == parse_span(tool.duration) is not None
    if name == "version" and tool.version is not None:
        return tool.version in (f"{value}.0", f"{value}.0.0")
    if isinstance(value, tuple) and name in LABELLED and tool.description:
        return split_description(tool.description, ()).get(name) == value
    if not isinstance(value, str) or name not in _TEXTS:
        return False
    texts = [tool.id, *filter(None, (getattr(tool, field) for field in _TEXTS))]
    if name in ("title", "summary") and is_in_name(value, " ".join(texts)):
        return True
    if name == "success":  # which no writer tells in a description; its few words may stand there by accident
        return value in texts
    return is_told(value, *texts)


def without_echo(items: tuple[Any, ...]) -> tuple[Any, ...]:
    """Examples, errors and ways of signing in, without extensions that only repeat their fields."""
    return tuple(map(_without_echo, items))


def says_all_of(was: Any, now: Any) -> bool:
    """Whether `now` says all that `was` said. It may say it one level deeper; a null says nothing.

    >>> says_all_of({"checksum": "a"}, {"integrity": {"checksum": "a"}}), says_all_of({"a": 1}, {"a": 2})
    (True, False)
    >>> says_all_of({"filter": {"commands": None, "depth": 1}}, {"filter": {"depth": 1}})
    True
    """
    if isinstance(was, dict) and isinstance(now, dict):
        objects = [now, *(value for value in now.values() if isinstance(value, dict))]
        return all(
            value is None or any(key in found and says_all_of(value, found[key]) for found in objects)
            for key, value in was.items()
        )
    if was == now or not (isinstance(was, msgspec.Struct) and type(was) is type(now)):
        return bool(was == now)
    values = zip(msgspec.structs.astuple(was), msgspec.structs.astuple(now), strict=True)
    return all(old is None or old is msgspec.UNSET or old == new for old, new in values)


def _without_echo(item: Any) -> Any:
    if not getattr(item, "extensions", None):
        return item
    values = [value for name, value in msgspec.structs.asdict(item).items() if name != "extensions"]
    rest = {key: value for key, value in item.extensions.items() if value not in values}
    return replace(item, extensions=rest or None)
