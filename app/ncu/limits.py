"""How large an export may be in each direction; what lies beyond is left out and counted, never read."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Bounds of one file. An export of every metric has about 2,300 columns; a rule's text a few kB."""

    columns: int = 20_000
    record_chars: int = 32 * 2**20
    record_lines: int = 20_000
    output_lines: int = 1_000_000  # in a row that are no rows; then the rest is not read
    launches: int = 100_000
    rules_per_launch: int = 1_000
    device_attributes: int = 5_000  # of each device
    source_lines: int = 500_000
    tool_lines: int = 40  # of the tool's errors and warnings that are repeated to the user
    line_chars: int = 400  # of each of them


DEFAULT_LIMITS = Limits()
