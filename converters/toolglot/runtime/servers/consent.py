"""The configurations that somebody has agreed to: their paths and hashes, in a file of our own state.

A configuration is code, because the programs that it names are started. So consent is for these bytes at this path: the
same bytes elsewhere start another `./server`, and one changed byte may start another program.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

import msgspec

from toolglot.converter.files.state_files import State
from toolglot.runtime.programs.trusted_programs import GuardedFile
from toolglot.runtime.servers.client_configurations import Configuration


class _Consents(State, frozen=True, kw_only=True):
    """Real path of a configuration -> hash of its content."""

    trusted: Mapping[str, str] = msgspec.field(default_factory=dict)


class TrustedConfigurations(GuardedFile[_Consents]):
    """The trusted configurations; errors as in `GuardedFile.read`."""

    name = "configurations.json"
    kind = _Consents

    def has(self, configuration: Configuration) -> bool:
        """Whether somebody agreed to exactly this configuration at this path."""
        return self.read().trusted.get(os.path.realpath(configuration.path)) == configuration.sha256

    def add(self, configuration: Configuration) -> None:
        """Record that somebody agreed.

        Raises:
            WriteError: the system refuses it.
        """
        path = os.path.realpath(configuration.path)
        self.change(lambda state: _Consents(trusted={**state.trusted, path: configuration.sha256}))
