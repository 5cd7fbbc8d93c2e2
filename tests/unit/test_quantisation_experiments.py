"""Theory of the sweeps over rows, terms and slices, from an anchor measured on a device of 132 SMs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.domain.evidence import DeviceEvidence, MeasuredCell
from app.domain.measurement import CellKey
from app.domain.size import Size
from app.domain.vocabulary import BackendName, CacheState, Dtype
from app.kernels.experiment import experiments
from app.kernels.registry import problem, stage
from app.kernels.split_break_even.problem import sliced
from app.kernels.suites import suite
from app.kernels.tile_quantisation.experiment import ANCHOR
from tests import examples

WAVE_S = 5e-5


def evidence(name: str, stage_name: str, size: Size, median_s: float) -> DeviceEvidence:
    key = CellKey(name, stage_name, size, Dtype.FLOAT32)
    shown = replace(examples.measurement(), key=key, cache=CacheState.WARM, median_s=median_s)
    shown = replace(shown, health=shown.health.OK)
    cell = MeasuredCell(1, examples.AT, False, shown)
    device = replace(examples.DEVICE, multiprocessor_count=132)
    return DeviceEvidence(device, {(key, CacheState.WARM): cell}, {}, {})


def rows(m: int) -> Size:
    return Size.of(m=m, n=4096, k=512)


@pytest.mark.parametrize(
    ("m", "waves", "tiles"), [(3840, 8, 960), (4096, 8, 1024), (4097, 8, 1056), (4225, 9, 1088)]
)
def test_whole_waves_and_whole_tiles_are_two_lines(m: int, waves: int, tiles: int) -> None:
    declared = experiments()["tile_quantisation"]
    known = evidence("tile_quantisation", "one_tile", ANCHOR, 8 * WAVE_S)
    one = stage("tile_quantisation", BackendName.CUDA, "one_tile")
    assert declared.theory(one, rows(m), known) == pytest.approx(waves * WAVE_S)
    (shared_out,) = declared.further_theories
    assert shared_out.theory(one, rows(m), known) == pytest.approx(tiles / 132 * WAVE_S)
    rate = experiments()["quantised_rate"].theory(one, rows(m), known)
    assert rate == pytest.approx(2 * m * 4096 * 512 / (waves * WAVE_S))


def test_without_the_anchor_there_is_no_theory() -> None:
    known = evidence("tile_quantisation", "one_tile", rows(3840), WAVE_S)
    one = stage("tile_quantisation", BackendName.CUDA, "one_tile")
    assert experiments()["tile_quantisation"].theory(one, rows(4096), known) is None


def test_the_sweep_has_every_edge_and_its_neighbours() -> None:
    sweep = {size["m"] for size in problem("tile_quantisation").suite_sizes}
    assert {3839, 3840, 3841, 4223, 4224, 4225, 4607, 4608, 4609} <= sweep
    assert set(range(3840, 4609, 32)) <= sweep


def test_slices_share_out_the_plain_time_wave_by_wave() -> None:
    known = evidence("split_break_even", "plain", sliced(16_384, 8), 160e-6)
    theory = experiments()["split_slices"].theory
    cut = stage("split_break_even", BackendName.CUDA, "sliced")
    assert theory(cut, sliced(16_384, 8), known) == pytest.approx(20e-6)
    assert theory(cut, sliced(16_384, 16), known) == pytest.approx(20e-6), "two waves of half the length"
    assert theory(stage("split_break_even", BackendName.CUDA, "plain"), sliced(16_384, 8), known) is None


def test_quantisation_is_a_suite_of_its_own() -> None:
    assert suite("quantisation").problems == ("split_break_even", "tile_quantisation")
    assert "tile_quantisation" not in suite("memory_lab").problems
