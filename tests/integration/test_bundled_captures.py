"""The captures that come with the product: each is read, names its device, and is diagnosed."""

from __future__ import annotations

from pathlib import Path

from app.services.bundled_reports import import_bundled_reports
from app.storage.store import Store

FOLDER = Path(__file__).resolve().parents[2] / "ncu_reports"
PRIVATE = (b"/home/", b"/root/", b"/Users/", b"C:\\", b"TOKEN", b"PASSWORD")


def test_every_bundled_capture_is_imported_whole(store: Store) -> None:
    ids = import_bundled_reports(store, FOLDER)
    reports = [store.report(number).facts for number in ids]
    assert len(reports) >= 8
    for report in reports:
        assert report.error is None, report.name
        assert not report.warnings, report.name
        assert report.device_names == ("NVIDIA H200",), report.name


def test_no_bundled_capture_holds_anything_private(store: Store) -> None:
    for number in import_bundled_reports(store, FOLDER):
        kept = store.report(number).facts.kept_sha256
        assert kept is not None
        content = store.report_file(kept).read_bytes()
        assert not [word for word in PRIVATE if word in content]
