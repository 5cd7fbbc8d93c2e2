"""Back up a data folder into one zip file while the service runs."""

from __future__ import annotations

import json
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import app
from app.domain.errors import InvalidInputError, NotFoundError, UnavailableError
from app.storage.sqlite_engine import sqlite_module

MANIFEST_NAME = "backup.json"
DATABASE_NAMES = ("roofladder.db", "jobs.db")
# Made again when missing, or meaningless elsewhere.
LEFT_OUT = frozenset({"cache", "logs"})
LEFT_OUT_SUFFIXES = (".lock", "-wal", "-shm", "-journal", ".part")


@dataclass(frozen=True)
class Backup:
    """What was written."""

    path: Path
    file_count: int
    size_bytes: int


def back_up(data_dir: Path, target: Path, at: datetime | None = None) -> Backup:
    """Write a consistent copy of both databases and of every raw file to the zip `target`.

    Unzipped into an empty folder it is a data folder again. Each database is copied by SQLite's online
    backup, so writers go on meanwhile; jobs queued between the two copies are enqueued again at start.
    Raises NotFoundError without a database, InvalidInputError when `target` exists, UnavailableError when
    the disk fails; then no file is left at `target`.
    """
    if not (data_dir / DATABASE_NAMES[0]).exists():
        raise NotFoundError(
            f"{data_dir} holds no Roofladder database, so nothing was backed up. "
            "Set ROOFLADDER_DATA_DIR or give --data-dir.",
            field="data_dir",
        )
    if target.exists():
        raise InvalidInputError(f"{target} exists and was left as it is. Name another file.", field="file")
    partial = target.with_name(target.name + ".part")
    try:
        count = _write(data_dir, partial, at or datetime.now(UTC))
        partial.replace(target)
    except (OSError, sqlite_module().Error) as error:
        partial.unlink(missing_ok=True)
        raise UnavailableError(
            f"The backup could not be written: {error}. {target} was not made; "
            "check that its folder is writable and has room."
        ) from error
    return Backup(target, count, target.stat().st_size)


def _write(data_dir: Path, partial: Path, at: datetime) -> int:
    manifest = {
        "format": "roofladder-backup",
        "version": 1,
        "roofladder_version": app.__version__,
        "created_at": at.isoformat(),
    }
    count = 0
    with (
        zipfile.ZipFile(partial, "x", zipfile.ZIP_DEFLATED, compresslevel=6) as archive,
        tempfile.TemporaryDirectory(dir=partial.parent) as copies,
    ):
        archive.writestr(MANIFEST_NAME, json.dumps(manifest, indent=2))
        for name in DATABASE_NAMES:
            if (data_dir / name).exists():
                archive.write(_copy_database(data_dir / name, Path(copies) / name), name)
                count += 1
        for path in _raw_files(data_dir, skip=partial):
            archive.write(path, path.relative_to(data_dir))
            count += 1
    return count


def _copy_database(source: Path, copy: Path) -> Path:
    sqlite = sqlite_module()
    with closing(sqlite.connect(source)) as live, closing(sqlite.connect(copy)) as target:
        live.backup(target)
        target.execute("PRAGMA journal_mode=DELETE")
    return copy


def _raw_files(data_dir: Path, skip: Path) -> Iterator[Path]:
    for path in sorted(data_dir.rglob("*")):
        relative = path.relative_to(data_dir)
        if relative.parts[0] in LEFT_OUT or path.name in DATABASE_NAMES or path == skip:
            continue
        if path.is_file() and not path.is_symlink() and not path.name.endswith(LEFT_OUT_SUFFIXES):
            yield path
