"""Units as Nsight Compute prints them, and the factor to base units: ns, byte, hz, and rates a second.

Spelling changed over the years (`nsecond` and `ns`, `byte/second` and `byte/s`, `cycle/second` and `hz`) and
one metric changes its unit between the launches of a file, so every cell is converted by its own unit.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

_TIMES_NS = {
    **{"ns": 1.0, "nsecond": 1.0, "us": 1e3, "usecond": 1e3, "ms": 1e6, "msecond": 1e6},
    **{"s": 1e9, "second": 1e9},
}
_PREFIXES = {"k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12, "p": 1e15}
_PREFIXED = ("byte", "hz")  # the quantities that the tool gives a prefix
_SECOND_NS = 1e9


@dataclass(frozen=True, slots=True)
class Unit:
    """base: the unit that values are converted to. scale: base value = printed value times this."""

    base: str
    scale: float


@lru_cache(maxsize=4096)
def unit_of(printed: str) -> Unit:
    """What a printed unit stands for; one that is not known is its own base."""
    above, slash, below = printed.strip().lower().partition("/")
    numerator = _simple(above)
    if not slash:
        return numerator if numerator.base != above else Unit(printed.strip(), 1.0)
    if below not in _TIMES_NS:
        per = _simple(below)
        return Unit(f"{numerator.base}/{per.base}", numerator.scale / per.scale)
    scale = numerator.scale * _SECOND_NS / _TIMES_NS[below]
    return Unit("hz", scale) if numerator.base == "cycle" else Unit(f"{numerator.base}/s", scale)


def _simple(text: str) -> Unit:
    if text in _TIMES_NS:
        return Unit("ns", _TIMES_NS[text])
    for quantity in _PREFIXED:
        prefix = text.removesuffix(quantity)
        if text.endswith(quantity) and prefix in _PREFIXES:
            return Unit(quantity, _PREFIXES[prefix])
    return Unit(text, 1.0)
