"""Latency of global memory by a walk along a chain, over the working set."""
