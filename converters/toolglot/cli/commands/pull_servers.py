"""`pull`: who is asked, with whose consent, and where what they say goes."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from toolglot.cli.destinations import Destination, leaves_earlier, write_results
from toolglot.cli.exit_codes import Exit
from toolglot.cli.file_batch import Outcome, Run, print_unused
from toolglot.cli.opened_sources import SourceFile, load_assertions
from toolglot.cli.options import SourceRequest, describe_failing
from toolglot.cli.reports.diff_report import RENDERERS, summarize, texts_beside
from toolglot.cli.terminal import print_message, print_messages, print_result
from toolglot.converter import formats
from toolglot.converter.conversion.fail_on import FailOn
from toolglot.converter.conversion.pattern_use import Patterns, PatternUse
from toolglot.converter.conversion.vouched_facts import LOCK_MARK
from toolglot.converter.file_search.repositories import refuse_link_out_of_repository
from toolglot.converter.files import existing_targets
from toolglot.converter.files.names import paths_below
from toolglot.converter.text.pointers import as_mapping, mapping_at
from toolglot.converter.text.serialization import dump_json
from toolglot.converter.text.wording import count_noun, join_first
from toolglot.errors import ReadError, UsageError
from toolglot.option_checks import refuse
from toolglot.runtime.servers import pinning
from toolglot.runtime.servers.bounds import Bounds, bounds_within
from toolglot.runtime.servers.client_configurations import Configuration, choose_entries, read_client_configuration
from toolglot.runtime.servers.consent import TrustedConfigurations
from toolglot.runtime.servers.lock_comparison import compare_with_lock
from toolglot.runtime.servers.named_servers import UNENCRYPTED, ServerEntry, address_entry, is_url, program_entry
from toolglot.runtime.servers.pinning import pin
from toolglot.runtime.servers.pulled_document import PROTOCOL, PulledServer, document_of, name_of, pull_server
from toolglot.runtime.servers.variables import VariableSource, project_folder

_CONFIGURATIONS = (".json", ".jsonc", ".toml")
_LONGEST = 120  # characters of a tool's name in a message


class PullOptions(NamedTuple):
    """What `pull` was asked for, as its options are called.

    Attributes:
        target: a URL, or a program and its arguments.
        headers: header -> name of the variable that holds its value.
        inputs: what a configuration asks people for -> name of the variable that holds it.
    """

    target: tuple[str, ...]
    configuration: str | None
    name: str | None
    names: tuple[str, ...]
    yes: bool
    trust: bool
    headers: Mapping[str, str]
    passed_on: tuple[str, ...]
    inputs: Mapping[str, str]
    timeout: float | None
    pin: str | None
    assertions: str | None
    check: str | None
    style: str
    output: str | None
    force: bool
    fail_on: tuple[FailOn, ...]

    @property
    def lock(self) -> str | None:
        """The lock that is written, or compared with."""
        return self.check or self.pin


def pull_servers(request: SourceRequest, **values: Any) -> int:
    """Ask the servers, and write, pin or compare what they offer; the exit code.

    Args:
        values: the fields of `PullOptions`.

    Raises:
        Error: the options do not fit together, or a file of theirs cannot be read or written.
    """
    options = PullOptions(**values)
    _check_options(options)
    run = Run(request)
    if options.configuration is None:
        entries = [_named_server(options)]
    else:
        configuration = read_client_configuration(options.configuration)
        entries = choose_entries(configuration, options.names)
        off_names = [entry.name for entry in configuration.entries if entry.is_off and not options.names]
        if off_names:
            run.tell(f"switched off, and not asked: {join_first(off_names)}; --server NAME asks one")
        if not entries:  # a lock that holds nothing any more would be worse than an error
            raise ReadError("it names no server that is switched on", code="no-server", source=configuration.path)
        if not _has_consent(configuration, entries, run, options):
            return run.exit_code
    servers_of_lock: dict[str, PulledServer] = {}
    if options.lock is not None:  # one that cannot be read is said before servers are asked
        servers_of_lock = pinning.read_lock_if_any(options.lock)
    servers = _ask_all(entries, run, options)
    if options.check:  # tools that cannot be read are pinned too
        if servers:  # if nobody answered, to say that nothing changed would be a lie
            _compare(servers_of_lock, servers, run, options)
        return run.exit_code
    if options.pin is not None and run.exit_code != Exit.DONE:
        print_message(f"error: {options.pin}: not written, because a server did not answer [lock-not-written]")
    elif options.pin is not None:
        _pin(options.pin, servers, run, options)
    if servers and (options.pin is None or options.output):
        _write_tools(servers, run, options)
    if any(server.refused for server in servers):
        run.fail(code=Exit.FAILED)
    return run.exit_code


def _check_options(options: PullOptions) -> None:
    """Raise `UsageError` for options that would be passed over without a word."""
    has_line, has_url = bool(options.target), _is_url(options.target)
    if len(options.target) == 1 and options.target[0].endswith(_CONFIGURATIONS):
        name = options.target[0]
        raise UsageError(f"{name} is no program", "usage", hint=f"did you mean --config {name}?")
    refuse(
        (
            has_line == (options.configuration is not None),
            "name one server (a URL, or -- COMMAND), or give --config FILE",
        ),
        (options.headers and not has_url, "--header is for a URL; a configuration has its own"),
        (options.passed_on and (has_url or not has_line), "--env is for a command on the line"),
        code="usage",
    )
    if options.check is not None:
        is_missing = not os.path.exists(options.check)
        refuse((is_missing, "there is no lock yet; --pin writes it"), code="no-lock", source=options.check)
    elif options.pin is not None:
        refuse_link_out_of_repository(options.pin)
        existing_targets.refuse_foreign(options.pin, LOCK_MARK)  # now, not after all the work
    if options.output is not None and not existing_targets.is_folder(options.output):
        existing_targets.refuse_existing([options.output], options.force)


def _is_url(target: Sequence[str]) -> bool:
    return len(target) == 1 and is_url(target[0])


def _named_server(options: PullOptions) -> ServerEntry:
    """The one server that the command line names."""
    if _is_url(options.target):
        entry = address_entry(options.target[0])._replace(header_variables=options.headers)
    else:
        entry = program_entry(options.target)._replace(passed_on=options.passed_on)
    return entry._replace(name=options.name or "")


# -- consent ----------------------------------------------------------------------------------------------------------


def _has_consent(configuration: Configuration, entries: Sequence[ServerEntry], run: Run, options: PullOptions) -> bool:
    """Whether somebody agreed to what the configuration starts and reaches; it is shown in any case."""
    trusted_configurations = TrustedConfigurations()
    has_agreement = options.yes or trusted_configurations.has(configuration)
    visible_entries = configuration.entries if options.trust else entries  # trust is for the whole file
    if options.trust or not run.request.quiet or not has_agreement:
        for entry in visible_entries:
            print_message(f"{entry.name}: {entry.what_happens}")
            if entry.ignored_keys:
                print_message(f"{entry.name}: not read: {join_first(entry.ignored_keys)}")
    if not has_agreement:
        servers = count_noun(len(entries), "server")
        message = (
            f"error: {configuration.path}: nothing was started; look at the {servers} above, then give --yes "
            "(and --trust, to keep your consent until the file changes) [no-consent]"
        )
        run.fail(message, Exit.FAILED)
    elif options.trust:
        trusted_configurations.add(configuration)
    return has_agreement


# -- asking -----------------------------------------------------------------------------------------------------------


class _ServerSource(SourceFile, frozen=True, kw_only=True):
    """A server among the sources of a run, which calls it by its name."""

    entry: ServerEntry


def _ask(source: _ServerSource, values: VariableSource, bounds: Bounds) -> Outcome[PulledServer]:
    """What one server offers."""
    if source.entry.sends_unencrypted:
        print_message(f"warning: {source.entry.line}: {UNENCRYPTED}")
    return Outcome("asked", pull_server(source.entry, values, bounds))


def _ask_all(entries: Sequence[ServerEntry], run: Run, options: PullOptions) -> list[PulledServer]:
    """What the servers offer, one after the other; one that fails does not stop the rest."""
    bounds = bounds_within(options.timeout)
    folder = os.curdir
    if options.configuration is not None:
        folder = project_folder(options.configuration)
    values = VariableSource(os.environ, options.inputs, folder)
    servers: list[PulledServer] = []
    sources = [
        _ServerSource(name_of(entry), name_of(entry), True, False, request=run.request, entry=entry)
        for entry in entries
    ]
    for server in run.results(partial(_ask, values=values, bounds=bounds), sources):
        servers.append(server)
        for tool, pointer, reason in server.refused:
            name = as_mapping(tool).get("name")
            called = "" if name is None else f" {str(name)[:_LONGEST]!r}"
            print_message(f"{server.name}: the tool{called} at {pointer} cannot be read: {reason.message}")
        info = mapping_at(server.data, "serverInfo")
        words = [word[:_LONGEST] for word in (info.get("name"), info.get("version")) if isinstance(word, str)]
        parts = [count_noun(len(server.tools), "tool"), f"protocol {server.data['protocolVersion']}", " ".join(words)]
        run.tell(f"{server.name}: {', '.join(filter(None, parts))}")
    return servers


# -- what becomes of it -----------------------------------------------------------------------------------------------


def _asks_all(options: PullOptions) -> bool:
    """Whether every server is asked that belongs to the lock."""
    return options.configuration is not None and not options.names


def _pin(lock: str, servers: Sequence[PulledServer], run: Run, options: PullOptions) -> None:
    """Write the lock; servers that were not asked stay in it as they are, unless all were."""
    assertions = load_assertions(options.assertions)
    ended = pin(lock, servers, is_whole=_asks_all(options), force=options.force, assertions=assertions)
    run.tell(f"wrote {lock}")
    for pattern in ended:
        print_message(f"warning: {lock}: what you vouched for {pattern!r} ended with its text")
    patterns, use = Patterns(assertions=assertions), PatternUse()
    for server in servers:
        for tool in server.tools:
            use.add_name(server.name, (tool["name"],), patterns)
    print_unused(use, patterns)


def _compare(
    servers_of_lock: dict[str, PulledServer], servers: Sequence[PulledServer], run: Run, options: PullOptions
) -> None:
    """Print what differs from the lock."""
    comparison = compare_with_lock(servers_of_lock, servers, is_whole=_asks_all(options), source=options.lock)
    shown = RENDERERS[options.style](comparison.difference)
    print_result(shown)
    if options.style == "text":
        print_messages(texts_beside(comparison.texts, shown))
    for finding in comparison.findings:
        if finding.fails or not run.request.quiet:
            print_message(f"{finding.server}: {finding.message}")
    run.tell(summarize(comparison.difference, options.lock or "", "no change of a contract"))
    if comparison.holds:
        return
    failing = comparison.count_failing(options.fail_on)
    if failing and options.fail_on:
        print_message(describe_failing(failing, options.fail_on, effect=""))
    if failing or not options.fail_on:
        run.fail()


def _write_tools(servers: Sequence[PulledServer], run: Run, options: PullOptions) -> None:
    """Write the tools as they are."""
    results: list[Destination] = []
    if options.output is not None and existing_targets.is_folder(options.output):
        suffix = formats.get(PROTOCOL).suffix
        paths = paths_below(options.output, [f"{server.name}{suffix}" for server in servers])
        for path, server in zip(paths, servers, strict=True):
            results.append(Destination(path, dump_json(document_of([server]))))
    elif not leaves_earlier(options.output, run.exit_code):
        results.append(Destination(options.output, dump_json(document_of(servers))))
    run.fail(code=write_results(results, options.force, run.request.verbose))
