"""What the worker and the measuring child say to each other, one JSON object a line.

The worker writes one `Plan` to the child's standard input and closes it; the child answers with
`ChildMessage` lines on standard output, flushed one by one, and ends with exit code 0 after `Done`.
A child that exits without `Done` died; the last `CellStarted` names the cell in flight.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from app.domain.device import Capability, Device, DeviceState, Environment
from app.domain.duel import Duel, DuelRule
from app.domain.measurement import Ceiling, CellKey, CellOutcome, Measurement, Samples
from app.domain.vocabulary import BackendName, Regime


@dataclass(frozen=True)
class StopRule:
    """When sampling of one measurement may end. Durations in seconds."""

    min_samples: int = 10
    min_total_s: float = 0.1
    ci_width_fraction: float = 0.005
    max_samples: int = 2000
    max_total_s: float = 5.0


@dataclass(frozen=True)
class Plan:
    """The child's whole task."""

    backend: BackendName
    cells: tuple[CellKey, ...]
    cold: StopRule = field(default_factory=StopRule)
    warm: StopRule = field(default_factory=StopRule)
    brief: StopRule = field(default_factory=StopRule)  # for every problem that is no ladder
    scan: bool = False  # every cell briefly; one whose launch takes too long is left out
    duel: tuple[Regime, ...] = ()  # regimes in which the fastest of each group fight
    duel_rule: DuelRule = field(default_factory=DuelRule)
    measure_ceilings: bool = True
    known_ceilings: tuple[Ceiling, ...] = ()  # measured by an earlier child of the job: roofs for this one
    cache_dir: str = ""  # cubins and compiled CPU code
    prior_samples: tuple[Samples, ...] = ()  # streamed by a child that died; sampling goes on from them
    probe_only: bool = False  # answer Probed and Done, measure nothing


@dataclass(frozen=True)
class Probed:
    """The device as the child sees it; always the first message."""

    device: Device
    environment: Environment
    capabilities: tuple[Capability, ...] = ()
    state: DeviceState | None = None
    kind: Literal["probed"] = "probed"


@dataclass(frozen=True)
class CeilingMeasured:
    """One roof."""

    ceiling: Ceiling
    kind: Literal["ceiling"] = "ceiling"


@dataclass(frozen=True)
class CellStarted:
    """The cell the child works on from now: what dies with the child is this one."""

    key: CellKey
    phase: Literal["compiling", "checking", "sampling"]
    kind: Literal["cell_started"] = "cell_started"


@dataclass(frozen=True)
class RoundDone:
    """After each round: new samples of every stage in it, and how far each is from its target."""

    round: int
    samples: tuple[Samples, ...]  # only those new in this round
    medians_s: tuple[float, ...]  # one per entry of samples, over all of its samples so far
    ci_fractions: tuple[float | None, ...]  # relative CI width so far
    counts: tuple[int, ...]
    state: DeviceState | None = None
    kind: Literal["round"] = "round"


@dataclass(frozen=True)
class Measured:
    """One finished measurement with all of its samples."""

    measurement: Measurement
    samples: Samples
    kind: Literal["measured"] = "measured"


@dataclass(frozen=True)
class DuelFought:
    """The end of one duel."""

    duel: Duel
    kind: Literal["duel"] = "duel"


@dataclass(frozen=True)
class CellEnded:
    """A cell is over: measured (both cache states), skipped, unsupported, wrong or failed."""

    outcome: CellOutcome
    kind: Literal["cell_ended"] = "cell_ended"


@dataclass(frozen=True)
class SourceUsed:
    """The text behind a recipe's `source_sha256`."""

    sha256: str
    text: str
    kind: Literal["source"] = "source"


@dataclass(frozen=True)
class LogLine:
    """A line for the job's log."""

    text: str
    kind: Literal["log"] = "log"


@dataclass(frozen=True)
class Fatal:
    """No cell can be measured here: one clear line and what to do."""

    code: str
    message: str
    kind: Literal["fatal"] = "fatal"


@dataclass(frozen=True)
class Done:
    """The child has nothing left to do."""

    kind: Literal["done"] = "done"


ChildMessage = (
    Probed
    | CeilingMeasured
    | CellStarted
    | RoundDone
    | Measured
    | DuelFought
    | CellEnded
    | SourceUsed
    | LogLine
    | Fatal
    | Done
)
