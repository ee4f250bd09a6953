"""The pages of a catalogue in a real browser: `make browser` runs it in an environment that drives Chromium."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

import page_sample
from browser_visits import Visit, faults_for_people

pages = pytest.importorskip(
    "toolglot.verbs.catalogs.pages.html_site", reason="the extra `pages` is not installed; make browser"
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of the sample's site."""
    folder = tmp_path_factory.mktemp("pages")
    assert page_sample.make_site(folder / "site", page_sample.write_tools(folder / "sources")).code == 0
    return (folder / "site").as_uri()


@pytest.fixture
def visit(browser: Any, site: str) -> Iterator[Visit]:
    """A visit to the list of tools; nothing may go wrong in it, and nothing leave the folder."""
    visit = Visit(browser)
    visit.page.goto(f"{site}/index.html")
    yield visit
    assert visit.faults == []
    assert [url for url in visit.requests if not url.startswith(site)] == []
    visit.context.close()


def test_a_search_narrows_and_says_how_many(visit: Visit) -> None:
    assert visit.page.inner_text("#count") == "17 of 17 tools"
    visit.page.fill("#query", "Archive MESSAGE")
    assert visit.shown() == ["mail-archive-v2"]
    assert visit.page.inner_text("#count") == "1 of 17 tools"
    assert visit.page.get_attribute("#count", "role") == "status"
    visit.page.fill("#query", "nothing is called so")
    assert visit.shown() == []
    assert visit.page.is_visible("#none")
    visit.page.click("button[type=reset]")
    assert len(visit.shown()) == 17


def test_values_of_a_facet_are_alternatives_and_facets_narrow(visit: Visit) -> None:
    visit.page.check("input[name=danger][value=destructive]")
    destructive = visit.shown()
    assert "shredder" in destructive
    visit.page.check("input[name=danger][value='effects not stated']")
    assert len(visit.shown()) > len(destructive)
    visit.page.check("input[name=tier][value=write]")
    assert visit.shown() == ["shredder", "x-host-toolglot-clinic-move-appointment-2"]
    counts = dict(visit.page.eval_on_selector_all(
        "input[name=tier]", "all => all.map(x => [x.value, x.parentElement.lastElementChild.textContent])"
    ))  # fmt: skip
    assert counts == {"not stated": str(len(destructive) - 1 + 5), "write": "2"}, "what each choice would show"


def test_a_link_is_the_state(visit: Visit, browser: Any) -> None:
    visit.page.fill("#query", "box")
    visit.page.check("input[name=danger][value=destructive]")
    visit.page.wait_for_url("**/index.html?q=box&danger=destructive")
    address = visit.page.url
    other = Visit(browser)
    other.page.goto(address)
    assert other.shown() == visit.shown() != []
    other.page.click("button[type=reset]")
    other.page.wait_for_url("**/index.html")
    other.context.close()


def test_a_link_to_a_tool_opens_it_whatever_was_searched_for(visit: Visit, site: str) -> None:
    visit.page.goto(f"{site}/index.html?q=depot#mail-archive-v2")
    assert visit.page.is_visible("#mail-archive-v2 details[open] h3")
    visit.page.goto(f"{site}/index.html#water_level")
    assert visit.page.is_visible("#water_level details[open] h3")
    top = visit.page.evaluate("document.getElementById('water_level').getBoundingClientRect().top")
    assert 0 <= top < 200


def test_every_format_is_two_links_away_and_can_be_copied(browser: Any, site: str) -> None:
    visit = Visit(browser)
    visit.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visit.page.goto(f"{site}/index.html#mail-archive-v2")
    visit.page.click("#mail-archive-v2 >> text=In every format")
    visit.page.wait_for_url("**/tools/mail-archive-v2/index.html")
    visit.page.click("#openai button")
    visit.page.wait_for_selector("#openai button:text('Copied')")
    folder = Path(site.removeprefix("file://")) / "tools" / "mail-archive-v2"
    assert visit.page.evaluate("navigator.clipboard.readText()") == (folder / "tool.openai.json").read_text("utf-8")
    visit.page.click("#openai >> text=tool.openai.json")
    visit.page.wait_for_url("**/tool.openai.json")
    visit.page.go_back()
    visit.page.click("text=All tools")
    visit.page.wait_for_url("**/index.html#mail-archive-v2")
    visit.context.close()


def test_a_keyboard_is_enough(visit: Visit) -> None:
    visit.page.keyboard.press("Tab")
    assert visit.page.evaluate("document.activeElement.className") == "skip"
    visit.page.keyboard.press("Enter")
    assert visit.page.evaluate("document.activeElement.id") == "tools"
    visit.page.keyboard.press("/")
    assert visit.page.evaluate("document.activeElement.id") == "query"
    visit.page.keyboard.type("a/b")
    assert visit.page.input_value("#query") == "a/b"
    visit.page.keyboard.press("Escape")
    assert visit.page.input_value("#query") == ""
    visit.page.keyboard.type("mail.archive")
    visit.page.focus("#mail-archive-v2 summary")
    visit.page.keyboard.press("Enter")
    assert visit.page.is_visible("#mail-archive-v2 details[open] h3")
    assert visit.page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"


def test_all_of_it_can_be_read_without_scripts(browser: Any, site: str) -> None:
    visit = Visit(browser, java_script_enabled=False)
    visit.page.goto(f"{site}/index.html")
    assert visit.page.is_hidden("#finder")
    assert visit.page.locator("article").count() == 17
    visit.page.click("#mail-archive-v2 summary >> nth=0")
    assert visit.page.is_visible("#mail-archive-v2 table")
    visit.page.click("#mail-archive-v2 >> text=In every format")
    assert visit.page.is_visible("#openai pre")
    assert visit.faults == []
    visit.context.close()


def test_a_hostile_tool_does_nothing(browser: Any, site: str) -> None:
    """Every element of its pages is looked at, hovered over and clicked."""
    for path in ("index.html", "tools/evil/index.html", "tools/safe-eman/index.html", "tools/etc-passwd/index.html"):
        visit = Visit(browser)
        visit.page.goto(f"{site}/{path}")
        visit.page.evaluate("document.querySelectorAll('details').forEach(x => { x.open = true })")
        visit.page.wait_for_timeout(50)
        visit.page.evaluate("document.querySelectorAll('#evil *').forEach(x => { x.closest('a') || x.click() })")
        links = visit.page.eval_on_selector_all("a", "all => all.map(x => x.protocol)")
        assert set(links) <= {"file:", "https:"}
        assert visit.page.evaluate("typeof window.attacked") == "undefined"
        assert [url for url in visit.requests if not url.startswith(site)] == []
        assert visit.faults == []
        visit.context.close()


def test_a_script_that_came_in_would_not_run(visit: Visit) -> None:
    """The second wall: what a page may run is told to the browser."""
    visit.page.evaluate("""() => {
        const script = document.createElement("script");
        script.textContent = "window.attacked = 1";
        document.body.append(script);
        const image = "<img src='https://evil.example/x.png' onerror='window.attacked=1'>";
        document.body.insertAdjacentHTML("beforeend", image);
    }""")
    visit.page.wait_for_timeout(100)
    assert visit.page.evaluate("typeof window.attacked") == "undefined"
    assert len(visit.faults) >= 2
    assert all("Content Security Policy" in fault for fault in visit.faults)
    visit.faults.clear()
    visit.requests[:] = [url for url in visit.requests if not url.startswith("https://evil.example")]


def test_paper_has_everything_and_no_controls(visit: Visit) -> None:
    visit.page.emulate_media(media="print")
    assert visit.page.is_hidden("#finder")
    visit.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert visit.page.is_visible("#mail-archive-v2 table")
    visit.page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert visit.page.locator("article details[open]").count() == 0


@pytest.mark.parametrize("width", [320, 380, 768, 1280])
def test_a_window_of_any_width_needs_no_scrolling_sideways(browser: Any, site: str, width: int) -> None:
    for path in ("index.html#mail-archive-v2", "index.html#evil", "tools/mail-archive-v2/index.html"):
        visit = Visit(browser, viewport={"width": width, "height": 800})
        visit.page.goto(f"{site}/{path}")
        assert visit.page.evaluate("document.documentElement.scrollWidth") <= width, path
        visit.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["index.html", "tools/mail-archive-v2/index.html", "tools/evil/index.html"])
def test_nobody_is_shut_out(browser: Any, site: str, path: str, scheme: str) -> None:
    """axe-core finds nothing at all, with everything open, on a telephone, a tablet and a screen."""
    visit = Visit(browser, color_scheme=scheme, bypass_csp=True)
    visit.page.goto(f"{site}/{path}")
    visit.page.evaluate("document.querySelectorAll('details').forEach(x => { x.open = true })")
    for width in (380, 768, 1280):
        visit.page.set_viewport_size({"width": width, "height": 800})
        assert faults_for_people(visit) == []
    visit.context.close()


def test_a_search_over_many_sources_shows_the_tools_that_have_the_words(browser: Any, tmp_path: Path) -> None:
    page_sample.write_many(tmp_path / "in", 12, servers=3)
    with patch.object(pages, "MOST_ON_A_PAGE", 5):
        assert page_sample.make_site(tmp_path / "out", tmp_path / "in").code == 0
    visit = Visit(browser, bypass_csp=True)  # which axe needs
    visit.page.goto((tmp_path / "out" / "index.html").as_uri())
    assert visit.page.inner_text("#count") == "3 of 3 sources"
    assert faults_for_people(visit) == []
    visit.page.fill("#query", "thing 3 server 1")
    assert visit.page.inner_text("#count") == "1 of 3 sources"
    lines = visit.page.locator("article .names li:visible")
    assert lines.all_inner_texts() == ["tool_3 Does thing 3 of server 1."]
    lines.locator("a").click()
    visit.page.wait_for_url("**/sources/server-1.html#server-1-tool_3")
    assert visit.page.is_visible("#server-1-tool_3 details[open] h3")
    assert visit.faults == []
    visit.context.close()
