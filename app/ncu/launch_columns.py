"""The part of a launch that its row's first columns tell."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from app.domain.report import LaunchKind, LaunchProfile
from app.ncu.columns import Header, is_nvtx

_DIMENSIONS = re.compile(r"\(?\s*(\d+)[,x\s]+(\d+)[,x\s]+(\d+)\s*\)?")
_RANGE = re.compile(
    r'"?<(?P<domain>[^>]*)>:(?P<name>.*?):[^:"]*:[^:"]*:[^:"]*:[^:"]*:[^:"]*:[^:"]*"+(?=\s|$)', re.DOTALL
)
_KINDS = {"range": LaunchKind.RANGE, "graph": LaunchKind.GRAPH}


@dataclass(frozen=True)
class LaunchColumns:
    """Where the launch's own columns stand in one table."""

    places: dict[str, int]
    nvtx: tuple[int, ...]

    @classmethod
    def of(cls, header: Header) -> LaunchColumns:
        """For the table with this head."""
        width = max(header.launch_width, 1)
        nvtx = tuple(place for place, name in enumerate(header.cells) if is_nvtx(name))
        known = header.places
        front = {name: place for name, place in known.items() if place < width}
        return cls(front or known, nvtx)

    def cell(self, cells: Sequence[str], name: str) -> str | None:
        """The row's cell in that column; None where there is no such column, or it is empty or n/a."""
        place = self.places.get(name)
        if place is None or place >= len(cells):
            return None
        text = cells[place].strip()
        return text if text and text != "n/a" else None

    def launch(self, cells: Sequence[str]) -> LaunchProfile:
        """A launch without counters yet."""
        block, grid = self.cell(cells, "Block Size"), self.cell(cells, "Grid Size")
        kernel = self.cell(cells, "Kernel Name") or ""
        return LaunchProfile(
            number=_whole(self.cell(cells, "ID")),
            process_id=_whole(self.cell(cells, "Process ID")),
            kernel=kernel,
            kind=LaunchKind.KERNEL if block or grid else _KINDS.get(kernel, LaunchKind.KERNEL),
            grid=dimensions(grid),
            block=dimensions(block),
            device_id=self.cell(cells, "Device"),
            compute_capability=self.cell(cells, "CC"),
            context=self.cell(cells, "Context"),
            stream=self.cell(cells, "Stream"),
            nvtx=tuple(name for place in self.nvtx if place < len(cells) for name in ranges(cells[place])),
            invocations=_whole(self.cell(cells, "Invocations")),
        )


def ranges(cell: str) -> tuple[str, ...]:
    """Names of the NVTX ranges in a cell: a thread's id, then one quoted entry a range."""
    return tuple(found["name"] for found in _RANGE.finditer(cell))


def dimensions(text: str | None) -> tuple[int, int, int] | None:
    """ "(16, 16, 1)" as numbers."""
    found = _DIMENSIONS.fullmatch(text.strip()) if text else None
    return None if found is None else (int(found[1]), int(found[2]), int(found[3]))


def _whole(text: str | None) -> int | None:
    return int(text) if text and text.isdecimal() and len(text) <= 18 else None
