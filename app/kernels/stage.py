"""The contract of a stage: one rung of a ladder, declared in one `.py` beside its source.

A CUDA stage NAME is `NAME.py` (this declaration) beside `NAME.cu`. A CPU stage NAME is `NAME.py`
beside `NAME_kernel.py`, which alone may import Numba and is loaded by the measuring child only.
A module in a problem's folder that defines `STAGE` is on the ladder; nothing else is edited. Variants of
one source that differ in a constant (`compile_options`) may stand together as `STAGES`, a tuple.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from app.domain.claim import Claim
from app.domain.promise import Promise
from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, BackendName, Dtype, Level, ReuseLevel
from app.kernels.trap import Trap


@dataclass(frozen=True)
class Cost:
    """What one launch must do and what this stage's own algebra says it moves.

    flop: floating-point operations, exact whole number. least_dram_bytes: each input read once, each
    output written once. bytes_by_level: bytes this stage asks of a level, as if no cache above it existed.
    """

    flop: int
    least_dram_bytes: int
    bytes_by_level: Mapping[Level, int]

    def intensity(self, level: Level) -> float | None:
        """FLOP per byte at `level`, or None where the stage states no bytes there."""
        moved = self.bytes_by_level.get(level)
        return self.flop / moved if moved else None


@dataclass(frozen=True)
class Launch:
    """Grid and block of one launch in CUDA's order (x, y, z), or of each launch of a series.

    launches: where a call is a series of launches back to back, their number; the kernel is passed the
    index of the launch as its last int. None: one launch, no index.
    """

    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    dynamic_shared_bytes: int = 0
    launches: int | None = None

    @property
    def count(self) -> int:
        """Launches of one call."""
        return 1 if self.launches is None else self.launches

    @property
    def further_scalars(self) -> tuple[tuple[int, ...], ...]:
        """For each launch of a call, the ints passed behind the problem's scalars."""
        return ((),) if self.launches is None else tuple((index,) for index in range(self.launches))


@dataclass(frozen=True)
class Needs:
    """What a device must have; where it is missing the stage shows "not on this GPU"."""

    compute_capability: tuple[int, int] | None = None  # at least
    same_major: bool = False  # architecture-specific instructions (WGMMA): no later generation has them
    shared_bytes_per_block: int = 0


@dataclass(frozen=True)
class TensorMap:
    """What the copy engine (TMA) must know of a tensor: the box of one copy. Axes before the last are rows.

    box: rows and columns, at most 256 each. swizzle_bytes: 0, 32, 64 or 128, at least the bytes of a row of
    the box. Elements outside the tensor are read as zero and not written. The tensor's rows must be a
    multiple of 16 bytes long: a stage says so by `why_not`. promotion_bytes: 0, 64, 128 or 256, what the L2
    cache fetches at least.
    """

    tensor: str
    box: tuple[int, int]
    swizzle_bytes: int = 0
    promotion_bytes: int = 128


@dataclass(frozen=True)
class Stage:
    """One rung. `improves_on` names its parent in the same ladder and backend; None for the first."""

    name: str
    title: str
    mechanism: str  # what it does, in at most nine words
    change: str  # what changed against the parent, shown between the rungs
    backend: BackendName
    improves_on: str | None
    arithmetic: Arithmetic
    dtypes: tuple[Dtype, ...]
    reuse_level: ReuseLevel
    source: Path  # the .cu, or the CPU stage's _kernel.py
    entry: str  # kernel function; "" for a library line
    cost: Callable[[Size, Dtype], Cost]
    launch: Callable[[Size], Launch] | None = None  # None on the CPU and for library lines
    # The kernel is passed the tensors, the scratch, the scalars, a series' index, the tensor maps.
    scratch_bytes: Callable[[Size], int] | None = None  # zeroed once; each launch must leave zeros behind
    tensor_maps: tuple[TensorMap, ...] = ()  # each by value: `const __grid_constant__`, 128 bytes
    needs: Needs = field(default_factory=Needs)
    claims: tuple[Claim, ...] = ()
    promises: tuple[Promise, ...] = ()  # what changes against the parent, in words that counters decide
    raises: tuple[str, ...] = ()  # rules of the diagnosis that must find their fault here, by name
    resolves: tuple[str, ...] = ()  # rules that find their fault in an ancestor and must not here
    compile_options: tuple[str, ...] = ()
    spills: bool = False  # spilling is what it is about; the compiler's report says how many bytes
    reference: bool = False  # the library line
    uses_numba: bool = False  # CPU only: unsupported, with the reason, where Numba is missing
    why_not: Callable[[Size], str | None] | None = None  # why this size is outside its contract, or None
    intensity_level: Level = Level.DRAM  # level at which the ladder table states this stage's intensity
    # Ceilings only: the size to measure at, from the bytes of the last-level cache.
    ceiling_size: Callable[[int], Size] | None = None
    trap: Trap | None = None  # what it does wrong on purpose; only in problems of kind TRAP
