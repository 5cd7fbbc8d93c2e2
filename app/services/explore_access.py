"""One request of a warp: the sectors of global memory and the banks of shared memory that it meets."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from app.analysis.bank_conflicts import conflict_degrees, ideal_wavefronts, wavefronts
from app.analysis.bank_map import Wavefront, bank_map
from app.analysis.coalescing import LINE_BYTES, SECTOR_BYTES, efficiency, ideal_sectors, touched, useful_bytes
from app.analysis.ldmatrix import ROW_BYTES, ldmatrix_wavefronts
from app.analysis.warp_access import AccessPattern
from app.domain.errors import InvalidInputError


class SharedInstruction(StrEnum):
    """What reads shared memory: a load of each lane's own, or matrices whose rows the lanes name."""

    LOAD = "load"
    LDMATRIX = "ldmatrix"


@dataclass(frozen=True)
class GlobalRequest:
    """What one request asks of global memory. Sectors and lines by number, from a base aligned to both."""

    pattern: AccessPattern
    addresses: tuple[int, ...]
    sectors: tuple[int, ...]
    ideal_sectors: int
    cache_lines: tuple[int, ...]
    useful_bytes: int
    efficiency_fraction: float

    @property
    def moved_bytes(self) -> int:
        """What memory sends: whole sectors."""
        return len(self.sectors) * SECTOR_BYTES


@dataclass(frozen=True)
class SharedRequest:
    """What one request asks of shared memory. conflict_degree: of the phase with the busiest bank."""

    pattern: AccessPattern
    instruction: SharedInstruction
    wavefront_count: int
    ideal_wavefronts: int
    phase_degrees: tuple[int, ...]
    wavefronts: tuple[Wavefront, ...]

    @property
    def conflict_degree(self) -> int:
        """Words that the busiest bank serves one after the other."""
        return max(self.phase_degrees)

    @property
    def banks_used(self) -> int:
        """Banks that serve anything at all."""
        return len({served.bank for wavefront in self.wavefronts for served in wavefront.served})


def global_request(pattern: AccessPattern) -> GlobalRequest:
    """Sectors, lines and efficiency of one request."""
    addresses, width = pattern.addresses, pattern.element_bytes
    return GlobalRequest(
        pattern=pattern,
        addresses=addresses,
        sectors=touched(addresses, width, SECTOR_BYTES),
        ideal_sectors=ideal_sectors(addresses, width),
        cache_lines=touched(addresses, width, LINE_BYTES),
        useful_bytes=useful_bytes(addresses, width),
        efficiency_fraction=efficiency(addresses, width) or 0.0,
    )


def shared_request(
    pattern: AccessPattern, instruction: SharedInstruction = SharedInstruction.LOAD
) -> SharedRequest:
    """Wavefronts of one request, least possible and pictured. Raises InvalidInputError for no ldmatrix."""
    addresses, width = pattern.addresses, pattern.element_bytes
    if instruction is SharedInstruction.LDMATRIX:
        _check_rows(pattern)
        count = ldmatrix_wavefronts(addresses)
    else:
        count = wavefronts(addresses, width)
    return SharedRequest(
        pattern=pattern,
        instruction=instruction,
        wavefront_count=count,
        ideal_wavefronts=ideal_wavefronts(addresses, width),
        phase_degrees=conflict_degrees(addresses, width),
        wavefronts=bank_map(addresses, width),
    )


def _check_rows(pattern: AccessPattern) -> None:
    if pattern.element_bytes != ROW_BYTES:
        raise InvalidInputError(
            f"Each lane of an ldmatrix names a row of {ROW_BYTES} bytes, not of {pattern.element_bytes}. "
            f"Set the element to {ROW_BYTES} bytes.",
            field="element_bytes",
        )
