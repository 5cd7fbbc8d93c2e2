"""Closed word lists of the field, each with the sentence the product shows for it."""

from __future__ import annotations

from enum import StrEnum


class Provenance(StrEnum):
    """Where a number comes from; every number shown carries one."""

    MEASURED = "measured"
    COUNTED = "counted"
    COMPILER = "compiler"
    MODELLED = "modelled"
    IMPORTED = "imported"
    CLAIMED = "claimed"
    DATASHEET = "datasheet"
    NOT_CAPTURED = "not_captured"


class BackendName(StrEnum):
    """Which machine runs a stage."""

    CUDA = "cuda"
    CPU = "cpu"


class Dtype(StrEnum):
    """Element type of a problem's inputs and outputs."""

    FLOAT32 = "float32"
    FLOAT16 = "float16"
    BFLOAT16 = "bfloat16"
    INT32 = "int32"  # indices and counts

    @property
    def item_bytes(self) -> int:
        """Bytes of one element."""
        return 4 if self in (Dtype.FLOAT32, Dtype.INT32) else 2


class Arithmetic(StrEnum):
    """How the multiply-adds are done: two stages compare only within one arithmetic."""

    FP32 = "fp32"
    TF32 = "tf32"
    TENSOR_FP16_FP32ACC = "tensor_fp16_fp32acc"
    TENSOR_BF16_FP32ACC = "tensor_bf16_fp32acc"
    TENSOR_TF32_FP32ACC = "tensor_tf32_fp32acc"
    TENSOR_FP8_FP32ACC = "tensor_fp8_fp32acc"
    FP16 = "fp16"  # half precision without the tensor pipe
    NONE = "none"


class ProblemKind(StrEnum):
    """What a problem's stages are for: decides which pages show them and how long they are sampled."""

    LADDER = "ladder"  # rungs of one computation
    EXPERIMENT = "experiment"  # the memory lab: one variable, a theory line, measured points
    HIERARCHY = "hierarchy"  # latency and bandwidth of each memory level
    QUANTISATION = "quantisation"  # tiles, waves and slices of a matmul: experiments of the lab as well
    PAIR = "pair"  # a fault and its cure, for the rules to fire on
    TRAP = "trap"  # a failing variant that must be caught
    CEILING = "ceiling"  # the micro-benchmarks behind the roofs


class Metric(StrEnum):
    """What a published figure about one stage is."""

    FLOP_PER_S = "flop_per_s"
    ROOF_FRACTION = "roof_fraction"
    INTENSITY = "intensity_flop_per_byte"
    BOTTLENECK = "bottleneck"


class Verdict(StrEnum):
    """What became of a published claim on a device."""

    HOLDS = "holds"
    DOES_NOT_HOLD = "does_not_hold"
    IMPOSSIBLE = "impossible"  # as printed: it contradicts arithmetic or a physical limit
    NOT_MEASURABLE = "not_measurable"  # here: nothing was measured, counted or known that decides it


class Level(StrEnum):
    """A level of the memory hierarchy at which bytes are counted."""

    DRAM = "dram"
    L2 = "l2"
    L1 = "l1"
    SHARED = "shared"


class ReuseLevel(StrEnum):
    """Where a stage keeps what it uses more than once."""

    NONE = "none"
    CACHE = "cache"
    SHARED = "shared"
    REGISTERS = "registers"
    LIBRARY = "library"


class CacheState(StrEnum):
    """Cold: last-level cache flushed before each sample. Warm: not."""

    COLD = "cold"
    WARM = "warm"


class Regime(StrEnum):
    """Single: one launch a sample. Burst: launches back to back. Sustained: until heat and power settle."""

    SINGLE = "single"
    BURST = "burst"
    SUSTAINED = "sustained"


class StopReason(StrEnum):
    """Why sampling ended."""

    CI_REACHED = "ci_reached"
    NOISE_SETTLED = "noise_settled"
    TIME_LIMIT = "time_limit"
    SAMPLE_LIMIT = "sample_limit"


class Health(StrEnum):
    """Whether the device let a measurement stand as a baseline."""

    OK = "ok"
    THROTTLED = "throttled"
    FOREIGN_PROCESS = "foreign_process"
    QUARANTINED = "quarantined"
    UNKNOWN = "unknown"


class CellStatus(StrEnum):
    """What became of one stage x size x dtype."""

    MEASURED = "measured"
    SKIPPED = "skipped"
    UNSUPPORTED = "unsupported"
    WRONG_RESULT = "wrong_result"
    FAILED = "failed"


class RunStatus(StrEnum):
    """State of a run; the last three are final."""

    QUEUED = "queued"
    RUNNING = "running"
    FINISHED = "finished"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def is_final(self) -> bool:
        """Whether the state can still change."""
        return self not in (RunStatus.QUEUED, RunStatus.RUNNING)


JobStatus = RunStatus


class JobKind(StrEnum):
    """What a job does."""

    BENCHMARK = "benchmark"
