"""Every CPU stage gives the right result at sizes chosen to break edges."""

from __future__ import annotations

import importlib
from collections.abc import Callable

import numpy as np
import pytest

from app.domain.size import Size
from app.domain.vocabulary import BackendName, Dtype
from app.kernels import registry
from app.kernels.stage import Stage

Kernel = Callable[..., None]
SIZES = [
    (1, 1, 1),
    (1, 1, 7),
    (2, 3, 1),
    (5, 1, 3),
    (64, 64, 64),
    (65, 63, 67),
    (127, 131, 137),
    (8, 600, 70),
    (300, 4, 5),
]


def kernel_of(stage: Stage) -> Kernel:
    if stage.uses_numba:
        pytest.importorskip("numba", reason="the compiled CPU stages need Numba")
    module = stage.source.parent.name
    problem = stage.source.parent.parent.name
    kernel: Kernel = importlib.import_module(f"app.kernels.{problem}.{module}.{stage.source.stem}").run
    return kernel


@pytest.mark.parametrize("stage", registry.stages("matmul", BackendName.CPU), ids=lambda s: s.name)
def test_matmul_against_float64(stage: Stage) -> None:
    kernel = kernel_of(stage)
    problem = registry.problem("matmul")
    random = np.random.default_rng()
    for m, n, k in SIZES:
        size = Size.of(m=m, n=n, k=k)
        a = random.standard_normal((m, k), dtype=np.float32)
        b = random.standard_normal((k, n), dtype=np.float32)
        c = np.full((m, n), np.nan, dtype=np.float32)
        kernel(a, b, c, 2)
        expected = problem.reference(np, {"A": a, "B": b}, size)["C"]
        error = np.abs(c - expected).max() / np.abs(expected).max()
        assert error <= problem.tolerance(size, Dtype.FLOAT32), f"{size.key}: {error}"


@pytest.mark.parametrize("stage", registry.stages("tensor_matmul", BackendName.CPU), ids=lambda s: s.name)
def test_half_precision_matmul_against_float64(stage: Stage) -> None:
    kernel = kernel_of(stage)
    problem = registry.problem("tensor_matmul")
    random = np.random.default_rng()
    for m, n, k in SIZES:
        size = Size.of(m=m, n=n, k=k)
        a = random.standard_normal((m, k), dtype=np.float32).astype(np.float16)
        b = random.standard_normal((n, k), dtype=np.float32).astype(np.float16)
        c = np.full((m, n), np.nan, dtype=np.float16)
        kernel(a, b, c, 2)
        expected = problem.reference(np, {"A": a, "B": b}, size)["C"]
        error = np.abs(c - expected).max() / np.abs(expected).max()
        assert error <= problem.tolerance(size, Dtype.FLOAT16), f"{size.key}: {error}"


def test_the_reference_in_blocks_of_rows_is_the_whole_product() -> None:
    problem = registry.problem("tensor_matmul")
    a, b = (np.random.default_rng(3).standard_normal((rows, 5)).astype(np.float16) for rows in (2049, 7))
    expected = a.astype(np.float64) @ b.astype(np.float64).T
    found = problem.reference(np, {"A": a, "B": b}, Size.of(m=2049, n=7, k=5))["C"]
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize("stage", registry.stages("ceilings", BackendName.CPU), ids=lambda s: s.name)
@pytest.mark.parametrize("n", [1, 191, 193, 70_000])
def test_a_ceiling_returns_its_input(stage: Stage, n: int) -> None:
    kernel = kernel_of(stage)
    random = np.random.default_rng()
    x, y = random.standard_normal((2, n), dtype=np.float32)
    z = np.full(n, np.nan, dtype=np.float32)
    before = x.copy()
    kernel(x, y, z, 2)
    np.testing.assert_array_equal(x, before)
    np.testing.assert_array_equal(z, x)


def test_the_tolerance_catches_tf32_and_a_missing_term() -> None:
    """What the bound is for: rounding passes, the two classic mistakes do not."""
    problem = registry.problem("matmul")
    size = Size.of(m=128, n=128, k=512)
    random = np.random.default_rng(7)
    a = random.standard_normal((128, 512), dtype=np.float32)
    b = random.standard_normal((512, 128), dtype=np.float32)
    expected = problem.reference(np, {"A": a, "B": b}, size)["C"]
    tolerance = problem.tolerance(size, Dtype.FLOAT32)

    def error(c: np.ndarray) -> float:
        return float(np.abs(c - expected).max() / np.abs(expected).max())

    tf32 = (a.view(np.uint32) & np.uint32(0xFFFFE000)).view(np.float32)
    assert error(a @ b) <= tolerance
    assert error(tf32 @ b) > tolerance
    assert error(a[:, :-1] @ b[:-1]) > tolerance
