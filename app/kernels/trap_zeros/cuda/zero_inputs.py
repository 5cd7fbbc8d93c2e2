"""CUDA trap: inputs all zero."""

from __future__ import annotations

from pathlib import Path

from app.domain.size import Size
from app.domain.vocabulary import BackendName
from app.kernels.stage import Launch
from app.kernels.trap_zeros.declared import zero_inputs

BLOCK = 256


def _launch(size: Size) -> Launch:
    return Launch((-(-size["n"] // BLOCK), 1, 1), (BLOCK, 1, 1))


STAGE = zero_inputs(BackendName.CUDA, Path(__file__).with_suffix(".cu"), "zero_inputs", _launch)
