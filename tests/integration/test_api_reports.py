"""Reports over REST: import of files, forms and zips, reading back, correcting, and what is refused."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from app.services import report_archive
from app.storage.store import Store
from tests import ncu_rep_writer, reports
from tests.reports import BYTES, RATE, raw_csv

URL = "/api/v1/reports"


def zipped(files: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def send(client: TestClient, *files: tuple[str, bytes]) -> dict[str, object]:
    """Import as a form does; returns the answer."""
    answer = client.post(URL, files=[("file", file) for file in files])
    assert answer.status_code in (200, 201), answer.text
    found: dict[str, object] = answer.json()
    return found


def report_of(client: TestClient, content: bytes, name: str = "one.csv") -> int:
    item = send(client, (name, content))["items"][0]  # type: ignore[index]
    return int(item["report"]["id"])


def test_a_file_becomes_a_report(client: TestClient, tmp_path: Path) -> None:
    answer = client.post(URL, files={"file": ("gemm.csv", raw_csv())})
    assert answer.status_code == 201
    assert answer.headers["Location"] == f"{URL}/1"
    (item,) = answer.json()["items"]
    assert (item["created"], item["problem"]) == (True, None)
    report = client.get(f"{URL}/1").json()
    assert report.items() >= item["report"].items()
    assert (report["name"], report["format"], report["launch_count"]) == ("gemm.csv", "raw", 1)
    assert (report["matched_count"], report["launches_next"]) == (1, None)
    (launch,) = report["launches"]
    assert (launch["grid"], launch["block"], launch["n"]) == ([128, 128, 1], [32, 32, 1], 1)
    assert launch["duration_s"] == pytest.approx(1.2345e-3)
    assert (launch["match"]["stage"], launch["match"]["how"]) == ("naive", "automatic")
    profile = client.get(f"{URL}/1/launches/1").json()
    metrics = {one["name"]: one for one in profile["metrics"]}
    assert (metrics[BYTES]["value"], metrics[BYTES]["unit"], metrics[BYTES]["base_value"]) == (
        2.5,
        "Mbyte",
        2.5e6,
    )
    assert metrics[RATE]["value"] is None
    assert client.get(f"{URL}/1/raw").content == raw_csv()
    assert [path.name for path in (tmp_path / "reports").rglob("*") if path.is_file()] == [report["sha256"]]


def test_instances_of_a_report_file_are_read_from_it_when_asked_for(client: TestClient) -> None:
    metrics = (ncu_rep_writer.metric(0, 1e3), ncu_rep_writer.metric(1, 5, {0x7F00: 2, 0x7F10: 3}))
    kernels = (ncu_rep_writer.kernel("first", metrics[:1]), ncu_rep_writer.kernel("second", metrics))
    block = ncu_rep_writer.Block(strings=("gpu__time_duration.sum", "smsp__pcsamp_warps"), kernels=kernels)
    report_id = report_of(client, ncu_rep_writer.report(block), "two.ncu-rep")
    address = f"{URL}/{report_id}/launches/2"
    assert client.get(address, params={"metric": "pcsamp"}).json()["metrics"][0]["instances"] is None
    (found,) = client.get(address, params={"metric": "pcsamp", "instances": True}).json()["metrics"]
    assert found["instances"] == [{"key": 0x7F00, "value": 2.0}, {"key": 0x7F10, "value": 3.0}]
    assert found["instance_count"] == 2


def test_the_environment_of_a_report_file_is_never_kept(client: TestClient, tmp_path: Path) -> None:
    secret, host, path = "hunter2secret", "build-box-7", "/srv/private/app"
    kernel = ncu_rep_writer.kernel("naive(float *)", (ncu_rep_writer.metric(0, 323936.0),))
    block = ncu_rep_writer.Block(
        strings=("gpu__time_duration.sum",),
        kernels=(kernel,),
        session=ncu_rep_writer.private_session(secret, host, path),
    )
    content = ncu_rep_writer.report(block)
    report_id = report_of(client, content, "gemm.ncu-rep")
    report = client.get(f"{URL}/{report_id}").json()
    assert (report["format"], report["launches"][0]["duration_s"]) == ("rep", pytest.approx(323936e-9))
    kept = client.get(f"{URL}/{report_id}/raw").content
    assert kept.startswith(ncu_rep_writer.MAGIC)
    assert kept != content
    stored = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    for private in (secret, host, path):
        assert private.encode() in content
        assert private.encode() not in stored
    again = client.post(URL, files={"file": ("again.ncu-rep", content)})
    assert again.status_code == 200
    assert "kept without environment" in client.get(f"/profiles/{report_id}").text


def test_the_same_content_again_is_the_same_report(client: TestClient) -> None:
    first = client.post(URL, files={"file": ("one.csv", raw_csv())})
    again = client.post(f"{URL}?name=two.csv", content=raw_csv(), headers={"Content-Type": "text/csv"})
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json()["items"][0]["report"]["id"] == 1
    assert len(client.get(URL).json()["items"]) == 1


def test_several_files_and_a_zip_at_once(client: TestClient) -> None:
    pack = zipped(
        {"a/one": raw_csv("a()"), "two": raw_csv("b()"), "__MACOSX/._one": b"x", "readme": b"hello"}
    )
    items = send(client, ("pack.zip", pack), ("three.csv", raw_csv("c()")))["items"]
    assert [(i["name"], i["created"]) for i in items] == [  # type: ignore[attr-defined]
        ("one", True), ("two", True), ("readme", False), ("three.csv", True),
    ]  # fmt: skip
    assert items[2]["problem"]["code"] == "unreadable_report"  # type: ignore[index]
    assert len(client.get(URL).json()["items"]) == 3


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\0" * 5000,
        b"%PDF-1.7 \xff\xfe",
        b"<html><body>404</body></html>",
        b"some text\n" * 9,
        b"PK\x03\x04 no zip",
        b"NVR\0\xff\xff\xff\x7f",
        zipped({}),
        zipped({"a": b"not a report", "b": zipped({"c": raw_csv()})}),
    ],
)
def test_what_is_no_report_is_refused_and_nothing_is_kept(
    client: TestClient, tmp_path: Path, content: bytes
) -> None:
    answer = client.post(URL, files={"file": ("odd", content)})
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    assert (answer.json()["code"], answer.json()["field"]) == ("unreadable_report", "file")
    assert client.get(URL).json()["items"] == []
    assert not (tmp_path / "reports").exists()


def test_forms_without_a_file_are_refused(client: TestClient) -> None:
    for sent in ({"files": {"other": ("x", b"y")}}, {"files": {"file": ("", b"")}}):
        answer = client.post(URL, **sent)
        assert answer.status_code in (400, 422), answer.text


def test_a_truncated_upload_is_refused(client: TestClient) -> None:
    body = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n' + raw_csv()[:100]
    answer = client.post(URL, content=body, headers={"Content-Type": "multipart/form-data; boundary=x"})
    assert answer.status_code in (400, 422)
    no_boundary = client.post(URL, content=body, headers={"Content-Type": "multipart/form-data"})
    assert no_boundary.status_code in (400, 422)
    assert client.get(URL).json()["items"] == []


def test_a_bomb_is_refused(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = zipped({"bomb": b"0" * (40 << 20)})
    assert len(bomb) < 100_000
    answer = client.post(URL, files={"file": ("bomb.zip", bomb)})
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
    monkeypatch.setattr(report_archive, "MAX_MEMBERS", 3)
    many = client.post(URL, files={"file": ("many.zip", zipped(dict.fromkeys("abcd", b"1")))})
    assert (many.status_code, many.json()["field"]) == (413, "file")
    monkeypatch.setattr(report_archive, "MAX_UNPACKED_BYTES", 1000)
    large = client.post(URL, files={"file": ("large.zip", zipped({"a": raw_csv("x" * 2000)}))})
    assert large.status_code == 413
    assert client.get(URL).json()["items"] == []


def test_a_member_whose_header_lies_is_cut_off(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report_archive, "MAX_UNPACKED_BYTES", 100_000)
    content = bytearray(zipped({"a": b"0" * 200_000}))
    real, false = (200_000).to_bytes(4, "little"), (10).to_bytes(4, "little")
    answer = client.post(URL, files={"file": ("lie.zip", bytes(content.replace(real, false)))})
    assert answer.status_code in (413, 422)
    assert client.get(URL).json()["items"] == []


def test_two_gigabytes_are_refused_before_they_are_read(client: TestClient) -> None:
    answer = client.post(URL, content=b"x", headers={"Content-Length": str(2 << 30)})
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


@pytest.mark.parametrize(
    "kernel",
    ["<script>alert(1)</script>", "=1+1", "k" * 100_000, "a, b (c)", 'quote " it', "../../x", "\u202eevil"],
)
def test_hostile_kernel_names_are_names(client: TestClient, kernel: str) -> None:
    report_id = report_of(client, raw_csv(kernel), kernel[:50])
    assert client.get(f"{URL}/{report_id}/launches/1").json()["kernel"] == kernel
    assert len(client.get(f"{URL}/{report_id}").json()["launches"][0]["kernel"]) <= 2000
    assert "attachment" in client.get(f"{URL}/{report_id}/raw").headers["Content-Disposition"]


def test_lists_follow_their_cursor(client: TestClient) -> None:
    for index in range(3):
        report_of(client, raw_csv(f"k{index}()"), f"{index}.csv")
    first = client.get(URL, params={"limit": 2}).json()
    assert [item["name"] for item in first["items"]] == ["2.csv", "1.csv"]
    assert [item["name"] for item in client.get(first["next"]).json()["items"]] == ["0.csv"]
    assert [item["name"] for item in client.get(URL, params={"text": "k1"}).json()["items"]] == ["1.csv"]
    many = report_of(client, raw_csv(*(f"m{i}()" for i in range(230))))
    whole = client.get(f"{URL}/{many}").json()
    assert (len(whole["launches"]), whole["launch_count"]) == (200, 230)
    assert [one["n"] for one in client.get(whole["launches_next"]).json()["items"]] == list(range(201, 231))
    found = client.get(f"{URL}/{many}/launches", params={"text": "m22", "limit": 200}).json()["items"]
    assert len(found) == 11


def test_a_match_is_corrected(client: TestClient) -> None:
    report_of(client, raw_csv())
    chosen = {"problem": "matmul", "stage": "coalesced", "size": "m=8,n=8,k=8", "dtype": "float32"}
    changed = client.patch("/api/v1/launches/1", json=chosen)
    assert changed.status_code == 200
    match = changed.json()["match"]
    assert (match["stage"], match["how"], match["confidence"]) == ("coalesced", "corrected", 1.0)
    assert match["size"] == {"m": 8, "n": 8, "k": 8}
    none = client.patch("/api/v1/launches/1", json={"problem": None, "stage": None}).json()["match"]
    assert (none["stage"], none["how"]) == (None, "corrected")
    for wrong, field in (
        ({"problem": "matmul", "stage": "no"}, "stages"),
        ({"problem": "matmul", "stage": "naive", "size": "m=1"}, "size"),
        ({"problem": "matmul", "stage": None}, "stage"),
    ):
        answer = client.patch("/api/v1/launches/1", json=wrong)
        assert answer.json()["field"] == field
    assert client.patch("/api/v1/launches/77", json=chosen).status_code == 404


def test_two_launches_are_compared(client: TestClient) -> None:
    report_of(client, raw_csv(dram=2.0))
    report_of(client, raw_csv(dram=3.0))
    found = client.get("/api/v1/launches/1/differences", params={"to": 2}).json()
    (difference,) = found["differences"]
    assert (difference["name"], difference["base"], difference["head"]) == (BYTES, 2e6, 3e6)
    assert difference["change"] == pytest.approx(0.5)
    assert found["equal_count"] == 1
    none = client.get("/api/v1/launches/1/differences", params={"to": 2, "metric": "duration"}).json()
    assert none["differences"] == []
    assert client.get("/api/v1/launches/1/differences", params={"to": 9}).status_code == 404


def test_metrics_are_searched(client: TestClient) -> None:
    report_of(client, raw_csv())
    items = client.get("/api/v1/metrics", params={"q": "DRAM"}).json()["items"]
    assert [(one["name"], one["launch_count"], one["report_count"]) for one in items] == [
        (BYTES, 1, 1),
        (RATE, 1, 1),
    ]
    assert client.get("/api/v1/metrics", params={"q": "%_"}).json()["items"] == []


def test_a_report_is_deleted_with_its_file(client: TestClient, tmp_path: Path) -> None:
    report_id = report_of(client, raw_csv())
    assert client.delete(f"{URL}/{report_id}").status_code == 204
    for path in ("", "/raw", "/launches", "/launches/1"):
        assert client.get(f"{URL}/{report_id}{path}").status_code == 404
    assert client.delete(f"{URL}/{report_id}").status_code == 404
    assert not [path for path in (tmp_path / "reports").rglob("*") if path.is_file()]


def test_every_part_of_a_launch_is_given(client: TestClient, store: Store) -> None:
    report_id = reports.keep(store)
    whole = client.get(f"{URL}/{report_id}/launches/1", params={"instances": True}).json()
    assert (whole["nvtx"], whole["stream"], whole["source_total_samples"]) == (["step", "forward"], "7", 4)
    assert whole["source"][0] == {
        "text": "LDG.E R2, [R4]",
        "address": 16,
        "line": None,
        "values": {"# Samples": 3.0, "stall_wait": 1.0},
    }
    assert whole["rules"][0]["speedup_percent"] == 12.5
    assert whole["metrics"][1]["instances"][1] == {"key": "SM 3", "value": 0.1 + 0.2}
    assert whole["metrics"][3]["value"] == "CachePreferNone"
    lean = client.get(f"{URL}/{report_id}/launches/1", params={"metric": "DRAM"}).json()["metrics"]
    assert [(one["name"], one["instances"], one["instance_count"]) for one in lean] == [(BYTES, None, 3)]
    assert client.get(f"{URL}/{report_id}/raw").status_code == 404
    json.dumps(whole, allow_nan=False)
