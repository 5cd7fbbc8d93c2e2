"""Which roof a stage is judged by, on the numbers of an H200."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.backends.datasheet import from_datasheet
from app.backends.judging import judge
from app.domain.device import Device
from app.domain.measurement import Ceiling
from app.domain.vocabulary import Arithmetic, BackendName, Dtype, Level, Provenance, ReuseLevel
from app.kernels.stage import Cost, Stage

H200 = Device(
    "GPU-0",
    "NVIDIA H200",
    BackendName.CUDA,
    boost_clock_hz=2e9,
    datasheet_fp32_flop_per_s=60e12,
    datasheet_dram_bytes_per_s=5e12,
)
ROOFS = from_datasheet(H200)


def stage(arithmetic: Arithmetic = Arithmetic.FP32) -> Stage:
    return Stage(
        name="any",
        title="Any",
        mechanism="",
        change="",
        backend=BackendName.CUDA,
        improves_on=None,
        arithmetic=arithmetic,
        dtypes=(Dtype.FLOAT32,),
        reuse_level=ReuseLevel.NONE,
        source=Path("any.cu"),
        entry="any",
        cost=lambda size, dtype: cost(1, 1),
    )


def cost(flop: int, moved: int) -> Cost:
    return Cost(flop, moved, {Level.DRAM: moved})


def test_much_arithmetic_a_byte_is_judged_by_the_compute_roof_at_boost_and_held_clock() -> None:
    verdict = judge(stage(), cost(30_000, 100), ROOFS, H200, 1e-9, sm_clock_hz=1.5e9)
    assert verdict.roof is not None
    assert (verdict.roof.name, verdict.roof.value, verdict.roof.unit) == ("fp32", 60e12, "flop_per_s")
    assert verdict.fraction_boost == pytest.approx(0.5)
    assert verdict.fraction_held == pytest.approx(0.5 / 0.75)


def test_little_arithmetic_a_byte_is_judged_by_bandwidth_which_does_not_scale_with_the_clock() -> None:
    verdict = judge(stage(), cost(100, 1000), ROOFS, H200, 1e-9, sm_clock_hz=1.5e9)
    assert verdict.roof is not None
    assert (verdict.roof.name, verdict.roof.unit) == ("dram", "bytes_per_s")
    assert verdict.fraction_boost == verdict.fraction_held == pytest.approx(0.2)


def test_a_stage_without_arithmetic_is_always_judged_by_bandwidth() -> None:
    verdict = judge(stage(Arithmetic.NONE), cost(0, 5000), ROOFS, H200, 1e-9, None)
    assert verdict.roof is not None
    assert verdict.roof.name == "dram"
    assert verdict.fraction_boost == pytest.approx(1.0)


def test_a_measured_roof_is_held_against_the_clock_it_was_measured_at() -> None:
    measured = Ceiling("fp32_fma", "", "compute", 50e12, Provenance.MEASURED, sm_clock_hz=1e9)
    verdict = judge(stage(), cost(25_000, 1), [measured], H200, 1e-9, sm_clock_hz=0.5e9)
    assert verdict.fraction_boost == pytest.approx(0.5)
    assert verdict.fraction_held == pytest.approx(1.0)


def test_the_data_sheet_comes_before_the_measured_roof() -> None:
    measured = Ceiling("fp32_fma", "", "compute", 50e12, Provenance.MEASURED, sm_clock_hz=1e9)
    verdict = judge(stage(), cost(30_000, 1), [measured, *ROOFS], H200, 1e-9, None)
    assert verdict.roof is not None
    assert verdict.roof.source is Provenance.DATASHEET
    assert verdict.fraction_held is None


def test_without_roofs_nothing_is_said() -> None:
    verdict = judge(stage(), cost(1, 1), [], H200, 1e-9, 1e9)
    assert (verdict.roof, verdict.fraction_boost, verdict.fraction_held) == (None, None, None)
    assert judge(stage(Arithmetic.TF32), cost(10**9, 1), ROOFS, H200, 1e-9, 1e9).roof is None


@pytest.mark.parametrize(
    ("arithmetic", "name"),
    [
        (Arithmetic.TENSOR_FP16_FP32ACC, "tensor_fp16"),
        (Arithmetic.TENSOR_BF16_FP32ACC, "tensor_bf16"),
        (Arithmetic.TENSOR_TF32_FP32ACC, "tensor_tf32"),
        (Arithmetic.TENSOR_FP8_FP32ACC, "tensor_fp8"),
    ],
)
def test_each_tensor_arithmetic_has_its_own_roof(arithmetic: Arithmetic, name: str) -> None:
    others = {"tensor_fp16", "tensor_bf16", "tensor_tf32", "tensor_fp8"} - {name}
    own = Ceiling(name, "", "compute", 800e12, Provenance.MEASURED, sm_clock_hz=1.6e9)
    wrong = [Ceiling(other, "", "compute", 1e12, Provenance.DATASHEET) for other in others]
    verdict = judge(stage(arithmetic), cost(400_000, 1), [*ROOFS, *wrong, own], H200, 1e-9, sm_clock_hz=0.8e9)
    assert verdict.roof is not None
    assert (verdict.roof.name, verdict.roof.value) == (arithmetic.value, 800e12)
    assert verdict.fraction_boost == pytest.approx(0.5)
    assert verdict.fraction_held == pytest.approx(1.0)
