"""The repository that a path lies in, and links that lead out of it."""

from __future__ import annotations

import os

from toolglot.converter.files.names import below, folders_upward, printable_path
from toolglot.errors import UsageError


def repository(folder: str) -> str | None:
    """The nearest folder at or above `folder` that holds a `.git`, without links."""
    for here in folders_upward(os.path.realpath(folder)):
        if os.path.lexists(os.path.join(here, ".git")):
            return here
    return None


def refuse_link_out_of_repository(path: str) -> None:
    """Make sure that no link on the way to a result stands in a repository and leads out of it.

    It may have come with the repository, and lead to any file or folder of the user.

    Raises:
        UsageError: one does; code `"outside-folder"`.
    """
    link = os.path.join(os.getcwd(), path)
    while (folder := os.path.dirname(link)) != link:
        if os.path.islink(link):
            top = repository(folder)
            target = os.path.realpath(link)
            if top is not None and below(target, top) is None:
                message = (
                    f"a link in the repository leads out of it; nothing was written; name {printable_path(target)}"
                )
                raise UsageError(message, "outside-folder", source=path)
        link = folder
