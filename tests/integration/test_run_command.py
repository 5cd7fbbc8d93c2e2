"""`roofladder run`, `export`, `import`, `backup`, `worker --check` and `doctor` as a user types them."""

from __future__ import annotations

import subprocess
import zipfile
from pathlib import Path

import pytest

from app.supervisor.data_folder import running_service
from tests.integration.service import COMMAND, environment, roofladder, running, wait_for

pytestmark = pytest.mark.timeout(240)
SMALL = ("run", "matmul", "--size", "64", "--stage", "numpy_tiles", "--stage", "blas", "--backend", "cpu")
QUIET = {"ROOFLADDER_FIRST_BENCHMARK": "false", "COLUMNS": "160"}


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, subprocess.CompletedProcess[str]]:
    """A folder on which one run was measured by a command of its own."""
    folder = tmp_path_factory.mktemp("measured")
    return folder, roofladder(folder, *SMALL, "--label", "first", **QUIET)


@pytest.mark.chaos
def test_run_measures_with_a_service_of_its_own_and_leaves_none(
    measured: tuple[Path, subprocess.CompletedProcess[str]],
) -> None:
    folder, done = measured
    assert done.returncode == 0, done.stderr
    assert "numpy_tiles" in done.stdout
    assert "blas (library)" in done.stdout
    assert "FLOP/s" in done.stdout
    assert running_service(folder) is None


@pytest.mark.chaos
def test_run_uses_the_service_that_is_there(tmp_path: Path) -> None:
    with running(tmp_path, **QUIET) as service:
        done = roofladder(tmp_path, *SMALL, **QUIET)
        assert done.returncode == 0, done.stderr
        assert f"{service.url}/jobs/1" in done.stdout
        assert service.get("/jobs/1")["status"] == "finished"
        alive = roofladder(tmp_path, "worker", "--check", **QUIET)
        assert alive.returncode == 0, alive.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("run", "nosuch"), 5, "No problem is called 'nosuch'"),
        (("run", "matmul", "--size", "1x2"), 2, "is not a size of matmul"),
        (("export", "1", "run.zip"), 5, "There is no run 1"),
        (("export", "1", "run.zip", "--data-dir", "nowhere"), 5, "There is no data folder nowhere"),
        (("import", "missing.zip"), 5, "missing.zip cannot be read"),
        (("backup", "b.zip"), 5, "holds no Roofladder database"),
        (("worker", "--check"), 3, "No worker has ever started"),
        (("run", "--deadline", "soon"), 2, "--deadline"),
        (("run", "--deadline", "nan"), 2, "--deadline takes a number"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_an_exit_code(
    tmp_path: Path, arguments: tuple[str, ...], code: int, said: str
) -> None:
    done = roofladder(tmp_path, *arguments, **QUIET)
    assert done.returncode == code, done.stderr
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_an_unknown_stage_is_refused_in_the_services_words(tmp_path: Path) -> None:
    with running(tmp_path, "--no-worker", **QUIET) as service:
        done = roofladder(tmp_path, "run", "matmul", "--stage", "nosuch", "--backend", "cpu", **QUIET)
        assert done.returncode in (2, 5)
        assert "nosuch" in done.stderr
        assert service.get("/jobs")["items"] == []


@pytest.mark.chaos
def test_a_run_travels_as_a_capsule(
    measured: tuple[Path, subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    here, there, capsule = measured[0], tmp_path / "there", tmp_path / "run.zip"
    assert roofladder(here, "export", "1", str(capsule), **QUIET).returncode == 0
    again = roofladder(here, "export", "1", str(capsule), **QUIET)
    assert again.returncode == 2
    assert "left as it is" in again.stderr
    first = roofladder(there, "import", str(capsule), **QUIET)
    assert first.stdout.strip() == "Imported as run 1."
    assert "already" in roofladder(there, "import", str(capsule), **QUIET).stdout
    made = roofladder(there, "backup", str(tmp_path / "b.zip"), **QUIET)
    assert made.returncode == 0
    assert "roofladder.db" in zipfile.ZipFile(tmp_path / "b.zip").namelist()


def test_the_doctor_finds_the_cpu_usable_and_names_fixes(tmp_path: Path) -> None:
    done = roofladder(tmp_path / "not yet", "doctor", **QUIET)
    assert done.returncode == 0, done.stdout
    for name in ("SQLite", "Disk", "NVIDIA driver", "NVRTC", "CUDA headers", "CPU clock readable"):
        assert name in done.stdout
    assert not (tmp_path / "not yet").exists()


@pytest.mark.chaos
def test_a_worker_alone_serves_a_web_service_without_one(tmp_path: Path) -> None:
    with running(tmp_path, "--no-worker", **QUIET) as service:
        worker = subprocess.Popen([*COMMAND, "worker"], env=environment(tmp_path, **QUIET))
        try:
            wait_for(lambda: service.get("/health")["worker_age_s"] is not None)
        finally:
            worker.terminate()
            assert worker.wait(10) == 0
