"""A database that is old, new, locked, read-only, full or damaged: it opens, or one line says what to do."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from app.domain.errors import UnavailableError
from app.domain.vocabulary import RunStatus
from app.storage.database import open_store
from app.storage.sqlite_engine import sqlite_module
from app.storage.tables import RunRow
from app.storage.transactions import open_database
from tests.examples import submit

OLDER = Path(__file__).parents[1] / "data" / "roofladder-schema-0001.db"


def url(path: Path) -> str:
    return f"sqlite:///{path}"


def test_a_database_of_the_first_revision_opens_with_all_it_holds(tmp_path: Path) -> None:
    path = tmp_path / "roofladder.db"
    shutil.copy(OLDER, path)
    store = open_store(url(path))
    own, imported = sorted(store.runs(), key=lambda run: run.imported)
    assert (own.label, own.status) == ("measured with the first schema", RunStatus.FINISHED)
    assert len(store.run(own.id).measurements) == len(store.samples(own.id)) == 2
    assert store.run(own.id).measurements[0].median_s == 0.1 + 0.2
    assert imported.tags == ("h200", "baseline")
    store.reach_milestone("needs revision 0002")
    assert submit(store).id == 2
    store.close()


def test_migrations_give_the_tables_that_the_code_declares(tmp_path: Path) -> None:
    database = open_database(url(tmp_path / "new.db"))
    with database.read() as session:
        found = compare_metadata(MigrationContext.configure(session.connection()), RunRow.metadata)
    database.close()
    assert found == []


def test_a_series_is_clustered(tmp_path: Path) -> None:
    open_store(url(tmp_path / "new.db")).close()
    with closing(sqlite3.connect(tmp_path / "new.db")) as database:
        plan = database.execute(
            "EXPLAIN QUERY PLAN SELECT run_id, median_s FROM measurement WHERE series_id = 1 ORDER BY run_id"
        ).fetchall()
        mode = database.execute("PRAGMA journal_mode").fetchone()
    assert [step[3] for step in plan] == ["SEARCH measurement USING PRIMARY KEY (series_id=?)"]
    assert mode == ("wal",)


def test_a_newer_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "roofladder.db"
    open_store(url(path)).close()
    with closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
        database.commit()
    with pytest.raises(UnavailableError, match=r"newer version of Roofladder \(schema 9999\)"):
        open_store(url(path))


def test_a_locked_database_is_waited_for_and_then_named(tmp_path: Path) -> None:
    path = tmp_path / "roofladder.db"
    store = open_store(url(path), busy_timeout_s=0.2)
    with closing(sqlite_module().connect(path, isolation_level=None)) as other:
        # The store's own driver: two SQLite libraries in one process do not see each other's locks.
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(UnavailableError, match=r"roofladder.db is locked by another program"):
            submit(store)
        assert store.jobs() == [], "readers go on"
        other.execute("ROLLBACK")
    assert submit(store).id == 1
    store.close()


@pytest.mark.parametrize("content", [b"not a database at all" * 100, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_file_that_is_no_database_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "roofladder.db"
    path.write_bytes(content)
    with pytest.raises(UnavailableError, match=r"roofladder.db (is not a database|is damaged)"):
        open_store(url(path))


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UnavailableError, match="ROOFLADDER_DATA_DIR"):
        open_store(url(tmp_path / "file" / "roofladder.db"))


_FILL = """
import resource, sys
from app.domain.errors import UnavailableError
from app.storage.database import open_store
from tests.examples import submit
store = open_store(sys.argv[1])
submit(store)
resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))
import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
try:
    for _ in range(200):
        submit(store, label="x" * 5000)
except UnavailableError as error:
    print(error.message)
print(len(store.jobs(limit=200)) > 0)
"""


def test_a_full_disk_is_one_line_and_readers_go_on(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _FILL, url(tmp_path / "roofladder.db")],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    message, reads = done.stdout.splitlines()
    assert message.startswith("The database roofladder.db ")
    assert "free space" in message or "Free some space" in message
    assert reads == "True"


_READ_ONLY = """
import os, sys
from app.domain.errors import UnavailableError
from app.storage.database import open_store
if os.getuid() == 0:  # root may write everywhere
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
try:
    open_store(sys.argv[1]).close()
except UnavailableError as error:
    print(error.message)
"""


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that other users may enter: pytest's own are closed to them."""
    with TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.mark.parametrize("exists", [True, False])
def test_a_read_only_folder_is_one_line(open_folder: Path, exists: bool) -> None:
    path = open_folder / "roofladder.db"
    if exists:
        store = open_store(url(path))
        submit(store)
        store.close()
    for file in path.parent.iterdir():
        file.chmod(0o444)
    path.parent.chmod(0o555)
    done = subprocess.run(
        [sys.executable, "-c", _READ_ONLY, url(path)],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    path.parent.chmod(0o755)
    assert done.stdout.startswith("The database roofladder.db "), done.stderr
    assert "writable" in done.stdout
    assert len(done.stdout.splitlines()) == 1
