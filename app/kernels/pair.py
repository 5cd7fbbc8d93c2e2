"""The contract of a diagnosis pair: a classic fault, what shows it, and its cure, measured side by side.

A problem of kind PAIR holds `pair.py` with `PAIR` and two CUDA stages: the faulty one first, the cured one
improving on it. Adding a pair edits nothing else.
"""

from __future__ import annotations

import importlib
import importlib.util
from dataclasses import dataclass
from functools import cache

from app.domain.vocabulary import BackendName
from app.kernels.registry import problems, stages
from app.kernels.stage import Stage


@dataclass(frozen=True)
class Pair:
    """What a reader needs to recognise the fault elsewhere. Texts are true for any device."""

    problem: str
    fault: str  # what the kernel does wrong, a sentence
    sign: str  # the counter or compiler fact that shows it, and its value without the fault
    cure: str  # what to do, a sentence
    lesson: str  # what to learn, a sentence or two
    source: str | None = None  # where the lectures describe it: "L22 §7.1"

    @property
    def stages(self) -> tuple[Stage, Stage]:
        """The faulty and the cured stage."""
        faulty, cured = stages(self.problem, BackendName.CUDA)
        return faulty, cured


@cache
def pairs() -> dict[str, Pair]:
    """Every pair by the name of its problem, in name order."""
    found: list[Pair] = []
    for name in sorted(problems()):
        declared = f"app.kernels.{name}.pair"
        if importlib.util.find_spec(declared) is not None:
            found.append(importlib.import_module(declared).PAIR)
    return {pair.problem: pair for pair in found}
