"""The text under the pointer, the same on every chart, and the names that exports carry."""

from __future__ import annotations

from app.domain.run import Run
from app.services.ladder_rows import LadderRow, LadderView
from app.web import formatting
from app.web.charts.chart import escaped
from app.web.wording import HEALTH


def hover_text(row: LadderRow, ladder: LadderView) -> str:
    """Rate, share of the roof at both clocks, median and its interval, spread, n, clock, health."""
    shown = row.shown
    if shown is None:
        return f"<b>{escaped(row.title)}</b>"
    half = half_interval_fraction(row)
    lines = [
        f"<b>{escaped(row.title)}</b>",
        rate_text(row, ladder),
        share_text(row),
        f"median {formatting.duration(shown.median_s)} {formatting.plus_minus(half)}",
        f"p5–p95 {formatting.duration(shown.p5_s)} to {formatting.duration(shown.p95_s)}",
        f"n = {shown.n} · {clock_text(row)} · {HEALTH[shown.health].text}",
    ]
    return "<br>".join(part for part in lines if part)


def rate_text(row: LadderRow, ladder: LadderView) -> str:
    """ "25.6 TFLOP/s", or GB/s for stages without arithmetic."""
    return formatting.rate(row.rate) if ladder.counts_flop else formatting.bandwidth(row.rate)


def share_text(row: LadderRow) -> str:
    """Share of the roof at boost, and at the held clock where the two differ by more than 2 %."""
    shown = row.shown
    if shown is None or shown.roof is None or shown.roof_fraction_boost is None:
        return ""
    roof = f"{formatting.roof_title(shown.roof.name)} roof"
    boost, held = shown.roof_fraction_boost, shown.roof_fraction_held
    if held is None or not boost or abs(held / boost - 1) <= 0.02:
        return f"{formatting.percent(boost)} of the {roof}"
    return f"{formatting.percent(boost)} boost · {formatting.percent(held)} held, of the {roof}"


def half_interval_fraction(row: LadderRow) -> float | None:
    """Half width of the 95 % interval over the median; None when n is too small for one."""
    shown = row.shown
    if shown is None or shown.ci_low_s is None or shown.ci_high_s is None:
        return None
    return (shown.ci_high_s - shown.ci_low_s) / 2 / shown.median_s


def clock_text(row: LadderRow) -> str:
    """The clock held, or that it is not readable."""
    clock = row.shown.sm_clock_hz if row.shown else None
    return formatting.clock(clock) if clock else "clock not readable here"


def file_name(run: Run, chart: str, ladder: LadderView) -> str:
    """roofladder-run417-roofline-4096-fp32."""
    size = ladder.size_title.replace("³", "").replace("²", "").replace("×", "x")
    dtype = formatting.dtype_title(ladder.dtype).lower()
    return f"roofladder-run{run.summary.id}-{chart}-{size}-{dtype}"


def caption(run: Run, ladder: LadderView) -> str:
    """Device, date and run: drawn into exports only."""
    device = run.summary.device.name if run.summary.device else "device not known"
    imported = " · imported" if run.summary.imported else ""
    when = formatting.timestamp(run.summary.finished_at or run.summary.created_at)
    what = f"{ladder.problem_title} {formatting.dtype_title(ladder.dtype)} {ladder.size_title}"
    return escaped(f"{what} · {device} · {when} · run {run.summary.id}{imported} · {ladder.cache} cache")
