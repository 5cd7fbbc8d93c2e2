"""The table of memory levels over REST and as a page: the bundled H200 beside the lectures' A100."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from app.claims.memory_levels import LEVELS
from app.services.capsule import import_capsule
from app.storage.store import Store

URL = "/api/v1/hierarchy"
LAB = Path(__file__).parents[2] / "capsules" / "h200-memory-lab.capsule.zip"


@pytest.fixture
def lab(store: Store) -> int:
    """The id of the imported memory lab of an H200."""
    return import_capsule(store, LAB.read_bytes()).run_id


def test_every_measured_figure_names_its_run_and_lies_between_its_neighbours(
    client: TestClient, lab: int
) -> None:
    body = client.get(URL).json()
    found = {item["name"]: item for item in body["items"]}
    assert body["device_name"] == "NVIDIA H200"
    assert list(found) == [level.name for level in LEVELS]
    outwards = [found[name] for name in ("shared", "l1", "l2", "dram")]
    latencies = [item["latency_s"]["value"] for item in outwards]
    assert latencies == sorted(latencies)
    bandwidths = [item["bandwidth_bytes_per_s"]["value"] for item in outwards]
    assert bandwidths == sorted(bandwidths, reverse=True)
    for item in outwards:
        for figure in (item["latency_s"], item["bandwidth_bytes_per_s"]):
            assert (figure["provenance"], figure["run_ids"]) == ("measured", [lab])
            assert figure["imported"] is True
        assert item["latency_cycles"]["value"] == pytest.approx(item["latency_s"]["value"] * 1.98e9, rel=0.02)
    assert found["l2"]["capacity_bytes"]["provenance"] == "datasheet"
    assert found["l1"]["capacity_bytes"]["value"] is None
    assert found["l1"]["capacity_bytes"]["reason"]


def test_a_level_keeps_what_it_answers_at_one_latency(client: TestClient, lab: int) -> None:
    items = {item["name"]: item for item in client.get(URL, params={}).json()["items"]}
    points = client.get("/api/v1/experiments/latency").json()["points"]
    latency = {point["x"]: point["value"] for point in points}
    kept_kib = int(items["l1"]["kept_bytes"]["value"]) // 1024
    assert latency[kept_kib] < 1.25 * latency[1] < latency[2 * kept_kib]
    assert items["l2"]["kept_bytes"]["value"] <= items["l2"]["capacity_bytes"]["value"]


def test_printed_figures_stand_beside_with_their_verdicts(client: TestClient, lab: int) -> None:
    body = client.get(URL).json()
    l2 = next(item for item in body["items"] if item["name"] == "l2")
    assert (l2["printed"]["latency_cycles_low"], l2["printed"]["latency_cycles_high"]) == (180, 200)
    judged = {item["id"]: item["verdict"] for item in client.get("/api/v1/claims").json()["items"]}
    for item in body["items"]:
        assert item["verdicts"]
        assert item["verdicts"].items() <= judged.items()
    printed = body["printed_dram_demand"]
    assert (printed["warps_by_float4"], printed["warps_by_float"]) == (15, 59)
    dram = next(item for item in body["items"] if item["name"] == "dram")
    assert dram["in_flight_bytes"] == pytest.approx(body["dram_demand"]["in_flight_bytes"])


def test_the_page_links_every_figure_to_its_evidence(client: TestClient, lab: int) -> None:
    html = client.get("/hierarchy").text
    table = html[html.index('id="levels"') : html.index("</table>")]
    assert table.count(f'href="/runs/{lab}"') >= 14
    for level in LEVELS:
        assert f'id="level-{level.name}"' in table
        assert all(f'href="/claims#{claim}"' in table for claim in level.claims.ids)
    assert "does not hold" in table
    assert "15 warps an SM with a float4 a lane, 59 with a float" in html


def test_before_anything_is_measured_the_lectures_table_stands_alone(client: TestClient) -> None:
    body = client.get(URL).json()
    assert body["device"] is None
    assert body["dram_demand"] is None
    assert all(item["latency_s"]["value"] is None for item in body["items"])
    html = client.get("/hierarchy").text
    assert "180–200" in html
    assert "roofladder run --suite memory_lab" in html


def test_a_device_without_measurements_is_refused_in_words(client: TestClient) -> None:
    for address in (URL, "/hierarchy"):
        answer = client.get(address, params={"device": "GPU-of-someone-else"})
        assert answer.status_code == 422
        assert "Nothing was measured" in answer.text
