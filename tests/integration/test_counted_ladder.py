"""Counters beside timings: on the pages of a run and of a stage, and as attribution over REST."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from app.services.import_report import Upload, import_uploads
from app.storage.store import Store
from tests import ladders

CAPTURE = Path(__file__).resolve().parents[1] / "data" / "ncu" / "gemm.raw.csv"
SIZE = "m=1024,n=1024,k=1024"
STAGES = ("coalesced", "block_tile")  # the capture's two kernels: without and with a tile in shared memory


@pytest.fixture
def counted(client: TestClient, store: Store) -> Store:
    """A run of an H200 and a capture of the same model, its launches matched by hand to two rungs."""
    run, samples = ladders.gpu_run()
    device = replace(ladders.GPU, name="NVIDIA H200")
    store.import_run(replace(run, summary=replace(run.summary, device=device)), samples)
    import_uploads(store, [Upload(CAPTURE.name, CAPTURE)])
    for launch_id, stage in enumerate(STAGES, start=1):
        chosen = {"problem": "matmul", "stage": stage, "size": SIZE, "dtype": "float32"}
        assert client.patch(f"/api/v1/launches/{launch_id}", json=chosen).status_code == 200
    return store


def test_each_rung_is_held_against_its_parent(client: TestClient, counted: Store) -> None:
    found = client.get("/api/v1/ladders/matmul/attribution").json()
    assert (found["device_name"], found["dtype"]) == ("NVIDIA H200", "float32")
    assert found["size"] == {"m": 1024, "n": 1024, "k": 1024}
    coalesced, tile = found["items"]
    assert (coalesced["stage"], coalesced["against_parent"]) == ("coalesced", None)
    against = tile["against_parent"]
    assert (tile["stage"], against["parent"]) == STAGES[::-1]
    assert against["speed_up"] == pytest.approx(416.896 / 361.536, rel=1e-6)
    assert against["sentence"].endswith(".")
    assert against["promises"]
    assert tile["bottleneck"]["resource"]


def test_what_was_never_counted_is_an_empty_list(client: TestClient, counted: Store) -> None:
    for query in ({"size": "m=8,n=8,k=8"}, {"dtype": "float16"}, {"device": "another"}):
        assert client.get("/api/v1/ladders/matmul/attribution", params=query).json()["items"] == []
    assert client.get("/api/v1/ladders/transpose/attribution").json()["items"] == []
    assert client.get("/api/v1/ladders/nothing/attribution").status_code == 404
    assert client.get("/api/v1/ladders/matmul/attribution?size=big").status_code == 422


def test_the_pages_of_run_and_stage_show_what_was_counted(client: TestClient, counted: Store) -> None:
    run = client.get(f"/runs/1?size={SIZE}")
    assert run.status_code == 200
    sentence = client.get("/api/v1/ladders/matmul/attribution").json()["items"][1]["against_parent"][
        "sentence"
    ]
    assert "/profiles/1/launches/2" in run.text
    stage = client.get(f"/runs/1/stages/block_tile?size={SIZE}")
    assert "Two instruments" in stage.text
    assert "From timing, the compiler and counters" in stage.text
    assert sentence.split(",")[0].split(".")[0] in stage.text
    other = client.get("/runs/1/stages/block_tile?size=m=4096,n=4096,k=4096").text
    assert "No counters for this stage" in other
