"""What `serve` was asked for."""

from __future__ import annotations

from typing import Any, NamedTuple

from toolglot.errors import UsageError


class ServeOptions(NamedTuple):
    """What `serve` was asked for, apart from its sources.

    Attributes:
        tokens: the file that says who may ask.
        token_variable: the environment variable with the token that sees everything.
        is_enveloped: whether the list is an object.
        rate: how many requests a second each token may make.
    """

    host: str
    port: int
    tokens: str | None
    token_variable: str | None
    is_enveloped: bool
    rate: float
    assertions_file: str | None
    namespace: str | None
    choice: dict[str, Any]


class ProtocolOptions(NamedTuple):
    """What `serve` was asked for about calls."""

    transport: str
    runs: bool
    allow_list: str | None
    servers: str | None
    lock: str | None
    agrees: bool
    policy: str | None
    root: str | None
    isolation: str
    as_root: bool
    log: str | None

    def check(self) -> None:
        """Raise `UsageError` for options that do not go together."""
        for is_wrong, message in (
            (
                self.runs and not (self.policy and (self.allow_list or self.servers)),
                "--run needs --policy, and --allow-list FILE or --servers FILE",
            ),
            (
                not self.runs and bool(self.allow_list or self.servers or self.policy or self.root or self.as_root),
                "--allow-list, --servers, --policy, --root and --as-root are about --run",
            ),
            (
                (self.servers is None) != (self.lock is None),
                "--servers and --lock go together: only what is pinned is called",
            ),
            (self.agrees and self.servers is None, "--yes is about --servers"),
        ):
            if is_wrong:
                raise UsageError(message, "usage")
