"""The settings of tools for agents on this machine. They are only shown: none makes toolglot run or fetch anything."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

import msgspec

from toolglot.converter.text.pointers import as_mapping, pointer_of
from toolglot.runtime.inventory.file_reader import FileReader

_Texts = Annotated[list[str], msgspec.Meta(max_length=1_000)]
_Duration = Annotated[str, msgspec.Meta(pattern=r"\A[0-9]{1,9}(?:ms|s|m|h)\Z")]
_Count = Annotated[int, msgspec.Meta(gt=0)]


class Setting(NamedTuple):
    """One setting of a configuration: its key such as `discovery.skip_list`, its value, and its file."""

    key: str
    value: Any
    file: str


# Each setting that tools for agents have -> the type of its value, and what messages call that type.
_SETTINGS: dict[str, tuple[Any, str]] = {
    "discovery.safe_paths": (_Texts, "a list of folders"),
    "discovery.additional_paths": (_Texts, "a list of folders"),
    "discovery.skip_list": (_Texts, "a list of patterns"),
    "discovery.scan_timeout": (_Duration, "a duration such as 2s"),
    "discovery.parallelism": (_Count, "a number above 0"),
    "cache.max_age": (_Duration, "a duration such as 24h"),
    "cache.max_size_mb": (_Count, "a number above 0"),
    "output.default_format": (str, "a word"),
    "output.color": (str | bool, "a word, true or false"),
}


def is_configuration(data: Any) -> bool:
    """Whether data looks like a configuration: it has one of the groups of settings, and no name."""
    if not isinstance(data, dict) or "name" in data:
        return False
    groups = {key.partition(".")[0] for key in _SETTINGS}
    return any(isinstance(data.get(key), dict) for key in groups)


def read_configuration(reader: FileReader, path: str, data: Any) -> Iterator[Setting]:
    """The settings of a file; an unknown setting or a bad value is noted and left out."""
    for words, value in _stated_settings(data):
        key, place = ".".join(words), pointer_of(words)
        if key not in _SETTINGS:
            reader.warn("unknown-setting", f"the setting {key!r} is not known", path, place)
            continue
        kind, expected = _SETTINGS[key]
        try:
            yield Setting(key, msgspec.convert(value, kind), path)
        except msgspec.ValidationError:
            reader.warn("bad-setting", f"{key}: expected {expected}", path, place)


def _stated_settings(data: Any) -> Iterator[tuple[tuple[str, ...], Any]]:
    """The keys and the value of each setting in a file: `GROUP`, `NAME` in a group, one key beside the groups."""
    for group, values in as_mapping(data).items():
        if isinstance(values, dict):
            for name, value in values.items():
                yield (group, name), value
        elif group not in ("version", "$schema"):
            yield (group,), values
