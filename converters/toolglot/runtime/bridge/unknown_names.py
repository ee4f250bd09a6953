"""The error for a name that no tool has, with the name that was most likely meant."""

from __future__ import annotations

from collections.abc import Iterable

from toolglot.converter.text.wording import suggestion
from toolglot.errors import UsageError


def unknown_tool(name: str, names: Iterable[str], otherwise: str | None = None) -> UsageError:
    """The error for a call of a tool that is not offered, with the name that was most likely meant.

    Args:
        names: the offered names.
        otherwise: the hint where no offered name is similar.

    >>> print(unknown_tool("gh_pr_lst", ["gh_pr_list", "gh_pr_merge"]))
    no tool is called 'gh_pr_lst'; did you mean "gh_pr_list"? [unknown-tool]
    """
    hint = suggestion(name[:200], names, otherwise)
    return UsageError(f"no tool is called {name[:100]!r}", code="unknown-tool", hint=hint)
