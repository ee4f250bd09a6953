"""The draft that a schema is written in, and whether it is what the metaschema of that draft takes."""

from __future__ import annotations

from functools import cache
from typing import Any

from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.schema.validators import validator
from toolglot.regexes import compile_later

NEWEST = 2020  # the draft, by its year
OLDEST = 4  # that is told from others, and the last that says `id`

_DRAFT = compile_later(r"json-schema\.org/draft[-/](0[1-7]|2019-09|2020-12)\b")
_ADDRESSES = {
    OLDEST: "http://json-schema.org/draft-04/schema#",
    6: "http://json-schema.org/draft-06/schema#",
    7: "http://json-schema.org/draft-07/schema#",
    2019: "https://json-schema.org/draft/2019-09/schema",
    NEWEST: "https://json-schema.org/draft/2020-12/schema",
}


def draft_of(dialect: str) -> int:
    """The draft that a `$schema` names: 4 to 7, 2019 or 2020; what nobody knows is read as 2020-12.

    >>> draft_of("http://json-schema.org/draft-07/schema#"), draft_of("https://example.com/dialect")
    (7, 2020)
    """
    match = _DRAFT.search(dialect)
    return max(int(match[1][:4]), OLDEST) if match else NEWEST


def declared_draft(schema: JsonSchema, otherwise: int | None) -> int | None:
    """The draft that a schema declares; `otherwise` where it declares none."""
    dialect = schema.get("$schema")
    return draft_of(dialect) if isinstance(dialect, str) else otherwise


@cache
def metaschema(draft: int) -> Any:
    """The validator of the schemas of a draft; they are a part of the library, and nothing is fetched."""
    known = max(number for number in _ADDRESSES if number <= draft)
    return validator({"$ref": _ADDRESSES[known]})


def is_of_draft(schema: JsonSchema, draft: int) -> bool:
    """Whether every keyword has a value that the draft gives it.

    >>> schema = {"minimum": 0, "exclusiveMinimum": True}
    >>> is_of_draft(schema, NEWEST), is_of_draft(schema, OLDEST)
    (False, True)
    """
    try:
        return bool(metaschema(draft).is_valid(schema))
    except (ValueError, TypeError):  # deeper than the validator walks, or a number that it cannot hold
        return True
