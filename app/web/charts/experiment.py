"""An experiment of the lab as a figure: theory beside what was measured."""

from __future__ import annotations

from app.services.lab_view import ExperimentView
from app.web.charts.chart import Figure, escaped
from app.web.charts.experiment_bars import bars, bars_height_px
from app.web.charts.experiment_frame import ExperimentFrame, experiment_scale
from app.web.charts.experiment_lines import LINES_HEIGHT_PX, lines
from app.web.charts.palette import Palette


def experiment_height_px(view: ExperimentView) -> int:
    """Height of the drawing, reserved by the page before it is drawn."""
    return bars_height_px(view) if view.experiment.axis is None else LINES_HEIGHT_PX


def figure(view: ExperimentView, palette: Palette, width_px: int, device_name: str) -> Figure:
    """Bars where the stages are the categories, lines over a size parameter."""
    frame = ExperimentFrame(view, palette, width_px, experiment_scale(view))
    data, layout = (bars if view.experiment.axis is None else lines)(frame)
    walk = tuple(
        (index, point)
        for index, trace in enumerate(data)
        if trace.get("hoverinfo") == "text"
        for point in range(len(trace["x"]))
    )
    caption = escaped(f"{view.experiment.title} · {device_name} · {view.experiment.cache} cache")
    name = view.experiment.name.replace("_", "-")
    return Figure(data, layout, walk, f"roofladder-lab-{name}", caption)
