"""What speaks against a call, as all who judge calls say it: `call_policy`, `delegation` and `approval`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import msgspec

from toolglot.converter.hub.model import to_json
from toolglot.converter.text.pointers import without_nulls
from toolglot.converter.text.wording import suggestion
from toolglot.errors import ToolFailure, UsageError

T = TypeVar("T")


class Violation(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One reason why a call should not be carried out.

    Attributes:
        code: what it is, in the spelling of the reference bridge.
        message: a sentence for people.
        severity: `"error"` or `"warning"`; `"advice"` for what does not speak against the call.
        tool_name: the name that was called.
        command_path: the path below the program, `("repo", "delete")` for `gh repo delete`; `None` where no tool
            has the name.
        pointer: the place in the arguments (JSON Pointer), where one of them is the reason.

    >>> Violation(code="UNKNOWN_COMMAND", message="no tool is called x", tool_name="x").to_json()
    {'code': 'UNKNOWN_COMMAND', 'message': 'no tool is called x', 'severity': 'error', 'toolName': 'x'}
    """

    code: str
    message: str
    severity: str = "error"
    tool_name: str
    command_path: tuple[str, ...] | None = None
    pointer: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The violation as plain JSON data with the reference bridge's keys; what is `None` is absent."""
        return without_nulls(to_json(self))


class Validation(msgspec.Struct, frozen=True):
    """Whether a call may be carried out, and every reason against it; true where there is none.

    `advice` is what the host should know beside that: what a shell would make of the arguments, and which of them no
    rule about paths has looked at.

    >>> bool(Validation(())), Validation(()).violations
    (True, ())
    """

    violations: tuple[Violation, ...]
    advice: tuple[Violation, ...] = ()

    @property
    def valid(self) -> bool:
        """Whether nothing speaks against the call; a warning does too, advice does not."""
        return not self.violations

    def __bool__(self) -> bool:
        return self.valid


def refuse_violations(verdict: Validation) -> None:
    """Stop a call that something speaks against.

    Raises:
        ToolFailure: it does; the code is AIP-14's.
    """
    if verdict.valid:
        return
    message = "; ".join(violation.message + name_place(violation.pointer) for violation in verdict.violations)
    if all(violation.code == "ARGUMENTS_INVALID" for violation in verdict.violations):
        raise ToolFailure(message, "input_invalid")
    raise ToolFailure(message, "policy_violation")


def name_place(pointer: str | None) -> str:
    """The end of a sentence about a place; empty where there is none, or where it is the whole.

    >>> name_place("/limit"), name_place("")
    (' at /limit', '')
    """
    return f" at {pointer}" if pointer else ""


def name_value(value: Any) -> str:
    """Anything at all as a few words of a message; what may be endless, nested or unwritable by its type alone.

    >>> name_value("a"), name_value(-1), name_value(10**5000), name_value([])
    ("'a'", '-1', 'int', 'list')
    """
    if isinstance(value, str):
        return repr(value[:80])
    short = value is None or isinstance(value, bool | float) or (isinstance(value, int) and abs(value) < 10**15)
    return repr(value) if short else type(value).__name__


class HostObject(NamedTuple):
    """What messages say of an object that a host writes down.

    Attributes:
        expected: what it is.
        entry: what one of its keys is.
        known: how the list of the keys begins.
        code: of its errors.
    """

    expected: str
    entry: str
    known: str
    code: str

    def check(self, data: Any, keys: Sequence[str]) -> Mapping[str, Any]:
        """The data, if it is an object of these keys.

        Raises:
            UsageError: it is none, or has another key. What is half understood would allow what somebody meant to
                forbid.
        """
        if not isinstance(data, Mapping):
            raise UsageError(f"expected {self.expected}, found {type(data).__name__}", self.code)
        for key in data:
            if key not in keys:
                hint = suggestion(key, keys, f"{self.known} {', '.join(keys)}")
                raise UsageError(f"{name_value(key)} is not {self.entry}", self.code, hint=hint)
        return data

    def read(self, data: Any, kind: type[T]) -> T:
        """The record that the data state; errors as in `check`, also for a value that is not one of its own."""
        fields: tuple[str, ...] = kind.__struct_encode_fields__  # type: ignore[attr-defined]
        try:
            return msgspec.convert(dict(self.check(data, fields)), kind)
        except (msgspec.ValidationError, UnicodeError, RecursionError) as error:
            message = str(error)
            raise UsageError(message[:1].lower() + message[1:], self.code) from None
