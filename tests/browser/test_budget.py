"""How much the first view transfers and how soon its first chart stands."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import Site, drawn

pytestmark = pytest.mark.browser
FIRST_VIEW_BYTES = 600_000
LATER_VIEW_BYTES = 60_000
FIRST_CHART_MS = 1000
MOST_SHIFT = 0.01
SINCE_LOAD = """() => {
  const load = performance.getEntriesByType("navigation")[0].loadEventEnd;
  return Math.min(...performance.getEntriesByType("mark").map(mark => mark.startTime)) - load;
}"""
SHIFT = """() => new Promise(resolve => new PerformanceObserver(list => resolve(
  list.getEntries().reduce((sum, entry) => sum + entry.value, 0)))
  .observe({ type: "layout-shift", buffered: true }) || setTimeout(() => resolve(0), 300))"""


@pytest.mark.parametrize("path", ["/", "/runs/3"])
def test_the_first_view_is_small_and_later_views_are_smaller(site: Site, browser: Browser, path: str) -> None:
    context = browser.new_context(viewport={"width": 1440, "height": 2400})
    page = context.new_page()
    wire = context.new_cdp_session(page)
    wire.send("Network.enable")
    sizes: list[float] = []
    wire.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    page.goto(site.url + path, wait_until="load")
    for name in ("ladder", "roofline"):
        drawn(page, name)
    page.wait_for_timeout(200)
    first = sum(sizes)
    sizes.clear()
    page.goto(site.url + path, wait_until="load")
    drawn(page, "ladder")
    page.wait_for_timeout(200)
    later = sum(sizes)
    context.close()
    print(f"{path}: first view {first / 1e3:.0f} kB, later view {later / 1e3:.0f} kB")  # noqa: T201
    assert first <= FIRST_VIEW_BYTES
    assert later <= LATER_VIEW_BYTES


@pytest.mark.parametrize("path", ["/", "/runs/3"])
def test_the_first_chart_stands_within_a_second_of_load(site: Site, browser: Browser, path: str) -> None:
    """The best of five: other work on the machine can only make it later."""
    waited = []
    for _ in range(5):
        context = browser.new_context(viewport={"width": 1440, "height": 1200})
        page = context.new_page()
        page.goto(site.url + path, wait_until="load")
        drawn(page, "ladder")
        waited.append(page.evaluate(SINCE_LOAD))
        context.close()
    print(f"{path}: first chart {min(waited):.0f} ms after load (all {[round(w) for w in waited]})")  # noqa: T201
    assert min(waited) <= FIRST_CHART_MS


def test_nothing_moves_when_charts_arrive(site: Site, browser: Browser) -> None:
    shifts = []
    for _ in range(3):
        context = browser.new_context(viewport={"width": 1440, "height": 2000})
        page = context.new_page()
        page.goto(site.url + "/runs/3", wait_until="load")
        for name in ("ladder", "samples", "roofline"):
            drawn(page, name)
        shifts.append(page.evaluate(SHIFT))
        context.close()
    assert min(shifts) <= MOST_SHIFT, shifts
