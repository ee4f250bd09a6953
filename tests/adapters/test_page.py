"""The examples of `docs/reference/adapters.md`, with the packages themselves."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "adapters.md"
PACKAGES = ("langchain_core", "pydantic_ai", "agents", "fastmcp", "mcp")
for package in PACKAGES:
    pytest.importorskip(package, reason=f"the page shows {package}, a framework that only `make adapters` installs")


def test_the_examples_run(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    for code in re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE):
        exec(compile(code, PAGE.name, "exec"), names)
    assert capsys.readouterr().out == "erased a\n"
