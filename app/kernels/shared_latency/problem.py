"""Latency of shared memory: the chain is copied there first, then one thread walks it."""

from __future__ import annotations

from app.kernels.latency.chain import Chain, chain_problem

LARGEST_KIB = 32
CHAIN = Chain(line_bytes=128, largest_kib=LARGEST_KIB, hops_up_to_kib=((LARGEST_KIB, 16_384),))
PROBLEM = chain_problem(
    "shared_latency",
    "Latency of shared memory",
    "How long does a load from shared memory take?",
    CHAIN,
    (1, 4, 16, 32),
)
