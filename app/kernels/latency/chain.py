"""A chain through a working set: each line names the next, all lines form one cycle, no order to foresee.

Line i is followed by line (MULTIPLIER i + INCREMENT) mod lines. With an odd increment and a multiplier that
is 1 modulo 4 this visits every one of 2^k lines before it returns (Hull and Dobell), and far jumps defeat
prefetching. One thread follows it: each load gives the address of the next, so time ÷ hops is latency.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.domain.evidence import DeviceEvidence, MeasuredCell
from app.domain.size import Size
from app.domain.vocabulary import CacheState, Dtype, Level, ProblemKind
from app.kernels.problem import Problem, SizeParameter, Tensor
from app.kernels.stage import Cost

MULTIPLIER = 1_664_525
INCREMENT = 1_013_904_223
KIB = 1024
ITEM_BYTES = 4


@dataclass(frozen=True)
class Chain:
    """The shape of the walks through one memory. `hops` of a launch by the working set in KiB."""

    line_bytes: int
    largest_kib: int
    hops_up_to_kib: tuple[tuple[int, int], ...]  # (largest working set, hops), rising
    in_source: bool = False  # the chain is part of the kernel, not an input

    @property
    def words_per_line(self) -> int:
        """Elements from one line to the next."""
        return self.line_bytes // ITEM_BYTES

    def lines(self, size: Size) -> int:
        """Lines of the working set."""
        return size["kib"] * KIB // self.line_bytes

    def hops(self, size: Size) -> int:
        """Dependent loads of one launch."""
        return next(hops for largest, hops in self.hops_up_to_kib if size["kib"] <= largest)

    def latency(self, cell: MeasuredCell) -> float | None:
        """Seconds of one hop: median time of a launch over its hops."""
        return cell.measurement.median_s / self.hops(cell.measurement.key.size)

    def cost(self, size: Size, level: Level) -> Cost:
        """One word of each line visited; a sector of `level` a hop."""
        touched = ITEM_BYTES * (min(self.lines(size), self.hops(size)) + 1)
        return Cost(0, touched, {Level.DRAM: touched, level: 32 * self.hops(size)})


def not_a_power_of_two(size: Size) -> str | None:
    """Why this working set has no chain, or None."""
    kib = size["kib"]
    if kib & (kib - 1) == 0:
        return None
    return f"{kib} KiB is no power of two, so its lines form no single cycle. Choose a power of two."


def set_title(kib: int) -> str:
    """ "64 KiB", "4 MiB", "2 GiB"."""
    for unit, kib_of_unit in (("GiB", KIB * KIB), ("MiB", KIB)):
        if kib >= kib_of_unit:
            return f"{kib / kib_of_unit:g} {unit}"
    return f"{kib} KiB"


def chain_problem(name: str, title: str, question: str, chain: Chain, suite_kib: tuple[int, ...]) -> Problem:
    """The walk through one memory: inputs `chain` (lines, words per line), output `last`, the final line."""

    def tensors(size: Size) -> tuple[Tensor, ...]:
        last = Tensor("last", (1,), is_output=True)
        shape = (chain.lines(size), chain.words_per_line)
        return (last,) if chain.in_source else (Tensor("chain", shape), last)

    def draw(xp: Any, size: Size, seed: int) -> Mapping[str, Any]:  # noqa: ANN401
        """Every word of a line holds the first element of the next line. The seed changes nothing."""
        lines = chain.lines(size)
        following = (xp.arange(lines, dtype=xp.int64) * MULTIPLIER + INCREMENT) % lines
        return {} if chain.in_source else {"chain": (following * chain.words_per_line)[:, None]}

    def reference(xp: Any, inputs: Mapping[str, Any], size: Size) -> Mapping[str, Any]:  # noqa: ANN401
        return {"last": xp.asarray([walk(chain.lines(size), chain.hops(size))])}

    return Problem(
        name=name,
        title=title,
        question=question,
        size_parameters=(SizeParameter("kib", "Working set in KiB", 1, chain.largest_kib, suite_kib[0]),),
        dtypes=(Dtype.INT32,),
        tensors=tensors,
        scalars=lambda size: (chain.lines(size), chain.hops(size)),
        reference=reference,
        tolerance=lambda size, dtype: 0.0,
        size_title=lambda size: set_title(size["kib"]),
        reference_description="the same walk on the host",
        kind=ProblemKind.HIERARCHY,
        draw=draw,
        suite_sizes=tuple(Size.of(kib=kib) for kib in suite_kib),
        check_sizes=(Size.of(kib=suite_kib[0]), Size.of(kib=suite_kib[-1] if chain.in_source else 32)),
        caches=(CacheState.WARM,),
    )


def walk(lines: int, hops: int, start: int = 0) -> int:
    """The line on which a walk ends."""
    at = start
    for _ in range(hops):
        at = (MULTIPLIER * at + INCREMENT) % lines
    return at


def at_boost_clock(cycles: float, evidence: DeviceEvidence) -> float | None:
    """Seconds of so many cycles at the device's boost clock, or None where it is unknown."""
    clock = evidence.device.boost_clock_hz
    return cycles / clock if clock else None
