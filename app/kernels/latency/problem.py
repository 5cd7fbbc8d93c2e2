"""Latency of global memory over the working set, 1 KiB to 4 GiB: one thread, one load in flight.

What is measured: launches follow each other without flushing, and each goes on where the last one ended, so
that together they walk the whole set: one that fits the L2 cache stays there, a larger one misses. The L1
cache is empty when a kernel starts, so sets up to 256 KiB are first loaded by all threads of the block
(microseconds beside a walk of hundreds). A hop includes one multiply-add of address arithmetic.
"""

from __future__ import annotations

from app.kernels.latency.chain import Chain, chain_problem

PRELOADED_KIB = 256
LARGEST_KIB = 4 * 1024 * 1024
CHAIN = Chain(
    line_bytes=128,
    largest_kib=LARGEST_KIB,
    hops_up_to_kib=((PRELOADED_KIB, 16_384), (32 * 1024, 4096), (LARGEST_KIB, 2048)),
)
PROBLEM = chain_problem(
    "latency",
    "Latency of global memory",
    "How long does a load take, by the size of what is visited?",
    CHAIN,
    (1, 4, *(2**power for power in range(4, 23))),
)
