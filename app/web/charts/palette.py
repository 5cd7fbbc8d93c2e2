"""Finished colours of both themes: the tokens of the style sheet that figures use."""

from __future__ import annotations

from dataclasses import dataclass

FONT = "Inter, system-ui, sans-serif"


@dataclass(frozen=True)
class Palette:
    """Hex colours of one theme, named by meaning."""

    surface: str
    ink: str
    ink_2: str
    ink_3: str
    line_2: str
    grid: str
    axis: str
    bar: str
    own: str
    roof: str
    reference: str
    bad: str
    warn: str
    good: str
    l2: str
    l1: str


LIGHT = Palette(
    surface="#FFFFFF",
    ink="#141A22",
    ink_2="#46505E",
    ink_3="#5C6675",
    line_2="#BCC5D1",
    grid="#E6EAF0",
    axis="#9AA5B4",
    bar="#2E6FDB",
    own="#1D5BC9",
    roof="#BC530A",
    reference="#333D4B",
    bad="#B0361B",
    warn="#7D5200",
    good="#0A6B56",
    l2="#2AA492",
    l1="#513A03",
)
DARK = Palette(
    surface="#14181F",
    ink="#E9EDF3",
    ink_2="#B4BECB",
    ink_3="#929DAD",
    line_2="#424D5C",
    grid="#222932",
    axis="#5A6675",
    bar="#5B93F0",
    own="#82B1FF",
    roof="#F79A4B",
    reference="#D5DCE6",
    bad="#FF9478",
    warn="#F0BC5A",
    good="#4FD0AE",
    l2="#47F8E0",
    l1="#F9DEA5",
)
BY_NAME = {"light": LIGHT, "dark": DARK}
