"""What a trap does wrong on purpose, and how the product must answer."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from app.domain.vocabulary import CellStatus


class Clock(StrEnum):
    """How a launch is timed; only traps take another than the device's own events."""

    DEVICE_EVENTS = "device_events"
    UNSYNCHRONISED = "unsynchronised"  # the host's clock, stopped when the launch is queued
    FIRST_LAUNCH = "first_launch"  # the host's clock around compiling, loading and one launch


@dataclass(frozen=True)
class Trap:
    """A failing variant. `fools` says how it misleads, `says` is part of what the product must say.

    `deadline_s`: the measuring process is ended after so long without a word. `control` names the stage of
    the same problem that does it right, for a trap that is right and slow; `row_words` is then the length
    of its shared rows in 4-byte words.
    """

    fools: str
    says: str
    status: CellStatus
    clock: Clock = Clock.DEVICE_EVENTS
    foreign_architecture: bool = False
    deadline_s: float | None = None
    control: str | None = None
    row_words: int | None = None
