"""What becomes of comments: they travel with what moves to another file, and a note tells of each that goes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from toolglot.diagnostics.diagnostic import Diagnostic
from toolglot.errors import WriteError
from toolglot.formats import CompanionFile, Record
from toolglot.migration.edit import comments
from toolglot.text import serialization
from toolglot.text.credentials import find_secret

_SHOWN = 120  # characters of a comment in a note


def find_travelling_comments(
    document: serialization.Document,
    record: Record,
    companion: CompanionFile,
    target: serialization.Document,
    pointers_with_comments: Collection[str],
) -> Iterator[tuple[int, list[str]]]:
    """Line numbers in a new file, counted from 0, and the comments that belong above them.

    Args:
        pointers_with_comments: JSON Pointers in the new file, of entries that have their comments already.

    Raises:
        WriteError: a comment holds a secret, which would be copied.
    """
    comments_by_place: dict[str, list[str]] = {}
    for pointer, origin in sorted(companion.origins.items(), key=lambda item: -item[1].count("/")):
        own = comments(document, record.pointer + origin)
        inner: list[str] = []
        for other, lines in comments_by_place.items():
            if other.startswith(f"{origin}/"):
                inner += lines
        # What belongs to an entry also belongs to those around it, and is wanted once.
        fresh = list((Counter(own) - Counter(inner)).elements())
        comments_by_place[origin] = own
        if find_secret(own) is not None:
            message = f"a comment here holds a secret, which would go to {companion.name}; take it out, and renew it"
            raise WriteError(message, code="literal-secret", pointer=record.pointer + origin)
        if fresh and pointer not in pointers_with_comments:
            yield _line_of(target, pointer), fresh


def _line_of(document: serialization.Document, pointer: str) -> int:
    """The line, counted from 0, where the entry at a pointer begins; a block starts below its key."""
    line, column = document.position(pointer) or (2, 1)
    is_below_key = not document.text.split("\n")[line - 1][: column - 1].strip()
    if is_below_key:
        line -= 1
    return max(line - 1, 1)  # below the line that opens the front matter


def note_removed_comments(
    document: serialization.Document, after: Sequence[serialization.Document]
) -> Iterator[Diagnostic]:
    """A note for every comment that stands nowhere any more: what it explained is gone."""
    own = comments(document, "")
    old_only = Counter(own)
    for item in after:
        old_only.subtract(comments(item, ""))
    content = document.text
    line, place, end = 1, 0, 0
    for comment in own:  # in the order of the text, so that no line is counted twice
        before, place = place, content.find(comment, end)
        end = place + len(comment)
        line += content.count("\n", before, place)
        if old_only[comment] <= 0:
            continue
        old_only[comment] -= 1
        if find_secret(comment) is None:
            subject = f"the comment `{comment[:_SHOWN]}`"
        else:
            subject = "a comment that holds a secret"
        yield Diagnostic(
            code="comment-removed",
            severity="warning",
            message=f"{subject} went with what it stood at",
            source=document.name,
            line=line,
            column=place - content.rfind("\n", 0, place),
        )
