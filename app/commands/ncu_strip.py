"""`roofladder ncu strip`: a report that can be passed on."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from app.domain.errors import InvalidInputError
from app.ncu.rep_strip import strip


def strip_file(source: Path, target: Path, console: Console) -> None:
    """Write `target`. Raises InvalidInputError where the source is no whole report or cannot be opened."""
    try:
        stripped = strip(source.read_bytes())
        target.write_bytes(stripped.data)
    except OSError as error:
        raise InvalidInputError(
            f"{error.filename}: {error.strerror}. Check the path and its rights."
        ) from None
    console.print(
        f"{target}: {stripped.launches} launches, {len(stripped.data):,} of {stripped.before_bytes:,} bytes; "
        f"{stripped.sources} binaries left out",
        markup=False,
    )
