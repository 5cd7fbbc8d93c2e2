"""Tensor maps: what can be refused without a driver is refused in words."""

from __future__ import annotations

from ctypes.util import find_library

import pytest

from app.backends.tensor_map import encoded
from app.domain.errors import NotOnThisDeviceFailure, StageFailure
from app.domain.vocabulary import Dtype
from app.kernels.stage import TensorMap

BOX = TensorMap("A", box=(128, 64), swizzle_bytes=128)


def test_rows_that_the_copy_engine_cannot_address_are_refused() -> None:
    with pytest.raises(StageFailure, match=r"row of A has 258 bytes, no multiple of 16"):
        encoded(BOX, 1 << 20, (64, 129), Dtype.BFLOAT16)


@pytest.mark.skipif(find_library("cuda") is not None, reason="an NVIDIA driver is installed")
def test_a_machine_without_a_driver_says_so() -> None:
    with pytest.raises(NotOnThisDeviceFailure, match="encodes no tensor maps here"):
        encoded(BOX, 1 << 20, (3, 64, 128), Dtype.FLOAT16)
