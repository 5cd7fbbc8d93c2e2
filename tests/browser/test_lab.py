"""The lab over the run that comes with the product: every chart is drawn, nothing leaves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from app.kernels import registry
from app.kernels.experiment import experiments
from app.services.capsule import import_capsule
from app.storage.database import open_store
from tests.browser.conftest import Site, Visit, drawn, serving, watch

pytestmark = pytest.mark.browser
LAB = Path(__file__).parents[2] / "capsules" / "h200-memory-lab.capsule.zip"
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
POINTS = "plot => plot.data.reduce((sum, trace) => sum + trace.x.length, 0)"


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A service that holds the bundled memory lab of an H200 and nothing else."""
    folder = tmp_path_factory.mktemp("lab")
    store = open_store(f"sqlite:///{folder / 'roofladder.db'}")
    import_capsule(store, LAB.read_bytes())
    with serving(store, folder) as url:
        yield Site(url, store)
    store.close()


@pytest.mark.parametrize(("path", "kind"), [("/lab", "experiment"), ("/hierarchy", "hierarchy")])
def test_every_experiment_is_drawn_with_its_points(lab: Site, visit: Visit, path: str, kind: str) -> None:
    visit.page.goto(lab.url + path)
    names = [e.name for e in experiments().values() if registry.problem(e.problem).kind == kind]
    charts = visit.page.locator("figure.chart")
    assert [chart.get_attribute("data-name") for chart in charts.all()] == names
    for name in names:
        drawn(visit.page, name)
        assert visit.page.eval_on_selector(f"#chart-{name} .plot", POINTS) >= 2, name
    assert visit.page.locator(".trouble").count() == 0


def test_an_experiment_has_its_points_and_a_key_leads_to_the_next(lab: Site, visit: Visit) -> None:
    page = visit.page
    page.goto(lab.url + "/lab/stride")
    drawn(page, "stride")
    assert page.locator("#points-title").is_visible()
    following = page.locator("[data-next]").get_attribute("href")
    page.keyboard.press("]")
    page.wait_for_url(f"**{following}", wait_until="commit")


def test_a_phone_scrolls_the_lab_up_and_down_only(lab: Site, browser: Browser) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, color_scheme="dark", has_touch=True)
    visit = watch(context.new_page())
    for path in ("/lab", "/hierarchy", "/lab/latency", "/jobs?suite=memory_lab"):
        visit.page.goto(lab.url + path, wait_until="domcontentloaded")
        assert visit.page.evaluate(SIDEWAYS) <= 0, path
    visit.page.wait_for_load_state()
    assert not visit.page.get_by_label("Sizes").is_visible(), "a suite brings its own"
    visit.check()
    context.close()
