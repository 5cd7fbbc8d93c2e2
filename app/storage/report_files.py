"""Reports as files under the address of their content, so that a better reader can read them again."""

from __future__ import annotations

import hashlib
import shutil
import uuid
from contextlib import suppress
from pathlib import Path

from app.domain.errors import NotFoundError, UnavailableError

CHUNK_BYTES = 1 << 20


class ReportFiles:
    """A folder of files named by the SHA-256 of what they hold."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep(self, source: Path) -> str:
        """Copy a file in, once; returns its address. Raises UnavailableError where that fails."""
        sha256 = file_sha256(source)
        target = self._path(sha256)
        if target.exists():
            return sha256
        partial = target.with_name(f"{sha256}.{uuid.uuid4().hex}.part")
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, partial)
            partial.replace(target)
        except OSError as error:
            with suppress(OSError):
                partial.unlink(missing_ok=True)
            raise UnavailableError(
                f"The report could not be kept in the data folder ({error.strerror}); nothing was stored. "
                "Check its free space and that it is writable."
            ) from error
        return sha256

    def path(self, sha256: str) -> Path:
        """Where the file lies. Raises NotFoundError when it was taken away."""
        found = self._path(sha256)
        if not found.is_file():
            raise NotFoundError(
                "The file of this report is no longer in the data folder; its launches are. Import it again."
            )
        return found

    def remove(self, sha256: str) -> None:
        """Forget a file; one that is not there is no error."""
        self._path(sha256).unlink(missing_ok=True)

    def _path(self, sha256: str) -> Path:
        return self._folder / sha256[:2] / sha256


def file_sha256(path: Path) -> str:
    """Hex SHA-256 of a file of any size."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
