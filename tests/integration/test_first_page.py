from __future__ import annotations

from pathlib import Path

from app.domain.vocabulary import BackendName, JobStatus
from app.jobs.engine import open_client
from app.services.bundled_capsules import import_bundled_capsules
from app.services.capsule import export_capsule, pack
from app.services.first_benchmark import submit_first_benchmark
from app.storage.store import Store
from tests.examples import imported_run, samples, worker


def test_an_empty_store_gets_one_benchmark(store: Store, tmp_path: Path) -> None:
    store.put_worker(worker())
    queue = open_client(f"sqlite:///{tmp_path / 'jobs.db'}")
    job = submit_first_benchmark(store, queue, BackendName.CUDA)
    assert job is not None
    assert job.status is JobStatus.QUEUED
    assert [size["m"] for size in job.selection.sizes] == [1024, 2048, 4096]
    assert submit_first_benchmark(store, queue, BackendName.CUDA) is None
    assert len(store.jobs()) == 1


def test_a_bundled_capsule_is_imported_once_in_the_life_of_a_store(store: Store, tmp_path: Path) -> None:
    run = imported_run()
    capsule = pack(run, [samples(m) for m in run.measurements])
    (tmp_path / "h200.zip").write_bytes(capsule)
    (tmp_path / "broken.zip").write_bytes(b"PK")

    (run_id,) = import_bundled_capsules(store, tmp_path)
    assert store.run(run_id).summary.imported
    assert export_capsule(store, run_id)
    assert import_bundled_capsules(store, tmp_path) == []
    store.delete_run(run_id)
    assert import_bundled_capsules(store, tmp_path) == [], "what the user deleted stays deleted"
    assert store.runs() == []
