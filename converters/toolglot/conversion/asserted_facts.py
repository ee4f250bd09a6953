"""What a person vouches for, tool by tool: facts that only the owner of a server or a host can know.

A file maps patterns to what holds for the tools that they match:

    {"github/*": {"source": "mcp", "trusted-hints": true}, "github/delete_*": {"safety-tier": "write"}}

What stands before the last `/` of a pattern is compared with the namespace, the rest with the id; without `/` a pattern
is about tools without a namespace. Who vouches for `search` does not vouch for the `search` of every server, and a tool
that is called `github.wipe` is not one of the server github: with a separator that ids may hold it would pass for one.
Where several match, the later ones win. Nothing here is believed that a repository says about itself: the file is named
by the person who runs toolglot.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from fnmatch import fnmatchcase, translate
from functools import lru_cache
from typing import Any

import msgspec

from toolglot import formats
from toolglot.errors import UsageError
from toolglot.hub.model import Leaf, Tool
from toolglot.hub.trees import with_fields
from toolglot.schema import canonical
from toolglot.text import serialization
from toolglot.text.pointers import escape
from toolglot.text.wording import suggestion, to_short_json

_HUB_SCHEMA = "hub/1"
FACTS = {"source": "source", "safety-tier": "safety_tier"}  # key of the file -> field of the hub
_SCOPE, _HINTS = "scope", "trusted-hints"


class Assertion(msgspec.Struct, frozen=True):
    """What is asserted of the tools that a pattern matches.

    Attributes:
        facts: hub field -> value.
        scope: what their ids begin with; `None` leaves it open.
        hints: the hints of their own format that are believed; `None` stands for all of them.
    """

    pattern: str
    facts: Mapping[str, Any]
    scope: str | None = None
    hints: tuple[str, ...] | None = ()


class Claim(msgspec.Struct, frozen=True):
    """What is asserted of one tool.

    Attributes:
        facts: hub field -> value.
        scope: what its id begins with; `None` leaves it open.
    """

    facts: dict[str, Any]
    scope: str | None


def trust_in_methods() -> Assertion:
    """The assertion that servers keep to what HTTP says of methods, for the tools of every namespace.

    >>> sorted(trust_in_methods().hints)
    ['idempotent-method', 'safe-method']
    """
    names = [name for format_name in formats.names() for name in formats.get(format_name).hints.of_methods]
    return Assertion("*/*", {}, hints=tuple(names))


def find_assertions(assertions: Sequence[Assertion], namespace: str | None, path: Iterable[str]) -> list[Assertion]:
    """Those that speak of the tool of this namespace and path.

    >>> vouched = [Assertion("github/*", {})]
    >>> len(find_assertions(vouched, "github", ("search",))), len(find_assertions(vouched, None, ("github/search",)))
    (1, 0)
    """
    name = ".".join(filter(None, path))
    tests = _compile_patterns(tuple([assertion.pattern for assertion in assertions]), namespace or "")
    return [assertions[index] for index, matches in tests if matches(name)]


@lru_cache(maxsize=256)
def _compile_patterns(patterns: tuple[str, ...], namespace: str) -> list[tuple[int, Callable[[str], Any]]]:
    """The patterns about a namespace, by their index, and what tells whether an id is meant.

    Without them every tool would be compared with every pattern from the start: a thousand patterns and four thousand
    tools take ten seconds like that.
    """
    tests: list[tuple[int, Callable[[str], Any]]] = []
    for index, pattern in enumerate(patterns):
        namespace_pattern, _, name_pattern = pattern.rpartition("/")
        if fnmatchcase(namespace, namespace_pattern):
            tests.append((index, re.compile(translate(name_pattern)).match))
    return tests


def claim_of(leaf: Leaf, assertions: Sequence[Assertion]) -> Claim:
    """What is asserted of a callable node."""
    facts: dict[str, Any] = {}
    scope: str | None = None
    for assertion in find_assertions(assertions, leaf.tool.namespace, leaf.path):
        facts.update({**_facts_of_hints(leaf, assertion.hints), **assertion.facts})
        scope = assertion.scope or scope
    return Claim(facts, scope)


def with_assertions(tool: Tool, assertions: Sequence[Assertion]) -> Tool:
    """The tool with the facts that are asserted of it.

    >>> from toolglot.hub.model import Tool
    >>> with_assertions(Tool(id="ls"), [Assertion("ls", {"safety_tier": "read"})]).safety_tier
    'read'
    """
    if not assertions:
        return tool
    return with_fields(tool, {leaf.pointer: claim_of(leaf, assertions).facts for leaf in tool.leaves()})


def _facts_of_hints(leaf: Leaf, vouched_hints: tuple[str, ...] | None) -> dict[str, Any]:
    """The facts that hints of a tool state once somebody vouches for them."""
    origin = leaf.tool.origin
    if vouched_hints == () or origin not in formats.names():
        return {}
    hints = formats.get(origin).hints.facts(leaf.tool)
    facts: dict[str, Any] = {}
    for name, facts_of_hint in hints.items():
        if vouched_hints is None or name in vouched_hints:
            facts.update(facts_of_hint)
    return facts


def parse_assertions(document: serialization.Document) -> tuple[Assertion, ...]:
    """The assertions in a file.

    Raises:
        UsageError: it says something else; code `"bad-assertion"`.

    >>> parse_assertions(serialization.from_data({"fs/*": {"safety-tier": "read"}}))[0].facts
    {'safety_tier': 'read'}
    """
    if not isinstance(document.data, dict):
        message = "assertions are an object: patterns, and what holds for the tools that they match"
        raise _assertion_error(document, "", message)
    return tuple(_parse_assertion(document, pattern, statement) for pattern, statement in document.data.items())


def _parse_assertion(document: serialization.Document, pattern: str, statement: Any) -> Assertion:
    place = f"/{escape(pattern)}"
    if not isinstance(statement, dict):
        raise _assertion_error(document, place, f"what holds for a pattern is an object with {', '.join(_KINDS)}")
    for key, value in statement.items():
        here = f"{place}/{escape(key)}"
        if key not in _KINDS:
            raise _unknown_word_error(document, here, key, list(_KINDS))
        expected = _KINDS[key](value)
        if expected is not None:
            message = f"`{key}` is {expected}, not {to_short_json(value)}"
            raise _assertion_error(document, here, message)
    hints = _parse_hints(statement.get(_HINTS, False))
    hint_names = _names_of_hints()
    for index, name in enumerate(hints or ()):
        if name not in hint_names:
            raise _unknown_word_error(document, f"{place}/{_HINTS}/{index}", name, hint_names)
    facts = {field: statement[key] for key, field in FACTS.items() if key in statement}
    return Assertion(pattern, facts, statement.get(_SCOPE), hints)


def _names_of_hints() -> list[str]:
    """The names of the hints of all formats, each once."""
    hint_names: dict[str, None] = {}
    for name in formats.names():
        hint_names.update(dict.fromkeys(formats.get(name).hints.names))
    return list(hint_names)


def _parse_hints(value: bool | list[str]) -> tuple[str, ...] | None:
    """The hints that are believed, as `Assertion` has them."""
    if value is True:
        return None
    if value is False:
        return ()
    return tuple(value)


def scope_fault(value: Any) -> str | None:
    """What a scope has to be, in words; `None` where it is one. An id must not read as a path, or as another id.

    >>> scope_fault("acme.host"), scope_fault("../x")
    (None, 'a text of letters, digits, ., - and _ that begins with a letter or a digit')
    """
    if isinstance(value, str) and re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", value):
        return None
    return "a text of letters, digits, ., - and _ that begins with a letter or a digit"


def words_of_field(field: str) -> list[str]:
    """The words that a field of the hub may have."""
    return list(canonical.load(_HUB_SCHEMA)["properties"][field]["enum"])


def _word(field: str, value: Any) -> str | None:
    words = words_of_field(field)
    if value in words:
        return None
    return f"one of {', '.join(words)}"


def _fault_of_names(value: Any) -> str | None:
    is_list = isinstance(value, list) and all(isinstance(item, str) for item in value)
    if isinstance(value, bool) or is_list:
        return None
    return "true, false, or a list of the names of hints"


# What is wrong with the value of a key, in words; `None` where nothing is.
_KINDS = {
    "source": lambda value: _word("source", value),
    "safety-tier": lambda value: _word("safety_tier", value),
    _SCOPE: scope_fault,
    _HINTS: _fault_of_names,
}


def _unknown_word_error(document: serialization.Document, pointer: str, word: str, names: list[str]) -> UsageError:
    message = f"{to_short_json(word)} is none of {', '.join(names)}"
    return _assertion_error(document, pointer, message, suggestion(word, names))


def _assertion_error(
    document: serialization.Document, pointer: str, message: str, hint: str | None = None
) -> UsageError:
    line, column = document.position(pointer) or (None, None)
    return UsageError(message, "bad-assertion", source=document.name, line=line, column=column, hint=hint)
