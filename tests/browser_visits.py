"""A real browser for tests: windows that remember what happens in them, and what axe-core says of a page."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; make browser")
axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed; make browser")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

# What a browser asks the network for by itself is not the page's.
ARGUMENTS = [
    "--no-sandbox",  # its sandbox does not work for root in a container; the pages are our own
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run",
]  # fmt: skip


@contextmanager
def open_browser() -> Iterator[Any]:
    assert CHROMIUM, "these tests need a Chromium of the system: apt-get install chromium"
    with sync_api.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield chromium
        chromium.close()


class Visit:
    """A window that remembers what the page asked for, and what went wrong in it."""

    def __init__(self, browser: Any, **options: Any) -> None:
        self.context = browser.new_context(**options)
        self.page = self.context.new_page()
        self.requests: list[str] = []
        self.faults: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", lambda message: self.faults.append(message.text))
        self.page.on("dialog", lambda dialog: self.faults.append(dialog.message))

    def shown(self) -> list[str]:
        """The ids of the tools that are shown."""
        found: list[str] = self.page.eval_on_selector_all("article", "all => all.filter(x => !x.hidden).map(x => x.id)")
        return found


def faults_for_people(visit: Visit) -> list[tuple[str, str, list[str]]]:
    """What axe-core finds wrong, of any weight: how bad, what, and where first."""
    faults = []
    for fault in axe.Axe().run(visit.page).response["violations"]:
        places = [node["html"] for node in fault["nodes"][:3]]
        faults.append((fault["impact"], fault["id"], places))
    return faults
