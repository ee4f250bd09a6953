"""The principals of a server, by bearer tokens from a file or of one run, and the tools that each may see.

{"tokens": [{"name": "ci", "sha256": "<64 digits>", "tools": ["*.read"], "scopes": ["repo.read"]}]}
"""

from __future__ import annotations

import hmac
import os
import re
import secrets
import stat
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from typing import Annotated, Any, NamedTuple

import msgspec

from toolglot.converter.files.system import OTHERS
from toolglot.converter.text.digests import hex_digest, sha256_of
from toolglot.errors import UsageError
from toolglot.runtime.inventory.fingerprints import is_sha256
from toolglot.runtime.programs.ownership import read_guarded

EVERYTHING = ("*",)

_MOST_TOKENS = 1000
_SHORTEST, _LONGEST = 16, 512  # characters of a token
_TOKEN = re.compile(r"[A-Za-z0-9._~+/-]+=*")  # RFC 6750, section 2.1
_OTHERS_READ = stat.S_IRGRP | stat.S_IROTH


class Principal(NamedTuple):
    """Somebody with a token.

    Attributes:
        digest: SHA-256 of the token, in hexadecimal.
        tools: patterns of the ids that it may see, such as `*:files.*`.
        scopes: the scopes that it has; `None`: all.
    """

    name: str
    digest: str
    tools: tuple[str, ...] = EVERYTHING
    scopes: frozenset[str] | None = frozenset()

    def may_see(self, tool_id: str, scopes: Iterable[str]) -> bool:
        """Whether a tool matches its patterns, and it has all scopes that the tool needs.

        >>> Principal("ci", "", ("mcp:*",), frozenset({"read"})).may_see("mcp:ls", ["read", "write"])
        False
        """
        if not any(fnmatchcase(tool_id, pattern) for pattern in self.tools):
            return False
        return self.scopes is None or self.scopes.issuperset(scopes)


class _TokenEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
    tools: tuple[str, ...]
    token: str | None = None
    sha256: str | None = None
    scopes: tuple[str, ...] = ()


class _TokenFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    tokens: Annotated[tuple[_TokenEntry, ...], msgspec.Meta(max_length=_MOST_TOKENS)]


def read_tokens(path: str | os.PathLike[str]) -> list[Principal]:
    """The principals of a file of tokens.

    Raises:
        ReadError: the file cannot be read, or is neither JSON nor YAML.
        ProgramError: somebody else can write it.
        UsageError: it is no file of tokens (code `"bad-tokens"`), or others can read the tokens in it
            (`"readable-tokens"`).
    """
    name, data = os.fsdecode(path), read_guarded(path)
    principals = parse_tokens(data, name)
    holds_tokens = any("token" in entry for entry in data["tokens"])
    if holds_tokens and os.stat(path).st_mode & _OTHERS_READ & OTHERS:
        message = "others can read the tokens in it; take that away (chmod go-r), or write their sha256 instead"
        raise UsageError(message, "readable-tokens", source=name)
    return principals


def parse_tokens(data: Any, source: str | None = None) -> list[Principal]:
    """The principals in JSON data; errors as in `read_tokens`.

    >>> parse_tokens({"tokens": [{"name": "ci", "token": "short", "tools": ["*"]}]})
    Traceback (most recent call last):
    toolglot.errors.UsageError: 'ci': a token has 16 to 512 letters, digits and -._~+/ [bad-tokens]
    """
    try:
        entries = msgspec.convert(data, _TokenFile).tokens
    except msgspec.ValidationError as error:
        message = f'expected {{"tokens": [{{"name": "...", "sha256": "...", "tools": ["..."]}}]}}: {error}'
        raise UsageError(message, "bad-tokens", source=source) from None
    principals: list[Principal] = []
    for entry in entries:
        fault = _fault_of(entry)
        if fault is not None:
            raise UsageError(f"{entry.name!r}: {fault}", "bad-tokens", source=source)
        digest = entry.sha256 or hex_digest(entry.token or "")
        principals.append(Principal(entry.name, digest, entry.tools, frozenset(entry.scopes)))
    names = {principal.name for principal in principals}
    digests = {principal.digest for principal in principals}
    if min(len(names), len(digests)) < len(principals):
        raise UsageError("two entries have one name, or one token", "bad-tokens", source=source)
    return principals


def _fault_of(entry: _TokenEntry) -> str | None:
    if (entry.token is None) == (entry.sha256 is None):
        return "give a token, or its sha256"
    if entry.sha256 is not None and not is_sha256(entry.sha256):
        return "not a SHA-256 hash of 64 digits in lower case"
    if entry.token is not None and not is_token(entry.token):
        return f"a token has {_SHORTEST} to {_LONGEST} letters, digits and -._~+/"
    return None


def is_token(text: str) -> bool:
    """Whether a text can be a bearer token, and is too long to be guessed by trying."""
    return _SHORTEST <= len(text) <= _LONGEST and _TOKEN.fullmatch(text) is not None


def new_token() -> str:
    """A random token for one run."""
    return secrets.token_urlsafe(24)


def owner(token: str) -> Principal:
    """The principal who started the server and sees every tool. Its name is empty, as none in a file is."""
    return Principal("", hex_digest(token), EVERYTHING, None)


def find_principal(principals: Sequence[Principal], token: bytes) -> Principal | None:
    """The principal with a token. All are compared, so that the time tells nothing about similar tokens."""
    digest = sha256_of(token)
    holder = None
    for principal in principals:
        if hmac.compare_digest(principal.digest, digest):
            holder = principal
    return holder
