"""The measuring child: started, listened to and ended."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Annotated

from pydantic import Field, TypeAdapter, ValidationError

import app
from app.domain.child_messages import ChildMessage, LogLine, Plan
from app.jobs.death import death_reason, out_of_memory_kills
from app.launcher import PARENT_VARIABLE

_PLAN = TypeAdapter(Plan)
_MESSAGE: TypeAdapter[ChildMessage] = TypeAdapter(Annotated[ChildMessage, Field(discriminator="kind")])
_CHUNK_BYTES = 1 << 16
_STDERR_TAIL_BYTES = 8192
_KILL_PATIENCE_S = 10.0


@dataclass(frozen=True)
class ChildCommand:
    """What to start, and what its environment has besides the worker's."""

    argv: tuple[str, ...] = (sys.executable, "-m", "app.measure")
    environment: Mapping[str, str] = field(default_factory=dict)


class ChildProcess:
    """A child in a process group of its own, which the kernel kills when the starting thread ends."""

    def __init__(self, command: ChildCommand, plan: Plan, inherited_fds: tuple[int, ...] = ()) -> None:
        self._kills_before = out_of_memory_kills()
        self._lines = b""
        self._stderr = b""
        # A file cannot fill up as a pipe does: a child that hangs before reading must not hang the worker.
        with tempfile.TemporaryFile() as plan_file:
            plan_file.write(_PLAN.dump_json(plan))
            plan_file.seek(0)
            self._process = subprocess.Popen(
                [sys.executable, "-m", "app.launcher", *command.argv],
                stdin=plan_file,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=_environment(command),
                pass_fds=inherited_fds,
                start_new_session=True,
            )
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._stdout_pipe: IO[bytes] = self._process.stdout
        self._stderr_pipe: IO[bytes] = self._process.stderr
        self._selector = selectors.DefaultSelector()
        for pipe in (self._stdout_pipe, self._stderr_pipe):
            os.set_blocking(pipe.fileno(), False)
            self._selector.register(pipe, selectors.EVENT_READ)

    @property
    def pid(self) -> int:
        """Process id, and id of its group."""
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        """None while it lives; negative for the signal that killed it."""
        return self._process.poll()

    def read(self, timeout_s: float) -> list[ChildMessage]:
        """What the child said, waiting at most `timeout_s`; empty with a `returncode` when all was read."""
        ended = self.returncode is not None
        if self._selector.get_map():
            for key, _ in self._selector.select(0 if ended else timeout_s):
                self._drain(key.fileobj)  # type: ignore[arg-type]
        elif not ended:
            self._wait(timeout_s)
        *complete, self._lines = self._lines.split(b"\n")
        return [_message(line) for line in complete if line.strip()]

    def why_it_died(self) -> str:
        """One line in words; only after the end."""
        return death_reason(
            self._process.wait(),
            self._stderr.decode(errors="replace"),
            memory_ran_out=out_of_memory_kills() > self._kills_before,
        )

    def kill(self) -> None:
        """End the whole process group; harmless when it is over. Returns once the child is dead."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._wait(_KILL_PATIENCE_S)
        self._selector.close()
        self._stdout_pipe.close()
        self._stderr_pipe.close()

    def _drain(self, pipe: IO[bytes]) -> None:
        chunk = os.read(pipe.fileno(), _CHUNK_BYTES)
        if not chunk:
            self._selector.unregister(pipe)
        elif pipe is self._stdout_pipe:
            self._lines += chunk
        else:
            self._stderr = (self._stderr + chunk)[-_STDERR_TAIL_BYTES:]

    def _wait(self, timeout_s: float) -> None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout_s)


def _environment(command: ChildCommand) -> dict[str, str]:
    root = str(Path(app.__file__).parent.parent)
    paths = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
    own = {"PYTHONPATH": os.pathsep.join(paths), PARENT_VARIABLE: str(os.getpid())}
    return {**os.environ, **own, **command.environment}


def _message(line: bytes) -> ChildMessage:
    try:
        return _MESSAGE.validate_json(line)
    except ValidationError:
        return LogLine(line.decode(errors="replace").strip()[:500])
