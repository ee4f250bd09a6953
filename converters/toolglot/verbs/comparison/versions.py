"""Whether a version follows what changed."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from toolglot.verbs.comparison.breaking_changes import BREAKING, BUMP_OF_CLASS, BUMPS, SAFETY

_VERSION = re.compile(
    r"v?([0-9]{1,9})(?:\.([0-9]{1,9}))?(?:\.([0-9]{1,9}))?(?:-([0-9A-Za-z._-]{1,99}))?(?:\+[0-9A-Za-z._+-]{0,99})?\Z",
    re.ASCII,
)

_ALWAYS_SHOWN = (BREAKING, SAFETY)
"""The classes of changes that somebody has to be told of: a check fails where no version can tell them."""


class Verdict(NamedTuple):
    """What a version does, beside what it should do.

    Attributes:
        given: the part that grew: one of `BUMPS`; `lowered` if the version is smaller than before, `unknown` where one
            of the two is missing or not a version.
        follows: whether that is enough. A patch is asked for and not insisted on. Without versions only what is
            breaking or safety-relevant fails, because nothing shows it; where there was a version there has to be one.
            A version before a release lets change what that release may change.
        warning: what a person should know besides, or the empty string.
    """

    given: str
    follows: bool
    warning: str = ""


def judge_version(old: str | None, new: str | None, kind: str | None) -> Verdict:
    """Judge a version.

    Args:
        old, new: versions as they are written, `None` where there is none.
        kind: the gravest class of the changes, one of `CLASSES`; `None` if nothing changed.

    >>> judge_version("1.2.0", "1.3.0", "breaking")
    Verdict(given='minor', follows=False, warning='')
    >>> judge_version("0.2.0", "0.3.0", "breaking").follows, judge_version(None, None, "safety-relevant").follows
    (True, False)
    """
    was, now = _parse_version(old), _parse_version(new)
    if was and not now:
        return Verdict("unknown", False, f"the version was {old}, and there is none now")
    if not (was and now):
        return Verdict("unknown", kind not in _ALWAYS_SHOWN)
    needs = "none" if kind is None else BUMP_OF_CLASS[kind]
    bump = _find_bump(was, now)
    if bump == "lowered":
        return Verdict(bump, False, f"the version went back from {old} to {new}")
    warning = ""
    if was.core[0] == now.core[0] == 0 and needs == "major":
        needs, warning = "minor", "every 0.x is known by the same id@0; callers are not warned"
    release_bump = "none"
    if was.early and now.order > was.order:
        release_bump = _bump_of_release(was)
    return Verdict(bump, _is_enough(bump, needs) or _is_enough(release_bump, needs), warning)


class Parts(NamedTuple):
    """The three numbers of a version, and the words after them if it comes before a release (`rc.1`)."""

    core: tuple[int, int, int]
    early: str

    @property
    def order(self) -> tuple[Any, ...]:
        """Versions in the order of Semantic Versioning 2.0.0, section 11."""
        # Numbers come before words, and shorter numbers before longer ones.
        words = [(0, len(word), word) if word.isdigit() else (1, 0, word) for word in self.early.split(".")]
        return self.core, not self.early, words


def _parse_version(version: str | None) -> Parts | None:
    """A version as numbers, or `None`; one that is shorter ends in zeros.

    >>> _parse_version("1.2"), _parse_version("2.0.0-rc.1"), _parse_version("latest")
    (Parts(core=(1, 2, 0), early=''), Parts(core=(2, 0, 0), early='rc.1'), None)
    """
    match = _VERSION.match((version or "").strip())
    if match is None:
        return None
    major, minor, patch, early = match.groups()
    return Parts((int(major), int(minor or 0), int(patch or 0)), early or "")


def major_of(version: str | None) -> str:
    """The major number that a tool is known by; empty without a version."""
    numbers = _parse_version(version)
    if numbers is None:
        return ""
    return str(numbers.core[0])


def _find_bump(was: Parts, now: Parts) -> str:
    if now.order < was.order:
        return "lowered"
    for bump, before, after in zip(reversed(BUMPS), was.core, now.core, strict=False):
        if after > before:
            return bump
    return "none"


def _bump_of_release(version: Parts) -> str:
    """What the release that a version comes before may change: all if it is a new major."""
    _, minor, patch = version.core
    if patch:
        return "patch"
    if minor:
        return "minor"
    return "major"


def _is_enough(bump: str, needs: str) -> bool:
    return needs in ("none", "patch") or BUMPS.index(bump) >= BUMPS.index(needs)
