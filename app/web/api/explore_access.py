"""GET /explore/coalescing and /explore/bank-conflicts: one request of a warp by the model, no GPU needed."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from app.analysis.bank_map import ServedWord, Wavefront
from app.services.explore_access import GlobalRequest, SharedRequest, global_request, shared_request
from app.web.explore_questions import BankQuestion, CoalescingQuestion

router = APIRouter(prefix="/explore", tags=["explore"])


class CoalescingOut(BaseModel):
    """Sectors of 32 bytes and lines of 128 that one request touches."""

    sectors_per_request: int
    ideal_sectors_per_request: int = Field(description="If the same bytes lay side by side, aligned.")
    efficiency_fraction: float = Field(description="Distinct bytes asked for over bytes moved, 0 to 1.")
    useful_bytes: int = Field(description="Distinct bytes that the lanes ask for.")
    moved_bytes: int = Field(description="Sectors x 32.")
    sectors: list[int] = Field(description="Their numbers, ascending: byte address / 32.")
    cache_lines: list[int] = Field(description="Lines of 128 bytes, ascending: byte address / 128.")
    addresses: list[int] = Field(description="Byte address of each lane, from an aligned base.")

    @classmethod
    def of(cls, found: GlobalRequest) -> CoalescingOut:
        """The request as the interface gives it."""
        return cls(
            sectors_per_request=len(found.sectors),
            ideal_sectors_per_request=found.ideal_sectors,
            efficiency_fraction=found.efficiency_fraction,
            useful_bytes=found.useful_bytes,
            moved_bytes=found.moved_bytes,
            sectors=list(found.sectors),
            cache_lines=list(found.cache_lines),
            addresses=list(found.addresses),
        )


class ServedWordOut(BaseModel):
    """A 4-byte word that a bank hands out, and the lanes that take it."""

    bank: int
    word: int = Field(description="Byte address / 4.")
    lanes: list[int]

    @classmethod
    def of(cls, served: ServedWord) -> ServedWordOut:
        """The word as the interface gives it."""
        return cls(bank=served.bank, word=served.word, lanes=list(served.lanes))


class WavefrontOut(BaseModel):
    """One pass over the banks."""

    phase: int = Field(description="Group of lanes of a wide access, from 0.")
    served: list[ServedWordOut]

    @classmethod
    def of(cls, wavefront: Wavefront) -> WavefrontOut:
        """The wavefront as the interface gives it."""
        return cls(phase=wavefront.phase, served=[ServedWordOut.of(one) for one in wavefront.served])


class BankConflictsOut(BaseModel):
    """Passes over the 32 banks that one request needs."""

    wavefronts_per_request: int
    ideal_wavefronts_per_request: int = Field(description="If its distinct words spread over all banks.")
    conflict_degree: int = Field(description="Words that the busiest bank serves one after the other.")
    phase_degrees: list[int] = Field(description="The same for each phase: 1 up to 4 bytes, 2 of 8, 4 of 16.")
    banks_used: int
    wavefronts: list[WavefrontOut] = Field(description="Which lanes each bank serves in which pass.")
    addresses: list[int] = Field(description="Byte address of each lane, from an aligned base.")

    @classmethod
    def of(cls, found: SharedRequest) -> BankConflictsOut:
        """The request as the interface gives it."""
        return cls(
            wavefronts_per_request=found.wavefront_count,
            ideal_wavefronts_per_request=found.ideal_wavefronts,
            conflict_degree=found.conflict_degree,
            phase_degrees=list(found.phase_degrees),
            banks_used=found.banks_used,
            wavefronts=[WavefrontOut.of(one) for one in found.wavefronts],
            addresses=list(found.pattern.addresses),
        )


@router.get("/coalescing", summary="Sectors of one request to global memory")
def coalescing(asked: Annotated[CoalescingQuestion, Query()]) -> CoalescingOut:
    """Adjacent floats take 4 sectors, shifted by one of them 5, with a stride of 8 or more 32."""
    return CoalescingOut.of(global_request(asked.pattern()))


@router.get("/bank-conflicts", summary="Wavefronts of one request to shared memory")
def bank_conflicts(asked: Annotated[BankQuestion, Query()]) -> BankConflictsOut:
    """A stride of s words conflicts gcd(s, 32)-way; the same word for all lanes is a broadcast."""
    return BankConflictsOut.of(shared_request(asked.pattern(), asked.instruction))
