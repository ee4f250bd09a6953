"""Whether something is a schema: by jsonschema-rs, and where that says no, by jsonschema, which says why."""

from __future__ import annotations

from typing import Any

import jsonschema
import jsonschema_rs

from rows import THOROUGH

_NEWEST = jsonschema.Draft202012Validator
# `jsonschema_rs.meta` passes over formats, and so over patterns that are no regular expressions.
_FAST = jsonschema_rs.Draft202012Validator(_NEWEST.META_SCHEMA, validate_formats=True)


_WITHOUT_FORMATS = jsonschema_rs.Draft202012Validator(_NEWEST.META_SCHEMA)


def is_schema_but_for_patterns(schema: Any) -> bool:
    """Whether something is a schema of 2020-12, whose patterns may be no regular expressions: `check` names those."""
    return _WITHOUT_FORMATS.is_valid(schema)


def check_schema(schema: Any) -> None:
    """Refuse what is no schema of 2020-12, whatever it declares.

    `make laws` asks jsonschema about every schema, which takes hundreds of times as long.

    Raises:
        jsonschema.SchemaError: why.
    """
    if THOROUGH or not _FAST.is_valid(schema):
        _NEWEST.check_schema(schema)


def check_schema_as_declared(schema: Any) -> None:
    """Refuse what is no schema of the dialect that it declares, 2020-12 where it declares none.

    Raises:
        jsonschema.SchemaError: why.
    """
    dialect = jsonschema.validators.validator_for(schema, default=_NEWEST)
    if dialect is _NEWEST:
        check_schema(schema)
    else:
        dialect.check_schema(schema)
