"""One browser for all tests of pages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    from browser_visits import open_browser  # what is skipped where no browser can be driven

    with open_browser() as browser:
        yield browser
