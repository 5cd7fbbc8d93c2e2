"""`roofladder export | import | backup`: runs and whole folders as files."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from app.domain.errors import InvalidInputError, NotFoundError, UnavailableError
from app.services.backup import back_up
from app.services.capsule import export_capsule, import_capsule
from app.settings import Settings
from app.storage.database import open_store
from app.supervisor import data_folder
from app.web import formatting


def export_run(settings: Settings, run_id: int, file: Path, console: Console) -> None:
    """Write the capsule of a finished run; an existing FILE is never overwritten."""
    if file.exists():
        raise InvalidInputError(f"{file} exists and was left as it is. Name another file.", field="file")
    if not settings.data_dir.exists():  # opening a store would make one
        raise NotFoundError(f"There is no data folder {settings.data_dir}. Name another: --data-dir.")
    capsule = export_capsule(open_store(settings.results_url), run_id)
    try:
        file.write_bytes(capsule)
    except OSError as error:
        file.unlink(missing_ok=True)
        raise UnavailableError(
            f"{file} could not be written ({error.strerror}). Name another place."
        ) from error
    console.print(f"Run {run_id} is in {file} ({formatting.bytes_moved(len(capsule))}).", markup=False)


def import_run(settings: Settings, file: Path, console: Console) -> None:
    """Keep a capsule's run; the same one twice is kept once."""
    try:
        capsule = file.read_bytes()
    except OSError as error:
        raise NotFoundError(f"{file} cannot be read ({error.strerror}); nothing was imported.") from error
    data_folder.prepare(settings.data_dir)
    kept = import_capsule(open_store(settings.results_url), capsule)
    if kept.created:
        console.print(f"Imported as run {kept.run_id}.")
    else:
        console.print(f"It is here already, as run {kept.run_id}; nothing was changed.")


def back_up_folder(settings: Settings, file: Path, console: Console) -> None:
    """Write a backup and say how to use it."""
    made = back_up(settings.data_dir, file)
    console.print(
        f"{made.path} holds {made.file_count} files ({formatting.bytes_moved(made.size_bytes)}).",
        markup=False,
    )
    console.print("Unzipped into an empty folder it is a data folder: ROOFLADDER_DATA_DIR=FOLDER make run")
