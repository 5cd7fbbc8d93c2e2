"""Physical limits and the device's state, turned into a measurement's health."""

from __future__ import annotations

import math
from datetime import UTC, datetime

from app.backends import health
from app.domain.device import DeviceState
from app.domain.measurement import Roof
from app.domain.vocabulary import Health, Provenance


def state(**values: object) -> DeviceState:
    return DeviceState(datetime.now(UTC), **values)  # type: ignore[arg-type]


def test_medians_ignore_what_was_not_readable() -> None:
    held = health.held_state(
        [state(sm_clock_hz=1e9), state(sm_clock_hz=3e9), state(), state(sm_clock_hz=2e9)]
    )
    assert held.sm_clock_hz == 2e9
    assert held.power_w is None


def test_a_duration_that_no_clock_gives_is_impossible() -> None:
    assert health.impossible_samples([1e-6, 2e-6]) == ()
    for bad in (0.0, -1e-9, math.nan, math.inf):
        (reason,) = health.impossible_samples([1e-6, bad, 2e-6])
        assert reason.startswith("1 of 3 samples are not a positive duration")


def test_above_the_data_sheet_is_impossible_above_a_measured_roof_by_five_per_cent() -> None:
    datasheet = Roof("fp32", 100.0, Provenance.DATASHEET)
    measured = Roof("fp32", 100.0, Provenance.MEASURED)
    assert health.above_roof(100.0, datasheet) == ()
    assert health.above_roof(104.0, measured) == ()
    assert health.above_roof(101.0, datasheet) == (
        "101.0% of the datasheet fp32 roof: more than the device can do",
    )
    assert health.above_roof(106.0, measured) != ()
    assert health.above_roof(1e30, None) == ()


def test_a_result_above_its_roof_is_quarantined_with_its_reason() -> None:
    found, reasons = health.assess([state(sm_clock_hz=1e9)], ("342.0% of the roof",))
    assert found is Health.QUARANTINED
    assert reasons == ("342.0% of the roof",)


def test_a_foreign_process_is_named() -> None:
    states = [state(sm_clock_hz=1e9), state(sm_clock_hz=1e9, foreign_processes=("python (pid 7)",))]
    assert health.assess(states, ()) == (Health.FOREIGN_PROCESS, ("shared the device with python (pid 7)",))


def test_one_throttled_reading_in_twenty_is_a_blip_one_in_five_is_not() -> None:
    hot = state(sm_clock_hz=1e9, throttle_reasons=("thermal limit",))
    cool = state(sm_clock_hz=1e9)
    assert health.assess([hot] + [cool] * 19, ())[0] is Health.OK
    assert health.assess([hot] + [cool] * 4, ()) == (Health.THROTTLED, ("throttled: thermal limit",))


def test_without_a_clock_health_is_unknown_and_says_why() -> None:
    assert health.assess([state()], ()) == (Health.UNKNOWN, ("the clock held is not readable here",))
