"""The canonical JSON Schemas: where they are, and whether a document obeys one; `document_problems` says why not.

Verdicts come from `jsonschema-rs`, which is 150 times faster than `jsonschema`. For the first documents of a process
they come from `Early`, which needs no import. `jsonschema` is imported only to explain a refusal. Tests hold the three
to the same verdict. No `$ref` is ever fetched: a reference to anything but `schemas/` does not resolve.
"""

from __future__ import annotations

import json
import operator
import os
import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple, TypeAlias

import toolglot
from toolglot.converter.schema.json_values import are_equal, has_type, unique
from toolglot.converter.text.pointers import as_list, value_at
from toolglot.converter.text.wording import suggestion
from toolglot.errors import UsageError

READING = "reading"  # the least that a reader needs; the versioned schemas say what is valid
_SUFFIX = ".schema.json"
# In front of `$id`s, which have no host: where the schemas are published is not ours to say.
_NOWHERE = "json-schema://"
_ADDED: dict[str, str] = {}  # the folders of other distributions, by the formats that they bring


def _folder() -> str:
    """Where the schemas are: inside an installed package, or beside the sources in a checkout."""
    package = os.path.dirname(os.path.abspath(toolglot.__file__))
    folder_of_package = os.path.join(package, "_schemas")
    if os.path.isdir(folder_of_package):
        return folder_of_package
    return os.path.join(package, "..", "..", "schemas")


def names(family: str = "*") -> list[str]:
    """The names of all schemas, such as `atdf/0.2`, or of the schemas of one format.

    >>> "report/1" in names()
    True
    """
    families = [*os.listdir(_folder()), *_ADDED] if family == "*" else [family]
    found: list[str] = []
    for name in families:
        folder = _folder_of(name)
        if os.path.isdir(folder):
            files = [file for file in os.listdir(folder) if file.endswith(_SUFFIX)]
            found += [f"{name}/{file.removesuffix(_SUFFIX)}" for file in files]
    return sorted(found)


def add_folder(family: str, path: str) -> None:
    """Add a folder with the schemas of a format that another distribution brings."""
    _ADDED[family] = path


def _folder_of(family: str) -> str:
    return _ADDED.get(family) or os.path.join(_folder(), family)


@cache
def load(name: str) -> Any:
    """The schema called `name`.

    Raises:
        UsageError: there is none.
    """
    family, _, version = name.partition("/")
    path = os.path.join(_folder_of(family), version) + _SUFFIX
    if ".." in name or not os.path.isfile(path):
        hint = suggestion(name, names(), f"the schemas are {', '.join(names())}")
        raise UsageError(f"there is no schema {name!r}", code="unknown-schema", hint=hint)
    with open(path, "rb") as file:
        return json.load(file)


@cache
def _validator(name: str) -> Any:
    import jsonschema_rs  # 11 ms that `--help` must not pay

    return jsonschema_rs.Draft202012Validator(load(name), retriever=_retrieve, base_uri=_NOWHERE)


def _retrieve(uri: str) -> Any:
    """The schema for a reference between our schemas, read from its file. Otherwise the library would fetch it."""
    family, _, file = uri.rpartition("/")
    name = f"{family.rpartition('/')[2]}/{file.removesuffix(_SUFFIX)}"
    try:
        schema = load(name)
    except UsageError:
        schema = {}
    if uri not in (schema.get("$id"), _NOWHERE + schema.get("$id", "")):
        raise ValueError(f"{uri} is not fetched")
    return schema


def is_valid(data: Any, name: str) -> bool:
    """Whether `data` obeys the schema called `name`.

    >>> is_valid({"toolId": "a", "source": "mcp", "safetyTier": "read"}, "tool-descriptor/v1")
    True
    """
    verdict = _EARLY.obeys(data, name)
    if verdict is not None:
        return verdict
    _EARLY.left = 0  # the library is needed from here on, and then it is the faster way
    try:
        return bool(_validator(name).is_valid(data))
    except ValueError:  # deeper than the validator walks, or a number that it cannot hold
        return bool(careful_validator(name).is_valid(data))


@cache
def careful_validator(name: str) -> Any:
    """The validator of `jsonschema` for a schema: it is slow, takes any document, and says every fault."""
    from jsonschema import Draft202012Validator  # 56 ms that only a refusal pays
    from jsonschema_specifications import REGISTRY
    from referencing import Resource

    family = name.partition("/")[0]
    own = [load(other) for other in names(family)]
    registry: Any = REGISTRY.with_resources([(schema["$id"], Resource.from_contents(schema)) for schema in own])
    return Draft202012Validator(load(name), registry=registry)


# -- early verdicts ---------------------------------------------------------------------------------------------

_STEPS = 2000  # schemas applied to values, 2 us each: thirty small documents


class _Undecided(Exception):
    """Raised where only the library can give the verdict."""


class Early:
    """Verdicts without a library, for the first few documents of a process: until they have cost `steps`.

    Importing `jsonschema-rs` and building its validators takes 8 % of a run that converts one TOOL.md to ATIP (217 ms
    instead of 200, median of 80 runs of an installed package in turns), and nothing of one that converts thousands. So
    the first verdicts are found here, until they have cost about as much.

    It knows the keywords of the schemas in `schemas/` only: `_KEYWORDS` has all of them, and a test reads every schema.
    An unknown keyword, and data that are too deep or too long, give no verdict, so that the library is asked.

    Args:
        load: name such as `atdf/0.2` -> schema.

    >>> early = Early(lambda name: {"type": "object", "required": ["a"]}, steps=2)
    >>> early.obeys({"a": 1}, "x/1"), early.obeys({}, "x/1"), early.obeys({}, "x/1")
    (True, False, None)
    """

    def __init__(self, load: Callable[[str], Any], steps: int = _STEPS) -> None:
        self.load = load
        self.left = steps
        self.target_of = cache(self._find_target)  # one document leads through most of them many times

    def obeys(self, data: Any, name: str) -> bool | None:
        """Whether `data` obeys the schema called `name`; `None` where only the library can say."""
        if not self.left:
            return None
        try:
            return _Judge(self, name).holds(data, self.load(name))
        except (_Undecided, RecursionError):
            return None

    def _find_target(self, reference: str, name: str) -> tuple[Any, str] | None:
        """The target of a reference in the schema called `name`, and the name of the schema that has the target.

        A reference is `#/$defs/a`, or the same after the name of a file in the same folder. Any other gives `None`:
        only the library knows it.

        >>> target_of("io.schema.json#/$defs/inputs", "aip14/v1")[1]
        'aip14/io'
        """
        file, _, pointer = reference.partition("#")
        if "/" in file or "~" in pointer or "%" in pointer:
            return None
        owner = name
        if file:
            owner = f"{name.partition('/')[0]}/{file.removesuffix(_SUFFIX)}"
        return value_at(self.load(owner), pointer), owner


class _Judge(NamedTuple):
    """Validates values by parts of the schema called `name`."""

    early: Early
    name: str

    def holds(self, value: Any, schema: Any) -> bool:
        """Whether a value obeys a part of the schema."""
        if schema is True or schema is False:
            return bool(schema)
        early, kind = self.early, type(value)
        if not early.left:
            raise _Undecided
        early.left -= 1
        for keyword, expected in schema.items():
            kinds, check = _KEYWORDS.get(keyword, _UNKNOWN)
            if (kinds is None or kind in kinds) and not check(self, value, expected, schema):
                return False
        return True

    def follows(self, value: Any, reference: str) -> bool:
        """Whether a value obeys the target of a reference."""
        early, name = self
        found = early.target_of(reference, name)
        if found is None:
            raise _Undecided
        target, owner = found
        judge = self if owner == name else _Judge(early, owner)
        return judge.holds(value, target)

    def holds_others(self, value: Any, expected: Any, schema: dict[str, Any]) -> bool:
        """Whether the values under keys that a schema neither names nor matches by a pattern obey `expected`."""
        properties = schema.get("properties", {})
        patterns = [_pattern(text) for text in schema.get("patternProperties", {})]
        return all(
            key in properties or any(is_match(key) for is_match in patterns) or self.holds(item, expected)
            for key, item in value.items()
        )

    def holds_matching(self, value: Any, text: str, expected: Any) -> bool:
        """Whether the values under keys that a pattern matches obey `expected`."""
        is_match = _pattern(text)
        return all(self.holds(item, expected) for key, item in value.items() if is_match(key))


_Check: TypeAlias = Callable[[_Judge, Any, Any, dict[str, Any]], bool]


def _give_up(judge: _Judge, value: Any, expected: Any, schema: dict[str, Any]) -> bool:
    raise _Undecided


def _pattern(text: str) -> Callable[[str], Any]:
    """A pattern of ECMA-262 in Python. `$` is the very end there; all other signs of our patterns mean the same."""
    if text.endswith("$"):
        text = text[:-1] + r"\Z"
    return re.compile(text).search


def _bound(measure: Callable[[Any], Any], within: Callable[[Any, Any], bool]) -> _Check:
    """The check of a keyword that compares a measure of the value with a limit."""
    return lambda judge, value, expected, schema: within(measure(value), expected)


_AT_LEAST, _AT_MOST = _bound(len, operator.ge), _bound(len, operator.le)


def _itself(value: Any) -> Any:
    if value != value:
        raise _Undecided
    return value


_Kinds: TypeAlias = frozenset[type] | None  # of values that a keyword is about; `None`: of any

# Each keyword, below the kinds of values that it is about: what stands below none refuses no value.
_CHECKS: Mapping[_Kinds, Mapping[str, _Check]] = {
    frozenset(): dict.fromkeys(
        (
            "$schema", "$id", "$defs", "$comment", "title", "description", "default", "examples", "format",
            "then", "else",  # with `if`
        ),
        _give_up,
    ),
    None: {
        "if": lambda judge, value, expected, schema: judge.holds(
            value, schema.get("then" if judge.holds(value, expected) else "else", True)
        ),
        "$ref": lambda judge, value, reference, schema: judge.follows(value, reference),
        "type": lambda judge, value, expected, schema: has_type(value, as_list(expected)),
        "const": lambda judge, value, expected, schema: are_equal(value, expected),
        "enum": lambda judge, value, expected, schema: any(are_equal(value, word) for word in expected),
        "not": lambda judge, value, inner, schema: not judge.holds(value, inner),
        "allOf": lambda judge, value, expected, schema: all(judge.holds(value, inner) for inner in expected),
        "anyOf": lambda judge, value, expected, schema: any(judge.holds(value, inner) for inner in expected),
        "oneOf": lambda judge, value, expected, schema: sum(judge.holds(value, inner) for inner in expected) == 1,
    },
    frozenset({str}): {
        "pattern": lambda judge, value, text, schema: bool(_pattern(text)(value)),
        "minLength": _AT_LEAST,
        "maxLength": _AT_MOST,
    },
    frozenset({int, float}): {
        "minimum": _bound(_itself, operator.ge),
        "maximum": _bound(_itself, operator.le),
    },
    frozenset({list, tuple}): {
        "items": lambda judge, value, expected, schema: all(judge.holds(item, expected) for item in value),
        "minItems": _AT_LEAST,
        "maxItems": _AT_MOST,
        "uniqueItems": lambda judge, value, expected, schema: not expected or len(unique(value)) == len(value),
    },
    frozenset({dict}): {
        "minProperties": _AT_LEAST,
        "maxProperties": _AT_MOST,
        "required": lambda judge, value, expected, schema: value.keys() >= set(expected),
        "propertyNames": lambda judge, value, expected, schema: all(judge.holds(key, expected) for key in value),
        "properties": lambda judge, value, expected, schema: all(
            judge.holds(value[key], inner) for key, inner in expected.items() if key in value
        ),
        "patternProperties": lambda judge, value, expected, schema: all(
            judge.holds_matching(value, text, inner) for text, inner in expected.items()
        ),
        "additionalProperties": _Judge.holds_others,
    },
}  # fmt: skip
_KEYWORDS = {keyword: (kinds, check) for kinds, checks in _CHECKS.items() for keyword, check in checks.items()}
_UNKNOWN: tuple[_Kinds, _Check] = None, _give_up


_EARLY = Early(load)


target_of = _EARLY.target_of
