"""Folders that tools for agents share, made for tests."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

DIGITS = "a" * 64


def program(name: str = "demo", effects: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    """The description of a program of one command."""
    command = {"description": "Does it.", **({} if effects is None else {"effects": effects})}
    data = {"atip": {"version": "0.6"}, "name": name, "version": "1.0", "description": "A program."}
    return {**data, "commands": {"run": command}, **more}


def binary(digits: str, name: str = "demo") -> dict[str, Any]:
    """What a description says of the file that it is about."""
    return {"hash": f"sha256:{digits}", "name": name, "version": "1.0"}


class Shared:
    """A folder with a program in it, `demo`, and what tools for agents may keep about it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.root = folder / "agent-tools"
        self.root.mkdir(parents=True)
        self.binary = folder / "bin" / "demo"
        self.binary.parent.mkdir()
        self.binary.write_bytes(b"\x7fELF demo")
        self.digits = hashlib.sha256(self.binary.read_bytes()).hexdigest()

    def put(self, path: str, data: Any) -> Path:
        """Write a file, data as JSON."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        text = data if isinstance(data, str) else json.dumps(data)
        file.write_text(text, encoding="utf-8")
        return file

    def put_registry(self, digits: str | None = None, **entry: Any) -> Path:
        """A registry that knows `demo`, of version 2 where a hash is given."""
        if digits is None:
            tools = {"demo": {"path": str(self.binary), "source": "native", **entry}}
            return self.put("registry.json", {"version": "0.1", "tools": tools})
        tools = {"demo": {"path": str(self.binary), "hash": f"sha256:{digits}", "source": "shim", **entry}}
        return self.put("registry.json", {"version": "2", "tools": tools})


@contextmanager
def new_shared() -> Iterator[Shared]:
    """Such a folder for one row of a table."""
    with tempfile.TemporaryDirectory() as folder:
        yield Shared(Path(folder))
