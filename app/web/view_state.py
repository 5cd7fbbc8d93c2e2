"""The state of a view lives in the query string, so back, reload and a shared link show the same picture."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, urlencode

from fastapi import Request

from app.kernels.experiment import Experiment
from app.services.ladder_rows import LadderView
from app.services.run_tables import CellRow, ProblemTable


@dataclass(frozen=True)
class ViewState:
    """The address of the page that is shown."""

    path: str
    query: tuple[tuple[str, str], ...]

    def but(self, **changes: str | None) -> str:
        """The same address with some parameters changed; None takes one away."""
        kept = {name: value for name, value in self.query if name not in changes}
        kept.update({name: value for name, value in changes.items() if value is not None})
        return self.path + (f"?{encoded(kept)}" if kept else "")

    def get(self, name: str, default: str = "") -> str:
        """The value of a parameter."""
        return dict(self.query).get(name, default)


def of(request: Request) -> ViewState:
    """Read it from a request."""
    return ViewState(request.url.path, tuple(request.query_params.multi_items()))


def encoded(parameters: dict[str, str]) -> str:
    """A query string that leaves "=" and "," of size keys readable."""
    return urlencode(parameters, quote_via=lambda text, safe, *_: quote(text, safe="=,"))


def run_href(run_id: int, **parameters: str | None) -> str:
    """Address of a run's page."""
    return ViewState(f"/runs/{run_id}", ()).but(**parameters)


def stage_href(run_id: int, stage: str, **parameters: str | None) -> str:
    """Address of one stage of a run: what every point of a chart links to."""
    return ViewState(f"/runs/{run_id}/stages/{quote(stage, safe='')}", ()).but(**parameters)


def cell_href(run_id: int, row: CellRow) -> str:
    """Address of the stage page of one cell."""
    key, shown = row.key, row.measurement
    cache = shown.cache.value if shown else None
    return stage_href(
        run_id, key.stage, problem=key.problem, size=key.size.key, dtype=key.dtype.value, cache=cache
    )


def lab_href(table: ProblemTable, device_uuid: str | None) -> str | None:
    """Address of the experiment that shows the problem on a device; None where none does."""
    return (
        None
        if table.experiment is None
        else ViewState(f"/lab/{table.experiment}", ()).but(device=device_uuid)
    )


def experiment_href(experiment: Experiment, device_uuid: str | None = None) -> str:
    """Address of an experiment's own page."""
    return ViewState(f"/lab/{experiment.name}", ()).but(device=device_uuid)


def experiment_api_href(experiment: Experiment, device_uuid: str | None) -> str:
    """Address of its twin in the REST interface."""
    return ViewState(f"/api/v1/experiments/{experiment.name}", ()).but(device=device_uuid)


def chart_href(name: str, ladder: LadderView, **parameters: str | None) -> str:
    """Address of a chart's figure, without theme and width, which the browser adds."""
    asked: dict[str, str | None] = {
        "run": str(ladder.run_id),
        "problem": ladder.problem,
        "size": ladder.size.key,
        "dtype": ladder.dtype.value,
        "cache": ladder.cache.value,
    }
    return ViewState(f"/api/v1/charts/{name}", ()).but(**asked, **parameters)


def profile_href(report_id: int, **parameters: str | None) -> str:
    """Address of a report's page."""
    return ViewState(f"/profiles/{report_id}", ()).but(**parameters)


def launch_href(report_id: int, ordinal: int, **parameters: str | None) -> str:
    """Address of one launch of a report."""
    return ViewState(f"/profiles/{report_id}/launches/{ordinal}", ()).but(**parameters)


def launch_figure_href(report_id: int, ordinal: int, name: str, other: int | None = None) -> str:
    """Address of a chart of a launch, without theme and width, which the browser adds."""
    path = f"/api/v1/reports/{report_id}/launches/{ordinal}/figures/{name}"
    return f"{path}?other={other or 0}"


def compare_href(base: int, head: int, **parameters: str | None) -> str:
    """Address of the comparison of two launches, by their ids."""
    return ViewState("/profiles/compare", ()).but(base=str(base), head=str(head), **parameters)
