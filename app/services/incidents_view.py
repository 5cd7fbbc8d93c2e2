"""Incidents replayed on one device: before and after as measured here, beside the published figures."""

from __future__ import annotations

from dataclasses import dataclass

from app.claims.incidents.incident import Incident, incident, incidents
from app.claims.published import Cell, Judged, judge
from app.domain.evidence import DeviceEvidence, MeasuredCell
from app.services.device_choice import DeviceChoice, choose_device
from app.storage.store import Store


@dataclass(frozen=True)
class IncidentView:
    """One incident on the chosen device; without evidence nothing is measured and nothing judged."""

    choice: DeviceChoice
    incident: Incident
    before: MeasuredCell | None
    after: MeasuredCell | None
    factor: Judged | None
    figures: tuple[Judged, ...]


@dataclass(frozen=True)
class IncidentsView:
    """Every incident on the chosen device."""

    choice: DeviceChoice
    items: tuple[IncidentView, ...]


def incidents_view(store: Store, device_uuid: str | None) -> IncidentsView:
    """All incidents. Raises InvalidInputError for a device without measurements."""
    choice = choose_device(store, device_uuid)
    return IncidentsView(choice, tuple(_on_device(one, choice) for one in incidents().values()))


def incident_view(store: Store, name: str, device_uuid: str | None) -> IncidentView:
    """One incident. Raises NotFoundError for an unknown name, InvalidInputError for such a device."""
    return _on_device(incident(name), choose_device(store, device_uuid))


def _on_device(found: Incident, choice: DeviceChoice) -> IncidentView:
    evidence = choice.evidence
    return IncidentView(
        choice=choice,
        incident=found,
        before=_measured(found.before, evidence),
        after=_measured(found.after, evidence),
        factor=judge(found.factor, evidence) if evidence else None,
        figures=tuple(judge(claim, evidence) for claim in found.figures) if evidence else (),
    )


def _measured(cell: Cell, evidence: DeviceEvidence | None) -> MeasuredCell | None:
    if evidence is None:
        return None
    return evidence.sound(cell.problem, cell.stage, cell.size, cell.cache, cell.dtype)
