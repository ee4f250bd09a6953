"""Formats that are read and never written: sources of every conversion, and targets of none."""

from __future__ import annotations

import msgspec
import pytest

from toolglot import formats
from toolglot.errors import UsageError


def test_a_format_without_versions_to_write_is_no_target(monkeypatch: pytest.MonkeyPatch) -> None:
    only_read = msgspec.structs.replace(formats.get("atdf"), writes=())
    with pytest.raises(UsageError, match="atdf can be read, not written"):
        only_read.version(None)
    with pytest.raises(UsageError, match="atdf can be read, not written"):
        only_read.version("0.2")
    monkeypatch.setattr(
        formats.registry, "get", {**{name: formats.get(name) for name in formats.names()}, "atdf": only_read}.get
    )
    assert set(formats.names()) - set(formats.targets()) == {"atdf"}
