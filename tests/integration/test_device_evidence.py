"""The newest of each cell of a device over all its runs, on a real SQLite file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import Engine, event

from app.domain.evidence import DeviceEvidence
from app.domain.measurement import CellOutcome, Measurement
from app.domain.run import JobError
from app.domain.size import Size
from app.domain.vocabulary import CacheState, CellStatus, Health, JobStatus, Provenance
from app.services.evidence import device_evidence, evidence_devices
from app.storage.store import Store
from tests.examples import (
    AT,
    DEVICE,
    ceiling,
    cpu_worker,
    imported_run,
    key,
    measurement,
    samples,
    submit,
    worker,
)

SIZE = Size.of(m=1024, n=1024, k=1024)


def kept(store: Store, *found: Measurement, days: int = 0, roof: float = 4.1e12) -> int:
    """A run of this machine that started so many days later; returns its id."""
    job = submit(store)
    store.start_job(job.id, AT + timedelta(days=days))
    store.set_run_device(job.run_id, worker())
    for one in found:
        store.add_measurement(job.run_id, one, samples(one))
        store.add_outcome(job.run_id, CellOutcome(one.key, CellStatus.MEASURED))
    store.add_ceiling(job.run_id, ceiling(roof))
    return job.run_id


def evidence(store: Store) -> DeviceEvidence:
    found = device_evidence(store, DEVICE.uuid)
    assert found is not None
    return found


def test_an_empty_store_knows_no_device(store: Store) -> None:
    assert device_evidence(store, None) is None
    assert evidence_devices(store) == ()
    kept(store, measurement())
    assert device_evidence(store, "GPU-of-someone-else") is None


def test_the_newest_measurement_of_each_cell_and_cache_state_counts(store: Store) -> None:
    first = kept(store, measurement("naive"), measurement("naive", cache=CacheState.WARM))
    second = kept(store, replace(measurement("naive"), median_s=0.125), days=1, roof=4.2e12)
    found = evidence(store)
    cold = found.sound("matmul", "naive", SIZE, CacheState.COLD)
    warm = found.sound("matmul", "naive", SIZE, CacheState.WARM)
    assert cold is not None
    assert warm is not None
    assert (cold.run_id, cold.measurement.median_s, cold.imported) == (second, 0.125, False)
    assert (warm.run_id, warm.measurement) == (first, measurement("naive", cache=CacheState.WARM))
    assert found.roof("dram_copy") == 4.2e12
    assert found.ceilings["dram_copy", Provenance.MEASURED][0] == second


def test_an_old_run_that_is_imported_late_does_not_hide_what_is_newer(store: Store) -> None:
    own = kept(store, measurement("naive"), days=3)
    imported = store.import_run(imported_run(), [samples(m) for m in imported_run().measurements])[0]
    found = evidence(store)
    cold = found.cells[key("naive"), CacheState.COLD]
    warm = found.cells[key("naive"), CacheState.WARM]
    assert (cold.run_id, cold.imported) == (own, False)
    assert (warm.run_id, warm.imported) == (imported, True)


def test_a_run_that_failed_midway_counts_with_what_it_measured(store: Store) -> None:
    run_id = kept(store, measurement("naive"))
    store.add_outcome(run_id, CellOutcome(key("block_tile"), CellStatus.FAILED, "killed by SIGSEGV"))
    job = store.active_jobs()[0]
    store.finish_job(job.id, JobStatus.FAILED, JobError("child_died", "gone"), AT)
    found = evidence(store)
    assert found.sound("matmul", "naive", SIZE, CacheState.COLD) is not None
    assert found.fates[key("block_tile")].outcome.reason == "killed by SIGSEGV"
    assert found.fates[key("block_tile")].run_id == run_id


def test_a_later_outcome_replaces_an_earlier_one(store: Store) -> None:
    first = kept(store, measurement("naive"))
    store.add_outcome(first, CellOutcome(key("block_tile"), CellStatus.FAILED, "first"))
    second = kept(store, measurement("naive"), days=1)
    store.add_outcome(second, CellOutcome(key("block_tile"), CellStatus.UNSUPPORTED, "second"))
    assert evidence(store).fates[key("block_tile")].outcome.reason == "second"


@pytest.mark.parametrize(
    "spoilt",
    [
        replace(measurement(), health=Health.QUARANTINED),
        replace(measurement(), correctness=replace(measurement().correctness, passed_before=False)),
    ],
    ids=["quarantined", "wrong"],
)
def test_what_cannot_be_trusted_is_kept_but_not_sound(store: Store, spoilt: Measurement) -> None:
    kept(store, spoilt)
    found = evidence(store)
    assert (spoilt.key, CacheState.COLD) in found.cells
    assert found.sound("matmul", "naive", SIZE, CacheState.COLD) is None


def test_the_stages_of_a_trap_are_never_sound(store: Store) -> None:
    kept(store, measurement())
    found = replace(evidence(store), traps=frozenset({"matmul"}))
    assert (key(), CacheState.COLD) in found.cells
    assert found.sound("matmul", "naive", SIZE, CacheState.COLD) is None


def test_the_worker_s_device_comes_first_among_devices_without_a_lab(store: Store) -> None:
    store.import_run(imported_run(), [samples(m) for m in imported_run().measurements])
    job = submit(store)
    store.put_worker(cpu_worker())
    store.set_run_device(job.run_id, cpu_worker())
    store.add_measurement(job.run_id, measurement(), samples(measurement()))
    devices = evidence_devices(store)
    assert [(d.device.name, d.imported) for d in devices] == [("Some CPU", False), ("NVIDIA H200", True)]
    assert devices[1].series_counts == {"matmul": 2}


def test_the_number_of_queries_is_the_same_for_one_run_and_for_many(store: Store) -> None:
    kept(store, measurement("naive"))
    few = _queries(lambda: evidence(store))
    for day in range(1, 25):
        kept(store, *(measurement(stage) for stage in ("naive", "block_tile", "register_tile")), days=day)
    assert _queries(lambda: evidence(store)) == few


def test_the_newest_cell_is_found_by_descending_an_index(store: Store) -> None:
    """A scan of all measurements would grow with every run kept."""
    kept(store, measurement())
    plans: list[str] = []

    def explain(connection, cursor, statement, parameters, context, many) -> None:  # type: ignore[no-untyped-def]
        if "FROM newest" in statement:
            asked = cursor.connection.cursor().execute("EXPLAIN QUERY PLAN " + statement, parameters)
            plans.extend(row[-1] for row in asked)

    event.listen(Engine, "after_cursor_execute", explain)
    try:
        store.newest_cells(DEVICE.uuid)
    finally:
        event.remove(Engine, "after_cursor_execute", explain)
    assert plans
    assert [step for step in plans if step.startswith("SCAN measurement")] == []


def _queries(call: Callable[[], object]) -> int:
    count = 0

    def seen(*_: object) -> None:
        nonlocal count
        count += 1

    event.listen(Engine, "before_cursor_execute", seen)
    try:
        call()
    finally:
        event.remove(Engine, "before_cursor_execute", seen)
    return count
