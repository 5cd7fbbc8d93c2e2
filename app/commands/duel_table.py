"""A run's JSON as a table of its duels for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich import box
from rich.markup import escape
from rich.table import Table

from app.commands.ladder_table import size_title
from app.web import formatting


def duel_tables(run: dict[str, Any]) -> Iterator[Table]:
    """One table of every duel; none where the run has none."""
    duels = run["duels"]
    if not duels:
        return
    table = Table(title="Duels: speed of own over library", title_justify="left")
    table.box, table.padding, table.show_edge = box.SIMPLE_HEAD, (0, 0, 0, 1), False
    for name in ("size", "type", "regime", "own", "library"):
        table.add_column(name)
    for name in ("ratio", "least to most", "pairs", "own", "clock", "power"):
        table.add_column(name, justify="right", no_wrap=True)
    for duel in duels:
        table.add_row(*_row(duel))
    yield table


def _row(duel: dict[str, Any]) -> tuple[str, ...]:
    own = duel["own_side"]
    return (
        size_title(duel),
        duel["dtype"],
        duel["regime"],
        escape(duel["own"]),
        escape(duel["library"]),
        formatting.fixed(duel["ratio"], 3),
        f"{formatting.fixed(duel['ratio_min'], 3)} to {formatting.fixed(duel['ratio_max'], 3)}",
        str(len(duel["pairs"])),
        formatting.rate(own["flop_per_s"]),
        formatting.clock(own["sm_clock_hz"]),
        formatting.power(own["power_w"]),
    )
