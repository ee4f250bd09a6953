"""Values that are secrets, by the names under which they stand, and by how they look.

Descriptions name secrets and never hold them. Every pattern is linear: what it runs over is bounded, or cannot be
given back.
"""

from __future__ import annotations

import re
from typing import Any

from toolglot.regexes import compile_later
from toolglot.text.credentials import holds_credential
from toolglot.text.pointers import escape

# A value in a command line or in code: a digit tells it from a variable that is passed on. A path is none.
_VALUE = r"[\"']?(?!/)(?=[A-Za-z0-9+/_-]{0,40}[0-9])[A-Za-z0-9+/_-]{6,}"
_ASSIGNED = compile_later(
    rf"(?:_KEY|TOKEN|SECRET|PASSWORD|PASSWD)={_VALUE}|--(?:api-key|token|secret|password)[ =]{_VALUE}"
    r"|://[^\s/:@$]{1,64}:[^\s/@${<]{3,128}@"
)
_SECRET_NAME = compile_later(
    r"(?:(?:api|access|private|secret|signing|encryption|client)[_-]?key|token|secret|passw(?:or)?d|passphrase|credentials?)\Z",
    re.IGNORECASE,
)
# What stands for a value that is elsewhere: a template, a variable by its name, a path, a vault.
_REFERENCE = compile_later(r"\$|\{\{|<|\.{0,2}/|(?:vault|oauth|env|secrets?)[:.]|[A-Z][A-Z0-9_]*\Z")

# A key as a program makes it: digits among letters for long, or a UUID.
_GENERATED = compile_later(
    r"(?=[a-z0-9]{0,60}[0-9][a-z]{1,60}[0-9])[a-z0-9]{16,}|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
)


def names_a_secret(key: str) -> bool:
    """Whether what stands under this key is a secret, by its name.

    >>> names_a_secret("OPENAI_API_KEY"), names_a_secret("keyboard")
    (True, False)
    """
    return _SECRET_NAME.search(key[-80:]) is not None


def looks_generated(name: str) -> bool:
    """Whether a text that has the form of a name looks like a key instead.

    >>> looks_generated("a8f5f167f44f4964e6c998dee827110c"), looks_generated("openai-api-key")
    (True, False)
    """
    return _GENERATED.search(name) is not None


def find_secret(data: Any, pointer: str = "", *, by_name: bool = True) -> str | None:
    """Where in data a secret stands; `None` if none is seen. It takes any depth.

    Without `by_name` a key such as `API_KEY` is no sign: in a list of secrets every key is one.

    >>> find_secret({"env": {"API_KEY": "hunter2", "B_KEY": "${secrets.B}"}})
    '/env/API_KEY'
    """
    stack: list[tuple[str, str, Any]] = [(pointer, "", data)]
    while stack:
        here, key, value = stack.pop()
        if isinstance(value, dict):
            stack += [(f"{here}/{escape(name)}", name, item) for name, item in value.items()]
            if any(map(holds_credential, value)):
                return here  # a key is one, so that no pointer may name it
        elif isinstance(value, list):
            stack += [(f"{here}/{index}", key, item) for index, item in enumerate(value)]
        elif _is_credential(value) or (by_name and names_a_secret(key) and _is_literal(value)):
            return here
    return None


def _is_credential(value: Any) -> bool:
    return isinstance(value, str) and (holds_credential(value) or _ASSIGNED.search(value) is not None)


def _is_literal(value: Any) -> bool:
    if isinstance(value, str):
        return value != "" and not _REFERENCE.match(value)
    return isinstance(value, int | float) and not isinstance(value, bool)
