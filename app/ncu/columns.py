"""The columns that say which launch a row is about, and how a row of the table's head is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

_NVTX_END = ":PL_Type:PL_Value:CLR_Type:Color:Msg_Type:Msg"

LAUNCH_COLUMNS = frozenset(
    {
        *("ID", "Process ID", "Process Name", "Host Name", "Kernel Name", "Kernel Time", "Context", "Stream"),
        *("Block Size", "Grid Size", "Device", "CC", "Invocations"),
    }
)
ROW_COLUMNS = frozenset(
    {
        *("Section Name", "Body Item Label", "Metric Name", "Metric Unit", "Metric Value"),
        *("Minimum", "Maximum", "Average", "Rule Name", "Rule Type", "Rule Description"),
        *("Estimated Speedup Type", "Estimated Speedup"),
    }
)
_SOURCE_FIRST = frozenset({"Address", "Line No", "#"})
_LEAST_KNOWN = 3


def is_nvtx(name: str) -> bool:
    """Whether a column holds the NVTX ranges that were open."""
    return name.endswith(_NVTX_END)


@dataclass(frozen=True)
class Header:
    """The head of a table: its cells, and the position of each name's first column."""

    cells: tuple[str, ...]

    @cached_property
    def has_nvtx(self) -> bool:
        """Whether open NVTX ranges are listed, whose names hold quotes that are not doubled."""
        return any(map(is_nvtx, self.cells[:32]))

    @cached_property
    def places(self) -> dict[str, int]:
        """Position by name; the first where a name comes twice."""
        return {name: place for place, name in reversed(list(enumerate(self.cells)))}

    @cached_property
    def launch_width(self) -> int:
        """How many columns at the front describe the launch; of a raw page the rest are metrics."""
        for place, name in enumerate(self.cells):
            if name not in LAUNCH_COLUMNS and not is_nvtx(name):
                return place
        return len(self.cells)


def is_header(cells: Sequence[str]) -> bool:
    """Whether a row is the head of a table of launches, of a source page or of a session page."""
    if len(cells) < 2:
        return False
    if cells[1] == "Source" and cells[0] in _SOURCE_FIRST:
        return True
    if cells[0].endswith("Attribute") and (cells[1] == "Value" or cells[1].startswith("Device ")):
        return True
    if "Kernel Name" not in cells or cells[0] == "Kernel Name":
        return False
    known = sum(name in LAUNCH_COLUMNS or name in ROW_COLUMNS for name in cells[:32])
    return known >= _LEAST_KNOWN
