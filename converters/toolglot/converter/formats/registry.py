"""The formats by their names: those of this folder, and those that other packages add."""

from __future__ import annotations

import copyreg
import importlib
import os
import sys
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Any

from toolglot.converter import formats
from toolglot.converter.files.names import avoid_device_name
from toolglot.converter.formats.contract import Format, Marks
from toolglot.converter.formats.kit.tool_ids import fit_id
from toolglot.converter.hub.model import Tool
from toolglot.converter.schema import canonical
from toolglot.converter.text.similar_names import most_similar
from toolglot.errors import UsageError

if TYPE_CHECKING:
    from toolglot.converter.formats.kit.request_templates import RequestTemplate

ENTRY_POINT_GROUP = "toolglot.formats"


@cache
def names() -> tuple[str, ...]:
    """The names of all formats, sorted, without importing any of them.

    >>> "aip14" in names()
    True
    """
    return tuple(sorted({*_own_names(), *_other_formats()}))


def every() -> list[Format]:
    """All formats, sorted by their names."""
    return list(map(get, names()))


def targets() -> list[str]:
    """The names of the formats that can be written, sorted; all others can only be read.

    >>> "aip14" in targets()
    True
    """
    return [each.name for each in every() if each.is_written]


@cache
def _own_names() -> frozenset[str]:
    """The names of the formats in this folder, from the names of their folders."""
    folders = (folder for path in formats.__path__ for folder in os.scandir(path))
    names_of_folders = [folder.name for folder in folders if os.path.isfile(os.path.join(folder.path, "detection.py"))]
    return frozenset(name.replace("_", "-") for name in names_of_folders)


@cache
def _other_formats() -> dict[str, Any]:
    """The entry points of formats that other packages add: name -> entry point."""
    if not any(_has_formats(place) for place in sys.path):
        return {}
    from importlib.metadata import entry_points  # takes 24 ms, which are spared where no package adds a format

    return {point.name: point for point in entry_points(group=ENTRY_POINT_GROUP)}


def _has_formats(place: str) -> bool:
    """Whether a distribution that is installed in a folder of `sys.path` adds a format."""
    try:
        with os.scandir(place or ".") as folder:
            distributions = [item.path for item in folder if item.name.endswith((".dist-info", ".egg-info"))]
        files = filter(os.path.isfile, [os.path.join(path, "entry_points.txt") for path in distributions])
        return any(map(_names_formats, files))
    except OSError:  # no folder, or one that may not be read; Python ignores such an entry of `sys.path`, too
        return False


def _names_formats(path: str) -> bool:
    with open(path, "rb") as file:
        return ENTRY_POINT_GROUP.encode() in file.read()


@cache
def get(name: str) -> Format:
    """The format with the name or alias `name`, in upper or lower case.

    Raises:
        UsageError: there is none; its hint names the most similar format.

    >>> get("OpenAI").name, get("claude").name
    ('openai', 'anthropic')
    """
    if name not in names():
        name = _name_meant_by(name)
    return _load_format(name)


def find(name: str | None) -> Format | None:
    """The format of exactly this name; `None` for any other text, such as the origin of a tool that code made."""
    return get(name) if name in names() else None


def request_of(tool: Tool) -> RequestTemplate | None:
    """The HTTP request that a call of the tool becomes, from the first format with an extension that knows one."""
    owners = filter(None, map(find, tool.extensions or {}))
    return next(filter(None, (owner.request_of(tool) for owner in owners)), None)


# A format is pickled and copied by its name: its lambdas cannot be pickled, and a copy must be the same object.
copyreg.pickle(Format, lambda each_format: (get, (each_format.name,)))


def _name_meant_by(name: str) -> str:
    """The name of the format with the name or alias `name`; `name` itself where there is none."""
    plain = name.lower().replace("_", "-")
    if plain in names():
        return plain
    for candidate in names():
        if plain in marks_of(candidate).aliases:
            return candidate
    return name


@cache
def marks_of(name: str) -> Marks:
    """How the documents of a format are recognised. Only a format of another package is loaded for this.

    >>> marks_of("atdf").patterns[0]
    '*.atdf.json'
    """
    if name not in _own_names():
        return _load_format(name).marks
    marks: Marks = _import_part(name, "detection").MARKS
    return marks


def _import_part(name: str, part: str) -> ModuleType:
    return importlib.import_module(f"{formats.__name__}.{name.replace('-', '_')}.{part}")


def _load_format(name: str) -> Format:
    if name in _own_names():
        value = _import_part(name, "format").FORMAT
    elif name in _other_formats():
        value = _other_formats()[name].load()
    else:
        raise _unknown(name)
    if not isinstance(value, Format) or value.name != name:
        message = f"an entry point in the group {ENTRY_POINT_GROUP} does not define a format called {name!r}"
        raise UsageError(message, code="broken-format")
    if value.schemas is not None:
        canonical.add_folder(name, value.schemas)
    return value


def find_similar(name: str) -> str | None:
    """The name of the format whose name or alias is spelled most like `name`; `None` where none is similar.

    >>> find_similar("mpc"), find_similar("json")
    ('mcp', None)
    """
    name_of: dict[str, str] = {}
    for candidate in names():
        name_of[candidate] = candidate
        name_of.update(dict.fromkeys(marks_of(candidate).aliases, candidate))
    near = most_similar(name, name_of)
    if near is None:
        return None
    return name_of[near]


def _unknown(name: str) -> UsageError:
    near = find_similar(name)
    hint = f"the formats are {', '.join(names())}"
    if near:
        hint = f'did you mean "{near}"?'
    return UsageError(f"there is no format {name!r}", code="unknown-format", hint=hint)


def file_stem(identifier: str) -> str:
    """An id as a file name that stays in its folder on every system; ids are untrusted and can hold `../`.

    >>> file_stem("../../etc/passwd"), file_stem("mail.archive"), file_stem("CON")
    ('etc-passwd', 'mail.archive', '_CON')
    """
    return avoid_device_name(fit_id(identifier, "a-zA-Z0-9._-", 100).lstrip(".-") or "tool")


def parse_source(source: str) -> Format:
    """`FORMAT[@VERSION]` as the format; the version has to be one that it reads."""
    name, version = _split(source)
    source_format = get(name)
    if version and version not in source_format.versions:
        message = f"{name} has no version {version!r}; the versions are {', '.join(source_format.versions)}"
        raise UsageError(message, code="unknown-version")
    return source_format


def parse_target(target: str) -> tuple[Format, str | None]:
    """`FORMAT[@VERSION]` as the format and the version asked for.

    >>> target, version = parse_target("atdf@0.1")
    >>> target.name, version
    ('atdf', '0.1')
    """
    name, version = _split(target)
    target_format = get(name)
    return target_format, target_format.version(version or None)


def target_of(target: str) -> Format:
    """The format of `FORMAT[@VERSION]`, after a check that it can be written in the version."""
    return parse_target(target)[0]


def parse_provider(provider: str) -> tuple[Format, str | None]:
    """`FORMAT[@VERSION]` as the format, whose definitions a provider's models are offered, and the version asked for.

    Raises:
        UsageError: the format has no provider; the hint names the most similar format with one, or all.

    >>> parse_provider("claude")[0].name
    'anthropic'
    """
    name, _ = _split(provider)
    is_format = _name_meant_by(name) in names()
    if is_format and get(name).provider.profiles:
        return parse_target(provider)
    offered = [each for each in names() if get(each).provider.profiles]
    near = find_similar(name)
    hint = f'did you mean "{near}"?' if near in offered else f"the providers are {', '.join(offered)}"
    if is_format:
        raise UsageError(f"{name} is not the format of a provider", code="not-a-provider", hint=hint)
    raise UsageError(f"there is no provider {name!r}", code="unknown-format", hint=hint)


def _split(name_and_version: str) -> tuple[str, str]:
    """`FORMAT[@VERSION]` as the name and the version, which is empty where none is stated."""
    if not isinstance(name_and_version, str):
        raise UsageError(f"a format is named by a text, not {name_and_version!r}", code="bad-option")
    name, _, version = name_and_version.partition("@")
    return name, version
