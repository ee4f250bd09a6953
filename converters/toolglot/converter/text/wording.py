"""Pieces of sentences: values, names, texts cut to length, and hints at what somebody may have meant."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from toolglot.converter.text.similar_names import most_similar
from toolglot.errors import escape_unseen
from toolglot.regexes import compile_later

LONGEST = 300  # characters of a sentence
_LONGEST_NAME = 100  # characters; nobody means a name by more
NAMES = 12  # keys and alternatives that are listed
_HALF = compile_later(r"(?<!\\)((?:\\\\)*)\\(?:u[0-9a-fA-F]{0,3}|x[0-9a-fA-F]?)?\Z")
_PLAIN = compile_later(r"(?![\s'])[^,;\"\t\r\n\f\v]*[^\s,;\"'.]")
_BLANKS = compile_later(r"\s+")


def say_value(value: Any, limit: int = LONGEST) -> str:
    """A value as JSON; a string without quotes if nothing but a string reads so.

    >>> say_value(".a b"), say_value("true"), say_value("."), say_value(True)
    ('.a b', '"true"', '"."', 'true')
    """
    if isinstance(value, str) and _PLAIN.fullmatch(value) and data_of_text(value) is value:
        return cut_text(value, limit)
    return as_json(value, limit)


def data_of_text(text: str) -> Any:
    """The number, word or list of JSON that a text is, or the text itself.

    >>> data_of_text("1.0"), data_of_text("1.0.0")
    (1.0, '1.0.0')
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def as_json(value: Any, limit: int = LONGEST) -> str:
    """A value as JSON on one line.

    >>> as_json({"a": [1, None]})
    '{"a": [1, null]}'
    """
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        text = "a value that is not JSON"
    return cut_text(text, limit)


def cut_text(text: str, limit: int) -> str:
    r"""At most `limit` characters, without half an escape at the end.

    >>> print(cut_text(r"ab\u00e9cdef", 9), cut_text("short", 9))
    ab... short
    """
    if len(text) <= limit:
        return text
    return _HALF.sub(r"\1", text[: limit - 3]) + "..."


def add_full_stop(text: str, limit: int = LONGEST) -> str:
    """A sentence without its full stop as one line with it.

    >>> add_full_stop("Must match ^a\\n|b."), add_full_stop("abcdefgh", 6)
    ('Must match ^a |b..', 'abc...')
    """
    text = _BLANKS.sub(lambda blanks: blanks[0] if {"\n", "\r"}.isdisjoint(blanks[0]) else " ", text)
    if len(text) > limit or text.endswith(" ..."):
        return cut_text(text, limit)
    return f"{text}."


def join_values(values: Iterable[Any], separator: str, limit: int = LONGEST) -> str:
    """Values side by side, as many as fit.

    >>> join_values([1, "b"], "; ")
    '1; b'
    """
    texts: list[str] = []
    for value in values:
        text = say_value(value, limit)
        if texts and sum(map(len, texts)) + len(separator) * len(texts) + len(text) > limit - 24:
            return separator.join([*texts, "..."])
        texts.append(text)
    return separator.join(texts)


def join_names(words: Iterable[Any], last: str = "and") -> str:
    """Names or numbers in a sentence, with a word before the last.

    >>> join_names(["a", "b", "c"]), join_names([1, 2], "or")
    ('a, b and c', '1 or 2')
    """
    texts = [say_value(name, 80) for name in words]
    if len(texts) > NAMES:
        texts = [*texts[:NAMES], "..."]
    if len(texts) < 2:
        return "".join(texts)
    return f"{', '.join(texts[:-1])} {last} {texts[-1]}"


def join_first(names: Sequence[str], most: int = 10) -> str:
    """The first of some names, and how many more there are.

    >>> join_first(["a", "b"]), join_first(["a", "b", "c"], most=1)
    ('a, b', 'a and 2 more')
    """
    text = ", ".join(names[:most])
    return f"{text} and {len(names) - most:,} more" if len(names) > most else text


_SHORT_JSON = 80
"""The most characters of a value in a message."""

_WHOLE_JSON = 20_000
"""The most characters of a value that is shown as a whole: no tool that works says more, and a log has an end."""


def to_short_json(value: Any) -> str:
    """A value as short JSON for a message; control characters escaped, long values cut.

    >>> to_short_json("\\x1b[31mred")
    '"\\\\u001b[31mred"'
    """
    return cut_text(_to_line(value), _SHORT_JSON)


def to_whole_json(value: Any) -> str:
    """A value as JSON in one line for a message that somebody has to read to its end, as a model does.

    >>> to_whole_json("a" * 20_005)[19_991:]
    'aaaaaaaaa... and 7 more characters'
    """
    text = _to_line(value)
    more = len(text) - _WHOLE_JSON
    if more <= 0:
        return text
    return f"{text[:_WHOLE_JSON]}... and {more:,} more characters"


def describe_replacement(before: Any, after: Any, show: Callable[[Any], str] = to_short_json) -> str:
    """What stood somewhere and what stands there now, for a message.

    >>> describe_replacement(None, 3), describe_replacement("a", None)
    ('nothing -> 3', '"a" -> nothing')
    """
    old, new = ("nothing" if value is None else show(value) for value in (before, after))
    return f"{old} -> {new}"


def _to_line(value: Any) -> str:
    """A value as JSON on one line that nothing in it can break."""
    return escape_unseen(json.dumps(value, ensure_ascii=False, default=str))


def quote_text(text: str) -> str:
    """A text quoted for a message: shortened, and with control and hidden characters escaped.

    >>> quote_text("a\\x1b[31m"), quote_text("x" * 100)[-6:]
    ("'a\\\\x1b[31m'", 'xxx...')
    """
    return repr(text) if len(text) <= 60 else repr(text[:60])[:-1] + "..."


def count_noun(number: int, noun: str) -> str:
    """A number of things.

    >>> count_noun(1, "tool"), count_noun(2, "tool"), count_noun(2, "loss")
    ('1 tool', '2 tools', '2 losses')
    """
    if number == 1:
        return f"{number} {noun}"
    plural = f"{noun}es" if noun.endswith("s") else f"{noun}s"
    return f"{number} {plural}"


def suggestion(unknown: Any, names: Iterable[str], otherwise: str | None = None, mark: str = '"') -> str | None:
    """A hint at the name that is most like an unknown one.

    Args:
        unknown: what was given; what is no text, or a very long one, is like no name.
        names: those that are known.
        otherwise: the hint where none of them is like it.
        mark: what stands around the name.

    >>> suggestion("atff", ["atdf", "mcp"]), suggestion("x", ["atdf", "mcp"], "known are atdf, mcp")
    ('did you mean "atdf"?', 'known are atdf, mcp')
    >>> suggestion("title", ["estimate"]) is None
    True
    """
    if not isinstance(unknown, str) or len(unknown) > _LONGEST_NAME:
        return otherwise
    nearest = most_similar(unknown, names)
    if nearest is None:
        return otherwise
    return f"did you mean {mark}{nearest}{mark}?"


def with_original_name(words: str | None, name: str, new_name: str) -> str | None:
    """A description that says what is called otherwise now, where nobody could read the old name in the new one.

    >>> with_original_name("Ask.", "查询", "___a1b2c3d4"), with_original_name("Ask.", "ask it", "ask_it")
    ('查询: Ask.', 'Ask.')
    """
    if name.isascii() or name == new_name or name in (words or ""):
        return words
    return f"{name}: {words}" if words else name
