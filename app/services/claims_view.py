"""Every published figure against what is known of one device."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from app.claims.catalogue import claims
from app.claims.published import Judged, Section, judge
from app.domain.vocabulary import Verdict
from app.services.device_choice import DeviceChoice, choose_device
from app.storage.store import Store


@dataclass(frozen=True)
class ClaimFilter:
    """What narrows the list; None leaves all."""

    verdict: Verdict | None = None
    section: Section | None = None

    @property
    def narrows(self) -> bool:
        """Whether anything is left out."""
        return self.verdict is not None or self.section is not None


@dataclass(frozen=True)
class SectionClaims:
    """The claims of one section that the filter lets through."""

    section: Section
    claims: tuple[Judged, ...]


@dataclass(frozen=True)
class ClaimsView:
    """`counts` over all claims of the device, whatever the filter; no evidence, no verdicts."""

    choice: DeviceChoice
    filter: ClaimFilter
    counts: Mapping[Verdict, int]
    groups: tuple[SectionClaims, ...]
    total: int

    @property
    def sections(self) -> tuple[Section, ...]:
        """Every section, for the filter."""
        return tuple(Section)

    @property
    def shown(self) -> tuple[Judged, ...]:
        """The claims that the filter lets through, in order."""
        return tuple(judged for group in self.groups for judged in group.claims)


def claims_view(store: Store, device_uuid: str | None, chosen: ClaimFilter) -> ClaimsView:
    """Judge every claim on the device. Raises InvalidInputError for a device without measurements."""
    choice = choose_device(store, device_uuid)
    judged = [judge(claim, choice.evidence) for claim in claims()] if choice.evidence else []
    counts = Counter(one.verdict for one in judged)
    groups = (
        SectionClaims(section, tuple(one for one in judged if _passes(one, section, chosen)))
        for section in Section
    )
    return ClaimsView(
        choice=choice,
        filter=chosen,
        counts={verdict: counts[verdict] for verdict in Verdict},
        groups=tuple(group for group in groups if group.claims),
        total=len(claims()),
    )


def _passes(judged: Judged, section: Section, chosen: ClaimFilter) -> bool:
    return (
        judged.claim.section is section
        and chosen.section in (None, section)
        and chosen.verdict in (None, judged.verdict)
    )
