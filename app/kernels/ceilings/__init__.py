"""Micro-benchmarks that find a device's roofs."""
