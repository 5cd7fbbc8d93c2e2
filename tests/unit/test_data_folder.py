"""The data folder at start: read-only, full, not a folder, held by another service."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.domain.errors import UnavailableError
from app.supervisor import data_folder

PREPARE = """
import sys
from pathlib import Path
from app.domain.errors import UnavailableError
from app.supervisor.data_folder import prepare
try:
    prepare(Path(sys.argv[1]))
except UnavailableError as error:
    sys.exit(error.message)
"""


def prepare_in_a_mount(mount_options: str, folder: Path) -> str:
    """Run `prepare` in a mount namespace where `folder` has a small or read-only file system."""
    script = f'mount -t tmpfs -o {mount_options} none "$0" && exec "$1" -c "$2" "$0"'
    done = subprocess.run(
        ["unshare", "--mount", "--map-root-user", "sh", "-c", script, str(folder), sys.executable, PREPARE],
        capture_output=True,
        text=True,
        check=False,
    )
    if "unshare:" in done.stderr or "mount:" in done.stderr:
        pytest.skip(f"this machine lets no test mount a file system: {done.stderr.strip()}")
    return done.stderr


def test_it_is_made_with_its_parents(tmp_path: Path) -> None:
    data_folder.prepare(tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b").is_dir()
    assert list((tmp_path / "a" / "b").iterdir()) == []


def test_a_file_in_its_place_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    for path in (tmp_path / "data", tmp_path / "data" / "below"):
        with pytest.raises(UnavailableError, match=r"is not a folder.*ROOFLADDER_DATA_DIR"):
            data_folder.prepare(path)


def test_a_read_only_file_system_is_one_clear_line(tmp_path: Path) -> None:
    said = prepare_in_a_mount("ro", tmp_path)
    assert "is on a read-only file system" in said
    assert "ROOFLADDER_DATA_DIR" in said
    assert said.count("\n") == 1


def test_a_full_disk_is_one_clear_line(tmp_path: Path) -> None:
    said = prepare_in_a_mount("size=1m", tmp_path)
    assert "is on a full disk" in said
    assert said.count("\n") == 1


def test_a_folder_of_another_user_is_one_clear_line(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may write everywhere; the read-only file system stands for this")
    tmp_path.chmod(0o555)
    with pytest.raises(UnavailableError, match="is not writable by this user"):
        data_folder.prepare(tmp_path / "data")


def test_a_second_holder_is_told_who_the_first_is(tmp_path: Path) -> None:
    lock = data_folder.ServiceLock.acquire(tmp_path)
    with pytest.raises(data_folder.AlreadyRunningError, match="still starting"):
        data_folder.ServiceLock.acquire(tmp_path)
    lock.announce("http://127.0.0.1:8020")
    expected = rf"already running on the data folder .* at http://127.0.0.1:8020 \(pid {os.getpid()}\)"
    with pytest.raises(data_folder.AlreadyRunningError, match=expected):
        data_folder.ServiceLock.acquire(tmp_path)
    lock.release()
    data_folder.ServiceLock.acquire(tmp_path).release()


def test_a_holder_that_died_holds_nothing(tmp_path: Path) -> None:
    die = (
        "import os, signal, sys; from pathlib import Path;"
        "from app.supervisor.data_folder import ServiceLock;"
        "lock = ServiceLock.acquire(Path(sys.argv[1])); lock.announce('http://127.0.0.1:1');"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    subprocess.run([sys.executable, "-c", die, str(tmp_path)], check=False)
    assert data_folder.running_service(tmp_path) is None
    data_folder.ServiceLock.acquire(tmp_path).release()


def test_the_running_service_is_found_by_its_folder(tmp_path: Path) -> None:
    assert data_folder.running_service(tmp_path) is None
    lock = data_folder.ServiceLock.acquire(tmp_path)
    lock.announce("http://127.0.0.1:8020")
    assert data_folder.running_service(tmp_path) == data_folder.RunningService(
        os.getpid(), "http://127.0.0.1:8020"
    )
    lock.release()
