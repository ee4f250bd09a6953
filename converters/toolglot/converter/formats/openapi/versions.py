"""The versions of OpenAPI, and what is a document of one."""

from __future__ import annotations

from typing import Any

VERSIONS = ("2.0", "3.0", "3.1", "3.2")
SWAGGER = VERSIONS[0]
_OLDER_SCHEMAS = frozenset({"2.0", "3.0"})  # whose schemas are a dialect of JSON Schema draft 04

# A version adds methods to those before it.
_METHODS = ("get", "put", "post", "delete", "options", "head", "patch")
METHODS = {"2.0": _METHODS, "3.0": (*_METHODS, "trace"), "3.1": (*_METHODS, "trace")}
METHODS["3.2"] = (*METHODS["3.1"], "query")


def version_of(data: dict[str, Any]) -> str:
    """The version of a document; the newest where it names one that is not known.

    >>> version_of({"swagger": 2.0}), version_of({"openapi": "3.0.3"}), version_of({"openapi": "4.0.0"})
    ('2.0', '3.0', '3.2')
    """
    if "swagger" in data:
        return SWAGGER
    version_text = str(data.get("openapi"))
    return next((version for version in VERSIONS[1:] if f"{version_text}.".startswith(f"{version}.")), VERSIONS[-1])


def has_older_schemas(version: str) -> bool:
    """Whether nothing counts beside `$ref`: neither keywords of a schema nor the texts of any other reference."""
    return version in _OLDER_SCHEMAS
