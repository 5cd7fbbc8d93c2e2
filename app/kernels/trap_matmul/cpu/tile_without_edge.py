"""CPU trap of a matrix product."""

from __future__ import annotations

from pathlib import Path

from app.domain.vocabulary import BackendName
from app.kernels.trap_matmul.declared import tile_without_edge

STAGE = tile_without_edge(BackendName.CPU, Path(__file__).with_name("tile_without_edge_kernel.py"), "run")
