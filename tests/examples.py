"""Domain values for tests: complete, valid, and with numbers that do not survive rounding."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import UTC, datetime

from app.domain.device import Capability, Device, DeviceState, Environment, WorkerSnapshot
from app.domain.measurement import (
    Ceiling,
    CellKey,
    CellOutcome,
    CompilerReport,
    Correctness,
    InnerLoop,
    Measurement,
    Recipe,
    Roof,
    Samples,
)
from app.domain.run import Job, Run, RunSummary, Selection
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
from app.storage.store import Store

AT = datetime(2026, 5, 4, 3, 2, 1, 987654, tzinfo=UTC)
SOURCE = "__global__ void naive() {}\n"
SOURCE_SHA256 = hashlib.sha256(SOURCE.encode()).hexdigest()
DEVICE = Device(
    uuid="GPU-11111111-2222-3333-4444-555555555555",
    name="NVIDIA H200",
    backend=BackendName.CUDA,
    memory_bytes=150_754_820_096,
    boost_clock_hz=1.98e9,
)
ENVIRONMENT = Environment(
    roofladder_version="0.1.0",
    python_version="3.11.7",
    os="Linux",
    host="bench",
    driver_version="580.1",
    libraries={"cupy": "14.0"},
)
COMPILER = CompilerReport(
    compiler="NVRTC 13.0",
    architecture="sm_90a",
    registers=32,
    spill_store_bytes=0,
    spill_load_bytes=0,
    stack_bytes=0,
    static_shared_bytes=0,
    options=("-lineinfo",),
    loop=InnerLoop(
        is_loop=True,
        instructions=545,
        mix=(("FFMA", 512), ("LDS", 24)),
        multiply_adds=512,
        shared_loads=24,
        conflict_cycles=130,
        renamed=259,
        kept_operands=475,
        local_instructions=0,
    ),
)


def selection(**changes: object) -> Selection:
    """Two sizes of one problem on CUDA."""
    values: dict[str, object] = {
        "problems": ("matmul",),
        "stages": None,
        "sizes": (Size.of(m=256, n=256, k=256), Size.of(m=1024, n=1024, k=1024)),
        "dtypes": (Dtype.FLOAT32,),
        "backend": BackendName.CUDA,
    }
    return Selection(**(values | changes))  # type: ignore[arg-type]


def key(stage: str = "naive", edge: int = 1024) -> CellKey:
    """A square float32 matmul."""
    return CellKey("matmul", stage, Size.of(m=edge, n=edge, k=edge), Dtype.FLOAT32)


def measurement(stage: str = "naive", edge: int = 1024, cache: CacheState = CacheState.COLD) -> Measurement:
    """One cell in one cache state."""
    return Measurement(
        key=key(stage, edge),
        reference=False,
        arithmetic=Arithmetic.FP32,
        cache=cache,
        regime=Regime.SINGLE if cache is CacheState.COLD else Regime.BURST,
        median_s=0.1 + 0.2,
        mad_s=1e-7 / 3,
        ci_low_s=0.3,
        ci_high_s=None,
        p5_s=0.29999999999999993,
        p95_s=1 / 3,
        n=3,
        noise_fraction=0.0123456789012345,
        launches_per_sample=7,
        stop_reason=StopReason.CI_REACHED,
        flop=2 * 65536**3,
        least_dram_bytes=3 * 4 * 65536**2,
        health=Health.THROTTLED,
        health_reasons=("power cap", "μ"),
        correctness=Correctness(True, None, 1.1e-7, 1e-5, "float64 reference"),
        recipe=Recipe(SOURCE_SHA256, "naive", ("-O3",), (32, 32, 1), (32, 32, 1), 0, ("a", "b")),
        compiler=COMPILER,
        sm_clock_hz=1.755e9,
        roof=Roof("fp32", 6.6e13, Provenance.DATASHEET),
        roof_fraction_boost=0.01,
    )


def samples(of: Measurement) -> Samples:
    """Three samples with a clock missing."""
    return Samples(
        of.key, of.cache, of.regime, (0.1 + 0.2, 5e-324, 1.7976931348623157e308), (1.7e9, None, 0.1)
    )


def ceiling(value: float = 4.1e12) -> Ceiling:
    """Measured DRAM bandwidth."""
    return Ceiling(
        "dram_copy", "DRAM copy", "bandwidth", value, Provenance.MEASURED, facts={"bytes": "8 GiB"}
    )


def worker(worker_id: str = "bench-gpu0", seen_at: datetime = AT) -> WorkerSnapshot:
    """A worker with one missing capability."""
    return WorkerSnapshot(
        worker_id=worker_id,
        seen_at=seen_at,
        device=DEVICE,
        state=DeviceState(at=seen_at, sm_clock_hz=1.2e9, throttle_reasons=("idle",)),
        environment=ENVIRONMENT,
        capabilities=(Capability("ncu", False, "not found", "no counters", "apt install nsight-compute"),),
    )


def submit(store: Store, **changes: object) -> Job:
    """Create a job that nothing runs yet."""
    values: dict[str, object] = {
        "kind": JobKind.BENCHMARK,
        "selection": selection(),
        "label": "a label",
        "deadline_s": 600.0,
        "estimate_s": 12.5,
        "cell_count": 12,
        "idempotency_key": None,
        "request_sha256": "0" * 64,
    }
    return store.create_job(**(values | changes))[0]  # type: ignore[arg-type]


def imported_run(uid: str = "a" * 32) -> Run:
    """A whole run as a capsule brings it."""
    summary = RunSummary(
        id=0,
        uid=uid,
        status=RunStatus.FINISHED,
        backend=BackendName.CUDA,
        imported=True,
        created_at=AT,
        label="from elsewhere",
        device=DEVICE,
        problems=("matmul",),
        note="100% _ok_",
        tags=("h200", "baseline"),
        finished_at=AT,
    )
    return Run(
        summary=summary,
        selection=selection(),
        environment=ENVIRONMENT,
        measurements=(measurement(cache=CacheState.COLD), measurement(cache=CacheState.WARM)),
        outcomes=(
            CellOutcome(key("naive"), CellStatus.MEASURED),
            CellOutcome(key("register_tile"), CellStatus.FAILED, "killed by SIGSEGV", COMPILER),
        ),
        ceilings=(ceiling(),),
        sources={SOURCE_SHA256: SOURCE},
    )


def cpu_worker(memory_bytes: int = 16 * 2**30) -> WorkerSnapshot:
    """A worker that drives the CPU."""
    device = Device(uuid="cpu-0123", name="Some CPU", backend=BackendName.CPU, memory_bytes=memory_bytes)
    return replace(worker("bench-cpu", datetime.now(UTC)), device=device)
