"""Roofladder: measure a ladder of GPU kernels, keep it, show it."""
