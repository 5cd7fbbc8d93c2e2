"""The roofs of a device through the store, the interface, the chart and the page."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fastapi.testclient import TestClient

from app.domain.measurement import Ceiling
from app.domain.vocabulary import Provenance
from app.storage.store import Store
from tests.ladders import CPU, GPU, cpu_run, gpu_run, keep_own

URL = "/api/v1/ceilings"


def test_each_roof_stands_beside_its_data_sheet(client: TestClient, store: Store) -> None:
    run, samples = gpu_run()
    only_measured = Ceiling("l2_read", "L2 read", "bandwidth", 9e12, Provenance.MEASURED)
    only_stated = Ceiling("tensor_fp16", "FP16 tensor", "compute", 990e12, Provenance.DATASHEET)
    changed = replace(run, ceilings=(*run.ceilings, only_measured, only_stated))
    run_id, _ = store.import_run(changed, samples)
    body = client.get(URL).json()
    found = {item["name"]: item for item in body["items"]}
    assert body["device"] == GPU.uuid
    assert [item["name"] for item in body["items"]] == ["l2_read", "dram_copy", "tensor_fp16", "fp32_fma"]
    fma = found["fp32_fma"]
    assert (fma["measured"]["value"], fma["datasheet"]["value"], fma["unit"]) == (
        64.8e12,
        66.9e12,
        "flop_per_s",
    )
    assert fma["reached_fraction"] == pytest.approx(64.8 / 66.9)
    assert (fma["measured"]["provenance"], fma["datasheet"]["provenance"]) == ("measured", "datasheet")
    assert fma["measured"]["run_id"] == run_id
    assert fma["measured"]["imported"] is True
    assert fma["measured"]["measured_at"] is not None
    assert fma["datasheet"]["clock_hz"] == 1.98e9
    assert found["l2_read"]["datasheet"] is None
    assert found["l2_read"]["reached_fraction"] is None
    assert found["tensor_fp16"]["measured"] is None


def test_the_page_of_a_cpu_and_of_a_gpu(client: TestClient, store: Store) -> None:
    store.import_run(*gpu_run())
    run, samples = cpu_run()
    run_id = keep_own(store, run, samples)
    cpu = client.get(f"/ceilings?device={CPU.uuid}").text
    assert "STREAM triad" in cpu
    assert f'href="/runs/{run_id}"' in cpu
    gpu = client.get(f"/ceilings?device={GPU.uuid}").text
    assert "data sheet" in gpu
    assert "STREAM triad" not in gpu


def test_bars_are_measured_and_marks_are_stated(client: TestClient, store: Store) -> None:
    run, samples = gpu_run()
    stated = Ceiling("shared_read", "Shared memory", "bandwidth", 33e12, Provenance.DATASHEET)
    store.import_run(replace(run, ceilings=(*run.ceilings, stated)), samples)
    drawn = client.get(f"{URL}/bandwidth/figure?theme=dark&width=360").json()
    assert drawn["data"][0]["x"] == [pytest.approx(4.26)]
    assert [shape["x0"] for shape in drawn["layout"]["shapes"]] == [pytest.approx(33), pytest.approx(4.81)]
    assert drawn["layout"]["annotations"][0]["text"] == "33.0 data sheet"
    assert drawn["meta"]["walk"] == [[0, 0]]


def test_without_a_run_the_page_says_how_to_get_one(client: TestClient) -> None:
    assert client.get(URL).json() == {"items": [], "next": None, "device": None, "device_name": None}
    assert "No ceiling is known yet" in client.get("/ceilings").text
    assert client.get(f"{URL}/compute/figure").status_code == 404
    assert client.get(f"{URL}/colour/figure").status_code == 422
    assert client.get("/ceilings?device=nobody").status_code == 422


def test_tensor_roofs_are_written_in_the_unit_of_the_field(client: TestClient, store: Store) -> None:
    run, samples = gpu_run()
    fp8 = Ceiling("tensor_fp8", "FP8 tensor", "compute", 1.9e15, Provenance.MEASURED, "WGMMA m64n256k32 FP8")
    run_id, _ = store.import_run(replace(run, ceilings=(*run.ceilings, fp8)), samples)
    page = client.get("/ceilings").text
    assert "1900\u202fTFLOP/s" in page
    assert "WGMMA m64n256k32 FP8" in page
    assert "FP8 tensor" not in client.get(f"/runs/{run_id}").text  # its ladder computes in FP32
