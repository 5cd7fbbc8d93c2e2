"""Reads a disassembled kernel (SASS, as `nvdisasm` prints it): its instructions and its busiest loop."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

_LINE = re.compile(
    r"^\s+/\*(?P<address>[0-9a-f]{4,})\*/\s+(?:\{\s*)?(?:@!?U?P\w+\s+)?(?P<text>[A-Z][^;]*?)\s*;"
)
_LABEL = re.compile(r"^(?P<label>\.L\w+):")
_TARGET = re.compile(r"`\((?P<label>\.L\w+)\)")
_REGISTER = re.compile(r"^-?\|?(?P<register>R(?:Z|\d+))(?P<suffix>[\w.]*)\|?$")
# What a kernel is written for; the rest of a loop serves it.
_ARITHMETIC = frozenset(("FFMA", "DFMA", "HFMA2", "HMMA", "IMMA", "DMMA", "HGMMA", "QGMMA", "IGMMA"))


@dataclass(frozen=True)
class Operand:
    """A source operand in its slot. `register` is None for constants, immediates, predicates and RZ."""

    register: int | None
    is_kept: bool  # flagged .reuse: the next reader of this slot need not read the register file


@dataclass(frozen=True)
class Instruction:
    """One machine instruction. `opcode` is whole ("LDS.128"); `sources` follow the first operand."""

    address: int
    opcode: str
    target: int | None  # register written first, where it is one
    sources: tuple[Operand, ...]
    jumps_to: str | None  # label

    @property
    def mnemonic(self) -> str:
        """The opcode before its first dot."""
        return self.opcode.split(".")[0]


@dataclass(frozen=True)
class Listing:
    """A kernel's instructions in order, and the index of the instruction that each label stands before."""

    instructions: tuple[Instruction, ...]
    labels: dict[str, int]

    @cached_property
    def busiest_loop(self) -> tuple[Instruction, ...]:
        """Of the innermost loops that compute the one with the most arithmetic; empty without any loop.

        What a branch inside the loop passes over is left out where it holds no arithmetic: a rare path.
        """
        bodies = [self._travelled(first, last) for first, last in self._innermost()]
        return max(bodies, key=lambda body: (sum(map(_is_arithmetic, body)), len(body)), default=())

    def _travelled(self, first: int, last: int) -> tuple[Instruction, ...]:
        found: list[Instruction] = []
        at = first
        while at <= last:
            instruction = self.instructions[at]
            found.append(instruction)
            target = self.labels.get(instruction.jumps_to or "", at)
            passed_over = self.instructions[at + 1 : target]
            skips = at < target <= last and not any(map(_is_arithmetic, passed_over))
            at = target if skips else at + 1
        return tuple(found)

    def _innermost(self) -> Iterator[tuple[int, int]]:
        every = list(self._loops())
        working = [loop for loop in every if any(map(_is_arithmetic, self.instructions[slice(*loop)]))]
        # A loop that waits for a barrier may lie inside the one that computes.
        loops = sorted(working or every, key=lambda loop: loop[1] - loop[0])
        for at, (first, last) in enumerate(loops):
            if not any(first <= inner[0] and inner[1] <= last for inner in loops[:at]):
                yield first, last

    def _loops(self) -> Iterator[tuple[int, int]]:
        for at, instruction in enumerate(self.instructions):
            begins = self.labels.get(instruction.jumps_to or "")
            if begins is not None and begins < at:
                yield begins, at


def _is_arithmetic(instruction: Instruction) -> bool:
    return instruction.mnemonic in _ARITHMETIC


def parse(text: str, entry: str) -> Listing:
    """The listing of kernel `entry` in what `nvdisasm -c` prints; empty where it holds no such kernel."""
    instructions: list[Instruction] = []
    labels: dict[str, int] = {}
    for line in _section(text, entry):
        label = _LABEL.match(line)
        if label:
            labels[label["label"]] = len(instructions)
        found = _LINE.match(line)
        if found:
            instructions.append(_instruction(int(found["address"], 16), found["text"]))
    return Listing(tuple(instructions), labels)


def _section(text: str, entry: str) -> Sequence[str]:
    lines = text.splitlines()
    starts = [at for at, line in enumerate(lines) if line.startswith(".text.")]
    for first, end in pairwise([*starts, len(lines)]):
        if lines[first] == f".text.{entry}:":
            return lines[first:end]
    return ()


def _instruction(address: int, text: str) -> Instruction:
    opcode, _, rest = text.partition(" ")
    operands = [_operand(part.strip()) for part in rest.split(",")]
    jump = _TARGET.search(rest) if opcode.startswith("BRA") else None
    return Instruction(
        address, opcode, operands[0].register, tuple(operands[1:]), jump["label"] if jump else None
    )


def _operand(text: str) -> Operand:
    found = _REGISTER.match(text)
    if found is None or found["register"] == "RZ":
        return Operand(None, is_kept=False)
    return Operand(int(found["register"][1:]), is_kept=".reuse" in found["suffix"])
