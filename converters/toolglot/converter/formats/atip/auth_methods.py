"""The ways to sign in of a program or a command."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from toolglot.converter.formats.atip.arguments_and_options import SLOT
from toolglot.converter.formats.kit.auth_of_secrets import BETWEEN_WORDS, method_of_secret
from toolglot.converter.formats.kit.field_tables import Table, put, take, text, texts
from toolglot.converter.formats.kit.suppositions import with_mark
from toolglot.converter.hub.model import AuthMethod, Tool

_METHOD_TABLE: Table = {
    "type": text("type"),
    "envVar": text("env"),
    "configPath": text("config_path"),
    "description": text("description"),
    "setupCommand": text("setup"),
    "scopes": texts("scopes"),
}
_NO_LOGIN = "none"  # the type of a method that asks for nothing; 0.1.0 has it, and the schemas since 0.4 refuse it


def load_methods(items: list[dict[str, Any]]) -> tuple[AuthMethod, ...]:
    """The methods, without those of the type `none`."""
    methods = []
    for item in items:
        if item["type"] != _NO_LOGIN:
            fields: dict[str, Any] = {}
            rest = take(item, _METHOD_TABLE, fields)
            methods.append(AuthMethod(**fields, extensions=rest or None))
    return tuple(methods)


def dump_methods(methods: tuple[AuthMethod, ...]) -> list[dict[str, Any]]:
    """The entries that `load_methods` reads."""
    return [put(method, _METHOD_TABLE, method.extensions or {}) for method in methods]


def with_auth_methods(tool: Tool) -> Tool:
    """The tool with a method for each secret. Its type is guessed from the name of the secret, which a mark says.

    Methods are alternatives, and secrets are needed together; so a description says that all of them are needed.
    """
    own_methods = tool.auth_methods or ()
    stated = {BETWEEN_WORDS.sub("-", method.env.lower()) for method in own_methods if method.env}
    names = [name for name in tool.secrets or () if BETWEEN_WORDS.sub("-", name.lower()) not in stated]
    if not names:
        return tool
    methods = [*own_methods]
    for name in names:
        method = method_of_secret(name)
        words = f"{name} (all {len(names)} secrets are needed)" if len(names) > 1 else method.description
        methods.append(replace(method, description=words, extensions=with_mark({}, SLOT, ["type"])))
    return replace(tool, auth_methods=tuple(methods))
