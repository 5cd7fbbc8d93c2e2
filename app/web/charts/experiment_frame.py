"""What both forms of an experiment's chart share: units, colours, hover texts and links."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from app.kernels.experiment import Unit
from app.services.lab_view import ExperimentView, LabPoint
from app.web import formatting, view_state
from app.web.charts.chart import escaped
from app.web.charts.palette import Palette

NARROW_BELOW_PX = 420
BOTTOM_PX = 46

_SCALES: Mapping[Unit, Callable[[Iterable[float | None]], formatting.Scale]] = {
    Unit.BYTES_PER_S: lambda values: formatting.rate_scale(values, "B/s"),
    Unit.FLOP_PER_S: formatting.rate_scale,
    Unit.SECONDS: formatting.duration_scale,
    Unit.RATIO: lambda _values: formatting.Scale("×", 1.0),
}


# How the numbers along an axis are written; any other parameter is a plain number.
_AXIS_TEXTS: Mapping[str, Callable[[int], str]] = {"kib": lambda kib: formatting.capacity(kib * 1024)}


@dataclass(frozen=True)
class ExperimentFrame:
    """An experiment to be drawn in some colours and width."""

    view: ExperimentView
    palette: Palette
    width_px: int
    scale: formatting.Scale

    @property
    def narrow(self) -> bool:
        """Whether it is drawn for a phone."""
        return self.width_px < NARROW_BELOW_PX

    @property
    def value_title(self) -> dict[str, Any]:
        """Title of the axis of values, with its unit."""
        text = f"{self.view.experiment.value_title}, {self.scale.unit}"
        return {"text": text, "standoff": 8, "font": {"size": 12, "color": self.palette.ink_2}}

    def drawn(self, value: float | None) -> float:
        """A value in the chart's unit."""
        return (value or 0.0) / self.scale.factor

    def hover(self, point: LabPoint) -> str:
        """The text under the pointer."""
        shown = point.measurement
        lines = [
            f"<b>{escaped(point.stage.title)}</b> · {escaped(point.size_title)}",
            self.scale.text(point.value),
            f"theory {self.scale.text(point.theory)}" if point.theory is not None else "",
            f"{formatting.percent(point.ratio)} of theory" if point.ratio is not None else "",
            f"n = {shown.n} · run {point.run_id}" if shown else "",
            "quarantined: not to be believed" if point.quarantined else "",
        ]
        return "<br>".join(part for part in lines if part)


def axis_text(view: ExperimentView, x: int) -> str:
    """A value of the size parameter along the axis: "16 MiB", "32"."""
    return _AXIS_TEXTS.get(view.experiment.axis or "", formatting.grouped)(x)


def experiment_scale(view: ExperimentView) -> formatting.Scale:
    """One unit for the chart and its table."""
    values = [p.value for p in view.points] + [p.theory for p in view.points]
    return _SCALES[view.experiment.unit](values)


def point_href(point: LabPoint) -> str | None:
    """Address of the stage in the run that the point comes from."""
    if point.run_id is None or point.measurement is None:
        return None
    key, cache = point.measurement.key, point.measurement.cache
    return view_state.stage_href(
        point.run_id, key.stage, problem=key.problem, size=key.size.key, dtype=key.dtype.value, cache=cache
    )


def link(point: LabPoint) -> list[str | None]:
    """What a click on the point leads to."""
    return [point_href(point), escaped(point.stage.name)]
