"""With an empty store, one benchmark is queued by itself, so that the first page is never empty."""

from __future__ import annotations

from app.domain.run import Job
from app.domain.size import Size
from app.domain.vocabulary import BackendName, Dtype
from app.jobs.engine import JobQueue
from app.services.selection import SelectionRequest
from app.services.submit_job import JobRequest, submit_job
from app.storage.store import Store

PROBLEM = "matmul"
LABEL = "First benchmark"
# Small enough for the whole ladder to end in under a minute, large enough to leave the caches.
EDGES = {BackendName.CPU: (256, 512, 1024), BackendName.CUDA: (1024, 2048, 4096)}
_KEY = "first-benchmark"


def submit_first_benchmark(store: Store, queue: JobQueue, backend: BackendName) -> Job | None:
    """Queue the square FP32 ladder of the worker's machine; None when anything was ever measured here."""
    if not store.is_empty():
        return None
    request = JobRequest(
        selection=SelectionRequest(
            problems=(PROBLEM,),
            sizes=tuple(Size.of(m=edge, n=edge, k=edge) for edge in EDGES[backend]),
            dtypes=(Dtype.FLOAT32.value,),
            backend=backend.value,
        ),
        label=LABEL,
    )
    return submit_job(store, queue, request, idempotency_key=_KEY).job
