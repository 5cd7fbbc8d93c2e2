"""CUDA rung of compute capability 9.0: every sum stays in one register, in the other bank than B."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from app.kernels.matmul.cuda.hopper import STAGE as HOPPER

STAGE = replace(
    HOPPER,
    name="register_banks",
    title="Hopper, register banks",
    mechanism="Sums pinned in registers, banks free of conflicts",
    change="Each sum keeps its register, so that a multiply-add never reads one register bank twice",
    improves_on="hopper",
    source=Path(__file__).with_suffix(".cu"),
    entry="register_banks",
)
