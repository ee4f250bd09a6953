"""What the name of a secret tells of how somebody signs in with it."""

from __future__ import annotations

import re

from toolglot.converter.hub.model import AuthMethod

BETWEEN_WORDS = re.compile("[_.-]")
_VARIABLE = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\Z", re.ASCII)
_KINDS = {"PASSWORD": "password", "PASSWD": "password", "KEY": "api-key", "CERT": "certificate"}  # else a token


def method_of_secret(name: str) -> AuthMethod:
    """A way to sign in; a name that is one of a variable says how the secret is given.

    >>> method_of_secret("POST_KEY"), method_of_secret("post-password")
    (AuthMethod(type='api-key', env='POST_KEY'), AuthMethod(type='password', description='post-password'))
    """
    kind = _KINDS.get(BETWEEN_WORDS.split(name)[-1].upper(), "token")
    return AuthMethod(type=kind, env=name) if _VARIABLE.match(name) else AuthMethod(type=kind, description=name)
