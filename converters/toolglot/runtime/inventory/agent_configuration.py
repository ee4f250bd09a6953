"""What tools for agents are configured with on this machine. It is shown; nothing of it makes toolglot run or fetch."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from toolglot.converter.text.pointers import as_mapping, pointer_of
from toolglot.runtime.inventory.file_reader import FileReader

_DURATION = re.compile(r"[0-9]{1,9}(?:ms|s|m|h)", re.ASCII)
_MOST = 1_000  # entries of a list that are shown


class Setting(NamedTuple):
    """One setting of a configuration: its file, its key such as `discovery.skip_list`, and its value."""

    file: str
    key: str
    value: Any


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and len(value) <= _MOST and all(isinstance(item, str) for item in value)


def _is_duration(value: Any) -> bool:
    return isinstance(value, str) and bool(_DURATION.fullmatch(value))


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_text_or_switch(value: Any) -> bool:
    return isinstance(value, str | bool)


# The settings that tools for agents have: whether a value is one, and what is expected.
_SETTINGS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "discovery.safe_paths": (_is_texts, "a list of folders"),
    "discovery.additional_paths": (_is_texts, "a list of folders"),
    "discovery.skip_list": (_is_texts, "a list of patterns"),
    "discovery.scan_timeout": (_is_duration, "a duration such as 2s"),
    "discovery.parallelism": (_is_count, "a number above 0"),
    "cache.max_age": (_is_duration, "a duration such as 24h"),
    "cache.max_size_mb": (_is_count, "a number above 0"),
    "output.default_format": (_is_text, "a word"),
    "output.color": (_is_text_or_switch, "a word, true or false"),
}


def is_configuration(data: Any) -> bool:
    """Whether a file may be a configuration."""
    if not isinstance(data, dict) or "name" in data:
        return False
    groups = {key.partition(".")[0] for key in _SETTINGS}
    return any(isinstance(data.get(key), dict) for key in groups)


def read_configuration(reader: FileReader, path: str, data: Any) -> Iterator[Setting]:
    """The settings of a file; what is none is noted and left out."""
    for words, value in _stated_settings(data):
        key, place = ".".join(words), pointer_of(words)
        is_valid, expected = _SETTINGS.get(key, (None, ""))
        if is_valid is None:
            reader.warn("unknown-setting", f"the setting {key!r} is not known", path, place)
        elif is_valid(value):
            yield Setting(path, key, value)
        else:
            reader.warn("bad-setting", f"{key}: expected {expected}", path, place)


def _stated_settings(data: Any) -> Iterator[tuple[tuple[str, ...], Any]]:
    """What a file states in groups and beside them: the keys that lead there, and the value."""
    for group, values in as_mapping(data).items():
        if isinstance(values, dict):
            for name, value in values.items():
                yield (group, name), value
        elif group not in ("version", "$schema"):
            yield (group,), values
