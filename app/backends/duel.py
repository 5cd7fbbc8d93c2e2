"""Fights duels: prepared cells, timed in blocks that alternate between an own stage and a library line."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from app.backends.backend import PreparedCell
from app.backends.health import held_state
from app.backends.monitor import StateLog
from app.domain.child_messages import CellStarted, ChildMessage, DuelFought, LogLine
from app.domain.device import DeviceState
from app.domain.duel import Duel, DuelBlock, DuelPair, DuelRule
from app.domain.errors import StageFailure, StickyDeviceFailure, WrongResultFailure
from app.domain.measurement import CellKey
from app.domain.vocabulary import BackendName, Regime
from app.kernels.stage import Stage

# A window ends with a wait: a tenth of a second makes that wait small, and the driver's queue holds no more.
_WINDOW_S = 0.1
_MOST_LAUNCHES = 100

_RULES: Mapping[BackendName, DuelRule] = {
    BackendName.CUDA: DuelRule(),
    # A CPU cools and heats too slowly, or in a virtual machine invisibly: short blocks show as much.
    BackendName.CPU: DuelRule(idle_s=0.1, block_s=0.2, heat_s=0.4),
}


@dataclass(frozen=True)
class Contender:
    """A measured stage that is still prepared. `launch_s` is its median with warm caches."""

    key: CellKey
    stage: Stage
    cell: PreparedCell
    launch_s: float


@dataclass(frozen=True)
class Arena:
    """What duels are fought with. `emit` takes their messages, `seed` draws the inputs of the last check."""

    log: StateLog
    rule: DuelRule
    emit: Callable[[ChildMessage], None]
    seed: int


def default_duel_rule(backend: BackendName) -> DuelRule:
    """What is used when nobody asks for anything else."""
    return _RULES[backend]


def pairings(contenders: Sequence[Contender]) -> list[tuple[Contender, Contender]]:
    """The fastest own stage and the fastest library line of each arithmetic that has both."""
    found: list[tuple[Contender, Contender]] = []
    for arithmetic in dict.fromkeys(one.stage.arithmetic for one in contenders):
        here = [one for one in contenders if one.stage.arithmetic is arithmetic]
        own = min((c for c in here if not c.stage.reference), key=_launch_s, default=None)
        library = min((c for c in here if c.stage.reference), key=_launch_s, default=None)
        if own is not None and library is not None:
            found.append((own, library))
    return found


def fight_all(contenders: Sequence[Contender], regimes: Sequence[Regime], arena: Arena) -> None:
    """Fight every pairing in every regime and tell each duel; one that fails is a line of the log.

    Raises StickyDeviceFailure where a launch loses the device's context.
    """
    pairs = pairings(contenders)
    if not pairs:
        arena.emit(
            LogLine("No duel: no own stage and library line of one arithmetic were both measured here.")
        )
    for own, library in pairs:
        for regime in regimes:
            try:
                arena.emit(DuelFought(fight(own, library, regime, arena)))
            except StickyDeviceFailure:
                raise
            except StageFailure as failure:
                arena.emit(LogLine(f"No {regime} duel of {own.stage.name}: {failure.message}"))


def fight(own: Contender, library: Contender, regime: Regime, arena: Arena) -> Duel:
    """One duel. WrongResultFailure where the own stage's result is wrong after it."""
    fought, block = arena.rule, _BLOCKS[regime]
    if regime is Regime.SUSTAINED:
        _heat((own, library), arena)
    pairs: list[DuelPair] = []
    for index in range(fought.pairs):
        own_first = index % 2 == 0
        order = (own, library) if own_first else (library, own)
        first, second = (_told(contender, block, arena) for contender in order)
        pairs.append(DuelPair(*((first, second) if own_first else (second, first)), own_first))
    after = own.cell.check(arena.seed)
    if not after.passed_before:
        raise WrongResultFailure(f"wrong after it: {after.detail}.")
    return Duel(
        problem=own.key.problem,
        size=own.key.size,
        dtype=own.key.dtype,
        arithmetic=own.stage.arithmetic,
        regime=regime,
        own=own.stage.name,
        library=library.stage.name,
        library_call=library.cell.recipe.library or library.stage.title,
        flop=own.stage.cost(own.key.size, own.key.dtype).flop,
        pairs=tuple(pairs),
    )


def _told(contender: Contender, block: Block, arena: Arena) -> DuelBlock:
    """One block, told before it starts: what dies now dies in this cell."""
    arena.emit(CellStarted(contender.key, "sampling"))
    return block(contender, arena)


def _heat(contenders: tuple[Contender, Contender], arena: Arena) -> None:
    started = time.monotonic()
    while time.monotonic() - started < arena.rule.heat_s:
        for contender in contenders:
            _told(contender, _sustained_block, arena)


def _burst_block(contender: Contender, arena: Arena) -> DuelBlock:
    launches = arena.rule.burst_launches
    time.sleep(arena.rule.idle_s)
    started = time.monotonic()
    launch_s = contender.cell.time_warm(launches)
    return _block(launch_s, launches, arena.log.since(started))


def _sustained_block(contender: Contender, arena: Arena) -> DuelBlock:
    launches = max(1, min(_MOST_LAUNCHES, math.ceil(_WINDOW_S / contender.launch_s)))
    windows_s: list[float] = []
    started = time.monotonic()
    while not windows_s or time.monotonic() - started < arena.rule.block_s:
        windows_s.append(contender.cell.time_warm(launches))
    newest_first = arena.log.since(started)
    second_half = newest_first[: (len(newest_first) + 1) // 2]
    return _block(fmean(windows_s), launches * len(windows_s), second_half)


def _block(launch_s: float, launches: int, states: Sequence[DeviceState]) -> DuelBlock:
    if not (math.isfinite(launch_s) and launch_s > 0):
        raise StageFailure(f"A block took {launch_s} s a launch, which is no duration. Run the job again.")
    held = held_state(states)
    return DuelBlock(launch_s, launches, held.sm_clock_hz, held.power_w)


def _launch_s(contender: Contender) -> float:
    return contender.launch_s


Block = Callable[[Contender, Arena], DuelBlock]

_BLOCKS: Mapping[Regime, Block] = {Regime.BURST: _burst_block, Regime.SUSTAINED: _sustained_block}
