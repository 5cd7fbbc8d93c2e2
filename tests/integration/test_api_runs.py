"""Runs over REST: reading back every digit, editing, deleting, CSV, capsules."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import pytest
from fastapi.testclient import TestClient

from app.domain.device import Device
from app.domain.run import Run
from app.services.capsule import pack
from app.storage.store import Store
from tests import examples

URL = "/api/v1/runs"
MEASUREMENT_FIELDS = {
    "problem", "stage", "reference", "size", "dtype", "arithmetic", "cache", "regime", "median_s", "ci_low_s",
    "ci_high_s", "n", "noise_fraction", "flop_per_s", "bytes_per_s", "roof", "roof_fraction_boost",
    "roof_fraction_held", "sm_clock_hz", "memory_clock_hz", "correct", "max_relative_error", "stop_reason",
    "health", "compiler", "provenance",
}  # fmt: skip


def keep(store: Store, run: Run | None = None) -> int:
    kept = run or examples.imported_run()
    return store.import_run(kept, [examples.samples(m) for m in kept.measurements])[0]


def test_a_run_is_read_back_with_every_digit(client: TestClient, store: Store) -> None:
    run_id = keep(store)
    run = client.get(f"{URL}/{run_id}").json()
    cold = run["measurements"][0]
    expected = examples.measurement()
    assert set(cold) >= MEASUREMENT_FIELDS
    assert cold["median_s"] == expected.median_s
    assert cold["flop_per_s"] == expected.flop_per_s
    assert cold["size"] == {"m": 1024, "n": 1024, "k": 1024}
    assert cold["roof"] == {"name": "fp32", "value": 6.6e13, "unit": "flop_per_s", "source": "datasheet"}
    assert cold["ci_high_s"] is None
    assert cold["correct"] is True
    assert cold["compiler"]["registers"] == 32
    assert {one["cache"] for one in run["measurements"]} == {"cold", "warm"}
    assert run["outcomes"][1]["reason"] == "killed by SIGSEGV"
    assert run["ceilings"][0]["unit"] == "bytes_per_s"
    assert (run["imported"], run["status"], run["device"]["name"]) == (True, "finished", "NVIDIA H200")


def test_samples_are_raw(client: TestClient, store: Store) -> None:
    items = client.get(f"{URL}/{keep(store)}/samples").json()["items"]
    assert items[0]["durations_s"] == [0.1 + 0.2, 5e-324, 1.7976931348623157e308]
    assert items[0]["sm_clock_hz"] == [1.7e9, None, 0.1]


def test_lists_filter(client: TestClient, store: Store) -> None:
    run_id = keep(store)
    for query in (
        "imported=true",
        "backend=cuda",
        "problem=matmul",
        "tag=h200",
        "text=elsewhere",
        "device=NVIDIA H200",
    ):
        assert [run["id"] for run in client.get(f"{URL}?{query}").json()["items"]] == [run_id]
    for query in ("imported=false", "backend=cpu", "problem=copy", "tag=no", "text=%25%25", "status=failed"):
        assert client.get(f"{URL}?{query}").json()["items"] == []


def test_pages_keep_their_filters(client: TestClient, store: Store) -> None:
    ids = [keep(store, replace_uid(f"{i:032x}")) for i in range(3)]
    page = client.get(f"{URL}?limit=2&tag=h200").json()
    assert [run["id"] for run in page["items"]] == [ids[2], ids[1]]
    assert "tag=h200" in page["next"]
    assert [run["id"] for run in client.get(page["next"]).json()["items"]] == [ids[0]]


class TestEdit:
    def test_label_note_and_tags(self, client: TestClient, store: Store) -> None:
        url = f"{URL}/{keep(store)}"
        changed = client.patch(url, json={"label": " <b>new</b> ", "tags": ["a", "b", "a"]}).json()
        assert (changed["label"], changed["tags"], changed["note"]) == ("<b>new</b>", ["a", "b"], "100% _ok_")
        assert client.patch(url, json={"note": "two\nlines"}).json()["note"] == "two\nlines"
        assert client.get(url).json()["label"] == "<b>new</b>"

    @pytest.mark.parametrize(
        ("sent", "field"),
        [
            ({"label": "x" * 10_000}, "label"),
            ({"label": "a\x1bb"}, "label"),
            ({"label": "\ud800"}, "label"),
            ({"note": "x" * 10_001}, "note"),
            ({"tags": ["x" * 41]}, "tags[0]"),
            ({"tags": ["ok", " "]}, "tags[1]"),
            ({"tags": [str(i) for i in range(21)]}, "tags"),
            ({"label": 5}, "label"),
            ({"id": 5}, "id"),
        ],
    )
    def test_bad_input_names_its_field_and_changes_nothing(
        self, client: TestClient, store: Store, sent: dict[str, object], field: str
    ) -> None:
        url = f"{URL}/{keep(store)}"
        before = client.get(url).json()
        headers = {"Content-Type": "application/json"}
        response = client.patch(url, content=json.dumps(sent), headers=headers)
        assert response.status_code in (413, 422)
        assert response.json()["field"] == field
        assert client.get(url).json() == before


class TestDelete:
    def test_a_run_that_is_over(self, client: TestClient, store: Store) -> None:
        url = f"{URL}/{keep(store)}"
        response = client.delete(url)
        assert (response.status_code, response.content) == (204, b"")
        assert client.get(url).status_code == 404
        assert client.delete(url).status_code == 404

    def test_a_run_in_the_queue_is_409(self, client: TestClient, store: Store) -> None:
        job = examples.submit(store)
        assert client.delete(f"{URL}/{job.run_id}").status_code == 409
        assert client.get(f"{URL}/{job.run_id}").status_code == 200


class TestCsv:
    def test_full_precision_si_units_and_provenance(self, client: TestClient, store: Store) -> None:
        response = client.get(f"{URL}/{keep(store)}.csv")
        rows = list(csv.DictReader(io.StringIO(response.text)))
        assert response.headers["content-type"] == "text/csv; charset=utf-8"
        assert "attachment" in response.headers["content-disposition"]
        assert len(rows) == 2
        assert float(rows[0]["median_s"]) == 0.1 + 0.2
        assert float(rows[0]["p95_s"]) == 1 / 3
        assert rows[0]["ci_high_s"] == ""
        assert rows[0]["roof_unit"] == "flop_per_s"
        assert rows[0]["provenance"] == "measured"
        assert rows[0]["size"] == "m=1024 n=1024 k=1024"

    @pytest.mark.parametrize("name", ["=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])
    def test_no_text_is_taken_for_a_formula(self, client: TestClient, store: Store, name: str) -> None:
        run = examples.imported_run()
        device = Device(uuid="GPU-0", name=name, backend=run.summary.backend)
        run_id = keep(store, replace(run, summary=replace(run.summary, device=device)))
        row = next(csv.DictReader(io.StringIO(client.get(f"{URL}/{run_id}.csv").text, newline="")))
        assert row["device"] == f"'{name}"


class TestCapsule:
    def test_goes_out_and_comes_back_the_same(self, client: TestClient, store: Store) -> None:
        run_id = keep(store)
        exported = client.get(f"{URL}/{run_id}/capsule")
        before = (store.run(run_id), store.samples(run_id))
        assert exported.headers["content-type"] == "application/zip"
        client.delete(f"{URL}/{run_id}")
        imported = client.post(f"{URL}/import", content=exported.content)
        new_id = imported.json()["run_id"]
        assert (imported.status_code, imported.headers["location"]) == (201, f"{URL}/{new_id}")
        after = (store.run(new_id), store.samples(new_id))
        assert replace(after[0].summary, id=0) == replace(before[0].summary, id=0)
        assert replace(after[0], summary=before[0].summary) == before[0]
        assert after[1] == before[1]
        assert client.get(f"{URL}/{new_id}/capsule").content == exported.content

    def test_twice_is_once(self, client: TestClient) -> None:
        capsule = example_capsule()
        first = client.post(f"{URL}/import", content=capsule)
        again = client.post(f"{URL}/import", files={"file": ("run.zip", capsule, "application/zip")})
        assert (first.status_code, again.status_code) == (201, 200)
        assert again.json() == {"run_id": first.json()["run_id"], "created": False}
        assert len(client.get(URL).json()["items"]) == 1

    def test_of_a_run_that_is_not_over_is_409(self, client: TestClient, store: Store) -> None:
        assert client.get(f"{URL}/{examples.submit(store).run_id}/capsule").status_code == 409

    def test_a_form_without_the_file_is_named(self, client: TestClient) -> None:
        response = client.post(f"{URL}/import", files={"other": ("run.zip", b"x")})
        assert (response.status_code, response.json()["field"]) == (422, "file")

    @pytest.mark.parametrize("content", [b"", b"not a zip", b"PK\x03\x04" + b"\x00" * 40])
    def test_what_is_no_capsule_stores_nothing(self, client: TestClient, content: bytes) -> None:
        response = client.post(f"{URL}/import", content=content)
        assert (response.status_code, response.json()["code"]) == (422, "unsupported_capsule")
        assert client.get(URL).json()["items"] == []

    def test_oversize_is_refused_unread(self, client: TestClient) -> None:
        headers = {"Content-Length": str(65 * 2**20)}
        response = client.post(f"{URL}/import", content=b"x", headers=headers)
        assert response.status_code == 413
        assert "64 MiB" in response.json()["detail"]


def replace_uid(uid: str) -> Run:
    run = examples.imported_run()
    return replace(run, summary=replace(run.summary, uid=uid))


def example_capsule() -> bytes:
    run = examples.imported_run()
    return pack(run, [examples.samples(m) for m in run.measurements])
