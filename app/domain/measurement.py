"""What a run finds out about one stage at one size: the numbers and everything needed to trust them."""

from __future__ import annotations

from dataclasses import dataclass, field

from app.domain.size import Size
from app.domain.vocabulary import (
    Arithmetic,
    CacheState,
    CellStatus,
    Dtype,
    Health,
    Provenance,
    Regime,
    StopReason,
)


@dataclass(frozen=True, order=True)
class CellKey:
    """One stage x size x dtype of a run."""

    problem: str
    stage: str
    size: Size
    dtype: Dtype


@dataclass(frozen=True)
class InnerLoop:
    """The busiest loop in a kernel's machine code, one pass of its body; without a loop the whole kernel.

    mix: instructions by kind, the most frequent first. renamed: multiply-adds that write another register
    than the one they add to. kept_operands: those with an operand from the reuse cache. local_instructions:
    loads and stores of local memory anywhere in the kernel. All are counted but conflict_cycles, the cycles
    lost to two reads of one register bank, which are modelled (app/analysis/sass_score.py).
    """

    is_loop: bool
    instructions: int
    mix: tuple[tuple[str, int], ...]
    multiply_adds: int
    shared_loads: int
    conflict_cycles: int
    renamed: int
    kept_operands: int
    local_instructions: int

    @property
    def multiply_add_fraction(self) -> float:
        """Of the instructions, those that are fused multiply-adds in float32."""
        return self.multiply_adds / self.instructions

    @property
    def issue_fraction(self) -> float:
        """Of the modelled cycles, those in which such a multiply-add is issued."""
        return self.multiply_adds / (self.instructions + self.conflict_cycles)


@dataclass(frozen=True)
class CompilerReport:
    """What the compiler says of a kernel (ptxas, through NVRTC's log), per thread unless named otherwise."""

    compiler: str  # "NVRTC 13.0"
    architecture: str
    registers: int
    spill_store_bytes: int
    spill_load_bytes: int
    stack_bytes: int
    static_shared_bytes: int
    options: tuple[str, ...] = ()
    cubin_sha256: str | None = None
    log: str = ""
    loop: InnerLoop | None = None  # None: no disassembler when it was compiled

    @property
    def spill_bytes(self) -> int:
        """Bytes spilled to local memory, stores and loads together."""
        return self.spill_store_bytes + self.spill_load_bytes


@dataclass(frozen=True)
class Correctness:
    """The output against a higher-precision reference on fresh random data, before and after timing."""

    passed_before: bool
    passed_after: bool | None
    max_relative_error: float | None
    tolerance: float
    reference: str  # "float64 matmul on the device"
    detail: str = ""

    @property
    def passed(self) -> bool:
        """Right before and, where it was asked, right after."""
        return self.passed_before and self.passed_after is not False


@dataclass(frozen=True)
class Recipe:
    """What is needed to run the measurement again, content-addressed where large."""

    source_sha256: str
    entry: str
    compile_options: tuple[str, ...]
    grid: tuple[int, int, int] | None
    block: tuple[int, int, int] | None
    dynamic_shared_bytes: int
    arguments: tuple[str, ...]
    cubin_sha256: str | None = None
    library: str | None = None  # for library lines: "cuBLAS 13.1 cublasSgemm, CUBLAS_DEFAULT_MATH (TF32 off)"


@dataclass(frozen=True)
class Roof:
    """The ceiling a measurement is judged by: FLOP/s, or bytes/s where the stage does no arithmetic."""

    name: str  # "fp32", "dram"
    value: float
    source: Provenance  # datasheet or measured
    unit: str = "flop_per_s"


@dataclass(frozen=True)
class Measurement:
    """One cell in one cache state and regime. Durations in seconds, fractions 0 to 1; None is "not known"."""

    key: CellKey
    reference: bool
    arithmetic: Arithmetic
    cache: CacheState
    regime: Regime
    median_s: float
    mad_s: float
    ci_low_s: float | None
    ci_high_s: float | None
    p5_s: float
    p95_s: float
    n: int
    noise_fraction: float | None
    launches_per_sample: int
    stop_reason: StopReason
    flop: int
    least_dram_bytes: int
    health: Health
    health_reasons: tuple[str, ...]
    correctness: Correctness
    recipe: Recipe
    compiler: CompilerReport | None = None
    sm_clock_hz: float | None = None
    memory_clock_hz: float | None = None
    power_w: float | None = None
    temperature_c: float | None = None
    roof: Roof | None = None
    roof_fraction_boost: float | None = None
    roof_fraction_held: float | None = None
    provenance: Provenance = Provenance.MEASURED

    @property
    def flop_per_s(self) -> float:
        """Algorithmic FLOP over the median."""
        return self.flop / self.median_s

    @property
    def bytes_per_s(self) -> float:
        """Least DRAM traffic over the median: useful bytes only, as if each were moved once."""
        return self.least_dram_bytes / self.median_s


@dataclass(frozen=True)
class Samples:
    """Raw durations of one measurement in order, with the clock held during each where readable."""

    key: CellKey
    cache: CacheState
    regime: Regime
    durations_s: tuple[float, ...]
    sm_clock_hz: tuple[float | None, ...] = ()


@dataclass(frozen=True)
class CellOutcome:
    """What became of a cell that has no measurement, or that it has one."""

    key: CellKey
    status: CellStatus
    reason: str = ""
    compiler: CompilerReport | None = None


@dataclass(frozen=True)
class Ceiling:
    """A roof of a device: measured by a micro-benchmark or computed from its attributes."""

    name: str  # "dram_copy", "fp32_fma", "blas_fp32", "stream_triad"
    title: str
    kind: str  # "bandwidth" or "compute"
    value: float  # bytes/s or FLOP/s
    source: Provenance
    detail: str = ""
    sm_clock_hz: float | None = None  # the clock it was measured at
    boost_clock_hz: float | None = None
    facts: dict[str, str] = field(default_factory=dict)

    @property
    def unit(self) -> str:
        """SI unit of `value`."""
        return "bytes_per_s" if self.kind == "bandwidth" else "flop_per_s"
