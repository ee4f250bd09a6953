"""Exit codes, and what they mean."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """What a run ends with; over several sources the highest counts."""

    DONE = 0
    NO = 1
    FAILED = 2


MEANINGS = {
    Exit.DONE: "done",
    Exit.NO: "the answer is no: `check` found errors, `--fail-on` found what it names, `--lossless` could not keep "
    "something, `migrate --check` would change a file, `migrate` left a file because a fact is missing, `catalog` left "
    "out tools that it cannot tell apart, `catalog --check` found a catalogue out of date, `discover` left out what is "
    "about another program, `diff --check-versions` found a version too low, `pull --check` found another offer, "
    "`run` gave no result, or the client of `lsp` went without a word",
    Exit.FAILED: "it could not be done: wrong usage, or a source that is unreadable, malformed or of no known format",
}
