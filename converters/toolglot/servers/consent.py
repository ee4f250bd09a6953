"""Which configurations somebody has agreed to: their paths and hashes, in a file of our own state.

A configuration is code: it names programs, and they are started. So consent is to these bytes in this place. The same
bytes elsewhere start another `./server`, and one changed byte may start another program.
"""

from __future__ import annotations

import os

import msgspec

from toolglot.errors import ReadError
from toolglot.inventory.store import default_folder, put_private_file, writable_folder
from toolglot.servers.configurations import Configuration
from toolglot.text.serialization import dump_json, load, read_file

NAME = "configurations.json"
VERSION = 1


class _Consents(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Real path of a configuration -> hash of what it held."""

    toolglot: int = VERSION
    trusted: dict[str, str] = {}


class TrustedConfigurations:
    """The configurations that are trusted.

    Args:
        folder: by default `$XDG_STATE_HOME/toolglot`; it is made when something is kept.
    """

    def __init__(self, folder: str | os.PathLike[str] | None = None) -> None:
        self.folder = os.path.realpath(default_folder() if folder is None else os.fsdecode(folder))

    @property
    def path(self) -> str:
        """The file that says what is trusted."""
        return os.path.join(self.folder, NAME)

    def has(self, configuration: Configuration) -> bool:
        """Whether somebody agreed to exactly this configuration in this place.

        Raises:
            ReadError: the file is damaged, or of a newer toolglot.
        """
        return self._read().trusted.get(os.path.realpath(configuration.path)) == configuration.sha256

    def add(self, configuration: Configuration) -> None:
        """Keep that somebody agreed.

        Raises:
            ReadError: as for `has`.
            WriteError: the system refuses it.
        """
        with writable_folder(self.folder) as folder:
            known = self._read().trusted
            consents = _Consents(trusted={**known, os.path.realpath(configuration.path): configuration.sha256})
            put_private_file(folder, NAME, dump_json(msgspec.to_builtins(consents)).encode())

    def _read(self) -> _Consents:
        if not os.path.lexists(self.path):
            return _Consents()
        try:
            consents = msgspec.convert(load(read_file(self.path), NAME).data, _Consents)
        except msgspec.ValidationError as error:
            reason = f"what is trusted cannot be read: {error}; move the file away"
            raise ReadError(reason, "damaged-state", source=self.path) from None
        if consents.toolglot != VERSION:
            raise ReadError("another toolglot wrote this; use that one", "newer-state", source=self.path)
        return consents
