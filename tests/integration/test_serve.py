"""`roofladder serve`: starts once on a folder, says clearly why it does not, and stops quickly."""

from __future__ import annotations

import signal
import socket
import subprocess
from pathlib import Path

import httpx
import pytest

from tests.integration.service import COMMAND, environment, roofladder, running


def one_line(done: subprocess.CompletedProcess[str]) -> str:
    assert "Traceback" not in done.stderr
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    return lines[0]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_answers_and_stops_in_order(tmp_path: Path, number: signal.Signals) -> None:
    with running(tmp_path, "--no-worker") as service:
        assert service.get("/health")["status"] == "ok"
        service.process.send_signal(number)
        service.process.wait(10)  # `docker stop` kills after that
    assert service.process.returncode == 0


def test_it_prints_its_address_once_pages_are_served(tmp_path: Path) -> None:
    with subprocess.Popen(
        [*COMMAND, "serve", "--no-worker"], env=environment(tmp_path), stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        url = next(word for word in line.split() if word.startswith("http://"))
        assert httpx.get(f"{url}/api/v1/health", trust_env=False).status_code == 200
        process.terminate()


def test_a_second_start_on_the_folder_names_the_first(tmp_path: Path) -> None:
    with running(tmp_path, "--no-worker") as service:
        second = roofladder(tmp_path, "serve")
        assert second.returncode == 4
        assert f"already running on the data folder {tmp_path}" in one_line(second)
        assert f"{service.url} (pid {service.process.pid})" in second.stderr


def test_a_taken_port_is_one_line_with_what_to_do(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        done = roofladder(tmp_path, "serve", PORT=str(port))
    assert done.returncode == 3
    assert f"Port {port} on 127.0.0.1 is in use" in one_line(done)
    assert "PORT=" in done.stderr


def test_listening_beyond_this_machine_without_a_token_is_refused(tmp_path: Path) -> None:
    done = roofladder(tmp_path, "serve", HOST="0.0.0.0")
    assert done.returncode == 2
    assert "Set ROOFLADDER_TOKEN" in one_line(done)
    assert not (tmp_path / "roofladder.db").exists()


def test_with_a_token_it_listens_everywhere_and_asks_for_it(tmp_path: Path) -> None:
    with running(tmp_path, "--no-worker", HOST="0.0.0.0", ROOFLADDER_TOKEN="s3cret") as service:
        jobs = f"{service.url}/api/v1/jobs"
        assert httpx.get(jobs, trust_env=False).status_code == 401
        allowed = httpx.get(jobs, headers={"Authorization": "Bearer s3cret"}, trust_env=False)
        assert allowed.status_code != 401


def test_a_data_folder_that_is_a_file_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    done = roofladder(tmp_path / "data", "serve")
    assert done.returncode == 3
    assert "is not a folder" in one_line(done)


def test_a_file_that_is_no_database_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "roofladder.db").write_text("not a database at all, but long enough to be looked at" * 20)
    done = roofladder(tmp_path, "serve")
    assert done.returncode == 3
    assert "roofladder.db" in one_line(done)


def test_check_says_whether_a_service_answers(tmp_path: Path) -> None:
    done = roofladder(tmp_path, "serve", "--check")
    assert done.returncode == 3
    assert "No service is running" in one_line(done)
    with running(tmp_path, "--no-worker") as service:
        done = roofladder(tmp_path, "serve", "--check")
        assert done.returncode == 0
        assert service.url in done.stdout.replace("\n", "")
