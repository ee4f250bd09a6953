"""`serve` as a catalogue: where it is listened for, who may see it, and the files, read again when they change."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from toolglot.cli.commands.catalog_files import GATHERED, catalog_path, exit_code_of
from toolglot.cli.exit_codes import Exit
from toolglot.cli.file_batch import Outcome, Run, refuse_lost
from toolglot.cli.opened_sources import (
    SourceFile,
    find_sources,
    load_assertions,
    no_tools_error,
    open_source,
    search_files,
)
from toolglot.cli.options import SourceRequest, record_of
from toolglot.cli.terminal import print_message, print_messages
from toolglot.converter.conversion.options import assertions_of_every_tool
from toolglot.converter.conversion.pattern_use import Patterns, PatternUse
from toolglot.converter.conversion.selection import EVERYTHING, Choice, choice_of, nothing_chosen_error
from toolglot.converter.text.wording import count_noun
from toolglot.errors import Error, ReadError, UsageError, describe_internal_error
from toolglot.runtime.servers.named_servers import is_loopback
from toolglot.runtime.serving import web_server
from toolglot.runtime.serving.admission import Gate
from toolglot.runtime.serving.catalog.descriptors import FORMAT, descriptors_of
from toolglot.runtime.serving.catalog.routes import make_application
from toolglot.runtime.serving.catalog.visible_tools import CatalogVersion
from toolglot.runtime.serving.principals import Principal, is_token, new_token, owner, read_tokens
from toolglot.runtime.serving.reloading import Reloading, Stamp
from toolglot.verbs import catalogs
from toolglot.verbs.catalogs import CatalogOptions, Entry, FileEntries
from toolglot.verbs.diagnostics.diagnostic import Diagnostic


class ServeOptions(NamedTuple):
    """What `serve` was asked for, apart from its sources.

    Attributes:
        tokens: the file that says who may ask.
        token_variable: the environment variable with the token that sees everything.
        is_enveloped: whether the list is an object.
        rate: how many requests a second each token may make.
        transport: over what calls come, if any do; the fields below are about them.
    """

    host: str
    port: int
    tokens: str | None
    token_variable: str | None
    is_enveloped: bool
    rate: float
    assertions: str | None
    namespace: str | None
    choice: Mapping[str, Any]
    scope: str | None = None
    transport: str | None = None
    runs: bool = False
    allow_list: str | None = None
    servers: str | None = None
    lock: str | None = None
    agrees: bool = False
    policy: str | None = None
    root: str | None = None
    isolation: str = "none"
    as_root: bool = False
    log: str | None = None


def serve_catalog(sources: SourceRequest, **values: Any) -> int:
    """Serve until somebody ends the process; the exit code.

    Args:
        values: the fields of `ServeOptions`, and those of its choice.

    Raises:
        Error: it cannot be served as asked.
    """
    return serve_over_http(sources, record_of(ServeOptions, values, "choice"), make_application)


def serve_over_http(
    sources: SourceRequest, options: ServeOptions, make_app: Callable[[ServedCatalog, Gate], Any], path: str = ""
) -> int:
    """Serve a catalogue until somebody ends the process; people are told where. The exit code.

    Args:
        path: where the application is, for people.

    Raises:
        Error: it cannot be served as asked.
    """
    own, token = _own_principals(options)
    catalog = ServedCatalog(sources, options, own)
    listener = web_server.listen(options.host, options.port)
    if token is not None:
        print_message(f"token of this run: {token}")
    tools = count_noun(len(catalog.current.descriptors), "tool")
    print_message(f"{tools} at {web_server.url_of(listener)}{path} (Ctrl-C ends it)")
    web_server.make_server(make_app(catalog, Gate(options.rate))).run(sockets=[listener])
    return catalog.exit_code


class ServedCatalog(Reloading[CatalogVersion]):
    """The catalogue of the sources, made anew when they or the tokens change.

    Args:
        own: principals beside those of the file of tokens.

    Attributes:
        exit_code: what the command ends with: what `catalog` would, of the same files. It is 2 where a file or a tool
            cannot be read, 1 where tools cannot be told apart or hold a credential.
    """

    def __init__(self, sources: SourceRequest, options: ServeOptions, own: Sequence[Principal]) -> None:
        namespace = options.namespace or "auto"
        scopes = assertions_of_every_tool(options.scope)
        self.exit_code: int = Exit.DONE
        self._sources, self._asked, self._own = sources, options, own
        # Without what a person vouches for, which is read with the files.
        self._options = CatalogOptions(namespace, scopes, choice=choice_of(options.choice), is_for_models=True)
        self._files: dict[str, _ServedFile] = {}
        self._said: set[str] = set()
        self._held: frozenset[tuple[str, str]] = frozenset()
        super().__init__(self._make_version, self._stamp_of_files, _report)

    def _make_version(self) -> CatalogVersion:
        """The catalogue as the files are now; people are told what there is to say of it, and was not the last time.

        Raises:
            Error: as in `_settle`, or the file of tokens cannot be read.
        """
        tokens = self._asked.tokens
        principals = read_tokens(tokens) if tokens else []
        entries, lines = self._settle()
        version = CatalogVersion(
            descriptors_of(entries), [*self._own, *principals], self._asked.is_enveloped, self._options
        )
        lines.update(f"warning: {warning}" for warning in version.warnings())
        print_messages(sorted(lines - self._said))
        self._said = lines
        return version

    def _stamp_of_files(self) -> Stamp:
        """What differs when a file changes, comes or goes, or that of the tokens does, or what a file links to."""
        others = filter(None, (self._asked.assertions, self._asked.tokens))
        paths = [*(file.path for file in search_files(self._sources)), *others]
        links = {place for served_file in self._files.values() for place in served_file.links}
        stamp: dict[str, Hashable] = {place: _stamp_of(place) for place in links}
        stamp[_SOURCES] = tuple((path, _stamp_of(path)) for path in paths)
        return stamp

    def _settle(self) -> tuple[list[Entry], set[str]]:
        """The tools, settled, and what there is to tell. Files that are as they were are not read again.

        Raises:
            Error: a file cannot be read that gave tools before: a missing comma must not take a tool out of the
                catalogue unseen. Or there is no tool, or none that is to be left out by its name.
        """
        assertions = (*self._options.assertions, *load_assertions(self._asked.assertions))
        options = self._options._replace(assertions=assertions)
        notes = self._read_files(options)
        entries: list[Entry] = []
        pattern_use = PatternUse()
        for served_file in self._files.values():
            entries += served_file.content.entries
            notes += served_file.content.notes
            pattern_use.merge(served_file.content.pattern_use)
        if not entries and options.choice != EVERYTHING:
            raise nothing_chosen_error()
        if not self._held:  # later a tool may go
            _refuse_unknown_exclusions(pattern_use, options.choice)
        settled_entries = catalogs.settle(entries, FORMAT, options, held=self._held)
        self._held = frozenset((entry.file, entry.identity) for entry in settled_entries.entries)
        notes += settled_entries.notes
        self.exit_code = max(exit_code_of(notes), Exit.NO if settled_entries.problems else Exit.DONE)
        lines = {f"warning: {warning}" for warning in pattern_use.warnings(options.patterns)}
        lines.update(f"error: {problem}" for problem in settled_entries.problems)
        lines.update(str(note) for note in notes if note.severity == "error" or not self._sources.quiet)
        return list(settled_entries.entries), lines

    def _read_files(self, options: CatalogOptions) -> list[Diagnostic]:
        """Read the files that are not as they were; why some of those that are new cannot be read.

        Raises:
            Error: one cannot be read that gave tools before, or none can.
        """
        files_by_path: dict[str, _ServedFile] = {}
        lost: list[Diagnostic] = []
        unread: list[Diagnostic] = []
        run = Run(self._sources)
        for file, outcome in run.perform(partial(self._gather, options=options), find_sources(self._sources)):
            was_served = file.path in self._files
            if was_served:
                outcome = refuse_lost(outcome)
            if outcome.problem is not None:
                (lost if was_served else unread).append(outcome.problem)
            elif outcome.result is not None:
                files_by_path[file.path] = outcome.result
        if lost or (unread and not files_by_path):
            raise _error_of(lost or unread)
        self._files = files_by_path
        if not files_by_path:
            raise no_tools_error(self._sources)
        return unread

    def _gather(self, file: SourceFile, options: CatalogOptions) -> Outcome[_ServedFile]:
        """What a file gives."""
        stamp = _stamp_of(file.path)
        earlier = self._files.get(file.path)
        if earlier is not None and earlier.is_as_it_was(stamp, options):
            return Outcome(GATHERED, earlier)
        path = catalog_path(file.path)
        file_entries = catalogs.FileEntries(open_source(file).read(), FORMAT, path, options, is_located=True)
        links = {place: _stamp_of(place) for place in file_entries.linked_places}
        return Outcome(GATHERED, _ServedFile(stamp, options, file_entries, links))


def _own_principals(options: ServeOptions) -> tuple[list[Principal], str | None]:
    """Who may ask beside those of the file, and the token that was made for this run, if there is no other.

    Raises:
        UsageError: there is none, and others than this machine would be listened to (code `"no-token"`); or the
            variable is not set (`"unset-variable"`), or holds none (`"bad-token"`).
    """
    if options.token_variable is not None:
        if options.token_variable not in os.environ:
            raise UsageError(f"the environment variable {options.token_variable} is not set; set it", "unset-variable")
        token = os.environ[options.token_variable]
        if not is_token(token):
            message = f"the variable {options.token_variable} holds no token: 16 to 512 letters, digits and -._~+/"
            raise UsageError(message, "bad-token")
        return [owner(token)], None
    if options.tokens is not None:
        return [], None
    if not is_loopback(options.host):
        message = f"whoever reaches {options.host} could ask; say who may, with --tokens or --token-env"
        raise UsageError(message, "no-token")
    token = new_token()
    return [owner(token)], token


def _report(error: Exception) -> None:
    reason = str(error) if isinstance(error, Error) else describe_internal_error(error)
    print_message(f"error: {reason}; what is served stays as it was")


# -- the files ---------------------------------------------------------------------------------------------------------


_Stamp = tuple[int, int, int, int]
"""Of a file: device, number, size and time; another content has another one."""

_SOURCES = ""  # the key of all that is known before anything is read, as no path is


class _ServedFile(NamedTuple):
    """What a file gave, and what that depends on: also what stands in files that it links to, wherever they are."""

    stamp: _Stamp | None
    options: CatalogOptions
    content: FileEntries
    links: dict[str, _Stamp | None]

    def is_as_it_was(self, stamp: _Stamp | None, options: CatalogOptions) -> bool:
        is_same = (self.stamp, self.options) == (stamp, options)
        return is_same and all(_stamp_of(place) == link for place, link in self.links.items())


def _refuse_unknown_exclusions(use: PatternUse, choice: Choice) -> None:
    """Make sure that what is to be left out exists: nobody looks at what is served in its place.

    Raises:
        UsageError: a pattern of `--without` means no tool (code `unknown-tool`).
    """
    warnings = [*use.warnings(Patterns(Choice(without=choice.without)))]
    if warnings:
        raise UsageError(f"nothing is served: {warnings[0]}", "unknown-tool")


def _error_of(problems: Sequence[Diagnostic]) -> ReadError:
    """The first of several, with how many there are: nobody starts a server once for each."""
    first = problems[0]
    hints = [first.hint]
    if len(problems) > 1:
        hints.append(f"{count_noun(len(problems) - 1, 'other file')} cannot be read; toolglot check names all")
    hint = "; ".join(filter(None, hints))
    return ReadError(first.message, first.code, source=first.source, line=first.line, column=first.column, hint=hint)


def _stamp_of(path: str) -> _Stamp | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
