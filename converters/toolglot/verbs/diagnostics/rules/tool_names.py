"""Names of tools that stand for two, or for something else than they say."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence

from toolglot.converter.formats.kit.rule import Hit, Rule, SetHits, Subject, declare_rules
from toolglot.converter.safety.danger_in_names import DESTROYS, READS, first_word, first_word_said
from toolglot.converter.text.similar_names import letters_of


def alike(
    field: str, key_of: Callable[[Subject], Hashable], *, is_same_name: bool = False
) -> Callable[[Sequence[Subject]], SetHits]:
    """The test for tools that say the same as an earlier one of their set, under another name or under the same.

    Commands may: their groups tell them apart.
    """

    def find(subjects: Sequence[Subject]) -> SetHits:
        first: dict[Hashable, int] = {}
        for index, subject in enumerate(subjects):
            key, name = key_of(subject), subject.own.id
            earlier = first.setdefault(key, index)
            other = subjects[earlier].own.id
            if key and earlier < index and not subject.is_command and (other == name) is is_same_name:
                yield index, Hit({"name": name, "other": other}, field)

    return find


def _find_contradiction(subject: Subject) -> Iterator[Hit]:
    verb = first_word_said(subject.own.description or subject.own.summary or "")
    if first_word(subject.own.id) in READS and verb in DESTROYS:
        yield Hit({"name": first_word(subject.own.id), "verb": verb}, "description")


RULES = (
    *declare_rules(
        "identity",
        "the identities of the formats",
        {
            "same-id": (
                "error",
                "two documents describe one tool, and say different things",
                "Hosts take the two for one: a grant for one holds for both.",
                "Give one of them another id, or another major version.",
            ),
            "untranslated": (
                "warning",
                "a tool lacks a language that was asked for",
                "Readers of that language get another one.",
                "Translate it.",
            ),
        },
    ),
    Rule(
        code="same-name",
        severity="error",
        message="two tools are called {name}",
        why="A model calls a tool by its name; which of the two runs is chance.",
        mend="Rename one.",
        citation="agnix MCP-030",
        bad=[{"id": "add", "description": "Adds numbers."}, {"id": "add", "description": "Adds a contact."}],
        good=[{"id": "add", "description": "Adds numbers."}, {"id": "add_contact", "description": "Adds a contact."}],
        of_set=alike("id", lambda one: (one.own.namespace, one.own.id, one.own.major), is_same_name=True),
    ),
    Rule(
        code="near-name",
        message="{name} and {other} differ only in case or in signs",
        why="Models mix them up, and so do people who grant access to one.",
        mend="Rename one.",
        citation="agnix MCP-030",
        bad=[{"id": "add_note", "description": "Adds a note."}, {"id": "addNote", "description": "Adds a comment."}],
        good=[{"id": "add_note", "description": "Adds a note."}, {"id": "comment", "description": "Adds a comment."}],
        of_set=alike("id", lambda one: (one.own.namespace, letters_of(one.own.id))),
    ),
    Rule(
        code="name-contradicts-text",
        message="the name says that it reads ({name}), and the text begins with {verb}",
        why="Hosts and people grant by the name, models choose by the text.",
        mend="Correct the one that is wrong.",
        bad={"id": "get_note", "description": "Deletes a note."},
        good={"id": "delete_note", "description": "Deletes a note."},
        of_tool=_find_contradiction,
    ),
)
