"""A server that somebody named, on the command line or in a configuration. Naming it starts nothing."""

from __future__ import annotations

import ipaddress
import re
import shlex
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import NamedTuple
from urllib.parse import urlsplit

from toolglot.converter.text.credentials import public_url
from toolglot.converter.text.digests import sha256_of
from toolglot.converter.text.serialization import dump_json
from toolglot.runtime.servers.variables import PLAIN, variable_names
from toolglot.runtime.servers.visible_commands import without_secrets

PROGRAM, HTTP, EVENTS = "stdio", "streamable-http", "sse"  # transports, as the protocol calls them

UNENCRYPTED = "what is sent there is not encrypted"
"""What is said of an entry that `sends_unencrypted`."""


class ServerEntry(NamedTuple):
    """A server as it was named, with variables that are not filled in.

    Attributes:
        name: its name in the configuration or from the user; empty: the server names itself.
        transport: `PROGRAM`, `HTTP` or `EVENTS`.
        command: the program and its arguments.
        environment: variables of the program with their values; arguments and headers can name them.
        passed_on: names of our variables that the program gets.
        folder: the folder of the program, relative to the project; `None`: the folder of the project.
        url: the address.
        headers: headers for every request.
        header_variables: header -> name of the variable with its value.
        bearer_variable: name of the variable with a token.
        syntax: the syntax of variables, one of those in `variables`.
        configuration: the path of the file that names it.
        ignored_keys: keys that are not read, such as the user's own policy, or what a client would run.
        is_off: whether its user switched it off.
        fault: why it cannot be asked, if that is known already.
    """

    name: str = ""
    transport: str = PROGRAM
    command: tuple[str, ...] = ()
    environment: Mapping[str, str] = {}
    passed_on: tuple[str, ...] = ()
    folder: str | None = None
    url: str = ""
    headers: Mapping[str, str] = {}
    header_variables: Mapping[str, str] = {}
    bearer_variable: str | None = None
    syntax: re.Pattern[str] = PLAIN
    configuration: str | None = None
    ignored_keys: tuple[str, ...] = ()
    is_off: bool = False
    fault: str | None = None

    @property
    def line(self) -> str:
        """What would be started or asked, on one line, without secrets, because lines are kept in logs.

        Variables have only their names, unless they decide what is run. Secrets in the command keep their names.
        """
        if self.transport != PROGRAM:
            names = [*self.headers, *self.header_variables]
            if self.bearer_variable:
                names.append("Authorization")
            return " ".join([public_url(self.url), *(f"(sends {name})" for name in names)])
        words = [f"{name}=${name}" for name in self.passed_on]
        for name, value in self.environment.items():
            visible_value = shlex.quote(value) if _STEERS.fullmatch(name) else "..."
            words.append(f"{name}={visible_value}")
        words.append(without_secrets(shlex.join(map(without_secrets, self.command))))
        if self.folder:
            words.append(f"(in {self.folder})")
        return " ".join(words)

    @property
    def what_happens(self) -> str:
        """What asking the server does, for the person who has to agree."""
        if self.fault is not None:
            return f"is not asked: {self.fault}"
        has_helper = "headersHelper" in self.ignored_keys
        helper = "; its headersHelper is a command and is never run" if has_helper else ""
        verb = "starts" if self.transport == PROGRAM else "reaches"
        return f"{verb} {self.line}{helper}"

    @property
    def sends_unencrypted(self) -> bool:
        """Whether headers, which mostly are secrets, would leave this machine unencrypted."""
        has_headers = bool(self.headers or self.header_variables or self.bearer_variable)
        return has_headers and self.url.lower().startswith("http://") and not is_loopback(_host_of(self.url))

    @property
    def secret_names(self) -> tuple[str, ...]:
        """The names of the variables that the server needs, never their values."""
        texts = (*self.command, self.url, *self.headers.values())
        names = {
            *self.environment,
            *self.passed_on,
            *self.header_variables.values(),
            *variable_names(texts, self.syntax),
        }
        if self.bearer_variable:
            names.add(self.bearer_variable)
        return tuple(sorted(names))

    @property
    def sha256(self) -> str:
        """A hash of what is started or asked, by which a changed configuration is noticed.

        It has only the names of variables and headers, because a short secret could be guessed from its hash.
        """
        data = {
            "transport": self.transport,
            "command": list(self.command),
            "environment": sorted(self.environment),
            "passed-on": list(self.passed_on),
            "folder": self.folder,
            "url": self.url,
            "headers": sorted(self.headers),
            "header-variables": dict(self.header_variables),
            "bearer-variable": self.bearer_variable,
        }
        return sha256_of(dump_json(data).encode())


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches a host.

    >>> [is_loopback(host) for host in ("localhost", "127.0.0.1", "::1", "0.0.0.0", "::", "tools.example")]
    [True, True, True, False, False, False]
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _host_of(url: str) -> str:
    """The host of a URL; empty for a malformed one, which is reported when the server is asked."""
    with suppress(ValueError):
        return urlsplit(url).hostname or ""
    return ""


# Variables by which a program runs other code than its command says.
_STEERS = re.compile(
    r"PATH|ENV|BASH_ENV|SHELL|(LD|DYLD|NODE|PYTHON|PERL|PERL5|RUBY|JAVA|_JAVA|JDK|GIT|NPM_CONFIG|UV|PIP)_?[A-Z0-9_]*",
    re.IGNORECASE,
)


def program_entry(command: Iterable[str]) -> ServerEntry:
    """The server that a command line starts."""
    return ServerEntry(command=tuple(command))


def address_entry(url: str) -> ServerEntry:
    """The server behind a URL.

    >>> address_entry("https://host.example/sse").transport
    'sse'
    """
    return ServerEntry(transport=transport_of(url), url=url)


def is_url(text: str) -> bool:
    """Whether a text is the address of a server, as opposed to a program.

    >>> is_url("HTTPS://host.example/mcp"), is_url("npx")
    (True, False)
    """
    return text.lower().startswith(("http://", "https://"))


def transport_of(url: str) -> str:
    """The transport that a URL suggests: paths of the older transport end in `/sse`."""
    try:
        path = urlsplit(url).path
    except ValueError:  # it is no address, which is said when it is asked
        return HTTP
    return EVENTS if path.rstrip("/").endswith("/sse") else HTTP
