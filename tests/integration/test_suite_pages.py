"""Runs of suites as pages, over the capsules that come with the product: every problem with its medians."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from app.kernels.suites import suite
from app.services.capsule import import_capsule
from app.services.run_tables import suite_view
from app.storage.store import Store
from app.web import formatting

CAPSULES = Path(__file__).parents[2] / "capsules"
BODY = re.compile(r'<tbody id="problem-(\w+)">(.*?)</tbody>', re.DOTALL)


@pytest.mark.parametrize("name", ["memory_lab", "diagnosis_pairs", "traps"])
def test_each_problem_of_a_bundled_suite_shows_its_medians(
    client: TestClient, store: Store, name: str
) -> None:
    content = (CAPSULES / f"h200-{name.replace('_', '-')}.capsule.zip").read_bytes()
    run = store.run(import_capsule(store, content).run_id)
    view = suite_view(run)
    assert view is not None
    html = client.get(f"/runs/{run.summary.id}").text
    bodies = dict(BODY.findall(html))
    assert suite(name).title in html
    assert set(bodies) == set(run.selection.problems)
    for table in view.tables:
        shown = unescape(bodies[table.problem])
        assert table.title in shown
        assert f"{table.measured_count} of {len(table.rows)} measured" in shown
        assert shown.count("<tr><td>") == len(table.rows)
        for row in table.rows:
            assert row.stage_title in shown
            if row.measurement is not None:
                assert formatting.duration(row.measurement.median_s) in shown
            elif row.reason:
                assert row.reason[:60] in shown
    assert view.measured_count == len(run.measurements) > 0


def test_a_problem_leads_to_its_experiment_on_the_device_of_the_run(client: TestClient, store: Store) -> None:
    content = (CAPSULES / "h200-memory-lab.capsule.zip").read_bytes()
    run = store.run(import_capsule(store, content).run_id)
    assert run.summary.device is not None
    bodies = dict(BODY.findall(client.get(f"/runs/{run.summary.id}").text))
    hrefs = [
        re.findall(r'<a href="(/lab/[^"]+)">Chart and lesson', bodies[problem])
        for problem in run.selection.problems
    ]
    assert all(len(found) == 1 and f"device={run.summary.device.uuid}" in found[0] for found in hrefs)
    assert client.get(hrefs[0][0]).status_code == 200
