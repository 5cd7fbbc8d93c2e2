"""The run page at work: charts, their tables, exports, and a view state that lives in the address."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.browser.conftest import Site, Visit, drawn

pytestmark = pytest.mark.browser


@pytest.fixture
def on_run(site: Site, visit: Visit) -> Visit:
    visit.page.goto(f"{site.url}/runs/3")
    drawn(visit.page, "ladder")
    return visit


def test_every_rung_is_a_bar_in_ladder_order(on_run: Visit) -> None:
    names = on_run.page.eval_on_selector("#chart-ladder .plot", "plot => plot.layout.yaxis.ticktext")
    rows = on_run.page.locator("#ladder-table tbody th a").all_inner_texts()
    assert [name.split()[-1] for name in names] == rows


def test_chart_and_table_change_places_without_moving_the_page(on_run: Visit) -> None:
    card = on_run.page.locator("#chart-ladder")
    before = card.bounding_box()
    card.get_by_role("button", name="Table").click()
    assert card.locator(".twin table").is_visible()
    assert card.get_by_role("button", name="Table").get_attribute("aria-pressed") == "true"
    assert card.bounding_box() == before
    card.get_by_role("button", name="Table").click()
    assert not card.locator(".twin table").is_visible()


def test_a_size_is_chosen_in_place_and_back_returns(site: Site, on_run: Visit) -> None:
    page = on_run.page
    page.evaluate("window.sameDocument = true")
    page.locator("#ladder-table").get_by_role("link", name="256³").click()
    page.wait_for_url("**size=m=256,n=256,k=256**")
    page.wait_for_selector('#ladder-table a[aria-current]:has-text("256³")')
    drawn(page, "roofline")
    assert page.evaluate("window.sameDocument") is True
    page.reload()
    assert page.locator('#ladder-table a[aria-current]:has-text("256³")').is_visible()
    page.go_back()
    page.wait_for_selector('#ladder-table a[aria-current]:has-text("512³")')


@pytest.mark.parametrize(
    ("modifiers", "suffix", "start"), [([], "png", b"\x89PNG"), (["Shift"], "svg", b"<svg")]
)
def test_a_chart_is_exported(on_run: Visit, modifiers: list[str], suffix: str, start: bytes) -> None:
    page = on_run.page
    with page.expect_download() as download:
        page.locator("#chart-ladder [data-export]").click(modifiers=modifiers)  # type: ignore[arg-type]
    file = download.value
    assert file.suggested_filename == f"roofladder-run3-ladder-512-fp32.{suffix}"
    content = Path(file.path()).read_bytes()
    assert content.startswith(start)
    if suffix == "svg":
        assert b"run 3" in content


def test_the_theme_changes_page_and_charts_and_is_kept(site: Site, on_run: Visit) -> None:
    page = on_run.page
    surface = "plot => plot.layout.paper_bgcolor"
    assert page.eval_on_selector("#chart-ladder .plot", surface) == "#FFFFFF"
    page.get_by_role("button", name="Switch between light and dark").click()
    page.wait_for_function(
        "() => document.querySelector('#chart-ladder .plot').layout.paper_bgcolor === '#14181F'"
    )
    page.reload()
    assert page.locator("html").get_attribute("data-theme") == "dark"
    drawn(page, "ladder")
    assert page.eval_on_selector("#chart-ladder .plot", surface) == "#14181F"


def test_names_from_users_stay_text(site: Site, visit: Visit) -> None:
    visit.page.goto(f"{site.url}/runs/2")
    assert visit.page.get_by_text("<b>bold</b>").first.is_visible()


def test_the_same_run_as_commands(on_run: Visit) -> None:
    on_run.page.get_by_role("button", name="Copy as").click()
    shown = on_run.page.locator("#copy-run code").all_inner_texts()
    body = json.loads(shown[0].split(" -d ")[1].strip("'"))
    assert [size["m"] for size in body["sizes"]] == [256, 512, 1024]
    assert shown[1].startswith("roofladder run matmul --size 256x256x256")
