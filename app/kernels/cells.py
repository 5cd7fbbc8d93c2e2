"""Unfolds a selection into its cells; the estimate, the job and the page all count by this."""

from __future__ import annotations

from app.domain.measurement import CellKey
from app.domain.run import Selection
from app.kernels.registry import problem, stage, stages
from app.kernels.stage import Stage


def cells_of(selection: Selection) -> tuple[CellKey, ...]:
    """Every stage x size x dtype, sizes and dtypes outside so that the stages of one ladder lie together.

    A selection without sizes or dtypes takes each problem's own suite sizes and dtypes (see `suites`).
    A stage that does not know a dtype gives no cell for it. Cells that the device cannot run, or that the
    stage skips at that size, are kept: they end as outcomes with a reason.
    """
    return tuple(
        CellKey(problem_name, stage.name, size, dtype)
        for problem_name in selection.problems
        for size in selection.sizes or problem(problem_name).suite_sizes
        for dtype in selection.dtypes or problem(problem_name).dtypes
        for stage in stages(problem_name, selection.backend)
        if dtype in stage.dtypes and _is_chosen(stage, selection)
    )


def measurement_count(selection: Selection) -> int:
    """Series that a job of the selection samples: a cell in each cache state that its problem is measured in.

    Cells outside their stage's contract are none; whether the device can run a stage is not looked at.
    """
    return sum(len(problem(cell.problem).caches) for cell in cells_of(selection) if _taken(cell, selection))


def _taken(cell: CellKey, selection: Selection) -> bool:
    declared = stage(cell.problem, selection.backend, cell.stage)
    return declared.why_not is None or declared.why_not(cell.size) is None


def _is_chosen(declared: Stage, selection: Selection) -> bool:
    if selection.stages is None or declared.name in selection.stages:
        return True
    return bool(selection.duel) and declared.reference
