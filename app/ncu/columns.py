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
_NUMBERED = frozenset({"ID", "Process ID", *_SOURCE_FIRST})
_LEAST_KNOWN = 3
_FRONT = 48  # launch columns stand at the front of a row


def is_nvtx(name: str) -> bool:
    """Whether a column holds the NVTX ranges that were open."""
    return name.endswith(_NVTX_END)


@dataclass(frozen=True)
class Header:
    """The head of a table: its cells, and the position of each name's first column."""

    cells: tuple[str, ...]
    beyond: int = 0  # columns over the limit, not among the cells' names

    @classmethod
    def of(cls, cells: Sequence[str], most: int) -> Header:
        """Of a head's row; names beyond `most` are blank, their columns are left out by the pages."""
        beyond = max(0, len(cells) - most)
        return cls((*cells[:most], *("",) * beyond), beyond)

    @cached_property
    def has_nvtx(self) -> bool:
        """Whether open NVTX ranges are listed, whose names hold quotes that are not doubled."""
        return any(map(is_nvtx, self.cells[:_FRONT]))

    @cached_property
    def begins_with_number(self) -> bool:
        """Whether the first cell of every row is a number or empty."""
        return self.cells[0] in _NUMBERED

    @cached_property
    def places(self) -> dict[str, int]:
        """Position by name; the first where a name comes twice."""
        return {name: place for place, name in reversed(list(enumerate(self.cells)))}

    @cached_property
    def launch_width(self) -> int:
        """How many columns at the front describe the launch; of a raw page the rest are metrics."""
        known = (p for p, name in enumerate(self.cells[:_FRONT]) if name in LAUNCH_COLUMNS or is_nvtx(name))
        return max(known, default=-1) + 1

    @cached_property
    def shared_width(self) -> int:
        """How many cells at the front the rows of one launch have in common; 0 where rows are launches."""
        front = next((p for p, name in enumerate(self.cells) if name not in LAUNCH_COLUMNS), len(self.cells))
        is_long = "Metric Name" in self.places
        return front if is_long and LAUNCH_COLUMNS.isdisjoint(self.cells[front:]) else 0

    @cached_property
    def is_wide(self) -> bool:
        """Whether rows are launches whose own columns stand in front of a column a metric."""
        is_long = "Metric Name" in self.places or "Kernel Name" not in self.places
        return not is_long and not self.foreign_count and not self.beyond

    @cached_property
    def foreign_count(self) -> int:
        """Columns among those of the launch that are none, such as the row numbers of a saved frame."""
        front = self.cells[: self.launch_width]
        return sum(name not in LAUNCH_COLUMNS and not is_nvtx(name) for name in front)


def is_header(cells: Sequence[str]) -> bool:
    """Whether a row is the head of a table of launches, of a source page or of a session page."""
    if len(cells) < 2:
        return False
    if cells[1] == "Source" and cells[0] in _SOURCE_FIRST:
        return True
    if cells[0].endswith("Attribute") and (cells[1] == "Value" or cells[1].startswith("Device ")):
        return True
    front = cells[:_FRONT]
    if "Kernel Name" not in front:
        return False
    return sum(name in LAUNCH_COLUMNS or name in ROW_COLUMNS for name in front) >= _LEAST_KNOWN
