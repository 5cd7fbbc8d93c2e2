"""A run over problems that are no ladders: one compact table a problem."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from app.domain.measurement import CellKey, CellOutcome, Measurement
from app.domain.run import Run, Selection
from app.domain.vocabulary import Arithmetic, CellStatus, Health, ProblemKind
from app.kernels import registry
from app.kernels.experiment import experiments
from app.kernels.suites import suite_of
from app.services.ladder_rows import is_ladder, known_stages, problem_title, problems_of, rate_of, size_title

MOST_NAMED = 3


@dataclass(frozen=True)
class CellRow:
    """One cell in one cache state. Without `measurement` its `reason` says why; status None: not reached."""

    key: CellKey
    stage_title: str
    size_title: str
    measurement: Measurement | None
    status: CellStatus | None
    reason: str

    @property
    def counts_flop(self) -> bool:
        """Whether the rate is FLOP/s (else useful bytes/s)."""
        return self.measurement is not None and self.measurement.arithmetic is not Arithmetic.NONE

    @property
    def rate(self) -> float | None:
        """FLOP/s, or useful bytes/s where the stage does no arithmetic."""
        return rate_of(self.measurement)


@dataclass(frozen=True)
class ProblemTable:
    """The cells of one problem, size by size. `kind` None: this version no longer has the problem.

    `experiment` is the first chart that shows the problem, if any.
    """

    problem: str
    title: str
    kind: ProblemKind | None
    experiment: str | None
    rows: tuple[CellRow, ...]

    @property
    def measured_count(self) -> int:
        """Cells with a number."""
        return sum(row.measurement is not None for row in self.rows)


@dataclass(frozen=True)
class SuiteView:
    """All tables of a run, and what its cells ended as."""

    tables: tuple[ProblemTable, ...]

    @property
    def rows(self) -> tuple[CellRow, ...]:
        """Every cell."""
        return tuple(row for table in self.tables for row in table.rows)

    @property
    def measured_count(self) -> int:
        """Cells with a number."""
        return sum(table.measured_count for table in self.tables)

    @property
    def correct_count(self) -> int:
        """Measured cells whose result was right."""
        return sum(m.correctness.passed for m in self._measured)

    @property
    def healthy_count(self) -> int:
        """Measured cells without a sign of throttling, company or an impossible number."""
        return sum(m.health in (Health.OK, Health.UNKNOWN) for m in self._measured)

    @property
    def without_number(self) -> tuple[tuple[CellStatus, int], ...]:
        """How many cells ended without a number, by how they ended; none where all have one."""
        ended = Counter(row.status for row in self.rows if row.measurement is None and row.status)
        return tuple((status, ended[status]) for status in CellStatus if ended[status])

    @property
    def held_clock_hz(self) -> float | None:
        """Median clock over the cells; None where it was not readable."""
        clocks = sorted(m.sm_clock_hz for m in self._measured if m.sm_clock_hz is not None)
        return clocks[len(clocks) // 2] if clocks else None

    @property
    def _measured(self) -> list[Measurement]:
        return [row.measurement for row in self.rows if row.measurement]


def suite_view(run: Run) -> SuiteView | None:
    """The tables of a run's problems that are no ladders, in the order asked for; None where it has none."""
    names = [name for name in problems_of(run) if not is_ladder(name)]
    asked = {name: at for at, name in enumerate(run.selection.problems)}
    tables = (_table(run, name) for name in sorted(names, key=lambda name: asked.get(name, len(asked))))
    found = tuple(table for table in tables if table.rows)
    return SuiteView(found) if names else None


def selection_title(selection: Selection) -> str:
    """The suite that was asked for, or the titles of the problems, at most three of them named."""
    suite = suite_of(selection)
    if suite is not None:
        return suite.title
    titles = [problem_title(name) for name in selection.problems]
    more = f" and {len(titles) - MOST_NAMED} more" if len(titles) > MOST_NAMED else ""
    return ", ".join(titles[:MOST_NAMED]) + more


def _table(run: Run, problem: str) -> ProblemTable:
    known = registry.problems().get(problem)
    titles = {stage.name: stage.title for stage in known_stages(problem, run.summary.backend)}
    outcomes = {o.key: o for o in run.outcomes if o.key.problem == problem}
    measured: dict[CellKey, list[Measurement]] = {}
    for one in run.measurements:
        if one.key.problem == problem:
            measured.setdefault(one.key, []).append(one)
    rows = [
        row
        for key in _ordered([*measured, *outcomes], tuple(titles))
        for row in _rows(key, titles.get(key.stage, key.stage), measured.get(key, []), outcomes.get(key))
    ]
    charts = (e.name for e in experiments().values() if e.problem == problem)
    kind = known.kind if known else None
    return ProblemTable(problem, problem_title(problem), kind, next(charts, None), tuple(rows))


def _ordered(keys: Iterable[CellKey], stages: tuple[str, ...]) -> list[CellKey]:
    """Sizes in the order in which they were first measured, stages as declared."""
    unique = list(dict.fromkeys(keys))
    sizes = list(dict.fromkeys(key.size for key in unique))
    place = {name: at for at, name in enumerate(stages)}
    return sorted(unique, key=lambda key: (sizes.index(key.size), place.get(key.stage, len(place))))


def _rows(
    key: CellKey, title: str, measured: list[Measurement], outcome: CellOutcome | None
) -> list[CellRow]:
    status, reason = (outcome.status, outcome.reason) if outcome else (None, "")
    size = size_title(key.problem, key.size)
    return [CellRow(key, title, size, one, status, reason) for one in measured or (None,)]
