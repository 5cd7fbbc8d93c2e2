"""Latency of constant memory: all lanes of one warp walk a chain in `__constant__` memory together.

The chain is part of the source, lines of 64 bytes. A walk through 2^k lines follows the large chain modulo
2^k, which is the chain of that size; a hop therefore includes one bitwise and.
"""

from __future__ import annotations

from app.kernels.latency.chain import Chain, chain_problem

LARGEST_KIB = 64
CHAIN = Chain(line_bytes=64, largest_kib=LARGEST_KIB, hops_up_to_kib=((LARGEST_KIB, 32_768),), in_source=True)
PROBLEM = chain_problem(
    "constant_latency",
    "Latency of constant memory",
    "How long does a load from constant memory take when all lanes read one word?",
    CHAIN,
    (1, 2, 4, 8, 16, 32, 64),
)
