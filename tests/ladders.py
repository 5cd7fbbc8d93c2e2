"""Synthetic runs for tests of pages and charts: made by arithmetic, labelled so, never kept as a capsule."""

from __future__ import annotations

import hashlib
import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from app.domain.device import Capability, Device, DeviceState, Environment, WorkerSnapshot
from app.domain.measurement import (
    Ceiling,
    CellKey,
    CellOutcome,
    CompilerReport,
    Correctness,
    Measurement,
    Recipe,
    Roof,
    Samples,
)
from app.domain.run import Progress, Run, RunSummary, Selection
from app.domain.size import Size
from app.domain.vocabulary import (
    Arithmetic,
    BackendName,
    CacheState,
    CellStatus,
    Dtype,
    Health,
    JobKind,
    Provenance,
    Regime,
    RunStatus,
    StopReason,
)
from app.kernels import registry
from app.storage.store import Store

AT = datetime(2026, 11, 30, 20, 41, 0, tzinfo=UTC)
LABEL = "synthetic"
GPU = Device(
    uuid="GPU-00000000-aaaa-bbbb-cccc-000000000001",
    name="Synthetic GPU",
    backend=BackendName.CUDA,
    memory_bytes=150_754_820_096,
    multiprocessor_count=132,
    l2_bytes=60 * 2**20,
    compute_capability="9.0",
    architecture="sm_90a",
    boost_clock_hz=1.98e9,
    memory_clock_hz=3.2e9,
    power_limit_w=700.0,
    datasheet_fp32_flop_per_s=66.9e12,
    datasheet_dram_bytes_per_s=4.81e12,
)
CPU = Device(
    uuid="cpu-synthetic",
    name="Synthetic CPU 2c",
    backend=BackendName.CPU,
    memory_bytes=8 * 2**30,
    multiprocessor_count=2,
    logical_core_count=2,
    l2_bytes=32 * 2**20,
    architecture="x86_64",
)
GPU_RATES = {  # FLOP/s, invented
    "naive": 0.5e12,
    "coalesced": 6.2e12,
    "block_tile": 9.0e12,
    "register_tile": 26e12,
    "double_buffer": 35e12,
    "cublas": 50e12,
}
CPU_RATES = {
    "naive": 0.4e9,
    "numpy_tiles": 3.0e9,
    "reordered": 6.0e9,
    "cache_blocked": 11e9,
    "register_blocked": 34e9,
    "threaded": 61e9,
    "blas": 130e9,
}
GPU_CEILINGS = (
    Ceiling("dram_copy", "DRAM copy", "bandwidth", 4.26e12, Provenance.MEASURED, sm_clock_hz=1.98e9),
    Ceiling("dram_copy", "DRAM", "bandwidth", 4.81e12, Provenance.DATASHEET),
    Ceiling("fp32_fma", "FP32", "compute", 64.8e12, Provenance.MEASURED, "", 1.98e9, 1.98e9),
    Ceiling("fp32_fma", "FP32", "compute", 66.9e12, Provenance.DATASHEET, "", None, 1.98e9),
)
CPU_CEILINGS = (
    Ceiling("stream_triad", "STREAM triad", "bandwidth", 21e9, Provenance.MEASURED),
    Ceiling("fp32_fma", "FP32 FMA", "compute", 150e9, Provenance.MEASURED),
    Ceiling("blas_fp32", "BLAS", "compute", 130e9, Provenance.MEASURED),
)
SOURCE = "__global__ void naive(const float* a, const float* b, float* c) { /* synthetic */ }\n"
SOURCE_SHA256 = hashlib.sha256(SOURCE.encode()).hexdigest()


def environment() -> Environment:
    """The software around a synthetic run."""
    return Environment("0.1.0", "3.11.7", "Linux 6.8", "synthetic-host", "580.1", "13.0", "13.0")


def gpu_run(edges: tuple[int, ...] = (1024, 4096), uid: str = "b" * 32) -> tuple[Run, list[Samples]]:
    """A synthetic run of the CUDA ladder, as a capsule brings it."""
    return _run(GPU, GPU_RATES, GPU_CEILINGS, edges, uid, imported=True)


def cpu_run(edges: tuple[int, ...] = (256, 512), uid: str = "c" * 32) -> tuple[Run, list[Samples]]:
    """A synthetic run of the CPU ladder; `naive` is skipped above 512³."""
    return _run(CPU, CPU_RATES, CPU_CEILINGS, edges, uid, imported=False)


def keep_own(store: Store, run: Run, samples: list[Samples]) -> int:
    """Keep a synthetic run as this machine's own, the way the worker does; returns its id."""
    device = run.summary.device or CPU
    job = store.create_job(
        kind=JobKind.BENCHMARK,
        selection=run.selection,
        label=run.summary.label,
        deadline_s=600.0,
        estimate_s=40.0,
        cell_count=len(run.outcomes),
        idempotency_key=None,
        request_sha256="0" * 64,
    )[0]
    store.start_job(job.id, datetime.now(UTC))
    store.set_run_device(job.run_id, worker(device))
    for sha256, text in run.sources.items():
        store.add_source(job.run_id, sha256, text)
    for ceiling in run.ceilings:
        store.add_ceiling(job.run_id, ceiling)
    for measured, raw in zip(run.measurements, samples, strict=True):
        store.add_measurement(job.run_id, measured, raw)
    for outcome in run.outcomes:
        store.add_outcome(job.run_id, outcome)
    store.set_progress(job.id, Progress(len(run.outcomes), len(run.outcomes)))
    store.add_events(job.id, [("log", {"text": "synthetic run kept"})])
    store.finish_job(job.id, RunStatus.FINISHED, None, datetime.now(UTC))
    return job.run_id


def worker(device: Device = CPU, seen_at: datetime | None = None) -> WorkerSnapshot:
    """A worker on a synthetic machine that lacks a driver."""
    at = seen_at or datetime.now(UTC)
    return WorkerSnapshot(
        worker_id="synthetic-worker",
        seen_at=at,
        device=device,
        state=DeviceState(at=at),
        environment=environment(),
        capabilities=(
            Capability("Numba", True, "0.61"),
            Capability(
                "NVIDIA driver",
                False,
                "no driver is loaded",
                "CUDA stages cannot run; imported runs stay usable",
                "sudo apt install nvidia-driver-580-open",
            ),
        ),
    )


def without(run: Run, stage: str, status: CellStatus, reason: str) -> Run:
    """The run with one stage ended without a number."""
    outcomes = tuple(
        replace(o, status=status, reason=reason) if o.key.stage == stage else o for o in run.outcomes
    )
    kept = tuple(m for m in run.measurements if m.key.stage != stage)
    return replace(run, measurements=kept, outcomes=outcomes)


def samples_of(run: Run, samples: list[Samples]) -> list[Samples]:
    """Only the samples whose measurement the run still has."""
    kept = {(m.key, m.cache) for m in run.measurements}
    return [one for one in samples if (one.key, one.cache) in kept]


def _run(
    device: Device,
    rates: dict[str, float],
    ceilings: tuple[Ceiling, ...],
    edges: tuple[int, ...],
    uid: str,
    *,
    imported: bool,
) -> tuple[Run, list[Samples]]:
    sizes = tuple(Size.of(m=e, n=e, k=e) for e in edges)
    measurements: list[Measurement] = []
    samples: list[Samples] = []
    outcomes: list[CellOutcome] = []
    roof = max(c.value for c in ceilings if c.kind == "compute" and not c.name.startswith("blas"))
    for size in sizes:
        for position, (stage, rate) in enumerate(rates.items()):
            key = CellKey("matmul", stage, size, Dtype.FLOAT32)
            if stage == "naive" and device.backend is BackendName.CPU and size["m"] > 512:
                outcomes.append(CellOutcome(key, CellStatus.SKIPPED, "One sample takes many seconds."))
                continue
            outcomes.append(CellOutcome(key, CellStatus.MEASURED))
            for cache, gain in ((CacheState.COLD, 1.0), (CacheState.WARM, 1.04)):
                measured, raw = _measurement(device, key, rate * gain, roof, cache, position)
                measurements.append(measured)
                samples.append(raw)
    summary = RunSummary(
        id=0,
        uid=uid,
        status=RunStatus.FINISHED,
        backend=device.backend,
        imported=imported,
        created_at=AT,
        label=LABEL,
        device=device,
        problems=("matmul",),
        started_at=AT,
        finished_at=AT + timedelta(seconds=74),
    )
    selection = Selection(("matmul",), None, sizes, (Dtype.FLOAT32,), device.backend)
    run = Run(
        summary,
        selection,
        environment(),
        tuple(measurements),
        tuple(outcomes),
        ceilings,
        {SOURCE_SHA256: SOURCE},
    )
    return run, samples


def _measurement(
    device: Device, key: CellKey, rate: float, roof: float, cache: CacheState, position: int
) -> tuple[Measurement, Samples]:
    size = key.size
    flop = 2 * size["m"] * size["n"] * size["k"]
    median = flop / rate
    durations = tuple(median * (1 + 0.002 * math.sin(7.3 * i + position)) for i in range(41))
    ordered = sorted(durations)
    median = ordered[20]
    on_gpu = device.backend is BackendName.CUDA
    regime = Regime.SINGLE if cache is CacheState.COLD else Regime.BURST
    declared = {s.name: s for s in registry.stages("matmul", device.backend)}
    reference = key.stage in ("cublas", "blas") or (key.stage in declared and declared[key.stage].reference)
    return (
        Measurement(
            key=key,
            reference=reference,
            arithmetic=Arithmetic.FP32,
            cache=cache,
            regime=regime,
            median_s=median,
            mad_s=median * 1e-3,
            ci_low_s=median * 0.9995,
            ci_high_s=median * 1.0004,
            p5_s=ordered[2],
            p95_s=ordered[38],
            n=len(durations),
            noise_fraction=0.0014,
            launches_per_sample=1,
            stop_reason=StopReason.CI_REACHED,
            flop=flop,
            least_dram_bytes=4 * (size["m"] * size["k"] + size["k"] * size["n"] + size["m"] * size["n"]),
            health=Health.OK if on_gpu else Health.UNKNOWN,
            health_reasons=(),
            correctness=Correctness(True, True, 2.1e-6, 1e-5, "float64 reference"),
            recipe=Recipe(
                SOURCE_SHA256,
                key.stage,
                ("-lineinfo",),
                (128, 128, 1) if on_gpu else None,
                (32, 32, 1) if on_gpu else None,
                0,
                ("A", "B", "C"),
                library="synthetic BLAS" if reference else None,
            ),
            compiler=CompilerReport("NVRTC 13.0", "sm_90a", 32 + 24 * position, 0, 0, 0, 0)
            if on_gpu and not reference
            else None,
            sm_clock_hz=1.98e9 if on_gpu else None,
            roof=Roof("fp32", roof, Provenance.DATASHEET if on_gpu else Provenance.MEASURED),
            roof_fraction_boost=flop / median / roof,
            roof_fraction_held=flop / median / roof if on_gpu else None,
        ),
        Samples(key, cache, regime, durations, (1.98e9,) * len(durations) if on_gpu else ()),
    )
