"""Every page: clean console, nothing leaves the machine, no sideways scroll, tables without scripts."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import Site, Visit, drawn, watch

pytestmark = pytest.mark.browser
PAGES = (
    "/",
    "/?source=imported",
    "/ladders",
    "/ladders/matmul",
    "/runs",
    "/runs/1",
    "/runs/2",
    "/runs/3?tab=samples",
    "/runs/3?tab=environment",
    "/runs/3?tab=log",
    "/runs/1/stages/naive?size=m=4096,n=4096,k=4096",
    "/jobs",
    "/jobs/1",
    "/machine",
    "/lab",
    "/hierarchy",
    "/ceilings",
    "/pairs",
    "/claims",
    "/traps",
    "/claims?verdict=impossible",
    "/incidents",
    "/incidents/transpose",
    "/search?q=tile",
    "/profiles",
)
PHONE = {"width": 390, "height": 844}
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.mark.parametrize("path", PAGES)
def test_console_and_network_stay_clean(site: Site, visit: Visit, path: str) -> None:
    answer = visit.page.goto(site.url + path, wait_until="load")
    assert answer is not None
    assert answer.status == 200
    for chart in visit.page.locator("figure.chart").all():
        drawn(visit.page, chart.get_attribute("data-name") or "")
    assert visit.page.locator(".trouble").count() == 0
    assert visit.page.evaluate(SIDEWAYS) <= 0


def test_a_phone_scrolls_up_and_down_only(site: Site, browser: Browser) -> None:
    context = browser.new_context(viewport=PHONE, color_scheme="dark", has_touch=True)  # type: ignore[arg-type]
    visit = watch(context.new_page())
    for path in PAGES:
        visit.page.goto(site.url + path, wait_until="load")
        assert visit.page.evaluate(SIDEWAYS) <= 0, path
    assert visit.page.locator(".bottom-bar").is_visible()
    assert not visit.page.locator(".rail").is_visible()
    visit.check()
    context.close()


def test_without_scripts_the_tables_are_there(site: Site, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(site.url + "/runs/3")
    assert page.locator("#ladder-table").get_by_role("link", name="threaded").is_visible()
    assert page.locator("#twin-ladder table").is_visible()
    assert page.locator("#twin-roofline table").is_visible()
    assert not page.locator("#chart-ladder .plot").is_visible()
    page.locator("#ladder-table").get_by_role("link", name="256³").click()
    assert "size=m=256" in page.url
    page.get_by_role("button", name="Switch between light and dark").click()
    assert page.locator("html").get_attribute("data-theme") == "dark"
    context.close()


def test_an_unknown_run_is_a_page_with_a_way_on(site: Site, visit: Visit) -> None:
    visit.expected.append("404")
    answer = visit.page.goto(site.url + "/runs/4711")
    assert answer is not None
    assert answer.status == 404
    assert (
        visit.page.get_by_role("alert")
        .get_by_text("Stored runs and running jobs are not affected.")
        .is_visible()
    )
    visit.page.get_by_role("alert").get_by_role("link", name="Overview").click()
    visit.page.wait_for_url(site.url + "/")


def test_a_chart_that_cannot_be_drawn_says_so(site: Site, visit: Visit) -> None:
    visit.expected.append("503")
    visit.page.route(
        "**/api/v1/charts/ladder**", lambda route: route.fulfill(status=503, json={"detail": "Busy."})
    )
    visit.page.goto(site.url + "/runs/3")
    visit.page.locator("#chart-ladder").scroll_into_view_if_needed()
    trouble = visit.page.locator("#chart-ladder .trouble")
    trouble.wait_for()
    assert "This chart could not be drawn: Busy." in trouble.inner_text()
    drawn(visit.page, "roofline")
