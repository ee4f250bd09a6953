"""Dangers that a record states where its format has no place for them.

Documents put what they say about safety into places of their own: `toolMetadata`, `_meta`, `metadata`, `defaults`, a
level above or below the right one, `x-...`. Readers of the format pass over all of these, and the tool looks as if it
said nothing. So the words for danger are looked for in every key that nobody knows. Only what states a danger counts: a
stranger's promise that nothing happens is no more than silence.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from toolglot.formats.kit.field_tables import Row
from toolglot.formats.kit.words_for_danger import (
    ASKING_ALONE,
    COMMON,
    EFFECTS,
    LISTS_OF_EFFECTS,
    WordTable,
    answer_to,
    letters_of_key,
)
from toolglot.regexes import compile_later
from toolglot.safety import fields_of_warnings, is_unsafe
from toolglot.schema.keywords import ANNOTATIONS, ASSERTIONS, IN_PLACE, keyword_of, subschemas
from toolglot.text.pointers import escape, mapping_at, value_at, without_keys
from toolglot.text.short_text_cache import cache_short

_OF_VENDORS = "x-"  # the beginning of keys that say in the words of somebody else what no format has a key for
_PRIVATE = ("_", "$", "x-toolglot")  # beginnings of keys that say nothing: remarks, references, what we keep for us
OPEN = (_OF_VENDORS, *_PRIVATE)  # beginnings of keys that belong to somebody else
_NO_STATEMENTS = frozenset({
    # values that are sent, and what they may be; headers of requests are called `X-...`
    "properties", "examples", "example", "default", "enum", "const", "schema", "headers", "input",
    # what is said to a model: it is about one tool or the other, and explains what a warning means
    "instructions", "system", "prompt", "messages", "contents",
})  # fmt: skip
_NAMED_ALONE = frozenset({"destructive", "reversible", "idempotent"})  # of such fields a word is a danger by itself
_NAMES_THINGS = frozenset({"name", "title", "label", "id", "key", "description", "summary"})
_LONGEST_WORD = 32  # characters, with signs around it
_DEEPEST = 6  # mappings and lists inside one another


def is_private(key: str) -> bool:
    """Whether nobody states anything under a key but for himself.

    >>> is_private("_note"), is_private("x-destructive")
    (True, False)
    """
    return key.startswith(_PRIVATE)


def is_of_vendor(key: str) -> bool:
    return key[:2].lower() == _OF_VENDORS


class Danger(msgspec.Struct, frozen=True):
    """One that was found: where, the row of its word, and what is said."""

    place: str
    row: Row
    value: Any


def dangers_elsewhere(key: str, value: Any, words: WordTable, place: str) -> Iterator[Danger]:
    """The dangers that words state in and below a key that nobody knows.

    >>> stated = [{"destructive": {"value": True}}, "dangerous", {"approval": {"when": "x"}}]
    >>> [(danger.place, danger.value) for danger in dangers_elsewhere("a", stated, COMMON, "/a")]
    [('/a/0/destructive', True), ('/a/1', True), ('/a/2/approval', {'when': 'x'})]
    """
    if not _is_of_calls(key, value):
        yield from _find_words(key, value, words, place, _DEEPEST)


# Keys of a property that say something about its values: most are looked up for nothing otherwise, and some are spelled
# like words for danger.
_OF_VALUES = frozenset({
    "type", "description", "title", "default", "enum", "items", "properties", "required", "format", "minimum",
    "maximum", "anyOf", "oneOf", "allOf", "$ref", "pattern", "minLength", "maxLength", "minItems", "maxItems", "const",
    "examples", "additionalProperties", "nullable", "deprecated", "readOnly", "writeOnly", "category", "group",
})  # fmt: skip
_OF_PLAIN_VALUES = _OF_VALUES - IN_PLACE - {"$ref"}


def dangers_of_values(schema: Mapping[str, Any] | None) -> Iterator[Danger]:
    """The dangers that a schema of arguments states, itself or of its properties: of what a call does with such values.

    Only their own keys count, wherever the schema keeps them, and the text of the whole, which often is the text of the
    tool. What stands deeper is about values, of which nobody knows what they do.

    >>> force = {"type": "boolean", "readOnly": False, "dangerous": True, "items": {"dangerous": True}}
    >>> [(danger.place, danger.value) for danger in dangers_of_values({"properties": {"force": force}})]
    [('/properties/force/dangerous', True)]
    >>> schema = {"anyOf": [{"properties": {"f": {"$ref": "#/$defs/f"}}}], "$defs": {"f": {"dangerous": True}}}
    >>> [danger.place for danger in dangers_of_values(schema)]
    ['/$defs/f/dangerous']
    """
    if schema is None:
        return
    seen_values: set[int] = set()
    for place, part in _parts_of(schema, "", schema, set()):
        yield from _dangers_of_schema(part, place)
        yield from warnings_in_text(part.get("description"), f"{place}/description")
        for name, inner in mapping_at(part, "properties").items():
            if isinstance(inner, dict) and inner.keys() <= _OF_PLAIN_VALUES:  # as most are
                continue
            for inner_place, inner_part in _parts_of(inner, f"{place}/properties/{escape(name)}", schema, seen_values):
                yield from _dangers_of_schema(inner_part, inner_place)


_KEYWORDS = ANNOTATIONS | ASSERTIONS | {"definitions", "dependencies"}


def _dangers_of_schema(part: dict[str, Any], place: str) -> Iterator[Danger]:
    """The dangers in the keys of one schema, and below those that are no keywords."""
    yield from dangers_in_keys(part, COMMON, place)
    for key, value in part.items():
        if isinstance(value, dict | list) and key not in _KEYWORDS and not key.startswith(OPEN):
            yield from dangers_elsewhere(key, value, COMMON, f"{place}/{escape(key)}")


def _parts_of(schema: Any, place: str, root: Mapping[str, Any], seen: set[int]) -> Iterator[tuple[str, dict[str, Any]]]:
    """A schema, and all that say more of the same values, each with its place: branches, and what it refers to."""
    waiting = [(place, schema)]
    while waiting:
        here, part = waiting.pop()
        if not isinstance(part, dict) or id(part) in seen:
            continue
        seen.add(id(part))
        yield here, part
        if not IN_PLACE.isdisjoint(part):
            waiting += [(here + token, inner) for token, inner in subschemas(part) if keyword_of(token) in IN_PLACE]
        reference = part.get("$ref")
        if isinstance(reference, str) and reference.startswith("#"):
            pointer = _decode(reference[1:])
            waiting.append((pointer, value_at(root, pointer)))


def _decode(fragment: str) -> str:
    """The fragment of a URI without its percent signs.

    >>> _decode("/$defs/a%20b")
    '/$defs/a b'
    """
    if "%" not in fragment:
        return fragment
    from urllib.parse import unquote  # 2 ms that hardly a document needs

    return unquote(fragment)


def dangers_in_keys(part: Mapping[str, Any], words: WordTable, place: str) -> Iterator[Danger]:
    """The dangers in an object that says much else: in keys that are words, and in and below those of vendors."""
    for key, value in part.items():
        if key in _OF_VALUES or is_private(key):
            continue
        if is_of_vendor(key):
            yield from dangers_elsewhere(key, value, words, f"{place}/{escape(key)}")
        elif not isinstance(value, dict | list):
            row = _entry_of(key, words)
            if isinstance(row, Row) and _states_danger(row, value):
                yield Danger(f"{place}/{escape(key)}", row, value)


def _word_of(key: str) -> str:
    """The letters of a key, which is the same word with the mark of a vendor before it."""
    return letters_of_key(_without_mark(key))


_LONGEST_KEY = 80  # characters
_BEHIND_OWNER = compile_later(r"[/.:]")  # `com.acme/destructive`
_AROUND = compile_later(r"\A(?:is|maybe|canbe|potentially|possibly)|(?:hint|operation|action|command|tool|when|if)\Z")


def _entry_of(key: str, words: WordTable) -> Any:
    """What a key says in a table of words."""
    for letters in _spellings_of(key):
        if letters in words:
            return words[letters]
    return None


@cache_short(4096)  # documents use the same few keys
def _spellings_of(key: str) -> tuple[str, ...]:
    """The letters of a key, of its end behind the name of its owner, and of both without what says no more.

    >>> _spellings_of("x-acme-isDestructive"), _spellings_of("a.b/Risk")
    (('acmeisdestructive', 'isdestructive', 'destructive'), ('abrisk', 'risk'))
    """
    if len(key) > _LONGEST_KEY:
        return ()
    own = _without_mark(key)
    ends = [own, _BEHIND_OWNER.split(own)[-1]]
    if own != key:
        ends.append(own.partition("-")[2])
    spellings = [letters_of_key(end) for end in ends]
    return tuple(dict.fromkeys([*spellings, *[_AROUND.sub("", letters) for letters in spellings]]))


def _without_mark(key: str) -> str:
    return key[len(_OF_VENDORS) :] if is_of_vendor(key) else key


def _find_words(key: str, value: Any, words: WordTable, place: str, depth: int) -> Iterator[Danger]:
    entry = _entry_of(key, words)
    if isinstance(value, dict) and "value" in value:  # `{"value": true, "description": "..."}`
        if depth:
            yield from _find_below(without_keys(value, "value"), words, place, depth)
        value = value["value"]
    if isinstance(entry, Mapping):
        words = {**words, **entry}
    elif words and not LISTS_OF_EFFECTS.isdisjoint(_spellings_of(key)):
        words = {**words, **EFFECTS}
    dangers = _dangerous_answers(entry, value) if isinstance(entry, Row) else []
    if dangers:  # more of them would say the same
        yield Danger(place, entry, dangers[0])
    elif isinstance(value, str):
        yield from _dangers_in_text(key, value, words, place)
    if depth:
        yield from _find_below(value, words, place, depth)


def _dangerous_answers(row: Row, value: Any) -> list[Any]:
    """What is said under a word that states a danger, or nobody can read."""
    answers = _answers_in(value)
    if not answers and _is_condition(value):
        answers = [value]
    return [answer for answer in answers if _states_danger(row, answer)]


def denies_danger(key: str, value: Any, words: WordTable) -> bool:
    """Whether a key is a word for danger, and says that there is none.

    >>> [denies_danger("destructive", value, COMMON) for value in (False, "no", True, "perhaps", {})]
    [True, True, False, False, False]
    >>> denies_danger("network", ["a.example"], COMMON), denies_danger("safety_tier", "read", COMMON)
    (False, True)
    """
    entry = _entry_of(key, words)
    if not isinstance(entry, Row):
        return False
    answers = _answers_in(value)
    return bool(answers) and all(_denies(entry, answer) for answer in answers)


def _denies(row: Row, answer: Any) -> bool:
    is_answer = row.accepts(answer) or isinstance(_answer_spoken(row, answer), bool)
    return is_answer and not _states_danger(row, answer)


def _find_below(value: Any, words: WordTable, place: str, depth: int) -> Iterator[Danger]:
    for token, name, item in _members(value):
        yield from _find_words(name, item, words, f"{place}/{escape(token)}", depth - 1)


_OF_ARGUMENTS = frozenset({"name", "type", "required", "description", "desc", "help", "default", "enum"})


def _is_condition(value: Any) -> bool:
    """Whether a mapping says when a word holds, which nobody can read, and describes no argument of such a name.

    >>> _is_condition({"when": "the amount is high"}), _is_condition({"description": "Whether to ask."})
    (True, False)
    """
    return isinstance(value, dict) and bool(value) and _OF_ARGUMENTS.isdisjoint(value)


_BOXES = ("required", "enabled", "mode", "level", "policy", "type")  # keys under which a word in a mapping is answered


def _answers_in(value: Any) -> list[Any]:
    """What a word is said to be, also in a mapping; nothing where that describes an argument of such a name.

    >>> _answers_in(True), _answers_in({"mode": "always"}), _answers_in({"type": "string", "required": True})
    ([True], ['always'], [])
    >>> _answers_in({"never": {"tool_names": ["ls"]}}), _answers_in({"type": "always"})
    ([True], ['always'])
    """
    if isinstance(value, list):
        return [value, *value] if value else []
    if not isinstance(value, dict):
        return [value]
    if "name" in value or ("type" in value and answer_to(value["type"]) is None):
        return []
    boxed_values = [value[box] for box in _BOXES if box in value]
    answers = [item for item in boxed_values if not isinstance(item, dict | list)]
    if value.get("always") or isinstance(value.get("never"), dict | list):  # and so it is for all that nothing names
        answers.append(True)
    elif value.get("never"):
        answers.append(False)
    return answers


def _dangers_in_text(key: str, text: str, words: WordTable, place: str) -> Iterator[Danger]:
    """The dangers of a text that is the word for one, and those of which a text warns anywhere in it."""
    row = _named_danger(text, words)
    if row is not None and _word_of(key) not in _NAMES_THINGS:
        yield Danger(place, row, True)
    elif words:
        yield from warnings_in_text(text, place)


def warnings_in_text(text: Any, place: str) -> Iterator[Danger]:
    """The dangers of which a text warns, if it is one."""
    if not isinstance(text, str):
        return
    for field in sorted(fields_of_warnings(text)):
        yield Danger(place, Row(field, lambda value: False), text)


def _is_of_calls(key: str, value: Any) -> bool:
    """Whether a key holds what is sent in calls, or may be, or names such values."""
    if key == "required":
        return isinstance(value, list)
    return _without_mark(key) in _NO_STATEMENTS


def _named_danger(text: str, words: WordTable) -> Row | None:
    """The row of a word that says a danger by itself, as in `safety: [destructive]`.

    >>> _named_danger("⚠️ DESTRUCTIVE", COMMON).field, _named_danger("reversible", COMMON)
    ('destructive', None)
    """
    if len(text) > _LONGEST_WORD:
        return None
    letters = letters_of_key(text.rpartition(":")[2])  # `fs:delete`
    row = words.get(letters)
    if not isinstance(row, Row):
        return None
    is_name = row.field in _NAMED_ALONE or letters in ASKING_ALONE or row is EFFECTS.get(letters)
    return row if is_name and _states_danger(row, True) else None


_SPOKEN: dict[str, bool | None] = {
    **dict.fromkeys(("true", "yes", "on", "y"), True),
    **dict.fromkeys(("false", "no", "off", "n", "none", "nothing", "never", "notrequired"), False),
    **dict.fromkeys(("na", "unknown"), None),
}


def _states_danger(row: Row, value: Any) -> bool:
    """Whether a value says that the danger is there, or says something about it that nobody can read.

    >>> [_states_danger(COMMON["reversible"], answer) for answer in (True, "No", 0, "Yes" + 29 * "!", "unknown", "git")]
    [False, True, True, False, False, True]
    """
    if not row.accepts(value):
        value = _answer_spoken(row, value)
    if row.accepts(value):
        return is_unsafe(row.field, row.load(value))
    return value is not False and not row.is_silent(value)


def _answer_spoken(row: Row, value: Any) -> Any:
    """What a value says that stands for yes, no or nothing; a 1 is the first of many where no answer is no."""
    if value == "":
        return None
    if isinstance(value, str) and len(value) <= _LONGEST_WORD:
        return _SPOKEN.get(letters_of_key(value), value)
    if value == 0 or (value == 1 and row.accepts(False)):
        return bool(value)
    return value


def _members(value: Any) -> Iterator[tuple[str, str, Any]]:
    """What a mapping or a list holds: where, under which word, and what; a list may hold words with their values."""
    if isinstance(value, dict):
        for key, item in value.items():
            if not (is_private(key) or _is_of_calls(key, item)):
                yield key, key, item
    elif isinstance(value, list):
        for index, item in enumerate(value):
            is_named = isinstance(item, dict) and isinstance(item.get("name"), str)
            yield str(index), item["name"] if is_named else "", item
