"""Incidents replayed on constructed evidence, through the page and the interface."""

from __future__ import annotations

from dataclasses import replace

from fastapi.testclient import TestClient

from app.claims.incidents.incident import incidents
from app.domain.vocabulary import BackendName
from app.kernels import registry
from app.storage.store import Store
from tests.examples import measurement, samples, submit, worker
from tests.ladders import gpu_run

BEFORE_S, AFTER_S = 0.6e-3, 0.02e-3


def replayed(store: Store) -> int:
    """A run of this machine with both sides of the transpose; returns its id."""
    job = submit(store)
    store.set_run_device(job.run_id, worker())
    transpose = incidents()["transpose"]
    for cell, median_s in ((transpose.before, BEFORE_S), (transpose.after, AFTER_S)):
        found = replace(measurement(), key=cell.key, cache=cell.cache, median_s=median_s)
        store.add_measurement(job.run_id, found, samples(found))
    return job.run_id


def test_every_incident_cites_cells_that_exist() -> None:
    for incident in incidents().values():
        for cell in (incident.before, incident.after):
            assert registry.stage(cell.problem, BackendName.CUDA, cell.stage)
        assert incident.factor.look.cells == (incident.before, incident.after)
        assert incident.lesson
        assert all(counter.before > counter.after for counter in incident.counters)


def test_the_interface_gives_both_sides_and_the_verdict(client: TestClient, store: Store) -> None:
    run_id = replayed(store)
    found = client.get("/api/v1/incidents/transpose").json()
    assert (found["before"]["here_s"], found["after"]["here_s"]) == (BEFORE_S, AFTER_S)
    assert found["before"]["run_id"] == run_id
    assert found["factor"]["verdict"] == "holds"
    assert round(found["factor"]["here"], 6) == 30
    assert {c["counter"] for c in found["counters"]} >= {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"}
    listed = client.get("/api/v1/incidents").json()["items"]
    assert [one["name"] for one in listed] == list(incidents())
    assert listed[0]["factor"]["verdict"] == "not_measurable"


def test_the_page_shows_what_was_measured_and_what_is_modelled(client: TestClient, store: Store) -> None:
    run_id = replayed(store)
    text = client.get("/incidents/transpose").text
    assert "20.00\u202fµs" in text
    assert f'href="/runs/{run_id}"' in text
    assert "not collected here" in text
    assert "modelled" in text


def test_the_linear_layer_says_that_its_after_is_not_on_tensor_cores(
    client: TestClient, store: Store
) -> None:
    run, raw = gpu_run()
    store.import_run(run, raw)
    text = client.get("/incidents/lora-linear").text
    assert "does not hold" in text
    assert "no Tensor Core rung yet" in text


def test_without_evidence_the_story_is_still_told(client: TestClient) -> None:
    page = client.get("/incidents/transpose")
    assert page.status_code == 200
    assert "Not replayed yet" in page.text
    assert client.get("/incidents").status_code == 200
    assert client.get("/api/v1/incidents/transpose").json()["factor"] is None


def test_an_unknown_incident_is_named(client: TestClient) -> None:
    answer = client.get("/api/v1/incidents/nothing")
    assert answer.status_code == 404
    assert "lora-linear, transpose" in answer.json()["detail"]
    assert client.get("/incidents/nothing").status_code == 404
