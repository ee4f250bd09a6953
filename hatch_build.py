"""The description of the package is README.md, whose links lead to files of the repository and nowhere else."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


def long_description(readme: str) -> str:
    """A README whose relative links are paths: a package index would look for them beside its own page.

    >>> long_description("[calls](docs/calls.md), [a site](https://example.org)")
    'calls (`docs/calls.md`), [a site](https://example.org)'
    """
    return re.sub(r"!?\[([^\]\n]*)\]\((?![a-z]+:)([^()\s]+)\)", r"\1 (`\2`)", readme)


class Readme(MetadataHookInterface):
    def update(self, metadata: dict[str, Any]) -> None:
        """Give the package its description."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": long_description(text)}
