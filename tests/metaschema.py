"""Whether something is a schema: by jsonschema-rs, and where that says no, by jsonschema, which says why."""

from __future__ import annotations

from typing import Any

import jsonschema
import jsonschema_rs

from rows import THOROUGH


def check_schema(schema: Any) -> None:
    """Refuse what is no schema of the dialect that it declares, 2020-12 where it declares none.

    `make laws` asks jsonschema about every schema, which takes thirty times as long.

    Raises:
        jsonschema.SchemaError: why.
    """
    if THOROUGH or not _is_valid(schema):
        jsonschema.validators.validator_for(schema, default=jsonschema.Draft202012Validator).check_schema(schema)


def _is_valid(schema: Any) -> bool:
    try:
        return jsonschema_rs.meta.is_valid(schema)
    except Exception:  # a dialect that it does not know
        return False
