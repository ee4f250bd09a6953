"""Every exception that toolglot raises on purpose.

    Error
    ├── UsageError            the call cannot be carried out as asked (unknown format, wrong option)
    ├── ReadError             a source could not be turned into tools
    │   ├── ParseError        the bytes are not JSON, YAML or front matter
    │   │   └── LimitError    too large, too deep, too many aliases
    │   ├── DetectionError    no format, several formats, or a known one that is not ours
    │   └── SchemaError       the document breaks the format's canonical schema
    ├── WriteError            a tool cannot be written in the target format
    │   ├── UnsaidError       a migration needs a fact that nobody stated
    │   ├── SafetyError       writing it would make the tool look safer than its source said
    │   └── FitError          a schema, or arguments, that a provider's rules cannot express
    ├── ArgumentError         a call whose arguments cannot be spelled as a command line
    ├── LossError             the conversion loses something and the caller asked for none
    ├── CallError             a model's response or stream holds a call that cannot be made out
    ├── ProgramError          a program may not be run, or did not answer as it should
    └── ToolFailure           a tool could not do what it was called for

Each carries a stable `code`, a JSON Pointer and a position, and survives pickling, because batch workers
send their failures to the parent process.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False  # not that of `typing`: a program that describes itself would wait for that at each start
if TYPE_CHECKING:
    from typing import Any


TO_RESTORE = "if it was converted with --lossless, read it with --restore (in Python: restore=True)"
"""The hint for what a description lacks, and the slot of a conversion may have."""


class Error(Exception):
    """The base of all errors of toolglot.

    Args:
        message: one sentence that says what was found and what to do.
        code: stable identifier, kebab case, for example `"duplicate-key"`.
        pointer: JSON Pointer (RFC 6901) into the document; `""` is the whole document.
        line, column: position in the source, counted from 1; `None` where it is not known.
        source: name of the file, `"<stdin>"`, or `None` for text given directly.
        hint: a further sentence such as `did you mean "atdf"?`, or `None`.

    >>> str(Error("the document is empty", code="empty", source="a.json", line=1, column=1))
    'a.json:1:1: the document is empty [empty]'
    """

    default_code = "error"

    def __init__(
        self,
        message: str,
        code: str | None = None,
        pointer: str = "",
        line: int | None = None,
        column: int | None = None,
        source: str | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or self.default_code
        self.pointer = pointer
        self.line = line
        self.column = column
        self.source = source
        self.hint = hint

    def __reduce__(self) -> tuple[Any, ...]:
        fields = (self.message, self.code, self.pointer, self.line, self.column, self.source, self.hint)
        return type(self), fields

    def __str__(self) -> str:
        where = location(self.source, self.line, self.column)
        return escape_unseen(f"{where}{describe_finding(self.message, self.pointer, self.hint)} [{self.code}]")


class UsageError(Error):
    """The call itself is wrong: an unknown format, an option that does not fit, a missing folder."""

    default_code = "usage"


def wrong_type(expected: str, value: object, code: str) -> UsageError:
    """The error for a value of another type than is expected, which may be endless, nested or secret: its type is told.

    >>> print(wrong_type("a function", 7, "bad-function"))
    expected a function, found int [bad-function]
    """
    return UsageError(f"expected {expected}, found {type(value).__name__}", code)


class ReadError(Error):
    """A source could not be turned into tools."""

    default_code = "unreadable"


class ParseError(ReadError):
    """The bytes are not valid JSON, YAML or front matter."""

    default_code = "parse"


class LimitError(ParseError):
    """The document is larger, deeper or more aliased than the limits allow."""

    default_code = "limit"


class DetectionError(ReadError):
    """The content belongs to no format, to several, or to a known one that toolglot does not read."""

    default_code = "unknown-format"


class SchemaError(ReadError):
    """The document breaks the canonical schema of its format; the message is about the first fault."""

    default_code = "schema"


class WriteError(Error):
    """The tool cannot be written in the target format."""

    default_code = "unwritable"


class UnsaidError(WriteError):
    """A migration needs a fact that the document does not state and that nobody gave; the document stays as it is."""

    default_code = "unsaid"


class SafetyError(WriteError):
    """The result would make the tool look safer than its source said (law 3)."""

    default_code = "weaker-safety"


class FitError(WriteError):
    """A schema, or arguments, that a provider's rules cannot express."""

    default_code = "unfit"


class ArgumentError(Error):
    """A call cannot be spelled as a command line; `pointer` is the place in its arguments."""

    default_code = "argument"


class LossError(Error):
    """A conversion does what `fail_on` names."""

    default_code = "loss"


class CallError(Error):
    """A model's response, or one event of its stream, is not what its provider sends, or a call in it is damaged.

    Raised where nothing can be answered: ask the model again. A damaged call that has an id holds it as its `error`.

    Attributes:
        provider: the target that the caller named, for example `"openai"`.
        response: the response or event as it was given; `None` when a stream ended too early.

    >>> error = CallError("expected an object, found a list; pass one response", provider="openai", response=[])
    >>> str(error), error.provider, error.response
    ('expected an object, found a list; pass one response [bad-call]', 'openai', [])
    """

    default_code = "bad-call"

    def __init__(
        self, message: str, code: str | None = None, pointer: str = "", provider: str = "", response: Any = None
    ) -> None:
        super().__init__(message, code, pointer)
        self.provider = provider
        self.response = response

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.message, self.code, self.pointer, self.provider, self.response)


class ProgramError(Error):
    """A program may not be run, or it did not answer as a program that describes itself does; `source` is its path."""

    default_code = "program"


class ToolFailure(Error):
    """A tool could not do what it was called for, or may not; what runs tools raises it to say so in its own words.

    Args:
        message: what went wrong, for the model that called it.
        code: one of AIP-14 (`not_found`, `rate_limited`, `timeout`, `upstream_error`, ...), or one of the tool's own.
        retryable: whether the same call may succeed later; `None` where nobody knows.
        cause: what lies behind it, such as the output of a program.

    >>> ToolFailure("too many requests", "rate_limited", retryable=True).envelope
    {'ok': False, 'error': {'code': 'rate_limited', 'message': 'too many requests', 'retryable': True}}
    """

    default_code = "internal"

    def __init__(
        self, message: str, code: str | None = None, retryable: bool | None = None, cause: str | None = None
    ) -> None:
        super().__init__(message, code)
        self.retryable = retryable
        self.cause = cause

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.message, self.code, self.retryable, self.cause)

    @property
    def envelope(self) -> dict[str, Any]:
        """The failure as AIP-14 has it; an exception in the place of a text is told by its text."""
        cause = None if self.cause is None else str(self.cause)
        fields = {"code": self.code, "message": str(self.message), "retryable": self.retryable, "cause": cause}
        return {"ok": False, "error": {key: value for key, value in fields.items() if value is not None}}


def location(source: str | None, line: int | None, column: int | None) -> str:
    """`file:line:column: ` with the parts that are known, or the empty string.

    >>> location("a.json", 3, None), location(None, None, None)
    ('a.json:3: ', '')
    """
    if source is None and line is None:
        return ""
    parts = [source or "<text>", *(str(number) for number in (line, column) if number is not None)]
    return ":".join(parts) + ": "


def describe_finding(message: str, where: str, hint: str | None) -> str:
    """What is said of a place, and what may be meant there, without the middle of what is very long.

    >>> describe_finding("unknown format", "/to", "did you mean atdf?"), describe_finding("it is empty", "", None)
    ('unknown format at /to; did you mean atdf?', 'it is empty')
    """
    text = without_middles(message)
    if where:
        text += f" at {without_middles(where)}"
    if hint:
        text += f"; {without_middles(hint)}"
    return text


_LONGEST_ON_WINDOWS = 259  # characters


def system_reason(error: Exception) -> str:
    """What the system says, or Python in its place, for the end of a sentence.

    >>> system_reason(FileNotFoundError(2, "No such file or directory"))
    'no such file or directory'
    >>> system_reason(ValueError("embedded null byte"))
    'embedded null byte'
    """
    if not isinstance(error, OSError):
        return str(error)
    reason = (error.strerror or str(error)).lower()
    length = len(str(error.filename or ""))
    if length > _LONGEST_ON_WINDOWS and hasattr(error, "winerror"):  # else it says something else
        reason = f"its path has {length} characters; Windows takes {_LONGEST_ON_WINDOWS}, unless long paths are enabled"
    return reason


def describe_internal_error(error: Exception) -> str:
    """A fault of ours on one line; with TOOLGLOT_DEBUG=1, where it happened is printed as well.

    >>> describe_internal_error(RuntimeError("oops"))
    'internal error: RuntimeError: oops'
    """
    if os.environ.get("TOOLGLOT_DEBUG") == "1":
        import traceback  # what only a fault of ours needs

        traceback.print_exception(error)
    return f"internal error: {type(error).__name__}: {error}".splitlines()[0][:200]


def reportable_error(error: Exception, what: str) -> Error:
    """What was raised, as an error of one file or record. A fault of ours must not cost the others, so it is one too.

    Args:
        what: what such a fault should be reported with.
    """
    if isinstance(error, Error):
        return error
    return Error(f"{describe_internal_error(error)}; please report it with the {what}", "internal-error")


_LONG_TEXT = 2_000  # characters
_LONGEST_TEXT = 200_000
_LONGEST_WORD = 1_000


def without_middles(text: str) -> str:
    """A text for people without the middle of what is very long in it: a key of a document may have megabytes.

    First words are cut, so that a list of a thousand places stays whole.

    >>> text = without_middles("at /" + "a" * 1_000_000 + " in b")
    >>> without_middles("at /a"), text[-20:], len(text)
    ('at /a', 'aaaaaaaaaaaaaaa in b', 1013)
    """
    if len(text) <= _LONG_TEXT:
        return text
    words = [without_middle(word, _LONGEST_WORD) for word in text.split(" ")]
    return without_middle(" ".join(words), _LONGEST_TEXT)


def without_middle(text: str, limit: int, stand_in: str = " ... ") -> str:
    """A text of at most `limit` characters, and what stands for the others.

    >>> without_middle("abcdef", 6), without_middle("abcdefg", 6)
    ('abcdef', 'abc ... efg')
    """
    if len(text) <= limit:
        return text
    return f"{text[: limit // 2]}{stand_in}{text[-limit // 2 :]}"


def escape_unseen(text: str) -> str:
    """`text` with every character that a terminal would act on, or that nobody sees, as an escape.

    >>> escape_unseen("a\\u202eb")
    'a\\\\u202eb'
    """
    if text.isprintable():
        return text
    return "".join(map(_escape_char, text))


def _escape_char(char: str) -> str:
    if char.isprintable():
        return char
    return char.encode("unicode_escape").decode()
