"""Diagnosis pairs over REST and as a page: both times, their ratio with its spread, and what is missing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fastapi.testclient import TestClient

from app.domain.measurement import CellKey, CellOutcome, Measurement
from app.domain.vocabulary import CacheState, CellStatus, Dtype, Health
from app.kernels import registry
from app.kernels.pair import pairs
from app.storage.store import Store
from tests import examples

URL = "/api/v1/pairs"


def key(problem: str, stage: str, dtype: Dtype = Dtype.FLOAT32) -> CellKey:
    return CellKey(problem, stage, registry.problem(problem).suite_sizes[0], dtype)


def measured(cell: CellKey, median_s: float, health: Health = Health.OK) -> Measurement:
    return replace(
        examples.measurement(),
        key=cell,
        cache=CacheState.COLD,
        median_s=median_s,
        ci_low_s=median_s,
        ci_high_s=median_s * 1.25,
        health=health,
    )


@pytest.fixture
def filled(store: Store) -> Store:
    """One pair whole, one whose cured stage is quarantined, one whose faulty stage failed."""
    job = examples.submit(store)
    store.start_job(job.id, examples.AT)
    store.set_run_device(job.run_id, examples.worker())
    for one in (
        measured(key("alignment", "misaligned"), 3e-3),
        measured(key("alignment", "aligned"), 2e-3),
        measured(key("grid_size", "few_blocks"), 8e-3),
        measured(key("grid_size", "full_grid"), 1e-9, health=Health.QUARANTINED),
    ):
        store.add_measurement(job.run_id, one, examples.samples(one))
        store.add_outcome(job.run_id, CellOutcome(one.key, CellStatus.MEASURED))
    failed = CellOutcome(key("register_cap", "capped"), CellStatus.FAILED, "<b>illegal address</b>")
    store.add_outcome(job.run_id, failed)
    return store


def test_every_pair_is_told_before_anything_is_measured(client: TestClient) -> None:
    body = client.get(URL).json()
    assert [item["problem"] for item in body["items"]] == sorted(pairs())
    assert body["device"] is None
    assert all(item["ratio"] is None for item in body["items"])
    assert {item["faulty"]["reason"] for item in body["items"]} == {"not measured on this device"}
    page = client.get("/pairs")
    assert page.status_code == 200
    assert "roofladder run --suite diagnosis_pairs" in page.text
    assert all(pair.lesson in page.text or "'" in pair.lesson for pair in pairs().values())


@pytest.mark.usefixtures("filled")
def test_a_pair_has_both_times_and_a_ratio_with_its_spread(client: TestClient) -> None:
    items = {item["problem"]: item for item in client.get(URL).json()["items"]}
    whole = items["alignment"]
    assert whole["ratio"] == pytest.approx(1.5)
    assert whole["ratio_low"] == pytest.approx(1.2)
    assert whole["ratio_high"] == pytest.approx(1.875)
    assert (whole["faulty"]["stage"], whole["cured"]["stage"]) == ("misaligned", "aligned")
    assert whole["faulty"]["run_id"] == 1
    report = examples.measurement().compiler
    assert whole["faulty"]["registers"] == (report.registers if report else None)
    assert whole["faulty"]["reason"] is None


@pytest.mark.usefixtures("filled")
def test_what_is_missing_says_why_and_gives_no_ratio(client: TestClient) -> None:
    items = {item["problem"]: item for item in client.get(URL).json()["items"]}
    assert items["grid_size"]["ratio"] is None
    assert items["grid_size"]["faulty"]["median_s"] == 8e-3
    assert "quarantined" in items["grid_size"]["cured"]["reason"]
    assert items["register_cap"]["faulty"]["reason"] == "<b>illegal address</b>"


@pytest.mark.usefixtures("filled")
def test_the_page_shows_ratio_runs_and_reasons_escaped(client: TestClient) -> None:
    html = client.get("/pairs").text
    assert "It takes 1.50× as long as its cure (1.20× to 1.88×)." in html
    assert 'href="/runs/1"' in html
    assert "1 of 9 measured" in html
    assert "&lt;b&gt;illegal address&lt;/b&gt;" in html
    assert "<b>illegal address</b>" not in html


@pytest.mark.usefixtures("filled")
def test_a_device_without_measurements_is_refused_in_words(client: TestClient) -> None:
    for address in (URL, "/pairs"):
        answer = client.get(address, params={"device": "GPU-of-someone-else"})
        assert answer.status_code == 422
        assert "Nothing was measured" in answer.text
