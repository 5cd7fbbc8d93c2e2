"""The roofline by pointer and by keyboard: every point is a permalink to its stage."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Site, Visit, drawn

pytestmark = pytest.mark.browser
POINT = "#chart-roofline .plot .scatterlayer .trace:first-of-type .points path.point"


@pytest.fixture
def on_roofline(site: Site, visit: Visit) -> Visit:
    visit.page.goto(f"{site.url}/runs/1")
    drawn(visit.page, "roofline")
    return visit


def test_hover_says_rate_roof_interval_and_clock(on_roofline: Visit) -> None:
    page = on_roofline.page
    box = page.locator(POINT).nth(3).bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    label = page.locator("#chart-roofline .hoverlayer")
    label.locator("text").first.wait_for(state="attached")
    text = label.text_content() or ""
    for part in (
        "Register tile",
        "TFLOP/s",
        "of the FP32 roof",
        "median",
        "±",
        "p5–p95",
        "n = 41",
        "1.98",
        "FLOP/B",
    ):
        assert part.lower() in text.lower()


def test_a_click_opens_the_stage_at_the_same_size(on_roofline: Visit) -> None:
    page = on_roofline.page
    box = page.locator(POINT).nth(0).bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_url("**/runs/1/stages/naive?**size=m=4096,n=4096,k=4096**")
    assert page.get_by_role("heading", level=1).inner_text().endswith("naive")


def test_arrow_keys_walk_the_points_and_enter_opens_one(on_roofline: Visit) -> None:
    page = on_roofline.page
    page.locator("#chart-roofline .plot").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    said = page.locator("#chart-roofline [data-point]").text_content() or ""
    assert "coalesced" in said.lower()
    assert page.locator("#twin-roofline tr.selected").text_content() is not None
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.wait_for_url("**/runs/1/stages/naive?**")


def test_the_warm_pair_and_the_cacheless_view_are_in_the_address(on_roofline: Visit) -> None:
    page = on_roofline.page
    page.locator("#chart-roofline").get_by_role("link", name="+ warm").click()
    page.wait_for_url("**warm=true**")
    drawn(page, "roofline")
    assert page.eval_on_selector("#chart-roofline .plot", "plot => plot.data.length") == 2
    page.locator("#chart-roofline").get_by_role("link", name="No cache").click()
    page.wait_for_url("**level=no_cache**")
    assert page.evaluate("scrollY") > 0  # a switch changes the picture, not the place
    assert page.evaluate("document.activeElement.textContent") == "No cache"
    page.wait_for_function(
        "() => document.querySelector('#chart-roofline .plot').layout?.xaxis.title.text?.includes('no cache')"
    )
