"""The data folder: made and proved writable at start, and used by one service at a time."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from app.domain.errors import UnavailableError

LOCK_NAME = "service.lock"
LEAST_FREE_BYTES = 32 * 1024 * 1024

_REASONS = {
    errno.EROFS: "is on a read-only file system",
    errno.EACCES: "is not writable by this user",
    errno.EPERM: "is not writable by this user",
    errno.ENOSPC: "is on a full disk",
    errno.EDQUOT: "is over its disk quota",
    errno.ENOTDIR: "is not a folder",
    errno.EEXIST: "is not a folder",
}
_ADVICE = "Roofladder did not start. Set ROOFLADDER_DATA_DIR to a folder that is writable and has room."


@dataclass(frozen=True)
class RunningService:
    """Who holds a data folder. `url` is None while that service is still starting."""

    pid: int
    url: str | None


class AlreadyRunningError(UnavailableError):
    """Another service holds this data folder."""

    code = "already_running"


def prepare(folder: Path) -> None:
    """Make the folder and prove that it takes data. Raises UnavailableError with one line."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(b"\0" * 4096)
            probe.flush()
            os.fsync(probe.fileno())
        free = shutil.disk_usage(folder).free
    except OSError as error:
        reason = _REASONS.get(error.errno or 0, f"cannot be used ({error.strerror})")
        raise UnavailableError(f"The data folder {folder} {reason}. {_ADVICE}") from error
    if free < LEAST_FREE_BYTES:
        raise UnavailableError(
            f"The data folder {folder} is on a full disk: {free / 1e6:.0f} MB are free and at least "
            f"{LEAST_FREE_BYTES / 1e6:.0f} MB are needed. {_ADVICE}"
        )


class ServiceLock:
    """Held for the life of a service; the system drops it when the process dies, however it dies."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    @classmethod
    def acquire(cls, folder: Path) -> ServiceLock:
        """Take the folder. Raises AlreadyRunningError that names the holder."""
        file = (folder / LOCK_NAME).open("a+")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            raise AlreadyRunningError(_already_running(folder)) from None
        lock = cls(file)
        lock._write(RunningService(os.getpid(), None))
        return lock

    def announce(self, url: str) -> None:
        """Let others find this service."""
        self._write(RunningService(os.getpid(), url))

    def release(self) -> None:
        """Give the folder back."""
        self._file.truncate(0)
        self._file.close()

    def _write(self, service: RunningService) -> None:
        self._file.seek(0)
        self._file.truncate(0)
        json.dump({"pid": service.pid, "url": service.url}, self._file)
        self._file.flush()


def running_service(folder: Path) -> RunningService | None:
    """The service that holds this folder, None when there is none."""
    path = folder / LOCK_NAME
    if not path.exists():
        return None
    with path.open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return _read(file)
    return None


def _read(file: TextIO) -> RunningService:
    try:
        told = json.load(file)
        return RunningService(int(told["pid"]), told["url"])
    except (ValueError, KeyError):  # read between the holder's truncate and its write
        return RunningService(0, None)


def _already_running(folder: Path) -> str:
    holder = running_service(folder)
    if holder is None or not holder.pid:
        return f"Roofladder is already starting on the data folder {folder}."
    where = f"at {holder.url}" if holder.url else "and still starting"
    return (
        f"Roofladder is already running on the data folder {folder} {where} (pid {holder.pid}). "
        "Open that address, stop that one, or set ROOFLADDER_DATA_DIR to another folder."
    )
