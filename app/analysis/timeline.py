"""Loading and computing of a tiled loop: one after the other, or the next tile's load under this one's work.

T = n (load + compute) against load + (n - 1) max(load, compute) + compute. Source: L24 §2, double buffering.
"""

from __future__ import annotations


def serial_s(steps: int, load_s: float, compute_s: float) -> float:
    """Seconds when each step waits for its load."""
    return steps * (load_s + compute_s)


def overlapped_s(steps: int, load_s: float, compute_s: float) -> float:
    """Seconds when two buffers take turns: only the first load and the last computation stand alone."""
    return load_s + (steps - 1) * max(load_s, compute_s) + compute_s if steps else 0.0
