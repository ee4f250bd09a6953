"""The links of a Markdown page, and the anchors that its headings give."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_FENCED = re.compile(r"^(`{3,}).*?^\1$", re.DOTALL | re.MULTILINE)
_CODE = re.compile(r"`[^`\n]*`")
_LINK = re.compile(r"\]\(([^()\s]+)\)")
_HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


class Target(NamedTuple):
    """Where a link of the repository leads: a path, empty for the page itself, and an anchor, empty for its top."""

    path: str
    anchor: str


def targets(page: str) -> Iterator[Target]:
    """The links of a page that lead to files of the repository.

    >>> list(targets("[a](b.md#c) `[x](y)` [d](https://e.example)"))
    [Target(path='b.md', anchor='c')]
    """
    for address in _LINK.findall(_CODE.sub("", _FENCED.sub("", page))):
        if "://" not in address:
            path, _, anchor = address.partition("#")
            yield Target(path, anchor)


def anchors(page: str) -> set[str]:
    """The anchors of the headings of a page.

    >>> anchors("# Six laws")
    {'six-laws'}
    """
    headings = _HEADING.findall(_FENCED.sub("", page))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}
