"""`roofladder ncu import`: reports of Nsight Compute into the data folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from app.domain.errors import NotFoundError
from app.services.import_report import Imported, Upload, import_uploads
from app.settings import Settings
from app.storage.database import open_store
from app.supervisor import data_folder
from app.web import formatting


def import_files(settings: Settings, files: Sequence[Path], console: Console) -> None:
    """Keep each report and say what became of it. Raises NotFoundError before anything is kept."""
    missing = [str(path) for path in files if not path.is_file()]
    if missing:
        raise NotFoundError(f"{', '.join(missing)} cannot be read; nothing was imported. Check the path.")
    data_folder.prepare(settings.data_dir)
    uploads = [Upload(path.name, path) for path in files]
    for result in import_uploads(open_store(settings.results_url), uploads):
        console.print(_line(result), markup=False, soft_wrap=True)


def _line(result: Imported) -> str:
    report = result.report
    if report is None:
        return f"Not imported: {result.error.message if result.error else result.name}"
    launches = formatting.grouped(report.launch_count)
    if not result.created:
        return f"{result.name} is here already, as report {report.id}."
    left_out = sum(report.facts.skipped.values())
    rest = f", {left_out} rows or cells left out" if left_out else ""
    matched = formatting.grouped(report.matched_count)
    return f"{result.name}: report {report.id}, {launches} launches, {matched} with a stage{rest}."
