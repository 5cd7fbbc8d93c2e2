"""Translates what a database says into the product's one error for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError

from app.domain.errors import UnavailableError

_ADVICE = {
    "locked": "is locked by another program; nothing was stored. Close that program and try again",
    "readonly": "is read-only; nothing was stored. Make the data folder writable, or set ROOFLADDER_DATA_DIR",
    "disk is full": "cannot grow because the disk is full; nothing was stored. Free some space and try again",
    "unable to open": "cannot be opened. Check that the data folder exists and is writable",
    "disk i/o error": "cannot be read or written (disk I/O error). Check the disk and its free space",
    "not a database": "is not a database. Move the file away, or restore a backup",
    "malformed": "is damaged. Restore a backup",
}


@contextmanager
def translated(name: str) -> Iterator[None]:
    """Turn a driver's error into UnavailableError with one line; constraint violations pass unchanged."""
    try:
        yield
    except DBAPIError as error:
        said = str(error.orig).lower()
        for sign, advice in _ADVICE.items():
            if sign in said:
                raise UnavailableError(f"The database {name} {advice}.") from error
        raise
