"""The examples of `docs/adapters.md`, with the packages themselves."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "adapters.md"
PACKAGES = ("langchain_core", "pydantic_ai", "agents", "fastmcp", "mcp")
if not all(map(find_spec, PACKAGES)):
    pytest.skip("the frameworks are not installed; make adapters", allow_module_level=True)


def test_the_examples_run(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    for code in re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE):
        exec(compile(code, PAGE.name, "exec"), names)
    assert capsys.readouterr().out == "erased a\n"
