"""Declarations of the split stages against their sources, and what their slices and scratch come to."""

from __future__ import annotations

import re

import pytest

from app.domain.promise import Counted, Direction, Promise
from app.domain.size import Size
from app.domain.vocabulary import BackendName, Dtype, Level
from app.kernels.matmul.cuda import row_split, split_k
from app.kernels.registry import stage
from app.kernels.splitting import COUNTER_BYTES, Split
from app.kernels.stage import Stage
from app.kernels.tensor_matmul.cuda import row_dot
from app.kernels.tensor_matmul.cuda import split_k as tensor

SIZES = [
    Size.of(m=64, n=64, k=16_384),
    Size.of(m=1, n=4096, k=16_384),
    Size.of(m=1, n=1, k=1),
    Size.of(m=8, n=513, k=129),
    Size.of(m=4097, n=513, k=65_536),
]

SPLITS = [split_k.SPLIT, row_split.SPLIT, tensor.SPLIT_K, tensor.ROW_SPLIT]


def constant(found: Stage, name: str) -> int:
    match = re.search(rf"\b{name} = (\d+)", found.source.read_text(encoding="utf-8"))
    assert match is not None, name
    return int(match.group(1))


def test_declarations_repeat_the_constants_of_their_sources() -> None:
    split, rows = split_k.STAGE, row_split.STAGE
    for name in ("TILE", "BK", "BUFFERS", "WARPS", "COUNTER_BYTES"):
        assert constant(split, name) == getattr(split_k, name, COUNTER_BYTES)
    for name in ("SIDE", "WARPS", "MOST_ROWS", "BLOCKS_PER_SM", "COUNTER_BYTES"):
        assert constant(rows, name) == getattr(row_split, name, COUNTER_BYTES)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: size.key)
@pytest.mark.parametrize("split", SPLITS, ids=["split_k", "row_split", "tensor", "tensor_rows"])
def test_slices_cover_k_and_scratch_holds_them(split: Split, size: Size) -> None:
    slices, steps = split.slices(size), -(-size["k"] // split.step)
    per_slice = -(-steps // slices)
    assert (slices - 1) * per_slice < steps <= slices * per_slice
    sums = split.tiles(size) * slices * split.tile_rows * split.tile_columns * 4 if slices > 1 else 0
    assert split.scratch_bytes(size) >= 4 * split.tiles(size) * (slices > 1) + sums
    assert split.scratch_bytes(size) % COUNTER_BYTES == 0


def test_few_results_fill_one_wave_of_an_h200() -> None:
    assert split_k.SPLIT.slices(SIZES[0]) == 33
    assert row_split.SPLIT.slices(SIZES[1]) == 8
    assert tensor.SPLIT_K.slices(SIZES[0]) == 8
    assert tensor.ROW_SPLIT.slices(SIZES[1]) == 3


def test_a_tensor_source_reads_as_its_declarations_say() -> None:
    text = tensor.SOURCE.read_text(encoding="utf-8")
    assert "WARPS = ROW_SPLIT ? 4 : 8" in text
    assert "BLOCKS_PER_SM = ROW_SPLIT ? 6 : 1" in text
    assert constant(tensor.STAGES[0], "STEP") == tensor.STEP
    assert constant(tensor.STAGES[0], "COUNTER_BYTES") == COUNTER_BYTES


def test_the_dot_products_repeat_the_constants_of_their_source() -> None:
    for name in ("COLUMNS", "THREADS"):
        assert constant(row_dot.STAGES[0], name) == getattr(row_dot, name)


def test_a_size_that_fills_the_gpu_without_slices_is_skipped_with_a_reason() -> None:
    reason = split_k.SPLIT.why_not_beyond(2, Size.of(m=1024, n=1024, k=1024))
    assert reason is not None
    assert "1,024 tiles" in reason
    assert split_k.SPLIT.why_not_beyond(2, SIZES[0]) is None


def test_partial_sums_count_as_traffic() -> None:
    cost = split_k.SPLIT.cost(SIZES[0], Dtype.FLOAT32)
    operands = 2 * (2 * 64 * 16_384 * 4)
    assert cost.bytes_by_level[Level.DRAM] == operands + 2 * 33 * 64 * 64 * 4


def test_every_rung_of_the_matmul_ladder_says_what_it_changes() -> None:
    for name in ("coalesced", "block_tile", "register_tile", "double_buffer", "split_k", "row_split"):
        assert stage("matmul", BackendName.CUDA, name).promises


def test_a_promise_whose_factor_contradicts_its_direction_is_refused() -> None:
    assert Promise(Counted.DRAM_BYTES, Direction.LESS, 0.5).factor == 0.5
    with pytest.raises(ValueError, match="cannot have factor 2"):
        Promise(Counted.DRAM_BYTES, Direction.LESS, 2.0)
