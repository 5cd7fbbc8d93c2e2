"""SQLAlchemy engines on SQLite, set up the same way for results and for the job engine."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import ModuleType
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.engine import make_url

from app.domain.errors import UnavailableError

BUSY_TIMEOUT_S = 10.0
_OLDEST_SQLITE = (3, 42)  # `unixepoch('subsec')`, which the job engine uses from Python 3.12 on

Connect = Callable[[Any], None]


def sqlite_module() -> ModuleType:
    """The SQLite driver to use: the standard one, or `pysqlite3` where Python 3.12 meets an old library.

    Raises UnavailableError when neither fits.
    """
    if sys.version_info < (3, 12) or sqlite3.sqlite_version_info >= _OLDEST_SQLITE:
        return sqlite3
    try:
        from pysqlite3 import dbapi2
    except ImportError:
        raise UnavailableError(
            f"SQLite {sqlite3.sqlite_version} is too old for Python {sys.version_info.major}."
            f"{sys.version_info.minor}: jobs need 3.42 or newer. Install `pysqlite3`, or use Python 3.11."
        ) from None
    return dbapi2


def sqlite_engine(url: str, prepare: Connect, *, busy_timeout_s: float = BUSY_TIMEOUT_S) -> sa.Engine:
    """An engine in WAL mode; `prepare` sets a new driver connection's transaction mode.

    The folder of the file is made. Raises UnavailableError where it cannot be made.
    """
    make_folder(url)
    engine = sa.create_engine(url, module=sqlite_module(), connect_args={"timeout": busy_timeout_s})

    @event.listens_for(engine, "connect")
    def set_up(connection: Any, _record: object) -> None:  # noqa: ANN401 - either driver's connection
        prepare(connection)
        with closing(connection.cursor()) as cursor:
            cursor.execute("PRAGMA journal_mode=WAL")
            cursor.execute("PRAGMA synchronous=NORMAL")
            cursor.execute("PRAGMA foreign_keys=ON")

    return engine


def make_folder(url: str) -> None:
    """Make the folder of a SQLite file. Raises UnavailableError with what the system says."""
    path = make_url(url).database
    if not path or path == ":memory:":
        return
    folder = Path(path).parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UnavailableError(
            f"The data folder {folder} cannot be made: {error.strerror}. Set ROOFLADDER_DATA_DIR to a folder"
            " that you may write to."
        ) from None
