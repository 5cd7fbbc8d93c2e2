"""CPU trap: inputs all zero."""

from __future__ import annotations

from pathlib import Path

from app.domain.vocabulary import BackendName
from app.kernels.trap_zeros.declared import zero_inputs

STAGE = zero_inputs(BackendName.CPU, Path(__file__).with_name("zero_inputs_kernel.py"), "run")
