"""Which programs an organization blocks. Its policy can take a program away, and never make one look safer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fnmatch import translate
from typing import Annotated, Any, NamedTuple

import msgspec

from toolglot.converter.text.pointers import pointer_of
from toolglot.runtime.inventory.file_reader import FileReader

_Patterns = Annotated[list[Annotated[str, msgspec.Meta(max_length=200)]], msgspec.Meta(max_length=10_000)]


class OrganizationPolicy(NamedTuple):
    """Which programs an organization allows, by patterns of their names.

    Attributes:
        approved: the names that may be used; `None` for every name that is not blocked.
        blocked: the names that may not be used, even if they are approved.
        file: the file that says so.
    """

    approved: tuple[str, ...] | None
    blocked: tuple[str, ...]
    file: str

    def find_blocked(self, names: Iterable[str]) -> Iterator[str]:
        """The names of programs that may not be used.

        >>> policy = OrganizationPolicy(("git*",), ("git-rm",), "policy.json")
        >>> list(policy.find_blocked(["git", "git-rm", "rm"]))
        ['git-rm', 'rm']
        """
        blocked = _compile(self.blocked)
        approved = _compile(self.approved or ())
        for name in names:
            is_missing = self.approved is not None and not approved.match(name)
            if is_missing or blocked.match(name):
                yield name


def _compile(patterns: Iterable[str]) -> re.Pattern[str]:
    """All patterns as one expression: 10,000 patterns tried one by one on 20,000 programs would take minutes."""
    return re.compile("|".join(map(translate, patterns)) or r"(?!)")


def read_policy(reader: FileReader, path: str, data: dict[str, Any]) -> Iterator[OrganizationPolicy]:
    """The policy of a file: only its `toolApprovals`; the rest is about running programs, and nothing runs here."""
    rules = data["policy"].get("toolApprovals")
    if rules is None:
        rules = {}
    faults = list(_find_faults(rules))
    for key, expected in faults:
        reader.refuse("bad-setting", f"{key}: expected {expected}", path, pointer_of(["policy", *key.split(".")]))
    approved: tuple[str, ...] | None = None
    blocked: tuple[str, ...] = ("*",)  # where the rules cannot be read, everything is blocked
    if not faults:
        blocked = tuple(rules.get("blocked", ()))
        if rules.get("mode") == "allowlist":
            approved = tuple(rules.get("approved", ()))
    yield OrganizationPolicy(approved, blocked, path)


def _find_faults(rules: Any) -> Iterator[tuple[str, str]]:
    """The keys whose values cannot be read, each with what is expected there."""
    if not isinstance(rules, dict):
        yield "toolApprovals", "an object"
        return
    if rules.get("mode") not in (None, "allowlist", "blocklist"):
        yield "toolApprovals.mode", "allowlist or blocklist"
    for key in ("approved", "blocked"):
        patterns = rules.get(key, [])
        try:
            msgspec.convert(patterns, _Patterns)
        except msgspec.ValidationError:
            yield f"toolApprovals.{key}", "a list of names"
