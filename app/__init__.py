"""Roofladder: measure a ladder of GPU kernels, keep it, show it."""

__version__ = "0.1.0"
