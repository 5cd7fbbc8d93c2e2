"""Runs recorded on an H200 (capsules/), as evidence of their stages without counters."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from app.domain.kernel_evidence import KernelEvidence, ModelValues
from app.domain.measurement import Measurement
from app.domain.run import Run
from app.domain.vocabulary import BackendName, CacheState
from app.kernels.registry import stage
from app.services.capsule import unpack

FOLDER = Path(__file__).parents[1] / "capsules"


@cache
def run(name: str) -> Run:
    """The run of a bundled capsule."""
    return unpack((FOLDER / f"{name}.capsule.zip").read_bytes())[0]


def evidence(capsule: str, problem: str, stage_name: str, **size: int) -> KernelEvidence:
    """A stage's evidence: timings, compiler, launch, model, device; the first size where none is given."""
    found = [m for m in run(capsule).measurements if (m.key.problem, m.key.stage) == (problem, stage_name)]
    wanted = [m for m in found if size.items() <= m.key.size.as_dict().items()]
    timings = tuple(m for m in wanted if m.key == wanted[0].key)
    return _joined(run(capsule), timings)


def _joined(recorded: Run, timings: tuple[Measurement, ...]) -> KernelEvidence:
    first = next((m for m in timings if m.cache is CacheState.COLD), timings[0])
    declared = stage(first.key.problem, BackendName.CUDA, first.key.stage)
    cost = declared.cost(first.key.size, first.key.dtype)
    return KernelEvidence(
        declared.entry,
        grid=first.recipe.grid,
        block=first.recipe.block,
        problem=first.key.problem,
        stage=declared.name,
        size=first.key.size,
        dtype=first.key.dtype,
        arithmetic=declared.arithmetic,
        device=recorded.summary.device,
        timings=timings,
        compiler=first.compiler,
        model=ModelValues(cost.flop, cost.least_dram_bytes, cost.bytes_by_level),
        launches=declared.launch(first.key.size).count if declared.launch else 1,
    )
