"""The canonical JSON Schemas: where they are, whether a document obeys one, and if not, why.

Verdicts come from `jsonschema-rs`, because it is 150 times faster, or for the first documents of a process from
`early_verdicts`, which needs no import; the explanation of a refusal comes from `jsonschema`, imported only then.
Tests hold the three to the same verdict. No `$ref` is ever fetched: what is not in `schemas/` does not resolve.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from toolglot.errors import UsageError, escape_unseen
from toolglot.schema.early_verdicts import Early
from toolglot.text.pointers import escape, pointer_of
from toolglot.text.suggestions import suggestion

READING = "reading"  # the least that a reader needs; the versioned schemas say what is valid


class Problem(NamedTuple):  # a struct would have the help of `convert` wait for msgspec
    """One fault: where, which keyword of the schema found it, and a sentence for people.

    Attributes:
        word: a word that is none of those that are known, if that is the fault.
        choices: those that are.
        mark: what stands around such a word in messages.
    """

    pointer: str
    keyword: str
    message: str
    word: str = ""
    choices: Sequence[str] = ()
    mark: str = ""

    @property
    def hint(self) -> str | None:
        """The known word that was probably meant.

        It is looked for when it is asked for: for each of 100,000 unknown keys it would take 10 s, which whoever
        removes them, or tells how many they are, need not wait for.
        """
        return suggestion(self.word, self.choices, mark=self.mark) if self.choices else None

    @property
    def code(self) -> str:
        """`schema-` and the keyword in kebab case: `additionalProperties` is `schema-additional-properties`."""
        return "schema-" + re.sub("([A-Z])", r"-\1", self.keyword).lower()


@cache
def folder() -> str:
    """Where the schemas are: inside an installed package, or beside the sources in a checkout."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    folder_of_package = os.path.join(package, "_schemas")
    if os.path.isdir(folder_of_package):
        return folder_of_package
    return os.path.join(package, "..", "..", "schemas")


def names(family: str = "*") -> list[str]:
    """The names of all schemas, such as `atdf/0.2`, or of those of one format.

    >>> "report/1" in names()
    True
    """
    families = [*os.listdir(folder()), *_ADDED] if family == "*" else [family]
    files = [(name, file) for name in families for file in _files(_folder_of(name))]
    return sorted(f"{name}/{file[: -len(_SUFFIX)]}" for name, file in files if file.endswith(_SUFFIX))


_SUFFIX = ".schema.json"
# In front of `$id`s, which have no host: where the schemas are published is not ours to say.
_NOWHERE = "json-schema://"
_ADDED: dict[str, str] = {}


def add_folder(family: str, path: str) -> None:
    """Take the schemas of a format from a folder of the distribution that brings the format."""
    _ADDED[family] = path


def _folder_of(family: str) -> str:
    return _ADDED.get(family) or os.path.join(folder(), family)


def _files(path: str) -> list[str]:
    return os.listdir(path) if os.path.isdir(path) else []


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


_EARLY = Early(load)


@cache
def _validator(name: str) -> Any:
    import jsonschema_rs  # 11 ms that `--help` must not pay

    return jsonschema_rs.Draft202012Validator(load(name), retriever=_retrieve, base_uri=_NOWHERE)


def _retrieve(uri: str) -> Any:
    """A schema of ours that another refers to, read when it is asked for; by itself the library would fetch it."""
    family, _, file = uri.rpartition("/")
    name = f"{family.rpartition('/')[2]}/{file.removesuffix('.schema.json')}"
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
        return not any(True for _ in problems(data, name))


@cache
def _explainer(name: str) -> Any:
    from jsonschema import Draft202012Validator  # 56 ms that only a refusal pays
    from jsonschema_specifications import REGISTRY
    from referencing import Resource

    family = name.partition("/")[0]
    own = [load(other) for other in names(family)]
    registry: Any = REGISTRY.with_resources([(schema["$id"], Resource.from_contents(schema)) for schema in own])
    return Draft202012Validator(load(name), registry=registry)


def problems(data: Any, name: str) -> Iterator[Problem]:
    """Every fault that the schema called `name` finds in `data`, in document order.

    >>> [problem.message for problem in problems({"toolId": "a", "source": "mcp"}, "tool-descriptor/v1")]
    ['`safetyTier` is missing']
    """
    errors = sorted(_explainer(name).iter_errors(data), key=lambda error: [str(part) for part in error.absolute_path])
    for error in errors:
        yield from _explain_error(_most_specific(error))


def _most_specific(error: Any) -> Any:
    """Inside a failed `oneOf` or `anyOf`, the error of the branch that the document was nearest to."""
    while error.context and error.validator in ("oneOf", "anyOf"):
        error = max(error.context, key=lambda inner: len(inner.absolute_path))
    return error


def _explain_error(error: Any) -> Iterator[Problem]:
    pointer = pointer_of(error.absolute_path)
    value, keyword, expected = error.instance, error.validator, error.validator_value
    if keyword == "additionalProperties" and expected is False:
        properties, patterns = error.schema.get("properties", {}), error.schema.get("patternProperties", {})
        known_keys = list(properties)
        for key in value:
            if key not in properties and not any(re.search(pattern, key) for pattern in patterns):
                yield _unknown_key(pointer, key, known_keys)
        return
    if keyword == "enum" and _is_about_a_key(error):
        yield _unknown_key(pointer, value, expected)
        return
    if keyword == "required":
        key = next((key for key in expected if f"{key!r} is a required" in error.message), "a key")
        yield Problem(pointer, keyword, f"`{escape_unseen(key)}` is missing")
        return
    problem = Problem(pointer, keyword, _sentence(keyword, expected, value, error))
    if keyword == "enum":
        problem = problem._replace(word=str(value), choices=[*map(str, expected)], mark="'")
    yield problem


def _is_about_a_key(error: Any) -> bool:
    """Whether an error is of the schema that `propertyNames` holds; a property may be called so, too."""
    path = list(error.absolute_schema_path)
    return path[-2:-1] == ["propertyNames"] and path[-3:-2] != ["properties"]


def _unknown_key(pointer: str, key: str, keys: Sequence[str]) -> Problem:
    """The problem of a key that is none of `keys`, whichever keyword says so."""
    message = f"`{escape_unseen(key)}` is not a known key"
    return Problem(f"{pointer}/{escape(str(key))}", "additionalProperties", message, key, keys, "`")


_LONGEST_PATTERN = 60  # characters


def _sentence(keyword: str, expected: Any, value: Any, error: Any) -> str:
    ending = f"found {to_short_json(value)}"
    match keyword:
        case "type":
            kinds = expected if isinstance(expected, str) else " or ".join(expected)
            return f"expected {kinds}{_such_as(error.schema)}, {ending}"
        case "enum":
            return f"expected one of {', '.join(map(json.dumps, expected))}, {ending}"
        case "const":
            return f"expected {json.dumps(expected)}, {ending}"
        case "pattern":
            return f"expected text{_such_as(error.schema)}{_that_matches(expected, error.schema)}, {ending}"
        case "minLength" if expected == 1:
            return "expected some text, found none"
        case "minItems" if expected == 1:
            return "expected at least one item, found none"
        case "maxItems" if expected == 0 and "description" in error.schema:
            return f"{error.schema['description']}, {ending}"
        case "minLength":
            return f"expected at least {expected} characters, found {len(value)}"
        case "maxLength":
            return f"expected at most {expected} characters, found {len(value)}"
        case "minimum":
            return f"expected at least {expected}, {ending}"
        case "maximum":
            return f"expected at most {expected}, {ending}"
        case "minItems":
            return f"expected at least {expected} items, found {len(value)}"
        case "maxItems":
            return f"expected at most {expected} items, found {len(value)}"
        case "uniqueItems":
            return "expected every item only once"
        case _:
            sentence = f"{ending}, which the rule `{keyword}` refuses"
            description = None
            if isinstance(error.schema, dict):
                description = error.schema.get("description")
            return f"{sentence}: {description}" if description else sentence


def _that_matches(pattern: str, schema: Any) -> str:
    """The pattern of a schema; not a long one beside an example, because nobody reads it.

    >>> _that_matches("^[a-z]+$", {}), _that_matches("^[a-z]{1,9}" * 9, {"examples": ["notes"]})
    (' that matches ^[a-z]+$', '')
    """
    if len(pattern) > _LONGEST_PATTERN and _such_as(schema):
        return ""
    return f" that matches {pattern}"


def _such_as(schema: Any) -> str:
    """The first example of a schema, so that nobody has to read its pattern."""
    examples = schema.get("examples") if isinstance(schema, dict) else None
    return f" such as {json.dumps(examples[0], ensure_ascii=False)}" if examples else ""


SHORT_JSON = 80
"""The most characters of a value in a message."""

_WHOLE_JSON = 20_000
"""The most characters of a value that is shown as a whole: no tool that works says more, and a log has an end."""


def to_short_json(value: Any) -> str:
    """A value as short JSON for a message; control characters escaped, long values cut.

    >>> to_short_json("\\x1b[31mred")
    '"\\\\u001b[31mred"'
    """
    text = escape_unseen(json.dumps(value, ensure_ascii=False, default=str))
    return text if len(text) <= SHORT_JSON else text[: SHORT_JSON - 3] + "..."


def to_whole_json(value: Any) -> str:
    """A value as JSON in one line for a message that somebody has to read to its end, as a model does.

    >>> to_whole_json("a" * 20_005)[19_991:]
    'aaaaaaaaa... and 7 more characters'
    """
    text = escape_unseen(json.dumps(value, ensure_ascii=False, default=str))
    more = len(text) - _WHOLE_JSON
    if more <= 0:
        return text
    return f"{text[:_WHOLE_JSON]}... and {more:,} more characters"
