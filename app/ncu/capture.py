"""The command line that profiles a child of ours, and the name of the range that joins a launch to its cell.

The child switches profiling on around one launch of each cell and opens an NVTX range there, so whatever runs
inside, a library's several kernels included, belongs to that cell. Clocks stay as they are (`--clock-control
none`): the counters describe what the timings measured. Caches are flushed before each replay, as in the
product's cold timings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from app.ncu.capture_sets import CaptureSet, options_of

RANGE_PREFIX = "roofladder"


@dataclass(frozen=True)
class CellRange:
    """The cell that an NVTX range of ours names: roofladder:<problem>:<stage>:<size>:<dtype>."""

    problem: str
    stage: str
    size_key: str
    dtype: str

    @property
    def name(self) -> str:
        """The range's name."""
        return ":".join((RANGE_PREFIX, self.problem, self.stage, self.size_key, self.dtype))


def cell_range(name: str) -> CellRange | None:
    """The cell of a range's name; None for a range of somebody else."""
    parts = name.split(":")
    if len(parts) != 5 or parts[0] != RANGE_PREFIX or not all(parts):
        return None
    return CellRange(*parts[1:])


def command(tool: Path, chosen: CaptureSet, report: Path, child: Sequence[str]) -> tuple[str, ...]:
    """ncu, told to profile only where the child switches it on, and the child behind it.

    `report`: the file to write, with its `.ncu-rep`.
    """
    return (
        str(tool),
        *("--profile-from-start", "off", "--nvtx"),
        *("--clock-control", "none", "--cache-control", "all"),
        *("--target-processes", "all", "--force-overwrite"),
        *("--export", str(report.with_suffix(""))),
        *options_of(chosen),
        *child,
    )
