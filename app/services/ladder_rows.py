"""The rows of a ladder: one run, problem, size and dtype, each stage with what it improves on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.domain.claim import Claim
from app.domain.measurement import CellKey, CellOutcome, Measurement
from app.domain.run import Run
from app.domain.size import Size
from app.domain.vocabulary import (
    Arithmetic,
    BackendName,
    CacheState,
    CellStatus,
    Dtype,
    Health,
    Level,
    Metric,
    Regime,
    ReuseLevel,
)
from app.kernels import registry
from app.kernels.stage import Cost, Stage
from app.services.claim_check import ClaimCheck, check_share_of_roof, claimed
from app.services.roofs import Roofs, main_arithmetics, roofs_of

NEARLY_ALL = 0.9  # of the stages: the slowest are left out where a launch would take seconds
SLOWER_THAN_PARENT = 0.99  # a step below this is shown as slower; in between the two are the same


@dataclass(frozen=True)
class LadderChoice:
    """Which ladder of a run to show; None takes what the run has most of."""

    problem: str | None = None
    size_key: str | None = None
    dtype: str | None = None
    cache: CacheState = CacheState.COLD
    regime: str | None = None  # of the duels beside it; None shows those of every regime


@dataclass(frozen=True)
class SizeChoice:
    """A size that the run has, for the switch."""

    key: str
    title: str
    selected: bool


@dataclass(frozen=True)
class LadderRow:
    """One rung. `rank` is its number by position, None for the library line; `step` is × its parent."""

    rank: int | None
    stage: str
    title: str
    mechanism: str
    change: str
    reference: bool
    status: CellStatus | None  # None: not reached yet
    reason: str
    shown: Measurement | None  # in the chosen cache state
    cold: Measurement | None
    warm: Measurement | None
    parent: str | None
    parent_is_above: bool
    step: float | None
    cost: Cost | None
    reuse_level: ReuseLevel | None
    intensity: float | None
    intensity_level: Level | None
    claimed_intensity: Claim | None
    claimed_bottleneck: Claim | None
    claim: ClaimCheck | None

    @property
    def rate(self) -> float | None:
        """FLOP/s, or bytes/s where the stage does no arithmetic."""
        return rate_of(self.shown)

    @property
    def slower(self) -> bool:
        """Whether the rung is slower than the one it improves on."""
        return self.step is not None and self.step < SLOWER_THAN_PARENT

    @property
    def quarantined(self) -> bool:
        """Whether the number cannot be true, so that nothing is derived from it."""
        return self.shown is not None and self.shown.health is Health.QUARANTINED

    @property
    def spills(self) -> bool:
        """Whether the compiler spilled registers."""
        return bool(self.shown and self.shown.compiler and self.shown.compiler.spill_bytes)


@dataclass(frozen=True)
class LadderView:
    """A ladder as pages and charts show it; `rows` in ladder order, the library lines last."""

    run_id: int
    backend: BackendName
    problem: str
    problem_title: str
    size: Size
    size_title: str
    dtype: Dtype
    cache: CacheState
    rows: tuple[LadderRow, ...]
    roofs: Roofs
    sizes: tuple[SizeChoice, ...]
    dtypes: tuple[Dtype, ...]
    problems: tuple[str, ...]

    @property
    def own(self) -> tuple[LadderRow, ...]:
        """Rungs without the library line."""
        return tuple(row for row in self.rows if not row.reference)

    @property
    def measured(self) -> tuple[LadderRow, ...]:
        """Rungs with a number that can be true."""
        return tuple(row for row in self.rows if row.rate is not None and not row.quarantined)

    @property
    def library(self) -> LadderRow | None:
        """The fastest library line that has a number."""
        lines = [row for row in self.measured if row.reference]
        return max(lines, key=lambda row: row.rate or 0.0, default=None)

    @property
    def best(self) -> LadderRow | None:
        """The fastest own stage."""
        own = [row for row in self.measured if not row.reference]
        return max(own, key=lambda row: row.rate or 0.0, default=None)

    @property
    def first(self) -> LadderRow | None:
        """The first own stage with a number."""
        return next((row for row in self.measured if not row.reference), None)

    @property
    def against_library(self) -> float | None:
        """Rate of the best own stage over the library's."""
        if self.best is None or self.library is None or not self.library.rate:
            return None
        return (self.best.rate or 0.0) / self.library.rate

    @property
    def regime(self) -> Regime | None:
        """How the shown numbers were launched; None where there are none."""
        return next((row.shown.regime for row in self.rows if row.shown), None)

    @property
    def counts_flop(self) -> bool:
        """Whether rates are FLOP/s (else bytes/s)."""
        return all(row.shown.arithmetic is not Arithmetic.NONE for row in self.rows if row.shown)

    @property
    def with_claims(self) -> tuple[LadderRow, ...]:
        """Rungs with a published share of a roof."""
        return tuple(row for row in self.rows if row.claim is not None)

    def row(self, stage: str) -> LadderRow | None:
        """The rung of that name."""
        return next((row for row in self.rows if row.stage == stage), None)


def rate_of(measurement: Measurement | None) -> float | None:
    """FLOP/s, or bytes/s where the stage does no arithmetic."""
    if measurement is None:
        return None
    return measurement.bytes_per_s if measurement.arithmetic is Arithmetic.NONE else measurement.flop_per_s


def ladder_of(run: Run, choice: LadderChoice | None = None) -> LadderView | None:
    """The chosen ladder of a run; None when the run holds no ladder problem at all.

    A problem that is no ladder is shown as one only where it is asked for by name.
    """
    choice = choice or LadderChoice()
    names, every = _ladder_problems(run), problems_of(run)
    if not names and choice.problem not in every:
        return None
    problem = choice.problem if choice.problem in every else names[0]
    sizes = _sizes(run, problem)
    dtypes = _dtypes(run, problem)
    if not sizes or not dtypes:
        return None
    dtype = next((d for d in dtypes if d.value == choice.dtype), dtypes[0])
    size = next((s for s in sizes if s.key == choice.size_key), None) or _default_size(run, problem, sizes)
    rows = _rows(run, problem, size, dtype, choice.cache)
    arithmetics = main_arithmetics([row.shown.arithmetic for row in rows if row.shown])
    return LadderView(
        run_id=run.summary.id,
        backend=run.summary.backend,
        problem=problem,
        problem_title=problem_title(problem),
        size=size,
        size_title=size_title(problem, size),
        dtype=dtype,
        cache=choice.cache,
        rows=rows,
        roofs=roofs_of(run.ceilings, arithmetics),
        sizes=tuple(SizeChoice(s.key, size_title(problem, s), s == size) for s in sizes),
        dtypes=dtypes,
        problems=names,
    )


def problem_title(name: str) -> str:
    """Its title, or the name itself when this version no longer has the problem."""
    known = registry.problems().get(name)
    return known.title if known else name


def size_title(problem: str, size: Size) -> str:
    """ "4096³", or the stable key when this version no longer has the problem."""
    known = registry.problems().get(problem)
    if known is None or {p.name for p in known.size_parameters} != set(size.as_dict()):
        return size.key
    return known.size_title(size)


def known_stages(problem: str, backend: BackendName) -> tuple[Stage, ...]:
    """The ladder as this version declares it; empty when it no longer has the problem."""
    return registry.stages(problem, backend) if problem in registry.problems() else ()


def problems_of(run: Run) -> tuple[str, ...]:
    """Every problem that the run measured or was asked to, each once."""
    names = [m.key.problem for m in run.measurements] + [o.key.problem for o in run.outcomes]
    return tuple(dict.fromkeys([*names, *run.selection.problems]))


def is_ladder(problem: str) -> bool:
    """Whether the stages of that problem are rungs; so are those of one that this version no longer has."""
    known = registry.problems().get(problem)
    return known is None or known.is_ladder


def _ladder_problems(run: Run) -> tuple[str, ...]:
    return tuple(name for name in problems_of(run) if is_ladder(name))


def _keys(run: Run, problem: str) -> list[CellKey]:
    keys = [m.key for m in run.measurements] + [o.key for o in run.outcomes]
    return [key for key in keys if key.problem == problem]


def _sizes(run: Run, problem: str) -> tuple[Size, ...]:
    found = [key.size for key in _keys(run, problem)]
    return tuple(dict.fromkeys([*run.selection.sizes, *found]))


def _dtypes(run: Run, problem: str) -> tuple[Dtype, ...]:
    return tuple(dict.fromkeys([*run.selection.dtypes, *(key.dtype for key in _keys(run, problem))]))


def _default_size(run: Run, problem: str, sizes: Sequence[Size]) -> Size:
    """The one with most work of those at which nearly as many stages as anywhere were measured."""
    measured = {
        size: [m for m in run.measurements if m.key.problem == problem and m.key.size == size]
        for size in sizes
    }
    stages = {size: len({m.key.stage for m in found}) for size, found in measured.items()}
    nearly_all = [size for size in sizes if stages[size] >= NEARLY_ALL * max(stages.values())]
    return max(nearly_all, key=lambda size: (max((m.flop for m in measured[size]), default=0), stages[size]))


@dataclass(frozen=True)
class _Cells:
    """What is known of every stage at one size and dtype."""

    size: Size
    dtype: Dtype
    cache: CacheState
    declared: dict[str, Stage]
    measured: dict[tuple[str, CacheState], Measurement]
    outcomes: dict[str, CellOutcome]

    def shown(self, name: str) -> Measurement | None:
        return self.measured.get((name, self.cache))

    def any(self, name: str) -> Measurement | None:
        return self.shown(name) or next((m for (n, _), m in self.measured.items() if n == name), None)

    def status(self, name: str) -> CellStatus | None:
        if name in self.outcomes:
            return self.outcomes[name].status
        return CellStatus.MEASURED if self.any(name) else None

    def is_reference(self, name: str) -> bool:
        found = self.any(name)
        return self.declared[name].reference if name in self.declared else bool(found and found.reference)

    def parent(self, name: str) -> str | None:
        """The stage it improves on; when that has no number, the next one down that has."""
        above = self.declared[name].improves_on if name in self.declared else None
        while above is not None and self.shown(above) is None:
            above = self.declared[above].improves_on if above in self.declared else None
        return above


def _rows(run: Run, problem: str, size: Size, dtype: Dtype, cache: CacheState) -> tuple[LadderRow, ...]:
    here = [m for m in run.measurements if m.key == CellKey(problem, m.key.stage, size, dtype)]
    ended = [o for o in run.outcomes if o.key == CellKey(problem, o.key.stage, size, dtype)]
    cells = _Cells(
        size=size,
        dtype=dtype,
        cache=cache,
        declared={s.name: s for s in known_stages(problem, run.summary.backend) if dtype in s.dtypes},
        measured={(m.key.stage, m.cache): m for m in here},
        outcomes={o.key.stage: o for o in ended},
    )
    rows: list[LadderRow] = []
    for name in _order(run, cells):
        rows.append(_row(cells, name, rank=len(rows) + 1, above=rows[-1].stage if rows else None))
    return tuple(rows)


def _order(run: Run, cells: _Cells) -> list[str]:
    """Declared stages in ladder order, then those that this version does not know; library lines last."""
    present = {name for name, _ in cells.measured} | set(cells.outcomes)
    if not run.summary.imported and not run.summary.status.is_final:
        present |= set(run.selection.stages or cells.declared) & set(cells.declared)
    order = [name for name in cells.declared if name in present]
    order += sorted(present - set(order))
    return sorted(order, key=cells.is_reference)


def _row(cells: _Cells, name: str, rank: int, above: str | None) -> LadderRow:
    stage, shown, parent = cells.declared.get(name), cells.shown(name), cells.parent(name)
    reference = cells.is_reference(name)
    cost = stage.cost(cells.size, cells.dtype) if stage else None
    claims = stage.claims if stage else ()
    outcome = cells.outcomes.get(name)
    return LadderRow(
        rank=None if reference else rank,
        stage=name,
        title=stage.title if stage else name,
        mechanism=stage.mechanism if stage else "",
        change=stage.change if stage else "",
        reference=reference,
        status=cells.status(name),
        reason=outcome.reason if outcome else "",
        shown=shown,
        cold=cells.measured.get((name, CacheState.COLD)),
        warm=cells.measured.get((name, CacheState.WARM)),
        parent=parent,
        parent_is_above=parent == above,
        step=_ratio(rate_of(shown), rate_of(cells.shown(parent)) if parent else None),
        cost=cost,
        reuse_level=stage.reuse_level if stage else None,
        intensity=cost.intensity(stage.intensity_level) if cost and stage else None,
        intensity_level=stage.intensity_level if stage else None,
        claimed_intensity=claimed(claims, Metric.INTENSITY),
        claimed_bottleneck=claimed(claims, Metric.BOTTLENECK),
        claim=check_share_of_roof(claims, shown.roof_fraction_boost if shown else None),
    )


def _ratio(over: float | None, under: float | None) -> float | None:
    return over / under if over and under else None
