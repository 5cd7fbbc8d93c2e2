"""The part of a launch that its row's first columns tell."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from app.domain.report import LaunchKind, LaunchProfile, Metrics, ToolRule
from app.ncu.columns import LAUNCH_COLUMNS, Header, is_nvtx

_DIMENSIONS = re.compile(r"\(?\s*([0-9]+)[,x\s]+([0-9]+)[,x\s]+([0-9]+)\s*\)?")
_FIELDS_AFTER_NAME = 6  # type and value of the payload, colour, message, each with its type
_NVTX_CHARS = 100_000
_FRONT = 64
_LONGEST_DIMENSIONS = 64
_KINDS = {"range": LaunchKind.RANGE, "graph": LaunchKind.GRAPH}


@dataclass(frozen=True)
class LaunchColumns:
    """Where the launch's own columns stand in one table."""

    places: dict[str, int]
    nvtx: tuple[int, ...]

    @classmethod
    def of(cls, header: Header) -> LaunchColumns:
        """For the table with this head."""
        nvtx = tuple(place for place, name in enumerate(header.cells[:_FRONT]) if is_nvtx(name))
        return cls({name: header.places[name] for name in LAUNCH_COLUMNS & header.places.keys()}, nvtx)

    def is_blank(self, cells: Sequence[str]) -> bool:
        """Whether a row tells of no launch, as the row of units does."""
        return not any(cells[place] for place in self.places.values() if place < len(cells))

    def cell(self, cells: Sequence[str], name: str) -> str | None:
        """The row's cell in that column; None where there is no such column, or it is empty or n/a."""
        place = self.places.get(name)
        if place is None or place >= len(cells):
            return None
        text = cells[place].strip()
        return text if text and text != "n/a" else None

    def launch(
        self,
        cells: Sequence[str],
        *,
        metrics: Metrics,
        rules: tuple[ToolRule, ...] = (),
        duration_s: float | None = None,
        device_name: str | None = None,
    ) -> LaunchProfile:
        """The launch that a row is about."""
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
            metrics=metrics,
            rules=rules,
            duration_s=duration_s,
            device_name=device_name,
        )


def ranges(cell: str) -> tuple[str, ...]:
    """Names of the NVTX ranges in a cell: a thread's id, then one quoted entry a range.

    An entry is `"<domain>:NAME:` and six more fields; the name may hold commas, colons and quotes.
    """
    found = []
    for entry in cell[:_NVTX_CHARS].split('"<')[1:]:
        named = entry.partition(">:")[2]
        fields = named[: named.rfind('"')].rsplit(":", _FIELDS_AFTER_NAME)
        if len(fields) > _FIELDS_AFTER_NAME:
            found.append(fields[0])
    return tuple(found)


def dimensions(text: str | None) -> tuple[int, int, int] | None:
    """ "(16, 16, 1)" as numbers."""
    found = _DIMENSIONS.fullmatch(text.strip()) if text and len(text) <= _LONGEST_DIMENSIONS else None
    return None if found is None else (int(found[1]), int(found[2]), int(found[3]))


def _whole(text: str | None) -> int | None:
    digits = "" if text is None else text.replace(",", "")
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) <= 18 else None
