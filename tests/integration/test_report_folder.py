"""Reports beside the product and from the command line."""

from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner

from app.cli import cli
from app.domain.kept_report import ReportOrigin
from app.services.bundled_reports import import_bundled_reports
from app.storage.database import open_store
from app.storage.store import Store
from tests.reports import raw_csv


def test_bundled_reports_are_kept_once_for_ever(store: Store, tmp_path: Path) -> None:
    folder = tmp_path / "ncu_reports"
    (folder / "suite").mkdir(parents=True)
    (folder / "suite" / "gemm.csv").write_bytes(raw_csv())
    (folder / "suite" / "broken.csv").write_bytes(b"no table")
    (folder / "README.md").write_text("not a report")
    (report_id,) = import_bundled_reports(store, folder)
    assert store.report(report_id).facts.origin is ReportOrigin.FOLDER
    assert import_bundled_reports(store, folder) == []
    store.delete_report(report_id)
    assert import_bundled_reports(store, folder) == []
    assert import_bundled_reports(store, tmp_path / "nowhere") == []


def test_the_command_line_imports(tmp_path: Path) -> None:
    good, bad, data = tmp_path / "gemm.csv", tmp_path / "bad.csv", tmp_path / "data"
    good.write_bytes(raw_csv("naive()", "other()"))
    bad.write_bytes(b"no table")
    runner = CliRunner()
    done = runner.invoke(cli, ["ncu", "import", str(good), str(bad), "--data-dir", str(data)])
    assert done.exit_code == 0, done.output
    assert "gemm.csv: report 1, 2 launches, 1 with a stage" in done.output
    assert "Not imported: bad.csv:" in done.output
    again = runner.invoke(cli, ["ncu", "import", str(good), "--data-dir", str(data)])
    assert "is here already, as report 1" in again.output
    store = open_store(f"sqlite:///{data / 'roofladder.db'}")
    assert len(store.reports()) == 1
    store.close()
    missing = runner.invoke(cli, ["ncu", "import", str(tmp_path / "none.csv"), "--data-dir", str(data)])
    assert missing.exit_code != 0
