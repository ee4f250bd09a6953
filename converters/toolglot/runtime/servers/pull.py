"""`pull`: asks servers for their tools, with the consent of whoever names them, and compares these with a lock."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict, Unpack

from toolglot.converter.conversion.options import refuse_unknown_options
from toolglot.converter.conversion.vouched_facts import Assertion
from toolglot.converter.files.names import printable_path
from toolglot.converter.hub.model import Tool
from toolglot.errors import Error, UsageError
from toolglot.option_checks import (
    read_named_texts,
    read_path,
    read_texts,
    refuse,
    require,
    require_flag,
    require_items,
    require_seconds,
)
from toolglot.runtime.servers import pinning
from toolglot.runtime.servers.bounds import LONGEST_SECONDS, bounds_within
from toolglot.runtime.servers.client_configurations import choose_entries, read_client_configuration
from toolglot.runtime.servers.consent import TrustedConfigurations
from toolglot.runtime.servers.lock_comparison import LockComparison, compare_with_lock
from toolglot.runtime.servers.named_servers import UNENCRYPTED, ServerEntry, address_entry, is_url, program_entry
from toolglot.runtime.servers.pinning import pin
from toolglot.runtime.servers.pulled_document import PulledServer, document_of, load_connection, pull_server
from toolglot.runtime.servers.variables import VariableSource, project_folder

if TYPE_CHECKING:
    from toolglot.runtime.servers.server_calls import ServerCalls


class ServerOptions(TypedDict, total=False):
    """The options of `pull`, which says what each does."""

    name: str | None
    servers: Iterable[str]
    yes: bool
    headers: Mapping[str, str] | None
    env: Mapping[str, str] | None
    inputs: Mapping[str, str] | None


class Pulled(NamedTuple):
    """The answers of servers.

    Attributes:
        servers: the servers that answered, each with its `name`, its `tools` as they were sent, and `refused` tools
            that cannot be read.
        problems: the errors of the other servers of a configuration; the `source` of each is the name of the server.
        is_whole: whether a whole configuration was asked, so that no other server belongs into the lock.
    """

    servers: tuple[PulledServer, ...]
    problems: tuple[Error, ...] = ()
    is_whole: bool = False

    @property
    def document(self) -> dict[str, Any]:
        """One document of all servers, each under its name with its origin. Every verb accepts it."""
        return document_of(self.servers)

    @property
    def tools(self) -> list[Tool]:
        """The tools that can be read; the namespace of each is the name of its server."""
        return [tool for server in self.servers for tool in server.reading().tools]

    def pin(
        self, path: str | os.PathLike[str], *, force: bool = False, assertions: Iterable[Assertion] | None = None
    ) -> None:
        """Write the lock, in which servers that were not asked stay as they are.

        Args:
            force: replace another server that is pinned under a name.
            assertions: what you vouch for of the tools as they are now; the lock keeps it until their texts change.

        Raises:
            UsageError: a server did not answer, for half a lock would pass for a whole one (code `lock-not-written`);
                or another server is pinned under a name (`other-server`).
            ReadError: something else is there that is no lock.
            WriteError: the system refuses it.

        Warns:
            UserWarning: what was vouched for in the lock ended, because the text that it was about changed.
        """
        name = read_path("path", path)
        if self.problems:
            raise UsageError("not written, because a server did not answer", "lock-not-written", source=name)
        given = tuple(assertions or ())
        ended = pin(name, self.servers, is_whole=self.is_whole, force=force, assertions=given)
        for pattern in ended:
            warnings.warn(f"what was vouched for {pattern!r} ended with its text", UserWarning, stacklevel=2)

    def compare(self, path: str | os.PathLike[str]) -> LockComparison:
        """The differences from a lock; its `holds` says whether everything is as it was pinned.

        Raises:
            ReadError: the file cannot be read, or is no lock.
        """
        name = read_path("path", path)
        return compare_with_lock(pinning.read_lock(name), self.servers, is_whole=self.is_whole, source=name)


def pull(
    target: str | Sequence[str] | os.PathLike[str],
    *,
    timeout: float | None = None,
    **options: Unpack[ServerOptions],
) -> Pulled:
    """Ask servers of the Model Context Protocol for all their tools.

    What you name here is asked at once. A configuration is code, often somebody else's: what it starts and reaches is
    asked only with `yes`, or where `toolglot pull --yes --trust` was given for exactly this file.

    Args:
        target: the URL of a server as a text, the program that is one and its arguments as a list, or the path of a
            client's configuration as an `os.PathLike`.
        timeout: seconds for each server; 120 without it.
        **options: all may be left out.
            `name`: what the one server is called; without it what it calls itself.
            `servers`: only these of a configuration.
            `yes`: you have looked at the configuration, and agree to what it starts and reaches.
            `headers`: what is sent to the URL with every request.
            `env`: variables that the program is given, beside the handful that every program gets.
            `inputs`: what a configuration asks people for (`${input:ID}`).

    Returns:
        What the servers offer. One of a configuration that fails is among the `problems`, and costs no other its place.

    Raises:
        UsageError: the extra `toolglot[mcp]` is missing (code `missing-extra`), nobody agreed to the configuration
            (`no-consent`), the time is too long (`bad-seconds`), or the arguments do not fit together (`bad-option`).
        ReadError: the one server, or the configuration, cannot be read.

    Warns:
        UserWarning: headers go to another machine by plain http.
    """
    if timeout is not None:
        require_seconds("timeout", timeout, LONGEST_SECONDS)
    named_servers = _named_servers(target, options, "timeout")
    _warn_of_plain_http(named_servers.entries)
    pulled_servers: list[PulledServer] = []
    problems: list[Error] = []
    for entry in named_servers.entries:
        try:
            pulled_servers.append(pull_server(entry, named_servers.values, bounds_within(timeout)))
        except Error as error:
            if entry.configuration is None:
                raise
            error.source = error.source or entry.name
            problems.append(error)
    return Pulled(tuple(pulled_servers), tuple(problems), named_servers.is_whole)


def call_servers(
    target: str | Sequence[str] | os.PathLike[str],
    lock: str | os.PathLike[str],
    **options: Unpack[ServerOptions],
) -> ServerCalls:
    """What carries out the calls of a `Session` with the servers that its tools were pulled from.

    `async with call_servers(...) as run` gives the `runner` of a session that is asked with `handle_async`. A server is
    started or reached when one of its tools is called first, and is called only while it offers what was pinned.

    Args:
        target: as in `pull`.
        lock: the lock with the pinned tools.
        **options: those of `pull`, with the same consent; `name` is the name of the one server in the lock, and may be
            left out where the lock has one server.

    Raises:
        UsageError: as in `pull`; or the lock has several servers, and `name` is missing (`bad-option`).
        ReadError: the configuration or the lock cannot be read.

    Warns:
        UserWarning: headers go to another machine by plain http.
    """
    servers_of_lock = pinning.read_lock(read_path("lock", lock))
    if options.get("name") is None and not isinstance(target, os.PathLike):
        if len(servers_of_lock) != 1:
            raise UsageError(f"give the name of the server; the lock holds {', '.join(servers_of_lock)}", "bad-option")
        options["name"] = next(iter(servers_of_lock))
    named_servers = _named_servers(target, options)
    _warn_of_plain_http(named_servers.entries)
    load_connection()
    from toolglot.runtime.servers.server_calls import ServerCalls  # an extra's

    return ServerCalls(named_servers.entries, named_servers.values, servers_of_lock)


class _NamedServers(NamedTuple):
    """The servers that somebody named and agreed to, and the source of their variables."""

    entries: list[ServerEntry]
    values: VariableSource
    is_whole: bool = False


def _named_servers(
    target: str | Sequence[str] | os.PathLike[str], options: ServerOptions, *parameters: str
) -> _NamedServers:
    """The servers that arguments name.

    Args:
        parameters: the other parameters of the public function.

    Raises:
        UsageError: an option is unknown, a value has another type than its parameter, or they do not fit together.
    """
    refuse_unknown_options(options, ServerOptions.__optional_keys__, parameters)
    if not isinstance(target, str | os.PathLike):
        require_items("target", target, "a URL, a path, or the words of a command")
        for word in target:
            require("a word of a command", word, str, "a text")
    if options.get("name") is not None:
        require("name", options["name"], str, "a text")
    require_flag("yes", options.get("yes"))
    server_names = read_texts("servers", options.get("servers", ()), "github")
    headers = read_named_texts("headers", options.get("headers"))
    env = read_named_texts("env", options.get("env"))
    inputs = read_named_texts("inputs", options.get("inputs"))
    name, is_agreed = options.get("name"), bool(options.get("yes"))
    if isinstance(target, os.PathLike):
        _refuse("is for one server; a configuration has its own", name=name, headers=headers, env=env)
        return _configured_servers(os.fspath(target), server_names, is_agreed, inputs)
    _refuse("is about a configuration", servers=server_names, yes=is_agreed, inputs=inputs)
    if isinstance(target, str):
        message = "a text is a URL; give a command as a list of words, and a configuration as a pathlib.Path"
        refuse((not is_url(target), message))
        _refuse("is for a program", env=env)
        entry = address_entry(target)._replace(headers=headers)
    else:
        refuse((not target, "the command is empty; give the program that is a server"))
        _refuse("is for a URL", headers=headers)
        entry = program_entry(target)._replace(environment=env)
    return _NamedServers([entry._replace(name=name or "")], VariableSource(os.environ))


def _warn_of_plain_http(entries: Iterable[ServerEntry]) -> None:
    """Warn the caller of headers that everybody on the way can read; they mostly are secrets."""
    for entry in entries:
        if entry.sends_unencrypted:
            warnings.warn(f"{entry.line}: {UNENCRYPTED}", UserWarning, stacklevel=3)


def _refuse(reason: str, **options: Any) -> None:
    """Raise `UsageError` for options that would otherwise be passed over."""
    refuse(*((value, f"{name} {reason}") for name, value in options.items()))


def _configured_servers(
    path: str, server_names: tuple[str, ...], is_agreed: bool, inputs: Mapping[str, str]
) -> _NamedServers:
    configuration = read_client_configuration(path)
    entries = choose_entries(configuration, server_names)
    if not (is_agreed or TrustedConfigurations().has(configuration)):
        lines = "; ".join(f"{entry.name} {entry.what_happens}" for entry in entries)
        message = f"nothing was started: {lines}; look at it, then agree with --yes (yes=True)"
        raise UsageError(message, "no-consent", source=printable_path(configuration.path))
    names = {key: f"input:{key}" for key in inputs}  # no environment can have such names
    variables = {names[key]: value for key, value in inputs.items()}
    values = VariableSource({**os.environ, **variables}, names, project_folder(path))
    return _NamedServers(entries, values, is_whole=not server_names)
