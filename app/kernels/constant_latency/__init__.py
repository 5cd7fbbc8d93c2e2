"""Latency of constant memory by a walk along a chain."""
