"""What the CPU backend says of this machine, and whether its cold samples are cold."""

from __future__ import annotations

import time
from pathlib import Path
from statistics import median

import numpy as np
import pytest

from app.backends import drawing
from app.backends.cpu import CpuBackend
from app.backends.cpu_device import cpu_device, last_level_cache_bytes
from app.backends.drawing import draw_normal
from app.backends.eviction import CacheEvictor
from app.backends.warm_up import warm_up
from app.backends.workspace import Workspace
from app.domain.size import Size
from app.domain.vocabulary import BackendName, Dtype
from app.kernels import registry
from app.kernels.problem import needed_bytes

MIB = 1 << 20


def test_the_identity_of_the_cpu_is_stable_and_its_facts_are_not_zero() -> None:
    device = cpu_device()
    assert device.uuid == cpu_device().uuid
    assert len(device.uuid) == len("cpu-") + 32
    assert device.name
    assert device.logical_core_count
    assert 0 not in (device.memory_bytes, device.l2_bytes, device.boost_clock_hz, device.multiprocessor_count)


def test_the_buffer_is_twice_the_cache_and_says_when_it_is_not() -> None:
    whole = CacheEvictor(8 * MIB, 1024 * MIB, threads=2)
    assert whole.buffer_bytes == 16 * MIB
    assert "may stay warm" not in whole.description
    capped = CacheEvictor(100 * MIB, 80 * MIB, threads=2)
    assert capped.buffer_bytes == 10 * MIB
    assert "200 MiB would be twice the cache" in capped.description
    unknown = CacheEvictor(None, 10_000 * MIB, threads=2)
    assert "unknown last-level cache" in unknown.description
    for evictor in (whole, capped, unknown):
        evictor.close()


def test_after_eviction_data_is_read_more_slowly() -> None:
    evictor = CacheEvictor(last_level_cache_bytes(), 16_000 * MIB, threads=2)
    data = np.random.default_rng(0).normal(size=MIB // 8)

    def read() -> float:
        start = time.perf_counter()
        data.sum()
        return time.perf_counter() - start

    warm = median(read() for _ in range(15))
    cold = []
    for _ in range(7):
        evictor.evict()
        cold.append(read())
    evictor.close()
    assert median(cold) > 1.2 * warm


def test_warm_up_lasts_its_time_and_ends_when_steady() -> None:
    calls: list[int] = []

    def launch(n: int) -> float:
        calls.append(n)
        time.sleep(0.001 * n)
        return 0.001

    started = time.monotonic()
    assert warm_up(launch, 0.05) == 0.001
    assert time.monotonic() - started >= 0.05
    assert sum(calls) < 100, "it ends soon after its time: no more than twice the 50 launches that fill it"
    assert len(calls) >= 2


def test_warm_up_gives_up_on_a_launch_that_never_steadies() -> None:
    times = iter(range(1, 10_000))

    def launch(n: int) -> float:
        time.sleep(0.002)
        return float(2 ** next(times))

    started = time.monotonic()
    warm_up(launch, 0.01)
    assert time.monotonic() - started < 5.0


def test_a_warm_window_is_at_least_a_millisecond() -> None:
    backend = CpuBackend()
    for launch_s in (1e-7, 3e-4, 0.5):
        assert backend.warm_launches(launch_s) * launch_s >= 1e-3
    assert backend.warm_launches(0.5) == 1


def test_memory_counts_the_float64_check() -> None:
    registry.add_folder(Path(__file__).parents[1] / "problems")
    problem = registry.problem("faults")
    assert needed_bytes(problem, Size.of(n=1000), Dtype.FLOAT32) == 2000 * 16


def test_drawn_values_are_normal_and_seeded() -> None:
    first, again, other = (np.empty((300, 400), np.float32) for _ in range(3))
    draw_normal(first, 1)
    draw_normal(again, 1)
    draw_normal(other, 2)
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    assert abs(float(first.mean())) < 0.01
    assert abs(float(first.std()) - 1) < 0.01


def test_large_arrays_repeat_with_a_prime_period(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "_MOST_DRAWN", 100)
    monkeypatch.setattr(drawing, "_PRIME_PERIOD", 97)
    array = np.empty(1000, np.float32)
    draw_normal(array, 1)
    assert np.array_equal(array[97:], array[:-97])
    assert len(np.unique(array)) == 97


def test_a_dtype_without_a_version_is_unsupported() -> None:
    registry.add_folder(Path(__file__).parents[1] / "problems")
    good = registry.stage("faults", BackendName.CPU, "good")
    found = CpuBackend().why_unsupported(good, registry.problem("faults"), Size.of(n=1), Dtype.BFLOAT16)
    assert found == "good has no bfloat16 version"


@pytest.mark.parametrize("name", ["Numba", "CPU clock readable", "Last-level cache size"])
def test_every_row_for_doctor_says_what_is_lost_and_the_fix(name: str) -> None:
    (row,) = [c for c in CpuBackend().capabilities() if c.name == name]
    assert row.detail
    assert row.without_it
    assert row.ok or row.fix


class HostedArray(np.ndarray):
    """A NumPy array with the two copies that CuPy's have."""

    def set(self, values: np.ndarray) -> None:
        self[...] = values

    def get(self, out: np.ndarray) -> None:
        out[...] = self


def test_a_check_on_the_host_sends_inputs_and_brings_outputs_back() -> None:
    problem = registry.problem("matmul")
    workspace = Workspace(np, problem, Size.of(m=3, n=4, k=5), Dtype.FLOAT32, draw_normal)
    workspace.arrays = {name: array.view(HostedArray) for name, array in workspace.arrays.items()}
    a, b, c = (workspace.arrays[name] for name in ("A", "B", "C"))
    workspace._outputs = {"C": c}

    def right() -> None:
        c[...] = a @ b

    def lazy() -> None:
        c[0] = (a @ b)[0]

    assert workspace.check_on_host(right, 1).passed_before
    assert not workspace.check_on_host(lazy, 1).passed_before
