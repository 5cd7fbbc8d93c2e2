"""One stage of a run: what it is, how it was launched, what it costs and what it reached."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from app.analysis.cross_check import CrossCheck, cross_checks
from app.analysis.diagnosis import diagnose
from app.domain.claim import Claim
from app.domain.errors import NotFoundError
from app.domain.finding import Finding, FindingVerdict
from app.domain.measurement import CompilerReport, Measurement
from app.domain.run import Run
from app.domain.vocabulary import Level, Metric, Verdict
from app.kernels.stage import Launch, Stage
from app.services.attribution import Attribution, attributions
from app.services.claim_check import verdict_of
from app.services.counted_cells import CountedCell, counted_attributions, counted_of
from app.services.ladder_rows import LadderChoice, LadderRow, LadderView, known_stages, ladder_of
from app.services.sample_strips import SampleStrip, sample_strips
from app.storage.store import Store


@dataclass(frozen=True)
class LevelCost:
    """Bytes that the stage asks of one level by its own algebra, as if no cache above it existed."""

    level: Level
    moved_bytes: int
    intensity: float | None
    over_least: float | None


@dataclass(frozen=True)
class StageFigure:
    """A published figure about the stage, its value here and its verdict; None where there is none."""

    claim: Claim
    here: float | None
    verdict: Verdict | None


@dataclass(frozen=True)
class StageView:
    """Everything the page shows. `source` is the text that ran, None where the run did not keep it."""

    run: Run
    ladder: LadderView
    row: LadderRow
    stage: Stage | None
    measurements: tuple[Measurement, ...]  # cold, then warm
    levels: tuple[LevelCost, ...]
    launch: Launch | None
    compiler: CompilerReport | None
    source: str | None
    source_name: str
    source_differs: bool  # from the file that this version has
    strip: SampleStrip | None
    figures: tuple[StageFigure, ...]
    attribution: Attribution | None  # None for the first rung and for library lines
    better: LadderRow | None  # the fastest rung that improves on this one
    counted: CountedCell | None  # the newest counted launch of the same cell
    findings: tuple[Finding, ...]  # faults of that launch, the largest gain first
    checks: tuple[CrossCheck, ...]  # two instruments on it

    @property
    def gain_of_better(self) -> float | None:
        """How much faster that rung is."""
        if self.better is None or not self.better.rate or not self.row.rate:
            return None
        return self.better.rate / self.row.rate


def stage_view(store: Store, run_id: int, name: str, choice: LadderChoice) -> StageView:
    """Read one stage of a run. Raises NotFoundError, naming the stages that the run has."""
    run = store.run(run_id)
    ladder = ladder_of(run, choice)
    row = ladder.row(name) if ladder else None
    if ladder is None or row is None:
        known = ", ".join(r.stage for r in ladder.rows) if ladder else "none"
        raise NotFoundError(
            f"Run {run_id} has no stage {name!r} at this size. It has: {known}.", field="stage"
        )
    declared = {s.name: s for s in known_stages(ladder.problem, ladder.backend)}
    stage = declared.get(name)
    measured = row.cold or row.warm
    source = run.sources.get(measured.recipe.source_sha256) if measured else None
    own_text = stage.source.read_text() if stage and stage.source.is_file() and stage.entry else None
    cells = counted_of(store, run, ladder)
    counted = cells.get(name)
    strips = sample_strips(ladder, store.samples(run_id))
    return StageView(
        run=run,
        ladder=ladder,
        row=row,
        stage=stage,
        measurements=tuple(m for m in (row.cold, row.warm) if m is not None),
        levels=_levels(row),
        launch=stage.launch(ladder.size) if stage and stage.launch else None,
        compiler=(measured.compiler if measured else None) or _reported(run, row, ladder),
        source=source or own_text,
        source_name=stage.source.name if stage else name,
        source_differs=source is not None and own_text is not None and source != own_text,
        strip=next((s for s in strips if s.row.stage == name and s.deviations), None),
        figures=tuple(_figure(claim, row, row.shown or measured) for claim in stage.claims) if stage else (),
        attribution=_attribution(ladder, cells, name),
        better=_better(ladder, declared, name),
        counted=counted,
        findings=_faults(counted),
        checks=cross_checks(counted.evidence) if counted else (),
    )


def _attribution(ladder: LadderView, cells: Mapping[str, CountedCell], name: str) -> Attribution | None:
    counted = counted_attributions(ladder.problem, cells)
    return next((one for one in attributions(ladder, counted) if one.row.stage == name), None)


def _faults(counted: CountedCell | None) -> tuple[Finding, ...]:
    found = diagnose(counted.evidence) if counted else ()
    return tuple(finding for finding in found if finding.verdict is FindingVerdict.FOUND)


def _figure(claim: Claim, row: LadderRow, measured: Measurement | None) -> StageFigure:
    values = {
        Metric.FLOP_PER_S: row.rate,
        Metric.ROOF_FRACTION: measured.roof_fraction_boost if measured else None,
        Metric.INTENSITY: row.intensity,
    }
    here = values.get(claim.metric)
    return StageFigure(claim, here, verdict_of(claim, here))


def _levels(row: LadderRow) -> tuple[LevelCost, ...]:
    if row.cost is None:
        return ()
    found = []
    for level in Level:
        moved = row.cost.bytes_by_level.get(level)
        if not moved:
            continue
        over = moved / row.cost.least_dram_bytes if row.cost.least_dram_bytes else None
        found.append(LevelCost(level, moved, row.cost.intensity(level), over))
    return tuple(found)


def _reported(run: Run, row: LadderRow, ladder: LadderView) -> CompilerReport | None:
    """The compiler's report of a stage that compiled but gave no number."""
    return next(
        (
            outcome.compiler
            for outcome in run.outcomes
            if outcome.key.stage == row.stage and outcome.key.size == ladder.size and outcome.compiler
        ),
        None,
    )


def _better(ladder: LadderView, declared: dict[str, Stage], name: str) -> LadderRow | None:
    children = [r for r in ladder.measured if r.stage in declared and declared[r.stage].improves_on == name]
    return max(children, key=lambda row: row.rate or 0.0, default=None)
