"""The worker is started again when it dies and never outlives the service."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from app.supervisor.worker_keeper import WorkerKeeper

SLEEPER = [sys.executable, "-c", "import time; time.sleep(60)"]
DEAF = [
    sys.executable,
    "-c",
    "import signal, sys, time, pathlib; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
    "pathlib.Path(sys.argv[1]).touch(); time.sleep(60)",
]


def wait_until(happened: Callable[[], object], timeout_s: float = 10) -> None:
    until = time.monotonic() + timeout_s
    while not happened():
        assert time.monotonic() < until, "waited in vain"
        time.sleep(0.02)


def is_alive(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists() and "Z" not in Path(f"/proc/{pid}/stat").read_text().split()[2]


def test_a_killed_worker_starts_again_and_the_log_says_how_it_ended(caplog: pytest.LogCaptureFixture) -> None:
    keeper = WorkerKeeper(SLEEPER, {})
    keeper.start()
    wait_until(lambda: keeper.pid)
    first = keeper.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    wait_until(lambda: keeper.pid not in (None, first))
    assert "The worker ended (SIGKILL); it starts again in 0.5 s." in caplog.text
    second = keeper.pid
    keeper.stop()
    assert second is not None
    assert not is_alive(second)
    assert keeper.pid is None


def test_a_worker_that_always_fails_is_started_ever_more_slowly(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    keeper = WorkerKeeper([sys.executable, "-c", "raise SystemExit(3)"], {})
    keeper.start()
    wait_until(lambda: "it starts again in 1.0 s" in caplog.text)
    keeper.stop()
    assert caplog.text.count("exit code 3") == 2


def test_a_worker_deaf_to_sigterm_is_dead_within_five_seconds(tmp_path: Path) -> None:
    keeper = WorkerKeeper([*DEAF, str(tmp_path / "ready")], {})
    keeper.start()
    wait_until((tmp_path / "ready").exists)
    pid = keeper.pid
    asked = time.monotonic()
    keeper.stop()
    assert time.monotonic() - asked < 5
    assert pid is not None
    assert not is_alive(pid)


def test_the_worker_gets_the_services_settings(tmp_path: Path) -> None:
    show = f"import os, pathlib; pathlib.Path({str(tmp_path / 'seen')!r}).write_text(os.environ['X_DIR'])"
    keeper = WorkerKeeper([sys.executable, "-c", show], {"X_DIR": "here"})
    keeper.start()
    wait_until(lambda: (tmp_path / "seen").exists() and (tmp_path / "seen").read_text())
    keeper.stop()
    assert (tmp_path / "seen").read_text() == "here"
