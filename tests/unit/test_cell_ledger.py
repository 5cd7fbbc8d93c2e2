from __future__ import annotations

from dataclasses import replace

from app.domain.child_messages import CeilingMeasured, CellEnded, CellStarted, Done, RoundDone
from app.domain.measurement import CellOutcome, Samples
from app.domain.run import Selection
from app.domain.vocabulary import BackendName, CacheState, CellStatus, Regime
from app.jobs.cell_ledger import CellLedger
from tests.examples import ceiling, key

SELECTION = Selection(("matmul",), None, (), (), BackendName.CPU)
CELLS = (key("naive"), key("coalesced"), key("block_tile"))


def ledger(*ended: CellOutcome) -> CellLedger:
    fresh = CellLedger(CELLS, ended, ())
    fresh.plan(SELECTION, "")
    return fresh


def some(stage: str, *durations_s: float) -> RoundDone:
    samples = Samples(key(stage), CacheState.COLD, Regime.SINGLE, durations_s)
    return RoundDone(1, (samples,), (0.1,), (None,), (len(durations_s),))


def test_a_dead_child_takes_the_cell_in_flight_and_leaves_the_samples_of_the_others() -> None:
    job = ledger()
    job.take(CeilingMeasured(ceiling()))
    for stage in ("naive", "coalesced"):
        job.take(CellStarted(key(stage), "sampling"))
        job.take(some(stage, 0.1, 0.2))
    job.take(some("coalesced", 0.3))
    assert job.child_died() == key("coalesced")
    job.take(CellEnded(CellOutcome(key("coalesced"), CellStatus.FAILED, "killed")))

    plan = job.plan(SELECTION, "cache")
    assert plan.cells == (key("naive"), key("block_tile"))
    assert [(s.key.stage, s.durations_s) for s in plan.prior_samples] == [("naive", (0.1, 0.2))]
    assert (plan.measure_ceilings, plan.known_ceilings) == (False, (ceiling(),))
    assert job.child_died() is None, "a new child has begun nothing yet"


def test_rounds_of_a_cell_are_joined_in_order() -> None:
    job = ledger()
    for durations in ((0.1,), (0.2, 0.3)):
        job.take(some("naive", *durations))
    (samples,) = job.plan(SELECTION, "").prior_samples
    assert samples.durations_s == (0.1, 0.2, 0.3)


def test_a_child_that_dies_at_the_ceilings_is_followed_by_one_without() -> None:
    job = ledger()
    assert job.plan(SELECTION, "").measure_ceilings
    other = replace(key("stream_triad"), problem="ceilings")
    job.take(CellStarted(other, "sampling"))
    assert job.child_died() is None, "no cell of the job is to blame"
    assert not job.plan(SELECTION, "").measure_ceilings


def test_cells_that_ended_before_a_crash_are_not_measured_again() -> None:
    job = ledger(CellOutcome(key("naive"), CellStatus.MEASURED))
    assert job.plan(SELECTION, "").cells == (key("coalesced"), key("block_tile"))
    assert job.anything_measured
    job.take(Done())
    assert job.done


def test_a_scan_is_brief_and_says_so_to_the_child() -> None:
    plan = ledger().plan(replace(SELECTION, scan=True), "")
    assert plan.scan
    assert plan.cold == plan.warm
    assert plan.cold.min_samples < ledger().plan(SELECTION, "").cold.min_samples
