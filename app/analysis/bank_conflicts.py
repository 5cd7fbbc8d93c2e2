"""Wavefronts of shared-memory requests: 32 banks, each one 4-byte word wide, one word a bank and pass.

A request of a warp is served in phases: all 32 lanes together for accesses up to 4 bytes, half-warps for
8 bytes, quarter-warps for 16. In a phase, lanes that name the same word share it (broadcast, multicast);
different words of one bank wait for each other. Source: CUDA programming guide, shared memory; L22 §7.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import gcd

from app.domain.errors import InvalidInputError

BANKS = 32
WORD_BYTES = 4
WARP = 32
ACCESS_BYTES = (1, 2, 4, 8, 16)


def wavefronts(addresses: Sequence[int | None], access_bytes: int = 4) -> int:
    """Passes that one request needs. addresses: byte address of each lane, None for an inactive lane.

    Raises InvalidInputError for more than 32 lanes, another width, or an address that is no multiple of
    the width (hardware refuses it too).
    """
    return sum(conflict_degrees(addresses, access_bytes))


def conflict_degrees(addresses: Sequence[int | None], access_bytes: int = 4) -> tuple[int, ...]:
    """Of each phase, how many words its busiest bank must serve one after the other; 0 without a lane.

    Raises what `wavefronts` raises.
    """
    _check(addresses, access_bytes)
    step = lanes_a_phase(access_bytes)
    phases = (addresses[first : first + step] for first in range(0, len(addresses), step))
    return tuple(_conflict_degree(phase, access_bytes) for phase in phases)


def lanes_a_phase(access_bytes: int) -> int:
    """Lanes that are served together: 32 up to 4 bytes each, 16 of 8 bytes, 8 of 16."""
    return WARP * WORD_BYTES // max(access_bytes, WORD_BYTES)


def ideal_wavefronts(addresses: Sequence[int | None], access_bytes: int = 4) -> int:
    """Passes that the distinct words of the request would need if they spread evenly over the banks."""
    _check(addresses, access_bytes)
    words = set(_words(addresses, access_bytes))
    return -(-len(words) // BANKS)


def strided_wavefronts(stride_words: int) -> int:
    """Passes when lane i reads word i * stride: gcd(stride, 32), and 1 for stride 0 (a broadcast).

    The banks i * stride mod 32 form 32 / gcd groups, so gcd lanes meet in each, all at different words.
    """
    return gcd(stride_words, BANKS) if stride_words else 1


def _conflict_degree(addresses: Iterable[int | None], access_bytes: int) -> int:
    words_of_bank: dict[int, set[int]] = defaultdict(set)
    for word in _words(addresses, access_bytes):
        words_of_bank[word % BANKS].add(word)
    return max((len(words) for words in words_of_bank.values()), default=0)


def words_of(address: int, access_bytes: int) -> range:
    """Numbers of the 4-byte words that one access touches; word w lies in bank w mod 32."""
    return range(address // WORD_BYTES, (address + access_bytes - 1) // WORD_BYTES + 1)


def _words(addresses: Iterable[int | None], access_bytes: int) -> Iterable[int]:
    for address in addresses:
        if address is not None:
            yield from words_of(address, access_bytes)


def _check(addresses: Sequence[int | None], access_bytes: int) -> None:
    if access_bytes not in ACCESS_BYTES:
        raise InvalidInputError(
            f"An access of {access_bytes} bytes does not exist, so it has no wavefronts. "
            f"Use one of {', '.join(map(str, ACCESS_BYTES))}.",
            field="access_bytes",
        )
    if len(addresses) > WARP:
        raise InvalidInputError(
            f"{len(addresses)} addresses were given but a request has at most {WARP}, one a lane. "
            "Split them by warp.",
            field="addresses",
        )
    for address in addresses:
        if address is not None and (address < 0 or address % access_bytes):
            raise InvalidInputError(
                f"Address {address} is no multiple of {access_bytes} from 0 up, which hardware refuses. "
                "Align it to the access width.",
                field="addresses",
            )
