"""Everything by keyboard alone."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Site, Visit, drawn

pytestmark = pytest.mark.browser


def test_the_skip_link_comes_first_and_leads_to_the_content(site: Site, visit: Visit) -> None:
    page = visit.page
    page.goto(site.url)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to content"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


def test_two_keys_go_to_each_section(site: Site, visit: Visit) -> None:
    page = visit.page
    page.goto(site.url)
    for key, path in (("l", "/ladders"), ("r", "/runs"), ("j", "/jobs"), ("m", "/machine"), ("o", "/")):
        page.keyboard.press("g")
        page.keyboard.press(key)
        page.wait_for_url(site.url + path)


def test_rows_are_walked_and_opened(site: Site, visit: Visit) -> None:
    page = visit.page
    page.goto(f"{site.url}/runs")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{site.url}/runs/3")
    page.keyboard.press("[")
    page.wait_for_url(f"{site.url}/runs/2")
    page.keyboard.press("]")
    page.wait_for_url(f"{site.url}/runs/3")


def test_search_jumps_to_a_run_and_fields_keep_their_letters(site: Site, visit: Visit) -> None:
    page = visit.page
    page.goto(site.url)
    page.keyboard.press("/")
    page.keyboard.type("grt")
    assert page.locator(".search input").input_value() == "grt"
    page.locator(".search input").fill("run 2")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{site.url}/runs/2")


def test_the_map_opens_and_closes(site: Site, visit: Visit) -> None:
    page = visit.page
    page.goto(site.url)
    page.keyboard.press("?")
    assert page.get_by_role("dialog", name="Keyboard map").is_visible()
    page.keyboard.press("Escape")
    assert not page.get_by_role("dialog", name="Keyboard map").is_visible()


def test_t_changes_chart_and_table(site: Site, visit: Visit) -> None:
    page = visit.page
    page.goto(f"{site.url}/runs/3")
    drawn(page, "roofline")
    page.locator("#chart-roofline .plot").focus()
    page.keyboard.press("t")
    assert page.locator("#twin-roofline").is_visible()
    page.keyboard.press("t")
    assert not page.locator("#twin-roofline").is_visible()


def test_focus_is_always_seen_and_every_control_has_a_name(site: Site, visit: Visit) -> None:
    page = visit.page
    page.goto(f"{site.url}/runs/3")
    for _ in range(30):
        page.keyboard.press("Tab")
        outline = page.evaluate(
            "(() => { const e = document.activeElement.closest('.search') ?? document.activeElement;"
            " return getComputedStyle(e).outlineStyle; })()"
        )
        assert outline != "none", page.evaluate("document.activeElement.outerHTML")
    nameless = page.evaluate(
        "[...document.querySelectorAll('button, a[href], input, select')].filter(e => e.type !== 'hidden' &&"
        " !(e.textContent.trim() || e.ariaLabel || e.title || e.labels?.length)).map(e => e.outerHTML)"
    )
    assert nameless == []
