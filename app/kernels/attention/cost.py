"""Cost of one attention call from the shapes of a stage's tiles. Exponentials are not counted as FLOP."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from app.analysis.tiling import matmul_flop, operand_bytes
from app.domain.size import Size
from app.domain.vocabulary import Dtype, Level
from app.kernels.stage import Cost

CostOfSize = Callable[[Size, Dtype], Cost]
FLOAT32_BYTES = 4
HEAD_DIMS = (64, 128)


@dataclass(frozen=True)
class Passes:
    """How often a level is asked for the operands: K and V once per `rows` queries.

    keys_per_query_read: Q is read again with every so many keys; None where it is read once.
    """

    rows: int
    keys_per_query_read: int | None = None


def attention_flop(size: Size) -> int:
    """Two products a head, each of length² results or terms: 4 heads length² head_dim."""
    heads, length, head_dim = size["heads"], size["length"], size["head_dim"]
    return heads * (matmul_flop(length, length, head_dim) + matmul_flop(length, head_dim, length))


def least_attention_bytes(size: Size, item_bytes: int) -> int:
    """Q, K and V read once, O written once."""
    return 4 * _tensor_bytes(size, item_bytes)


def fused_cost(passes: Mapping[Level, Passes]) -> CostOfSize:
    """Of a kernel that keeps scores on the SM: at each level the reads of Q, K and V; at DRAM also O."""

    def cost(size: Size, dtype: Dtype) -> Cost:
        tensor = _tensor_bytes(size, dtype.item_bytes)
        moved = {level: _operand_reads(size, tensor, one) for level, one in passes.items()}
        if Level.DRAM in moved:
            moved[Level.DRAM] += tensor
        return Cost(attention_flop(size), least_attention_bytes(size, dtype.item_bytes), moved)

    return cost


def materialised_cost(tile: int, thread_tile: int | None = None) -> CostOfSize:
    """Of float32 scores in memory: one write, then two reads and a write, then the read by P·V.

    thread_tile: edge of the results that a thread computes from shared memory; None: no bytes stated there.
    """

    def cost(size: Size, dtype: Dtype) -> Cost:
        heads, length, head_dim = size["heads"], size["length"], size["head_dim"]
        tensor, scores = _tensor_bytes(size, dtype.item_bytes), heads * length * length * FLOAT32_BYTES
        products_read = heads * operand_bytes(length, length, head_dim, tile, tile, dtype.item_bytes)
        weights_read = scores * _tiles(head_dim, tile)
        values_read = tensor * _tiles(length, tile)
        moved = {Level.DRAM: products_read + 4 * scores + weights_read + values_read + tensor}
        if thread_tile is not None:
            moved[Level.SHARED] = heads * shared_operand_bytes(length, head_dim, thread_tile, thread_tile)
        return Cost(attention_flop(size), least_attention_bytes(size, dtype.item_bytes), moved)

    return cost


def shared_operand_bytes(length: int, head_dim: int, rows: int, value_columns: int) -> int:
    """Float32 operands of a head that threads of rows × rows scores and rows × value_columns outputs read."""
    scores = operand_bytes(length, length, head_dim, rows, rows, FLOAT32_BYTES)
    return scores + operand_bytes(length, head_dim, length, rows, value_columns, FLOAT32_BYTES)


def why_not_head_dim(size: Size) -> str | None:
    """Why a rung whose tiles are written for two widths cannot take this one, or None."""
    if size["head_dim"] in HEAD_DIMS:
        return None
    return f"is written for heads of 64 or 128 elements, not of {size['head_dim']}: its tiles are that wide"


def _operand_reads(size: Size, tensor_bytes: int, passes: Passes) -> int:
    query_reads = (
        1 if passes.keys_per_query_read is None else _tiles(size["length"], passes.keys_per_query_read)
    )
    return tensor_bytes * (query_reads + 2 * _tiles(size["length"], passes.rows))


def _tensor_bytes(size: Size, item_bytes: int) -> int:
    return size["heads"] * size["length"] * size["head_dim"] * item_bytes


def _tiles(extent: int, tile: int) -> int:
    return -(-extent // tile)
