"""Estimates: from the cost where nothing is known, from this device's own runs where something is."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from app.backends.stopping import PATIENCE, default_rules
from app.domain.measurement import CellKey
from app.domain.run import Progress, Selection
from app.domain.size import Size
from app.domain.vocabulary import BackendName, CacheState, Dtype, JobStatus
from app.jobs.durations import LEAST_SAMPLING_S, SAMPLES_EXPECTED, sampling_s
from app.kernels.cells import cells_of
from app.services.estimate import estimate_job, queue_wait_s
from app.storage.store import Store
from tests import examples

SNAPSHOT = examples.cpu_worker()
NOW = datetime.now(UTC)


def chosen(*edges: int) -> Selection:
    sizes = tuple(Size.of(m=edge, n=edge, k=edge) for edge in edges)
    return Selection(("matmul",), ("reordered",), sizes, (Dtype.FLOAT32,), BackendName.CPU)


def measured_before(store: Store, edge: int, median_s: float, *, took_s: float | None = None) -> None:
    """A finished run of one cell on the worker's device; it took what is expected of it unless told."""
    selection = chosen(edge)
    seconds = expected_s(median_s) if took_s is None else took_s
    job = examples.submit(store, selection=selection, estimate_s=seconds)
    store.start_job(job.id, NOW)
    store.set_run_device(job.run_id, SNAPSHOT)
    key = CellKey("matmul", "reordered", selection.sizes[0], Dtype.FLOAT32)
    measurement = replace(examples.measurement(cache=CacheState.COLD), key=key, median_s=median_s)
    store.add_measurement(job.run_id, measurement, examples.samples(measurement))
    store.finish_job(job.id, JobStatus.FINISHED, None, NOW + timedelta(seconds=seconds))


def expected_s(launch_s: float) -> float:
    """A job of one cell on the CPU."""
    return 8.0 + 1.0 + 6 * launch_s + sampling_s(launch_s, BackendName.CPU)


def test_more_work_takes_longer(store: Store) -> None:
    one, two = (estimate_job(store, chosen(*edges), None) for edges in ((256,), (256, 2048)))
    assert (one.cell_count, two.cell_count, one.known_cells) == (1, 2, 0)
    assert 0 < one.total_s < two.total_s


def test_history_of_the_same_cell_is_used(store: Store) -> None:
    measured_before(store, 256, 0.05)
    estimate = estimate_job(store, chosen(256), SNAPSHOT.device)
    assert estimate.known_cells == 1
    assert estimate.total_s == pytest.approx(expected_s(0.05))


def test_history_of_another_size_is_scaled(store: Store) -> None:
    measured_before(store, 256, 0.001)
    estimate = estimate_job(store, chosen(512), SNAPSHOT.device)
    assert estimate.known_cells == 0
    assert estimate.total_s == pytest.approx(expected_s(0.008))


def test_history_of_another_device_is_not_used(store: Store) -> None:
    measured_before(store, 256, 100.0)
    other = replace(SNAPSHOT.device, uuid="cpu-other")
    assert estimate_job(store, chosen(256), other).known_cells == 0


def test_jobs_that_took_twice_their_estimate_correct_the_next(store: Store) -> None:
    for _ in range(3):  # the correction must not correct itself away
        measured_before(store, 256, 0.05, took_s=2 * expected_s(0.05))
        estimate = estimate_job(store, chosen(256), SNAPSHOT.device)
        assert estimate.total_s == pytest.approx(2 * expected_s(0.05))


def test_a_job_that_its_worker_had_to_begin_again_corrects_nothing(store: Store) -> None:
    measured_before(store, 256, 0.05)
    job = examples.submit(store, selection=chosen(256))
    store.start_job(job.id, NOW)
    store.set_run_device(job.run_id, SNAPSHOT)
    store.start_job(job.id, NOW + timedelta(hours=1))
    store.finish_job(job.id, JobStatus.FINISHED, None, NOW + timedelta(hours=1))
    assert estimate_job(store, chosen(256), SNAPSHOT.device).total_s == pytest.approx(expected_s(0.05))


def test_a_cell_that_is_skipped_costs_nothing(store: Store) -> None:
    naive = Selection(("matmul",), ("naive",), chosen(2048).sizes, (Dtype.FLOAT32,), BackendName.CPU)
    assert len(cells_of(naive)) == 1
    assert estimate_job(store, naive, None).total_s == pytest.approx(8.0)


def test_sampling_ends_at_the_time_limit_or_after_one_launch() -> None:
    cpu, cuda = default_rules(BackendName.CPU), default_rules(BackendName.CUDA)
    assert sampling_s(1e-6, BackendName.CUDA) == 2 * LEAST_SAMPLING_S[BackendName.CUDA]
    assert sampling_s(1e-6, BackendName.CPU) == pytest.approx(cpu.cold.max_total_s + cpu.warm.max_total_s)
    assert sampling_s(0.05, BackendName.CUDA) == pytest.approx(2 * SAMPLES_EXPECTED * 0.05)
    longest = PATIENCE * (cuda.cold.max_total_s + cuda.warm.max_total_s)
    assert sampling_s(2.0, BackendName.CUDA) == pytest.approx(longest)
    assert sampling_s(60.0, BackendName.CUDA) == 2 * 60.0


def test_the_queue_waits_for_what_is_left_of_those_before(store: Store) -> None:
    first, second, third = (examples.submit(store, estimate_s=100.0) for _ in range(3))
    running = store.start_job(first.id, NOW - timedelta(seconds=30))
    active = [running, second, third]
    assert queue_wait_s(active, second.id, NOW) == pytest.approx(70.0)
    assert queue_wait_s(active, third.id, NOW) == pytest.approx(170.0)
    assert queue_wait_s(active, None, NOW) == pytest.approx(270.0)
    known = replace(running, progress=Progress(1, 2, eta_s=5.0))
    assert queue_wait_s([known, second], second.id, NOW) == 5.0
    overdue = replace(running, started_at=NOW - timedelta(seconds=500))
    assert queue_wait_s([overdue], None, NOW) == 0.0
