"""`docs/reference/codes.md`: the errors that the package makes, found in its code."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import toolglot
from reference.tables import table
from toolglot import errors

HEAD = """# Error codes

An error has a stable code. It is in brackets at the end of the message, and is `code` in Python and in reports. This
page is generated from the code. It has up to two messages of each; `...` stands for words of the document or the call,
or for a message that differs from place to place.

`schema-KEYWORD` is not listed: the document breaks that keyword of the schema of its format, in kebab case
(`schema-additional-properties`). A code in the report of a conversion is an action and a field of the hub
(`dropped-tags`); [hub.md](hub.md) lists the fields.
"""


PACKAGE = Path(toolglot.__file__).parent
SAYS_SOMETHING = re.compile(r"\w")
MAKES_ERRORS = re.compile(r"\b(?:\w*Error|ToolFailure|refuse\w*|read_record|read_fields|wrong_type)\(")
SHOWN = 2  # of the messages of one code


class Raised(NamedTuple):
    """One place in the code that makes an error."""

    code: str
    error: str
    message: str


def errors_made(function: ast.AST) -> Iterator[Raised]:
    """The errors that a function makes, by the calls of their classes."""
    calls = [node for node in ast.walk(function) if isinstance(node, ast.Call) and node.args]
    for call in calls:
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        if name in ("refuse", "refuse_options"):
            codes = [words_of(word.value) for word in call.keywords if word.arg == "code"]
            for rule in call.args:
                if isinstance(rule, ast.Tuple):
                    yield Raised(codes[0] if codes else "bad-option", "UsageError", words_of(rule.elts[1]))
        stated = [str(arg.value) for arg in call.args if isinstance(arg, ast.Constant)]
        if name in ("read_fields", "read_record") and stated:
            yield Raised(stated[2], "UsageError", f"expected {stated[0]}, found ...")
            yield Raised(stated[2], "UsageError", f"... is not {stated[1]}")
        if name == "wrong_type" and stated:
            yield Raised(stated[-1], "UsageError", f"expected {words_of(call.args[0])}, found ...")
        error = getattr(errors, name, None)
        if not (inspect.isclass(error) and issubclass(error, errors.Error)):
            continue
        given = [*call.args[1:2], *(keyword.value for keyword in call.keywords if keyword.arg == "code")]
        code = given[0].value if given and isinstance(given[0], ast.Constant) else error.default_code
        for message in messages_of(call.args[0], function):
            yield Raised(str(code), name, message)


def messages_of(message: ast.expr, function: ast.AST) -> list[str]:
    """What may stand for a message; one that has a name, as the function gives it that name, if it is no argument."""
    match message:
        case ast.IfExp():
            return [*messages_of(message.body, function), *messages_of(message.orelse, function)]
        case ast.Name():
            given = (node for node in ast.walk(function) if isinstance(node, ast.Assign))
            values = [node.value for node in given if ast.unparse(node.targets[0]) == message.id]
            return [text for value in values for text in messages_of(value, ast.Pass())] or [words_of(message)]
    return [words_of(message)]


def words_of(message: ast.expr) -> str:
    """What a message says whatever it is about."""
    match message:
        case ast.Constant():
            return str(message.value)
        case ast.JoinedStr():
            return "".join(words_of(part) for part in message.values)
        case ast.BinOp():
            return words_of(message.left) + words_of(message.right)
    return "..."


def functions_of_package() -> Iterator[ast.AST]:
    """Its functions that call what makes errors, those of classes one by one.

    In each a name is given to the messages of that function alone. To parse every module would take a second, and to
    walk through every function another.
    """
    for path in sorted(PACKAGE.rglob("*.py")):
        lines = path.read_text(encoding="utf-8").split("\n")
        calls = [number for number, line in enumerate(lines, 1) if MAKES_ERRORS.search(line)]
        if not calls:
            continue
        for statement in ast.parse("\n".join(lines)).body:
            for function in statement.body if isinstance(statement, ast.ClassDef) else [statement]:
                if any(function.lineno <= number <= (function.end_lineno or 0) for number in calls):
                    yield function


def page() -> str:
    found: dict[str, dict[str, list[str]]] = {}
    for raised in (raised for function in functions_of_package() for raised in errors_made(function)):
        messages = found.setdefault(raised.code, {}).setdefault(raised.error, [])
        if raised.message not in messages:
            messages.append(raised.message)
    rows: list[tuple[str, ...]] = []
    for code in sorted(found):
        for error, messages in sorted(found[code].items()):
            shown = [message for message in messages if SAYS_SOMETHING.search(message)][:SHOWN]
            rows.append((f"`{code}`", f"`{error}`", "; ".join(shown) or "..."))
    return f"{HEAD}\n{table(('code', 'error', 'messages'), rows)}\n"
