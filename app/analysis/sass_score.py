"""How well a loop of fused multiply-adds feeds the pipe, judged from its machine code without a GPU.

A model, not a measurement. Registers lie in two banks by the parity of their number; a bank serves one read
of a warp a cycle. An operand flagged `.reuse` stays beside the pipe, one a slot and bank, until the same slot
reads that bank again or the register is written. A multiply-add whose remaining reads ask one bank twice
takes a cycle more, every other instruction costs its issue slot. On an H200 measured shares lay 2 to 8
points below the modelled share and ranked alike (Hopper, Ada: one FFMA a cycle and scheduler; on an A100 an
FFMA takes two, so that conflicts and other instructions hide behind it).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from app.analysis.sass import Instruction, Listing
from app.domain.measurement import InnerLoop

BANKS = 2
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
    kept: dict[tuple[int, int], int] = {}  # (slot, bank) -> register
    lost = 0
    for instruction in body:
        if instruction.mnemonic != _MULTIPLY_ADD:
            continue
        lost += _extra_cycles(instruction, kept)
        for slot, operand in enumerate(instruction.sources):
            if operand.register is None:
                continue
            place = slot, operand.register % BANKS
            if operand.is_kept:
                kept[place] = operand.register
            else:
                kept.pop(place, None)
        for place in [p for p, register in kept.items() if register == instruction.target]:
            del kept[place]
    return lost


def _extra_cycles(instruction: Instruction, kept: dict[tuple[int, int], int]) -> int:
    read = {
        operand.register
        for slot, operand in enumerate(instruction.sources)
        if operand.register is not None and kept.get((slot, operand.register % BANKS)) != operand.register
    }
    by_bank = Counter(register % BANKS for register in read)
    return max(0, max(by_bank.values(), default=0) - 1)
