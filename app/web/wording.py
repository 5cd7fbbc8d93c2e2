"""Closed word lists as badges and sentences: icon, tone and text for each value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from app.domain.cell_progress import CellState
from app.domain.vocabulary import (
    CellStatus,
    Health,
    Level,
    Provenance,
    Regime,
    ReuseLevel,
    RunStatus,
    StopReason,
    Verdict,
)
from app.services.traps import TrapVerdict


@dataclass(frozen=True)
class Badge:
    """How a closed word looks: tone is a class of the style sheet, icon an id of the sprite."""

    tone: str
    icon: str
    text: str


@dataclass(frozen=True)
class Source:
    """How a provenance looks and what it means."""

    icon: str
    text: str
    meaning: str


RUN_STATUS: Mapping[StrEnum, Badge] = {
    RunStatus.QUEUED: Badge("", "clock", "queued"),
    RunStatus.RUNNING: Badge("run", "play", "running"),
    RunStatus.FINISHED: Badge("good", "check", "finished"),
    RunStatus.FAILED: Badge("bad", "cross", "failed"),
    RunStatus.CANCELLED: Badge("", "cross", "cancelled"),
}
CELL_STATUS: Mapping[StrEnum, Badge] = {
    CellStatus.MEASURED: Badge("good", "check", "measured"),
    CellStatus.SKIPPED: Badge("open", "ring", "skipped"),
    CellStatus.UNSUPPORTED: Badge("", "gpu", "not on this device"),
    CellStatus.WRONG_RESULT: Badge("bad", "cross", "wrong result: not timed"),
    CellStatus.FAILED: Badge("bad", "cross", "failed"),
}
CELL_STATE: Mapping[StrEnum, Badge] = {
    CellState.WAITING: Badge("", "clock", "waiting"),
    CellState.COMPILING: Badge("", "clock", "compiling"),
    CellState.CHECKING: Badge("run", "play", "checking"),
    CellState.SAMPLING: Badge("run", "play", "measuring"),
    CellState.NEXT_IN_ROUND: Badge("", "clock", "next in round"),
    CellState.DONE: Badge("good", "check", "done"),
    CellState.SKIPPED: Badge("open", "ring", "skipped"),
    CellState.UNSUPPORTED: Badge("", "gpu", "not on this device"),
    CellState.WRONG_RESULT: Badge("bad", "cross", "wrong result"),
    CellState.FAILED: Badge("bad", "cross", "failed"),
}
TRAP_VERDICT: Mapping[StrEnum, Badge] = {
    TrapVerdict.CAUGHT: Badge("good", "check", "caught"),
    TrapVerdict.NOT_CAUGHT: Badge("bad", "cross", "not caught"),
    TrapVerdict.NOT_RUN: Badge("open", "ring", "not run here"),
}
VERDICT: Mapping[StrEnum, Badge] = {
    Verdict.HOLDS: Badge("good", "check", "holds"),
    Verdict.DOES_NOT_HOLD: Badge("bad", "cross", "does not hold"),
    Verdict.IMPOSSIBLE: Badge("bad", "cross", "impossible as printed"),
    Verdict.NOT_MEASURABLE: Badge("open", "ring", "not measurable here"),
}
HEALTH: Mapping[StrEnum, Badge] = {
    Health.OK: Badge("good", "check", "healthy"),
    Health.THROTTLED: Badge("warn", "warn", "throttled"),
    Health.FOREIGN_PROCESS: Badge("warn", "warn", "foreign process"),
    Health.QUARANTINED: Badge("warn", "warn", "quarantined"),
    Health.UNKNOWN: Badge("open", "ring", "health not readable"),
}
STOP_REASON: Mapping[StrEnum, str] = {
    StopReason.CI_REACHED: "interval target reached",
    StopReason.NOISE_SETTLED: "noise settled above the target",
    StopReason.TIME_LIMIT: "time limit",
    StopReason.SAMPLE_LIMIT: "sample limit",
}
LEVEL: Mapping[StrEnum, str] = {
    Level.DRAM: "DRAM",
    Level.L2: "L2",
    Level.L1: "L1",
    Level.SHARED: "shared",
}
REUSE: Mapping[StrEnum, str] = {
    ReuseLevel.NONE: "none",
    ReuseLevel.CACHE: "cache",
    ReuseLevel.SHARED: "shared",
    ReuseLevel.REGISTERS: "registers",
    ReuseLevel.LIBRARY: "library",
}
PROVENANCE: Mapping[StrEnum, Source] = {
    Provenance.MEASURED: Source("stopwatch", "measured", "timed on the machine named in the title"),
    Provenance.COUNTED: Source("bars", "counted", "hardware counter, Nsight Compute"),
    Provenance.COMPILER: Source("chip", "compiler", "compiler report: registers, spills"),
    Provenance.MODELLED: Source("fx", "modelled", "computed from the kernel's algebra"),
    Provenance.IMPORTED: Source("tray", "imported", "came in a capsule or report"),
    Provenance.CLAIMED: Source("quote", "claimed", "published figure, not ours"),
    Provenance.DATASHEET: Source("sheet", "data sheet", "from the data sheet or device attributes"),
    Provenance.NOT_CAPTURED: Source("ring", "not captured", "missing, with the reason"),
}
REGIME: Mapping[StrEnum, str] = {
    Regime.SINGLE: "one launch a sample",
    Regime.BURST: "launches back to back",
    Regime.SUSTAINED: "until heat and power settle",
}
WORDINGS: Mapping[str, Mapping[StrEnum, object]] = {
    "run_badge": RUN_STATUS,
    "cell_badge": CELL_STATUS,
    "live_badge": CELL_STATE,
    "verdict_badge": VERDICT,
    "trap_badge": TRAP_VERDICT,
    "health_badge": HEALTH,
    "stop_words": STOP_REASON,
    "level_word": LEVEL,
    "regime_words": REGIME,
    "reuse_word": REUSE,
    "source_look": PROVENANCE,
}
