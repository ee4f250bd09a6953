"""Where requests go: the addresses of servers, and the hosts in them."""

from __future__ import annotations

import re
from itertools import chain, product
from math import prod
from typing import Any
from urllib.parse import urlsplit

from toolglot.converter.formats.openapi.operations import Operation
from toolglot.converter.text.pointers import as_mapping, list_at, mapping_at, texts_of

_NO_SLASH = re.compile(r"\A(?!/|\Z)")  # before a path that would go on with the name of the host
_VARIABLE = re.compile(r"\{([^{}]*)\}")
_MOST_ADDRESSES = 64  # of one server; beyond that a server is said to be anywhere
_ANYWHERE = "*"


def servers_of(operation: Operation) -> list[dict[str, Any]]:
    """The servers of an operation: its own, else those of its path, else those of the document."""
    if operation.api.is_swagger:
        return _swagger_servers(operation)
    servers = operation.data.get("servers") or operation.look_at("servers") or operation.api.look_at("servers")
    if not isinstance(servers, list):
        return []
    return [server for server in servers if isinstance(as_mapping(server).get("url"), str)]


def _swagger_servers(operation: Operation) -> list[dict[str, Any]]:
    host, base = operation.api.look_at("host"), operation.api.look_at("basePath")
    path = _NO_SLASH.sub("/", base) if isinstance(base, str) else ""
    if isinstance(host, str):
        own, _, name = host.rpartition("://")
        schemes = [own] if own else texts_of(operation.own_or_common("schemes")) or ["https"]
        return [{"url": f"{scheme}://{name.rstrip('/')}{path}"} for scheme in schemes]
    if path:
        return [{"url": path}]
    return []


def hosts_of(servers: list[dict[str, Any]]) -> tuple[str, ...] | None:
    """The hosts of servers; `None` where one of them is not named, because it is the one that the document is from.

    >>> hosts_of([{"url": "https://{r}.a.example/v1", "variables": {"r": {"enum": ["eu", "us"], "default": "eu"}}}])
    ('eu.a.example', 'us.a.example')
    >>> hosts_of([{"url": "https://{tenant}.example"}]), hosts_of([{"url": "/v1"}])
    (('*',), None)
    """
    hosts = dict.fromkeys(chain.from_iterable(map(_hosts_of_server, servers)))
    if None in hosts:
        return None
    if _ANYWHERE in hosts:
        return (_ANYWHERE,)
    return tuple(filter(None, hosts)) or None


def _hosts_of_server(server: dict[str, Any]) -> list[str | None]:
    """The host in every address of a server; it is anywhere where a variable can be anything."""
    beginning: str = server["url"]
    scheme, mark, rest = beginning.partition("://")
    if mark:
        authority = re.split(r"[/?#]", rest, maxsplit=1)[0]
        beginning = f"{scheme}{mark}{authority}"
    names = list(dict.fromkeys(_VARIABLE.findall(beginning)))
    variables = mapping_at(server, "variables")
    choices = [list(map(str, list_at(as_mapping(variables.get(name)), "enum"))) for name in names]
    if not 0 < prod(map(len, choices)) <= _MOST_ADDRESSES:
        return [_ANYWHERE]
    return [_host(_fill(beginning, dict(zip(names, values, strict=True)))) for values in product(*choices)]


def _fill(template: str, values: dict[str, str]) -> str:
    return _VARIABLE.sub(lambda match: values[match[1]], template)


def _host(address: str) -> str | None:
    """The host of an address; `None` where it names none."""
    try:
        return urlsplit(address).hostname
    except ValueError:
        return _ANYWHERE
