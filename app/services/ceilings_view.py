"""The roofs of one device: the newest measured value of each beside what the data sheet promises."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from app.domain.errors import NotFoundError
from app.domain.evidence import DeviceEvidence
from app.domain.measurement import Ceiling
from app.domain.vocabulary import Provenance
from app.services.device_choice import DeviceChoice, choose_device
from app.storage.store import Store


@dataclass(frozen=True)
class CeilingKind:
    """A kind of roof, as in `Ceiling.kind`, and how a page calls it."""

    name: str
    title: str
    question: str


KINDS = (
    CeilingKind("bandwidth", "Bandwidth", "How many bytes a second can it move?"),
    CeilingKind("compute", "Arithmetic", "How many operations a second can it do?"),
)


@dataclass(frozen=True)
class KnownCeiling:
    """A ceiling and the run that found it; the time is None where that run kept no measurement."""

    ceiling: Ceiling
    run_id: int
    measured_at: datetime | None
    imported: bool

    @property
    def clock_hz(self) -> float | None:
        """The SM clock that the value holds at, in Hz."""
        stated = self.ceiling.source is Provenance.DATASHEET
        return self.ceiling.boost_clock_hz if stated else self.ceiling.sm_clock_hz


@dataclass(frozen=True)
class CeilingRow:
    """One roof of a device: measured, promised, or both."""

    name: str
    kind: str
    measured: KnownCeiling | None
    stated: KnownCeiling | None

    @property
    def known(self) -> tuple[KnownCeiling, ...]:
        """What is known of it, measured first."""
        return tuple(one for one in (self.measured, self.stated) if one is not None)

    @property
    def title(self) -> str:
        """Title of the micro-benchmark, else of the promise."""
        return self.known[0].ceiling.title

    @property
    def reached_fraction(self) -> float | None:
        """Measured over stated, or None where either is missing."""
        if self.measured is None or self.stated is None:
            return None
        return self.measured.ceiling.value / self.stated.ceiling.value


@dataclass(frozen=True)
class CeilingGroup:
    """The roofs of one kind, highest first: by what was measured, else by what is stated."""

    kind: CeilingKind
    rows: tuple[CeilingRow, ...]

    @property
    def values(self) -> tuple[float, ...]:
        """Every value, for a common unit."""
        return tuple(one.ceiling.value for row in self.rows for one in row.known)


@dataclass(frozen=True)
class CeilingsView:
    """Groups that have a roof; none where nothing was measured yet."""

    choice: DeviceChoice
    groups: tuple[CeilingGroup, ...]

    @property
    def rows(self) -> tuple[CeilingRow, ...]:
        """Every roof in page order."""
        return tuple(row for group in self.groups for row in group.rows)


def ceilings_view(store: Store, device_uuid: str | None) -> CeilingsView:
    """The roofs of a device. Raises InvalidInputError for a device without measurements."""
    choice = choose_device(store, device_uuid)
    rows = _rows(choice.evidence) if choice.evidence else []
    groups = (CeilingGroup(kind, tuple(r for r in rows if r.kind == kind.name)) for kind in KINDS)
    return CeilingsView(choice, tuple(group for group in groups if group.rows))


def ceiling_group(store: Store, kind: str, device_uuid: str | None) -> tuple[str, CeilingGroup]:
    """A device's name and its roofs of one kind. Raises NotFoundError where it has none."""
    view = ceilings_view(store, device_uuid)
    for group in view.groups:
        if group.kind.name == kind and view.choice.evidence is not None:
            return view.choice.evidence.device.name, group
    raise NotFoundError(f"No {kind} roof is known here: a run on the device measures it.", field="kind")


def _rows(evidence: DeviceEvidence) -> list[CeilingRow]:
    kinds = {name: found.kind for (name, _), (_, found) in evidence.ceilings.items()}
    rows = [
        CeilingRow(
            name,
            kind,
            _known(evidence, name, Provenance.MEASURED),
            _known(evidence, name, Provenance.DATASHEET),
        )
        for name, kind in kinds.items()
    ]
    rows = [row for row in rows if row.known]
    return sorted(rows, key=lambda row: (-row.known[0].ceiling.value, row.name))


def _known(evidence: DeviceEvidence, name: str, source: Provenance) -> KnownCeiling | None:
    found = evidence.ceilings.get((name, source))
    if found is None:
        return None
    run_id, ceiling = found
    cell = next((c for c in _cells(evidence) if c[0] == run_id), None)
    return KnownCeiling(ceiling, run_id, cell[1] if cell else None, cell[2] if cell else False)


def _cells(evidence: DeviceEvidence) -> Iterable[tuple[int, datetime, bool]]:
    return ((cell.run_id, cell.measured_at, cell.imported) for cell in evidence.cells.values())
