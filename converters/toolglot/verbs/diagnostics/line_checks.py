"""JSON Lines, checked line by line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from toolglot.converter.text import document_reader
from toolglot.errors import ReadError
from toolglot.verbs.diagnostics.diagnostic import Diagnostic, from_error
from toolglot.verbs.diagnostics.document_checks import CheckedDocument, check_document
from toolglot.verbs.diagnostics.rule_selection import DEFAULT, RuleSelection


def check_lines(
    lines: Iterable[tuple[int, bytes | ReadError]],
    name: str,
    format_name: str | None,
    *,
    limits: document_reader.Limits = document_reader.DEFAULT_LIMITS,
    selection: RuleSelection = DEFAULT,
    first: int = 0,
) -> Iterator[CheckedDocument]:
    """`check` for numbered JSON Lines, line by line, with one line in memory at a time.

    Args:
        lines: number and text of each line; for a line that cannot be read, the error.
        first: the number of records before them.

    >>> [result.diagnostics[0].line for result in check_lines([(1, b'{"a":'), (3, b"[}")], "a.jsonl", None)]
    [1, 3]
    """
    for index, (number, line) in enumerate(lines, first):
        try:
            if isinstance(line, ReadError):
                raise line
            document = document_reader.load(line, "line.json", limits, number)
            result = check_document(document, format_name, selection=selection)
        except ReadError as error:
            result = CheckedDocument([from_error(error)], was_read=False)
        above = f"/{index}" if result.was_read else ""
        diagnostics = [_of_line(diagnostic, name, number, above) for diagnostic in result.diagnostics]
        identities = tuple(replace(one, place=_of_line(one.place, name, number, above)) for one in result.identities)
        names = [
            replace(one, mentions=tuple((word, _of_line(place, name, number, above)) for word, place in one.mentions))
            for one in result.names
        ]
        yield CheckedDocument(diagnostics, identities, tuple(names), result.was_read)


def _of_line(diagnostic: Diagnostic, name: str, number: int, above: str) -> Diagnostic:
    return replace(diagnostic, source=name, line=number, pointer=above + diagnostic.pointer)
