"""Decisions of the Hopper rungs one by one: what each costs, one that is wrong on purpose among them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from app.kernels.stage import Stage
from bench import fp32_race
from bench.fp32_race import LADDER

HERE = Path(__file__).parent
BANKS = (
    *("", "HOLDS=7", "HOLDS=7 FEW=40 MANY=232", "HOLDS=7 FEW=32 MANY=240"),
    *("HOLDS=1", "HOLDS=2", "HOLDS=3", "HOLDS=4", "HOLDS=5", "HOLDS=6"),
    *("HOLDS=7 AHEAD=1", "HOLDS=7 DEPTH=3", "HOLDS=7 SWAP=0", "HOLDS=7 NO_LOADS=1"),
)
STREAMK = (
    *("HOLDS=7", "HOLDS=7 SHARE=0", "HOLDS=7 FEW=24 MANY=240", "HOLDS=7 FEW=24 MANY=240 SHARE=0"),
    *("HOLDS=15 FEW=24 MANY=240 SHARE=0", "HOLDS=7 FEW=24 MANY=240 SHARE=0 GROUP_ROWS=16"),
)


def variant(base: Stage, source: str, macros: str) -> Stage:
    return replace(
        base,
        name=f"{source} {macros}",
        source=HERE / f"{source}.cu",
        entry=source,
        compile_options=tuple(f"-D{macro}" for macro in macros.split()),
    )


RACE = replace(
    fp32_race.RACE,
    searched=(
        *(variant(LADDER["register_banks"], "hopper_search", macros) for macros in BANKS),
        *(variant(LADDER["hopper_streamk"], "streamk_search", macros) for macros in STREAMK),
    ),
)
