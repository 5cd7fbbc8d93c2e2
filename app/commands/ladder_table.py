"""A run's JSON as ladder tables for a terminal: one table a problem, size and dtype."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from rich import box
from rich.markup import escape
from rich.table import Table

from app.domain.size import Size
from app.domain.vocabulary import BackendName, ProblemKind
from app.kernels import registry
from app.web import formatting


@dataclass(frozen=True)
class _Units:
    """One unit a column, so that its numbers compare at a glance."""

    duration: formatting.Scale
    rate: formatting.Scale


def ladder_tables(run: dict[str, Any]) -> Iterator[Table]:
    """Warm and cold medians in ladder order; `gain` is the speed-up over the stage it improves on."""
    measured = [m for m in run["measurements"] if _is_ladder(m["problem"])]
    measured.sort(key=_table_key)
    for _, rows in groupby(measured, key=_table_key):
        yield _table(list(rows), BackendName(run["backend"]))


def unmeasured_lines(run: dict[str, Any]) -> list[str]:
    """Why each cell that has no measurement has none."""
    return [
        f"  {escape(o['stage'])} {size_title(o)} {o['dtype']}: {o['status']}, {escape(o['reason'])}"
        for o in run["outcomes"]
        if o["status"] != "measured" and not _is_ceiling(o["problem"])
    ]


def _is_ladder(problem_name: str) -> bool:
    known = registry.problems()
    return problem_name not in known or known[problem_name].is_ladder


def _is_ceiling(problem_name: str) -> bool:
    known = registry.problems().get(problem_name)
    return known is not None and known.kind is ProblemKind.CEILING


def _table_key(item: dict[str, Any]) -> tuple[str, tuple[tuple[str, int], ...], str]:
    return item["problem"], tuple(item["size"].items()), item["dtype"]


def size_title(item: dict[str, Any]) -> str:
    """The size of a measurement or outcome as its problem writes it."""
    size = Size(tuple(item["size"].items()))
    known = registry.problems().get(item["problem"])
    return known.size_title(size) if known else size.key


def _table(measured: list[dict[str, Any]], backend: BackendName) -> Table:
    first = measured[0]
    units = _Units(
        formatting.duration_scale(m["median_s"] for m in measured),
        formatting.rate_scale(m["flop_per_s"] for m in measured),
    )
    table = Table(title=f"{first['problem']} {size_title(first)} {first['dtype']}", title_justify="left")
    table.box, table.padding, table.show_edge = box.SIMPLE_HEAD, (0, 0, 0, 1), False
    table.add_column("stage", no_wrap=True)
    for title in (
        f"warm {units.duration.unit}",
        "± %",
        f"cold {units.duration.unit}",
        units.rate.unit,
        "% roof",
        "gain",
        "right",
    ):
        table.add_column(title, justify="right", no_wrap=True)
    warm = {m["stage"]: m for m in measured if m["cache"] == "warm"}
    cold = {m["stage"]: m for m in measured if m["cache"] == "cold"}
    for stage, parent in _ladder_order(first["problem"], backend, warm.keys() | cold.keys()):
        table.add_row(*_row(warm.get(stage), cold.get(stage), warm.get(parent or ""), units))
    return table


def _ladder_order(problem: str, backend: BackendName, present: set[str]) -> list[tuple[str, str | None]]:
    known = registry.stages(problem, backend) if problem in registry.problems() else ()
    ordered = [(s.name, s.improves_on) for s in known if s.name in present]
    strangers = sorted(present - {name for name, _ in ordered})
    return ordered + [(name, None) for name in strangers]


def _row(
    warm: dict[str, Any] | None, cold: dict[str, Any] | None, parent: dict[str, Any] | None, units: _Units
) -> tuple[str, ...]:
    shown = warm or cold
    assert shown is not None
    return (
        escape(shown["stage"]) + (" (library)" if shown["reference"] else ""),
        units.duration.number(warm["median_s"] if warm else None, digits=4),
        formatting.percent_number(half_width(shown)),
        units.duration.number(cold["median_s"] if cold else None, digits=4),
        units.rate.number(shown["flop_per_s"]),
        formatting.percent_number(shown["roof_fraction_boost"]),
        formatting.factor(parent["median_s"] / warm["median_s"] if parent and warm else None),
        "yes" if shown["correct"] else "no",
    )


def half_width(measurement: dict[str, Any]) -> float | None:
    """Half the interval over the median; None where the samples were too few for one."""
    low, high = measurement["ci_low_s"], measurement["ci_high_s"]
    if low is None or high is None:
        return None
    return float((high - low) / 2 / measurement["median_s"])
