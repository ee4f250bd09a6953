"""Lets requests in by their token, at a limited rate for each principal."""

from __future__ import annotations

import base64
import binascii
import time
from collections.abc import Callable

import msgspec
from starlette.responses import Response
from starlette.types import Scope

from toolglot.runtime.serving import responses
from toolglot.runtime.serving.catalog.visible_tools import CatalogVersion
from toolglot.runtime.serving.principals import Principal, find_principal

_STRANGERS_PER_SECOND = 10.0
"""Requests without a token that are told so; for more, the answer is that they are too many."""

_TOO_MANY = responses.refusal(429, "rate_limited", "too many requests; wait a second", {"retry-after": "1"})


def _token_challenge(scheme: str) -> Response:
    challenge = {"www-authenticate": f'{scheme} realm="toolglot"'}
    return responses.refusal(401, "unauthenticated", "give a token: Authorization: Bearer TOKEN", challenge)


NO_TOKEN = _token_challenge("Bearer")
NO_PASSWORD = _token_challenge("Basic")  # a browser asks for a name, which does not matter, and a password: the token


class Gate:
    """Lets principals in, each at a rate of its own.

    Args:
        per_second: the number of requests that a principal may make.
        strangers_per_second: the number of requests without a token, all together, that are told that one is missing.
    """

    def __init__(self, per_second: float, strangers_per_second: float = _STRANGERS_PER_SECOND) -> None:
        self._rate = Rate(per_second)
        self._strangers = Rate(strangers_per_second)

    def admit(self, scope: Scope, catalog: CatalogVersion, no_token: Response = NO_TOKEN) -> Principal | Response:
        """The principal of a request, or the response that refuses it."""
        token = _token_in(scope)
        principal = find_principal(catalog.principals, token) if token else None
        if principal is not None and self._rate.allows(principal.name):
            return principal
        if principal is None and self._strangers.allows(""):
            return no_token
        return _TOO_MANY


def _token_in(scope: Scope) -> bytes | None:
    """The token of a request; `None` where two are sent, because it would not be clear whose request it is."""
    authorizations: list[bytes] = [text for name, text in scope["headers"] if name == b"authorization"]
    if len(authorizations) != 1:
        return None
    scheme, _, credentials = authorizations[0].partition(b" ")
    credentials = credentials.strip()
    if scheme.lower() == b"bearer":
        return credentials
    if scheme.lower() == b"basic":
        try:
            return base64.b64decode(credentials, validate=True).partition(b":")[2]
        except binascii.Error:
            return None
    return None


class Rate(msgspec.Struct):
    """A rate limit with a bucket for each key; the requests of one second may come at once.

    Keys are names of principals, never words of strangers, who could otherwise create any number of buckets.

    >>> rate = Rate(2, clock=lambda: 0.0)
    >>> [rate.allows("a"), rate.allows("a"), rate.allows("a"), rate.allows("b")]
    [True, True, False, True]
    """

    per_second: float
    clock: Callable[[], float] = time.monotonic
    _buckets: dict[str, tuple[float, float]] = {}  # key -> what is left, and when that was

    def allows(self, key: str) -> bool:
        """Whether one more request is within the limit; the request is counted."""
        now, most = self.clock(), max(self.per_second, 1.0)
        tokens, before = self._buckets.get(key, (most, now))
        tokens = min(most, tokens + (now - before) * self.per_second)
        is_within = tokens >= 1
        if is_within:
            tokens -= 1
        self._buckets[key] = (tokens, now)
        return is_within
