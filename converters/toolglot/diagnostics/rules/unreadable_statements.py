"""Rules whose findings are made while a document is read: what it states in a way that nobody can read."""

from __future__ import annotations

from toolglot.formats.kit.rule import declare_rules

_DANGEROUS = "The field counts as dangerous until somebody corrects it, and other readers take it for silence."

RULES = (
    *declare_rules(
        "safety",
        "the rules of safety",
        {
            "unclear-safety": ("error", "a field about safety has a value that nobody can read", _DANGEROUS,
                               "Write one of the values that the format has."),
            "misspelt-key": ("error", "a key looks like one about safety, and is none", _DANGEROUS,
                             "Correct its spelling."),
            "misplaced-key": ("error", "a key about safety stands where it says nothing", _DANGEROUS,
                              "Move it where it belongs."),
        },
    ),
    *declare_rules(
        "identity",
        "the identities of the formats",
        {
            "same-id": ("error", "two documents describe one tool, and say different things",
                        "Hosts take the two for one: a grant for one holds for both.",
                        "Give one of them another id, or another major version."),
            "untranslated": ("warning", "a tool lacks a language that was asked for",
                             "Readers of that language get another one.", "Translate it."),
        },
    ),
    *declare_rules(
        "meaning",
        "the remainder of a lossless conversion",
        {
            "stale-remainder": ("warning", "what a lossless conversion kept does not fit what stands beside it",
                                "Somebody changed one of the two, so that the remainder is not believed.",
                                "Convert again, or take the remainder out."),
        },
    ),
    *declare_rules(
        "suppressions",
        "ruff's RUF100",
        {
            "unused-ignore": ("warning", "a comment ignores what is not found there, or does not exist",
                              "The next finding there would be ignored, though nobody has looked at it.",
                              "Take the comment, or the code in it, out."),
        },
    ),
)  # fmt: skip
