"""The memory lab over REST and as a page: points beside theory, what is missing with its reason."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fastapi.testclient import TestClient

from app.claims.catalogue import claims as all_claims
from app.domain.measurement import CellKey, CellOutcome, Measurement
from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, CacheState, CellStatus, Dtype, Health
from app.kernels import registry
from app.kernels.experiment import experiments
from app.storage.store import Store
from tests import examples

URL = "/api/v1/experiments"
N = 2**26


def read(stride: int, median_s: float, health: Health = Health.OK) -> Measurement:
    key = CellKey("strided_access", "strided", Size.of(n=N, stride=stride), Dtype.FLOAT32)
    return replace(
        examples.measurement(),
        key=key,
        cache=CacheState.COLD,
        arithmetic=Arithmetic.NONE,
        median_s=median_s,
        ci_low_s=median_s * 0.99,
        ci_high_s=median_s * 1.02,
        flop=N,
        least_dram_bytes=8 * N,
        health=health,
    )


@pytest.fixture
def lab(store: Store) -> Store:
    """An H200 with three of the six strides: one right, one quarantined, one failed."""
    job = examples.submit(store)
    store.start_job(job.id, examples.AT)
    store.set_run_device(job.run_id, examples.worker())
    for one in (read(1, 2e-4), read(2, 1e-6, Health.QUARANTINED)):
        store.add_measurement(job.run_id, one, examples.samples(one))
        store.add_outcome(job.run_id, CellOutcome(one.key, CellStatus.MEASURED))
    failed = CellKey("strided_access", "strided", Size.of(n=N, stride=32), Dtype.FLOAT32)
    store.add_outcome(job.run_id, CellOutcome(failed, CellStatus.FAILED, "<b>out of memory</b>"))
    return store


def test_every_experiment_is_listed_before_anything_is_measured(client: TestClient) -> None:
    body = client.get(URL).json()
    assert body["device"] is None
    names = {e.name for e in experiments().values() if registry.problem(e.problem).kind == "experiment"}
    assert {item["name"] for item in body["items"]} == names
    assert client.get("/lab").status_code == 200
    assert "roofladder run --suite memory_lab" in client.get("/lab").text
    assert client.get(f"{URL}/stride").status_code == 404


@pytest.mark.usefixtures("lab")
def test_points_carry_value_interval_run_and_reason(client: TestClient) -> None:
    points = {p["x"]: p for p in client.get(f"{URL}/stride").json()["points"]}
    useful = 4 * N / 2e-4
    assert points[1]["value"] == pytest.approx(useful)
    assert points[1]["low"] == pytest.approx(useful / 1.02)
    assert points[1]["high"] == pytest.approx(useful / 0.99)
    assert points[1]["run_id"] == 1
    assert points[2]["health"] == "quarantined"
    assert points[32]["value"] is None
    assert points[32]["reason"] == "<b>out of memory</b>"
    assert points[8]["reason"] == "not measured on this device"


@pytest.mark.usefixtures("lab")
def test_the_page_shows_what_was_measured_and_escapes_reasons(client: TestClient) -> None:
    html = client.get("/lab").text
    assert "Stride sweep" in html
    assert "&lt;b&gt;out of memory&lt;/b&gt;" in html
    assert "<b>out of memory</b>" not in html
    assert "quarantined" in html
    assert "/api/v1/experiments/stride/figure?device=" in html


@pytest.mark.usefixtures("lab")
def test_an_experiment_has_a_page_of_its_own(client: TestClient) -> None:
    assert 'href="/lab/stride"' in client.get("/lab").text
    html = client.get("/lab/stride").text
    points = html[html.index('id="points-title"') : html.index('id="claims-title"')]
    lesson = experiments()["stride"].lesson.split(".")[0]
    assert lesson in html
    assert "quarantined" in points
    assert "&lt;b&gt;out of memory&lt;/b&gt;" in points
    assert "not measured on this device" in points
    assert points.count('href="/runs/1/stages/strided?problem=strided_access') == 2
    assert 'data-next href="/lab/' in html
    claims = html[html.index('id="claims-title"') :]
    cited = {c.id for c in all_claims() if any(cell.problem == "strided_access" for cell in c.look.cells)}
    assert cited
    assert all(f'id="{claim}"' in claims for claim in cited)


def test_every_experiment_has_a_page_before_anything_is_measured(client: TestClient) -> None:
    for name, one in experiments().items():
        answer = client.get(f"/lab/{name}")
        assert answer.status_code == 200, name
        assert "Not measured on this device yet" in answer.text
        assert one.source in answer.text
    assert client.get("/lab/nothing").status_code == 404


@pytest.mark.usefixtures("lab")
def test_the_ratio_of_a_point_is_measured_over_theory(client: TestClient, store: Store) -> None:
    store.add_ceiling(1, examples.ceiling())
    point = client.get(f"{URL}/stride").json()["points"][0]
    assert point["theory"] > 0
    assert point["ratio"] == pytest.approx(point["value"] / point["theory"])
    assert point["imported"] is False


@pytest.mark.usefixtures("lab")
@pytest.mark.parametrize("width", [300, 900])
def test_every_experiment_has_a_figure(client: TestClient, width: int) -> None:
    for name in experiments():
        answer = client.get(f"{URL}/{name}/figure", params={"width": width, "theme": "dark"})
        assert answer.status_code == 200, name
        assert answer.json()["layout"]["height"] > 100
    stride = client.get(f"{URL}/stride/figure").json()
    measured = stride["data"][-1]
    assert measured["x"] == [1, 2]
    assert measured["marker"]["symbol"] == ["circle", "circle-open"]


@pytest.mark.usefixtures("lab")
def test_an_unknown_device_or_experiment_is_refused_in_words(client: TestClient) -> None:
    assert client.get(f"{URL}/nothing").status_code == 404
    answer = client.get(f"{URL}/stride", params={"device": "GPU-of-someone-else"})
    assert answer.status_code == 422
    assert "Nothing was measured" in answer.json()["detail"]
