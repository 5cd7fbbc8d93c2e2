"""A run as a table for other programs: CSV with full precision, SI units in the column names."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from dataclasses import dataclass

from app.domain.measurement import Measurement
from app.domain.run import Run

Cell = str | int | float | bool | None
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True)
class Column:
    """One column; `value` takes the run and one of its measurements."""

    name: str
    value: Callable[[Run, Measurement], Cell]


COLUMNS = (
    Column("run_uid", lambda run, _: run.summary.uid),
    Column("device", lambda run, _: run.summary.device.name if run.summary.device else None),
    Column("backend", lambda run, _: run.summary.backend.value),
    Column("problem", lambda _, m: m.key.problem),
    Column("stage", lambda _, m: m.key.stage),
    Column("reference", lambda _, m: m.reference),
    Column("size", lambda _, m: m.key.size.key.replace(",", " ")),
    Column("dtype", lambda _, m: m.key.dtype.value),
    Column("arithmetic", lambda _, m: m.arithmetic.value),
    Column("cache", lambda _, m: m.cache.value),
    Column("regime", lambda _, m: m.regime.value),
    Column("median_s", lambda _, m: m.median_s),
    Column("mad_s", lambda _, m: m.mad_s),
    Column("ci_low_s", lambda _, m: m.ci_low_s),
    Column("ci_high_s", lambda _, m: m.ci_high_s),
    Column("p5_s", lambda _, m: m.p5_s),
    Column("p95_s", lambda _, m: m.p95_s),
    Column("n", lambda _, m: m.n),
    Column("noise_fraction", lambda _, m: m.noise_fraction),
    Column("launches_per_sample", lambda _, m: m.launches_per_sample),
    Column("flop", lambda _, m: m.flop),
    Column("least_dram_bytes", lambda _, m: m.least_dram_bytes),
    Column("flop_per_s", lambda _, m: m.flop_per_s),
    Column("bytes_per_s", lambda _, m: m.bytes_per_s),
    Column("roof", lambda _, m: m.roof.name if m.roof else None),
    Column("roof_value", lambda _, m: m.roof.value if m.roof else None),
    Column("roof_unit", lambda _, m: m.roof.unit if m.roof else None),
    Column("roof_source", lambda _, m: m.roof.source.value if m.roof else None),
    Column("roof_fraction_boost", lambda _, m: m.roof_fraction_boost),
    Column("roof_fraction_held", lambda _, m: m.roof_fraction_held),
    Column("sm_clock_hz", lambda _, m: m.sm_clock_hz),
    Column("memory_clock_hz", lambda _, m: m.memory_clock_hz),
    Column("power_w", lambda _, m: m.power_w),
    Column("temperature_c", lambda _, m: m.temperature_c),
    Column("correct", lambda _, m: m.correctness.passed),
    Column("max_relative_error", lambda _, m: m.correctness.max_relative_error),
    Column("stop_reason", lambda _, m: m.stop_reason.value),
    Column("health", lambda _, m: m.health.value),
    Column("registers", lambda _, m: m.compiler.registers if m.compiler else None),
    Column("spill_bytes", lambda _, m: m.compiler.spill_bytes if m.compiler else None),
    Column("provenance", lambda _, m: m.provenance.value),
)


def run_as_csv(run: Run) -> str:
    """One line a measurement under one header line; a missing value is an empty field, never 0."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\r\n")
    writer.writerow([column.name for column in COLUMNS])
    for measurement in run.measurements:
        writer.writerow([_field(column.value(run, measurement)) for column in COLUMNS])
    return buffer.getvalue()


def _field(value: Cell) -> str:
    """Numbers keep every digit; text that a spreadsheet would take for a formula gets a quote in front."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return repr(value)
    if value is None:
        return ""
    return f"'{value}" if value.startswith(FORMULA_STARTS) else value
