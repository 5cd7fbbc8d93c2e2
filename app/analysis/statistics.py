"""Robust statistics of timing samples. Every function takes raw samples and drops none.

"n too small" is an answer here: it is returned as None, never as 0 or NaN.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SMALLEST_N_FOR_INTERVAL = 6  # below it the median's 95 % interval is wider than the range of the samples
SMALLEST_N_FOR_NOISE = 5
MAD_TO_SIGMA = 1.4826022185056018  # 1 / quantile 0.75 of the standard normal
RESAMPLES = 1000
_CHUNK_VALUES = 1_000_000  # bounds the resampling matrix to 8 MB


@dataclass(frozen=True)
class Interval:
    """A confidence interval, both ends included, in the unit of the samples."""

    low: float
    high: float

    @property
    def width(self) -> float:
        """High minus low."""
        return self.high - self.low


@dataclass(frozen=True)
class Summary:
    """What is stored of one series of samples; the unit is that of the samples."""

    n: int
    median: float
    mad: float
    p5: float
    p95: float
    interval: Interval | None
    noise_fraction: float | None


def median(samples: Sequence[float]) -> float:
    """The middle value; the mean of the two middle ones for an even n. ValueError when empty."""
    return float(np.median(_array(samples)))


def median_absolute_deviation(samples: Sequence[float]) -> float:
    """Median of |x - median(x)|, unscaled, in the unit of the samples. ValueError when empty."""
    values = _array(samples)
    return float(np.median(np.abs(values - np.median(values))))


def quantile(samples: Sequence[float], fraction: float) -> float:
    """Quantile with linear interpolation between order statistics (Hyndman and Fan, type 7)."""
    return float(np.quantile(_array(samples), fraction))


def noise_fraction(samples: Sequence[float]) -> float | None:
    """Robust relative spread: 1.4826 MAD / median. None for n < 5 or a median that is not positive."""
    if len(samples) < SMALLEST_N_FOR_NOISE:
        return None
    middle = median(samples)
    return MAD_TO_SIGMA * median_absolute_deviation(samples) / middle if middle > 0 else None


def bootstrap_median_interval(
    samples: Sequence[float], *, confidence: float = 0.95, resamples: int = RESAMPLES, seed: int = 0
) -> Interval | None:
    """Percentile bootstrap interval of the median (Efron 1979), seeded. None for n < 6.

    Draws `resamples` samples of size n with replacement and takes the (1 ± confidence) / 2 quantiles of
    their medians.
    """
    values = _array(samples)
    if values.size < SMALLEST_N_FOR_INTERVAL:
        return None
    generator = np.random.default_rng(seed)
    rows_at_once = max(1, _CHUNK_VALUES // values.size)
    medians = np.empty(resamples)
    for start in range(0, resamples, rows_at_once):
        stop = min(start + rows_at_once, resamples)
        drawn = generator.integers(0, values.size, size=(stop - start, values.size))
        medians[start:stop] = np.median(values[drawn], axis=1)
    tail = (1 - confidence) / 2
    low, high = np.quantile(medians, (tail, 1 - tail))
    return Interval(float(low), float(high))


def relative_width(interval: Interval | None, centre: float) -> float | None:
    """Width of the interval over `centre`; None where there is no interval or centre is not positive."""
    return None if interval is None or centre <= 0 else interval.width / centre


def summarise(samples: Sequence[float], *, seed: int = 0) -> Summary:
    """All of the above at once. ValueError when empty: zero samples have no summary."""
    return Summary(
        n=len(samples),
        median=median(samples),
        mad=median_absolute_deviation(samples),
        p5=quantile(samples, 0.05),
        p95=quantile(samples, 0.95),
        interval=bootstrap_median_interval(samples, seed=seed),
        noise_fraction=noise_fraction(samples),
    )


def _array(samples: Sequence[float]) -> NDArray[np.float64]:
    values = np.asarray(samples, dtype=np.float64)
    if values.size == 0:
        raise ValueError("zero samples have no statistic")
    return values
