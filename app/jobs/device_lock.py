"""One measuring program per device at a time, across processes and users of the machine."""

from __future__ import annotations

import fcntl
import os
import re
import tempfile
from pathlib import Path

from app.domain.errors import UnavailableError


class DeviceLock:
    """A lock on a device's UUID. A child that inherits `fd` holds it too, so a dead worker's child counts."""

    def __init__(self, fd: int) -> None:
        self.fd = fd

    @classmethod
    def try_acquire(cls, device_uuid: str, folder: Path | None = None) -> DeviceLock | None:
        """The lock, or None while another program measures. Raises UnavailableError without a lock file."""
        name = re.sub(r"[^A-Za-z0-9-]", "_", device_uuid)
        path = (folder or Path(tempfile.gettempdir())) / f"roofladder-device-{name}.lock"
        try:
            fd = _open(path)
        except OSError as error:
            raise UnavailableError(
                f"The device lock {path} cannot be opened: {error.strerror}. Nothing was measured; make the"
                " file readable or remove it."
            ) from error
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(fd)
            return None
        return cls(fd)

    def release(self) -> None:
        """Let go; the device is free once every child that inherited the lock is dead."""
        os.close(self.fd)


def _open(path: Path) -> int:
    # Another user's file in a sticky folder may not be opened with O_CREAT, so creating comes second.
    try:
        return os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        return os.open(path, os.O_RDONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
