"""How well a loop of fused multiply-adds feeds the pipe, judged from its machine code without a GPU.

A model, not a measurement. Registers lie in two banks by the parity of their number; a bank serves one read
of a warp a cycle. An operand flagged `.reuse` stays beside the pipe, one a slot and bank, until the same slot
reads that bank again or the register is written. Reads may wait QUEUE cycles before they hold up the issue of
the next instruction, so an order that alternates between banks costs nothing where one that stays in a bank
for several multiply-adds costs cycles. Every other instruction costs its issue slot.

Held to kernels of this project on an H200 (cuBLAS = 1): a row order whose two reads always share a bank,
0.945, beside 0.951 where they never do; a column order that stays in one bank for eight multiply-adds, 0.804.
The model knows no latency and no cost of branches: measured shares lie up to 17 points below it. Hopper and
Ada issue one FFMA a cycle and scheduler; on an A100 it takes two, so that conflicts hide behind it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from app.analysis.sass import Instruction, Listing
from app.domain.measurement import InnerLoop

BANKS = 2
QUEUE = 2  # cycles
MOST_KINDS = 8  # of instructions, listed by count
_MULTIPLY_ADD = "FFMA"
_LOCAL = ("LDL", "STL")


def score(listing: Listing) -> InnerLoop | None:
    """Facts of the busiest loop, of the whole kernel where it has no loop; None of an empty listing."""
    body = listing.busiest_loop or listing.instructions
    if not body:
        return None
    mix = Counter(instruction.mnemonic for instruction in body)
    multiply_adds = [i for i in body if i.mnemonic == _MULTIPLY_ADD and i.sources]
    return InnerLoop(
        is_loop=bool(listing.busiest_loop),
        instructions=len(body),
        mix=tuple(mix.most_common(MOST_KINDS)),
        multiply_adds=mix[_MULTIPLY_ADD],
        shared_loads=mix["LDS"] + mix["LDSM"],
        conflict_cycles=_conflict_cycles(body),
        renamed=sum(i.target != i.sources[-1].register for i in multiply_adds),
        kept_operands=sum(any(operand.is_kept for operand in i.sources) for i in multiply_adds),
        local_instructions=sum(i.mnemonic in _LOCAL for i in listing.instructions),
    )


def _conflict_cycles(body: Sequence[Instruction]) -> int:
    """Cycles that a pass of the body in a running loop takes beyond its instructions."""
    banks = _Banks()
    for instruction in body:
        banks.issue(instruction)
    begun = banks.now
    for instruction in body:
        banks.issue(instruction)
    return banks.now - begun - len(body)


class _Banks:
    """Register banks while instructions are issued, one a cycle where the banks keep up."""

    def __init__(self) -> None:
        self.now = 0
        self._busy_until = [0] * BANKS
        self._kept: dict[tuple[int, int], int] = {}  # (slot, bank) -> register

    def issue(self, instruction: Instruction) -> None:
        """Let one instruction pass; only multiply-adds are taken to read registers in the pipe's way."""
        self.now += 1
        if instruction.mnemonic != _MULTIPLY_ADD:
            return
        for register in self._read_anew(instruction):
            bank = register % BANKS
            self._busy_until[bank] = max(self._busy_until[bank], self.now) + 1
        self.now = max(self.now, *(busy - QUEUE for busy in self._busy_until))
        self._keep(instruction)

    def _read_anew(self, instruction: Instruction) -> set[int]:
        return {
            operand.register
            for slot, operand in enumerate(instruction.sources)
            if operand.register is not None
            and self._kept.get((slot, operand.register % BANKS)) != operand.register
        }

    def _keep(self, instruction: Instruction) -> None:
        for slot, operand in enumerate(instruction.sources):
            if operand.register is None:
                continue
            place = slot, operand.register % BANKS
            if operand.is_kept:
                self._kept[place] = operand.register
            else:
                self._kept.pop(place, None)
        self._kept = {place: r for place, r in self._kept.items() if r != instruction.target}
