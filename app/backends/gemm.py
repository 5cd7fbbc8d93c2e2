"""A matrix product as BLAS libraries take it: column-major, so the row-major operands swap places."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.domain.size import Size
from app.domain.vocabulary import Dtype


@dataclass(frozen=True)
class Gemm:
    """Row-major C = A B or C = A Bᵀ read column-major: Cᵀ = B' Aᵀ. Nothing is copied.

    The library's first operand is B (transposed where `first_is_transposed`), its second is A. rows, columns
    and terms are the library's m, n and k, strides its leading dimensions in elements; first, second and
    result are addresses on the device.
    """

    rows: int
    columns: int
    terms: int
    first_is_transposed: bool
    first_stride: int
    second_stride: int
    result_stride: int
    first: int
    second: int
    result: int
    dtype: Dtype

    @property
    def first_shape(self) -> tuple[int, int]:
        """Rows and columns of the first operand as it lies."""
        return (self.terms, self.rows) if self.first_is_transposed else (self.rows, self.terms)


def gemm_of(size: Size, dtype: Dtype, addresses: Mapping[str, Any], *, b_is_transposed: bool) -> Gemm:
    """The product of A (m, k) and B: (k, n), or (n, k) where it is transposed. All row-major."""
    m, n, k = size["m"], size["n"], size["k"]
    return Gemm(
        rows=n,
        columns=m,
        terms=k,
        first_is_transposed=b_is_transposed,
        first_stride=k if b_is_transposed else n,
        second_stride=k,
        result_stride=n,
        first=addresses["B"],
        second=addresses["A"],
        result=addresses["C"],
        dtype=dtype,
    )
