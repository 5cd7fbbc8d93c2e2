"""Everything known of one kernel at one size on one device: counters, timings, compiler, model, roofs.

Each value carries where it comes from. Counters are kept by concept: what a metric is called in which version
and on which chip is the business of `app/ncu/metric_names.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from math import prod

from app.domain.device import Device
from app.domain.errors import NotCollectedError
from app.domain.measurement import CompilerReport, Measurement, Roof
from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, CacheState, Dtype, Level, Provenance


class Counter(StrEnum):
    """A quantity that the hardware counts, in SI units; fractions 0 to 1. One launch, whole GPU."""

    DURATION_S = "duration_s"

    DRAM_READ_BYTES = "dram_read_bytes"
    DRAM_WRITE_BYTES = "dram_write_bytes"
    DRAM_BYTES = "dram_bytes"
    DRAM_BYTES_PER_S = "dram_bytes_per_s"
    DRAM_PEAK_BYTES_PER_S = "dram_peak_bytes_per_s"
    L2_BYTES = "l2_bytes"  # asked of the L2 cache, by whomever
    L2_READ_BYTES = "l2_read_bytes"  # sent from L2 to the multiprocessors
    L2_WRITE_BYTES = "l2_write_bytes"  # sent from the multiprocessors to L2
    L1_BYTES = "l1_bytes"  # asked of the L1 cache, shared memory not counted
    L2_HIT_FRACTION = "l2_hit_fraction"
    L1_HIT_FRACTION = "l1_hit_fraction"

    SM_THROUGHPUT_FRACTION = "sm_throughput_fraction"
    MEMORY_THROUGHPUT_FRACTION = "memory_throughput_fraction"
    DRAM_THROUGHPUT_FRACTION = "dram_throughput_fraction"
    L2_THROUGHPUT_FRACTION = "l2_throughput_fraction"
    L1_THROUGHPUT_FRACTION = "l1_throughput_fraction"

    GLOBAL_LOAD_SECTORS = "global_load_sectors"
    GLOBAL_LOAD_REQUESTS = "global_load_requests"
    GLOBAL_LOAD_SECTORS_PER_REQUEST = "global_load_sectors_per_request"
    GLOBAL_LOAD_BYTES_PER_SECTOR = "global_load_bytes_per_sector"  # useful ones, 32 is ideal
    GLOBAL_STORE_SECTORS = "global_store_sectors"
    GLOBAL_STORE_REQUESTS = "global_store_requests"
    GLOBAL_STORE_SECTORS_PER_REQUEST = "global_store_sectors_per_request"
    GLOBAL_STORE_BYTES_PER_SECTOR = "global_store_bytes_per_sector"
    GLOBAL_SECTORS = "global_sectors"  # loads and stores, as L2 is asked in theory
    GLOBAL_SECTORS_IDEAL = "global_sectors_ideal"

    SHARED_LOAD_WAVEFRONTS = "shared_load_wavefronts"
    SHARED_STORE_WAVEFRONTS = "shared_store_wavefronts"
    SHARED_LOAD_REQUESTS = "shared_load_requests"
    SHARED_STORE_REQUESTS = "shared_store_requests"
    SHARED_WAVEFRONTS = "shared_wavefronts"
    SHARED_WAVEFRONTS_IDEAL = "shared_wavefronts_ideal"
    SHARED_LOAD_CONFLICTS = "shared_load_conflicts"  # arbitration is among them: never judged alone
    SHARED_STORE_CONFLICTS = "shared_store_conflicts"
    SHARED_CONFLICTS = "shared_conflicts"
    SHARED_THROUGHPUT_FRACTION = "shared_throughput_fraction"  # of the wavefronts that L1 can deliver

    LOCAL_LOAD_REQUESTS = "local_load_requests"
    LOCAL_STORE_REQUESTS = "local_store_requests"
    LOCAL_BYTES = "local_bytes"
    LOCAL_SPILL_REQUESTS = "local_spill_requests"

    REGISTERS_PER_THREAD = "registers_per_thread"
    SHARED_BYTES_PER_BLOCK = "shared_bytes_per_block"  # static and dynamic, without the system's share
    BLOCK_THREADS = "block_threads"
    GRID_BLOCKS = "grid_blocks"
    MULTIPROCESSORS = "multiprocessors"
    WAVES_PER_MULTIPROCESSOR = "waves_per_multiprocessor"
    THEORETICAL_OCCUPANCY_FRACTION = "theoretical_occupancy_fraction"
    ACHIEVED_OCCUPANCY_FRACTION = "achieved_occupancy_fraction"
    BLOCKS_BY_REGISTERS = "blocks_by_registers"
    BLOCKS_BY_SHARED_MEMORY = "blocks_by_shared_memory"
    BLOCKS_BY_WARPS = "blocks_by_warps"
    BLOCKS_BY_BLOCKS = "blocks_by_blocks"
    BLOCKS_BY_BARRIERS = "blocks_by_barriers"

    ACTIVE_WARPS_PER_SCHEDULER = "active_warps_per_scheduler"
    ELIGIBLE_WARPS_PER_SCHEDULER = "eligible_warps_per_scheduler"
    ISSUE_ACTIVE_FRACTION = "issue_active_fraction"
    BUSY_MULTIPROCESSOR_FRACTION = "busy_multiprocessor_fraction"  # cycles with a warp over all cycles

    INSTRUCTIONS = "instructions"
    GLOBAL_LOAD_INSTRUCTIONS = "global_load_instructions"
    GLOBAL_STORE_INSTRUCTIONS = "global_store_instructions"
    SHARED_LOAD_INSTRUCTIONS = "shared_load_instructions"
    SHARED_STORE_INSTRUCTIONS = "shared_store_instructions"
    LOCAL_LOAD_INSTRUCTIONS = "local_load_instructions"
    LOCAL_STORE_INSTRUCTIONS = "local_store_instructions"
    ASYNC_COPY_INSTRUCTIONS = "async_copy_instructions"
    BULK_COPY_INSTRUCTIONS = "bulk_copy_instructions"  # the copy engine's (TMA) loads
    FFMA_THREADS = "ffma_threads"  # thread instructions with the predicate on
    FADD_THREADS = "fadd_threads"
    FMUL_THREADS = "fmul_threads"
    DFMA_THREADS = "dfma_threads"
    DADD_THREADS = "dadd_threads"
    DMUL_THREADS = "dmul_threads"
    HFMA_THREADS = "hfma_threads"
    HADD_THREADS = "hadd_threads"
    HMUL_THREADS = "hmul_threads"
    FP32_FLOP = "fp32_flop"
    FP64_FLOP = "fp64_flop"
    FP16_FLOP = "fp16_flop"  # without the tensor pipe; packed halves counted as two
    TENSOR_FLOP = "tensor_flop"
    TENSOR_TF32_FLOP = "tensor_tf32_flop"
    FP32_PEAK_FLOP_PER_S = "fp32_peak_flop_per_s"
    TENSOR_INSTRUCTIONS = "tensor_instructions"
    TENSOR_PIPE_FRACTION = "tensor_pipe_fraction"
    FMA_PIPE_FRACTION = "fma_pipe_fraction"
    FP64_PIPE_FRACTION = "fp64_pipe_fraction"
    ALU_PIPE_FRACTION = "alu_pipe_fraction"
    XU_PIPE_FRACTION = "xu_pipe_fraction"
    LSU_PIPE_FRACTION = "lsu_pipe_fraction"

    STALL_LONG_SCOREBOARD = "stall_long_scoreboard"  # warps an issue, as all stalls
    STALL_SHORT_SCOREBOARD = "stall_short_scoreboard"
    STALL_MIO_THROTTLE = "stall_mio_throttle"
    STALL_LG_THROTTLE = "stall_lg_throttle"
    STALL_TEX_THROTTLE = "stall_tex_throttle"
    STALL_MATH_PIPE_THROTTLE = "stall_math_pipe_throttle"
    STALL_BARRIER = "stall_barrier"
    STALL_MEMBAR = "stall_membar"
    STALL_WAIT = "stall_wait"
    STALL_BRANCH_RESOLVING = "stall_branch_resolving"
    STALL_DISPATCH = "stall_dispatch"
    STALL_DRAIN = "stall_drain"
    STALL_IMC_MISS = "stall_imc_miss"
    STALL_NO_INSTRUCTION = "stall_no_instruction"
    STALL_SLEEPING = "stall_sleeping"
    STALL_GMMA = "stall_gmma"
    STALL_WARPGROUP_ARRIVE = "stall_warpgroup_arrive"
    STALL_MISC = "stall_misc"
    STALL_NOT_SELECTED = "stall_not_selected"
    STALL_SELECTED = "stall_selected"

    THREADS_PER_INSTRUCTION = "threads_per_instruction"  # of 32, active ones
    UNIFORM_BRANCH_FRACTION = "uniform_branch_fraction"
    DIVERGENT_BRANCHES = "divergent_branches"
    GLOBAL_REDUCTION_REQUESTS = "global_reduction_requests"  # at L1: red
    GLOBAL_ATOMIC_REQUESTS = "global_atomic_requests"  # at L1: atom
    GLOBAL_ATOMIC_SECTORS = "global_atomic_sectors"  # at L1: red and atom
    L2_ATOMIC_REQUESTS = "l2_atomic_requests"
    SHARED_ATOMIC_INSTRUCTIONS = "shared_atomic_instructions"

    SM_CLOCK_HZ = "sm_clock_hz"
    BOOST_CLOCK_HZ = "boost_clock_hz"
    DRAM_CLOCK_HZ = "dram_clock_hz"


STALLS: tuple[Counter, ...] = tuple(counter for counter in Counter if counter.startswith("stall_"))


@dataclass(frozen=True, slots=True)
class CountedValue:
    """One counter of one launch. metrics: what it was read from; formula: "" where it was read as it is."""

    value: float
    unit: str
    metrics: tuple[str, ...]
    formula: str = ""
    provenance: Provenance = Provenance.COUNTED


@dataclass(frozen=True, slots=True)
class NotCollected:
    """Why a counter has no value. metric: the name to ask Nsight Compute for."""

    metric: str
    reason: str = "not collected"


NOT_LOOKED_FOR = NotCollected("")


@dataclass(frozen=True)
class Counters:
    """The counters of one launch by concept; what is in neither mapping was never looked for."""

    values: Mapping[Counter, CountedValue] = field(default_factory=dict)
    missing: Mapping[Counter, NotCollected] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Counter]:
        return iter(self.values)

    def __len__(self) -> int:
        return len(self.values)

    def get(self, counter: Counter) -> float | None:
        """The value, or None where it was not collected."""
        found = self.values.get(counter)
        return None if found is None else found.value

    def need(self, counter: Counter) -> float:
        """The value. Raises NotCollectedError, which names the metric to ask for."""
        found = self.values.get(counter)
        if found is not None:
            return found.value
        lost = self.missing.get(counter, NOT_LOOKED_FOR)
        raise NotCollectedError(counter, lost.metric, lost.reason)


NO_COUNTERS = Counters()


@dataclass(frozen=True, slots=True)
class ModelValues:
    """What a stage's own algebra says of a launch; provenance is always the model.

    flop and least_dram_bytes as in `Cost`; bytes_by_level: asked of a level as if no cache stood above it.
    """

    flop: int
    least_dram_bytes: int
    bytes_by_level: Mapping[Level, int] = field(default_factory=dict)
    provenance: Provenance = Provenance.MODELLED


@dataclass(frozen=True)
class KernelEvidence:
    """One kernel as all instruments see it. None and empty: not known, not captured or a foreign kernel.

    arithmetic: how the stage declares its multiply-adds. roofs by name as in `Ceiling.name`. timings: of the
    same stage, size and dtype on the same device, all cache states. launches: of one call, which
    timings and model are of where a call is a series; counters are of one launch.
    """

    kernel: str
    counters: Counters = NO_COUNTERS
    grid: tuple[int, int, int] | None = None
    block: tuple[int, int, int] | None = None
    problem: str | None = None
    stage: str | None = None
    size: Size | None = None
    dtype: Dtype | None = None
    arithmetic: Arithmetic | None = None
    device: Device | None = None
    timings: tuple[Measurement, ...] = ()
    compiler: CompilerReport | None = None
    model: ModelValues | None = None
    roofs: Mapping[str, Roof] = field(default_factory=dict)
    launches: int = 1

    @property
    def blocks(self) -> float | None:
        """Thread blocks of the launch: by its shape, else as counted."""
        return prod(self.grid) if self.grid else self.counters.get(Counter.GRID_BLOCKS)

    @property
    def block_threads(self) -> float | None:
        """Threads of a block: by its shape, else as counted."""
        return prod(self.block) if self.block else self.counters.get(Counter.BLOCK_THREADS)

    def timing(self, cache: CacheState) -> Measurement | None:
        """The measurement in that cache state."""
        return next((timing for timing in self.timings if timing.cache is cache), None)
