"""Starts a command that must not outlive its parent: `python -m app.launcher COMMAND ARGUMENT…`.

The kernel kills the command when the thread that started the launcher ends, so that thread has to wait
for it. Standard library only: this runs before every child.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

PARENT_VARIABLE = "ROOFLADDER_PARENT_PID"
PR_SET_PDEATHSIG = 1
EXIT_ORPHAN = 75


def main(command: list[str]) -> int:
    """Tie this process to its parent and become `command`; returns only when the parent is gone already."""
    parent = int(os.environ.pop(PARENT_VARIABLE, os.getppid()))
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:  # the parent died before the kernel was asked to watch it
        return EXIT_ORPHAN
    os.execvp(command[0], command)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
