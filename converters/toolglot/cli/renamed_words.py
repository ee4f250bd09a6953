"""Words of the command line from before the first release: those that are called otherwise, and those that are gone.

A renamed option is still understood; one that is gone is refused with what does the same. `docs/reference/renamed.tsv`
is made of these tables. A word that means something else elsewhere is no word of `--help`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from toolglot.errors import UsageError

RENAMED: Mapping[str, Mapping[str, str]] = {
    "catalog": {"--merge": "--as-program"},
    "check": {
        "--confirm": "--confirm-assumed",
        "--profile": "--require",
        "--strict": "--fail-on=warning",
        "--warnings-as-errors": "--fail-on=warning",
    },
    "diff": {"--check": "--check-versions"},
    "migrate": {"--kinds": "--kind"},
    "pull": {"--lock": "--pin", "--check --lock": "--check"},
    "run": {"--strict": "--require-stated"},
}
"""Command -> earlier option -> the option that it is now; `--check` of `pull` takes the file that `--lock` took."""

REMOVED: Mapping[str, Mapping[str, str]] = {
    "": {
        "--include": "`--extend-exclude '!PATTERN'`, which leaves in what --exclude leaves out",
    },
    "argv": dict.fromkeys(
        ("--exclude", "--extend-exclude", "--gitignore", "--no-gitignore", "--stdin-filename"),
        "one document; `toolglot convert --to hub` puts several together",
    ),
    "check": {
        "--explain": "`toolglot rule CODE`",
        "--base-url": "`--format sarif`, which has the page of each rule",
        "--restore": "`toolglot convert --restore`, and check what it writes",
    },
    "convert": dict.fromkeys(("--provided-by", "--source"), '`--assert FILE` with {"*": {"source": "WORD"}}'),
    "discover": {
        "--catalog": "`--to hub -o FILE`, and `toolglot catalog FILE`",
        "--registry-format": "`--format registry`",
    },
    "migrate": {
        "--restore": "`toolglot convert --restore`, which takes back what --lossless kept",
    },
    "prompt": {
        "--restore": "`toolglot convert --restore --to hub -o FILE`, and give that file",
    },
    "pull": {
        "--to": "`toolglot convert - --to FORMAT` behind a pipe",
        "--lossless": "`toolglot convert - --to FORMAT --lossless` behind a pipe",
        "--report": "`toolglot convert - --to FORMAT --report FILE` behind a pipe",
    },
    "rule": {
        "--all": "`toolglot rule --format json`, which has all of them",
    },
}
"""Command, or nothing for all that had it -> option that is gone -> what does the same."""


def split_words(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """The arguments in which an option may stand, and those from `--` on."""
    words = list(arguments)
    end = words.index("--") if "--" in words else len(words)
    return words[:end], words[end:]


def earlier_words(command: str | None, arguments: Sequence[str]) -> dict[str, str]:
    """The earlier options among the arguments of a command, and what each is called now.

    >>> earlier_words("pull", ["--lock=a.json"])
    {'--lock': '--pin'}
    """
    renamed = RENAMED.get(command or "", {})
    return {option: renamed[option] for option in _options_in(arguments) if option in renamed}


def _options_in(arguments: Sequence[str]) -> list[str]:
    """The words in which an option may stand, without a value that `=` joins to it."""
    return [word.partition("=")[0] for word in split_words(arguments)[0]]


def refuse_removed_words(command: str | None, arguments: Sequence[str]) -> None:
    """Refuse an option that is gone.

    Raises:
        UsageError: there is one; the message says what does the same.

    >>> refuse_removed_words("check", ["--explain=html-comment"])
    Traceback (most recent call last):
    toolglot.errors.UsageError: --explain is gone; use `toolglot rule CODE` [bad-option]
    """
    removed = {**REMOVED[""], **REMOVED.get(command or "", {})}
    for option in _options_in(arguments):
        if option in removed:
            raise UsageError(f"{option} is gone; use {removed[option]}", "bad-option")


def with_new_words(command: str | None, arguments: Sequence[str]) -> list[str]:
    """The arguments of a command with its options as they are called now.

    >>> with_new_words("diff", ["a", "b", "--check", "--", "--check"])
    ['a', 'b', '--check-versions', '--', '--check']
    >>> with_new_words("pull", ["--lock", "a.json", "--check", "--", "server"])
    ['--check', 'a.json', '--', 'server']
    >>> with_new_words("migrate", [".", "--kinds=*.md=cli"])
    ['.', '--kind=*.md=cli']
    """
    own, rest = split_words(arguments)
    renamed = RENAMED.get(command or "", {})
    if "--check --lock" in renamed and {"--check", "--lock"} <= {*own}:
        own.remove("--check")
        own[own.index("--lock")] = "--check"
    for index, word in enumerate(own):
        option, equals, value = word.partition("=")
        own[index] = renamed.get(option, option) + equals + value
    return own + rest
