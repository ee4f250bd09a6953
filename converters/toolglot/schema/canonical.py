"""The canonical JSON Schemas: where they are, and whether a document obeys one; `problems` says why it does not.

Verdicts come from `jsonschema-rs`, because it is 150 times faster, or for the first documents of a process from
`early_verdicts`, which needs no import; the explanation of a refusal comes from `jsonschema`, imported only then.
Tests hold the three to the same verdict. No `$ref` is ever fetched: what is not in `schemas/` does not resolve.
"""

from __future__ import annotations

import json
import os
from functools import cache
from typing import Any

from toolglot.errors import UsageError
from toolglot.schema.early_verdicts import Early
from toolglot.text.wording import suggestion

READING = "reading"  # the least that a reader needs; the versioned schemas say what is valid


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
        return bool(careful_validator(name).is_valid(data))


@cache
def careful_validator(name: str) -> Any:
    """The validator of `jsonschema` for a schema: it is slow, takes any document, and says what is wrong."""
    from jsonschema import Draft202012Validator  # 56 ms that only a refusal pays
    from jsonschema_specifications import REGISTRY
    from referencing import Resource

    family = name.partition("/")[0]
    own = [load(other) for other in names(family)]
    registry: Any = REGISTRY.with_resources([(schema["$id"], Resource.from_contents(schema)) for schema in own])
    return Draft202012Validator(load(name), registry=registry)
