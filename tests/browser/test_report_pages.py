"""The page that `--report x.html` writes, in a real browser: `make browser` runs it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import page_sample
from browser_visits import Visit, faults_for_people
from streams import run

HOSTILE = "</li><script>window.attacked = 1</script><img src=https://evil.example/x onerror=window.attacked=1> \u202e"
EVIL = {
    "name": "evil",
    "title": HOSTILE,
    "description": f"Helps. {HOSTILE}",
    "inputSchema": {"type": "object", "properties": {HOSTILE: {"type": "string", "format": HOSTILE}}},
    "annotations": {"destructiveHint": True, "title": HOSTILE},
}

# name of the page -> source, target
REPORTS = {
    "program": ("depot.atip.json", "mcp"),
    "fields": ("clinic.tools.json", "atdf"),
    "hostile": ("evil.mcp.json", "openai"),
    "nothing": ("depot.atip.json", "atip@0.6"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the pages of some reports."""
    folder = page_sample.write_tools(tmp_path_factory.mktemp("reports") / "sources")
    page_sample.write(folder / "evil.mcp.json", json.dumps({"tools": [EVIL]}, indent=1))
    for name, (source, target) in REPORTS.items():
        ran = run(folder, ["convert", source, "--to", target, "-o", f"{name}.out.json", "--report", f"{name}.html"])
        assert ran.code == 0, ran.stderr
    return folder


@pytest.fixture(params=REPORTS)
def visit(request: pytest.FixtureRequest, browser: Any, folder: Path) -> Iterator[Visit]:
    """A visit to each page; nothing may go wrong in it, and it may ask for nothing but itself."""
    address = (folder / f"{request.param}.html").as_uri()
    visit = Visit(browser)
    visit.page.goto(address)
    yield visit
    assert visit.faults == []
    assert {url.partition("#")[0] for url in visit.requests} == {address}
    visit.context.close()


def test_every_link_leads_to_what_it_names(visit: Visit) -> None:
    """A change leads to its line in the source and in the result, and both lead back."""
    links = visit.page.eval_on_selector_all("a", "all => all.map(x => x.getAttribute('href'))")
    for address in links:
        visit.page.evaluate("address => { location.hash = address }", address)
        assert visit.page.locator(":target").count() == 1, address
    rows = visit.page.eval_on_selector_all("tr:has(a):not(:has(.unstated, .filled-in))", "all => all.map(x => x.id)")
    for row in rows:  # what nobody states leads to the tool only, which does not lead back
        line = visit.page.locator(f"#{row} a").first.get_attribute("href")
        assert visit.page.locator(f"{line} a[href='#{row}']").count() == 1


def test_nothing_of_a_source_runs_or_loads(visit: Visit) -> None:
    visit.page.evaluate("document.querySelectorAll('body *').forEach(x => { x.closest('a') || x.click() })")
    visit.page.wait_for_timeout(50)
    assert visit.page.evaluate("typeof window.attacked") == "undefined"
    assert visit.page.locator("script, img, iframe, form").count() == 0


def test_a_script_that_came_in_would_not_run(browser: Any, folder: Path) -> None:
    visit = Visit(browser)
    visit.page.goto((folder / "program.html").as_uri())
    visit.page.evaluate("""() => {
        const script = document.createElement("script");
        script.textContent = "window.attacked = 1";
        document.body.append(script);
    }""")
    assert visit.page.evaluate("typeof window.attacked") == "undefined"
    assert ["Content Security Policy" in fault for fault in visit.faults] == [True]
    visit.context.close()


def test_a_keyboard_reaches_every_link_and_what_scrolls(browser: Any, folder: Path) -> None:
    visit = Visit(browser, viewport={"width": 320, "height": 600})
    visit.page.goto((folder / "fields.html").as_uri())
    reached = set()
    visit.page.evaluate("document.querySelectorAll('details').forEach(x => { x.open = true })")
    for _ in range(visit.page.locator("a, summary, [tabindex]").count()):
        visit.page.keyboard.press("Tab")
        reached.add(
            visit.page.evaluate("document.activeElement.getAttribute('href') || document.activeElement.className")
        )
        assert visit.page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
    assert reached - {""} == {
        "scroll",
        *visit.page.eval_on_selector_all("a", "all => all.map(x => x.getAttribute('href'))"),
    }
    visit.context.close()


@pytest.mark.parametrize("width", [320, 768, 1280])
@pytest.mark.parametrize("name", REPORTS)
def test_a_window_of_any_width_needs_no_scrolling_sideways(browser: Any, folder: Path, name: str, width: int) -> None:
    visit = Visit(browser, viewport={"width": width, "height": 800})
    visit.page.goto((folder / f"{name}.html").as_uri())
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= width
    visit.context.close()


def test_marks_are_words_and_signs_and_paper_has_all_of_it(browser: Any, folder: Path) -> None:
    """Nothing is told by a colour alone: every mark has its sign, and what is lost is struck through."""
    visit = Visit(browser, forced_colors="active")
    visit.page.goto((folder / "fields.html").as_uri())
    marks = visit.page.locator("td.mark").all_text_contents()
    assert {mark.split()[0] for mark in marks} <= {"-", "~", ">", "?", "="}
    assert all(len(mark.split()) > 1 for mark in marks)
    assert "line-through" in visit.page.evaluate("getComputedStyle(document.querySelector('del')).textDecoration")
    visit.page.emulate_media(media="print")
    tables = visit.page.locator("table").count()
    assert visit.page.locator("tr:visible").count() == len(marks) + tables
    visit.context.close()


@pytest.mark.parametrize("name", REPORTS)
def test_why_and_where_are_seen_at_once_and_warnings_come_first(browser: Any, folder: Path, name: str) -> None:
    visit = Visit(browser, viewport={"width": 1200, "height": 800})
    visit.page.goto((folder / f"{name}.html").as_uri())
    for region in visit.page.locator(".scroll").all():
        assert region.evaluate("x => x.scrollWidth <= x.clientWidth")
    marks = visit.page.locator("td.mark").all_text_contents()
    severe = [mark[0] in "!~" for mark in marks]
    assert severe == sorted(severe, reverse=True)
    assert {mark[0] for mark in visit.page.locator("details td.mark").all_text_contents()} <= {"?", "="}
    assert visit.page.locator("td.mark:not(details td)", has_text="spelled otherwise").count() == 0
    visit.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", REPORTS)
def test_nobody_is_shut_out(browser: Any, folder: Path, name: str, scheme: str) -> None:
    """axe-core finds nothing at all."""
    visit = Visit(browser, color_scheme=scheme, bypass_csp=True)
    visit.page.goto((folder / f"{name}.html").as_uri())
    assert faults_for_people(visit) == []
    visit.context.close()
