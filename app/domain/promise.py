"""What a rung promises to change against its parent: words that hardware counters can confirm or refute."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Counted(StrEnum):
    """A quantity that a GPU counts, in the words of the page."""

    DRAM_BYTES = "DRAM bytes"
    L2_BYTES = "L2 bytes"
    GLOBAL_SECTORS = "sectors a global request"
    GLOBAL_REQUESTS = "global load requests"
    SHARED_WAVEFRONTS = "shared-memory wavefronts"
    BANK_CONFLICTS = "bank conflicts"
    INSTRUCTIONS = "instructions"
    LOAD_STALLS = "stalls on loads"
    BARRIER_STALLS = "stalls at barriers"
    BUSY_MULTIPROCESSORS = "busy multiprocessors"
    TENSOR_INSTRUCTIONS = "Tensor Core instructions"
    TENSOR_PIPE_USE = "Tensor Core pipe use"
    FMA_PIPE_USE = "FMA pipe use"
    LAUNCHES = "kernel launches"


class Direction(StrEnum):
    """Which way a quantity goes."""

    LESS = "less"
    MORE = "more"


@dataclass(frozen=True)
class Promise:
    """`counted` goes that way; `factor` is the rung over its parent where the rungs' own algebra says it."""

    counted: Counted
    direction: Direction
    factor: float | None = None

    def __post_init__(self) -> None:
        """Refuse a factor that contradicts the direction: a mistake of the declaration."""
        if self.factor is not None and (self.factor < 1) is not (self.direction is Direction.LESS):
            raise ValueError(
                f"A promise of {self.direction} {self.counted} cannot have factor {self.factor}."
            )


def less(counted: Counted, factor: float | None = None) -> Promise:
    """A promise that a quantity falls, to `factor` of the parent's where it is known."""
    return Promise(counted, Direction.LESS, factor)


def more(counted: Counted, factor: float | None = None) -> Promise:
    """A promise that a quantity rises, to `factor` times the parent's where it is known."""
    return Promise(counted, Direction.MORE, factor)
