"""What a chart shows, in one sentence: its label for people who do not see it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from app.domain.claim import Claim
from app.domain.device import Device
from app.domain.promise import Direction, Promise
from app.domain.vocabulary import Metric
from app.services.ceilings_view import CeilingGroup
from app.services.lab_view import ExperimentView, LabPoint
from app.services.ladder_rows import LadderView
from app.services.run_tables import CellRow
from app.web import formatting
from app.web.charts.ceilings import ceilings_height_px, ceilings_scale
from app.web.charts.experiment import experiment_height_px
from app.web.charts.experiment_frame import axis_text, experiment_scale, point_href
from app.web.charts.hover import half_interval_fraction
from app.web.charts.stage_ladder import spans_decades
from app.web.formatting import Scale
from app.web.view_state import ViewState


def column_scale(ladder: LadderView) -> Scale:
    """The unit that the rates of a ladder share."""
    rates = [row.rate for row in ladder.measured]
    return formatting.rate_scale(rates, "FLOP/s" if ladder.counts_flop else "B/s")


def median_scale(ladder: LadderView) -> Scale:
    """The unit that the medians of a ladder share."""
    return formatting.duration_scale(row.shown.median_s for row in ladder.rows if row.shown)


def roof_reach(ladder: LadderView) -> float:
    """The rate at the right end of the table's bars: the roof, or the fastest stage where that is higher."""
    roof = ladder.roofs.highest_compute if ladder.counts_flop else None
    return max([roof or 0.0, *(row.rate or 0.0 for row in ladder.measured)]) or 1.0


def ladder_sentence(ladder: LadderView) -> str:
    """ "7 stages, 0.50 to 36.3 TFLOP/s; library 51.4"."""
    scale = column_scale(ladder)
    rates = [row.rate for row in ladder.measured if not row.reference and row.rate]
    if not rates:
        return "No stage has a number yet."
    sentence = f"{len(rates)} stages, {scale.number(min(rates))} to {scale.text(max(rates))}"
    library = ladder.library
    return f"{sentence}; library {scale.number(library.rate)}" if library else sentence


def roofline_sentence(ladder: LadderView) -> str:
    """The roofs, and how near the best stage comes."""
    roofs, best = ladder.roofs, ladder.best
    parts = []
    if roofs.best_bandwidth:
        parts.append(f"DRAM roof {formatting.bandwidth(roofs.best_bandwidth.value)}")
    if roofs.best_compute:
        parts.append(f"compute roof {formatting.rate(roofs.best_compute.value)}")
    if best and best.shown:
        share = formatting.percent(best.shown.roof_fraction_boost)
        parts.append(f"best stage {best.stage} at {formatting.rate(best.rate)}, {share} of its roof")
    return "Roofline: " + "; ".join(parts) if parts else "Roofline without roofs: none was measured."


def samples_sentence(ladder: LadderView) -> str:
    """How wide the intervals are."""
    halves = [half for half in (half_interval_fraction(row) for row in ladder.rows) if half is not None]
    if not halves:
        return "Sample distributions: no stage has enough samples for an interval."
    widest = formatting.plus_minus(max(halves))
    return f"Sample distributions of {len(halves)} stages; widest 95 % interval {widest}"


def claim_title(metric: Metric) -> str:
    """What a claim is about."""
    return CLAIM_TITLES[metric]


def claim_value(claim: Claim) -> str:
    """A claim's figure in the unit of its metric."""
    return claim.value if isinstance(claim.value, str) else metric_value(claim.value, claim.metric)


def metric_value(value: float | None, metric: Metric) -> str:
    """A figure about a stage in the unit of its metric."""
    return formatting.MISSING if value is None else CLAIM_FORMATS[metric](value)


CLAIM_TITLES: Mapping[Metric, str] = {
    Metric.FLOP_PER_S: "Rate",
    Metric.ROOF_FRACTION: "Share of the roof",
    Metric.INTENSITY: "Intensity",
    Metric.BOTTLENECK: "Bottleneck",
}
CLAIM_FORMATS: Mapping[Metric, Callable[[float], str]] = {
    Metric.FLOP_PER_S: formatting.rate,
    Metric.ROOF_FRACTION: formatting.percent,
    Metric.INTENSITY: lambda value: f"{formatting.significant(value)} FLOP/B",
}


def point_spread(point: LabPoint | CellRow) -> str:
    """Half the 95 % interval over the median of what was measured, in per cent."""
    m = point.measurement
    if m is None or m.ci_low_s is None or m.ci_high_s is None:
        return "n too small" if m else formatting.percent_number(None)
    return formatting.percent_number((m.ci_high_s - m.ci_low_s) / 2 / m.median_s)


def figure_href(view: ExperimentView, device: Device) -> str:
    """Address of an experiment's figure, without theme and width, which the browser adds."""
    return ViewState(f"/api/v1/experiments/{view.experiment.name}/figure", ()).but(device=device.uuid)


def ceilings_href(group: CeilingGroup, device: Device) -> str:
    """Address of the figure of a kind of roofs, without theme and width, which the browser adds."""
    return ViewState(f"/api/v1/ceilings/{group.kind.name}/figure", ()).but(device=device.uuid)


_ARROWS = {Direction.LESS: "↓", Direction.MORE: "↑"}


def promise_text(promise: Promise) -> str:
    """ "↓ sectors a global request ×0.15"."""
    words = f"{_ARROWS[promise.direction]} {promise.counted}"
    return words if promise.factor is None else f"{words} ×{formatting.plain(promise.factor)}"


SENTENCES = (
    axis_text,
    ceilings_height_px,
    ceilings_href,
    ceilings_scale,
    claim_title,
    claim_value,
    column_scale,
    experiment_height_px,
    experiment_scale,
    figure_href,
    half_interval_fraction,
    ladder_sentence,
    median_scale,
    metric_value,
    point_href,
    point_spread,
    promise_text,
    roof_reach,
    roofline_sentence,
    samples_sentence,
    spans_decades,
)
