"""What a host or another agent states as an object of JSON: a policy, rules of delegation, the state of its tools."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, TypeVar

import msgspec

from toolglot.converter.text.wording import suggestion
from toolglot.errors import UsageError, wrong_type
from toolglot.runtime.bridge.violations import name_value

RecordT = TypeVar("RecordT", bound=msgspec.Struct)


def read_fields(
    data: Any, known: Collection[str], what: str, each: str, code: str, holder: str | None = None
) -> dict[str, Any]:
    """The fields of an object, which may stand under a key of another object.

    Args:
        what: the words for the object, for messages.
        each: the word for one of its fields.
        code: the code of the error.
        holder: the key of the other object.

    Raises:
        UsageError: the value is no object, or has an unknown key. If such a key were passed over, it might allow what
            somebody meant to forbid.
    """
    if holder is not None and isinstance(data, Mapping) and set(data) == {holder}:
        data = data[holder]
    if not isinstance(data, Mapping):
        raise wrong_type(what, data, code)
    for key in data:
        if key not in known:
            hint = suggestion(key, known, f"the fields are {', '.join(known)}")
            raise UsageError(f"{name_value(key)} is not {each}", code=code, hint=hint)
    return dict(data)


def read_record(kind: type[RecordT], data: Any, what: str, each: str, code: str, holder: str | None = None) -> RecordT:
    """The record of an object. Arguments and errors are those of `read_fields`; wrong types are errors, too."""
    fields = read_fields(data, kind.__struct_encode_fields__, what, each, code, holder)
    try:
        return msgspec.convert(fields, kind)
    except (msgspec.ValidationError, UnicodeError, RecursionError) as error:
        message = str(error)
        raise UsageError(message[:1].lower() + message[1:], code=code) from None
