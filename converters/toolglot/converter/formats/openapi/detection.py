"""What tells OpenAPI and Swagger documents from others."""

from __future__ import annotations

from typing import Any

from toolglot.converter.formats import Marks

_VERSION_KEYS = ("openapi", "swagger")
_CONTENT = frozenset({"info", "paths", "components", "webhooks", "servers"})


def _sniff(data: Any, body: str | None, file_name: str) -> bool:
    """Whether a document names a version of OpenAPI and has something of an API."""
    if body is not None or not isinstance(data, dict):
        return False
    return any(key in data for key in _VERSION_KEYS) and not _CONTENT.isdisjoint(data)


MARKS = Marks(
    aliases=("swagger", "oas"),
    patterns=("*.openapi.json", "*.openapi.yaml", "openapi.json", "openapi.yaml", "swagger.json"),
    sniff=_sniff,
)
