"""The canonical JSON Schemas: where they are, whether a document obeys one, and if not, why.

Verdicts come from `jsonschema-rs`, because it is 150 times faster; the explanation of a refusal comes from
`jsonschema`, imported only then. A test holds the two to the same verdict. No `$ref` is ever fetched: what is not
in `schemas/` does not resolve.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from toolglot.errors import UsageError, escape, escaped

READING = "reading"  # the least that a reader needs; the versioned schemas say what is valid


class Problem(NamedTuple):
    """One fault: where, which keyword of the schema found it, and a sentence for people."""

    pointer: str
    keyword: str
    message: str
    hint: str | None = None

    @property
    def code(self) -> str:
        """`schema-` and the keyword in kebab case: `additionalProperties` is `schema-additional-properties`."""
        return "schema-" + re.sub("([A-Z])", r"-\1", self.keyword).lower()


def folder() -> Path:
    """Where the schemas are: inside an installed package, or beside the sources in a checkout."""
    packaged = Path(__file__).parent / "_schemas"
    return packaged if packaged.is_dir() else Path(__file__).parents[2] / "schemas"


def names(family: str = "*") -> list[str]:
    """The names of all schemas, such as `atdf/0.2`, or of those of one format.

    >>> "report/1" in names()
    True
    """
    suffix = ".schema.json"
    found = folder().glob(f"{family}/*{suffix}")
    return sorted(path.relative_to(folder()).as_posix()[: -len(suffix)] for path in found)


@cache
def load(name: str) -> Any:
    """The schema called `name`.

    Raises:
        UsageError: there is none.
    """
    path = folder() / f"{name}.schema.json"
    if ".." in name or not path.is_file():
        near = get_close_matches(name, names(), 1)
        hint = f'did you mean "{near[0]}"?' if near else f"the schemas are {', '.join(names())}"
        raise UsageError(f"there is no schema {name!r}", code="unknown-schema", hint=hint)
    return json.loads(path.read_bytes())


@cache
def _validator(name: str) -> Any:
    import jsonschema_rs  # 11 ms that `--help` must not pay

    family = name.partition("/")[0]
    resources = [(load(other)["$id"], load(other)) for other in names(family)]
    registry = jsonschema_rs.Registry(resources, retriever=_refuse)
    return jsonschema_rs.Draft202012Validator(load(name), registry=registry)


def _refuse(uri: str) -> Any:
    """By itself the library would fetch what is not in the registry."""
    raise ValueError(f"{uri} is not fetched")


def is_valid(data: Any, name: str) -> bool:
    """Whether `data` obeys the schema called `name`.

    >>> is_valid({"toolId": "a", "source": "mcp", "safetyTier": "read"}, "tool-descriptor/v1")
    True
    """
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
        yield from _explain(_most_specific(error))


def _most_specific(error: Any) -> Any:
    """Inside a failed `oneOf` or `anyOf`, the error of the branch that the document was nearest to."""
    while error.context and error.validator in ("oneOf", "anyOf"):
        error = max(error.context, key=lambda inner: len(inner.absolute_path))
    return error


def _explain(error: Any) -> Iterator[Problem]:
    pointer = "".join(f"/{escape(str(part))}" for part in error.absolute_path)
    value, keyword, expected = error.instance, error.validator, error.validator_value
    if keyword == "additionalProperties" and expected is False:
        known = error.schema.get("properties", {})
        for key in value:
            if key not in known:
                near = get_close_matches(key, known, 1)
                hint = f"did you mean `{near[0]}`?" if near else None
                yield Problem(f"{pointer}/{escape(str(key))}", keyword, f"`{escaped(key)}` is not a known key", hint)
        return
    if keyword == "required":
        key = next((key for key in expected if f"{key!r} is a required" in error.message), "a key")
        yield Problem(pointer, keyword, f"`{escaped(key)}` is missing")
        return
    near = get_close_matches(str(value), [str(item) for item in expected], 1) if keyword == "enum" else []
    hint = f"did you mean {near[0]!r}?" if near else None
    yield Problem(pointer, keyword, _sentence(keyword, expected, value, error), hint)


def _sentence(keyword: str, expected: Any, value: Any, error: Any) -> str:
    found = f"found {shown(value)}"
    match keyword:
        case "type":
            kinds = expected if isinstance(expected, str) else " or ".join(expected)
            return f"expected {kinds}, {found}"
        case "enum":
            return f"expected one of {', '.join(map(json.dumps, expected))}, {found}"
        case "const":
            return f"expected {json.dumps(expected)}, {found}"
        case "pattern":
            return f"expected text that matches {expected}, {found}"
        case "minLength" if expected == 1:
            return "expected some text, found none"
        case "minItems" if expected == 1:
            return "expected at least one item, found none"
        case "maxItems" if expected == 0 and "description" in error.schema:
            return f"{error.schema['description']}, {found}"
        case "maxLength" | "minLength":
            bound = "at most" if keyword == "maxLength" else "at least"
            return f"expected {bound} {expected} characters, found {len(value)}"
        case "minimum" | "maximum":
            return f"expected {'at least' if keyword == 'minimum' else 'at most'} {expected}, {found}"
        case "maxItems" | "minItems":
            return f"expected {'at most' if keyword == 'maxItems' else 'at least'} {expected} items, found {len(value)}"
        case "uniqueItems":
            return "expected every item only once"
        case _:
            description = error.schema.get("description") if isinstance(error.schema, dict) else None
            return f"{found}, which the rule `{keyword}` refuses" + (f": {description}" if description else "")


def shown(value: Any) -> str:
    """A value as short JSON for a message; control characters escaped, long values cut.

    >>> shown("\\x1b[31mred")
    '"\\\\u001b[31mred"'
    """
    text = json.dumps(value, ensure_ascii=False, default=str)
    text = escaped(text)
    return text if len(text) <= 80 else text[:77] + "..."
