from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from app.launcher import EXIT_ORPHAN, PARENT_VARIABLE

_PARENT = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-m", "app.launcher", "sleep", "60"])
print(child.pid, flush=True)
child.wait()
"""


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_the_command_dies_with_its_parent() -> None:
    with subprocess.Popen([sys.executable, "-c", _PARENT], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        time.sleep(0.5)  # let the launcher become the command
        assert is_alive(child)
        parent.kill()
    ends = time.monotonic() + 20
    while is_alive(child) and time.monotonic() < ends:
        time.sleep(0.05)
    survived = is_alive(child)
    if survived:
        os.kill(child, signal.SIGKILL)
    assert not survived


def test_a_launcher_whose_parent_is_gone_starts_nothing() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "app.launcher", "echo", "started"],
        env=os.environ | {PARENT_VARIABLE: "1"},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (EXIT_ORPHAN, b"")
