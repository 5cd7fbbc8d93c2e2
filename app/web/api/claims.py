"""GET /claims: published figures against what was found on a device."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from app.claims.published import Found, Judged, Missing, Quantity, Section
from app.domain.vocabulary import Provenance, Verdict
from app.services.claims_view import ClaimFilter, claims_view
from app.web.api.paging import Page
from app.web.claim_wording import rule_text
from app.web.dependencies import StoreDep

router = APIRouter(prefix="/claims", tags=["claims"])
DeviceUuid = Annotated[
    str | None,
    Query(max_length=200, description="UUID of a device with measurements; the first one if left out."),
]


class ClaimOut(BaseModel):
    """One claim and its verdict on the device."""

    id: str = Field(examples=["matmul-order"])
    section: Section
    statement: str
    source: str = Field(examples=["L24 stage 3"])
    said_of: str = Field(description="The device that the figure was published for.", examples=["A100"])
    claimed: float | str = Field(description="In the SI unit of `quantity`, or the words as printed.")
    quantity: Quantity
    rule: str = Field(description="When it holds.", examples=["holds within ±10 % of 75.8 %"])
    compared: str = Field(description="What is held against the figure here.")
    verdict: Verdict
    here: float | None = Field(description="The value on this device, null where there is none.")
    provenance: Provenance
    basis: str | None = Field(description="How the value came about.")
    run_ids: list[int] = Field(description="The runs that hold the numbers behind it.")
    imported: bool = Field(description="Whether one of them came from another machine.")
    reason: str | None = Field(description="Why there is no value.")
    remedy: str | None = Field(description="What would give one.")

    @classmethod
    def of(cls, judged: Judged) -> ClaimOut:
        """The claim as the interface gives it."""
        claim = judged.claim
        found = judged.found if isinstance(judged.found, Found) else None
        missing = judged.found if isinstance(judged.found, Missing) else None
        return cls(
            id=claim.id,
            section=claim.section,
            statement=claim.statement,
            source=claim.source,
            said_of=claim.said_of,
            claimed=claim.claimed,
            quantity=claim.quantity,
            rule=rule_text(claim),
            compared=claim.compared,
            verdict=judged.verdict,
            here=found.value if found else None,
            provenance=found.provenance if found else Provenance.NOT_CAPTURED,
            basis=found.basis if found else None,
            run_ids=list(found.run_ids) if found else [],
            imported=found.imported if found else False,
            reason=missing.reason if missing else None,
            remedy=missing.remedy if missing else None,
        )


class ClaimsOut(Page[ClaimOut]):
    """Every claim that the filter lets through; `counts` are over all claims of the device."""

    device: str | None = Field(description="UUID of the device, null where nothing was ever measured.")
    device_name: str | None
    counts: dict[Verdict, int]


@router.get("")
def claims(
    store: StoreDep,
    device: DeviceUuid = None,
    verdict: Annotated[Verdict | None, Query(description="Only claims with this verdict.")] = None,
    section: Annotated[Section | None, Query(description="Only claims of this section.")] = None,
) -> ClaimsOut:
    """Each claim with its verdict, in the order of the page. Without any measurement the list is empty."""
    view = claims_view(store, device, ClaimFilter(verdict, section))
    evidence = view.choice.evidence
    return ClaimsOut(
        items=[ClaimOut.of(judged) for judged in view.shown],
        next=None,
        device=view.choice.uuid,
        device_name=evidence.device.name if evidence else None,
        counts=dict(view.counts),
    )
