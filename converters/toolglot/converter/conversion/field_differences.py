"""How two values of one field differ, and what each difference means: is something gone, or only said otherwise?

`report` compares tools field by field; here is what a field with an inside needs: schemas, the parameters of a command
line, texts, and what the hub does not model. Every difference stays a difference. One by which nothing is gone
(a keyword that accepts everything, a null, a second spelling of what another field says) is `renamed`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from toolglot.converter import formats
from toolglot.converter.conversion.extension_slots import SLOT, stated_extension
from toolglot.converter.formats.kit.description.labelled_facts import LABELLED, split_description
from toolglot.converter.hub.durations import parse_span
from toolglot.converter.hub.fields import TEXT, fields_with
from toolglot.converter.hub.model import Binding, Tool
from toolglot.converter.schema.json_values import with_proven_type
from toolglot.converter.schema.keywords import ASSERTIONS, MANY, NAMED, ONE, expand_boolean_schema
from toolglot.converter.schema.titles import is_idle_title, is_in_name
from toolglot.converter.text.pointers import as_list, escape, keyed_values
from toolglot.converter.text.sentences import is_told


class FieldDifference(NamedTuple):
    """One difference inside a field: JSON Pointer in its value, both sides, and what happened."""

    path: str
    before: Any
    after: Any
    action: str


# -- schemas ----------------------------------------------------------------------------------------------------

_MISSING = object()
_MAPS = NAMED | {"definitions"}
_LISTS = MANY | {"items"}
_ASSERTIONS = (ASSERTIONS | {
    "nullable", "format", "$dynamicRef", "$recursiveRef", "dependencies", "additionalItems",
})  # fmt: skip
_ANYTHING: tuple[Any, ...] = (True, {})
# Values of keywords that accept everything, so that the keyword says as much as its absence.
_NEUTRAL: dict[str, tuple[Any, ...]] = {
    **dict.fromkeys(("additionalProperties", "unevaluatedProperties", "propertyNames"), _ANYTHING),
    **dict.fromkeys(("items", "additionalItems", "unevaluatedItems"), _ANYTHING),
    **dict.fromkeys(_MAPS | {"dependentRequired", "dependencies"}, ({},)),
    **dict.fromkeys(("required", "prefixItems"), ([],)),
    **dict.fromkeys(("minLength", "minItems", "minProperties"), (0,)),
    **dict.fromkeys(("uniqueItems", "nullable", "deprecated", "readOnly", "writeOnly"), (False,)),
    "not": (False,),
    "default": (None,),  # an absent value equals it
}
# What says which members a value may have -> what refuses all others, and so these where it stands alone.
_CLOSES = {"patternProperties": "additionalProperties", "prefixItems": "items"}
_MEMBERS = ONE - {"not", "if"}  # of which `false` refuses what any other schema may accept
_IMPLIED = {"minContains": 1}  # what a keyword says by its absence, and is not nothing
_BLANK: tuple[Any, ...] = ("", [], {}, None)  # what an annotation, or a keyword that nobody knows, can say nothing by


def compare_schema_fields(field: str, before: Tool, after: Tool) -> Iterator[FieldDifference]:
    """The differences of a JSON Schema of two tools, keyword by keyword: "inputs changed" tells nobody what to look at.

    Args:
        field: of the tools. `inputs` describes the arguments of a call: an object, whose further keys a target may
            refuse where the source says nothing about them.

    >>> was, now = {"properties": {"a": {"minLength": 1}}}, {"type": "object", "properties": {"a": {}}}
    >>> [*compare_schema_fields("inputs", Tool(id="t", inputs=was), Tool(id="t", inputs=now))]
    [FieldDifference(path='/properties/a/minLength', before=1, after=None, action='widened'), \
FieldDifference(path='/type', before=None, after='object', action='assumed')]
    """
    was, now, name = getattr(before, field), getattr(after, field), before.id.rpartition(":")[2]
    for difference in _compare_schemas("", was, now, name, arguments=field == "inputs"):
        if (
            difference.after is None
            and difference.path == "/description"
            and is_said("description", difference.before, after)
        ):
            yield difference._replace(action="moved")
        elif _are_definitions_at_root(difference, now):
            yield difference._replace(action="renamed")
            for key, definition in difference.before.items():
                yield from _compare_schemas(f"{difference.path}/{escape(key)}", definition, now["$defs"][key], key)
        else:
            yield difference


def _are_definitions_at_root(difference: FieldDifference, now: dict[str, Any]) -> bool:
    """Whether a difference is that definitions of a part of a schema stand at its root now."""
    is_gone = difference.after is None and difference.path.endswith("/$defs")
    return is_gone and difference.before.keys() <= now.get("$defs", {}).keys()


def _compare_schemas(
    path: str, was: Any, now: Any, name: str = "", arguments: bool = False, inside_map: bool = False
) -> Iterator[FieldDifference]:
    if not (isinstance(was, dict) and isinstance(now, dict)):
        action = "renamed" if expand_boolean_schema(was) == expand_boolean_schema(now) else "widened"
        yield FieldDifference(path, was, now, action)
        return
    for key in {**was, **now}:
        old, new = was.get(key, _MISSING), now.get(key, _MISSING)
        if old == new or (key == "required" and not inside_map and _same_items(old, new)):
            continue
        here = f"{path}/{escape(str(key))}"
        if old is not _MISSING and new is not _MISSING and (inside_map or _holds_schemas(key, old, new)):
            yield from _compare_inside(here, key, old, new, inside_map)
            continue
        action = _in_map(old) if inside_map else _of_keyword(key, was, now, name)
        if action == "narrowed" and arguments and old is _MISSING and (key, new) in _OF_ARGUMENTS:
            action = "assumed"
        if arguments and key == "additionalProperties" and old is False and now == _NO_ARGUMENTS:
            action = "renamed"
        yield FieldDifference(here, was.get(key), now.get(key), action)


# Arguments are an object, and which further ones there are is nobody's statement as long as the source is silent.
_OF_ARGUMENTS = (("type", "object"), ("additionalProperties", False))
_NO_ARGUMENTS = {"type": "object", "properties": {}}  # as readers have a tool that is said to take none


def _holds_schemas(key: str, old: Any, new: Any) -> bool:
    if isinstance(old, list) and isinstance(new, list):
        return key in _LISTS and len(old) == len(new)
    return (key in _MAPS or key in ONE) and isinstance(old, dict) and isinstance(new, dict)


_OPPOSITES = {"widened": "narrowed", "narrowed": "widened"}


def _compare_inside(here: str, key: str, old: Any, new: Any, inside_map: bool) -> Iterator[FieldDifference]:
    """The differences of the schemas that a keyword holds, or a name in a map.

    Where a keyword counts the schemas that accept a value, one that accepts more makes it refuse others.
    """
    for difference in _compare_below(here, key, old, new, inside_map):
        yield difference
        if key in ("oneOf", "not", "if") and not inside_map and difference.action in _OPPOSITES:
            yield difference._replace(action=_OPPOSITES[difference.action])


def _compare_below(here: str, key: str, old: Any, new: Any, inside_map: bool) -> Iterator[FieldDifference]:
    if isinstance(old, list) and isinstance(new, list) and not inside_map:
        for index, (one, other) in enumerate(zip(old, new, strict=True)):
            if one != other:
                yield from _compare_schemas(f"{here}/{index}", one, other)
    else:
        yield from _compare_schemas(here, old, new, key, inside_map=not inside_map and key in _MAPS)


def _in_map(old: Any) -> str:
    """What it means that a name stands in a map of schemas on one side only."""
    return "assumed" if old is _MISSING else "dropped"


def _of_keyword(key: str, was: dict[str, Any], now: dict[str, Any], name: str) -> str:
    """What a keyword that differs means: `renamed` where both sides accept the same and tell people the same.

    Args:
        name: of the property, the definition or the tool that the schema is for.
    """
    absent = _IMPLIED.get(key, _MISSING)
    old, new = was.get(key, absent), now.get(key, absent)
    if _meaning(key, was) == _meaning(key, now):
        return "renamed"
    if key == "title" and new is _MISSING and is_idle_title(was, name):
        return "renamed"
    if key not in _ASSERTIONS:
        return _of_words(key, old, new)
    if old is _MISSING:
        return _of_appearing(key, new, was)
    if new is _MISSING:
        return "dropped" if now.get(_CLOSES.get(key, "")) is False else "widened"
    return _stricter(key, old, new)


def _of_appearing(key: str, new: Any, was: dict[str, Any]) -> str:
    """What a keyword means that the source does not have, and that can refuse something."""
    if key == "type" and with_proven_type(was).get("type") == new:
        return "renamed"  # all values that the source lists are of this type
    if key == "properties" and all(item in _ANYTHING for item in new.values()):
        return "assumed"
    return "narrowed"


def _of_words(key: str, old: Any, new: Any) -> str:
    """What a keyword that only tells people something means where it differs."""
    if old is _MISSING:
        return "assumed"
    if new is _MISSING:
        return "renamed" if key == "$schema" else "dropped"  # a difference between dialects is one of other keywords
    if key == "description" and isinstance(old, str) and isinstance(new, str):
        return "renamed" if is_told(old, new) else "narrowed"
    return "renamed"


def _meaning(key: str, schema: dict[str, Any]) -> Any:
    """What a keyword says, however it is spelled; `_MISSING` where it says as much as nothing."""
    if key in ("enum", "const"):
        return _allowed_values(schema)
    value = schema.get(key, _MISSING)
    if is_neutral(key, value):
        return _MISSING
    if key in ("type", "required") and value is not _MISSING:
        return _members(value)
    return value


def is_neutral(key: str, value: Any) -> bool:
    """Whether a keyword with this value says as much as none.

    >>> is_neutral("required", []), is_neutral("minLength", 1)
    (True, False)
    """
    neutral = _NEUTRAL.get(key)
    if neutral is None:
        neutral = () if key in _ASSERTIONS else _BLANK
    return any(value is item or (value == item and type(value) is type(item)) for item in neutral)


def _allowed_values(schema: dict[str, Any]) -> Any:
    """What `enum` and `const` let a value be, as texts; `_MISSING` where a schema has neither."""
    values = [_members(schema["enum"])] if "enum" in schema else []
    if "const" in schema:
        values.append({_text_of(schema["const"])})
    if not values:
        return _MISSING
    return set.intersection(*values)


def _stricter(key: str, old: Any, new: Any) -> str:
    """Whether a keyword with another value accepts more or less; `widened` where only a person could tell."""
    if isinstance(old, int | float) and isinstance(new, int | float):
        smaller = new < old  # false is less than true
        upper = key.startswith(("max", "exclusiveMax", "additional", "unevaluated"))
        return "narrowed" if smaller == upper else "widened"
    if new is False and key in _MEMBERS:
        return "narrowed"
    if key == "required":
        return "narrowed" if _members(new) > _members(old) else "widened"
    if key in ("type", "enum") and _members(new) < _members(old):
        return "narrowed"
    return "widened"


def _members(value: Any) -> set[str]:
    return {_text_of(item) for item in as_list(value)}


_encode = json.JSONEncoder(sort_keys=True, ensure_ascii=False).encode


def _text_of(value: Any) -> str:
    """A value of JSON as a text that equal values share, and no others."""
    # Types and names are texts; to have them encoded as well was an eighth of the time of a report.
    return f'"{value}' if isinstance(value, str) else _encode(value)


def _same_items(old: Any, new: Any) -> bool:
    if isinstance(old, list) and isinstance(new, list):
        return sorted(map(str, old)) == sorted(map(str, new))
    if new is _MISSING:
        return not old
    return old is _MISSING and not new


# -- what the hub does not model --------------------------------------------------------------------------------

_SAID, _EMPTY, _GONE = "said", "empty", "gone"


def compare_extensions(before: Tool, after: Tool | None) -> Iterator[FieldDifference]:
    """The differences of what two tools say beyond the hub; of what nobody states, there are none.

    What another field of the tool says as well, and how its document spells things, is no loss: the format knows
    which (`Format.spelling`). Neither is a null or an empty object.

    >>> found = compare_extensions(Tool(id="a", extensions={"x": {"key": None, "flag": 1}}), None)
    >>> [(difference.path, difference.action) for difference in found]
    [('/x/key', 'renamed'), ('/x/flag', 'dropped')]
    """
    was, now = before.extensions or {}, (after.extensions if after is not None else None) or {}
    for owner in {**was, **now}:
        if was.get(owner) != now.get(owner):
            echoes = _echo_pointers(owner, before)
            parts = _compare_values("", _less_slot(owner, before), _less_slot(owner, after), echoes)
            for path, one, other, action in parts:
                yield FieldDifference(f"/{escape(owner)}{path}", one, other, action)


def _less_slot(owner: str, tool: Tool | None) -> dict[str, Any]:
    """What a tool states beyond the hub, less its slot, which has an entry of its own."""
    return {} if tool is None else stated_extension(owner, tool, SLOT)


def _echo_pointers(owner: str, tool: Tool) -> frozenset[str]:
    if owner not in formats.names():
        return frozenset()
    owner_format = formats.get(owner)
    spelling = owner_format.spelling
    rest = tool.extension(owner)
    keys = [f"/{escape(key)}" for key in spelling.keys if not isinstance(rest.get(key), dict | list)]
    return frozenset((*keys, *spelling.echoes(tool)))


def _compare_values(path: str, was: Any, now: Any, echoes: frozenset[str]) -> Iterator[FieldDifference]:
    for key in {**was, **now}:
        here = f"{path}/{escape(str(key))}"
        old, new = was.get(key, _MISSING), now.get(key, _MISSING)
        if old == new:
            continue
        if old is _MISSING:
            yield FieldDifference(here, None, new, "assumed")
        elif new is _MISSING:
            yield from _missing_parts(here, old, echoes)
        elif here in echoes:
            yield FieldDifference(here, old, new, "renamed")
        elif isinstance(old, dict) and isinstance(new, dict):
            yield from _compare_values(here, old, new, echoes)
        else:
            action = "renamed" if _state_of_part(here, old, echoes) in (_SAID, _EMPTY) else "narrowed"
            yield FieldDifference(here, old, new, action)


def _missing_parts(path: str, value: Any, echoes: frozenset[str]) -> Iterator[FieldDifference]:
    """What is missing now: one entry, or one for each part where some of it is said elsewhere and some is gone."""
    state = _state_of_part(path, value, echoes)
    if state is not None:
        action = "dropped" if state == _GONE else "renamed"
        yield FieldDifference(path, value, None, action)
        return
    for key, item in keyed_values(value):
        yield from _missing_parts(f"{path}/{escape(str(key))}", item, echoes)


def _state_of_part(path: str, value: Any, echoes: frozenset[str]) -> str | None:
    """Whether a value is said elsewhere, says nothing, or is gone; `None` where that differs within it."""
    if path in echoes:
        return _SAID
    if value is None or value == {}:
        return _EMPTY
    states = {_state_of_part(f"{path}/{escape(str(key))}", item, echoes) for key, item in keyed_values(value)}
    if not states:
        return _GONE
    if _SAID not in states and None not in states:
        return _GONE if _GONE in states else _EMPTY
    return _SAID if states <= {_SAID, _EMPTY} else None


# -- parameters of a command line -------------------------------------------------------------------------------


def compare_bindings(origin: str | None, was: Mapping[str, Binding], now: Mapping[str, Binding]) -> str:
    """What it means that the parameters of a command line are given otherwise, or not any more.

    Whether one is required is said by the schema. How its document spelled it is no loss, less what no field says.

    Args:
        origin: the format that they were read from.

    >>> compare_bindings(None, {"a": Binding(required=True)}, {})
    'renamed'
    >>> compare_bindings(None, {"a": Binding(flags=("-a",))}, {})
    'dropped'
    """
    if any(_loses(origin, binding, now.get(key, Binding())) for key, binding in was.items()):
        return "narrowed" if now else "dropped"
    adds = any(_adds(binding, was.get(key, Binding())) for key, binding in now.items())
    return "assumed" if adds else "renamed"


def _adds(now: Binding, was: Binding) -> bool:
    return _loses(None, now, was) or now.stand_in not in (None, was.stand_in)


def _loses(origin: str | None, was: Binding, now: Binding) -> bool:
    if any(getattr(was, name) not in (None, False, getattr(now, name)) for name in _ON_A_COMMAND_LINE):
        return True
    if was.spelling is None or was.spelling == now.spelling or origin not in formats.names():
        return False
    return bool(formats.get(origin).spelling.unread(was))


_ON_A_COMMAND_LINE = ("kind", "name", "flags", "variadic", "hidden", "together", "env", "excludes")


# -- texts and lists ---------------------------------------------------------------------------------------------

_TEXTS = tuple(name for name in fields_with(kind=TEXT, warns=True) if name != "body")


def is_said(name: str, value: Any, tool: Tool) -> bool:
    """Whether the words of a text still stand in the tool, in whichever field; a title also where the name says it.

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
    return any(is_told(value, text) for text in texts)


def without_echo(items: tuple[Any, ...]) -> tuple[Any, ...]:
    """Examples, errors and ways of signing in without what their own fields say as well."""
    return tuple(map(_without_echo, items))


def says_all_of(was: Any, now: Any) -> bool:
    """Whether one record says all that the other said; an object may say it one level deeper.

    >>> says_all_of({"checksum": "a"}, {"integrity": {"checksum": "a"}}), says_all_of({"a": 1}, {"a": 2})
    (True, False)
    """
    if isinstance(was, dict) and isinstance(now, dict):
        objects = [now, *(value for value in now.values() if isinstance(value, dict))]
        return all(any(key in found and found[key] == value for found in objects) for key, value in was.items())
    if was == now or not (isinstance(was, msgspec.Struct) and type(was) is type(now)):
        return bool(was == now)
    values = zip(msgspec.structs.astuple(was), msgspec.structs.astuple(now), strict=True)
    return all(old is None or old is msgspec.UNSET or old == new for old, new in values)


def _without_echo(item: Any) -> Any:
    if not getattr(item, "extensions", None):
        return item
    values = [value for name, value in msgspec.structs.asdict(item).items() if name != "extensions"]
    rest = {key: value for key, value in item.extensions.items() if value not in values}
    return msgspec.structs.replace(item, extensions=rest or None)
