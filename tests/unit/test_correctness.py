"""The comparison of an output with its float64 reference."""

from __future__ import annotations

import numpy as np
import pytest

from app.backends.correctness import compare


def arrays() -> tuple[np.ndarray, np.ndarray]:
    reference = np.random.default_rng(0).normal(size=(5, 7))
    return reference.astype(np.float32), reference


def test_a_right_output_passes_and_states_its_error() -> None:
    output, reference = arrays()
    found = compare(np, {"c": output}, {"c": reference}, 1e-6)
    assert found.passed
    assert found.max_relative_error is not None
    assert 0 < found.max_relative_error < 1e-6


def test_the_error_is_scaled_by_the_largest_reference() -> None:
    reference = np.array([[1.0, -200.0]])
    output = np.array([[2.0, -200.0]], dtype=np.float32)
    assert compare(np, {"c": output}, {"c": reference}, 0.01).max_relative_error == pytest.approx(0.005)


def test_the_first_bad_element_is_named() -> None:
    output, reference = arrays()
    output[3, 4] += 1.0
    output[4, 1] -= 5.0
    found = compare(np, {"c": output}, {"c": reference}, 1e-5)
    assert not found.passed
    assert found.detail.startswith("c[3, 4] is ")
    assert "2 of 35" in found.detail


def test_an_unwritten_element_is_found_by_the_poison() -> None:
    output, reference = arrays()
    output[4:] = np.nan
    found = compare(np, {"c": output}, {"c": reference}, 1e9)
    assert not found.passed
    assert found.max_relative_error is None
    assert found.detail == "c[4, 0] was not written; 7 of 35 elements are not finite"


def test_infinity_is_not_called_unwritten() -> None:
    output, reference = arrays()
    output[0, 2] = np.inf
    assert compare(np, {"c": output}, {"c": reference}, 1.0).detail.startswith("c[0, 2] is inf")


def test_every_output_is_compared() -> None:
    output, reference = arrays()
    both = {"c": output, "d": output + 1}
    found = compare(np, both, {"c": reference, "d": reference}, 1e-5)
    assert not found.passed
    assert found.detail.startswith("d[0, 0]")


def test_a_wrong_shape_is_refused() -> None:
    output, reference = arrays()
    with pytest.raises(ValueError, match="shape"):
        compare(np, {"c": output.T}, {"c": reference}, 1.0)
