"""What tells the manifest of an oclif program from other documents."""

from __future__ import annotations

from typing import Any

from toolglot.converter.formats import Marks

_FILE_NAME = "oclif.manifest.json"


def _sniff(data: Any, body: str | None, file_name: str) -> bool:
    commands = data.get("commands") if isinstance(data, dict) else None
    if not isinstance(commands, dict) or not isinstance(data.get("version"), str):
        return False
    if not commands:
        return file_name == _FILE_NAME
    return all(isinstance(command, dict) and command.get("id") == key for key, command in commands.items())


MARKS = Marks(patterns=(_FILE_NAME,), sniff=_sniff)
