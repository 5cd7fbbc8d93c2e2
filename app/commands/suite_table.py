"""A run's JSON as tables for a terminal where it measured experiments, pairs or traps: one a problem."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from rich import box
from rich.markup import escape
from rich.table import Table

from app.commands.ladder_table import half_width, size_title
from app.domain.vocabulary import ProblemKind
from app.kernels import registry
from app.web import formatting


def suite_tables(run: dict[str, Any]) -> Iterator[Table]:
    """Every measurement that is on no ladder, in the order it was measured."""
    measured = [m for m in run["measurements"] if _is_shown(m["problem"])]
    measured.sort(key=lambda m: m["problem"])  # stable: the run's own order within a problem
    for problem, rows in groupby(measured, key=lambda m: str(m["problem"])):
        yield _table(registry.problem(problem).title, list(rows))


def _is_shown(problem_name: str) -> bool:
    problem = registry.problems().get(problem_name)
    return problem is not None and problem.kind not in (ProblemKind.LADDER, ProblemKind.CEILING)


def _table(title: str, measured: list[dict[str, Any]]) -> Table:
    duration = formatting.duration_scale(m["median_s"] for m in measured)
    table = Table(title=title, title_justify="left")
    table.box, table.padding, table.show_edge = box.SIMPLE_HEAD, (0, 0, 0, 1), False
    for name in ("stage", "size", "cache"):
        table.add_column(name)
    for name in (duration.unit, "± %", "useful bytes/s", "health"):
        table.add_column(name, justify="right", no_wrap=True)
    for m in measured:
        table.add_row(
            escape(m["stage"]),
            size_title(m),
            m["cache"],
            duration.number(m["median_s"], digits=4),
            formatting.percent_number(half_width(m)),
            formatting.bandwidth(m["bytes_per_s"]),
            m["health"],
        )
    return table
