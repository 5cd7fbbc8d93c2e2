"""What stands outside the tables: the tool's own lines, the program's output."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from app.ncu.limits import Limits

OUTPUT = "lines of the program's or the tool's own output"
_TOOL_LINE = re.compile(r"==(ERROR|WARNING|PROF)==\s*(.*)")
_SPOKEN = (
    "ERR_NVGPUCTRPERM",
    "No kernels were profiled",
    "Received signal",
    "before first instrumented API call",
)


@dataclass
class Surroundings:
    """The lines that are no rows; of the tool's errors and warnings the first ones are kept."""

    errors: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    prof_count: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    truncated: bool = False
    output_before: bool = False
    is_text_page: bool = False  # ncu's own table for people was seen

    def take(self, line: str, limits: Limits) -> None:
        """Note one line that is no row."""
        text = line.strip()
        if not text:
            return
        self.skipped[OUTPUT] += 1
        self.output_before = True
        text = text[: limits.line_chars]
        self.is_text_page |= text.startswith("Section: ")
        found = _TOOL_LINE.search(text)
        kind, said = found.groups() if found else ("", text)
        is_spoken = any(word in said for word in _SPOKEN)
        self.prof_count += kind == "PROF"
        if kind == "ERROR" or is_spoken:
            _keep(self.errors, f"=={kind}== {said}" if kind else said, limits)
        elif kind == "WARNING":
            _keep(self.warnings, f"=={kind}== {said}", limits)


def _keep(lines: list[str], line: str, limits: Limits) -> None:
    if len(lines) < limits.tool_lines:
        lines.append(line)
