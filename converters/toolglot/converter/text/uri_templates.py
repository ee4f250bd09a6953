"""Values in the parts of an address, as RFC 6570 expands them: text, lists and objects, whole or member by member.

A variable at a time is expanded here, because who writes an address has its variables in several places; the
characters around them are data (`Expansion`), as in the table of the RFC's appendix A.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import quote

from toolglot.converter.text.pointers import keyed_values

ScalarValue: TypeAlias = "str | int | float | bool"
Value: TypeAlias = "ScalarValue | list[ScalarValue] | Mapping[str, ScalarValue]"


class Expansion(NamedTuple):
    """How a variable is written.

    Attributes:
        first: what stands before it.
        separator: what stands between its members, where each is written by itself.
        is_named: whether its name is written.
        empty: what follows a name without a value.
        joiner: what stands between its members, where they are written as one value.
        members_in_brackets: whether members of an object are called `name[key]`, and those inside of them so again.
    """

    first: str = ""
    separator: str = ","
    is_named: bool = False
    empty: str = ""
    joiner: str = ","
    members_in_brackets: bool = False


SIMPLE = Expansion()
LABEL = Expansion(".", ".")
MATRIX = Expansion(";", ";", is_named=True)
QUERY = Expansion("", "&", is_named=True, empty="=")

# The reserved characters that may stay: not what ends or joins the parts of a query (`#`, `&`, `=`, `+`, brackets), nor
# what ends a segment of a path, or the name in it as servers of Java read it (`;`).
RESERVED_IN_QUERY, RESERVED_IN_PATH = ":/?@!$'(),;*", ":@!$&'()*+,="
Encode: TypeAlias = Callable[[str], str]


def encode(text: str, reserved: str = "") -> str:
    """A text with all but unreserved characters, and the reserved ones that stay, as percent-encoded UTF-8.

    >>> encode("Hello World!"), encode("50%"), encode("é"), encode("/foo/bar?a&b", RESERVED_IN_QUERY)
    ('Hello%20World%21', '50%25', '%C3%A9', '/foo/bar?a%26b')
    """
    return quote(text, safe=reserved)


def as_text(value: Any) -> str:
    """A number or a boolean as JSON writes it, a whole number without a fraction; a text as it is.

    >>> as_text(True), as_text(1.5), as_text(1.0), as_text("a")
    ('true', '1.5', '1', 'a')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else repr(value).removesuffix(".0")


def is_nested(value: Any) -> bool:
    """Whether a value has lists or objects inside of it, which the RFC does not write.

    >>> is_nested([1, 2]), is_nested({"a": [1, 2]})
    (False, True)
    """
    return any(isinstance(member, list | Mapping) for _, member in keyed_values(value))


def expand_variable(name: str, value: Value, how: Expansion, explode: bool = False, encoder: Encode = encode) -> str:
    """A variable with a value; nothing where a list or an object has no members.

    >>> keys = {"a": 1, "b": "c d"}
    >>> expand_variable("keys", keys, MATRIX), expand_variable("keys", keys, MATRIX, explode=True)
    (';keys=a,1,b,c%20d', ';a=1;b=c%20d')
    """
    members = value if isinstance(value, list | Mapping) else [value]
    if not members:
        return ""
    if are_in_brackets(members, how):
        parts = [f"{encode(key)}={encoder(as_text(member))}" for key, member in in_brackets(name, members)]
    elif isinstance(members, Mapping) and explode:
        parts = [f"{encoder(key)}={encoder(as_text(member))}" for key, member in members.items()]
    else:
        plain_members = chain(*members.items()) if isinstance(members, Mapping) else members
        texts = [encoder(as_text(member)) for member in plain_members]
        parts = [_name_and_value(name, text, how) for text in (texts if explode else [how.joiner.join(texts)])]
    return how.first + how.separator.join(parts)


def are_in_brackets(value: Any, how: Expansion) -> bool:
    """Whether the members of a value have names of their own, in brackets; a list of plain values needs none."""
    return how.members_in_brackets and (isinstance(value, Mapping) or is_nested(value))


def in_brackets(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """The values inside of an object, each with its name: `a[b]` of a member, `a[b][0]` of the first in a list.

    OpenAPI leaves open how more than one level is written. This is how the servers read it that read any at all.

    >>> list(in_brackets("a", {"b": [1], "c": None}))
    [('a[b][0]', 1)]
    """
    for key, member in keyed_values(value):
        if isinstance(member, list | Mapping):
            yield from in_brackets(f"{name}[{key}]", member)
        elif member is not None:
            yield f"{name}[{key}]", member


def _name_and_value(name: str, value_text: str, how: Expansion) -> str:
    if not how.is_named:
        return value_text
    return f"{encode(name)}={value_text}" if value_text else encode(name) + how.empty
