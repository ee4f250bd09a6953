"""Pages of catalogues in a real browser: how large a page is, how soon it is seen, and how long a search takes.

`make pages` runs it in an environment that drives the Chromium of the system. Of each time the best of five runs
counts. A page that is too large or too slow makes the exit code 1.
"""

from __future__ import annotations

import gzip
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import page_sample
from browser_visits import Visit, open_browser

RUNS = 5
WORDS = ("thing", "tool_17", "server 3", "")
PAINTED = "() => performance.getEntriesByName('first-contentful-paint')[0].startTime"
"""Milliseconds until something is seen."""
SEARCHED = """(word) => {
    const query = document.getElementById("query");
    const started = performance.now();
    query.value = word;
    query.form.dispatchEvent(new Event("input"));
    document.body.offsetHeight;
    return performance.now() - started;
}"""
"""Milliseconds until what a word leaves is laid out."""


def measure_page(browser: Any, address: str) -> tuple[float, float, float]:
    """Seconds of processor until it can be searched, milliseconds until it is seen, and those of the slowest search."""
    visit = Visit(browser)
    session = visit.context.new_cdp_session(visit.page)
    session.send("Performance.enable")
    visit.page.goto(address)
    visit.page.wait_for_selector("#finder")
    metrics = session.send("Performance.getMetrics")["metrics"]
    visit.page.wait_for_function("performance.getEntriesByName('first-contentful-paint').length")
    painted = visit.page.evaluate(PAINTED)
    searched = max(visit.page.evaluate(SEARCHED, word) for word in WORDS)
    visit.context.close()
    return next(metric["value"] for metric in metrics if metric["name"] == "ThreadTime"), painted, searched


def main() -> int:
    is_good = True
    print("| tools | parameters | page | size | gzip | processor until it can be searched | seen | a search |")
    print("| ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: |")
    with open_browser() as browser, TemporaryDirectory() as name:
        for tools, parameters in ((1000, 2), (1000, 4), (10_000, 2)):
            folder = Path(name, f"{tools}-{parameters}")
            for path, text in page_sample.list_pages(folder / "in", tools, parameters):
                page_sample.write(folder / path, text)
                address = (folder / path).as_uri()
                runs = [measure_page(browser, address) for _ in range(RUNS)]
                busy, painted, searched = (min(times) for times in zip(*runs, strict=True))
                size, packed = len(text.encode()), len(gzip.compress(text.encode()))
                is_good = is_good and size <= 2e6 and packed <= 6e5 and searched <= 50 and painted <= 1000
                sizes = f"{size / 1e6:.2f} MB | {packed / 1000:.0f} kB"
                times = f"{busy:.2f} s | {painted:.0f} ms | {searched:.0f} ms"
                print(f"| {tools:,} | {parameters} | {path} | {sizes} | {times} |")
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
