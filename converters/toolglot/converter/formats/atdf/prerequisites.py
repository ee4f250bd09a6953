"""What a tool needs before it is called, as sentences in a list of conditions, and how they are read back.

    Network access to api.example.
    The secret mail-key.
    Authentication by token, in the environment variable GH_TOKEN.

They are the end of the list. A sentence that would be written in other words is a condition like any other.
The scopes of a tool are the first of its permissions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import takewhile
from typing import Any

import msgspec
from msgspec.structs import replace

from toolglot.converter.hub.model import AuthMethod, Tool
from toolglot.converter.safety import warnings_in
from toolglot.converter.text.pointers import without_empty
from toolglot.regexes import compile_later

_ANY_HOST, _CREDENTIALS = "Network access.", "Valid credentials."
_METHOD_PARTS = {
    "env": "in the environment variable ",
    "config_path": "in the file ",
    "setup": "set up with ",
}


class _Form(msgspec.Struct, frozen=True):
    """How sentences state one hub field.

    Attributes:
        field: the hub field.
        dump: value -> sentence.
        pattern: the pattern of such sentences.
        load: match of the pattern -> value.
    """

    field: str
    dump: Callable[[Any], str]
    pattern: re.Pattern[str]
    load: Callable[[re.Match[str]], Any]


def _pattern(words: str) -> re.Pattern[str]:
    return compile_later(rf"{words}\Z", re.DOTALL)


def _dump_method(method: AuthMethod) -> str:
    parts = [f"Authentication by {method.type}"]
    for field, words in _METHOD_PARTS.items():
        name = getattr(method, field)
        if name:
            parts.append(words + name)
    return ", ".join(parts) + "."


_FORMS = (
    _Form(
        "hosts",
        lambda hosts: _ANY_HOST if hosts == ("*",) else f"Network access to {', '.join(hosts)}.",
        _pattern(r"Network access(?: to (.+))?\."),
        lambda match: tuple(match[1].split(", ")) if match[1] else ("*",),
    ),
    _Form(
        "secrets",
        lambda names: f"The secret{'s' if len(names) > 1 else ''} {', '.join(names)}.",
        _pattern(r"The secrets? (.+)\."),
        lambda match: tuple(match[1].split(", ")),
    ),
    _Form(
        "auth_methods",
        _dump_method,
        _pattern(
            "Authentication by (?P<type>[^,]+)"
            + "".join(f"(?:, {words}(?P<{field}>[^,]+))?" for field, words in _METHOD_PARTS.items())
            + r"\."
        ),
        lambda match: msgspec.convert(match.groupdict(), AuthMethod),
    ),
    _Form("auth_required", lambda required: _CREDENTIALS, _pattern(r"Valid credentials\."), lambda match: True),
    _Form("auth_check", "Authenticated: {}".format, _pattern("Authenticated: (.+)"), lambda match: match[1]),
)
_BY_FIELD = {form.field: form for form in _FORMS}
FIELDS = frozenset({*_BY_FIELD, "scopes"})


def with_needs(tool: Tool) -> Tool:
    """The tool with a condition for each of its needs, after its own conditions.

    >>> with_needs(Tool(id="t", conditions=("It is day.",), hosts=("*",), secrets=("a", "b"))).conditions
    ('It is day.', 'Network access.', 'The secrets a, b.')
    """
    sentences = _sentences(tool)
    if not sentences:
        return tool
    conditions = tool.conditions or ()
    return replace(tool, conditions=(*conditions, *sentences))


def without_needs(conditions: tuple[str, ...]) -> dict[str, Any]:
    """The opposite of `with_needs`: the fields that the last sentences state, and `conditions` with those before.

    >>> without_needs(("It is day.", "Network access to a.example."))
    {'hosts': ('a.example',), 'conditions': ('It is day.',)}
    >>> without_needs(("Network access.", "It is day."))
    {'conditions': ('Network access.', 'It is day.')}
    """
    facts = _facts_at_end(conditions)
    first = len(conditions) - len(facts)
    while facts:
        fields: dict[str, Any] = {}
        for field, fact in facts:
            if field == "auth_methods":
                fact = (*fields.get(field, ()), fact)
            fields[field] = fact
        if _sentences(Tool(id="", **fields)) == list(conditions[first:]):
            if first:
                fields["conditions"] = conditions[:first]
            return fields
        facts.pop(0)  # the first sentence may be one of the tool's own conditions
        first += 1
    return {"conditions": conditions}


_SCOPE = compile_later(r"[A-Za-z0-9][A-Za-z0-9._:/*-]*\Z")


def split_permissions(permissions: tuple[str, ...]) -> dict[str, Any]:
    """The permissions in two parts: scopes, as long as they are names and no warnings, and all after them.

    >>> split_permissions(("mail.send", "The book is yours.", "mail"))
    {'scopes': ('mail.send',), 'permissions': ('The book is yours.', 'mail')}
    """
    scopes = tuple(takewhile(lambda text: _SCOPE.match(text) and not warnings_in(text), permissions))
    if not scopes:
        return {"permissions": permissions}
    fields = {"scopes": scopes, "permissions": permissions[len(scopes) :]}
    return without_empty(fields)


_MOST_SENTENCES = 32  # at the end of the conditions that are looked at


def _facts_at_end(conditions: tuple[str, ...]) -> list[tuple[str, Any]]:
    """The fields and values that the last conditions state, back to the first that has none of the patterns."""
    facts: list[tuple[str, Any]] = []
    for condition in reversed(conditions[-_MOST_SENTENCES:]):
        fact = _parse_sentence(condition)
        if fact is None:
            break
        facts.insert(0, fact)
    return facts


def _sentences(tool: Tool) -> list[str]:
    """The sentences about the needs of a tool."""
    sentences: list[str] = []
    if tool.hosts:
        sentences += _readable_sentences("hosts", [tool.hosts]) or [_ANY_HOST]
    sentences += _sentences_of_credentials(tool)
    if tool.auth_check:
        sentences += _readable_sentences("auth_check", [tool.auth_check])
    return list(dict.fromkeys(sentences))


def _sentences_of_credentials(tool: Tool) -> list[str]:
    methods = tool.auth_methods or ()
    names: set[str] = set()  # of secrets that a method states already, by the name of its variable
    for method in methods:
        if method.env:
            names |= {method.env, method.env.lower().replace("_", "-").strip("-")}
    secrets = tuple(secret for secret in tool.secrets or () if secret not in names)
    sentences: list[str] = []
    if secrets:
        sentences += _readable_sentences("secrets", [secrets])
    sentences += _readable_sentences("auth_methods", methods)
    if not sentences and (tool.auth_required or secrets or methods):
        sentences.append(_CREDENTIALS)
    return sentences


def _readable_sentences(field: str, values: Iterable[Any]) -> list[str]:
    """The sentences of the values, without those from which the value could not be read back."""
    sentences = []
    for value in values:
        sentence = _BY_FIELD[field].dump(value)
        fact = _parse_sentence(sentence)
        if fact and fact[0] == field and _BY_FIELD[field].dump(fact[1]) == sentence:
            sentences.append(sentence)
    return sentences


def _parse_sentence(sentence: str) -> tuple[str, Any] | None:
    """The field and the value that a sentence states; `None` where it has none of the patterns."""
    for form in _FORMS:
        match = form.pattern.match(sentence)
        if match is not None:
            return form.field, form.load(match)
    return None
