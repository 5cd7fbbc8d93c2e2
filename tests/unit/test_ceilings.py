"""How a roof is sampled, and which roofs a device's attributes give."""

from __future__ import annotations

import time

import pytest

from app.backends import ceilings, datasheet
from app.domain.device import Device
from app.domain.errors import StageFailure
from app.domain.measurement import Ceiling
from app.domain.vocabulary import Arithmetic, BackendName, Level, Provenance
from app.kernels import registry
from app.kernels.stage import Cost
from app.services.roofs import main_arithmetics, roofs_of


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
    assert datasheet.from_datasheet(Device("cpu-1", "CPU", BackendName.CPU)) == []
    known = Device("GPU-1", "GPU", BackendName.CUDA, boost_clock_hz=1e9, datasheet_fp32_flop_per_s=1e12)
    (roof,) = datasheet.from_datasheet(known)
    assert (roof.name, roof.source, roof.boost_clock_hz) == ("fp32_fma", Provenance.DATASHEET, 1e9)


def test_shared_memory_is_promised_32_banks_a_clock_and_multiprocessor() -> None:
    h200 = Device("GPU-1", "GPU", BackendName.CUDA, multiprocessor_count=132, boost_clock_hz=1.98e9)
    (roof,) = datasheet.from_datasheet(h200)
    assert roof.name == "shared_read"
    assert roof.value == pytest.approx(33.45e12, rel=1e-3)


@pytest.mark.parametrize("backend", list(BackendName))
def test_every_roof_names_a_stage_that_takes_its_size(backend: BackendName) -> None:
    for one in ceilings._OF_BACKEND[backend]:
        problem = registry.problem(one.problem)
        for name in one.stages:
            stage = registry.stage(one.problem, backend, name)
            size = one.size or ceilings._size(stage, problem, 60 << 20)
            assert stage.why_not is None or stage.why_not(size) is None
            assert one.work(stage.cost(size, stage.dtypes[0])) > 0


def test_a_level_s_roof_counts_the_bytes_asked_of_it() -> None:
    work = {one.name: one for one in ceilings._OF_BACKEND[BackendName.CUDA]}
    moved = Cost(0, 100, {Level.DRAM: 100, Level.L2: 4000, Level.SHARED: 8000})
    assert work["dram_copy"].work(moved) == 100
    assert work["dram_read"].work(moved) == work["l2_read"].work(moved) == 4000
    assert work["shared_read"].work(moved) == 8000


def test_the_dram_roof_of_a_roofline_is_no_cache_s() -> None:
    values = {"dram_copy": 4e12, "dram_read": 4.4e12, "l2_read": 7e12, "shared_read": 30e12}
    roofs = roofs_of([Ceiling(n, n, "bandwidth", v, Provenance.MEASURED) for n, v in values.items()])
    assert roofs.bandwidth is not None
    assert roofs.l2 is not None
    assert roofs.shared is not None
    assert [roofs.bandwidth.value, roofs.l2.value, roofs.shared.value] == [4e12, 7e12, 30e12]


def test_tensor_roofs_are_stated_only_for_capabilities_whose_rate_is_known() -> None:
    def stated(capability: str, multiprocessors: int, boost_clock_hz: float) -> dict[str, float]:
        gpu = Device(
            "GPU-1",
            "GPU",
            BackendName.CUDA,
            multiprocessor_count=multiprocessors,
            compute_capability=capability,
            boost_clock_hz=boost_clock_hz,
        )
        return {c.name: c.value for c in datasheet.from_datasheet(gpu) if c.name.startswith("tensor")}

    published = {
        "tensor_fp16": 989.4e12,
        "tensor_bf16": 989.4e12,
        "tensor_tf32": 494.7e12,
        "tensor_fp8": 1978.9e12,
    }
    assert stated("9.0", 132, 1.83e9) == pytest.approx(published, rel=1e-3)
    assert stated("8.0", 108, 1.41e9) == pytest.approx(
        {"tensor_fp16": 312e12, "tensor_bf16": 312e12, "tensor_tf32": 156e12}, rel=1e-3
    )
    assert stated("8.6", 84, 1.8e9) == {}


def test_a_tensor_roof_is_found_by_wgmma_and_where_that_is_missing_by_mma() -> None:
    work = {one.name: one for one in ceilings._OF_BACKEND[BackendName.CUDA]}
    for name, arithmetic in (
        ("tensor_fp16", Arithmetic.TENSOR_FP16_FP32ACC),
        ("tensor_bf16", Arithmetic.TENSOR_BF16_FP32ACC),
        ("tensor_tf32", Arithmetic.TENSOR_TF32_FP32ACC),
        ("tensor_fp8", Arithmetic.TENSOR_FP8_FP32ACC),
    ):
        wgmma, mma = work[name].declared(BackendName.CUDA)
        assert wgmma.arithmetic is mma.arithmetic is arithmetic
        assert wgmma.title.startswith("WGMMA")
        assert (wgmma.needs.compute_capability, wgmma.needs.same_major) == ((9, 0), True)
        assert mma.needs.compute_capability == ((8, 9) if name == "tensor_fp8" else (8, 0))


def test_a_rung_never_stands_under_another_arithmetic_s_roof() -> None:
    values = {"fp32_fma": 60e12, "tensor_fp16": 800e12, "tensor_tf32": 400e12, "blas_fp32": 70e12}
    found = [Ceiling(n, n, "compute", v, Provenance.MEASURED) for n, v in values.items()]
    fp32, tf32 = Arithmetic.FP32, Arithmetic.TENSOR_TF32_FP32ACC
    roofs = roofs_of(found)
    assert roofs.compute is not None
    assert (roofs.compute.name, roofs.others) == ("fp32_fma", ())
    mixed = roofs_of(found, main_arithmetics([fp32, tf32, Arithmetic.NONE, fp32]))
    assert [c.name for c in mixed.every_compute] == ["fp32_fma", "tensor_tf32"]
    assert (mixed.arithmetic, mixed.others[0].arithmetic) == (fp32, tf32)
    assert roofs_of(found, (Arithmetic.FP16,)).compute is None
    assert main_arithmetics([Arithmetic.NONE]) == (fp32,)
