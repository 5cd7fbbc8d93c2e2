"""Which lanes each bank serves in which wavefront: the picture behind a number of wavefronts.

Within a phase, the n-th word that a bank is asked for is served in the n-th wavefront. Hardware may choose
another order, the number of wavefronts is the same. Source: as `bank_conflicts`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.analysis.bank_conflicts import BANKS, lanes_a_phase, words_of


@dataclass(frozen=True)
class ServedWord:
    """A word that a bank hands out in one wavefront, and the lanes that take it."""

    bank: int
    word: int
    lanes: tuple[int, ...]


@dataclass(frozen=True)
class Wavefront:
    """One pass over the banks; `phase` counts the groups of lanes of a wide access, from 0."""

    phase: int
    served: tuple[ServedWord, ...]


def bank_map(addresses: Sequence[int], access_bytes: int) -> tuple[Wavefront, ...]:
    """The wavefronts of one request, in order. addresses: byte address of each lane, all of them active."""
    step = lanes_a_phase(access_bytes)
    return tuple(
        wavefront
        for phase, first in enumerate(range(0, len(addresses), step))
        for wavefront in _phase(phase, first, addresses[first : first + step], access_bytes)
    )


def _phase(phase: int, first_lane: int, addresses: Sequence[int], access_bytes: int) -> list[Wavefront]:
    lanes_of: dict[int, list[int]] = {}
    for place, address in enumerate(addresses):
        for word in words_of(address, access_bytes):
            lanes_of.setdefault(word, []).append(first_lane + place)
    queues: dict[int, list[ServedWord]] = {}
    for word, lanes in lanes_of.items():
        queues.setdefault(word % BANKS, []).append(ServedWord(word % BANKS, word, tuple(lanes)))
    passes = max(map(len, queues.values()), default=0)
    return [
        Wavefront(phase, tuple(queues[bank][turn] for bank in sorted(queues) if turn < len(queues[bank])))
        for turn in range(passes)
    ]
