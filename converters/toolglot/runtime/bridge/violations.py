"""Violations: the reasons against a call, as `validator`, `delegation` and `approval` give them."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import msgspec

from toolglot.converter.hub.model import Leaf, to_json
from toolglot.converter.text.pointers import without_nulls
from toolglot.errors import ToolFailure

SHELL_CHARACTERS = re.compile(r"[;|&`$<>\n\r]")
"""What lets a shell run, join or redirect something, even within quotes. Blanks, brackets, quotes and `*` are not among
them: file names hold them every day."""


class Violation(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One reason why a call should not be carried out.

    Attributes:
        code: stable identifier, in the spelling of the reference bridge.
        message: a sentence for people.
        severity: `"error"` or `"warning"`; `"advice"` is no reason against the call.
        tool_name: the name that was called.
        command_path: the path below the program, `("repo", "delete")` for `gh repo delete`; `None` where no tool has
            the name.
        pointer: JSON Pointer of the argument that is the reason, if one is.

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


class Objection(NamedTuple):
    """A violation without the call that it is about."""

    code: str
    message: str
    severity: str = "error"
    pointer: str | None = None

    def about(self, name: str, leaf: Leaf) -> Violation:
        """The violation by a call of a tool under this name, and of this command of it."""
        return Violation(**self._asdict(), tool_name=name, command_path=leaf.path[1:])


class Validation(msgspec.Struct, frozen=True):
    """The result of validating a call; it is true where there is no violation.

    `advice` is for the host: what a shell would make of the arguments, and which of them no rule about paths covers.

    >>> bool(Validation(())), Validation(()).violations
    (True, ())
    """

    violations: tuple[Violation, ...]
    advice: tuple[Violation, ...] = ()

    @property
    def valid(self) -> bool:
        """Whether the call has no violation. A warning is one, advice is not."""
        return not self.violations

    def __bool__(self) -> bool:
        return self.valid


def refuse_violations(verdict: Validation) -> None:
    """Refuse a call with violations.

    Raises:
        ToolFailure: there are violations; the code is one of AIP-14.
    """
    if verdict.valid:
        return
    message = "; ".join(violation.message + name_place(violation.pointer) for violation in verdict.violations)
    if all(violation.code == "ARGUMENTS_INVALID" for violation in verdict.violations):
        raise ToolFailure(message, "input_invalid")
    raise ToolFailure(message, "policy_violation")


def name_place(pointer: str | None) -> str:
    """The end of a sentence with the place; empty where the place is the whole.

    >>> name_place("/limit"), name_place("")
    (' at /limit', '')
    """
    return f" at {pointer}" if pointer else ""


def name_value(value: Any) -> str:
    """Any value in a few words for a message; a value that may be endless or nested by its type alone.

    >>> name_value("a"), name_value(-1), name_value(10**5000), name_value([])
    ("'a'", '-1', 'int', 'list')
    """
    if isinstance(value, str):
        return repr(value[:80])
    short = value is None or isinstance(value, bool | float) or (isinstance(value, int) and abs(value) < 10**15)
    return repr(value) if short else type(value).__name__
