"""`toolglot catalog`."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import click

from toolglot.cli import options
from toolglot.cli.exits import Exit
from toolglot.cli.sources import in_utf8, pass_over
from toolglot.cli.terminal import counted, data, say, show
from toolglot.errors import Error, UsageError

if TYPE_CHECKING:
    from toolglot.cataloguing import Entry
    from toolglot.cli.render import Counts
    from toolglot.cli.sources import Asked, Fault
    from toolglot.discovery import Found


@click.command(cls=options.Configured, short_help="Gather the tools of many files in one document.")
@click.argument("path", nargs=-1, required=True, type=click.Path(allow_dash=True))
@click.option(
    "--to",
    required=True,
    type=options.FormatName(written=True),
    metavar="FORMAT[@VERSION]",
    help="The format of the catalogue; `toolglot formats` lists them.",
)
@options.from_format
@click.option(
    "-o", "--output", type=click.Path(allow_dash=True), help="Write to this file; a name in .jsonl means JSON Lines."
)
@click.option(
    "--merge",
    metavar="NAME",
    help="For a format of programs: the name of the program; an id with dots becomes a command of a command.",
)
@click.option(
    "--since",
    type=click.Path(dir_okay=False, exists=True),
    metavar="FILE",
    help="An earlier catalogue of your own: what it says of files that are still the same is taken over unread.",
)
@options.jobs
@options.sources
def catalog(asked: Asked, to: str, output: str | None, merge: str | None, since: str | None, jobs: int | None) -> int:
    """Gather the tools of many files, of any format, in one document.

    PATH is a file, a folder (walked), a glob pattern, or - for stdin. Every tool stands in the catalogue once, in the
    order of ids, with the path and the hash of the file that it comes from. Two files that describe the same tool are
    an error, unless they do so in different languages.
    """
    from toolglot import cataloguing
    from toolglot.cli.output import refuse_foreign
    from toolglot.cli.sources import nothing_found

    output = None if output == "-" else output
    cataloguing.check_target(to, merge)  # this and the next now, not after all the work
    if output is not None:
        if output.lower().endswith(("/", os.sep, ".gz")):
            raise UsageError("a catalogue is one file, and not compressed", "bad-option", source=output)
        refuse_foreign(output, cataloguing.PROVENANCE)
    known = _earlier(since, to, asked)
    entries, total = _gather(asked, to, known, jobs, [path for path in (output, since) if path is not None])
    if not total.files + total.refused:
        raise nothing_found(asked)
    if not entries:
        say("nothing was gathered")
        return total.code
    settled, notes, problems = cataloguing.settle(entries, to)
    for problem in problems:
        say(f"error: {problem}")
    if problems:
        return Exit.FAILED
    as_lines = (output or "").lower().endswith((".jsonl", ".ndjson"))
    catalogue = cataloguing.dump(settled, to, as_lines=as_lines, program=merge)
    total.counts.update(catalogue.counts)
    _put(output, catalogue.text)
    if not asked.quiet:
        for note in notes:
            say(str(note))
        _say(settled, total)
    return total.code


class _Outcome(NamedTuple):
    """What one file gave."""

    path: str
    entries: list[Entry]
    counts: Counts
    fault: Fault | None = None


class _Total:
    def __init__(self) -> None:
        self.counts: Counts = Counter()
        self.files = self.kept = self.refused = self.unparsed = 0
        self.code: int = Exit.DONE

    def add(self, found: _Outcome, asked: Asked) -> None:
        self.counts.update(found.counts)
        if found.fault is None:
            self.files += 1
        elif found.fault.problem is None:
            self.unparsed += found.fault.unparsed
            if asked.verbose or (found.fault.noted and not asked.quiet):
                pass_over(found.path, found.fault.reason)
        else:
            say(str(found.fault.problem))
            self.refused += 1
            self.code = Exit.FAILED


def _earlier(since: str | None, to: str, asked: Asked) -> dict[str, list[Entry]]:
    from pathlib import Path

    from toolglot import cataloguing, reading, text

    if since is None:
        return {}
    limits = text.Limits(max_bytes=max(asked.max_size or 0, 1 << 30))  # it holds many files, and is the user's own
    return cataloguing.earlier(reading.open_document(Path(since), since, limits), to)


def _gather(
    asked: Asked, to: str, known: dict[str, list[Entry]], jobs: int | None, own: Sequence[str]
) -> tuple[list[Entry], _Total]:
    """The entries of all files but the catalogue itself, `own`, which may lie among them."""
    from toolglot.cli.progress import watched
    from toolglot.cli.sources import each, find_all, say_unparsed

    sources = [found for found in find_all(asked) if not any(_is_same_file(found.path, path) for path in own)]
    kept = {found.path: same for found in sources if known and (same := _unchanged(found, asked, known))}
    work = partial(_of_file, asked=asked, to=to)
    with watched(len(sources) - len(kept), asked.quiet) as seen:
        of_files = []
        for of_file in each(work, _none, [found for found in sources if found.path not in kept], asked, jobs):
            of_files.append(of_file)
            seen.one()
    # A file that was taken over unread may say the same as another in another language: read it after all.
    number = Counter(entry.identity for of_file in of_files for entry in of_file.entries)
    number.update(entry.identity for same in kept.values() for entry in same)
    unread = [found for found in sources if any(number[entry.identity] > 1 for entry in kept.get(found.path, ()))]
    of_files += each(work, _none, unread, asked, jobs)
    again = {found.path for found in unread}
    of_files += (_Outcome(path, same, Counter()) for path, same in kept.items() if path not in again)
    total = _Total()
    total.kept = len(kept) - len(unread)
    for of_file in of_files:
        total.add(_not_lost(of_file) if _portable(of_file.path) in known else of_file, asked)
    say_unparsed(total.unparsed, asked)
    return [entry for of_file in of_files for entry in of_file.entries], total


def _is_same_file(path: str, other: str) -> bool:
    return os.path.exists(other) and os.path.exists(path) and os.path.samefile(path, other)


def _unchanged(found: Found, asked: Asked, known: dict[str, list[Entry]]) -> list[Entry] | None:
    """What the earlier catalogue says of a file, where that still holds."""
    from toolglot import cataloguing, text

    same = known.get(_portable(found.path))
    try:
        return same if same and cataloguing.is_same(same, text.read_file(found.path, asked.limits)) else None
    except Error:
        return None  # reading it again says why


def _of_file(found: Found, asked: Asked, to: str) -> _Outcome:
    """One file, in a worker."""
    from toolglot import cataloguing
    from toolglot.cli.sources import open_found

    opened = open_found(found, asked)
    return _Outcome(found.path, *cataloguing.gather(opened.document, opened.format, to, _portable(found.path)))


def _none(found: Found, fault: Fault) -> _Outcome:
    return _Outcome(found.path, [], Counter(), fault)


def _not_lost(of_file: _Outcome) -> _Outcome:
    """What a file gave that held a tool before: a missing comma must not take the tool out of the catalogue unseen."""
    from toolglot.diagnostics import Diagnostic

    if of_file.fault is None or of_file.fault.problem is not None:
        return of_file
    message = f"it held a tool before, and now {of_file.fault.reason}"
    problem = Diagnostic(code="no-tool-any-more", severity="error", message=message, source=of_file.path)
    return of_file._replace(fault=of_file.fault._replace(problem=problem))


def _portable(path: str) -> str:
    """The path as the catalogue names it: from here where it lies below, with `/` on every system."""
    from toolglot import files

    below = os.path.relpath(path) if os.path.isabs(path) and files.is_inside(path, os.curdir) else path
    return in_utf8(below).replace(os.sep, "/")


def _put(output: str | None, text: str) -> None:
    from toolglot import files, temporaries

    if output is None:
        data(text)
    else:
        temporaries.sweep(os.path.dirname(os.path.realpath(output)))
        files.store(output, text.encode("utf-8", "backslashreplace"))


def _say(settled: list[Entry], total: _Total) -> None:
    from toolglot.cli.render import count_lines

    for line in count_lines(total.counts):
        show(line)
    kept = f", {total.kept} of them as before" if total.kept else ""
    refused = f"; {counted(total.refused, 'file')} refused" if total.refused else ""
    say(f"{counted(len(settled), 'tool')} of {counted(total.files, 'file')}{kept}{refused}")
