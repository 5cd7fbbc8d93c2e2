"""From a file on the desk to the profile of a launch, with a mouse and without scripts."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from app.storage.database import open_store
from tests.browser.conftest import Site, Visit, drawn, serving

pytestmark = pytest.mark.browser
CAPTURES = Path(__file__).resolve().parents[1] / "data" / "ncu"
REPORT = CAPTURES / "bank_conflict_benchmark.raw.csv"
DROP = """([content, name]) => {
  const bytes = Uint8Array.from(atob(content), (one) => one.charCodeAt(0));
  const transfer = new DataTransfer();
  transfer.items.add(new File([bytes], name));
  const event = { dataTransfer: transfer, bubbles: true, cancelable: true };
  for (const kind of ["dragenter", "dragover", "drop"])
    document.body.dispatchEvent(new DragEvent(kind, event));
}"""
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture
def empty_site(tmp_path: Path) -> Iterator[Site]:
    store = open_store(f"sqlite:///{tmp_path / 'roofladder.db'}")
    with serving(store, tmp_path) as url:
        yield Site(url, store)
    store.close()


def test_a_dropped_report_leads_to_what_limits_a_kernel(empty_site: Site, visit: Visit) -> None:
    page = visit.page
    page.goto(f"{empty_site.url}/profiles")
    content = base64.b64encode(REPORT.read_bytes()).decode()
    page.evaluate(DROP, [content, REPORT.name])
    page.wait_for_url(f"{empty_site.url}/profiles/1")
    page.get_by_role("link", name="transpose_conflict").click()
    page.wait_for_url("**/profiles/1/launches/1")
    drawn(page, "stalls")
    assert page.get_by_role("img", name="Memory chart").is_visible()
    assert page.get_by_text("85\u202f% sure").first.is_visible()
    page.get_by_role("button", name="Stage…").click()
    page.locator("select[name=stage]").select_option("transpose/swizzle")
    page.get_by_role("button", name="Keep").click()
    page.get_by_text("by hand").first.wait_for()
    page.get_by_role("link", name="Metrics").click()
    page.get_by_label("Name, section or label").fill("data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum")
    page.get_by_text("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum").first.wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Overview", exact=True).last.click()
    page.get_by_role("button", name="Compare with…").click()
    page.get_by_role("button", name="Compare", exact=True).click()
    page.wait_for_url("**/profiles/compare?**")
    assert page.get_by_text("2.25×").is_visible()


def test_without_scripts_a_report_is_imported_by_its_form(empty_site: Site, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(f"{empty_site.url}/profiles")
    page.locator("#drop-files").set_input_files(REPORT)
    page.get_by_role("button", name="Import").click()
    page.get_by_role("link", name="transpose_padded").click()
    assert page.locator("#twin-stalls table").is_visible()
    context.close()


def test_profiles_fit_a_phone(empty_site: Site, visit: Visit) -> None:
    page = visit.page
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{empty_site.url}/profiles")
    page.locator("#drop-files").set_input_files([REPORT, CAPTURES / "gemm.raw.csv"])
    page.get_by_role("heading", name="Imported").wait_for()
    for path in ("/profiles", "/profiles/1", "/profiles/1/launches/1", "/profiles/compare?base=1&head=2"):
        page.goto(empty_site.url + path)
        assert page.evaluate(SIDEWAYS) <= 0, path
