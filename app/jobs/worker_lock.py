"""One worker on a data folder: two would take each other's jobs for their own."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import IO

from app.domain.errors import UnavailableError

LOCK_NAME = "worker.lock"


class WorkerLock:
    """Held for the life of the worker; the system drops it however the process dies."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file

    @classmethod
    def acquire(cls, folder: Path) -> WorkerLock:
        """Take the folder. Raises UnavailableError that names the other worker, or says why not."""
        path = folder / LOCK_NAME
        try:
            folder.mkdir(parents=True, exist_ok=True)
            file = path.open("a+")
        except OSError as error:
            raise UnavailableError(
                f"The data folder {folder} cannot be written: {error.strerror}. The worker did not start; set"
                " ROOFLADDER_DATA_DIR to a folder that you may write to."
            ) from error
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            holder = file.read().strip() or "not known"
            file.close()
            raise UnavailableError(
                f"A worker already runs on the data folder {folder} (pid {holder}). This one stops; use"
                " that one, or set ROOFLADDER_DATA_DIR to another folder."
            ) from None
        file.seek(0)
        file.truncate()
        file.write(f"{os.getpid()}\n")
        file.flush()
        return cls(file)

    def release(self) -> None:
        """Give the folder back."""
        self._file.close()
