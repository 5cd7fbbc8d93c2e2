"""Pages of reports in each of their states, over real captures and over hostile ones."""

from __future__ import annotations

from html import escape
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Engine, event

from app.kernels import registry
from app.services.import_report import Upload, import_uploads
from app.storage.store import Store
from app.web.counter_wording import problem_place
from tests import reports
from tests.reports import raw_csv

CAPTURES = Path(__file__).resolve().parents[1] / "data" / "ncu"
HOSTILE = "<script>alert(1)</script>"


@pytest.fixture
def filled(store: Store) -> Store:
    """A real capture of two kernels (launches 1 and 2), and one made by hand with every part."""
    path = CAPTURES / "bank_conflict_benchmark.raw.csv"
    import_uploads(store, [Upload(path.name, path)])
    reports.keep(store, reports.new_report(name=HOSTILE), (reports.launch(HOSTILE),))
    return store


def test_an_empty_list_says_what_fills_it(client: TestClient) -> None:
    page = client.get("/profiles").text
    assert "No reports yet" in page
    assert 'action="/profiles/import"' in page


@pytest.mark.parametrize(
    "tab",
    ["", "?tab=metrics", "?tab=source", "?tab=rules", "?tab=checklists", "?tab=metrics&q=dram", "?tab=no"],
)
@pytest.mark.parametrize("launch", ["1/launches/1", "1/launches/2", "2/launches/1"])
def test_a_launch_shows_each_of_its_parts(client: TestClient, filled: Store, launch: str, tab: str) -> None:
    page = client.get(f"/profiles/{launch}{tab}")
    assert page.status_code == 200
    assert HOSTILE not in page.text


def test_a_real_capture_is_laid_out(client: TestClient, filled: Store) -> None:
    page = client.get("/profiles/1/launches/1").text
    assert "transpose_conflict" in page
    assert "transpose / <b>tile32</b>" in page
    assert "323.9\u202fµs" in page
    assert "Memory chart" in page
    assert 'data-name="stalls"' in page
    metrics = client.get("/profiles/1/launches/1?tab=metrics&q=l1tex__data_bank_conflicts").text
    assert "l1tex__data_bank_conflicts_pipe_lsu_mem_shared" in metrics
    assert "No metric matches" in client.get("/profiles/1/launches/1?tab=metrics&q=nothing+like+it").text
    figure = client.get("/api/v1/reports/1/launches/1/figures/stalls?other=2&width=500").json()
    assert {"data", "layout", "meta"} == figure.keys()
    assert client.get("/api/v1/reports/2/launches/1/figures/stalls").status_code == 404


def test_findings_stand_beside_the_counters(client: TestClient, filled: Store) -> None:
    page = client.get("/profiles/1/launches/1").text
    assert 'id="findings"' in page
    assert "not applicable" in page
    (found,) = client.get("/api/v1/findings", params={"launch": 1}).json()["items"]
    raised = [one for one in found["findings"] if one["verdict"] == "found"]
    assert raised
    assert raised[0]["title"] in page
    assert {"shared_wavefronts"} <= {one["rule"] for one in raised}
    only = client.get("/api/v1/findings", params={"launch": 1, "verdict": "clear"}).json()["items"][0]
    assert {one["verdict"] for one in only["findings"]} == {"clear"}
    by_stage = client.get("/api/v1/findings", params={"problem": "transpose", "stage": "tile33"}).json()[
        "items"
    ]
    assert [one["launch"]["id"] for one in by_stage] == [2]


def test_evidence_says_where_each_value_comes_from(client: TestClient, filled: Store) -> None:
    (found,) = client.get("/api/v1/evidence", params={"launch": 1}).json()["items"]
    counters = {one["name"]: one for one in found["counters"]}
    assert counters["duration_s"]["value"] == pytest.approx(3.239e-4, rel=1e-3)
    assert counters["duration_s"]["provenance"] == "counted"
    assert all(one["ask_for"] is None or one["value"] is None for one in found["counters"])
    assert {one["verdict"] for one in found["checklists"]} >= {"pass", "fail"}
    assert found["model"]["least_dram_bytes"] == 2 * 8192 * 8192 * 4
    for query in ({}, {"stage": "naive"}, {"problem": "matmul", "size": "big"}):
        assert client.get("/api/v1/evidence", params=query).status_code == 422
    unknown = client.get("/api/v1/evidence", params={"launch": 99})
    assert (unknown.status_code, unknown.json()["field"]) == (422, "launch")


def test_checklists_are_run_on_any_kernel(client: TestClient, filled: Store) -> None:
    (found,) = client.get("/api/v1/evidence", params={"launch": 1}).json()["items"]
    page = client.get("/profiles/1/launches/1?tab=checklists").text
    failed = sum(item["verdict"] == "fail" and item["checklist"] == "L22 §8" for item in found["checklists"])
    assert f"{failed} fail" in page
    for item in found["checklists"]:
        assert escape(item["text"], quote=False) in page.replace("&#39;", "'"), item["name"]


def test_every_problem_has_a_page_to_link_to(client: TestClient) -> None:
    for problem in registry.problems():
        assert client.get(problem_place(problem)).status_code == 200, problem


def test_lists_and_reports_hold_hostile_names(client: TestClient, filled: Store) -> None:
    for path in (
        "/profiles",
        "/profiles?text=bank",
        "/profiles?text=none+of+it",
        "/profiles/1",
        "/profiles/2",
        "/profiles/1?text=padded",
        "/profiles/1?text=zzz",
    ):
        page = client.get(path)
        assert page.status_code == 200, path
        assert HOSTILE not in page.text
    assert "2 left out" in client.get("/profiles/2").text
    for path in ("/profiles/9", "/profiles/1/launches/9", "/profiles/compare?base=1&head=99"):
        assert client.get(path).status_code == 404


def test_two_launches_are_compared_with_the_largest_change_first(client: TestClient, filled: Store) -> None:
    page = client.get("/profiles/compare?base=1&head=2").text
    assert "2.25×" in page
    assert client.get("/profiles/compare?base=1&head=2&q=duration").status_code == 200
    assert "No difference" in client.get("/profiles/compare?base=1&head=1").text


def test_the_form_imports_one_and_several(client: TestClient) -> None:
    one = client.post("/profiles/import", files={"file": ("a.csv", raw_csv())})
    assert (one.status_code, one.headers["Location"]) == (303, "/profiles/1")
    files = [
        ("file", ("b.csv", raw_csv("b()"))),
        ("file", ("bad.csv", b"no table")),
        ("file", ("a.csv", raw_csv())),
    ]
    several = client.post("/profiles/import", files=files)
    assert several.status_code == 200
    for word in ("imported", "not imported", "here already"):
        assert word in several.text
    refused = client.post("/profiles/import", files={"file": ("bad.csv", b"no table")})
    assert refused.status_code == 422
    assert 'role="alert"' in refused.text


def test_a_match_is_corrected_and_taken_back(client: TestClient, filled: Store) -> None:
    address = "/profiles/1/launches/1/match"
    for stage, size, shown in (
        ("transpose/swizzle", "rows=8,columns=8", "by hand"),
        ("none", "", "no stage, by hand"),
        ("automatic", "", "85\u202f% sure"),
    ):
        answer = client.post(address, data={"launch_id": "1", "stage": stage, "size": size})
        assert answer.status_code == 303
        assert shown in client.get("/profiles/1/launches/1").text
    assert client.post(address, data={"launch_id": "1", "stage": "transpose/no"}).status_code == 404


def test_a_report_is_deleted_by_its_page(client: TestClient, filled: Store) -> None:
    assert client.post("/profiles/1/delete").headers["Location"] == "/profiles"
    assert client.get("/profiles/1").status_code == 404


def test_a_launch_page_asks_as_often_for_many_as_for_one(client: TestClient, filled: Store) -> None:
    many = reports.keep(
        filled, reports.new_report("many"), tuple(reports.launch(f"k{i}()", i) for i in range(80))
    )
    asked: list[str] = []

    def note(*arguments: object) -> None:
        asked.append(str(arguments[2]))

    counts = []
    event.listen(Engine, "before_cursor_execute", note)
    for path in ("/profiles/2/launches/1", f"/profiles/{many}/launches/40"):
        asked.clear()
        assert client.get(path).status_code == 200
        counts.append(len([one for one in asked if one.startswith("SELECT")]))
    event.remove(Engine, "before_cursor_execute", note)
    assert counts[0] == counts[1] <= 12
