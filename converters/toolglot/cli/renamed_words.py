"""Words of the command line that were called otherwise before the first release, and are still understood.

`docs/reference/renamed.tsv` is made of this table. A word that means something else elsewhere is no word of `--help`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

RENAMED: Mapping[str, Mapping[str, str]] = {
    "catalog": {"--merge": "--as-program"},
    "check": {"--confirm": "--confirm-assumed", "--profile": "--require", "--strict": "--warnings-as-errors"},
    "convert": {"--source": "--provided-by"},
    "diff": {"--check": "--check-versions"},
    "pull": {"--lock": "--pin", "--check --lock": "--check"},
    "run": {"--strict": "--require-stated"},
}
"""Command -> earlier option -> the option that it is now; `--check` of `pull` takes the file that `--lock` took."""


def split_words(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """The arguments in which an option may stand, and those from `--` on."""
    words = list(arguments)
    end = words.index("--") if "--" in words else len(words)
    return words[:end], words[end:]


def earlier_words(command: str | None, arguments: Sequence[str]) -> dict[str, str]:
    """The earlier options among the arguments of a command, and what each is called now.

    >>> earlier_words("pull", ["--lock", "a.json"])
    {'--lock': '--pin'}
    """
    renamed = RENAMED.get(command or "", {})
    return {word: renamed[word] for word in split_words(arguments)[0] if word in renamed}


def with_new_words(command: str | None, arguments: Sequence[str]) -> list[str]:
    """The arguments of a command with its options as they are called now.

    >>> with_new_words("diff", ["a", "b", "--check", "--", "--check"])
    ['a', 'b', '--check-versions', '--', '--check']
    >>> with_new_words("pull", ["--lock", "a.json", "--check", "--", "server"])
    ['--check', 'a.json', '--', 'server']
    """
    own, rest = split_words(arguments)
    renamed = RENAMED.get(command or "", {})
    if "--check --lock" in renamed and {"--check", "--lock"} <= {*own}:
        own.remove("--check")
        own[own.index("--lock")] = "--check"
    return [*(renamed.get(word, word) for word in own), *rest]
