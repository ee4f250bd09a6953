"""What speaks against a call, as all who judge calls say it: `validator`, `delegation` and `approval`."""

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


class Objection(NamedTuple):
    """What a `Violation` says beside whose call it is about."""

    code: str
    message: str
    severity: str = "error"
    pointer: str | None = None

    def about(self, name: str, leaf: Leaf) -> Violation:
        """What the caller is told: of which tool, by its name, and of which command of it."""
        return Violation(**self._asdict(), tool_name=name, command_path=leaf.path[1:])


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
