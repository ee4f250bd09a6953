"""Why a document breaks one of the canonical JSON Schemas: each fault in a sentence for people."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.schema.canonical import careful_validator
from toolglot.converter.text.pointers import as_list, as_mapping, pointer_below, pointer_of
from toolglot.converter.text.wording import suggestion, to_short_json
from toolglot.errors import escape_unseen


class Problem(msgspec.Struct, frozen=True):
    """One fault: its place, the keyword of the schema that found it, and a sentence for people.

    Attributes:
        word: the unknown word, if that is the fault.
        choices: the known words.
        mark: the quotation mark around such a word in messages.
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

        It is searched only when it is asked for. For 100,000 unknown keys that takes 10 s, and to remove or count them
        needs no hints.
        """
        return suggestion(self.word, self.choices, mark=self.mark) if self.choices else None

    @property
    def code(self) -> str:
        """`schema-` and the keyword in kebab case: `additionalProperties` is `schema-additional-properties`."""
        return "schema-" + re.sub("([A-Z])", r"-\1", self.keyword).lower()


def find_problems(data: Any, name: str) -> Iterator[Problem]:
    """Every fault that the schema called `name` finds in `data`, by the keys and indexes that lead to them.

    >>> [problem.message for problem in find_problems({"toolId": "a", "source": "mcp"}, "tool-descriptor/v1")]
    ['`safetyTier` is missing']
    """
    for error in sorted(careful_validator(name).iter_errors(data), key=lambda error: list(error.absolute_path)):
        yield from _explain_error(_most_specific(error))


def _most_specific(error: Any) -> Any:
    """The error itself; for a failed `oneOf` or `anyOf`, the error of the branch that the document is nearest to."""
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
                yield unknown_key(pointer, key, known_keys)
        return
    if keyword == "enum" and _is_about_a_key(error):
        yield unknown_key(pointer, value, expected)
        return
    if keyword == "required":
        key = next((key for key in expected if f"{key!r} is a required" in error.message), "a key")
        yield Problem(pointer, keyword, f"`{escape_unseen(key)}` is missing")
        return
    problem = Problem(pointer, keyword, _sentence(keyword, expected, value, error))
    if keyword == "enum":
        problem = replace(problem, word=str(value), choices=[*map(str, expected)], mark="'")
    yield problem


def _is_about_a_key(error: Any) -> bool:
    """Whether an error comes from the schema in `propertyNames`, which may be the name of a property, too."""
    path = list(error.absolute_schema_path)
    return path[-2:-1] == ["propertyNames"] and path[-3:-2] != ["properties"]


def unknown_key(pointer: str, key: str, keys: Sequence[str]) -> Problem:
    """The problem of a key that is not among `keys`, whichever keyword found it."""
    message = f"the format has no key `{escape_unseen(key)}`"
    return Problem(pointer_below(pointer, key), "additionalProperties", message, key, keys, "`")


_LONGEST_PATTERN = 60  # characters


def _sentence(keyword: str, expected: Any, value: Any, error: Any) -> str:
    found, schema = f"found {to_short_json(value)}", as_mapping(error.schema)
    if expected == 1 and keyword in _NONE_FOUND:
        return _NONE_FOUND[keyword]
    if keyword in ("maxItems", "not") and expected in (0, {}) and "description" in schema:
        return f"{schema['description']}, {found}"
    if keyword in _EXPECTED:
        return f"expected {_EXPECTED[keyword](expected, schema)}, {found}"
    if keyword in _COUNTS:
        return f"expected {_COUNTS[keyword].format(expected)}, found {len(value)}"
    if keyword == "uniqueItems":
        return "expected every item only once"
    sentence = f"{found}, which the rule `{keyword}` refuses"
    return f"{sentence}: {schema['description']}" if schema.get("description") else sentence


# What keywords ask for, in words: of a value, of its number of characters or items, and of what may not be empty.
_EXPECTED: dict[str, Callable[[Any, JsonSchema], str]] = {
    "type": lambda expected, schema: " or ".join(as_list(expected)) + _such_as(schema),
    "enum": lambda expected, schema: f"one of {', '.join(map(json.dumps, expected))}",
    "const": lambda expected, schema: json.dumps(expected),
    "pattern": lambda expected, schema: f"text{_such_as(schema)}{_that_matches(expected, schema)}",
    "minimum": lambda expected, schema: f"at least {expected}",
    "maximum": lambda expected, schema: f"at most {expected}",
}
_COUNTS = {
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
}
_NONE_FOUND = {
    "minLength": "expected some text, found none",
    "minItems": "expected at least one item, found none",
}


def _that_matches(pattern: str, schema: JsonSchema) -> str:
    """The words for the pattern of a schema. A long one beside an example is left out, because nobody reads it.

    >>> _that_matches("^[a-z]+$", {}), _that_matches("^[a-z]{1,9}" * 9, {"examples": ["notes"]})
    (' that matches ^[a-z]+$', '')
    """
    if len(pattern) > _LONGEST_PATTERN and _such_as(schema):
        return ""
    return f" that matches {pattern}"


def _such_as(schema: JsonSchema) -> str:
    """The words for the first example of a schema, so that nobody has to read its pattern."""
    examples = schema.get("examples")
    return f" such as {json.dumps(examples[0], ensure_ascii=False)}" if examples else ""
