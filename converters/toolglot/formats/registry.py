"""The formats by their names: those of this folder, and those that other packages add."""

from __future__ import annotations

import importlib
import os
import pkgutil
import sys
from functools import cache
from typing import Any

from toolglot import formats
from toolglot.errors import UsageError
from toolglot.formats.contract import Format
from toolglot.formats.kit.names import fit_id
from toolglot.schema import canonical

ENTRY_POINTS = "toolglot.formats"


def names() -> list[str]:
    """The names of all formats, sorted, without importing any of them.

    >>> "aip14" in names()
    True
    """
    return sorted({*_own(), *_plugins()})


@cache
def _own() -> frozenset[str]:
    folders = (module.name for module in pkgutil.iter_modules(formats.__path__) if module.ispkg)
    return frozenset(name.replace("_", "-") for name in folders if name != "kit")


@cache
def _plugins() -> dict[str, Any]:
    if not any(map(_offers, (path for place in sys.path for path in _entry_files(place)))):
        return {}
    from importlib.metadata import entry_points  # 24 ms that only a plugin pays

    return {point.name: point for point in entry_points(group=ENTRY_POINTS)}


def _offers(path: str) -> bool:
    with open(path, "rb") as file:
        return ENTRY_POINTS.encode() in file.read()


def _entry_files(place: str) -> list[str]:
    """What the distributions installed in a folder of `sys.path` offer to others."""
    if not os.path.isdir(place or "."):
        return []
    folders = [found for found in os.scandir(place or ".") if found.name.endswith((".dist-info", ".egg-info"))]
    files = (os.path.join(found.path, "entry_points.txt") for found in folders)
    return [path for path in files if os.path.isfile(path)]


@cache
def get(name: str) -> Format:
    """The format called `name`, in any case, or that people call so too.

    Raises:
        UsageError: there is none; the message names the nearest.

    >>> get("OpenAI").name, get("claude").name
    ('openai', 'anthropic')
    """
    return _called(name if name in names() else _meant(name))


def _meant(name: str) -> str:
    """The name of the format that people call `name`; `name` itself where there is none."""
    plain = name.lower().replace("_", "-")
    if plain in names():
        return plain
    return next((known for known in names() if plain in _called(known).aliases), name)


@cache
def _called(name: str) -> Format:
    module = f"{formats.__name__}.{name.replace('-', '_')}.format"
    if name in _own():
        found = importlib.import_module(module).FORMAT
    elif name in _plugins():
        found = _plugins()[name].load()
    else:
        from difflib import get_close_matches  # 1 ms

        known = {alias: found for found in names() for alias in (found, *_called(found).aliases)}
        near = get_close_matches(name.lower(), known, 1)
        hint = f'did you mean "{known[near[0]]}"?' if near else f"the formats are {', '.join(names())}"
        raise UsageError(f"there is no format {name!r}", code="unknown-format", hint=hint)
    if not isinstance(found, Format) or found.name != name:
        raise UsageError(f"{module} does not define a format called {name!r}", code="broken-format")
    if found.schemas is not None:
        canonical.add_folder(name, found.schemas)
    return found


def file_stem(identifier: str) -> str:
    """An id as a file name that stays in its folder on every system; ids are untrusted and can hold `../`.

    >>> file_stem("../../etc/passwd"), file_stem("mail.archive")
    ('etc-passwd', 'mail.archive')
    """
    return fit_id(identifier, "a-zA-Z0-9._-", 100).lstrip(".-") or "tool"


def parse_source(source: str) -> Format:
    """`FORMAT[@VERSION]` as the format; the version has to be one that it reads."""
    name, _, version = source.partition("@")
    found = get(name)
    if version and version not in found.versions:
        message = f"{name} has no version {version!r}; the versions are {', '.join(found.versions)}"
        raise UsageError(message, code="unknown-version")
    return found


def parse_target(target: str) -> tuple[Format, str | None]:
    """`FORMAT[@VERSION]` as the format and the version asked for.

    >>> found, version = parse_target("atdf@0.1")
    >>> found.name, version
    ('atdf', '0.1')
    """
    if not isinstance(target, str):
        raise UsageError(f"a format is named by a text, not {target!r}", code="bad-option")
    name, _, version = target.partition("@")
    found = get(name)
    return found, found.version(version or None)
