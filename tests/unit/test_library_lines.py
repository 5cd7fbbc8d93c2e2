"""What library lines are told, without a GPU: the algebra of a product, the ABI, the choice of one."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from ctypes.util import find_library
from typing import Any

import numpy as np
import pytest

from app.backends import cublaslt
from app.backends.fastest import fastest
from app.backends.gemm import Gemm, gemm_of
from app.domain.errors import NotOnThisDeviceFailure, StageFailure
from app.domain.size import Size
from app.domain.vocabulary import Dtype


def column_major(memory: Any, rows: int, columns: int, stride: int) -> Any:
    step = memory.itemsize
    return np.lib.stride_tricks.as_strided(memory, (rows, columns), (step, stride * step))


def computed(gemm: Gemm, a: Any, b: Any) -> Any:
    """What a BLAS does of this description, on the memory of row-major arrays."""
    first = column_major(b.ravel(), *gemm.first_shape, gemm.first_stride)
    second = column_major(a.ravel(), gemm.terms, gemm.columns, gemm.second_stride)
    memory = np.zeros(gemm.rows * gemm.columns)
    result = column_major(memory, gemm.rows, gemm.columns, gemm.result_stride)
    result[...] = (first.T if gemm.first_is_transposed else first) @ second
    return memory.reshape(gemm.columns, gemm.rows)


@pytest.mark.parametrize("b_is_transposed", [False, True])
def test_the_swapped_column_major_product_is_the_row_major_one(b_is_transposed: bool) -> None:
    m, n, k = 3, 5, 7
    random = np.random.default_rng(2)
    a = random.standard_normal((m, k))
    b = random.standard_normal((n, k) if b_is_transposed else (k, n))
    addresses = {"A": 1, "B": 2, "C": 3}
    gemm = gemm_of(Size.of(m=m, n=n, k=k), Dtype.FLOAT16, addresses, b_is_transposed=b_is_transposed)
    assert (gemm.first, gemm.second, gemm.result) == (2, 1, 3)
    np.testing.assert_allclose(computed(gemm, a, b), a @ (b.T if b_is_transposed else b))


def test_a_heuristic_has_the_layout_of_the_header() -> None:
    """cublasLtMatmulHeuristicResult_t: eight words, size_t, a status, a float and four ints."""
    assert ctypes.sizeof(cublaslt.Heuristic) == 96
    assert cublaslt.Heuristic.workspace_bytes.offset == 64
    assert cublaslt.Heuristic.status.offset == 72


@pytest.mark.skipif(find_library("cublasLt") is not None, reason="cuBLASLt is installed")
def test_a_machine_without_the_library_says_so() -> None:
    with pytest.raises(NotOnThisDeviceFailure, match="cuBLASLt is not installed here"):
        cublaslt.library()


class Contest:
    """Launches that are lists of what each timing of them finds; the first is of one launch."""

    def __init__(self, *times_s: list[float], failing: int | None = None) -> None:
        self.launches: list[Callable[[], None]] = []
        self.counts: list[int] = []
        self._times = {}
        for index, times in enumerate(times_s):
            launch = self._launch(index == failing)
            self.launches.append(launch)
            self._times[launch] = iter(times)

    def _launch(self, fails: bool) -> Callable[[], None]:
        def launch() -> None:
            if fails:
                raise StageFailure("cublasLtMatmul failed with cuBLAS status 14.")

        return launch

    def seconds_per_launch(self, launch: Callable[[], None], count: int) -> float:
        self.counts.append(count)
        return next(self._times[launch])

    def winner(self) -> int:
        return fastest(self.launches, run=lambda launch: launch(), seconds_per_launch=self.seconds_per_launch)


def test_the_least_median_wins_over_rounds_of_equal_length() -> None:
    slow, fast = [1e-3, 5e-4, 9e-4, 9e-4], [1e-4, 9e-3, 6e-4, 6e-4]
    contest = Contest(slow, fast)
    assert contest.winner() == 1
    assert contest.counts == [1, 1, 2, 20, 2, 20, 2, 20]


def test_an_algorithm_that_fails_leaves_the_contest() -> None:
    assert Contest([1e-4] * 4, [1e-3] * 4, failing=0).winner() == 1
    with pytest.raises(StageFailure, match="status 14"):
        Contest([1e-4] * 4, failing=0).winner()
    with pytest.raises(NotOnThisDeviceFailure):
        Contest().winner()
