"""A backup taken while writers go on is a working data folder when unzipped."""

from __future__ import annotations

import sqlite3
import threading
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from app.domain.errors import InvalidInputError, NotFoundError, UnavailableError
from app.domain.run import Selection
from app.domain.size import Size
from app.domain.vocabulary import BackendName, Dtype, JobKind
from app.services.backup import back_up
from app.storage.database import open_store
from app.storage.store import Store


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    submit(open_store(f"sqlite:///{folder / 'roofladder.db'}"), "kept")
    with closing(sqlite3.connect(folder / "jobs.db")) as engine:
        engine.executescript("CREATE TABLE workflow (id TEXT); INSERT INTO workflow VALUES ('w1');")
    (folder / "raw" / "ab").mkdir(parents=True)
    (folder / "raw" / "ab" / "abcd.csv").write_text("imported")
    (folder / "cache").mkdir()
    (folder / "cache" / "x.cubin").write_text("made again")
    (folder / "service.lock").write_text("{}")
    return folder


def submit(store: Store, label: str) -> None:
    selection = Selection(("matmul",), None, (Size.of(m=8, n=8, k=8),), (Dtype.FLOAT32,), BackendName.CPU)
    store.create_job(
        kind=JobKind.BENCHMARK,
        selection=selection,
        label=label,
        deadline_s=60,
        estimate_s=1,
        cell_count=1,
        idempotency_key=None,
        request_sha256="",
    )


def test_unzipped_it_is_a_data_folder_again(data_dir: Path, tmp_path: Path) -> None:
    made = back_up(data_dir, tmp_path / "b.zip")
    restored = tmp_path / "restored"
    with zipfile.ZipFile(made.path) as archive:
        assert sorted(archive.namelist()) == ["backup.json", "jobs.db", "raw/ab/abcd.csv", "roofladder.db"]
        archive.extractall(restored)
    jobs = open_store(f"sqlite:///{restored / 'roofladder.db'}").jobs()
    assert [job.label for job in jobs] == ["kept"]
    with closing(sqlite3.connect(restored / "jobs.db")) as engine:
        assert engine.execute("SELECT id FROM workflow").fetchall() == [("w1",)]
    assert made.file_count == 3


def test_a_writer_goes_on_during_the_backup_and_the_copy_is_whole(data_dir: Path, tmp_path: Path) -> None:
    stop = threading.Event()
    written: list[int] = []

    def write() -> None:
        store = open_store(f"sqlite:///{data_dir / 'roofladder.db'}")
        while not stop.is_set():
            submit(store, f"job {len(written)}")
            written.append(1)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        made = [back_up(data_dir, tmp_path / f"{i}.zip") for i in range(3)]
    finally:
        stop.set()
        writer.join()
    assert written
    for backup in made:
        restored = tmp_path / backup.path.stem
        zipfile.ZipFile(backup.path).extractall(restored)
        with closing(sqlite3.connect(restored / "roofladder.db")) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_an_existing_file_is_left_as_it_is(data_dir: Path, tmp_path: Path) -> None:
    (tmp_path / "b.zip").write_text("mine")
    with pytest.raises(InvalidInputError, match="left as it is"):
        back_up(data_dir, tmp_path / "b.zip")
    assert (tmp_path / "b.zip").read_text() == "mine"


def test_an_empty_folder_is_not_backed_up(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="holds no Roofladder database"):
        back_up(tmp_path, tmp_path / "b.zip")


def test_a_folder_that_takes_no_file_is_one_line_and_leaves_nothing(data_dir: Path, tmp_path: Path) -> None:
    with pytest.raises(UnavailableError, match="was not made"):
        back_up(data_dir, tmp_path / "missing" / "b.zip")
    assert not (tmp_path / "missing").exists()


def test_a_backup_inside_the_data_folder_does_not_hold_itself(data_dir: Path) -> None:
    made = back_up(data_dir, data_dir / "b.zip")
    assert "b.zip.part" not in zipfile.ZipFile(made.path).namelist()
