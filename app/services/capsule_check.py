"""Whether what a capsule says hangs together; it comes from a stranger until this has passed."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterator, Sequence

from app.domain.duel import DUEL_REGIMES, Duel
from app.domain.errors import RoofladderError, UnsupportedCapsuleError
from app.domain.measurement import CellKey, Measurement, Samples
from app.domain.run import Run
from app.services.edit_run import MAX_LABEL, MAX_NOTE, checked_tags, checked_text

_UID = re.compile(r"[0-9A-Za-z-]{8,64}")
_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")
MAX_SIZE_PARAMETERS = 8
MAX_NAME = 200  # of a device, a host, a library
MAX_REASON = 10_000
YEARS = range(1970, 9000)  # a time near the ends of the calendar cannot be turned into UTC


def check_run(run: Run, samples: Sequence[Samples]) -> None:
    """Raises UnsupportedCapsuleError that names the first thing that does not fit."""
    _check_summary(run)
    for key in _keys(run, samples):
        _check_key(key)
    for i, measurement in enumerate(run.measurements):
        _check_measurement(measurement, f"measurements[{i}]")
    _check_samples(run, samples)
    _check_words(run)
    for i, ceiling in enumerate(run.ceilings):
        _require(ceiling.value > 0, f"ceilings[{i}].value", "is not positive")
    for i, duel in enumerate(run.duels):
        _check_duel(duel, f"duels[{i}]")
    for name, text in run.sources.items():
        _require(
            hashlib.sha256(text.encode()).hexdigest() == name, "sources", f"{name[:12]} has another content"
        )


def _check_summary(run: Run) -> None:
    summary = run.summary
    _require(_UID.fullmatch(summary.uid) is not None, "uid", "is not an identity")
    _require(
        summary.status.is_final, "status", f"is {summary.status.value}; only a run that is over can be kept"
    )
    _require(summary.device is not None, "device", "is missing, so its numbers mean nothing")
    _require(
        summary.device is None or summary.device.backend is summary.backend,
        "backend",
        "differs from the device's",
    )
    _require(run.selection.backend is summary.backend, "backend", "differs from the selection's")
    for at in (summary.created_at, summary.started_at, summary.finished_at):
        _require(at is None or at.tzinfo is not None, "created_at", "has no time zone")
        _require(at is None or at.year in YEARS, "created_at", "lies outside the calendar")
    for name in (*summary.problems, *run.selection.problems, *(run.selection.stages or ())):
        _require(_NAME.fullmatch(name) is not None, "problems", f"{name[:40]!r} is not a name")
    try:
        checked_text(summary.label, "label", MAX_LABEL)
        checked_text(summary.note, "note", MAX_NOTE, multiline=True)
        checked_tags(summary.tags)
    except RoofladderError as error:
        raise UnsupportedCapsuleError(error.message, field=error.field) from error


def _check_words(run: Run) -> None:
    """What a page shows in one line is short, and nothing turns the text around it."""
    device, environment = run.summary.device, run.environment
    names = (
        [("device", text) for text in (device.name, device.uuid, device.architecture or "")] if device else []
    )
    if environment is not None:
        told = (environment.os, environment.host, environment.driver_version or "", *environment.libraries)
        names += [("environment", text) for text in told]
    names += [("ceilings", text) for ceiling in run.ceilings for text in (ceiling.name, ceiling.title)]
    reasons = [("outcomes", outcome.reason) for outcome in run.outcomes]
    reasons += [("duels", duel.library_call) for duel in run.duels]
    reasons += [("measurements", text) for one in run.measurements for text in one.health_reasons]
    reasons += [("error", run.summary.error.message)] if run.summary.error else []
    try:
        for field, text in names:
            checked_text(text, field, MAX_NAME)
        for field, text in reasons:
            checked_text(text, field, MAX_REASON, multiline=True)
    except RoofladderError as error:
        raise UnsupportedCapsuleError(error.message, field=error.field) from error


def _keys(run: Run, samples: Sequence[Samples]) -> Iterator[CellKey]:
    yield from (measurement.key for measurement in run.measurements)
    yield from (outcome.key for outcome in run.outcomes)
    yield from (one.key for one in samples)
    for duel in run.duels:
        yield from (CellKey(duel.problem, name, duel.size, duel.dtype) for name in (duel.own, duel.library))


def _check_key(key: CellKey) -> None:
    names = (key.problem, key.stage, *(name for name, _ in key.size.values))
    for name in names:
        _require(_NAME.fullmatch(name) is not None, "cell", f"{name[:40]!r} is not a name")
    _require(1 <= len(key.size.values) <= MAX_SIZE_PARAMETERS, "size", "has too few or too many parameters")
    _require(len(key.size.as_dict()) == len(key.size.values), "size", "repeats a parameter")
    _require(all(value >= 0 for _, value in key.size.values), "size", "is negative")


def _check_measurement(measurement: Measurement, field: str) -> None:
    times = (measurement.median_s, measurement.p5_s, measurement.p95_s)
    _require(all(value > 0 for value in times), f"{field}.median_s", "is not positive")
    counts = (measurement.n, measurement.launches_per_sample)
    _require(all(value >= 1 for value in counts), f"{field}.n", "is not positive")
    amounts = (
        measurement.mad_s,
        measurement.flop,
        measurement.least_dram_bytes,
        measurement.noise_fraction or 0,
    )
    _require(all(value >= 0 for value in amounts), field, "has a negative amount")


def _check_duel(duel: Duel, field: str) -> None:
    _require(duel.regime in DUEL_REGIMES, f"{field}.regime", "is none of a duel")
    _require(bool(duel.pairs), f"{field}.pairs", "is empty")
    _require(duel.flop >= 0, f"{field}.flop", "is negative")
    for block in (block for pair in duel.pairs for block in (pair.own, pair.library)):
        _require(0 < block.launch_s < math.inf, f"{field}.pairs", "have a duration that is not positive")
        _require(block.launches >= 1, f"{field}.pairs", "have a block without launches")


def _check_samples(run: Run, samples: Sequence[Samples]) -> None:
    measured = {(m.key, m.cache, m.regime): m.n for m in run.measurements}
    _require(len(measured) == len(run.measurements), "measurements", "repeat a cell")
    held = {(one.key, one.cache, one.regime): one for one in samples}
    _require(len(held) == len(samples), "samples", "repeat a cell")
    _require(held.keys() == measured.keys(), "samples", "do not belong to the measurements")
    for identity, one in held.items():
        _require(
            len(one.durations_s) == measured[identity], "samples", "are not as many as the measurement says"
        )
        _require(
            len(one.sm_clock_hz) in (0, len(one.durations_s)), "samples", "have another number of clocks"
        )
        _require(
            all(duration > 0 for duration in one.durations_s),
            "samples",
            "have a duration that is not positive",
        )


def _require(condition: bool, field: str, fault: str) -> None:
    if not condition:
        raise UnsupportedCapsuleError(
            f"The capsule does not hang together: {field} {fault}. Nothing was stored; export it again.",
            field=field,
        )
