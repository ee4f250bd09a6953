"""What people state about a command because its parser cannot know it; kept on the function, command or parser."""

from __future__ import annotations

from toolglot.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Literal, TypeVar, Unpack

    from toolglot.runtime.agent.decorator_types import About, Auth, CommandEffects

    Subject = TypeVar("Subject")
    Kinds = dict[str, str | tuple[str, ...]]

ATTRIBUTE = "_toolglot_agent"

_SWITCH, _TEXT, _NUMBER, _TEXTS = "true or false", "a text", "a whole number", "a list of texts"
# Field of the hub -> the kind of its value; a tuple has the words that it may be.
EFFECTS: Kinds = {
    "reads_files": _SWITCH,
    "writes_files": _SWITCH,
    "deletes_files": _SWITCH,
    "network": _SWITCH,
    "subprocess": _SWITCH,
    "destructive": _SWITCH,
    "reversible": _SWITCH,
    "idempotent": _SWITCH,
    "prompts": _SWITCH,
    "tty": _SWITCH,
    "billable": _SWITCH,
    "paths": _TEXTS,
    "creates": _TEXTS,
    "modifies": _TEXTS,
    "deletes": _TEXTS,
    "stdin": ("none", "optional", "required", "password"),
    "cost_estimate": ("free", "low", "medium", "high"),
    "duration": _TEXT,
    "timeout_ms": _NUMBER,
}
AUTH: Kinds = {
    "required": _SWITCH,
    **dict.fromkeys(("check", "env", "config_path", "description", "setup"), _TEXT),
    "scopes": _TEXTS,
}
ABOUT: Kinds = dict.fromkeys(("name", "version", "title", "homepage", "license"), _TEXT)
_METHODS = ("token", "oauth", "api-key", "password", "certificate")


def effects(**facts: Unpack[CommandEffects]) -> Callable[[Subject], Subject]:
    """State what a command can do at most, whatever its options.

    A fact that is left out stays unknown, and unknown never counts as safe. A dangerous fact above a group holds for
    every command below. The decorator stands above or below that of click or typer; for argparse, call it with the
    parser of the command, or put it above the function that `set_defaults` names.

    Raises:
        UsageError: the hub has no such fact, or the value is of the wrong kind.

    >>> @effects(destructive=True, network=False)
    ... def purge(): ...
    >>> statements_of(purge)["effects"]
    {'destructive': True, 'network': False}
    """
    _check_facts(facts, EFFECTS, "effects")
    return _statement("effects", {}, lambda before: {**before, **facts})


def example(*lines: str) -> Callable[[Subject], Subject]:
    """Show command lines that use a command, the most helpful first."""
    _check_facts({"example": lines}, {"example": _TEXTS}, "example")
    return _statement("examples", (), lambda before: (*lines, *before))


def auth(
    method: Literal["token", "oauth", "api-key", "password", "certificate"] | None = None, **facts: Unpack[Auth]
) -> Callable[[Subject], Subject]:
    """State how a command, or the whole program, signs in.

    Use it once for each way to sign in; `required` and `check` hold for all of them.

    Raises:
        UsageError: there is no such fact, or the value is of the wrong kind.
    """
    _check_facts(facts, AUTH, "auth")
    if method is not None:
        _check_facts({"method": method}, {"method": _METHODS}, "auth")
    return _statement("auth", (), lambda before: ((method, dict(facts)), *before))


def arguments(**descriptions: str) -> Callable[[Subject], Subject]:
    """Say what the positional arguments of a command mean, by the names of the function's parameters.

    Arguments of click have no help of their own before click 8.3.
    """
    _check_facts(descriptions, dict.fromkeys(descriptions, _TEXT), "arguments")
    return _statement("arguments", {}, lambda before: {**before, **descriptions})


def state_about(program: object, about: About) -> None:
    """Keep what is said about a whole program.

    Raises:
        UsageError: `About` has no such field, or the value is no text.
    """
    _check_facts(about, ABOUT, "the program")
    _own_statements(program)["about"] = about


def statements_of(subject: object) -> dict[str, Any]:
    """What is stated about a function, a command or a parser; empty where nobody stated anything."""
    statements: dict[str, Any] = getattr(subject, ATTRIBUTE, {})
    return statements


def _statement(name: str, empty: Any, add: Callable[[Any], Any]) -> Callable[[Subject], Subject]:
    """A decorator that adds to what is stated under a name.

    Args:
        empty: what counts as stated before, where nothing is.
        add: what was stated before -> what is stated from now on.
    """

    def state(subject: Subject) -> Subject:
        statements = _own_statements(subject)
        statements[name] = add(statements.get(name, empty))
        return subject

    return state


def _own_statements(subject: object) -> dict[str, Any]:
    """The statements of this very object, as a dict that may be changed.

    A copy: an object may share the dict of its class, or of the function that `functools.wraps` took it from.
    """
    statements = dict(statements_of(subject))
    setattr(subject, ATTRIBUTE, statements)
    return statements


def _check_facts(facts: dict[str, Any] | Any, kinds: Kinds, owner: str) -> None:
    for word, value in facts.items():
        if word not in kinds:
            from toolglot.converter.text.wording import suggestion  # a program that states facts imports nothing

            hint = suggestion(word, kinds, f"it is one of {', '.join(kinds)}", mark="")
            raise UsageError(f"{owner} has no word {word!r}; {hint}", code="unknown-word")
        kind = kinds[word]
        if isinstance(kind, tuple):
            kind, fits = f"one of {', '.join(kind)}", value in kind
        elif kind == _TEXTS:
            fits = isinstance(value, list | tuple) and all(isinstance(item, str) for item in value)
        else:
            fits = type(value) is _TYPES[kind]
        if not fits:
            raise UsageError(f"{word} is {kind}, not {value!r}", code="bad-value")


_TYPES = {_SWITCH: bool, _TEXT: str, _NUMBER: int}
