"""bfloat16 as bit patterns: rounding to the nearest, ties to even, and the poison of an unwritten output."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from app.backends.elements import ELEMENTS
from app.backends.workspace import Workspace
from app.domain.measurement import Correctness
from app.domain.size import Size
from app.domain.vocabulary import Dtype
from app.kernels import registry

BFLOAT16 = ELEMENTS[Dtype.BFLOAT16]
SIZE = Size.of(m=5, n=7, k=33)


@pytest.mark.parametrize(
    ("value", "pattern"),
    [
        (0.0, 0x0000),
        (-0.0, 0x8000),
        (1.0, 0x3F80),
        (-2.5, 0xC020),
        (1 + 2**-8, 0x3F80),  # half a unit: down to the even one
        (1 + 3 * 2**-8, 0x3F82),  # half a unit: up to the even one
        (1 + 2**-8 + 2**-20, 0x3F81),
        (3.4e38, 0x7F80),  # above the largest bfloat16 by more than half a unit
        (np.inf, 0x7F80),
        (np.nan, 0x7FC0),
    ],
)
def test_a_value_is_rounded_to_the_nearest_pattern(value: float, pattern: int) -> None:
    assert BFLOAT16.encode(np, np.array([value], np.float32)).tolist() == [pattern]


def test_every_pattern_but_nan_comes_back_as_it_was() -> None:
    patterns = np.arange(2**16, dtype=np.uint16)
    values = BFLOAT16.decode(np, patterns)
    known = ~np.isnan(values)
    assert known.sum() == 2**16 - 2 * 127
    np.testing.assert_array_equal(BFLOAT16.encode(np, values)[known], patterns[known])


def test_no_value_is_nearer_than_the_one_it_is_rounded_to() -> None:
    values = np.random.default_rng(5).standard_normal(10_000, dtype=np.float32)
    patterns = BFLOAT16.encode(np, values)
    error = np.abs(BFLOAT16.decode(np, patterns) - values)
    for neighbour in (patterns + np.uint16(1), patterns - np.uint16(1)):
        assert np.all(error <= np.abs(BFLOAT16.decode(np, neighbour) - values))


def checked(dtype: Dtype, compute: Callable[[Any, Any, Any], None]) -> Correctness:
    def draw(array: Any, seed: int) -> None:
        array[...] = np.random.default_rng(seed).standard_normal(array.shape, dtype=np.float32)

    workspace = Workspace(np, registry.problem("tensor_matmul"), SIZE, dtype, draw)
    assert {array.itemsize for array in workspace.arrays.values()} == {2}
    return workspace.check(lambda: compute(*workspace.arrays.values()), seed=11)


def product(dtype: Dtype) -> Callable[[Any, Any, Any], None]:
    element = ELEMENTS[dtype]

    def compute(a: Any, b: Any, c: Any) -> None:
        left, right = (element.decode(np, array).astype(np.float32) for array in (a, b))
        c[...] = element.encode(np, left @ right.T)

    return compute


@pytest.mark.parametrize("dtype", [Dtype.FLOAT16, Dtype.BFLOAT16])
def test_a_right_product_passes_in_either_half_precision(dtype: Dtype) -> None:
    found = checked(dtype, product(dtype))
    assert found.passed_before
    assert found.max_relative_error is not None
    assert 0 < found.max_relative_error <= {Dtype.FLOAT16: 2**-11, Dtype.BFLOAT16: 2**-8}[dtype]


def test_an_element_that_is_not_written_is_found() -> None:
    def all_but_one(a: Any, b: Any, c: Any) -> None:
        poison = c[3, 4]
        product(Dtype.BFLOAT16)(a, b, c)
        c[3, 4] = poison

    assert checked(Dtype.BFLOAT16, all_but_one).detail.startswith("C[3, 4] was not written; 1 of 35 elements")


def test_a_missing_term_is_found() -> None:
    def without_the_last(a: Any, b: Any, c: Any) -> None:
        product(Dtype.BFLOAT16)(a[:, :-1], b[:, :-1], c)

    found = checked(Dtype.BFLOAT16, without_the_last)
    assert not found.passed_before
    assert "should be" in found.detail
