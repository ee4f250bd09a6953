"""Which configurations somebody has agreed to: a file of paths and hashes.

A configuration is code: it names programs, and they are started. So consent is to these bytes in this place. The same
bytes elsewhere start another `./server`, and one changed byte may start another program.
"""

from __future__ import annotations

import os
import stat
from typing import Any

from toolglot.errors import UsageError
from toolglot.files import writing
from toolglot.servers.configurations import Configuration
from toolglot.text import serialization

_MARK = "toolglot-trust"


def is_trusted(configuration: Configuration, trust_file: str) -> bool:
    """Whether a trust file says that somebody agreed to this configuration.

    Raises:
        ReadError: the trust file cannot be read.
        UsageError: it is no trust file, or others may write it.
    """
    if not os.path.lexists(trust_file):
        return False
    return bool(_read(trust_file).get(os.path.realpath(configuration.path)) == configuration.sha256)


def remember(configuration: Configuration, trust_file: str) -> None:
    """Write down that somebody agreed to a configuration.

    Raises:
        ReadError: the trust file cannot be read.
        UsageError: something else is there, or others may write it.
        WriteError: it cannot be written.
    """
    known = _read(trust_file) if os.path.lexists(trust_file) else {}
    data = {_MARK: 1, "configurations": {**known, os.path.realpath(configuration.path): configuration.sha256}}
    writing.write_file(trust_file, serialization.dump_json(data).encode())
    os.chmod(trust_file, stat.S_IRUSR | stat.S_IWUSR)


def _read(path: str) -> dict[str, Any]:
    status = os.stat(path)
    if os.name != "nt" and (status.st_mode & (stat.S_IWGRP | stat.S_IWOTH) or status.st_uid not in (0, os.geteuid())):
        message = "others may write this file, so it is no consent of yours; chmod go-w, or give another file"
        raise UsageError(message, "writable-by-others", source=path)
    data = serialization.load(serialization.read_file(path), path).data
    configurations = data.get("configurations") if isinstance(data, dict) and data.get(_MARK) == 1 else None
    if not isinstance(configurations, dict):
        raise UsageError("this is no trust file; give the name of a new one", "no-trust-file", source=path)
    return configurations
