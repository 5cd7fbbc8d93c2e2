from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Engine, event

from app.domain.errors import ConflictError, InvalidInputError, NotFoundError
from app.domain.measurement import CellOutcome
from app.domain.vocabulary import CacheState, CellStatus, JobStatus
from app.storage.encoding import pack_floats, unpack_floats
from app.storage.store import Store
from tests.examples import (
    AT,
    DEVICE,
    SOURCE,
    SOURCE_SHA256,
    ceiling,
    imported_run,
    key,
    measurement,
    samples,
    submit,
    worker,
)


def filled(store: Store, stages: tuple[str, ...] = ("naive", "block_tile")) -> int:
    """A finished run with findings; returns its id."""
    job = submit(store)
    store.start_job(job.id, AT)
    store.set_run_device(job.run_id, worker())
    for stage in stages:
        for cache in CacheState:
            found = measurement(stage, cache=cache)
            store.add_measurement(job.run_id, found, samples(found))
        store.add_outcome(job.run_id, CellOutcome(key(stage), CellStatus.MEASURED))
    store.add_ceiling(job.run_id, ceiling())
    store.add_source(job.run_id, SOURCE_SHA256, SOURCE)
    store.finish_job(job.id, JobStatus.FINISHED, None, AT)
    return job.run_id


def test_findings_come_back_exactly(store: Store) -> None:
    run_id = filled(store)
    run = store.run(run_id)
    expected = [measurement(s, cache=c) for s in ("block_tile", "naive") for c in CacheState]
    assert list(run.measurements) == expected
    assert store.samples(run_id) == [samples(m) for m in expected]
    assert run.summary.device == DEVICE
    assert run.environment == worker().environment
    assert run.ceilings == (ceiling(),)
    assert run.sources == {SOURCE_SHA256: SOURCE}


def test_the_same_cell_again_replaces_what_was_there(store: Store) -> None:
    job = submit(store)
    store.set_run_device(job.run_id, worker())
    first = measurement()
    better = replace(first, median_s=0.25, compiler=None, n=1)
    store.add_measurement(job.run_id, first, samples(first))
    store.add_measurement(job.run_id, better, replace(samples(first), durations_s=(0.25,), sm_clock_hz=()))
    store.add_outcome(job.run_id, CellOutcome(key(), CellStatus.FAILED, "killed"))
    store.add_outcome(job.run_id, CellOutcome(key(), CellStatus.MEASURED))
    store.add_ceiling(job.run_id, ceiling(1.0))
    store.add_ceiling(job.run_id, ceiling(2.0))

    run = store.run(job.run_id)
    assert run.measurements == (better,)
    assert [s.durations_s for s in store.samples(job.run_id)] == [(0.25,)]
    assert run.outcomes == (CellOutcome(key(), CellStatus.MEASURED),)
    assert run.ceilings == (ceiling(2.0),)


def test_a_measurement_needs_a_device(store: Store) -> None:
    job = submit(store)
    with pytest.raises(ConflictError, match="no device"):
        store.add_measurement(job.run_id, measurement(), samples(measurement()))


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.floats(allow_nan=False)))
def test_packed_samples_keep_every_bit(values: list[float]) -> None:
    unpacked = unpack_floats(pack_floats(values))
    assert [v.hex() for v in unpacked] == [v.hex() for v in values]


def test_an_infinite_error_survives(store: Store) -> None:
    job = submit(store)
    store.set_run_device(job.run_id, worker())
    wrong = replace(
        measurement(), correctness=replace(measurement().correctness, max_relative_error=math.inf)
    )
    store.add_measurement(job.run_id, wrong, samples(wrong))
    assert store.run(job.run_id).measurements == (wrong,)


def test_an_imported_run_is_kept_whole_and_once(store: Store) -> None:
    run = imported_run()
    found = [samples(m) for m in run.measurements]
    run_id, created = store.import_run(run, found)
    assert (run_id, created) == (1, True)
    kept = store.run(run_id)
    assert replace(kept, summary=replace(kept.summary, id=0)) == run
    assert store.samples(run_id) == found
    assert store.import_run(run, found) == (run_id, False)
    assert store.is_empty()


def test_an_imported_run_that_lacks_its_samples_leaves_nothing(store: Store) -> None:
    with pytest.raises(InvalidInputError, match="without samples"):
        store.import_run(imported_run(), [])
    assert store.runs() == []


def test_runs_are_filtered_and_paged(store: Store) -> None:
    own = filled(store)
    other, _ = store.import_run(imported_run(), [samples(m) for m in imported_run().measurements])
    store.edit_run(own, label="50 % faster", note=None, tags=("tuned", "tuned", "a"))

    def ids(**filters: object) -> list[int]:
        return [run.id for run in store.runs(**filters)]  # type: ignore[arg-type]

    assert ids() == [other, own]
    assert ids(limit=1) == [other]
    assert ids(before_id=other) == [own]
    assert ids(imported=True) == [other]
    assert ids(backend="cpu") == []
    assert ids(problem="matmul") == [other, own]
    assert ids(problem="gemv") == []
    assert ids(tag="h200") == [other]
    assert ids(device=DEVICE.uuid) == ids(device=DEVICE.name) == [other, own]
    assert ids(text="FASTER") == [own]
    assert ids(text="tune") == [own]
    assert ids(text="h200") == [other, own]
    assert ids(text="%") == [other, own]
    assert ids(text="100%") == [other]
    assert ids(text="_ok_") == [other]
    assert ids(text="__") == []


def test_editing_changes_what_is_given(store: Store) -> None:
    run_id = filled(store)
    store.edit_run(run_id, label="x", note="y", tags=("b", "a"))
    edited = store.edit_run(run_id, label=None, note="z", tags=None)
    assert (edited.label, edited.note, edited.tags) == ("x", "z", ("b", "a"))
    assert store.run(run_id).summary == edited


def test_deleting_takes_everything_but_the_job(store: Store) -> None:
    run_id = filled(store)
    other, _ = store.import_run(imported_run(), [samples(m) for m in imported_run().measurements])
    store.delete_run(run_id)
    with pytest.raises(NotFoundError):
        store.run(run_id)
    assert store.job(1).run_id == run_id
    assert store.run(other).sources == {SOURCE_SHA256: SOURCE}
    store.delete_run(other)
    fresh, _ = store.import_run(
        replace(imported_run("b" * 32), sources={}), [samples(m) for m in imported_run().measurements]
    )
    assert fresh > other, "an id is never used twice"
    assert store.run(fresh).sources == {}


def test_a_run_whose_job_is_active_cannot_be_deleted(store: Store) -> None:
    job = submit(store)
    with pytest.raises(ConflictError, match="cancel its job first"):
        store.delete_run(job.run_id)


def test_workers_are_replaced_and_newest_first(store: Store) -> None:
    later = AT + timedelta(seconds=60)
    store.put_worker(worker("a"))
    store.put_worker(worker("b", later))
    assert [w.worker_id for w in store.workers()] == ["b", "a"]
    newest = worker("a", later + timedelta(microseconds=1))
    store.put_worker(newest)
    assert store.workers()[0] == newest
    assert len(store.workers()) == 2


def test_the_store_is_empty_until_a_job_is_submitted(store: Store) -> None:
    assert store.is_empty()
    submit(store)
    assert not store.is_empty()


def test_a_milestone_is_reached_for_ever(store: Store) -> None:
    assert not store.milestone_reached("capsule x")
    store.reach_milestone("capsule x")
    store.reach_milestone("capsule x")
    assert store.milestone_reached("capsule x")


@pytest.mark.parametrize("count", [1, 12])
def test_queries_do_not_grow_with_what_is_listed(store: Store, count: int) -> None:
    for _ in range(count):
        run_id = filled(store, tuple(f"stage{i}" for i in range(count)))
    statements: list[str] = []

    def count_query(_c: object, _k: object, statement: str, *_rest: object) -> None:
        if not statement.startswith("BEGIN"):
            statements.append(statement)

    event.listen(Engine, "before_cursor_execute", count_query)
    try:
        asked: list[tuple[Callable[[], object], int]] = [
            (store.runs, 5),
            (store.jobs, 1),
            (lambda: store.run(run_id), 11),
            (lambda: store.samples(run_id), 2),
            (lambda: store.events(after_id=0), 1),
        ]
        for ask, expected in asked:
            statements.clear()
            ask()
            assert len(statements) == expected, statements
    finally:
        event.remove(Engine, "before_cursor_execute", count_query)
