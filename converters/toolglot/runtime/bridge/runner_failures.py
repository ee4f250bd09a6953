"""Failures of calls in the form of AIP-14: the envelope `{"ok": false, "error": {...}}` and its codes."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from typing import Any

from toolglot.errors import ArgumentError, FitError, ProgramError, ToolFailure, UsageError
from toolglot.runtime.bridge.result_filter import ResultFilter

_FILTER = ResultFilter(max_length=2000)  # characters of a message or a cause that a model is told

# The codes of AIP-14 (Errors) are input_invalid, input_unsupported, unauthorised, auth_required, not_found,
# rate_limited, timeout, upstream_error, no_route, internal, and ADAPTER.md's policy_violation, cancelled and
# output_parse_failed. The first row that fits counts; whether to try again is said only where the failure itself does.
_CODES: tuple[tuple[type[Exception], str, bool | None], ...] = (
    (subprocess.TimeoutExpired, "timeout", True),
    (TimeoutError, "timeout", True),
    (subprocess.CalledProcessError, "upstream_error", None),
    (ConnectionError, "upstream_error", True),
    (PermissionError, "unauthorised", False),
    (FileNotFoundError, "not_found", False),
    (FitError, "input_invalid", None),
    (ArgumentError, "input_invalid", None),
    (ProgramError, "no_route", False),
)
_OF_CALLS = {"unknown-tool": "not_found", "unknown-command": "input_invalid"}  # codes of a `UsageError`


def failure_of(error: Exception) -> ToolFailure:
    """An exception as a failure for the model.

    Secrets in its text are redacted. An unexpected exception gets the code `internal`.

    >>> failure_of(TimeoutError("no answer")).code, failure_of(KeyError("x")).code
    ('timeout', 'internal')
    """
    if isinstance(error, ToolFailure):
        return error
    if isinstance(error, UsageError) and error.code in _OF_CALLS:
        return ToolFailure(bound_text(str(error)), _OF_CALLS[error.code])
    message = bound_text(_message(error)) or f"the tool failed with {type(error).__name__} and no message"
    cause = bound_text(_output(error)) or None
    for kind, code, retryable in _CODES:
        if isinstance(error, kind):
            return ToolFailure(message, code, retryable, cause)
    return ToolFailure(message, "internal", None, cause)


def _message(error: Exception) -> str:
    """The text of an exception; some raise another one when they are asked for it."""
    try:
        if isinstance(error, KeyError):  # its text is the key alone
            return f"{type(error).__name__}: {error}"
        return str(error)
    except Exception:
        return ""


def _output(error: Exception) -> str:
    """The output of a program before it failed."""
    if not isinstance(error, subprocess.CalledProcessError | subprocess.TimeoutExpired):
        return ""
    output = error.stderr or error.output or ""
    if isinstance(output, bytes):
        return output.decode(errors="replace")
    return str(output)


def bound_text(text: str) -> str:
    """A text for the model: cut, and without secrets or a half of one that the cut would leave."""
    return _FILTER.filter(text).strip()


def failure_in(result: Any) -> ToolFailure | None:
    """The failure in a result that is an envelope itself; `None` for any other result.

    >>> failure_in({"ok": False, "error": {"code": "not_found", "message": "no such folder"}}).code
    'not_found'
    >>> failure_in({"ok": True}) is None
    True
    """
    if not isinstance(result, Mapping) or result.get("ok") is not False:
        return None
    error = result.get("error")
    if not isinstance(error, Mapping) or not isinstance(error.get("code"), str):
        return None
    retryable, cause = error.get("retryable"), error.get("cause")
    if not isinstance(retryable, bool):
        retryable = None
    if cause is not None:
        cause = _as_text(cause)
    return ToolFailure(_as_text(error.get("message", "")), error["code"], retryable, cause)


def _as_text(value: Any) -> str:
    """A value as text, or a placeholder for a value that cannot be written."""
    try:
        if isinstance(value, dict | list | tuple):
            return json.dumps(value, default=str)
        return str(value)
    except Exception:
        return f"a {type(value).__name__} that is no JSON"
