"""Ids that a format's pattern allows, made from ids that it does not."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import msgspec

from toolglot.converter.hub.model import Tool
from toolglot.converter.text.digests import hex_digest


class Qualifier(NamedTuple):
    """What is added to the path in an id, to tell equal ids apart: a namespace and a major version."""

    namespace: str | None = None
    major: str | None = None


UNQUALIFIED = Qualifier()
_PLAIN_MAJORS = ("0", "1")


def qualifier_of(tool: Tool) -> Qualifier:
    """The namespace of a tool, and its major version from 2 on.

    An id has both whatever other tools there are, so that it never comes to mean another contract.

    >>> qualifier_of(Tool(id="a", version="1.4.0")).major, qualifier_of(Tool(id="a", version="2.0.0")).major
    (None, '2')
    """
    major = None if tool.major in _PLAIN_MAJORS else tool.major
    return Qualifier(tool.namespace, major)


QualifiedId = tuple[Any, Qualifier]  # an id, and what a reader is told beside it


class Naming(msgspec.Struct, frozen=True):
    """What can be added to the ids of several tools.

    Attributes:
        available: for each tool its namespace and its major version.
        fixed_qualifiers: for each tool what its id always has, whatever the others are called; default: nothing.
    """

    available: Sequence[Qualifier]
    fixed_qualifiers: Sequence[Qualifier] = ()

    @property
    def first(self) -> list[Qualifier]:
        """What each tool takes up before it is compared with the others."""
        return list(self.fixed_qualifiers or [UNQUALIFIED] * len(self.available))

    def apart(self, ids: Iterable[Iterable[QualifiedId]]) -> list[Qualifier]:
        """What each tool takes up so that no two are called the same: what differs among those that would be.

        Args:
            ids: what each tool would be called, several for a program whose commands stand side by side; each with
                what a reader is told beside it, and its name need not take up.

        >>> naming = Naming([Qualifier("x", "1"), Qualifier("y", "1"), Qualifier("x", "1")])
        >>> plain = [[(name, UNQUALIFIED)] for name in ("a", "a", "b")]
        >>> [qualifier.namespace for qualifier in naming.apart(plain)]
        ['x', 'y', None]
        """
        ids_of = [list(qualified_ids) for qualified_ids in ids]
        qualifiers = self.first
        for index, fact in enumerate(Qualifier._fields):
            # By what a reader would know each tool so far.
            keys_of = [
                [(identifier, context[: index + 1], qualifier) for identifier, context in qualified_ids]
                for qualified_ids, qualifier in zip(ids_of, qualifiers, strict=True)
            ]
            values: dict[Any, set[str | None]] = defaultdict(set)
            for keys, available in zip(keys_of, self.available, strict=True):
                for key in keys:
                    values[key].add(available[index])
            for number, keys in enumerate(keys_of):
                if any(len(values[key]) > 1 for key in keys):
                    qualifiers[number] = qualifiers[number]._replace(**{fact: self.available[number][index]})
        return qualifiers


class Name(msgspec.Struct, frozen=True):
    """What an id is made of.

    Attributes:
        path: the ids from the program to the callable node.
        namespace, major: as of a `Qualifier`.
        scope: what the id begins with, for formats whose ids have a scope.
    """

    path: tuple[str, ...]
    namespace: str | None = None
    major: str | None = None
    scope: str | None = None

    @property
    def is_plain(self) -> bool:
        """Whether it is one id and nothing else, so that an acceptable one can stay as it is."""
        return len(self.path) == 1 and self.namespace is None and self.major is None


def qualify(own: str, name: Name, after: str, before: str) -> str:
    """What the path of a name gave, with its namespace ahead and its major version behind, unless it ends so already.

    >>> qualify("search", Name(("search",), "github", "2"), "__", "_v")
    'github__search_v2'
    >>> qualify("mail.archive@2", Name(("mail.archive@2",), None, "2"), ".", "@")
    'mail.archive@2'
    """
    if name.namespace:
        own = f"{name.namespace}{after}{own}"
    if name.major:
        own = f"{own.removesuffix(f'{before}{name.major}')}{before}{name.major}"
    return own


def fit_id(text: str, allowed_characters: str, limit: int, fallback: str = "tool") -> str:
    """`text` with every run of characters outside `allowed_characters` as one `-`, at most `limit` long.

    What is too long is cut and ends in a hash of the whole, so that two long ids stay two ids.

    >>> fit_id("My Tool!", "a-zA-Z0-9_-", 64), fit_id("日本", "a-z0-9-", 64)
    ('My-Tool', 'tool-cf2a')
    """
    identifier = re.sub(f"[^{allowed_characters}]+", "-", text).strip("-")
    if not identifier:
        identifier = f"{fallback}-{hex_digest(text, 4)}"
    if len(identifier) <= limit:
        return identifier
    return f"{identifier[: limit - 9]}-{hex_digest(text, 8)}"


def function_name(own: str, name: Name) -> str:
    """A name in the convention of model providers and their hosts: `github__search`, `search_v2`."""
    return qualify(own, name, "__", "_v")


def words_of_id(identifier: str) -> str:
    """What a tool without a name is called: the words of its id.

    >>> words_of_id("list-notes.all")
    'list notes all'
    """
    return " ".join(re.split(r"[._-]+", identifier)).strip() or identifier


def named_parts(path: Iterable[str]) -> list[str]:
    """The parts of a path that have a name; the bare executable has the empty one.

    >>> named_parts(("hello", ""))
    ['hello']
    """
    return [part for part in path if part]
