"""The `data` of a job's "cell" events: how far one stage x size x dtype is, as the live pages show it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from app.domain.measurement import CellKey
from app.domain.size import Size
from app.domain.vocabulary import CacheState, Dtype


class CellState(StrEnum):
    """Where a cell is in its life; those from DONE on are final."""

    WAITING = "waiting"
    COMPILING = "compiling"
    CHECKING = "checking"
    SAMPLING = "sampling"
    NEXT_IN_ROUND = "next_in_round"
    DONE = "done"
    SKIPPED = "skipped"
    UNSUPPORTED = "unsupported"
    WRONG_RESULT = "wrong_result"
    FAILED = "failed"

    @property
    def is_final(self) -> bool:
        """Whether nothing more comes from the cell."""
        return self in _FINAL

    @property
    def is_working(self) -> bool:
        """Whether the device is busy with the cell now."""
        return self in (CellState.COMPILING, CellState.CHECKING, CellState.SAMPLING)


_FINAL = frozenset(
    {
        CellState.DONE,
        CellState.SKIPPED,
        CellState.UNSUPPORTED,
        CellState.WRONG_RESULT,
        CellState.FAILED,
    }
)


@dataclass(frozen=True)
class CellProgress:
    """A cell now. Numbers are of the cache state being sampled; `reason` says why a cell has none."""

    key: CellKey
    state: CellState
    cache: CacheState = CacheState.COLD
    n: int = 0
    median_s: float | None = None
    ci_fraction: float | None = None  # relative width of the interval so far
    round: int | None = None
    sm_clock_hz: float | None = None
    flop_per_s: float | None = None
    reason: str = ""

    def as_data(self) -> dict[str, object]:
        """The event's data, ready for JSON."""
        return {
            "problem": self.key.problem,
            "stage": self.key.stage,
            "size": self.key.size.key,
            "dtype": self.key.dtype.value,
            "state": self.state.value,
            "cache": self.cache.value,
            "n": self.n,
            "median_s": self.median_s,
            "ci_fraction": self.ci_fraction,
            "round": self.round,
            "sm_clock_hz": self.sm_clock_hz,
            "flop_per_s": self.flop_per_s,
            "reason": self.reason,
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> CellProgress:
        """Read what `as_data` wrote. Raises KeyError or ValueError on anything else."""
        key = CellKey(data["problem"], data["stage"], Size.parse(data["size"]), Dtype(data["dtype"]))
        return cls(
            key=key,
            state=CellState(data["state"]),
            cache=CacheState(data["cache"]),
            n=data["n"],
            median_s=data["median_s"],
            ci_fraction=data["ci_fraction"],
            round=data["round"],
            sm_clock_hz=data["sm_clock_hz"],
            flop_per_s=data["flop_per_s"],
            reason=data["reason"],
        )
