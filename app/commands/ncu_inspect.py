"""`roofladder ncu inspect`: what a file of Nsight Compute holds, for a person or as JSON for tools."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from app.domain.errors import InvalidInputError
from app.domain.report import LaunchProfile, Metric, Report, ReportFormat
from app.ncu.reading import read_report

NS_PER_S = 1e9


def inspect(path: Path, *, as_json: bool, console: Console) -> None:
    """Print the file's content. Raises InvalidInputError where it cannot be opened."""
    try:
        report = read_report(path)
    except OSError as error:
        raise InvalidInputError(
            f"{path} cannot be read ({error.strerror}). Check the path and its rights."
        ) from None
    if as_json:
        console.file.write(json.dumps(as_object(report), ensure_ascii=False) + "\n")
    else:
        _print(report, console)


def as_object(report: Report) -> dict[str, Any]:
    """The report as the JSON that tools read."""
    return {
        "format": report.dialect.format.value,
        "error": None
        if report.error is None
        else {"code": report.error.code, "message": report.error.message},
        "warnings": list(report.warnings),
        "skipped": dict(report.skipped),
        "launches": [_launch(launch) for launch in report.launches],
    }


def _launch(launch: LaunchProfile) -> dict[str, Any]:
    told = {
        "id": launch.number,
        "process_id": launch.process_id,
        "kernel": launch.kernel,
        "duration_ns": None if launch.duration_s is None else launch.duration_s * NS_PER_S,
        "metrics": [_metric(metric) for metric in launch.metrics],
        "rules": [
            {"name": rule.name, "type": rule.type.value, "speedup_percent": rule.speedup_percent}
            for rule in launch.rules
        ],
    }
    if launch.source is not None:
        told |= {"instructions": len(launch.source.lines), "samples": launch.source.total_samples}
    return told


def _metric(metric: Metric) -> dict[str, Any]:
    return {
        "section": metric.section,
        "label": metric.label,
        "name": metric.name,
        "unit": metric.unit,
        "raw": metric.raw,
        "value": metric.value,
        "base_value": metric.base_value,
    }


def _print(report: Report, console: Console) -> None:
    dialect = report.dialect
    console.print(f"{dialect.format.value}, {len(report.launches)} launches", markup=False)
    if report.error is not None:
        console.print(report.error.message, markup=False)
    for warning in report.warnings:
        console.print(f"Warning: {warning}", markup=False)
    for what, count in report.skipped.items():
        console.print(f"Left out: {count} {what}", markup=False)
    if report.launches and dialect.format is not ReportFormat.SESSION:
        console.print(_table(report.launches))


def _table(launches: tuple[LaunchProfile, ...]) -> Table:
    table = Table("Id", "Kernel", "Grid", "Block", "Time, µs", "Metrics", "Rules")
    for launch in launches:
        table.add_row(
            "–" if launch.number is None else str(launch.number),
            launch.kernel[:80].replace("[", "\\["),
            "×".join(map(str, launch.grid or ())) or "–",
            "×".join(map(str, launch.block or ())) or "–",
            "–" if launch.duration_s is None else f"{launch.duration_s * 1e6:.2f}",
            str(len(launch.metrics)),
            str(len(launch.rules)),
        )
    return table
