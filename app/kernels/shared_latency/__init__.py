"""Latency of shared memory by a walk along a chain."""
