"""The service that a command talks to: the one on this data folder, or one of its own for a while."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from app.domain.errors import UnavailableError
from app.launcher import PARENT_VARIABLE
from app.supervisor.data_folder import running_service

START_PATIENCE_S = 60.0
STOP_PATIENCE_S = 8.0


@dataclass(frozen=True)
class _OwnService:
    process: subprocess.Popen[bytes]
    said: IO[str]  # its standard error


@contextmanager
def service_on(data_dir: Path) -> Iterator[str]:
    """Address of a service on this data folder; one that had to be started ends with the block."""
    holder = running_service(data_dir)
    if holder:
        yield _wait_for_url(data_dir, None)
        return
    with _own_service(data_dir) as own:
        yield _wait_for_url(data_dir, own)


@contextmanager
def _own_service(data_dir: Path) -> Iterator[_OwnService]:
    environment = {
        **os.environ,
        "HOST": "127.0.0.1",
        "PORT": "0",
        "ROOFLADDER_DATA_DIR": str(data_dir.resolve()),
        "ROOFLADDER_FIRST_BENCHMARK": "false",
        PARENT_VARIABLE: str(os.getpid()),
    }
    command = [sys.executable, "-m", "app.launcher", sys.executable, "-m", "app.cli", "serve", "--quiet"]
    with tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen(command, env=environment, stderr=said, start_new_session=True)
        try:
            yield _OwnService(process, said)
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(STOP_PATIENCE_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _wait_for_url(data_dir: Path, own: _OwnService | None) -> str:
    waited_since = time.monotonic()
    while time.monotonic() - waited_since < START_PATIENCE_S:
        holder = running_service(data_dir)
        if holder and holder.url:
            return holder.url
        if own and own.process.poll() is not None:
            own.said.seek(0)
            reason = own.said.read().strip()
            raise UnavailableError(reason or f"The service ended with exit code {own.process.returncode}.")
        time.sleep(0.1)
    raise UnavailableError(
        f"The service on {data_dir} was not ready after {START_PATIENCE_S:.0f} s. "
        "Nothing was measured; start it by itself to see why: roofladder serve."
    )
