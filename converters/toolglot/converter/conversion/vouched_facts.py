"""Facts that a person asserts about tools, because only the owner of a server or a host can know them.

A file maps patterns to the facts of the tools that they match:

    {"github/*": {"source": "mcp", "trusted-hints": true}, "github/delete_*": {"safety-tier": "write"}}

The part of a pattern before the last `/` is compared with the namespace, the rest with the id. A pattern without `/` is
about tools without a namespace: an assertion about `search` is none about the `search` of every server. The separator
is one that ids cannot have, so that a tool called `github.wipe` cannot pass for one of the server github. Of several
patterns that match, the last wins. The person who runs toolglot names the file; no repository can assert facts about
itself.

A lock of pulled servers may have such assertions too, each with the digest of the text that it holds for:

    {"toolglot-lock": 1, "toolglot-vouched": {"github/search": {"trusted-hints": true, "sha256": "0f5e..."}}}

No assertion takes back a danger that the source states.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase, translate
from functools import lru_cache
from typing import Any

import msgspec

from toolglot.converter import formats, safety
from toolglot.converter.conversion import report_wording
from toolglot.converter.formats import Record
from toolglot.converter.hub.model import JsonObject, Leaf, Tool
from toolglot.converter.hub.model import to_json as hub_to_json
from toolglot.converter.hub.trees import with_fields
from toolglot.converter.safety.inheritance import leaves_of
from toolglot.converter.schema import canonical
from toolglot.converter.text import document_reader
from toolglot.converter.text.digests import hex_digest
from toolglot.converter.text.pointers import as_mapping, is_texts, list_at, mapping_at, pointer_below
from toolglot.converter.text.wording import suggestion, to_short_json
from toolglot.errors import UsageError

LOCK_MARK = "toolglot-lock"
"""The key that every lock of pulled servers begins with."""
VOUCHED_KEY = "toolglot-vouched"
"""The key under which a lock holds what a person vouches for."""

_HUB_SCHEMA = "hub/1"
FACTS = {"source": "source", "safety-tier": "safety_tier"}  # key of the file -> field of the hub
_SCOPE, _HINTS, _DIGEST = "scope", "trusted-hints", "sha256"


class Assertion(msgspec.Struct, frozen=True):
    """What is asserted of the tools that a pattern matches.

    Attributes:
        facts: hub field -> value.
        scope: the beginning of the ids; `None`: not asserted.
        hints: names of the claims of the tools' own format that are believed; `None`: all.
        digest: digest of the only text that the assertion holds for; `None`: any text.
    """

    pattern: str
    facts: Mapping[str, Any]
    scope: str | None = None
    hints: tuple[str, ...] | None = ()
    digest: str | None = None


class Refusal(msgspec.Struct, frozen=True):
    """An asserted fact that does not count, and the reason in words."""

    value: Any
    reason: str


class Vouched(msgspec.Struct, frozen=True):
    """What a person asserts about one tool.

    Attributes:
        facts: hub field -> value.
        refused: hub field -> an assertion that does not count: it would take back a danger, or is about another text.
        scope: the beginning of the id; `None`: not asserted.
    """

    facts: JsonObject
    refused: dict[str, Refusal]
    scope: str | None = None


def trust_in_methods() -> Assertion:
    """The assertion, for the tools of every namespace, that servers keep to the meaning of HTTP methods.

    >>> sorted(trust_in_methods().hints)
    ['idempotent-method', 'safe-method']
    """
    claims = [item for each in formats.every() for item in each.claims.items()]
    return Assertion("*/*", {}, hints=tuple(dict.fromkeys(name for name, claim in claims if claim.is_method)))


def digest_of_text(data: Mapping[str, Any]) -> str:
    """The digest of the text of one tool: of its whole record, whatever the order of its keys.

    >>> digest_of_text({"name": "a", "title": "b"}) == digest_of_text({"title": "b", "name": "a"})
    True
    """
    return hex_digest(json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":")))


def find_assertions(assertions: Sequence[Assertion], namespace: str | None, path: Iterable[str]) -> list[Assertion]:
    """The assertions about the tool with this namespace and path.

    >>> vouched = [Assertion("github/*", {})]
    >>> len(find_assertions(vouched, "github", ("search",))), len(find_assertions(vouched, None, ("github/search",)))
    (1, 0)
    """
    name = ".".join(filter(None, path))
    tests = _compile_patterns(tuple([assertion.pattern for assertion in assertions]), namespace or "")
    return [assertions[index] for index, matches in tests if matches(name)]


@lru_cache(maxsize=256)
def _compile_patterns(patterns: tuple[str, ...], namespace: str) -> list[tuple[int, Callable[[str], Any]]]:
    """The patterns that match a namespace: index of the assertion, and a test of ids.

    They are kept, because otherwise every tool would be compared with every pattern anew: with a thousand patterns and
    four thousand tools that takes ten seconds.
    """
    tests: list[tuple[int, Callable[[str], Any]]] = []
    for index, pattern in enumerate(patterns):
        namespace_pattern, _, name_pattern = pattern.rpartition("/")
        if fnmatchcase(namespace, namespace_pattern):
            tests.append((index, re.compile(translate(name_pattern)).match))
    return tests


def vouched_of(leaf: Leaf, assertions: Sequence[Assertion], record: Record | None) -> Vouched:
    """What a person asserts about a callable node.

    Args:
        record: the record that it was read from; `None` if unknown. Then assertions about one text do not count.
    """
    if not assertions:
        return _NOTHING_VOUCHED
    # Field -> what is stated together with it, and why that does not count.
    statements: dict[str, tuple[Mapping[str, Any], str | None]] = {}
    scope: str | None = None
    for assertion in find_assertions(assertions, leaf.tool.namespace, leaf.path):
        is_of_text = _is_of_text(assertion, record)
        for facts in _statements_of(leaf, assertion):
            reason = _reason_against(leaf.tool, facts) if is_of_text else report_wording.OTHER_TEXT
            statements.update(dict.fromkeys(facts, (facts, reason)))
        if is_of_text:
            scope = assertion.scope or scope
    vouched = Vouched({}, {}, scope)
    for field, (facts, reason) in statements.items():
        if reason is None:
            vouched.facts[field] = facts[field]
        else:
            vouched.refused[field] = Refusal(facts[field], reason)
    return vouched


_NOTHING_VOUCHED = Vouched({}, {})


def _is_of_text(assertion: Assertion, record: Record | None) -> bool:
    """Whether an assertion holds for the text of a record."""
    if assertion.digest is None:
        return True
    return record is not None and digest_of_text(record.data) == assertion.digest


def with_assertions(tool: Tool, assertions: Sequence[Assertion], record: Record | None = None) -> Tool:
    """The tool with the asserted facts; `record` as in `vouched_of`.

    >>> from toolglot.converter.hub.model import Tool
    >>> with_assertions(Tool(id="ls"), [Assertion("ls", {"safety_tier": "read"})]).safety_tier
    'read'
    >>> with_assertions(Tool(id="ls", destructive=True), [Assertion("ls", {"safety_tier": "read"})]).safety_tier
    """
    if not assertions:
        return tool
    return with_fields(tool, {leaf.pointer: vouched_of(leaf, assertions, record).facts for leaf in leaves_of(tool)})


def _statements_of(leaf: Leaf, assertion: Assertion) -> Iterator[Mapping[str, Any]]:
    """The facts of an assertion about a tool: those of each claim that it believes, and its own."""
    origin = formats.find(leaf.tool.origin)
    if assertion.hints != () and origin is not None:
        for name, facts in origin.claims_of(leaf.tool).items():
            if assertion.hints is None or name in assertion.hints:
                yield facts
    for field, value in assertion.facts.items():
        yield {field: value}


def _reason_against(tool: Tool, facts: Mapping[str, Any]) -> str | None:
    """The reason why these facts do not count: one would take back a danger; `None` where none does."""
    for field, value in facts.items():
        denied = safety.denied_dangers(tool, field, value)
        if denied:
            return report_wording.STATED_DANGER.format(_name_danger(tool, denied))
    return None


def _name_danger(tool: Tool, facets: Collection[str]) -> str:
    """The statement of a tool about one of these facets, in the words that people find in it."""
    if not safety.is_action_known(tool):
        return report_wording.UNKNOWN_ACTION
    for name, value in safety.stated_facts(tool, safety.FIELDS_OF_DANGER).items():
        levels = safety.levels_of(name, value)
        if any(levels.get(facet, safety.SAFE) > safety.UNKNOWN_LEVELS[facet] for facet in facets):
            return f"{name}: {to_short_json(hub_to_json(value))}"
    warnings = dict.fromkeys((*(tool.flags or ()), *safety.text_warnings(tool)))
    words = [safety.WORDS[name].words for name in warnings if not safety.WORDS[name].levels.keys().isdisjoint(facets)]
    return words[0] if words else report_wording.UNREADABLE_DANGER


def parse_assertions(document: document_reader.Document) -> tuple[Assertion, ...]:
    """The assertions in a file.

    Raises:
        UsageError: the file is not of this form; code `"bad-assertion"`.

    >>> parse_assertions(document_reader.from_data({"fs/*": {"safety-tier": "read"}}))[0].facts
    {'safety_tier': 'read'}
    """
    try:
        return tuple(_parse_data(document.data))
    except UsageError as error:
        document_reader.locate_error(document, error).pointer = ""  # the line and the column say as much
        raise


def _parse_data(data: Any) -> list[Assertion]:
    is_lock = isinstance(data, dict) and LOCK_MARK in data
    place = f"/{VOUCHED_KEY}" if is_lock else ""
    statements = data.get(VOUCHED_KEY, {}) if is_lock else data
    if not isinstance(statements, dict):
        message = "assertions are an object: patterns, and what holds for the tools that they match"
        raise UsageError(message, "bad-assertion", place)
    assertions = [
        _parse_assertion(pointer_below(place, pattern), pattern, item) for pattern, item in statements.items()
    ]
    for assertion in assertions:
        if is_lock and assertion.digest is None:
            message = f"a lock vouches for one text: give its `{_DIGEST}`"
            hint = _describe_pinned(data, assertion.pattern)
            raise UsageError(message, "bad-assertion", pointer_below(place, assertion.pattern), hint=hint)
    return assertions


def _describe_pinned(lock: JsonObject, pattern: str) -> str:
    """What a person has to know about a pinned tool to write an assertion about it into the lock."""
    server, _, name = pattern.rpartition("/")
    for tool in list_at(mapping_at(mapping_at(lock, "tools"), server), "tools"):
        if as_mapping(tool).get("name") == name:
            return f"of the text that is pinned now it is {digest_of_text(tool)}"
    return "the lock has no such tool"


def _parse_assertion(place: str, pattern: str, statement: Any) -> Assertion:
    if not isinstance(statement, dict):
        message = f"what holds for a pattern is an object with {', '.join(_KINDS)}"
        raise UsageError(message, "bad-assertion", place)
    for key, value in statement.items():
        here = pointer_below(place, key)
        if key not in _KINDS:
            raise _unknown_word_error(here, key, list(_KINDS))
        expected = _KINDS[key](value)
        if expected is not None:
            message = f"`{key}` is {expected}, not {to_short_json(value)}"
            raise UsageError(message, "bad-assertion", here)
    hints = _parse_hints(statement.get(_HINTS, False))
    hint_names = _names_of_hints()
    for index, name in enumerate(hints or ()):
        if name not in hint_names:
            raise _unknown_word_error(f"{place}/{_HINTS}/{index}", name, hint_names)
    facts = {field: statement[key] for key, field in FACTS.items() if key in statement}
    return Assertion(pattern, facts, statement.get(_SCOPE), hints, statement.get(_DIGEST))


def to_json(assertion: Assertion, digest: str) -> JsonObject:
    """An assertion in the form that a lock has, for the text with this digest.

    >>> to_json(Assertion("fs/*", {"safety_tier": "read"}, hints=None), "0f5e")
    {'safety-tier': 'read', 'trusted-hints': True, 'sha256': '0f5e'}
    """
    statement = {key: assertion.facts[field] for key, field in FACTS.items() if field in assertion.facts}
    if assertion.scope is not None:
        statement[_SCOPE] = assertion.scope
    if assertion.hints != ():
        statement[_HINTS] = True if assertion.hints is None else list(assertion.hints)
    return {**statement, _DIGEST: digest}


def _names_of_hints() -> list[str]:
    """The names of the hints of all formats, each once."""
    return list(dict.fromkeys(name for each in formats.every() for name in each.claims))


def _parse_hints(value: bool | list[str]) -> tuple[str, ...] | None:
    """The believed hints in the form of `Assertion.hints`."""
    if value is True:
        return None
    return tuple(value or ())


def scope_fault(value: Any) -> str | None:
    """The form that a scope needs, in words; `None` where it has it. An id must not read as a path, or as another id.

    >>> scope_fault("acme.host"), scope_fault("../x")
    (None, 'a text of letters, digits, ., - and _ that begins with a letter or a digit')
    """
    if isinstance(value, str) and re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", value):
        return None
    return "a text of letters, digits, ., - and _ that begins with a letter or a digit"


def words_of_field(field: str) -> list[str]:
    """The words that a hub field may have as its value."""
    return list(canonical.load(_HUB_SCHEMA)["properties"][field]["enum"])


def _word(field: str, value: Any) -> str | None:
    words = words_of_field(field)
    if value in words:
        return None
    return f"one of {', '.join(words)}"


def _fault_of_names(value: Any) -> str | None:
    if isinstance(value, bool) or is_texts(value):
        return None
    return "true, false, or a list of the names of hints"


# What is wrong with the value of a key, in words; `None` where nothing is.
_KINDS: Mapping[str, Callable[[Any], str | None]] = {
    "source": lambda value: _word("source", value),
    "safety-tier": lambda value: _word("safety_tier", value),
    _SCOPE: scope_fault,
    _HINTS: _fault_of_names,
    _DIGEST: lambda value: None if isinstance(value, str) else "a text",
}


def _unknown_word_error(pointer: str, word: str, names: list[str]) -> UsageError:
    message = f"{to_short_json(word)} is none of {', '.join(names)}"
    return UsageError(message, "bad-assertion", pointer, hint=suggestion(word, names))
