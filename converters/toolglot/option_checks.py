"""The values of options: whoever gives something of another type is told at once what an option takes."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from toolglot.errors import UsageError


def refuse(*rules: tuple[Any, str], code: str = "bad-option", source: str | None = None) -> None:
    """Raise for the first broken one of several rules about options.

    Args:
        rules: whether each is broken, and what people are told.
        source: the file that it is about.

    Raises:
        UsageError: one is broken.

    >>> refuse((False, "--yes is about --config"), (True, "--fix changes files; stdin is none"))
    Traceback (most recent call last):
    toolglot.errors.UsageError: --fix changes files; stdin is none [bad-option]
    """
    for is_broken, message in rules:
        if is_broken:
            raise UsageError(message, code, source=source)


def require(name: str, value: Any, types: type | tuple[type, ...], words: str) -> None:
    """Raise unless the value of an option has one of these types.

    Args:
        words: what the option takes, as the end of a sentence.

    Raises:
        UsageError: it has another type; code `"bad-option"`.
    """
    _require_that(isinstance(value, types), name, value, words)


def require_flag(name: str, value: Any) -> None:
    """Raise unless an option is true, false, or `None` for its default: a text such as "no" would count as true.

    Raises:
        UsageError: it is neither; code `"bad-option"`.

    >>> require_flag("strict", "no")
    Traceback (most recent call last):
    toolglot.errors.UsageError: strict is true or false, not 'no' [bad-option]
    """
    if value is not None:
        require(name, value, bool, "true or false")


def require_choice(name: str, value: Any, choices: Collection[str]) -> None:
    """Raise unless an option is one of some words.

    Raises:
        UsageError: it is none; code `"bad-option"`.

    >>> require_choice("flatten", "all", ("discrete", "action"))
    Traceback (most recent call last):
    toolglot.errors.UsageError: flatten is one of discrete, action, not 'all' [bad-option]
    """
    _require_that(value in choices, name, value, f"one of {', '.join(choices)}")


def require_seconds(name: str, value: Any, longest: float) -> None:
    """Raise unless an option is a time that somebody may wait.

    Raises:
        UsageError: it is no number (code `"bad-option"`), is 0, or is more than `longest` (code `"bad-seconds"`).
    """
    require(name, value, (int, float), "a number of seconds")
    refuse((not 0 < value <= longest, f"expected more than 0 and at most {longest:g} seconds"), code="bad-seconds")


def require_function(name: str, value: Any) -> None:
    """Raise unless an option can be called.

    Raises:
        UsageError: it cannot; code `"bad-option"`.
    """
    _require_that(callable(value), name, value, "a function")


def read_texts(name: str, value: Any, example: str) -> tuple[str, ...]:
    """An option that is a text or several.

    Raises:
        UsageError: it is something else, or one of the texts is blank; code `"bad-option"`.

    >>> read_texts("only", "gh.pr", "gh.pr.*"), read_texts("only", ["gh.pr", "gh.issue"], "gh.pr.*")
    (('gh.pr',), ('gh.pr', 'gh.issue'))
    """
    if isinstance(value, str):
        value = (value,)
    words = f"a list of texts such as {example!r}"
    require_items(name, value, words)
    texts = tuple(value)
    are_texts = all(isinstance(text, str) and text.strip() for text in texts)
    _require_that(are_texts, name, value, words)
    return texts


def split_commas(*texts: str) -> tuple[str, ...]:
    """The parts of texts between commas, of which each text may hold several.

    >>> split_commas("danger, lost", "any,")
    ('danger', 'lost', 'any')
    """
    parts = (part.strip() for text in texts for part in text.split(","))
    return tuple(filter(None, parts))


def read_named_texts(name: str, value: Any) -> dict[str, str]:
    """An option that is texts by their names; `None` is none.

    Raises:
        UsageError: it is something else; code `"bad-option"`. It does not tell the value, which may be a secret.
    """
    if value is None:
        return {}
    are_texts = isinstance(value, Mapping) and all(isinstance(text, str) for pair in value.items() for text in pair)
    refuse((not are_texts, f"{name} is an object whose keys and values are texts"))
    return dict(value)


def require_items(name: str, value: Any, words: str) -> None:
    """Raise unless an option can be gone through, item by item; texts and objects hold no items of their own.

    Raises:
        UsageError: it cannot; code `"bad-option"`.
    """
    has_items = isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping)
    _require_that(has_items, name, value, words)


def read_path(name: str, value: Any) -> str:
    """An option that is the path of a file.

    Raises:
        UsageError: it is something else; code `"bad-option"`.
    """
    words = "a path"
    require(name, value, (str, bytes, os.PathLike), words)
    try:
        path = os.fsdecode(os.fsencode(value))
    except UnicodeError:  # on some systems no path holds such a text, or such bytes
        path = "\0"  # which no path has either
    _require_that("\0" not in path, name, value, words)
    return path


def _require_that(is_right: bool, name: str, value: Any, words: str) -> None:
    if not is_right:
        raise UsageError(f"{name} is {words}, not {value!r}", code="bad-option")
