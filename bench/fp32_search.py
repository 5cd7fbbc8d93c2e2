"""Decisions of the Hopper rungs one by one: what each costs, wrong-on-purpose variants among them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from app.kernels.stage import Stage
from bench import fp32_race
from bench.fp32_race import LADDER

HERE = Path(__file__).parent
BANKS = (
    "",
    "HOLDS=0",
    "HOLDS=7",
    "SWAP=0",
    "SWAP=2",
    "SWAP=3",
    "AHEAD=1",
    "AHEAD=2",
    "COLUMNS_FIRST=1",
    "COLUMNS_FIRST=2",
    "NO_LOADS=1",
    "NO_LOADS=1 SWAP=0",
    "NO_LOADS=1 HOLDS=0",
    "NO_LOADS=1 COLUMNS_FIRST=2",
    "NO_LOADS=1 COLUMNS_FIRST=1",
    "FEW=40 MANY=232",
    "DEPTH=2",
    "DEPTH=3",
)
STREAMK = ("", "SHARE=0", "GROUP_ROWS=4", "GROUP_ROWS=16", "SHARE=0 GROUP_ROWS=16")


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
