"""CPU trap of a matrix product."""

from __future__ import annotations

from pathlib import Path

from app.domain.vocabulary import BackendName
from app.kernels.trap_matmul.declared import flop_in_32_bits

STAGE = flop_in_32_bits(BackendName.CPU, Path(__file__).with_name("flop_in_32_bits_kernel.py"), "run")
