"""How a roof is sampled, and which roofs a device's attributes give."""

from __future__ import annotations

import time

import pytest

from app.backends import ceilings
from app.domain.device import Device
from app.domain.errors import StageFailure
from app.domain.vocabulary import BackendName, Provenance


def test_sampling_goes_on_while_it_still_gets_faster(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ceilings, "_HELD_S", 0.05)
    times = iter([9.0, 9.0, 9.0, 9.0, 9.0, 9.0, 5.0, 4.0] + [6.0] * 1000)

    def take() -> float:
        time.sleep(0.005)
        return next(times)

    found = ceilings.sample_fastest(take)
    assert min(found) == 4.0
    assert 10 < len(found) < 100


def test_sampling_ends_even_when_it_gets_faster_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ceilings, "_LONGEST_S", 0.05)
    times = iter(0.5**i for i in range(1000))

    def take() -> float:
        time.sleep(0.002)
        return next(times)

    assert len(ceilings.sample_fastest(take)) < 100


def test_no_positive_window_is_no_roof(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ceilings, "_HELD_S", 0.0)
    with pytest.raises(StageFailure, match="positive"):
        ceilings.sample_fastest(lambda: 0.0)


def test_attributes_that_are_not_known_give_no_roof() -> None:
    assert ceilings.from_datasheet(Device("cpu-1", "CPU", BackendName.CPU)) == []
    known = Device("GPU-1", "GPU", BackendName.CUDA, boost_clock_hz=1e9, datasheet_fp32_flop_per_s=1e12)
    (roof,) = ceilings.from_datasheet(known)
    assert (roof.name, roof.source, roof.boost_clock_hz) == ("fp32_fma", Provenance.DATASHEET, 1e9)
