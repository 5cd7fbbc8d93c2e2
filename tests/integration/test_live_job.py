"""A running job as its pages show it: folded from the events that the worker writes."""

from __future__ import annotations

from datetime import UTC, datetime

from app.domain.cell_progress import CellProgress, CellState
from app.domain.measurement import CellKey
from app.domain.run import Job, Progress
from app.domain.size import Size
from app.domain.vocabulary import BackendName, Dtype
from app.services.live_job import live_job
from app.storage.store import Store
from tests.examples import selection, submit

SIZE = Size.of(m=256, n=256, k=256)


def key(stage: str) -> CellKey:
    return CellKey("matmul", stage, SIZE, Dtype.FLOAT32)


def running(store: Store) -> Job:
    job = submit(store, selection=selection(sizes=(SIZE,), backend=BackendName.CPU), label="")
    return store.start_job(job.id, datetime.now(UTC))


def test_cells_wait_in_ladder_order_before_anything_is_known(store: Store) -> None:
    live = live_job(store, running(store))
    assert live.title == "Matrix multiplication 256³"
    assert live.cells[0].stage == "naive"
    assert live.cells[-1].reference
    assert {cell.progress.state for cell in live.cells} == {CellState.WAITING}
    assert live.working is None
    assert live.last_event_id > 0


def test_the_last_event_of_a_cell_counts_and_one_cell_is_at_work(store: Store) -> None:
    job = running(store)
    events = [
        CellProgress(key("naive"), CellState.COMPILING),
        CellProgress(key("naive"), CellState.SAMPLING, n=8, median_s=0.03, ci_fraction=0.02, flop_per_s=1e9),
        CellProgress(key("reordered"), CellState.SAMPLING, n=5, ci_fraction=0.01, flop_per_s=4e9, round=3),
        CellProgress(key("blas"), CellState.SKIPPED, reason="not asked for"),
    ]
    store.add_events(job.id, [("cell", cell.as_data()) for cell in events])
    store.add_events(job.id, [("log", {"text": "first"}), ("log", {"text": "second"})])
    store.set_progress(job.id, Progress(1, 7, "matmul reordered m=256,n=256,k=256 float32", 12.0))
    live = live_job(store, store.job(job.id), log_lines=1)
    by_stage = {cell.stage: cell for cell in live.cells}
    assert live.working is by_stage["reordered"]
    assert by_stage["naive"].progress.state is CellState.NEXT_IN_ROUND
    assert (by_stage["naive"].share_of_best, by_stage["reordered"].share_of_best) == (0.25, 1.0)
    assert by_stage["reordered"].towards_target == 0.5
    assert by_stage["blas"].progress.reason == "not asked for"
    assert live.round == 3
    assert [row.text for row in live.log] == ["second"]
    assert live.done_fraction == 1 / 7


def test_more_events_than_one_page_are_all_folded(store: Store) -> None:
    job = running(store)
    cells = [CellProgress(key("naive"), CellState.SAMPLING, n=n) for n in range(1203)]
    store.add_events(job.id, [("cell", cell.as_data()) for cell in cells])
    assert live_job(store, store.job(job.id)).cells[0].progress.n == 1202
