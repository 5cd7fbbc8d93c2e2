"""What a chart is: a name and a function from a question to a Plotly figure; one module a chart."""

from __future__ import annotations

import html
import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import plotly.graph_objects as go

import app.web.charts
from app.domain.errors import NotFoundError
from app.services.ladder_rows import LadderChoice
from app.storage.store import Store
from app.web.charts.palette import FONT, LIGHT, Palette

NARROW_BELOW_PX = 520


@dataclass(frozen=True)
class ChartRequest:
    """Which picture is asked for. `width_px` is that of the drawing, so that labels can be placed."""

    run_id: int
    choice: LadderChoice = field(default_factory=LadderChoice)
    palette: Palette = LIGHT
    width_px: int = 720
    view: str = ""  # of the chart's own switch
    with_warm: bool = False
    log_axis: bool = False

    @property
    def narrow(self) -> bool:
        """Whether it is drawn for a phone."""
        return self.width_px < NARROW_BELOW_PX


@dataclass(frozen=True)
class Figure:
    """A Plotly figure, and the points that the keyboard can walk: (trace, point) pairs in order."""

    data: list[dict[str, Any]]
    layout: dict[str, Any]
    walk: tuple[tuple[int, int], ...] = ()
    file_name: str = "roofladder"
    caption: str = ""  # drawn into exports only

    def as_json(self) -> dict[str, Any]:
        """`data` and `layout`, checked by Plotly's schema; no template, as every colour is finished."""
        figure = go.Figure({"data": self.data, "layout": self.layout}).to_plotly_json()
        figure["layout"].pop("template", None)
        return {"data": figure["data"], "layout": figure["layout"]}


@dataclass(frozen=True)
class Chart:
    """A chart by name; `build` raises NotFoundError where the run has nothing to draw."""

    name: str
    build: Callable[[Store, ChartRequest], Figure]


@cache
def charts() -> dict[str, Chart]:
    """Every module of this folder that defines CHART."""
    found: dict[str, Chart] = {}
    for module in pkgutil.iter_modules(app.web.charts.__path__):
        chart = getattr(importlib.import_module(f"app.web.charts.{module.name}"), "CHART", None)
        if isinstance(chart, Chart):
            found[chart.name] = chart
    return found


def chart(name: str) -> Chart:
    """The chart of that name. Raises NotFoundError, naming those that exist."""
    try:
        return charts()[name]
    except KeyError:
        known = ", ".join(charts())
        raise NotFoundError(f"No chart is called {name!r}. Known: {known}.", field="name") from None


def escaped(name: str) -> str:
    """A name for Plotly, which reads a few HTML tags in any text."""
    return html.escape(name, quote=False)


def text_width_px(text: str, size_px: float = 12) -> float:
    """About how wide Inter draws a text; server-side labels need no exact value."""
    return len(text) * size_px * 0.56


def base_layout(palette: Palette, height: int, margin: dict[str, int]) -> dict[str, Any]:
    """What every figure shares: fonts, surface, hover label, no legend, no drag."""
    return {
        "height": height,
        "margin": {"pad": 0, **margin},
        "paper_bgcolor": palette.surface,
        "plot_bgcolor": palette.surface,
        "font": {"family": FONT, "size": 12, "color": palette.ink},
        "hoverlabel": {
            "bgcolor": palette.ink,
            "bordercolor": palette.ink,
            "font": {"family": FONT, "size": 12, "color": palette.surface},
            "align": "left",
            "namelength": -1,
        },
        "hovermode": "closest",
        "dragmode": False,
        "showlegend": False,
        "autosize": True,
    }


def axis(palette: Palette, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - Plotly's own open schema
    """An axis in the house style; `more` overrides."""
    return {
        "automargin": False,
        "fixedrange": True,
        "gridcolor": palette.grid,
        "gridwidth": 1,
        "linecolor": palette.axis,
        "linewidth": 1,
        "showline": True,
        "zeroline": False,
        "ticks": "outside",
        "ticklen": 4,
        "tickcolor": palette.axis,
        "tickfont": {"size": 11.5, "color": palette.ink_2},
        **more,
    }


def note(text: str, x: float, y: float, **more: Any) -> dict[str, Any]:  # noqa: ANN401
    """A text in the plot without an arrow."""
    return {
        "text": text,
        "x": x,
        "y": y,
        "xref": "x",
        "yref": "y",
        "showarrow": False,
        "xanchor": "left",
        "yanchor": "middle",
        "align": "left",
        **more,
    }


def line(x0: float, y0: float, x1: float, y1: float, color: str, **more: Any) -> dict[str, Any]:  # noqa: ANN401
    """A straight line under the traces."""
    stroke = {"color": color, "width": more.pop("width", 1), "dash": more.pop("dash", "solid")}
    return {
        "type": "line",
        "x0": x0,
        "y0": y0,
        "x1": x1,
        "y1": y1,
        "xref": "x",
        "yref": "y",
        "line": stroke,
        "layer": "below",
        **more,
    }
